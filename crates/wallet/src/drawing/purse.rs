//! Wallet and seat: what there is, and what can be done with it.

use chain::tables::Terms;
use chain::{Address, Coins};
use light::buying;
use light::follow::Now;
use maud::{Markup, html};
use page::Lang;
use serde_json::{Value, json};

use crate::sitting::can_sit;
use crate::words;

/// The part of a table's page with wallet and seat.
pub(super) fn purse(number: u64, address: &Address, now: Option<&Now>, lang: Lang) -> Markup {
    let Some(now) = now else { return html! { section id="purse" {} } };
    let mine = now.me.and_then(|me| Some((me, now.ring.player(me)?)));
    html! {
        section id="purse" aria-label=(lang.pick("Wallet and seat", "Wallet und Platz")) {
            p { (lang.pick("In your wallet", "In deiner Wallet")) ": " strong class="coins" { (words::grouped(now.coins, lang)) }
                @if let Some((_, player)) = mine { " · " (lang.pick("bond", "Pfand")) " " (words::grouped(player.bond, lang)) } }
            p class="actions" {
                @if let Some((me, player)) = mine {
                    @if player.out.is_some() || player.leaving {
                        (button(&json!({"back": {}}), lang.pick("Come back", "Wieder mitspielen"), "main", None))
                    } @else {
                        (button(&json!({"out": {}}), lang.pick("Sit out", "Aussetzen"), "quiet", None))
                    }
                    @if let Ok(chips) = buying::rebuy(&now.ring, now.hand.as_ref(), me, now.coins) {
                        (button(&json!({"rebuy": {"chips": chips.0}}), &words::buy(chips, lang), "quiet", None))
                    }
                    @if !player.leaving {
                        (button(&json!({"stand": {}}), lang.pick("Leave the table", "Tisch verlassen"), "grave",
                            Some(lang.pick("Chips and bond go back to your wallet, after the hand if you are in one.", "Chips und Pfand gehen zurück in deine Wallet, nach der Hand, wenn du mitspielst."))))
                    }
                } @else if !now.ring.free().is_empty() {
                    (sit_button(number, &now.ring.terms, now.coins, lang))
                }
                a class="button quiet" href="/chain/play" { (lang.pick("All tables", "Alle Tische")) }
            }
            p class="dim" { (lang.pick("Table", "Tisch")) " " (number) " · " (lang.pick("your address", "deine Adresse")) " " code { (words::short_address(address)) } }
        }
    }
}

fn button(command: &Value, label: &str, class: &str, sure: Option<&str>) -> Markup {
    html! { button type="button" class=(class) data-command=(command) data-sure=[sure] { (label) } }
}

/// The button that asks how many chips somebody wants to sit down with; it says how many there can be. Without enough
/// coins it says why not.
pub(crate) fn sit_button(number: u64, terms: &Terms, coins: Coins, lang: Lang) -> Markup {
    let can = can_sit(terms, coins);
    let why = can.as_ref().err().map(|why| words::not_bought(*why, lang));
    html! {
        button type="button" class="main" data-sit=(number) data-least=(terms.min_buy_in.0) data-most=[can.as_ref().ok().map(|most| most.0)]
            data-bond=(words::grouped(terms.player_bond, lang)) data-blind=(words::grouped(terms.big_blind, lang))
            data-seconds=(terms.action_timeout_secs) data-why=[why] { (lang.pick("Sit down", "Hinsetzen")) }
    }
}
