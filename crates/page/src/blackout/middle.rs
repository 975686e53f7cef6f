//! The middle of the table in Blackout: trump, dice for the first dealer, bids, the trick, the one before it.

use ::table::{Rules as _, Seat, Seats};
use cards::Card;
use games::blackout::{Blackout, PlayerView};
use maud::{Markup, html};

use super::{player, seats, slot_of, told, words};
use crate::{Scene, face};

/// All of it.
pub(super) fn middle(scene: &Scene<'_, Blackout>) -> Markup {
    let phase = scene.view.phase;
    html! {
        @if !matches!(phase, "rolling" | "dealing") { (facts(scene)) }
        @if matches!(phase, "rolling" | "dealing" | "bidding") { (dice(scene)) }
        @match phase {
            "bidding" => { (bids(scene)) p class="dim" { (scene.pick("How many tricks will each player take?", "Wie viele Stiche macht jeder?")) } }
            "playing" | "over" => { (trick(scene)) (below(scene)) }
            _ => p class="dim" { (scene.pick("Dealing the cards.", "Die Karten werden gegeben.")) },
        }
    }
}

/// Trump, which trick it is, and how the bids compare with the tricks.
fn facts(scene: &Scene<'_, Blackout>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let taken: u32 = view.players.iter().map(|player| u32::from(player.won)).sum();
    let cards = u32::from(view.cards);
    let bids: Option<Vec<u32>> = view.players.iter().map(|player| player.bid.map(u32::from)).collect();
    html! {
        div class="round" {
            @match view.trump.and_then(|card| Some((slot_of(scene, card)?, card))) {
                Some((slot, card)) => div class="trump" role="group" aria-label=(lang.pick("Trump", "Trumpf")) {
                    span { (lang.pick("Trump", "Trumpf")) } (face(slot, Some(card), lang))
                },
                None => span { (lang.pick("No trump", "Kein Trumpf")) },
            }
            div {
                @if view.phase == "playing" { p { (words::trick_of((taken + 1).min(cards), cards, lang)) } }
                @if let Some(bids) = bids {
                    @let sum = bids.iter().sum();
                    p { (words::bid_for(sum, cards, lang)) " " span class="dim" { (words::balance(sum, cards, lang)) } }
                }
            }
        }
    }
}

/// The dice for the first dealer, in the deal they were rolled for.
fn dice(scene: &Scene<'_, Blackout>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    if view.players.iter().all(|player| player.roll.is_none()) {
        return html! {
            @if view.phase == "rolling" { p { (lang.pick("Dice decide who deals first.", "Würfel entscheiden, wer zuerst gibt.")) } }
        };
    }
    // A player who was not in the tie is out, however high their roll.
    let rounds = view.players.iter().map(|player| player.rolls.len()).max().unwrap_or(0);
    let last = |player: &PlayerView| player.roll.filter(|_| player.rolls.len() == rounds);
    let highest = view.players.iter().filter_map(last).max();
    let longest = seats(view).find(|(seat, player)| match view.dealer {
        Some(dealer) => dealer == *seat,
        None => last(player) == highest,
    });
    let tied = longest.and_then(|(_, player)| player.rolls.split_last()).map_or(&[][..], |(_, before)| before);
    html! {
        ol class="dice" aria-label=(lang.pick("Dice for the first dealer", "Würfel um den ersten Geber")) {
            @for (seat, player) in seats(view) {
                @if let (Some(roll), Some((_, before))) = (player.roll, player.rolls.split_last()) {
                    @let out = last(player).is_none();
                    @let best = view.dealer.map_or(!out && Some(roll) == highest, |dealer| dealer == seat);
                    li class={ @if best { "best" } @else if out { "lost" } } {
                        span class="name" { (scene.name(seat)) }
                        span class="die" role="img" aria-label=(words::rolled(roll, lang)) { (roll) }
                        @if !before.is_empty() { span class="note" { (words::rolled_before(before, lang)) } }
                    }
                }
            }
        }
        p class="dim" {
            @if !tied.is_empty() { (words::rolled_again(tied, lang)) " " }
            @match view.dealer {
                Some(dealer) => (words::deals(scene, dealer)),
                None => (lang.pick("A tie: the highest roll again.", "Gleichstand: die Höchsten würfeln noch einmal.")),
            }
        }
    }
}

