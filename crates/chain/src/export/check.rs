//! Checks an exported hand: repeats its dealing and its play, and compares the end with what the state says.

use core::fmt;
use std::collections::BTreeMap;

use cards::{Card, Pack};
use dealers::joint::{Joint, Ledger, Message, Place, Verdict};
use dealing::{Element, beacon};
use games::holdem::Deal;
use table::record::By;
use table::{Faces, Seat, Slot, Table};

use super::{Drawing, Export, KeysEntry, Proven};
use crate::dealer::{self, Epoch, EpochOf, Member, Record, RecordOf};
use crate::store::Key;
use crate::tables::{self, Hand, Step};
use crate::units::{Coins, Hash};

/// What is wrong with an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadExport {
    /// The state with this root says something else about the dealing of the hand.
    Record,
    /// The state with this root says something else about the epoch.
    Epoch,
    /// The state with this root says something else about the epoch before.
    Previous,
    /// The random number that the committee was drawn with is not what the committee before made.
    Random,
    /// The key generation has other keys as its result.
    Keys,
    /// The deck is not the one that was committed to.
    Deck,
    /// A member's message about the deck would not have counted.
    Message {
        /// Which, from 0.
        number: usize,
    },
    /// The messages are not those that counted.
    Messages,
    /// The hand cannot be decoded, or the rules do not allow it.
    Played,
    /// A card is not what the shares open.
    Card {
        /// The place in the deck.
        index: u16,
    },
    /// The hand was settled in another way.
    Settlement,
}

impl fmt::Display for BadExport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record => f.write_str("the state says something else about the dealing of this hand"),
            Self::Epoch => f.write_str("the state says something else about the epoch that dealt it"),
            Self::Previous => f.write_str("the state says something else about the epoch before"),
            Self::Random => f.write_str("the committee was drawn with another random number"),
            Self::Keys => f.write_str("the key generation leads to other keys"),
            Self::Deck => f.write_str("the shuffles lead to another deck than the one committed to"),
            Self::Message { number } => write!(f, "message {} about the deck would not have counted", number + 1),
            Self::Messages => f.write_str("the messages about the deck are not all of those that counted"),
            Self::Played => f.write_str("the rules do not allow the hand to be played like this"),
            Self::Card { index } => {
                write!(f, "the card at place {} of the deck is not what its shares open", index + 1)
            }
            Self::Settlement => f.write_str("the hand was settled in another way"),
        }
    }
}

impl core::error::Error for BadExport {}

/// What a checked export shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The epoch.
    pub epoch: u64,
    /// Its committee.
    pub members: Vec<Member>,
    /// How many of its members are needed to open a card.
    pub threshold: u8,
    /// Who shuffled, in order.
    pub shuffled: Vec<u8>,
    /// Who lost their turn to shuffle.
    pub skipped: Vec<u8>,
    /// Whose message was proven wrong.
    pub at_fault: Vec<u8>,
    /// How many messages with sealed and with public shares counted.
    pub shares: [usize; 2],
    /// The root over the deck's ciphertexts.
    pub commit: Hash,
    /// The board.
    pub board: Vec<Card>,
    /// The hands that were shown, by seat.
    pub shown: Vec<(u8, Vec<Card>)>,
    /// How it began and how it was played.
    pub steps: Vec<Step>,
    /// The stacks after it, by seat.
    pub stacks: Vec<(u8, Coins)>,
    /// Whether it was aborted.
    pub aborted: bool,
}

impl Export {
    /// Checks everything, against the root in the export. Whether validators signed that root is for the caller to know.
    pub fn check(&self) -> Result<Checked, BadExport> {
        let record: Record = self.entry(&RecordOf(self.table, self.hand), &self.record).ok_or(BadExport::Record)?;
        let epoch: Epoch = self.entry(&EpochOf(record.epoch), &self.epoch).ok_or(BadExport::Epoch)?;
        self.check_random(record.epoch, &epoch)?;
        self.check_keys(record.epoch, &epoch)?;
        let hand: Hand = borsh::from_slice(&self.played).map_err(|_| BadExport::Played)?;
        if hand.number() != self.hand || tables::settled(&hand, &self.stacks) != record.settled {
            return Err(BadExport::Settlement);
        }
        let mut replay = Replay::new(self, &record, &epoch)?;
        replay.shuffle()?;
        if replay.ledger.cards(self.hand).and_then(dealer::commit) != record.commit {
            return Err(BadExport::Deck);
        }
        let table = replay.play(&hand)?;
        replay.rest(table.as_ref())?;
        if replay.log != record.log {
            return Err(BadExport::Messages);
        }
        Ok(replay.told(&record, &epoch, &hand))
    }

