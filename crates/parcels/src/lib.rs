//! Messages over Bluetooth LE: cut into parcels, checked, receipted, sent again, put together.
//!
//! A radio carries a few bytes at a time, between 20 and 517 of them, and may lose, repeat, delay or damage them, or cut the
//! connection. A [`Link`] is one end of such a line. What one end is given to send comes out of the other once, in
//! order and unchanged, or it does not come out. Nothing here reads a clock, draws a number or touches a radio: the
//! owner of a link passes on what was heard and what time it is, and writes what the link hands out.
//!
//! ```text
//! message ──► parcels (numbered, CRC-32) ──► pieces (what one write or notification carries) ──► radio
//! message ◄── in order, once ◄── receipts ask for what is missing ◄── pieces joined ◄────────── radio
//! ```
//!
//! There are two forms. Programs that know each other's hello use the *fast* one: parcels of up to 4 kB, up to 32 of them
//! on their way, without pauses. With anybody else, a link speaks as the Geogram app does, the *slow* form: parcels of
//! 280 bytes, half a second apart, around a JSON envelope. `docs/bluetooth.md` describes both byte by byte.
//!
//! # Layout
//!
//! - [`link`]: one end of a line, which the owner drives.
//! - [`hello`]: how programs find out what the other one can do.
//! - [`fast`]: the form between programs that know each other's hello.
//! - [`slow`]: Geogram's form.
//! - [`speaker`]: what a host says to all guests at once.
//! - [`advert`]: what a device says about itself before anybody connects.
//! - `crc`: the checksum.
//!
//! # Example
//!
//! ```
//! use core::time::Duration;
//! use parcels::{Limits, Link, Output};
//!
//! let now = Duration::ZERO;
//! let mut ann = Link::guest(1, Limits::default());
//! let mut bob = Link::host(2, Limits::default());
//! ann.back(20, now);
//! bob.back(20, now);
//! ann.send(b"two cards, please".to_vec()).unwrap();
//! let mut heard = None;
//! while heard.is_none() {
//!     while let Output::Write(piece) = ann.poll(now) {
//!         bob.heard(&piece, now).unwrap();
//!     }
//!     match bob.poll(now) {
//!         Output::Write(piece) => ann.heard(&piece, now).unwrap(),
//!         Output::Received(message) => heard = Some(message),
//!         Output::Missed(..) | Output::Wait(_) => {}
//!     }
//! }
//! assert_eq!(heard.unwrap(), b"two cards, please");
//! ```

pub mod advert;
mod crc;
pub mod fast;
pub mod hello;
mod ignored;
pub mod link;
mod reader;
pub mod slow;
pub mod speaker;

pub use advert::Advertisement;
pub use hello::{Hello, Limits};
pub use ignored::{Ignored, Malformed};
pub use link::{Link, Output, Refused, State};
pub use speaker::Speaker;

/// The GATT service.
pub const SERVICE: u16 = 0xFFF0;
/// The characteristic that a guest writes to.
pub const WRITE: u16 = 0xFFF1;
/// The characteristic that notifies a guest.
pub const NOTIFY: u16 = 0xFFF2;
/// The characteristic that says who this is.
pub const READ: u16 = 0xFFF3;

/// What one write or notification carries at least.
pub const LEAST_PIECE: usize = 20;
/// What one write or notification carries at most: an attribute has at most 512 bytes.
pub const MOST_PIECE: usize = 512;
/// The longest message.
pub const MOST_MESSAGE: usize = 128 << 10;
/// How many bytes may wait to be sent, and how many received messages may wait to be taken, on each link.
pub const MOST_WAITING: usize = 512 << 10;
