//! Errors in shapes.

/// A shape that cannot be made, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length that must be positive is not.
    #[error("{field} is {value}; it must be a positive number")]
    NotPositive {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// A length that must not be negative is.
    #[error("{field} is {value}; it must be zero or a positive number")]
    Negative {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// A vertex with a coordinate that is not a number, or infinite.
    #[error("vertex {vertex} is not finite")]
    NotFinite {
        /// Its index.
        vertex: usize,
    },
    /// A hull of points that enclose no volume.
    #[error("the {points} points of the hull {lie}; a hull needs four that do not lie in a plane")]
    Plane {
        /// How many points there are.
        points: usize,
        /// Where they lie instead.
        lie: &'static str,
    },
    /// The hull could not be closed: points are too close to each other for its size.
    #[error(
        "point {point} is {outside:e} m outside the hull that was found; are there points closer together than that?"
    )]
    NotConvex {
        /// The point.
        point: usize,
        /// Its distance from the hull \[m\].
        outside: f64,
    },
    /// More vertices, triangles or heights than an index can address.
    #[error("{count} {what} are more than the limit of {most}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A mesh without triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle with an index of a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are {vertices}")]
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle without area.
    #[error("triangle {triangle} has no area: its vertices {corners:?} are on a line")]
    NoArea {
        /// The triangle.
        triangle: usize,
        /// Indices of its vertices.
        corners: [u32; 3],
    },
    /// Two triangles that traverse an edge in the same direction: one of them is inside out.
    #[error(
        "triangles {first} and {second} traverse their common edge in the same direction; one of them is inside out"
    )]
    InsideOut {
        /// One triangle.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Rows of heights of different length.
    #[error("row {row} has {have} heights, the first row {want}")]
    NotRectangular {
        /// The row.
        row: usize,
        /// Its length.
        have: usize,
        /// The length of the first.
        want: usize,
    },
    /// Fewer heights than a surface needs.
    #[error("{have} heights along {axis}; at least 2 are needed")]
    TooFew {
        /// Along which axis.
        axis: &'static str,
        /// How many there are.
        have: usize,
    },
    /// A height that is not a finite number.
    #[error("height {column} of row {row} is not finite")]
    Height {
        /// Index along y.
        row: usize,
        /// Index along x.
        column: usize,
    },
}

/// The value, if it is a positive number.
pub(crate) fn positive(field: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::NotPositive { field, value }) }
}

/// The value, if it is zero or a positive number.
pub(crate) fn not_negative(field: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::Negative { field, value }) }
}
