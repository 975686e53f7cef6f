//! Who deals in a simulation.

use dealers::house::RevealSeed;
use dealers::joint::{Circle, Keepers, Terms};
use dealers::{Dealer, House, Local};
use table::{Game, Seats};

use super::{Plan, unit_seed};

/// Who deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dealing {
    /// This process, trusted.
    Local,
    /// A house, with the seeds of its players made up, and its evidence.
    House {
        /// When it publishes its seeds.
        reveal: RevealSeed,
    },
    /// The players, or a committee, jointly, with their evidence; all of them in this process.
    Joint(Keepers),
}

/// When a house publishes its seeds, as it is typed.
const REVEALS: [(&str, RevealSeed); 3] =
    [("auto", RevealSeed::Auto), ("after_deal", RevealSeed::AfterDeal), ("after_match", RevealSeed::AfterMatch)];

impl Dealing {
    /// What records and commands call it.
    pub fn name(self) -> String {
        match self {
            Self::Local => "local".to_owned(),
            Self::House { .. } => "house".to_owned(),
            Self::Joint(keepers) => keepers.to_string(),
        }
    }

    /// Does it leave evidence?
    pub const fn proves(self) -> bool {
        match self {
            Self::Local => false,
            Self::House { .. } | Self::Joint(_) => true,
        }
    }

    /// From what was typed.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "local" => Ok(Self::Local),
            "house" => Ok(Self::House { reveal: RevealSeed::Auto }),
            // As many as can bear that one of them fails or lies.
            "committee" => Ok(Self::Joint(Keepers::Committee { members: 4, threshold: 3 })),
            _ => text.parse().map(Self::Joint).map_err(|_| {
                "it must be local, house, peers, peers:K (any K players can open a card) or committee:N,T (any T of N \
                 members can)"
                    .to_owned()
            }),
        }
    }

    /// Can it deal to this many players?
    pub fn check(self, players: u8) -> Result<(), String> {
        match self {
            Self::Local | Self::House { .. } => Ok(()),
            Self::Joint(keepers) => {
                let terms = Terms { session: [0; 32], players: Seats::first(players), keepers };
                terms.check().map_err(|bad| format!("--dealer {keepers} with {players} players: {bad}"))
            }
        }
    }

    /// With `--reveal-seed`, if that was typed.
    pub(crate) fn with(self, typed: Option<RevealSeed>) -> Result<Self, String> {
        match (self, typed) {
            (Self::House { .. }, Some(reveal)) => Ok(Self::House { reveal }),
            (Self::Local | Self::Joint(_), Some(_)) => Err("--reveal-seed works only with --dealer house".to_owned()),
            (_, None) => Ok(self),
        }
    }

    /// The options that ask for it; nothing for what is usual.
    pub(super) fn options(self) -> String {
        match self {
            Self::Local => String::new(),
            Self::Joint(keepers) => format!(" --dealer {keepers}"),
            Self::House { reveal } => match REVEALS.iter().find(|(_, known)| *known == reveal) {
                Some((name, _)) if reveal != RevealSeed::Auto => format!(" --dealer house --reveal-seed {name}"),
                _ => " --dealer house".to_owned(),
            },
        }
    }
}

/// When a house publishes its seeds, from what was typed.
pub(crate) fn parse_reveal(text: &str) -> Result<RevealSeed, String> {
    let known = REVEALS.iter().find(|(name, _)| *name == text).map(|(_, reveal)| *reveal);
    known.ok_or_else(|| "it must be auto, after_deal or after_match".to_owned())
}

/// A dealer in a simulation.
pub trait Simulated: Dealer {
    /// Does it leave evidence, and so need to know what its sessions are called?
    const PROVES: bool;
    /// The dealer that a plan asks for.
    fn of<G: Game>(plan: &Plan<G>) -> Self;
    /// Everything random follows from this seed from now on.
    fn reseed(&mut self, seed: [u8; 32]);
    /// The next deal has nothing to do with the one before.
    fn clear(&mut self);
}

impl Simulated for Local {
    const PROVES: bool = false;

    fn of<G: Game>(_: &Plan<G>) -> Self {
        Self::new([0; 32])
    }
    #[inline]
    fn reseed(&mut self, seed: [u8; 32]) {
        Self::reseed(self, seed);
    }
    #[inline]
    fn clear(&mut self) {
        Self::clear(self);
    }
}

/// Everything follows from one secret and from what the session is called.
impl Simulated for House {
    const PROVES: bool = true;

    fn of<G: Game>(plan: &Plan<G>) -> Self {
        let reveal = match plan.dealer {
            Dealing::House { reveal } => reveal,
            Dealing::Local | Dealing::Joint(_) => RevealSeed::Auto,
        };
        Self::simulated(unit_seed(plan.seed, 0, "house"), reveal.in_game::<G>())
    }
    fn reseed(&mut self, _: [u8; 32]) {}
    fn clear(&mut self) {}
}

/// The same: nobody's secrets are the same in two sessions.
impl Simulated for Circle {
    const PROVES: bool = true;

    fn of<G: Game>(plan: &Plan<G>) -> Self {
        let keepers = match plan.dealer {
            Dealing::Joint(keepers) => keepers,
            Dealing::Local | Dealing::House { .. } => Keepers::EveryPlayer,
        };
        let players = Seats::first(plan.players);
        Self::new(players, keepers, unit_seed(plan.seed, 0, "joint")).expect("a plan's dealer can deal to its players")
    }
    fn reseed(&mut self, _: [u8; 32]) {}
    fn clear(&mut self) {}
}
