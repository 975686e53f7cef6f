//! Players whose secret file is gone, but whose log and key are there.

use std::path::Path;

use super::process::{Played, agreed, folder};
use super::{Homes, Player, host, hosting, join};

const GAME: [&str; 5] = ["ongdu", "--option", "max_rounds=5", "--option", "action_timeout=10"];

/// The player was told, was late once, and played on.
fn watched_and_played_on(name: &str, played: &Played) {
    let place = |begin: &str| played.lines.iter().position(|line| line.starts_with(begin));
    let told = place("note Your secrets are lost: you watch").unwrap_or_else(|| panic!("{:?}", played.lines));
    let late = place(&format!("late {name}")).unwrap_or_else(|| panic!("{:?}", played.lines));
    let back = place(&format!("back {name}")).unwrap_or_else(|| panic!("{:?}", played.lines));
    assert!(told < late && late < back, "{:?}", played.lines);
    assert_eq!(played.lines.iter().filter(|line| line.starts_with("late ")).count(), 1, "{:?}", played.lines);
    assert_eq!(place("fault "), None, "nobody did anything wrong");
}

fn secret(data: &Path) -> std::path::PathBuf {
    let secret = folder(data).join("secret");
    assert!(secret.exists());
    secret
}

#[test]
fn a_player_whose_secret_file_was_deleted_watches_until_the_next_keys_and_plays_on() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "3", &[]);
    let ticket = ada.until("ticket ");
    let bob = join(&homes.of("bob"), &ticket, &[]);
    let mut cleo = join(&homes.of("cleo"), &ticket, &["--name", "Cleo"]);
    cleo.until("cards 2");
    cleo.kill();
    std::fs::remove_file(secret(&homes.of("cleo"))).unwrap();
    let cleo = join(&homes.of("cleo"), &ticket, &[]);
    let all = [cleo.result(), bob.result(), ada.result()];
    agreed(&all);
    watched_and_played_on("Cleo", &all[0]);
}

#[test]
fn a_host_whose_secret_file_was_cut_off_watches_until_the_next_keys_and_plays_on() {
    let homes = Homes::new();
    let mut ada = Player::start(&homes.of("ada"), &hosting(&GAME, "3", &["--name", "Ada"]));
    let ticket = ada.until("ticket ");
    let (bob, cleo) = (join(&homes.of("bob"), &ticket, &[]), join(&homes.of("cleo"), &ticket, &[]));
    ada.until("cards 2");
    ada.kill();
    let secret = secret(&homes.of("ada"));
    let whole = std::fs::read(&secret).unwrap();
    std::fs::write(&secret, &whole[..whole.len() / 2]).unwrap();
    let ada = Player::start(&homes.of("ada"), &["host", "--resume", "--auto", "easy"]);
    let all = [ada.result(), bob.result(), cleo.result()];
    agreed(&all);
    watched_and_played_on("Ada", &all[0]);
}

#[test]
fn a_secret_file_that_cannot_be_read_is_not_given_up_unasked() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "3", &[]);
    let ticket = ada.until("ticket ");
    let mut bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    bob.until("joined Bob");
    bob.kill();
    let secret = secret(&homes.of("bob"));
    std::fs::remove_file(&secret).unwrap();
    std::fs::create_dir(&secret).unwrap();
    let (code, err) = join(&homes.of("bob"), &ticket, &[]).end();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("cannot read") && err.contains("remove it if it cannot be repaired"), "{err}");
    assert!(secret.is_dir(), "it is left as it was");
}
