//! What a table proves, what players have to trust, and how to check it.

use dealers::house::Publish;
use maud::{Markup, html};
use page::Lang;
use table::record::{By, Evidence};

use crate::room::{Room, reveal_seed};

/// The panel of a table. The script adds what this browser has seen: the words, and whether it could keep them.
pub(super) fn panel(room: &Room, address: &str, lang: Lang) -> Markup {
    let publish = reveal_seed(&room.terms().reveal).unwrap_or_default();
    let publish = games::with_game!(room.game(), G => publish.in_game::<G>());
    let (proven, believed) = claims(publish, lang);
    html! {
        h3 { (lang.pick("Proven", "Bewiesen")) }
        ul { @for one in proven { li { (one) } } }
        h3 { (lang.pick("You have to trust", "Darauf musst du vertrauen")) }
        ul { @for one in believed { li { (one) } } }
        div id="words" class="words" hidden {
            p { (lang.pick("Read these words to your friends; they see the same:", "Lies diese Wörter deinen Freunden vor; sie sehen dieselben:")) }
            p { output {} " " small class="dim" {} }
            details { summary { (lang.pick("What do the words prove?", "Was beweisen die Wörter?")) } p { (worth(lang)) } }
        }
        p id="keeping" class="bad" hidden { (lang.pick(
            "This browser does not let the page store what it sees: its storage is full or blocked. You can play, but after the page is closed it cannot check whether the house committed in time.",
            "Die Seite kann in diesem Browser nicht speichern, was sie sieht: Der Speicher ist voll oder gesperrt. Du kannst spielen, aber wenn die Seite einmal zu war, kann sie nicht mehr prüfen, ob sich das Haus rechtzeitig festgelegt hat.")) }
        p { button type="button" data-verify="" { (lang.pick("Verify", "Nachprüfen")) } " "
            a href={ (address) "/record" } download { (lang.pick("Download the record", "Aufzeichnung herunterladen")) } }
        p id="kept" hidden { button type="button" class="quiet" data-kept="" { (lang.pick("Download this browser's copy", "Kopie dieses Browsers herunterladen")) } }
        details { summary { (lang.pick("What everybody committed to", "Worauf sich alle festgelegt haben")) } (proofs(room, lang)) }
    }
}

/// The part of the page with all commitments, and what was revealed.
pub(super) fn proofs(room: &Room, lang: Lang) -> Markup {
    let proofs = room.play().map(|play| play.proofs()).unwrap_or_default();
    html! {
        ol id="proofs" class="proofs" {
            @for proof in proofs {
                @let who = match proof.by {
                    By::Seat(seat) => room.chair(seat).and_then(|chair| chair.face(seat)).map(|face| face.name).unwrap_or_default(),
                    By::House | By::Member(_) => lang.pick("The house", "Das Haus").to_owned(),
                };
                @let what = match proof.kind.as_str() {
                    "commit" => lang.pick("committed to", "hat sich festgelegt auf"),
                    "root" => lang.pick("fixed all cards:", "hat alle Karten festgelegt:"),
                    _ => lang.pick("revealed", "hat aufgedeckt:"),
                };
                li { (who) " " (what) " " code { (digits(proof)) "…" } }
            }
        }
    }
}

/// The first digits of the hash or seed in a line of evidence.
fn digits(proof: &Evidence) -> &str {
    // The line number and the deck number come first, eight digits each.
    let start = match (proof.by, proof.kind.as_str()) {
        // When the house will publish.
        (By::House, "commit") => 18,
        // How many cards there are.
        (_, "root") => 20,
        _ => 16,
    };
    proof.body.get(start..start + 16).unwrap_or_default()
}

