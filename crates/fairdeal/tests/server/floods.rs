//! Clients that send far too much: over every kind of socket, and in the chat.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::json;

use super::limits::{Limited, at};

/// A WebSocket frame, masked with zeros.
fn frame(kind: u8, text: &[u8]) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    assert!(length < 126);
    [&[kind, 0x80 | length, 0, 0, 0, 0], text].concat()
}

/// Sends this again and again until the server has closed the socket; returns the last data from the server.
fn flood(mut stream: TcpStream, frame: &[u8]) -> Vec<u8> {
    let mut reading = stream.try_clone().unwrap();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut heard, mut some) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = reading.read(&mut some) {
            heard.extend_from_slice(&some[..count]);
        }
        tell.send(heard).unwrap();
    });
    // The client has to wait in between, so the server reads only a little.
    stream.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    let many = frame.repeat(1000);
    let mut sent = 0;
    loop {
        if let Ok(heard) = told.try_recv() {
            assert!(sent < 64 << 20, "{sent} bytes were taken");
            return heard;
        }
        match stream.write(&many) {
            Ok(count) => sent += count,
            Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            // It is closed, or will be once the other side has read everything.
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

#[test]
fn a_socket_that_floods_is_slowed_down_told_and_closed() {
    let limited = Limited::new(&["--messages-per-second", "20", "--requests-per-second", "0"]);
    let eager = limited.player("198.51.100.1");
    let table = eager.table().json()["table"].as_str().unwrap().to_owned();
    let (text, ping) = (frame(0x81, b"nonsense"), frame(0x89, b""));
    let sockets = [
        (at(&table), &text),
        (format!("/api/v1/tables/{table}/play"), &text),
        (at(&table), &ping),
        ("/lobby/socket".to_owned(), &ping),
    ];
    for (number, (path, frame)) in (1..).zip(sockets) {
        // Each has its own budget, and none of the others' is used.
        let eager = limited.player(&format!("198.51.100.{number}"));
        if path.starts_with("/api") {
            let sit = json!({ "sit": {} });
            assert_eq!(eager.send("POST", &format!("/api/v1/tables/{table}/commands"), &sit).status, 204);
        }
        let (status, stream) = eager.socket(&path);
        assert_eq!(status, "101", "{path}");
        let heard = flood(stream, frame);
        let end = [&[0x88, 19, 0x03, 0xf0], &b"too many messages"[..]].concat();
        assert!(
            heard.windows(end.len()).any(|some| some == end),
            "{path}: {}",
            String::from_utf8_lossy(&heard[heard.len().saturating_sub(200)..])
        );
        assert_eq!(limited.counted("floods_total"), number, "{path}");
        assert_eq!(eager.get("/new"), 200);
    }
    let log = limited.log();
    let lines = log.lines().filter(|line| line.contains("limited")).count();
    assert!(
        (1..=8).contains(&lines) && log.len() < 10_000,
        "once per socket when it starts, and when it is closed: {log}"
    );
}

#[test]
fn data_that_never_becomes_a_message_is_not_read_faster_either() {
    let limited = Limited::new(&["--requests-per-second", "0"]);
    let eager = limited.player("198.51.100.1");
    let table = eager.table().json()["table"].as_str().unwrap().to_owned();
    let (status, mut stream) = eager.socket(&at(&table));
    assert_eq!(status, "101");
    // A message in fragments that are all empty and never end.
    stream.write_all(&frame(0x01, b"")).unwrap();
    let many = frame(0x00, b"").repeat(10_000);
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let mut sent = 0;
    while let Ok(count) = stream.write(&many) {
        sent += count;
        assert!(sent < 64 << 20, "{sent} bytes were taken");
    }
    assert_eq!(eager.get("/new"), 200);
}

#[test]
fn chat_has_its_own_limits_and_the_owner_can_mute() {
    let limited = Limited::new(&["--requests-per-second", "0", "--tables-per-minute", "0"]);
    let owner = limited.player("198.51.100.1");
    let table = owner.table().json()["table"].as_str().unwrap().to_owned();
    let commands = format!("/api/v1/tables/{table}/commands");
    let say = json!({ "say": { "text": "hello" } });
    let count = |from: &str| {
        let keys: Vec<_> = (0..20).map(|_| limited.player(from)).collect();
        let said = keys.iter().flat_map(|key| (0..3).map(|_| key.send("POST", &commands, &say).status));
        said.filter(|status| *status == 204).count()
    };
    // Twenty free keys that watch: ten messages, and then one every two seconds.
    let said = count("198.51.100.2");
    assert!((10..40).contains(&said), "{said} of 60");
    assert_eq!(owner.send("POST", &commands, &say).status, 204, "players can still talk");
    let refused = (0..60).map(|_| owner.send("POST", &commands, &say)).find(|answer| answer.status != 204).unwrap();
    assert_eq!((refused.status, refused.json()["error"].as_str()), (429, Some("too_many")));
    // Other commands are not affected.
    let bert = limited.player("198.51.100.3");
    assert_eq!(bert.send("POST", &commands, &json!({ "sit": {} })).status, 204);
    let id = bert.send("GET", "/api/v1/me", &json!(null)).json()["player"].clone();
    let mute = |muted: bool| json!({ "mute": { "player": id, "muted": muted } });
    assert_eq!(bert.send("POST", &commands, &mute(true)).json()["error"], "not_owner");
    assert_eq!(owner.send("POST", &commands, &mute(true)).status, 204);
    let refused = bert.send("POST", &commands, &say);
    assert_eq!((refused.status, refused.json()["error"].as_str()), (409, Some("muted")));
    assert_eq!(owner.send("POST", &commands, &mute(false)).status, 204);
    assert_eq!(bert.send("POST", &commands, &say).status, 204);
    // All spectators, at another table.
    let commands = format!("/api/v1/tables/{}/commands", owner.table().json()["table"].as_str().unwrap());
    let looker = limited.player("198.51.100.4");
    assert_eq!(looker.send("POST", &commands, &say).status, 204);
    assert_eq!(owner.send("POST", &commands, &json!({ "mute": { "muted": true } })).status, 204);
    assert_eq!(looker.send("POST", &commands, &say).json()["error"], "muted");
}
