//! Results from elsewhere, many at a time: from a folder, a relay, or people who send them to a station.

use std::collections::BTreeSet;

use results::{Checked, Signed, Timestamp, Verdict, check_all};

use super::store::{Kept, Store};
use super::telling::refusal;
use crate::failure::Failure;

/// How many matches whose results are not complete are taken from one place at a time: anybody can invent them, and they
/// count for nobody. What adds signatures to a result that is kept is always taken.
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
    /// Not complete, and there were too many of those; they are there for the next time.
    pub(crate) left: usize,
    /// Seconds in which a relay has more than it gives at once, so that some may be missing.
    pub(crate) crowded: BTreeSet<u64>,
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
        let session = store.session(result.body().facts().id);
        if let Some(why) = refusal(result, session.as_ref(), now) {
            self.refuse(name, why);
            return Ok(());
        }
        let partial = matches!(result.verdict(), Verdict::Partial { .. });
        if partial && self.partial >= MOST_PARTIAL && !store.holds(result.body()) {
            self.left += 1;
            return Ok(());
        }
        let kept = store.keep(result)?.0;
        self.partial += usize::from(partial && matches!(kept, Kept::New | Kept::Aside));
        *match kept {
            Kept::New => &mut self.new,
            Kept::Completed(_) => &mut self.completed,
            Kept::Known => &mut self.known,
            Kept::Aside => &mut self.aside,
        } += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use results::{Body, Facts, Form, Hash, Player, Secret, Uuid};
    use table::Chips;

    use super::*;

    fn secrets() -> [Secret; 2] {
        [1, 2].map(|byte| Secret::from_bytes(&[byte; 32]).unwrap())
    }

    /// A match that one of its players has signed.
    fn signed(id: u8, by: usize) -> (String, Signed) {
        let players = secrets().map(|secret| secret.public());
        let facts = Facts {
            id: Uuid::random([id; 16]),
            game: games::AnyGame::Holdem,
            at: "2026-01-02 20:00:00".parse().unwrap(),
            seed: Hash([7; 32]),
            log_hash: None,
            players: (1..)
                .zip(players)
                .map(|(place, key)| Player {
                    callsign: results::Callsign::of_player(&key),
                    key,
                    place,
                    amount: Chips(if place == 1 { 2000 } else { 0 }),
                })
                .collect(),
        };
        let mut signed = Signed::new(Body::new(facts, Form::Result { deals: 12 }).unwrap());
        let signature = signed.body().sign(by, &secrets()[by], &[0; 32]).unwrap();
        signed.add(by, signature).unwrap();
        (format!("event {id}"), signed)
    }

    #[test]
    fn signatures_for_a_result_that_is_kept_are_taken_however_many_partial_ones_there_were() {
        let folder = tempfile::tempdir().unwrap();
        let (store, now) = (Store::new(folder.path().to_owned()), "2026-01-03 20:00:00".parse().unwrap());
        Taken::default().take(&store, vec![signed(1, 0)], now).unwrap();
        let mut taken = Taken { partial: MOST_PARTIAL, ..Taken::default() };
        taken.take(&store, vec![signed(2, 0), signed(1, 1)], now).unwrap();
        assert_eq!((taken.left, taken.completed, taken.new), (1, 1, 0), "{taken:?}");
        let mut later = Taken::default();
        later.take(&store, vec![signed(2, 0)], now).unwrap();
        assert_eq!((later.left, later.new), (0, 1), "{later:?}");
    }
}
