use serde_json::{Value, json};

use super::*;

/// The violations in a workspace with one crate, given as by `cargo metadata`.
fn found(name: &str, dependencies: Vec<Value>) -> Vec<String> {
    found_with_features(name, dependencies, json!({}))
}

fn found_with_features(name: &str, dependencies: Vec<Value>, features: Value) -> Vec<String> {
    let package = json!({ "name": name, "dependencies": dependencies, "features": features });
    let metadata = json!({ "packages": [package] }).to_string();
    let packages = manifests::parse(&metadata).expect("the shape of cargo metadata");
    violations(&packages).iter().map(Violation::to_string).collect()
}

fn ours(name: &str, kind: Option<&str>) -> Value {
    let mut dependency = external(name, kind, &[]);
    dependency["path"] = json!("crates/somewhere");
    dependency
}

fn external(name: &str, kind: Option<&str>, features: &[&str]) -> Value {
    json!({
        "name": name, "kind": kind, "features": features,
        "rename": null, "uses_default_features": false,
    })
}

#[test]
fn an_edge_against_the_layers_is_found() {
    assert_eq!(found("cards", vec![ours("table", None)]), ["`cards` may not use `table`"]);
    assert_eq!(found("games", vec![ours("bots", None)]), ["`games` may not use `bots`"]);
    assert_eq!(found("node", vec![ours("fairdeal", None)]), ["`node` may not use `fairdeal`"]);
}

#[test]
fn an_indirect_edge_is_allowed() {
    assert!(found("bots", vec![ours("games", None), ours("cards", None)]).is_empty());
    assert!(found("node", vec![ours("dealing", None)]).is_empty());
}

#[test]
fn the_outermost_crates_may_use_all() {
    for name in ["fairdeal", "xtask"] {
        let all = CRATES.iter().map(|layer| ours(layer.name, None)).collect();
        assert!(found(name, all).is_empty(), "{name}");
    }
}

#[test]
fn an_unknown_crate_is_reported() {
    let expected = ["`casino` is unknown; add it to the table in layers.rs"];
    assert_eq!(found("casino", vec![]), expected);
    assert_eq!(found("fairdeal", vec![ours("casino", None)]), expected);
}

#[test]
fn tests_follow_the_layers_except_for_the_games() {
    let dev = Some("dev");
    assert!(found("games", vec![ours("dealers", dev), ours("dealing", dev), ours("bots", dev)]).is_empty());
    let refused = |from, to| vec![format!("`{from}` may not use `{to}`, not even in tests")];
    assert_eq!(found("games", vec![ours("results", dev)]), refused("games", "results"));
    assert_eq!(found("table", vec![ours("dealers", dev)]), refused("table", "dealers"));
}

#[test]
fn build_scripts_follow_the_layers() {
    let expected = ["`games` may not use `bots`, not even to build"];
    assert_eq!(found("games", vec![ours("bots", Some("build"))]), expected);
}

#[test]
fn an_external_crate_of_the_same_name_is_not_an_edge() {
    assert!(found("cards", vec![external("table", None, &[])]).is_empty());
}

#[test]
fn a_pure_crate_has_no_impure_dependency() {
    let expected = ["`chain` is pure and may not use `tokio`"];
    assert_eq!(found("chain", vec![external("tokio", None, &[])]), expected);
    assert!(found("chain", vec![external("tokio", Some("dev"), &[])]).is_empty());
    assert!(found("node", vec![external("tokio", None, &[])]).is_empty());
}

#[test]
fn a_pure_crate_turns_on_no_impure_feature() {
    let rand = |features| external("rand", None, features);
    assert!(found("dealers", vec![rand(&["chacha"])]).is_empty());

    let expected = ["`dealers` is pure and may not use `rand` with feature `thread_rng`"];
    assert_eq!(found("dealers", vec![rand(&["chacha", "thread_rng"])]), expected);

    let mut renamed = rand(&[]);
    renamed["rename"] = json!("dice");
    let features = json!({ "live": ["dice?/thread_rng"] });
    assert_eq!(found_with_features("dealers", vec![renamed], features), expected);

    let mut with_defaults = rand(&[]);
    with_defaults["uses_default_features"] = json!(true);
    let expected = ["`dealers` is pure and may not use `rand` with feature `default`"];
    assert_eq!(found("dealers", vec![with_defaults]), expected);
}

/// Also keeps [`Layer::reaches`] from running forever.
#[test]
fn the_table_names_only_crates_above_the_line() {
    for (i, layer) in CRATES.iter().enumerate() {
        let above = |name: &&str| CRATES[..i].iter().any(|inner| inner.name == *name);
        if let Uses::Only(names) = layer.uses {
            assert!(names.iter().all(above), "{}", layer.name);
        }
    }
}

#[test]
fn the_engine_is_found_wherever_it_hides() {
    let tree = "fairdeal v0.1.0 (/somewhere)\nclap v4.5.0\nlibp2p-core v0.43.0\narc-malachitebft-sync v0.7.0\n\
                libp2p-core v0.43.0 (*)\nlibc v0.2.0\n";
    assert_eq!(engine::packages(tree), ["arc-malachitebft-sync", "libp2p-core"]);
    assert!(engine::packages("fairdeal v0.1.0\nlibc v0.2.0\n").is_empty());
}
