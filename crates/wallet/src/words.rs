//! What people read, in two languages.

use chain::client::Unready;
use chain::tables::{Out, WhyGone};
use chain::{Address, Coins, Hash, hex};
use light::buying::NotBought;
use light::follow::{Note, Now, Parting, Stopped, What};
use light::{BadPlace, Error, Lie, Place};
use page::Lang;
use table::Seat;

use crate::drawing::is_dealt;

/// A block that is older than this is said to be, in seconds. Without transactions there is one every second.
const MOST_BEHIND: u64 = 20;

/// A number with its thousands apart.
pub(crate) fn grouped(coins: Coins, lang: Lang) -> String {
    let digits = coins.0.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(lang.pick(",", "."));
        }
        text.push(digit);
    }
    text
}

/// Words of strangers, without anything that is no text, and not too long.
pub(crate) fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// What a seat is called: people know seats by their numbers.
pub(crate) fn seat(seat: Seat, lang: Lang) -> String {
    format!("{} {}", lang.pick("Seat", "Platz"), seat.index() + 1)
}

/// What a table is called.
pub(crate) fn table_name(label: &str, number: u64, lang: Lang) -> String {
    match shown(label).trim() {
        "" => format!("{} {number}", lang.pick("Table", "Tisch")),
        label => format!("{label} ({number})"),
    }
}

/// Enough of an address to know it again.
pub(crate) fn short_address(address: &Address) -> String {
    let text = address.to_string();
    let end: String = text.chars().skip(text.chars().count().saturating_sub(6)).collect();
    format!("{}…{end}", text.chars().take(12).collect::<String>())
}

fn short(hash: &Hash) -> String {
    hex(hash).chars().take(12).collect()
}

/// What is wrong with a node, or with what it says.
pub(crate) fn error(why: &Error, lang: Lang) -> String {
    match why {
        Error::NoNode => lang.pick("No node is named.", "Es ist kein Knoten angegeben.").to_owned(),
        Error::Unreachable { place, .. } => match lang {
            Lang::En => format!("No node can be reached at {place}."),
            Lang::De => format!("Unter {place} ist kein Knoten erreichbar."),
        },
        Error::Silent { place } => match lang {
            Lang::En => format!("The node at {place} does not answer."),
            Lang::De => format!("Der Knoten {place} antwortet nicht."),
        },
        Error::Lost { place, .. } => match lang {
            Lang::En => format!("The connection to the node at {place} was lost."),
            Lang::De => format!("Die Verbindung zum Knoten {place} ist abgebrochen."),
        },
        Error::Nonsense { place, .. } => match lang {
            Lang::En => format!("What answers at {place} is not a node, or a broken one."),
            Lang::De => format!("Was unter {place} antwortet, ist kein Knoten oder defekt."),
        },
        Error::Lie { place, lie } => match lang {
            Lang::En => format!("The node at {place} does not prove what it says: {}. Nothing of it is shown.", lied(*lie, lang)),
            Lang::De => format!("Der Knoten {place} beweist nicht, was er sagt: {}. Nichts davon wird gezeigt.", lied(*lie, lang)),
        },
        Error::OtherChain { place, expected, found } => other_chain(place, expected, found, lang),
        Error::Old { place, height, known } => match lang {
            Lang::En => format!("The node at {place} is behind: it is at block {height}, and block {known} is known already."),
            Lang::De => {
                format!("Der Knoten {place} ist zurück: Er ist bei Block {height}, und Block {known} ist schon bekannt.")
            }
        },
        Error::Expired => lang
            .pick(
                "The last block you trusted is too old. Get the name of a recent one from somebody you trust, and enter it with the \
                 node.",
                "Der letzte Block, dem du vertraut hast, ist zu alt. Hol dir einen neuen von jemandem, dem du vertraust, und gib ihn \
                 beim Knoten ein.",
            )
            .to_owned(),
        Error::Refused { why } => refused(why, lang),
    }
}

