//! The form of result files, byte for byte: which line stands where, before anything is made of its values.
//!
//! Reading has two steps. The first, here, finds the lines and their parts; it reads the examples of the format's
//! description, whose keys and ids are placeholders. The second ([`Document::body`]) makes values of the parts. What
//! was read is written again with the same bytes: there is one way to write everything.

use core::fmt::Write as _;

use games::AnyGame;
use table::Chips;

use crate::lines::{At, Lines, Unreadable, Why};
use crate::names::{amount_word, game_name, game_named, heading};
use crate::{Body, Facts, Form, Player, Public, Signature};

/// Twelve players and their signatures take less than half of it.
pub const LARGEST: usize = 16 << 10;

/// The parts of a result file.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// Which game; it decides about some words.
    pub game: AnyGame,
    /// Everything that is signed.
    pub body: &'a str,
    /// The id of the match.
    pub id: At<'a>,
    /// When it ended.
    pub timestamp: At<'a>,
    /// The combined seed.
    pub seed: At<'a>,
    /// How many players.
    pub player_count: At<'a>,
    /// The head of the log.
    pub log_hash: Option<At<'a>>,
    /// Hands or rounds; `CARD_GAME` does not say it.
    pub deals: Option<At<'a>>,
    /// The players, in the order of their signatures.
    pub players: Vec<Line<'a>>,
    /// The numbers of players, counted from 1, with what should be their signatures.
    pub signatures: Vec<(At<'a>, At<'a>)>,
}

/// The parts of a player's line or lines.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// What they are called.
    pub callsign: At<'a>,
    /// Who they are.
    pub npub: At<'a>,
    /// `1`, or `1st` in a `CARD_GAME`.
    pub place: At<'a>,
    /// Chips or points.
    pub amount: At<'a>,
}

