//! Unsupported uses of general bodies are refused by name.

use cardan::body::{Elastic, Number, Parametric, Piece, Pose, ScaleSpring};
use cardan::geometry::Curve;
use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, BuildError, Coordinates, End, End::Ground, Frame, Gravity, Integrator, Joint, JointKind,
    MassProperties, Model, ModelBuilder, Settings, Simulation, SolidShape, StepError,
};

fn mass() -> MassProperties {
    MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.1, 0.1, 0.1) }
}
fn bead() -> Body {
    Body::bead(0.1, Curve::circle(1.0).unwrap()).named("pearl").starting(&[0.1], &[0.0])
}
fn build(body: Body, joint: impl Fn(End) -> Joint) -> Result<Model, BuildError> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let id = parts.add_body(body);
    parts.add_joint(joint(id.into()).named("pin"));
    parts.build()
}

#[test]
fn a_joint_that_needs_what_a_body_lacks_is_refused_by_name() {
    let hinge = |b: End| Joint::between(JointKind::Revolute, Ground, Frame::default(), b, Frame::default());
    let message = build(bead(), hinge).unwrap_err().to_string();
    assert_eq!(
        message,
        "joint `pin` (revolute) does not fit body `pearl`, which is a bead: a point mass has no orientation"
    );
    let off = |b: End| Joint::between(JointKind::Spherical, b, Frame::at(Vec3::X), Ground, Frame::default());
    let message = build(bead(), off).unwrap_err().to_string();
    assert!(message.contains("`pin`") && message.contains("`pearl`"), "{message}");
    let piece = |b: End| match b {
        End::Body(id) => Joint::spherical(Ground, End::Piece(id, 3), [1.0, 0.0, 0.0]),
        other => Joint::spherical(Ground, other, [0.0; 3]),
    };
    let message = build(bead(), piece).unwrap_err().to_string();
    assert!(message.contains("`pin`") && message.contains("no piece of that number"), "{message}");
}

/// A deformable body has no fixed shape: it accepts balls on its points only, and the error says
/// so.
#[test]
fn shapes_do_not_deform() {
    use cardan::contact::Shape;
    use cardan::{ContactShape, Material};
    let with = |body: Body, shape: Shape| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let id = parts.add_body(body);
        let (frame, material) = (Frame::default(), Material::default());
        parts.add_shape(ContactShape { body: id.into(), frame, shape, material });
        parts.build().map(|_| ())
    };
    let scaled = || Body::scaled(mass(), ScaleSpring { stiffness: 1.0, damping: 0.0 }).named("cube");
    let message = with(scaled(), Shape::Box { size: [1.0; 3] }).unwrap_err().to_string();
    assert!(message.contains("`cube`") && message.contains("put spheres on its points"), "{message}");
    with(scaled(), Shape::Sphere { radius: 0.1 }).unwrap();
    let message = with(bead(), Shape::Box { size: [1.0; 3] }).unwrap_err().to_string();
    assert!(message.contains("`pearl`") && message.contains("a point has no orientation"), "{message}");
    with(bead(), Shape::Sphere { radius: 0.1 }).unwrap();
    with(Body::shaft(mass(), Vec3::Z), Shape::Box { size: [1.0; 3] }).unwrap();
}

