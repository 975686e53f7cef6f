//! Reasons for refusals and hints in Rommé, in both languages.

use ::table::Refused;
use bots::romme::Why;
use cards::{Card, Suit};
use games::romme::bench::Not;
use games::romme::{Flaw, Illegal};

use super::words::number;
use crate::Lang;
use crate::card_text;

/// Why a prepared move cannot be made.
pub(super) fn not(why: &Not, lang: Lang) -> String {
    let fixed = match why {
        Not::OnlyWatching => lang.pick("you are only watching", "du schaust nur zu"),
        Not::NothingToLay => lang.pick("mark the cards of a meld first", "markiere zuerst die Karten einer Auslage"),
        Not::NoMeld(why) => return format!("{}: {}", lang.pick("not a meld", "keine Auslage"), flaw(why, lang)),
        Not::TooFewPoints { points, needed } => {
            return match lang {
                Lang::En => format!("{points} of {needed} points; set it aside and mark another meld"),
                Lang::De => format!("{points} von {needed} Punkten; leg es bereit und markiere noch eine Auslage"),
            };
        }
        Not::NotOpened => lang.pick("you must open first", "du musst zuerst selbst auslegen"),
        Not::NothingToAdd => lang.pick("mark the cards to add first", "markiere zuerst die Karten zum Anlegen"),
        Not::DoesNotFit(meld) => {
            let meld = number(*meld, lang);
            return match lang {
                Lang::En => format!("these cards do not fit {meld}"),
                Lang::De => format!("diese Karten passen nicht an {meld}"),
            };
        }
        Not::FitsNoMeld => {
            lang.pick("these cards fit no meld on the table", "diese Karten passen an keine Auslage auf dem Tisch")
        }
        Not::NothingToSwap => lang.pick(
            "mark the card that a joker stands for, and the cards to use the joker with",
            "markiere die Karte, für die ein Joker steht, und die Karten, zu denen der Joker soll",
        ),
        Not::NoSuchJoker => lang.pick(
            "no joker on the table stands for one of these cards",
            "kein Joker auf dem Tisch steht für eine dieser Karten",
        ),
        Not::NoUseForJoker => lang.pick(
            "you must use the joker at once: mark cards that make a meld with it",
            "du musst den Joker sofort verwenden: markiere Karten, die mit ihm eine Auslage ergeben",
        ),
        Not::NothingToDiscard => lang.pick("mark the card to discard first", "markiere zuerst die Karte zum Ablegen"),
        Not::OnlyOneCard => lang.pick("you can only discard one card", "du kannst nur eine Karte ablegen"),
        Not::JustTaken => lang.pick(
            "you took it from the discard pile this turn, so you cannot discard it",
            "du hast sie in diesem Zug von der Ablage genommen und darfst sie nicht zurücklegen",
        ),
        Not::NoMeldInHand => lang.pick("you have no meld in your hand", "du hast nichts zum Auslegen auf der Hand"),
        Not::NothingCanBeLaid => lang.pick("you cannot lay any card", "du kannst keine Karte auslegen"),
        Not::Refused(Refused::Illegal(why)) => return refusal(why, lang),
        Not::Refused(_) => lang.pick("you cannot do this now", "das geht jetzt nicht"),
    };
    fixed.to_owned()
}

/// Why cards are not a meld.
fn flaw(why: &Flaw, lang: Lang) -> String {
    let fixed = match why {
        Flaw::TooShort => lang.pick("a meld has at least three cards", "eine Auslage hat mindestens drei Karten"),
        Flaw::TooLong => lang.pick(
            "a set has at most four cards, a run thirteen",
            "ein Satz hat höchstens vier Karten, eine Folge dreizehn",
        ),
        Flaw::TooManyJokers => lang.pick("more jokers than other cards", "mehr Joker als andere Karten"),
        Flaw::NoSetNoRun => lang
            .pick("the cards share neither rank nor suit", "die Karten haben weder denselben Rang noch dieselbe Farbe"),
        Flaw::SuitTwice(suit) => {
            let suit = suit_name(*suit, lang);
            return match lang {
                Lang::En => format!("{suit} appear twice"),
                Lang::De => format!("{suit} ist doppelt"),
            };
        }
        Flaw::CardTwice(card) => {
            let card = card_text(*card, lang);
            return match lang {
                Lang::En => format!("{card} appears twice"),
                Lang::De => format!("{card} ist doppelt"),
            };
        }
        Flaw::Gap => lang.pick("the cards are not in sequence", "die Karten folgen nicht aufeinander"),
        Flaw::JokersSideBySide => lang.pick("two jokers are next to each other", "zwei Joker liegen nebeneinander"),
        Flaw::JokerWithoutName => lang.pick(
            "a joker in a run must stand for one card",
            "ein Joker in einer Folge muss für eine bestimmte Karte stehen",
        ),
        Flaw::JokerWithName => lang.pick(
            "a joker in a set stands for no particular card",
            "ein Joker in einem Satz steht für keine bestimmte Karte",
        ),
        Flaw::NotAJoker(card) => {
            let card = card_text(*card, lang);
            return match lang {
                Lang::En => format!("{card} is not a joker and stands only for itself"),
                Lang::De => format!("{card} ist kein Joker und steht nur für sich selbst"),
            };
        }
    };
    fixed.to_owned()
}

