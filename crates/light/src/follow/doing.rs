//! What a player wants to happen, on its way to the chain.

use core::time::Duration;

use chain::client::Player;
use chain::tables::{Ring, Tx};
use chain::{Hash, Signed};

use super::{Following, Note, Stopped, Want};
use crate::{Error, Net, Outcome};

/// After this long without a block that takes it, a transaction is sent again.
const RESEND: Duration = Duration::from_secs(10);

/// A transaction on its way.
pub(super) struct Doing {
    what: What,
    signed: Signed,
    id: Hash,
    sent: Duration,
}

/// What it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// To sit out.
    SitOut,
    /// To come back.
    Return,
    /// To buy chips.
    Rebuy,
    /// To leave the table.
    Leave,
}

impl Doing {
    /// What is on its way.
    pub(super) const fn what(&self) -> What {
        self.what
    }
}

impl<N: Net> Following<N> {
    /// A player wants something; how long to wait before the next look.
    pub async fn want(&mut self, want: Want) -> Result<Duration, Stopped> {
        let table = self.table;
        let (what, tx) = match want {
            Want::Decide(decided) => {
                let (Some(player), Some(seen)) = (&mut self.player, &self.last) else { return Ok(Duration::ZERO) };
                let Some(answer) = player.act(&seen.store, &mut |_, _, _| Some(decided.clone())) else {
                    self.note(Note::NotYourTurn);
                    return Ok(Duration::ZERO);
                };
                return self.answer(&answer).await;
            }
            Want::SitOut => (What::SitOut, Tx::SitOut { table }),
            Want::Return => (What::Return, Tx::Return { table }),
            Want::Rebuy(coins) => (What::Rebuy, Tx::Rebuy { table, coins }),
            Want::Leave => (What::Leave, Tx::Leave { table }),
        };
        if let Some(doing) = &self.doing {
            let what = doing.what();
            self.note(Note::Wait(what));
            return Ok(Duration::ZERO);
        }
        let (Some(player), Some(seen)) = (&self.player, &self.last) else { return Ok(Duration::ZERO) };
        let signed = player.pay(&seen.store, tx);
        match self.remote.submit(&signed).await {
            Ok(id) => {
                let sent = self.remote.net().now();
                self.doing = Some(Doing { what, signed, id, sent });
            }
            Err(Error::Refused { why }) => self.note(Note::Refused(what, why)),
            Err(why) => return self.lost(why),
        }
        Ok(Duration::ZERO)
    }

    /// An action that nobody has taken yet is sent again.
    pub(super) async fn say_again(&mut self) -> Result<Duration, Stopped> {
        let (Some(player), Some(seen)) = (&mut self.player, &self.last) else { return Ok(Duration::ZERO) };
        match player.answered(&seen.store) {
            Some(answer) => self.answer(&answer).await,
            None => Ok(Duration::ZERO),
        }
    }

    async fn answer(&mut self, answer: &Signed) -> Result<Duration, Stopped> {
        match self.remote.submit(answer).await {
            // The table may have moved on already: the next look shows it.
            Ok(_) | Err(Error::Refused { .. }) => Ok(Duration::ZERO),
            Err(why) => self.lost(why),
        }
    }

    /// What became of a transaction. A node's word is not enough: the table must show it.
    pub(super) async fn look_after(&mut self, ring: &Ring) {
        let Some(mut doing) = self.doing.take() else { return };
        let what = doing.what;
        let outcome = match self.remote.receipt(&doing.id).await {
            Ok(outcome) => outcome,
            Err(why) if why.is_the_nodes() => None,
            Err(_) => return,
        };
        match outcome {
            Some(Outcome::Done { height }) => {
                if self.last.as_ref().is_some_and(|seen| seen.height < height) {
                    self.doing = Some(doing);
                    return;
                }
                let shows = self.player.as_ref().is_none_or(|player| shows(ring, player, what));
                self.note(if shows { Note::Done(what) } else { Note::NotShown(what) });
            }
            Some(Outcome::Failed { why, .. } | Outcome::Void { why, .. }) => self.note(Note::Refused(what, why)),
            Some(Outcome::Waiting) | None => {
                let now = self.remote.net().now();
                if now.saturating_sub(doing.sent) >= RESEND {
                    doing.sent = now;
                    if let Err(Error::Refused { why }) = self.remote.submit(&doing.signed).await {
                        return self.note(Note::Refused(what, why));
                    }
                }
                self.doing = Some(doing);
            }
        }
    }
}

/// Whether the table shows that something was done.
fn shows(ring: &Ring, player: &Player, what: What) -> bool {
    let seated = ring.seat_of(&player.address()).and_then(|seat| ring.player(seat));
    match what {
        What::SitOut => seated.is_none_or(|seated| seated.out.is_some()),
        What::Return => seated.is_some_and(|seated| seated.out.is_none() && !seated.leaving),
        // A hand may have ended since, and the chips be gone again.
        What::Rebuy => true,
        What::Leave => seated.is_none_or(|seated| seated.leaving),
    }
}
