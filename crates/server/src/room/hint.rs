//! Hints: what a strong player would do, computed away from the table, which continues meanwhile.
//!
//! The table's terms say who may ask; and a hint is given only once the log says so, where the others can read it.

use bots::Sight;
use table::{Eye, Height, Rules as _, Seat, Seats, Standing};

use super::Room;
use super::event::{Event, Hints};
use super::mind::Mind;
use super::playing::{Awaited, Playing};
use super::refusal::Refusal;
use super::sight::{event, text};
use crate::lang::{Lang, Said};
use crate::page::{Button, Page, Press, Scene};

/// What a strong player would do.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The move, in words.
    pub what: String,
    /// The reason.
    pub why: Vec<String>,
    /// The draft that prepares it.
    pub draft: String,
    /// The button that plays it once it is prepared.
    pub key: Option<char>,
    /// The height at which it was asked for.
    pub height: Height,
    /// The event it would become.
    pub event: Option<Event>,
}

/// Computes a hint. Takes long.
pub type Thinking = Box<dyn FnOnce() -> Option<Hint> + Send>;

/// The hints that a seat was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Given {
    count: u32,
    last: Option<Height>,
}

impl Room {
    /// Whether the players here may ask for hints.
    pub fn allows_hints(&self) -> bool {
        let people = self.chairs().filter(|(_, chair)| chair.player().is_some()).count();
        match self.terms.hints {
            Hints::Alone => people <= 1,
            Hints::On => true,
            Hints::Off => false,
        }
    }

    /// The number of hints a seat was given in this match.
    pub fn hints(&self, seat: Seat) -> u32 {
        self.given(seat).count
    }

    /// Whether a seat has already been given a hint at this height. Then the others know.
    pub fn was_hinted(&self, seat: Seat, height: Height) -> bool {
        self.given(seat).last == Some(height)
    }

    fn given(&self, seat: Seat) -> Given {
        self.hints.get(usize::from(seat.index())).copied().unwrap_or_default()
    }

    pub(super) fn note_hint(&mut self, seat: Seat, height: Height) -> Result<(), Refusal> {
        if !self.allows_hints() {
            return Err(Refusal::NoHints);
        }
        self.chair(seat).filter(|chair| chair.player().is_some()).ok_or(Refusal::NotSeated)?;
        if self.was_hinted(seat, height) {
            return Err(Refusal::HintedAlready);
        }
        self.playing()?.hinted(seat, height)?;
        if let Some(given) = self.hints.get_mut(usize::from(seat.index())) {
            *given = Given { count: given.count.saturating_add(1), last: Some(height) };
        }
        Ok(())
    }
}

/// Everything that a hint for one seat depends on.
struct Seen<G: Page> {
    mind: Mind<G>,
    lang: Lang,
    awaited: Seats,
    standing: Standing,
    names: Vec<String>,
}

impl<G: Page> Playing<G> {
    /// The job of computing a hint for a seat whose turn it is.
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

    /// A seat gets a hint, and the others are told that it did.
    pub(super) fn hinted(&mut self, seat: Seat, height: Height) -> Result<(), Refusal> {
        self.at_height(height)?;
        if !matches!(self.awaited(), Awaited::Turn(_) | Awaited::Choices(_)) || !self.awaited().seats().contains(seat) {
            return Err(Refusal::NotAsked);
        }
        let name = self.names.get(usize::from(seat.index())).map_or("?", String::as_str);
        let said = Said::each(|lang| format!("{name} {}", lang.pick("used a hint", "hat sich einen Tipp geholt")));
        if let Some(chronicle) = &mut self.chronicle {
            chronicle.say(Some(seat), said);
        }
        Ok(())
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
            settled: None,
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
