//! Taking a seat, and coins to try out.

use core::time::Duration;

use chain::bank::AccountOf;
use chain::client::{Hole, Player};
use chain::store::Key as _;
use chain::tables::RingOf;
use chain::{Coins, bank};
use light::buying::{self, NotBought};
use light::{Error, Outcome, Remote};
use zeroize::Zeroize as _;

use crate::session::Session;
use crate::words;
use crate::world::World;

/// How long a transaction is waited for.
const TO_DECIDE: Duration = Duration::from_secs(30);

impl Session {
    /// Somebody with a seat at this table, if this wallet has one. The second is whether it has one whose cards cannot be
    /// read here, because it was taken elsewhere.
    pub(crate) async fn player(&self, remote: &mut Remote<World>, table: u64) -> Result<(Option<Player>, bool), Error> {
        let (wallet, chain) = (self.kept.wallet(), remote.chain());
        let seen = remote.table(table, &[wallet.address()]).await?;
        let ring = seen.store.get(&RingOf(table));
        let seated = ring.and_then(|ring| ring.player(ring.seat_of(&wallet.address())?));
        let Some(seated) = seated else { return Ok((None, false)) };
        let hole = self.kept.hole(&chain, table, &seated.key);
        let elsewhere = hole.is_none();
        // Without the key they see no cards, but they can leave.
        let hole = hole.unwrap_or_else(|| {
            let mut rng = self.world.rng();
            Hole::new(chain, table, dealing::Secret::random(&mut rng))
        });
        Ok((Some(Player::new(wallet, hole, chain, table)), elsewhere))
    }

    /// Takes a seat; whether that was done. The person is told.
    pub(crate) async fn sit(&mut self, remote: &mut Remote<World>, table: u64, chips: Option<Coins>) -> bool {
        match self.take(remote, table, chips).await {
            Ok(Ok(())) => true,
            Ok(Err(why)) => {
                self.note(&why);
                false
            }
            Err(Error::Refused { why }) => {
                self.note(&words::refused(&why, self.lang));
                false
            }
            Err(why) => {
                self.trouble(&why);
                false
            }
        }
    }

    async fn take(
        &mut self,
        remote: &mut Remote<World>,
        table: u64,
        chips: Option<Coins>,
    ) -> Result<Result<(), String>, Error> {
        let (lang, wallet, chain) = (self.lang, self.kept.wallet(), remote.chain());
        let seen = remote.table(table, &[wallet.address()]).await?;
        let Some(ring) = seen.store.get(&RingOf(table)) else { return Ok(Err(words::no_table(table, lang))) };
        if ring.seat_of(&wallet.address()).is_some() {
            return Ok(Ok(()));
        }
        if ring.free().is_empty() {
            return Ok(Err(lang.pick("Every seat is taken.", "Alle Plätze sind besetzt.").to_owned()));
        }
        let chips = match buying::buy_in(&ring.terms, chips, bank::balance(&seen.store, &wallet.address())) {
            Ok(chips) => chips,
            Err(why) => return Ok(Err(words::not_bought(why, lang))),
        };
        self.note(lang.pick("You are about to sit down …", "Du setzt dich gerade hin …"));
        let mut seed = self.world.random();
        let (hole, stored) = self.kept.new_seat(&chain, table, seed);
        seed.zeroize();
        // The key is stored before anybody hears of it.
        self.world.perform(stored);
        let sit = hole.sit(&wallet.address(), None, chips, &mut self.world.rng());
        let signed = wallet.pay(&seen.store, chain, sit.into());
        let outcome = remote.carry_out(&signed, TO_DECIDE).await?;
        let why = match outcome {
            Outcome::Done { .. } => {
                let seen = remote.table(table, &[wallet.address()]).await?;
                let seated =
                    seen.store.get(&RingOf(table)).is_some_and(|ring| ring.seat_of(&wallet.address()).is_some());
                if seated {
                    return Ok(Ok(()));
                }
                lang.pick(
                    "The node said that you sat down, but the table does not show it.",
                    "Der Knoten sagte, dass du sitzt, aber der Tisch zeigt es nicht.",
                )
                .to_owned()
            }
            Outcome::Failed { why, .. } | Outcome::Void { why, .. } => words::refused(&why, lang),
            Outcome::Waiting => words::no_block(lang).to_owned(),
        };
        Ok(Err(why))
    }

    /// Asks for coins, and waits until they are there. The person is told.
    pub(crate) async fn faucet(&mut self, remote: &mut Remote<World>) {
        let (lang, me) = (self.lang, self.kept.address());
        self.note(lang.pick("Coins are on their way …", "Münzen sind unterwegs …"));
        let asked = async {
            let id = remote.faucet(&me).await?;
            let outcome = remote.await_receipt(&id, TO_DECIDE).await?;
            let seen = remote.see(&[AccountOf(me).bytes()]).await?;
            Ok::<_, Error>((outcome, bank::balance(&seen.store, &me)))
        };
        match asked.await {
            Ok((Outcome::Done { .. }, coins)) => self.note(&words::has(coins, lang)),
            Ok((Outcome::Failed { why, .. } | Outcome::Void { why, .. }, _)) | Err(Error::Refused { why }) => {
                self.note(&words::refused(&why, lang));
            }
            Ok((Outcome::Waiting, _)) => self.note(words::no_block(lang)),
            Err(why) => self.trouble(&why),
        }
    }
}

/// For the page: whether somebody could sit down with so many coins.
pub(crate) fn can_sit(terms: &chain::tables::Terms, coins: Coins) -> Result<Coins, NotBought> {
    buying::buy_in(terms, None, coins)
}
