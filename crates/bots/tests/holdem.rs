//! Computers that play Hold'em: they follow the rules and know the basics.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use bots::holdem::Why;
use bots::{Advice, Computer, Course, Kind, Past, Sight};
use cards::{Category, parse_cards};
use games::holdem::{Action, AnteBy, Deal, Holdem, Reopen, Settings, Setup};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Awaiting, Chips, Eye, Faces, Input, Known, Move, Rules as _, Seat};

use Action::{AllIn, Call, Check, Fold, RaiseTo};

const KINDS: [Kind; 4] = [Kind::Hard, Kind::Normal, Kind::Random, Kind::Easy];

/// A hand at the turn of a player whose cards are known. Seat 0 has the button.
struct Scene<'a> {
    stacks: &'a [i64],
    board: &'a str,
    /// What everybody did so far, in order.
    past: &'a [Action],
    hole: &'a str,
}

impl Scene<'_> {
    /// Asks the player whose turn it is, as the given kind, a few times.
    fn ask(&self, kind: Kind) -> Vec<Action> {
        self.look(|sight| {
            let act = |seed| {
                let mut draw = ChaCha8Rng::seed_from_u64(seed);
                let decision = match kind {
                    Kind::Normal => Holdem::normal(sight, &mut draw),
                    _ => Holdem::hard(sight, &mut draw),
                };
                match decision {
                    Some(Move::Act(action)) => action,
                    _ => panic!("expected an action"),
                }
            };
            (0..8).map(act).collect()
        })
    }

    fn advice(&self) -> Advice<Holdem> {
        self.look(|sight| Holdem::advice(sight, &mut ChaCha8Rng::seed_from_u64(1)).unwrap())
    }

    fn look<T>(&self, then: impl FnOnce(&Sight<'_, Holdem>) -> T) -> T {
        let stacks: Vec<Chips> = self.stacks.iter().map(|stack| Chips(*stack)).collect();
        let mut deal = Deal::deal(&Setup::new(&stacks, Seat::new(0), Chips(10), Chips(20))).unwrap();
        let open: Faces = deal.board().slots().zip(parse_cards(self.board).unwrap()).collect();
        let mut past = Vec::new();
        let mut actions = self.past.iter();
        let seat = loop {
            match deal.awaiting() {
                Awaiting::Dealer => deal.apply(&open, Input::Dealt).unwrap(),
                Awaiting::Turn(seat) => match actions.next() {
                    Some(action) => {
                        deal.apply(&open, Input::Act { seat, action }).unwrap();
                        past.push(Past::Did(seat, *action));
                    }
                    None => break seat,
                },
                Awaiting::Choices(_) | Awaiting::Over => panic!("the hand is over: {deal:?}"),
            }
        };
        let own: Faces = deal.hole(seat).slots().zip(parse_cards(self.hole).unwrap()).collect();
        let known = Known::with(&open, &own);
        let (view, moves) = (deal.view(known, Eye::Seat(seat)), deal.moves(known, seat));
        let settings = Settings::default();
        let course = Course { settings: &settings, deal: 1, past: &past };
        then(&Sight { seat, view: &view, moves: &moves, known, rules: &deal, course })
    }
}

fn raises(action: &Action) -> bool {
    matches!(action, RaiseTo(_) | AllIn)
}

#[test]
fn every_kind_plays_legally_at_every_table() {
    for players in 2..=9 {
        let mut draw = ChaCha8Rng::seed_from_u64(players);
        let kinds: Vec<Kind> = KINDS.into_iter().cycle().take(usize::try_from(players).unwrap()).collect();
        common::play_match::<Holdem>(&Settings::default(), &kinds, 6, &mut draw);
    }
}

#[test]
fn every_kind_plays_legally_with_unusual_settings() {
    let usual = Settings::default();
    let unusual = [
        Settings { starting_chips: 100, ..usual.clone() },
        Settings { ante: 20, blind_every: 1, ..usual.clone() },
        Settings { ante: 15, ante_by: AnteBy::BigBlind, reopen: Reopen::Any, ..usual.clone() },
        Settings { small_blind: 1, big_blind: 2, starting_chips: 1_000_000, ..usual.clone() },
        Settings { early_allin_reveal: false, small_blind: 1, big_blind: 200, ..usual.clone() },
        Settings { ring: true, ..usual },
    ];
    for (number, settings) in (0..).zip(&unusual) {
        for players in [2, 3, 6] {
            let mut draw = ChaCha8Rng::seed_from_u64(100 * number + players);
            let kinds: Vec<Kind> = KINDS.into_iter().cycle().take(usize::try_from(players).unwrap()).collect();
            common::play_match::<Holdem>(settings, &kinds, 8, &mut draw);
        }
    }
}