/// What a node does not prove.
const fn lied(lie: Lie, lang: Lang) -> &'static str {
    match lie {
        Lie::Block(_) => lang.pick(
            "a block does not follow from those you trust, or is not signed as it must be",
            "Ein Block folgt nicht aus denen, denen du vertraust, oder ist nicht richtig unterschrieben",
        ),
        Lie::Past { .. } => lang.pick(
            "an earlier block is not the one that the later ones follow",
            "Ein früherer Block ist nicht der, auf den die späteren folgen",
        ),
        Lie::Entry => lang.pick("the proof does not show it", "Der Beweis zeigt es nicht"),
        Lie::Entries => lang.pick("something that was asked for is missing", "Etwas fehlt, wonach gefragt war"),
    }
}

/// A node refuses something, in its own words.
pub(crate) fn refused(why: &str, lang: Lang) -> String {
    format!("{}: {}", lang.pick("The node refuses", "Der Knoten lehnt ab"), shown_long(why))
}

fn shown_long(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

pub(crate) const fn bad_place(why: BadPlace, lang: Lang) -> &'static str {
    match why {
        BadPlace::Form | BadPlace::Encrypted => lang.pick(
            "This is not the address of a node. It looks like 127.0.0.1:27001 or wss://node.example.org.",
            "Das ist nicht die Adresse eines Knotens. Sie sieht aus wie 127.0.0.1:27001 oder wss://node.example.org.",
        ),
    }
}

pub(crate) const fn not_a_chain(lang: Lang) -> &'static str {
    lang.pick("The name of a chain has 64 hexadecimal digits.", "Der Name einer Chain hat 64 Hexadezimalziffern.")
}

/// A node belongs to another chain than expected.
pub(crate) fn other_chain(place: &Place, expected: &Hash, found: &Hash, lang: Lang) -> String {
    let (expected, found) = (short(expected), short(found));
    match lang {
        Lang::En => {
            format!("The node at {place} belongs to chain {found}, not to {expected}. Nothing it says is used.")
        }
        Lang::De => {
            format!("Der Knoten {place} gehört zur Chain {found}, nicht zu {expected}. Nichts von ihm wird verwendet.")
        }
    }
}

/// A chain was met for the first time.
pub(crate) fn met(place: &Place, chain: &Hash, again: bool, lang: Lang) -> String {
    let chain = short(chain);
    match (lang, again) {
        (Lang::En, false) => format!("{place} belongs to chain {chain}, which is new to you. It is remembered."),
        (Lang::En, true) => format!("{place} belongs to another chain than before: {chain}. It is remembered."),
        (Lang::De, false) => format!("{place} gehört zur Chain {chain}, die neu für dich ist. Das wird gemerkt."),
        (Lang::De, true) => format!("{place} gehört zu einer anderen Chain als vorher: {chain}. Das wird gemerkt."),
    }
}

pub(crate) fn stopped(why: &Stopped, lang: Lang) -> String {
    match why {
        Stopped::NoTable(table) => no_table(*table, lang),
        Stopped::Chain(why) => error(why, lang),
    }
}

pub(crate) fn no_table(table: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("There is no table {table}."),
        Lang::De => format!("Es gibt keinen Tisch {table}."),
    }
}

pub(crate) const fn no_block(lang: Lang) -> &'static str {
    lang.pick(
        "No block has taken it yet. It may still happen.",
        "Noch kein Block hat es aufgenommen. Das kann noch geschehen.",
    )
}

pub(crate) fn has(coins: Coins, lang: Lang) -> String {
    format!("{} {}.", lang.pick("Coins in your wallet:", "Münzen in deiner Wallet:"), grouped(coins, lang))
}

pub(crate) fn buy(chips: Coins, lang: Lang) -> String {
    match lang {
        Lang::En => format!("Buy {} chips", grouped(chips, lang)),
        Lang::De => format!("{} Chips kaufen", grouped(chips, lang)),
    }
}

