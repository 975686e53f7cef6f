//! Trying moves on a copy of the table, so that a button can say why it cannot be pressed.

use ::table::{Claim as _, Move, Refused};

use super::{Button, MoveOf, Page, Scene};

impl<G: Page> Scene<'_, G> {
    /// Why the table would refuse the viewer's move, in their language; `None` if it would not.
    pub fn refusal(&self, a_move: &MoveOf<G>) -> Option<String> {
        let me = self.me()?;
        match a_move {
            Move::Act(action) => {
                let mut tried = self.table.clone();
                let height = self.table.height();
                match tried.act_if(height, me, action, &self.known, |claim| claim.holds(&self.known)).err()? {
                    Refused::Illegal(why) | Refused::IllegalChoice(_, why) => Some(G::refusal(&why, self.lang)),
                    _ => Some(self.pick("you cannot do this now", "das geht jetzt nicht").to_owned()),
                }
            }
            Move::Choose(choice) => {
                let why = self.table.admits_choice(me, choice, |claim| claim.holds(&self.known)).err()?;
                Some(G::refusal(&why, self.lang))
            }
        }
    }

    /// A button that makes a move, or says why the table would refuse it.
    pub fn button(&self, key: char, label: impl Into<String>, a_move: MoveOf<G>) -> Button<G> {
        let refusal = self.refusal(&a_move);
        Button::maybe(key, label, refusal.map_or(Ok(a_move), Err))
    }
}
