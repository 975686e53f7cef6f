//! What a strong player would do, thought about away from the table: it goes on meanwhile.

use bots::{Course, Past, Sight};
use dealers::Dealer as _;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Eye, Faces, Height, Known, Rules as _, Seat, Seats, Standing, Table};

use super::event::Event;
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
    seat: Seat,
    lang: Lang,
    table: Table<G::Rules>,
    own: Faces,
    awaited: Seats,
    settings: G::Settings,
    standing: Standing,
    deal: u32,
    names: Vec<String>,
    past: Vec<Past<G::Rules>>,
    draws: [u8; 32],
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
            seat,
            lang,
            table: self.running.table().clone(),
            own: self.house.own(seat).clone(),
            awaited,
            settings: self.settings.clone(),
            standing: self.standing.clone(),
            deal: self.running.deals(),
            names: self.names.clone(),
            past: self.past.clone(),
            draws: self.draws(seat, b"hint"),
        };
        Some(Box::new(move || seen.think()))
    }
}

impl<G: Page> Seen<G> {
    fn think(&self) -> Option<Hint> {
        let (rules, known) = (self.table.rules(), Known::with(self.table.open(), &self.own));
        let eye = Eye::Seat(self.seat);
        let (view, moves) = (rules.view(known, eye), rules.moves(known, self.seat));
        let course = Course { settings: &self.settings, deal: self.deal, past: &self.past };
        let sight = Sight { seat: self.seat, view: &view, moves: &moves, known, rules, course };
        let advice = G::advice(&sight, &mut Xoshiro256PlusPlus::from_seed(self.draws))?;
        let scene = Scene {
            lang: self.lang,
            eye,
            view: &view,
            moves: Some(&moves),
            chosen: None,
            awaited: self.awaited,
            table: &self.table,
            known,
            settings: &self.settings,
            standing: &self.standing,
            deal: self.deal,
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
            height: self.table.height(),
            event: event(self.seat, self.table.height(), &advice.best, false),
        })
    }
}
