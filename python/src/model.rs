//! `cardan.load` and `Model`: a scene or robot file that was read, checked and built.

use crate::errors;
use cardan::joint_space::OrderedPart;
use cardan::{BodyId, ForceId, JointId, ProbeId, Settings};
use cardan_scene::{Document, ImportOptions, MeshUse, Scene, Source};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PySlice, PyString, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

use crate::user::UserPart;

/// The text of a scene, and what was set in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) sets: Vec<String>,
}

impl Origin {
    /// The document with everything set.
    pub(crate) fn document(&self) -> PyResult<Document> {
        let read = || {
            let mut document = Document::parse(self.name.clone(), self.text.clone())?;
            if let Some(folder) = &self.folder {
                document = document.in_folder(folder.clone());
            }
            document.include_robots(&ImportOptions::default())?;
            self.sets.iter().try_for_each(|set| document.set(set))?;
            Ok(document)
        };
        read().map_err(|error| errors::scene(&error))
    }
}

/// A mechanism: what exists. It never changes, and any number of simulations share it.
#[pyclass(frozen, module = "cardan")]
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) inner: Arc<cardan::Model>,
    pub(crate) scene: Scene,
    pub(crate) settings: Settings,
    pub(crate) origin: Origin,
    pub(crate) user: Vec<UserPart>,
}

/// A joint of the spanning tree, a floating body, or a joint that closes a loop.
#[pyclass(frozen, module = "cardan", get_all)]
#[derive(Debug)]
pub(crate) struct Joint {
    /// Its name; that of the body for a floating body.
    name: String,
    /// Its kind, such as `revolute`, or `floating`.
    kind: String,
    /// Whether it is in the joint order: loop-closing joints are not.
    in_tree: bool,
    /// The bodies that it connects; None is the ground.
    bodies: (Option<String>, Option<String>),
    /// Low and high of each coordinate.
    limits: Vec<(f64, f64)>,
    /// Whether a law prescribes each coordinate.
    driven: Vec<bool>,
    /// Units of the coordinates.
    units: Vec<String>,
    positions: (usize, usize),
    rates: (usize, usize),
}

#[pymethods]
impl Joint {
    /// Its slice in arrays of positions.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PySlice> {
        PySlice::new(py, self.positions.0 as isize, self.positions.1 as isize, 1)
    }
    /// Its slice in arrays of rates, accelerations and efforts.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PySlice> {
        PySlice::new(py, self.rates.0 as isize, self.rates.1 as isize, 1)
    }
    fn __repr__(&self) -> String {
        let ((q, r), (v, s)) = (self.positions, self.rates);
        format!("Joint({:?}, {:?}, q[{q}:{r}], v[{v}:{s}])", self.name, self.kind)
    }
}

impl Model {
    pub(crate) fn build(origin: Origin, user: Vec<UserPart>) -> PyResult<Self> {
        let document = origin.document()?;
        let scene = Scene::from_document(&document).map_err(|error| errors::scene(&error))?;
        let settings = scene.settings(&document).map_err(|error| errors::scene(&error))?;
        let model = if user.is_empty() {
            scene.to_model(&document).map_err(|error| errors::scene(&error))?
        } else {
            let mut parts = scene.to_parts(&document).map_err(|error| errors::scene(&error))?;
            let plain = scene.to_model(&document).map_err(|error| errors::scene(&error))?;
            user.iter().try_for_each(|part| part.add_to(&plain, &mut parts))?;
            parts.build().map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?
        };
        Ok(Model { inner: Arc::new(model), scene, settings, origin, user })
    }

    /// The settings with changes of `[simulation]`, such as `integrator = "rk4"`, and the step.
    pub(crate) fn settings_with(&self, changes: &[String]) -> PyResult<(Settings, f64)> {
        if changes.is_empty() {
            return Ok((self.settings, self.scene.simulation.dt()));
        }
        let mut origin = self.origin.clone();
        origin.sets.extend(changes.iter().cloned());
        let document = origin.document()?;
        let scene = Scene::from_document(&document).map_err(|error| errors::scene(&error))?;
        let settings = scene.settings(&document).map_err(|error| errors::scene(&error))?;
        Ok((settings, scene.simulation.dt()))
    }

