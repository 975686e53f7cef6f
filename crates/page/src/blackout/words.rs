//! Blackout in words, in both languages.

use ::table::{Breakdown, Seat};
use bots::blackout::Why;
use cards::{Card, Suit};
use games::blackout::{Action, Blackout, Illegal, View, Would};

use super::{player, seats};
use crate::Lang;
use crate::{Mood, Scene, Tile, card_text};

/// A card: "K♥".
pub(super) fn card(card: Option<Card>, lang: Lang) -> String {
    card.map(|card| format!("{}\u{fe0e}", card_text(card, lang))).unwrap_or_default()
}

/// A suit: "♥".
fn sign(suit: Suit) -> String {
    format!("{}\u{fe0e}", suit.symbol())
}

fn cards(number: u32, lang: Lang) -> String {
    match (number, lang) {
        (1, Lang::En) => "1 card".to_owned(),
        (n, Lang::En) => format!("{n} cards"),
        (1, Lang::De) => "1 Karte".to_owned(),
        (n, Lang::De) => format!("{n} Karten"),
    }
}

/// "1 trick", "2 tricks"; in German as after "bei".
fn tricks(number: u32, lang: Lang) -> String {
    match (number, lang) {
        (1, Lang::En) => "1 trick".to_owned(),
        (n, Lang::En) => format!("{n} tricks"),
        (1, Lang::De) => "1 Stich".to_owned(),
        (n, Lang::De) => format!("{n} Stichen"),
    }
}

/// Next to the title.
pub(super) fn title(view: &View, rounds: Option<usize>, lang: Lang) -> String {
    let cards = cards(u32::from(view.cards), lang);
    let mut title = match (rounds, lang) {
        (Some(rounds), Lang::En) => format!("{rounds} rounds · {cards} each"),
        (Some(rounds), Lang::De) => format!("{rounds} Runden · je {cards}"),
        (None, Lang::En) => format!("{cards} each"),
        (None, Lang::De) => format!("je {cards}"),
    };
    match (view.trump_suit(), view.phase) {
        (Some(suit), _) => title.push_str(&format!(" · {} {}", lang.pick("trump", "Trumpf"), sign(suit))),
        (None, "rolling" | "dealing") => {}
        (None, _) => title.push_str(lang.pick(" · no trump", " · kein Trumpf")),
    }
    title
}

/// "1 point", "2 points".
pub(super) fn points(number: i64, lang: Lang) -> String {
    match (number, lang) {
        (1, Lang::En) => "1 point".to_owned(),
        (n, Lang::En) => format!("{n} points"),
        (1, Lang::De) => "1 Punkt".to_owned(),
        (n, Lang::De) => format!("{n} Punkte"),
    }
}

/// A player's bid and tricks.
pub(super) fn contract(bid: u8, won: u8, lang: Lang) -> String {
    match lang {
        Lang::En => format!("bid {bid} · took {won}"),
        Lang::De => format!("Ansage {bid} · Stiche {won}"),
    }
}

/// What a player still needs for their bid.
pub(super) fn outlook(bid: u8, won: u8, left: u32, lang: Lang) -> (String, Mood) {
    match (bid.checked_sub(won), left) {
        (Some(0), 0) => (lang.pick("bid made", "Ansage geschafft").to_owned(), Mood::Good),
        (Some(0), _) => (lang.pick("take no more", "jetzt keinen mehr").to_owned(), Mood::Good),
        (Some(missing), left) if u32::from(missing) <= left => match lang {
            Lang::En => (format!("{missing} to go"), Mood::Plain),
            Lang::De => (format!("noch {missing}"), Mood::Plain),
        },
        (Some(_), _) => (lang.pick("out of reach", "nicht mehr zu schaffen").to_owned(), Mood::Bad),
        (None, _) => (lang.pick("too many", "zu viele").to_owned(), Mood::Bad),
    }
}

