//! The deals of a match, one after another, and their keys.
//!
//! Every deal whose decks are all fresh gets new keys from those who are present. While it is played, the keys and the
//! deck of the next deal are made ahead, so that nobody waits for a shuffle. If the next deal is with others or with
//! somebody who was late in this one, or begins with another deck, what was made ahead is void.

use cards::Pack;
use dealers::joint::{Duty, Message, Node, Replica, Said, Void};
use table::record::By;
use table::{Awaiting, Game, Height, Leaving, Order, Rules as _, Seat, Seats, Series as _, Source, Table};

use super::private::{Private, SetSeed};
use crate::hash::hash;
use crate::start::Start;

/// Decks with fewer cards than this are dice.
const DICE: u16 = 20;

/// A match being played.
pub(super) struct Playing<G: Game> {
    pub(super) series: G::Series,
    pub(super) replica: Replica<G::Rules>,
    keys: Keys,
    ahead: Option<Ahead>,
    /// The number of the next key set.
    next_set: u32,
    /// The last fresh pack that this deal has ordered.
    pack: Option<Pack>,
    /// The match and the combined seed, which every proof names.
    ground: [u8; 32],
    /// How many deals have begun.
    pub(super) deals: u32,
    /// Seats that were late in an earlier deal, and have not been heard of since.
    absent: Seats,
    /// Seats that said in this deal that they are back.
    back: Seats,
    /// Dealing messages of this member for the log, with their key sets.
    outbox: Vec<(u32, Message)>,
    acts: Vec<(u64, [u8; 32], <G::Rules as table::Rules>::Action)>,
}

/// How far the cards of a deal are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preparing {
    /// The seats whose part of the keys is there.
    pub keys: Seats,
    /// The seats that have shuffled the deck.
    pub shuffled: Seats,
    /// Whether the deck of the next deal is shuffled.
    pub ahead: bool,
}

/// The key set in use.
struct Keys {
    set: u32,
    /// Its seed was erased: whatever its node would say now is wrong.
    mute: bool,
}

/// The next key set.
struct Ahead {
    set: u32,
    mute: bool,
    node: Node,
    players: Seats,
    deck: u32,
}

/// Whose game it is, and what they must not tell.
pub(super) struct Own<'a> {
    pub(super) seat: Option<Seat>,
    pub(super) private: &'a mut Private,
    pub(super) start: &'a Start,
}

/// A deal has ended.
pub(super) enum Next {
    /// Another one has begun.
    Deal,
    /// The match is over.
    Over,
}

impl<G: Game> Playing<G> {
    /// The first deal; `None` if there is none.
    pub(super) fn new(series: G::Series, ground: [u8; 32], own: &mut Own<'_>) -> Option<Self> {
        let setup = series.next(0)?;
        let table = Table::new(G::Rules::deal(&setup).ok()?, Height(0));
        let (replica, keys) = fresh(table, 0, Seats::NONE, &ground, own);
        let mut playing = Self {
            series,
            replica,
            keys,
            ahead: None,
            next_set: 1,
            pack: None,
            ground,
            deals: 1,
            absent: Seats::NONE,
            back: Seats::NONE,
            outbox: Vec::new(),
            acts: Vec::new(),
        };
        playing.collect();
        Some(playing)
    }

