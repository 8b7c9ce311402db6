//! Words of the format that this version does not act on yet. They are refused as such, not as spelling errors.

/// A choice of the format and the names it will have, found by a name that the choice already has.
const KINDS: &[(&str, &[&str])] = &[("rigid", &["shaft", "scaled", "scaled3", "affine"])];

/// True if a choice with the names `known` will have this one too.
pub(crate) fn is_reserved(name: &str, known: &[&str]) -> bool {
    KINDS.iter().any(|(mark, reserved)| known.contains(mark) && reserved.contains(&name))
}
