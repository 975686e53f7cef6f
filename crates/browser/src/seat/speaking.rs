//! What a member says by themselves, and what the page is told.

use peer::Fresh;
use peer::frame::ToHub;
use serde_json::{Value, json};

use super::{Around, Seat, Stage, send};
use crate::call::Effect;
use crate::kept::random;
use crate::telling;

/// How often time has to be looked at in a match, and before one.
const TICK: u64 = 500;
const SLOWLY: u64 = 5_000;
/// How often a page is told how long the table has waited.
const REPEAT: u64 = 5_000;
/// The pause after an entry that a hub gets back: hubs take 50 messages a second.
const RETURNING: u64 = 25;

impl Seat {
    /// Time has passed, or something has happened: says what has to be said, with what is secret stored before it.
    pub(super) fn speak(&mut self, around: &mut Around, effects: &mut Vec<Effect>) {
        // Nothing remains to be said.
        if self.kept.over {
            return;
        }
        let now = around.now;
        if let Stage::Match(matched) = &mut self.stage {
            matched.tick(&self.post, now, around.clock, &random(&mut around.rng));
            if self.auto {
                matched.decide_simply(&mut around.rng);
            }
        }
        self.changed |= self.door.forget(now);
        self.deliver(around, effects);
        self.end(around, effects);
        self.give_back(effects);
    }

    fn deliver(&mut self, around: &mut Around, effects: &mut Vec<Effect>) {
        let now = around.now;
        match &mut self.stage {
            Stage::Before(foyer) => {
                if self.post.caught_up().is_some() {
                    if self.keys.identity.is_some() {
                        foyer.introduce(&self.kept.name, None, self.keys.fresh);
                    }
                    foyer.guest.caught_up();
                }
                effects.extend(foyer.guest.to_store().map(|private| Effect::Secret(dealing::encode(private))));
                while let Some(envelope) = self.post.next(&mut foyer.guest, &fresh(around), now) {
                    effects.push(send(&ToHub::Append(envelope)));
                }
            }
            Stage::Match(matched) => {
                effects.extend(matched.to_store().map(|secret| Effect::Secret(secret.to_vec())));
                effects.extend(matched.asides().into_iter().map(|words| send(&ToHub::Beside { to: 0, words })));
                if matched.is_alone(&self.post, now) {
                    return;
                }
                while let Some(envelope) = matched.next(&mut self.post, &fresh(around), now) {
                    effects.push(send(&ToHub::Append(envelope)));
                }
            }
        }
    }

    /// After the match: everybody who can be waited for has everything, then what is secret is erased.
    fn end(&mut self, around: &mut Around, effects: &mut Vec<Effect>) {
        let Stage::Match(matched) = &mut self.stage else { return };
        let closing = matched.close(&self.post, around.now);
        // There may be something to say first.
        self.deliver(around, effects);
        let Some(closing) = closing else { return };
        if self.closing.as_ref() != Some(&closing) {
            self.changed = true;
        }
        if closing.done {
            self.kept.finish();
            effects.push(Effect::Keep(self.kept.text()));
            effects.push(Effect::Erase);
        }
        self.closing = Some(closing);
    }

    /// A hub that was restored gets the log back.
    fn give_back(&mut self, effects: &mut Vec<Effect>) {
        let Some(at) = self.returning else { return };
        match self.entries.get(at) {
            Some(entry) => {
                effects.push(send(&ToHub::Entry(entry.clone())));
                self.returning = Some(at + 1);
            }
            None => self.returning = None,
        }
    }

    /// Tells the page what has happened and how things are, and when to say that time has passed.
    pub(super) fn tell(&mut self, around: &mut Around, effects: &mut Vec<Effect>) {
        let over_now = self.is_over();
        let mut tell = |told: &Value| effects.push(Effect::Tell(told.to_string()));
        self.news.drain(..).for_each(|news| tell(&json!({ "news": news })));
        if let Stage::Match(matched) = &mut self.stage {
            matched.seen().into_iter().for_each(|seen| tell(&json!({ "seen": seen })));
        }
        if self.changed || around.now.saturating_sub(self.told) >= REPEAT {
            (self.changed, self.told) = (false, around.now);
            match &mut self.stage {
                Stage::Before(foyer) => tell(&telling::lobby(foyer, &self.post, &self.kept, &self.door.knocks())),
                Stage::Match(matched) => {
                    self.page.extend(matched.drawn(&self.post, around.now));
                    tell(&matched.now(&self.post, around.now));
                    if let Some(over) = matched.over() {
                        tell(&json!({ "over": over, "done": over_now }));
                    }
                }
            }
        }
        self.page.drain(..).for_each(|told| effects.push(Effect::Tell(json!({ "page": told }).to_string())));
        if self.is_over() {
            return;
        }
        let often = if matches!(self.stage, Stage::Match(_)) { TICK } else { SLOWLY };
        let often = if self.returning.is_some() { RETURNING } else { often };
        let wake = self.post.wait(around.now).map_or(often, |wait| wait.max(1).min(often));
        self.awake.asked(wake);
        effects.push(Effect::Wake(u32::try_from(wake).unwrap_or(u32::MAX)));
    }
}

fn fresh(around: &mut Around) -> Fresh {
    Fresh { nonce: random(&mut around.rng), aux: random(&mut around.rng) }
}
