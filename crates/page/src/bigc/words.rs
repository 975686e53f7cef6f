//! What happens in Big-C, in words, in both languages.

use ::table::{Breakdown, Move, Outcome, Seat};
use bots::bigc::Why;
use cards::Card;
use games::bigc::{Action, BigC, Choice, Footstool, Hand, Illegal, Judged, Moves, Stooled, View, classify};

use super::{names, player, seats};
use crate::Lang;
use crate::{MoveOf, Scene};

/// Next to the title.
pub(super) fn title(view: &View, lang: Lang) -> String {
    match (&view.table, view.phase, lang) {
        (Some(table), _, Lang::En) => format!("a round of {}", names::round(table.class.size(), lang)),
        (Some(table), _, Lang::De) => format!("eine Runde: {}", names::round(table.class.size(), lang)),
        (None, "playing" | "drawing", _) => lang.pick("a new round", "eine neue Runde").to_owned(),
        (None, "dealing" | "choosing" | "showing" | "lots", _) => {
            lang.pick("the order of play", "die Reihenfolge").to_owned()
        }
        (None, _, _) => lang.pick("over", "zu Ende").to_owned(),
    }
}

/// A seat's name; "you" for the viewer. In German as after "von".
pub(super) fn whose<'a>(scene: &'a Scene<'_, BigC>, seat: Seat) -> &'a str {
    if scene.eye.is(seat) { scene.lang.pick("you", "dir") } else { scene.name(seat) }
}

/// What the table is waiting for while no hand is on it.
pub(super) fn awaited(scene: &Scene<'_, BigC>) -> String {
    let (view, lang) = (scene.view, scene.lang);
    match (view.phase, view.turn) {
        ("dealing", _) => lang.pick("Dealing the cards.", "Die Karten werden gegeben.").to_owned(),
        ("choosing" | "showing", _) => lang
            .pick("Everybody shows a card: the lowest plays first.", "Alle zeigen eine Karte: die niedrigste beginnt.")
            .to_owned(),
        ("lots", _) => lang.pick("Drawing lots for the order of play.", "Die Reihenfolge wird ausgelost.").to_owned(),
        (_, Some(turn)) if scene.eye.is(turn) => {
            lang.pick("You lead: play 1, 2, 3 or 5 cards.", "Du spielst aus: lege 1, 2, 3 oder 5 Karten.").to_owned()
        }
        (_, Some(turn)) => format!("{} {}", scene.name(turn), lang.pick("leads.", "spielt aus.")),
        (_, None) => String::new(),
    }
}

/// Nobody has beaten the hand of this seat.
pub(super) fn round_won(scene: &Scene<'_, BigC>, seat: Seat) -> String {
    if scene.eye.is(seat) {
        return scene.pick("You win the round.", "Du gewinnst die Runde.").to_owned();
    }
    format!("{} {}", scene.name(seat), scene.pick("wins the round.", "gewinnt die Runde."))
}

/// What a footstool is, in short.
pub(super) const fn stools(lang: Lang) -> &'static str {
    lang.pick(
        "Equal: full footstool, the beaten player draws 2. One step higher: half footstool, they draw 1.",
        "Gleich: voller Schemel, der andere zieht 2. Eine Stufe höher: halber Schemel, er zieht 1.",
    )
}

const fn stool(kind: Footstool, lang: Lang) -> &'static str {
    match kind {
        Footstool::Full => lang.pick("full footstool", "voller Schemel"),
        Footstool::Half | Footstool::None => lang.pick("half footstool", "halber Schemel"),
    }
}

/// The footstool made last.
pub(super) fn last_footstool(scene: &Scene<'_, BigC>, made: Stooled) -> String {
    let (by, of, kind, drawn) = (scene.name(made.by), scene.name(made.of), stool(made.kind, scene.lang), made.drawn);
    match scene.lang {
        Lang::En => format!("Last {kind}: {by} on {of} ({drawn} drawn)"),
        Lang::De => format!("Zuletzt ein {kind}: {by} auf {of} ({drawn} gezogen)"),
    }
}

/// Others have shown an equal card.
pub(super) fn shown_too(card: Card, lang: Lang) -> String {
    let card = names::card(Some(card), lang);
    match lang {
        Lang::En => format!("Others showed {card}, too: show another card."),
        Lang::De => format!("{card} haben auch andere gezeigt: zeig noch eine Karte."),
    }
}

