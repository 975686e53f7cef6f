//! Settlement equals the rules: published hands, and hands of another engine, end with the same stacks.

use games::holdem::phh::{self, Given, PhhHand, Play, Player as PhhPlayer};
use serde_json::Value;
use table::Chips;

use super::*;

/// Plays a hand at a chain's table: the button in seat 0, then clockwise with these stacks.
struct Replay {
    world: World,
    players: u8,
    faces: Faces,
}

impl Replay {
    /// `stacks` from the button on.
    fn new(stacks: &[Chips], small: Chips, big: Chips) -> Self {
        let coins = |chips: Chips| Coins::from_chips(chips).unwrap();
        let mut world = World::with(Terms {
            small_blind: coins(small),
            big_blind: coins(big),
            min_buy_in: coins(big),
            max_buy_in: RICH,
            player_bond: coins(big),
            ..terms()
        });
        let players = u8::try_from(stacks.len()).unwrap();
        for (player, stack) in (0..).zip(stacks.iter().map(|stack| coins(*stack))) {
            // A stack in the middle of a session may be smaller than any buy-in.
            let buy_in = stack.max(coins(big));
            world.sit(player, buy_in.0).unwrap();
            world.cx(|cx| {
                cx.store.edit(&RingOf(1), |ring| ring.player_mut(seat(player)).unwrap().stack = stack).unwrap();
                bank::credit(cx, who(player), buy_in.minus(stack).unwrap());
            });
        }
        world.begin();
        assert_eq!(world.ring().button, Some(0));
        Self { world, players, faces: Faces::new() }
    }

    fn hole(&mut self, index: u8, cards: impl IntoIterator<Item = Option<Card>>) {
        let (_, table) = hand(&self.world.store, 1).unwrap();
        let known = table.rules().hole(seat(index)).slots().zip(cards);
        known.for_each(|(slot, card)| card.into_iter().for_each(|card| self.faces.insert(slot, card)));
    }

    fn board(&mut self, cards: impl IntoIterator<Item = Card>) {
        let (_, table) = hand(&self.world.store, 1).unwrap();
        table.rules().board().slots().zip(cards).for_each(|(slot, card)| self.faces.insert(slot, card));
    }

    fn deal(&mut self) {
        let Self { world, faces, .. } = self;
        world.cx(|cx| dealt(cx, 1, faces));
    }

    fn stacks(&self) -> Vec<u64> {
        assert!(hand(&self.world.store, 1).is_none(), "the hand is over");
        (0..self.players).map(|index| self.world.stack(index)).collect()
    }
}

/// A list by player of a file, from the button on: the last player has it.
fn from_button<T: Clone>(list: &[T]) -> Vec<T> {
    let mut list = list.to_vec();
    list.rotate_right(1);
    list
}

/// Plays a published hand; `false` if a chain's table cannot have it.
fn plays(published: &PhhHand) -> bool {
    let (blinds, others) = published.blinds_or_straddles.split_at(2);
    let usual = published.antes.iter().chain(others).all(|chips| *chips == Chips::ZERO)
        && published.min_bet == blinds[1]
        && (2..=9).contains(&published.players())
        && published.unlimited.is_empty();
    let mut steps = Vec::new();
    let replayed = phh::replay_steps(published, &mut steps).unwrap();
    if !usual || steps.iter().any(|step| matches!(step.given, Given::Gone(_) | Given::Broken(_))) {
        return false;
    }
    let mut replay = Replay::new(&from_button(&published.starting_stacks), blinds[0], blinds[1]);
    let players = replay.players;
    let index = |player: PhhPlayer| (player.0 + 1) % players;
    for line in &published.lines {
        match &line.play {
            Play::Hole(player, cards) => replay.hole(index(*player), cards.iter().copied()),
            Play::Show(player, cards) if !cards.is_empty() => replay.hole(index(*player), cards.iter().copied()),
            _ => {}
        }
    }
    let board = published.lines.iter().filter_map(|line| match &line.play {
        Play::Board(cards) => Some(cards.iter().flatten().copied()),
        _ => None,
    });
    replay.board(board.flatten());
    for step in steps {
        match step.given {
            Given::Dealt => replay.deal(),
            Given::Act { seat, action, .. } => {
                assert_eq!(replay.world.turn(), Some((seat.index() + 1) % players));
                replay.world.act(action.into()).unwrap();
            }
            Given::Gone(_) | Given::Broken(_) => unreachable!("such hands were left out"),
        }
    }
    let expected: Vec<u64> =
        from_button(&replayed.stacks).iter().map(|chips| u64::try_from(chips.0).unwrap()).collect();
    assert_eq!(replay.stacks(), expected, "{:?}", published.label);
    true
}

