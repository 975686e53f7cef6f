//! What is to be simulated, checked.

use std::time::Duration;

use bots::Kind;
use table::{Game, Seat, Settings};

use super::{Dealing, unit_seed};
use crate::args::SimArgs;
use crate::computers::Who;
use crate::external::{PREFIX, Told, USUAL_TIME};
use crate::failure::Failure;

/// What is to be simulated.
#[derive(Clone, Debug)]
pub struct Plan<G: Game> {
    /// The settings of the game.
    pub settings: G::Settings,
    /// How many play.
    pub players: u8,
    /// Who plays, by seat.
    pub bots: Vec<Who>,
    /// How much time an outside bot has for an answer.
    pub bot_time: Duration,
    /// Everything random follows from it.
    pub seed: u64,
    /// How much is played.
    pub units: Units,
    /// Who deals.
    pub dealer: Dealing,
    /// What has been told about the outside bots, by seat.
    pub(super) told: Vec<Told>,
    /// A match at its beginning, which tells how single deals begin.
    pub(super) series: G::Series,
}

/// How much is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Units {
    /// This many single deals.
    Deals(u64),
    /// Whole matches.
    Matches {
        /// How many.
        count: u64,
        /// After this many deals a match is stopped.
        max_deals: u32,
    },
}

impl Units {
    /// How many.
    pub const fn count(self) -> u64 {
        match self {
            Self::Deals(count) | Self::Matches { count, .. } => count,
        }
    }

    /// What one of them is called.
    pub const fn one(self) -> &'static str {
        match self {
            Self::Deals(_) => "deal",
            Self::Matches { .. } => "match",
        }
    }

    /// What several of them are called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deals(_) => "deals",
            Self::Matches { .. } => "matches",
        }
    }
}

impl<G: Game> Plan<G> {
    /// A plan, or what is wrong with its settings.
    pub fn new(settings: G::Settings, players: u8, seed: u64, units: Units) -> Result<Self, table::BadSetting> {
        G::check_players(players)?;
        settings.check_ranges()?;
        let series = G::start(&settings, players)?;
        let bots = vec![Who::Computer(Kind::Random); usize::from(players)];
        let told = bots.iter().map(|_| Told::default()).collect();
        let (dealer, bot_time) = (Dealing::Local, USUAL_TIME);
        Ok(Self { settings, players, bots, bot_time, seed, units, dealer, told, series })
    }

    /// What tells the table of a match from every other; single deals all have that of unit 0.
    pub fn id(&self, unit: u64) -> [u8; 32] {
        let settings = serde_json::to_string(&self.settings).unwrap_or_default();
        unit_seed(self.seed, unit, &format!("table of {} with {} players: {settings}", G::NAME, self.players))
    }

    /// From what was typed.
    pub(crate) fn from_args(args: &SimArgs) -> Result<Self, Failure> {
        let players = checked_players::<G>(args.played.players)?;
        let units = match args.matches {
            Some(count) => Units::Matches { count, max_deals: args.max_deals },
            None => Units::Deals(args.deals.unwrap_or(10_000)),
        };
        let dealer = args.dealer.with(args.reveal_seed).map_err(Failure::Input)?;
        dealer.check(players).map_err(Failure::Input)?;
        if matches!(units, Units::Deals(count) if u32::try_from(count).is_err()) {
            let limit = |option: &str| Failure::input(format!("--deals must be from 1 to {} with {option}", u32::MAX));
            if args.record.is_some() {
                return Err(limit("--record"));
            }
            if dealer.proves() {
                return Err(limit(&format!("--dealer {}", dealer.name())));
            }
        }
        let settings = settings::<G>(args.played.options.iter().map(String::as_str)).map_err(Failure::Input)?;
        let seed = args.played.seed.map_or_else(fresh_seed, Ok)?;
        let plan =
            Self::new(settings, players, seed, units).map_err(|bad| Failure::input(format!("--option: {bad}")))?;
        let bots = bots(players, &args.bots).map_err(Failure::Input)?;
        Ok(Self { bots, bot_time: args.played.bot_time, dealer, ..plan })
    }
}