/// How many hands could be played.
pub(super) fn could_play(moves: &Moves, count: usize, lang: Lang) -> String {
    match (moves, count, lang) {
        (Moves::Lead(_), 0, _) => lang
            .pick("You have only jokers: they cannot lead.", "Du hast nur Joker: damit kannst du nicht ausspielen.")
            .to_owned(),
        (Moves::Lead(_), _, Lang::En) => {
            "You lead: mark 1, 2, 3 or 5 cards, or step through the hands you can play.".to_owned()
        }
        (Moves::Lead(_), _, Lang::De) => {
            "Du spielst aus: markiere 1, 2, 3 oder 5 Karten oder blättere durch die Vorschläge.".to_owned()
        }
        (_, 0, Lang::En) => "Nothing in your hand beats it: pass.".to_owned(),
        (_, 0, Lang::De) => "Du kannst das nicht schlagen: passe.".to_owned(),
        (_, 1, Lang::En) => "You have one hand that beats it.".to_owned(),
        (_, 1, Lang::De) => "Du hast eine Möglichkeit, das zu schlagen.".to_owned(),
        (_, n, Lang::En) => format!("You have {n} hands that beat it."),
        (_, n, Lang::De) => format!("Du hast {n} Möglichkeiten, das zu schlagen."),
    }
}

/// What the marked cards are, and what they do to the hand on the table and its owner.
pub(super) fn judged(judged: Judged, beat: Option<&Hand>, owner: &str, last: bool, lang: Lang) -> String {
    let called = |hand: &Hand| names::capital(&names::hand(hand, lang));
    let end = |hand: &Hand| match (last, hand.class().size()) {
        (false, _) => "",
        (true, 1) => lang.pick("; your last card", "; deine letzte Karte"),
        (true, _) => lang.pick("; your last cards", "; deine letzten Karten"),
    };
    match (judged, beat, lang) {
        (Judged::NotAHand(why), _, Lang::En) => format!("Not a hand: {}.", names::no_hand(why, lang)),
        (Judged::NotAHand(why), _, Lang::De) => format!("Das geht nicht: {}.", names::no_hand(why, lang)),
        (Judged::Leads(hand), ..) | (Judged::WrongSize(hand) | Judged::NotHigher(hand), None, _) => {
            format!("{}{}.", called(&hand), end(&hand))
        }
        (Judged::WrongSize(hand), Some(beat), Lang::En) => {
            format!("{}: this is a round of {}.", called(&hand), names::round(beat.class().size(), lang))
        }
        (Judged::WrongSize(hand), Some(beat), Lang::De) => {
            format!("{}: in dieser Runde legt man {}.", called(&hand), names::round(beat.class().size(), lang))
        }
        (Judged::NotHigher(hand), Some(beat), _) => {
            let other = names::hand(beat, lang);
            let same = other == names::hand(&hand, lang);
            let suits = if same { lang.pick(" (compare the suits)", " (vergleiche die Farben)") } else { "" };
            format!("{}: {} {other}{suits}.", called(&hand), lang.pick("not higher than", "nicht höher als"))
        }
        (Judged::Beats(hand, footstool), ..) => {
            let verb = match footstool {
                Footstool::Full => lang.pick("equals it", "ist genau gleich"),
                Footstool::Half | Footstool::None => lang.pick("beats it", "ist höher"),
            };
            let does = match (footstool, last) {
                (_, true) => end(&hand).to_owned(),
                (Footstool::None, false) => String::new(),
                (kind, false) => {
                    format!("; {}, {owner} {} {}", stool(kind, lang), lang.pick("draws", "zieht"), kind.penalty())
                }
            };
            format!("{} {verb}{does}.", called(&hand))
        }
    }
}

/// The button that passes.
pub(super) fn pass(draws: u8, lang: Lang) -> String {
    match (draws, lang) {
        (0, _) => lang.pick("Pass", "Passen").to_owned(),
        (n, Lang::En) => format!("Pass, draw {n}"),
        (n, Lang::De) => format!("Passen, {n} ziehen"),
    }
}

/// The cards of a move with the name of the hand, if they are known.
fn played(scene: &Scene<'_, BigC>, few: games::bigc::Few) -> String {
    let faces: Option<Vec<Card>> = few.iter().map(|slot| scene.known.face(slot)).collect();
    let shown = names::row(few.laid_out(&scene.known).into_iter().map(|held| held.card), scene.lang);
    match faces.and_then(|faces| classify(&faces).ok()).filter(|_| few.len() > 1) {
        Some(hand) => format!("{shown}, {}", names::hand(&hand, scene.lang)),
        None => shown,
    }
}

