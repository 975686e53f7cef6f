use serde_json::{Value, json};

use super::*;

const CONFIG: &str = r#"
[graph]
targets = ["x86_64-unknown-linux-gnu"]
[licenses]
allow = ["MIT", "Apache-2.0"]
exceptions = [{ crate = "folders", allow = ["MPL-2.0"] }]
[bans]
multiple-versions = "deny"
skip = [{ crate = "bits@1", reason = "tests" }]
skip-tree = [{ crate = "engine" }]
[sources]
allow-registry = ["https://example.org/index"]
"#;

/// What has nothing wrong with it, and what all entries are needed for.
fn fine() -> Vec<Value> {
    vec![
        package("ours", "0.1.0", "MIT OR Apache-2.0", None),
        package("folders", "1.0.0", "MPL-2.0", Some("registry+https://example.org/index")),
        package("bits", "1.3.2", "MIT", Some("registry+https://example.org/index")),
        package("bits", "2.0.1", "MIT", Some("registry+https://example.org/index")),
        package("engine", "1.0.0", "MIT", None),
    ]
}

fn package(name: &str, version: &str, license: &str, source: Option<&str>) -> Value {
    let id = format!("{name} {version}");
    json!({ "id": id, "name": name, "version": version, "license": license, "source": source })
}

/// What is found where this comes to what is fine.
fn found(more: Value) -> Vec<String> {
    violated(fine().into_iter().chain([more]).collect())
}

fn violated(packages: Vec<Value>) -> Vec<String> {
    let config: Config = toml::from_str(CONFIG).expect("the shape of deny.toml");
    let nodes = json!([
        { "id": "engine 1.0.0", "dependencies": ["wheel 1.0.0"] },
        { "id": "wheel 1.0.0", "dependencies": ["spoke 1.0.0", "engine 1.0.0"] },
    ]);
    let metadata = json!({ "packages": packages, "resolve": { "nodes": nodes } });
    let Metadata { packages, resolve } = parse(&metadata.to_string()).expect("the shape of cargo metadata");
    let skipped = resolve.below(&config, &packages);
    violations(&config, &packages, &skipped).iter().map(Violation::to_string).collect()
}

#[test]
fn what_is_allowed_passes() {
    assert!(violated(fine()).is_empty());
}

#[test]
fn a_licence_that_is_not_allowed_is_found() {
    let expected = ["x 1.0.0 has the licence `GPL-3.0-only`, which is not allowed"];
    assert_eq!(found(package("x", "1.0.0", "GPL-3.0-only", None)), expected);
    let expected = ["x 1.0.0 has the licence `MPL-2.0`, which is not allowed"];
    assert_eq!(found(package("x", "1.0.0", "MPL-2.0", None)), expected);
    let none = json!({ "id": "", "name": "x", "version": "1.0.0", "license": null, "source": null });
    assert_eq!(found(none), ["x 1.0.0 names no licence"]);
}

#[test]
fn a_second_version_is_found() {
    let another = package("ours", "0.2.0", "MIT", None);
    assert_eq!(found(another), ["ours appears in several versions: 0.1.0, 0.2.0"]);
    let third = package("bits", "10.0.0", "MIT", None);
    assert_eq!(found(third), ["bits appears in several versions: 10.0.0, 2.0.1"]);
}

#[test]
fn what_an_engine_brings_may_be_of_another_version() {
    let spokes = |versions: [&str; 2]| {
        let all = fine().into_iter().chain(versions.map(|version| package("spoke", version, "MIT", None)));
        violated(all.collect())
    };
    assert!(spokes(["1.0.0", "2.0.0"]).is_empty(), "the engine needs 1.0.0");
    assert_eq!(spokes(["2.0.0", "3.0.0"]), ["spoke appears in several versions: 2.0.0, 3.0.0"]);
}

#[test]
fn another_source_is_found() {
    for source in ["registry+https://example.com/index", "git+https://example.org/index"] {
        let expected = format!("x 1.0.0 comes from {source}, which is not allowed");
        assert_eq!(found(package("x", "1.0.0", "MIT", Some(source))), [expected]);
    }
}

#[test]
fn an_entry_that_nothing_needs_is_found() {
    let without = |name: &str, version: &str| {
        let is = |package: &Value| package["name"] == name && package["version"] == version;
        violated(fine().into_iter().filter(|package| !is(package)).collect())
    };
    assert_eq!(without("folders", "1.0.0"), ["the entry for folders is no longer needed"]);
    assert_eq!(without("bits", "1.3.2"), ["the entry for bits@1 is no longer needed"]);
    assert_eq!(without("bits", "2.0.1"), ["the entry for bits@1 is no longer needed"]);
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    let met = |expression: &str| licence::is_met(expression, &["MIT", "ISC", "A WITH B"].into());
    for yes in ["MIT", "GPL OR MIT", "GPL/MIT", "MIT AND ISC", "(GPL OR ISC) AND MIT", "GPL AND X OR MIT", "A WITH B"] {
        assert!(met(yes), "{yes}");
    }
    for no in ["GPL", "MIT AND GPL", "MIT AND (GPL OR X)", "A", "MIT WITH B", "", "MIT OR", "(MIT", "MIT)", "MIT ISC"] {
        assert!(!met(no), "{no}");
    }
}
