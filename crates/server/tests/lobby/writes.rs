//! Who may write, and what becomes of it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use server::ids::Key;
use server::store::Player;

use crate::http::{Server, ask};

#[test]
fn no_other_site_can_write_for_a_visitor() {
    let server = Server::start();
    let mut anna = server.visitor();
    let table = anna.post("/new", &[("game", "holdem")]).location().to_owned();
    let again = format!("{table}/again");
    let sit = format!("{table}/sit");
    let (jar, own) = (anna.jar(), format!("http://{}", server.address));
    let writes = ["/new", "/quick", "/join", "/me", "/me/key", "/me/enter", "/look", again.as_str(), sit.as_str()];
    for path in writes {
        let foreign: [&[(&str, &str)]; 5] = [
            &[("Origin", "http://evil.example")],
            &[("Origin", "null")],
            &[("Origin", &own), ("Sec-Fetch-Site", "cross-site")],
            &[("Origin", &own), ("Sec-Fetch-Site", "same-site")],
            // A browser that says nothing still sends its cookie.
            &[],
        ];
        for headers in foreign {
            let headers: Vec<(&str, &str)> = headers.iter().copied().chain([("Cookie", jar.as_str())]).collect();
            let answer = ask(server.address, "POST", path, &headers, "game=holdem&name=x&code=000000&key=x");
            assert_eq!(answer.status, 403, "{path} {headers:?}");
            assert!(answer.header("set-cookie").is_none());
        }
        assert_ne!(
            anna.post(path, &[("game", "holdem"), ("name", "x"), ("code", "1"), ("key", "1")]).status,
            403,
            "{path}"
        );
    }
    for path in ["/quick", "/join", "/me/key", "/me/enter", "/look", again.as_str(), sit.as_str()] {
        assert_eq!(anna.get(path).status, 405, "{path} is for writing only");
    }
}

#[test]
fn a_name_is_shown_as_it_is_and_never_run() {
    let server = Server::start();
    let mut anna = server.visitor();
    anna.get("/");
    let name = "<script>x()</script>";
    anna.post("/me", &[("name", name), ("avatar", "7"), ("lang", "en")]).location();
    let table = anna.post("/new", &[("game", "romme"), ("listed", "yes")]).location().to_owned();
    let mut bob = server.visitor();
    for page in [anna.get("/me").body, bob.get("/").body, bob.get(&table).body] {
        assert!(!page.contains(name), "{page}");
        assert!(page.contains("&lt;script&gt;x()&lt;/script&gt;"), "{page}");
    }
    for bad in ["", "   ", &"x".repeat(25), "a\u{202e}b", "a\nb", "\u{200b}"] {
        let answer = anna.post("/me", &[("name", bad)]);
        assert_eq!(answer.status, 422, "{bad:?}");
        assert!(answer.body.contains("name-wrong"));
    }
    assert!(anna.get("/me").body.contains("&lt;script&gt;"), "nothing has changed");
}

#[test]
fn a_new_name_reaches_the_tables_where_the_player_waits() {
    let server = Server::start();
    let (mut anna, mut bob) = (server.visitor(), server.visitor());
    anna.get("/");
    anna.post("/me", &[("name", "Anna"), ("avatar", "3")]).location();
    let table = anna.post("/new", &[("game", "romme"), ("listed", "yes")]).location().to_owned();
    assert!(bob.get(&table).body.contains("Anna"));
    anna.post("/me", &[("name", "Annette"), ("avatar", "0")]).location();
    let page = bob.get(&table).body;
    assert!(page.contains("Annette") && !page.contains("Anna<"), "{page}");
    assert!(bob.get("/").body.contains("Annette"));
    // Nobody else can have the computers' picture.
    assert!(page.contains("avatar a3"), "{page}");
}

