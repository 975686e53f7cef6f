//! Trying moves on a copy of the table, and what the rules say about them, for people.

use bots::Computer;
use cards::Card;
use table::{Claim as _, Move, Rules, Slot};

use super::screen::{Button, MoveOf, Scene};

impl<G: Computer> Scene<'_, G> {
    /// Why the table would refuse the viewer's move; `None` if it would not.
    pub fn refusal(&self, a_move: &MoveOf<G>) -> Option<String> {
        let me = self.me()?;
        let why = match a_move {
            Move::Act(action) => {
                let mut tried = self.table.clone();
                let judged = |claim: &<G::Rules as Rules>::Claim| claim.holds(&self.known);
                let done = tried.act_if(self.table.height(), me, action, &self.known, judged);
                done.err()?.to_string()
            }
            Move::Choose(choice) => {
                let refused = self.table.admits_choice(me, choice, |claim| claim.holds(&self.known));
                refused.err()?.to_string()
            }
        };
        Some(self.spoken(&why))
    }

    /// A button that makes a move, or says why the table would refuse it.
    pub fn button(&self, key: char, label: impl Into<String>, a_move: MoveOf<G>) -> Button<G> {
        let refusal = self.refusal(&a_move);
        Button::maybe(key, label, refusal.map_or(Ok(a_move), Err))
    }

    /// The move of an action that the table would take now, or why not.
    pub fn try_act(&self, action: <G::Rules as Rules>::Action) -> Result<MoveOf<G>, String> {
        let a_move = Move::Act(action);
        self.refusal(&a_move).map_or(Ok(a_move), Err)
    }

    /// A text of the rules for people: slots become the cards that lie there, cards their short form.
    pub fn spoken(&self, text: &str) -> String {
        let mut spoken = String::with_capacity(text.len());
        let mut word = String::new();
        for c in text.chars().map(Some).chain([None]) {
            match c {
                Some(c) if c.is_ascii_alphanumeric() || c == ':' => word.push(c),
                _ => {
                    let end = word.trim_end_matches(':').len();
                    let (word_alone, colon) = word.split_at(end);
                    spoken.push_str(&self.word(word_alone));
                    spoken.push_str(colon);
                    spoken.extend(c);
                    word.clear();
                }
            }
        }
        spoken
    }

    fn word(&self, word: &str) -> String {
        let is_code = word.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
        match (word.parse::<Slot>(), word.parse::<Card>()) {
            (Ok(slot), _) => self.card(self.known.face(slot)),
            (Err(_), Ok(card)) if is_code => self.card(Some(card)),
            (Err(_), _) => word.to_owned(),
        }
    }
}
