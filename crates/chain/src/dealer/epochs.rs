//! Epochs: a random number, a committee, its keys, and their end.
//!
//! ```text
//! height >= rotates -> beacon -> committee drawn -> key generation -> the epoch deals
//!                                     ^                   | too few left
//!                                     └───────────────────┘ without those who were silent or at fault
//! ```
//!
//! The epoch before deals until the next one has keys, and then finishes the hands it has begun. When the last deck of
//! an epoch is done with, it is closed, and its members erase their shares.

use dealers::joint::{Duty, Ledger, Message, Verdict};
use dealing::beacon::{self, Contribution};
use dealing::{Context, Element};
use table::record::By;

use super::data::{Beacon, Ceremony, Course, Due, Epoch};
use super::decks::member_number;
use super::execute::Refused;
use super::keys::{BeaconKey, CeremonyKey, CourseKey, EpochOf, KeysOf};
use super::{Event, sampling};
use crate::execute::Cx;
use crate::genesis::Genesis;
use crate::params::Params;
use crate::staking::{self, Offence};
use crate::store::Store;
use crate::units::{Address, Hash, hash};
use crate::wired::Wired;

/// How many epochs before the current one stay in the state.
const KEPT_EPOCHS: u64 = 10;

/// After so many missed deadlines the current committee is taken for lost, and the next one is drawn with what was
/// contributed so far. Who withheld can choose between this number and the right one, but cannot look for another; and
/// without it, the chain would deal no more cards.
const LOST_BEACON: u8 = 5;

/// The first epoch begins with the first block. Its committee is drawn with the hash of the genesis.
pub(super) fn begin(store: &mut Store, genesis: &Genesis) {
    let candidates = genesis.validators.iter().map(|first| (first.consensus, first.stake)).collect();
    store.put(&CourseKey(), Course { next: 1, candidates, ..Course::default() });
}

/// What happens by itself at the end of a block.
pub(super) fn end_block(cx: &mut Cx<'_>) {
    judge_ceremony(cx);
    judge_beacon(cx);
    let course = cx.store.get_or_default(&CourseKey());
    let running = cx.store.get(&CeremonyKey()).is_some();
    if course.current.is_none() {
        if !running {
            begin_ceremony(cx, first_random(&cx.now.chain));
        }
    } else if !running && cx.now.height >= course.rotates && cx.store.get(&BeaconKey()).is_none() {
        begin_beacon(cx);
    }
    close_epochs(cx);
}

/// This committee has failed at a deck: the next one is prepared early, without those who are jailed by now.
pub(super) fn rotate_early(cx: &mut Cx<'_>, epoch: u64) {
    // Not at once: those who spoil decks must not draw committee after committee until they like one.
    let least = Params::of(cx.store).dealer.epoch_blocks / 4;
    cx.store.edit(&CourseKey(), |course| {
        if course.current == Some(epoch) {
            course.rotates = course.rotates.min(course.since.saturating_add(least));
        }
    });
}

fn begin_beacon(cx: &mut Cx<'_>) {
    // Those who can be drawn are fixed before anybody knows the number.
    let candidates = staking::candidates(cx.store);
    let epoch = cx.store.edit(&CourseKey(), |course| {
        course.candidates = candidates;
        course.next
    });
    let due = due(cx);
    cx.store.put(&BeaconKey(), Beacon { contributions: Default::default(), due, missed: 0 });
    cx.emit(Event::BeaconBegun { epoch: epoch.unwrap_or_default() });
}

