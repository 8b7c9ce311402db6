//! Wide registers against one number at a time: the same bits; and balls against their three columns.

use super::Wide;
use crate::graph::{Block, Graph, Link};
use crate::math::{Six, Sym3, Sym6, Vec3};
use crate::spatial::{ALL, FillWith, Form, Limb, MOST, More, Spatial};
use crate::{FactorError, Forest};

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }
    fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) * 0.5) * n as f64) as usize % n
    }
    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
    fn six(&mut self) -> Six {
        Six::new(self.vec3(), self.vec3())
    }
}

/// What goes into a place; of a ball the columns, and its arm.
struct Input {
    mass: Sym6,
    force: Six,
    gamma: Six,
    shift: Vec3,
    columns: [Six; MOST],
    bias: [f64; MOST],
    arm: Option<Vec3>,
}

/// A random forest: hinges, balls, and links of every other form; blocks that float and blocks on the ground. With its inputs, by block. Every other one has links
/// that close loops, mostly with three rows.
fn forest(seed: u64) -> (Graph, Vec<Option<Form>>, Vec<Input>) {
    let mut rng = Rng(seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0x1234);
    let n = 1 + rng.below(14);
    let mut graph = Graph::new();
    let blocks: Vec<Block> = (0..n).map(|_| graph.add_block(6)).collect();
    let (mut forms, mut inputs) = (Vec::new(), Vec::new());
    for i in 0..n {
        let parent = (i > 0 && rng.below(8) > 0).then(|| blocks[rng.below(i)]);
        let form = match rng.below(8) {
            0 => Form::Freedoms(0),
            1 => Form::Freedoms(2),
            2 => Form::Rows(1 + rng.below(3) as u8),
            3 | 4 => Form::Freedoms(3),
            _ => Form::Freedoms(1),
        };
        let is_ball = form == Form::Freedoms(3) && rng.below(4) > 0;
        if parent.is_some() || rng.below(3) > 0 {
            let rows = match form {
                Form::Freedoms(f) => 6 - f as usize,
                Form::Rows(m) => m as usize,
            };
            graph.add_link(rows, &[parent, Some(blocks[i])]);
            forms.push(Some(form));
        }
        let mut inertia = Sym3::diagonal(0.05, 0.04, 0.06);
        for _ in 0..2 {
            inertia = inertia + Sym3::of_point(rng.vec3()).scaled(0.3);
        }
        let arm = rng.vec3();
        let about = |e: Vec3| Six::new(arm.cross(e), e);
        inputs.push(Input {
            mass: Sym6::of_mass(1.1 + rng.next(), inertia),
            force: rng.six(),
            gamma: rng.six(),
            shift: rng.vec3(),
            columns: match is_ball {
                true => [about(Vec3::X), about(Vec3::Y), about(Vec3::Z)],
                false => [rng.six(), rng.six(), rng.six()],
            },
            bias: [rng.next(), rng.next(), rng.next()],
            arm: is_ball.then_some(arm),
        });
    }
    if seed % 2 == 1 {
        for _ in 0..1 + rng.below(2) {
            let (a, b) = (rng.below(n + 1), rng.below(n));
            if a != b {
                let rows = if rng.below(4) > 0 { 3 } else { 1 + rng.below(5) };
                graph.add_link(rows, &[blocks.get(a).copied(), Some(blocks[b])]);
                forms.push(None);
            }
        }
    }
    (graph, forms, inputs)
}

/// Random rows and biases of the links that close loops.
fn close(seed: u64, spatial: &mut Spatial) {
    let mut rng = Rng(seed ^ 0x5eed);
    for closure in spatial.closures_mut() {
        let places = closure.places();
        for r in 0..closure.len() {
            for (end, place) in places.iter().enumerate() {
                closure.rows[end][r] = if place.is_some() { rng.six() } else { Six::ZERO };
            }
            closure.bias[r] = rng.next();
        }
    }
}

fn right(input: &Input, limb: &mut Limb, more: &mut More) {
    (limb.force, limb.gamma, more.bias) = (input.force, input.gamma, input.bias);
}

fn write(input: &Input, limb: &mut Limb, more: &mut More) {
    (limb.diag, limb.shift) = (input.mass, input.shift);
    (limb.first, more.columns) = (input.columns[0], [input.columns[1], input.columns[2]]);
    if let (true, Some(arm)) = (limb.is_ball(), input.arm) {
        limb.first = Six::new(arm, Vec3::ZERO);
    }
    right(input, limb, more);
}