/// The result of a bid.
pub(super) fn verdict(bid: u8, won: u8, for_bid: i64, lang: Lang) -> (String, Mood) {
    let (few, many) = (bid.saturating_sub(won), won.saturating_sub(bid));
    match (few, many, lang) {
        (0, 0, _) => {
            let exactly = lang.pick("made", "geschafft");
            (format!("{exactly}: {for_bid} + {bid} = {}", for_bid + i64::from(bid)), Mood::Good)
        }
        (0, many, Lang::En) => (format!("{many} too many"), Mood::Bad),
        (0, many, Lang::De) => (format!("{many} zu viel"), Mood::Bad),
        (few, _, Lang::En) => (format!("{few} too few"), Mood::Bad),
        (few, _, Lang::De) => (format!("{few} zu wenig"), Mood::Bad),
    }
}

/// Which trick it is.
pub(super) fn trick_of(number: u32, all: u32, lang: Lang) -> String {
    match lang {
        Lang::En => format!("Trick {number} of {all}"),
        Lang::De => format!("Stich {number} von {all}"),
    }
}

/// All bids together.
pub(super) fn bid_for(sum: u32, all: u32, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{sum} bid for {}", tricks(all, lang)),
        Lang::De => format!("{sum} angesagt bei {}", tricks(all, lang)),
    }
}

/// Whether the bids add up to more or fewer than the tricks.
pub(super) fn balance(sum: u32, all: u32, lang: Lang) -> String {
    match (sum.checked_sub(all), lang) {
        (Some(0), _) => lang.pick("(even)", "(geht genau auf)").to_owned(),
        (Some(over), Lang::En) => format!("({over} too many)"),
        (Some(over), Lang::De) => format!("({over} zu viel)"),
        (None, Lang::En) => format!("({} too few)", all - sum),
        (None, Lang::De) => format!("({} zu wenig)", all - sum),
    }
}

/// The bids so far, for the next bidder.
pub(super) fn bids_so_far(others: u32, all: u32, forbidden: Option<u8>, lang: Lang) -> String {
    let all = tricks(all, lang);
    match (forbidden, lang) {
        (None, Lang::En) => format!("Bid so far: {others} for {all}."),
        (None, Lang::De) => format!("Bisher angesagt: {others} bei {all}."),
        (Some(not), Lang::En) => format!("Bid so far: {others} for {all}; you cannot bid {not} (hook rule)."),
        (Some(not), Lang::De) => format!("Bisher angesagt: {others} bei {all}; {not} darfst du nicht ansagen (Haken)."),
    }
}

/// Whether suit must be followed.
pub(super) fn follow(suit: Suit, free: bool, lang: Lang) -> String {
    match (free, lang) {
        (true, Lang::En) => format!("You have no {}: play any card.", sign(suit)),
        (true, Lang::De) => format!("Du hast kein {}: du darfst jede Karte spielen.", sign(suit)),
        (false, Lang::En) => format!("Follow suit: {}.", sign(suit)),
        (false, Lang::De) => format!("Bediene {}.", sign(suit)),
    }
}

/// What a marked card would do.
pub(super) fn would(scene: &Scene<'_, Blackout>, tile: Tile) -> (String, Mood) {
    let (view, lang) = (scene.view, scene.lang);
    if let (false, Some(led)) = (tile.usable, view.led()) {
        return match lang {
            Lang::En => (format!("You must follow suit: {}.", sign(led)), Mood::Bad),
            Lang::De => (format!("Du musst bedienen: {}.", sign(led)), Mood::Bad),
        };
    }
    let Some(face) = tile.card else { return (String::new(), Mood::Plain) };
    let this = card(Some(face), lang);
    let other = |(seat, face): (Seat, Card)| match lang {
        Lang::En => format!("{}'s {}", scene.name(seat), card(Some(face), lang)),
        Lang::De => format!("{} von {}", card(Some(face), lang), scene.name(seat)),
    };
    match (view.would(face), lang) {
        (Would::Lead, Lang::En) => (format!("{this} leads."), Mood::Plain),
        (Would::Lead, Lang::De) => (format!("Du spielst {this} aus."), Mood::Plain),
        (Would::Win { over, last: true }, Lang::En) => {
            (format!("{this} takes the trick, beating {}.", other(over)), Mood::Good)
        }
        (Would::Win { over, last: true }, Lang::De) => {
            (format!("{this} macht den Stich und schlägt {}.", other(over)), Mood::Good)
        }
        (Would::Win { over, last: false }, Lang::En) => {
            (format!("{this} is the best card so far, beating {}.", other(over)), Mood::Good)
        }
        (Would::Win { over, last: false }, Lang::De) => {
            (format!("{this} ist bisher die höchste Karte und schlägt {}.", other(over)), Mood::Good)
        }
        (Would::Lose { to }, Lang::En) => (format!("{this} loses to {}.", other(to)), Mood::Plain),
        (Would::Lose { to }, Lang::De) => (format!("{this} verliert gegen {}.", other(to)), Mood::Plain),
    }
}