const fn suit_name(suit: Suit, lang: Lang) -> &'static str {
    match suit {
        Suit::Clubs => lang.pick("clubs", "Kreuz"),
        Suit::Diamonds => lang.pick("diamonds", "Karo"),
        Suit::Hearts => lang.pick("hearts", "Herz"),
        Suit::Spades => lang.pick("spades", "Pik"),
    }
}

/// Why the game refuses. Cards are not named: the player knows what they tried.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    let fixed = match why {
        Illegal::NotSeated => lang.pick("you are not in this round", "du bist nicht in dieser Runde"),
        Illegal::WrongPhase => lang.pick("you cannot do this now", "das geht jetzt nicht"),
        Illegal::NotYourTurn => lang.pick("it is not your turn", "du bist nicht dran"),
        Illegal::MustDrawFirst => lang.pick("you must draw a card first", "du musst zuerst eine Karte ziehen"),
        Illegal::AlreadyDrawn => {
            lang.pick("you have already drawn a card this turn", "du hast in diesem Zug schon eine Karte gezogen")
        }
        Illegal::PileEmpty => lang.pick("there is no card on the discard pile", "auf der Ablage liegt keine Karte"),
        Illegal::NothingLaid => lang.pick("you laid no cards", "du hast keine Karten ausgelegt"),
        Illegal::UnknownMeld(meld) => {
            return match lang {
                Lang::En => format!("there is no {}", number(*meld, lang)),
                Lang::De => format!("es gibt keine {}", number(*meld, lang)),
            };
        }
        Illegal::CardNotInHand(_) => {
            lang.pick("one of these cards is not in your hand", "eine dieser Karten hast du nicht auf der Hand")
        }
        Illegal::DuplicateCard(_) => lang.pick("a card appears twice", "eine Karte ist doppelt dabei"),
        Illegal::NotOpened => lang.pick("you must open first", "du musst zuerst selbst auslegen"),
        Illegal::IllegalMeld(why) => {
            return format!("{}: {}", lang.pick("not a meld", "keine Auslage"), flaw(why, lang));
        }
        Illegal::OpeningTooLow { needed, got } => {
            return match lang {
                Lang::En => format!("you need {needed} points to open, these melds have {got}"),
                Lang::De => format!("zum ersten Auslegen brauchst du {needed} Punkte, das sind {got}"),
            };
        }
        Illegal::NothingToSwap { meld, .. } => {
            let meld = number(*meld, lang);
            return match lang {
                Lang::En => format!("no joker in {meld} stands for this card"),
                Lang::De => format!("kein Joker in {meld} steht für diese Karte"),
            };
        }
        Illegal::NoUseForJoker => {
            lang.pick("you must use a swapped joker at once", "du musst einen getauschten Joker sofort wieder auslegen")
        }
        Illegal::SameMeld(_) => lang.pick("the joker must go to another meld", "der Joker muss in eine andere Auslage"),
        Illegal::MustKeepDiscard => {
            lang.pick("you must keep a card to discard", "du musst eine Karte zum Ablegen übrig behalten")
        }
        Illegal::SameCardDiscard(_) => lang.pick(
            "you took this card from the discard pile this turn, so you cannot discard it",
            "du hast die Karte in diesem Zug von der Ablage genommen und darfst sie nicht zurücklegen",
        ),
    };
    fixed.to_owned()
}

