//! One round of Ongdu as a state machine.

use cards::{Card, Pack};
use serde::{Deserialize, Serialize};
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, NoClaim, Order, Outcome, PerSeat,
    Rules, Run, Seat, Seats, Slot, Source,
};

use super::arrange::{best_of_nine, best_of_ten};
use super::score::{HandRank, Stakes, hand, penalty};
use super::{Action, Arrangement, Illegal, Moves, Preset, View};
use crate::lots;

/// How a round begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How many play.
    pub players: u8,
    /// Who is dealt to first; drawn by lot where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starter: Option<Seat>,
    /// How layers are valued.
    pub preset: Preset,
    /// Points that a foul hand pays to each opponent.
    pub foul: i64,
    /// Points that a special hand gets from each opponent.
    pub special: i64,
    /// What a point is worth.
    pub point_value: Chips,
    /// Seats whose players have left the match; their hands are dealt open and arranged by the default.
    #[serde(default)]
    pub gone: Seats,
    /// The number of the first deck.
    #[serde(default)]
    pub first_deck: u32,
}

/// One round.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    /// The number of the deck the cards are in; the lot comes before it.
    pub(super) deck: u32,
    /// Who is dealt to first; meaningful once drawn.
    starter: Seat,
    /// The cards each seat holds, as a set of places in the deck.
    hands: PerSeat<u64>,
    /// The place of the card that the starting player of six laid aside.
    pub(super) discard: Option<u8>,
    /// Players who have left; those whose hands lie open.
    pub(super) gone: Seats,
    pub(super) exposed: Seats,
}

/// Top, middle and bottom of a hand, as places in the deck.
pub(super) type Layers = [[u8; 3]; 3];

/// Where the round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    /// A lot says who starts.
    Drawing,
    Dealing,
    /// The starting player lays one of ten cards aside.
    Discarding,
    /// Everybody arranges in secret.
    Arranging,
    /// All have chosen; the cards are opened.
    Opening(PerSeat<Layers>),
    /// Every two hands are compared.
    Over(PerSeat<Layers>, PerSeat<HandRank>),
}

impl Deal {
    /// How the round began.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Who is dealt to first, once that is known.
    pub fn starter(&self) -> Option<Seat> {
        (self.phase != Phase::Drawing).then_some(self.starter)
    }

    /// The points that whole hands are worth.
    pub const fn stakes(&self) -> Stakes {
        Stakes { foul: self.setup.foul, special: self.setup.special }
    }

    /// Have all players left but one, or even that one? The match is decided then, and the round is not played on.
    #[inline]
    pub(super) fn is_abandoned(&self) -> bool {
        self.gone != self.setup.gone && (self.all() - self.gone).len() <= 1
    }

    pub(super) fn all(&self) -> Seats {
        Seats::first(self.setup.players)
    }

    /// The cards of a seat: one at a time, anti-clockwise from the starting player, who of six gets the
    /// last card of the pack as a tenth.
    pub(super) fn dealt_to(&self, seat: Seat) -> Run {
        let n = self.setup.players;
        let first = (self.starter.index() + n - seat.index()) % n;
        Run::every(Slot::new(self.deck, u16::from(first)), n, if n == 6 && first == 0 { 10 } else { 9 })
    }

    /// The cards a seat holds now.
    pub(super) fn hand(&self, seat: Seat) -> impl Iterator<Item = Slot> {
        let (deck, mut rest) = (self.deck, self.hands[seat]);
        core::iter::from_fn(move || {
            let index = u16::try_from(rest.trailing_zeros()).ok().filter(|index| *index < 64)?;
            rest &= rest - 1;
            Some(Slot::new(deck, index))
        })
    }

    fn holds(&self, seat: Seat, slot: Slot) -> bool {
        slot.deck == self.deck && self.hands[seat] & bit(slot.index) != 0
    }

    /// Seats that have left and whose cards must be opened before play goes on.
    #[inline]
    pub(super) fn to_expose(&self) -> Seats {
        if self.gone == self.exposed {
            return Seats::NONE;
        }
        match self.phase {
            Phase::Discarding | Phase::Arranging => self.gone - self.exposed,
            Phase::Drawing | Phase::Dealing | Phase::Opening(_) | Phase::Over(..) => Seats::NONE,
        }
    }

