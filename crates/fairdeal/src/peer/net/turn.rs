//! Which hub a member talks to: the one in office, or the next that may replace it.

use std::time::{Duration, Instant};

use results::Public;

use super::{Held, Who};
use crate::peer::At;

/// How long a hub has for each part of the greeting, and how long it has at least if another one comes next.
const TO_GREET: Duration = Duration::from_secs(15);
const LEAST: Duration = Duration::from_secs(1);

/// Whose turn it is to be the hub.
pub(super) struct Turn {
    /// The place in the list: the first is the hub of the ticket.
    hub: usize,
    /// The hub in office, as it was last looked at.
    office: Option<Public>,
    /// Since when this hub is silent, or is not in office.
    pub(super) since: Instant,
}

/// A hub to talk to.
pub(super) struct Target {
    pub(super) at: At,
    /// Its key; unknown to somebody who knocks.
    pub(super) key: Option<Public>,
    /// When it is given up for another one, unless it is in office then; `None` if there is no other.
    pub(super) until: Option<Instant>,
}

impl Turn {
    /// The hub of the ticket comes first.
    pub(super) fn first() -> Self {
        Self { hub: 0, office: None, since: Instant::now() }
    }

    /// The hub to talk to now; `ticket` is where the hub of the ticket is.
    pub(super) fn target(&mut self, who: &Who, ticket: &At, held: &Held) -> Target {
        let stored = held.stored();
        let first = match who {
            Who::Member { ticket, .. } => Some(ticket.hub),
            Who::Knock { .. } => None,
        };
        let successors = stored.successors.iter().map(|(at, key)| (at, Some(*key)));
        let hubs: Vec<(&At, Option<Public>)> = std::iter::once((ticket, first)).chain(successors).collect();
        if stored.office != self.office {
            // Another hub is in office: it is asked first.
            let place = hubs.iter().position(|(_, key)| *key == stored.office);
            *self = Self { hub: place.unwrap_or(self.hub), office: stored.office, since: Instant::now() };
        } else if hubs.len() > 1 && self.since.elapsed() >= stored.patience {
            (self.hub, self.since) = ((self.hub + 1) % hubs.len(), Instant::now());
        }
        let (at, key) = hubs.get(self.hub).copied().unwrap_or((ticket, first));
        let until = (hubs.len() > 1).then(|| self.since + stored.patience);
        Target { at: at.clone(), key, until }
    }
}

impl Target {
    /// How long it has for each part of the greeting. A computer that sleeps lets others wait, and they have to meet
    /// somewhere else.
    pub(super) fn to_greet(&self) -> Duration {
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        self.until.map_or(TO_GREET, |until| left(until).clamp(LEAST, TO_GREET))
    }

    /// Whether this hub puts the log in order, as far as the owner knows.
    pub(super) fn is_in_office(&self, who: &Who, held: &Held) -> bool {
        match (held.stored().office, who) {
            (Some(office), _) => self.key == Some(office),
            (None, Who::Member { ticket, .. }) => self.key == Some(ticket.hub),
            (None, Who::Knock { .. }) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use ::peer::{Standby, TableKey, Ticket};
    use results::Secret;

    use super::*;

    fn hub(number: u8) -> Public {
        Secret::from_bytes(&[number + 1; 32]).unwrap().public()
    }

    fn standby(number: u8, at: &str) -> Standby {
        Standby { number, hub: hub(number), at: at.to_owned() }
    }

    fn member() -> (Who, At) {
        let ticket = Ticket { at: "http://10.0.0.0:1".to_owned(), key: TableKey::new([7; 32]), hub: hub(0) };
        let at = ticket.at.parse().unwrap();
        (Who::Member { ticket, key: Secret::from_bytes(&[99; 32]).unwrap() }, at)
    }

    #[test]
    fn hubs_take_turns_in_their_order_when_they_are_silent_for_too_long() {
        let ((who, ticket), held, mut turn) = (member(), Held::default(), Turn::first());
        let first = turn.target(&who, &ticket, &held);
        assert_eq!((first.key, first.until, first.is_in_office(&who, &held)), (Some(hub(0)), None, true));
        assert_eq!(first.to_greet(), TO_GREET);
        let list = [standby(1, "http://10.0.0.1:1"), standby(9, "nowhere"), standby(2, "http://10.0.0.2:1")];
        held.may_be_replaced(&list, Duration::from_secs(3600));
        for _ in 0..3 {
            assert_eq!(turn.target(&who, &ticket, &held).key, Some(hub(0)), "there is still time");
        }
        held.may_be_replaced(&list, Duration::from_secs(5));
        assert!(turn.target(&who, &ticket, &held).to_greet() <= Duration::from_secs(5), "the next one has its time");
        held.may_be_replaced(&list, Duration::ZERO);
        let order: Vec<_> = (0..5).map(|_| turn.target(&who, &ticket, &held)).collect();
        let keys: Vec<_> = order.iter().map(|target| target.key).collect();
        assert_eq!(keys, [1, 2, 0, 1, 2].map(|number| Some(hub(number))), "and one without an address is left out");
        assert_eq!(order[0].at.to_string(), "http://10.0.0.1:1");
        assert!(!order[0].is_in_office(&who, &held) && order[2].is_in_office(&who, &held));
    }

    #[test]
    fn the_hub_in_office_is_asked_first() {
        let ((who, ticket), held, mut turn) = (member(), Held::default(), Turn::first());
        let list = [standby(1, "http://10.0.0.1:1"), standby(2, "http://10.0.0.2:1")];
        held.may_be_replaced(&list, Duration::from_secs(3600));
        turn.target(&who, &ticket, &held);
        held.in_office(hub(2));
        let target = turn.target(&who, &ticket, &held);
        assert_eq!((target.key, target.is_in_office(&who, &held)), (Some(hub(2)), true));
        assert_eq!(turn.target(&who, &ticket, &held).key, Some(hub(2)), "also after a lost connection");
    }
}
