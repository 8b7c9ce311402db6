//! Rows: g, ġ, the gradient and what is left of g̈ when nothing accelerates, condition by condition.

use super::Key;
use crate::body::{FrameMotion, MAX_DIM, Motion, Wrench};
use crate::constraint::ConstraintRows;
use crate::model::Model;
use crate::state::State;
use crate::step::frame;

/// The part of a gradient that belongs to one body.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Block {
    pub(crate) body: u32,
    pub(crate) jac: [f64; MAX_DIM],
}

/// One condition at one instant.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Row {
    /// g [m, rad].
    pub(crate) gap: f64,
    /// ġ.
    pub(crate) rate: f64,
    /// g̈ where nothing accelerates.
    pub(crate) bias: f64,
    /// ∂g/∂t.
    pub(crate) time_rate: f64,
    /// Sizes of what formed g and ġ.
    pub(crate) scale: f64,
    pub(crate) rate_scale: f64,
    /// Its blocks in the sheet.
    first: u32,
    count: u32,
}

/// Rows of many conditions.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) rows: Vec<Row>,
    blocks: Vec<Block>,
    frames: Vec<FrameMotion>,
    wrenches: Vec<Wrench>,
}

impl Sheet {
    /// Writes the rows of `keys` at the motions of a state.
    pub(crate) fn write(
        &mut self,
        model: &Model,
        state: &State,
        motions: &[Motion],
        keys: impl Iterator<Item = Key>,
    ) {
        self.rows.clear();
        self.blocks.clear();
        for key in keys {
            self.write_one(model, state, motions, key);
        }
    }

    fn write_one(&mut self, model: &Model, state: &State, motions: &[Motion], key: Key) {
        let inequality = &model.inequalities[key.0 as usize];
        self.frames.clear();
        self.frames.extend(inequality.frames.iter().map(|at| frame(motions, at)));
        let n = self.frames.len();
        self.wrenches.clear();
        self.wrenches.resize(n, Wrench::ZERO);
        let (mut err, mut time_rate, mut rest, mut scale) = ([0.0], [0.0], [0.0], [1.0]);
        let mut out = ConstraintRows {
            ends: n,
            err: &mut err,
            err_time_rate: &mut time_rate,
            jac_dot_v: &mut rest,
            scale: &mut scale,
            gradient: &mut self.wrenches,
            push: &mut [],
            turns: &state.turns,
        };
        inequality.rule.evaluate(state.time, &self.frames, &mut out);
        let mut row = Row {
            gap: err[0],
            rate: time_rate[0],
            bias: rest[0],
            time_rate: time_rate[0],
            scale: scale[0],
            rate_scale: time_rate[0].abs(),
            first: self.blocks.len() as u32,
            count: 0,
        };
        for ((at, f), g) in inequality.frames.iter().zip(&self.frames).zip(&self.wrenches) {
            row.rate += g.force.dot(f.vel) + g.torque.dot(f.omega);
            row.bias += g.force.dot(f.bias) + g.torque.dot(f.bias_omega);
            let spin = f.omega.largest();
            let speed = f.vel.largest() + spin * f.arm.largest();
            row.rate_scale += g.force.largest() * speed + g.torque.largest() * spin;
            let Some(body) = at.body else { continue };
            let kind = model.bodies[body].kind;
            let mut block = Block { body: body as u32, jac: [0.0; MAX_DIM] };
            kind.pull_back(f.arm, *g, &mut block.jac[..kind.dim()]);
            self.blocks.push(block);
            row.count += 1;
        }
        self.rows.push(row);
    }

    /// The blocks of a row.
    pub(crate) fn blocks(&self, row: usize) -> &[Block] {
        let row = &self.rows[row];
        &self.blocks[row.first as usize..(row.first + row.count) as usize]
    }

    /// J x of a row, and the size of its terms.
    pub(crate) fn dot(&self, model: &Model, row: usize, x: &[f64]) -> (f64, f64) {
        let (mut sum, mut size) = (0.0, 0.0);
        for block in self.blocks(row) {
            let range = model.bodies[block.body as usize].v_range();
            for (j, x) in block.jac.iter().zip(&x[range]) {
                sum += j * x;
                size += (j * x).abs();
            }
        }
        (sum, size)
    }

    /// out += s Jᵀ of a row.
    pub(crate) fn add_to(&self, model: &Model, row: usize, s: f64, out: &mut [f64]) {
        for block in self.blocks(row) {
            let range = model.bodies[block.body as usize].v_range();
            for (out, j) in out[range].iter_mut().zip(&block.jac) {
                *out += s * j;
            }
        }
    }
}
