//! How the joint key is made.
//!
//! **Every player needed**: each announces a key with a proof of knowledge; the joint key is their sum.
//!
//! **Threshold**: each member announces a fresh key that shares are encrypted to, deals shares of its own
//! secret, and then complains about wrong shares. A complaint is its own proof. The joint key is the sum of the
//! dealings by members who were not found guilty. Players announce the keys that their cards are sealed to. A
//! committee generates a second key in the same way, for its beacon.

use std::collections::BTreeSet;

use dealing::dkg::{Ceremony, Dealing, Judgement};
use dealing::{Element, Point};
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Map, Seat};

use super::fault::{Unfit, Void, Why};
use super::message::{Announced, Complaining, Message};
use super::terms::{Terms, author};

/// Everything known about keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub(super) announced: Map<By, Vec<Element>>,
    pub(super) players: Map<Seat, Element>,
    /// Once all keys are announced: a hash over them and the session.
    pub(super) bound: Option<[u8; 32]>,
    pub(super) generations: Vec<Generation>,
    pub(super) joint: Option<Joint>,
}

/// One key generation.
#[derive(Clone, Debug)]
pub(super) struct Generation {
    pub(super) ceremony: Ceremony,
    /// The members; a member's index here is its number in the ceremony.
    pub(super) ring: Vec<By>,
    pub(super) dealings: Map<By, Dealing>,
    pub(super) hashes: Map<By, [u8; 32]>,
    pub(super) ready: BTreeSet<By>,
}

/// The joint key, and everybody's part in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joint {
    /// The key that decks are encrypted to.
    pub(super) key: Element,
    /// The public share of every member who counts, with its number for interpolation.
    pub(super) shares: PublicShares,
    /// The same for the beacon's key, if there is one.
    pub(super) beacon: PublicShares,
    /// The members whose dealings make up the keys, if they were generated. Those left out later stay in them.
    pub(super) dealers: BTreeSet<By>,
    /// A hash over all of it, bound into every later proof.
    pub(super) ground: [u8; 32],
}

/// Every member's number for interpolation, and its public share.
pub(super) type PublicShares = Map<By, (u16, Element)>;

