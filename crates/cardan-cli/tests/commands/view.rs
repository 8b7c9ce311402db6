//! The server of `cardan view`, from outside: it answers the user's own page, and nobody and nothing else.

use crate::support::command;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server; it ends with the test.
struct Window {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Window {
    fn on(scene: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cardan"))
            .args(["view", scene, "--no-open"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let (port, token) = Window::of(&mut child).expect("an address on this machine");
        Window { child, port, token }
    }

    /// Port and path that a command prints.
    fn of(child: &mut Child) -> Option<(u16, String)> {
        let mut line = String::new();
        BufReader::new(child.stdout.take()?).read_line(&mut line).ok()?;
        let (port, path) = line.trim().strip_prefix("http://127.0.0.1:")?.split_once('/')?;
        Some((port.parse().ok()?, path.trim_end_matches('/').to_string()))
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// Code, head and body of an answer.
    fn ask(&self, head: &str) -> (u16, String, Vec<u8>) {
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).expect("a request");
        answer(&mut stream)
    }

    fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        self.ask(&format!("GET /{}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.token, self.port))
    }

    /// News with these headers besides: gives the next line that starts so.
    fn events(&self, headers: &str) -> impl FnMut(&str) -> String + use<> {
        let mut stream = self.connect();
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        let request = format!("GET /{}/events HTTP/1.1\r\n{host}{headers}\r\n", self.token);
        stream.write_all(request.as_bytes()).expect("a request");
        let mut lines = BufReader::new(stream).lines();
        let asked = Instant::now();
        move |start: &str| loop {
            let line = lines.next().expect("a line").expect("text");
            assert!(asked.elapsed() < Duration::from_secs(60), "no line that starts with {start}");
            if line.starts_with(start) {
                return line;
            }
        }
    }
}

fn answer(stream: &mut TcpStream) -> (u16, String, Vec<u8>) {
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let at = all.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or_else(|| panic!("no answer: {all:?}"));
    let head = String::from_utf8(all[..at].to_vec()).expect("text");
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a code");
    (code, head, all[at + 4..].to_vec())
}

/// A folder with a scene and a mesh, and a secret beside the folder.
fn folder(name: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("cardan-view-{name}-{}", std::process::id()));
    let folder = root.join("scene");
    std::fs::create_dir_all(folder.join("meshes")).expect("a folder");
    std::fs::write(root.join("secret.toml"), "secret").expect("a file");
    std::fs::write(folder.join("secret.txt"), "secret").expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a scene");
    std::fs::write(folder.join("meshes/part.obj"), OBJ).expect("a mesh");
    folder
}

const SCENE: &str =
    "title = \"T\"\n[bodies.b]\nmass = 1.0\nshape = { kind = \"mesh\", file = \"meshes/part.obj\" }\n";
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#[test]
fn a_window_answers_its_own_page_only() {
    let folder = folder("own");
    let scene = folder.join("scene.toml");
    let window = Window::on(scene.to_str().expect("a path"));
    let (port, token) = (window.port, window.token.clone());
    assert!(token.len() >= 20, "{token}");
    // On the loopback only: neither another address of this machine nor the rest of 127.0.0.0/8 answers.
    let away = std::net::UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    let others = away.ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback());
    let other_loopback = cfg!(target_os = "linux").then(|| std::net::Ipv4Addr::new(127, 0, 0, 2).into());
    for ip in others.into_iter().chain(other_loopback) {
        let reached = TcpStream::connect_timeout(&(ip, port).into(), Duration::from_secs(5));
        assert!(reached.is_err(), "{ip} answers");
    }
    let (code, head, body) = window.get("");
    assert_eq!(code, 200);
    assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
    assert!(!head.contains("Access-Control"), "{head}");
    assert!(String::from_utf8_lossy(&body).contains("cardan"));
    assert_eq!(window.get("files/meshes/part.obj"), (200, window.get("files/meshes/part.obj").1, OBJ.into()));
    let own = format!(
        "Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\nSec-Fetch-Site: same-origin\r\n"
    );
    assert_eq!(window.ask(&format!("GET /{token}/ HTTP/1.1\r\n{own}\r\n")).0, 200);
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    for (request, wanted) in [
        // Another origin, a wrong host, a page elsewhere.
        (format!("GET /{token}/ HTTP/1.1\r\n{host}Origin: http://evil.example\r\n\r\n"), 403),
        (format!("GET /{token}/ HTTP/1.1\r\n{host}Origin: null\r\n\r\n"), 403),
        (format!("GET /{token}/ HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"), 403),
        (format!("GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 403),
        (format!("GET /{token}/ HTTP/1.1\r\n\r\n"), 403),
        (format!("GET /{token}/ HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n\r\n"), 403),
        // Without the path that nobody can guess.
        (format!("GET / HTTP/1.1\r\n{host}\r\n"), 404),
        (format!("GET /x/files/meshes/part.obj HTTP/1.1\r\n{host}\r\n"), 404),
        // Out of the folder, and what is no file of a scene.
        (format!("GET /{token}/files/../secret.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/%2e%2e/secret.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/meshes/..%2f..%2f..%2fsecret.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files//etc/passwd.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/..%5csecret.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/secret.txt HTTP/1.1\r\n{host}\r\n"), 415),
        (format!("GET /{token}/files/../secret.txt HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/.hidden.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/.cargo/config.toml HTTP/1.1\r\n{host}\r\n"), 403),
        (format!("GET /{token}/files/none.obj HTTP/1.1\r\n{host}\r\n"), 404),
        // Nothing is written.
        (format!("POST /{token}/ HTTP/1.1\r\n{host}\r\n"), 405),
        (format!("PUT /{token}/files/meshes/part.obj HTTP/1.1\r\n{host}Content-Length: 1\r\n\r\nx"), 413),
        ("nonsense\r\n\r\n".to_string(), 400),
    ] {
        let (code, _, body) = window.ask(&request);
        assert_eq!(code, wanted, "{request}");
        assert!(!String::from_utf8_lossy(&body).contains("secret"), "{request}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("../secret.toml"), folder.join("link.toml")).expect("a link");
        assert_eq!(window.get("files/link.toml").0, 403);
    }
    let _ = std::fs::remove_dir_all(folder.parent().expect("a folder"));
}

#[test]
fn a_flood_and_slow_clients_do_not_stop_a_window() {
    let window = Window::on("four-bar");
    // A head without an end.
    let mut long = window.connect();
    let _ = long.write_all(format!("GET /{}/ HTTP/1.1\r\nX: ", window.token).as_bytes());
    let _ = long.write_all(&vec![b'x'; 64 << 10]);
    assert_eq!(answer(&mut long).0, 431);
    // Connections that say nothing, and one that speaks a letter a second, hold places for five seconds at most.
    let started = Instant::now();
    let mut silent: Vec<TcpStream> = (0..200).map(|_| window.connect()).collect();
    let mut slow = window.connect();
    let _ = slow.write_all(b"GET ");
    let mut answered = false;
    // A server that is stuck never answers; a busy machine may take a while.
    while started.elapsed() < Duration::from_secs(90) && !answered {
        std::thread::sleep(Duration::from_millis(300));
        let _ = slow.write_all(b"x");
        let host = format!("Host: 127.0.0.1:{}", window.port);
        let mut stream = window.connect();
        let _ = stream.write_all(format!("GET /{}/ HTTP/1.1\r\n{host}\r\n\r\n", window.token).as_bytes());
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        answered = all.starts_with(b"HTTP/1.1 200");
    }
    assert!(answered, "no answer among 201 idle connections");
    silent.clear();
    assert_eq!(window.get("").0, 200);
}

#[test]
fn a_saved_file_is_news() {
    let folder = folder("news");
    let scene = folder.join("scene.toml");
    let window = Window::on(scene.to_str().expect("a path"));
    let mut next = window.events("");
    next(": news");
    std::fs::write(&scene, SCENE.replace("mass = 1.0", "mass = 2.5")).expect("a scene");
    let data = next("data: ");
    let json: serde_json::Value = serde_json::from_str(&data["data: ".len()..]).expect("JSON");
    assert_eq!(json["name"], "scene.toml");
    assert!(json["text"].as_str().is_some_and(|text| text.contains("mass = 2.5")));
    assert_eq!(json["changed"], serde_json::json!([]));
    // A mesh that the page has asked for is news too, by its name; one that it has not is none.
    assert_eq!(window.get("files/meshes/part.obj").0, 200);
    std::thread::sleep(Duration::from_millis(300));
    std::fs::write(folder.join("meshes/part.obj"), OBJ.replace("v 1 0 0", "v 2 0 0")).expect("a mesh");
    let json: serde_json::Value = serde_json::from_str(&next("data: ")["data: ".len()..]).expect("JSON");
    assert_eq!(json["changed"], serde_json::json!(["meshes/part.obj"]));
    // A file that cannot be read any more is told, and its return.
    std::fs::remove_file(&scene).expect("gone");
    let json: serde_json::Value = serde_json::from_str(&next("data: ")["data: ".len()..]).expect("JSON");
    assert!(json["error"].as_str().is_some_and(|text| text.contains("scene.toml")), "{json}");
    // A mesh that is saved meanwhile is not forgotten.
    std::fs::write(folder.join("meshes/part.obj"), OBJ).expect("a mesh");
    std::thread::sleep(Duration::from_millis(300));
    std::fs::write(&scene, SCENE).expect("a scene");
    let json: serde_json::Value = serde_json::from_str(&next("data: ")["data: ".len()..]).expect("JSON");
    assert_eq!(json["text"], SCENE);
    assert_eq!(json["changed"], serde_json::json!(["meshes/part.obj"]));
    let _ = std::fs::remove_dir_all(folder.parent().expect("a folder"));
}

/// A mesh that is saved while no news reach a page is told when it asks for them.
#[test]
fn a_mesh_that_was_saved_meanwhile_is_news() {
    let folder = folder("meanwhile");
    let (scene, mesh) = (folder.join("scene.toml"), folder.join("meshes/part.obj"));
    let window = Window::on(scene.to_str().expect("a path"));
    let changed = |line: String| {
        let json: serde_json::Value = serde_json::from_str(&line["data: ".len()..]).expect("JSON");
        json["changed"].clone()
    };
    // After the page was given it and before the page asks for news.
    assert_eq!(window.get("").0, 200);
    assert_eq!(window.get("files/meshes/part.obj").0, 200);
    std::fs::write(&mesh, OBJ.replace("v 1 0 0", "v 2.0 0 0")).expect("a mesh");
    let mut next = window.events("");
    let id = next("id: ");
    assert_eq!(changed(next("data: ")), serde_json::json!(["meshes/part.obj"]));
    drop(next);
    // While the page was away.
    std::fs::write(&mesh, OBJ.replace("v 1 0 0", "v 3.00 0 0")).expect("a mesh");
    let last = format!("Last-Event-ID: {}\r\n", &id["id: ".len()..]);
    let mut next = window.events(&last);
    let id = next("id: ");
    assert_eq!(changed(next("data: ")), serde_json::json!(["meshes/part.obj"]));
    drop(next);
    // A page that has everything is told its name alone.
    let mut next = window.events(&format!("Last-Event-ID: {}\r\n", &id["id: ".len()..]));
    assert_eq!((next("id: "), next("")), (id, String::new()));
    let _ = std::fs::remove_dir_all(folder.parent().expect("a folder"));
}

/// A scene names files from its own folder, in a package of robots too.
#[test]
fn a_scene_in_a_package_names_files_from_its_own_folder() {
    let folder = folder("package");
    let root = folder.parent().expect("a folder");
    std::fs::write(root.join("package.xml"), "<package><name>p</name></package>").expect("a package");
    std::fs::write(root.join("part.obj"), OBJ).expect("a mesh");
    let scene = folder.join("scene.toml");
    std::fs::write(&scene, SCENE.replace("meshes/", "./meshes/")).expect("a scene");
    let window = Window::on(scene.to_str().expect("a path"));
    assert_eq!(window.get("files/meshes/part.obj").0, 200);
    assert_eq!(window.get("files/part.obj").0, 404, "a file of the package");
    assert_eq!(window.get("files/scene/meshes/part.obj").0, 404);
    // In one file too.
    let page = root.join("page.html");
    let (scene_path, page_path) = (scene.to_str().expect("a path"), page.to_str().expect("a path"));
    let out = command(&["view", scene_path, "-o", page_path], b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.contains("\"files\":{\"meshes/part.obj\":\""), "the mesh is in the page");
    // A file that is there but is not given is not called missing.
    std::fs::write(&scene, SCENE.replace("meshes/", "../")).expect("a scene");
    let out = command(&["view", scene_path, "-o", page_path], b"");
    assert!(out.code != 0 && out.stderr.contains("`../part.obj` is not put into a page"), "{}", out.stderr);
    let _ = std::fs::remove_dir_all(root);
}

/// What other users see of the program that opens the browser leads to the page once.
#[cfg(unix)]
#[test]
fn the_address_on_a_command_line_is_good_once() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("open");
    let (program, seen) = (folder.join("xdg-open"), folder.join("seen"));
    std::fs::write(&program, format!("#!/bin/sh\necho \"$1\" > '{}'\n", seen.display())).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it runs");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardan"))
        .args(["view", "four-bar"])
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stderr = child.stderr.take().expect("its messages");
    let window =
        Window::of(&mut child).map(|(port, token)| Window { child, port, token }).expect("an address");
    let started = Instant::now();
    let address = loop {
        match std::fs::read_to_string(&seen) {
            Ok(text) if text.ends_with('\n') => break text.trim().to_string(),
            _ if started.elapsed() > Duration::from_secs(60) => panic!("no browser was opened"),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert!(!address.contains(&window.token), "the path of the page is on a command line: {address}");
    let key = address.rsplit('/').next().expect("a key").to_string();
    let head = format!("GET /{key} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", window.port);
    // Somebody else's page cannot use it.
    assert_eq!(window.ask(&format!("{head}Origin: http://evil.example\r\n\r\n")).0, 403);
    // A program that only looks does not use it up, and does not learn where the page is.
    let (code, answer, _) = window.ask(&format!("{head}\r\n").replacen("GET", "HEAD", 1));
    assert!(code == 405 && !answer.contains(&window.token), "{answer}");
    let (code, answer, _) = window.ask(&format!("{head}\r\n"));
    assert_eq!(code, 303);
    assert!(answer.contains(&format!("Location: /{}/", window.token)), "{answer}");
    assert_eq!(window.ask(&format!("{head}\r\n")).0, 404, "good once");
    assert_eq!(window.ask(&format!("{head}\r\n")).0, 404, "good once");
    assert_eq!(window.get("").0, 200);
    drop(window);
    // Its owner learns that somebody came second, once.
    let mut text = String::new();
    stderr.read_to_string(&mut text).expect("text");
    assert_eq!(text.matches("was used a second time").count(), 1, "{text}");
    let _ = std::fs::remove_dir_all(folder.parent().expect("a folder"));
}

#[test]
fn a_window_that_cannot_open_says_why() {
    for (args, wanted) in [
        (&["view", "no-such-scene", "--no-open"][..], "no bundled scene has this name"),
        (&["view", "none.toml", "--no-open"][..], "cannot read the scene"),
        (&["view", "-", "--no-open"][..], "not standard input"),
        (&["view", "four-bar", "-o", "page.txt"][..], "must end in .html"),
        (&["view", "-o", "page.html"][..], "needs a scene"),
    ] {
        let out = command(args, b"");
        assert!(out.code != 0 && out.stderr.contains(wanted), "{args:?}: {}", out.stderr);
    }
}

#[test]
fn a_drawing_is_written_as_data_too() {
    let path = std::env::temp_dir().join(format!("cardan-drawing-{}.json", std::process::id()));
    let out = command(&["draw", "four-bar", "--at", "0,0.1", "-o", path.to_str().expect("a path")], b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    let text = std::fs::read_to_string(&path).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(2));
    let sketch = &json[1]["sketch"];
    assert_eq!(sketch["bodies"].as_array().map(Vec::len), Some(3), "{sketch}");
    assert_eq!(sketch["joints"][0]["kind"]["symbol"], "pin", "{sketch}");
    assert!(sketch["probes"][0]["trail"].as_array().is_some_and(|trail| trail.len() > 50));
    let _ = std::fs::remove_file(path);
}
