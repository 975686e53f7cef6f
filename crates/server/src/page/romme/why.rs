//! Why something can or cannot be done in Rommé, or should be, in both languages.

use ::table::Refused;
use bots::romme::Why;
use cards::{Card, Suit};
use games::romme::bench::Not;
use games::romme::{Flaw, Illegal};

use super::words::number;
use crate::lang::Lang;
use crate::page::card_text;

/// Why something that is prepared cannot be done.
pub(super) fn not(why: &Not, lang: Lang) -> String {
    let fixed = match why {
        Not::OnlyWatching => lang.pick("you are only watching", "du schaust nur zu"),
        Not::NothingToLay => lang.pick("mark the cards of a meld first", "markiere zuerst die Karten einer Auslage"),
        Not::NoMeld(why) => return format!("{}: {}", lang.pick("no meld", "keine Auslage"), flaw(why, lang)),
        Not::TooFewPoints { points, needed } => {
            return match lang {
                Lang::En => format!("{points} of {needed} points; set it aside and mark another meld"),
                Lang::De => format!("{points} von {needed} Punkten; stell es bereit und markiere noch etwas"),
            };
        }
        Not::NotOpened => lang.pick("only after your own first melds", "erst nach deinem ersten Auslegen"),
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
            "mark the card that a joker stands for, and what the joker goes with",
            "markiere die Karte, für die ein Joker steht, und wozu der Joker soll",
        ),
        Not::NoSuchJoker => lang.pick(
            "no joker on the table stands for one of these cards",
            "kein Joker auf dem Tisch steht für eine dieser Karten",
        ),
        Not::NoUseForJoker => lang.pick(
            "the joker must be used at once: mark cards that make a meld with it",
            "der Joker muss sofort verwendet werden: markiere Karten, die mit ihm eine Auslage sind",
        ),
        Not::NothingToDiscard => lang.pick("mark the card to discard first", "markiere zuerst die Karte zum Ablegen"),
        Not::OnlyOneCard => lang.pick("only one card is discarded", "nur eine Karte wird abgelegt"),
        Not::JustTaken => lang.pick(
            "it came from the pile in this turn and cannot go back",
            "sie kam in diesem Zug von der Ablage und darf nicht zurück",
        ),
        Not::NoMeldInHand => lang.pick("there is no meld in your hand", "du hast nichts zum Auslegen auf der Hand"),
        Not::NothingCanBeLaid => lang.pick("no card of your hand can be laid", "du kannst keine Karte auslegen"),
        Not::Refused(Refused::Illegal(why)) => return refusal(why, lang),
        Not::Refused(_) => lang.pick("this cannot be done now", "das geht jetzt nicht"),
    };
    fixed.to_owned()
}

