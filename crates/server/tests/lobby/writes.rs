//! Who may write, and what becomes of what is written.

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
fn a_new_name_reaches_the_tables_where_one_waits() {
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
    // The computers' picture is nobody else's.
    assert!(page.contains("avatar a3"), "{page}");
}

#[test]
fn how_things_look_is_kept_and_leads_to_no_other_site() {
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
fn a_key_makes_another_device_the_same_person() {
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
