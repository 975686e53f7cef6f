//! What has been told about a bot that runs several times over, in several threads.

use std::mem::{Discriminant, discriminant};
use std::sync::{Arc, Mutex, PoisonError};

use table::Seat;

use super::Trouble;

/// The kinds of trouble that have been told, so that nobody reads the same once per thread. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct Told {
    kinds: Arc<Mutex<Vec<Discriminant<Trouble>>>>,
    contest: bool,
}

impl Told {
    /// For a bot in a contest. It sits now here, now there, so its seat is not named; and where it never plays the
    /// contest ends, which is told there.
    pub fn in_contest() -> Self {
        Self { contest: true, ..Self::default() }
    }

    /// Is it a contest, which ends with a bot that never plays?
    pub(super) const fn is_contest(&self) -> bool {
        self.contest
    }

    /// Whether this kind of trouble is told for the first time; from then on it is not.
    pub(super) fn is_new(&self, trouble: &Trouble) -> bool {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = discriminant(trouble);
        let new = !kinds.contains(&kind);
        if new {
            kinds.push(kind);
        }
        new
    }

    /// What the bot is called where its trouble is told.
    pub(super) fn name(&self, seat: Seat, command: &str) -> String {
        if self.contest { command.to_owned() } else { format!("{seat} ({command})") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_tell_each_kind_of_trouble_once() {
        let told = Told::default();
        let copy = told.clone();
        assert!(told.is_new(&Trouble::Floods));
        assert!(!copy.is_new(&Trouble::Floods));
        assert!(copy.is_new(&Trouble::Nonsense("first".to_owned())));
        assert!(!told.is_new(&Trouble::Nonsense("second".to_owned())));
        assert!(Told::default().is_new(&Trouble::Floods), "another bot");
    }

    #[test]
    fn a_bot_is_named_by_its_seat_where_it_stays_in_one() {
        let seat = Seat::numbered(2).unwrap_or_default();
        assert_eq!(Told::default().name(seat, "./bot"), "seat 2 (./bot)");
        assert_eq!(Told::in_contest().name(seat, "./bot"), "./bot");
    }
}
