//! The lobby and related pages, requested over real sockets.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[path = "../common/postgres.rs"]
#[allow(dead_code, reason = "other test programs use the rest")]
mod postgres;

mod board;
mod cookies;
mod garbled;
mod http;
mod patience;
mod played;
mod together;
mod writes;

use games::AnyGame;
use http::{Server, ask};
use server::web::Limits;

#[test]
fn one_script_may_talk_to_nodes_and_no_page_and_no_other_file_may() {
    let server = Server::start();
    let mut anna = server.visitor();
    let lobby = anna.get("/");
    let (_, rest) = lobby.body.split_once("/assets/").unwrap();
    let (version, _) = rest.split_once('/').unwrap();
    let mut allowed = |path: &str| anna.get(path).header("content-security-policy").unwrap().to_owned();
    assert!(allowed(&format!("/assets/{version}/wallet.js")).ends_with("connect-src 'self' ws: wss:"));
    for path in ["/", "/chain/play", "/chain/table/1", &format!("/assets/{version}/worker.js")] {
        assert!(allowed(path).contains("connect-src 'self';"), "{path}");
    }
    // A table has a number.
    assert_eq!(anna.get("/chain/table/one").status, 404);
}

#[test]
fn files_of_another_version_are_not_answered_with_those_of_this_one() {
    let server = Server::start();
    let lobby = server.visitor().get("/");
    let (_, rest) = lobby.body.split_once("/assets/").unwrap();
    let (version, _) = rest.split_once('/').unwrap();
    for folder in ["/assets", "/solo/assets"] {
        let get = |version: &str| ask(server.address, "GET", &format!("{folder}/{version}/seat.js"), &[], "");
        assert_eq!(get(version).status, 200, "{folder}");
        let other = get("000000000000");
        assert_eq!((other.status, other.header("cache-control")), (404, Some("no-store")), "{folder}");
    }
}

