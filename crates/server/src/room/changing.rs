//! A secret choice that was made can be changed as long as others have still to choose.
//!
//! Whoever wants to says so in his draft; what he has chosen stands until he chooses something else.

use table::{Eye, Move, Rules, Seat};

use super::playing::{Awaited, Playing};
use super::refusal::Refusal;
use super::shown::Pressed;
use super::sight::text;
use crate::lang::Lang;
use crate::page::{Draft, Page};

/// The key of the button that begins to change a choice, or leaves it as it is.
pub const CHANGE: char = 'e';

/// Whether the looker can choose something else than he has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changing {
    /// He has chosen nothing that could be changed.
    Nothing,
    /// He can.
    Offered,
    /// He is about to.
    Begun,
}

impl<G: Page> Playing<G> {
    /// What an eye has chosen in secret, while others have still to choose.
    pub(super) fn chosen_by(&self, eye: Eye) -> Option<&<G::Rules as Rules>::Choice> {
        match (self.awaited(), eye) {
            (Awaited::Choices(_), Eye::Seat(seat)) => self.chosen.get(&seat),
            _ => None,
        }
    }

    /// Whether the looker can choose something else, and whether his draft says that he wants to.
    pub(super) fn changing(&self, eye: Eye, draft: &Draft<G::Extra>) -> Changing {
        match self.chosen_by(eye) {
            None => Changing::Nothing,
            Some(_) if draft.changing == Some(self.running.table().height()) => Changing::Begun,
            Some(_) => Changing::Offered,
        }
    }

    /// Prepares what a seat has chosen, so that it can be changed; or leaves it as it is, if that was begun before.
    pub(super) fn change(&self, seat: Seat, lang: Lang, mut draft: Draft<G::Extra>) -> Result<Pressed, Refusal> {
        let eye = Eye::Seat(seat);
        let chosen = self.chosen_by(eye).ok_or(Refusal::NotAsked)?;
        let changing = match self.changing(eye, &draft) {
            Changing::Begun => None,
            Changing::Nothing | Changing::Offered => Some(self.running.table().height()),
        };
        draft.clear();
        draft.changing = changing;
        if changing.is_some() {
            self.scene_for(eye, lang, true, |scene| G::prepare(scene, &mut draft, &Move::Choose(chosen.clone())));
        }
        Ok(Pressed::Draft(text(&draft), None))
    }
}
