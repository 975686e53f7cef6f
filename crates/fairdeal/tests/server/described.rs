//! The API description, compared with what the server does.

use serde_json::{Value, json};

use super::http::{Answer, request};
use super::process::{Server, free_address};

/// A server and its description, with a list of what was tried.
struct Scene {
    server: Server,
    description: Value,
    tried: Vec<String>,
    _data: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = Server::without_limits(free_address(), data.path(), None);
        let description = request(server.address, "GET", "/api", None, None).unwrap().json();
        Self { server, description, tried: Vec::new(), _data: data }
    }

    /// Makes a request, and compares the response with its description.
    fn ask(&mut self, method: &str, path: &str, names: &[&str], key: Option<&str>, body: Value) -> Answer {
        let mut real = path.to_owned();
        for (place, name) in ["{id}", "{code}"].iter().filter(|place| path.contains(*place)).zip(names) {
            real = real.replace(place, name);
        }
        let (path, _) = path.split_once('?').unwrap_or((path, ""));
        let answer = request(self.server.address, method, &real, key, (!body.is_null()).then_some(&body)).unwrap();
        let described = &self.description["paths"][path][method.to_lowercase()];
        let described = &described["responses"][answer.status.to_string()];
        assert!(described.is_object(), "{method} {path}: {answer:?}");
        if let Some(schema) = described.pointer("/content/application~1json/schema") {
            self.check(schema, &answer.json(), &format!("{method} {path}"));
        }
        self.tried.push(format!("{} {path}", method.to_lowercase()));
        answer
    }

    /// Checks a value against a schema. Supports only what our schemas use.
    fn check(&self, schema: &Value, value: &Value, at: &str) {
        if let Some(name) = schema["$ref"].as_str() {
            let schema = self.description.pointer(name.trim_start_matches('#')).unwrap();
            return self.check(schema, value, at);
        }
        if let Some(kinds) = schema.get("oneOf").and_then(Value::as_array) {
            let null = kinds.iter().any(|kind| kind["type"] == "null");
            if null && value.is_null() {
                return;
            }
            // Among several objects, the one that has the same key.
            let fits = |kind: &&Value| {
                kind["type"] != "null"
                    && kind["required"]
                        .as_array()
                        .is_none_or(|all| all.iter().all(|name| value.get(name.as_str().unwrap()).is_some()))
            };
            let kind = kinds.iter().find(fits).unwrap_or_else(|| panic!("{at}: {value}"));
            return self.check(kind, value, at);
        }
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let kinds = match &schema["type"] {
            Value::String(one) => vec![one.as_str()],
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
            _ => vec![kind],
        };
        assert!(
            kinds.contains(&kind) || kind == "integer" && kinds.contains(&"number"),
            "{at}: {kind} is not {kinds:?}: {value}"
        );
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            assert!(words.contains(value), "{at}: {value} is not in {words:?}");
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            assert!(value.get(name).is_some(), "{at}: {name} is missing in {value}");
        }
        for (name, inner) in value.as_object().into_iter().flatten() {
            match schema["properties"].get(name) {
                Some(schema) => self.check(schema, inner, &format!("{at} {name}")),
                None => assert!(schema.get("properties").is_none(), "{at}: {name} is not described"),
            }
        }
        for inner in value.as_array().into_iter().flatten() {
            self.check(&schema["items"], inner, &format!("{at} []"));
        }
    }
}