    pub(crate) fn joint_id(&self, name: &str) -> PyResult<JointId> {
        let all = self.inner.joints().iter().map(|joint| joint.name.as_str());
        self.inner.find_joint(name).ok_or_else(|| errors::unknown("joint", name, all))
    }
    pub(crate) fn body_id(&self, name: &str) -> PyResult<BodyId> {
        let all = self.inner.bodies().iter().map(|body| body.name.as_str());
        self.inner.find_body(name).ok_or_else(|| errors::unknown("body", name, all))
    }
    pub(crate) fn probe_id(&self, name: &str) -> PyResult<ProbeId> {
        let all = self.inner.probes().iter().map(|probe| probe.name.as_str());
        self.inner.find_probe(name).ok_or_else(|| errors::unknown("probe", name, all))
    }

    fn joint_named(&self, id: JointId) -> Option<Joint> {
        let (model, joint) = (&self.inner, self.inner.joint(id)?);
        let body = |id: Option<BodyId>| id.and_then(|id| model.body(id)).map(|body| body.name.clone());
        let entry = model.joint_order().joint(id);
        let count = entry.map_or(joint.kind.coordinates(), |entry| entry.rates.len());
        let unit = |k: usize| if joint.kind.is_angle(k) { "rad" } else { "m" };
        Some(Joint {
            name: joint.name.clone(),
            kind: joint.kind.name().to_string(),
            in_tree: entry.is_some(),
            bodies: (body(joint.body_a()), body(joint.body_b())),
            limits: (0..count).map(|k| model.joint_limits(id, k)).collect(),
            driven: (0..count).map(|k| joint.is_driven(k)).collect(),
            units: (0..count).map(|k| unit(k).to_string()).collect(),
            positions: entry.map_or((0, 0), |entry| (entry.positions.start, entry.positions.end)),
            rates: entry.map_or((0, 0), |entry| (entry.rates.start, entry.rates.end)),
        })
    }
}

/// A value of Python as TOML.
pub(crate) fn toml_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(toml_string(text.to_str()?));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(if truth.is_true() { "true".into() } else { "false".into() });
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return Ok(number.to_string());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return number_text(number.extract()?);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let texts = value.try_iter()?.map(|item| toml_text(&item?)).collect::<PyResult<Vec<_>>>()?;
        return Ok(format!("[{}]", texts.join(", ")));
    }
    // Numbers, truth values and arrays of numpy as Python's own.
    if value.hasattr("dtype")? && value.hasattr("tolist")? {
        let own = value.call_method0("tolist")?;
        if !own.get_type().is(value.get_type()) {
            return toml_text(&own);
        }
    }
    // Other kinds of numbers, of which some are integers.
    for method in ["__index__", "__float__"] {
        if value.hasattr(method)? {
            return toml_text(&value.call_method0(method)?);
        }
    }
    let kind = value.get_type().name()?;
    let text = format!("a value of a scene is a number, a text, a truth value or a list, not {kind}");
    Err(PyTypeError::new_err(text))
}

/// A text as TOML, whose escapes are not those of Rust.
pub(crate) fn toml_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number as TOML: NaN and infinity are `nan` and `inf` there.
fn number_text(x: f64) -> PyResult<String> {
    Ok(format!("{x:?}").replace("NaN", "nan"))
}

/// `{"bodies.bob.mass": 2.0}` as texts of `--set`.
pub(crate) fn overrides(values: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    let text = |(path, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok(format!("{}={}", path.extract::<String>()?, toml_text(&value)?))
    };
    values.iter().map(text).collect()
}