#[test]
fn ways_of_stepping_that_a_kind_does_not_have_are_refused_by_name() {
    let model = || {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        parts.add_body(Body::scaled(mass(), ScaleSpring { stiffness: 1.0, damping: 0.0 }).named("cube"));
        parts.build().unwrap()
    };
    let with = |settings: Settings| Simulation::with_settings(model(), settings).map(|_| ()).unwrap_err();
    for (settings, what) in [
        (Settings { coordinates: Coordinates::Joints, ..Settings::default() }, "joint coordinates"),
        (Settings { integrator: Integrator::Rattle, ..Settings::default() }, "the integrator `rattle`"),
    ] {
        let error = with(settings);
        let named = matches!(&error, StepError::NotForKind { what: w, body, kind: "scaled" } if *w == what && body == "cube");
        assert!(named, "{error}");
    }
    // RATTLE needs a constant mass matrix; its energy error stays bounded.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let elastic = Elastic { young: 4e3, poisson: 0.2, damping: 0.0 };
    let block = Body::affine(SolidShape::Box { size: [0.4, 0.3, 0.2] }, 1.0, elastic);
    let block = parts.add_body(Body { omega: vec3(1.0, 2.0, 3.0), ..block });
    parts.add_joint(Joint::spherical(Ground, block, [0.2, 0.15, 0.1]));
    let settings = Settings { integrator: Integrator::Rattle, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
    sim.assemble().unwrap();
    let start = sim.energy().mechanical();
    let mut worst = 0.0_f64;
    for _ in 0..4000 {
        sim.step(1e-3).unwrap();
        worst = worst.max((sim.energy().mechanical() - start).abs());
    }
    println!("long: {worst:.1e} J of {start:.3}");
    // The energy of RATTLE oscillates by (ω h)²/24 of the elastic energy without a trend; momentum
    // is exact to its order.
    assert!(worst < 2e-2 && sim.balance().momentum_error < 1e-9, "{worst} {:?}", sim.balance());
}

/// A piece whose axes are not orthonormal, and coordinates that move no mass.
#[derive(Debug)]
struct Wrong(u32);
impl Parametric for Wrong {
    fn coordinates(&self) -> usize {
        1
    }
    fn pieces(&self) -> Vec<Piece> {
        match self.0 {
            0 => vec![Piece::rigid(mass())],
            1 => vec![Piece::point(1.0)],
            2 => vec![Piece::point(f64::NAN)],
            _ => Vec::new(),
        }
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        for out in out {
            *out = Pose::at([u[0] * 0.0; 3]);
            out.axes[0][0] = u[0].plus(3.0);
        }
    }
}

/// A point by formulas in `count` coordinates.
fn sum_of(count: usize) -> Body {
    use cardan::body::{FormulaPiece, Formulas};
    let names: Vec<String> = (0..count).map(|i| format!("u{i}")).collect();
    let (mass, zero) = (MassProperties::of_point(1.0), || "0".to_string());
    let piece = FormulaPiece { mass, place: [names.join(" + "), zero(), zero()], turn: None };
    Body::formulas(Formulas::new(&names, &[piece], None).expect("formulas"))
}

#[test]
fn invalid_forms_are_refused_when_the_model_is_built() {
    let build = |body: Body| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        parts.add_body(body.named("odd"));
        parts.build().map(|_| ()).unwrap_err().to_string()
    };
    let wrong = |kind: u32| build(Body::parametric(Wrong(kind)).starting(&[0.0], &[0.0]));
    let elastic = Elastic { young: -1.0, poisson: 0.2, damping: 0.0 };
    let cases = [
        (wrong(0), "not perpendicular"),
        (wrong(1), "moves no mass"),
        (wrong(2), "mass"),
        (wrong(3), "no pieces"),
        (build(Body::soft_block([1.0; 3], 1.0, elastic)), "Young's modulus"),
        (build(Body::soft_block([1.0, 0.0, 1.0], 1.0, Elastic { young: 1.0, ..elastic })), "volume"),
        (build(Body::scaled(mass(), ScaleSpring { stiffness: -1.0, damping: 0.0 })), "stiffness"),
        (build(Body::scaled(mass(), ScaleSpring::default()).starting(&[0.0], &[0.0])), "flattened"),
        (build(Body::scaled(mass(), ScaleSpring::default()).starting(&[1.0, 1.0], &[0.0])), "2 coordinates"),
        (build(Body::shaft(mass(), Vec3::ZERO)), "not a finite number"),
        (build(Body { omega: Vec3::X, ..Body::shaft(mass(), Vec3::Z) }), "angular velocity"),
        (build(Body { vel: Vec3::X, ..Body::shaft(mass(), Vec3::Z) }), "does not leave its place"),
        // The error once reported NaN coordinates.
        (build(sum_of(17)), "it has 17 coordinates; from 1 to 16 are possible"),
    ];
    for (message, part) in cases {
        assert!(message.contains("`odd`") && message.contains(part), "{message} should say {part}");
    }
}

/// Inertias of general bodies were once accepted unchecked, even unphysical ones.
#[test]
fn general_bodies_with_unphysical_inertias_are_refused() {
    let of = |x: f64, y: f64, z: f64| MassProperties { inertia: Sym3::diagonal(x, y, z), ..mass() };
    let build = |body: Body| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        parts.add_body(body.named("odd"));
        parts.build().map(|_| ()).map_err(|error| error.to_string())
    };
    let stretch = ScaleSpring { stiffness: 3.0, damping: 0.0 };
    let inside = cardan::body::InternalMass {
        mass: 1.0,
        origin: Vec3::ZERO,
        axis: Vec3::X,
        stiffness: 3.0,
        damping: 0.0,
        rest: 0.0,
    };
    let makes: [&dyn Fn(MassProperties) -> Body; 4] = [
        &|mass| Body::shaft(mass, Vec3::X),
        &|mass| Body::scaled(mass, stretch),
        &|mass| Body::scaled3(mass, stretch),
        &|mass| Body::with_internal_mass(mass, inside),
    ];
    for (k, make) in makes.into_iter().enumerate() {
        for (inertia, words) in [
            (of(1.0, 1.0, -1.0), "not positive definite"),
            (of(1.0, 1.0, 5.0), "no real body has this inertia"),
        ] {
            let error = build(make(inertia)).expect_err("nothing has this inertia");
            assert!(error.contains("`odd`") && error.contains(words), "{k}: {error}");
        }
        // A plate far from the origin of its frame is at the limit of the triangle rule.
        let far = MassProperties { center: Vec3::new(30.0, -20.0, 10.0), ..of(1.0, 1.0, 2.0) };
        assert!(k == 2 || build(make(far)).is_ok(), "{k}: {:?}", build(make(far)));
        // The check can be waived for rigid bodies, not for bodies that move by their moments.
        let excused = Body { allow_unphysical_inertia: true, ..make(of(1.0, 1.0, 5.0)) };
        assert_eq!(build(excused).is_ok(), k == 0 || k == 3, "{k}");
    }
}