/// Why cards make no meld.
fn flaw(why: &Flaw, lang: Lang) -> String {
    let fixed = match why {
        Flaw::TooShort => lang.pick("at least three cards", "mindestens drei Karten"),
        Flaw::TooLong => lang.pick(
            "a set has at most four cards, a run thirteen",
            "ein Satz hat höchstens vier Karten, eine Folge dreizehn",
        ),
        Flaw::TooManyJokers => lang.pick("more jokers than other cards", "mehr Joker als andere Karten"),
        Flaw::NoSetNoRun => lang.pick(
            "the cards are neither of one rank nor of one suit",
            "die Karten haben weder einen Rang noch eine Farbe gemeinsam",
        ),
        Flaw::SuitTwice(suit) => {
            let suit = suit_name(*suit, lang);
            return match lang {
                Lang::En => format!("{suit} are there twice"),
                Lang::De => format!("{suit} ist doppelt"),
            };
        }
        Flaw::CardTwice(card) => {
            let card = card_text(*card, lang);
            return match lang {
                Lang::En => format!("{card} is there twice"),
                Lang::De => format!("{card} ist doppelt"),
            };
        }
        Flaw::Gap => lang.pick("the cards do not follow each other", "die Karten folgen nicht aufeinander"),
        Flaw::JokersSideBySide => lang.pick("two jokers lie side by side", "zwei Joker liegen nebeneinander"),
        Flaw::JokerWithoutName => {
            lang.pick("a joker in a run must name its card", "ein Joker in einer Folge muss seine Karte nennen")
        }
        Flaw::JokerWithName => lang.pick("a joker in a set names no card", "ein Joker in einem Satz nennt keine Karte"),
        Flaw::NotAJoker(card) => {
            let card = card_text(*card, lang);
            return match lang {
                Lang::En => format!("{card} is no joker and stands for nothing else"),
                Lang::De => format!("{card} ist kein Joker und steht für nichts anderes"),
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

/// Why the game refuses. Cards are not named: who is refused knows what he tried.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    let fixed = match why {
        Illegal::NotSeated => lang.pick("you are not in this round", "du bist nicht in dieser Runde"),
        Illegal::WrongPhase => lang.pick("this cannot be done now", "das geht jetzt nicht"),
        Illegal::NotYourTurn => lang.pick("it is another player's turn", "ein anderer ist an der Reihe"),
        Illegal::MustDrawFirst => lang.pick("a turn begins with drawing a card", "zuerst wird eine Karte gezogen"),
        Illegal::AlreadyDrawn => {
            lang.pick("you have drawn a card already in this turn", "du hast in diesem Zug schon eine Karte gezogen")
        }
        Illegal::PileEmpty => lang.pick("there is no card on the discard pile", "auf der Ablage liegt keine Karte"),
        Illegal::NothingLaid => lang.pick("no cards were laid", "es wurden keine Karten ausgelegt"),
        Illegal::UnknownMeld(meld) => {
            return match lang {
                Lang::En => format!("there is no {}", number(*meld, lang)),
                Lang::De => format!("es gibt keine {}", number(*meld, lang)),
            };
        }
        Illegal::CardNotInHand(_) => {
            lang.pick("one of these cards is not in your hand", "eine dieser Karten ist nicht auf deiner Hand")
        }
        Illegal::DuplicateCard(_) => lang.pick("a card is laid twice", "eine Karte ist doppelt dabei"),
        Illegal::NotOpened => lang.pick("only after your own first melds", "erst nach deinem ersten Auslegen"),
        Illegal::IllegalMeld(why) => return format!("{}: {}", lang.pick("no meld", "keine Auslage"), flaw(why, lang)),
        Illegal::OpeningTooLow { needed, got } => {
            return match lang {
                Lang::En => format!("the first melds need {needed} points, these have {got}"),
                Lang::De => format!("zum ersten Auslegen braucht es {needed} Punkte, das sind {got}"),
            };
        }
        Illegal::NothingToSwap { meld, .. } => {
            let meld = number(*meld, lang);
            return match lang {
                Lang::En => format!("no joker of {meld} stands for this card"),
                Lang::De => format!("kein Joker von {meld} steht für diese Karte"),
            };
        }
        Illegal::NoUseForJoker => lang.pick(
            "a swapped joker must be laid again at once",
            "ein getauschter Joker muss sofort wieder ausgelegt werden",
        ),
        Illegal::SameMeld(_) => lang.pick("the joker must go to another meld", "der Joker muss in eine andere Auslage"),
        Illegal::MustKeepDiscard => {
            lang.pick("one card must be left for the discard", "eine Karte muss zum Ablegen übrig bleiben")
        }
        Illegal::SameCardDiscard(_) => lang.pick(
            "the card came from the pile in this turn and cannot go back",
            "die Karte kam in diesem Zug von der Ablage und darf nicht zurück",
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
        Why::NoUse { card } => format!("your best melds do without {}", card.pretty()),
        Why::Rather { card } => format!("an unknown card is worth more to your hand than {}", card.pretty()),
        Why::Alone { card, points } => format!("{} goes with none of your cards and counts {points}", card.pretty()),
        Why::FewOuts { card, with, outs: 0 } => {
            format!("no card that completes {} and {} can come any more", card.pretty(), with.pretty())
        }
        Why::FewOuts { card, with, outs } => {
            format!("{} and {} are your half with the fewest cards still to come: {outs}", card.pretty(), with.pretty())
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
        Why::Joker => "ein Joker passt zu allem".to_owned(),
        Why::Completes { card, cards } => format!("{} macht eine Auslage aus {cards} Karten voll", text(card)),
        Why::Fits { card } => format!("{} passt an eine Auslage auf dem Tisch", text(card)),
        Why::NoUse { card } => format!("deine besten Auslagen kommen ohne {} aus", text(card)),
        Why::Rather { card } => format!("eine unbekannte Karte ist für dein Blatt mehr wert als {}", text(card)),
        Why::Blocks { points } => format!("vom Stapel zu ziehen beendet die Runde, und dein Blatt zählt {points}"),
        Why::GoesOut { times: 1 } => "du machst Schluss".to_owned(),
        Why::GoesOut { times: 2 } => "du machst in einem Zug Schluss, und die anderen zählen doppelt".to_owned(),
        Why::GoesOut { .. } => "du machst im ersten Zug Schluss, und die anderen zählen dreifach".to_owned(),
        Why::Opens { points, need } => {
            format!("deine Auslage zählt {points}, und {need} genügen zum ersten Auslegen")
        }
        Why::Relieves { points } => format!("{points} Punkte weniger, die am Ende zählen könnten"),
        Why::HoldsBack { out: 0, risk } => format!(
            "in {} % der Fälle macht niemand vor deinem nächsten Zug Schluss, und in einem Zug Schluss zu machen zählt doppelt",
            100 - risk.min(&100)
        ),
        Why::HoldsBack { out, risk } => format!(
            "in einem Zug Schluss zu machen zählt doppelt: mit der nächsten Karte gelingt das in {out} % der Fälle, die anderen kommen in {risk} % zuvor"
        ),
        Why::Alone { card, points } => format!("{} passt zu keiner deiner Karten und zählt {points}", text(card)),
        Why::FewOuts { card, with, outs: 0 } => {
            format!("keine Karte, die zu {} und {} passt, kann noch kommen", text(card), text(with))
        }
        Why::FewOuts { card, with, outs } => {
            format!("zu {} und {} können am wenigsten Karten noch kommen: {outs}", text(card), text(with))
        }
        Why::Safe { card, percent } => {
            format!("der Nächste kann {} nur in {percent} % der Fälle auslegen", text(card))
        }
        Why::Dangerous { card } => format!("{} könnte der Nächste an eine Auslage anlegen", text(card)),
    }
}
