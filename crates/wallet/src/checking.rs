//! Checking a hand that is over: everything in it is repeated, from the keys of those who dealt to the pots, and compared
//! with a state that is signed. The same as `fairdeal chain verify`.

use chain::export::Checked;
use chain::{Export, Hash, hex};
use light::{Error, Remote};
use maud::{Markup, html};
use page::{Lang, minis};
use serde_json::json;
use table::Seat;

use crate::session::Session;
use crate::words;
use crate::world::World;

impl Session {
    /// Checks this hand, and tells the page what came of it.
    pub(crate) async fn verify(&self, remote: &mut Remote<World>, table: u64, hand: u32) {
        let lang = self.lang;
        let told = match proof(remote, table, hand).await {
            Ok(Some((export, root))) => match export.check() {
                _ if export.root != root => wrong(
                    hand,
                    lang.pick(
                        "what the node shows was never the state of this chain",
                        "was der Knoten zeigt, war nie der Stand dieser Chain",
                    ),
                    lang,
                ),
                Ok(checked) => right(hand, &checked, &root, lang),
                Err(why) => wrong(hand, &why.to_string(), lang),
            },
            Ok(None) => html! { p { (missing(hand, lang)) } },
            Err(why) => html! { p class="bad" { (words::error(&why, lang)) } },
        };
        self.world.tell(&json!({ "verified": told.into_string() }));
    }
}

/// Everything that proves a hand, and the root that is signed.
async fn proof(remote: &mut Remote<World>, table: u64, hand: u32) -> Result<Option<(Export, Hash)>, Error> {
    let Some(export) = remote.export(table, hand).await? else { return Ok(None) };
    let root = remote.root_after(export.height).await?;
    Ok(Some((export, root)))
}

fn missing(hand: u32, lang: Lang) -> String {
    match lang {
        Lang::En => format!("The node does not have what proves hand {hand}."),
        Lang::De => format!("Der Knoten hat nicht, was Hand {hand} beweist."),
    }
}

fn wrong(hand: u32, why: &str, lang: Lang) -> Markup {
    html! {
        h2 class="bad" { (lang.pick("Hand", "Hand")) " " (hand) ": " (lang.pick("not proven", "nicht bewiesen")) }
        p { (lang.pick("This is wrong: ", "Das stimmt nicht: ")) (why) "." }
    }
}

fn right(hand: u32, checked: &Checked, root: &Hash, lang: Lang) -> Markup {
    let proven = [
        lang.pick(
            "Those who dealt made their keys together, and could check each other.",
            "Die Schlüssel zum Geben sind gemeinsam entstanden, und alle konnten einander prüfen.",
        ),
        lang.pick(
            "Every shuffle has all cards of the one before it, none more and none less.",
            "Bei jedem Mischen blieben alle Karten da, keine kam dazu und keine fehlt.",
        ),
        lang.pick(
            "Every open card is the one that lay in its place of the deck.",
            "Jede offene Karte ist die, die an ihrer Stelle im Stapel lag.",
        ),
        lang.pick(
            "Everybody's own cards were sealed for them alone.",
            "Die eigenen Karten waren für jeden einzeln versiegelt.",
        ),
        lang.pick(
            "Every move was allowed, and the pots were divided by the rules.",
            "Jeder Zug war erlaubt, und die Pots sind nach den Regeln verteilt.",
        ),
        lang.pick("All of this is what the chain has signed.", "All das hat die Chain unterschrieben."),
    ];
    let not_proven = lang.pick(
        "Nobody can prove that players did not tell each other their cards, or that more than two thirds of those who deal did not \
         read them together.",
        "Niemand kann beweisen, dass sich niemand Karten verraten hat oder dass nicht mehr als zwei Drittel der Gebenden gemeinsam \
         mitgelesen haben.",
    );
    let title = match checked.aborted {
        true => {
            lang.pick("broken off, and everybody got their chips back", "abgebrochen, alle haben ihre Chips zurück")
        }
        false => lang.pick("everything is right", "alles stimmt"),
    };
    html! {
        h2 class="good" { "✓ " (lang.pick("Hand", "Hand")) " " (hand) ": " (title) }
        ul class="checks" { @for line in proven { li class="good" { (line) } } }
        @if !checked.board.is_empty() { p { (lang.pick("Board", "Gemeinschaftskarten")) ": " (minis(checked.board.iter().copied().map(Some), lang)) } }
        @for (seat, hole) in &checked.shown {
            @if let Some(seat) = Seat::new(*seat) { p { (words::seat(seat, lang)) ": " (minis(hole.iter().copied().map(Some), lang)) } }
        }
        p { (shuffled(checked, lang)) }
        @if !checked.at_fault.is_empty() { p class="bad" { (lang.pick(
            "Somebody who dealt did something wrong; it was noticed and did not count.",
            "Beim Geben hat jemand etwas falsch gemacht; es ist aufgefallen und hat nicht gezählt.",
        )) } }
        p class="dim" { (not_proven) }
        p class="dim" { code class="root" { (hex(root)) } }
    }
}

fn shuffled(checked: &Checked, lang: Lang) -> String {
    let (times, needed, all) = (checked.shuffled.len(), checked.threshold, checked.members.len());
    match lang {
        Lang::En => format!("Shuffled {times} times, one after another. {needed} of {all} are needed to open a card."),
        Lang::De => {
            format!("{times} Mal nacheinander gemischt. Um eine Karte zu öffnen, braucht es {needed} von {all}.")
        }
    }
}