#[test]
fn published_hands_end_with_the_stacks_of_their_replay() {
    let files = [
        include_str!("../../../tests/data/pluribus.phhs"),
        include_str!("../../../../games/tests/data/phh/session.phhs"),
        include_str!("../../../../games/tests/data/phh/heads_up.phh"),
        include_str!("../../../../games/tests/data/phh/cents.phh"),
        include_str!("../../../../games/tests/data/phh/antes.phh"),
        include_str!("../../../../games/tests/data/phh/straddle.phh"),
    ];
    let all = files.iter().flat_map(|text| phh::decode_all(text).unwrap()).filter_map(|entry| entry.hand.ok());
    let (played, left_out): (Vec<_>, Vec<_>) = all.map(|hand| plays(&hand)).partition(|played| *played);
    assert_eq!((played.len(), left_out.len()), (84, 3), "without antes, straddles and mucked hands");
}

#[test]
fn hands_of_another_engine_end_with_its_stacks() {
    let mut players_seen = std::collections::BTreeSet::new();
    let mut count = 0;
    for line in include_str!("../../../../games/tests/data/holdem.jsonl").lines() {
        let hand: Value = serde_json::from_str(line).unwrap();
        let number = |value: &Value| value.as_i64().unwrap();
        let list = |name: &str| hand[name].as_array().unwrap().iter().map(number).collect::<Vec<i64>>();
        let of = |value: &Value| {
            value.as_array().unwrap().iter().map(|card| card.as_str().unwrap().parse().unwrap()).collect::<Vec<Card>>()
        };
        let (small, big) = (Chips(number(&hand["sb"])), Chips(number(&hand["bb"])));
        if small == Chips::ZERO {
            // A chain's table has two blinds.
            continue;
        }
        let button = usize::try_from(number(&hand["button"])).unwrap();
        let from_button = |mut list: Vec<i64>| {
            list.rotate_left(button);
            list
        };
        let stacks: Vec<Chips> = from_button(list("stacks")).into_iter().map(Chips).collect();
        let mut replay = Replay::new(&stacks, small, big);
        let n = stacks.len();
        for index in 0..n {
            let cards = of(&hand["holes"][(index + button) % n]);
            replay.hole(u8::try_from(index).unwrap(), cards.into_iter().map(Some));
        }
        replay.board(of(&hand["board"]));
        let deals = |replay: &mut Replay| {
            while super::hand(&replay.world.store, 1).is_some() && replay.world.turn().is_none() {
                replay.deal();
            }
        };
        for step in hand["actions"].as_array().unwrap() {
            deals(&mut replay);
            if step["no_raise_why"] == "nobody_can_answer" && step["action"] == "check" {
                // The other engine asks the last player with chips whether they want to check.
                continue;
            }
            let index = (usize::try_from(number(&step["seat"])).unwrap() + n - button) % n;
            assert_eq!(replay.world.turn().map(usize::from), Some(index), "{}: {step}", hand["id"]);
            let action = match step["action"].as_str().unwrap() {
                "fold" => Action::Fold,
                "check" => Action::Check,
                "call" => Action::Call,
                _ => Action::BetTo(Coins(step["to"].as_u64().unwrap())),
            };
            replay.world.act(action).unwrap();
        }
        deals(&mut replay);
        let expected: Vec<u64> =
            from_button(list("final_tda")).into_iter().map(|chips| u64::try_from(chips).unwrap()).collect();
        assert_eq!(replay.stacks(), expected, "hand {}", hand["id"]);
        players_seen.insert(n);
        count += 1;
    }
    assert_eq!(count, 184);
    assert!(players_seen.into_iter().eq(2..=9));
}