    fn drawn(&mut self, open: &Faces) {
        self.starter = lots::drawn_seat(open, self.deck, self.all()).unwrap_or_default();
        self.deck += 1;
        self.phase = Phase::Dealing;
    }

    fn dealt(&mut self) {
        for seat in self.all().iter() {
            self.hands[seat] = self.dealt_to(seat).slots().fold(0, |hand, slot| hand | bit(slot.index));
        }
        self.exposed = self.gone;
        self.phase = if self.setup.players == 6 { Phase::Discarding } else { Phase::Arranging };
    }

    /// Is the arrangement one of exactly the seat's nine cards?
    fn check(&self, seat: Seat, arrangement: &Arrangement) -> Result<(), Illegal> {
        let held = self.hands[seat];
        let (mut left, layers) = (held, arrangement.layers());
        for slot in layers.as_flattened() {
            let bit = if slot.deck == self.deck { bit(slot.index) } else { 0 };
            if left & bit == 0 {
                return Err(if held & bit == 0 {
                    Illegal::CardNotInHand(*slot)
                } else {
                    Illegal::DuplicateCard(*slot)
                });
            }
            left &= !bit;
        }
        Ok(())
    }

    /// A checked arrangement as places in the deck.
    fn layers(&self, seat: Seat, arrangement: &Arrangement) -> Result<Layers, Illegal> {
        self.check(seat, arrangement)?;
        Ok(arrangement.layers().map(|layer| layer.map(|slot| u8::try_from(slot.index).unwrap_or(0))))
    }

    /// The arrangements of all, those of players who left by the default.
    fn arrange(&self, open: &Faces, choices: &[(Seat, Arrangement)]) -> Result<PerSeat<Layers>, Illegal> {
        let choosers = choices.iter().map(|(seat, _)| *seat);
        if !(self.all() - self.gone).iter().eq(choosers) {
            return Err(Illegal::NotYourTurn);
        }
        let mut all = PerSeat::new(self.setup.players);
        for (seat, arrangement) in choices {
            all[*seat] = self.layers(*seat, arrangement)?;
        }
        for seat in self.gone.iter() {
            let default = self.default_arrangement(open, seat);
            all[seat] = self.layers(seat, &default.ok_or(Illegal::NotOpen(self.dealt_to(seat).first))?)?;
        }
        Ok(all)
    }

    /// Ranks all hands, which ends the round.
    fn compare(&mut self, open: &Faces, layers: PerSeat<Layers>) -> Result<(), Illegal> {
        let mut ranks = PerSeat::new(self.setup.players);
        for (seat, places) in layers.seats() {
            let mut cards = [[Card::JOKER; 3]; 3];
            for (card, place) in cards.as_flattened_mut().iter_mut().zip(places.as_flattened()) {
                let slot = Slot::new(self.deck, u16::from(*place));
                *card = open.get(slot).ok_or(Illegal::NotOpen(slot))?;
            }
            ranks[seat] = hand(cards, self.setup.preset);
        }
        self.exposed = self.all();
        self.phase = Phase::Over(layers, ranks);
        Ok(())
    }

    /// Acts for those who have left, once their cards lie open.
    fn play_for_the_gone(&mut self, open: &Faces) {
        if self.gone.is_empty() || !self.to_expose().is_empty() {
            return;
        }
        if self.phase == Phase::Discarding && self.gone.contains(self.starter) {
            let Some(slot) = self.default_discard(open) else { return };
            self.lay_aside(slot);
        }
    }

    fn lay_aside(&mut self, slot: Slot) {
        self.hands[self.starter] &= !bit(slot.index);
        self.discard = u8::try_from(slot.index).ok();
        self.phase = Phase::Arranging;
    }

    /// What the computer would lay aside, if the ten cards are known.
    fn default_discard(&self, faces: &impl Look) -> Option<Slot> {
        Some(best_of_ten(&self.known_hand(faces, self.starter)?, self.setup.preset).0)
    }

    /// What the computer would arrange, if the nine cards are known.
    fn default_arrangement(&self, faces: &impl Look, seat: Seat) -> Option<Arrangement> {
        let [top, middle, bottom] = best_of_nine(&self.known_hand(faces, seat)?, self.setup.preset);
        Some(Arrangement { top, middle, bottom })
    }

