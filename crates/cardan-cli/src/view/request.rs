//! A request: read with a limit of size and of time, then checked. Only the user's own browser, on a page that this server gave
//! it, gets an answer.
//!
//! | refused | why |
//! |---|---|
//! | another `Host` | a page elsewhere may make its name lead here (DNS rebinding) |
//! | another `Origin`, or `Sec-Fetch-Site: cross-site` | a page elsewhere asks |
//! | another path than the unguessable one | another user of this machine asks |
//! | `..`, an absolute path, a link out of the folder | files of the scene's folder only |
//! | a head of more than 16 KB, or one that takes more than 5 s | a client that wants to keep the server busy |

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Largest head of a request in bytes, and the time it may take.
const MOST_BYTES: usize = 16 << 10;
const MOST_TIME: Duration = Duration::from_secs(5);

/// What a request asks for, below the unguessable path.
#[derive(Debug)]
pub(crate) struct Request {
    /// Path below the token, without a query, decoded.
    pub(crate) path: String,
    pub(crate) head_only: bool,
    /// The path is not that of a page but the key for opening one.
    pub(crate) is_key: bool,
    /// Of news: the last one that the page has.
    pub(crate) last_event: Option<String>,
}

/// Why there is no answer to a request: code and words.
pub(crate) type Refusal = (u16, &'static str);

/// Reads the head of a request.
fn head(stream: &mut TcpStream) -> Result<String, Refusal> {
    let end = Instant::now() + MOST_TIME;
    let mut bytes = Vec::with_capacity(1024);
    let mut buffer = [0; 2048];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err((408, "Request Timeout"));
        }
        // A client that sends a byte now and then does not win time.
        let _ = stream.set_read_timeout(Some(left));
        let count = match stream.read(&mut buffer) {
            Ok(0) => return Err((400, "Bad Request")),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err((408, "Request Timeout")),
        };
        bytes.extend_from_slice(&buffer[..count]);
        if bytes.windows(4).any(|w| w == b"\r\n\r\n") {
            break;
        }
        if bytes.len() > MOST_BYTES {
            return Err((431, "Request Header Fields Too Large"));
        }
    }
    String::from_utf8(bytes).map_err(|_| (400, "Bad Request"))
}

/// Reads and checks a request.
pub(crate) fn read(stream: &mut TcpStream, port: u16, secrets: Secrets<'_>) -> Result<Request, Refusal> {
    let text = head(stream)?;
    check(&text, port, secrets)
}

/// What nobody can guess.
#[derive(Clone, Copy)]
pub(crate) struct Secrets<'a> {
    /// The first part of every path.
    pub(crate) token: &'a str,
    /// Leads to the page, once.
    pub(crate) key: &'a str,
}

fn check(text: &str, port: u16, Secrets { token, key }: Secrets<'_>) -> Result<Request, Refusal> {
    const FORBIDDEN: Refusal = (403, "Forbidden");
    let mut lines = text.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (first.next(), first.next(), first.next(), first.next())
    else {
        return Err((400, "Bad Request"));
    };
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let (mut hosts, mut last_event) = (0, None);
    for line in lines.take_while(|line| !line.is_empty()) {
        let Some((name, value)) = line.split_once(':') else { return Err((400, "Bad Request")) };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => {
                hosts += 1;
                if !own.iter().any(|own| own == value) {
                    return Err(FORBIDDEN);
                }
            }
            "origin" if !own.iter().any(|own| value == format!("http://{own}")) => return Err(FORBIDDEN),
            "sec-fetch-site" if !["same-origin", "none"].contains(&value) => return Err(FORBIDDEN),
            "last-event-id" => last_event = Some(value.to_string()),
            // Nothing is sent here.
            "content-length" if value != "0" => return Err((413, "Content Too Large")),
            "transfer-encoding" => return Err((413, "Content Too Large")),
            _ => {}
        }
    }
    if hosts != 1 {
        return Err(FORBIDDEN);
    }
    let head_only = match method {
        "GET" => false,
        "HEAD" => true,
        _ => return Err((405, "Method Not Allowed")),
    };
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix('/').ok_or((404, "Not Found"))?;
    if path == key && head_only {
        // A program that only checks the address must not use the key up.
        return Err((405, "Method Not Allowed"));
    }
    if path == key {
        return Ok(Request { path: String::new(), is_key: true, head_only, last_event });
    }
    let path = path.strip_prefix(token).ok_or((404, "Not Found"))?;
    let path = path.strip_prefix('/').ok_or((404, "Not Found"))?;
    let path = decoded(path).ok_or((400, "Bad Request"))?;
    Ok(Request { path, is_key: false, head_only, last_event })
}

/// `%41` is A.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            bytes.push(byte);
            rest = after;
            continue;
        }
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{Secrets, check};

    fn asked(head: &str) -> Result<String, u16> {
        let text = format!("{head}\r\n\r\n").replace('\n', "\r\n").replace("\r\r", "\r");
        check(&text, 8000, Secrets { token: "t0k3n", key: "k3y" })
            .map(|request| request.path)
            .map_err(|(code, _)| code)
    }

    #[test]
    fn a_request_of_the_own_page_is_answered_and_no_other() {
        assert_eq!(asked("GET /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000"), Ok(String::new()));
        assert_eq!(asked("GET /t0k3n/a%20b?c HTTP/1.1\nhost: localhost:8000"), Ok("a b".to_string()));
        for (head, code) in [
            ("GET /t0k3n/ HTTP/1.1", 403),
            ("GET /t0k3n/ HTTP/1.1\nHost: evil.example", 403),
            ("GET /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000\nHost: 127.0.0.1:8000", 403),
            ("GET /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: http://evil.example", 403),
            ("GET /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: null", 403),
            ("GET /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000\nSec-Fetch-Site: cross-site", 403),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:8000", 404),
            ("GET /t0k3n HTTP/1.1\nHost: 127.0.0.1:8000", 404),
            ("GET /t0k3nx/ HTTP/1.1\nHost: 127.0.0.1:8000", 404),
            ("POST /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000", 405),
            ("HEAD /k3y HTTP/1.1\nHost: 127.0.0.1:8000", 405),
            ("GET /t0k3n/ HTTP/1.1\nHost: 127.0.0.1:8000\nContent-Length: 5", 413),
            ("GET /t0k3n/%zz HTTP/1.1\nHost: 127.0.0.1:8000", 400),
            ("GET /t0k3n/ SPDY\nHost: 127.0.0.1:8000", 400),
        ] {
            assert_eq!(asked(head), Err(code), "{head}");
        }
    }
}
