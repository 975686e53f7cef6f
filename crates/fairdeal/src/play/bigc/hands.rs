//! Hands of Big-C for people: what they are called, what the marked cards make, what could be played.

use cards::{Card, Rank};
use games::bigc::{Action, BigC, Class, Few, Footstool, Hand, Judged, Sorting, Step, step};
use table::{Seat, Slot};

use super::super::screen::{Draft, MoveOf, Scene};

/// What a hand is called: "pair of sixes", "full house, nines over fours", "flush up to K♠".
pub(super) fn name(scene: &Scene<'_, BigC>, hand: &Hand) -> String {
    let key = hand.key();
    let high = scene.card(key.first().copied());
    let rank = |n: usize| key.get(n).and_then(|card| card.rank());
    let (first, second) = (
        rank(0).map_or("", Rank::plural),
        match hand.class() {
            Class::TwoPair => rank(2).map_or("jokers", Rank::plural),
            Class::FullHouse => rank(3).map_or("jokers", Rank::plural),
            _ => "",
        },
    );
    match hand.class() {
        Class::Single => high,
        Class::Pair => format!("pair of {first}"),
        Class::Triple => format!("three {first}"),
        Class::TwoPair => format!("two pair, {first} and {second}"),
        Class::Flush => format!("flush up to {high}"),
        Class::Straight => format!("straight up to {high}"),
        Class::FullHouse => format!("full house, {first} over {second}"),
        Class::FourOfAKind => format!("four {first}"),
        Class::FiveOfAKind => format!("five {first}"),
        Class::StraightFlush => format!("straight flush up to {high}"),
    }
}

/// What hands of a round are called.
pub(super) const fn round(size: u8) -> &'static str {
    match size {
        1 => "single cards",
        2 => "pairs",
        3 => "triples",
        _ => "five cards",
    }
}

/// The faces of the marked cards.
pub(super) fn marked(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>) -> Vec<(Slot, Card)> {
    let hand = &scene.view.hand;
    let find = |slot: &Slot| hand.iter().find(|held| held.slot == *slot).and_then(|held| Some((held.slot, held.card?)));
    draft.marked.iter().filter_map(find).collect()
}

/// Plays the marked cards, or says why not.
pub(super) fn play(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>) -> Result<MoveOf<BigC>, String> {
    let marked: Vec<Slot> = marked(scene, draft).into_iter().map(|(slot, _)| slot).collect();
    if marked.is_empty() {
        return Err("mark the cards to play first; n shows hands you can play".to_owned());
    }
    let few = Few::new(&marked).ok_or("a hand has 1, 2, 3 or 5 cards")?;
    scene.try_act(Action::Play(few))
}

/// What the marked cards make, and what that does: the text, and whether it can be played.
pub(super) fn judge(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>) -> (String, bool) {
    let Some(options) = scene.moves.and_then(|moves| moves.options()) else { return (String::new(), false) };
    let faces: Vec<Card> = marked(scene, draft).into_iter().map(|(_, card)| card).collect();
    let judged = options.judge(&faces);
    let called = |hand| capital(&name(scene, &hand));
    let end = match (faces.len() == scene.view.hand.len(), faces.len()) {
        (false, _) => "",
        (true, 1) => "; your last card",
        (true, _) => "; your last cards",
    };
    let says = match (judged, options.beat()) {
        (Judged::NotAHand(why), _) => format!("Not a hand: {why}."),
        (Judged::Leads(hand), _) | (Judged::WrongSize(hand) | Judged::NotHigher(hand), None) => {
            format!("{}{end}.", called(hand))
        }
        (Judged::WrongSize(hand), Some(beat)) => {
            format!("{}: this is a round of {}.", called(hand), round(beat.class().size()))
        }
        (Judged::NotHigher(hand), Some(beat)) => {
            let other = name(scene, beat);
            let suits = if other == name(scene, &hand) { " (compare the suits)" } else { "" };
            format!("{}: not higher than {other}{suits}.", called(hand))
        }
        (Judged::Beats(hand, footstool), _) => {
            let verb = if footstool == Footstool::Full { "equals" } else { "beats" };
            let owner = scene.view.table.as_ref().map(|table| table.by);
            let effect = owner.filter(|_| end.is_empty()).map(|owner| effect(scene, footstool, owner));
            format!("{} {verb} it{}.", called(hand), effect.as_deref().unwrap_or(end))
        }
    };
    (says, judged.is_legal())
}

/// What a footstool does to the owner of the lower hand.
fn effect(scene: &Scene<'_, BigC>, footstool: Footstool, owner: Seat) -> String {
    let whose = scene.name(owner);
    match footstool {
        Footstool::None => String::new(),
        Footstool::Half => format!("; half footstool, {whose} draws 1"),
        Footstool::Full => format!("; full footstool, {whose} draws 2"),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Marks another suggestion: the next or the one before, or the first of the next number of cards.
pub(super) fn suggest(scene: &Scene<'_, BigC>, draft: &mut Draft<Sorting>, key: char) -> Option<String> {
    let list = scene.moves.and_then(|moves| moves.options())?.suggestions();
    let how = match key {
        'b' => Step::Before,
        'k' => Step::More,
        _ => Step::Next,
    };
    match step(&list, &draft.marked, how) {
        None => Some("you have nothing to play here".to_owned()),
        Some(playable) => {
            draft.marked = playable.cards.iter().collect();
            None
        }
    }
}