#[test]
fn every_response_is_as_described() {
    let mut scene = Scene::new();
    let made = scene.ask("POST", "/api/v1/players", &[], None, json!({ "name": "Ada", "avatar": 3 }));
    let key = made.json()["key"].as_str().unwrap().to_owned();
    let key = Some(key.as_str());
    assert_eq!(scene.ask("POST", "/api/v1/players", &[], None, json!({ "name": " " })).status, 400);
    assert_eq!(scene.ask("POST", "/api/v1/players", &[], None, json!({ "name": "A", "avatar": 99 })).status, 400);
    assert_eq!(scene.ask("PUT", "/api/v1/me", &[], key, json!({ "name": "Ada L." })).json()["avatar"], 3);
    assert_eq!(scene.ask("GET", "/api/v1/me", &[], key, json!(null)).json()["name"], "Ada L.");
    assert_eq!(scene.ask("GET", "/api/v1/me", &[], None, json!(null)).status, 401);
    scene.ask("GET", "/api/v1/games", &[], None, json!(null));
    let new = json!({ "game": "blackout", "players": 2, "listed": true, "sit": true, "pace": 0, "settings": { "start": 1, "max": 1, "end": 1 } });
    assert_eq!(scene.ask("POST", "/api/v1/tables", &[], None, new.clone()).status, 401);
    let made = scene.ask("POST", "/api/v1/tables", &[], key, new).json();
    let (table, code) = (made["table"].as_str().unwrap(), made["code"].as_str().unwrap());
    assert_eq!(scene.ask("GET", "/api/v1/codes/{code}", &[code], None, json!(null)).json()["table"], table);
    assert_eq!(scene.ask("GET", "/api/v1/codes/{code}", &["12"], None, json!(null)).status, 400);
    for path in ["/api/v1/tables", "/api/v1/me/tables"] {
        assert_eq!(scene.ask("GET", path, &[], key, json!(null)).json()[0]["table"], table);
    }
    let quick = scene.ask("POST", "/api/v1/quick", &[], key, json!({ "game": "blackout" })).json();
    let quick = quick["table"].as_str().unwrap();
    assert_ne!(quick, table, "nobody else is there");
    let begun = scene.ask("GET", "/api/v1/tables/{id}", &[quick], key, json!(null)).json();
    assert!(begun["phase"] == "playing" && begun["hints"] == true, "{begun}");
    let (one, commands) = ("/api/v1/tables/{id}", "/api/v1/tables/{id}/commands");
    assert_eq!(scene.ask("GET", one, &[table], key, json!(null)).json()["phase"], "gathering");
    for path in ["/api/v1/tables/{id}/hint", "/api/v1/tables/{id}/record"] {
        assert_eq!(scene.ask("GET", path, &[table], key, json!(null)).json()["error"], "not_begun");
    }
    let orders = [
        json!({ "rename": {} }),
        json!({ "say": { "text": "hello" } }),
        json!({ "computer": { "seat": 1, "level": "easy" } }),
        json!({ "start": {} }),
    ];
    for order in orders {
        assert_eq!(scene.ask("POST", commands, &[table], key, order.clone()).status, 204, "{order}");
    }
    assert_eq!(scene.ask("POST", commands, &[table], key, json!({ "dance": {} })).status, 400);
    assert_eq!(scene.ask("POST", commands, &[table], None, json!({ "start": {} })).status, 401);
    assert_eq!(scene.ask("POST", "/api/v1/tables/{id}/again", &[table], key, json!(null)).json()["error"], "not_over");
    // A hint is a command that can be sent as it is.
    let mut hints = 0;
    let over = loop {
        let state = scene.ask("GET", one, &[table], key, json!(null)).json();
        if state["phase"] == "over" {
            break state;
        }
        if state["awaited"] == json!([0]) {
            let hint = scene.ask("GET", "/api/v1/tables/{id}/hint", &[table], key, json!(null)).json();
            let done = scene.ask("POST", commands, &[table], key, hint["command"].clone());
            assert_eq!(done.status, 204, "{hint} {done:?}");
            hints += 1;
        }
    };
    assert!(hints == 2 && over["standing"]["over"] == true, "{over}");
    let record = scene.ask("GET", "/api/v1/tables/{id}/record", &[table], key, json!(null));
    assert!(record.status == 200 && record.body.starts_with("{\"fairdeal\""), "{record:?}");
    assert_eq!(
        record.body,
        request(scene.server.address, "GET", &format!("/tables/{table}/record"), key, None).unwrap().body
    );
    let history = scene.ask("GET", "/api/v1/me/history?game=blackout", &[], key, json!(null)).json();
    assert_eq!((&history["matches"][0]["table"], &history["next"]), (&json!(table), &json!(null)), "{history}");
    assert_eq!(scene.ask("GET", "/api/v1/me/history?before=x", &[], key, json!(null)).status, 400);
    assert_eq!(scene.ask("GET", "/api/v1/me/statistics", &[], key, json!(null)).json()[0]["matches"], 1);
    let next = scene.ask("POST", "/api/v1/tables/{id}/again", &[table], key, json!(null)).json();
    assert_ne!(next["table"], table);
    assert_eq!(scene.ask("GET", one, &[table], None, json!(null)).json()["next_table"], next["table"]);
    for path in ["", "/hint", "/record", "/play"] {
        let path = format!("/api/v1/tables/{{id}}{path}");
        assert!(scene.ask("GET", &path, &["0000000000000000"], key, json!(null)).json()["error"].is_string());
    }
    // A private table needs no player.
    let private = json!({
        "table": "ab".repeat(32), "access": "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "game": "holdem", "seats": 4, "name": "Friday",
    });
    let made = scene.ask("POST", "/api/v1/private", &[], None, private.clone()).json();
    assert_eq!(made["path"], format!("/private/{}", "ab".repeat(32)));
    assert_eq!(scene.ask("POST", "/api/v1/private", &[], None, private).json()["error"], "taken");
    assert_eq!(scene.ask("POST", "/api/v1/private", &[], None, json!({ "table": "x" })).status, 400);
    let found = scene.ask("GET", "/api/v1/codes/{code}", &[made["code"].as_str().unwrap()], None, json!(null)).json();
    assert_eq!(found["private"], "ab".repeat(32));
    let nowhere = request(scene.server.address, "GET", "/api/v1/nowhere", None, None).unwrap();
    assert_eq!((nowhere.status, nowhere.json()["error"].as_str()), (404, Some("not_found")));
    for (path, methods) in scene.description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            assert!(scene.tried.contains(&format!("{method} {path}")), "{method} {path} was not tried");
        }
    }
}

#[test]
fn everything_described_exists() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let described = request(server.address, "GET", "/api", None, None).unwrap().json();
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 7);
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let real = path.replace("{id}", "0000000000000000").replace("{code}", "000000");
            let answer = request(server.address, &method.to_uppercase(), &real, None, Some(&json!({}))).unwrap();
            // It exists, and says in JSON what is missing; or it answers.
            assert!(answer.status != 405 && answer.status < 500, "{method} {path}: {answer:?}");
            if answer.status >= 400 && !path.ends_with("/play") {
                assert!(answer.json()["error"].is_string(), "{method} {path}: {answer:?}");
            }
        }
    }
    let page = super::http::raw(server.address, "GET", "/api", "Accept: text/html\r\n", "").unwrap();
    assert!(page.body.contains("/api/v1/tables"), "{page:?}");
}
