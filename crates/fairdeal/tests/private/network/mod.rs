//! Private tables on several computers: real processes in network namespaces of their own, joined by wires that lose
//! packets, delay them and are cut for a while, while players and hubs are killed and come back.

#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../../../../../tests/network/mod.rs"]
mod computer;
mod players;

use std::path::Path;
use std::time::{Duration, Instant};

use computer::{Wires, apart};
use players::{Player, fairdeal};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Every game with settings that make a match short.
const GAMES: [(&str, &[&str]); 6] = [
    ("holdem", &["starting_chips=200", "blind_every=1"]),
    ("blackjack", &["rounds=2", "decks=1", "reshuffle_below=26"]),
    ("romme", &["mode=rounds", "rounds=1"]),
    ("bigc", &["deals=1", "hand_size=5"]),
    ("ongdu", &["max_rounds=2"]),
    ("blackout", &["max=2"]),
];
const NAMES: [&str; 4] = ["Ada", "Blaise", "Carl", "Dora"];
/// Of a hundred packets, five are lost; the others take this long from one computer to another.
const LOSS: f64 = 0.05;
const DELAY: u32 = 100;
const PARTITION: Duration = Duration::from_secs(20);
/// How long a match may take at all, killed players and all.
const PATIENCE: Duration = Duration::from_secs(300);

/// A table with four players, each on a computer of their own.
struct Match {
    game: &'static str,
    players: Vec<Player>,
    /// The place of the player who hosts.
    host: usize,
}

impl Match {
    /// The host opens the table, and the others join.
    fn begin(number: usize, host: usize, folder: &Path) -> Self {
        let (game, settings) = GAMES[number % GAMES.len()];
        let mut players: Vec<Player> = (1..)
            .zip(NAMES)
            .map(|(computer, name)| Player::new(computer, name, &folder.join(format!("{number}-{name}"))))
            .collect();
        let listen = format!("{}:{}", players[host].address(), 7800 + number);
        let mut words = vec!["host", game, "--listen", &listen, "--seats", "4"];
        for setting in settings {
            words.extend(["--option", *setting]);
        }
        players[host].start(&words);
        let ticket = players[host].wait_for("ticket ", PATIENCE);
        for (_, player) in players.iter_mut().enumerate().filter(|(place, _)| *place != host) {
            player.start(&["join", &ticket]);
        }
        Self { game, players, host }
    }

    /// Kills a player in the middle of everything, and starts them again.
    fn kill(&mut self, place: usize, away: Duration) {
        if !self.players[place].kill() {
            return;
        }
        std::thread::sleep(away);
        let way_back: &[&str] = if place == self.host { &["host", "--resume"] } else { &["join", "--resume"] };
        self.players[place].start(way_back);
    }

    /// Everybody ends with the same complete result, which somebody checks who was not there.
    fn end(mut self, elsewhere: &Path) -> (u64, u64) {
        let results: Vec<String> = self.players.iter_mut().map(|player| player.wait_for("result ", PATIENCE)).collect();
        let texts: Vec<String> = results.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        for player in &mut self.players {
            assert_eq!(player.end(PATIENCE), Some(0), "{}: {}", self.game, player.said());
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{}: {texts:#?}", self.game);
        let record = self.players[0].wait_for("log ", PATIENCE);
        let (there, result) = (elsewhere.join(format!("{}.jsonl", self.game)), elsewhere.join("result.txt"));
        std::fs::copy(record, &there).unwrap();
        std::fs::write(&result, &texts[0]).unwrap();
        let verified = fairdeal().arg("verify").arg(&there).arg("--result").arg(&result).output().unwrap();
        let said = String::from_utf8_lossy(&verified.stdout).into_owned() + &String::from_utf8_lossy(&verified.stderr);
        assert!(verified.status.success(), "{}: {said}", self.game);
        let checked = fairdeal().args(["results", "verify"]).arg(&result).output().unwrap();
        assert!(checked.status.success(), "{}: {checked:?}", self.game);
        let log = std::fs::read_to_string(&there).unwrap();
        (u64::try_from(log.lines().count()).unwrap(), u64::try_from(log.len()).unwrap() / 2)
    }
}

/// Plays matches at the same time on four computers, with faults drawn from a seed.
fn evening(seed: u64, matches: usize) {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let mut wires = Wires::new(seed, LOSS, DELAY, NAMES.len());
    let begin = Instant::now();
    let mut all: Vec<Match> =
        (0..matches).map(|number| Match::begin(number, number % NAMES.len(), folder.path())).collect();
    let cut = chance.random_range(1..=NAMES.len());
    for one in &mut all {
        one.players[one.host].wait_for("deal 1", PATIENCE);
    }
    wires.cut(cut);
    let cut_at = Instant::now();
    for one in &mut all {
        // Somebody at the table, and the hub.
        let guest = (one.host + chance.random_range(1..NAMES.len())) % NAMES.len();
        let away = Duration::from_millis(chance.random_range(0..3000));
        one.kill(guest, away);
        one.kill(one.host, away);
    }
    std::thread::sleep(PARTITION.saturating_sub(cut_at.elapsed()));
    wires.mend(cut);
    for one in all {
        let game = one.game;
        let (lines, bytes) = one.end(elsewhere.path());
        println!("{game}: {lines} entries, {bytes} bytes, {} s after the start", begin.elapsed().as_secs());
    }
}

#[test]
fn four_computers_play_every_game_over_a_bad_network() {
    apart("network::four_computers_play_every_game_over_a_bad_network", || {
        if std::env::var_os("FAIRDEAL_SOAK").is_none() {
            return evening(1, GAMES.len());
        }
        for seed in 1..=10 {
            println!("seed {seed}");
            evening(seed, 5 + usize::from(seed == 10));
        }
    });
}

#[test]
fn a_table_nearby_is_found_and_somebody_is_let_in_who_says_the_same_words() {
    apart("network::a_table_nearby_is_found_and_somebody_is_let_in_who_says_the_same_words", || {
        let folder = tempfile::tempdir().unwrap();
        let _wires = Wires::new(3, 0.0, 10, 2);
        let [mut host, mut guest] =
            [1, 2].map(|number| Player::new(number, NAMES[number - 1], &folder.path().join(number.to_string())));
        let listen = format!("{}:7788", host.address());
        host.start(&["host", "ongdu", "--listen", &listen, "--seats", "2", "--option", "max_rounds=1"]);
        host.wait_for("online", PATIENCE);
        // Multicast is not answered at once on every machine.
        let words = (0..10).find_map(|_| {
            guest.start(&["join", "nearby"]);
            guest.wait_or_end("words ")
        });
        let words = words.unwrap_or_else(|| panic!("the table was not found: {}", guest.said()));
        let number = host.wait_for_both("knock ", &format!(" Blaise {words}"), PATIENCE);
        host.tell(&format!("admit {number}"));
        let results = [host.wait_for("result ", PATIENCE), guest.wait_for("result ", PATIENCE)];
        let [ours, theirs] = results.map(|file| std::fs::read_to_string(file).unwrap());
        assert_eq!(ours, theirs);
    });
}
