//! The server of `cardan view`, over the standard library alone: a thread per connection, few connections, loopback only. It reads
//! and never writes.

use super::Watched;
use super::page::{self, ViewedScene};
use super::request::{self, Request};
use crate::Failure;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

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
const ENDINGS: [&str; 6] = ["obj", "stl", "urdf", "xml", "sdf", "toml"];

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
    connections: Arc<AtomicUsize>,
    waiting: Arc<AtomicUsize>,
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
        let shared = Shared { port, token: token(), scene, given: Mutex::new(None), connections, waiting };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.shared.port, self.shared.token)
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
        let request = match request::read(&mut stream, self.port, &self.token) {
            Ok(request) => request,
            Err(refusal) => return refuse(&mut stream, refusal),
        };
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
        let name = Path::new(path.strip_prefix("files/").ok_or(MISSING)?);
        let folder = self.scene.as_ref().and_then(|scene| scene.folder.as_deref()).ok_or(MISSING)?;
        // Hidden files and folders are no part of a scene.
        let is_plain = name.components().all(
            |part| matches!(part, Component::Normal(word) if !word.as_encoded_bytes().starts_with(b".")),
        );
        if !is_plain || path.contains(['\\', '\0', ':']) {
            return Err((403, "Forbidden"));
        }
        let known = |ending: &str| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
        if !name.extension().and_then(|ending| ending.to_str()).is_some_and(known) {
            return Err((403, "Forbidden"));
        }
        // A link may lead out of the folder.
        let folder = folder.canonicalize().map_err(|_| MISSING)?;
        let file = folder.join(name).canonicalize().map_err(|_| MISSING)?;
        if !file.starts_with(&folder) {
            return Err((403, "Forbidden"));
        }
        let about = file.metadata().map_err(|_| MISSING)?;
        if !about.is_file() || about.len() > MOST_BYTES {
            return Err(MISSING);
        }
        let body = std::fs::read(&file).map_err(|_| MISSING)?.into();
        Ok(Answer { kind: "application/octet-stream", body, packed: false })
    }

    /// Server-sent events: the text of the scene whenever its file has changed.
    fn news(&self, stream: &mut TcpStream, request: &Request) {
        let Some(scene) = self.scene.as_ref().filter(|scene| scene.path.is_some()) else {
            return refuse(stream, (404, "Not Found"));
        };
        let Some(_place) = Place::take(&self.waiting, MOST_WAITING) else {
            return refuse(stream, (503, "Service Unavailable"));
        };
        // What the page has: the text that it was given. What came between is news.
        let mut looked = modified(scene);
        let mut told = self.given.lock().ok().and_then(|given| given.clone()).or_else(|| scene.read().ok());
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{}Connection: close\r\n\r\n: news\n\n",
            common()
        );
        if stream.write_all(head.as_bytes()).is_err() {
            return;
        }
        // A page that was away learns what it missed.
        if let Some(now) = scene.read().ok().filter(|now| !now.text.is_empty()) {
            let knows = match &request.last_event {
                Some(last) => *last == event_id(&now),
                None => told.as_ref() == Some(&now),
            };
            if !knows && tell(stream, &now).is_err() {
                return;
            }
            told = Some(now);
        }
        for beat in 1u32.. {
            std::thread::sleep(POLL);
            if modified(scene) != looked {
                looked = modified(scene);
                let now = scene.read().ok();
                // A file that is being written may be gone or empty for a moment.
                if let Some(now) = now.filter(|now| !now.text.is_empty() && told.as_ref() != Some(now)) {
                    if tell(stream, &now).is_err() {
                        return;
                    }
                    told = Some(now);
                }
            }
            // Writing is how a page that went away is noticed.
            if beat.is_multiple_of(HEARTBEAT) && stream.write_all(b": here\n\n").is_err() {
                return;
            }
        }
    }
}

/// Time and size of the file, which change when it is saved.
fn modified(scene: &Watched) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(scene.path.as_ref()?).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// A name of a text, for pages that come back: FNV-1a.
fn event_id(scene: &ViewedScene) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", scene.text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
}

fn tell(stream: &mut TcpStream, scene: &ViewedScene) -> io::Result<()> {
    // JSON has no line breaks of its own.
    let text = format!("id: {}\ndata: {}\n\n", event_id(scene), scene.json());
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
