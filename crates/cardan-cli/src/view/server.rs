//! The server of `cardan view`, over the standard library alone: a thread per connection, few connections, loopback only. It reads
//! and never writes.

use super::page::{self, ViewedScene};
use super::request::{self, Request};
use super::{Stamps, Watched, stamp};
use crate::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Most connections at once, and most of them that wait for news.
const MOST_CONNECTIONS: usize = 48;
const MOST_WAITING: usize = 16;
/// Time that a client may take to read an answer.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// How often the file is looked at, and how often a page that hears nothing is told that the server is there.
const POLL: Duration = Duration::from_millis(50);
const HEARTBEAT: u32 = 100;
/// Largest file of a scene that is given to the page, in bytes, and the endings that the engine reads.
const MOST_BYTES: u64 = 128 << 20;
pub(super) const ENDINGS: [&str; 8] = ["obj", "stl", "dae", "msh", "urdf", "xml", "sdf", "toml"];
/// How long the key to the page is good that is given to the browser: command lines are seen by other users.
const KEY_TIME: Duration = Duration::from_secs(60);
/// Most files of a scene that are watched.
const MOST_FILES: usize = 2000;

/// What the page may do: run its own script and engine, and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; \
                      style-src 'self' 'unsafe-inline'; connect-src 'self' data: blob:; img-src 'self' data: blob:; \
                      media-src blob:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

struct Shared {
    port: u16,
    token: String,
    scene: Option<Watched>,
    /// The text that the last page was given.
    given: Mutex<Option<ViewedScene>>,
    /// Files that pages asked for, as they were when they were last given.
    asked: Mutex<Stamps>,
    /// Leads to the page once, until then.
    key: String,
    opening: Mutex<Opening>,
    connections: Arc<AtomicUsize>,
    waiting: Arc<AtomicUsize>,
}

/// What became of the key to the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// It was not given away.
    Closed,
    OpenUntil(Instant),
    Used,
    /// It was used, and somebody came with it again.
    UsedAgain,
}

