//! Who won how often at a station.
//!
//! Only results that [`settle()`] counts are counted, each match once. A sole first place is a win, a lower place a
//! loss, a shared first place neither. The order is by the rate of wins (rounded to tenths of a percent, as it is
//! shown), then wins, then callsign.
//!
//! The station signs what it writes: the format has no signature, so two lines are added at the end, which other
//! programs skip. A board without them is readable, but anybody may have written it.

use core::fmt;
use core::fmt::Write as _;
use std::collections::BTreeMap;

use games::AnyGame;

use crate::layout::{CALLSIGN, TIME};
use crate::lines::{At, Lines, Unreadable};
use crate::names::{game_name, game_named};
use crate::{Callsign, Checked, Logs, Public, Secret, Settled, Signature, Timestamp, by_match, event, settle};

/// Room for some 60,000 players.
pub const LARGEST_BOARD: usize = 4 << 20;

/// A player's line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What they are called.
    pub callsign: Callsign,
    /// Matches won alone.
    pub wins: u32,
    /// Matches in which somebody was better.
    pub losses: u32,
}

/// A leaderboard of one game at one station.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaderboard {
    station: Callsign,
    game: AnyGame,
    updated: Timestamp,
    rows: Vec<Row>,
    signed: Option<(Public, Signature)>,
}

/// What a player won and lost, by key; for boards and for those who want to know more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The callsign in their latest result.
    pub callsign: Callsign,
    /// Matches won alone.
    pub wins: u32,
    /// Matches in which somebody was better.
    pub losses: u32,
    /// First places that were shared.
    pub shared: u32,
    latest: Timestamp,
}

impl Row {
    /// The rate of wins in tenths of a percent, rounded half up; 0 for nobody who has played.
    pub fn rate(&self) -> u32 {
        let (wins, all) = (u64::from(self.wins), u64::from(self.wins) + u64::from(self.losses));
        let rounded = (wins * 2000 + all).checked_div(all * 2).unwrap_or_default();
        u32::try_from(rounded).unwrap_or(1000)
    }

    fn shown_rate(&self) -> String {
        format!("{}.{}", self.rate() / 10, self.rate() % 10)
    }
}

/// Wins and losses of everybody in the results of one game.
pub fn tally(game: AnyGame, results: &[Checked], logs: &impl Logs) -> BTreeMap<Public, Tally> {
    let mut players: BTreeMap<Public, Tally> = BTreeMap::new();
    for files in by_match(results).values() {
        let Settled::Counts(result) = settle(files, logs) else { continue };
        let facts = result.body().facts();
        if facts.game != game {
            continue;
        }
        let sole_winner = facts.players.iter().filter(|player| player.place == 1).count() == 1;
        for player in &facts.players {
            let tally = players.entry(player.key).or_insert_with(|| Tally {
                callsign: player.callsign.clone(),
                wins: 0,
                losses: 0,
                shared: 0,
                latest: facts.at,
            });
            match (player.place, sole_winner) {
                (1, true) => tally.wins += 1,
                (1, false) => tally.shared += 1,
                _ => tally.losses += 1,
            }
            if facts.at > tally.latest {
                tally.callsign.clone_from(&player.callsign);
                tally.latest = facts.at;
            }
        }
    }
    players
}

impl Leaderboard {
    /// Ranks these players, and signs as the station.
    pub fn new(
        game: AnyGame,
        players: &BTreeMap<Public, Tally>,
        updated: Timestamp,
        station: &Secret,
        aux: &[u8; 32],
    ) -> Self {
        let counted = players.values().filter(|tally| tally.wins + tally.losses > 0);
        let mut rows: Vec<Row> = counted
            .map(|tally| Row { callsign: tally.callsign.clone(), wins: tally.wins, losses: tally.losses })
            .collect();
        rows.sort_by(|a, b| order(a).cmp(&order(b)));
        Self::signed(game, rows, updated, station, aux)
    }

    /// The first players of this board only, signed by the same station: for places where there is little room.
    pub fn first(&self, most: usize, station: &Secret, aux: &[u8; 32]) -> Self {
        let rows = self.rows.iter().take(most).cloned().collect();
        Self::signed(self.game, rows, self.updated, station, aux)
    }

    fn signed(game: AnyGame, rows: Vec<Row>, updated: Timestamp, station: &Secret, aux: &[u8; 32]) -> Self {
        let key = station.public();
        let mut board = Self { station: Callsign::of_station(&key), game, updated, rows, signed: None };
        let hash = board.signing_hash(&key);
        board.signed = Some((key, station.sign(&hash, aux)));
        board
    }

    /// What the station is called.
    pub const fn station(&self) -> &Callsign {
        &self.station
    }

    /// The game.
    pub const fn game(&self) -> AnyGame {
        self.game
    }