    fn entry<K: Key>(&self, key: &K, proven: &Proven) -> Option<K::Value> {
        proven.proof.verify(&self.root, &key.bytes(), Some(&proven.value)).ok()?;
        borsh::from_slice(&proven.value).ok()
    }

    fn check_random(&self, number: u64, epoch: &Epoch) -> Result<(), BadExport> {
        let random = match &self.drawing {
            Drawing::First if number == 1 => Some(dealer::first_random(&self.chain)),
            Drawing::First => None,
            Drawing::Beacon { previous, contributions } | Drawing::Lost { previous, contributions } => {
                let before = number.checked_sub(1).ok_or(BadExport::Previous)?;
                let previous: Epoch = self.entry(&EpochOf(before), previous).ok_or(BadExport::Previous)?;
                let context = dealer::beacon_context(&previous, number);
                let mut checked = BTreeMap::new();
                for (member, contribution) in contributions {
                    let contribution: beacon::Contribution =
                        dealing::decode(contribution).map_err(|_| BadExport::Random)?;
                    let share = previous.joint.0.beacon_share(By::Member(*member)).ok_or(BadExport::Random)?;
                    // A wrong one cost its author stake and did not count.
                    if contribution.verify(&context.author((*member).into()), share.1).is_ok() {
                        checked.insert(*member, (share.0, contribution));
                    }
                }
                if matches!(self.drawing, Drawing::Lost { .. }) {
                    let points = checked.iter().map(|(member, (_, one))| (*member, one.point()));
                    Some(dealer::lost_beacon(&previous, number, points))
                } else {
                    let checked: Vec<_> = checked.values().map(|(number, one)| (*number, one)).collect();
                    beacon::output(&context, previous.threshold.into(), &checked)
                }
            }
        };
        if random == Some(epoch.random) { Ok(()) } else { Err(BadExport::Random) }
    }

    fn check_keys(&self, number: u64, epoch: &Epoch) -> Result<(), BadExport> {
        let session = dealer::session(&self.chain, number, self.attempt, &epoch.random, &self.parent);
        let members = u8::try_from(epoch.members.len()).map_err(|_| BadExport::Keys)?;
        let mut ledger = Ledger::of_epoch(session, members, epoch.threshold).map_err(|_| BadExport::Keys)?;
        for entry in &self.keys {
            match entry {
                KeysEntry::Said(member, message) => {
                    let message: Message = dealing::decode(message).map_err(|_| BadExport::Keys)?;
                    ledger.receive_ahead(By::Member(*member), message);
                }
                KeysEntry::TimeUp => {
                    for (by, _) in ledger.missing_ahead() {
                        ledger.leave_out_ahead(by);
                    }
                }
            }
        }
        let same = |joint: &Joint| *joint == epoch.joint.0;
        if ledger.joint().is_some_and(same) { Ok(()) } else { Err(BadExport::Keys) }
    }
}

/// The dealing of a hand, repeated message by message.
struct Replay<'a> {
    export: &'a Export,
    ledger: Ledger,
    said: Vec<(u8, Message)>,
    /// The next message.
    next: usize,
    log: Hash,
    shuffled: Vec<u8>,
    skipped: Vec<u8>,
    at_fault: Vec<u8>,
    shares: [usize; 2],
}