/// A member contributes to the random number of the next epoch.
pub(super) fn contribute(
    cx: &mut Cx<'_>,
    from: Address,
    epoch: u64,
    member: u8,
    contribution: Contribution,
) -> Result<(), Refused> {
    let course = cx.store.get(&CourseKey()).filter(|course| course.next == epoch).ok_or(Refused::NotAwaited)?;
    let beacon = cx.store.get(&BeaconKey()).ok_or(Refused::NotAwaited)?;
    let current = course.current.and_then(|current| cx.store.get(&EpochOf(current))).ok_or(Refused::NotAwaited)?;
    if current.members.get(usize::from(member)).is_none_or(|seat| seat.validator != from) {
        return Err(Refused::NotYourSeat);
    }
    if beacon.contributions.contains_key(&member) {
        return Err(Refused::NotAwaited);
    }
    let (_, public) = current.joint.0.beacon_share(By::Member(member)).ok_or(Refused::NotAwaited)?;
    let context = beacon_context(current, epoch);
    if contribution.verify(&context.author(member.into()), public).is_err() {
        staking::slash(cx, &from, Offence::BadProof, None, &[]);
        return Ok(());
    }
    let mut beacon = beacon.clone();
    beacon.contributions.insert(member, Wired(contribution));
    let numbered = beacon
        .contributions
        .iter()
        .filter_map(|(member, said)| Some((current.joint.0.beacon_share(By::Member(*member))?.0, &said.0)));
    let random = beacon::output(&context, current.threshold.into(), &numbered.collect::<Vec<_>>());
    cx.store.put(&BeaconKey(), beacon);
    if let Some(random) = random {
        finish_beacon(cx, Event::BeaconFinalized { epoch, random }, random);
    }
    Ok(())
}

/// Where the contributions to the random number of an epoch belong.
pub fn beacon_context(current: &Epoch, next: u64) -> Context {
    Context::new(*current.joint.0.ground()).height(next)
}

fn finish_beacon(cx: &mut Cx<'_>, event: Event, random: Hash) {
    cx.store.remove(&BeaconKey());
    cx.emit(event);
    begin_ceremony(cx, random);
}

fn judge_beacon(cx: &mut Cx<'_>) {
    let Some(beacon) = cx.store.get(&BeaconKey()).filter(|beacon| is_late(cx, &beacon.due)) else { return };
    let mut beacon = beacon.clone();
    let course = cx.store.get_or_default(&CourseKey());
    let Some(current) = course.current.and_then(|current| cx.store.get(&EpochOf(current))) else { return };
    // A seat that was left out of the keys has nothing to contribute.
    let silent = |(member, _): &(u8, _)| {
        current.joint.0.beacon_share(By::Member(*member)).is_some() && !beacon.contributions.contains_key(member)
    };
    let silent: Vec<Address> = (0..).zip(&current.members).filter(silent).map(|(_, seat)| seat.validator).collect();
    beacon.missed += 1;
    beacon.due = due(cx);
    let lost = (beacon.missed >= LOST_BEACON).then(|| {
        let points = beacon.contributions.iter().map(|(member, said)| (*member, said.0.point()));
        lost_beacon(current, course.next, points)
    });
    cx.store.put(&BeaconKey(), beacon);
    for validator in distinct(silent) {
        staking::slash(cx, &validator, Offence::Silent, None, &[]);
    }
    if let Some(random) = lost {
        finish_beacon(cx, Event::BeaconLost { epoch: course.next }, random);
    }
}

/// Draws a committee and lets it generate keys.
fn begin_ceremony(cx: &mut Cx<'_>, random: Hash) {
    let course = cx.store.get_or_default(&CourseKey());
    let (epoch, attempt) = (course.next, course.attempt);
    let members = Params::of(cx.store).dealer.members;
    let wanted = |(who, _): &&(Address, _)| !course.excluded.contains(who);
    let mut from: Vec<_> = course.candidates.iter().filter(wanted).copied().collect();
    if from.is_empty() {
        from.clone_from(&course.candidates);
    }
    let Some(drawn) = sampling::draw(&random, epoch, attempt, members, &from) else { return };
    let session = session(&cx.now.chain, epoch, attempt, &random, &cx.now.parent);
    let Ok(ledger) = Ledger::of_epoch(session, members, super::params::threshold(members)) else { return };
    let due = due(cx);
    cx.emit(Event::DealerEpochBegun { epoch, attempt, members: drawn.iter().map(|member| member.validator).collect() });
    for validator in distinct(drawn.iter().map(|member| member.validator).collect()) {
        staking::bind(cx, &validator, epoch);
    }
    let ceremony = Ceremony { epoch, random, members: drawn, ledger: Wired(ledger), step: 0, due, reporter: None };
    cx.store.put(&CeremonyKey(), ceremony);
}