#[test]
fn a_first_visit_gives_a_key_that_scripts_and_other_sites_cannot_use() {
    let server = Server::start();
    let mut anna = server.visitor();
    let first = anna.get("/");
    assert_eq!(first.status, 200);
    let cookie = first.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("fairdeal=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    assert!(first.header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert_eq!(first.header("cache-control"), Some("no-store"));
    assert!(!first.body.contains(&anna.cookies["fairdeal"]));
    let second = anna.get("/");
    assert_eq!(second.header("set-cookie"), None);
    for game in AnyGame::ALL {
        assert!(second.body.contains(&format!("href=\"/new/{}\"", game.name())), "{}", game.name());
    }
    anna.language = "de-AT,de;q=0.9";
    assert!(anna.get("/").body.contains("Neuer Tisch"));
}

#[test]
fn every_game_can_be_set_up_with_its_defaults() {
    let server = Server::start();
    let mut anna = server.visitor();
    for game in AnyGame::ALL {
        let form = anna.get(&format!("/new/{}", game.name()));
        assert_eq!(form.status, 200);
        for setting in games::with_game!(*game, G => <<G as table::Game>::Settings as table::Settings>::described()) {
            // Ongdu has its own time limit.
            let idle = *game == AnyGame::Ongdu && setting.name == "action_timeout";
            let offered = form.body.contains(&format!("name=\"set.{}\"", setting.name));
            assert_ne!(offered, idle, "{}: {}", game.name(), setting.name);
        }
        let made = anna.post("/new", &[("game", game.name()), ("players", "2"), ("listed", "yes"), ("seat.1", "easy")]);
        let table = made.location().to_owned();
        let page = anna.get(&table);
        assert_eq!(page.status, 200, "{}", page.body);
        assert_eq!(anna.get(&format!("{table}/qr.svg")).header("content-type"), Some("image/svg+xml"));
    }
    assert_eq!(anna.get("/new/chess").status, 404);
    assert_eq!(anna.post("/new", &[("game", "chess")]).status, 404);
    assert_eq!(anna.post("/new", &[]).status, 404);
}

#[test]
fn nonsense_comes_back_with_the_form_as_it_was_filled_in() {
    let server = Server::start();
    let mut anna = server.visitor();
    let evil = "\"><script>x()</script>";
    let fields = [
        ("game", "blackout"),
        ("players", "4"),
        ("set.start", evil),
        ("set.points_for_correct_bet", "77"),
        ("set.no_trump_rounds", "1,2,999"),
        ("set.hook", "true"),
        ("reveal", "never"),
        ("pace", "-1"),
        ("seat.1", "hard"),
        ("seat.3", "genius"),
    ];
    let again = anna.post("/new", &fields);
    assert_eq!(again.status, 422);
    assert!(!again.body.contains("<script>x()"), "{}", again.body);
    assert!(again.body.contains("&lt;script&gt;x()"));
    assert!(again.body.contains("value=\"77\"") && again.body.contains("value=\"1,2,999\""));
    assert!(again.body.contains("from 1 to 26") && again.body.contains("numbers from 1 to 51"));
    assert!(again.body.contains("id=\"players-4\" checked"));
    let long = "9".repeat(60_000);
    assert_eq!(anna.post("/new", &[("game", "holdem"), ("set.ante", &long)]).status, 413);
    assert_eq!(anna.post("/new", &[("game", "holdem"), ("players", "-3")]).status, 422);
    assert_eq!(anna.post("/new", &[("game", "holdem"), ("players", "300")]).status, 422);
}

#[test]
fn a_code_leads_to_its_table_with_its_zeros() {
    let server = Server::start();
    let mut anna = server.visitor();
    let (table, code) = loop {
        let table = anna.post("/new", &[("game", "romme")]).location().to_owned();
        let id = table.rsplit('/').next().unwrap().parse().unwrap();
        let row = server.runtime.block_on(server.hub.store().table(id)).unwrap().unwrap();
        if row.code.to_string().starts_with('0') {
            break (table, row.code.to_string());
        }
    };
    let mut bob = server.visitor();
    assert_eq!(bob.get(&format!("/join/{code}")).location(), table);
    assert_eq!(bob.post("/join", &[("code", &code)]).location(), table);
    let (first, second) = code.split_at(3);
    assert_eq!(bob.post("/join", &[("code", &format!(" {first} {second} "))]).location(), table);
    assert_eq!(bob.post("/join", &[("code", &format!("{first}-{second}"))]).location(), table);
    for wrong in [code.trim_start_matches('0'), "", "abcdef", "0000000", "\u{0}", "'; DROP TABLE tables; --"] {
        let answer = bob.post("/join", &[("code", wrong)]);
        assert_eq!(answer.status, 404, "{wrong}");
        assert!(answer.body.contains("code-wrong"));
    }
    assert!(anna.get(&table).body.contains(&code));
}

#[test]
fn quick_play_finds_an_open_table_or_computers() {
    let server = Server::start();
    let (mut anna, mut bob, mut clara) = (server.visitor(), server.visitor(), server.visitor());
    for one in [&mut anna, &mut bob, &mut clara] {
        one.get("/");
    }
    let alone = anna.post("/quick", &[("game", "ongdu")]).location().to_owned();
    let page = anna.get(&alone).body;
    assert!(page.contains("seat-1") && !page.contains("Start the match"), "it has begun: {page}");
    assert_eq!(anna.post("/quick", &[("game", "ongdu")]).location(), alone, "the same again");
    let listed = bob.post("/new", &[("game", "ongdu"), ("players", "2"), ("listed", "yes")]).location().to_owned();
    bob.get(&listed);
    let lobby = clara.get("/").body;
    assert!(lobby.contains(&listed) && !lobby.contains(&alone), "{lobby}");
    assert_eq!(clara.post("/quick", &[("game", "ongdu")]).location(), listed);
    let lobby = clara.get("/").body;
    assert!(lobby.contains("Your tables") && lobby.contains(&listed));
    assert_ne!(server.visitor().post("/quick", &[("game", "ongdu")]).location(), listed, "it is full");
    assert_eq!(clara.post("/quick", &[("game", "chess")]).status, 404);
}

/// Whether the match has begun at the table where this person sits.
fn plays(one: &mut http::Browser, table: &str) -> bool {
    let page = one.get(table).body;
    page.contains("id=\"middle\"") && page.contains("Leave the table")
}

#[test]
fn play_now_always_leads_to_a_game() {
    let server = Server::start();
    let (mut anna, mut bob) = (server.visitor(), server.visitor());
    for one in [&mut anna, &mut bob] {
        one.get("/");
    }
    let quick = |one: &mut http::Browser, more: &[(&str, &str)]| {
        one.post("/quick", &[&[("game", "blackout")][..], more].concat()).location().to_owned()
    };
    // A visitor created this table and never came to it.
    let left = anna.post("/new", &[("game", "blackout"), ("players", "3"), ("listed", "yes")]).location().to_owned();
    let begun = quick(&mut bob, &[]);
    assert_ne!(begun, left, "nobody is there to start it");
    assert!(plays(&mut bob, &begun));
    // The same holds for the player's own table that nobody has come to.
    let begun = quick(&mut anna, &[]);
    assert_ne!(begun, left);
    assert!(plays(&mut anna, &begun));
    assert_eq!(quick(&mut anna, &[]), begun, "clicking twice does not start another match");
    // A table whose owner is there is joined; but nobody has to wait.
    let (mut clara, mut dora) = (server.visitor(), server.visitor());
    let open = clara.post("/new", &[("game", "blackout"), ("players", "2"), ("listed", "yes")]).location().to_owned();
    clara.get(&open);
    dora.get("/");
    assert_eq!(quick(&mut dora, &[]), open);
    let page = dora.get(&open).body;
    assert!(page.contains("to start the match") && page.contains("name=\"alone\""), "{page}");
    assert_eq!(quick(&mut dora, &[]), open, "still the same");
    let alone = quick(&mut dora, &[("alone", "yes")]);
    assert!(alone != open && plays(&mut dora, &alone));
    // A player's own table with only computers begins.
    let mut emil = server.visitor();
    emil.get("/");
    let fields = [("game", "blackout"), ("players", "2"), ("seat.1", "easy")];
    let full = emil.post("/new", &fields).location().to_owned();
    assert_eq!(quick(&mut emil, &[]), full);
    assert!(plays(&mut emil, &full));
}

#[test]
fn the_creator_of_a_table_decides_who_may_ask_for_hints() {
    let server = Server::start();
    let mut anna = server.visitor();
    for (hints, told) in
        [("alone", "alone with computers"), ("on", "everybody, and the others see it"), ("off", "nobody")]
    {
        let made = anna.post("/new", &[("game", "blackout"), ("players", "2"), ("hints", hints)]);
        let page = anna.get(made.location()).body;
        assert!(page.contains(told), "{hints}: {page}");
    }
    assert!(anna.get("/new/blackout").body.contains("<option value=\"alone\" selected"));
}

#[test]
fn odd_paths_lead_nowhere() {
    let server = Server::start();
    let long = format!("/tables/{}", "a".repeat(20_000));
    let paths = [
        "/tables/../..",
        "/tables/..%2f..%2f",
        "/tables/%00",
        "/tables/%ff%fe",
        "/tables/0000000000000000",
        "/tables/0000000000000000/record",
        "/tables/0000000000000000/replay",
        "/tables/0000000000000000/qr.svg",
        "/tables/0000000000000000/hands.phh",
        "/tables/0000000000000000/replay?step=-1",
        "/tables/0000000000000000/replay?step=99999999999999999999999",
        "/assets/x/../../Cargo.toml",
        "/assets/x/..%2f..%2fCargo.toml",
        "/join/%00",
        "/join/%F0%9F%82%A1",
        "/new/%2e%2e",
        "/../../etc/passwd",
        &long,
    ];
    for path in paths {
        let answer = ask(server.address, "GET", path, &[], "");
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
    }
    for query in ["before=x", "before=1-", "before=-1-0000000000000000", "game=%00", "before=99999999999999999999-0"] {
        assert_eq!(ask(server.address, "GET", &format!("/history?{query}"), &[], "").status, 200, "{query}");
    }
}

#[test]
fn operators_can_read_health_and_metrics() {
    let server = Server::start();
    let health = ask(server.address, "GET", "/healthz", &[], "");
    assert_eq!((health.status, health.body.as_str()), (200, "ok\n"));
    let metrics = ask(server.address, "GET", "/metrics", &[], "");
    assert!(metrics.status == 200 && metrics.body.contains("fairdeal_tables_made"));
    for from in ["198.51.100.7", "127.0.0.1, 198.51.100.7", "nonsense"] {
        assert_eq!(ask(server.address, "GET", "/metrics", &[("X-Forwarded-For", from)], "").status, 404, "{from}");
    }
    server.runtime.block_on(server.hub.store().close());
    assert_eq!(ask(server.address, "GET", "/healthz", &[], "").status, 503);
}

#[test]
fn clients_that_exceed_a_limit_must_wait_and_others_need_not() {
    let server = Server::with(Limits::new(1, 0, 2));
    let from = |address: &'static str| [("X-Forwarded-For", address)];
    let quick = |address| ask(server.address, "POST", "/quick", &from(address), "game=blackjack").status;
    let made: Vec<u16> = (0..4).map(|_| quick("198.51.100.1")).collect();
    assert_eq!(made, [303, 303, 429, 429]);
    assert_eq!(quick("198.51.100.2"), 303);
    let asked: Vec<u16> =
        (0..30).map(|_| ask(server.address, "GET", "/new", &from("198.51.100.3"), "").status).collect();
    assert!(asked.starts_with(&[200; 5]) && asked.contains(&429), "{asked:?}");
    assert_eq!(ask(server.address, "GET", "/new", &from("198.51.100.4"), "").status, 200);
    // Programs get errors in their own format.
    let mut told = (0..30).map(|_| ask(server.address, "GET", "/api/v1/games", &from("198.51.100.3"), ""));
    let told = told.find(|answer| answer.status == 429).unwrap();
    assert!(told.body.contains("\"error\":\"too_many\""), "{told:?}");
}