/// Why somebody cannot buy chips.
pub(crate) fn not_bought(why: NotBought, lang: Lang) -> String {
    let grouped = |coins| grouped(coins, lang);
    match (why, lang) {
        (NotBought::Amount { least, most, .. }, Lang::En) => {
            format!("You can buy {} to {} chips here.", grouped(least), grouped(most))
        }
        (NotBought::Amount { least, most, .. }, Lang::De) => {
            format!("Hier kannst du {} bis {} Chips kaufen.", grouped(least), grouped(most))
        }
        (NotBought::Poor { has, needed, bond, .. }, Lang::En) => format!(
            "You have {} coins and need {}: chips, a bond of {} that you get back, and something for fees.",
            grouped(has),
            grouped(needed),
            grouped(bond)
        ),
        (NotBought::Poor { has, needed, bond, .. }, Lang::De) => format!(
            "Du hast {} Münzen und brauchst {}: für Chips, ein Pfand von {}, das du zurückbekommst, und Gebühren.",
            grouped(has),
            grouped(needed),
            grouped(bond)
        ),
        (NotBought::Full, lang) => lang
            .pick(
                "You have as many chips as this table allows.",
                "Du hast schon so viele Chips, wie der Tisch erlaubt.",
            )
            .to_owned(),
        (NotBought::NoSeat, lang) => lang.pick("You have no seat here.", "Du hast hier keinen Platz.").to_owned(),
    }
}

/// How somebody lost their seat.
pub(crate) fn parting(parting: Parting, lang: Lang) -> String {
    let (returned, coins) = (grouped(parting.returned, lang), grouped(parting.coins, lang));
    let why = match parting.why {
        WhyGone::Left => lang.pick("You left the table.", "Du hast den Tisch verlassen."),
        WhyGone::Idle => lang.pick(
            "You did not play for many hands and lost your seat.",
            "Du hast viele Hände nicht gespielt und deinen Platz verloren.",
        ),
        WhyGone::Ejected => lang.pick(
            "Your bond was used up because your time ran out too often, and you lost your seat.",
            "Dein Pfand ist aufgebraucht, weil deine Zeit zu oft abgelaufen ist, und dein Platz ist weg.",
        ),
    };
    match lang {
        Lang::En => format!("{why} {returned} coins came back, and you have {coins}."),
        Lang::De => format!("{why} {returned} Münzen sind zurück, und du hast {coins}."),
    }
}

pub(crate) fn time_was_up(lost: Coins, left: Coins, lang: Lang) -> String {
    let (lost, left) = (grouped(lost, lang), grouped(left, lang));
    match lang {
        Lang::En => format!("Your time was up. That cost {lost} of your bond; {left} are left."),
        Lang::De => format!("Deine Zeit ist abgelaufen. Das hat {lost} von deinem Pfand gekostet, {left} sind übrig."),
    }
}

pub(crate) const fn on_its_way(lang: Lang) -> &'static str {
    lang.pick("Your move is on its way.", "Dein Zug ist unterwegs.")
}

pub(crate) const fn not_dealt(lang: Lang) -> &'static str {
    lang.pick(
        "The cards could not be dealt. Everybody got back what they had put in.",
        "Die Karten konnten nicht gegeben werden. Alle haben ihre Einsätze zurück.",
    )
}

pub(crate) const fn elsewhere(lang: Lang) -> &'static str {
    lang.pick(
        "You took this seat with another browser or program, which has the key to your cards. Play there, or leave the table here.",
        "Diesen Platz hast du mit einem anderen Browser oder Programm eingenommen, das den Schlüssel zu deinen Karten hat. Spiel dort \
         weiter oder verlass hier den Tisch.",
    )
}

/// Something that a person should know.
pub(crate) fn note(note: &Note, lang: Lang) -> String {
    match note {
        Note::NotYourTurn => lang.pick("It is not your turn any more.", "Du bist nicht mehr dran.").to_owned(),
        Note::Wait(what) => format!("{} {}", lang.pick("Wait a moment:", "Einen Moment:"), going(*what, lang)),
        Note::Done(what) => done(*what, lang).to_owned(),
        Note::Refused(_, why) => refused(why, lang),
        Note::NotShown(_) => lang
            .pick(
                "The node said that it was done, but the table does not show it.",
                "Der Knoten sagte, dass es erledigt ist, aber der Tisch zeigt es nicht.",
            )
            .to_owned(),
        Note::NoEnd(hand) => match lang {
            Lang::En => format!("The node does not show how hand {hand} ended. The stacks are right."),
            Lang::De => format!("Der Knoten zeigt nicht, wie Hand {hand} geendet hat. Die Chips stimmen."),
        },
        Note::Trouble(why) => error(why, lang),
    }
}

