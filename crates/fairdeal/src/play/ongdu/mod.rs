//! Ongdu on a terminal.
//!
//! - `layers`: the middle of the table: one's own layers, and later everybody's.
//! - `telling`: what happened, and how a round ended.

mod layers;
mod telling;
#[cfg(test)]
mod tests;

use cards::Card;
use games::ongdu::{Action, Class, Laying, Moves, Ongdu, Places, PlayerView, Special, View, rank_layer};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Move, Outcome, Seat, Slot};

use super::page::Page;
use super::screen::{Button, Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, Tile, text};
use crate::text::{plural, signed};

/// What the layers are called.
const LAYERS: [&str; 3] = ["top", "middle", "bottom"];

impl Screen for Ongdu {
    type Extra = Laying;
    const RULES: &'static str = games::ongdu::RULES_EN;
    const NUMBERS: &'static str = include_str!("../rules/ongdu.txt");
    const COUNTS: &'static str = "cash";

    fn title(scene: &Scene<'_, Self>) -> String {
        let rounds = scene.settings.max_rounds;
        let of = if rounds > 0 { format!(" of {rounds}") } else { String::new() };
        let phase = match scene.view.phase {
            "drawing" => "who starts?",
            "dealing" => "dealing",
            "discarding" => "discarding",
            "arranging" => "arranging",
            _ => "comparing",
        };
        let worth = scene.view.point_value;
        let value = if worth.0 == 1 { String::new() } else { format!(" · a point is worth {worth} cash") };
        format!("round {}{of} · {phase}{value}", scene.deal)
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let (view, look) = (scene.view, scene.look);
        let Some(player) = player(view, seat) else { return Panel::default() };
        let mut status = Vec::new();
        if view.starter == Some(seat) {
            status.push(text("starts  "));
        }
        match player.points {
            Some(points) => {
                let style = if points < 0 { look.bad() } else { look.good() };
                status.push(Span::styled(format!("{} {}", signed(points), plural(points, "point")), style));
            }
            None if player.gone => status.push(Span::styled("left", look.dim())),
            None if view.turn == Some(seat) => status.push(Span::styled("discarding", look.bright())),
            None if view.choosing.contains(seat) => status.push(Span::styled("arranging", look.dim())),
            None => {}
        }
        let cards = match (player.class, player.open.as_slice()) {
            (Some(class), _) => Line::styled(class_text(class).unwrap_or("in order"), look.bright()),
            (None, []) => Line::styled(format!("{} {}", player.cards, plural(player.cards, "card")), look.dim()),
            (None, open) => {
                Line::from(open.iter().flat_map(|held| [look.face(held.card), text(" ")]).collect::<Vec<_>>())
            }
        };
        Panel {
            facts: scene.standing.total[seat].to_string(),
            mark: "",
            cards,
            status: Line::from(status),
            turn: view.turn == Some(seat),
            out: player.gone,
        }
    }

