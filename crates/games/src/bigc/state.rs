//! One deal of Big-C as a state machine.
//!
//! ```text
//! Dealing -> Choosing <-> Showing     the order of play: everybody shows a card, ties show again
//!         -> Lots                     the order of play by lot, or what no card can decide any more
//!         -> Playing <-> Drawing      hands are played; footstools (and passes) cost cards
//!         -> Over
//! ```

use cards::Pack;
use serde::Serialize;
use table::{
    Awaiting, BadSetting, Breakdown, Eye, Faces, Input, Known, Look, Move, Order, Outcome, PerSeat, Rules, Run, Seat,
    Seats, Slot, Source,
};

use super::order::PlayOrder;
use super::phase::{Did, Ending, Laid, Phase, Round, Stock, Stooled};
use super::score::place;
use super::{Action, Choice, Claim, Few, Illegal, Moves, Setup, View};

/// One deal.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    /// Everybody still in play.
    pub(super) order: PlayOrder,
    /// By seat.
    pub(super) hands: Vec<Vec<Slot>>,
    /// The cards shown for the order of play.
    pub(super) shown: Vec<(Seat, Slot)>,
    /// The hand on the table.
    pub(super) laid: Option<Laid>,
    pub(super) stock: Stock,
    /// Played hands but for the one on the table, and the cards of those who left.
    pub(super) pile: Vec<Slot>,
    /// What the stock is being made of anew.
    pub(super) recycling: Vec<Slot>,
    pub(super) recycled: u16,
    pub(super) next_deck: u32,
    /// What each seat has done in this round.
    pub(super) did: PerSeat<Did>,
    pub(super) last_footstool: Option<Stooled>,
}

impl Deal {
    /// How the deal began.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The played pile: hands played but for the one on the table, and the cards of those who left.
    pub fn pile(&self) -> &[Slot] {
        &self.pile
    }

    /// Who has won, once the deal is over with a winner.
    pub(super) fn winner(&self) -> Option<Seat> {
        match self.phase {
            Phase::Over(Ending::WentOut(seat) | Ending::LeftAlone(seat)) => Some(seat),
            _ => None,
        }
    }

    /// Everybody who has not left.
    pub(super) fn in_play(&self) -> Seats {
        self.order.seats()
    }

    pub(super) fn hand(&self, seat: Seat) -> &[Slot] {
        self.hands.get(usize::from(seat.index())).map_or(&[], Vec::as_slice)
    }

    /// The hand of a seat; a seat beyond the table has none, and nothing is kept for it.
    pub(super) fn hand_mut(&mut self, seat: Seat) -> Option<&mut Vec<Slot>> {
        self.hands.get_mut(usize::from(seat.index()))
    }

    /// Those who were dealt in, in or out by now.
    fn dealt_in(&self) -> Seats {
        Seats::first(self.setup.players) - self.setup.gone
    }

    /// The cards of a seat at the beginning, dealt one at a time.
    fn dealt_to(&self, seat: Seat) -> Run {
        let all = self.dealt_in();
        let before = u16::from((all & Seats::first(seat.index())).len());
        Run::every(Slot::new(self.setup.first_deck, before), all.len(), self.setup.hand_size)
    }

    fn dealt(&mut self) {
        for seat in self.dealt_in().iter() {
            let cards = self.dealt_to(seat).slots();
            if self.in_play().contains(seat) {
                self.hand_mut(seat).into_iter().for_each(|hand| hand.extend(cards.clone()));
            } else {
                self.pile.extend(cards);
            }
        }
        self.settle_order();
    }

    /// A seat has left: its hand goes under the pile, it is taken out of the order.
    fn leave(&mut self, seat: Seat) -> Result<(), Illegal> {
        if !self.in_play().contains(seat) {
            return Err(Illegal::NotSeated);
        }
        let next = self.order.after(seat);
        self.order.remove(seat);
        let hand = self.hand_mut(seat).map(core::mem::take).unwrap_or_default();
        self.pile.extend(hand);
        if let Some(last) = self.in_play().only() {
            if let Phase::Drawing(_, drawing) = self.phase {
                self.pile.extend(drawing.to.into_iter().flat_map(|_| drawing.cards.slots()));
            }
            self.phase = Phase::Over(Ending::LeftAlone(last));
            return Ok(());
        }
        match self.phase {
            Phase::Choosing => self.settle_order(),
            Phase::Showing(showing) if self.showing_now(&showing).next().is_none() => self.all_shown(showing.by_lot),
            Phase::Playing(round) => self.go_on_without(seat, next, round, None),
            Phase::Drawing(round, drawing) => self.go_on_without(seat, next, round, Some(drawing)),
            Phase::Dealing | Phase::Showing(_) | Phase::Lots { .. } | Phase::Over(_) => {}
        }
        Ok(())
    }

