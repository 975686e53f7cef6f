//! Whole matches: they end, everybody gets a place, and leavers come last.

use table::{Draw as _, Game, Match, Seat, Series as _, Standing};

use super::{Picker, Seed, times};
use crate::play_deal;

/// More deals than any match of the usual settings takes at random.
const MOST_DEALS: u32 = 50_000;

/// Matches end, with and without somebody conceding on the way.
pub(super) fn end<G: Game>(settings: &G::Settings) {
    for players in G::PLAYERS {
        for number in 0..times(3, 50) {
            let seed = Seed { players, number };
            one_match::<G>(settings, seed, false);
            one_match::<G>(settings, seed, true);
        }
    }
}

fn one_match<G: Game>(settings: &G::Settings, seed: Seed, somebody_concedes: bool) {
    let mut running = Match::<G>::start(settings, seed.players).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    let mut dealer = seed.dealer();
    let mut rng = seed.rng(9);
    let mut pick = Picker(seed.rng(2));
    let leaver = somebody_concedes.then(|| (rng.below(4), Seat::round(u64::from(rng.below(100)), seed.players)));
    while !running.standing().over {
        assert!(running.deals() < MOST_DEALS, "{seed:?}: the match does not end");
        if let Some((_, seat)) = leaver.filter(|(deal, _)| running.deals() == deal + 1) {
            running.concede(seat);
            if running.standing().over {
                break;
            }
        }
        play_deal(running.table_mut(), &mut dealer, &mut pick, &mut ()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        let before = running.deals();
        assert!(running.advance(0).is_some(), "{seed:?}: the deal is over");
        let more = running.deals() == before + 1;
        assert_eq!(more, !running.standing().over, "{seed:?}: a match goes on until it is over");
    }
    assert!(running.series().next(0).is_none(), "{seed:?}: no deal after the end");
    places_make_sense(&running.standing(), seed);
    if let Some((_, seat)) = leaver.filter(|(deal, _)| running.deals() > *deal) {
        let standing = running.standing();
        let winners = standing.winners();
        assert!(
            !winners.contains(seat) || winners.len() == seed.players,
            "{seed:?}: {seat} left and won: {standing:?}"
        );
    }
}

/// Competition ranking: every place is one more than the number of seats ahead.
fn places_make_sense(standing: &Standing, seed: Seed) {
    for (seat, place) in standing.place.seats() {
        let ahead = standing.place.iter().filter(|other| *other < place).count();
        assert_eq!(usize::from(*place), ahead + 1, "{seed:?}: {seat} in {standing:?}");
    }
    assert!(!standing.winners().is_empty(), "{seed:?}: nobody won: {standing:?}");
    assert_eq!(standing.place.players(), seed.players);
}