    fn middle_height(scene: &Scene<'_, Self>, _: u16) -> u16 {
        if matches!(scene.view.phase, "opening" | "over") { u16::from(scene.names.players()) + 2 } else { 6 }
    }

    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Laying>, page: &mut Page<'_>, area: Rect) {
        layers::draw(scene, draft.extra.now.within(&scene.view.hand), page, area);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        let (view, look) = (scene.view, scene.look);
        let Some((me, player)) = scene.me().and_then(|me| Some((me, player(view, me)?))) else {
            return Line::default();
        };
        let mut spans = vec![text(format!("{} cash", scene.standing.total[me]))];
        if view.starter == Some(me) {
            spans.push(text("  you start"));
        }
        if let Some(points) = player.points {
            let style = if points < 0 { look.bad() } else { look.good() };
            spans.push(Span::styled(format!("  {} {}", signed(points), plural(points, "point")), style));
        }
        Line::from(spans)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Laying>) -> Desk<Self> {
        let places = draft.extra.now.within(&scene.view.hand);
        let tiles = hand(scene, places);
        match scene.moves {
            Some(Moves::Discard(_)) => discarding(scene, draft),
            Some(Moves::Arrange(_)) => arranging(scene, draft, places, tiles),
            Some(Moves::None) | None => Desk { hand: tiles, ..Desk::default() },
        }
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>, key: char) -> Option<String> {
        let (hand, preset) = (&scene.view.hand, scene.view.preset);
        let mut places = draft.extra.now.within(hand);
        let picked = places.picked.take();
        let mut answer = None;
        match key {
            'a' => {
                let (discard, best) = Places::best(hand, preset)?;
                match discard {
                    Some(slot) => draft.marked = vec![slot],
                    None => {
                        places = best;
                        draft.marked.clear();
                    }
                }
            }
            'x' => places.clear(),
            'r' => picked.into_iter().for_each(|place| places.take_back(place)),
            'o' => places.order(hand, preset),
            't' | 'm' | 'b' => {
                let layer = "tmb".find(key).unwrap_or(0);
                // A card that lies somewhere already can be sent to another layer, too.
                let lying = picked.and_then(|place| places.card(place));
                let slots = if draft.marked.is_empty() { Vec::from_iter(lying) } else { draft.marked.clone() };
                if slots.is_empty() {
                    return Some("mark cards first, with digits, Space or the mouse".to_owned());
                }
                let left = places.fill(layer, &slots);
                draft.marked.retain(|slot| !places.has(*slot));
                if left > 0 {
                    let layer = LAYERS.get(layer).unwrap_or(&"");
                    answer = Some(format!("the {layer} layer is full; choose a place in it to swap cards"));
                }
            }
            _ => {}
        }
        draft.extra.change(places);
        answer
    }

    fn place(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>, place: u16) -> Option<String> {
        let mut places = draft.extra.now.within(&scene.view.hand);
        draft.marked = places.choose(usize::from(place), &draft.marked);
        draft.extra.change(places);
        None
    }

    fn marked(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>) -> Option<String> {
        let mut places = draft.extra.now.within(&scene.view.hand);
        if let (Some(place), Some(slot), Some(Moves::Arrange(_))) =
            (places.picked, draft.marked.first().copied(), scene.moves)
        {
            places.put(slot, place);
            places.picked = None;
            draft.marked.clear();
            draft.extra.change(places);
        }
        None
    }

    fn undo(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>) {
        if draft.marked.pop().is_none() {
            draft.extra.undo(&scene.view.hand);
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Laying>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(Action::Discard(slot)) => draft.marked = vec![*slot],
            Move::Choose(arrangement) => {
                draft.marked.clear();
                draft.extra.change(Places::of(arrangement));
            }
        }
    }

    fn phrase(_: &View, scene: &Scene<'_, Self>, _: Seat, a_move: &MoveOf<Self>) -> String {
        let card = |slot: Slot| scene.known.face(slot).map(|card| scene.card(Some(card)));
        match a_move {
            Move::Act(Action::Discard(slot)) => match card(*slot) {
                Some(card) => format!("discard {card}"),
                None => "discard a card".to_owned(),
            },
            Move::Choose(arrangement) => {
                let layers = arrangement.layers().map(|layer| {
                    let [a, b, c] = layer.map(card);
                    Some([a?, b?, c?].join(" "))
                });
                match layers {
                    [Some(top), Some(middle), Some(bottom)] => {
                        format!("put {top} on top, {middle} in the middle, {bottom} at the bottom")
                    }
                    _ => "arrange nine cards".to_owned(),
                }
            }
        }
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        telling::news(before, after)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>> {
        telling::summary(scene, outcome)
    }

    fn seconds(scene: &Scene<'_, Self>) -> Option<u64> {
        u64::try_from(scene.settings.arrange_timeout).ok().filter(|seconds| *seconds > 0)
    }
}

fn player(view: &View, seat: Seat) -> Option<&PlayerView> {
    view.players.get(usize::from(seat.index()))
}

/// What sets a whole hand apart, if anything does.
fn class_text(class: Class) -> Option<&'static str> {
    match class {
        Class::Plain => None,
        Class::Foul => Some("foul"),
        Class::Special(Special::FourOfAKind) => Some("special: four of a kind"),
        Class::Special(Special::AllNine) => Some("special: all nine or better"),
    }
}