/// What is proven, and what players have to trust, given when the house publishes its seeds.
fn claims(publish: Publish, lang: Lang) -> (Vec<&'static str>, Vec<&'static str>) {
    let fixed = lang.pick(
        "No card changes. All are fixed before the first is dealt, and your browser checks every face-up card and each of yours against that.",
        "Keine Karte ändert sich. Alle stehen fest, bevor die erste gegeben wird, und dein Browser prüft damit jede offene Karte und jede deiner Karten.",
    );
    let seen = lang.pick(
        "That the house tells nobody which cards it has dealt: it sees them all.",
        "Dass das Haus niemandem verrät, welche Karten es gegeben hat: Es sieht alle.",
    );
    let order = match publish {
        Publish::Never => {
            let order = lang.pick(
                "That the order of the cards was made from everybody's seeds. In this game some cards are never shown, so the house keeps its own seed, and nobody can repeat the shuffle.",
                "Dass die Reihenfolge der Karten aus den Startwerten aller entstanden ist. In diesem Spiel bleiben manche Karten für immer verdeckt, deshalb behält das Haus seinen Startwert, und niemand kann das Mischen wiederholen.",
            );
            return (vec![fixed], vec![order, seen]);
        }
        Publish::AfterDeal => lang.pick(
            "Neither the house nor any player chose the order of the cards. It is made from a seed of the house and one from every player's browser, and all commit to theirs before anybody reveals. When a deck is finished, the house publishes its seed, and your browser repeats the shuffle.",
            "Weder das Haus noch ein Spieler hat die Reihenfolge der Karten gewählt. Sie entsteht aus einem Startwert des Hauses und einem aus dem Browser jedes Spielers, und alle legen sich fest, bevor jemand aufdeckt. Ist ein Kartenspiel verbraucht, veröffentlicht das Haus seinen Startwert, und dein Browser wiederholt das Mischen.",
        ),
        Publish::AfterMatch => lang.pick(
            "Neither the house nor any player chose the order of the cards. It is made from a seed of the house and one from every player's browser, and all commit to theirs before anybody reveals. When the match is over, the house publishes its seeds, and your browser repeats all shuffles.",
            "Weder das Haus noch ein Spieler hat die Reihenfolge der Karten gewählt. Sie entsteht aus einem Startwert des Hauses und einem aus dem Browser jedes Spielers, und alle legen sich fest, bevor jemand aufdeckt. Nach der Partie veröffentlicht das Haus seine Startwerte, und dein Browser wiederholt jedes Mischen.",
        ),
    };
    let withheld = lang.pick(
        "That nobody was left out on purpose. Players who collude with the house could withhold their seeds and so choose between a few orders. Verify names everybody who was left out.",
        "Dass niemand absichtlich ausgelassen wurde. Spieler, die mit dem Haus unter einer Decke stecken, könnten ihre Startwerte zurückhalten und so zwischen einigen Reihenfolgen wählen. „Nachprüfen“ nennt alle, die ausgelassen wurden.",
    );
    (vec![order, fixed], vec![withheld, seen])
}

/// What four words protect against.
const fn worth(lang: Lang) -> &'static str {
    lang.pick(
        "They stand for everything that the house and all players committed to for this shuffle. If your words differ, the house has shown you different things: stop playing. Four words are 32 bits: they match by chance once in four billion times. A house that tries about 65,000 combinations can make two lists with the same words, so equal words are a good sign, but not a proof. Verify compares everything with what your browser kept.",
        "Sie stehen für alles, worauf sich das Haus und alle Spieler bei dieser Mischung festgelegt haben. Unterscheiden sie sich, hat euch das Haus Verschiedenes gezeigt: Hört auf zu spielen. Vier Wörter sind 32 Bit: Zufällig gleich sind sie einmal in vier Milliarden Fällen. Ein Haus, das etwa 65.000 Möglichkeiten durchprobiert, kann zwei Listen mit denselben Wörtern finden; gleiche Wörter sind also ein gutes Zeichen, aber kein Beweis. „Nachprüfen“ vergleicht alles mit dem, was dein Browser aufbewahrt hat.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Publish; 3] = [Publish::Never, Publish::AfterDeal, Publish::AfterMatch];

    #[test]
    fn the_order_is_called_proven_only_if_the_seed_is_published() {
        for lang in [Lang::En, Lang::De] {
            for publish in ALL {
                let (proven, believed) = claims(publish, lang);
                let order = lang.pick("the order of the cards", "die Reihenfolge der Karten");
                let published = publish != Publish::Never;
                assert_eq!(proven.iter().any(|one| one.contains(order)), published, "{publish:?} {lang:?}");
                assert_eq!(believed.iter().any(|one| one.contains(order)), !published, "{publish:?} {lang:?}");
            }
        }
    }

    #[test]
    fn every_panel_says_that_the_house_sees_the_cards() {
        for publish in ALL {
            assert!(claims(publish, Lang::En).1.iter().any(|one| one.contains("it sees them all")));
            assert!(claims(publish, Lang::De).1.iter().any(|one| one.contains("Es sieht alle")));
        }
    }

    #[test]
    fn evidence_is_shown_from_its_first_digit() {
        let seat = By::Seat(table::Seat::new(1).unwrap());
        let lines = [(By::House, "commit", 5), (seat, "commit", 4), (seat, "reveal", 4), (By::House, "root", 6)];
        let mut pen = dealers::Pen::new([1; 32]);
        for (by, kind, before) in lines {
            let mut payload = vec![0; before];
            payload.extend((0..64).map(|byte| 0xa0 + byte % 16));
            pen.write(by, kind, &payload);
        }
        for line in pen.take() {
            assert_eq!(digits(&line), "a0a1a2a3a4a5a6a7", "{}", line.kind);
        }
    }
}