/// What a player did.
pub(super) fn phrase(scene: &Scene<'_, BigC>, seat: Seat, a_move: &MoveOf<BigC>) -> String {
    let (name, lang) = (scene.name(seat), scene.lang);
    match a_move {
        Move::Act(Action::Play(few)) => format!("{name} {} {}", lang.pick("plays", "legt"), played(scene, *few)),
        Move::Act(Action::Pass) => format!("{name} {}", lang.pick("passes", "passt")),
        Move::Act(Action::PassRole) => {
            format!(
                "{name} {}",
                lang.pick("has only jokers and passes the lead on", "hat nur Joker und gibt das Ausspielen weiter")
            )
        }
        Move::Choose(Choice::Show(slot)) => match scene.known.face(*slot) {
            Some(card) => format!("{name} {} {}", lang.pick("shows", "zeigt"), names::card(Some(card), lang)),
            None => format!("{name} {}", lang.pick("shows a card", "zeigt eine Karte")),
        },
        Move::Choose(Choice::Nothing) => {
            format!("{name} {}", lang.pick("has nothing left to show", "hat nichts mehr zu zeigen"))
        }
    }
}

/// What the viewer could do.
pub(super) fn suggestion(scene: &Scene<'_, BigC>, a_move: &MoveOf<BigC>) -> String {
    let lang = scene.lang;
    match a_move {
        Move::Act(Action::Play(few)) => format!("{} {}", lang.pick("Play", "Legen:"), played(scene, *few)),
        Move::Act(Action::Pass) => lang.pick("Pass", "Passen").to_owned(),
        Move::Act(Action::PassRole) => lang.pick("Pass the lead on", "Das Ausspielen weitergeben").to_owned(),
        Move::Choose(Choice::Show(slot)) => {
            format!("{} {}", lang.pick("Show", "Zeigen:"), names::card(scene.known.face(*slot), lang))
        }
        Move::Choose(Choice::Nothing) => lang.pick("Nothing to show", "Nichts zu zeigen").to_owned(),
    }
}

/// What happened apart from the players' own moves, as everybody sees it.
pub(super) fn news(before: &View, after: &Scene<'_, BigC>) -> Vec<String> {
    let (view, lang) = (after.view, after.lang);
    let ordering = |phase| matches!(phase, "choosing" | "showing" | "lots" | "dealing");
    let mut news = Vec::new();
    let shown: Vec<String> = seats(view)
        .filter_map(|(seat, now)| {
            let was = player(before, seat)?.shown.len();
            let fresh: Vec<Option<Card>> = now.shown.iter().skip(was).map(|card| Some(*card)).collect();
            (!fresh.is_empty()).then(|| format!("{} {}", after.name(seat), names::row(fresh, lang)))
        })
        .collect();
    if !shown.is_empty() {
        news.push(format!("{} {}", lang.pick("Shown:", "Gezeigt:"), shown.join(", ")));
    }
    let tied = view.players.iter().any(|player| !player.shown.is_empty());
    if before.phase == "lots" && view.phase != "lots" && tied {
        let says = lang.pick("Nothing left to show: lots break the tie", "Nichts mehr zu zeigen: das Los entscheidet");
        news.push(says.to_owned());
    }
    if ordering(before.phase) && view.phase == "playing" {
        let order: Vec<&str> = view.order.iter().map(|seat| after.name(*seat)).collect();
        news.push(format!("{} {}", lang.pick("Order of play:", "Reihenfolge:"), order.join(", ")));
    }
    if before.phase != "choosing" && view.phase == "choosing" && before.phase != "dealing" {
        let tied = after.list(view.choosing.iter());
        news.push(match lang {
            Lang::En => format!("Equal cards: {tied} show again"),
            Lang::De => format!("Gleiche Karten, noch einmal zeigen: {tied}"),
        });
    }
    if view.stock > before.stock && before.phase != "dealing" {
        news.push(
            lang.pick(
                "The played cards are shuffled into the draw pile",
                "Die gelegten Karten werden in den Talon gemischt",
            )
            .to_owned(),
        );
    }
    if let Some(made) = view.last_footstool.filter(|made| before.last_footstool != Some(*made)) {
        let (kind, by, of) = (names::capital(stool(made.kind, lang)), after.name(made.by), after.name(made.of));
        news.push(format!("{kind}! {by} {} {of}", lang.pick("steps on", "steigt auf")));
    }
    for (seat, now) in seats(view) {
        let (Some(was), name) = (player(before, seat), after.name(seat)) else { continue };
        if now.cards > was.cards && before.phase != "dealing" {
            news.push(format!("{name} {} {}", lang.pick("draws", "zieht"), names::cards(now.cards - was.cards, lang)));
        }
        if now.cards < was.cards && (1..=3).contains(&now.cards) {
            let left = names::cards(now.cards, lang);
            news.push(match lang {
                Lang::En => format!("{name} has {left} left"),
                Lang::De => format!("{name} hat noch {left}"),
            });
        }
    }
    if let (Some(table), None, Some(turn)) = (&before.table, &view.table, view.turn) {
        let name = after.name(turn);
        news.push(match (turn == table.by, lang) {
            (true, Lang::En) => format!("{name} wins the round and leads"),
            (true, Lang::De) => format!("{name} gewinnt die Runde und spielt aus"),
            (false, Lang::En) => format!("{name} leads"),
            (false, Lang::De) => format!("{name} spielt aus"),
        });
    }
    news
}