/// What beats what in this trick.
pub(super) fn what_beats(led: Suit, trump: Option<Suit>, lang: Lang) -> String {
    let led_sign = sign(led);
    match (trump.filter(|trump| *trump != led), lang) {
        (Some(trump), Lang::En) => {
            format!("The highest {} wins; if there is none, the highest {led_sign}.", sign(trump))
        }
        (Some(trump), Lang::De) => format!("Das höchste {} sticht; liegt keins, das höchste {led_sign}.", sign(trump)),
        (None, Lang::En) => format!("The highest {led_sign} wins."),
        (None, Lang::De) => format!("Das höchste {led_sign} sticht."),
    }
}

/// The player who leads.
pub(super) fn leads(scene: &Scene<'_, Blackout>, seat: Seat, first: bool) -> String {
    let (mine, name) = (scene.eye.is(seat), scene.name(seat));
    match (mine, first, scene.lang) {
        (true, true, Lang::En) => "You lead the first trick.".to_owned(),
        (true, false, Lang::En) => "You lead the next trick.".to_owned(),
        (false, true, Lang::En) => format!("{name} leads the first trick."),
        (false, false, Lang::En) => format!("{name} leads the next trick."),
        (true, true, Lang::De) => "Du spielst zum ersten Stich aus.".to_owned(),
        (true, false, Lang::De) => "Du spielst zum nächsten Stich aus.".to_owned(),
        (false, true, Lang::De) => format!("{name} spielt zum ersten Stich aus."),
        (false, false, Lang::De) => format!("{name} spielt zum nächsten Stich aus."),
    }
}

/// The number on a die, for screen readers.
pub(super) fn rolled(roll: u8, lang: Lang) -> String {
    match lang {
        Lang::En => format!("rolled {roll}"),
        Lang::De => format!("{roll} gewürfelt"),
    }
}

/// Below a die that was rolled again: the earlier numbers.
pub(super) fn rolled_before(before: &[u8], lang: Lang) -> String {
    let before: Vec<String> = before.iter().map(u8::to_string).collect();
    format!("{} {}", lang.pick("after", "nach"), before.join(", "))
}

/// Why some players rolled again: the number of each tie.
pub(super) fn rolled_again(tied: &[u8], lang: Lang) -> String {
    let tied: Vec<String> = tied.iter().map(u8::to_string).collect();
    match lang {
        Lang::En => format!("A tie at {}: rolled again.", tied.join(" and at ")),
        Lang::De => format!("Gleichstand bei {}: noch einmal gewürfelt.", tied.join(" und bei ")),
    }
}

/// The dealer after the dice.
pub(super) fn deals(scene: &Scene<'_, Blackout>, dealer: Seat) -> String {
    match (scene.eye.is(dealer), scene.lang) {
        (true, Lang::En) => "You rolled highest and deal.".to_owned(),
        (true, Lang::De) => "Du hast am höchsten gewürfelt und gibst.".to_owned(),
        (false, Lang::En) => format!("{} rolled highest and deals.", scene.name(dealer)),
        (false, Lang::De) => format!("{} hat am höchsten gewürfelt und gibt.", scene.name(dealer)),
    }
}

/// What a player did.
pub(super) fn phrase(scene: &Scene<'_, Blackout>, seat: Seat, action: Action) -> String {
    let name = scene.name(seat);
    match (action, scene.lang) {
        (Action::Bid(bid), Lang::En) => format!("{name} bids {bid}"),
        (Action::Bid(bid), Lang::De) => format!("{name} sagt {bid} an"),
        (Action::Play(slot), lang) => match scene.known.face(slot) {
            Some(face) => format!("{name} {} {}", lang.pick("plays", "spielt"), card(Some(face), lang)),
            None => format!("{name} {}", lang.pick("plays a card", "spielt eine Karte")),
        },
    }
}

