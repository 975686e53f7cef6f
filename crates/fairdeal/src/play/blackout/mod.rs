//! Blackout on a terminal.
//!
//! - `trick`: the middle of the table, with trump, bids and tricks.
//! - `telling`: what happened, and how a round ended.

mod telling;
#[cfg(test)]
mod tests;
mod trick;

use cards::{Card, Suit};
use games::blackout::{Action, Blackout, Moves, PlayerView, RULES_EN, Sorting, View};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Game as _, Move, Outcome, Seat};

use super::look::{Look, Sign};
use super::page::Page;
use super::screen::{Amount, Button, Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, Tile, text};
use crate::text::plural;

impl Screen for Blackout {
    type Extra = Sorting;
    const RULES: &'static str = RULES_EN;
    const NUMBERS: &'static str = include_str!("../rules/blackout.txt");
    const COUNTS: &'static str = "points";

    fn title(scene: &Scene<'_, Self>) -> String {
        let view = scene.view;
        let rounds = Self::start(scene.settings, scene.names.players()).map(|series| series.sizes().len());
        let of = rounds.map(|rounds| format!(" of {rounds}")).unwrap_or_default();
        let cards = counted(u32::from(view.cards), "card");
        let trump = match (view.trump_suit(), view.phase) {
            (Some(suit), _) => format!(" · trump {}", suit_sign(scene.look, suit)),
            (None, "rolling" | "dealing") => String::new(),
            (None, _) => " · no trump".to_owned(),
        };
        format!("round {}{of} · {cards} each{trump}", scene.deal)
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let (view, look) = (scene.view, scene.look);
        let Some(player) = player(view, seat) else { return Panel::default() };
        let cards = if player.open.is_empty() {
            Line::styled(counted(player.cards, "card"), look.dim())
        } else {
            let mut spans = vec![text("left: ")];
            spans.extend(player.open.iter().flat_map(|held| [look.face(held.card), text(" ")]));
            Line::from(spans)
        };
        Panel {
            facts: format!("{} pts", scene.standing.total[seat]),
            mark: if view.dealer == Some(seat) { look.sign(Sign::Dealer) } else { "" },
            cards,
            status: Line::from(contract(scene, player)),
            turn: view.turn == Some(seat),
            out: !player.open.is_empty(),
        }
    }

    fn middle_height(_: &Scene<'_, Self>, _: u16) -> u16 {
        6
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<Sorting>, page: &mut Page<'_>, area: Rect) {
        trick::draw(scene, page, area);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        let (view, look) = (scene.view, scene.look);
        let Some((me, player)) = scene.me().and_then(|me| Some((me, player(view, me)?))) else {
            return Line::default();
        };
        let mut spans =
            vec![text(format!("{} {}  ", scene.standing.total[me], plural(scene.standing.total[me].0, "point")))];
        if view.dealer == Some(me) {
            spans.push(text(format!("{} dealer  ", look.sign(Sign::Dealer))));
        }
        spans.extend(contract(scene, player));
        if let Some(bid) = player.bid {
            let (says, style) = match (bid.checked_sub(player.won), player.cards) {
                (Some(0), 0) => (": bid made".to_owned(), look.good()),
                (Some(0), _) => (": take no more".to_owned(), look.good()),
                (Some(missing), left) if u32::from(missing) <= left => (format!(": {missing} to go"), look.bright()),
                (Some(_), _) => (": out of reach".to_owned(), look.bad()),
                (None, _) => (": too many".to_owned(), look.bad()),
            };
            spans.push(Span::styled(says, style));
        }
        Line::from(spans)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Sorting>) -> Desk<Self> {
        let hand = sorted(scene, draft.extra);
        match scene.moves {
            Some(Moves::Bid { most, forbidden }) => bidding(scene, draft, hand, *most, *forbidden),
            Some(Moves::Play(_)) => playing(scene, draft, hand),
            Some(Moves::None) | None => Desk { hand, ..Desk::default() },
        }
    }

    fn command(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, key: char) -> Option<String> {
        if key == 's' {
            draft.extra = draft.extra.other();
        }
        None
    }

    fn forced(scene: &Scene<'_, Self>) -> Option<MoveOf<Self>> {
        let Some(Moves::Play(_)) = scene.moves else { return None };
        match scene.view.hand.as_slice() {
            [only] => Some(Move::Act(Action::Play(only.slot))),
            _ => None,
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(Action::Bid(bid)) => draft.amount = Some(i64::from(*bid)),
            Move::Act(Action::Play(slot)) => draft.marked = vec![*slot],
            Move::Choose(never) => match *never {},
        }
    }

    fn phrase(_: &View, scene: &Scene<'_, Self>, _: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(Action::Bid(bid)) => format!("bid {bid}"),
            Move::Act(Action::Play(slot)) => match scene.known.face(*slot) {
                Some(card) => format!("play {}", scene.card(Some(card))),
                None => "play a card".to_owned(),
            },
            Move::Choose(never) => match *never {},
        }
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        telling::news(before, after)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>> {
        telling::summary(scene, outcome)
    }
}