/// One of few places, given back at the end.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(count: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let free = |n: usize| (n < most).then_some(n + 1);
        count.fetch_update(Ordering::AcqRel, Ordering::Acquire, free).ok().map(|_| Place(count.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// 128 bits that nobody can guess, as letters.
fn token() -> String {
    let mut bytes = [0u8; 16];
    let from_system = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    if from_system.is_err() {
        // The keys of hash tables come from the system too, where there is no such file.
        for chunk in bytes.chunks_mut(8) {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u32(std::process::id());
            chunk.copy_from_slice(&hasher.finish().to_le_bytes());
        }
    }
    cardan_view::base64::encode(&bytes)
}

impl Server {
    pub(crate) fn bind(port: u16, scene: Option<Watched>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let (connections, waiting) = Default::default();
        let shared = Shared {
            port,
            token: token(),
            scene,
            given: Mutex::new(None),
            asked: Mutex::default(),
            key: token(),
            opening: Mutex::new(Opening::Closed),
            connections,
            waiting,
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.shared.port, self.shared.token)
    }

    /// An address that leads there once, within a minute: for a command line.
    pub(crate) fn address_to_open(&self) -> String {
        if let Ok(mut opening) = self.shared.opening.lock() {
            *opening = Opening::OpenUntil(Instant::now() + KEY_TIME);
        }
        format!("http://127.0.0.1:{}/{}", self.shared.port, self.shared.key)
    }

    /// Answers until the program is ended.
    pub(crate) fn serve(self) -> Result<(), Failure> {
        for stream in self.listener.incoming() {
            // A connection that is gone already, or no room for one more file: the next one may do.
            let Ok(stream) = stream else {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Some(place) = Place::take(&self.shared.connections, MOST_CONNECTIONS) else {
                // Said without waiting for what the client has to say.
                let mut stream = stream;
                let _ = stream.set_nonblocking(true);
                let _ = stream.write_all(refusal((503, "Service Unavailable")).as_bytes());
                continue;
            };
            let shared = self.shared.clone();
            let spawned = std::thread::Builder::new().spawn(move || {
                shared.connection(stream);
                drop(place);
            });
            // Without a thread the connection is dropped, and the client sees it closed.
            drop(spawned);
        }
        Ok(())
    }
}

/// An answer with a body.
struct Answer<'a> {
    kind: &'static str,
    body: std::borrow::Cow<'a, [u8]>,
    /// The body is compressed, and the browser unpacks it.
    packed: bool,
}

impl Shared {
    fn connection(&self, mut stream: TcpStream) {
        let _ = stream.set_write_timeout(Some(WRITE_TIME));
        let secrets = request::Secrets { token: &self.token, key: &self.key };
        let request = match request::read(&mut stream, self.port, secrets) {
            Ok(request) => request,
            Err(refusal) => return refuse(&mut stream, refusal),
        };
        if request.is_key {
            return self.lead(&mut stream);
        }
        if request.path == "events" {
            return self.news(&mut stream, &request);
        }
        match self.answer(&request.path) {
            Ok(answer) => {
                let _ = send(&mut stream, &answer, request.head_only);
            }
            Err(refusal) => refuse(&mut stream, refusal),
        }
        let _ = stream.shutdown(Shutdown::Write);
    }

    /// The key to the page, which opens once.
    fn lead(&self, stream: &mut TcpStream) {
        let Ok(mut opening) = self.opening.lock() else { return };
        let before = *opening;
        *opening = match before {
            Opening::OpenUntil(until) if Instant::now() <= until => Opening::Used,
            Opening::Used => Opening::UsedAgain,
            other => other,
        };
        let is_open = before != *opening && *opening == Opening::Used;
        drop(opening);
        if before == Opening::Used {
            eprintln!(
                "warning: the address that opens the page once was used a second time; if your browser shows no page, \
                 somebody else on this machine has it: end this program and start it with --no-open"
            );
        }
        if !is_open {
            return refuse(stream, (404, "Not Found"));
        }
        let head = format!(
            "HTTP/1.1 303 See Other\r\nLocation: /{}/\r\nContent-Length: 0\r\n{}Connection: close\r\n\r\n",
            self.token,
            common()
        );
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
    }

    fn answer(&self, path: &str) -> Result<Answer<'static>, request::Refusal> {
        let kind = match path {
            "" | "index.html" => {
                let scene = match &self.scene {
                    None => None,
                    Some(scene) => Some(scene.read().map_err(|_| (404, "Not Found"))?),
                };
                if let Ok(mut given) = self.given.lock() {
                    given.clone_from(&scene);
                }
                let live = self.scene.as_ref().is_some_and(|scene| scene.path.is_some());
                let body = page::with_scene(scene.as_ref(), live).into_bytes().into();
                return Ok(Answer { kind: "text/html; charset=utf-8", body, packed: false });
            }
            "app.js" => "text/javascript; charset=utf-8",
            "app.css" => "text/css; charset=utf-8",
            "engine.wasm.zst" => "application/octet-stream",
            "gallery.json.gz" => "application/json",
            _ => return self.scene_file(path),
        };
        let body = page::file(path).ok_or((404, "Not Found"))?;
        Ok(Answer { kind, body: body.into(), packed: path.ends_with(".gz") })
    }

    /// A file that the scene names, from the folder of the scene.
    fn scene_file(&self, path: &str) -> Result<Answer<'static>, request::Refusal> {
        const MISSING: request::Refusal = (404, "Not Found");
        let name = path.strip_prefix("files/").ok_or(MISSING)?;
        let folder = self.scene.as_ref().and_then(|scene| scene.folder.as_deref()).ok_or(MISSING)?;
        let file = allowed(folder, name);
        // One that is not there may come.
        let watched =
            if file == Err(MISSING) { Some(folder.join(name)) } else { file.as_ref().ok().cloned() };
        // Before it is read: what is written meanwhile is news.
        if let (Some(watched), Ok(mut asked)) = (watched, self.asked.lock())
            && (asked.len() < MOST_FILES || asked.contains_key(&watched))
        {
            let given = stamp(&watched);
            asked.insert(watched, given);
        }
        let body = std::fs::read(file?).map_err(|error| unreadable(&error))?.into();
        Ok(Answer { kind: "application/octet-stream", body, packed: false })
    }

    /// Server-sent events: the text of the scene whenever its file or one that it names has changed, or what is wrong with it.
    fn news(&self, stream: &mut TcpStream, request: &Request) {
        let Some(scene) = self.scene.as_ref().filter(|scene| scene.path.is_some()) else {
            return refuse(stream, (404, "Not Found"));
        };
        let Some(_place) = Place::take(&self.waiting, MOST_WAITING) else {
            return refuse(stream, (503, "Service Unavailable"));
        };
        let asked = || self.asked.lock().map(|asked| asked.clone()).unwrap_or_default();
        let given = asked();
        // What the page has: the text and the files that it was given. What came between is news.
        let mut known = scene.stamps(&given);
        let mut pending = changed_files(scene, &given, &given, &known);
        let mut told = self.given.lock().ok().and_then(|given| given.clone()).or_else(|| scene.read().ok());
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{}Connection: close\r\n\r\n: news\n\n",
            common()
        );
        if stream.write_all(head.as_bytes()).is_err() {
            return;
        }
        let mut last_id = String::new();
        // A page that was away learns what it missed.
        if let Some(now) = scene.read().ok().filter(|now| !now.text.is_empty()) {
            let id = event_id(&now, &given, &known);
            let knows = match &request.last_event {
                Some(last) => *last == id,
                None => told.as_ref() == Some(&now) && pending.is_empty(),
            };
            if !knows {
                // Which of its files are old cannot be told from the id.
                if request.last_event.is_some() {
                    pending = short_names(scene, given.keys());
                }
                if tell(stream, &now, &pending, &id).is_err() {
                    return;
                }
                last_id = id;
            }
            pending.clear();
            told = Some(now);
        }
        let mut wrong = Wrong::default();
        for beat in 1u32.. {
            std::thread::sleep(POLL);
            let given = asked();
            let stamps = scene.stamps(&given);
            pending.append(&mut changed_files(scene, &known, &given, &stamps));
            let has_changed = differs(&known, &given, &stamps);
            known = stamps;
            if has_changed || wrong.is_tried_again() {
                let sent = match scene.read() {
                    // A file that is being written may be empty for a moment.
                    Ok(now) if now.text.is_empty() => Ok(()),
                    Ok(now) => {
                        let news = !pending.is_empty() || told.as_ref() != Some(&now) || wrong.is_told;
                        wrong = Wrong::default();
                        let sent = if news {
                            last_id = event_id(&now, &given, &known);
                            tell(stream, &now, &pending, &last_id)
                        } else {
                            Ok(())
                        };
                        pending.clear();
                        told = Some(now);
                        sent
                    }
                    Err(failure) => wrong.tell(stream, scene, &failure),
                };
                if sent.is_err() {
                    return;
                }
            }
            // The name of what the page has now, with the files that it asked for meanwhile: an id alone is no
            // event.
            if let Some(told) = told.as_ref().filter(|_| pending.is_empty() && wrong.since == 0) {
                let id = event_id(told, &given, &known);
                if id != last_id && stream.write_all(format!("id: {id}\n\n").as_bytes()).is_err() {
                    return;
                }
                last_id = id;
            }
            // Writing is how a page that went away is noticed.
            if beat.is_multiple_of(HEARTBEAT) && stream.write_all(b": here\n\n").is_err() {
                return;
            }
        }
    }
}