/// Who has won.
pub(super) fn wins(name: &str, lang: Lang) -> String {
    format!("{name} {}", lang.pick("wins the deal.", "gewinnt das Spiel."))
}

/// Nobody has won.
pub(super) const fn nobody_out(lang: Lang) -> &'static str {
    lang.pick("Nobody went out: nobody could lead.", "Niemand ist fertig geworden: keiner konnte ausspielen.")
}

/// How the deal ended, for the log: who won, and how many cards the others have left.
pub(super) fn closing(scene: &Scene<'_, BigC>, outcome: &Outcome) -> Vec<String> {
    let (view, lang) = (scene.view, scene.lang);
    let mut lines = vec![match (outcome.broken_off, view.winner) {
        (Some(why), _) => broken(scene, why),
        (None, Some(winner)) => wins(scene.name(winner), lang),
        (None, None) => nobody_out(lang).to_owned(),
    }];
    let others = seats(view).filter(|(seat, _)| view.winner != Some(*seat) && outcome.broken_off.is_none());
    lines.extend(others.map(|(seat, player)| {
        let (left, points) = (left(player.in_play, player.cards, lang), names::points(outcome.result[seat].0, lang));
        format!("{}: {left}, {points}", scene.name(seat))
    }));
    lines
}

/// What a player has left at the end.
pub(super) fn left(in_play: bool, cards: usize, lang: Lang) -> String {
    match (in_play, cards, lang) {
        (false, ..) => lang.pick("left the table", "ist gegangen").to_owned(),
        (true, 0, _) => lang.pick("no cards left", "keine Karten mehr").to_owned(),
        (true, n, Lang::En) => format!("{} left", names::cards(n, lang)),
        (true, n, Lang::De) => format!("noch {}", names::cards(n, lang)),
    }
}