#[test]
fn display_preferences_are_kept_and_never_redirect_to_another_site() {
    let server = Server::start();
    let mut anna = server.visitor();
    anna.get("/");
    assert_eq!(anna.post("/look", &[("theme", "dark"), ("lang", "de"), ("back", "/history")]).location(), "/history");
    let page = anna.get("/").body;
    assert!(page.contains("<html lang=\"de\" class=\"dark\">"), "{page}");
    anna.post("/look", &[("four", "yes"), ("sounds", "no"), ("back", "//evil.example")]).location();
    assert!(anna.get("/").body.contains("class=\"dark four mute\""));
    assert_eq!(anna.post("/look", &[("back", "https://evil.example")]).location(), "/");
    anna.post(
        "/me",
        &[("name", "A"), ("theme", "system"), ("four", "no"), ("four", "yes"), ("sounds", "no"), ("sounds", "yes")],
    );
    assert!(anna.get("/").body.contains("class=\"four\""));
}

#[test]
fn a_key_transfers_a_profile_to_another_device() {
    let server = Server::start();
    let mut phone = server.visitor();
    phone.get("/");
    phone.post("/me", &[("name", "Anna")]).location();
    let key = phone.cookies["fairdeal"].clone();
    assert!(!phone.get("/me").body.contains(&key));
    let shown = phone.post("/me/key", &[]);
    assert!(shown.body.contains(&key) && shown.header("cache-control") == Some("no-store"));
    let mut laptop = server.visitor();
    laptop.get("/");
    for wrong in ["", "x", &"0".repeat(64), &key[1..]] {
        assert_eq!(laptop.post("/me/enter", &[("key", wrong)]).status, 422, "{wrong}");
    }
    let (first, second) = key.split_at(32);
    assert_eq!(laptop.post("/me/enter", &[("key", &format!(" {first} {second}\n"))]).location(), "/me");
    assert_eq!(laptop.cookies["fairdeal"], key);
    assert!(laptop.get("/me").body.contains("value=\"Anna\""));
}

#[test]
fn database_errors_are_not_shown_to_programs_either() {
    let server = Server::start();
    let table = server.visitor().post("/new", &[("game", "holdem"), ("players", "3")]).location().to_owned();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let request = format!(
        "GET /api/v1{table}/play HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        "ab".repeat(32),
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut heard = vec![0; 12];
    stream.read_exact(&mut heard).unwrap();
    assert_eq!(heard, b"HTTP/1.1 101");
    server.runtime.block_on(server.hub.store().close());
    let say = b"{\"command\":{\"say\":{\"text\":\"hello\"}}}";
    stream.write_all(&[0x81, 0x80 | u8::try_from(say.len()).unwrap(), 0, 0, 0, 0]).unwrap();
    stream.write_all(say).unwrap();
    while !String::from_utf8_lossy(&heard).contains("Try again soon.") {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&heard));
        heard.extend_from_slice(&some[..count]);
    }
    let heard = String::from_utf8_lossy(&heard);
    assert!(heard.contains("{\"refused\":{\"id\":0,\"why\":\"The server cannot save anything"), "{heard}");
}

#[test]
fn a_program_cannot_look_like_a_computer() {
    let server = Server::start();
    for (avatar, fine) in [("0", false), ("1", true), ("23", true), ("24", false), ("null", true)] {
        let body = format!("{{\"name\":\"Ada\",\"avatar\":{avatar}}}");
        let length = body.len().to_string();
        let mut stream = TcpStream::connect(server.address).unwrap();
        let head = "POST /api/v1/players HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json";
        stream.write_all(format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(if fine { "HTTP/1.1 201" } else { "HTTP/1.1 400" }), "{avatar}: {answer}");
    }
}

#[test]
fn a_returning_players_visit_is_recorded() {
    let server = Server::start();
    let mut anna = server.visitor();
    anna.get("/");
    anna.post("/me", &[("name", "Anna")]).location();
    let player = anna.cookies["fairdeal"].parse::<Key>().unwrap().player();
    let store = server.hub.store();
    let stored = || server.runtime.block_on(store.player(&player)).unwrap().unwrap();
    server.runtime.block_on(store.save_player(Player { seen_at: 1000, ..stored() })).unwrap();
    anna.get("/");
    let until = Instant::now() + Duration::from_secs(60);
    while stored().seen_at == 1000 {
        assert!(Instant::now() < until, "the visit was not recorded");
        std::thread::sleep(Duration::from_millis(10));
    }
}
