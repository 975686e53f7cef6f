//! What a player of Rommé is told about their cards, and their buttons.

use games::romme::bench::{Bench, GoodFor, Not, Order, Prepared};
use games::romme::{Action, Drawing, Romme, Shape, Use, in_hand};
use ratatui::text::Line;
use table::Move;

use super::super::screen::{Button, Draft, MoveOf, Scene};
use super::words;
use crate::text::plural;

/// What is said before a card is drawn: what the top of the pile would be good for.
pub(super) fn before_drawing(scene: &Scene<'_, Romme>, bench: &Bench<'_>, drawing: Drawing) -> Line<'static> {
    let look = scene.look;
    if bench.marked().len() > 1 {
        return several_cards(scene, bench);
    }
    if drawing.blocks {
        let says = "The draw pile is empty: drawing from it ends the round.";
        return Line::styled(says, look.bad());
    }
    let Some((card, good_for)) = bench.good_for(drawing) else { return Line::raw("Draw a card from the draw pile.") };
    let name = look.short(Some(card));
    let use_of_it = match good_for {
        GoodFor::Joker => "a joker!".to_owned(),
        GoodFor::Fits(meld) => format!("it fits {} ({})", meld.id, words::lying(scene, meld)),
        GoodFor::Makes(shape) => format!("it makes {}", shown(scene, shape)),
        GoodFor::Nothing => "it makes no meld yet".to_owned(),
    };
    Line::raw(look.plain(&format!("Draw a card, or take {name} from the discard pile: {use_of_it}.")))
}

fn shown(scene: &Scene<'_, Romme>, shape: Shape) -> String {
    use games::romme::Place;
    let card = |place| match place {
        Place::Natural(card) => card,
        Place::Joker(_) => cards::Card::JOKER,
    };
    words::few(scene, shape.cards().map(|place| scene.card(Some(card(place)))).collect())
}

pub(super) fn drawing_buttons(
    scene: &Scene<'_, Romme>,
    bench: &Bench<'_>,
    draft: &Draft<Prepared>,
) -> Vec<Button<Romme>> {
    let top = scene.view.pile.last().map(|held| scene.card(held.card)).unwrap_or_default();
    let mut buttons = vec![
        Button::act('s', "Draw", Action::DrawStock),
        Button::maybe('p', format!("Take {top}"), scene.try_act(Action::DrawDiscard)),
    ];
    buttons.extend(arranging(scene, bench, draft));
    buttons
}

/// Finding melds, setting them aside, and the order of the hand: at any time.
fn arranging(scene: &Scene<'_, Romme>, bench: &Bench<'_>, draft: &Draft<Prepared>) -> Vec<Button<Romme>> {
    let mut buttons = Vec::new();
    buttons.push(match bench.marked_meld() {
        Ok(_) => Button::command('a', "Set aside"),
        Err(why) if !bench.marked().is_empty() => Button::refused('a', "Set aside", words::not(scene, &why)),
        Err(_) => Button::refused('a', "Set aside", "mark the cards of a meld first"),
    });
    buttons.push(Button::command('f', "Find melds"));
    if !bench.ready().is_empty() {
        buttons.push(Button::command('u', "Take back"));
    }
    if bench.ways() > 1 {
        buttons.push(Button::command('v', "Another way"));
    }
    buttons.push(Button::command(
        'r',
        match draft.extra.order {
            Order::Suit => "By rank",
            Order::Rank => "By suit",
        },
    ));
    buttons
}

/// What is said in a turn: what the marked cards make.
pub(super) fn while_playing(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> Line<'static> {
    let look = scene.look;
    let needed = scene.view.first_meld;
    let (opened, to_lay) = (bench.opened(), bench.points_to_lay());
    match bench.marked().as_slice() {
        [] if !bench.ready().is_empty() && !opened && to_lay < needed => {
            Line::styled(format!("{to_lay} of {needed} points: mark another meld, or discard."), look.bad())
        }
        [] if !bench.ready().is_empty() => Line::styled("You can lay the melds you set aside.", look.good()),
        [] => {
            let drew = bench.drawn().map(|(_, card, taken)| {
                format!("You {} {}. ", if taken { "took" } else { "drew" }, scene.card(Some(card)))
            });
            let drew = drew.unwrap_or_default();
            let then = match opened {
                true => "Lay melds or add to those on the table, then discard a card.".to_owned(),
                false if needed == 0 => "Lay melds, or discard a card.".to_owned(),
                false => format!("Open with melds worth at least {needed} points, or discard a card."),
            };
            Line::raw(format!("{drew}{then}"))
        }
        [_] => one_card(scene, bench),
        _ => several_cards(scene, bench),
    }
}

