//! What players want, turned into events, as far as they may want it.

use bots::Kind;
use serde::Deserialize;
use serde_json::value::RawValue;
use table::{Height, Seat};

use super::event::{Event, Face, Sitter};
use super::refusal::Refusal;
use super::{LONGEST_TEXT, Room, check_text};
use crate::ids::PlayerId;

/// What a player wants of a table. Pages and programs send the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// To sit down, in this seat or in any that is free.
    Sit {
        /// Where.
        seat: Option<Seat>,
        /// Will seeds come? A seat that sends none is not waited for.
        #[serde(default)]
        seeds: bool,
    },
    /// To stand up; while the match is played, for good.
    Stand {},
    /// To have a computer in a seat; the owner may.
    Computer {
        /// Where.
        seat: Seat,
        /// Which; none takes the computer away.
        level: Option<Kind>,
    },
    /// To free the seat of somebody who does not come, before the match; the owner may.
    Free {
        /// Which.
        seat: Seat,
    },
    /// To begin; the owner may.
    Start {},
    /// To commit to a seed for a deck.
    Commit {
        /// Which deck.
        deck: u32,
        /// 64 hexadecimal digits.
        commitment: String,
    },
    /// To reveal it.
    Reveal {
        /// Which deck.
        deck: u32,
        /// 64 hexadecimal digits.
        seed: String,
        /// 64 hexadecimal digits.
        nonce: String,
    },
    /// To be asked for seeds again, after not having answered or having sent none so far.
    Wake {},
    /// To act.
    Act {
        /// The height it answers.
        height: Height,
        /// What.
        action: Box<RawValue>,
    },
    /// To choose in secret.
    Choose {
        /// The height it answers.
        height: Height,
        /// What.
        choice: Box<RawValue>,
    },
    /// To go on after a deal.
    Ready {
        /// The deal that is over.
        deal: u32,
    },
    /// To be there again.
    Back {},
    /// To be called, and to look, as one has said since one sat down.
    Rename {},
    /// To mute somebody at this table, or to hear them again; the owner may.
    Mute {
        /// Whom; everybody who looks on, if nobody is named.
        player: Option<PlayerId>,
        /// Are they to be muted?
        muted: bool,
    },
    /// To say something to everybody at the table.
    Say {
        /// What.
        text: String,
    },
}

impl Room {
    /// The event that this player's command is, if he may. Whether the table takes it, [`Room::apply`] tells.
    pub fn event(&self, player: PlayerId, face: &Face, command: Command) -> Result<Event, Refusal> {
        let seat = || self.seat_of(player).ok_or(Refusal::NotSeated);
        let play = || self.play().ok_or(Refusal::NotBegun);
        Ok(match command {
            Command::Sit { seat, seeds } => {
                if let Some(seat) = self.seat_of(player) {
                    return Err(Refusal::SeatedAlready(seat));
                }
                let free = || self.chairs().find(|(_, chair)| chair.who.is_none()).map(|(seat, _)| seat);
                let seat = seat.or_else(free).ok_or(match self.stage() {
                    None => Refusal::NoSuchSeat,
                    Some(_) => Refusal::Begun,
                })?;
                // A computer makes way for the owner only.
                if self.chair(seat).is_some_and(|chair| chair.who.is_some()) && self.owner != Some(player) {
                    return Err(Refusal::Taken(seat));
                }
                Event::Sat { seat, who: Sitter::Player { player, face: face.clone(), seeds } }
            }
            Command::Stand {} => Event::Stood { seat: seat()? },
            Command::Computer { seat, level } => {
                if !self.owns(player) {
                    return Err(Refusal::NotOwner);
                }
                if self.stage().is_some() {
                    return Err(Refusal::Begun);
                }
                let chair = self.chair(seat).ok_or(Refusal::NoSuchSeat)?;
                match level {
                    Some(_) if chair.player().is_some() => return Err(Refusal::Taken(seat)),
                    Some(kind) => Event::Sat { seat, who: Sitter::Computer(kind) },
                    None if chair.computer().is_some() => Event::Stood { seat },
                    None => return Err(Refusal::NotSeated),
                }
            }
            Command::Free { seat } => {
                if self.owner() != Some(player) {
                    return Err(Refusal::NotOwner);
                }
                if self.stage().is_some() {
                    return Err(Refusal::Begun);
                }
                let other = self.chair(seat).ok_or(Refusal::NoSuchSeat)?.player().filter(|other| *other != player);
                other.ok_or(Refusal::NotSeated)?;
                Event::Stood { seat }
            }
            Command::Start {} => {
                if !self.owns(player) {
                    return Err(Refusal::NotOwner);
                }
                Event::Started
            }
            Command::Commit { deck, commitment } => Event::Committed { seat: seat()?, deck, commitment },
            Command::Reveal { deck, seed, nonce } => Event::Revealed { seat: seat()?, deck, seed, nonce },
            Command::Wake {} => Event::Woke { seat: seat()? },
            // The log is read whole again and again: nobody fills it with spaces.
            Command::Act { height, action } => {
                Event::Acted { seat: seat()?, height, action: play()?.action(&action)?, timeout: false }
            }
            Command::Choose { height, choice } => {
                Event::Chose { seat: seat()?, height, choice: play()?.choice(&choice)?, timeout: false }
            }
            Command::Ready { deal } => Event::Ready { seat: seat()?, deal },
            Command::Back {} => Event::Back { seat: seat()? },
            Command::Rename {} => Event::Renamed { seat: seat()?, face: face.clone() },
            Command::Mute { player: whom, muted } => {
                if !self.moderates(player) {
                    return Err(Refusal::NotOwner);
                }
                Event::Muted { player: whom, muted }
            }
            Command::Say { text } => {
                let text = text.trim().to_owned();
                check_text(&text, LONGEST_TEXT)?;
                self.may_speak(player)?;
                Event::Said { player, name: face.name.clone(), text }
            }
        })
    }
}
