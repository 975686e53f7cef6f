//! Whom the table waits for and since when, and how players agree that somebody is late.
//!
//! A deadline is an entry of the log. A player whose program sees that a seat does not answer says `overdue`; when more
//! than half of the other people who are still in have said so, the seat is late, for everybody at the same entry.
//!
//! - The hub signs its clock into every entry, and a vote counts only if that clock shows the limit passed.
//! - A vote names the entry since which the table has waited, so it cannot be used for a later wait.
//! - People vote, not seats: a computer's vote is that of the person who runs it.
//! - A verdict that only people who run the hub have voted for is [disputed](Verdict::Disputed): they could have kept
//!   the answer out of the log themselves.

use std::collections::BTreeSet;

use dealers::joint;
use table::{Map, Seat, Seats};

/// A program has this long to answer, in milliseconds; for a person's move, after their own time.
pub const GRACE: u64 = 30_000;
/// After this long without an answer, those who are left can abandon the match.
pub const ABANDON: u64 = 600_000;
/// Whoever comes back has this long for a move, whatever clocks say.
const LEAST: u64 = 10_000;

/// What a seat has to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Duty {
    /// To open its seed.
    Seed,
    /// To deal or to play: what, and the table's height, which tells two duties of the same kind apart.
    Play(joint::Duty, u64),
    /// To sign the result.
    Sign,
}

/// A seat the table waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// For what.
    pub duty: Duty,
    /// The log's height since then.
    pub since: u64,
    /// The hub's clock then.
    pub clock: u64,
    /// This program's own clock when it heard of it.
    pub heard: u64,
    /// How long the table had waited then, and while this program's clock stood still, as far as it knows.
    earlier: u64,
    /// The people who have said that it is late.
    votes: BTreeSet<u8>,
}

impl Wait {
    /// How long the table has waited, in milliseconds, as far as this program knows.
    pub const fn passed(&self, now: u64) -> u64 {
        now.saturating_sub(self.heard).saturating_add(self.earlier)
    }
}

/// Everybody the table waits for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waits {
    by_seat: Map<Seat, Wait>,
    thinking: Option<u64>,
}

/// The people behind the seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct People {
    /// The person of every seat.
    pub by_seat: Vec<u8>,
    /// The seats that are still in.
    pub still_in: Seats,
    /// Who runs the hub, if somebody at the table does.
    pub hub: Option<u8>,
}

impl People {
    /// The person behind a seat.
    pub fn of(&self, seat: Seat) -> Option<u8> {
        self.by_seat.get(usize::from(seat.index())).copied()
    }

    /// The people who are still in, without the one behind this seat.
    fn others(&self, than: Seat) -> BTreeSet<u8> {
        let accused = self.of(than);
        self.still_in.iter().filter_map(|seat| self.of(seat)).filter(|person| Some(*person) != accused).collect()
    }
}

/// What a vote led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// More votes are needed.
    Counted,
    /// The seat is late.
    Late,
    /// It would be late, but only people who run the hub say so.
    Disputed,
}

/// Why a vote does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoVote {
    /// The table does not wait for that seat, or not since that entry.
    NotAwaited,
    /// The limit has not passed by the hub's clock.
    Early,
    /// The voter is the one who is late, or no longer plays.
    NotAVoter,
    /// They have said so before.
    Twice,
}

impl core::fmt::Display for NoVote {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NotAwaited => "the table does not wait for that seat, or not since then",
            Self::Early => "the time is not up by the hub's clock",
            Self::NotAVoter => "its author has no vote about this",
            Self::Twice => "its author has said so before",
        })
    }
}

impl Waits {
    /// Nobody is waited for yet. A person has `thinking` milliseconds for a move; `None` without a limit.
    pub const fn new(thinking: Option<u64>) -> Self {
        Self { by_seat: Map::new(), thinking }
    }

    /// Milliseconds that a person has for a move, if there is a limit.
    pub const fn thinking(&self) -> Option<u64> {
        self.thinking
    }

    /// The table now waits for these seats. A wait that was there before goes on.
    pub fn update(&mut self, duties: &Map<Seat, Duty>, since: u64, clock: u64, now: u64) {
        self.by_seat.retain(|seat, wait| duties.get(seat) == Some(&wait.duty));
        for (seat, duty) in duties {
            let begin = || Wait { duty: *duty, since, clock, heard: now, earlier: 0, votes: BTreeSet::new() };
            self.by_seat.or_insert_with(*seat, begin);
        }
    }