impl<'a> Replay<'a> {
    fn new(export: &'a Export, record: &Record, epoch: &Epoch) -> Result<Self, BadExport> {
        let (began, block) = record.began;
        let salt = dealer::salt(&export.chain, record.epoch, export.table, began, &block);
        let joint = epoch.joint.0.for_deck(export.hand, &salt);
        let order = dealer::shuffle_order(epoch, export.table, export.hand);
        let members = u8::try_from(epoch.members.len()).map_err(|_| BadExport::Epoch)?;
        let ledger = Ledger::of_deck(joint, members, epoch.threshold, export.hand, Pack::STANDARD, order);
        let decode = |(number, (member, message)): (usize, &(u8, Vec<u8>))| {
            let message = dealing::decode(message).map_err(|_| BadExport::Message { number })?;
            Ok((*member, message))
        };
        let said = export.deck.iter().enumerate().map(decode).collect::<Result<_, _>>()?;
        let (shuffled, skipped, at_fault) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { export, ledger, said, next: 0, log: [0; 32], shuffled, skipped, at_fault, shares: [0; 2] })
    }

    /// The shuffles; a member whose turn was skipped has said nothing.
    fn shuffle(&mut self) -> Result<(), BadExport> {
        let deck = self.export.hand;
        while let Some((member, Place::Shuffle(_))) = self.peek() {
            while let Some(turn) = self.ledger.shuffler(deck).filter(|turn| *turn != By::Member(member)) {
                self.ledger.skip(deck);
                if let By::Member(skipped) = turn {
                    self.skipped.push(skipped);
                }
            }
            self.take(None)?;
        }
        while let Some(By::Member(skipped)) = self.ledger.skip(deck) {
            self.skipped.push(skipped);
        }
        Ok(())
    }

    /// The hand: shares open exactly the cards that the log says. Returns the table it ended with.
    fn play(&mut self, hand: &Hand) -> Result<Option<Table<Deal>>, BadExport> {
        let player = |dealt: &tables::DealtIn| Some((Seat::new(dealt.seat)?, element(&dealt.key)?));
        let players = hand.begun().players.iter().map(player).collect::<Option<Vec<_>>>().ok_or(BadExport::Played)?;
        self.ledger.seat(&players);
        let mut table = hand.begun().table().ok_or(BadExport::Played)?;
        for step in hand.log() {
            let height = table.height();
            match step {
                Step::Dealt(cards) => {
                    self.ledger.look(&table);
                    while !self.ledger.filled(&table).unwrap_or(false) {
                        self.peek().ok_or(BadExport::Messages)?;
                        self.take(Some(&table))?;
                    }
                    for (index, code) in cards {
                        if self.ledger.opened().get(Slot::new(self.export.hand, *index)) != Card::from_code(*code) {
                            return Err(BadExport::Card { index: *index });
                        }
                    }
                    table.dealt(height, self.ledger.opened()).map_err(|_| BadExport::Played)?;
                }
                Step::Act { seat, action, .. } => {
                    let seat = Seat::new(*seat).ok_or(BadExport::Played)?;
                    table.act(height, seat, &(*action).into(), &Faces::new()).map_err(|_| BadExport::Played)?;
                }
            }
        }
        Ok(Some(table))
    }

    /// What was said before a hand was aborted.
    fn rest(&mut self, table: Option<&Table<Deal>>) -> Result<(), BadExport> {
        while self.peek().is_some() {
            self.take(table)?;
        }
        Ok(())
    }

    fn peek(&self) -> Option<(u8, Place)> {
        self.said.get(self.next).map(|(member, message)| (*member, message.place))
    }

    fn take(&mut self, table: Option<&Table<Deal>>) -> Result<(), BadExport> {
        let number = self.next;
        let (member, message) = self.said.get(number).cloned().ok_or(BadExport::Messages)?;
        self.next += 1;
        let (place, hash, by) = (message.place, message.hash(), By::Member(member));
        let verdict = match table {
            Some(table) => self.ledger.receive(table, by, message),
            None => self.ledger.receive_ahead(by, message),
        };
        match (verdict, place) {
            (Verdict::Void(_), _) => return Err(BadExport::Message { number }),
            (Verdict::Fault(_), _) => self.at_fault.push(member),
            (Verdict::Valid, Place::Shuffle(_)) => self.shuffled.push(member),
            (Verdict::Valid, Place::Sealed(_)) => self.shares[0] += 1,
            (Verdict::Valid, _) => self.shares[1] += 1,
        }
        self.log = dealer::logged(&self.log, member, &hash);
        Ok(())
    }

    fn told(self, record: &Record, epoch: &Epoch, hand: &Hand) -> Checked {
        let (table, rules) = (hand.table(), hand.table().rules());
        let faces = |run: table::Run| run.slots().filter_map(|slot| table.open().get(slot)).collect::<Vec<Card>>();
        let shown = hand.seats().iter().map(|seat| (seat.index(), faces(rules.hole(seat))));
        Checked {
            epoch: record.epoch,
            members: epoch.members.clone(),
            threshold: epoch.threshold,
            shuffled: self.shuffled,
            skipped: self.skipped,
            at_fault: self.at_fault,
            shares: self.shares,
            commit: record.commit.unwrap_or_default(),
            board: faces(rules.board()),
            shown: shown.filter(|(_, cards)| !cards.is_empty()).collect(),
            steps: hand.log().to_vec(),
            stacks: self.export.stacks.clone(),
            aborted: table.awaiting() != table::Awaiting::Over,
        }
    }
}

fn element(bytes: &[u8; 32]) -> Option<Element> {
    dealing::decode(bytes).ok()
}