/// A file of a folder, by its path from there.
pub(super) fn allowed(folder: &Path, name: &str) -> Result<PathBuf, request::Refusal> {
    let path = Path::new(name);
    // Hidden files and folders are no part of a scene.
    let is_plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(word) if !word.as_encoded_bytes().starts_with(b".")));
    if !is_plain || name.contains(['\\', '\0', ':']) {
        return Err((403, "Forbidden"));
    }
    if !has_ending(path, &ENDINGS) {
        return Err((415, "Unsupported Media Type"));
    }
    // A link may lead out of the folder.
    let folder = folder.canonicalize().map_err(|error| unreadable(&error))?;
    let file = folder.join(path).canonicalize().map_err(|error| unreadable(&error))?;
    if !file.starts_with(&folder) {
        return Err((403, "Forbidden"));
    }
    let about = file.metadata().map_err(|error| unreadable(&error))?;
    if !about.is_file() {
        return Err((404, "Not Found"));
    }
    if about.len() > MOST_BYTES {
        return Err((413, "Content Too Large"));
    }
    Ok(file)
}

/// Why a file cannot be given: only what is not there is called so, as robots do without such files.
pub(super) fn unreadable(error: &io::Error) -> request::Refusal {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => (404, "Not Found"),
        _ => (500, "Internal Server Error"),
    }
}

/// Whether a file has one of these endings.
pub(super) fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let own = path.extension().and_then(|ending| ending.to_str());
    own.is_some_and(|own| endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)))
}

/// Whether a file has changed, or has come or gone. That a page has asked for one more is no change.
fn differs(known: &Stamps, asked: &Stamps, now: &Stamps) -> bool {
    let is_other = |(path, stamp): (&PathBuf, _)| match known.get(path).or_else(|| asked.get(path)) {
        Some(old) => old != stamp,
        None => true,
    };
    now.iter().any(is_other) || known.keys().any(|path| !now.contains_key(path))
}

/// Files that pages have, by their paths from the folder of the scene, and that have changed: since the last
/// look, or since they were given.
fn changed_files(scene: &Watched, known: &Stamps, asked: &Stamps, now: &Stamps) -> BTreeSet<String> {
    let others = now.iter().filter(|(path, _)| Some(*path) != scene.path.as_ref());
    let is_other = |(path, stamp): &(&PathBuf, _)| {
        known.get(*path).or(asked.get(*path)).is_some_and(|old| old != *stamp)
    };
    short_names(scene, others.filter(is_other).map(|(path, _)| path))
}

