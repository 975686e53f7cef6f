//! The server waits for nobody forever, and continues to serve others meanwhile.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use server::web::{Limits, Patience};
use tokio::net::TcpSocket;

use crate::http::{Browser, Server, ask};

/// Long enough for everything a test waits for.
const LONG: Duration = Duration::from_secs(60);

/// A server that waits only a moment, for what is changed in `patience`.
fn impatient(change: impl FnOnce(&mut Patience, Duration)) -> Server {
    let mut patience = Patience { ask: LONG, send: LONG, take: LONG, ping: LONG };
    change(&mut patience, Duration::from_millis(200));
    Server::with(Limits::new(0, 0, 0).with_patience(patience))
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(LONG / 2)).unwrap();
    stream.set_write_timeout(Some(LONG / 2)).unwrap();
    stream
}

/// A table, and a request for a socket at it.
fn table_and_socket(server: &Server) -> (String, String, Browser) {
    let mut anna = server.visitor();
    let table = anna.post("/new", &[("game", "holdem"), ("listed", "yes")]).location().to_owned();
    let socket = format!(
        "GET {table}/socket HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        server.address, anna.cookies["fairdeal"],
    );
    (table, socket, anna)
}

fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    String::from_utf8(head).unwrap()
}

#[test]
fn a_request_whose_head_never_ends_is_given_up() {
    let server = impatient(|patience, moment| patience.ask = moment);
    for begun in ["", "GET / HTTP/1.1\r\nHost: half"] {
        let mut stream = connect(&server);
        stream.write_all(begun.as_bytes()).unwrap();
        stream.read_to_end(&mut Vec::new()).expect("it is closed");
    }
}

#[test]
fn a_body_that_never_comes_is_given_up() {
    let server = impatient(|patience, moment| patience.send = moment);
    for (path, kind) in [("/join", "application/x-www-form-urlencoded"), ("/api/v1/players", "application/json")] {
        for sent in ["", "{"] {
            let mut stream = connect(&server);
            let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: 20\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(sent.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("it is closed");
            assert!(answer.starts_with("HTTP/1.1 400"), "{path}: {answer}");
        }
    }
    // If nobody needs the body, nobody waits for it.
    let mut stream = connect(&server);
    stream.write_all(b"GET /new HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is closed");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn a_client_that_never_reads_responses_is_dropped() {
    let server = impatient(|patience, moment| patience.take = moment);
    let mut deaf = connect(&server);
    // Requests one after another, until the server has stopped reading them because nobody reads the responses.
    let why = loop {
        if let Err(why) = deaf.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /new HTTP/1.1\r\nHost: x\r\n\r\n") {
            break why.kind();
        }
    };
    assert!(matches!(why, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "it is closed: {why}");
    assert_eq!(ask(server.address, "GET", "/new", &[], "").status, 200);
}

#[test]
fn a_socket_that_answers_pings_stays_and_one_that_does_not_is_closed() {
    // Long enough for an answer, no matter how busy the machine is.
    let server = impatient(|patience, moment| patience.ping = moment * 5);
    let (_, request, _) = table_and_socket(&server);
    let mut stream = connect(&server);
    stream.write_all(request.as_bytes()).unwrap();
    assert!(head(&mut stream).starts_with("HTTP/1.1 101"));
    let mut pings = 0;
    let closed = loop {
        let mut start = [0; 2];
        if stream.read_exact(&mut start).is_err() {
            break true;
        }
        let length = match start[1] {
            126 => {
                let mut length = [0; 2];
                stream.read_exact(&mut length).unwrap();
                u64::from(u16::from_be_bytes(length))
            }
            127 => {
                let mut length = [0; 8];
                stream.read_exact(&mut length).unwrap();
                u64::from_be_bytes(length)
            }
            short => u64::from(short),
        };
        std::io::copy(&mut (&stream).take(length), &mut std::io::sink()).unwrap();
        if start[0] == 0x89 {
            pings += 1;
            if pings <= 4 {
                stream.write_all(&[0x8a, 0x80, 1, 2, 3, 4]).unwrap();
            }
            assert!(pings < 20, "nobody has answered for a long time");
        }
    };
    assert!(closed);
    assert!(pings >= 4 + 2, "four were answered, two were not: {pings}");
    while server.hub.metrics().sockets.get() > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn a_socket_that_never_reads_is_dropped_and_the_others_continue() {
    let server = impatient(|patience, moment| patience.take = moment);
    let (table, request, mut anna) = table_and_socket(&server);
    let key = format!("Bearer {}", anna.cookies["fairdeal"]);
    let deaf = server.runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        // A small buffer, so that little is in flight.
        socket.set_recv_buffer_size(4096).unwrap();
        let stream = socket.connect(server.address).await.unwrap().into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream
    });
    let mut deaf = deaf;
    deaf.write_all(request.as_bytes()).unwrap();
    assert!(head(&mut deaf).starts_with("HTTP/1.1 101"));
    while server.hub.metrics().sockets.get() == 0 {
        std::thread::yield_now();
    }
    // The whole chat is sent again whenever a message is added.
    let say = |n: u32| format!("{{\"say\":{{\"text\":\"{n} {}\"}}}}", "x".repeat(390));
    for n in 0..20_000 {
        let path = format!("/api/v1{table}/commands");
        let headers = [("Authorization", key.as_str()), ("Content-Type", "application/json")];
        assert_eq!(tell(&server, &path, &headers, &say(n)), 204, "others continue");
        if server.hub.metrics().sockets.get() == 0 {
            assert_eq!(anna.get(&table).status, 200);
            return;
        }
    }
    panic!("the socket is still there");
}

/// Sends JSON; returns the status of the response.
fn tell(server: &Server, path: &str, headers: &[(&str, &str)], body: &str) -> u16 {
    let mut stream = connect(server);
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}
