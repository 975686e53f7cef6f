//! What the simulation of a chain says in the end, for people or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use ::chain::Coins;
use ::chain::laws::{Broken, Lie, Prank, Tally, World};
use serde::Serialize;
use table::Value;
use table::record::hex;

use super::args::ChainSimArgs;
use super::run::{Corrupt, Ended};
use crate::text::{counted, grouped};

/// Everything that is said.
pub(super) struct Report<'a> {
    pub(super) args: &'a ChainSimArgs,
    pub(super) seed: u64,
    pub(super) world: &'a World,
    pub(super) corrupt: &'a Corrupt,
    pub(super) ended: &'a Ended,
    pub(super) time: Duration,
}

/// The JSON object. All but `speed` follows from the seed, unless the simulation was interrupted.
#[derive(Serialize)]
struct Object<'a> {
    seed: u64,
    validators: u8,
    members: u8,
    /// How many members are needed to open a card.
    threshold: u8,
    tables: u8,
    players: u8,
    bots: String,
    lost: u16,
    epoch_blocks: u64,
    hands: Hands,
    blocks: u64,
    /// The hash of the last block.
    tip: String,
    transactions: Transactions,
    bytes: u64,
    bytes_per_hand: Option<u64>,
    epochs: u64,
    failed_key_generations: u64,
    decks: u64,
    shuffles: Shuffles,
    shares: Shares,
    timeouts: u64,
    liars: Vec<Liar<'a>>,
    pranks: Vec<Prankster>,
    corrupt_seats: CorruptSeats,
    laws: Laws,
    /// What happened that must never happen.
    broken: Option<String>,
    interrupted: bool,
    command: String,
    speed: Speed,
}

#[derive(Serialize)]
struct Hands {
    asked: u64,
    begun: u64,
    completed: u64,
    aborted: u64,
}

#[derive(Serialize)]
struct Transactions {
    done: u64,
    failed: u64,
    void: u64,
}

#[derive(Serialize)]
struct Shuffles {
    accepted: u64,
    turns_lost: u64,
}

#[derive(Serialize)]
struct Shares {
    sealed: u64,
    public: u64,
}

#[derive(Serialize)]
struct Liar<'a> {
    /// From 0.
    validator: u8,
    address: String,
    lie: Lie,
    /// What it was punished for, and how often.
    offences: BTreeMap<&'a str, u64>,
    lost: u64,
    jailed: bool,
}

#[derive(Serialize)]
struct Prankster {
    /// From 0, at every table.
    player: u8,
    prank: Prank,
}

#[derive(Serialize)]
struct CorruptSeats {
    /// The most that liars had in one committee.
    most: usize,
    /// The most that they can have.
    possible: usize,
    /// Whether they had too few to open a card together.
    cards_secret: bool,
}

/// What held after every block.
#[derive(Serialize)]
struct Laws {
    blocks_accepted: bool,
    replicas_equal: bool,
    supply_conserved: bool,
    nobody_honest_punished: bool,
    hands_go_on: bool,
}

#[derive(Serialize)]
struct Speed {
    seconds: f64,
    hands_per_second: f64,
}

impl Laws {
    fn new(ended: &Ended) -> Self {
        let broken = if let Ended::Broken(broken) = ended { Some(broken) } else { None };
        Self {
            blocks_accepted: !matches!(broken, Some(Broken::Block(_))),
            replicas_equal: !matches!(broken, Some(Broken::Replicas { .. })),
            supply_conserved: !matches!(broken, Some(Broken::Supply { .. })),
            nobody_honest_punished: !matches!(broken, Some(Broken::Innocent { .. })),
            hands_go_on: !matches!(broken, Some(Broken::Stuck { .. })),
        }
    }

