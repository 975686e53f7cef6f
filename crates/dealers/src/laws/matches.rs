//! Whole matches: they end, everybody gets a place, and leavers come last.

use table::{Breakdown, Draw as _, Game, Known, Match, Move, Rules, Seat, Seats, Series as _, Standing, Table};

use super::{Picker, Seed, times};
use crate::{Players, play_deal};

/// More deals than any match with default settings takes at random.
const MOST_DEALS: u32 = 50_000;

/// How a seat leaves a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaving {
    /// It concedes.
    Concedes,
    /// It vanishes in two deals, and they cannot be finished without it.
    Vanishes,
    /// It claims something false.
    Lies,
}

/// Matches end, whether or not a seat leaves on the way.
pub(super) fn end<G: Game>(settings: &G::Settings) {
    for players in G::PLAYERS {
        for number in 0..times(3, 50) {
            let seed = Seed { players, number };
            for leaving in [None, Some(Leaving::Concedes), Some(Leaving::Vanishes), Some(Leaving::Lies)] {
                one_match::<G>(settings, seed, leaving);
            }
        }
        for number in 0..times(40, 2_000) {
            the_last_one_has_won::<G>(settings, Seed { players, number });
        }
    }
}

fn one_match<G: Game>(settings: &G::Settings, seed: Seed, leaving: Option<Leaving>) {
    let mut running = Match::<G>::start(settings, seed.players).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    let mut dealer = seed.dealer();
    let mut rng = seed.rng(9);
    let mut pick = Picker(seed.rng(2));
    let leaver = leaving.map(|how| (how, rng.below(4), Seat::round(u64::from(rng.below(100)), seed.players)));
    let mut broken_off = 0;
    while !running.standing().over {
        assert!(running.deals() < MOST_DEALS, "{seed:?}: the match does not end");
        let leaves = leaver.filter(|(how, deal, _)| {
            running.deals() == deal + 1 || *how == Leaving::Vanishes && running.deals() == deal + 2
        });
        if let Some((Leaving::Concedes, _, seat)) = leaves {
            running.concede(seat);
            if running.standing().over {
                let ended = running.table().outcome().cloned();
                assert_eq!(running.advance(0), ended, "{seed:?}: the finished deal counts");
                break;
            }
        }
        let broken = match leaves {
            Some((Leaving::Vanishes, _, seat)) => Some(Breakdown::Vanished(Seats::one(seat))),
            Some((Leaving::Lies, _, seat)) => Some(Breakdown::FalseClaim(Seats::one(seat))),
            Some((Leaving::Concedes, ..)) | None => None,
        };
        if let Some(why) = broken {
            broken_off += 1;
            let table = running.table_mut();
            table.break_off(table.height(), why).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        } else {
            play_deal(running.table_mut(), &mut dealer, &mut pick, &mut ()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        }
        let before = running.deals();
        assert!(running.advance(0).is_some(), "{seed:?}: the deal is over");
        let more = running.deals() == before + 1;
        assert_eq!(more, !running.standing().over, "{seed:?}: a match continues until it is over");
    }
    assert!(running.series().next(0).is_none(), "{seed:?}: no deal after the end");
    assert_eq!(running.advance(0), None, "{seed:?}: nothing counts twice");
    let standing = running.standing();
    places_make_sense(&standing, seed);
    // Silence costs the match only the second time.
    let left = |how: Leaving, deal: u32| running.deals() > deal && (how != Leaving::Vanishes || broken_off == 2);
    if let Some((_, _, seat)) = leaver.filter(|(how, deal, _)| left(*how, *deal)) {
        let winners = standing.winners();
        assert!(
            !winners.contains(seat) || winners.len() == seed.players,
            "{seed:?}: {seat} left and won: {standing:?}"
        );
    }
    Seats::first(seed.players).iter().for_each(|seat| running.concede(seat));
    assert_eq!(running.standing(), standing, "{seed:?}: leaving after the end changes nothing");
}

/// Picks at random, until the deal is interrupted.
struct Interrupted {
    pick: Picker,
    moves_left: u32,
}

impl<R: Rules> Players<R> for Interrupted {
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Option<Move<R::Action, R::Choice>> {
        self.moves_left = self.moves_left.checked_sub(1)?;
        self.pick.decide(table, seat, known)
    }

    fn stopped(&self) -> bool {
        self.moves_left == 0
    }
}

/// At any moment of a deal all players but one leave, one after the other: the match is over with the last of them,
/// and nobody is asked anything any more.
fn the_last_one_has_won<G: Game>(settings: &G::Settings, seed: Seed) {
    let mut running = Match::<G>::start(settings, seed.players).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    let mut dealer = seed.dealer();
    let mut rng = seed.rng(10);
    let mut players = Interrupted { pick: Picker(seed.rng(2)), moves_left: rng.below(60) };
    while play_deal(running.table_mut(), &mut dealer, &mut players, &mut ()).is_ok() {
        let _ = running.advance(0);
        if running.standing().over {
            return;
        }
    }
    let last = Seat::round(u64::from(rng.below(100)), seed.players);
    let first = Seat::round(u64::from(rng.below(100)), seed.players);
    for seat in Seats::first(seed.players).without(last).clockwise_from(first) {
        if running.standing().over {
            break;
        }
        running.concede(seat);
    }
    let standing = running.standing();
    assert!(standing.over, "{seed:?}: one player is left and the match goes on");
    let mut nobody = |table: &Table<G::Rules>, seat, _: Known<'_>| -> Option<_> {
        panic!("{seed:?}: {seat} is asked though the match is over: {:?}", table.rules())
    };
    play_deal(running.table_mut(), &mut dealer, &mut nobody, &mut ()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    assert!(running.advance(0).is_some(), "{seed:?}: the deal is over");
    assert_eq!(running.advance(0), None, "{seed:?}: nothing follows");
    assert!(running.standing().over && running.series().next(0).is_none(), "{seed:?}: it stays over");
    let in_the_match = running.standing().winners();
    assert_eq!(in_the_match.len(), 1, "{seed:?}: one has won: {:?}", running.standing());
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
