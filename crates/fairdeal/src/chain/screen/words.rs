//! What is told about a table, in words.

use ::chain::Coins;
use ::chain::tables::{Hand, Out, WhyGone};
use remote::follow::{Note, What};
use table::{Awaiting, Seat};

use crate::chain::desk::{Now, Parting};
use crate::chain::seat::seat_name;
use crate::text::grouped;

/// A block that is older than this is said to be, in seconds. Without transactions there is one every second.
const MOST_BEHIND: u64 = 20;

/// How somebody lost their seat.
pub(in crate::chain) fn parting_in_words(parting: Parting) -> String {
    let (returned, coins) = (grouped(parting.returned.0), grouped(parting.coins.0));
    let why = match parting.why {
        WhyGone::Left => "You left the table.",
        WhyGone::Idle => "You did not play for many hands and lost your seat.",
        WhyGone::Ejected => "Your bond was used up because your time ran out too often, and you lost your seat.",
    };
    format!("{why} {returned} coins came back, and you have {coins}.")
}

/// Something that a person should know.
pub(in crate::chain) fn note_in_words(note: &Note) -> String {
    match note {
        Note::NotYourTurn => "It is not your turn any more.".to_owned(),
        Note::Wait(what) => format!("Wait a moment: {}.", going(*what)),
        Note::Done(what) => done(*what).to_owned(),
        Note::Refused(what, why) => format!("{}: {why}.", refused(*what)),
        Note::NotShown(_) => "The node said that it was done, but the table does not show it.".to_owned(),
        Note::NoEnd(hand) => format!("The node does not show how hand {hand} ended. The stacks are right."),
        Note::Trouble(why) => why.to_string(),
    }
}

/// While it is on its way.
const fn going(what: What) -> &'static str {
    match what {
        What::SitOut => "you are about to sit out",
        What::Return => "you are about to come back",
        What::Rebuy => "your chips are on their way",
        What::Leave => "you are about to leave",
    }
}

/// When it was carried out.
const fn done(what: What) -> &'static str {
    match what {
        What::SitOut => "You sit out from the next hand on. Press o to come back.",
        What::Return => "You are dealt in again from the next hand on.",
        What::Rebuy => "You have bought chips. During a hand they come at its end.",
        What::Leave => "You leave the table; if you are in a hand, after it.",
    }
}

/// When it was refused.
const fn refused(what: What) -> &'static str {
    match what {
        What::SitOut => "You cannot sit out",
        What::Return => "You cannot come back",
        What::Rebuy => "You cannot buy chips",
        What::Leave => "You cannot leave",
    }
}

/// Whom the table waits for, or what the viewer should know about their seat.
pub(super) fn status(now: &Now, left: Option<u64>) -> String {
    if now.behind > MOST_BEHIND {
        return format!("The last block is {} s old: the node is behind, or your clock is wrong", now.behind);
    }
    if let Some(busy) = now.busy {
        return begin(going(busy));
    }
    if let Some(why) = now.unready {
        return format!("It is your turn, but {why}");
    }
    let mine = now.me.and_then(|me| Some((me, now.ring.player(me)?)));
    let in_hand = |seat: Seat| now.hand.as_ref().is_some_and(|hand| hand.seats().contains(seat));
    match mine {
        Some((_, player)) if player.leaving => "You leave after this hand. Press o to stay".to_owned(),
        Some((_, player)) if player.out == Some(Out::Chosen) => "You sit out. Press o to come back".to_owned(),
        Some((_, player)) if player.out == Some(Out::Forced) => {
            "Your time ran out twice, so you sit out a hand. Press o to come back".to_owned()
        }
        Some((me, player)) if !in_hand(me) && player.stack == Coins::ZERO => {
            "You have no chips left. Press m to buy some".to_owned()
        }
        Some((me, _)) if now.hand.is_some() && !in_hand(me) => "You are dealt in from the next hand on".to_owned(),
        _ => waiting(now, left),
    }
}

fn waiting(now: &Now, left: Option<u64>) -> String {
    let Some(hand) = &now.hand else { return between(now) };
    match hand.table().awaiting() {
        Awaiting::Turn(seat) if Some(seat) == now.me => String::new(),
        Awaiting::Turn(seat) => {
            let left = left.map_or_else(String::new, |left| format!(", {left} s left"));
            format!("{} is thinking{left}", seat_name(seat))
        }
        Awaiting::Dealer => dealing(hand).to_owned(),
        Awaiting::Choices(_) | Awaiting::Over => String::new(),
    }
}

fn dealing(hand: &Hand) -> &'static str {
    if hand.log().is_empty() { "The validators deal the hole cards" } else { "The validators open cards" }
}

/// Why no hand is being played.
pub(super) fn between(now: &Now) -> String {
    let ready = now.ring.ready().iter().count();
    match (ready, now.deck) {
        (0 | 1, _) => "Waiting for another player".to_owned(),
        (_, false) => "The validators shuffle a deck for the next hand".to_owned(),
        (_, true) => "The next hand is about to begin".to_owned(),
    }
}

/// A sentence with a capital letter.
fn begin(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