/// A member says something in the key generation.
pub(super) fn say(cx: &mut Cx<'_>, member: u8, message: Message) -> Result<(), Refused> {
    let mut ceremony = cx.store.get(&CeremonyKey()).cloned().ok_or(Refused::NotAwaited)?;
    let before = ceremony.ledger.0.faults().len();
    let verdict = ceremony.ledger.0.receive_ahead(By::Member(member), message);
    if let Verdict::Void(why) = verdict {
        return Err(Refused::Void(why));
    }
    // A complaint shows the fault of another.
    let guilty = ceremony.ledger.0.faults().iter().skip(before).filter_map(|fault| validator(&ceremony, fault.by));
    for validator in distinct(guilty.collect()) {
        staking::slash(cx, &validator, Offence::BadKeys, None, &[]);
        exclude(cx, validator);
    }
    go_on(cx, ceremony);
    Ok(())
}

/// Somebody reports that members are late in the key generation. The end of the block judges that, so that what they say
/// later in this block still counts.
pub(super) fn report(cx: &mut Cx<'_>, reporter: Address) -> Result<(), Refused> {
    let late = cx.store.get(&CeremonyKey()).is_some_and(|ceremony| is_late(cx, &ceremony.due));
    if !late {
        return Err(Refused::NobodyIsLate);
    }
    cx.store.edit(&CeremonyKey(), |ceremony| ceremony.reporter = ceremony.reporter.or(Some(reporter)));
    Ok(())
}

/// Members who are late in the key generation are left out.
fn judge_ceremony(cx: &mut Cx<'_>) {
    let Some(ceremony) = cx.store.get(&CeremonyKey()).filter(|ceremony| is_late(cx, &ceremony.due)) else { return };
    let mut ceremony = ceremony.clone();
    let reporter = ceremony.reporter.take();
    let missing = ceremony.ledger.0.missing_ahead();
    let late: Vec<Address> = missing.iter().filter_map(|(by, _)| validator(&ceremony, *by)).collect();
    for validator in distinct(late) {
        staking::slash(cx, &validator, Offence::SilentInKeys, reporter, &[]);
        exclude(cx, validator);
    }
    let members = missing.iter().filter_map(|(by, _)| member_number(*by)).collect();
    cx.emit(Event::KeysLate { epoch: ceremony.epoch, members });
    for (by, _) in missing {
        ceremony.ledger.0.leave_out_ahead(by);
    }
    ceremony.due = due(cx);
    go_on(cx, ceremony);
}

/// Stores the key generation, unless it is over: finished, or without hope.
fn go_on(cx: &mut Cx<'_>, mut ceremony: Ceremony) {
    ceremony.ledger.0.take_log();
    if let Some(joint) = ceremony.ledger.0.joint().cloned() {
        let (epoch, members) = (ceremony.epoch, ceremony.members.clone());
        let ground = *joint.ground();
        let (threshold, random) = (super::params::threshold(u8_len(&members)), ceremony.random);
        cx.store.remove(&CeremonyKey());
        cx.store.put(&KeysOf(epoch), ceremony);
        let joint = Wired(joint);
        cx.store.put(&EpochOf(epoch), Epoch { members, threshold, random, joint, decks: 0, closed: false });
        let since = cx.now.height;
        let rotates = since + Params::of(cx.store).dealer.epoch_blocks;
        cx.store.edit(&CourseKey(), |course| {
            *course = Course { current: Some(epoch), since, rotates, next: epoch + 1, ..Course::default() };
        });
        cx.emit(Event::DealerEpochFinalized { epoch, ground });
        return;
    }
    if ceremony.ledger.0.is_lost() {
        let (epoch, random) = (ceremony.epoch, ceremony.random);
        cx.store.remove(&CeremonyKey());
        staking::release(cx, epoch);
        let attempt = cx.store.edit(&CourseKey(), |course| {
            course.attempt += 1;
            course.attempt
        });
        cx.emit(Event::DealerEpochAborted { epoch, attempt: attempt.unwrap_or_default() });
        begin_ceremony(cx, random);
        return;
    }
    // Each step has its full time.
    let step = ceremony.ledger.0.missing_ahead().first().map_or(0, |(_, duty)| step_number(*duty));
    if step != ceremony.step {
        ceremony.step = step;
        ceremony.due = due(cx);
    }
    cx.store.put(&CeremonyKey(), ceremony);
}

