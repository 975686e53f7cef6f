//! Commands of players, turned into events if the players may give them.

use bots::Kind;
use serde::Deserialize;
use serde_json::value::RawValue;
use table::{Height, Seat};

use super::event::{Event, Face, Sitter};
use super::refusal::Refusal;
use super::{LONGEST_TEXT, Room, check_text};
use crate::ids::PlayerId;

/// A player's command to a table. Pages and programs send the same ones.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Sit down, in this seat or in any free one.
    Sit {
        /// The seat.
        seat: Option<Seat>,
        /// Whether the player will send seeds. The table does not wait for a seat that sends none.
        #[serde(default)]
        seeds: bool,
    },
    /// Stand up; during the match, for good.
    Stand {},
    /// Put a computer in a seat; for the owner only.
    Computer {
        /// The seat.
        seat: Seat,
        /// The kind of computer; `None` removes it.
        level: Option<Kind>,
    },
    /// Free the seat of a player who does not come, before the match; for the owner only.
    Free {
        /// The seat.
        seat: Seat,
    },
    /// Start the match; for the owner only.
    Start {},
    /// Commit to a seed for a deck.
    Commit {
        /// The deck.
        deck: u32,
        /// 64 hexadecimal digits.
        commitment: String,
    },
    /// Reveal a seed.
    Reveal {
        /// The deck.
        deck: u32,
        /// 64 hexadecimal digits.
        seed: String,
        /// 64 hexadecimal digits.
        nonce: String,
    },
    /// Take part in seeds again, after not answering or not sending any so far.
    Wake {},
    /// Act.
    Act {
        /// The height it answers.
        height: Height,
        /// The action.
        action: Box<RawValue>,
    },
    /// Choose in secret.
    Choose {
        /// The height it answers.
        height: Height,
        /// The choice.
        choice: Box<RawValue>,
    },
    /// Continue after a deal.
    Ready {
        /// The deal that is over.
        deal: u32,
    },
    /// Be back after being away.
    Back {},
    /// Use the name and picture the player has changed to since they sat down.
    Rename {},
    /// Mute a player at this table, or unmute them; for the owner only.
    Mute {
        /// The player; all spectators, if `None`.
        player: Option<PlayerId>,
        /// Whether they are muted from now on.
        muted: bool,
    },
    /// Say something to everybody at the table.
    Say {
        /// The text.
        text: String,
    },
}

impl Room {
    /// The event that this player's command stands for, if they may give it. [`Room::apply`] decides whether the table
    /// accepts it.
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
            // The whole log is read again and again: nobody may fill it with spaces.
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
