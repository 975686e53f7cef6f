//! Connections to a hub: TCP, TLS where the address begins with `https://`, Bluetooth (see `radio`), and relays (see
//! `crate::relay`).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use relays::address::{Through, means_relay};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};
use tokio_tungstenite::tungstenite::http::Uri;

/// How long a connection, or a whole request, may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest response to a request, and the largest file.
const LONGEST: u64 = 64 << 10;
const LARGEST: u64 = 8 << 20;

/// Where a hub is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// In a network.
    Net {
        /// Whether the connection is encrypted.
        secure: bool,
        /// A name or an address.
        host: String,
        /// The port.
        port: u16,
    },
    /// In range of Bluetooth, with this name.
    Radio(String),
    /// Behind a NOSTR relay.
    Relay(Through),
}

/// How an address over Bluetooth begins.
pub(super) const RADIO: &str = "bluetooth://";

/// Why a hub cannot be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// The address is not `http://host:port` or `https://host`.
    Address,
    /// Nobody answers there.
    Nobody(String),
    /// The connection cannot be encrypted, or the certificate is not that of the host.
    Insecure(String),
    /// It took too long.
    TooSlow,
    /// There is no Bluetooth, or the host is not in range.
    Radio(String),
    /// It is over Bluetooth or a relay, where there are no codes and no requests.
    NoRequests,
    /// Something else answers there.
    NotAHub,
    /// The hub refuses, and says why.
    Refused {
        /// The status of the response.
        status: u16,
        /// Why.
        why: String,
    },
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => {
                f.write_str("the address must be like http://192.168.1.5:7777 or https://cards.example.org")
            }
            Self::Nobody(why) => write!(f, "nobody answers: {why}"),
            Self::Insecure(why) => write!(f, "the connection is not secure: {why}"),
            Self::Radio(why) => f.write_str(why),
            Self::NoRequests => f.write_str("there are no codes over Bluetooth or a relay; join with the ticket, nearby, or with the relay's address"),
            Self::TooSlow => f.write_str("there was no answer in time"),
            Self::NotAHub => f.write_str("something else than a fairdeal server answers there"),
            Self::Refused { why, .. } => f.write_str(why),
        }
    }
}

impl std::error::Error for Unreachable {}

impl FromStr for At {
    type Err = Unreachable;

    fn from_str(text: &str) -> Result<Self, Unreachable> {
        if let Some(name) = text.strip_prefix(RADIO) {
            let name = name.trim_end_matches('/');
            let fits = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '-';
            let is_name = !name.is_empty() && name.len() <= 24 && name.chars().all(fits);
            return if is_name { Ok(Self::Radio(name.to_owned())) } else { Err(Unreachable::Address) };
        }
        if means_relay(text) {
            return text.parse().map(Self::Relay).map_err(|_| Unreachable::Address);
        }
        let uri: Uri = text.trim_end_matches('/').parse().map_err(|_| Unreachable::Address)?;
        let (secure, usual) = match uri.scheme_str() {
            Some("http") => (false, 80),
            Some("https") => (true, 443),
            _ => return Err(Unreachable::Address),
        };
        let plain = matches!(uri.path(), "" | "/") && uri.query().is_none();
        let host = uri.host().filter(|host| !host.is_empty() && plain && !text.contains(['#', '@']));
        let host = host.ok_or(Unreachable::Address)?.to_owned();
        Ok(Self::Net { secure, host, port: uri.port_u16().unwrap_or(usual) })
    }
}

/// As tickets have it.
impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secure, host, port) = match self {
            Self::Radio(name) => return write!(f, "{RADIO}{name}"),
            Self::Relay(through) => return through.fmt(f),
            Self::Net { secure, host, port } => (*secure, host, *port),
        };
        let (scheme, usual) = if secure { ("https", 443) } else { ("http", 80) };
        write!(f, "{scheme}://{host}")?;
        if port == usual { Ok(()) } else { write!(f, ":{port}") }
    }
}

/// A connection, encrypted or not.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

impl At {
    /// The same address for a socket.
    pub(super) fn socket(&self, path: &str) -> String {
        let at = self.to_string();
        let at = at.strip_prefix("http").unwrap_or(&at);
        format!("ws{at}{path}")
    }

    /// Connects; an encrypted connection is to somebody whom an authority of this system vouches for.
    pub(crate) async fn connect(&self) -> Result<Box<dyn Stream>, Unreachable> {
        self.connect_trusting(system_roots).await
    }

