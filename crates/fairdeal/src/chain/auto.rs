//! A computer that plays at a table, and tells what happens in lines.

use std::io::Write;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use ::chain::tables::{Action, Hand};
use ::chain::{Coins, tables};
use bots::{Course, Kind, Past};
use cards::Card;
use games::holdem::{Deal, Holdem, Settings};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Known, Move, Seat};

use super::desk::{Desk, Ended, Now, Told, Want, own_faces};
use super::screen::parting_in_words;
use crate::failure::Failure;
use crate::interrupt;
use crate::keyring::random;
use crate::play::screen::MoveOf;
use crate::text::signed;

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(200);

/// Lets a computer of this level play, until it has lost its seat, or for so many hands.
pub(super) fn play(desk: &Desk, kind: Kind, hands: Option<u32>, out: &mut impl Write) -> Result<(), Failure> {
    interrupt::listen();
    let rng = Xoshiro256PlusPlus::from_seed(random()?);
    let mut playing = Playing { kind, rng, hands, ended: 0, answered: None, dealt: None, stack: None, leaving: false };
    loop {
        if interrupt::asked() {
            writeln!(out, "stopped; the seat is kept, but the table does not wait")?;
            return Ok(());
        }
        match desk.told.recv_timeout(POLL) {
            Ok(Told::Now(now)) => playing.now(&now, desk, out)?,
            Ok(Told::Over(ended)) => playing.over(&ended, out)?,
            Ok(Told::Gone(parting)) => {
                writeln!(out, "{}", parting_in_words(parting))?;
                return Ok(());
            }
            Ok(Told::Note(text)) => writeln!(out, "note {text}")?,
            Ok(Told::Lost(why)) => writeln!(out, "offline {why}")?,
            Ok(Told::Failed(why)) => return Err(why),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        out.flush()?;
    }
}

struct Playing {
    kind: Kind,
    rng: Xoshiro256PlusPlus,
    /// After how many hands to leave.
    hands: Option<u32>,
    ended: u32,
    /// The turn that was answered last.
    answered: Option<(u32, u64)>,
    /// The hand whose cards were told, and the seat in it.
    dealt: Option<(u32, Seat)>,
    stack: Option<Coins>,
    leaving: bool,
}

impl Playing {
    fn now(&mut self, now: &Now, desk: &Desk, out: &mut impl Write) -> Result<(), Failure> {
        let Some(me) = now.me else { return Ok(()) };
        if let (Some(hand), Some(own)) = (&now.hand, now.own)
            && self.dealt.is_none_or(|(number, _)| number != hand.number())
        {
            self.dealt = Some((hand.number(), me));
            self.stack = hand.begun().player(me).map(|player| player.stack);
            writeln!(out, "hand {}: dealt {} {}", hand.number(), own[0], own[1])?;
        }
        if let Some(hand) = now.hand.as_ref().filter(|_| now.asked) {
            let turn = (hand.number(), hand.table().height().0);
            if self.answered != Some(turn)
                && let Some(own) = now.own
            {
                self.answered = Some(turn);
                let decided = self.decide(hand, me, own);
                if let Some(decided) = decided {
                    let Move::Act(action) = decided.clone();
                    writeln!(out, "hand {}: {}", turn.0, in_words(action.into()))?;
                    desk.want(Want::Decide(decided));
                }
            }
            return Ok(());
        }
        let Some(player) = now.ring.player(me).filter(|_| now.busy.is_none()) else { return Ok(()) };
        let in_hand = now.hand.as_ref().is_some_and(|hand| hand.seats().contains(me));
        if self.hands.is_some_and(|most| self.ended >= most) {
            if !std::mem::replace(&mut self.leaving, true) {
                desk.want(Want::Leave);
            }
        } else if player.out.is_some() {
            desk.want(Want::Return);
        } else if !in_hand && player.stack == Coins::ZERO {
            if now.coins < now.ring.terms.max_buy_in {
                writeln!(out, "out of coins")?;
                desk.want(Want::Leave);
            } else {
                desk.want(Want::Rebuy(now.ring.terms.max_buy_in));
            }
        }
        Ok(())
    }

    fn decide(&mut self, hand: &Hand, me: Seat, own: [Card; 2]) -> Option<MoveOf<Holdem>> {
        let settings = Settings { ring: true, ..Settings::default() };
        let past: Vec<Past<Deal>> = hand.actions().map(|(seat, action)| Past::Did(seat, action)).collect();
        let course = Course::<Holdem> { settings: &settings, deal: hand.number().saturating_add(1), past: &past };
        let faces = own_faces(hand, me, own);
        let known = Known::with(hand.table().open(), &faces);
        self.kind.decide(course, hand.table(), me, known, &mut self.rng)
    }

    fn over(&mut self, ended: &Ended, out: &mut impl Write) -> Result<(), Failure> {
        let Some((number, seat)) = self.dealt.filter(|(number, _)| *number == ended.number) else { return Ok(()) };
        self.ended = self.ended.saturating_add(1);
        let stack = ended.stacks.iter().find(|(one, _)| *one == seat).map_or(Coins::ZERO, |(_, stack)| *stack);
        let before = self.stack.unwrap_or(stack);
        let won = i64::try_from(stack.0).unwrap_or(i64::MAX) - i64::try_from(before.0).unwrap_or(i64::MAX);
        Ok(writeln!(out, "hand {number} is over: {}, {stack} chips", signed(won))?)
    }
}

fn in_words(action: Action) -> String {
    match action {
        tables::Action::Fold => "fold".to_owned(),
        tables::Action::Check => "check".to_owned(),
        tables::Action::Call => "call".to_owned(),
        tables::Action::BetTo(coins) => format!("bet to {coins}"),
        tables::Action::AllIn => "all-in".to_owned(),
    }
}