#[pymethods]
impl Model {
    /// The model with other values in its scene, by path.
    ///
    /// >>> import cardan
    /// >>> heavy = cardan.load("four-bar").set({"bodies.coupler.mass": 5.0})
    /// >>> round(heavy.mass - cardan.load("four-bar").mass, 9)
    /// 2.8
    fn set(&self, values: &Bound<'_, PyDict>) -> PyResult<Model> {
        let mut origin = self.origin.clone();
        origin.sets.extend(overrides(values)?);
        Model::build(origin, self.user.clone())
    }

    /// The model with a constraint that is a function of Python: `function(t, p, R)` returns C [m × rows]
    /// for m samples of times t [m], points p [m × n × 3] and orientations R [m × n × 3 × 3] of the n
    /// points; the mechanism keeps C = 0. `points` are pairs of a body's name (None is the ground) and a
    /// point in its frame. It is called once per evaluation (four times per step with rk4), at some ten
    /// microseconds each.
    #[pyo3(signature = (function, points, rows=1, name=None))]
    fn with_constraint(
        &self,
        function: Py<PyAny>,
        points: Vec<(Option<String>, [f64; 3])>,
        rows: usize,
        name: Option<String>,
    ) -> PyResult<Model> {
        let name = name.unwrap_or_else(|| format!("constraint-{}", self.user.len() + 1));
        let mut user = self.user.clone();
        user.push(UserPart::new(name, function, points, rows)?);
        Model::build(self.origin.clone(), user)
    }

