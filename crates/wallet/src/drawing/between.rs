//! A table at which no hand has been seen yet: who sits there, with how many chips.

use chain::Coins;
use chain::tables::SEATS;
use light::follow::Now;
use maud::{Markup, html};
use page::Lang;
use table::Seat;

use crate::words;

/// The part of the page with the players.
pub(super) fn felt(number: u64, now: &Now, lang: Lang) -> Markup {
    let terms = &now.ring.terms;
    let seats = (0..SEATS).filter_map(Seat::new);
    html! {
        section id="felt" class="felt holdem" aria-label=(lang.pick("Table", "Tisch")) {
            header {
                h1 { "Texas Hold'em" }
                p class="facts" { (words::table_name(&terms.label, number, lang)) " · Blinds " (terms.small_blind) "/" (terms.big_blind) }
            }
            div class="gathering" {
                ol class="chairs" {
                    @for (seat, player) in seats.filter_map(|seat| Some((seat, now.ring.player(seat)?))) {
                        li id={ "chair-" (seat.index()) } class="chair" {
                            span class={ "avatar a" (seat.index() + 1) } aria-hidden="true" {}
                            span class="name" { (words::seat(seat, lang))
                                @if now.me == Some(seat) { span class="dim" { " · " (lang.pick("you", "du")) } }
                                @if player.out.is_some() { span class="dim" { " · " (lang.pick("sits out", "setzt aus")) } }
                                @else if player.stack == Coins::ZERO { span class="dim" { " · " (lang.pick("no chips", "keine Chips")) } }
                            }
                            span class="fact" { (words::grouped(player.stack, lang)) }
                        }
                    }
                }
                p class="dim" { (words::status(now, lang)) }
            }
        }
    }
}
