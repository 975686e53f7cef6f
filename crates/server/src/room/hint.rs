//! What a strong player would do, thought about away from the table: it goes on meanwhile.

use bots::Sight;
use table::{Eye, Height, Rules as _, Seat, Seats, Standing};

use super::event::Event;
use super::mind::Mind;
use super::playing::{Awaited, Playing};
use super::sight::{event, text};
use crate::lang::Lang;
use crate::page::{Button, Page, Press, Scene};

/// What a strong player would do.
#[derive(Clone, Debug)]
pub struct Hint {
    /// What.
    pub what: String,
    /// Why.
    pub why: Vec<String>,
    /// Prepared.
    pub draft: String,
    /// The button that does it once it is prepared.
    pub key: Option<char>,
    /// When it was asked for.
    pub height: Height,
    /// As it would happen.
    pub event: Option<Event>,
}

/// Thinks about a hint. It takes long.
pub type Thinking = Box<dyn FnOnce() -> Option<Hint> + Send>;

/// Everything that a hint for one seat follows from.
struct Seen<G: Page> {
    mind: Mind<G>,
    lang: Lang,
    awaited: Seats,
    standing: Standing,
    names: Vec<String>,
}

impl<G: Page> Playing<G> {
    /// What is to be thought about for a seat that is asked.
    pub(super) fn thinking(&self, seat: Seat, lang: Lang) -> Option<Thinking> {
        let (Awaited::Turn(_) | Awaited::Choices(_)) = self.awaited() else { return None };
        let awaited = self.awaited().seats();
        if !awaited.contains(seat) {
            return None;
        }
        let seen = Seen::<G> {
            mind: self.mind(seat, b"hint"),
            lang,
            awaited,
            standing: self.standing.clone(),
            names: self.names.clone(),
        };
        Some(Box::new(move || seen.think()))
    }
}

impl<G: Page> Seen<G> {
    fn think(&self) -> Option<Hint> {
        let mind = &self.mind;
        let (rules, known, seat) = (mind.table.rules(), mind.known(), mind.seat);
        let eye = Eye::Seat(seat);
        let (view, moves) = (rules.view(known, eye), rules.moves(known, seat));
        let sight = Sight { seat, view: &view, moves: &moves, known, rules, course: mind.course() };
        let advice = G::advice(&sight, &mut mind.rng())?;
        let scene = Scene {
            lang: self.lang,
            eye,
            view: &view,
            moves: Some(&moves),
            chosen: None,
            awaited: self.awaited,
            table: &mind.table,
            known,
            settings: &mind.settings,
            standing: &self.standing,
            deal: mind.deal,
            names: &self.names,
        };
        let mut draft = Playing::<G>::draft(None);
        G::prepare(&scene, &mut draft, &advice.best);
        let prepared = text(&draft);
        G::marked(&scene, &mut draft);
        let does = |button: &&Button<G>| matches!(&button.press, Ok(Press::Move(moved)) if *moved == advice.best);
        let key = G::desk(&scene, &draft).buttons.iter().find(does).map(|button| button.key);
        Some(Hint {
            what: G::suggestion(&scene, &advice.best),
            why: advice.why.iter().map(|why| G::reason(why, self.lang)).collect(),
            draft: prepared,
            key,
            height: mind.table.height(),
            event: event(seat, mind.table.height(), &advice.best, false),
        })
    }
}
