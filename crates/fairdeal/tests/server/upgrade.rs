//! A server that was updated and now has other rules.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::Connection as _;

use super::http::{Answer, raw, request};
use super::players::Table;
use super::process::{Server, free_address};

/// Changes a database that no server has open.
fn change(data: &Path, statements: &[&str]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let address = format!("sqlite:{}", data.join("fairdeal.sqlite").display());
        let mut database = sqlx::SqliteConnection::connect(&address).await.unwrap();
        for statement in statements {
            let done = sqlx::query(sqlx::AssertSqlSafe((*statement).to_owned())).execute(&mut database).await.unwrap();
            assert!(done.rows_affected() > 0, "{statement}");
        }
        database.close().await.unwrap();
    });
}

/// A page as a player sees it, in this language.
fn page(server: &Server, path: &str, key: &str, language: &str) -> Answer {
    let head = format!("Authorization: Bearer {key}\r\nAccept-Language: {language}\r\n");
    raw(server.address, "GET", path, &head, "").unwrap()
}

#[test]
fn tables_with_other_rules_are_set_aside_and_their_results_stay() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::without_limits(free_address(), data.path(), None);
    let mut over = Table::begin(server.address, "blackout", &json!({ "start": 1, "max": 1, "end": 1 }));
    while over.state(server.address, 0).unwrap()["phase"] != "over" {
        over.step(&[server.address]).unwrap();
    }
    let anna = over.keys[0].clone();
    let ask = |server: &Server, method: &str, path: &str, body: serde_json::Value| {
        request(server.address, method, path, Some(&anna), (!body.is_null()).then_some(&body)).unwrap()
    };
    let new = |server: &Server, computers: &[&str]| {
        let new = json!({ "game": "blackout", "players": 2, "listed": true, "sit": true, "computers": computers });
        let made = ask(server, "POST", "/api/v1/tables", new);
        made.json()["table"].as_str().unwrap().to_owned()
    };
    let (gathering, running) = (new(&server, &[]), new(&server, &["easy"]));
    let started = ask(&server, "POST", &format!("/api/v1/tables/{running}/commands"), json!({ "start": {} }));
    assert_eq!(started.status, 204, "{started:?}");
    let record = format!("/tables/{}/record", over.id);
    let before = page(&server, &record, &anna, "en").body;
    server.stop();

    // As if all of them had been created by a program with other rules.
    let body = "UPDATE entries SET body = replace(body, '\"rules\":1,', '\"rules\":99,') WHERE height = 0";
    change(data.path(), &[body, "UPDATE tables SET rules = 99"]);
    let mut server = Server::without_limits(free_address(), data.path(), None);
    assert_eq!(page(&server, &record, &anna, "en").body, before, "the record is as it was");
    for path in ["", "/replay", "/replay?step=3"] {
        let path = format!("/tables/{}{path}", over.id);
        let shown = page(&server, &path, &anna, "en");
        assert_eq!(shown.status, 200, "{shown:?}");
        assert!(shown.body.contains("played under older rules") && shown.body.contains(&record), "{shown:?}");
        assert!(shown.body.contains("Anna") && shown.body.contains("Bert"), "{shown:?}");
        assert!(page(&server, &path, &anna, "de").body.contains("nach anderen Regeln gespielt"));
    }
    assert!(page(&server, "/history", &anna, "en").body.contains(&over.id));
    let history = ask(&server, "GET", "/api/v1/me/history", json!(null)).json();
    assert_eq!(history["matches"][0]["table"], over.id.as_str(), "{history}");
    assert_eq!(ask(&server, "GET", "/api/v1/me/statistics", json!(null)).json()[0]["matches"], 1);

    for table in [&gathering, &running] {
        let shown = page(&server, &format!("/tables/{table}"), &anna, "en");
        assert!(shown.status == 409 && shown.body.contains("It cannot be continued"), "{shown:?}");
        assert_eq!(page(&server, &format!("/tables/{table}/record"), &anna, "en").status, 409);
        let refused = ask(&server, "POST", &format!("/api/v1/tables/{table}/commands"), json!({ "stand": {} }));
        assert_eq!((refused.status, refused.json()["error"].as_str()), (409, Some("other_rules")), "{refused:?}");
    }
    for path in ["/", "/api/v1/tables", "/api/v1/me/tables"] {
        let listed = page(&server, path, &anna, "en");
        assert_eq!(listed.status, 200);
        assert!(!listed.body.contains(&gathering) && !listed.body.contains(&running), "{listed:?}");
    }
    let seat = ask(&server, "POST", "/api/v1/quick", json!({ "game": "blackout" }));
    let fresh = seat.json()["table"].as_str().unwrap().to_owned();
    assert!(fresh != gathering && fresh != running);
    assert_eq!(ask(&server, "GET", &format!("/api/v1/tables/{fresh}"), json!(null)).json()["seat"], 0);
    server.stop();

    // They are deleted when they are old, even if a match had begun.
    let old = format!("UPDATE tables SET changed_at = changed_at - 86400000 * 31 WHERE id <> '{fresh}'");
    change(data.path(), &[&old]);
    let server = Server::start(free_address(), data.path(), None, &["--keep-days", "30"]);
    let until = Instant::now() + Duration::from_secs(60);
    for table in [&gathering, &running, &over.id] {
        while ask(&server, "GET", &format!("/api/v1/tables/{table}"), json!(null)).status != 404 {
            assert!(Instant::now() < until, "{table} is still there");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    assert_eq!(ask(&server, "GET", &format!("/api/v1/tables/{fresh}"), json!(null)).status, 200);
}
