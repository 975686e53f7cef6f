//! Geogram's form, for everybody who does not answer a hello.
//!
//! ```text
//! envelope   {"v":1,"id":"…","type":"fairdeal","seq":0,"total":1,"payload":{"data":"base64"}}
//! header     two letters · parcels u16 · CRC-32 u32 · flags u8 · up to 271 bytes           big-endian
//! data       the same letters · number u16 (from 1) · up to 276 bytes
//! receipt    {"msg_id":"AK","status":"complete"}, "checksum_failed", or "missing" and "parcels":[3,7]
//! ```
//!
//! An envelope is a message of this form, at most 50 kB long, and is cut into parcels of 280 bytes; only the last is
//! shorter. What does not fit into one envelope becomes several, `seq` of `total`. One envelope is on its way at a time.
//! The bytes of a parcel are written in pieces without any mark, so a parcel ends where it must: after 280 bytes, where the
//! checksum fits, or where nothing follows.
//!
//! - [`Envelope`], [`Receipt`]: the texts; [`cut`]: the parcels of an envelope.
//! - `sending`, `receiving`: the two directions.

mod envelope;
mod parcel;
mod receipt;
mod receiving;
mod sending;

use core::time::Duration;

pub use envelope::{Envelope, MOST_PART};
pub use parcel::{Letters, cut};
pub use receipt::{Receipt, Status};
pub(crate) use receiving::{Heard, Receiving};
pub(crate) use sending::Sending;

/// How long a parcel is; only the last of a message is shorter.
pub const PARCEL: usize = 280;
/// The longest message of this form.
pub const MOST: usize = 50_000;
/// The pause between two parcels.
pub const PAUSE: Duration = Duration::from_millis(500);
/// The pause between two pieces of a parcel.
pub const PIECE_PAUSE: Duration = Duration::from_millis(30);
/// Where nothing follows for this long, a parcel is over.
pub const QUIET: Duration = Duration::from_millis(200);
/// How long a receipt may take before everything is sent again.
pub const RECEIPT_WAIT: Duration = Duration::from_secs(10);
/// After this long without another parcel, the missing ones are asked for.
pub const ASK: Duration = Duration::from_secs(5);
/// After this long without another parcel, a message that was begun is forgotten.
pub const FORGET: Duration = Duration::from_secs(60);
