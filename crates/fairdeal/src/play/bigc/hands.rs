//! Hands of Big-C for people: what they are called, what the marked cards make, what could be played.

use cards::{Card, Rank};
use games::bigc::{Action, BigC, Class, Few, Footstool, Hand, Moves, Options, Playable, classify, on_top, place};
use table::{Seat, Slot};

use super::super::screen::{Draft, MoveOf, Scene};
use super::Extra;

/// Hands that are suggested, at most.
const MOST: usize = 400;

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

/// The hand on the table.
pub(super) fn on_table(scene: &Scene<'_, BigC>) -> Option<Hand> {
    let cards: Option<Vec<Card>> = scene.view.table.as_ref()?.cards.iter().map(|held| held.card).collect();
    classify(&cards?).ok()
}

/// The faces of the marked cards.
pub(super) fn marked(scene: &Scene<'_, BigC>, draft: &Draft<Extra>) -> Vec<(Slot, Card)> {
    let hand = &scene.view.hand;
    let find = |slot: &Slot| hand.iter().find(|held| held.slot == *slot).and_then(|held| Some((held.slot, held.card?)));
    draft.marked.iter().filter_map(find).collect()
}

/// Plays the marked cards, or says why not.
pub(super) fn play(scene: &Scene<'_, BigC>, draft: &Draft<Extra>) -> Result<MoveOf<BigC>, String> {
    let marked: Vec<Slot> = marked(scene, draft).into_iter().map(|(slot, _)| slot).collect();
    if marked.is_empty() {
        return Err("mark the cards to play first; n shows hands that can be played".to_owned());
    }
    let few = Few::new(&marked).ok_or("a hand has 1, 2, 3 or 5 cards")?;
    scene.try_act(Action::Play(few))
}

/// What the marked cards make, and what that does: the text, and whether it can be played.
pub(super) fn judge(scene: &Scene<'_, BigC>, draft: &Draft<Extra>) -> (String, bool) {
    let faces: Vec<Card> = marked(scene, draft).into_iter().map(|(_, card)| card).collect();
    let size = u8::try_from(faces.len()).unwrap_or(u8::MAX);
    let before = on_table(scene);
    let hand = match classify(&faces) {
        Ok(hand) => hand,
        Err(why) => return (format!("Not a hand: {why}."), false),
    };
    let called = name(scene, &hand);
    let last = faces.len() == scene.view.hand.len();
    let Some((before, table)) = before.zip(scene.view.table.as_ref()) else {
        let end = if last { "; your last cards" } else { "" };
        return (format!("{}{end}.", capital(&called)), play(scene, draft).is_ok());
    };
    if size != before.class().size() {
        let round = round(before.class().size());
        return (format!("{}: this is a round of {round}.", capital(&called)), false);
    }
    let low = scene.table.rules().setup().two_joker_triple_low;
    let Some(footstool) = on_top(&hand, &before, low) else {
        let other = name(scene, &before);
        let suits = if other == called { " (compare the suits)" } else { "" };
        return (format!("{}: not higher than {other}{suits}.", capital(&called)), false);
    };
    let verb = if footstool == Footstool::Full { "equals" } else { "beats" };
    let does = if last { "; your last cards".to_owned() } else { effect(scene, footstool, table.by) };
    (format!("{}: {verb} it{does}.", capital(&called)), true)
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

/// The options of a seat that is asked for a hand.
pub(super) const fn options(moves: &Moves) -> Option<&Options> {
    match moves {
        Moves::Lead(options) | Moves::Answer { options, .. } => Some(options),
        Moves::None | Moves::Show(_) => None,
    }
}

/// Hands that can be played now, the lowest first: fewer cards, lower classes, lower cards; jokers last.
pub(super) fn suggestions(options: &Options) -> Vec<Playable> {
    let mut list = options.list(MOST);
    let jokers = |playable: &Playable| {
        playable.cards.iter().filter(|slot| options.card(*slot).is_some_and(|card| card.is_joker())).count()
    };
    list.sort_by_cached_key(|playable| {
        let key: Vec<u8> = playable.hand.key().into_iter().map(place).collect();
        let all: Vec<u8> = playable.cards.iter().filter_map(|slot| options.card(slot)).map(place).collect();
        (playable.hand.class().size(), playable.hand.class(), key, jokers(playable), all)
    });
    list
}

/// Where the marked cards are among the suggestions.
pub(super) fn position(list: &[Playable], draft: &Draft<Extra>) -> Option<usize> {
    list.iter().position(|playable| {
        usize::from(playable.cards.len()) == draft.marked.len()
            && playable.cards.iter().all(|slot| draft.marked.contains(&slot))
    })
}

/// Marks another suggestion: the next or the one before, or the first of the next number of cards.
pub(super) fn suggest(scene: &Scene<'_, BigC>, draft: &mut Draft<Extra>, key: char) -> Option<String> {
    let list = suggestions(scene.moves.and_then(options)?);
    if list.is_empty() {
        return Some("you have nothing to play here".to_owned());
    }
    let size = |n: usize| list.get(n).map_or(0, |playable| playable.cards.len());
    let next = match (position(&list, draft), key) {
        (None, 'b') => list.len() - 1,
        (Some(at), 'b') => at.checked_sub(1).unwrap_or(list.len() - 1),
        (Some(at), 'k') => (at..list.len()).find(|n| size(*n) > size(at)).unwrap_or(0),
        (Some(at), _) => (at + 1) % list.len(),
        (None, _) => 0,
    };
    draft.marked = list.get(next)?.cards.iter().collect();
    None
}
