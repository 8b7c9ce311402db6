//! What an elimination costs, counted operation by operation in the engine, and what a dense solve costs beside it.

use cardan::model::ModelJoint;
use cardan::{JointKind, Model, Settings, Simulation, SolverChoice};
use cardan_scene::{Document, Family, Scene, bundled};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn model(name: &str, text: &str) -> Arc<Model> {
    let document = Document::parse(name, text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    Arc::new(scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render())))
}

fn generated(family: Family, n: usize, seed: u64) -> Arc<Model> {
    model(family.name(), &family.generate(n, seed).expect("a scene"))
}

/// Additions, multiplications, divisions and roots of one elimination.
fn operations(model: &Arc<Model>) -> [i64; 4] {
    let count = Simulation::new(model.clone())
        .diagnostics()
        .elimination_operations()
        .expect("a tree of rigid bodies");
    [count.add, count.mul, count.div, count.sqrt].map(|c| i64::try_from(c).expect("not that many"))
}

/// ops(2n) − 2 ops(n) of all four.
fn excess(of: impl Fn(usize) -> [i64; 4], n: usize) -> [i64; 4] {
    let (once, twice) = (of(n), of(2 * n));
    [0, 1, 2, 3].map(|k| twice[k] - 2 * once[k])
}

const SIZES: [usize; 5] = [2, 8, 32, 128, 512];

/// In a tree of any shape each body costs the same, except the first, on the ground.
#[test]
fn twice_the_bodies_cost_twice_the_operations_in_every_shape() {
    let hinged = [Family::Chain, Family::Star, Family::Comb, Family::BinaryTree];
    for family in [Family::SphericalChain].into_iter().chain(hinged) {
        let of = |n: usize| operations(&generated(family, n, 1));
        let constant = excess(of, SIZES[0]);
        for n in SIZES {
            assert_eq!(excess(of, n), constant, "{} of {n}", family.name());
        }
        // The constant is what the one body on the ground saves: less than a body costs.
        let body = of(3).iter().zip(of(2)).map(|(three, two)| three - two).sum::<i64>();
        assert!(constant.iter().sum::<i64>().abs() < body, "{}: {constant:?}", family.name());
    }
    // No bandwidth, no order of numbering: a star costs what a chain costs, to the operation.
    for n in SIZES {
        let chain = operations(&generated(Family::Chain, n, 1));
        for family in hinged {
            assert_eq!(operations(&generated(family, n, 2)), chain, "{} of {n}", family.name());
        }
    }
}

/// A random tree has joints of several kinds; its cost is the sum over the joints, in any order.
#[test]
fn a_random_tree_costs_the_sum_of_its_joints() {
    let hinges = |n: usize| operations(&generated(Family::Chain, n, 1));
    let balls = |n: usize| operations(&generated(Family::SphericalChain, n, 1));
    let less = |more: [i64; 4], few: [i64; 4]| [0, 1, 2, 3].map(|k| more[k] - few[k]);
    // What a body adds within a chain.
    let (hinge, ball) = (less(hinges(3), hinges(2)), less(balls(3), balls(2)));
    // A ball with nothing on it costs less. Figure 3 is a binary tree of balls: one on the ground, 62 with others on them and 64 with none.
    let text = bundled().iter().find(|scene| scene.name == "figure-3").expect("a scene").text;
    let tree = operations(&model("figure-3", text));
    let last_ball = [0, 1, 2, 3].map(|k| (tree[k] - balls(2)[k] - 62 * ball[k]) / 63);
    // What is left of the shortest chain is the first, on the ground and with others on it.
    let (first_hinge, first_ball) = (less(hinges(2), hinge), less(balls(2), last_ball));
    for n in SIZES {
        for seed in 0..4 {
            let model = generated(Family::RandomTree, n, seed);
            let is_ball = |joint: &&ModelJoint| joint.kind == JointKind::Spherical;
            let many = model.joints().iter().filter(is_ball).count() as i64;
            let grounded = model.joints().iter().filter(|joint| joint.body_a().is_none());
            let roots_with_balls = grounded.filter(is_ball).count() as i64;
            let carries = |body| model.joints().iter().any(|joint| joint.body_a() == body);
            let last_balls = model.joints().iter().filter(is_ball).filter(|joint| !carries(joint.body_b()));
            let last_balls = last_balls.count() as i64;
            let expected = [0, 1, 2, 3].map(|k| {
                let root = if roots_with_balls == 1 { first_ball[k] } else { first_hinge[k] };
                let inner_balls = many - roots_with_balls - last_balls;
                let inner_hinges = n as i64 - 1 - inner_balls - last_balls;
                root + inner_balls * ball[k] + last_balls * last_ball[k] + inner_hinges * hinge[k]
            });
            assert_eq!(operations(&model), expected, "random tree of {n}, seed {seed}");
        }
    }
}

/// Several humanoids in one scene: a forest.
fn crowd(count: usize) -> Arc<Model> {
    let text = Family::Humanoid.generate(30, 1).expect("a scene");
    let one: toml::Table = text.parse().expect("TOML");
    let (mut bodies, mut joints) = (toml::Table::new(), toml::Table::new());
    for k in 0..count {
        let own = |name: &str| format!("{name}-{k}");
        for (name, body) in one["bodies"].as_table().expect("a table") {
            bodies.insert(own(name), body.clone());
        }
        for (name, joint) in one["joints"].as_table().expect("a table") {
            let mut joint = joint.clone();
            for end in ["a", "b"] {
                joint[end] = own(joint[end].as_str().expect("a name")).into();
            }
            joints.insert(own(name), joint);
        }
    }
    let mut all = one;
    all.insert("bodies".into(), bodies.into());
    all.insert("joints".into(), joints.into());
    model("crowd", &all.to_string())
}

#[test]
fn many_humanoids_cost_as_many_times_what_one_does() {
    let one = operations(&crowd(1));
    for count in [2, 4, 32] {
        assert_eq!(operations(&crowd(count)), one.map(|c| c * count as i64), "{count} humanoids");
    }
}

/// The least of several runs: what the code needs, whatever else the machine does.
fn least(mut work: impl FnMut(), times: usize) -> Duration {
    let once = |_| {
        let clock = Instant::now();
        work();
        clock.elapsed()
    };
    (0..times).map(once).min().expect("some")
}

/// Baraff's figure 3, which he solves about forty times faster than a dense solver of his. Both of ours are measured here
/// and now, so that a busy machine slows both.
#[test]
fn figure_3_is_solved_forty_times_faster_than_densely() {
    let entry = bundled().iter().find(|entry| entry.name == "figure-3").expect("a bundled scene");
    let model = model(entry.name, entry.text);
    assert_eq!((model.counts().bodies, model.counts().rows), (127, 381));
    let mut tree = Simulation::new(model.clone());
    tree.assemble().expect("it closes");
    let settings = Settings { solver: SolverChoice::Dense, ..Settings::default() };
    let mut dense = Simulation::with_settings(model, settings).expect("it takes anything");
    let fast = least(|| drop(tree.accelerations().map(|now| now.values()[0])), 20);
    let state = tree.state().clone();
    let slow = least(|| drop(dense.accelerations_at(&state).map(|now| now.values()[0])), 2);
    let ratio = slow.as_secs_f64() / fast.as_secs_f64();
    println!("dense {slow:?}, tree {fast:?}: {ratio:.0} times");
    assert!(ratio > 40.0, "dense {slow:?}, tree {fast:?}: {ratio:.0} times only");
}
