//! Large and hostile robot files take time in proportion to their size.

use cardan_scene::{ErrorKind, ImportOptions, import_robot};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// A file of a size, by its name.
type Family = (&'static str, fn(usize) -> String);

fn repeated(n: usize, each: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut all, i| {
        let _ = write!(all, "{}", each(i));
        all
    })
}

const BODY: &str = "<body name=\"b\"><joint name=\"j\"/><geom size=\"0.1\"/><site name=\"s\"/></body>";

/// Each was quadratic, in what its name says.
const FAMILIES: [Family; 9] = [
    ("defaults.xml", |n| {
        let defaults = "<geom friction=\"1\"/><motor gear=\"1\"/>".repeat(n);
        let geoms = "<geom size=\"0.1\"/>".repeat(n);
        let motors = "<motor joint=\"j\" ctrlrange=\"-1 1\"/>".repeat(n);
        format!(
            "<mujoco><default>{defaults}</default><worldbody><body><joint name=\"j\"/>{geoms}</body></worldbody>\
             <actuator>{motors}</actuator></mujoco>"
        )
    }),
    ("comments.xml", |n| {
        let comments = "<!-- -->".repeat(20 * n);
        format!(
            "<mujoco><worldbody>{BODY}<replicate count=\"{n}\">{comments}</replicate></worldbody></mujoco>"
        )
    }),
    ("equalities.xml", |n| {
        let all = "<joint name=\"e\" joint1=\"j\"/>".repeat(n);
        format!("<mujoco><worldbody>{BODY}</worldbody><equality>{all}</equality></mujoco>")
    }),
    ("tendons.xml", |n| {
        let tendons = repeated(n, |i| {
            format!("<fixed name=\"long name of a tendon {i}\"><joint joint=\"j\" coef=\"1\"/></fixed>")
        });
        let all = repeated(n, |i| format!("<tendon tendon1=\"long name of a tendon {i}\"/>"));
        format!(
            "<mujoco><worldbody>{BODY}</worldbody><tendon>{tendons}</tendon><equality>{all}</equality></mujoco>"
        )
    }),
    ("contacts.xml", |n| {
        let bodies = repeated(n, |i| {
            format!("<body name=\"b{i}\"><freejoint/><geom name=\"g{i}\" size=\"0.1\" contype=\"0\"/></body>")
        });
        let pairs = repeated(n, |i| format!("<pair geom1=\"g{i}\" geom2=\"g{}\"/>", (i * 7 + 1) % n));
        format!("<mujoco><worldbody>{bodies}</worldbody><contact>{pairs}</contact></mujoco>")
    }),
    ("masks.xml", |n| {
        let geoms = repeated(n, |i| format!("<geom size=\"0.1\" contype=\"{}\" conaffinity=\"0\"/>", 2 * i));
        let body = |name: &str| format!("<body name=\"{name}\"><freejoint/>{geoms}</body>");
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", body("a"), body("b"))
    }),
    ("springs.xml", |n| {
        let held = "<body><geom size=\"0.1\"/></body>".repeat(n);
        let chain = "<body><joint springdamper=\"0.1 1\"/><geom size=\"0.1\"/>".repeat(60);
        let ends = "</body>".repeat(60);
        format!("<mujoco><worldbody>{chain}{held}{ends}</worldbody></mujoco>")
    }),
    ("frames.sdf", |n| {
        let frames = repeated(n, |i| match i {
            0 => "<frame name=\"f0\" attached_to=\"a\"/>".to_string(),
            _ => format!("<frame name=\"f{i}\" attached_to=\"f{}\"/>", i - 1),
        });
        let joints = repeated(n / 4, |i| {
            format!(
                "<link name=\"l{i}\"/><joint name=\"j{i}\" type=\"revolute\"><parent>f{}</parent><child>l{i}</child></joint>",
                n - 1
            )
        });
        format!("<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/>{frames}{joints}</model></sdf>")
    }),
    ("mimics.urdf", |n| {
        let inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
        let links = repeated(n, |i| {
            format!(
                "<link name=\"l{i}\">{inertial}</link><joint name=\"j{i}\" type=\"continuous\"><parent link=\"base\"/><child link=\"l{i}\"/>{}</joint>",
                if i > 0 { "<mimic joint=\"j0\"/>" } else { "" }
            )
        });
        format!("<robot name=\"r\"><link name=\"base\"/>{links}</robot>")
    }),
];

fn time(name: &str, text: &str) -> Duration {
    let begin = Instant::now();
    let read = import_robot(name, text, Path::new(""), &ImportOptions::default());
    let spent = begin.elapsed();
    read.unwrap_or_else(|e| panic!("{name}: {}", e.message()));
    spent
}

/// Four times the size takes about four times the time, where a quadratic reader takes 16. The least of several times
/// counts, so that another program cannot make it fail.
#[test]
fn time_grows_with_the_size_of_a_file() {
    for (name, text) in FAMILIES {
        let [small, large] = [1500, 6000].map(text);
        let mut least = [Duration::MAX; 2];
        let mut ratio = f64::INFINITY;
        for _ in 0..8 {
            for (least, text) in least.iter_mut().zip([&small, &large]) {
                *least = (*least).min(time(name, text));
            }
            ratio = least[1].as_secs_f64() / least[0].as_secs_f64();
            if ratio < 8.0 {
                break;
            }
        }
        assert!(ratio < 8.0, "{name}: {ratio:.1} times the time for 4 times the size ({least:?})");
    }
}

/// The XML reader compares each attribute of an element with all before it, and copies name spaces.
#[test]
fn elements_with_thousands_of_attributes_are_refused() {
    let many = |word: &str| repeated(5000, |i| format!(" {word}{i}=\"1\""));
    for text in [format!("<robot{}/>", many("a")), format!("<robot{}/>", many("xmlns:a"))] {
        let error =
            import_robot("r.urdf", &text, Path::new(""), &ImportOptions::default()).expect_err("a bomb");
        assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
    }
    let nested = format!("{}{}", repeated(400, |i| format!("<a xmlns:p{i}=\"u{i}\">")), "</a>".repeat(400));
    let error =
        import_robot("r.urdf", &nested, Path::new(""), &ImportOptions::default()).expect_err("a bomb");
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
    // Signs of equality and quotes in texts, comments and values are no attributes.
    let signs = "a = 'b' ".repeat(300);
    let text =
        format!("<robot name=\"{}\"><!-- <{signs}> -->{signs}<![CDATA[<{signs}]]></robot>", "=".repeat(300));
    let error = import_robot("r.urdf", &text, Path::new(""), &ImportOptions::default()).expect_err("no link");
    assert_eq!(error.kind(), ErrorKind::Empty, "{error}");
}
