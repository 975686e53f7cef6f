//! What a player prepares in Rommé: melds set aside, marked cards, a meld chosen on the table; and what can be
//! done with that.

use cards::Card;
use games::romme::{self, Action, Laid, MeldId, MeldView, Moves, Pool, Romme, Use};
use table::{Height, Slot};

use super::super::screen::{Draft, MoveOf, Scene};
use super::readings::{self, Faced, Reading};

/// How the cards of a hand are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Order {
    /// By suit, then by rank.
    #[default]
    Suit,
    /// By rank, then by suit.
    Rank,
}

/// What a draft holds beside marked cards.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// How the hand is ordered.
    pub(super) order: Order,
    /// Melds set aside, to be laid together. They stay set aside until they are laid or taken back.
    ready: Vec<Vec<Laid>>,
    /// The meld that cards are to be added to, and when it was chosen: with the next move that is forgotten.
    chosen: Option<(MeldId, Height)>,
    /// Which way to read the marked cards, where there are several.
    pub(super) way: usize,
}

/// A draft at a table.
pub(super) struct Bench<'a, 's> {
    scene: &'a Scene<'s, Romme>,
    draft: &'a Draft<Extra>,
}

impl<'a, 's> Bench<'a, 's> {
    /// What lies on it.
    pub(super) const fn new(scene: &'a Scene<'s, Romme>, draft: &'a Draft<Extra>) -> Self {
        Self { scene, draft }
    }