/// All answers of a factor with its right side, of another solve with it, and of a pair of right sides.
fn answers(seed: u64, short: bool) -> Result<Vec<f64>, FactorError> {
    let (graph, forms, inputs) = forest(seed);
    let Some(mut spatial) = Spatial::new(&graph, &Forest::grow(&graph), &forms) else {
        // The forest was grown through a link that was to close a loop.
        return Ok(Vec::new());
    };
    close(seed, &mut spatial);
    let input: Vec<&Input> = (0..spatial.len()).map(|at| &inputs[spatial.at(at).0.0 as usize]).collect();
    for at in 0..spatial.len() {
        if short {
            spatial.make_lump(at);
            spatial.make_plain(at);
        }
        if short && input[at].arm.is_some() {
            spatial.make_ball(at);
        }
    }
    let mut out = Vec::new();
    let mut note = |x: &Six| out.extend([x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z]);
    spatial.factor_and_solve(&mut FillWith(|at: usize, limb: &mut Limb, more: &mut More| {
        write(input[at], limb, more);
    }))?;
    for (limb, load) in spatial.limbs().iter().zip(spatial.loads()) {
        note(&limb.x);
        note(load);
    }
    spatial.solve_to::<ALL>(
        |at, limb, more| {
            right(input[at], limb, more);
            limb.force = limb.force.scaled(0.7);
        },
        |_: usize, x: &Six| note(x),
    );
    for load in spatial.loads() {
        note(load);
    }
    spatial.solve_pair(
        0.3,
        &mut (
            |at: usize, limb: &mut Limb, more: &mut More| right(input[at], limb, more),
            |_: usize, x: &Six, second: &Six| {
                note(x);
                note(second);
            },
        ),
    );
    spatial.solve_closures(|_: usize, x: &Six| note(x));
    for closure in spatial.closures() {
        out.extend(closure.answers);
    }
    Ok(out)
}

#[test]
fn wide_registers_give_the_bits_of_one_number_at_a_time() {
    for seed in 0..3000 {
        Wide::forbid(true);
        let scalar = answers(seed, true);
        Wide::forbid(false);
        let wide = answers(seed, true);
        match (scalar, wide) {
            (Ok(scalar), Ok(wide)) => {
                let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&scalar), bits(&wide), "seed {seed}");
            }
            (Err(scalar), Err(wide)) => assert_eq!(scalar.to_string(), wide.to_string(), "seed {seed}"),
            (scalar, wide) => panic!("seed {seed}: {scalar:?} against {wide:?}"),
        }
    }
}

#[test]
fn the_short_ways_agree_with_the_long_one() {
    let mut compared = 0;
    for seed in 0..3000 {
        let (Ok(short), Ok(long)) = (answers(seed, true), answers(seed, false)) else { continue };
        let largest = long.iter().fold(1.0, |most: f64, x| if x.abs() > most { x.abs() } else { most });
        // Random columns may be nearly dependent: then either way loses digits to the square of their condition.
        if largest > 1e3 {
            continue;
        }
        compared += 1;
        for (k, (a, b)) in short.iter().zip(&long).enumerate() {
            assert!((a - b).abs() < 1e-9 * largest, "seed {seed}, number {k}: {a} against {b}");
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn a_pivot_that_is_not_positive_is_found_by_either_way() {
    let mut graph = Graph::new();
    let (a, b) = (graph.add_block(6), graph.add_block(6));
    graph.add_link(5, &[None, Some(a)]);
    graph.add_link(3, &[Some(a), Some(b)]);
    let forms = [Some(Form::Freedoms(1)), Some(Form::Freedoms(3))];
    for (scalar, sick) in [(true, 0), (false, 0), (true, 1), (false, 1)] {
        Wide::forbid(scalar);
        let mut spatial: Spatial = Spatial::new(&graph, &Forest::grow(&graph), &forms).expect("a tree");
        for at in 0..2 {
            spatial.make_plain(at);
            spatial.make_ball(at);
        }
        let blocks = [spatial.at(0).0, spatial.at(1).0];
        let error = spatial
            .factor_and_solve(&mut FillWith(|at: usize, limb: &mut Limb, _: &mut More| {
                let i = if blocks[at].0 == sick { -1.0 } else { 1.0 };
                limb.diag =
                    Sym6::of_mass(if blocks[at].0 == sick { 0.0 } else { 1.0 }, Sym3::diagonal(i, i, i));
                limb.first = Six::new(Vec3::ZERO, Vec3::Z);
            }))
            .expect_err("a mass that is none");
        assert!(
            matches!(error, FactorError::Vanished { link: Link(l), .. } if l == sick),
            "{scalar} {error}"
        );
    }
    Wide::forbid(false);
}
