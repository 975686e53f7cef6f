//! Tickets: what a player needs to join a private table.
//!
//! A ticket is a link, so that it can be sent, clicked, or scanned as a QR code:
//!
//! ```text
//! http://192.168.1.5:7777/private/<table id>#fdt1<table key and hub key>
//! ```
//!
//! Over Bluetooth, the address is `bluetooth://` and the name that the host advertises, such as `X1ABCD-7`.
//!
//! Behind a NOSTR relay, it is `wss://`, the hub's key there as `npub1…`, `@`, and the relay.
//!
//! What comes after `#` is never sent to a server by a browser, nor by this program. It has a checksum (bech32m).

use core::fmt;
use core::str::FromStr;

use bech32::{Bech32m, Hrp};
use dealing::{Malformed, Reader, Wire, write_counted};
use results::Public;
use zeroize::Zeroizing;

use crate::body::read_text;
use crate::entry::read_key;
use crate::seal::{TableId, TableKey};

/// The longest ticket.
pub const MOST_TICKET: usize = 600;
/// The longest address of a hub.
pub const MOST_ADDRESS: usize = 200;

/// A way into a private table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Where the hub is: `http://host:port`, `https://host`, `bluetooth://name` or `wss://npub1…@relay`, without a slash at the end.
    pub at: String,
    /// The table's key.
    pub key: TableKey,
    /// The hub's key.
    pub hub: Public,
}

/// Why a text is not a ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadTicket {
    /// It is too long.
    TooLong,
    /// It does not begin like a link.
    NotALink,
    /// It is a link to something else.
    NotATable,
    /// There is nothing after `#`, where the key must be.
    NoKey,
    /// The key is damaged: a letter is wrong or missing.
    Damaged,
    /// It was made by a newer version of the program.
    Newer(u8),
    /// The key belongs to another table than the link.
    OtherTable,
}

impl fmt::Display for BadTicket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "a ticket has at most {MOST_TICKET} characters"),
            Self::NotALink => f.write_str("a ticket begins with http://, https://, bluetooth://, ws:// or wss://"),
            Self::NotATable => f.write_str("this is a link, but not to a private table"),
            Self::NoKey => f.write_str("the ticket is cut off: the part after # is missing"),
            Self::Damaged => f.write_str("a letter of the ticket is wrong or missing"),
            Self::Newer(version) => write!(f, "the ticket has version {version}; this program knows version {VERSION}"),
            Self::OtherTable => f.write_str("the ticket's key belongs to another table than its link"),
        }
    }
}

impl core::error::Error for BadTicket {}

const VERSION: u8 = 1;
const PREFIX: Hrp = Hrp::parse_unchecked("fdt");
const PATH: &str = "/private/";
/// How an address of a hub begins.
const SCHEMES: [&str; 5] = ["http://", "https://", "bluetooth://", "ws://", "wss://"];

impl Ticket {
    /// The table.
    pub fn table(&self) -> TableId {
        self.key.table()
    }

    /// The secret part.
    fn secret(&self) -> Zeroizing<String> {
        let mut bytes = Zeroizing::new(vec![VERSION]);
        bytes.extend_from_slice(self.key.bytes());
        bytes.extend_from_slice(self.hub.bytes());
        Zeroizing::new(bech32::encode::<Bech32m>(PREFIX, &bytes).expect("a ticket is short enough for its checksum"))
    }
}

/// The link. It is a secret: anyone who reads it can join.
impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{PATH}{}#{}", self.at, self.table(), *self.secret())
    }
}

impl FromStr for Ticket {
    type Err = BadTicket;

    fn from_str(text: &str) -> Result<Self, BadTicket> {
        let text = text.trim();
        if text.len() > MOST_TICKET {
            return Err(BadTicket::TooLong);
        }
        if !SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
            return Err(BadTicket::NotALink);
        }
        let (link, secret) = text.split_once('#').map_or((text, ""), |(link, secret)| (link, secret));
        let (at, table) = link.rsplit_once(PATH).ok_or(BadTicket::NotATable)?;
        let (prefix, bytes) = match secret {
            "" => return Err(BadTicket::NoKey),
            secret => bech32::decode(secret).map_err(|_| BadTicket::Damaged)?,
        };
        let bytes = Zeroizing::new(bytes);
        let (version, rest) = bytes.split_first().ok_or(BadTicket::Damaged)?;
        if prefix != PREFIX {
            return Err(BadTicket::Damaged);
        }
        if *version != VERSION {
            return Err(BadTicket::Newer(*version));
        }
        let (key, hub) = rest.split_first_chunk::<32>().ok_or(BadTicket::Damaged)?;
        let hub: [u8; 32] = hub.try_into().map_err(|_| BadTicket::Damaged)?;
        let ticket = Self {
            at: at.to_owned(),
            key: TableKey::new(*key),
            hub: Public::from_bytes(hub).map_err(|_| BadTicket::Damaged)?,
        };
        if ticket.table().to_string() != table.trim_end_matches('/') {
            return Err(BadTicket::OtherTable);
        }
        Ok(ticket)
    }
}

/// As it is said at a table: key 32 · hub's key 32 · address. Addresses that are none cannot be decoded.
impl Wire for Ticket {
    fn write(&self, out: &mut Vec<u8>) {
        self.key.bytes().write(out);
        self.hub.bytes().write(out);
        write_counted(self.at.as_bytes(), out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { key: TableKey::new(from.array()?), hub: read_key(from)?, at: read_address(from)? })
    }
}

/// The address of a hub, as in a ticket.
pub(crate) fn read_address(from: &mut Reader<'_>) -> Result<String, Malformed> {
    let at = read_text(from, MOST_ADDRESS)?;
    if is_address(&at) { Ok(at) } else { Err(Malformed::Unknown(0)) }
}

/// Whether a text could be the address of a hub: it begins like one, and nothing in it can be mistaken for the rest of
/// a ticket.
pub(crate) fn is_address(at: &str) -> bool {
    let host = SCHEMES.iter().find_map(|scheme| at.strip_prefix(scheme));
    let plain = |letter: char| letter.is_ascii_graphic() && !matches!(letter, '#' | '?' | '/' | '\\');
    at.len() <= MOST_ADDRESS && host.is_some_and(|host| !host.is_empty() && host.chars().all(plain))
}