    async fn connect_trusting(&self, roots: impl Fn() -> RootCertStore) -> Result<Box<dyn Stream>, Unreachable> {
        let Self::Net { secure, host, port } = self else { return Err(Unreachable::NoRequests) };
        let connecting = async {
            let host = host.trim_start_matches('[').trim_end_matches(']');
            let stream = TcpStream::connect((host, *port)).await;
            let stream = stream.map_err(|why| Unreachable::Nobody(why.to_string()))?;
            // Moves are small and should not wait for more data.
            let _ = stream.set_nodelay(true);
            if !secure {
                return Ok(Box::new(stream) as Box<dyn Stream>);
            }
            let insecure = |why: &dyn fmt::Display| Unreachable::Insecure(why.to_string());
            let name = ServerName::try_from(host.to_owned()).map_err(|_| Unreachable::Address)?;
            let encrypted = connector(roots()).map_err(|why| insecure(&why))?.connect(name, stream).await;
            Ok(Box::new(encrypted.map_err(|why| insecure(&why))?) as Box<dyn Stream>)
        };
        timeout(PATIENCE, connecting).await.unwrap_or(Err(Unreachable::TooSlow))
    }

    /// One request, and the body of its response.
    pub(crate) async fn request(&self, method: &str, path: &str, body: &str) -> Result<String, Unreachable> {
        let answer = self.exchange(method, path, body, LONGEST).await?;
        response(&answer).unwrap_or(Err(Unreachable::NotAHub))
    }

    /// A file of a server: the head and the body of the response.
    pub(crate) async fn fetch(&self, path: &str) -> Result<(String, Vec<u8>), Unreachable> {
        let answer = self.exchange("GET", path, "", LARGEST).await?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or(Unreachable::NotAHub)?;
        let (head, body) = answer.split_at(end + 4);
        let head = String::from_utf8(head.to_vec()).map_err(|_| Unreachable::NotAHub)?;
        match status(&head) {
            Some(200) if length(&head).is_none_or(|length| length == body.len()) => Ok((head, body.to_vec())),
            Some(status) => Err(Unreachable::Refused { status, why: format!("the server answers with {status}") }),
            None => Err(Unreachable::NotAHub),
        }
    }

    /// Sends a request, and reads everything that is answered.
    async fn exchange(&self, method: &str, path: &str, body: &str, most: u64) -> Result<Vec<u8>, Unreachable> {
        let asking = async {
            let mut stream = self.connect().await?;
            // With this version, the response is as long as the connection.
            let request = format!(
                "{method} {path} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                self.to_string().rsplit('/').next().unwrap_or_default(),
                body.len()
            );
            let lost = |why: std::io::Error| Unreachable::Nobody(why.to_string());
            stream.write_all(request.as_bytes()).await.map_err(lost)?;
            let mut answer = Vec::new();
            // Some servers close an encrypted connection without saying so; what counts is whether the response is whole.
            let read = stream.take(most).read_to_end(&mut answer).await;
            if answer.is_empty() { Err(read.map_or_else(lost, |_| Unreachable::NotAHub)) } else { Ok(answer) }
        };
        timeout(PATIENCE, asking).await.unwrap_or(Err(Unreachable::TooSlow))
    }
}

fn status(head: &str) -> Option<u16> {
    head.split(' ').nth(1)?.parse().ok()
}

fn length(head: &str) -> Option<usize> {
    head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    })
}

/// The body of a response; `None` if it is not a whole one.
fn response(answer: &[u8]) -> Option<Result<String, Unreachable>> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = status(head)?;
    if length(head).is_some_and(|length| length != body.len()) {
        return None;
    }
    if (200..300).contains(&status) {
        return Some(Ok(body.to_owned()));
    }
    let why = serde_json::from_str::<serde_json::Value>(body).ok();
    let why = why.as_ref().and_then(|why| why.get("message")?.as_str()).map(str::to_owned);
    Some(why.map_or(Err(Unreachable::NotAHub), |why| Err(Unreachable::Refused { status, why })))
}

