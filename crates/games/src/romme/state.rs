//! One round of Rommé as a state machine.
//!
//! ```text
//! Rolling (only for the first dealer) -> Dealing -> Draw -> Drawing -> Play -> Draw … -> Settling -> Over
//! ```
//!
//! Drawing waits for the dealer, because only the drawer sees the card. If the stock is empty, the
//! discard pile without its top card is shuffled into a new deck with the next number; cards in hands
//! keep their slots. Settling opens the hands that are scored.

use serde::{Deserialize, Serialize};
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, NoChoice, NoClaim, Order, Outcome,
    PerSeat, Rules, Run, Seat, Seats, Slot, Source,
};

use super::meld::Meld;
use super::phase::{Drawn, Phase, Turn};
use super::score::PENALTY;
use super::slots::Slots;
use super::{Action, DiscardDraw, Illegal, Moves, View};
use crate::lots;

/// Cards each at the beginning.
pub(super) const HAND: u8 = 13;

/// A hand: never more than the cards dealt and one drawn.
pub(super) type Hand = Slots<14>;

/// How a round begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How many chairs.
    pub players: u8,
    /// Who plays this round. The others have left the match or are knocked out.
    pub playing: Seats,
    /// Who deals; drawn by lot where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<Seat>,
    /// Points a player's first melds must be worth together.
    pub first_meld: u16,
    /// Jokers in the pack.
    pub jokers: u8,
    /// Who may take the top of the discard pile.
    pub discard_draw: DiscardDraw,
    /// Whether a player may go out without a discard.
    #[serde(default)]
    pub out_without_discard: bool,
    /// How often the discard pile becomes a new stock.
    pub max_reshuffles: u8,
    /// The number of the first deck.
    #[serde(default)]
    pub first_deck: u32,
}

/// One round.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    pub(super) dealer: Option<Seat>,
    /// The latest deck.
    pub(super) deck: u32,
    /// The places of the latest deck that are still the stock, the next one first.
    pub(super) stock: (u16, u16),
    pub(super) reshuffles: u8,
    /// The discard pile, its top last.
    pub(super) pile: Vec<Slot>,
    pub(super) hands: PerSeat<Hand>,
    pub(super) melds: Vec<Meld>,
    /// Who has laid their first meld.
    pub(super) opened: Seats,
    /// Who has finished a turn.
    pub(super) moved: Seats,
    /// Who has left.
    pub(super) gone: Seats,
    pub(super) last_draw: PerSeat<Option<Drawn>>,
    pub(super) last_discard: PerSeat<Option<Slot>>,
    pub(super) points: PerSeat<Chips>,
}

impl Deal {
    /// How the round began.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Who deals this round, once that is known.
    pub const fn dealer(&self) -> Option<Seat> {
        self.dealer
    }

    /// Who has left during this round.
    pub(super) const fn gone(&self) -> Seats {
        self.gone
    }
}

impl Rules for Deal {
    type Setup = Setup;
    type Action = Action;
    type Choice = NoChoice;
    type Claim = NoClaim<Illegal>;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        let n = setup.players;
        if !(2..=4).contains(&n) {
            return Err(BadSetting::new("players", "from 2 to 4"));
        }
        let all = Seats::first(n);
        if !(setup.playing - all).is_empty() || setup.playing.len() < 2 {
            return Err(BadSetting::new("playing", format!("at least two of the seats from 0 to {}", n - 1)));
        }
        if setup.dealer.is_some_and(|dealer| !setup.playing.contains(dealer)) {
            return Err(BadSetting::new("dealer", "a seat that is playing"));
        }
        if setup.first_meld > 60 {
            return Err(BadSetting::new("first_meld", "from 0 to 60"));
        }
        if !(2..=6).contains(&setup.jokers) {
            return Err(BadSetting::new("jokers", "from 2 to 6"));
        }
        if setup.max_reshuffles > 5 {
            return Err(BadSetting::new("max_reshuffles", "from 0 to 5"));
        }
        crate::check_first_deck(setup.first_deck)?;
        Ok(Self {
            phase: if setup.dealer.is_some() { Phase::Dealing } else { Phase::Rolling },
            dealer: setup.dealer,
            deck: setup.first_deck,
            stock: (0, 0),
            reshuffles: 0,
            pile: Vec::new(),
            hands: PerSeat::new(n),
            melds: Vec::new(),
            opened: Seats::NONE,
            moved: Seats::NONE,
            gone: Seats::NONE,
            last_draw: PerSeat::new(n),
            last_discard: PerSeat::new(n),
            points: PerSeat::new(n),
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
            Phase::Rolling | Phase::Dealing | Phase::Drawing { .. } | Phase::Settling(_) => Awaiting::Dealer,
            Phase::Draw(seat) | Phase::Play(Turn { seat, .. }) => Awaiting::Turn(seat),
            Phase::Over(_) => Awaiting::Over,
        }
    }

    fn order(&self, i: usize) -> Option<Order> {
        match self.phase {
            Phase::Rolling => lots::draw_one(self.deck, self.setup.playing.len(), i),
            Phase::Dealing => {
                let Some(i) = i.checked_sub(1) else {
                    return Some(Order::Shuffle { deck: self.deck, from: Source::Pack(self.pack()) });
                };
                if let Some(to) = self.setup.playing.iter().nth(i) {
                    return Some(Order::Deal { to, slots: self.dealt_to(to) });
                }
                let last = i == usize::from(self.setup.playing.len());
                last.then(|| Order::Open { slots: Run::one(self.turned_up()) })
            }
            Phase::Drawing { seat, shuffle } => match i + usize::from(!shuffle) {
                0 => {
                    let (_, below) = self.pile.split_last()?;
                    Some(Order::Shuffle { deck: self.deck, from: Source::Slots(below.into()) })
                }
                1 => Some(Order::Deal { to: seat, slots: Run::one(self.next_in_stock(shuffle)) }),
                _ => None,
            },
            Phase::Settling(end) => self.to_open(end).nth(i).map(|slot| Order::Open { slots: Run::one(slot) }),
            Phase::Draw(_) | Phase::Play(_) | Phase::Over(_) => None,
        }
    }

