//! A secret choice can be changed until the last player has chosen.
//!
//! A player who wants to change theirs says so in their draft; the old choice counts until they make another.

use table::{Eye, Move, Rules, Seat};

use super::playing::{Awaited, Playing};
use super::refusal::Refusal;
use super::shown::Pressed;
use super::sight::text;
use crate::lang::Lang;
use crate::page::{Draft, Page};

/// The key of the button that starts to change a choice, or keeps it.
pub const CHANGE: char = 'e';

/// Whether a player can change their choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changing {
    /// They have made no choice that could be changed.
    Nothing,
    /// They can.
    Offered,
    /// They are changing it.
    Begun,
}

impl<G: Page> Playing<G> {
    /// A viewer's own secret choice while others have still to choose.
    pub(super) fn chosen_by(&self, eye: Eye) -> Option<&<G::Rules as Rules>::Choice> {
        match (self.awaited(), eye) {
            (Awaited::Choices(_), Eye::Seat(seat)) => self.chosen.get(&seat),
            _ => None,
        }
    }

    /// Whether a viewer can change their choice, and whether their draft says that they want to.
    pub(super) fn changing(&self, eye: Eye, draft: &Draft<G::Extra>) -> Changing {
        match self.chosen_by(eye) {
            None => Changing::Nothing,
            Some(_) if draft.changing == Some(self.running.table().height()) => Changing::Begun,
            Some(_) => Changing::Offered,
        }
    }

    /// Prepares a seat's choice so that it can be changed; or keeps it, if changing had already begun.
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
