//! What a player prepares in Rommé before playing it, for screens and pages alike.
//!
//! Players mark cards, set melds aside until they are enough, and choose a meld on the table. [`Prepared`] keeps
//! that; [`Bench`] says what it makes and what can be done with it, trying every move on a copy of the table;
//! [`Not`] says why something cannot be done. Nothing here trusts what was prepared: it may be old, or come
//! from somebody who makes things up.
//!
//! - `readings`: what marked cards make, jokers included.
//! - `prepared`: what is kept, and how it changes.
//! - `not`: why something cannot be done.

mod not;
mod prepared;
mod readings;

use cards::{Card, Suit};
use table::{Eye, Known, Seat, Slot, Table};

use super::action::Use;
use super::{Action, Deal, DrawView, Drawing, Laid, MeldId, MeldView, Moves, Part, PlayerView, Pool, Shape, View};

pub use not::Not;
pub use prepared::{Order, Prepared};
pub use readings::{Faced, Reading};

/// What somebody looks at while preparing something.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Who looks.
    pub eye: Eye,
    /// What the looker sees.
    pub view: &'a View,
    /// What the looker can do now, if asked.
    pub moves: Option<&'a Moves>,
    /// The table.
    pub table: &'a Table<Deal>,
    /// The faces the looker knows.
    pub known: Known<'a>,
}

impl<'a> At<'a> {
    /// The player who looks, if it is one.
    pub fn me(&self) -> Option<&'a PlayerView> {
        match self.eye {
            Eye::Seat(seat) => self.view.players.get(usize::from(seat.index())),
            Eye::Public => None,
        }
    }

    /// An action that the table would take now, or why not.
    pub fn try_act(&self, action: Action) -> Result<Action, Not> {
        let seat = match self.eye {
            Eye::Seat(seat) => seat,
            Eye::Public => return Err(Not::OnlyWatching),
        };
        let tried = self.table.clone().act(self.table.height(), seat, &action, &self.known);
        tried.map(|()| action).map_err(Not::Refused)
    }
}

/// What is prepared at a table.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    at: At<'a>,
    marked: &'a [Slot],
    prepared: &'a Prepared,
}

/// What the top of the discard pile would be good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoodFor<'a> {
    /// It is a joker.
    Joker,
    /// It fits a meld on the table.
    Fits(&'a MeldView),
    /// It makes a meld with cards of the hand.
    Makes(Shape),
    /// Nothing yet.
    Nothing,
}

impl<'a> Bench<'a> {
    /// What lies on it.
    pub const fn new(at: At<'a>, marked: &'a [Slot], prepared: &'a Prepared) -> Self {
        Self { at, marked, prepared }
    }

    /// The melds set aside: those whose cards are still in hand, and still make a meld.
    pub fn ready(&self) -> Vec<Vec<Laid>> {
        let mut taken: Vec<Slot> = Vec::new();
        let mut ready = Vec::new();
        for meld in self.prepared.ready.iter().filter(|meld| self.points(meld) > 0) {
            let held = |laid: &Laid| self.at.view.hand.iter().any(|held| held.slot == laid.slot);
            if meld.iter().all(|laid| held(laid) && !taken.contains(&laid.slot)) {
                taken.extend(meld.iter().map(|laid| laid.slot));
                ready.push(meld.clone());
            }
        }
        ready
    }

    /// The cards that are not set aside, in the order they are shown in.
    pub fn loose(&self) -> Vec<Faced> {
        let ready = self.ready();
        let is_ready = |slot: Slot| ready.iter().flatten().any(|laid| laid.slot == slot);
        let faced = self.at.view.hand.iter().filter_map(|held| Some((held.slot, held.card?)));
        let mut loose: Vec<Faced> = faced.filter(|(slot, _)| !is_ready(*slot)).collect();
        loose.sort_by_key(|(slot, card)| {
            let (rank, suit) = card.natural().map_or((99, 99), |(rank, suit)| (rank.index(), colour(suit)));
            match self.prepared.order {
                Order::Suit => (suit, rank, *slot),
                Order::Rank => (rank, suit, *slot),
            }
        });
        loose
    }

