//! What happened in Blackout, and how a round ended.

use games::blackout::{Blackout, View};
use ratatui::text::{Line, Span};
use table::{Outcome, Seat};

use super::{player, suit_sign, trick};
use crate::play::screen::{Scene, does, text};
use crate::text::plural;

/// What happened apart from the seats' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Blackout>) -> Vec<String> {
    let view = after.view;
    let mut news = Vec::new();
    let seats = || (0..).map_while(Seat::new).zip(&view.players);
    if before.phase == "rolling" {
        // A player who rolls again may roll the same.
        let had = |seat| player(before, seat).map_or(0, |player| player.rolls.len());
        let rolls: Vec<String> = seats()
            .filter(|(seat, player)| player.rolls.len() > had(*seat))
            .filter_map(|(seat, player)| Some(format!("{} {}", after.name(seat), player.roll?)))
            .collect();
        if !rolls.is_empty() {
            news.push(format!("dice: {}", rolls.join(", ")));
        }
        match view.dealer {
            Some(dealer) => news.push(does(after.name(dealer), "rolled highest and deals", "rolled highest and deal")),
            None if !rolls.is_empty() => news.push("a tie: the highest roll again".to_owned()),
            None => {}
        }
    }
    if matches!(before.phase, "rolling" | "dealing") && !matches!(view.phase, "rolling" | "dealing") {
        news.push(match view.trump_suit() {
            Some(suit) => format!("{} is turned up: trump is {}", after.card(view.trump), suit_sign(after.look, suit)),
            None => "no trump in this round".to_owned(),
        });
    }
    let took = seats().filter(|(seat, player)| super::player(before, *seat).is_some_and(|was| was.won < player.won));
    for (seat, _) in took {
        let winner = view.best(&view.last_trick).filter(|(best, _)| *best == seat);
        let with = winner.map(|(_, card)| format!(" with {}", after.card(Some(card)))).unwrap_or_default();
        news.push(format!("{}{with}", does(after.name(seat), "takes the trick", "take the trick")));
    }
    news
}

/// Who bid and took how many tricks, and what that is worth.
pub(super) fn summary(scene: &Scene<'_, Blackout>, outcome: &Outcome) -> Vec<Line<'static>> {
    let (view, look) = (scene.view, scene.look);
    let mut lines = Vec::new();
    if let Some(why) = outcome.broken_off {
        lines.push(Line::styled(look.plain(&scene.broken(why, "Revoked (did not follow suit)")), look.bad()));
        lines.push(Line::raw(""));
    }
    let widest = scene.names.iter().map(|name| name.chars().count()).max().unwrap_or(4);
    for (seat, player) in (0..).map_while(Seat::new).zip(&view.players) {
        let name = look.plain(scene.name(seat));
        let Some(bid) = player.bid else { continue };
        let won = player.won;
        let head = text(format!("  {name:widest$}  bid {bid:>2}, took {won:>2}   "));
        let points = outcome.result[seat];
        let verdict = match won.cmp(&bid) {
            _ if outcome.broken_off.is_some() => text(format!("{points} {}", plural(points.0, "point"))),
            std::cmp::Ordering::Equal => {
                let for_bid = scene.settings.points_for_correct_bet;
                Span::styled(format!("made: {for_bid} + {bid} = {points}"), look.good())
            }
            std::cmp::Ordering::Less => Span::styled(format!("{} too few", bid - won), look.bad()),
            std::cmp::Ordering::Greater => Span::styled(format!("{} too many", won - bid), look.bad()),
        };
        lines.push(Line::from(vec![head, verdict]));
    }
    if !view.last_trick.is_empty() {
        lines.extend([Line::raw(""), Line::from(trick::told(scene, &view.last_trick))]);
    }
    lines
}
