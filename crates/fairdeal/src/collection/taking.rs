//! Results from elsewhere, many at a time: from a folder, a relay, or people who send them to a station.

use results::{Checked, Signed, Timestamp, Verdict, check_all};

use super::store::{Kept, Store};
use super::telling::refusal;
use crate::failure::Failure;

/// How many results that are not complete are taken from one place at a time: anybody can invent them, and they count
/// for nobody.
const MOST_PARTIAL: usize = 2000;
/// How many reasons are remembered.
const MOST_REASONS: usize = 5;

/// What became of results from elsewhere.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    /// Kept, and not known before.
    pub(crate) new: usize,
    /// They brought signatures that were missing.
    pub(crate) completed: usize,
    /// They brought nothing new.
    pub(crate) known: usize,
    /// They contradict one that is kept; both are kept.
    pub(crate) aside: usize,
    /// Forged, unsigned, unreadable, or of an impossible date.
    pub(crate) refused: usize,
    /// The first of them: which, and why.
    pub(crate) reasons: Vec<(String, String)>,
    /// Not complete, and there were too many of those.
    pub(crate) left: usize,
    partial: usize,
}

impl Taken {
    /// Checks results, each with the name it has where it comes from, and keeps those that are signed as they should be.
    pub(crate) fn take(
        &mut self,
        store: &Store,
        results: Vec<(String, Signed)>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let (names, results): (Vec<String>, Vec<Signed>) = results.into_iter().unzip();
        for (name, result) in names.into_iter().zip(check_all(results)) {
            self.take_one(store, name, &result, now)?;
        }
        Ok(())
    }

    /// Something with this name is not taken.
    pub(crate) fn refuse(&mut self, name: String, why: String) {
        self.refused += 1;
        if self.reasons.len() < MOST_REASONS {
            self.reasons.push((name, why));
        }
    }

    fn take_one(&mut self, store: &Store, name: String, result: &Checked, now: Timestamp) -> Result<(), Failure> {
        if let Some(why) = refusal(result, now) {
            self.refuse(name, why);
            return Ok(());
        }
        let partial = matches!(result.verdict(), Verdict::Partial { .. });
        if partial && self.partial >= MOST_PARTIAL {
            self.left += 1;
            return Ok(());
        }
        let kept = store.keep(result)?.0;
        self.partial += usize::from(partial && kept != Kept::Known);
        *match kept {
            Kept::New => &mut self.new,
            Kept::Completed(_) => &mut self.completed,
            Kept::Known => &mut self.known,
            Kept::Aside => &mut self.aside,
        } += 1;
        Ok(())
    }
}
