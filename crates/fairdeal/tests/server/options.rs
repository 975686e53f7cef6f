//! The options of a server and its operator commands, and their sources.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::http::raw;
use super::process::{Server, free_address};

/// The program, without the environment variables of the test run.
fn program(words: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("FAIRDEAL_")) {
        command.env_remove(name);
    }
    command.args(words).envs(variables.iter().copied());
    command
}

/// Its exit code, output and error output.
fn run(words: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let out = program(words, variables).output().unwrap();
    (out.status.code(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
}

/// The first line that a server prints; the server is then stopped.
fn first_line(words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut child = program(words, variables).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    line.trim().to_owned()
}

fn write(path: &Path, text: &str) -> String {
    std::fs::write(path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn commands_find_the_database_as_the_server_does() {
    let folder = tempfile::tempdir().unwrap();
    let [line, variable, file] =
        ["line", "variable", "file"].map(|name| format!("sqlite:{}", folder.path().join(name).display()));
    let made = [&line, &variable, &file].map(|database| {
        let (code, out, err) = run(&["table", "quickstart", "--database", database], &[]);
        assert_eq!(code, Some(0), "{err}");
        out.lines().next().unwrap().to_owned()
    });
    let config = write(&folder.path().join("fairdeal.toml"), &format!("keep-days = 3\ndatabase = \"{file}\"\n"));
    let environment = [("FAIRDEAL_CONFIG", config.as_str()), ("FAIRDEAL_DATABASE", variable.as_str())];
    for words in [&["table", "list"][..], &["table", "list", "--json"]] {
        let list = |more: &[&str], variables: &[(&str, &str)]| run(&[words, more].concat(), variables).1;
        assert!(list(&["--config", &config], &[]).contains(&made[2]));
        assert!(list(&[], &environment[..1]).contains(&made[2]));
        assert!(list(&[], &environment).contains(&made[1]));
        assert!(list(&["--config", &config], &environment[1..]).contains(&made[1]));
        assert!(list(&["--database", &line], &environment).contains(&made[0]));
    }
    let copy = folder.path().join("copy").to_str().unwrap().to_owned();
    assert_eq!(run(&["database", "backup", &copy, "--config", &config], &[]).0, Some(0));
    let copied = run(&["table", "list", "--database", &format!("sqlite:{copy}")], &[]).1;
    assert!(copied.contains(&made[2]), "{copied}");
}

#[test]
fn a_damaged_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fairdeal.sqlite").to_str().unwrap().to_owned();
    let place = ["--database", &format!("sqlite:{path}")];
    assert_eq!(run(&[&["table", "quickstart"][..], &place].concat(), &[]).0, Some(0));
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(5000).unwrap();
    for words in [&["serve", "--listen", "127.0.0.1:0"][..], &["table", "list"], &["table", "quickstart"]] {
        let (code, out, err) = run(&[words, &place].concat(), &[]);
        assert!(code == Some(2) && out.is_empty(), "{words:?}: {code:?} {out}");
        assert!(err.contains(&path) && err.contains("malformed") && err.lines().count() == 1, "{words:?}: {err}");
    }
}

#[test]
fn the_command_line_overrides_variables_and_they_override_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let said = format!("listen = \"127.0.0.1:0\"\ndata = \"{data}\"\npublic-url = \"http://file.example/\"\n");
    let config = write(&folder.path().join("fairdeal.toml"), &said);
    let serve = ["serve", "--config", &config];
    let variable = [("FAIRDEAL_PUBLIC_URL", "http://variable.example")];
    assert_eq!(first_line(&serve, &[]), "fairdeal is at http://file.example");
    assert_eq!(first_line(&serve, &variable), "fairdeal is at http://variable.example");
    // Some editors begin a file with a byte order mark, and a port alone is enough.
    let marked = said.replace("\"127.0.0.1:0\"", "0").replace('\n', "\r\n");
    write(&folder.path().join("fairdeal.toml"), &format!("\u{feff}{marked}"));
    assert_eq!(first_line(&serve, &[]), "fairdeal is at http://file.example");
    assert!(first_line(&["serve", "--data", data, "--listen", "localhost:0"], &[]).contains("http://127.0.0.1:"));
    let line = [&serve[..], &["--public-url", "https://line.example:443"]].concat();
    assert_eq!(first_line(&line, &variable), "fairdeal is at https://line.example");
}

#[test]
fn invalid_options_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &[&str], variables: &[(&str, &str)], saying: &[&str]| {
        let (code, _, err) = run(words, variables);
        assert_eq!(code, Some(2), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(saying.iter().all(|text| err.contains(text)), "{saying:?} in {err}");
        assert!(!err.contains("hush"), "{err}");
    };
    let files = [
        ("keep-day = 3", ["line 1", "unknown field `keep-day`"]),
        ("\nlisten = \"nonsense\"", ["line 2", "it needs a port"]),
        ("keep-days = -1", ["line 1", "-1"]),
        ("log = \"loud\"", ["line 1", "loud"]),
        ("open-metrics = 1", ["line 1", "boolean"]),
        ("public-url = \"cards.example.org\"", ["public-url", "http://"]),
        ("database = postgres://me:hush@localhost/x", ["line 1", "fairdeal.toml"]),
    ];
    for (text, saying) in files {
        let config = write(&folder.path().join("fairdeal.toml"), text);
        refused(&["serve", "--config", &config], &[], &saying);
        refused(&["serve"], &[("FAIRDEAL_CONFIG", &config)], &saying);
        if !text.starts_with("public-url") {
            refused(&["table", "list", "--config", &config], &[], &saying);
            refused(&["database", "backup", "/nowhere/x"], &[("FAIRDEAL_CONFIG", &config)], &saying);
        }
    }
    for command in [&["serve"][..], &["table", "list"], &["database", "restore", "x"]] {
        refused(&[command, &["--config", "/nowhere/x.toml"]].concat(), &[], &["/nowhere/x.toml"]);
    }
    refused(&["serve"], &[("FAIRDEAL_KEEP_DAYS", "many")], &["many", "--keep-days"]);
    refused(&["serve"], &[("FAIRDEAL_OPEN_METRICS", "maybe")], &["maybe", "--open-metrics"]);
    refused(&["serve", "--public-url", "https://a.example/b"], &[], &["https://a.example/b", "without a path"]);
}

#[test]
fn links_use_the_address_the_visitor_typed() {
    let folder = tempfile::tempdir().unwrap();
    let listen = std::net::SocketAddr::from(([0, 0, 0, 0], free_address().port()));
    let server = Server::start(listen, folder.path(), None, &["--tables-per-minute", "0"]);
    assert!(server.address.ip().is_loopback(), "the printed address can be opened: {}", server.address);
    let key = super::programs::key(&server, "Ada");
    let body = serde_json::json!({ "game": "holdem", "players": 2 }).to_string();
    let link = |host: &str| {
        let head = format!("Host: {host}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n");
        let made = raw(server.address, "POST", "/api/v1/tables", &head, &body).unwrap();
        assert_eq!(made.status, 201, "{made:?}");
        made.json()["link"].as_str().unwrap().to_owned()
    };
    assert!(link("192.0.2.7:7777").starts_with("http://192.0.2.7:7777/tables/"));
    assert!(link("cards.local").starts_with("http://cards.local/tables/"));
    let odd = link("x/\"><script>");
    assert!(odd.starts_with(&format!("http://{}/tables/", server.address)), "{odd}");
    // Only pages of the requested host may write.
    let quick = |host: &str, origin: &str| {
        let head = format!(
            "Host: {host}\r\nOrigin: {origin}\r\nCookie: fairdeal={key}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n"
        );
        raw(server.address, "POST", "/quick", &head, "game=romme").unwrap().status
    };
    assert_eq!(quick("192.0.2.7:7777", "http://192.0.2.7:7777"), 303);
    assert_eq!(quick("192.0.2.7:7777", "http://192.0.2.7"), 403);
    assert_eq!(quick("192.0.2.7:7777", "http://evil.example"), 403);
    assert_eq!(quick("192.0.2.7:7777", &format!("http://{}", server.address)), 403);
    assert_eq!(quick("x/y", "http://x/y"), 403);
}
