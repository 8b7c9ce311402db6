//! `cardan generate`: a scene of a family, on standard output.

use crate::Failure;
use crate::args::GenerateArgs;
use crate::output::print;
use cardan_scene::{Family, GenerateError};

pub(crate) fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let text = text(args).map_err(|error| Failure::Input(format!("error: {error}")))?;
    print(&text)
}

fn text(args: &GenerateArgs) -> Result<String, GenerateError> {
    let family: Family = args.kind.parse()?;
    // Without --n: the size that the family has, or the error that asks for one.
    family.generate(args.n.or(family.fixed_size()).unwrap_or(0), args.seed)
}
