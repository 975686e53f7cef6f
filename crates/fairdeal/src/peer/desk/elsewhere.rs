//! Alone at a hub: the others may have replaced it while this program, or the computer, was away.
//!
//! What is said to a hub that was replaced is lost, and a player who has said it cannot go back to the others: the log
//! of this player would not be theirs any more. So somebody who is alone says nothing, and asks the hubs that may have
//! taken over. Somebody whose computer has slept asks them before anything else: who was there is not known any more, and
//! what comes from before, or from a hub that slept as well, may be what nobody else has heard.

use std::time::{Duration, Instant};

use ::peer::{Chain, Entry, Ticket};
use relays::address::Through;
use results::Public;
use server::private::Sleeper;
use table::Game;

use super::thread::Sitting;
use crate::failure::Failure;
use crate::peer::net::{Event, Held, Link, Who};

/// How long other hubs have to answer, and how long they have behind a relay, before they are asked anew.
const TO_ANSWER: Duration = Duration::from_secs(5);
const TO_ANSWER_SLOWLY: Duration = Duration::from_secs(20);
/// How often their answers are looked at while nothing else happens.
const LOOK: Duration = Duration::from_millis(20);

/// What a player does who is alone.
#[derive(Default)]
pub(super) struct Elsewhere {
    /// Since when.
    alone: Option<Instant>,
    /// When the others were asked.
    since: Option<Instant>,
    asked: Vec<Asked>,
}

/// A hub that is asked.
struct Asked {
    hub: Public,
    link: Option<Link>,
    /// The log as far as it is known from there.
    chain: Chain,
}

impl Asked {
    /// Whether it has replaced the hub; `None` before it has said everything.
    fn answer(&mut self) -> Option<bool> {
        let Some(link) = &self.link else { return Some(false) };
        for event in link.events().try_iter() {
            match event {
                Event::Entry(bytes) => {
                    let Ok(entry) = dealing::decode::<Entry>(&bytes) else { return Some(false) };
                    if self.chain.accept(&entry).is_err() {
                        return Some(false);
                    }
                    if matches!(entry, Entry::Change(_)) {
                        return Some(true);
                    }
                }
                Event::Connected { head, .. } if head.height <= self.chain.head().height => return Some(false),
                Event::Lost(_) | Event::Ended(_) => return Some(false),
                _ => {}
            }
        }
        None
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // A connection that is still being opened takes its time to end.
        let link = self.link.take();
        std::thread::spawn(move || drop(link));
    }
}

impl<G: Game> Sitting<'_, G> {
    /// Whether nobody else is at this hub, although the others could have replaced it.
    pub(super) fn is_alone(&self) -> bool {
        self.place.is_alone(self.post.known(), self.now())
    }

    /// After a restart, the player who runs the hub asks the others before they listen to their own hub: it may have put
    /// something in order that nobody else has heard.
    pub(super) fn ask_before_own(&mut self) {
        if self.hub.is_some() {
            self.ask_before_all();
        }
    }

    /// If the computer has slept, the others are asked, and everything that is not stored comes again.
    pub(super) fn wake(&mut self) -> Result<(), Failure> {
        if !self.has_slept() {
            return Ok(());
        }
        self.ask_before_all();
        self.sleeper = Sleeper::awake();
        self.slept = false;
        self.post.reconnect()
    }

    /// Looks at the clock: whether the computer has slept, and has not asked the others since.
    pub(super) fn has_slept(&mut self) -> bool {
        self.slept |= self.sleeper.has_slept();
        self.slept
    }

    /// Asks the hubs that may have replaced this one, and waits for their answers.
    fn ask_before_all(&mut self) {
        if !self.place.is_replaceable() || self.place.seated.session().ended().is_some() {
            return;
        }
        self.ask_others();
        let end = Instant::now() + TO_ANSWER;
        while !self.elsewhere.asked.is_empty() && Instant::now() < end && !self.was_replaced() {
            std::thread::sleep(LOOK);
        }
        self.elsewhere = Elsewhere::default();
    }

    /// Asks the hubs that may have replaced this one.
    pub(super) fn look_elsewhere(&mut self) -> Result<(), Failure> {
        let in_office =
            self.post.online().is_ok() && self.post.hub() == Some(*self.place.seated.member().chain().hub());
        if !in_office || !self.is_alone() {
            self.elsewhere = Elsewhere::default();
            return Ok(());
        }
        let alone = *self.elsewhere.alone.get_or_insert_with(Instant::now);
        if alone.elapsed() < self.patience / 2 {
            return Ok(());
        }
        if self.was_replaced() {
            self.elsewhere = Elsewhere::default();
            return self.post.reconnect();
        }
        let successors = &self.place.seated.session().begun().start.successors;
        let slowly = successors.iter().any(|standby| standby.at.parse::<Through>().is_ok());
        let time = if slowly { TO_ANSWER_SLOWLY } else { TO_ANSWER };
        if self.elsewhere.since.is_none_or(|since| since.elapsed() > time) {
            self.ask_others();
        }
        Ok(())
    }

    fn ask_others(&mut self) {
        let member = self.place.seated.member();
        let own = self.folder.kept.standing().map(|(key, _)| key.public());
        let office = *member.chain().hub();
        let others = self.place.seated.session().begun().start.successors.iter();
        let others = others.filter(|standby| standby.hub != office && Some(standby.hub) != own);
        let asked = others.map(|standby| {
            let ticket = Ticket { at: standby.at.clone(), key: member.table().clone(), hub: standby.hub };
            let held = Held::knowing(member.chain().head(), member.number());
            let link = Link::open(Who::Member { ticket, key: member.key().clone() }, held).ok();
            Asked { hub: standby.hub, link, chain: member.chain().clone() }
        });
        self.elsewhere.asked = asked.collect();
        self.elsewhere.since = Some(Instant::now());
    }

    /// Whether one of those who were asked has replaced the hub: the next connection is to that one.
    fn was_replaced(&mut self) -> bool {
        let mut found = None;
        self.elsewhere.asked.retain_mut(|asked| {
            let answer = asked.answer();
            found = found.or((answer == Some(true)).then_some(asked.hub));
            answer.is_none()
        });
        found.inspect(|hub| self.post.in_office(*hub)).is_some()
    }
}
