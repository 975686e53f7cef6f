//! As much of HTTP as it takes to create tables.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::Failed;

/// A connection that takes one request after another.
pub(crate) struct Connection {
    at: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub(crate) async fn open(at: SocketAddr) -> Result<Self, Failed> {
        let stream = TcpStream::connect(at).await?;
        stream.set_nodelay(true)?;
        Ok(Self { at, stream: BufReader::new(stream) })
    }

    /// Sends JSON and returns the response.
    pub(crate) async fn post(&mut self, path: &str, key: Option<&str>, body: &str) -> Result<String, Failed> {
        let key = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{key}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.at,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        let mut line = String::new();
        self.stream.read_line(&mut line).await?;
        let status = line.trim().to_owned();
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line).await?;
            let Some((name, value)) = line.split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        let body = String::from_utf8(body)?;
        if status.contains(" 201 ") { Ok(body) } else { Err(format!("{path}: {status}: {body}").into()) }
    }
}