    /// The marked cards, each once.
    pub fn marked(&self) -> Vec<Faced> {
        let mut loose = self.loose();
        let mut take = |slot: &Slot| loose.iter().position(|(other, _)| other == slot).map(|at| loose.remove(at));
        self.marked.iter().filter_map(&mut take).collect()
    }

    /// The faces of the whole hand.
    pub fn pool(&self) -> Pool {
        self.at.view.hand.iter().filter_map(|held| held.card).fold(Pool::default(), Pool::with)
    }

    /// What the marked cards make, in the way that was chosen; and how many ways there are.
    pub fn reading(&self) -> (Option<Reading>, usize) {
        let all = readings::readings(&self.marked());
        let ways = all.len();
        (all.into_iter().nth(self.prepared.way.checked_rem(ways).unwrap_or(0)), ways)
    }

    /// What a meld counts; 0 if it is none.
    pub fn points(&self, meld: &[Laid]) -> u16 {
        let part = |laid: &Laid| {
            let face = self.at.known.face(laid.slot)?;
            Some(Part { slot: laid.slot, face, stands_for: laid.stands_for })
        };
        let parts: Option<Vec<Part>> = meld.iter().map(part).collect();
        parts.and_then(|parts| Shape::new(&parts).ok()).map_or(0, Shape::points)
    }

    /// Has the player laid their first melds?
    pub fn opened(&self) -> bool {
        self.at.me().is_some_and(|me| me.opened)
    }

    /// What everything that would be laid now counts: the melds set aside and the marked one.
    pub fn points_to_lay(&self) -> u16 {
        let marked = self.reading().0.map_or(0, |reading| reading.shape.points());
        self.ready().iter().map(|meld| self.points(meld)).sum::<u16>() + marked
    }

    /// The melds set aside and the marked one are laid.
    pub fn lay(&self) -> Result<Action, Not> {
        let mut melds = self.ready();
        if !self.marked().is_empty() {
            melds.push(self.marked_meld()?.laid);
        }
        if melds.is_empty() {
            return Err(Not::NothingToLay);
        }
        let (points, needed) = (self.points_to_lay(), self.at.view.first_meld);
        if !self.opened() && points < needed {
            return Err(Not::TooFewPoints { points, needed });
        }
        self.at.try_act(Action::Meld(melds))
    }

    /// The marked cards as a meld, or why they are none.
    pub fn marked_meld(&self) -> Result<Reading, Not> {
        let why = || readings::flaw(&self.marked()).map_or(Not::NothingToLay, Not::NoMeld);
        self.reading().0.ok_or_else(why)
    }