    /// Something about dealing.
    pub(super) fn dealing(&mut self, seat: Seat, set: u32, message: Message) -> dealers::joint::Verdict {
        let by = By::Seat(seat);
        let verdict = if set == self.keys.set {
            self.replica.receive(by, Said::Dealing(Box::new(message)))
        } else if let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.set == set) {
            ahead.node.receive_ahead(by, message)
        } else {
            dealers::joint::Verdict::Void(Void::NotAwaited)
        };
        self.collect();
        verdict
    }

    /// A seat's own program has something to say.
    pub(super) fn collect(&mut self) {
        self.remember_pack();
        for said in self.replica.take_outbox() {
            match said {
                Said::Dealing(message) => self.outbox.push((self.keys.set, *message)),
                Said::Act { height, on, action } => self.acts.push((height, on, action)),
            }
        }
        if let Some(ahead) = &mut self.ahead {
            let said = ahead.node.take_outbox().into_iter().map(|message| (ahead.set, message));
            if ahead.mute { drop(said) } else { self.outbox.extend(said) }
        }
        if self.keys.mute {
            let set = self.keys.set;
            self.outbox.retain(|(of, _)| *of != set);
        }
    }

    /// Who plays this deal and has not been left out of it.
    pub(super) fn still_in(&self) -> Seats {
        self.replica.node().ledger().terms().players - self.left_out()
    }

    /// Who has been left out of the keys of this deal.
    fn left_out(&self) -> Seats {
        let ledger = self.replica.node().ledger();
        ledger.left_out().filter_map(|by| ledger.terms().is_player(by)).collect()
    }

    /// Whether a seat was late, and has not said since that it is back.
    pub(super) fn is_out(&self, seat: Seat) -> bool {
        ((self.absent | self.left_out()) - self.back).contains(seat)
    }

    /// A seat is back, and makes the next keys with the others.
    pub(super) fn come_back(&mut self, seat: Seat) {
        self.absent.remove(seat);
        if self.left_out().contains(seat) {
            self.back.insert(seat);
        }
    }

    /// How far the cards of this deal are, and those of the next.
    pub(super) fn preparing(&self) -> Preparing {
        let ledger = self.replica.node().ledger();
        let players = self.still_in();
        let without_keys = self.replica.missing().into_iter().filter_map(|(by, duty)| match (by, duty) {
            (By::Seat(seat), Duty::Key | Duty::Dealing | Duty::Ready) => Some(seat),
            _ => None,
        });
        let without_keys: Seats = without_keys.collect();
        let ahead = self.ahead.as_ref();
        Preparing {
            keys: players - without_keys,
            shuffled: players.iter().filter(|seat| ledger.has_shuffled(By::Seat(*seat))).collect(),
            ahead: ahead.is_some_and(|ahead| ahead.node.ledger().is_shuffled(ahead.deck)),
        }
    }

    /// This player's seat, if they have to decide now. Somebody whose part of the keys is lost does not know their own
    /// cards: a move of theirs could be a false claim.
    pub(super) fn is_asked(&self) -> Option<Seat> {
        self.replica.is_asked().filter(|_| !self.keys.mute)
    }

    /// What to say about dealing, since the last call.
    pub(super) fn take_dealing(&mut self) -> Vec<(u32, Message)> {
        core::mem::take(&mut self.outbox)
    }

    /// Moves to make, since the last call.
    pub(super) fn take_acts(&mut self) -> Vec<(u64, [u8; 32], <G::Rules as table::Rules>::Action)> {
        core::mem::take(&mut self.acts)
    }

    fn remember_pack(&mut self) {
        for order in self.replica.table().orders() {
            if let Order::Shuffle { from: Source::Pack(pack), .. } = order
                && pack.len() >= DICE
            {
                self.pack = Some(pack);
            }
        }
    }

    /// Begins to make the next keys and deck, once the cards of this deal are on the table.
    pub(super) fn look_ahead(&mut self, own: &mut Own<'_>) {
        let table = self.replica.table();
        let dealt = matches!(table.awaiting(), Awaiting::Turn(_) | Awaiting::Choices(_));
        let (Some(pack), true, None) = (self.pack, dealt, &self.ahead) else { return };
        if !self.series.renews(table.rules()) {
            return;
        }
        let players = self.still_in();
        if players.len() < 2 {
            return;
        }
        let deck = table.rules().decks().end;
        let set = self.next_set;
        self.next_set += 1;
        let (mut node, mute) = node(set, players, &self.ground, own);
        node.prepare(deck, pack);
        self.ahead = Some(Ahead { set, mute, node, players, deck });
        self.collect();
    }

    /// Counts the finished deal and begins the next one. `elapsed` is in seconds since the match began.
    pub(super) fn next_deal(&mut self, elapsed: u64, own: &mut Own<'_>) -> Option<Next> {
        let mut table = self.replica.table().clone();
        let outcome = table.outcome()?.clone();
        self.series.finish(table.rules(), &outcome);
        self.series.elapsed(elapsed);
        self.absent = (self.absent | self.left_out()) - self.back;
        self.back = Seats::NONE;
        let first_deck = table.rules().decks().end;
        let Some(setup) = self.series.next(first_deck) else { return Some(Next::Over) };
        let Ok(rules) = G::Rules::deal(&setup) else { return Some(Next::Over) };
        table.next_deal(rules);
        self.deals += 1;
        self.pack = None;
        if table.rules().decks().start < first_deck {
            // A shoe outlives a deal.
            self.replica.next_deal(table);
        } else {
            self.change_keys(table, first_deck, own);
        }
        self.collect();
        Some(Next::Deal)
    }

    fn change_keys(&mut self, table: Table<G::Rules>, first_deck: u32, own: &mut Own<'_>) {
        own.private.end(self.keys.set);
        let players = present(&table, self.absent, own.start);
        let left_out = self.left_out();
        // Somebody who was late may have lost their part of these keys, too, and would break off the next deal.
        let fits = |ahead: &Ahead| ahead.players == players && (players & left_out).is_empty();
        match self.ahead.take() {
            Some(ahead) if fits(&ahead) && ahead.deck == first_deck => {
                self.keys = Keys { set: ahead.set, mute: ahead.mute };
                self.replica = Replica::new(without(table, players), ahead.node);
            }
            void => {
                if let Some(ahead) = void {
                    own.private.end(ahead.set);
                }
                let set = self.next_set;
                self.next_set += 1;
                (self.replica, self.keys) = fresh(table, set, self.absent, &self.ground, own);
            }
        }
    }
}