    #[inline]
    fn decks(&self) -> core::ops::Range<u32> {
        self.setup.first_deck..self.deck + 1
    }

    #[inline]
    fn shows(&self, seat: Seat, action: &Action) -> impl Iterator<Item = Slot> {
        let held = match self.phase {
            Phase::Play(turn) if turn.seat == seat => Some(&self.hands[seat]),
            _ => None,
        };
        action.slots().filter(move |slot| held.is_some_and(|hand| hand.contains(*slot)))
    }

    fn claim(&self, _: &impl Look, _: Seat, _: &Action) -> Option<NoClaim<Illegal>> {
        None
    }

    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        if let Input::Act { seat, .. } | Input::Gone(seat) | Input::Forfeit(seat) = input
            && !self.active().contains(seat)
        {
            return Err(Illegal::NotSeated);
        }
        match (self.phase, input) {
            (Phase::Over(_), _) => return Err(Illegal::WrongPhase),
            (_, Input::Gone(seat) | Input::Forfeit(seat)) => self.leave(seat),
            (Phase::Rolling, Input::Dealt) => {
                self.dealer = lots::drawn_seat(open, self.deck, self.setup.playing);
                self.deck += 1;
                self.phase = Phase::Dealing;
            }
            (Phase::Dealing, Input::Dealt) => self.dealt(),
            (Phase::Draw(next), Input::Act { seat, action }) => {
                if seat != next {
                    return Err(Illegal::NotYourTurn);
                }
                match action {
                    Action::DrawStock => self.draw_from_stock(seat),
                    Action::DrawDiscard => {
                        let slot = self.admits_discard_draw(seat)?;
                        self.draw_from_pile(seat, slot);
                    }
                    Action::Meld(_) | Action::LayOff { .. } | Action::Swap { .. } | Action::Discard(_) => {
                        return Err(Illegal::MustDrawFirst);
                    }
                }
            }
            (Phase::Drawing { seat, shuffle }, Input::Dealt) => self.drawn_from_stock(seat, shuffle),
            (Phase::Play(turn), Input::Act { seat, action }) => {
                if seat != turn.seat {
                    return Err(Illegal::NotYourTurn);
                }
                match action {
                    Action::DrawStock | Action::DrawDiscard => return Err(Illegal::AlreadyDrawn),
                    Action::Meld(melds) => self.meld(open, &turn, melds)?,
                    Action::LayOff { meld, cards } => self.lay_off(open, &turn, *meld, cards)?,
                    Action::Swap { meld, card, then } => self.swap(open, &turn, *meld, *card, then)?,
                    Action::Discard(slot) => {
                        if !self.hands[seat].contains(*slot) || open.get(*slot).is_none() {
                            return Err(Illegal::CardNotInHand(*slot));
                        }
                        if self.barred(&turn) == Some(*slot) {
                            return Err(Illegal::SameCardDiscard(*slot));
                        }
                        self.discard(&turn, *slot);
                    }
                }
            }
            (Phase::Settling(end), Input::Dealt) => self.settle(open, end),
            (
                Phase::Rolling | Phase::Dealing | Phase::Drawing { .. } | Phase::Settling(_),
                Input::Act { .. } | Input::Choices(_),
            )
            | (Phase::Draw(_) | Phase::Play(_), Input::Dealt | Input::Choices(_)) => return Err(Illegal::WrongPhase),
        }
        Ok(())
    }

    fn admits_choice(&self, _: Seat, choice: &NoChoice) -> Result<(), Illegal> {
        match *choice {}
    }

    fn outcome(&self) -> Outcome {
        let ending = match self.phase {
            Phase::Settling(end) | Phase::Over(end) => end.ending.word(),
            _ => "unfinished",
        };
        Outcome::played(ending, self.points)
    }

    /// The round is void; those to blame get [`PENALTY`], and the match counts as lost for them.
    fn break_off(&self, why: Breakdown) -> Outcome {
        let culprits = why.culprits();
        let result =
            PerSeat::from_fn(
                self.setup.players,
                |seat| {
                    if culprits.contains(seat) { Chips(PENALTY) } else { Chips::ZERO }
                },
            );
        Outcome::broken(why, result)
    }

    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        View::new(self, known, eye)
    }

    fn moves(&self, known: Known<'_>, seat: Seat) -> Moves {
        Moves::new(self, known, seat)
    }

    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Action, NoChoice>> {
        match self.phase {
            Phase::Draw(next) if next == seat => Some(Move::Act(Action::DrawStock)),
            Phase::Play(turn) if turn.seat == seat => {
                self.default_discard(&known, &turn).map(|slot| Move::Act(Action::Discard(slot)))
            }
            Phase::Rolling
            | Phase::Dealing
            | Phase::Draw(_)
            | Phase::Drawing { .. }
            | Phase::Play(_)
            | Phase::Settling(_)
            | Phase::Over(_) => None,
        }
    }
}