    /// The meld on the table that was chosen.
    pub fn chosen(&self) -> Option<&'a MeldView> {
        let (id, _) = self.prepared.chosen.filter(|(_, at)| *at == self.at.table.height())?;
        self.at.view.melds.iter().find(|meld| meld.id == id)
    }

    /// The marked cards are added to the chosen meld, or to the first that takes them.
    pub fn lay_off(&self) -> Result<(MeldId, Action), Not> {
        if !self.opened() {
            return Err(Not::NotOpened);
        }
        let marked = self.marked();
        if marked.is_empty() {
            return Err(Not::NothingToAdd);
        }
        let (mut found, why) = self.additions(&marked);
        if found.is_empty() {
            let no_fit = self.chosen().map_or(Not::FitsNoMeld, |meld| Not::DoesNotFit(meld.id));
            return Err(why.unwrap_or(no_fit));
        }
        let n = self.prepared.way % found.len();
        Ok(found.swap_remove(n))
    }

    /// Every way to add cards to the chosen meld, or to any; and why the table refuses one that fits.
    fn additions(&self, cards: &[Faced]) -> (Vec<(MeldId, Action)>, Option<Not>) {
        let (mut found, mut why) = (Vec::new(), None);
        let melds = self.at.view.melds.iter();
        for meld in melds.filter(|meld| self.chosen().is_none_or(|chosen| chosen.id == meld.id)) {
            for cards in readings::additions(meld, cards) {
                match self.at.try_act(Action::LayOff { meld: meld.id, cards }) {
                    Ok(done) => found.push((meld.id, done)),
                    Err(not) => why = Some(not),
                }
            }
        }
        (found, why)
    }

    /// In how many ways the marked cards can be laid, added or swapped, whichever is more.
    pub fn ways(&self) -> usize {
        let marked = self.marked();
        let added = if self.opened() && !marked.is_empty() { self.additions(&marked).0.len() } else { 0 };
        self.reading().1.max(added).max(self.exchanges(&marked).0.len())
    }

    /// Would this meld take the marked cards?
    pub fn fits(&self, meld: &MeldView) -> bool {
        let marked = self.marked();
        self.opened() && !marked.is_empty() && !readings::additions(meld, &marked).is_empty()
    }

    /// Has this meld a joker that one of the marked cards could be given for?
    pub fn swaps(&self, meld: &MeldView) -> bool {
        self.opened() && self.marked().iter().any(|(_, card)| readings::jokers_for(meld, *card).is_some())
    }

    /// Can a joker be taken from anywhere at all?
    pub fn jokers_lie(&self) -> bool {
        self.opened() && self.at.view.melds.iter().flat_map(|meld| &meld.cards).any(|card| card.card.is_joker())
    }

    /// One marked card is given for a joker; the joker and the other marked cards make a meld or are added to
    /// another one. The chosen meld is where the joker is taken from, or where it goes.
    pub fn swap(&self) -> Result<(MeldId, Action), Not> {
        let marked = self.marked();
        if marked.is_empty() {
            return Err(Not::NothingToSwap);
        }
        let (mut found, why) = self.exchanges(&marked);
        if found.is_empty() {
            let none = if self.takeable(&marked).next().is_none() { Not::NoSuchJoker } else { Not::NoUseForJoker };
            return Err(why.unwrap_or(none));
        }
        let n = self.prepared.way % found.len();
        Ok(found.swap_remove(n))
    }

    /// Every way to swap a joker with these cards; and why the table refuses one that fits.
    fn exchanges(&self, marked: &[Faced]) -> (Vec<(MeldId, Action)>, Option<Not>) {
        let (mut found, mut why) = (Vec::new(), None);
        for (meld, given, joker) in self.takeable(marked) {
            let kept = marked.iter().copied().filter(|(slot, _)| *slot != given);
            let rest: Vec<Faced> = core::iter::once((joker, Card::JOKER)).chain(kept).collect();
            for then in self.uses(meld, &rest) {
                let goes_to = match &then {
                    Use::Meld(_) => None,
                    Use::LayOff { meld, .. } => Some(*meld),
                };
                let named = self.chosen().is_none_or(|chosen| chosen.id == meld || Some(chosen.id) == goes_to);
                match self.at.try_act(Action::Swap { meld, card: given, then }) {
                    Ok(done) if named => found.push((meld, done)),
                    Ok(_) => {}
                    Err(not) => why = Some(not),
                }
            }
        }
        (found, why)
    }

    /// The jokers that marked cards can be given for: whose meld, which card, which joker.
    fn takeable(&self, marked: &[Faced]) -> impl Iterator<Item = (MeldId, Slot, Slot)> {
        let melds = self.at.view.melds.iter();
        melds.flat_map(move |meld| {
            let marked = marked.iter();
            marked.filter_map(move |(slot, card)| Some((meld.id, *slot, readings::jokers_for(meld, *card)?)))
        })
    }

    /// What can become of a joker and these cards.
    fn uses(&self, taken_from: MeldId, cards: &[Faced]) -> Vec<Use> {
        let new = readings::readings(cards).into_iter().map(|reading| Use::Meld(reading.laid));
        let others = self.at.view.melds.iter().filter(|meld| meld.id != taken_from);
        let added = others.flat_map(|meld| {
            let ways = readings::additions(meld, cards).into_iter();
            ways.map(|cards| Use::LayOff { meld: meld.id, cards })
        });
        new.chain(added).collect()
    }

    /// The one marked card is thrown away.
    pub fn discard(&self) -> Result<(Card, Action), Not> {
        match self.marked().as_slice() {
            [] => Err(Not::NothingToDiscard),
            [(slot, _)] if self.at.view.barred == Some(*slot) => Err(Not::JustTaken),
            [(slot, card)] => self.at.try_act(Action::Discard(*slot)).map(|done| (*card, done)),
            _ => Err(Not::OnlyOneCard),
        }
    }

    /// What the top of the pile would be good for, where it can be taken.
    pub fn good_for(&self, drawing: Drawing) -> Option<(Card, GoodFor<'a>)> {
        let top = drawing.discard?;
        let card = top.card?;
        let faced = [(top.slot, card)];
        let mut melds = self.at.view.melds.iter();
        let on_table = melds.find(|meld| self.opened() && !readings::additions(meld, &faced).is_empty());
        let in_hand = self.pool().with(card).melds_with(card);
        let in_hand = in_hand.min_by_key(|shape| (shape.jokers(), core::cmp::Reverse(shape.points())));
        let good = match (on_table, in_hand) {
            _ if card.is_joker() => GoodFor::Joker,
            (Some(meld), _) => GoodFor::Fits(meld),
            (None, Some(shape)) => GoodFor::Makes(shape),
            (None, None) => GoodFor::Nothing,
        };
        Some((card, good))
    }

    /// The card that the player drew or took in this turn, while it is in hand; and whether it came from
    /// the pile.
    ///
    /// It is the newest card from the stock, so no card that lies anywhere was dealt later.
    pub fn drawn(&self) -> Option<(Slot, Card, bool)> {
        let view = self.at.view;
        match self.at.me()?.last_draw? {
            DrawView::Discard(held) => {
                let own = view.hand.iter().find(|own| own.slot == held.slot)?;
                Some((own.slot, own.card?, true))
            }
            DrawView::Stock => {
                let newest = view.hand.iter().max_by_key(|held| held.slot)?;
                let laid = view.melds.iter().flat_map(|meld| &meld.cards).map(|card| card.slot);
                let lies = laid.chain(view.pile.iter().map(|held| held.slot)).max();
                let card = newest.card.filter(|_| lies.is_none_or(|lies| lies < newest.slot))?;
                Some((newest.slot, card, false))
            }
        }
    }

    /// What the hand would count with all its melds laid.
    pub fn outside_melds(&self) -> Option<u16> {
        super::best(self.pool(), super::Goal { least: 0, keep: false }).map(|plan| plan.left)
    }
}

impl View {
    /// Who has gone out, once somebody has.
    pub fn out(&self) -> Option<Seat> {
        self.ending?;
        let at = self.players.iter().position(|player| player.playing && player.cards == 0)?;
        u8::try_from(at).ok().and_then(Seat::new)
    }

    /// What the points of a round that has ended are multiplied by.
    pub fn times(&self) -> i64 {
        match self.ending {
            Some("rommé") => 2,
            Some("hand rommé") => 3,
            _ => 1,
        }
    }
}

/// Suits so that colours alternate.
const fn colour(suit: Suit) -> u8 {
    match suit {
        Suit::Spades => 0,
        Suit::Hearts => 1,
        Suit::Clubs => 2,
        Suit::Diamonds => 3,
    }
}
