//! A match at a table: the rules, the house that deals, and whom the table waits for.
//!
//! Everything here follows from the terms, the house's secret and the events; the time of an event comes with it. What
//! the house and the rules do automatically is done right after each event (`dealing`).

use std::collections::BTreeMap;

use bots::{Course, Past};
use dealers::house::{Asked, Publish, Seed};
use dealers::{Dealer as _, House};
use dealing::Commitment;
use games::desk::{Made, MoveOf};
use sha2::{Digest, Sha256};
use table::record::{Evidence, Header, Writer, hex};
use table::{Eye, Height, Known, Match, Refused, Rules, Seat, Seats, Series as _, Standing, Table};
use zeroize::Zeroizing;

use super::Kept;
use super::decided::Decided;
use super::ended::Ended;
use super::pausing::{Settled, Unseen};
use super::play::Play as _;
use super::refusal::{Illegal, Refusal};
use super::seen::Seen;
use crate::ids::Millis;

/// How often, in total, the seats may change their choices before the choices are revealed.
const MOST_CHANGES: u32 = 200;

/// A match of one game.
pub struct Playing<G: Kept> {
    pub(super) settings: G::Settings,
    pub(super) running: Match<G>,
    pub(super) house: House,
    secret: Zeroizing<[u8; 32]>,
    pub(super) names: Vec<String>,
    /// The moves of the seats in this deal.
    pub(super) past: Vec<Past<G::Rules>>,
    /// Secret choices, while others have still to choose.
    pub(super) chosen: BTreeMap<Seat, <G::Rules as Rules>::Choice>,
    /// Who made these choices.
    made: BTreeMap<Seat, Made>,
    /// How often seats have changed their choices.
    changes: u32,
    pub(super) stage: Stage,
    /// The deal that ended last.
    pub(super) ended: Option<Box<Ended<G>>>,
    /// The score of the match before the deal on the table.
    pub(super) standing: Standing,
    pub(super) began: Millis,
    /// The first deck of the next deal.
    pub(super) first_deck: u32,
    /// Whether anything at this table takes time apart from people. If not, the house never pauses.
    pub(super) paced: bool,
    /// What people have not had time to see.
    pub(super) unseen: Unseen,
    /// The finished trick or round, until the next move.
    pub(super) settled: Option<Settled<G>>,
    /// In how many steps pages show the cards that were opened last.
    pub(super) streets: u32,
    /// Seats that left for good, and must leave the next deal as well.
    pub(super) leaving: Seats,
    /// What happened since it was last taken, if somebody looks on.
    pub(super) seen: Option<Vec<Seen<G>>>,
    /// The record, if it is wanted.
    pub(super) record: Option<Recording>,
    /// What the house and the seats committed to and revealed for this deal, if somebody reads it.
    pub(super) proofs: Vec<Evidence>,
}

/// A record that is being written.
pub(crate) struct Recording {
    pub(super) writer: Writer,
    /// Whether the cards dealt to seats are written down, too.
    pub(super) private: bool,
}

/// The stage of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A deal is played.
    Deal,
    /// A deal is over, and people are looking at it.
    Between,
    /// The match is over.
    Over,
}

/// What the table waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// Commitments to seeds for a deck, or the seeds.
    Seeds(u32, Asked, Seats),
    /// A seat's turn.
    Turn(Seat),
    /// Secret choices of these seats.
    Choices(Seats),
    /// The house, which continues dealing as soon as people have seen the last move.
    House,
    /// Everybody has to see how the deal ended.
    Looking,
    /// Nothing.
    Nothing,
}

impl Awaited {
    /// The seats the table waits for.
    pub const fn seats(self) -> Seats {
        match self {
            Self::Seeds(_, _, seats) | Self::Choices(seats) => seats,
            Self::Turn(seat) => Seats::one(seat),
            Self::House | Self::Looking | Self::Nothing => Seats::NONE,
        }
    }
}

/// How a match begins.
pub(crate) struct Beginning<'a> {
    pub(crate) settings: &'a serde_json::Value,
    pub(crate) players: u8,
    pub(crate) session: [u8; 32],
    pub(crate) secret: &'a [u8; 32],
    pub(crate) publish: Publish,
    pub(crate) names: Vec<String>,
    /// Players who send no seeds.
    pub(crate) declining: Seats,
    pub(crate) computers: Seats,
    pub(crate) at: Millis,
    /// Whether the house pauses so that people can see the last move.
    pub(crate) paced: bool,
    pub(crate) record: Option<Recording>,
    /// Whether somebody looks on.
    pub(crate) seen: bool,
}

