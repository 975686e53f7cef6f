//! What comes in and goes out, as bytes.
//!
//! Numbers are little-endian. A call is
//!
//! ```text
//! clock u64 (milliseconds since 1970) · now u64 (milliseconds, never backwards) · 32 random bytes · event u8 · payload
//! ```
//!
//! and the effects are one after another `kind u8 · length u32 · payload`.

use core::fmt;

/// What a page tells the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call<'a> {
    /// Milliseconds since 1970.
    pub clock: u64,
    /// Milliseconds by a clock that never runs backwards.
    pub now: u64,
    /// Random bytes, new in every call.
    pub random: [u8; 32],
    /// What has happened.
    pub event: Event<'a>,
}

/// What has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// 1: somebody goes to a table for the first time. JSON: see `Kept`.
    New(&'a str),
    /// 2: somebody comes back to a table. `length u32 · kept · length u32 · secret · (length u32 · entry)…`
    Resume {
        /// What was kept.
        kept: &'a str,
        /// What only this member knows; empty if it is lost.
        secret: &'a [u8],
        /// The log.
        entries: Vec<&'a [u8]>,
    },
    /// 3: a frame has come from the hub.
    Frame(&'a [u8]),
    /// 4: the connection has ended, or could not be opened.
    Closed(&'a str),
    /// 5: time has passed.
    Tick,
    /// 6: the person wants something. JSON.
    Want(&'a str),
    /// 7: a question that changes nothing. JSON.
    Ask(&'a str),
    /// 20: somebody without a ticket knocks at a table. JSON: `at`, `table`, `name`.
    Knock(&'a str),
}

/// What a page has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// 1: keep this about the table, in place of what was kept. JSON.
    Keep(String),
    /// 2: add an entry to the log. `height u64 · entry`; there must be none at this height yet.
    Log {
        /// The height of the log with it.
        height: u64,
        /// The entry.
        entry: Vec<u8>,
    },
    /// 3: keep this secret, in place of the one before.
    Secret(Vec<u8>),
    /// 4: open a connection, after a pause, in place of the one before. `pause u32 · address`
    Connect {
        /// Milliseconds.
        pause: u32,
        /// The address of the socket.
        address: String,
    },
    /// 5: send a frame through the connection; without one, drop it.
    Send(Vec<u8>),
    /// 6: show this. JSON.
    Tell(String),
    /// 7: forget the secret: nothing remains to be done.
    Erase,
    /// 8: say that time has passed after this many milliseconds at the latest. `u32`
    Wake(u32),
    /// 9: it cannot go on. Text. The seat is as it was before the call.
    Failed(String),
}

/// Why bytes are not a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// They end too early.
    Short,
    /// No event has this number.
    Unknown(u8),
    /// Text that is none.
    Text,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("the call is cut off"),
            Self::Unknown(event) => write!(f, "there is no event {event}"),
            Self::Text => f.write_str("the call has text that is not UTF-8"),
        }
    }
}

impl<'a> Call<'a> {
    /// Reads a call.
    ///
    /// # Errors
    /// Says why the bytes are not one.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let (clock, rest) = bytes.split_first_chunk::<8>().ok_or(Malformed::Short)?;
        let (now, rest) = rest.split_first_chunk::<8>().ok_or(Malformed::Short)?;
        let (random, rest) = rest.split_first_chunk::<32>().ok_or(Malformed::Short)?;
        let (event, payload) = rest.split_first().ok_or(Malformed::Short)?;
        let event = match event {
            1 => Event::New(text(payload)?),
            2 => {
                let (kept, rest) = counted(payload)?;
                let (secret, mut rest) = counted(rest)?;
                let mut entries = Vec::new();
                while !rest.is_empty() {
                    let (entry, after) = counted(rest)?;
                    entries.push(entry);
                    rest = after;
                }
                Event::Resume { kept: text(kept)?, secret, entries }
            }
            3 => Event::Frame(payload),
            4 => Event::Closed(text(payload)?),
            5 => Event::Tick,
            6 => Event::Want(text(payload)?),
            7 => Event::Ask(text(payload)?),
            20 => Event::Knock(text(payload)?),
            other => return Err(Malformed::Unknown(*other)),
        };
        Ok(Self { clock: u64::from_le_bytes(*clock), now: u64::from_le_bytes(*now), random: *random, event })
    }
}

fn text(bytes: &[u8]) -> Result<&str, Malformed> {
    core::str::from_utf8(bytes).map_err(|_| Malformed::Text)
}

fn counted(bytes: &[u8]) -> Result<(&[u8], &[u8]), Malformed> {
    let (len, rest) = bytes.split_first_chunk::<4>().ok_or(Malformed::Short)?;
    let len = usize::try_from(u32::from_le_bytes(*len)).unwrap_or(usize::MAX);
    rest.split_at_checked(len).ok_or(Malformed::Short)
}

impl Effect {
    /// Writes it.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut payload = |kind: u8, parts: &[&[u8]]| {
            out.push(kind);
            let len: usize = parts.iter().map(|part| part.len()).sum();
            out.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
            parts.iter().for_each(|part| out.extend_from_slice(part));
        };
        match self {
            Self::Keep(json) => payload(1, &[json.as_bytes()]),
            Self::Log { height, entry } => payload(2, &[&height.to_le_bytes(), entry]),
            Self::Secret(secret) => payload(3, &[secret]),
            Self::Connect { pause, address } => payload(4, &[&pause.to_le_bytes(), address.as_bytes()]),
            Self::Send(frame) => payload(5, &[frame]),
            Self::Tell(json) => payload(6, &[json.as_bytes()]),
            Self::Erase => payload(7, &[]),
            Self::Wake(after) => payload(8, &[&after.to_le_bytes()]),
            Self::Failed(why) => payload(9, &[why.as_bytes()]),
        }
    }
}
