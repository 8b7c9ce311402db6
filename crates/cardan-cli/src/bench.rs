//! `cardan bench`
use crate::Failure;
use crate::args::BenchArgs;
pub(crate) fn bench(_args: &BenchArgs) -> Result<(), Failure> {
    Ok(())
}
