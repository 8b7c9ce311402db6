//! The equations of one instant as dense matrices of another library.

use cardan::solve::System;
use nalgebra::DMatrix;

/// M and J.
pub(crate) fn dense(system: &System) -> (DMatrix<f64>, DMatrix<f64>) {
    let graph = system.graph();
    let (rows, unknowns) = (graph.rows(), graph.unknowns());
    let mut jac = DMatrix::<f64>::zeros(rows, unknowns);
    let mut mass = DMatrix::<f64>::zeros(unknowns, unknowns);
    for block in graph.all_blocks() {
        let at = graph.block_range(block).start;
        for i in 0..graph.block_dim(block) {
            for j in 0..=i {
                let m = system.mass(block)[i * (i + 1) / 2 + j];
                (mass[(at + i, at + j)], mass[(at + j, at + i)]) = (m, m);
            }
        }
    }
    for link in graph.all_links() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = block else { continue };
            let (at, dim) = (graph.block_range(*block).start, graph.block_dim(*block));
            for (r, row) in graph.row_range(link).enumerate() {
                for k in 0..dim {
                    jac[(row, at + k)] += system.jac(link, end)[r * dim + k];
                }
            }
        }
    }
    (mass, jac)
}