/// Paths from the folder of the scene.
fn short_names<'a>(scene: &Watched, paths: impl Iterator<Item = &'a PathBuf>) -> BTreeSet<String> {
    let folder = scene.folder.as_deref();
    let real = folder.and_then(|folder| folder.canonicalize().ok());
    let short = |path: &PathBuf| {
        let own = real.as_ref().and_then(|real| path.strip_prefix(real).ok());
        own.or_else(|| path.strip_prefix(folder?).ok())?.to_str().map(str::to_string)
    };
    paths.filter_map(short).collect()
}

/// A file that cannot be read: how often in turn, and whether the page knows.
#[derive(Default)]
struct Wrong {
    since: u32,
    is_told: bool,
    /// Since the page was told.
    looks: u32,
}

impl Wrong {
    /// Whether the file is read again although nothing has changed: until the page is told, as it may be half
    /// written; then seldom, as it may name files that are not watched.
    fn is_tried_again(&mut self) -> bool {
        self.looks = if self.is_told { self.looks.wrapping_add(1) } else { 0 };
        self.since > 0 && self.looks.is_multiple_of(HEARTBEAT)
    }

    /// Tells the page, unless the file is only being written.
    fn tell(&mut self, stream: &mut TcpStream, scene: &Watched, failure: &Failure) -> io::Result<()> {
        const PATIENCE: u32 = 6;
        self.since = self.since.saturating_add(1);
        if self.since < PATIENCE || self.is_told {
            return Ok(());
        }
        self.is_told = true;
        let name = scene.path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        let text = serde_json::json!({ "name": name, "error": words(failure) });
        stream.write_all(format!("data: {text}\n\n").as_bytes())
    }
}

/// What is wrong, as the command would print it.
fn words(failure: &Failure) -> &str {
    match failure {
        Failure::Input(text) | Failure::Run(text) => text,
        Failure::Reported => "the scene cannot be read",
    }
}

/// A name of a text and of the files that pages have, for pages that come back: FNV-1a.
fn event_id(scene: &ViewedScene, asked: &Stamps, now: &Stamps) -> String {
    let files: BTreeMap<_, _> = now.iter().filter(|(path, _)| asked.contains_key(*path)).collect();
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let text = scene.text.bytes().chain(format!("{files:?}").into_bytes());
    format!("{:016x}", text.fold(0xcbf2_9ce4_8422_2325, fold))
}

fn tell(stream: &mut TcpStream, scene: &ViewedScene, changed: &BTreeSet<String>, id: &str) -> io::Result<()> {
    let mut news = scene.json();
    news["changed"] = serde_json::json!(changed);
    // JSON has no line breaks of its own.
    let text = format!("id: {id}\ndata: {news}\n\n");
    stream.write_all(text.as_bytes())
}

/// Headers of every answer.
fn common() -> String {
    format!(
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\nContent-Security-Policy: {POLICY}\r\n"
    )
}

fn send(stream: &mut TcpStream, answer: &Answer<'_>, head_only: bool) -> io::Result<()> {
    let packed = if answer.packed { "Content-Encoding: gzip\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n{packed}{}Connection: close\r\n\r\n",
        answer.kind,
        answer.body.len(),
        common()
    );
    stream.write_all(head.as_bytes())?;
    if !head_only {
        stream.write_all(&answer.body)?;
    }
    stream.flush()
}

/// Says no, without a word about what there is.
fn refusal((code, words): request::Refusal) -> String {
    format!(
        "HTTP/1.1 {code} {words}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n{words}",
        words.len(),
        common()
    )
}

/// Refuses a request that was read, or as much of it as was wanted.
fn refuse(stream: &mut TcpStream, why: request::Refusal) {
    let _ = stream.write_all(refusal(why).as_bytes());
    // What the client still sends is read and dropped for a moment: closing at once could take the answer away from it.
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let mut sink = [0; 4096];
    for _ in 0..16 {
        if !matches!(stream.read(&mut sink), Ok(1..)) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HEARTBEAT, Wrong};

    /// A file that stays wrong is read at every look until the page is told, then seldom.
    #[test]
    fn a_wrong_file_is_not_read_for_ever() {
        assert!(!Wrong::default().is_tried_again());
        let mut wrong = Wrong { since: 1, ..Wrong::default() };
        assert!((0..5).all(|_| wrong.is_tried_again()));
        wrong.is_told = true;
        let count = (0..10 * HEARTBEAT).filter(|_| wrong.is_tried_again()).count();
        assert_eq!(count, 10);
    }
}