/// The number of players that was typed, if the game allows it.
pub(crate) fn checked_players<G: Game>(typed: Option<u8>) -> Result<u8, Failure> {
    let players = typed.unwrap_or_else(|| default_players::<G>());
    G::check_players(players).map_err(|bad| Failure::input(format!("--players {players}: {bad} in {}", G::NAME)))?;
    Ok(players)
}

/// Four, or as near as the game comes.
pub fn default_players<G: Game>() -> u8 {
    4.clamp(*G::PLAYERS.start(), *G::PLAYERS.end())
}

/// The settings of a game from `name=value` texts.
pub fn settings<'a, G: Game>(options: impl IntoIterator<Item = &'a str>) -> Result<G::Settings, String> {
    let options: Vec<&str> = options.into_iter().collect();
    let pair = |option: &&'a str| match option.split_once('=') {
        Some((name, value)) => Ok((name.trim(), value.trim())),
        None => Err(format!("--option {option}: expected NAME=VALUE")),
    };
    let pairs = options.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
    let named = |at: usize| options.get(at).copied().unwrap_or_default();
    G::Settings::from_pairs(&pairs).map_err(|(at, why)| format!("--option {}: {why}", named(at)))
}

/// Who plays: first what is said of all seats, then what is said of single ones.
fn bots(players: u8, said: &[String]) -> Result<Vec<Who>, String> {
    let who = |text: &str, name: &str| Who::parse(name).map_err(|why| format!("--bot {text}: {why}"));
    // A command may have any sign in it.
    let of_one = |text: &String| if text.starts_with(PREFIX) { None } else { text.find('=') };
    let mut bots = vec![Who::Computer(Kind::Random); usize::from(players)];
    for text in said.iter().filter(|text| of_one(text).is_none()) {
        bots.fill(who(text, text)?);
    }
    for (text, (seat, name)) in said.iter().filter_map(|text| Some((text, text.split_at(of_one(text)?)))) {
        let seat: Option<Seat> = seat.trim().parse().ok().and_then(Seat::numbered);
        let place = seat.and_then(|seat| bots.get_mut(usize::from(seat.index())));
        *place.ok_or_else(|| format!("--bot {text}: the seat must be from 1 to {players}"))? =
            who(text, name.trim_start_matches('='))?;
    }
    Ok(bots)
}

/// What a kind of bot is called.
pub fn bot_name(kind: Kind) -> String {
    Who::from(kind).to_string()
}

/// A seed from the system, small enough that every reader of JSON keeps it exactly.
pub(crate) fn fresh_seed() -> Result<u64, Failure> {
    let seed = getrandom::u64()
        .map_err(|why| Failure::input(format!("the system provides no random numbers: {why}; use --seed")))?;
    Ok(seed >> 11)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(said: &[&str]) -> Result<Vec<Who>, String> {
        bots(3, &said.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_said_of_one_seat_goes_before_what_is_said_of_all() {
        let [easy, random] = [Kind::Easy, Kind::Random].map(Who::Computer);
        assert_eq!(of(&[]), Ok(vec![random.clone(); 3]));
        assert_eq!(of(&["simple"]), Ok(vec![easy.clone(); 3]));
        assert_eq!(of(&["2=random", "simple"]), Ok(vec![easy.clone(), random.clone(), easy.clone()]));
        assert_eq!(of(&["1=random", "3=random", "simple"]), Ok(vec![random.clone(), easy, random]));
    }

    #[test]
    fn a_command_may_have_any_sign_in_it() {
        let [random, own] = [Who::Computer(Kind::Random), Who::Command("./bot --depth=3".to_owned())];
        assert_eq!(of(&["cmd:./bot --depth=3"]), Ok(vec![own.clone(); 3]));
        assert_eq!(of(&["3=cmd: ./bot --depth=3"]), Ok(vec![random.clone(), random, own]));
        assert!(of(&["1=cmd:"]).unwrap_err().contains("a command"));
    }

    #[test]
    fn wrong_bots_are_named() {
        assert_eq!(
            of(&["clever"]),
            Err("--bot clever: it must be random, easy, normal, hard or cmd: and a command".to_owned())
        );
        for seat in ["0", "4", "x", ""] {
            let bot = format!("{seat}=simple");
            assert_eq!(of(&[&bot]), Err(format!("--bot {bot}: the seat must be from 1 to 3")));
        }
    }
}