    /// The melds set aside, as far as their cards are still in hand.
    pub(super) fn ready(&self) -> impl Iterator<Item = &'a Vec<Laid>> {
        let hand = &self.scene.view.hand;
        let held = |laid: &Laid| hand.iter().any(|held| held.slot == laid.slot);
        self.draft.extra.ready.iter().filter(move |meld| meld.iter().all(held))
    }

    fn is_ready(&self, slot: Slot) -> bool {
        self.ready().flatten().any(|laid| laid.slot == slot)
    }

    /// The cards that are not set aside, in the order they are shown in.
    pub(super) fn loose(&self) -> Vec<Faced> {
        let faced = self.scene.view.hand.iter().filter_map(|held| Some((held.slot, held.card?)));
        let mut loose: Vec<Faced> = faced.filter(|(slot, _)| !self.is_ready(*slot)).collect();
        loose.sort_by_key(|(slot, card)| {
            let (rank, suit) = card.natural().map_or((99, 99), |(rank, suit)| (rank.index(), colour(suit)));
            match self.draft.extra.order {
                Order::Suit => (suit, rank, *slot),
                Order::Rank => (rank, suit, *slot),
            }
        });
        loose
    }

    /// The marked cards.
    pub(super) fn marked(&self) -> Vec<Faced> {
        let loose = self.loose();
        let find = |slot: &Slot| loose.iter().find(|(other, _)| other == slot).copied();
        self.draft.marked.iter().filter_map(find).collect()
    }

    /// The faces of the whole hand.
    pub(super) fn pool(&self) -> Pool {
        self.scene.view.hand.iter().filter_map(|held| held.card).fold(Pool::default(), Pool::with)
    }

    /// What the marked cards make, in the way that was chosen; and how many ways there are.
    pub(super) fn reading(&self) -> (Option<Reading>, usize) {
        let all = readings::readings(&self.marked());
        let ways = all.len();
        (all.into_iter().nth(self.draft.extra.way.checked_rem(ways).unwrap_or(0)), ways)
    }

    /// What a meld counts.
    pub(super) fn points(&self, meld: &[Laid]) -> u16 {
        let part = |laid: &Laid| {
            let face = self.scene.known.face(laid.slot)?;
            Some(romme::Part { slot: laid.slot, face, stands_for: laid.stands_for })
        };
        let parts: Vec<romme::Part> = meld.iter().filter_map(part).collect();
        romme::Shape::new(&parts).map_or(0, romme::Shape::points)
    }

    /// Has the player laid his first melds?
    pub(super) fn opened(&self) -> bool {
        let me = self.scene.me().and_then(|me| self.scene.view.players.get(usize::from(me.index())));
        me.is_some_and(|me| me.opened)
    }

    /// What everything that would be laid now counts: the melds set aside and the marked one.
    pub(super) fn points_to_lay(&self) -> u16 {
        let marked = self.reading().0.map_or(0, |reading| reading.shape.points());
        self.ready().map(|meld| self.points(meld)).sum::<u16>() + marked
    }

    /// The melds set aside and the marked one are laid.
    pub(super) fn lay(&self) -> Result<MoveOf<Romme>, String> {
        let mut melds: Vec<Vec<Laid>> = self.ready().cloned().collect();
        if !self.draft.marked.is_empty() {
            melds.push(self.marked_meld()?.laid);
        }
        if melds.is_empty() {
            return Err("mark the cards of a meld first; f finds melds".to_owned());
        }
        let (points, needed) = (self.points_to_lay(), self.scene.view.first_meld);
        if !self.opened() && points < needed {
            return Err(format!("{points} of {needed} points; a sets a meld aside, so that another can follow"));
        }
        self.scene.try_act(Action::Meld(melds))
    }

    /// The marked cards as a meld, or why they are none.
    pub(super) fn marked_meld(&self) -> Result<Reading, String> {
        let marked = self.marked();
        let why = || {
            let flaw = readings::flaw(&marked).map(|flaw| self.scene.spoken(&flaw.to_string()));
            format!("no meld: {}", flaw.unwrap_or_default())
        };
        self.reading().0.ok_or_else(why)
    }

    /// The meld on the table that was chosen.
    pub(super) fn chosen(&self) -> Option<&'a MeldView> {
        let (id, _) = self.draft.extra.chosen.filter(|(_, at)| *at == self.scene.table.height())?;
        self.scene.view.melds.iter().find(|meld| meld.id == id)
    }

    /// The marked cards are added to the chosen meld, or to the first that takes them.
    pub(super) fn lay_off(&self) -> Result<(MeldId, MoveOf<Romme>), String> {
        if !self.opened() {
            return Err("only after your own first melds".to_owned());
        }
        let marked = self.marked();
        if marked.is_empty() {
            return Err("mark the cards to add first".to_owned());
        }
        let mut why = None;
        for meld in self.scene.view.melds.iter().filter(|meld| self.chosen().is_none_or(|chosen| chosen.id == meld.id))
        {
            let mut ways = readings::additions(meld, &marked);
            if ways.is_empty() {
                continue;
            }
            let cards = ways.swap_remove(self.draft.extra.way % ways.len());
            match self.scene.try_act(Action::LayOff { meld: meld.id, cards }) {
                Ok(done) => return Ok((meld.id, done)),
                Err(not) => why = Some(not),
            }
        }
        Err(why.unwrap_or_else(|| match self.chosen() {
            Some(meld) => format!("these cards do not fit {}", meld.id),
            None => "these cards fit no meld on the table".to_owned(),
        }))
    }

    /// Would this meld take the marked cards?
    pub(super) fn fits(&self, meld: &MeldView) -> bool {
        let marked = self.marked();
        self.opened() && !marked.is_empty() && !readings::additions(meld, &marked).is_empty()
    }

    /// Has this meld a joker that one of the marked cards could be given for?
    pub(super) fn swaps(&self, meld: &MeldView) -> bool {
        self.opened() && self.marked().iter().any(|(_, card)| readings::jokers_for(meld, *card).is_some())
    }

    /// Can a joker be taken from anywhere at all?
    pub(super) fn jokers_lie(&self) -> bool {
        self.opened() && self.scene.view.melds.iter().flat_map(|meld| &meld.cards).any(|card| card.card.is_joker())
    }

    /// One marked card is given for a joker; the joker and the other marked cards make a meld or are added to
    /// another one. The chosen meld is where the joker is taken from, or where it goes.
    pub(super) fn swap(&self) -> Result<(MeldId, MoveOf<Romme>), String> {
        let marked = self.marked();
        if marked.is_empty() {
            return Err("mark the card that a joker stands for, and what the joker goes with".to_owned());
        }
        let mut why = None;
        let mut found = Vec::new();
        for (meld, given, joker) in self.takeable(&marked) {
            let mut rest: Vec<Faced> = marked.iter().copied().filter(|(slot, _)| *slot != given).collect();
            rest.push((joker, Card::JOKER));
            for then in self.uses(meld, &rest) {
                let goes_to = match &then {
                    Use::Meld(_) => None,
                    Use::LayOff { meld, .. } => Some(*meld),
                };
                let named = self.chosen().is_none_or(|chosen| chosen.id == meld || Some(chosen.id) == goes_to);
                match self.scene.try_act(Action::Swap { meld, card: given, then }) {
                    Ok(done) if named => found.push((meld, done)),
                    Ok(_) => {}
                    Err(not) => why = Some(not),
                }
            }
        }
        if found.is_empty() {
            return Err(why.unwrap_or_else(|| self.no_swap(&marked)));
        }
        let n = self.draft.extra.way % found.len();
        Ok(found.swap_remove(n))
    }

    fn no_swap(&self, marked: &[Faced]) -> String {
        if self.takeable(marked).next().is_none() {
            return "no joker on the table stands for one of these cards".to_owned();
        }
        "the joker must be used at once: mark cards that make a meld with it".to_owned()
    }

    /// The jokers that marked cards can be given for: whose meld, which card, which joker.
    fn takeable(&self, marked: &[Faced]) -> impl Iterator<Item = (MeldId, Slot, Slot)> {
        let melds = self.scene.view.melds.iter();
        melds.flat_map(move |meld| {
            let marked = marked.iter();
            marked.filter_map(move |(slot, card)| Some((meld.id, *slot, readings::jokers_for(meld, *card)?)))
        })
    }

    /// What can become of a joker and these cards.
    fn uses(&self, taken_from: MeldId, cards: &[Faced]) -> Vec<Use> {
        let new = readings::readings(cards).into_iter().map(|reading| Use::Meld(reading.laid));
        let others = self.scene.view.melds.iter().filter(|meld| meld.id != taken_from);
        let added = others.flat_map(|meld| {
            let ways = readings::additions(meld, cards).into_iter();
            ways.map(|cards| Use::LayOff { meld: meld.id, cards })
        });
        new.chain(added).collect()
    }

    /// The one marked card is thrown away.
    pub(super) fn discard(&self) -> Result<(String, MoveOf<Romme>), String> {
        match self.marked().as_slice() {
            [] => Err("mark the card to discard first".to_owned()),
            [(slot, card)] => {
                let done = self.scene.try_act(Action::Discard(*slot));
                let barred = self.scene.view.barred == Some(*slot);
                let why =
                    |why| if barred { "it came from the pile in this turn and cannot go back".to_owned() } else { why };
                done.map(|done| (self.scene.card(Some(*card)), done)).map_err(why)
            }
            _ => Err("only one card is discarded".to_owned()),
        }
    }
}

