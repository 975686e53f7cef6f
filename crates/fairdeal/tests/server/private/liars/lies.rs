//! What liars say instead of what their own program says.

use std::collections::BTreeSet;

use ::dealing::{Deck, decode, encode};
use ::peer::Body;
use dealers::joint::{self, Message, Place};

use super::common::Lie;

/// Changes the dealing messages that this is about.
pub(super) fn dealing(mut change: impl FnMut(&Message) -> Option<Message> + Send + 'static) -> Lie {
    Box::new(move |_, bodies| {
        let one = |body: Body| match body {
            Body::Dealing { set, message } => {
                let message = change(&message).map(Box::new).unwrap_or(message);
                Body::Dealing { set, message }
            }
            other => other,
        };
        bodies.into_iter().map(one).collect()
    })
}

/// The message with one bit of its body changed, but still decodable.
pub(super) fn scratched(message: &Message) -> Option<Message> {
    let bytes = encode(message);
    // Place and ground stay the same: only the body is wrong.
    let head = encode(&message.place).len() + 32;
    // From the end, where proofs are.
    (head..bytes.len()).rev().find_map(|at| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        decode::<Message>(&bytes).ok()
    })
}

/// The same with this body.
pub(super) fn with(message: &Message, body: joint::Body) -> Option<Message> {
    Some(Message { body, ..message.clone() })
}

/// Shuffles with two cards swapped afterwards, which nothing proves; or with one card twice.
pub(super) fn swapped(duplicate: bool) -> Lie {
    dealing(move |message| match &message.body {
        // Lots are drawn from very small decks.
        joint::Body::Shuffle(shuffled) if shuffled.0.iter().count() > 20 => {
            let mut cards: Vec<_> = shuffled.0.iter().copied().collect();
            if duplicate {
                cards[3] = cards[4]
            } else {
                cards.swap(3, 4)
            }
            with(message, joint::Body::Shuffle(Box::new((Deck::new(cards).unwrap(), shuffled.1.clone()))))
        }
        _ => None,
    })
}

/// Gives shares that open nothing.
pub(super) fn wrong_shares() -> Lie {
    dealing(|message| match &message.body {
        joint::Body::Shares(_) | joint::Body::Sealed(_) => scratched(message),
        _ => None,
    })
}

/// Raises to one chip whenever it is their turn, at Hold'em.
pub(super) fn illegal_raises() -> Lie {
    Box::new(|_, bodies| {
        let one = |body: Body| match body {
            Body::Act { height, on, .. } => Body::Act { height, on, action: br#"{"raise_to":1}"#.to_vec() },
            other => other,
        };
        bodies.into_iter().map(one).collect()
    })
}

/// Says every dealing message of this kind twice, the second time scratched.
pub(super) fn twice() -> Lie {
    Box::new(move |_, bodies| {
        let more = |body: Body| match &body {
            Body::Dealing { set, message } => {
                let second = scratched(message).map(|message| Body::Dealing { set: *set, message: Box::new(message) });
                std::iter::once(body).chain(second).collect::<Vec<_>>()
            }
            _ => vec![body],
        };
        bodies.into_iter().flat_map(more).collect()
    })
}

/// Says what another has said in the same place of the dealing.
pub(super) fn replay(me: u8) -> Lie {
    Box::new(move |heard, bodies| {
        let theirs = |mine: &Message| {
            heard.iter().rev().filter(|(by, _)| *by != me).find_map(|(_, body)| match body {
                Body::Dealing { message, .. } if message.place == mine.place && message.body != mine.body => {
                    Some(message.body.clone())
                }
                _ => None,
            })
        };
        let one = |body: Body| match body {
            Body::Dealing { set, message } => {
                let other = theirs(&message).and_then(|other| with(&message, other));
                Body::Dealing { set, message: other.map(Box::new).unwrap_or(message) }
            }
            other => other,
        };
        bodies.into_iter().map(one).collect()
    })
}

/// Says nothing more once this is so of something it would say.
pub(super) fn silent_after(mut enough: impl FnMut(&Body) -> bool + Send + 'static) -> Lie {
    let mut silent = false;
    Box::new(move |_, bodies| {
        bodies
            .into_iter()
            .filter(|body| {
                silent |= enough(body);
                !silent
            })
            .collect()
    })
}

/// Holds everything back until others have said this about it so many times, then says it all.
pub(super) fn late(
    times: usize,
    until: impl Fn(&Body) -> bool + Send + 'static,
    from: impl Fn(&Body) -> bool + Send + 'static,
) -> Lie {
    let (mut held, mut holding) = (Vec::new(), false);
    Box::new(move |heard, bodies| {
        holding |= bodies.iter().any(&from);
        if holding && heard.iter().filter(|(_, body)| until(body)).count() < times {
            held.extend(bodies);
            return Vec::new();
        }
        held.drain(..).chain(bodies).collect()
    })
}

/// The kinds of dealing messages of this player in the log, to see that something was said at all.
pub(super) fn kinds(heard: &[(u8, Body)], by: u8) -> BTreeSet<&'static str> {
    let said = heard.iter().filter(|(author, _)| *author == by);
    said.filter_map(|(_, body)| match body {
        Body::Dealing { message, .. } => Some(message.place.kind()),
        _ => None,
    })
    .collect()
}

/// Whether a message is about the keys or the shuffle of the first deck.
pub(super) fn is_shuffle(place: Place) -> bool {
    matches!(place, Place::Shuffle(_))
}