/// What several marked cards make.
fn several_cards(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> Line<'static> {
    let look = scene.look;
    let needed = scene.view.first_meld;
    let (opened, to_lay) = (bench.opened(), bench.points_to_lay());
    let reading = match (bench.marked_meld(), bench.lay_off(), bench.swap()) {
        (Ok(reading), ..) => reading,
        (_, Ok((meld, _)), _) => return Line::styled(format!("These cards fit {meld}."), look.good()),
        (.., Ok((_, swap))) => return swapping(scene, &swap),
        (Err(why), ..) => return Line::styled(look.plain(&words::not(scene, &why)), look.bad()),
    };
    let kind = match reading.shape {
        Shape::Set { .. } => "a set",
        Shape::Run { .. } => "a run",
    };
    let towards = if opened || needed == 0 { String::new() } else { format!(": {to_lay} of {needed} points to open") };
    let cards = words::few(scene, words::faces(scene, &reading.laid));
    let says = format!("{cards}: {kind}, {} points{towards}", reading.shape.points());
    Line::styled(look.plain(&says), if opened || to_lay >= needed { look.good() } else { look.bright() })
}

/// What one marked card can do.
fn one_card(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> Line<'static> {
    let look = scene.look;
    let marked = bench.marked();
    let Some((slot, card)) = marked.first() else { return Line::default() };
    let name = format!("{}, {} {}", look.short(Some(*card)), in_hand(*card), plural(in_hand(*card), "point"));
    if let Ok((meld, _)) = bench.lay_off() {
        return Line::styled(format!("{name}: fits {meld}."), look.good());
    }
    if let Ok((_, swap)) = bench.swap() {
        return swapping(scene, &swap);
    }
    if scene.view.barred == Some(*slot) {
        return Line::raw(format!("{name}: taken from the discard pile, so it cannot go back this turn."));
    }
    Line::raw(format!("{name}."))
}

/// What a swap does, in short.
fn swapping(scene: &Scene<'_, Romme>, swap: &Action) -> Line<'static> {
    let Action::Swap { meld, card, then } = swap else { return Line::default() };
    let given = scene.card(scene.known.face(*card));
    let then = match then {
        Use::Meld(cards) => format!("makes {}", words::few(scene, words::faces(scene, cards))),
        Use::LayOff { meld, .. } => format!("goes to {meld}"),
    };
    let says = format!("{given} for the joker in {meld}, which {then}.");
    Line::styled(scene.look.plain(&says), scene.look.good())
}

pub(super) fn playing_buttons(
    scene: &Scene<'_, Romme>,
    bench: &Bench<'_>,
    draft: &Draft<Prepared>,
) -> Vec<Button<Romme>> {
    let lay = match (bench.opened(), bench.points_to_lay()) {
        (true, _) => "Lay".to_owned(),
        (false, 0) => "Open".to_owned(),
        (false, points) => format!("Open with {points}"),
    };
    let to_move = |tried: Result<Action, Not>| -> Result<MoveOf<Romme>, String> {
        tried.map(Move::Act).map_err(|why| words::not(scene, &why))
    };
    let mut buttons = vec![Button::maybe('m', lay, to_move(bench.lay()))];
    let (to, add) = match bench.lay_off() {
        Ok((meld, add)) => (meld.to_string(), Ok(add)),
        Err(why) => (bench.chosen().map_or("a meld".to_owned(), |meld| meld.id.to_string()), Err(why)),
    };
    if bench.opened() {
        buttons.push(Button::maybe('t', format!("Add to {to}"), to_move(add)));
    }
    if bench.jokers_lie() {
        let swap = bench.swap();
        let label = swap.as_ref().map_or("Swap joker".to_owned(), |(meld, _)| format!("Swap joker in {meld}"));
        buttons.push(Button::maybe('j', label, to_move(swap.map(|(_, swap)| swap))));
    }
    let discard = bench.discard();
    let label =
        discard.as_ref().map_or("Discard".to_owned(), |(card, _)| format!("Discard {}", scene.card(Some(*card))));
    buttons.push(Button::maybe('d', label, to_move(discard.map(|(_, discard)| discard))));
    buttons.extend(arranging(scene, bench, draft));
    buttons
}