    /// This program has not seen all of the time that has passed: it was away, or asleep. `by` says how much of it is
    /// missing. Clocks of two devices differ, so nobody has less than ten seconds left afterwards. Votes do not follow
    /// from it: those are about what a program has seen itself.
    pub fn set_back(&mut self, by: impl Fn(&Wait) -> u64, now: u64) {
        let thinking = self.thinking;
        for wait in self.by_seat.values_mut() {
            let whole = match wait.duty {
                Duty::Play(joint::Duty::Act | joint::Duty::Choose, _) => thinking.unwrap_or(ABANDON),
                Duty::Seed | Duty::Play(..) | Duty::Sign => GRACE,
            };
            let passed = wait.passed(now);
            let most = whole.saturating_sub(LEAST).max(passed);
            let more = passed.saturating_add(by(wait)).min(most).saturating_sub(passed);
            wait.earlier = wait.earlier.saturating_add(more);
        }
    }

    /// Another hub has taken over: every wait begins again with the next [update](Waits::update).
    pub fn renew(&mut self) {
        self.by_seat.clear();
    }

    /// Everybody the table waits for.
    pub const fn all(&self) -> &Map<Seat, Wait> {
        &self.by_seat
    }

    /// How long this duty may take, in milliseconds.
    pub fn limit(&self, duty: Duty) -> u64 {
        match duty {
            Duty::Play(joint::Duty::Act | joint::Duty::Choose, _) => {
                self.thinking.map_or(ABANDON, |time| time.saturating_add(GRACE))
            }
            Duty::Seed | Duty::Play(..) | Duty::Sign => GRACE,
        }
    }

    /// A person says that a seat is late, in an entry with this clock. An error changes nothing.
    pub fn vote(&mut self, people: &People, person: u8, seat: Seat, since: u64, clock: u64) -> Result<Verdict, NoVote> {
        let wait = self.by_seat.get(&seat).filter(|wait| wait.since == since).ok_or(NoVote::NotAwaited)?;
        let others = people.others(seat);
        if !others.contains(&person) {
            return Err(NoVote::NotAVoter);
        }
        if clock < wait.clock.saturating_add(self.limit(wait.duty)) {
            return Err(NoVote::Early);
        }
        if wait.votes.contains(&person) {
            return Err(NoVote::Twice);
        }
        let Some(wait) = self.by_seat.get_mut(&seat) else { return Err(NoVote::NotAwaited) };
        wait.votes.insert(person);
        let votes = wait.votes.intersection(&others).count();
        if votes * 2 <= others.len() {
            return Ok(Verdict::Counted);
        }
        let neutral = wait.votes.iter().any(|voter| Some(*voter) != people.hub);
        Ok(if neutral { Verdict::Late } else { Verdict::Disputed })
    }

    /// The seats this program would call late now, by its own clock, with the entries since which they are awaited.
    /// It has been connected and up to date since `connected`.
    pub fn late(&self, connected: u64, now: u64) -> Vec<(Seat, u64)> {
        let late = |wait: &Wait| {
            let begin = wait.heard.max(connected);
            // A second more, since the hub's clock may have been read a little later.
            now.saturating_sub(begin) > self.limit(wait.duty).saturating_add(1_000)
        };
        self.by_seat.iter().filter(|(_, wait)| late(wait)).map(|(seat, wait)| (*seat, wait.since)).collect()
    }