#[test]
fn nobody_folds_when_checking_is_free() {
    let scene = Scene { stacks: &[1000, 1000], board: "Ah Kh Qd", past: &[Call, Check], hole: "7c 2d" };
    for kind in [Kind::Normal, Kind::Hard] {
        assert!(!scene.ask(kind).contains(&Fold), "{kind:?}");
    }
}

#[test]
fn the_best_hand_raises_on_the_river() {
    let past = [Call, Check, Check, Check, Check, Check, RaiseTo(Chips(40))];
    let scene = Scene { stacks: &[1000, 1000], board: "Ah Kh Qh 2c 3d", past: &past, hole: "Jh Th" };
    for kind in [Kind::Normal, Kind::Hard] {
        let said = scene.ask(kind);
        assert!(said.iter().all(raises), "{kind:?}: {said:?}");
    }
}

#[test]
fn a_bad_hand_does_not_risk_the_stack() {
    let scene = Scene { stacks: &[1000, 1000], board: "", past: &[AllIn], hole: "7c 2d" };
    for kind in [Kind::Normal, Kind::Hard] {
        assert_eq!(scene.ask(kind), [Fold; 8], "{kind:?}");
    }
}

#[test]
fn aces_do_not_fold_to_anything_before_the_flop() {
    for past in [&[AllIn][..], &[RaiseTo(Chips(60))], &[Call], &[RaiseTo(Chips(400))]] {
        let scene = Scene { stacks: &[1000, 1000], board: "", past, hole: "Ac Ad" };
        let said = scene.ask(Kind::Hard);
        assert!(said.iter().all(|action| raises(action) || (*action == Call && past != [Call])), "{past:?}: {said:?}");
    }
}

#[test]
fn a_short_stack_goes_all_in_or_folds() {
    let all_in = Scene { stacks: &[80, 1000], board: "", past: &[], hole: "Ac 9d" };
    assert_eq!(all_in.ask(Kind::Hard), [AllIn; 8]);
    let fold = Scene { stacks: &[100, 100, 100, 100, 100, 100], board: "", past: &[], hole: "7c 2d" };
    assert_eq!(fold.ask(Kind::Hard), [Fold; 8]);
}

#[test]
fn a_hopeless_hand_folds_to_raises_on_every_street() {
    let past = [RaiseTo(Chips(60)), Call, Check, RaiseTo(Chips(90)), Call, RaiseTo(Chips(200))];
    let scene = Scene {
        stacks: &[1000, 1000, 1000],
        board: "Ah Kh Qd 9s",
        past: &[&[Fold], &past[..]].concat(),
        hole: "5c 4c",
    };
    let said = scene.ask(Kind::Hard);
    assert!(said.iter().all(|action| *action == Fold), "{said:?}");
}

#[test]
fn advice_gives_the_price_and_the_chance() {
    let past = [RaiseTo(Chips(60)), Call, Check, RaiseTo(Chips(60)), Call, Check, AllIn];
    let scene = Scene { stacks: &[1000, 1000], board: "Ah Kh Qd 9s", past: &past, hole: "5c 4c" };
    let Advice { best, why } = scene.advice();
    assert_eq!(best, Move::Act(Fold));
    assert!(
        matches!(why[..], [Why::Wins { percent: 0..=25 }, Why::Price { .. }, Why::Have(Category::HighCard)]),
        "{why:?}"
    );
    let Why::Price { cost, pot, percent } = why[1] else { panic!("the price comes second") };
    assert_eq!((cost, pot, percent), (Chips(880), Chips(1120), 44));
}

#[test]
fn advice_for_a_strong_hand_is_to_bet_and_says_what_it_is() {
    let scene = Scene { stacks: &[1000, 1000], board: "Ah Kh 2d", past: &[RaiseTo(Chips(60)), Call], hole: "Ac Kc" };
    let Advice { best, why } = scene.advice();
    let Move::Act(action) = best;
    assert!(raises(&action) || action == Check, "{action:?}");
    assert_eq!(why[0], Why::Have(Category::TwoPair));
    assert!(matches!(why[1], Why::Wins { percent: 80..=100 }), "{why:?}");
}
