//! What travels over NOSTR relays: results, leaderboards, offers of tables, invitations, and the frames of a match.
//!
//! A relay keeps *events* and hands them out. It can lie, delay, drop and invent, so nothing here believes one: an
//! [`Event`] exists only with its signature checked, and what is in it is checked again as what it is. Nothing here reads
//! a clock, a random number or a socket: all of that is given.
//!
//! # Layout
//!
//! - [`event`]: events and their signatures (NIP-01).
//! - [`message`]: what a program and a relay say to each other (NIP-01).
//! - [`address`]: addresses of relays.
//! - [`encrypted`]: texts for one reader (NIP-44); [`gift`]: events for one reader (NIP-59).
//! - [`result`]: results as events; [`board`]: leaderboards as events.
//! - [`offer`]: tables that are offered, and invitations to them.
//! - [`line`](mod@line): frames between two programs, none lost or doubled, whatever a relay does.
//!
//! # A result from one player to a station
//!
//! ```
//! # use games::AnyGame;
//! # use results::*;
//! # use table::Chips;
//! use relays::{Event, result};
//!
//! # let secrets = [1, 2].map(|byte| Secret::from_bytes(&[byte; 32]).unwrap());
//! # let player = |index: usize, place, amount| {
//! #     let key = secrets[index].public();
//! #     Player { callsign: Callsign::of_player(&key), key, place, amount: Chips(amount) }
//! # };
//! # let facts = Facts {
//! #     id: Uuid::random([7; 16]),
//! #     game: AnyGame::Holdem,
//! #     at: "2025-12-28 14:30:00".parse().unwrap(),
//! #     seed: combined(&Uuid::random([7; 16]), &[[1; 32], [2; 32]]),
//! #     log_hash: Some(Hash([9; 32])),
//! #     players: vec![player(0, 1, 2000), player(1, 2, 0)],
//! # };
//! # let mut signed = Signed::new(Body::new(facts, Form::Result { deals: 35 }).unwrap());
//! // One player has signed, and publishes that.
//! let signature = signed.body().sign(0, &secrets[0], &[0; 32]).unwrap();
//! signed.add(0, signature).unwrap();
//! let event = result::write(&signed, 1_766_932_200).sign(&secrets[0], &[0; 32]);
//!
//! // A station reads what a relay hands out.
//! let event = Event::parse(&event.text()).unwrap();
//! let read = result::read(&event).unwrap().check();
//! assert_eq!(read.verdict(), &Verdict::Partial { missing: vec![1] });
//! ```

pub mod address;
pub mod board;
pub mod encrypted;
pub mod event;
pub mod gift;
pub mod line;
pub mod message;
pub mod offer;
pub mod result;

pub use address::{BadAddress, RelayUrl};
pub use event::{BadEvent, Draft, Event, EventId, Kind};
pub use message::{Filter, FromRelay, Strange, ToRelay};

/// Milliseconds or seconds are the caller's; every time in an event is in seconds since 1970.
pub type Seconds = u64;
