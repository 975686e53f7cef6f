//! A match without a trusted dealer: the sealed, signed log of a private table, and the session over it.
//!
//! # Layout
//!
//! - [`seal`](TableKey): the table's key, and what it seals.
//! - [`ticket`](Ticket), [`knock`](Knock): how players get that key.
//! - [`entry`](Entry): what is said, and the hub's word for where it is in the log.
//! - [`chain`](Chain): the log as everybody checks it.
//! - [`hub`](Hub): puts envelopes in order, and reads nothing; [`budget`](Budget): how much it takes from whom.
//! - [`frame`]: what hubs and members say to each other through a socket; [`beside`](Beside): what they pass on next to
//!   the log, such as [`chat`](Chat).
//! - [`change`](Change): replacing a lost hub; [`gathering`](Ballot): how people agree on it.
//! - [`body`](Body): what is in an envelope.
//! - [`member`](Member): one member's half of the log.
//! - [`lobby`](Lobby): before a match; [`start`](Start): how it begins.
//! - [`session`](Session): a match over the log; [`waits`](Waits): who is late.
//! - [`peer`](Guest): one program at a table, from joining to the result.
//! - [`place`]: what such a program decides around that, for terminals and browsers.
//! - [`record`](Record): the log as a file; [`verify`](verify()): checking it; [`text`](lines): reading it.

mod beside;
mod body;
mod budget;
mod chain;
mod change;
mod chat;
mod entry;
pub mod frame;
mod gathering;
mod hash;
mod hub;
mod knock;
mod lobby;
mod member;
mod peer;
pub mod place;
mod reading;
mod record;
mod seal;
mod session;
mod start;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod ticket;
mod verify;
mod waits;

pub use self::peer::{Guest, MoveOf, News, Seated};
pub use beside::Beside;
pub use body::{BadJoin, Body, Join, MOST_ACTION, MOST_NAME, RunBy};
pub use budget::{Budget, Exceeded};
pub use chain::{Chain, Fork, MOST_ENTRIES, MOST_MEMBERS, NotNext, Unfit};
pub use change::{BadChange, Change, Proposal, Roster, Standby, Vote};
pub use chat::{Chat, Chatted, MOST_CHAT, Unheard, Unsayable};
pub use entry::{Author, Entry, Envelope, Fresh, Head, MOST_ENTRY, MOST_ENVELOPE, Ordered};
pub use gathering::{Aside, Ballot};
pub use hub::{Hub, NotInstalled, Refused, installation};
pub use knock::{Answering, Failed, Knock, Knocked, Knocking};
pub use lobby::{Begun, Joined, Lobby, Offered, Player, Void};
pub use member::{Heard, Member, NoBallot};
pub use record::{Record, Unreadable};
pub use seal::{MOST_BODY, MOST_SEALED, TableId, TableKey, Unopened};
pub use session::{
    ActionOf, ChoiceOf, Effect, Ended, Fault, Nothing, Preparing, Private, Seen, Session, Who, Why, Wrong,
};
pub use start::{BadStart, Start};
pub use text::{Kind, Line, action_text, each_line, lines};
pub use ticket::{BadTicket, MOST_ADDRESS, MOST_TICKET, Ticket};
pub use verify::{OtherGame, Played, Report, Verifying, verify, verify_entries};
pub use waits::{ABANDON, Duty, GRACE, NoVote, People, Verdict, Wait, Waits};