/// What the viewer could do.
pub(super) fn suggestion(scene: &Scene<'_, Blackout>, action: Action) -> String {
    match (action, scene.lang) {
        (Action::Bid(bid), Lang::En) => format!("Bid {bid}"),
        (Action::Bid(bid), Lang::De) => format!("{bid} ansagen"),
        (Action::Play(slot), Lang::En) => format!("Play {}", card(scene.known.face(slot), scene.lang)),
        (Action::Play(slot), Lang::De) => format!("{} spielen", card(scene.known.face(slot), scene.lang)),
    }
}

/// What happened apart from the players' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Blackout>) -> Vec<String> {
    let (view, lang) = (after.view, after.lang);
    let mut news = Vec::new();
    if before.phase == "rolling" {
        // A player who rolls again may roll the same number.
        let had = |seat| player(before, seat).map_or(0, |player| player.rolls.len());
        let rolls: Vec<String> = seats(view)
            .filter(|(seat, player)| player.rolls.len() > had(*seat))
            .filter_map(|(seat, player)| Some(format!("{} {}", after.name(seat), player.roll?)))
            .collect();
        if !rolls.is_empty() {
            news.push(format!("{} {}", lang.pick("Dice:", "Würfel:"), rolls.join(", ")));
        }
        match (view.dealer, lang) {
            (Some(dealer), Lang::En) => news.push(format!("{} rolled highest and deals", after.name(dealer))),
            (Some(dealer), Lang::De) => news.push(format!("{} hat am höchsten gewürfelt und gibt", after.name(dealer))),
            (None, _) if rolls.is_empty() => {}
            (None, Lang::En) => news.push("A tie: the highest roll again".to_owned()),
            (None, Lang::De) => news.push("Gleichstand: die Höchsten würfeln noch einmal".to_owned()),
        }
    }
    if matches!(before.phase, "rolling" | "dealing") && !matches!(view.phase, "rolling" | "dealing") {
        news.push(match (view.trump, view.trump_suit(), lang) {
            (Some(turned), Some(suit), Lang::En) => {
                format!("{} is turned up: trump is {}", card(Some(turned), lang), sign(suit))
            }
            (Some(turned), Some(suit), Lang::De) => {
                format!("{} wird aufgedeckt: Trumpf ist {}", card(Some(turned), lang), sign(suit))
            }
            (_, _, Lang::En) => "No trump in this round".to_owned(),
            (_, _, Lang::De) => "Kein Trumpf in dieser Runde".to_owned(),
        });
    }
    for (seat, _) in seats(view).filter(|(seat, now)| player(before, *seat).is_some_and(|was| was.won < now.won)) {
        let winner = view.best(&view.last_trick).filter(|(best, _)| *best == seat);
        let name = after.name(seat);
        news.push(match (winner, lang) {
            (Some((_, with)), Lang::En) => format!("{name} takes the trick with {}", card(Some(with), lang)),
            (Some((_, with)), Lang::De) => format!("{name} macht den Stich mit {}", card(Some(with), lang)),
            (None, Lang::En) => format!("{name} takes the trick"),
            (None, Lang::De) => format!("{name} macht den Stich"),
        });
    }
    news
}

/// Why a round could not be finished.
pub(super) fn broken(scene: &Scene<'_, Blackout>, why: Breakdown) -> String {
    match (why, scene.lang) {
        (Breakdown::DealerFailed, Lang::En) => "The cards could not be dealt.".to_owned(),
        (Breakdown::DealerFailed, Lang::De) => "Die Karten konnten nicht gegeben werden.".to_owned(),
        (Breakdown::Vanished(seats), Lang::En) => {
            format!("No longer at the table: {}.", scene.list(seats.iter()))
        }
        (Breakdown::Vanished(seats), Lang::De) => format!("Nicht mehr am Tisch: {}.", scene.list(seats.iter())),
        (Breakdown::FalseClaim(seats), Lang::En) => {
            format!("Revoked (did not follow suit): {}.", scene.list(seats.iter()))
        }
        (Breakdown::FalseClaim(seats), Lang::De) => {
            format!("Nicht bedient, obwohl es ging: {}.", scene.list(seats.iter()))
        }
        (Breakdown::Cheated { proven, .. }, Lang::En) => {
            format!("Cheated when dealing: {}.", scene.list(proven.iter()))
        }
        (Breakdown::Cheated { proven, .. }, Lang::De) => {
            format!("Beim Geben geschummelt: {}.", scene.list(proven.iter()))
        }
    }
}

