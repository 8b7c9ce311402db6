//! stub
use crate::{Dropped, FactorError, Graph, Link, System};
use std::sync::Arc;
/// Dense.
#[derive(Clone, Debug)]
pub struct Dense {
    graph: Arc<Graph>,
    dropped: Vec<Dropped>,
}
impl Dense {
    /// New.
    pub fn new(graph: &Arc<Graph>) -> Dense {
        Dense { graph: graph.clone(), dropped: Vec::new() }
    }
    /// Factor.
    pub fn factor(&mut self, _system: &System) -> Result<(), FactorError> {
        Ok(())
    }
    /// Solve.
    pub fn solve(&mut self, _force: &[f64], _bias: &[f64], _x: &mut [f64], _lambda: &mut [f64]) {}
    /// Rank.
    pub fn rank(&self) -> usize {
        self.graph.rows()
    }
    /// Dropped.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }
    /// Whether λ of a row is unique.
    pub fn lambda_is_unique(&self, _link: Link, _row: usize) -> bool {
        true
    }
    /// Bytes.
    pub fn bytes(&self) -> usize {
        0
    }
}