impl<G: Kept> Playing<G> {
    /// A match begins.
    pub(crate) fn begin(beginning: Beginning<'_>) -> Result<Self, Refusal> {
        let settings: G::Settings =
            serde_json::from_value(beginning.settings.clone()).map_err(|_| Refusal::Damaged("settings"))?;
        let running = Match::<G>::start(&settings, beginning.players).map_err(|_| Refusal::Damaged("settings"))?;
        let mut house = House::new(*beginning.secret, beginning.publish);
        house.begin(beginning.session);
        for seat in beginning.declining.iter() {
            house.decline(seat);
        }
        for seat in beginning.computers.iter() {
            house.take_over(seat);
        }
        let standing = running.standing();
        let mut record = beginning.record;
        if let Some(record) = &mut record {
            record.writer.header(Header {
                format: table::record::FORMAT,
                game: G::NAME.to_owned(),
                players: beginning.players,
                id: Some(hex(&beginning.session)),
                settings: serde_json::to_value(&settings).ok(),
                names: beginning.names.clone(),
                dealer: "house".to_owned(),
                extra: BTreeMap::new(),
            });
        }
        let mut playing = Self {
            settings,
            running,
            house,
            secret: Zeroizing::new(*beginning.secret),
            names: beginning.names,
            past: Vec::new(),
            chosen: BTreeMap::new(),
            made: BTreeMap::new(),
            changes: 0,
            stage: Stage::Between,
            ended: None,
            standing,
            began: beginning.at,
            first_deck: 0,
            paced: beginning.paced,
            unseen: Unseen::Nothing,
            settled: None,
            streets: 0,
            leaving: Seats::NONE,
            seen: beginning.seen.then(Vec::new),
            record,
            proofs: Vec::new(),
        };
        playing.next_deal(beginning.at);
        Ok(playing)
    }

    /// The settings of the match.
    pub const fn settings(&self) -> &G::Settings {
        &self.settings
    }

    /// The names of the players when it began, by seat.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The table, public facts only.
    pub const fn table(&self) -> &Table<G::Rules> {
        self.running.table()
    }

    /// The score of the match before the deal on the table.
    pub const fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The deal that ended last.
    pub fn ended(&self) -> Option<&Ended<G>> {
        self.ended.as_deref()
    }

    /// What everybody saw before the last move, if that move ended a trick or a round.
    pub fn settled(&self) -> Option<&<G::Rules as Rules>::View> {
        self.settled.as_ref().filter(|_| self.lingers()).map(|settled| &settled.view)
    }

    /// A viewer's own secret choice while others have still to choose.
    pub fn chosen_by(&self, eye: Eye) -> Option<&<G::Rules as Rules>::Choice> {
        match (self.awaited(), eye) {
            (Awaited::Choices(_), Eye::Seat(seat)) => self.chosen.get(&seat),
            _ => None,
        }
    }

