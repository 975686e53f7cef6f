//! What is to be played, checked.

use std::time::Duration;

use table::{Game, Settings as _};

use super::lineup::{Side, line_ups};
use crate::args::ArenaArgs;
use crate::computers::Who;
use crate::failure::Failure;
use crate::sim::{checked_players, fresh_seed, settings};

/// What is to be played.
#[derive(Debug)]
pub(super) struct Plan<G: Game> {
    pub(super) settings: G::Settings,
    pub(super) players: u8,
    pub(super) seed: u64,
    /// A match is stopped after this many deals.
    pub(super) max_deals: u32,
    /// Who plays against whom.
    pub(super) pairs: Vec<[Who; 2]>,
    /// How much time an outside bot has for an answer.
    pub(super) bot_time: Duration,
    /// How many sets of each pair, at most.
    pub(super) sets: u64,
    /// In which line-ups a set is played.
    pub(super) line_ups: Vec<Vec<Side>>,
    /// Stop a pair once its result is clear?
    pub(super) until_clear: bool,
}

impl<G: Game> Plan<G> {
    pub(super) fn from_args(args: &ArenaArgs) -> Result<Self, Failure> {
        let players = checked_players::<G>(args.played.players)?;
        let settings = settings::<G>(args.played.options.iter().map(String::as_str)).map_err(Failure::Input)?;
        let bad = |bad| Failure::input(format!("--option: {bad}"));
        settings.check_ranges().map_err(bad)?;
        G::start(&settings, players).map_err(bad)?;
        let line_ups = line_ups(players);
        let size = line_ups.len() as u64;
        let sets = args.matches / size;
        if sets == 0 {
            let why = format!("--matches {}: with {players} players a set has {size} matches", args.matches);
            return Err(Failure::Input(why));
        }
        let pairs = pairs(&args.bots).map_err(Failure::Input)?;
        let seed = args.played.seed.map_or_else(fresh_seed, Ok)?;
        let (max_deals, until_clear, bot_time) = (args.max_deals, args.until_clear, args.played.bot_time);
        Ok(Self { settings, players, seed, max_deals, pairs, bot_time, sets, line_ups, until_clear })
    }
}

/// Everybody against everybody.
fn pairs(names: &[String]) -> Result<Vec<[Who; 2]>, String> {
    let who = |name: &String| Who::parse(name).map_err(|why| format!("--bots {name}: {why}"));
    let all = names.iter().map(who).collect::<Result<Vec<_>, _>>()?;
    if all.len() < 2 {
        return Err(format!("--bots {}: at least two are needed", names.join(",")));
    }
    let against = |(i, a): (usize, &Who)| all.iter().skip(i + 1).map(|b| [a.clone(), b.clone()]).collect::<Vec<_>>();
    Ok(all.iter().enumerate().flat_map(against).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_plays_everybody_once() {
        let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let said = |pairs: Vec<[Who; 2]>| pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect::<Vec<_>>();
        let all = pairs(&names("hard,simple,cmd:./bot -x")).unwrap();
        assert_eq!(said(all), ["hard-easy", "hard-cmd:./bot -x", "easy-cmd:./bot -x"]);
        assert_eq!(said(pairs(&names("hard,hard")).unwrap()), ["hard-hard"]);
        assert!(pairs(&names("hard")).unwrap_err().contains("at least two"));
        assert!(pairs(&names("hard,clever")).unwrap_err().contains("clever"));
    }
}