    fn act(&mut self, open: &Faces, round: Round, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if seat != round.turn {
            return Err(Illegal::NotYourTurn);
        }
        match action {
            Action::Play(cards) => {
                let (hand, footstool) = self.check_hand(open, seat, *cards)?;
                self.play(Laid { by: seat, cards: *cards, hand }, footstool);
            }
            Action::Pass => match self.laid {
                None => return Err(Illegal::ChooserMustPlay),
                Some(laid) => self.pass(round, laid),
            },
            Action::PassRole => {
                if self.laid.is_some() {
                    return Err(Illegal::NotChooser);
                }
                let known_natural = |slot: &Slot| open.get(*slot).is_some_and(|card| !card.is_joker());
                if !self.can_be_jokers(self.hand(seat).len()) || self.hand(seat).iter().any(known_natural) {
                    return Err(Illegal::ChooserMustPlay);
                }
                self.pass_role(round);
            }
        }
        Ok(())
    }

    /// Are there that many jokers at all?
    pub(super) fn can_be_jokers(&self, cards: usize) -> bool {
        cards <= usize::from(self.setup.jokers())
    }

    /// The lowest card that is no joker among these, or `Ok(None)` if all are jokers.
    fn lowest(&self, faces: &impl Look, slots: impl Iterator<Item = Slot>) -> Result<Option<Slot>, Unknown> {
        let mut lowest: Option<(u8, Slot)> = None;
        for slot in slots {
            let at = place(faces.face(slot).ok_or(Unknown)?);
            if at > 0 && lowest.is_none_or(|(least, _)| at < least) {
                lowest = Some((at, slot));
            }
        }
        Ok(lowest.map(|(_, slot)| slot))
    }
}

/// A face that the looker has not seen.
struct Unknown;

