//! All tables of a chain, as a part of the page.

use chain::tables::SEATS;
use chain::{Address, Coins};
use light::{Listed, Stage};
use maud::{Markup, html};
use page::Lang;

use crate::drawing::sit_button;
use crate::words;

/// The wallet, and all tables.
pub(crate) fn tables(tables: &[Listed], me: &Address, coins: Coins, lang: Lang) -> Markup {
    html! {
        div id="list" {
            p class="purse" { span { (lang.pick("In your wallet", "In deiner Wallet")) ": " strong class="coins" { (words::grouped(coins, lang)) } }
                button type="button" class=(if coins == Coins::ZERO { "main" } else { "quiet" }) data-want=(r#""faucet""#) { (lang.pick("Get coins to try it out", "Münzen zum Ausprobieren holen")) } }
            h2 { (lang.pick("Tables", "Tische")) }
            @if tables.is_empty() { p { (lang.pick("This chain has no tables yet.", "Auf dieser Chain gibt es noch keine Tische.")) } }
            ul class="rows" { @for table in tables { (row(table, me, coins, lang)) } }
        }
    }
}

fn row(listed: &Listed, me: &Address, coins: Coins, lang: Lang) -> Markup {
    let (terms, number) = (&listed.terms, listed.table);
    let mine = listed.players.contains(me);
    let asked = listed.turn.is_some_and(|turn| turn.player == *me);
    let full = listed.players.len() >= usize::from(SEATS);
    let now = match listed.stage {
        Stage::Waiting => lang.pick("waiting for players", "wartet auf Mitspieler").to_owned(),
        Stage::Between => lang.pick("the next hand is about to begin", "gleich beginnt die nächste Hand").to_owned(),
        Stage::Playing { hand, .. } => format!("{} {hand}", lang.pick("hand", "Hand")),
    };
    html! {
        li id={ "table-" (number) } {
            div class="what" {
                h3 { (words::table_name(&terms.label, number, lang)) }
                p class="dim" { "Blinds " (terms.small_blind) "/" (terms.big_blind) " · Chips " (words::grouped(terms.min_buy_in, lang)) "–" (words::grouped(terms.max_buy_in, lang))
                    " · " (lang.pick("bond", "Pfand")) " " (words::grouped(terms.player_bond, lang)) }
            }
            p { (listed.players.len()) "/" (SEATS) " " (lang.pick("seats taken", "Plätze besetzt")) " · " (now)
                @if asked { " · " strong { (lang.pick("Your turn", "Du bist dran")) } }
                @else if mine { " · " strong { (lang.pick("You sit here", "Du sitzt hier")) } } }
            p class="actions" {
                @if mine {
                    a class="button main" href={ "/chain/table/" (number) } { (lang.pick("Play", "Spielen")) }
                } @else {
                    @if !full { (sit_button(number, terms, coins, lang)) }
                    a class="button quiet" href={ "/chain/table/" (number) } { (lang.pick("Watch", "Zuschauen")) }
                }
            }
        }
    }
}