    /// Name of the file or bundled scene.
    #[getter]
    fn name(&self) -> &str {
        &self.origin.name
    }
    /// Title of the scene, or its name.
    #[getter]
    fn title(&self) -> &str {
        self.scene.title.as_deref().unwrap_or(&self.origin.name)
    }
    /// The scene as TOML or JSON; a robot file as the scene that it became.
    #[getter]
    fn text(&self) -> &str {
        &self.origin.text
    }
    /// Length of arrays of positions.
    #[getter]
    fn nq(&self) -> usize {
        self.inner.joint_order().position_count()
    }
    /// Length of arrays of rates, accelerations and efforts.
    #[getter]
    fn nv(&self) -> usize {
        self.inner.joint_order().rate_count()
    }
    /// Number of servos: length of arrays of targets.
    #[getter]
    fn nu(&self) -> usize {
        self.inner.joint_order().servos().len()
    }
    /// Names of the servos' joints and the coordinate of each, in the order of arrays of targets.
    #[getter]
    fn servos(&self) -> Vec<(String, usize)> {
        let name = |joint: JointId| self.inner.joint(joint).map_or(String::new(), |joint| joint.name.clone());
        self.inner.joint_order().servos().iter().map(|s| (name(s.joint), s.coordinate)).collect()
    }
    /// Joints by name: floating bodies and joints of the tree in joint order, then those that close loops.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, model) = (PyDict::new(py), &self.inner);
        for entry in model.joint_order().entries() {
            let joint = match entry.part {
                OrderedPart::Joint(id) => self.joint_named(id),
                OrderedPart::Floating(id) => model.body(id).map(|body| Joint {
                    name: body.name.clone(),
                    kind: "floating".into(),
                    in_tree: true,
                    bodies: (None, Some(body.name.clone())),
                    limits: vec![(f64::NEG_INFINITY, f64::INFINITY); entry.rates.len()],
                    driven: vec![false; entry.rates.len()],
                    units: (0..entry.rates.len()).map(|k| if k < 3 { "m" } else { "rad" }.into()).collect(),
                    positions: (entry.positions.start, entry.positions.end),
                    rates: (entry.rates.start, entry.rates.end),
                }),
            };
            if let Some(joint) = joint {
                // A floating body that is called as a joint gives way to it.
                let is_body = matches!(entry.part, OrderedPart::Floating(_));
                let name = joint.name.clone();
                let name = match is_body && model.find_joint(&name).is_some() {
                    true => format!("bodies.{name}"),
                    false => name,
                };
                all.set_item(name, joint.into_pyobject(py)?)?;
            }
        }
        for id in model.joint_ids().filter(|id| model.joint_order().joint(*id).is_none()) {
            if let Some(joint) = self.joint_named(id) {
                all.set_item(joint.name.clone(), joint.into_pyobject(py)?)?;
            }
        }
        Ok(all)
    }
    /// Names of the bodies, in the order of arrays of poses.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.inner.bodies().iter().map(|body| body.name.as_str()).collect()
    }
    /// Masses of the bodies [kg].
    #[getter]
    fn masses(&self) -> Vec<f64> {
        self.inner.bodies().iter().map(|body| body.mass.mass).collect()
    }
    /// The whole mass [kg].
    #[getter]
    fn mass(&self) -> f64 {
        self.inner.bodies().iter().map(|body| body.mass.mass).sum()
    }
    /// Names of the probes.
    #[getter]
    fn probes(&self) -> Vec<&str> {
        self.inner.probes().iter().map(|probe| probe.name.as_str()).collect()
    }
    /// Names of the forces.
    #[getter]
    fn forces(&self) -> Vec<String> {
        let of = |id: ForceId| self.inner.force(id).map_or(String::new(), |force| force.name.clone());
        self.inner.force_ids().map(of).collect()
    }
    /// Acceleration of free fall [m/s²].
    #[getter]
    fn gravity(&self) -> [f64; 3] {
        self.inner.gravity().to_array()
    }
    /// The step of the scene [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.scene.simulation.dt()
    }
    /// The end of the scene's run [s].
    #[getter]
    fn until(&self) -> f64 {
        self.scene.simulation.until()
    }
    /// Names and units of all columns that a run can record.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for column in cardan_scene::Columns::of(&self.inner).all() {
            all.set_item(&column.name, column.unit)?;
        }
        Ok(all)
    }
    /// Freedoms, rows and parts of the mechanism.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let model = &self.inner;
        all.set_item("bodies", model.bodies().len())?;
        all.set_item("joints", model.joints().len())?;
        all.set_item("constraints", model.constraints().len())?;
        all.set_item("forces", model.forces().len())?;
        Ok(all)
    }

    fn __repr__(&self) -> String {
        let model = &self.inner;
        format!(
            "Model({:?}: {} bodies, {} joints, nq = {}, nv = {})",
            self.title(),
            model.bodies().len(),
            model.joints().len(),
            self.nq(),
            self.nv()
        )
    }
    /// Text, folder and changes: what `pickle` keeps. Parts that are functions of Python are refused.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, Option<String>, Vec<String>))> {
        if !self.user.is_empty() {
            let text =
                "a model with forces or constraints written in Python cannot be pickled: build it again";
            return Err(PyTypeError::new_err(text));
        }
        let Origin { name, text, folder, sets } = self.origin.clone();
        let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
        Ok((py.import("cardan._cardan")?.getattr("load_text")?, (name, text, folder, sets)))
    }
    /// A model never changes, so that a copy is itself.
    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }
    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }
}

/// A model that was read; a script in its scene is told of, since nothing here follows it.
fn read(py: Python<'_>, origin: Origin) -> PyResult<Model> {
    let model = Model::build(origin, Vec::new())?;
    if !model.scene.script().is_empty() {
        let text =
            format!("{}: the scene has a [[script]], which the package does not follow", model.origin.name);
        let text = std::ffi::CString::new(text.replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<pyo3::exceptions::PyUserWarning>(), &text, 2)?;
    }
    Ok(model)
}