impl Rules for Deal {
    type Setup = Setup;
    type Action = Action;
    type Choice = Choice;
    type Claim = Claim;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    const CHOICES_NAME_SLOTS: bool = true;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        setup.check()?;
        let seats = Seats::first(setup.players) - setup.gone;
        let dealt = u16::from(seats.len()) * u16::from(setup.hand_size);
        Ok(Self {
            phase: Phase::Dealing,
            order: PlayOrder::tie(seats),
            hands: vec![Vec::new(); usize::from(setup.players)],
            shown: Vec::new(),
            laid: None,
            stock: Stock { deck: setup.first_deck, next: dealt, end: setup.pack().len() },
            pile: Vec::new(),
            recycling: Vec::new(),
            recycled: 0,
            next_deck: setup.first_deck.saturating_add(1),
            did: PerSeat::new(setup.players),
            last_footstool: None,
            setup: setup.clone(),
        })
    }

    #[inline]
    fn players(&self) -> u8 {
        self.setup.players
    }

    #[inline]
    fn awaiting(&self) -> Awaiting {
        match self.phase {
            Phase::Dealing | Phase::Showing(_) | Phase::Lots { .. } | Phase::Drawing(..) => Awaiting::Dealer,
            Phase::Choosing => Awaiting::Choices(self.order.tied()),
            Phase::Playing(round) => Awaiting::Turn(round.turn),
            Phase::Over(_) => Awaiting::Over,
        }
    }

    fn order(&self, i: usize) -> Option<Order> {
        let open = |slot| Order::Open { slots: Run::one(slot) };
        match self.phase {
            Phase::Dealing => {
                let Some(i) = i.checked_sub(1) else {
                    return Some(Order::Shuffle { deck: self.setup.first_deck, from: Source::Pack(self.setup.pack()) });
                };
                let to = self.in_play().iter().nth(i)?;
                Some(Order::Deal { to, slots: self.dealt_to(to) })
            }
            Phase::Showing(showing) => self.showing_now(&showing).map(|(_, slot)| open(slot)).nth(i),
            Phase::Lots { deck, among } => match i {
                0 => Some(Order::Shuffle { deck, from: Source::Pack(Pack::Lots { faces: among.len() }) }),
                1 => Some(Order::Open { slots: Run::of(Slot::new(deck, 0), among.len()) }),
                _ => None,
            },
            Phase::Drawing(_, drawing) => {
                let shuffle = (!self.recycling.is_empty()).then(|| Order::Shuffle {
                    deck: self.stock.deck,
                    from: Source::Slots(self.recycling.clone().into_boxed_slice()),
                });
                let deal = drawing.to.map(|to| Order::Deal { to, slots: drawing.cards });
                shuffle.into_iter().chain(deal).nth(i)
            }
            Phase::Choosing | Phase::Playing(_) | Phase::Over(_) => None,
        }
    }

    #[inline]
    fn decks(&self) -> core::ops::Range<u32> {
        self.setup.first_deck..self.next_deck
    }

    #[inline]
    fn shows(&self, seat: Seat, action: &Action) -> impl Iterator<Item = Slot> {
        let cards = match (self.phase, action) {
            (Phase::Playing(round), Action::Play(cards)) if round.turn == seat => *cards,
            _ => Few::NONE,
        };
        cards.iter().filter(move |slot| self.hand(seat).contains(slot))
    }

    fn claim(&self, _: &impl Look, seat: Seat, action: &Action) -> Option<Claim> {
        let hand = self.hand(seat);
        (*action == Action::PassRole && self.can_be_jokers(hand.len())).then(|| Claim::only_jokers_to_play(seat, hand))
    }

    fn choice_claim(&self, seat: Seat, choice: &Choice) -> Option<Claim> {
        self.check_choice(seat, choice).ok()?;
        Some(match choice {
            Choice::Show(slot) => Claim::no_joker(seat, *slot),
            Choice::Nothing => Claim::only_jokers_to_show(seat, self.not_shown(seat)),
        })
    }

    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        match (self.phase, input) {
            (Phase::Over(_), _) => Err(Illegal::WrongPhase),
            (_, Input::Gone(seat) | Input::Forfeit(seat)) => self.leave(seat),
            (_, Input::Act { seat, .. }) if !self.in_play().contains(seat) => Err(Illegal::NotSeated),
            (Phase::Dealing, Input::Dealt) => {
                self.dealt();
                Ok(())
            }
            (Phase::Choosing, Input::Choices(choices)) => self.choose(choices),
            (Phase::Showing(showing), Input::Dealt) => {
                self.show(open, &showing);
                Ok(())
            }
            (Phase::Lots { deck, among }, Input::Dealt) => {
                self.lots_drawn(open, deck, among);
                Ok(())
            }
            (Phase::Playing(round), Input::Act { seat, action }) => self.act(open, round, seat, action),
            (Phase::Drawing(round, drawing), Input::Dealt) => {
                self.drawn(round, drawing);
                Ok(())
            }
            (
                Phase::Dealing
                | Phase::Choosing
                | Phase::Showing(_)
                | Phase::Lots { .. }
                | Phase::Playing(_)
                | Phase::Drawing(..),
                Input::Act { .. } | Input::Dealt | Input::Choices(_),
            ) => Err(Illegal::WrongPhase),
        }
    }

    fn admits_choice(&self, seat: Seat, choice: &Choice) -> Result<(), Illegal> {
        self.check_choice(seat, choice)
    }

    fn outcome(&self) -> Outcome {
        match self.phase {
            Phase::Over(ending) => match ending {
                Ending::WentOut(_) => Outcome::played("went out", self.result(ending)),
                Ending::Blocked => Outcome::played("blocked", self.result(ending)),
                Ending::LeftAlone(_) => Outcome::played("left alone", self.result(ending)),
                Ending::ShowedJoker(liars) => self.broken_off(Breakdown::FalseClaim(liars)),
            },
            Phase::Dealing
            | Phase::Choosing
            | Phase::Showing(_)
            | Phase::Lots { .. }
            | Phase::Playing(_)
            | Phase::Drawing(..) => Outcome::played("not over", PerSeat::new(self.setup.players)),
        }
    }

    fn break_off(&self, why: Breakdown) -> Outcome {
        self.broken_off(why)
    }

    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        View::new(self, known, eye)
    }

    fn moves(&self, known: Known<'_>, seat: Seat) -> Moves {
        Moves::new(self, known, seat)
    }

    /// Shows or, as chooser, plays the lowest card that is no joker; passes otherwise.
    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Action, Choice>> {
        match self.phase {
            Phase::Choosing if self.order.tied().contains(seat) => {
                let card = self.lowest(&known, self.not_shown(seat)).ok()?;
                Some(Move::Choose(card.map_or(Choice::Nothing, Choice::Show)))
            }
            Phase::Playing(round) if round.turn == seat => Some(Move::Act(match self.laid {
                Some(_) => Action::Pass,
                None => match self.lowest(&known, self.hand(seat).iter().copied()).ok()? {
                    Some(slot) => Action::Play(Few::new(&[slot])?),
                    None => Action::PassRole,
                },
            })),
            Phase::Dealing
            | Phase::Choosing
            | Phase::Showing(_)
            | Phase::Lots { .. }
            | Phase::Playing(_)
            | Phase::Drawing(..)
            | Phase::Over(_) => None,
        }
    }
}
