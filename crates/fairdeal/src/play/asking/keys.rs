//! What keys and mouse do at a table with no window over it: arrows, marks, numbers, buttons.

use ratatui::crossterm::event::KeyCode;

use super::Hands;
use crate::play::page::{self, Target, Way};
use crate::play::screen::{Button, Desk, Marking, MoveOf, Press, Scene, Screen};
use crate::play::terminal::Happened;

/// Where the card under the arrow keys has left the hand, they stay where it was.
pub(super) fn keep_place<G: Screen>(before: &Desk<G>, now: &Desk<G>, hands: &mut Hands<G>) {
    let at = |desk: &Desk<G>, slot| desk.hand.iter().position(|tile| tile.slot == slot);
    if let Some(Target::Card(slot)) = hands.focus
        && let (Some(was), None) = (at(before, slot), at(now, slot))
    {
        let next = now.hand.get(was).or(now.hand.last());
        hands.focus = next.map(|tile| Target::Card(tile.slot));
    }
}

/// Arrows, marking, typing numbers, pressing buttons.
pub(super) fn work<G: Screen>(
    scene: &Scene<'_, G>,
    desk: &Desk<G>,
    hands: &mut Hands<G>,
    happened: Happened,
) -> Option<MoveOf<G>> {
    let typing = std::mem::replace(&mut hands.typing, false);
    let go = |way, hands: &mut Hands<G>| {
        hands.focus = match hands.focus {
            None => first_button(desk).or_else(|| page::step(&hands.spots, None, way)),
            Some(focus) => page::step(&hands.spots, Some(focus), way),
        };
        hands.meant = true;
    };
    match happened {
        Happened::Key(KeyCode::Left) => go(Way::Left, hands),
        Happened::Key(KeyCode::Right | KeyCode::Tab) => go(Way::Right, hands),
        Happened::Key(KeyCode::BackTab) => go(Way::Left, hands),
        Happened::Key(KeyCode::Up) => go(Way::Up, hands),
        Happened::Key(KeyCode::Down) => go(Way::Down, hands),
        Happened::Key(KeyCode::Esc) => hands.draft.clear(),
        Happened::Key(KeyCode::Backspace) => match (&mut hands.draft.amount, desk.amount) {
            (Some(typed), Some(_)) => {
                let fewer = *typed / 10;
                hands.draft.amount = (fewer > 0).then_some(fewer);
                hands.typing = true;
            }
            _ => G::undo(scene, &mut hands.draft),
        },
        Happened::Key(KeyCode::Char(' ')) => match hands.focus {
            // Marking a card is not a move yet.
            Some(target) if hands.meant || matches!(target, Target::Card(_)) => {
                return choose(scene, desk, hands, target);
            }
            _ => hands.notice = Some(CHOOSE_FIRST.to_owned()),
        },
        Happened::Key(KeyCode::Enter) if hands.meant || hands.draft.amount.is_some() => {
            return enter(scene, desk, hands);
        }
        Happened::Key(KeyCode::Enter) => hands.notice = Some(CHOOSE_FIRST.to_owned()),
        Happened::Key(KeyCode::Char(c @ ('+' | '-' | '='))) => {
            if let Some(amount) = desk.amount {
                let step = if c == '-' { -amount.step } else { amount.step };
                hands.draft.amount = Some(amount.now(Some(amount.now(hands.draft.amount).saturating_add(step))));
            }
        }
        Happened::Key(KeyCode::Char(c)) => match (c.to_digit(10), desk.amount) {
            (Some(digit), Some(amount)) => {
                let before = hands.draft.amount.filter(|_| typing);
                hands.draft.amount = Some(amount.typed(before, i64::from(digit)));
                hands.typing = true;
            }
            (Some(digit), None) => {
                let nth = usize::try_from(digit).unwrap_or(0).checked_sub(1).unwrap_or(9);
                if let Some(tile) = desk.hand.get(nth) {
                    hands.focus = Some(Target::Card(tile.slot));
                    return choose(scene, desk, hands, Target::Card(tile.slot));
                }
            }
            (None, _) => return press(scene, desk, hands, c),
        },
        Happened::Click(x, y) => {
            if let Some(target) = page::at(&hands.spots, x, y) {
                if !matches!(target, Target::Button(_)) {
                    hands.focus = Some(target);
                }
                return choose(scene, desk, hands, target);
            }
        }
        Happened::Key(_) | Happened::Wheel(_) | Happened::Nothing | Happened::Stop => {}
    }
    None
}

/// Said when Space or Enter is pressed before anything is chosen.
const CHOOSE_FIRST: &str = "choose first: with the arrow keys, the mouse or the letter of a button";

/// The first button that can be pressed.
fn first_button<G: Screen>(desk: &Desk<G>) -> Option<Target> {
    desk.buttons.iter().find(|b| b.press.is_ok()).map(|b| Target::Button(b.key))
}

/// A card is marked, a place chosen, a button pressed.
fn choose<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, hands: &mut Hands<G>, target: Target) -> Option<MoveOf<G>> {
    hands.meant = true;
    match target {
        Target::Card(slot) => {
            hands.draft.toggle(slot, desk.marking);
            hands.notice = G::marked(scene, &mut hands.draft);
        }
        Target::Place(place) => match G::button_at(scene, &hands.draft, place) {
            Some(key) => return press(scene, desk, hands, key),
            None => hands.notice = G::place(scene, &mut hands.draft, place),
        },
        Target::Button(key) => return press(scene, desk, hands, key),
    }
    None
}

/// Enter: the button under the arrow keys, or the first that can be pressed. With one card to be chosen and none
/// marked, the one under the arrow keys is meant.
fn enter<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, hands: &mut Hands<G>) -> Option<MoveOf<G>> {
    match hands.focus {
        Some(target @ (Target::Button(_) | Target::Place(_))) => return choose(scene, desk, hands, target),
        Some(Target::Card(slot)) if desk.marking == Marking::One && hands.draft.marked.is_empty() => {
            hands.draft.marked.push(slot);
            let desk = G::desk(scene, &hands.draft);
            let key = main_button(&desk)?;
            return press(scene, &desk, hands, key);
        }
        Some(Target::Card(_)) | None => {}
    }
    let key = main_button(desk)?;
    press(scene, desk, hands, key)
}

/// The first button that moves; the first of all, so that it says why not, where none does.
fn main_button<G: Screen>(desk: &Desk<G>) -> Option<char> {
    let moves = |b: &&Button<G>| !b.grave && matches!(b.press, Ok(Press::Move(_)));
    desk.buttons.iter().find(moves).or(desk.buttons.first()).map(|b| b.key)
}

fn press<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, hands: &mut Hands<G>, key: char) -> Option<MoveOf<G>> {
    let button = desk.buttons.iter().find(|b| b.key == key)?;
    hands.meant = true;
    match &button.press {
        Ok(Press::Move(to_move)) => return Some(to_move.clone()),
        Ok(Press::Command) => hands.notice = G::command(scene, &mut hands.draft, key),
        Ok(Press::Amount(amount)) => hands.draft.amount = Some(*amount),
        Err(why) => hands.notice = Some(why.clone()),
    }
    None
}

/// Where the arrow keys begin: on the cards if they matter, and else nowhere.
pub(super) fn first_focus<G: Screen>(desk: &Desk<G>) -> Option<Target> {
    let cards = desk.marking != Marking::None;
    desk.hand.iter().find(|tile| cards && tile.usable).map(|tile| Target::Card(tile.slot))
}