impl<'a> Document<'a> {
    /// Finds the parts of a file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let mut lines = Lines::new(bytes, LARGEST)?;
        let first = lines.take();
        let headed = |game: &AnyGame| first.after(&format!("# {}: ", heading(*game))).map(|id| (*game, id));
        if let Some(id) = first.after("# CARD_GAME: ") {
            return Self::read_card_game(lines, id);
        }
        match AnyGame::ALL.iter().find_map(headed) {
            Some((game, id)) => Self::read_result(lines, game, id),
            None => Err(first.expected("# POKER_RESULT: … or another game's, or # CARD_GAME: …")),
        }
    }

    fn read_result(mut lines: Lines<'a>, game: AnyGame, id: At<'a>) -> Result<Self, Unreadable> {
        lines.exactly("")?;
        let timestamp = lines.field("TIMESTAMP: ")?;
        let seed = lines.field("SEED: ")?;
        let player_count = lines.field("PLAYER_COUNT: ")?;
        let log_hash = log_hash(&mut lines)?;
        lines.exactly("")?;
        let poker = game == AnyGame::Holdem;
        let rounds = if poker { None } else { Some(lines.field("ROUNDS: ")?) };
        lines.exactly("RESULTS:")?;
        let mut players = Vec::new();
        while lines.peek().is_some_and(|line| !line.text.is_empty()) {
            players.push(player_line(lines.take(), amount_word(game))?);
        }
        lines.exactly("")?;
        let deals = match rounds {
            Some(rounds) => rounds,
            None => {
                let hands = lines.field("HANDS_PLAYED: ")?;
                lines.exactly("")?;
                hands
            }
        };
        let body = lines.before();
        let signatures = signatures(lines)?;
        let deals = Some(deals);
        Ok(Self { game, body, id, timestamp, seed, player_count, log_hash, deals, players, signatures })
    }

    fn read_card_game(mut lines: Lines<'a>, id: At<'a>) -> Result<Self, Unreadable> {
        lines.exactly("")?;
        let game = lines.field("GAME: ")?.read("the name of a game, such as poker", game_named)?;
        let timestamp = lines.field("TIMESTAMP: ")?;
        let seed = lines.field("COMBINED_SEED: ")?;
        let player_count = lines.field("PLAYER_COUNT: ")?;
        let log_hash = log_hash(&mut lines)?;
        lines.exactly("")?;
        let mut players = Vec::new();
        while lines.peek().is_some_and(|line| !line.text.starts_with(SIGNATURE)) {
            let n = players.len() + 1;
            let callsign = lines.field(&format!("PLAYER_{n}: "))?;
            let npub = lines.field(&format!("PLAYER_{n}_NPUB: "))?;
            let place = lines.field(&format!("PLAYER_{n}_RESULT: "))?;
            let amount = lines.field(&format!("PLAYER_{n}_{}: ", amount_word(game)))?;
            lines.exactly("")?;
            players.push(Line { callsign, npub, place, amount });
        }
        let body = lines.before();
        let signatures = signatures(lines)?;
        Ok(Self { game, body, id, timestamp, seed, player_count, log_hash, deals: None, players, signatures })
    }

    /// The values of the parts, if they are values and fit together.
    pub fn body(&self) -> Result<Body, Unreadable> {
        let mut players = Vec::with_capacity(self.players.len());
        for line in &self.players {
            players.push(Player {
                callsign: line.callsign.read(CALLSIGN, |text| text.parse().ok())?,
                key: line.npub.read("a public key (npub1…)", |text| Public::from_npub(text).ok())?,
                place: match self.deals {
                    Some(_) => line.place.number("a place: 1, 2, 3 and so on")?,
                    None => line.place.read("a place: 1st, 2nd, 3rd and so on", from_ordinal)?,
                },
                amount: Chips(line.amount.number("a whole number")?),
            });
        }
        let count: usize = self.player_count.number("the number of players")?;
        if count != players.len() {
            return Err(self.player_count.expected(format!("{}, the number of players listed", players.len())));
        }
        let facts = Facts {
            id: self.id.read(ID, |text| text.parse().ok())?,
            game: self.game,
            at: self.timestamp.read(TIME, |text| text.parse().ok())?,
            seed: self.seed.read(HASH, crate::Hash::from_hex)?,
            log_hash: self.log_hash.map(|hash| hash.read(HASH, crate::Hash::from_hex)).transpose()?,
            players,
        };
        let form = match self.deals {
            Some(deals) => Form::Result { deals: deals.number("how many were played")? },
            None => Form::CardGame,
        };
        let line = self.players.first().map_or(1, |line| line.callsign.line);
        Body::new(facts, form).map_err(|why| Unreadable { line, why: Why::Facts(why) })
    }

    /// The signatures, by the index of their player; each stands once, in the order of the players.
    pub fn signatures(&self) -> Result<Vec<Option<Signature>>, Unreadable> {
        let mut signatures = vec![None; self.players.len()];
        let mut next = 1;
        for (number, signature) in &self.signatures {
            let player: usize = number.number("the number of a player")?;
            let place = player.checked_sub(1).and_then(|index| signatures.get_mut(index));
            match place {
                Some(place) if player >= next => {
                    *place = Some(signature.read("a signature of 128 hexadecimal digits", Signature::from_hex)?);
                    next = player + 1;
                }
                _ => {
                    let most = self.players.len();
                    return Err(number.expected(format!("a player from {next} to {most}, in this order")));
                }
            }
        }
        Ok(signatures)
    }
}

/// How an id is described where it is missing.
pub(crate) const ID: &str = "an id: a UUID in small letters";
/// The same for a hash.
pub(crate) const HASH: &str = "64 hexadecimal digits in small letters";
/// The same for a time.
pub(crate) const TIME: &str = "a time as 2025-12-28 14:30:00";
/// The same for a callsign.
pub(crate) const CALLSIGN: &str = "a callsign of 3 to 18 characters, A to Z and 0 to 9";

const SIGNATURE: &str = "--> signature_";

fn log_hash<'a>(lines: &mut Lines<'a>) -> Result<Option<At<'a>>, Unreadable> {
    match lines.peek() {
        Some(line) if line.text.starts_with("LOG_HASH") => lines.field("LOG_HASH: ").map(Some),
        _ => Ok(None),
    }
}

