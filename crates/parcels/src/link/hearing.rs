//! What an end hears: hellos, parcels, and what is said to everybody.

use core::time::Duration;

use super::{Form, Link, tag};
use crate::fast::{self, Item, Parcel};
use crate::hello::Hears;
use crate::{Hello, Ignored, MOST_PIECE, slow, speaker};

impl Link {
    /// These bytes came with one write or notification.
    ///
    /// # Errors
    /// Says why they do not count. A bad line does that; a stranger does nothing else.
    pub fn heard(&mut self, piece: &[u8], now: Duration) -> Result<(), Ignored> {
        if self.piece.is_none() {
            return Err(Ignored::Early);
        }
        if piece.len() > MOST_PIECE {
            return Err(crate::Malformed::Long.into());
        }
        if let Some(shared) = self.shared(piece) {
            return shared.and_then(|parcel| self.overheard(parcel, now));
        }
        self.heard_alone(piece, now)?;
        self.alive = now;
        Ok(())
    }

    /// What is said to everybody, if this is a piece of it that a guest can take.
    fn shared(&self, piece: &[u8]) -> Option<Result<Parcel, Ignored>> {
        let fast = matches!(self.form, Form::Fast { .. }) && self.guest && self.greeting.heard;
        match piece.split_first_chunk() {
            Some(([_, speaker::TAG], parcel)) if fast && !Hello::begins(piece) => {
                Some(Parcel::decode(parcel, 0).map_err(Ignored::from))
            }
            _ => None,
        }
    }

    fn overheard(&mut self, parcel: Parcel, now: Duration) -> Result<(), Ignored> {
        match (&mut self.form, parcel) {
            (Form::Fast { receiving, .. }, Parcel::Shared { session, from, bytes }) => {
                receiving.overheard(session, from, &bytes, now)
            }
            _ => Err(crate::Malformed::Unknown.into()),
        }
    }

    /// What is said on this line.
    fn heard_alone(&mut self, piece: &[u8], now: Duration) -> Result<(), Ignored> {
        if Hello::begins(piece) {
            return self.greeted(Hello::decode(piece)?, now);
        }
        match &mut self.form {
            Form::Ended => Err(Ignored::OtherSession),
            Form::Open(receiving) => {
                let heard = receiving.heard(piece, now).map(drop);
                self.slow_if_spoken_to();
                heard
            }
            Form::Slow { sending, receiving } => match receiving.heard(piece, now)? {
                slow::Heard::Receipt(receipt) => sending.receipted(&receipt),
                slow::Heard::Part => Ok(()),
            },
            Form::Fast { peer, sending, receiving } => {
                if !self.greeting.heard {
                    return Err(Ignored::Early);
                }
                let most = usize::from(self.limits.parcel) + fast::ADDED;
                let tag = tag(if self.guest { self.session } else { peer.session });
                let Some(parcel) = self.joined.add(tag, piece, most)? else { return Ok(()) };
                let parcel = Parcel::decode(&parcel, peer.session)?;
                // Who says more than hello has heard ours.
                self.greeting.known = true;
                match parcel {
                    Parcel::Data { from, bytes } => receiving.heard(from, &bytes, now),
                    Parcel::Again { from, length } if !self.guest => {
                        self.missed = Some((from, length));
                        Ok(())
                    }
                    Parcel::Again { .. } | Parcel::Shared { .. } => Err(crate::Malformed::Unknown.into()),
                    Parcel::Receipt { next, at, later } => sending.receipted(next, at, &later, now),
                }
            }
        }
    }

    /// The other end says hello.
    fn greeted(&mut self, hello: Hello, now: Duration) -> Result<(), Ignored> {
        let to_us = hello.to == self.session || hello.to == 0 && !self.guest;
        if !to_us {
            // It answers somebody else, so it knows this form, and will answer here.
            if self.guest && matches!(self.form, Form::Open(_)) {
                self.greeting.said = 0;
            }
            return Err(Ignored::OtherSession);
        }
        match &mut self.form {
            Form::Slow { .. } | Form::Ended => return Err(Ignored::OtherSession),
            Form::Fast { peer, .. } if peer.session != hello.session => {
                if self.greeting.heard {
                    return Err(Ignored::OtherSession);
                }
                self.form = Form::Ended;
                return Ok(());
            }
            Form::Fast { peer, receiving, .. } => {
                *peer = hello;
                if !self.greeting.heard {
                    receiving.back(now);
                }
            }
            Form::Open(_) => {
                let mut sending = fast::Sending::default();
                self.waiting.drain(..).for_each(|message| sending.push(&Item::Message(&message)));
                self.form = Form::Fast { peer: hello, sending, receiving: fast::Receiving::default() };
            }
        }
        self.greeting.heard = true;
        self.greeting.known |= hello.heard >= Hears::You;
        // Who does not know that it was heard is told.
        if hello.heard < Hears::Both {
            self.greeting.at = Some(now);
        }
        Ok(())
    }

    /// Somebody who has said something in Geogram's form is answered in it.
    pub(super) fn slow_if_spoken_to(&mut self) {
        if matches!(&self.form, Form::Open(receiving) if receiving.must_answer()) {
            self.slow();
        }
    }

    /// From now on in Geogram's form.
    pub(super) fn slow(&mut self) {
        let form = core::mem::replace(&mut self.form, Form::Ended);
        let Form::Open(receiving) = form else {
            self.form = form;
            return;
        };
        let mut sending = slow::Sending::new(self.session);
        self.waiting.drain(..).for_each(|message| sending.push(message));
        self.form = Form::Slow { sending, receiving };
    }
}