/// The cards that lie nowhere yet, high ones first, jokers before them.
fn hand(scene: &Scene<'_, Ongdu>, places: Places) -> Vec<Tile> {
    let free = scene.view.hand.iter().filter(|held| !places.has(held.slot));
    let mut tiles: Vec<Tile> = free.map(|held| Tile { slot: held.slot, card: held.card, usable: true }).collect();
    let place = |card: Option<Card>| match card.and_then(Card::natural) {
        Some((rank, suit)) => (15 - rank.number(), suit.index()),
        None => (0, 0),
    };
    tiles.sort_by_key(|tile| place(tile.card));
    tiles
}

fn discarding(scene: &Scene<'_, Ongdu>, draft: &Draft<Laying>) -> Desk<Ongdu> {
    let tiles = hand(scene, Places::default());
    let marked = draft.marked.first().and_then(|slot| tiles.iter().find(|tile| tile.slot == *slot));
    let discard = match marked {
        Some(tile) => {
            let label = format!("Discard {}", scene.card(tile.card));
            scene.button('d', label, Move::Act(Action::Discard(tile.slot)))
        }
        None => Button::refused('d', "Discard", "choose a card first"),
    };
    let buttons = vec![discard, Button::command('a', "Suggest one")];
    let says = Line::raw("You start with ten cards: discard one. Everybody will see it.");
    Desk { hand: tiles, marking: Marking::One, says, buttons, amount: None }
}

fn arranging(scene: &Scene<'_, Ongdu>, draft: &Draft<Laying>, places: Places, tiles: Vec<Tile>) -> Desk<Ongdu> {
    let (view, look) = (scene.view, scene.look);
    let whole = places.whole(&view.hand, view.preset);
    let foul = whole.is_some_and(|rank| rank.class == Class::Foul);
    let confirm = places.arrangement().map(Move::Choose).map_err(|why| why.to_string());
    let mut buttons = if foul {
        let why = "this hand is foul: o puts the layers in order, f plays it anyway";
        vec![Button::refused('c', "Confirm", why), Button::maybe('f', "Play a foul hand", confirm)]
    } else {
        vec![Button::maybe('c', "Confirm", confirm)]
    };
    buttons.push(Button::command('a', "Arrange for me"));
    if whole.is_some() {
        buttons.push(Button::command('o', "Put in order"));
    } else {
        buttons
            .extend([('t', "Top"), ('m', "Middle"), ('b', "Bottom")].map(|(key, label)| Button::command(key, label)));
    }
    if places.picked.is_some_and(|place| places.card(place).is_some()) {
        buttons.push(Button::command('r', "Take back"));
    }
    if places.count() > 0 {
        buttons.push(Button::command('x', "Clear"));
    }
    let marked: Vec<Card> =
        draft.marked.iter().filter_map(|slot| tiles.iter().find(|tile| tile.slot == *slot)?.card).collect();
    let says = match (whole.map(|rank| rank.class), <[Card; 3]>::try_from(marked.as_slice())) {
        (Some(Class::Foul), _) => Line::styled(
            format!("Foul: you would pay each opponent {} {}.", view.foul, plural(view.foul, "point")),
            look.bad(),
        ),
        (Some(Class::Special(special)), _) => {
            let what = match special {
                Special::FourOfAKind => "four of a kind",
                Special::AllNine => "all nine or better",
            };
            let says =
                format!("Special: {what}! {} {} from each opponent.", view.special, plural(view.special, "point"));
            Line::styled(says, look.good())
        }
        (Some(Class::Plain), _) => Line::raw("The layers are in order. Confirm, or choose two places to swap."),
        (None, Ok(three)) => match rank_layer(three, view.preset) {
            Some(rank) => Line::styled(format!("The three marked cards: {rank}."), look.good()),
            None => Line::default(),
        },
        (None, Err(_)) if places.picked.is_some() => Line::raw("Choose a card for this place, or another place."),
        (None, Err(_)) if !marked.is_empty() => Line::raw("Choose a place, or press t, m or b."),
        (None, Err(_)) => Line::raw(format!(
            "{} {} to place: mark some, then choose a place or press t, m or b.",
            tiles.len(),
            plural(tiles.len(), "card")
        )),
    };
    Desk { hand: tiles, marking: Marking::Many, says, buttons, amount: None }
}