/// Why a deal could not be finished.
pub(super) fn broken(scene: &Scene<'_, BigC>, why: Breakdown) -> String {
    match (why, scene.lang) {
        (Breakdown::DealerFailed, Lang::En) => "The cards could not be dealt.".to_owned(),
        (Breakdown::DealerFailed, Lang::De) => "Die Karten konnten nicht gegeben werden.".to_owned(),
        (Breakdown::Vanished(seats), Lang::En) => {
            format!("No longer at the table: {}.", scene.list(seats.iter()))
        }
        (Breakdown::Vanished(seats), Lang::De) => format!("Nicht mehr am Tisch: {}.", scene.list(seats.iter())),
        (Breakdown::FalseClaim(seats), Lang::En) => {
            format!("Cheated with the jokers: {}.", scene.list(seats.iter()))
        }
        (Breakdown::FalseClaim(seats), Lang::De) => {
            format!("Bei den Jokern geschummelt: {}.", scene.list(seats.iter()))
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
        (why, Lang::En) => why.to_string(),
        (Why::GoesOut { cards: 1 }, _) => "das ist deine letzte Karte, und du bist fertig".to_owned(),
        (Why::GoesOut { .. }, _) => "das sind deine letzten Karten, und du bist fertig".to_owned(),
        (Why::Footstool { draws: 1 }, _) => "es ist eine Stufe höher, und der andere zieht eine Karte".to_owned(),
        (Why::Footstool { draws }, _) => format!("es ist genau gleich, und der andere zieht {draws} Karten"),
        (Why::Unanswerable { cards }, _) => format!("sonst hat niemand mehr {cards} Karten"),
        (Why::Highest, _) => "keine höhere Karte ist noch im Spiel".to_owned(),
        (Why::Short { cards: 1 }, _) => "ein anderer hat nur noch eine Karte".to_owned(),
        (Why::Short { cards }, _) => format!("ein anderer hat nur noch {cards} Karten"),
        (Why::Rest { hands: 1 }, _) => "den Rest wirst du dann auf einmal los".to_owned(),
        (Why::Rest { hands }, _) => format!("den Rest wirst du dann in {hands} Zügen los"),
        (Why::Keeps(class), _) => {
            format!("was du legen könntest ({}), ist später mehr wert", names::class(*class, lang))
        }
        (Why::Nothing, _) => "du hast nichts, was das schlägt".to_owned(),
        (Why::PassDraws { cards: 1 }, _) => "Passen würde dich eine Karte kosten".to_owned(),
        (Why::PassDraws { cards }, _) => format!("Passen würde dich {cards} Karten kosten"),
        (Why::Wins { percent }, _) => format!("damit gewinnst du {percent} % der simulierten Spiele"),
        (Why::Instead { percent }, _) => format!("mit dem nächstbesten Zug {percent} %"),
        (Why::OnlyJokers, _) => "Joker allein kann man nicht legen".to_owned(),
        (Why::First, _) => "die niedrigste Karte beginnt, und wer beginnt, wird mehr Karten los".to_owned(),
    }
}

/// Why the game refuses.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    match (why, lang) {
        (Illegal::CardNotInHand(_), Lang::En) => "that card is not in your hand".to_owned(),
        (Illegal::DuplicateCard(_), Lang::En) => "a card appears twice".to_owned(),
        (Illegal::AlreadyShown(_), Lang::En) => "you have already shown that card".to_owned(),
        (why, Lang::En) => why.to_string(),
        (Illegal::NotSeated, _) => "du bist nicht in diesem Spiel".to_owned(),
        (Illegal::WrongPhase, _) => "das geht jetzt nicht".to_owned(),
        (Illegal::NotYourTurn, _) => "du bist nicht dran".to_owned(),
        (Illegal::WrongHandSize { round: Some(1), got }, _) => {
            format!("in dieser Runde legt man eine Karte, nicht {got}")
        }
        (Illegal::WrongHandSize { round: Some(n), got }, _) => {
            format!("in dieser Runde legt man {n} Karten, nicht {got}")
        }
        (Illegal::WrongHandSize { round: None, got }, _) => format!("man legt 1, 2, 3 oder 5 Karten, nicht {got}"),
        (Illegal::CardNotInHand(_), _) => "diese Karte hast du nicht auf der Hand".to_owned(),
        (Illegal::DuplicateCard(_), _) => "eine Karte ist doppelt dabei".to_owned(),
        (Illegal::AlreadyShown(_), _) => "diese Karte hast du schon gezeigt".to_owned(),
        (Illegal::HasCardToShow, _) => "du hast nicht nur Joker: zeig eine Karte".to_owned(),
        (Illegal::JokerShown, _) => "ein Joker zählt nicht für die Reihenfolge: zeig eine andere Karte".to_owned(),
        (Illegal::IllegalHand(why), _) => names::no_hand(*why, lang),
        (Illegal::NotHigher, _) => "das ist weder höher noch genau gleich".to_owned(),
        (Illegal::ChooserMustPlay, _) => "wenn du ausspielst, musst du legen, außer du hast nur Joker".to_owned(),
        (Illegal::NotChooser, _) => "es liegt schon etwas: schlag es oder passe".to_owned(),
    }
}

/// What a setting does, in German.
pub(super) fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "hand_size" => "So viele Karten bekommt jeder.",
        "decks" => "So viele Kartenspiele zu 54 Karten; 0 heißt: so viele, wie nötig sind.",
        "preset" => {
            "Was beim Passen, bei der letzten Chance und bei der Reihenfolge gilt, wenn du nichts anderes wählst."
        }
        "pass_draws" => "So viele Karten zieht, wer passt.",
        "last_chance" => "Legt jemand seine letzten Karten, darf der Nächste noch antworten.",
        "two_joker_triple_low" => "Ein Drilling mit zwei Jokern ist niedriger als jeder andere desselben Rangs.",
        "order" => "Wie die Reihenfolge bestimmt wird.",
        "deals" => "So viele Spiele hat eine Partie.",
        _ => return crate::common_setting(name),
    })
}
