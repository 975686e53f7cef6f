//! Who played, how it ended, and who says so.
//!
//! Players have NOSTR keys. When a match is over, everybody signs the same text about it; a station counts such
//! results. Nothing here reads a clock, a file or a random number: all of that is given.
//!
//! # Layout
//!
//! - [`keys`]: secret and public keys, signatures (BIP-340, NIP-19); [`batch`]: many signatures at once;
//!   [`protected`]: keys with a passphrase (NIP-49).
//! - [`names`]: ids, hashes, callsigns, what files call a game; [`time`]: points in time.
//! - [`facts`]: what a result says, and whether it can be true.
//! - [`layout`]: result files, byte for byte, line by line ([`lines`]).
//! - [`signed`]: a result with signatures, and what they prove; [`settle`](mod@settle): which of several files counts.
//! - [`session`]: the seeds of a match.
//! - [`leaderboard`]: who won how often.
//! - [`paths`]: where the files lie.
//!
//! # A result from beginning to end
//!
//! ```
//! use games::AnyGame;
//! use results::*;
//! use table::Chips;
//!
//! let secrets = [1, 2].map(|byte| Secret::from_bytes(&[byte; 32]).unwrap());
//! let player = |index: usize, place, amount| {
//!     let key = secrets[index].public();
//!     Player { callsign: Callsign::of_player(&key), key, place, amount: Chips(amount) }
//! };
//! let facts = Facts {
//!     id: Uuid::random([7; 16]),
//!     game: AnyGame::Holdem,
//!     at: "2025-12-28 14:30:00".parse().unwrap(),
//!     seed: combined(&Uuid::random([7; 16]), &[[1; 32], [2; 32]]),
//!     log_hash: Some(Hash([9; 32])),
//!     players: vec![player(1, 1, 2000), player(0, 2, 0)],
//! };
//! let body = Body::new(facts, Form::Result { deals: 35 }).unwrap();
//!
//! // Signatures may come in any order.
//! let mut signed = Signed::new(body);
//! for (index, secret) in [(1, &secrets[0]), (0, &secrets[1])] {
//!     let signature = signed.body().sign(index, secret, &[0; 32]).unwrap();
//!     signed.add(index, signature).unwrap();
//! }
//! let read = Signed::parse(signed.text().as_bytes()).unwrap();
//! assert_eq!(read.check().verdict(), &Verdict::Complete);
//! ```

pub mod batch;
pub mod facts;
pub mod keys;
pub mod layout;
pub mod leaderboard;
pub mod lines;
pub mod names;
pub mod paths;
pub mod protected;
pub mod session;
pub mod settle;
pub mod signed;
pub mod time;

mod event;

pub use batch::{Claim, verify_all};
pub use facts::{BadFacts, Body, Facts, Form, Implausible, NotTheirs, Player};
pub use keys::{BadKey, KeyKind, NoKey, Public, Secret, Signature};
pub use leaderboard::{Leaderboard, Row, Tally, WrongSignature, tally};
pub use lines::{Unreadable, Why};
pub use names::{Callsign, Hash, NoCallsign, NoUuid, Uuid, game_name, game_named};
pub use protected::Locked;
pub use session::{Session, combined, seed_hash};
pub use settle::{Logs, MatchKey, NoLogs, Settled, by_match, settle};
pub use signed::{Checked, NotAdded, Signed, Verdict, check_all};
pub use time::{NoTimestamp, Timestamp};