    /// Whether the table has waited so long that the match can be abandoned.
    pub fn is_hopeless(&self, clock: u64) -> bool {
        self.by_seat.values().any(|wait| clock >= wait.clock.saturating_add(ABANDON))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Seat = Seat::new(0).unwrap();
    const B: Seat = Seat::new(1).unwrap();

    fn people(by_seat: &[u8], hub: Option<u8>) -> People {
        let still_in = Seats::first(u8::try_from(by_seat.len()).unwrap());
        People { by_seat: by_seat.to_vec(), still_in, hub }
    }

    fn waiting(duty: Duty) -> Waits {
        let mut waits = Waits::new(Some(20_000));
        waits.update(&[(A, duty)].into(), 7, 1_000, 0);
        waits
    }

    #[test]
    fn more_than_half_of_the_others_decide() {
        let four = people(&[10, 11, 12, 13], None);
        let mut waits = waiting(Duty::Play(joint::Duty::Shuffle, 0));
        assert_eq!(waits.vote(&four, 11, A, 7, 31_000), Ok(Verdict::Counted));
        assert_eq!(waits.vote(&four, 11, A, 7, 31_000), Err(NoVote::Twice));
        assert_eq!(waits.vote(&four, 10, A, 7, 31_000), Err(NoVote::NotAVoter), "the late one");
        assert_eq!(waits.vote(&four, 99, A, 7, 31_000), Err(NoVote::NotAVoter), "a spectator");
        assert_eq!(waits.vote(&four, 12, A, 7, 31_000), Ok(Verdict::Late));
        let three = people(&[10, 11, 12], None);
        let mut waits = waiting(Duty::Play(joint::Duty::Shuffle, 0));
        assert_eq!(waits.vote(&three, 11, A, 7, 31_000), Ok(Verdict::Counted), "half is not more than half");
        assert_eq!(waits.vote(&three, 12, A, 7, 31_000), Ok(Verdict::Late));
    }

    #[test]
    fn people_vote_and_not_their_computers() {
        // Person 11 plays with two computers against 10 and 12.
        let people = people(&[10, 11, 11, 11, 12], None);
        let mut waits = waiting(Duty::Play(joint::Duty::Shuffle, 0));
        assert_eq!(waits.vote(&people, 11, A, 7, 31_000), Ok(Verdict::Counted));
        assert_eq!(waits.vote(&people, 11, A, 7, 31_000), Err(NoVote::Twice));
        let mut waits = waiting(Duty::Play(joint::Duty::Shuffle, 0));
        waits.update(&[(B, Duty::Play(joint::Duty::Shuffle, 1))].into(), 8, 1_000, 0);
        assert_eq!(waits.vote(&people, 11, B, 8, 31_000), Err(NoVote::NotAVoter), "their own computer");
    }

    #[test]
    fn votes_count_only_once_the_hubs_clock_shows_the_limit() {
        let two = people(&[10, 11], None);
        let mut waits = waiting(Duty::Play(joint::Duty::Act, 3));
        assert_eq!(waits.vote(&two, 11, A, 7, 1_000 + 49_999), Err(NoVote::Early));
        assert_eq!(waits.vote(&two, 11, A, 6, 90_000), Err(NoVote::NotAwaited), "an earlier wait");
        assert_eq!(waits.vote(&two, 11, B, 7, 90_000), Err(NoVote::NotAwaited));
        assert_eq!(waits.vote(&two, 11, A, 7, 1_000 + 50_000), Ok(Verdict::Late));
    }

    #[test]
    fn those_who_run_the_hub_cannot_call_others_late_alone() {
        let two = people(&[10, 11], Some(11));
        assert_eq!(waiting(Duty::Sign).vote(&two, 11, A, 7, 31_000), Ok(Verdict::Disputed));
        let three = people(&[10, 11, 12], Some(11));
        let mut waits = waiting(Duty::Sign);
        assert_eq!(waits.vote(&three, 11, A, 7, 31_000), Ok(Verdict::Counted));
        assert_eq!(waits.vote(&three, 12, A, 7, 31_000), Ok(Verdict::Late));
    }

    #[test]
    fn every_duty_has_its_full_time() {
        let mut waits = waiting(Duty::Play(joint::Duty::Act, 3));
        waits.update(
            &[(A, Duty::Play(joint::Duty::Act, 3)), (B, Duty::Play(joint::Duty::Act, 3))].into(),
            8,
            9_000,
            500,
        );
        assert_eq!(waits.all()[&A].since, 7, "the same duty goes on");
        waits.update(
            &[(A, Duty::Play(joint::Duty::Act, 4)), (B, Duty::Play(joint::Duty::Act, 3))].into(),
            9,
            10_000,
            600,
        );
        assert_eq!((waits.all()[&A].since, waits.all()[&A].clock), (9, 10_000), "a new duty begins anew");
        assert_eq!(waits.all()[&B].since, 8);
    }

    #[test]
    fn time_that_was_not_seen_counts_for_a_move_and_leaves_ten_seconds_and_no_vote() {
        for (away, passed) in [(0, 5), (6_000, 6_005), (13_000, 10_000), (u64::MAX, 10_000)] {
            let mut waits = waiting(Duty::Play(joint::Duty::Act, 3));
            // A page's clock begins when it is loaded, so the wait may be older than that.
            waits.set_back(|_| away, 5);
            assert_eq!(waits.all()[&A].passed(5), passed);
            assert_eq!(waits.late(0, 51_000), [], "votes are about what was seen");
            assert_eq!(waits.late(0, 51_001), [(A, 7)]);
        }
        let mut waits = waiting(Duty::Play(joint::Duty::Act, 3));
        waits.set_back(|_| 9_000, 15_000);
        assert_eq!(waits.all()[&A].passed(15_000), 15_000, "less than ten seconds were left, and nothing is added");
    }

    #[test]
    fn a_program_that_was_away_calls_nobody_late() {
        let waits = waiting(Duty::Play(joint::Duty::Shuffle, 0));
        assert_eq!(waits.late(0, 31_000), []);
        assert_eq!(waits.late(0, 31_001), [(A, 7)]);
        assert_eq!(waits.late(20_000, 40_000), [], "connected for 20 s only");
        assert!(!waits.is_hopeless(600_999) && waits.is_hopeless(601_000));
    }
}
