//! What a page keeps about a table, beside the log and the secret.

use games::AnyGame;
use peer::place::Offer;
use peer::{MOST_NAME, Ticket};
use rand::Rng as _;
use rand::rngs::ChaCha20Rng;
use results::Secret;
use serde::{Deserialize, Serialize};
use table::record::{hex, unhex};
use zeroize::Zeroizing;

/// What somebody wants who goes to a table for the first time.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    ticket: Zeroizing<String>,
    #[serde(default)]
    name: String,
    /// Who signs the result; without one, they watch.
    identity: Option<Zeroizing<String>>,
    /// For the host: what is played.
    offer: Option<Hosted>,
}

/// What the host offers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hosted {
    game: String,
    #[serde(default)]
    settings: Vec<(String, String)>,
    seats: u8,
}

impl Hosted {
    pub(crate) fn offer(&self) -> Option<Offer> {
        let game = AnyGame::from_name(&self.game)?;
        Some(Offer { game, settings: self.settings.clone(), seats: self.seats })
    }
}

/// What a page keeps: opaque to it, and secret like the ticket in it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    version: u8,
    ticket: Zeroizing<String>,
    /// Signs this member's entries.
    key: Zeroizing<String>,
    identity: Option<Zeroizing<String>>,
    /// The fresh bytes of the introduction: the same one after a restart.
    fresh: String,
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) offer: Option<Hosted>,
    /// Nothing remains to be done.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(crate) over: bool,
}

const VERSION: u8 = 1;

/// What is in it, as values.
pub(crate) struct Keys {
    pub(crate) ticket: Ticket,
    pub(crate) key: Secret,
    pub(crate) identity: Option<Secret>,
    pub(crate) fresh: [u8; 32],
}

impl Kept {
    /// A new member of a table.
    pub(crate) fn new(wish: &str, rng: &mut ChaCha20Rng) -> Result<Self, String> {
        let wish: Wish = serde_json::from_str(wish).map_err(|why| format!("not a wish: {why}"))?;
        let ticket: Ticket = wish.ticket.parse().map_err(|why: peer::BadTicket| why.to_string())?;
        let name = wish.name.trim().to_owned();
        if wish.identity.is_some() && (name.is_empty() || name.len() > MOST_NAME) {
            return Err(format!("a name has from 1 to {MOST_NAME} bytes"));
        }
        if let Some(identity) = &wish.identity {
            identity.parse::<Secret>().map_err(|_| "the identity is not a key")?;
        }
        if let Some(offer) = &wish.offer {
            offer.offer().ok_or("there is no such game")?;
        }
        Ok(Self {
            version: VERSION,
            ticket: Zeroizing::new(ticket.to_string()),
            key: new_key(rng).hex(),
            identity: wish.identity,
            fresh: hex(&random::<32>(rng)),
            name,
            offer: wish.offer,
            over: false,
        })
    }

    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let kept: Self = serde_json::from_str(text).map_err(|why| format!("what was kept is damaged: {why}"))?;
        if kept.version != VERSION {
            return Err(format!("this table was kept by version {}, and this is version {VERSION}", kept.version));
        }
        Ok(kept)
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn keys(&self) -> Result<Keys, String> {
        let damaged = || "what was kept is damaged".to_owned();
        let identity = match &self.identity {
            Some(identity) => Some(identity.parse().map_err(|_| damaged())?),
            None => None,
        };
        Ok(Keys {
            ticket: self.ticket.parse().map_err(|_| damaged())?,
            key: self.key.parse().map_err(|_| damaged())?,
            identity,
            fresh: unhex(&self.fresh).and_then(|bytes| bytes.try_into().ok()).ok_or_else(damaged)?,
        })
    }

    /// Nothing remains to be done: what signs is forgotten. The ticket stays, because the log cannot be read without.
    pub(crate) fn finish(&mut self) {
        self.over = true;
        self.identity = None;
    }
}

/// A new key.
pub(crate) fn new_key(rng: &mut ChaCha20Rng) -> Secret {
    loop {
        // All but a few of 2^128 are a key.
        if let Ok(key) = Secret::from_bytes(&Zeroizing::new(random::<32>(rng))) {
            return key;
        }
    }
}

pub(crate) fn random<const N: usize>(rng: &mut ChaCha20Rng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}