    /// What a seat knows.
    pub(crate) fn known(&self, seat: Seat) -> Known<'_> {
        Known::with(self.running.table().open(), self.house.own(seat))
    }

    /// What a viewer knows.
    pub fn known_to(&self, eye: Eye) -> Known<'_> {
        match eye {
            Eye::Seat(seat) => self.known(seat),
            Eye::Public => Known::public(self.running.table().open()),
        }
    }

    /// The move made for a seat whose time is up.
    pub(crate) fn default_move(&self, seat: Seat) -> Option<MoveOf<G>> {
        self.running.table().rules().default_move(self.known(seat), seat)
    }

    /// The history that led here.
    pub fn course(&self) -> Course<'_, G> {
        Course { settings: &self.settings, deal: self.running.deals(), past: &self.past }
    }

    /// The random seed for this seat at this point of the match.
    pub(crate) fn draws(&self, seat: Seat, what: &[u8]) -> [u8; 32] {
        Sha256::new()
            .chain_update("fairdeal/server/draws")
            .chain_update(*self.secret)
            .chain_update(what)
            .chain_update([seat.index()])
            .chain_update(self.running.table().height().0.to_le_bytes())
            .finalize()
            .into()
    }

    /// A seat acts.
    pub(super) fn act(
        &mut self,
        seat: Seat,
        height: Height,
        action: &Decided,
        made: Made,
        at: Millis,
    ) -> Result<(), Refusal> {
        self.at_height(height)?;
        let Awaited::Turn(turn) = self.awaited() else { return Err(Refusal::NotAsked) };
        if turn != seat {
            return Err(Refusal::NotAsked);
        }
        let action: <G::Rules as Rules>::Action = action.get()?;
        let (table, house) = (self.running.table(), &mut self.house);
        if self.record.is_some() && table.rules().shows(seat, &action).next().is_some() {
            // For the record the house proves faces before they are played, and a proof cannot be taken back.
            let tried =
                table.clone().act_if(height, seat, &action, house.opened(), |claim| house.judge(claim) != Some(false));
            tried.map_err(|why| refused::<G>(&why))?;
            house.show(table, seat, &action).map_err(|_| Refusal::Damaged("cards"))?;
        }
        let before = self.is_seen().then(|| table.rules().view(Known::public(table.open()), Eye::Public));
        let line = self.record.is_some().then(|| (self.house.evidence(), self.running.table().clone()));
        let seen = self.copy();
        let house = &self.house;
        self.running
            .table_mut()
            .act_if(height, seat, &action, house.opened(), |claim| house.judge(claim) != Some(false))
            .map_err(|why| refused::<G>(&why))?;
        if let (Some(record), Some((evidence, table))) = (&mut self.record, line) {
            evidence.into_iter().for_each(|evidence| record.writer.evidence(evidence));
            record.writer.act(&table, seat, &action, self.house.opened(), made != Made::Freely);
        }
        self.past.push(Past::Did(seat, action.clone()));
        self.unseen = Unseen::Move;
        self.settled = None;
        if let Some(table) = seen {
            self.see(|| Seen::Acted { table, seat, action, made });
        }
        self.go_on(at);
        if let (Some(before), Stage::Deal) = (before, self.stage) {
            self.settle(before);
        }
        Ok(())
    }

    /// A seat chooses in secret. It may change its choice until the last seat has chosen.
    pub(super) fn choose(
        &mut self,
        seat: Seat,
        height: Height,
        choice: &Decided,
        made: Made,
        at: Millis,
    ) -> Result<(), Refusal> {
        self.at_height(height)?;
        let Awaited::Choices(seats) = self.awaited() else { return Err(Refusal::NotAsked) };
        if !seats.contains(seat) && !self.chosen.contains_key(&seat) {
            return Err(Refusal::NotAsked);
        }
        let choice: <G::Rules as Rules>::Choice = choice.get()?;
        // Every change is in the log, which must not grow because a player cannot make up their mind.
        let changes = self.changes + u32::from(self.chosen.contains_key(&seat));
        if self.chosen.get(&seat) == Some(&choice) || changes > MOST_CHANGES {
            return Err(Refusal::ChosenAlready);
        }
        let (table, house) = (self.running.table(), &self.house);
        table
            .admits_choice(seat, &choice, |claim| house.judge(claim) != Some(false))
            .map_err(|why| illegal::<G>(&why))?;
        self.chosen.insert(seat, choice);
        self.made.insert(seat, made);
        self.changes = changes;
        if seats == Seats::one(seat) {
            if let Err(why) = self.reveal_choices() {
                self.chosen.remove(&seat);
                return Err(why);
            }
            self.go_on(at);
        }
        Ok(())
    }

    /// Everybody has chosen. If the rules refuse, the choices stay as they are.
    pub(super) fn reveal_choices(&mut self) -> Result<(), Refusal> {
        let choices: Vec<_> = self.chosen.iter().map(|(seat, choice)| (*seat, choice.clone())).collect();
        let table = self.running.table();
        let height = table.height();
        let seen = self.copy();
        let taken = self.running.table_mut().choose(height, &choices);
        taken.map_err(|why| refused::<G>(&why))?;
        self.chosen.clear();
        let made = core::mem::take(&mut self.made);
        (self.unseen, self.settled) = (Unseen::Move, None);
        self.changes = 0;
        if let Some(record) = &mut self.record {
            self.house.evidence().into_iter().for_each(|evidence| record.writer.evidence(evidence));
            record.writer.choices::<G::Rules>(height, &choices);
        }
        self.past.extend(choices.iter().map(|(seat, choice)| Past::Chose(*seat, choice.clone())));
        if let Some(table) = seen {
            let by = |seat: Seat| made.get(&seat).copied().unwrap_or(Made::Freely);
            let choices = choices.into_iter().map(|(seat, choice)| (seat, choice, by(seat))).collect();
            self.see(|| Seen::Chose { table, choices });
        }
        Ok(())
    }

    /// A seat commits to its seed.
    pub(super) fn commit(&mut self, seat: Seat, deck: u32, commitment: [u8; 32], at: Millis) -> Result<(), Refusal> {
        self.house.commit(seat, deck, Commitment(commitment)).map_err(Refusal::Seed)?;
        self.go_on(at);
        Ok(())
    }

    /// A seat reveals its seed. If it does not match the commitment, the seat is left out: the event is accepted and
    /// recorded.
    pub(super) fn reveal(&mut self, seat: Seat, deck: u32, seed: &Seed, at: Millis) -> Result<(), Refusal> {
        match self.house.reveal(seat, deck, seed) {
            Ok(()) | Err(dealers::house::Refusal::Mismatch) => {
                self.go_on(at);
                Ok(())
            }
            Err(why) => Err(Refusal::Seed(why)),
        }
    }

    /// The time for commitments or seeds is up.
    pub(super) fn seeds_due(&mut self, at: Millis) -> Result<(), Refusal> {
        if !matches!(self.awaited(), Awaited::Seeds(..)) {
            return Err(Refusal::NotAsked);
        }
        self.house.time_up();
        self.go_on(at);
        Ok(())
    }

    /// A seat that sent no seeds will send them again.
    pub(super) fn wake(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.house.wake(seat).map_err(Refusal::Seed)
    }

    /// A computer takes this seat over.
    pub(super) fn take_over(&mut self, seat: Seat, at: Millis) {
        self.house.take_over(seat);
        self.go_on(at);
    }

    /// A seat leaves the match for good.
    pub(super) fn leave(&mut self, seat: Seat, at: Millis) {
        self.house.leave(seat);
        self.chosen.remove(&seat);
        match self.stage {
            Stage::Deal => {
                // Cards opened because of this cover nothing, and take no time from the player whose turn it is.
                self.unseen = Unseen::Nothing;
                self.gone(seat);
                self.go_on(at);
            }
            // The record only knows players who leave within a deal.
            Stage::Between => {
                self.leaving.insert(seat);
                let mut left = self.running.series().clone();
                self.leaving.iter().for_each(|seat| left.concede(seat));
                if left.standing().over {
                    // Nobody waits for a deal that is not played: it begins, all leave it, and the match is over.
                    self.next_deal(at);
                }
            }
            Stage::Over => {}
        }
    }

    pub(super) fn gone(&mut self, seat: Seat) {
        let (height, before) = (self.running.table().height(), self.copy());
        // A seat that is already out of this deal cannot leave it again, which is fine.
        if self.running.leave(height, seat).is_ok() {
            self.see_change(before);
            // The choices were made at another height; they stay valid.
            if let Some(record) = &mut self.record {
                self.house.evidence().into_iter().for_each(|evidence| record.writer.evidence(evidence));
                record.writer.gone(height, seat);
            }
        }
    }

    pub(super) fn at_height(&self, got: Height) -> Result<(), Refusal> {
        let now = self.running.table().height();
        if got == now { Ok(()) } else { Err(Refusal::Height { now, got }) }
    }
}

fn illegal<G: Kept>(why: &<G::Rules as Rules>::Illegal) -> Refusal {
    Refusal::Illegal(Illegal::new(why.clone()))
}

fn refused<G: Kept>(why: &Refused<<G::Rules as Rules>::Illegal>) -> Refusal {
    match why {
        Refused::Illegal(why) | Refused::IllegalChoice(_, why) => illegal::<G>(why),
        Refused::WrongHeight { now, got } => Refusal::Height { now: *now, got: *got },
        Refused::NotAwaited(_) => Refusal::NotAsked,
        Refused::NoSuchSeat(_) => Refusal::NoSuchSeat,
        Refused::NotShown(_) | Refused::FaceChanged(_) | Refused::NoSuchCard(..) | Refused::WrongChoosers(_) => {
            Refusal::NotAMove("it names cards that are not there".to_owned())
        }
    }
}