    /// When it was made.
    pub const fn updated(&self) -> Timestamp {
        self.updated
    }

    /// The players, the best first.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Who has signed it, if the signature is right: `None` for a board without one. Compare the key with the
    /// station's: anybody can sign as a station with another key.
    pub fn signer(&self) -> Result<Option<Public>, WrongSignature> {
        match &self.signed {
            None => Ok(None),
            Some((key, signature)) if key.verify(&self.signing_hash(key), signature) => Ok(Some(*key)),
            Some(_) => Err(WrongSignature),
        }
    }

    fn signing_hash(&self, key: &Public) -> [u8; 32] {
        let station = self.station.to_string();
        let tags = [["t", "card_game"], ["leaderboard", game_name(self.game)], ["callsign", &station]];
        event::id(key, self.updated, &tags, &self.body(true))
    }

    /// Everything above the signature; with one, an empty line stands between.
    fn body(&self, signed: bool) -> String {
        let (station, game, updated) = (&self.station, game_name(self.game), self.updated);
        let mut text = format!("# LEADERBOARD: {station}\n# GAME: {game}\n\nUPDATED: {updated}\n\n");
        for (rank, row) in (1_u32..).zip(&self.rows) {
            let Row { callsign, wins, losses } = row;
            let rate = row.shown_rate();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "> RANK:{rank} CALLSIGN:{callsign} WINS:{wins} LOSSES:{losses} WINRATE:{rate}");
        }
        if signed && !self.rows.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The file, byte for byte.
    pub fn text(&self) -> String {
        let mut text = self.body(self.signed.is_some());
        if let Some((key, signature)) = &self.signed {
            // Writing to a string cannot fail.
            let _ = write!(text, "{NPUB}{key}\n{SIGNATURE}{signature}\n");
        }
        text
    }

    /// Reads a file. Ranks, rates and order must be right; [`Leaderboard::signer`] checks the signature.
    pub fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        let mut lines = Lines::new(bytes, LARGEST_BOARD)?;
        let station = lines.field("# LEADERBOARD: ")?.read(CALLSIGN, |text| text.parse().ok())?;
        let game = lines.field("# GAME: ")?.read("the name of a game, such as poker", game_named)?;
        lines.exactly("")?;
        let updated = lines.field("UPDATED: ")?.read(TIME, |text| text.parse().ok())?;
        lines.exactly("")?;
        let mut rows: Vec<Row> = Vec::new();
        while let Some(line) = lines.peek().filter(|line| line.text.starts_with('>')) {
            let row = read_row(line, rows.len() + 1)?;
            if rows.last().is_some_and(|last| order(last) > order(&row)) {
                return Err(line.expected("the better player first: by rate, then wins, then callsign"));
            }
            rows.push(row);
            lines.take();
        }
        let mut signed = None;
        if lines.peek().is_some() {
            if !rows.is_empty() {
                lines.exactly("")?;
            }
            let key = lines.field(NPUB)?.read("a public key (npub1…)", |text| Public::from_npub(text).ok())?;
            let signature = lines.field(SIGNATURE)?;
            signed = Some((key, signature.read("a signature of 128 hexadecimal digits", Signature::from_hex)?));
        }
        lines.end()?;
        Ok(Self { station, game, updated, rows, signed })
    }
}

const NPUB: &str = "--> npub: ";
const SIGNATURE: &str = "--> signature: ";

fn order(row: &Row) -> impl Ord + use<'_> {
    (core::cmp::Reverse((row.rate(), row.wins)), &row.callsign)
}

fn read_row(line: At<'_>, rank: usize) -> Result<Row, Unreadable> {
    let form = || line.expected(format!("> RANK:{rank} CALLSIGN:… WINS:… LOSSES:… WINRATE:…"));
    let parts = line.after("> ").and_then(|rest| rest.named(["RANK", "CALLSIGN", "WINS", "LOSSES", "WINRATE"]));
    let [found, callsign, wins, losses, rate] = parts.ok_or_else(form)?;
    if found.text != rank.to_string() {
        return Err(form());
    }
    let callsign = callsign.read(CALLSIGN, |text| text.parse().ok())?;
    let row = Row { callsign, wins: wins.number("a number of wins")?, losses: losses.number("a number of losses")? };
    if row.wins == 0 && row.losses == 0 {
        return Err(line.expected("a player with a win or a loss"));
    }
    if rate.text != row.shown_rate() {
        return Err(rate.expected(format!("WINRATE:{}", row.shown_rate())));
    }
    Ok(row)
}

/// The board was changed after it was signed, or signed by another key than it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongSignature;

impl fmt::Display for WrongSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature is wrong: the board was changed after it was signed")
    }
}

impl std::error::Error for WrongSignature {}
