//! Requests over a plain socket: one each, so that nothing is hidden.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let name = format!("{name}:");
        self.head.lines().find_map(|line| {
            let (first, value) = line.split_at_checked(name.len())?;
            first.eq_ignore_ascii_case(&name).then(|| value.trim())
        })
    }
}

/// A request as a program sends it.
pub(crate) fn request(
    server: SocketAddr,
    method: &str,
    path: &str,
    key: Option<&str>,
    body: Option<&serde_json::Value>,
) -> io::Result<Answer> {
    let mut head = String::new();
    if let Some(key) = key {
        head.push_str(&format!("Authorization: Bearer {key}\r\n"));
    }
    let body = body.map(ToString::to_string).unwrap_or_default();
    if !body.is_empty() {
        head.push_str("Content-Type: application/json\r\n");
    }
    raw(server, method, path, &head, &body)
}

/// A request with these header lines.
pub(crate) fn raw(server: SocketAddr, method: &str, path: &str, head: &str, body: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect_timeout(&server, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let host = if head.starts_with("Host: ") { String::new() } else { format!("Host: {server}\r\n") };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{head}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut text = Vec::new();
    stream.read_to_end(&mut text)?;
    parse(&text).ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "no whole answer"))
}

fn parse(text: &[u8]) -> Option<Answer> {
    let text = String::from_utf8_lossy(text);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    if length.is_some_and(|length| length != body.len()) {
        return None;
    }
    Some(Answer { status, head: head.to_owned(), body: body.to_owned() })
}

/// Reads until the server has closed the connection. Sockets that are only silent are closed much later.
pub(crate) fn is_closed(stream: &mut TcpStream) {
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut some = [0; 4096];
    loop {
        match stream.read(&mut some) {
            Ok(0) => return,
            Ok(_) => {}
            Err(why) => {
                assert_eq!(why.kind(), io::ErrorKind::ConnectionReset, "{why}");
                return;
            }
        }
    }
}
