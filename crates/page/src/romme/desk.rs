//! A player's side of a table of Rommé: the line about their cards, the melds set aside, and the buttons.

use ::table::Move;
use cards::Card;
use games::romme::bench::{Bench, GoodFor, Not, Order};
use games::romme::{Action, Drawing, Laid, Moves, Place, Romme, Shape, in_hand};
use maud::{Markup, html};

use super::middle::{READY, joker};
use super::{why, words};
use crate::Lang;
use crate::{Button, Desk, Marking, Mood, Scene, Tile, card_text, face};

/// All of it.
pub(super) fn desk(scene: &Scene<'_, Romme>, bench: &Bench<'_>, order: Order) -> Desk<Romme> {
    let hand = bench.loose().into_iter().map(|(slot, card)| Tile { slot, card: Some(card), usable: true }).collect();
    let aside = (!bench.ready().is_empty()).then(|| set_aside(scene, bench));
    let (says, buttons) = match scene.moves {
        None | Some(Moves::None) => return Desk { hand, bench: aside, ..Desk::default() },
        Some(Moves::Draw(drawing)) => (before_drawing(scene, bench, *drawing), drawing_buttons(scene, bench, order)),
        Some(Moves::Play(_)) => (while_playing(scene, bench), playing_buttons(scene, bench, order)),
    };
    Desk { hand, marking: Marking::Many, bench: aside, says, buttons, amount: None }
}

