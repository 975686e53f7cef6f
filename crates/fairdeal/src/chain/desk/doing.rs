//! What a player wants to happen, on its way to the chain.

use std::time::{Duration, Instant};

use ::chain::client::Player;
use ::chain::tables::{Ring, Tx};
use ::chain::{Hash, Signed};
use remote::{Error, Outcome};

use super::{Closed, Following, Want};

/// After this long without a block that takes it, a transaction is sent again.
const RESEND: Duration = Duration::from_secs(10);

/// A transaction on its way.
pub(super) struct Doing {
    what: What,
    signed: Signed,
    id: Hash,
    sent: Instant,
}

/// What it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    SitOut,
    Return,
    Rebuy,
    Leave,
}

impl What {
    /// While it is on its way.
    const fn going(self) -> &'static str {
        match self {
            Self::SitOut => "you are about to sit out",
            Self::Return => "you are about to come back",
            Self::Rebuy => "your chips are on their way",
            Self::Leave => "you are about to leave",
        }
    }

    /// When it was carried out.
    const fn done(self) -> &'static str {
        match self {
            Self::SitOut => "You sit out from the next hand on. Press o to come back.",
            Self::Return => "You are dealt in again from the next hand on.",
            Self::Rebuy => "You have bought chips. During a hand they come at its end.",
            Self::Leave => "You leave the table; if you are in a hand, after it.",
        }
    }

    /// When it was refused.
    const fn refused(self) -> &'static str {
        match self {
            Self::SitOut => "You cannot sit out",
            Self::Return => "You cannot come back",
            Self::Rebuy => "You cannot buy chips",
            Self::Leave => "You cannot leave",
        }
    }
}

impl Doing {
    /// What is on its way.
    pub(super) const fn what(&self) -> &'static str {
        self.what.going()
    }
}

impl Following {
    /// A player wants something.
    pub(super) async fn want(&mut self, want: Want) -> Result<(), Closed> {
        let table = self.table;
        let (what, tx) = match want {
            Want::Quit => return Err(Closed),
            Want::Decide(decided) => {
                let (Some(player), Some(seen)) = (&mut self.player, &self.last) else { return Ok(()) };
                let Some(answer) = player.act(&seen.store, &mut |_, _, _| Some(decided.clone())) else {
                    return self.note("It is not your turn any more.".to_owned());
                };
                return self.answer(&answer).await;
            }
            Want::SitOut => (What::SitOut, Tx::SitOut { table }),
            Want::Return => (What::Return, Tx::Return { table }),
            Want::Rebuy(coins) => (What::Rebuy, Tx::Rebuy { table, coins }),
            Want::Leave => (What::Leave, Tx::Leave { table }),
        };
        if let Some(doing) = &self.doing {
            return self.note(format!("Wait a moment: {}.", doing.what()));
        }
        let (Some(player), Some(seen)) = (&self.player, &self.last) else { return Ok(()) };
        let signed = player.pay(&seen.store, tx);
        match self.remote.submit(&signed).await {
            Ok(id) => {
                self.doing = Some(Doing { what, signed, id, sent: Instant::now() });
                Ok(())
            }
            Err(Error::Refused { why }) => self.note(format!("{}: {why}.", what.refused())),
            Err(why) => self.lost(&why).await,
        }
    }

    /// An action that nobody has taken yet is sent again.
    pub(super) async fn say_again(&mut self) -> Result<(), Closed> {
        let (Some(player), Some(seen)) = (&mut self.player, &self.last) else { return Ok(()) };
        match player.answered(&seen.store) {
            Some(answer) => self.answer(&answer).await,
            None => Ok(()),
        }
    }

    async fn answer(&mut self, answer: &Signed) -> Result<(), Closed> {
        match self.remote.submit(answer).await {
            // The table may have moved on already: the next look shows it.
            Ok(_) | Err(Error::Refused { .. }) => Ok(()),
            Err(why) => self.lost(&why).await,
        }
    }

    /// What became of a transaction. A node's word is not enough: the table must show it.
    pub(super) async fn look_after(&mut self, ring: &Ring) -> Result<(), Closed> {
        let Some(Doing { what, id, signed, sent }) = self.doing.take() else { return Ok(()) };
        let outcome = match self.remote.receipt(&id).await {
            Ok(outcome) => outcome,
            Err(why) if why.is_the_nodes() => None,
            Err(_) => return Ok(()),
        };
        match outcome {
            Some(Outcome::Done { height }) => {
                if self.last.as_ref().is_some_and(|seen| seen.height < height) {
                    self.doing = Some(Doing { what, id, signed, sent });
                    return Ok(());
                }
                let shows = self.player.as_ref().is_none_or(|player| shows(ring, player, what));
                self.note(if shows {
                    what.done().to_owned()
                } else {
                    "The node said that it was done, but the table does not show it.".to_owned()
                })
            }
            Some(Outcome::Failed { why, .. } | Outcome::Void { why, .. }) => {
                self.note(format!("{}: {why}.", what.refused()))
            }
            Some(Outcome::Waiting) | None => {
                let mut sent = sent;
                if sent.elapsed() >= RESEND {
                    sent = Instant::now();
                    if let Err(Error::Refused { why }) = self.remote.submit(&signed).await {
                        return self.note(format!("{}: {why}.", what.refused()));
                    }
                }
                self.doing = Some(Doing { what, id, signed, sent });
                Ok(())
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
