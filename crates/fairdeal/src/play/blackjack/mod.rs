//! Blackjack Duel on a terminal.
//!
//! - `felt`: the middle of the table, with the bank and the viewer's own hands.
//! - `telling`: what happened, and how a round ended.

mod felt;
mod telling;
#[cfg(test)]
mod tests;

use cards::{Card, Rank};
use games::blackjack::{Action, Bet, Blackjack, HandView, Moves, PlayerView, Status, Total, TurnMoves, View};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use table::{Chips, Height, Move, Outcome, Seat};

use super::look::Sign;
use super::page::Page;
use super::screen::{Amount, Button, Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, text};
use crate::text::{plural, signed};

/// What a draft needs beside an amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extra {
    /// Where giving up was asked for once; it is asked twice, because it costs the match.
    giving_up: Option<Height>,
}

impl Screen for Blackjack {
    type Extra = Extra;
    const RULES: &'static str = games::blackjack::RULES_EN;
    const NUMBERS: &'static str = include_str!("../rules/blackjack.txt");
    const COUNTS: &'static str = "chips";

    fn title(scene: &Scene<'_, Self>) -> String {
        let (view, rounds) = (scene.view, scene.settings.rounds);
        let round = match rounds - i64::from(scene.deal) {
            0 => format!("round {rounds} of {rounds}, the last"),
            left if left > 0 => format!("round {} of {rounds}, {left} left", scene.deal),
            _ => "extra round to break a tie".to_owned(),
        };
        format!("{round} · bets {}–{} · shoe {}", view.min_bet, view.max_bet, view.shoe)
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let (view, look) = (scene.view, scene.look);
        let Some(player) = player(view, seat) else { return Panel::default() };
        let mut cards = Vec::new();
        for (hand, n) in player.hands.iter().zip(0..) {
            if n > 0 {
                cards.push(Span::styled(format!(" {} ", look.sign(Sign::Dot)), look.dim()));
            }
            cards.extend(seen(scene, hand, player.hands.len() > 1));
        }
        Panel {
            facts: player.chips.to_string(),
            mark: "",
            cards: Line::from(cards),
            status: Line::from(status(scene, seat, player)),
            turn: view.turn == Some(seat),
            out: !player.seated,
        }
    }