    /// The cards of a seat, if it has exactly `N` and all are known.
    fn known_hand<const N: usize>(&self, faces: &impl Look, seat: Seat) -> Option<[(Slot, Card); N]> {
        let hand: Option<Vec<(Slot, Card)>> = self.hand(seat).map(|slot| Some((slot, faces.face(slot)?))).collect();
        hand?.try_into().ok()
    }

    /// What a round costs that cannot be finished: those to blame pay every other player.
    fn without(&self, culprits: Seats) -> PerSeat<Chips> {
        let others = self.all() - culprits;
        let penalty = self.setup.point_value * penalty(self.stakes(), self.setup.preset);
        PerSeat::from_fn(self.setup.players, |seat| {
            if culprits.contains(seat) {
                -(penalty * i64::from(others.len()))
            } else {
                penalty * i64::from(culprits.len())
            }
        })
    }

    fn result(&self) -> PerSeat<Chips> {
        let mut result = PerSeat::new(self.setup.players);
        let Phase::Over(_, ranks) = &self.phase else { return result };
        for (a, first) in ranks.seats() {
            for (b, second) in ranks.seats().skip(usize::from(a.index()) + 1) {
                let paid = self.setup.point_value * first.compare(second, self.stakes()).points;
                result[a] += paid;
                result[b] -= paid;
            }
        }
        result
    }
}