fn player(view: &View, seat: Seat) -> Option<&PlayerView> {
    view.players.get(usize::from(seat.index()))
}

/// "1 card", "2 cards".
fn counted(number: u32, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A suit as it is printed on cards, or its name in plain letters.
fn suit_sign(look: Look, suit: Suit) -> String {
    if look.ascii { format!("{suit:?}").to_lowercase() } else { suit.symbol().to_string() }
}

/// What a player bid and has taken.
fn contract(scene: &Scene<'_, Blackout>, player: &PlayerView) -> Vec<Span<'static>> {
    let look = scene.look;
    let Some(bid) = player.bid else {
        let rolled = player.roll.filter(|_| scene.view.phase == "bidding" && scene.deal == 1);
        return vec![Span::styled(rolled.map(|roll| format!("rolled {roll}")).unwrap_or_default(), look.dim())];
    };
    let style = match player.won.cmp(&bid) {
        std::cmp::Ordering::Less => ratatui::style::Style::new(),
        std::cmp::Ordering::Equal => look.good(),
        std::cmp::Ordering::Greater => look.bad(),
    };
    vec![text(format!("bid {bid}, ")), Span::styled(format!("took {}", player.won), style)]
}

/// The hand in order; while the viewer is to play, what they may not play is not usable.
fn sorted(scene: &Scene<'_, Blackout>, sorting: Sorting) -> Vec<Tile> {
    let may = |slot| match scene.moves {
        Some(Moves::Play(playable)) => playable.iter().any(|held| held.slot == slot),
        Some(Moves::None | Moves::Bid { .. }) | None => true,
    };
    let tile = |held: &games::Held| Tile { slot: held.slot, card: held.card, usable: may(held.slot) };
    sorting.sort(&scene.view.hand, scene.view.trump_suit()).iter().map(tile).collect()
}

fn sort_button(hand: &[Tile], sorting: Sorting) -> Option<Button<Blackout>> {
    let to = match sorting {
        Sorting::Suits => "Sort by rank",
        Sorting::Ranks => "Sort by suit",
    };
    (hand.len() > 1).then(|| Button::command('s', to))
}

fn bidding(
    scene: &Scene<'_, Blackout>,
    draft: &Draft<Sorting>,
    hand: Vec<Tile>,
    most: u8,
    forbidden: Option<u8>,
) -> Desk<Blackout> {
    let start = i64::from(u8::from(forbidden == Some(0)));
    let amount = Amount { least: 0, most: i64::from(most), step: 1, start };
    let bid = u8::try_from(amount.now(draft.amount)).unwrap_or(most);
    let mut buttons = vec![scene.button('b', format!("Bid {bid}"), Move::Act(Action::Bid(bid)))];
    buttons.extend(sort_button(&hand, draft.extra));
    let others: u32 = scene.view.players.iter().filter_map(|player| player.bid).map(u32::from).sum();
    let says = match forbidden {
        Some(bid) => format!("Bid so far: {others} for {}; not {bid} (hook rule).", counted(u32::from(most), "trick")),
        None => format!("Bid so far: {others} for {}.", counted(u32::from(most), "trick")),
    };
    Desk { hand, marking: Marking::None, says: Line::raw(says), buttons, amount: Some(amount) }
}

fn playing(scene: &Scene<'_, Blackout>, draft: &Draft<Sorting>, hand: Vec<Tile>) -> Desk<Blackout> {
    let (view, look) = (scene.view, scene.look);
    let marked = draft.marked.first().and_then(|slot| hand.iter().find(|tile| tile.slot == *slot));
    let led = view.led();
    let mut buttons = match marked {
        Some(tile) => {
            let to_play = Move::Act(Action::Play(tile.slot));
            vec![scene.button('p', format!("Play {}", scene.card(tile.card)), to_play)]
        }
        None => vec![Button::refused('p', "Play", "choose a card first")],
    };
    buttons.extend(sort_button(&hand, draft.extra));
    let says = match (marked, led) {
        (Some(tile), _) => trick::would_do(scene, *tile),
        (None, None) => Line::raw("You lead: choose a card."),
        (None, Some(suit)) if hand.iter().all(|tile| tile.usable) && !only(&hand, suit) => {
            let sign = suit_sign(look, suit);
            Line::raw(format!("You have no {sign}: play any card."))
        }
        (None, Some(suit)) => Line::raw(format!("Follow suit: {}.", suit_sign(look, suit))),
    };
    Desk { hand, marking: Marking::One, says, buttons, amount: None }
}

/// Is every card of this suit?
fn only(hand: &[Tile], suit: Suit) -> bool {
    hand.iter().all(|tile| tile.card.and_then(Card::suit) == Some(suit))
}