const fn going(what: What, lang: Lang) -> &'static str {
    match what {
        What::SitOut => lang.pick("You are about to sit out.", "Du setzt gleich aus."),
        What::Return => lang.pick("You are about to come back.", "Du bist gleich wieder dabei."),
        What::Rebuy => lang.pick("Your chips are on their way.", "Deine Chips sind unterwegs."),
        What::Leave => lang.pick("You are about to leave.", "Du gehst gleich."),
    }
}

const fn done(what: What, lang: Lang) -> &'static str {
    match what {
        What::SitOut => lang.pick("You sit out from the next hand on.", "Du setzt ab der nächsten Hand aus."),
        What::Return => {
            lang.pick("You are dealt in from the next hand on.", "Ab der nächsten Hand spielst du wieder mit.")
        }
        What::Rebuy => lang.pick(
            "You have bought chips. During a hand they come at its end.",
            "Du hast Chips gekauft. Während einer Hand kommen sie an ihrem Ende.",
        ),
        What::Leave => lang.pick(
            "You leave the table; if you are in a hand, after it.",
            "Du verlässt den Tisch; wenn du mitspielst, nach der Hand.",
        ),
    }
}

/// What a table waits for, or what somebody should know about their seat.
pub(crate) fn status(now: &Now, lang: Lang) -> String {
    if now.behind > MOST_BEHIND {
        return match lang {
            Lang::En => format!("The last block is {} s old: the node is behind, or your clock is wrong.", now.behind),
            Lang::De => {
                format!("Der letzte Block ist {} s alt: Der Knoten ist zurück, oder deine Uhr geht falsch.", now.behind)
            }
        };
    }
    if let Some(busy) = now.busy {
        return going(busy, lang).to_owned();
    }
    if let Some(why) = now.unready {
        return unready(why, lang).to_owned();
    }
    let mine = now.me.and_then(|me| Some((me, now.ring.player(me)?)));
    let in_hand = |seat: Seat| now.hand.as_ref().is_some_and(|hand| hand.seats().contains(seat));
    let text = match mine {
        Some((_, player)) if player.leaving => lang.pick("You leave after this hand.", "Du gehst nach dieser Hand."),
        Some((_, player)) if player.out == Some(Out::Chosen) => lang.pick("You sit out.", "Du setzt aus."),
        Some((_, player)) if player.out == Some(Out::Forced) => lang.pick(
            "Your time ran out twice, so you sit out a hand.",
            "Deine Zeit ist zweimal abgelaufen, deshalb setzt du eine Hand aus.",
        ),
        Some((me, player)) if !in_hand(me) && player.stack == Coins::ZERO => {
            lang.pick("You have no chips left.", "Du hast keine Chips mehr.")
        }
        Some((me, _)) if now.hand.is_some() && !in_hand(me) => {
            lang.pick("You are dealt in from the next hand on.", "Ab der nächsten Hand spielst du mit.")
        }
        _ => match &now.hand {
            None if now.ring.ready().len() < 2 => lang.pick("Waiting for players.", "Warten auf Mitspieler."),
            None if !now.deck => lang.pick("The cards are being shuffled.", "Die Karten werden gemischt."),
            None => lang.pick("The next hand is about to begin.", "Gleich beginnt die nächste Hand."),
            Some(hand) if is_dealt(hand) => lang.pick("The cards are being dealt.", "Die Karten werden gegeben."),
            Some(_) => lang.pick(
                "Everything you see here was proven and checked in this browser.",
                "Alles, was du hier siehst, ist bewiesen und in diesem Browser geprüft.",
            ),
        },
    };
    text.to_owned()
}

const fn unready(why: Unready, lang: Lang) -> &'static str {
    match why {
        Unready::NotYourTurn => "",
        Unready::CardsUnreadable => lang.pick(
            "It is your turn, but your cards cannot be read yet.",
            "Du bist dran, aber deine Karten sind noch nicht lesbar.",
        ),
        Unready::BoardNotFinal => lang.pick(
            "It is your turn, but a card of the board is not proven.",
            "Du bist dran, aber eine Karte in der Mitte ist nicht bewiesen.",
        ),
    }
}