impl Rules for Deal {
    type Setup = Setup;
    type Action = Action;
    type Choice = Arrangement;
    type Claim = NoClaim<Illegal>;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    const CHOICES_NAME_SLOTS: bool = true;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        let n = setup.players;
        if !(2..=6).contains(&n) {
            return Err(BadSetting::new("players", "from 2 to 6"));
        }
        let all = Seats::first(n);
        if setup.starter.is_some_and(|starter| !all.contains(starter)) {
            return Err(BadSetting::new("starter", format!("a seat from 0 to {}", n - 1)));
        }
        for (field, points) in [("foul", setup.foul), ("special", setup.special)] {
            if !(0..=50).contains(&points) {
                return Err(BadSetting::new(field, "from 0 to 50"));
            }
        }
        if !(1..=1000).contains(&setup.point_value.0) {
            return Err(BadSetting::new("point_value", "from 1 to 1000"));
        }
        if !(setup.gone - all).is_empty() || (all - setup.gone).len() < 2 {
            return Err(BadSetting::new("gone", format!("seats from 0 to {}, at least two staying", n - 1)));
        }
        crate::check_first_deck(setup.first_deck)?;
        Ok(Self {
            phase: if setup.starter.is_some() { Phase::Dealing } else { Phase::Drawing },
            deck: setup.first_deck,
            starter: setup.starter.unwrap_or_default(),
            hands: PerSeat::new(n),
            discard: None,
            gone: setup.gone,
            exposed: Seats::NONE,
            setup: setup.clone(),
        })
    }

    #[inline]
    fn players(&self) -> u8 {
        self.setup.players
    }

    #[inline]
    fn awaiting(&self) -> Awaiting {
        if self.is_abandoned() {
            return Awaiting::Over;
        }
        if !self.to_expose().is_empty() {
            return Awaiting::Dealer;
        }
        match self.phase {
            Phase::Drawing | Phase::Dealing | Phase::Opening(_) => Awaiting::Dealer,
            Phase::Discarding => Awaiting::Turn(self.starter),
            Phase::Arranging => Awaiting::Choices(self.all() - self.gone),
            Phase::Over(..) => Awaiting::Over,
        }
    }

    fn order(&self, i: usize) -> Option<Order> {
        let open = |seats: Seats| seats.iter().nth(i).map(|seat| Order::Open { slots: self.dealt_to(seat) });
        match self.phase {
            Phase::Drawing => lots::draw_one(self.deck, self.setup.players, i),
            Phase::Dealing => {
                let Some(i) = i.checked_sub(1) else {
                    return Some(Order::Shuffle { deck: self.deck, from: Source::Pack(Pack::ONGDU) });
                };
                let to = Seat::new(u8::try_from(i).ok()?).filter(|to| self.all().contains(*to))?;
                let slots = self.dealt_to(to);
                Some(if self.gone.contains(to) { Order::Open { slots } } else { Order::Deal { to, slots } })
            }
            Phase::Discarding | Phase::Arranging => open(self.to_expose()),
            Phase::Opening(_) => open(self.all() - self.exposed),
            Phase::Over(..) => None,
        }
    }

    #[inline]
    fn decks(&self) -> core::ops::Range<u32> {
        self.setup.first_deck..self.deck + 1
    }

    #[inline]
    fn shows(&self, seat: Seat, action: &Action) -> impl Iterator<Item = Slot> {
        let Action::Discard(slot) = action;
        let discards = self.awaiting() == Awaiting::Turn(seat) && self.holds(seat, *slot);
        discards.then_some(*slot).into_iter()
    }

    fn claim(&self, _: &impl Look, _: Seat, _: &Action) -> Option<NoClaim<Illegal>> {
        None
    }

    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        let exposing = !self.to_expose().is_empty();
        match (self.phase, input) {
            (Phase::Over(..), _) => return Err(Illegal::WrongPhase),
            _ if self.is_abandoned() => return Err(Illegal::WrongPhase),
            (_, Input::Gone(seat) | Input::Forfeit(seat) | Input::Act { seat, .. })
                if !self.all().contains(seat) || self.gone.contains(seat) =>
            {
                return Err(Illegal::NotSeated);
            }
            (_, Input::Gone(seat) | Input::Forfeit(seat)) => {
                self.gone.insert(seat);
                if self.is_abandoned() {
                    return Ok(());
                }
            }
            (_, Input::Dealt) if exposing => self.exposed = self.gone,
            (Phase::Drawing, Input::Dealt) => self.drawn(open),
            (Phase::Dealing, Input::Dealt) => self.dealt(),
            (_, Input::Act { .. } | Input::Choices(_)) if exposing => return Err(Illegal::WrongPhase),
            (Phase::Discarding, Input::Act { seat, action: Action::Discard(slot) }) => {
                if seat != self.starter {
                    return Err(Illegal::NotYourTurn);
                }
                if !self.holds(seat, *slot) {
                    return Err(Illegal::CardNotInHand(*slot));
                }
                self.lay_aside(*slot);
            }
            (Phase::Discarding, Input::Choices(_)) => return Err(Illegal::MustDiscardFirst),
            (Phase::Arranging, Input::Choices(choices)) => self.phase = Phase::Opening(self.arrange(open, choices)?),
            (Phase::Opening(layers), Input::Dealt) => self.compare(open, layers)?,
            (
                Phase::Drawing | Phase::Dealing | Phase::Discarding | Phase::Arranging | Phase::Opening(_),
                Input::Act { .. } | Input::Dealt | Input::Choices(_),
            ) => return Err(Illegal::WrongPhase),
        }
        self.play_for_the_gone(open);
        Ok(())
    }

    fn admits_choice(&self, seat: Seat, choice: &Arrangement) -> Result<(), Illegal> {
        if !self.all().contains(seat) || self.gone.contains(seat) {
            return Err(Illegal::NotSeated);
        }
        match self.phase {
            Phase::Discarding => Err(Illegal::MustDiscardFirst),
            Phase::Arranging if !self.is_abandoned() && self.to_expose().is_empty() => self.check(seat, choice),
            Phase::Drawing | Phase::Dealing | Phase::Arranging | Phase::Opening(_) | Phase::Over(..) => {
                Err(Illegal::WrongPhase)
            }
        }
    }

    fn outcome(&self) -> Outcome {
        match self.phase {
            Phase::Over(..) => Outcome::played("compared", self.result()),
            _ => Outcome::played("left alone", self.without(self.gone - self.setup.gone)),
        }
    }

    fn break_off(&self, why: Breakdown) -> Outcome {
        Outcome::broken(why, self.without(why.culprits() & self.all()))
    }

    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        View::new(self, known, eye)
    }

    fn moves(&self, known: Known<'_>, seat: Seat) -> Moves {
        Moves::new(self, known, seat)
    }

    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Action, Arrangement>> {
        match self.awaiting() {
            Awaiting::Turn(turn) if turn == seat => self.default_discard(&known).map(|s| Move::Act(Action::Discard(s))),
            Awaiting::Choices(seats) if seats.contains(seat) => {
                self.default_arrangement(&known, seat).map(Move::Choose)
            }
            Awaiting::Dealer | Awaiting::Turn(_) | Awaiting::Choices(_) | Awaiting::Over => None,
        }
    }
}

/// A place in the deck, as a member of a set.
fn bit(place: u16) -> u64 {
    1u64.checked_shl(u32::from(place)).unwrap_or(0)
}