/// The melds that are ready to be laid.
fn set_aside(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> Markup {
    let lang = scene.lang;
    let ready = bench.ready();
    let points: u16 = ready.iter().map(|meld| bench.points(meld)).sum();
    let needed = scene.view.first_meld;
    let (says, mood) = match (bench.opened() || needed == 0, lang) {
        (true, lang) => (format!("{points} {}", lang.pick("points", "Punkte")), Mood::Plain),
        (false, Lang::En) => (format!("{points} of {needed} points"), enough(points >= needed)),
        (false, Lang::De) => (format!("{points} von {needed} Punkten"), enough(points >= needed)),
    };
    html! {
        div class="ready" role="group" aria-label=(lang.pick("Set aside", "Bereitgelegt")) {
            span class="dim" { (lang.pick("Set aside", "Bereit")) }
            @for (meld, n) in ready.iter().zip(0..) {
                @let cards = words::laid(scene, meld);
                @if scene.moves.is_some() {
                    button type="button" class="meld" data-place=(READY + n) aria-label={ (cards) ": " (lang.pick("take back", "zurücknehmen")) } { (laid_cards(scene, meld)) }
                } @else {
                    span class="meld" role="group" aria-label=(cards) { (laid_cards(scene, meld)) }
                }
            }
            span class={ "fact " (mood.class()) } { (says) }
        }
    }
}

fn laid_cards(scene: &Scene<'_, Romme>, meld: &[Laid]) -> Markup {
    html! {
        @for laid in meld { (joker(face(laid.slot, scene.known.face(laid.slot), scene.lang), laid.stands_for, scene.lang)) }
    }
}

const fn enough(enough: bool) -> Mood {
    if enough { Mood::Good } else { Mood::Bad }
}

/// Before the draw: what the top of the discard pile would be good for.
fn before_drawing(scene: &Scene<'_, Romme>, bench: &Bench<'_>, drawing: Drawing) -> (String, Mood) {
    let lang = scene.lang;
    if bench.marked().len() > 1 {
        return several_cards(scene, bench);
    }
    if drawing.blocks {
        let says = lang.pick(
            "The draw pile is empty: drawing from it ends the round.",
            "Der Stapel ist leer: wenn du von ihm ziehst, endet die Runde.",
        );
        return (says.to_owned(), Mood::Bad);
    }
    let Some((top, good_for)) = bench.good_for(drawing) else {
        return (lang.pick("Draw a card from the draw pile.", "Zieh eine Karte vom Stapel.").to_owned(), Mood::Plain);
    };
    let good = match (good_for, lang) {
        (GoodFor::Joker, lang) => lang.pick("a joker!", "ein Joker!").to_owned(),
        (GoodFor::Fits(meld), Lang::En) => format!("it fits {}", words::named(scene.view, meld.id, lang)),
        (GoodFor::Fits(meld), Lang::De) => format!("passt an {}", words::named(scene.view, meld.id, lang)),
        (GoodFor::Makes(shape), Lang::En) => format!("it makes {}", shown(shape, lang)),
        (GoodFor::Makes(shape), Lang::De) => format!("damit hast du {}", shown(shape, lang)),
        (GoodFor::Nothing, lang) => lang.pick("it makes no meld yet", "damit hast du noch keine Auslage").to_owned(),
    };
    let mood = if good_for == GoodFor::Nothing { Mood::Plain } else { Mood::Good };
    let says = match lang {
        Lang::En => format!("Draw a card, or take {} from the discard pile: {good}.", card_text(top, lang)),
        Lang::De => format!("Zieh vom Stapel oder nimm {} von der Ablage: {good}.", card_text(top, lang)),
    };
    (says.replace("!.", "!"), mood)
}

fn shown(shape: Shape, lang: Lang) -> String {
    let card = |place| match place {
        Place::Natural(card) => card_text(card, lang),
        Place::Joker(_) => card_text(Card::JOKER, lang),
    };
    words::few(shape.cards().map(card).collect())
}

fn drawing_buttons(scene: &Scene<'_, Romme>, bench: &Bench<'_>, order: Order) -> Vec<Button<Romme>> {
    let top = words::card(scene.view.pile.last().and_then(|held| held.card), scene.lang);
    let take = match scene.lang {
        Lang::En => format!("Take {top}"),
        Lang::De => format!("{top} nehmen"),
    };
    let mut buttons = vec![
        Button::act('s', scene.pick("Draw", "Ziehen"), Action::DrawStock),
        Button::maybe('p', take, to_move(super::at(scene).try_act(Action::DrawDiscard), scene.lang)),
    ];
    buttons.extend(arranging(scene, bench, order));
    buttons
}

fn to_move(tried: Result<Action, Not>, lang: Lang) -> Result<crate::MoveOf<Romme>, String> {
    tried.map(Move::Act).map_err(|not| why::not(&not, lang))
}

/// Finding melds, setting them aside, and the order of the hand: at any time.
fn arranging(scene: &Scene<'_, Romme>, bench: &Bench<'_>, order: Order) -> Vec<Button<Romme>> {
    let lang = scene.lang;
    let mut buttons = vec![Button::command('f', lang.pick("Find melds", "Auslagen finden"))];
    let aside = lang.pick("Set aside", "Bereitlegen");
    match bench.marked_meld() {
        Ok(_) => buttons.push(Button::command('a', aside)),
        Err(not) if bench.marked().len() > 1 => buttons.push(Button::refused('a', aside, why::not(&not, lang))),
        Err(_) => {}
    }
    if !bench.ready().is_empty() {
        buttons.push(Button::command('u', lang.pick("Take back", "Zurücknehmen")));
    }
    if bench.ways() > 1 {
        buttons.push(Button::command('v', lang.pick("Another way", "Andere Möglichkeit")));
    }
    buttons.push(Button::command(
        'r',
        match order {
            Order::Suit => lang.pick("Sort by rank", "Nach Rang"),
            Order::Rank => lang.pick("Sort by suit", "Nach Farbe"),
        },
    ));
    buttons
}

/// During a turn: what the marked cards make.
fn while_playing(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> (String, Mood) {
    let lang = scene.lang;
    let needed = scene.view.first_meld;
    let (opened, to_lay) = (bench.opened(), bench.points_to_lay());
    match bench.marked().as_slice() {
        [] if !bench.ready().is_empty() && !opened && to_lay < needed => {
            let says = match lang {
                Lang::En => format!("{to_lay} of {needed} points: mark another meld, or discard."),
                Lang::De => {
                    format!("{to_lay} von {needed} Punkten: markiere noch eine Auslage oder leg eine Karte ab.")
                }
            };
            (says, Mood::Bad)
        }
        [] if !bench.ready().is_empty() => {
            let says = lang.pick("You can lay the melds you set aside.", "Du kannst auslegen, was bereitliegt.");
            (says.to_owned(), Mood::Good)
        }
        [] => {
            let drew = match (bench.drawn(), lang) {
                (None, _) => String::new(),
                (Some((_, card, true)), Lang::En) => format!("You took {}. ", card_text(card, lang)),
                (Some((_, card, true)), Lang::De) => format!("Du hast {} genommen. ", card_text(card, lang)),
                (Some((_, card, false)), Lang::En) => format!("You drew {}. ", card_text(card, lang)),
                (Some((_, card, false)), Lang::De) => format!("Du hast {} gezogen. ", card_text(card, lang)),
            };
            let then = match (opened, lang) {
                (false, Lang::En) if needed == 0 => "Lay melds, or discard a card.".to_owned(),
                (false, Lang::De) if needed == 0 => "Leg Auslagen aus oder leg eine Karte ab.".to_owned(),
                (true, Lang::En) => "Lay melds or add to those on the table, then discard a card.".to_owned(),
                (true, Lang::De) => "Leg aus oder an, dann leg eine Karte ab.".to_owned(),
                (false, Lang::En) => format!("Open with melds worth at least {needed} points, or discard a card."),
                (false, Lang::De) => {
                    format!("Leg Auslagen mit zusammen mindestens {needed} Punkten aus oder leg eine Karte ab.")
                }
            };
            (format!("{drew}{then}"), Mood::Plain)
        }
        [_] => one_card(scene, bench),
        _ => several_cards(scene, bench),
    }
}

/// What several marked cards make.
fn several_cards(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> (String, Mood) {
    let lang = scene.lang;
    let needed = scene.view.first_meld;
    let (opened, to_lay) = (bench.opened(), bench.points_to_lay());
    let reading = match (bench.marked_meld(), bench.lay_off(), bench.swap()) {
        (Ok(reading), ..) => reading,
        (_, Ok((meld, Action::LayOff { cards, .. })), _) => {
            let (cards, to) = (words::laid(scene, &cards), words::named(scene.view, meld, lang));
            let says = match lang {
                Lang::En => format!("{cards}: fits {to}."),
                Lang::De => format!("{cards}: passt an {to}."),
            };
            return (says, Mood::Good);
        }
        (.., Ok((_, swap))) => return (format!("{}.", words::suggestion(scene, &swap)), Mood::Good),
        (Err(not), ..) => return (capital(&why::not(&not, lang)), Mood::Bad),
    };
    let kind = match reading.shape {
        Shape::Set { .. } => lang.pick("a set", "ein Satz"),
        Shape::Run { .. } => lang.pick("a run", "eine Folge"),
    };
    let (cards, points) = (words::laid(scene, &reading.laid), reading.shape.points());
    let towards = match (opened || needed == 0, lang) {
        (true, _) => String::new(),
        (false, Lang::En) => format!(": {to_lay} of {needed} points to open"),
        (false, Lang::De) => format!(": {to_lay} von {needed} Punkten zum ersten Auslegen"),
    };
    let says = format!("{cards}: {kind}, {points} {}{towards}", lang.pick("points", "Punkte"));
    (says, if opened || to_lay >= needed { Mood::Good } else { Mood::Plain })
}

/// What one marked card can do.
fn one_card(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> (String, Mood) {
    let lang = scene.lang;
    let marked = bench.marked();
    let Some((slot, card)) = marked.first() else { return (String::new(), Mood::Plain) };
    let name = format!("{}, {} {}", card_text(*card, lang), in_hand(*card), lang.pick("points", "Punkte"));
    if let Ok((meld, _)) = bench.lay_off() {
        let to = words::named(scene.view, meld, lang);
        return match lang {
            Lang::En => (format!("{name}: fits {to}."), Mood::Good),
            Lang::De => (format!("{name}: passt an {to}."), Mood::Good),
        };
    }
    if let Ok((_, swap)) = bench.swap() {
        return (format!("{}.", words::suggestion(scene, &swap)), Mood::Good);
    }
    if scene.view.barred == Some(*slot) {
        let says = lang.pick(
            "taken from the discard pile, so it cannot go back this turn",
            "kam von der Ablage und darf in diesem Zug nicht zurück",
        );
        return (format!("{name}: {says}."), Mood::Bad);
    }
    (format!("{name}."), Mood::Plain)
}

fn playing_buttons(scene: &Scene<'_, Romme>, bench: &Bench<'_>, order: Order) -> Vec<Button<Romme>> {
    let lang = scene.lang;
    let lay = match (bench.opened(), bench.points_to_lay(), lang) {
        (true, _, lang) => lang.pick("Lay", "Auslegen").to_owned(),
        (false, 0, lang) => lang.pick("Open", "Auslegen").to_owned(),
        (false, points, Lang::En) => format!("Open with {points}"),
        (false, points, Lang::De) => format!("Auslegen mit {points}"),
    };
    let mut buttons = vec![Button::maybe('m', lay, to_move(bench.lay(), lang))];
    let discard = bench.discard();
    let label = match (&discard, lang) {
        (Ok((card, _)), Lang::En) => format!("Discard {}", card_text(*card, lang)),
        (Ok((card, _)), Lang::De) => format!("{} ablegen", card_text(*card, lang)),
        (Err(_), lang) => lang.pick("Discard", "Ablegen").to_owned(),
    };
    let discard = Button::maybe('d', label, to_move(discard.map(|(_, discard)| discard), lang));
    if bench.opened() {
        let add = bench.lay_off();
        let to = add.as_ref().map_or_else(|_| bench.chosen().map(|meld| meld.id), |(meld, _)| Some(*meld));
        let label = match (to, lang) {
            (None, lang) => lang.pick("Add", "Anlegen").to_owned(),
            (Some(meld), Lang::En) => format!("Add to {}", words::number(meld, lang)),
            (Some(meld), Lang::De) => format!("An {} anlegen", words::number(meld, lang)),
        };
        buttons.push(Button::maybe('t', label, to_move(add.map(|(_, add)| add), lang)));
    }
    if bench.jokers_lie() {
        let swap = to_move(bench.swap().map(|(_, swap)| swap), lang);
        buttons.push(Button::maybe('j', lang.pick("Swap joker", "Joker tauschen"), swap));
    }
    buttons.push(discard);
    buttons.extend(arranging(scene, bench, order));
    buttons
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect::<String>() + ".")
}