/// How a robot file is read, from the keyword arguments of `cardan.load`.
fn import_options(robot: Option<&Bound<'_, PyDict>>) -> PyResult<ImportOptions> {
    let mut options = ImportOptions::default();
    for (name, value) in robot.into_iter().flatten() {
        let name = name.extract::<String>()?;
        match name.as_str() {
            "floating" => options.floating = value.extract()?,
            "floor" => options.floor = value.extract()?,
            "keyframe" => options.keyframe = value.extract()?,
            "self_collision" => options.self_collision = value.extract()?,
            "allow_outside" => options.allow_outside = value.extract()?,
            "allow_unphysical_inertia" => options.allow_unphysical_inertia = value.extract()?,
            "packages" => {
                for (name, folder) in value.cast::<PyDict>()? {
                    options.packages.push((name.extract()?, folder.extract()?));
                }
            }
            "meshes" => {
                let word = value.extract::<String>()?;
                options.meshes = match word.as_str() {
                    "hull" => MeshUse::Hull,
                    "exact" => MeshUse::Exact,
                    "leave" => MeshUse::Leave,
                    _ => {
                        let text = format!("meshes is `hull`, `exact` or `leave`, not `{word}`");
                        return Err(PyValueError::new_err(text));
                    }
                };
            }
            _ => return Err(PyTypeError::new_err(format!("robot files have no option `{name}`"))),
        }
    }
    if options.floor.is_some_and(|height| !height.is_finite()) {
        return Err(PyValueError::new_err("floor is a finite height in m"));
    }
    Ok(options)
}

/// A scene has what options of robot files say in its own tables.
fn refuse_options(origin: &Origin, robot: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    match robot.and_then(|robot| robot.iter().next()) {
        None => Ok(()),
        Some((name, _)) => Err(PyTypeError::new_err(format!(
            "`{name}` is an option of robot files, and {} is a scene: its [robots.NAME] says how they are placed",
            origin.name
        ))),
    }
}

/// Reads a file (`.toml`, `.json`, `.urdf`, MJCF `.xml`, `.sdf`) or a bundled scene by its name; `robot` has
/// options of robot files.
#[pyfunction]
#[pyo3(signature = (source, robot=None))]
pub(crate) fn load(py: Python<'_>, source: &str, robot: Option<&Bound<'_, PyDict>>) -> PyResult<Model> {
    let resolved = Source::resolve(source);
    let folder = match &resolved {
        Source::Path(path) => {
            path.parent().map(|parent| std::path::absolute(parent).unwrap_or(parent.into()))
        }
        _ => None,
    };
    let document = resolved.read_with(&import_options(robot)?).map_err(|error| errors::scene(&error))?;
    let (name, text) = (document.name().to_string(), document.text().to_string());
    let origin = Origin { name, text, folder, sets: Vec::new() };
    if document.import_report().is_none() {
        refuse_options(&origin, robot)?;
    }
    read(py, origin)
}

/// Reads a scene or a robot file that is a text, with changes as `path=value`.
#[pyfunction]
#[pyo3(signature = (name, text, folder=None, sets=Vec::new(), robot=None))]
pub(crate) fn load_text(
    py: Python<'_>,
    name: String,
    text: String,
    folder: Option<String>,
    sets: Vec<String>,
    robot: Option<&Bound<'_, PyDict>>,
) -> PyResult<Model> {
    let folder = folder.map(PathBuf::from);
    let mut origin = Origin { name, text, folder, sets };
    if origin.text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        let place = origin.folder.clone().unwrap_or_default();
        let imported =
            cardan_scene::import_robot(&origin.name, &origin.text, &place, &import_options(robot)?);
        origin.text = imported.map_err(|error| errors::scene(&error))?.toml;
    } else {
        refuse_options(&origin, robot)?;
    }
    read(py, origin)
}

/// A value as TOML, as scenes have it.
#[pyfunction]
pub(crate) fn toml_value(value: &Bound<'_, PyAny>) -> PyResult<String> {
    toml_text(value)
}

/// Names and descriptions of the scenes that come with the package.
#[pyfunction]
pub(crate) fn bundled() -> Vec<&'static str> {
    let scenes = cardan_scene::bundled().iter().chain(cardan_scene::bundled_robots());
    scenes.map(|scene| scene.name).collect()
}
