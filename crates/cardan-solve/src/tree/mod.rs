//! stub
use crate::{Dropped, FactorError, Graph, Lane, Link, NotATree, System};
use std::sync::Arc;
/// Tree.
#[derive(Clone, Debug)]
pub struct Tree<T: Lane = f64> {
    graph: Arc<Graph>,
    dropped: Vec<Dropped<T>>,
}
impl<T: Lane> Tree<T> {
    /// New.
    pub fn new(graph: &Arc<Graph>) -> Result<Tree<T>, NotATree> {
        Ok(Tree { graph: graph.clone(), dropped: Vec::new() })
    }
    /// Factor.
    pub fn factor(&mut self, _system: &System<T>) -> Result<(), FactorError> {
        Ok(())
    }
    /// Solve.
    pub fn solve(&mut self, _force: &[T], _bias: &[T], _x: &mut [T], _lambda: &mut [T]) {}
    /// Rank.
    pub fn rank(&self) -> usize {
        self.graph.rows()
    }
    /// Dropped.
    pub fn dropped(&self) -> &[Dropped<T>] {
        &self.dropped
    }
    /// Whether dropped.
    pub fn row_is_dropped(&self, _link: Link, _row: usize) -> bool {
        false
    }
    /// Bytes.
    pub fn bytes(&self) -> usize {
        0
    }
}