/// All bids, in the order of bidding.
fn bids(scene: &Scene<'_, Blackout>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let players = scene.table.rules().players();
    let first = view.dealer.map(|dealer| dealer.left(players)).unwrap_or_default();
    html! {
        ol class="cells" aria-label=(lang.pick("Bids", "Ansagen")) {
            @for seat in Seats::first(players).clockwise_from(first) {
                @let bid = player(view, seat).and_then(|player| player.bid);
                li class=(class(scene, seat, false)) {
                    span class="name" { (who(scene, seat)) }
                    strong class="number" {
                        @match bid {
                            Some(bid) => (bid),
                            None if view.turn == Some(seat) => "?",
                            None => "–",
                        }
                    }
                    span class="note" { @if view.dealer == Some(seat) { (lang.pick("dealer", "Geber")) } }
                }
            }
        }
    }
}

/// The players in the order of play, each with the card they played. Between two tricks the last one stays.
fn trick(scene: &Scene<'_, Blackout>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let complete = view.trick.is_empty();
    let trick = if complete { &view.last_trick } else { &view.trick };
    let leader = trick.first().map(|(seat, _)| *seat).or(view.turn).unwrap_or_default();
    let best = view.best(trick).map(|(seat, _)| seat);
    let laid = |seat: Seat| -> Option<Card> { trick.iter().find(|(who, _)| *who == seat).map(|(_, card)| *card) };
    html! {
        ol class="cells" aria-label=(lang.pick("Trick", "Stich")) {
            @for seat in Seats::first(scene.table.rules().players()).clockwise_from(leader) {
                li class=(class(scene, seat, best == Some(seat))) {
                    span class="name" { (who(scene, seat)) }
                    @match laid(seat).and_then(|card| Some((slot_of(scene, card)?, card))) {
                        Some((slot, card)) => (face(slot, Some(card), lang)),
                        None => span class="card place" aria-hidden="true" {},
                    }
                    span class="note" {
                        @match (best == Some(seat), complete) {
                            (true, true) => (lang.pick("takes it", "macht ihn")),
                            (true, false) => (lang.pick("best", "höchste")),
                            (false, _) if seat == leader && !trick.is_empty() => (lang.pick("led", "spielte aus")),
                            (false, _) => "",
                        }
                    }
                }
            }
        }
    }
}

/// Below the trick: who leads; or what beats what, and the trick before.
fn below(scene: &Scene<'_, Blackout>) -> Markup {
    let view = scene.view;
    html! {
        @if view.phase == "playing" {
            @match (view.led(), view.turn) {
                (Some(led), _) => {
                    p { (words::what_beats(led, view.trump_suit(), scene.lang)) }
                    @if !view.last_trick.is_empty() {
                        p class="told dim" { (scene.pick("Last trick:", "Letzter Stich:")) " " (told(scene, &view.last_trick)) }
                    }
                }
                (None, Some(turn)) => p class="dim" { (words::leads(scene, turn, view.last_trick.is_empty())) },
                (None, None) => {},
            }
        }
    }
}

fn who<'a>(scene: &'a Scene<'_, Blackout>, seat: Seat) -> &'a str {
    if scene.eye.is(seat) { scene.lang.pick("You", "Du") } else { scene.name(seat) }
}

fn class(scene: &Scene<'_, Blackout>, seat: Seat, best: bool) -> String {
    let turn = scene.view.turn == Some(seat);
    ["cell", if best { " best" } else { "" }, if turn { " turn" } else { "" }].concat()
}