/// Suits so that colours alternate.
const fn colour(suit: cards::Suit) -> u8 {
    match suit {
        cards::Suit::Spades => 0,
        cards::Suit::Hearts => 1,
        cards::Suit::Clubs => 2,
        cards::Suit::Diamonds => 3,
    }
}

/// A meld on the table is chosen, or no longer.
pub(super) fn choose(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>, meld: Option<MeldId>) {
    let now = Bench::new(scene, draft).chosen().map(|meld| meld.id);
    draft.extra.chosen = meld.filter(|meld| now != Some(*meld)).map(|meld| (meld, scene.table.height()));
}

/// The marked meld is set aside.
pub(super) fn set_aside(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>) -> Option<String> {
    let meld = match Bench::new(scene, draft).marked_meld() {
        Ok(reading) => reading.laid,
        Err(why) => return Some(why),
    };
    let mut ready: Vec<Vec<Laid>> = Bench::new(scene, draft).ready().cloned().collect();
    ready.push(meld);
    draft.extra.ready = ready;
    draft.marked.clear();
    draft.extra.way = 0;
    None
}

/// A meld set aside goes back into the hand, its cards marked: the `n`-th, or the last.
pub(super) fn take_back(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>, n: Option<usize>) {
    let mut ready: Vec<Vec<Laid>> = Bench::new(scene, draft).ready().cloned().collect();
    let n = n.or(ready.len().checked_sub(1)).filter(|n| *n < ready.len());
    if let Some(n) = n {
        draft.marked = ready.remove(n).iter().map(|laid| laid.slot).collect();
    }
    draft.extra.ready = ready;
}