/// A reason for a suggestion.
pub(super) fn reason(why: &Why, lang: Lang) -> String {
    match lang {
        Lang::En => english(why),
        Lang::De => german(why),
    }
}

fn english(why: &Why) -> String {
    match why {
        Why::Completes { card, cards } => format!("{} completes a meld of {cards} cards", card.pretty()),
        Why::Fits { card } => format!("{} fits a meld on the table", card.pretty()),
        Why::NoUse { card } => format!("your best melds do not need {}", card.pretty()),
        Why::Rather { card } => format!("an unknown card is worth more to your hand than {}", card.pretty()),
        Why::Alone { card, points } => {
            format!("{} goes with none of your cards and costs {points} points", card.pretty())
        }
        Why::FewOuts { card, with, outs: 0 } => {
            format!("no unseen card would complete {} {}", card.pretty(), with.pretty())
        }
        Why::FewOuts { card, with, outs: 1 } => {
            format!("only one unseen card would complete {} {}", card.pretty(), with.pretty())
        }
        Why::FewOuts { card, with, outs } => {
            format!("only {outs} unseen cards would complete {} {}", card.pretty(), with.pretty())
        }
        Why::Safe { card, percent } => {
            format!("the next player makes a meld with {} in only {percent} % of cases", card.pretty())
        }
        Why::Dangerous { card } => format!("the next player could add {} to a meld on the table", card.pretty()),
        Why::Joker
        | Why::Blocks { .. }
        | Why::GoesOut { .. }
        | Why::Opens { .. }
        | Why::Relieves { .. }
        | Why::HoldsBack { .. } => why.to_string(),
    }
}

fn german(why: &Why) -> String {
    let text = |card: &Card| card_text(*card, Lang::De);
    match why {
        Why::Joker => "ein Joker passt überall".to_owned(),
        Why::Completes { card, cards } => format!("{} macht eine Auslage aus {cards} Karten voll", text(card)),
        Why::Fits { card } => format!("{} passt an eine Auslage auf dem Tisch", text(card)),
        Why::NoUse { card } => format!("deine besten Auslagen brauchen {} nicht", text(card)),
        Why::Rather { card } => format!("eine unbekannte Karte ist für dein Blatt mehr wert als {}", text(card)),
        Why::Blocks { points } => {
            format!("wenn du vom Stapel ziehst, endet die Runde, und du hast {points} Punkte auf der Hand")
        }
        Why::GoesOut { times: 1 } => "du machst Schluss".to_owned(),
        Why::GoesOut { times: 2 } => {
            "du machst auf einmal Schluss, und die Punkte der anderen zählen doppelt".to_owned()
        }
        Why::GoesOut { .. } => "du machst im ersten Zug Schluss, und die Punkte der anderen zählen dreifach".to_owned(),
        Why::Opens { points, need } => {
            format!("deine Auslagen zählen {points} Punkte, und zum ersten Auslegen brauchst du {need}")
        }
        Why::Relieves { points } => format!("du hast danach {points} Punkte weniger auf der Hand"),
        Why::HoldsBack { out: 0, risk } => format!(
            "in {} % der Fälle macht niemand vor deinem nächsten Zug Schluss, und auf einmal Schluss zu machen zählt doppelt",
            100 - risk.min(&100)
        ),
        Why::HoldsBack { out, risk } => format!(
            "auf einmal Schluss zu machen zählt doppelt: mit der nächsten Karte gelingt dir das in {out} % der Fälle, in {risk} % ist ein anderer schneller"
        ),
        Why::Alone { card, points } => {
            format!("{} passt zu keiner deiner Karten und kostet {points} Punkte", text(card))
        }
        Why::FewOuts { card, with, outs: 0 } => {
            format!("keine Karte kann {} {} mehr vervollständigen", text(card), text(with))
        }
        Why::FewOuts { card, with, outs: 1 } => {
            format!("nur noch eine Karte kann {} {} vervollständigen", text(card), text(with))
        }
        Why::FewOuts { card, with, outs } => {
            format!("nur noch {outs} Karten können {} {} vervollständigen", text(card), text(with))
        }
        Why::Safe { card, percent } => {
            format!("der nächste Spieler kann {} nur in {percent} % der Fälle auslegen", text(card))
        }
        Why::Dangerous { card } => format!("{} könnte der nächste Spieler an eine Auslage anlegen", text(card)),
    }
}