    fn middle_height(_: &Scene<'_, Self>, _: u16) -> u16 {
        felt::LEAST
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<Extra>, page: &mut Page<'_>, area: Rect) {
        felt::draw(scene, page, area);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        let look = scene.look;
        let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return Line::default() };
        let mut spans = vec![text(format!("{} {}", player.chips, plural(player.chips.0, "chip")))];
        let staked: Chips = player.hands.iter().map(|hand| hand.stake).sum();
        match player.result {
            Some(result) => {
                let style = if result < Chips::ZERO { look.bad() } else { look.good() };
                spans.push(Span::styled(format!("  {} this round", signed(result.0)), style));
            }
            None if staked > Chips::ZERO => spans.push(text(format!("  bet {staked}"))),
            None => {}
        }
        let totals: Vec<String> = player.hands.iter().filter_map(|hand| hand.total).map(total_text).collect();
        if !totals.is_empty() {
            spans.push(Span::styled(format!("  total {}", totals.join(" and ")), look.good()));
        }
        if !player.seated {
            spans.push(Span::styled("  out", look.dim()));
        }
        Line::from(spans)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Extra>) -> Desk<Self> {
        match scene.moves {
            Some(Moves::Bet { least, most }) => betting(scene, draft, least.0, most.0),
            Some(Moves::Turn(can)) => playing(scene, draft, *can),
            Some(Moves::None) | None => Desk::default(),
        }
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>, key: char) -> Option<String> {
        if key != 'u' {
            return None;
        }
        draft.extra.giving_up = Some(scene.table.height());
        Some("If you surrender, you lose the whole match. Press u again to confirm.".to_owned())
    }

    fn forced(scene: &Scene<'_, Self>) -> Option<MoveOf<Self>> {
        match scene.moves {
            Some(Moves::Turn(can)) if can.bust => Some(Move::Act(Action::Bust)),
            // Nobody can take a card on 21, and nobody gives up on it.
            Some(Moves::Turn(can)) if can.total.points == 21 => Some(Move::Act(Action::Stand)),
            Some(Moves::Turn(_) | Moves::Bet { .. } | Moves::None) | None => None,
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Extra>, a_move: &MoveOf<Self>) {
        if let Move::Choose(Bet(bet)) = a_move {
            draft.amount = Some(bet.0);
        }
    }

    fn phrase(before: &View, _: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Choose(Bet(bet)) => format!("bet {bet}"),
            Move::Act(Action::Hit) => "hit".to_owned(),
            Move::Act(Action::Stand) => "stand".to_owned(),
            Move::Act(Action::Double) => {
                let stake = player(before, seat).and_then(|player| player.hands.iter().find(|hand| hand.current));
                let stake = stake.map_or(Chips::ZERO, |hand| hand.stake);
                format!("double to {} and take one card", stake * 2)
            }
            Move::Act(Action::Split) => "split the pair".to_owned(),
            Move::Act(Action::Bust) => "bust!".to_owned(),
            Move::Act(Action::Surrender) => "surrender the match".to_owned(),
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

/// A total in words: "soft 18", "blackjack", "24, bust".
fn total_text(total: Total) -> String {
    match total {
        Total { natural: true, .. } => "21, a natural".to_owned(),
        Total { points, .. } if points > 21 => format!("{points}, bust"),
        Total { points, soft: true, .. } => format!("soft {points}"),
        Total { points, .. } => points.to_string(),
    }
}

/// What a card of the bank says by itself.
fn shows(card: Card) -> String {
    match card.rank() {
        Some(Rank::Ace) => "ace (1 or 11)".to_owned(),
        Some(rank) => rank.number().min(10).to_string(),
        None => String::new(),
    }
}

/// What is seen of another player's hand, in little room.
fn seen(scene: &Scene<'_, Blackjack>, hand: &HandView, narrow: bool) -> Vec<Span<'static>> {
    let look = scene.look;
    let closed = hand.cards.iter().filter(|held| held.card.is_none()).count();
    let most = if narrow { 1 } else { 4 };
    let mut spans: Vec<Span<'static>> = Vec::new();
    if closed > most || (narrow && closed > 0) {
        // Cards that split hands have shown, then how many are closed.
        spans.extend(hand.cards.iter().filter_map(|held| held.card).map(|card| look.face(Some(card))));
        spans.push(Span::styled(format!("[??]{}{closed}", look.sign(Sign::Times)), look.dim()));
    } else if narrow {
        spans.extend(hand.cards.iter().map(|held| look.face(held.card)));
    } else {
        spans.extend(look.row(hand.cards.iter().map(|held| held.card)));
    }
    spans.extend(hand.total.map(|total| text(format!(" {}", total.points))));
    spans
}

/// What another player staked, and how far they are.
fn status(scene: &Scene<'_, Blackjack>, seat: Seat, player: &PlayerView) -> Vec<Span<'static>> {
    let (view, look) = (scene.view, scene.look);
    let staked: Chips = player.hands.iter().map(|hand| hand.stake).sum();
    let mut spans = Vec::new();
    if let Some(result) = player.result {
        let style = if result < Chips::ZERO { look.bad() } else { look.good() };
        return vec![text(format!("bet {staked}: ")), Span::styled(signed(result.0), style)];
    }
    if staked > Chips::ZERO {
        spans.push(text(format!("bet {staked}  ")));
    }
    if !player.seated {
        let word = if player.hands.is_empty() { "out" } else { "surrendered" };
        spans.push(Span::styled(word, look.dim()));
        return spans;
    }
    if player.hands.is_empty() && view.phase == "betting" {
        return vec![Span::styled("choosing a bet", look.dim())];
    }
    for (hand, n) in player.hands.iter().zip(0..) {
        if n > 0 {
            spans.push(text(", "));
        }
        let (word, style) = state(hand, view.turn == Some(seat), scene);
        spans.push(Span::styled(word, style));
    }
    spans
}

/// How far a hand is, in a word.
fn state(hand: &HandView, turn: bool, scene: &Scene<'_, Blackjack>) -> (&'static str, Style) {
    let look = scene.look;
    match hand.status {
        Status::Playing if hand.current => ("playing", look.bright()),
        Status::Playing if turn => ("next", look.dim()),
        Status::Playing => ("waiting", look.dim()),
        Status::Stood => ("stands", Style::new()),
        Status::Bust => ("bust!", look.bad()),
        Status::Surrendered => ("surrendered", look.dim()),
    }
}

fn betting(scene: &Scene<'_, Blackjack>, draft: &Draft<Extra>, least: i64, most: i64) -> Desk<Blackjack> {
    let step = scene.view.min_bet.0.max(1);
    let amount = Amount { least, most, step, start: least };
    let bet = amount.now(draft.amount);
    let half = (least + (most - least) / 2) / step * step;
    let buttons = vec![
        scene.button('b', format!("Bet {bet}"), Move::Choose(Bet(Chips(bet)))),
        Button::amount('m', "Min", least),
        Button::amount('a', "Half", half.clamp(least, most)),
        Button::amount('x', "Max", most),
    ];
    let says = Line::raw("Your bet, hidden until all have bet:");
    Desk { says, buttons, amount: Some(amount), ..Desk::default() }
}

fn playing(scene: &Scene<'_, Blackjack>, draft: &Draft<Extra>, can: TurnMoves) -> Desk<Blackjack> {
    if can.bust {
        let says = Line::styled(format!("{}: you lose your stake.", total_text(can.total)), scene.look.bad());
        return Desk { says, buttons: vec![Button::act('b', "Bust", Action::Bust)], ..Desk::default() };
    }
    let mut buttons = vec![
        scene.button('c', "Hit", Move::Act(Action::Hit)),
        scene.button('s', "Stand", Move::Act(Action::Stand)),
        scene.button('d', "Double", Move::Act(Action::Double)),
        scene.button('p', "Split", Move::Act(Action::Split)),
    ];
    if draft.extra.giving_up == Some(scene.table.height()) {
        buttons.push(Button::act('u', "Yes, surrender the match", Action::Surrender));
    } else {
        buttons.push(Button::command('u', "Surrender"));
    }
    let up = scene.view.bank.cards.first().and_then(|held| held.card);
    let bank = up.map(|card| format!("; the bank shows {}", shows(card))).unwrap_or_default();
    let hands = scene.me().and_then(|me| player(scene.view, me)).map_or(0, |player| player.hands.len());
    let which = if hands > 1 { "This hand has" } else { "You have" };
    let says = Line::raw(format!("{which} {}{bank}.", total_text(can.total)));
    Desk { marking: Marking::None, says, buttons, ..Desk::default() }
}