/// New keys for a deal.
fn fresh<R: table::Rules>(
    table: Table<R>,
    set: u32,
    absent: Seats,
    ground: &[u8; 32],
    own: &mut Own<'_>,
) -> (Replica<R>, Keys) {
    let players = present(&table, absent, own.start);
    let (node, mute) = node(set, players, ground, own);
    (Replica::new(without(table, players), node), Keys { set, mute })
}

fn node(set: u32, players: Seats, ground: &[u8; 32], own: &mut Own<'_>) -> (Node, bool) {
    let session = hash("set", &[ground, &set.to_le_bytes()]);
    let terms = own.start.terms(session, players);
    // Nobody is By::House: a spectator's node says nothing.
    let me = own.seat.map_or(By::House, By::Seat);
    let (seed, mute) = match own.private.begin(set) {
        SetSeed::Live(seed) => (seed, false),
        SetSeed::Erased(junk) => (junk, true),
    };
    (Node::new(terms, me, *seed), mute)
}

/// Who makes the keys of a deal: the seats that play it. With a threshold, those who are absent need not be waited for.
fn present<R: table::Rules>(table: &Table<R>, absent: Seats, start: &Start) -> Seats {
    let plays = |seat: &Seat| table.clone().leave(table.height(), *seat, Leaving::Away).is_ok();
    let all: Seats = Seats::first(table.rules().players()).iter().filter(plays).collect();
    let here = all - absent;
    if start.threshold.is_some() && here.len() >= 2 { here } else { all }
}

/// Takes those out of a deal who are not there.
fn without<R: table::Rules>(mut table: Table<R>, players: Seats) -> Table<R> {
    for seat in (Seats::first(table.rules().players()) - players).iter() {
        // Refused for a seat that does not play this deal anyway.
        let _ = table.leave(table.height(), seat, Leaving::Away);
    }
    table
}