/// A reason for a suggestion.
pub(super) fn reason(why: &Why, lang: Lang) -> String {
    match (why, lang) {
        (Why::Instead { card: other, percent }, Lang::En) => {
            format!("with {} you made it in {percent} %", card(Some(*other), lang))
        }
        (why, Lang::En) => why.to_string(),
        (Why::Worth { tricks }, _) => {
            format!("Karte für Karte gezählt ist dein Blatt etwa {} Stiche wert", lang.decimal(f64::from(*tricks)))
        }
        (Why::Comes { bid, percent }, _) => {
            format!("eine Ansage von {bid} ging in {percent} % der simulierten Runden auf")
        }
        (Why::Other { bid, percent }, _) => format!("eine Ansage von {bid} nur in {percent} %"),
        (Why::Forbidden { bid }, _) => format!("wegen des Hakens darfst du {bid} nicht ansagen"),
        (Why::Only, _) => "du kannst keine andere Karte spielen".to_owned(),
        (Why::Needs { tricks: 1, cards: left }, _) => {
            format!("du brauchst noch einen Stich und hast noch {}", cards(u32::from(*left), lang))
        }
        (Why::Needs { tricks, cards: left }, _) => {
            format!("du brauchst noch {tricks} Stiche und hast noch {}", cards(u32::from(*left), lang))
        }
        (Why::HasAll, _) => "du hast alle angesagten Stiche, also mach keinen mehr".to_owned(),
        (Why::Lost, _) => "deine Ansage ist verloren, also verdirb den anderen ihre".to_owned(),
        (Why::Makes { percent }, _) => format!("damit ging deine Ansage in {percent} % der simulierten Runden auf"),
        (Why::Instead { card: other, percent }, _) => format!("mit {} in {percent} %", card(Some(*other), lang)),
        (Why::Highest, _) => "keine höhere Karte der Farbe ist noch im Spiel".to_owned(),
        (Why::Ducks, _) => "sie macht diesen Stich nicht".to_owned(),
        (Why::Takes, _) => "sie macht diesen Stich sicher".to_owned(),
    }
}

/// Why the game refuses.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    match (why, lang) {
        (Illegal::CardNotInHand(_), Lang::En) => "that card is not in your hand".to_owned(),
        (why, Lang::En) => why.to_string(),
        (Illegal::WrongPhase, _) => "das geht jetzt nicht".to_owned(),
        (Illegal::NotYourTurn, _) => "du bist nicht dran".to_owned(),
        (Illegal::BetOutOfRange { most }, _) => format!("du kannst 0 bis {most} Stiche ansagen"),
        (Illegal::BetForbiddenByHook { bid }, _) => {
            format!("der Geber darf {bid} nicht ansagen, sonst gehen die Ansagen genau auf (Haken)")
        }
        (Illegal::CardNotInHand(_), _) => "diese Karte hast du nicht auf der Hand".to_owned(),
        (Illegal::MustFollowSuit, _) => "du musst die ausgespielte Farbe bedienen".to_owned(),
        (Illegal::NotSeated, _) => "du bist nicht in dieser Runde".to_owned(),
    }
}

/// What a setting does, in German.
pub(super) fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "start" => "So viele Karten bekommt jeder in der ersten Runde.",
        "max" => "So viele Karten bekommt jeder in der größten Runde; 0 heißt: so viele wie möglich.",
        "end" => "So viele Karten bekommt jeder in der letzten Runde.",
        "points_for_correct_bet" => "Punkte für eine geschaffte Ansage, zusätzlich zu den Stichen.",
        "no_trump_rounds" => "Runden ohne Trumpf, von 1 an gezählt.",
        "hook" => "Der Haken: Der Geber darf die Ansagen nicht genau aufgehen lassen.",
        "reserve_trump" => "Auch in der größten Runde bleibt eine Karte für den Trumpf übrig.",
        _ => return crate::common_setting(name),
    })
}