/// Epochs that deal no more and have no hand left are closed.
fn close_epochs(cx: &mut Cx<'_>) {
    let current = cx.store.get(&CourseKey()).and_then(|course| course.current);
    let done =
        |(EpochOf(number), epoch): &(EpochOf, &Epoch)| Some(*number) != current && epoch.decks == 0 && !epoch.closed;
    let done: Vec<EpochOf> = cx.store.all::<EpochOf>().filter(done).map(|(key, _)| key).collect();
    for key in done {
        cx.store.edit(&key, |epoch| epoch.closed = true);
        cx.store.remove(&KeysOf(key.0));
        staking::release(cx, key.0);
        cx.emit(Event::DealerEpochClosed { epoch: key.0 });
    }
    // The last few stay, for hands that have just ended.
    let old = |(EpochOf(number), epoch): &(EpochOf, &Epoch)| {
        epoch.closed && current.is_some_and(|current| *number + KEPT_EPOCHS < current)
    };
    let old: Vec<EpochOf> = cx.store.all::<EpochOf>().filter(old).map(|(key, _)| key).collect();
    for key in old {
        cx.store.remove(&key);
    }
}

/// The number that the first committee is drawn with.
pub fn first_random(chain: &Hash) -> Hash {
    hash("fairdeal/chain/first/v1", &[chain])
}

/// The number that takes the place of one that a lost committee did not make: it follows from the points that were
/// contributed, by member in order. A block's proposer has no choice in these, as it has in the hash of its block.
pub fn lost_beacon<'a>(current: &Epoch, next: u64, points: impl Iterator<Item = (u8, &'a Element)>) -> Hash {
    let mut said = Vec::new();
    for (member, point) in points {
        said.push(member);
        said.extend_from_slice(point.bytes());
    }
    hash("fairdeal/chain/lost-beacon/v1", &[current.joint.0.ground(), &next.to_le_bytes(), &said])
}

/// Identifies a key generation.
pub fn session(chain: &Hash, epoch: u64, attempt: u32, random: &Hash, parent: &Hash) -> Hash {
    let fields: [&[u8]; 5] = [chain, &epoch.to_le_bytes(), &attempt.to_le_bytes(), random, parent];
    hash("fairdeal/chain/epoch/v1", &fields)
}

/// This validator is not drawn again for the next epoch.
fn exclude(cx: &mut Cx<'_>, validator: Address) {
    cx.store.edit(&CourseKey(), |course| course.excluded.push(validator));
}

fn validator(ceremony: &Ceremony, by: By) -> Option<Address> {
    let By::Member(member) = by else { return None };
    ceremony.members.get(usize::from(member)).map(|seat| seat.validator)
}

fn due(cx: &Cx<'_>) -> Due {
    Due { since: cx.now.height, until: cx.now.clock + Params::of(cx.store).dealer.keys_timeout }
}

/// Whether a deadline has passed, by the clock of the block before, and enough proposers had the chance to include what
/// was due.
pub(super) fn is_late(cx: &Cx<'_>, due: &Due) -> bool {
    cx.now.parent_clock >= due.until && staking::heard_since(cx.store, due.since)
}

/// A step of the key generation, as a number that changes when the next one begins.
const fn step_number(duty: Duty) -> u8 {
    match duty {
        Duty::Key => 1,
        Duty::Dealing => 2,
        Duty::Ready => 3,
        _ => 4,
    }
}

pub(super) fn distinct(mut validators: Vec<Address>) -> Vec<Address> {
    validators.sort_unstable();
    validators.dedup();
    validators
}

fn u8_len<T>(list: &[T]) -> u8 {
    u8::try_from(list.len()).unwrap_or(u8::MAX)
}
