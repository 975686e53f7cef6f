//! A relay as a meeting place: which tables are offered there, and who has invited whom.

use std::collections::BTreeSet;

use relays::address::Through;
use relays::gift::{Fresh, SPREAD, wrap};
use relays::offer::{Invitation, Offer};
use relays::{Draft, Event, RelayUrl};
use results::{Public, Secret};

use super::client::{Client, Trouble};
use super::{fresh_key, random, seconds};

/// How many offers or gifts are looked at. Anybody can send more.
const MOST: usize = 500;

/// What there is on a relay for somebody.
#[derive(Default, Debug)]
pub(crate) struct Found {
    /// Invitations, and who sent them.
    pub(crate) invitations: Vec<(Invitation, Public)>,
    /// Tables that anybody may knock at, and where.
    pub(crate) offers: Vec<(Offer, Through)>,
}

/// Looks for invitations to the owner of this key, and for offers.
pub(crate) async fn find(relay: &RelayUrl, identity: &Secret) -> Result<Found, Trouble> {
    let mut client = Client::connect(relay).await?;
    let now = seconds();
    let mut found = Found::default();
    let filter = relays::Filter { limit: Some(MOST), ..Invitation::all_for(identity.public()) };
    let (mut tickets, mut tables) = (BTreeSet::new(), BTreeSet::new());
    for event in client.ask(&filter, MOST).await?.events {
        if let Ok((invitation, from)) = Invitation::read(&event, identity, now)
            && tickets.insert(invitation.ticket.clone())
        {
            found.invitations.push((invitation, from));
        }
    }
    let filter = relays::Filter { limit: Some(MOST), ..Offer::all(now.saturating_sub(3600)) };
    for event in client.ask(&filter, MOST).await?.events {
        if let Ok((offer, through)) = Offer::read(&event, relay, now)
            // Anybody can copy a table's id into an offer of their own, which must not hide the table's.
            && tables.insert((offer.table, event.by()))
        {
            found.offers.push((offer, through));
        }
    }
    Ok(found)
}

/// Something for one reader only.
pub(super) fn wrapped(draft: &Draft, from: &Secret, to: &Public, expires: u64) -> Option<Event> {
    let some_time_ago = || Some(seconds().saturating_sub(u64::from_le_bytes(random()?) % SPREAD));
    let fresh = Fresh {
        once: fresh_key()?,
        nonces: [random()?, random()?],
        aux: [random()?, random()?],
        at: [some_time_ago()?, some_time_ago()?],
    };
    wrap(draft, from, to, Some(expires), &fresh).ok()
}
