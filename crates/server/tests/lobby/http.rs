//! A server on a loopback port, and a browser in a few lines.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use server::hub::Hub;
use server::metrics::Metrics;
use server::store::Store;
use server::web::{Limits, Proxies, Site, run};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A running server with its own database.
pub(crate) struct Server {
    pub(crate) runtime: Runtime,
    pub(crate) hub: Hub,
    pub(crate) address: SocketAddr,
    pub(crate) database: String,
    _folder: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with(Limits::new(0, 0, 0))
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite:{}", folder.path().join("test.sqlite").display());
        let (hub, address) = runtime.block_on(async {
            let store = Store::open(&database).await.unwrap();
            let hub = Hub::new(store, Arc::new(Metrics::default()), 1000);
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let site = Site::new(hub.clone(), address, None, limits, Proxies::default());
            tokio::spawn(hub.clone().keep_going());
            tokio::spawn(run(listener, site, 1000, std::future::pending()));
            (hub, address)
        });
        Self { runtime, hub, address, database, _folder: folder }
    }

    /// A visitor who was never here.
    pub(crate) fn visitor(&self) -> Browser {
        Browser { address: self.address, cookies: BTreeMap::new(), language: "en" }
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// Its redirect target.
    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, 303, "{self:?}");
        self.header("location").unwrap()
    }
}

/// Sends one request as it is, over a separate socket.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    if method == "POST" {
        request.push_str("Content-Type: application/x-www-form-urlencoded\r\n");
        request.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    request.push_str("\r\n");
    request.push_str(body);
    // A server that has seen enough may already have closed the socket.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    Answer { status, headers, body: body.to_owned() }
}

/// A visitor with cookies.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    pub(crate) cookies: BTreeMap<String, String>,
    pub(crate) language: &'static str,
}

impl Browser {
    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, "")
    }

    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect();
        self.send("POST", path, &fields.join("&"))
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> Answer {
        let (cookies, origin) = (self.jar(), format!("http://{}", self.address));
        let mut headers = vec![("Accept-Language", self.language), ("Cookie", &cookies)];
        if method == "POST" {
            headers.extend([("Origin", origin.as_str()), ("Sec-Fetch-Site", "same-origin")]);
        }
        let answer = ask(self.address, method, path, &headers, body);
        for cookie in answer.all("set-cookie") {
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        answer
    }

    pub(crate) fn jar(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }
}

fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}