/// The authorities that this system trusts.
fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // One that cannot be read is left out; without any, no certificate is accepted.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn connector(roots: RootCertStore) -> Result<TlsConnector, tokio_rustls::rustls::Error> {
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written_as_in_tickets() {
        for (text, written, socket) in [
            ("http://192.168.1.5:7777", "http://192.168.1.5:7777", "ws://192.168.1.5:7777/x"),
            ("https://cards.example.org/", "https://cards.example.org", "wss://cards.example.org/x"),
            ("https://cards.example.org:443", "https://cards.example.org", "wss://cards.example.org/x"),
            ("http://[::1]:7777", "http://[::1]:7777", "ws://[::1]:7777/x"),
            ("http://localhost", "http://localhost", "ws://localhost/x"),
        ] {
            let at: At = text.parse().unwrap();
            assert_eq!((at.to_string().as_str(), at.socket("/x").as_str()), (written, socket));
        }
        for wrong in [
            "bluetooth://",
            "bluetooth://x",
            "bluetooth://A/B",
            "",
            "cards.example.org",
            "ftp://x",
            "http://",
            "http://x/y",
            "http://x?y",
            "http://me@x",
            "http://x#y",
        ] {
            assert_eq!(wrong.parse::<At>(), Err(Unreachable::Address), "{wrong}");
        }
    }

    #[test]
    fn a_host_over_bluetooth_has_a_name_and_answers_no_requests() {
        let at: At = "bluetooth://X1ABCD-7".parse().unwrap();
        assert_eq!((at.to_string().as_str(), &at), ("bluetooth://X1ABCD-7", &At::Radio("X1ABCD-7".to_owned())));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        assert_eq!(runtime.block_on(at.request("GET", "/", "")), Err(Unreachable::NoRequests));
    }

    #[test]
    fn a_hub_behind_a_relay_is_its_key_there_and_answers_no_requests() {
        let key = results::Secret::from_bytes(&[7; 32]).unwrap().public();
        let text = format!("wss://{}@relay.example.org", key.npub());
        let at: At = text.parse().unwrap();
        assert_eq!((at.to_string(), matches!(&at, At::Relay(through) if through.key == key)), (text, true));
        assert_eq!("wss://relay.example.org".parse::<At>(), Err(Unreachable::Address), "nobody in particular is there");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        assert_eq!(runtime.block_on(at.request("GET", "/", "")), Err(Unreachable::NoRequests));
    }

    #[test]
    fn a_response_is_whole_or_none() {
        let ok = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(response(ok), Some(Ok("{}".to_owned())));
        assert_eq!(response(&ok[..ok.len() - 1]), None);
        assert_eq!(response(b"SSH-2.0-x\r\n"), None);
        let refused = b"HTTP/1.1 429 Too Many\r\n\r\n{\"error\":\"too_many\",\"message\":\"Later.\"}";
        assert_eq!(response(refused), Some(Err(Unreachable::Refused { status: 429, why: "Later.".to_owned() })));
        assert_eq!(response(b"HTTP/1.1 404 Not Found\r\n\r\n<html>"), Some(Err(Unreachable::NotAHub)));
    }

    #[test]
    fn nobody_there_is_said_so() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let at: At = format!("http://{free}").parse().unwrap();
        let got = runtime.block_on(at.request("GET", "/", ""));
        assert!(matches!(got, Err(Unreachable::Nobody(_))), "{got:?}");
    }

    #[tokio::test]
    async fn an_encrypted_connection_is_to_the_right_one_or_there_is_none() {
        use tokio_rustls::TlsAcceptor;
        use tokio_rustls::rustls::ServerConfig;
        use tokio_rustls::rustls::pki_types::pem::PemObject as _;
        use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "9"])
            .args([
                "-subj",
                "/CN=hub",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-addext",
                "basicConstraints=CA:FALSE",
            ])
            .args(["-keyout", "key", "-out", "crt"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let certificate = CertificateDer::from_pem_file(folder.path().join("crt")).unwrap();
        let key = PrivateKeyDer::from_pem_file(folder.path().join("key")).unwrap();
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate.clone()], key).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = tokio::spawn(async move {
            let acceptor = TlsAcceptor::from(Arc::new(config));
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    stream.write_all(b"hello").await.unwrap();
                    stream.shutdown().await.unwrap();
                }
            }
        });
        let trusting = || {
            let mut roots = RootCertStore::empty();
            roots.add(certificate.clone()).unwrap();
            roots
        };
        let at = |host: &str| format!("https://{host}:{port}").parse::<At>().unwrap();
        let mut heard = String::new();
        let mut stream = at("127.0.0.1").connect_trusting(trusting).await.unwrap();
        stream.read_to_string(&mut heard).await.unwrap();
        assert_eq!(heard, "hello");
        for (at, roots) in [(at("localhost"), trusting()), (at("127.0.0.1"), system_roots())] {
            let got = at.connect_trusting(|| roots.clone()).await.map(drop);
            assert!(matches!(got, Err(Unreachable::Insecure(_))), "{at}: {got:?}");
        }
        serving.abort();
    }
}
