//! What is kept about wallets and chains.

use ::chain::Genesis;
use ::chain::Params;
use remote::Anchor;
use results::Secret;

use super::files::{Files, understood};
use crate::failure::Failure;

fn files() -> (tempfile::TempDir, Files) {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::open(Some(folder.path())).unwrap();
    (folder, files)
}

fn said<T>(done: Result<T, Failure>) -> String {
    match done {
        Err(Failure::Input(why)) => why,
        Err(_) => panic!("another failure"),
        Ok(_) => panic!("it is accepted"),
    }
}

#[cfg(unix)]
fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_wallet_is_kept_once_and_only_its_owner_can_read_it() {
    let (_folder, files) = files();
    assert!(said(files.wallet(None)).contains("fairdeal chain wallet new"));
    let secret = Secret::from_bytes(&[7; 32]).unwrap();
    files.keep_wallet(&secret, None).unwrap();
    #[cfg(unix)]
    assert_eq!(mode(&files.wallet_file()), 0o600);
    assert_eq!(files.secret(None).unwrap().bytes(), &[7; 32]);
    assert!(said(files.keep_wallet(&secret, None)).contains("never overwritten"));
    assert!(said(files.refuse_second()).contains("never overwritten"));
}

#[test]
fn a_protected_wallet_opens_with_its_passphrase_only() {
    let (folder, files) = files();
    let secret = Secret::from_bytes(&[9; 32]).unwrap();
    files.keep_wallet(&secret, Some("correct horse")).unwrap();
    let kept = std::fs::read_to_string(files.wallet_file()).unwrap();
    assert!(kept.starts_with("ncryptsec1"), "{kept}");
    let passphrase = folder.path().join("passphrase");
    std::fs::write(&passphrase, "correct horse\n").unwrap();
    assert_eq!(files.secret(Some(&passphrase)).unwrap().bytes(), &[9; 32]);
    std::fs::write(&passphrase, "wrong horse\n").unwrap();
    assert!(said(files.secret(Some(&passphrase))).contains("cannot be opened"));
}

#[test]
fn nonsense_is_no_wallet() {
    for text in ["", "deal1qqq", "00", &"g".repeat(64), &"0".repeat(64)] {
        assert!(said(understood(text, None)).contains("64 hexadecimal digits"), "{text}");
    }
}

#[test]
fn the_key_of_a_seat_is_found_again_by_its_public_part_and_forgotten_with_the_seat() {
    let (_folder, files) = files();
    let chain = [3; 32];
    let first = files.new_seat(&chain, 1).unwrap();
    let second = files.new_seat(&chain, 1).unwrap();
    let elsewhere = files.new_seat(&chain, 11).unwrap();
    assert_ne!(first.public().bytes(), second.public().bytes());
    let found = |table, key: &[u8; 32]| files.seat(&chain, table, key).unwrap().map(|secret| *secret.public().bytes());
    assert_eq!(found(1, first.public().bytes()), Some(*first.public().bytes()));
    assert_eq!(found(1, &[0; 32]), None);
    assert_eq!(found(2, first.public().bytes()), None);
    files.forget_seats(&chain, 1);
    assert_eq!(found(1, second.public().bytes()), None);
    assert!(found(11, elsewhere.public().bytes()).is_some());
}

#[test]
fn chains_and_the_nodes_of_each_are_remembered() {
    let (_folder, files) = files();
    let params = Params::default();
    let genesis = Genesis { name: "x".into(), time: 5, params, accounts: Vec::new(), validators: Vec::new() };
    let (chain, node) = (genesis.chain(), "127.0.0.1:5".parse().unwrap());
    assert_eq!((files.anchor(&chain), files.pinned(&node), files.chains()), (None, None, Vec::new()));
    let anchor = Anchor::new(&genesis);
    files.keep_anchor(&anchor).unwrap();
    files.pin(&node, &chain).unwrap();
    assert_eq!(files.anchor(&chain), Some(anchor));
    assert_eq!((files.pinned(&node), files.chains()), (Some(chain), vec![chain]));
    // What is trusted of one chain is not trusted of another.
    let other = files.of_chain(&[1; 32]);
    std::fs::create_dir_all(&other).unwrap();
    std::fs::copy(files.of_chain(&chain).join("anchor"), other.join("anchor")).unwrap();
    assert_eq!(files.anchor(&[1; 32]), None);
}
