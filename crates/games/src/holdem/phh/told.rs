//! What a file says about the end of a hand, and the rake that it tells by that.
//!
//! Rules know no rake, so what they pay is compared with what was paid out: nobody but a winner may have less, and
//! nobody more.

use table::Chips;

use super::{PhhHand, Reason};

/// A house never takes more than one part of so many.
const LARGEST_RAKE: i64 = 4;

/// How a hand ended by the rules, by player.
pub(super) struct End {
    pub(super) stacks: Vec<Chips>,
    /// What each took from the pots.
    pub(super) won: Vec<Chips>,
    /// What came back to each because nobody called it.
    pub(super) uncalled: Vec<Chips>,
}

impl End {
    /// The rake, if the file tells it; or what is written otherwise than it can have been.
    pub(super) fn rake(&self, hand: &PhhHand) -> Result<Option<Chips>, Reason> {
        if let Some(written) = &hand.finishing_stacks {
            let rake = self.taken(&self.stacks, written);
            return rake.map(Some).ok_or_else(|| Reason::OtherStacks {
                got: self.stacks.clone(),
                written: written.clone(),
                unit: hand.unit,
            });
        }
        let Some(written) = hand.winnings() else { return Ok(None) };
        // Some files count what nobody called among the winnings.
        let with_uncalled: Vec<Chips> = self.won.iter().zip(&self.uncalled).map(|(won, back)| *won + *back).collect();
        if let Some(rake) = [&self.won, &with_uncalled].into_iter().find_map(|got| self.taken(got, &written)) {
            return Ok(Some(rake));
        }
        let beyond = written.iter().zip(&with_uncalled).any(|(written, most)| written > most);
        if beyond {
            return Err(Reason::OtherWinnings { got: self.won.clone(), written, unit: hand.unit });
        }
        // Somebody's share is missing, which is no rake but says nothing against the hand.
        Ok(None)
    }

    /// What is missing from what was got in what is written, if it can be rake.
    fn taken(&self, got: &[Chips], written: &[Chips]) -> Option<Chips> {
        let mut rake = Chips::ZERO;
        for ((got, written), won) in got.iter().zip(written).zip(&self.won) {
            let missing = *got - *written;
            if missing < Chips::ZERO || (missing > Chips::ZERO && *won == Chips::ZERO) {
                return None;
            }
            rake += missing;
        }
        let pots: Chips = self.won.iter().copied().sum();
        // Where nothing was paid nothing can be taken either.
        (rake * LARGEST_RAKE <= pots).then_some(rake)
    }
}