/// The melds that leave the fewest points in hand are set aside; what the looker is told if there are none.
///
/// Before the opening it may be that only melds with fewer points are there; then they are set aside all the
/// same, so that the player sees what he has.
pub(super) fn find(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>) -> Option<String> {
    draft.marked.clear();
    draft.extra.ready.clear();
    draft.extra.way = 0;
    let keep = !scene.settings.out_without_discard;
    let bench = Bench::new(scene, draft);
    let enough = match scene.moves {
        Some(Moves::Play(play)) => play.best(),
        _ => None,
    };
    let plan = enough.or_else(|| romme::best(bench.pool(), romme::Goal { least: 0, keep }));
    let Some(plan) = plan else { return find_addition(scene, draft) };
    let mut free = bench.loose();
    let mut take = |card: Card| {
        let at = free.iter().rposition(|(_, face)| *face == card)?;
        Some(free.remove(at).0)
    };
    let mut meld = |shape: romme::Shape| -> Option<Vec<Laid>> {
        let cards = shape.cards().map(|place| match place {
            romme::Place::Natural(card) => Some(Laid::from(take(card)?)),
            romme::Place::Joker(stands_for) => Some(Laid { slot: take(Card::JOKER)?, stands_for }),
        });
        cards.collect()
    };
    let ready: Vec<Vec<Laid>> = plan.melds().filter_map(&mut meld).collect();
    draft.extra.ready = ready;
    None
}

/// Without a meld in hand: a joker that can be swapped, or a card that fits a meld on the table, is marked.
fn find_addition(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>) -> Option<String> {
    let Some(Moves::Play(play)) = scene.moves else { return Some("there is no meld in your hand".to_owned()) };
    let found = play.swaps().chain(play.lay_offs()).next();
    let Some(found) = found else { return Some("no card of your hand can be laid".to_owned()) };
    prepare(scene, draft, &found);
    None
}

/// Prepares what a move would do.
pub(super) fn prepare(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>, action: &Action) {
    let slots = |laid: &[Laid]| laid.iter().map(|laid| laid.slot).collect::<Vec<_>>();
    draft.clear();
    draft.extra.ready.clear();
    draft.extra.chosen = None;
    match action {
        Action::DrawStock | Action::DrawDiscard => {}
        Action::Meld(melds) => draft.extra.ready.clone_from(melds),
        Action::LayOff { meld, cards } => {
            draft.marked = slots(cards);
            choose(scene, draft, Some(*meld));
        }
        Action::Swap { meld, card, then } => {
            draft.marked = vec![*card];
            draft.marked.extend(slots(then.cards()));
            let ((Use::Meld(_), goes_to) | (Use::LayOff { meld: goes_to, .. }, _)) = (then, meld);
            choose(scene, draft, Some(*goes_to));
        }
        Action::Discard(slot) => draft.marked = vec![*slot],
    }
}