/// What a phase of the key generation waits for.
pub(super) enum Phase<'a> {
    Announcing,
    Dealing(u8, &'a Generation),
    Complaining(u8, &'a Generation),
    Done,
    /// Too few are left.
    Failed,
}

impl Keys {
    /// Keys that were generated before.
    pub(super) fn given(joint: Joint) -> Self {
        Self { bound: Some(joint.ground), joint: Some(joint), ..Self::default() }
    }

    /// The players' keys are these, and everything from now on is bound to them.
    pub(super) fn seat(&mut self, players: Map<Seat, Element>, ground: [u8; 32]) {
        self.players = players;
        if let Some(joint) = &mut self.joint {
            joint.ground = ground;
        }
    }

    pub(super) const fn joint(&self) -> Option<&Joint> {
        self.joint.as_ref()
    }

    pub(super) const fn bound(&self) -> Option<[u8; 32]> {
        self.bound
    }

    pub(super) fn generation(&self, ceremony: u8) -> Option<&Generation> {
        self.generations.get(usize::from(ceremony))
    }

    pub(super) fn player(&self, seat: Seat) -> Option<&Element> {
        self.players.get(&seat)
    }

    /// Takes a member's keys.
    pub(super) fn announce(&mut self, terms: &Terms, by: By, keys: &[Announced], trusted: bool) -> Result<(), Unfit> {
        if self.bound.is_some() {
            return Err(Void::NotAwaited.into());
        }
        if self.announced.contains_key(&by) {
            return Err(Void::Second.into());
        }
        let needed = usize::from(terms.ceremonies());
        if keys.len() != needed {
            return Err(Why::WrongCount { needed, got: keys.len() }.into());
        }
        for (step, announced) in (0..).zip(keys) {
            let taken = self.announced.values().flatten().chain(self.players.values()).any(|k| *k == announced.key);
            let context = terms.context(terms.session, by).step(step);
            if taken || (!trusted && announced.proof.verify(&context, &announced.key).is_err()) {
                return Err(Why::BadKey.into());
            }
        }
        self.announced.insert(by, keys.iter().map(|announced| announced.key).collect());
        Ok(())
    }

    /// Takes a player's key.
    pub(super) fn announce_player(
        &mut self,
        terms: &Terms,
        seat: Seat,
        keys: &[Announced],
        trusted: bool,
    ) -> Result<(), Unfit> {
        if self.bound.is_some() {
            return Err(Void::NotAwaited.into());
        }
        if self.players.contains_key(&seat) {
            return Err(Void::Second.into());
        }
        let [announced] = keys else { return Err(Why::WrongCount { needed: 1, got: keys.len() }.into()) };
        let context = terms.context(terms.session, By::Seat(seat)).step(PLAYER_KEY);
        let taken = self.announced.values().flatten().chain(self.players.values()).any(|k| *k == announced.key);
        if taken || (!trusted && announced.proof.verify(&context, &announced.key).is_err()) {
            return Err(Why::BadKey.into());
        }
        self.players.insert(seat, announced.key);
        Ok(())
    }

    /// Takes a member's part in a key generation.
    pub(super) fn deal(
        &mut self,
        ceremony: u8,
        by: By,
        message: &Message,
        dealing: &Dealing,
        trusted: bool,
    ) -> Result<(), Unfit> {
        let Some(generation) = self.generations.get_mut(usize::from(ceremony)) else {
            return Err(Void::NotAwaited.into());
        };
        let Some(number) = generation.number(by) else { return Err(Void::NotYours.into()) };
        if generation.dealings.contains_key(&by) {
            return Err(Void::Second.into());
        }
        if !trusted {
            let before: Vec<(u16, &Dealing)> = generation
                .dealings
                .iter()
                .filter_map(|(by, dealing)| Some((generation.number(*by)?, dealing)))
                .collect();
            generation.ceremony.check(number, dealing, &before).map_err(Why::BadDealing)?;
        }
        generation.dealings.insert(by, dealing.clone());
        generation.hashes.insert(by, message.hash());
        Ok(())
    }

    /// Takes a member's complaints and returns who is guilty. One false complaint makes the whole message wrong.
    pub(super) fn complain(&mut self, ceremony: u8, by: By, complaints: &[Complaining]) -> Result<Vec<By>, Unfit> {
        let Some(generation) = self.generations.get_mut(usize::from(ceremony)) else {
            return Err(Void::NotAwaited.into());
        };
        let Some(me) = generation.number(by) else { return Err(Void::NotYours.into()) };
        if generation.ready.contains(&by) {
            return Err(Void::Second.into());
        }
        let mut guilty = Vec::new();
        for Complaining { against, complaint } in complaints {
            let dealing = generation.dealing(*against);
            let judged = dealing.map(|(dealer, dealing)| generation.ceremony.judge(me, dealer, dealing, complaint));
            match judged {
                // Nobody needs to complain twice about the same share.
                _ if guilty.contains(against) => return Err(Why::FalseComplaint { against: *against }.into()),
                Some(Judgement::DealerGuilty) => guilty.push(*against),
                Some(Judgement::ComplainerGuilty) | None => {
                    return Err(Why::FalseComplaint { against: *against }.into());
                }
            }
        }
        generation.ready.insert(by);
        Ok(guilty)
    }

    /// Advances to the next phase once nothing is missing.
    pub(super) fn advance(&mut self, terms: &Terms, left_out: &BTreeSet<By>) {
        if self.joint.is_some() {
            return;
        }
        if self.bound.is_none() {
            if !self.missing_keys(terms, left_out).is_empty() {
                return;
            }
            self.bind(terms, left_out);
        }
        match terms.threshold() {
            None => self.add_up(terms),
            Some(threshold) => self.finish_generations(terms, threshold, left_out),
        }
    }

    /// Who has not yet announced a key.
    pub(super) fn missing_keys(&self, terms: &Terms, left_out: &BTreeSet<By>) -> Vec<By> {
        let members = terms.members().into_iter().filter(|by| !self.announced.contains_key(by));
        let players =
            terms.players.iter().filter(|seat| terms.threshold().is_some() && !self.players.contains_key(seat));
        let mut missing: Vec<By> = members.chain(players.map(By::Seat)).filter(|by| !left_out.contains(by)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// The current phase.
    pub(super) fn phase(&self, left_out: &BTreeSet<By>) -> Phase<'_> {
        if self.joint.is_some() {
            return Phase::Done;
        }
        if self.bound.is_none() {
            return Phase::Announcing;
        }
        for (ceremony, generation) in (0..).zip(&self.generations) {
            if !generation.missing_dealings(left_out).is_empty() {
                return Phase::Dealing(ceremony, generation);
            }
            if !generation.missing_ready(left_out).is_empty() {
                return Phase::Complaining(ceremony, generation);
            }
        }
        Phase::Failed
    }

    /// All keys are there: everything from now on is bound to them.
    fn bind(&mut self, terms: &Terms, left_out: &BTreeSet<By>) {
        self.announced.retain(|by, _| !left_out.contains(by));
        self.players.retain(|seat, _| !left_out.contains(&By::Seat(*seat)));
        let mut hash = Sha256::new_with_prefix(b"fairdeal/keys/v1");
        hash.update(terms.session);
        for (by, keys) in &self.announced {
            hash.update(author(*by).to_le_bytes());
            keys.iter().for_each(|key| hash.update(key.bytes()));
        }
        for (seat, key) in &self.players {
            hash.update(author(By::Seat(*seat)).to_le_bytes());
            hash.update(key.bytes());
        }
        let bound: [u8; 32] = hash.finalize().into();
        self.bound = Some(bound);
        let Some(threshold) = terms.threshold() else { return };
        let ring: Vec<By> = self.announced.keys().copied().collect();
        for ceremony in 0..terms.ceremonies() {
            let keys = self.announced.values().filter_map(|keys| keys.get(usize::from(ceremony)).copied()).collect();
            let context = terms.context(bound, By::House).step(ceremony.into());
            // With too few members for the threshold, no generation begins, and so it fails.
            let Ok(ceremony) = Ceremony::new(context, threshold.into(), keys) else { continue };
            self.generations.push(Generation {
                ceremony,
                ring: ring.clone(),
                dealings: Map::new(),
                hashes: Map::new(),
                ready: BTreeSet::new(),
            });
        }
    }

    /// Every player needed: the joint key is the sum.
    fn add_up(&mut self, terms: &Terms) {
        if self.announced.len() != terms.members().len() {
            return;
        }
        let Some(bound) = self.bound else { return };
        let shares: PublicShares = (1..)
            .zip(&self.announced)
            .filter_map(|(number, (by, keys))| Some((*by, (number, *keys.first()?))))
            .collect();
        let key: Element = shares.values().map(|(_, key)| key.point()).sum::<Point>().into();
        if !key.is_identity() {
            self.joint = Some(Joint {
                ground: ground(bound, &[&key]),
                key,
                shares,
                beacon: Map::new(),
                dealers: BTreeSet::new(),
            });
        }
    }

    fn finish_generations(&mut self, terms: &Terms, threshold: u8, left_out: &BTreeSet<By>) {
        if self.generations.len() != usize::from(terms.ceremonies()) {
            return;
        }
        let complete = |g: &Generation| g.missing_dealings(left_out).is_empty() && g.missing_ready(left_out).is_empty();
        if !self.generations.iter().all(complete) {
            return;
        }
        let groups: Vec<_> = self.generations.iter().filter_map(|g| g.finish(threshold, left_out)).collect();
        let Some(bound) = self.bound else { return };
        let mut groups = groups.into_iter();
        let Some((key, shares)) = groups.next() else { return };
        let (beacon_key, beacon) = groups.next().unwrap_or((key, Map::new()));
        if terms.ceremonies() == 2 && beacon.is_empty() {
            return;
        }
        let dealers = shares.keys().copied().collect();
        self.joint = Some(Joint { ground: ground(bound, &[&key, &beacon_key]), key, shares, beacon, dealers });
    }
}

/// The context number of a player's key.
pub(super) const PLAYER_KEY: u32 = 100;

fn ground(bound: [u8; 32], keys: &[&Element]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"fairdeal/ground/v1");
    hash.update(bound);
    keys.iter().for_each(|key| hash.update(key.bytes()));
    hash.finalize().into()
}

impl Generation {
    /// A member's number in it.
    pub(super) fn number(&self, by: By) -> Option<u16> {
        self.ring.iter().position(|member| *member == by).and_then(|place| u16::try_from(place).ok())
    }

    /// What complaints build on: the dealings that count.
    pub(super) fn ground(&self, left_out: &BTreeSet<By>) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"fairdeal/dealings/v1");
        for (by, dealt) in self.hashes.iter().filter(|(by, _)| !left_out.contains(by)) {
            hash.update(author(*by).to_le_bytes());
            hash.update(dealt);
        }
        hash.finalize().into()
    }

    pub(super) fn missing_dealings(&self, left_out: &BTreeSet<By>) -> Vec<By> {
        let missing = |by: &By| !self.dealings.contains_key(by) && !left_out.contains(by);
        self.ring.iter().copied().filter(missing).collect()
    }

    pub(super) fn is_ready(&self, by: By) -> bool {
        self.ready.contains(&by)
    }

    pub(super) fn missing_ready(&self, left_out: &BTreeSet<By>) -> Vec<By> {
        let missing = |by: &By| !self.ready.contains(by) && !left_out.contains(by);
        self.ring.iter().copied().filter(missing).collect()
    }

    /// This member's dealing, with its number.
    pub(super) fn dealing(&self, by: By) -> Option<(u16, &Dealing)> {
        Some((self.number(by)?, self.dealings.get(&by)?))
    }

    /// The dealings that count.
    pub(super) fn qualified<'a>(&'a self, left_out: &'a BTreeSet<By>) -> impl Iterator<Item = (By, u16, &'a Dealing)> {
        self.dealings
            .iter()
            .filter(|(by, _)| !left_out.contains(by))
            .filter_map(|(by, dealing)| Some((*by, self.number(*by)?, dealing)))
    }

    fn finish(&self, threshold: u8, left_out: &BTreeSet<By>) -> Option<(Element, PublicShares)> {
        let qualified: Vec<(u16, &Dealing)> =
            self.qualified(left_out).map(|(_, number, dealing)| (number, dealing)).collect();
        if qualified.len() < usize::from(threshold) {
            return None;
        }
        let group = self.ceremony.finish(&qualified).ok()?;
        let shares = self
            .ring
            .iter()
            .zip((1..).zip(&group.shares))
            .filter(|(by, _)| !left_out.contains(by))
            .map(|(by, (number, share))| (*by, (number, *share)))
            .collect();
        Some((group.key, shares))
    }
}
