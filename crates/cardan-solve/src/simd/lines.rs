//! Sums over lines of numbers in groups of four, which compilers vectorise without changing them.

/// Numbers in a group.
pub const LANES: usize = 4;

/// A sum of products in four interleaved parts, which compilers vectorise without changing it.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let (mut part, mut tail) = ([0.0; LANES], 0.0);
    for (x, y) in a_rest.iter().zip(b_rest) {
        tail += x * y;
    }
    for (x, y) in a.iter().zip(b) {
        for i in 0..LANES {
            part[i] += x[i] * y[i];
        }
    }
    (part[0] + part[1]) + (part[2] + part[3]) + tail
}

/// out += s line, in whole groups of [`LANES`].
#[inline(always)]
pub fn add_scaled(out: &mut [f64], s: f64, line: &[f64]) {
    for (out, line) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(line.as_chunks::<LANES>().0) {
        *out = core::array::from_fn(|i| out[i] + s * line[i]);
    }
}

/// out += Σ s_k line_k of three lines that follow each other, in whole groups of [`LANES`].
#[inline(always)]
pub fn add_three(out: &mut [f64], s: [f64; 3], lines: [&[f64]; 3]) {
    let [first, second, third] = lines.map(|line| line.as_chunks::<LANES>().0);
    for (((out, a), b), c) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(first).zip(second).zip(third) {
        // A new array: compilers vectorise it without a check that the lines are apart.
        *out = core::array::from_fn(|i| out[i] + ((s[0] * a[i] + s[1] * b[i]) + s[2] * c[i]));
    }
}