    fn list(&self) -> [(&'static str, bool); 5] {
        [
            ("every block was accepted", self.blocks_accepted),
            ("two replicas agreed", self.replicas_equal),
            ("no coin was made or lost", self.supply_conserved),
            ("nobody honest was punished", self.nobody_honest_punished),
            ("hands went on", self.hands_go_on),
        ]
    }
}

impl Report<'_> {
    pub(super) fn print_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let (args, tally) = (self.args, self.tally());
        let [done, failed, void] = tally.transactions;
        let ([accepted, turns_lost], [sealed, public]) = (tally.shuffles, tally.shares);
        let object = Object {
            seed: self.seed,
            validators: args.validators,
            members: args.members(),
            threshold: args.needed(),
            tables: args.tables,
            players: args.players,
            bots: Value::text(&args.bots),
            lost: args.lost,
            epoch_blocks: args.epoch_blocks,
            hands: Hands { asked: args.hands, begun: tally.begun, completed: tally.completed, aborted: tally.aborted },
            blocks: tally.blocks,
            tip: hex(&self.world.tip()),
            transactions: Transactions { done, failed, void },
            bytes: tally.bytes,
            bytes_per_hand: self.bytes_per_hand(),
            epochs: tally.epochs,
            failed_key_generations: tally.failed_keys,
            decks: tally.decks,
            shuffles: Shuffles { accepted, turns_lost },
            shares: Shares { sealed, public },
            timeouts: tally.timeouts,
            liars: self.liars().collect(),
            pranks: args.pranks.counted_from_zero().map(|(player, prank)| Prankster { player, prank }).collect(),
            corrupt_seats: CorruptSeats {
                most: self.corrupt.held,
                possible: self.corrupt.possible,
                cards_secret: self.corrupt.held < usize::from(args.needed()),
            },
            laws: Laws::new(self.ended),
            broken: if let Ended::Broken(broken) = self.ended { Some(what(broken)) } else { None },
            interrupted: *self.ended == Ended::Interrupted,
            command: args.command(self.seed),
            speed: Speed { seconds: self.time.as_secs_f64(), hands_per_second: self.hands_per_second() },
        };
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let (args, tally) = (self.args, self.tally());
        let validators = counted(args.validators.into(), "validator");
        let (members, needed, seed) = (args.members(), args.needed(), self.seed);
        let tables = counted(args.tables.into(), "table");
        writeln!(
            out,
            "{validators}, committees of {members} ({needed} open a card), {tables} of {}, seed {seed}\n",
            args.players
        )?;
        if *self.ended == Ended::Interrupted {
            writeln!(out, "interrupted: {} of {}\n", grouped(self.ended_hands()), counted(args.hands, "hand"))?;
        }
        let mut row = |name: &str, value: String| writeln!(out, "{name:17} {value}");
        row("hands", format!("{} played to the end, {} aborted", grouped(tally.completed), grouped(tally.aborted)))?;
        let [done, failed, void] = tally.transactions.map(grouped);
        row("blocks", grouped(tally.blocks))?;
        row("transactions", format!("{done} carried out, {failed} failed, {void} void"))?;
        row("epochs", grouped(tally.epochs))?;
        row("key generations", format!("{} failed", grouped(tally.failed_keys)))?;
        let ([shuffled, skipped], [sealed, public]) = (tally.shuffles.map(grouped), tally.shares.map(grouped));
        row("decks", format!("{} ({shuffled} shuffles, {skipped} turns lost)", grouped(tally.decks)))?;
        row("shares", format!("{sealed} messages for players, {public} for everybody"))?;
        row("time-outs", grouped(tally.timeouts))?;
        let per_hand = self.bytes_per_hand().map_or_else(|| "-".to_owned(), grouped);
        row("bytes per hand", format!("{per_hand}, keys and decks included"))?;
        self.print_liars(out)?;
        writeln!(out, "\nafter every block")?;
        for (law, held) in Laws::new(self.ended).list() {
            writeln!(out, "  {law:28} {}", if held { "yes" } else { "NO" })?;
        }
        if let Ended::Broken(broken) = self.ended {
            writeln!(out, "\nThis must never happen: {}.", what(broken))?;
            if matches!(broken, Broken::Stuck { .. }) && self.can_stop() {
                writeln!(out, "But so many validators lie that too few members may be left to deal.")?;
            }
        }
        let (hands, seconds) = (counted(self.ended_hands(), "hand"), self.time.as_secs_f64());
        writeln!(out, "\n{hands} in {seconds:.2} s: {:.2} hands/s", self.hands_per_second())?;
        writeln!(out, "repeat with  {}", args.command(self.seed))
    }

    /// What each liar did and lost, and what liars together can see.
    fn print_liars(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.liars().next().is_none() {
            return Ok(());
        }
        writeln!(out, "\nvalidator  lie              {:>14}  jailed  punished for", "lost")?;
        for liar in self.liars() {
            let times = |(offence, times): (&&str, &u64)| format!("{offence} ({})", grouped(*times));
            let offences: Vec<String> = liar.offences.iter().map(times).collect();
            let offences = if offences.is_empty() { "nothing".to_owned() } else { offences.join(", ") };
            let (number, lie, lost) = (liar.validator + 1, Value::text(&liar.lie), grouped(liar.lost));
            let jailed = if liar.jailed { "yes" } else { "no" };
            writeln!(out, "{number:9}  {lie:15} {lost:>15}  {jailed:6}  {offences}")?;
        }
        let (held, needed, members) = (self.corrupt.held, self.args.needed(), self.args.members());
        if held >= usize::from(needed) {
            writeln!(
                out,
                "\nCards were not secret: liars had {held} of {members} seats of a committee, and {needed} together can \
                 open every\ncard. Cards are secret only from fewer than {needed}."
            )
        } else if self.corrupt.possible >= usize::from(needed) {
            writeln!(
                out,
                "\nLiars had at most {held} of {members} seats, but can be drawn into {needed} or more. Then cards are \
                 not secret:\n{needed} together can open every card."
            )
        } else {
            writeln!(out, "\nCards were secret: liars had at most {held} of {members} seats, and {needed} open a card.")
        }
    }

    fn liars(&self) -> impl Iterator<Item = Liar<'_>> {
        self.args.liars.counted_from_zero().filter_map(|(validator, lie)| {
            let address = self.world.genesis().validators.get(usize::from(validator))?.consensus;
            let (offences, lost) = self.tally().slashed.get(&address).cloned().unwrap_or_default();
            let (jailed, Coins(lost)) = (self.tally().jailed.contains(&address), lost);
            Some(Liar { validator, address: address.to_string(), lie, offences, lost, jailed })
        })
    }

    /// Whether liars can have so many seats that the others are too few to open a card.
    fn can_stop(&self) -> bool {
        self.corrupt.possible > usize::from(self.args.members().saturating_sub(self.args.needed()))
    }

    const fn tally(&self) -> &Tally {
        self.world.tally()
    }

    const fn ended_hands(&self) -> u64 {
        self.tally().completed + self.tally().aborted
    }

    fn bytes_per_hand(&self) -> Option<u64> {
        self.tally().bytes.checked_div(self.ended_hands())
    }

    fn hands_per_second(&self) -> f64 {
        self.ended_hands() as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// What broke, for people: they count validators from 1.
pub(super) fn what(broken: &Broken) -> String {
    match broken {
        Broken::Innocent { validator, why } => {
            format!("validator {} is honest, but was punished: {why}", u16::from(*validator) + 1)
        }
        other => other.to_string(),
    }
}