fn player_line<'a>(line: At<'a>, amount: &str) -> Result<Line<'a>, Unreadable> {
    let parts = line.after("  - ").and_then(|rest| rest.named(["PLAYER", "NPUB", "PLACE", amount]));
    let wanted = || line.expected(format!("  - PLAYER:… NPUB:… PLACE:… {amount}:…"));
    parts.map(|[callsign, npub, place, amount]| Line { callsign, npub, place, amount }).ok_or_else(wanted)
}

fn signatures<'a>(mut lines: Lines<'a>) -> Result<Vec<(At<'a>, At<'a>)>, Unreadable> {
    let mut found = Vec::new();
    while lines.peek().is_some() {
        let rest = lines.field(SIGNATURE)?;
        let (number, signature) = rest.text.split_once(": ").ok_or_else(|| rest.expected("--> signature_1: …"))?;
        found.push((At { text: number, ..rest }, At { text: signature, ..rest }));
    }
    Ok(found)
}

/// The text that is signed.
pub(crate) fn write_body(facts: &Facts, form: Form) -> String {
    let mut text = String::with_capacity(1024);
    // Writing to a string cannot fail.
    let _ = match form {
        Form::Result { deals } => write_result(&mut text, facts, deals),
        Form::CardGame => write_card_game(&mut text, facts),
    };
    text
}

fn write_result(text: &mut String, facts: &Facts, deals: u32) -> core::fmt::Result {
    let Facts { id, game, at, seed, log_hash, players } = facts;
    write!(text, "# {}: {id}\n\nTIMESTAMP: {at}\nSEED: {seed}\nPLAYER_COUNT: {}\n", heading(*game), players.len())?;
    write_log_hash(text, *log_hash)?;
    let poker = *game == AnyGame::Holdem;
    if !poker {
        writeln!(text, "ROUNDS: {deals}")?;
    }
    writeln!(text, "RESULTS:")?;
    for Player { callsign, key, place, amount } in players {
        writeln!(text, "  - PLAYER:{callsign} NPUB:{key} PLACE:{place} {}:{amount}", amount_word(*game))?;
    }
    writeln!(text)?;
    if poker {
        write!(text, "HANDS_PLAYED: {deals}\n\n")?;
    }
    Ok(())
}

fn write_card_game(text: &mut String, facts: &Facts) -> core::fmt::Result {
    let Facts { id, game, at, seed, log_hash, players } = facts;
    write!(text, "# CARD_GAME: {id}\n\nGAME: {}\nTIMESTAMP: {at}\nCOMBINED_SEED: {seed}\n", game_name(*game))?;
    writeln!(text, "PLAYER_COUNT: {}", players.len())?;
    write_log_hash(text, *log_hash)?;
    for (n, Player { callsign, key, place, amount }) in (1..).zip(players) {
        write!(text, "PLAYER_{n}: {callsign}\nPLAYER_{n}_NPUB: {key}\nPLAYER_{n}_RESULT: {}\n", ordinal(*place))?;
        write!(text, "PLAYER_{n}_{}: {amount}\n\n", amount_word(*game))?;
    }
    Ok(())
}

/// The line, if there is one, and the empty line after the head of a file.
fn write_log_hash(text: &mut String, log_hash: Option<crate::Hash>) -> core::fmt::Result {
    if let Some(hash) = log_hash {
        writeln!(text, "LOG_HASH: {hash}")?;
    }
    writeln!(text)
}

/// The lines under a body.
pub(crate) fn write_signatures(text: &mut String, signatures: &[Option<Signature>]) {
    for (n, signature) in (1..).zip(signatures) {
        if let Some(signature) = signature {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{SIGNATURE}{n}: {signature}");
        }
    }
}

/// `1st`, `2nd`, `3rd`, `4th`, …, `11th`.
pub fn ordinal(place: u8) -> String {
    let ending = match (place % 100, place % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

fn from_ordinal(text: &str) -> Option<u8> {
    let digits = text.get(..text.len().checked_sub(2)?)?;
    digits.parse().ok().filter(|place| ordinal(*place) == text)
}
