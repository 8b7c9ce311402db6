//! Words of the format that this version does not act on yet. They are refused as such, not as spelling errors.

/// A choice of the format and the names it will have, found by a name that the choice already has.
const KINDS: &[(&str, &[&str])] = &[
    ("rigid", &["shaft", "scaled", "scaled3", "affine"]),
    ("cylinder", &["plane", "hull", "mesh", "terrain"]),
];

/// A table of the format, found by a field that it already has, and fields it will have with what they belong to.
const FIELDS: &[(&str, &[(&str, &str)])] = &[("bodies", &[("inequalities", "declared inequalities")])];

/// True if a choice with the names `known` will have this one too.
pub(crate) fn kind(name: &str, known: &[&str]) -> bool {
    KINDS.iter().any(|(mark, later)| known.contains(mark) && later.contains(&name))
}

/// What a field belongs to that a table with the fields `known` will have.
pub(crate) fn field(name: &str, known: &[&str]) -> Option<&'static str> {
    let (_, later) = FIELDS.iter().find(|(mark, _)| known.contains(mark))?;
    later.iter().find(|(field, _)| *field == name).map(|(_, owner)| *owner)
}
