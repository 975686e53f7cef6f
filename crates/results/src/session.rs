//! Seeds of all players, mixed into one; and the session block that tells them after a match.
//!
//! Every player commits to a seed of their own before anybody shows one, so nobody can choose the mixture. A session
//! block holds the seeds: it must never be written before its match is over.

use core::fmt::Write as _;

use games::AnyGame;
use sha2::{Digest as _, Sha256};

use crate::layout::{CALLSIGN, HASH, ID};
use crate::lines::{At, Lines, Unreadable, Why};
use crate::names::{game_name, game_named};
use crate::{BadFacts, Callsign, Facts, Hash, Public, Timestamp, Uuid};

/// Twelve players take a fraction of it.
pub const LARGEST_SESSION: usize = 4 << 10;

/// What a player commits to: the hash of `cg/v1/seed`, the session's id and the player's npub as they are written,
/// and the seed. Nobody can take over the hash of another player or session.
pub fn seed_hash(session: &Uuid, player: &Public, seed: &[u8; 32]) -> Hash {
    let hash = Sha256::new_with_prefix("cg/v1/seed").chain_update(session.to_string()).chain_update(player.npub());
    Hash(hash.chain_update(seed).finalize().into())
}

/// The mixture: the hash of `cg/v1/combined`, the session's id as it is written, and the seeds in the order in which
/// the players joined.
pub fn combined(session: &Uuid, seeds: &[[u8; 32]]) -> Hash {
    let mut hash = Sha256::new_with_prefix("cg/v1/combined").chain_update(session.to_string());
    for seed in seeds {
        hash.update(seed);
    }
    Hash(hash.finalize().into())
}

/// A match that is over, with everybody's seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    id: Uuid,
    game: AnyGame,
    /// In the order in which they joined.
    seeds: Vec<(Callsign, Hash)>,
    started: Timestamp,
}

/// The parts of a session block, whatever stands in them.
#[derive(Clone, Debug)]
pub struct SessionLayout<'a> {
    /// The id of the match.
    pub id: At<'a>,
    /// Its game.
    pub game: At<'a>,
    /// How many players.
    pub player_count: At<'a>,
    /// Callsigns and seeds.
    pub seeds: Vec<(At<'a>, At<'a>)>,
    /// The mixture.
    pub combined: At<'a>,
    /// When the match began.
    pub started: At<'a>,
}

impl Session {
    /// A session of as many players as the game allows.
    pub fn new(id: Uuid, game: AnyGame, seeds: Vec<(Callsign, Hash)>, started: Timestamp) -> Result<Self, BadFacts> {
        let range = games::with_game!(game, G => <G as table::Game>::PLAYERS);
        let found = seeds.len();
        if u8::try_from(found).is_ok_and(|count| range.contains(&count)) {
            return Ok(Self { id, game, seeds, started });
        }
        Err(BadFacts::Players { least: *range.start(), most: *range.end(), found })
    }

    /// The id of the match.
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Its game.
    pub const fn game(&self) -> AnyGame {
        self.game
    }

    /// Callsigns and seeds in the order in which they joined.
    pub fn seeds(&self) -> &[(Callsign, Hash)] {
        &self.seeds
    }

    /// When it began.
    pub const fn started(&self) -> Timestamp {
        self.started
    }

    /// The mixture of the seeds.
    pub fn combined(&self) -> Hash {
        let seeds: Vec<[u8; 32]> = self.seeds.iter().map(|(_, Hash(seed))| *seed).collect();
        combined(&self.id, &seeds)
    }

    /// Whether a result is of this session: id, game, players and seed agree, and it did not end before it began.
    pub fn fits(&self, facts: &Facts) -> bool {
        let mut here: Vec<&Callsign> = self.seeds.iter().map(|(callsign, _)| callsign).collect();
        let mut there: Vec<&Callsign> = facts.players.iter().map(|player| &player.callsign).collect();
        here.sort();
        there.sort();
        (self.id, self.game, self.combined()) == (facts.id, facts.game, facts.seed)
            && here == there
            && self.started <= facts.at
    }

    /// Reads a block. Its combined seed must be the mixture of its seeds.
    pub fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        let layout = SessionLayout::read(bytes)?;
        let mut seeds = Vec::with_capacity(layout.seeds.len());
        for (callsign, seed) in &layout.seeds {
            seeds.push((callsign.read(CALLSIGN, |text| text.parse().ok())?, seed.read(HASH, Hash::from_hex)?));
        }
        let count: usize = layout.player_count.number("the number of players")?;
        if count != seeds.len() {
            return Err(layout.player_count.expected(format!("{}, the number of seeds", seeds.len())));
        }
        let id = layout.id.read(ID, |text| text.parse().ok())?;
        let game = layout.game.read("the name of a game, such as poker", game_named)?;
        let started = layout.started.read("a time as 2025-12-28T14:00:00Z", Timestamp::from_iso)?;
        let line = layout.game.line;
        let session = Self::new(id, game, seeds, started).map_err(|why| Unreadable { line, why: Why::Facts(why) })?;
        let combined = layout.combined.read(HASH, Hash::from_hex)?;
        if combined != session.combined() {
            return Err(layout.combined.expected(format!("{}, the mixture of the seeds", session.combined())));
        }
        Ok(session)
    }

    /// The block, byte for byte.
    pub fn text(&self) -> String {
        let (id, game, count) = (self.id, game_name(self.game), self.seeds.len());
        let mut text = format!("session:\n  id: {id}\n  game: {game}\n  player_count: {count}\n  seeds:\n");
        for (callsign, seed) in &self.seeds {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    - player: {callsign}, seed: {seed}");
        }
        let _ = write!(text, "  combined_seed: {}\n  started: {}\n", self.combined(), self.started.iso());
        text
    }
}

impl<'a> SessionLayout<'a> {
    /// Finds the parts of a block.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let mut lines = Lines::new(bytes, LARGEST_SESSION)?;
        lines.exactly("session:")?;
        let id = lines.field("  id: ")?;
        let game = lines.field("  game: ")?;
        let player_count = lines.field("  player_count: ")?;
        lines.exactly("  seeds:")?;
        let mut seeds = Vec::new();
        while let Some(line) = lines.peek().and_then(|line| line.after("    - player: ")) {
            let parts = line.text.split_once(", seed: ");
            let (player, seed) = parts.ok_or_else(|| line.expected("    - player: …, seed: …"))?;
            seeds.push((At { text: player, ..line }, At { text: seed, ..line }));
            lines.take();
        }
        let combined = lines.field("  combined_seed: ")?;
        let started = lines.field("  started: ")?;
        lines.end()?;
        Ok(Self { id, game, player_count, seeds, combined, started })
    }
}
