//! Sums over lines of numbers in groups of four, which compilers vectorise without changing them.
//!
//! Loops run over an index below a common length: chains of zipped iterators cost more than the sums.

/// Numbers in a group.
pub const LANES: usize = 4;

/// A sum of products in four interleaved parts.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let (mut part, mut tail) = ([0.0; LANES], 0.0);
    for (x, y) in a_rest.iter().zip(b_rest) {
        tail += x * y;
    }
    let n = if a.len() < b.len() { a.len() } else { b.len() };
    let (a, b) = (&a[..n], &b[..n]);
    for k in 0..n {
        part = core::array::from_fn(|i| part[i] + a[k][i] * b[k][i]);
    }
    (part[0] + part[1]) + (part[2] + part[3]) + tail
}

/// out += s line, in whole groups of [`LANES`].
#[inline(always)]
pub fn add_scaled(out: &mut [f64], s: f64, line: &[f64]) {
    let (out, line) = (out.as_chunks_mut::<LANES>().0, line.as_chunks::<LANES>().0);
    let n = if out.len() < line.len() { out.len() } else { line.len() };
    let (out, line) = (&mut out[..n], &line[..n]);
    for k in 0..n {
        // A new array: compilers vectorise it without a check that the lines are apart.
        out[k] = core::array::from_fn(|i| out[k][i] + s * line[k][i]);
    }
}

/// out += Σ s_k line_k of three lines, in whole groups of [`LANES`]; the lines are as long as `out`.
#[inline(always)]
pub fn add_three(out: &mut [f64], s: [f64; 3], lines: [&[f64]; 3]) {
    let out = out.as_chunks_mut::<LANES>().0;
    let n = out.len();
    let [a, b, c] = lines.map(|line| &line.as_chunks::<LANES>().0[..n]);
    for k in 0..n {
        out[k] = core::array::from_fn(|i| out[k][i] + ((s[0] * a[k][i] + s[1] * b[k][i]) + s[2] * c[k][i]));
    }
}

/// out = s line; both have the same length.
#[inline(always)]
pub fn write_scaled(out: &mut [f64], s: f64, line: &[f64]) {
    let ((out, out_rest), (line, rest)) = (out.as_chunks_mut::<LANES>(), line.as_chunks::<LANES>());
    let n = if out.len() < line.len() { out.len() } else { line.len() };
    let (out, line) = (&mut out[..n], &line[..n]);
    for k in 0..n {
        out[k] = core::array::from_fn(|i| s * line[k][i]);
    }
    out_rest.iter_mut().zip(rest).for_each(|(out, x)| *out = s * x);
}
