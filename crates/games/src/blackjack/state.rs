//! One round of Blackjack Duel as a state machine.

use cards::{Card, Rank};
use serde::Serialize;
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, Order, Outcome, PerSeat, Rules, Run,
    Seat, Seats, Slot,
};

use super::action::Says;
use super::hand::{Cards, Hand, Status};
use super::score::{Total, payout, value};
use super::shoe::{Shoe, Supply};
use super::{Action, Bet, Claim, Illegal, Moves, Setup, Soft17, View};

/// One round.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    pub(super) supply: Supply,
    /// The players who have not left.
    pub(super) seated: Seats,
    /// Chips that are not at stake.
    pub(super) chips: PerSeat<Chips>,
    /// In the order in which they are played.
    pub(super) hands: Vec<Hand>,
    pub(super) bank: Cards,
    /// What each seat has won or lost, once the round is over.
    pub(super) result: PerSeat<Chips>,
}

/// Where the round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    Betting,
    /// Everybody gets two cards, the bank too.
    Dealing,
    /// This hand is played.
    Turn(usize),
    /// These hands, one or both halves of a split, get a card.
    Drawing {
        first: usize,
        hands: usize,
    },
    /// All hands are opened, the bank's too.
    Showing,
    /// The bank gets a card.
    Bank,
    Over,
}

impl Deal {
    /// How the round began.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The players who have left during the round.
    pub fn left(&self) -> Seats {
        self.setup.playing() - self.seated
    }

    /// Have all players left but one, or even that one? The match is decided then, and the round is not played on.
    #[inline]
    pub(super) fn is_abandoned(&self) -> bool {
        self.seated.len() <= 1 && self.seated != self.setup.playing()
    }

    /// What each seat has won or lost, once the round is over.
    pub(super) fn result(&self) -> Option<PerSeat<Chips>> {
        match self.phase {
            Phase::Over => Some(self.result),
            _ if self.is_abandoned() => Some(self.without(self.left())),
            _ => None,
        }
    }

    /// What a round costs that these seats keep from being finished: they lose their stakes, the others only what
    /// was lost already.
    fn without(&self, culprits: Seats) -> PerSeat<Chips> {
        PerSeat::from_fn(self.setup.players, |seat| {
            -(if culprits.contains(seat) { self.staked(seat) } else { self.given_up(seat) })
        })
    }

    /// The stakes of the hands a seat has declared bust or surrendered. They stay lost, or a friend could win them
    /// back by breaking the round off.
    fn given_up(&self, seat: Seat) -> Chips {
        let lost = |hand: &&Hand| hand.seat == seat && matches!(hand.status, Status::Bust | Status::Surrendered);
        self.hands.iter().filter(lost).map(|hand| hand.stake).sum()
    }

    /// The shoe for the next round with how many cards are left in it, if it can be used on.
    pub(super) fn shoe(&self) -> Option<(Shoe, u16)> {
        self.supply.afterwards()
    }

    /// The hand that the seat is to play now.
    #[inline]
    pub(super) fn hand_of(&self, seat: Seat) -> Option<&Hand> {
        let Phase::Turn(at) = self.phase else { return None };
        self.hands.get(at).filter(|hand| hand.seat == seat && !self.is_abandoned())
    }

    pub(super) fn may_hit(&self, hand: &Hand) -> Result<(), Illegal> {
        if hand.cards.len() >= Cards::MOST {
            return Err(Illegal::NotBelow21);
        }
        if self.supply.left() < 1 { Err(Illegal::NoCardsLeft) } else { Ok(()) }
    }

    pub(super) fn may_double(&self, hand: &Hand) -> Result<(), Illegal> {
        hand.cards.pair().ok_or(Illegal::NotTwoCards)?;
        if hand.split && !self.setup.double_after_split {
            return Err(Illegal::NoDoubleAfterSplit);
        }
        self.may_add(hand)?;
        self.may_hit(hand)
    }

    pub(super) fn may_split(&self, faces: &impl Look, hand: &Hand) -> Result<(), Illegal> {
        let [a, b] = hand.cards.pair().ok_or(Illegal::NotTwoCards)?;
        let most = self.setup.max_split_hands;
        if self.hands.iter().filter(|other| other.seat == hand.seat).count() >= usize::from(most) {
            return Err(Illegal::TooManyHands { most });
        }
        self.may_add(hand)?;
        let (Some(a), Some(b)) = (faces.face(a), faces.face(b)) else { return Err(Illegal::NotAPair) };
        if a.rank() != b.rank() && !(self.setup.split_by_value && value(a) == value(b)) {
            return Err(Illegal::NotAPair);
        }
        if self.supply.left() < 2 { Err(Illegal::NoCardsLeft) } else { Ok(()) }
    }

    /// Can the player stake as much again?
    fn may_add(&self, hand: &Hand) -> Result<(), Illegal> {
        if self.chips[hand.seat] < hand.stake {
            return Err(Illegal::NotEnoughChips { needs: hand.stake });
        }
        Ok(())
    }

    fn bet(&mut self, bets: &[(Seat, Bet)]) -> Result<(), Illegal> {
        if !self.seated.iter().eq(bets.iter().map(|(seat, _)| *seat)) {
            return Err(Illegal::NotSeated);
        }
        bets.iter().try_for_each(|(seat, bet)| self.admits_choice(*seat, bet))?;
        for (seat, Bet(bet)) in bets {
            self.chips[*seat] -= *bet;
        }
        self.deal_out();
        Ok(())
    }

    /// Two rounds of one card to each who has bet and then to the bank.
    fn deal_out(&mut self) {
        let clockwise = self.seated.clockwise_from(self.setup.first);
        self.hands = clockwise.map(|seat| Hand::new(seat, self.staked(seat))).collect();
        for _ in 0..2 {
            self.hands.iter_mut().for_each(|hand| hand.cards.push(self.supply.draw()));
            self.bank.push(self.supply.draw());
        }
        self.phase = Phase::Dealing;
    }

    /// Carries out an action that has been checked.
    fn play(&mut self, open: &Faces, at: usize, action: Action) {
        let Some(hand) = self.hands.get_mut(at) else { return };
        match action {
            Action::Hit => {
                hand.cards.push(self.supply.draw());
                self.phase = Phase::Drawing { first: at, hands: 1 };
            }
            Action::Double => {
                self.chips[hand.seat] -= hand.stake;
                hand.double();
                hand.cards.push(self.supply.draw());
                self.phase = Phase::Drawing { first: at, hands: 1 };
            }
            Action::Split => {
                self.chips[hand.seat] -= hand.stake;
                let aces = hand.cards.iter().all(|slot| open.get(slot).and_then(Card::rank) == Some(Rank::Ace));
                let mut second = hand.split();
                for half in [hand, &mut second] {
                    half.cards.push(self.supply.draw());
                    // Split aces get this one card and no more.
                    half.status = if aces { Status::Stood } else { Status::Playing };
                }
                self.hands.insert(at + 1, second);
                self.phase = Phase::Drawing { first: at, hands: 2 };
            }
            Action::Stand => {
                hand.status = Status::Stood;
                self.go_on();
            }
            Action::Bust => {
                hand.status = Status::Bust;
                self.go_on();
            }
            Action::Surrender => {
                let seat = hand.seat;
                self.seated.remove(seat);
                let own = self.hands.iter_mut().filter(|hand| hand.seat == seat);
                own.for_each(|hand| hand.status = Status::Surrendered);
                self.go_on();
            }
        }
    }

    /// The next hand that is not finished is played; after the last, all are shown.
    fn go_on(&mut self) {
        let next = self.hands.iter().position(|hand| hand.status == Status::Playing);
        self.phase = next.map_or(Phase::Showing, Phase::Turn);
    }

    /// All hands are open: the bank draws, or everything is paid.
    fn play_bank(&mut self, open: &Faces) -> Result<(), Illegal> {
        let bank = self.bank.total(open).ok_or(Illegal::WrongPhase)?;
        self.supply.shuffled();
        if self.bank_draws(open, bank) {
            self.bank.push(self.supply.draw());
            self.phase = Phase::Bank;
            return Ok(());
        }
        for hand in &self.hands {
            let paid = self.paid(open, hand, bank);
            self.result[hand.seat] += paid - hand.stake;
        }
        self.phase = Phase::Over;
        Ok(())
    }

    /// The bank draws to 17, unless no hand depends on it.
    fn bank_draws(&self, open: &Faces, bank: Total) -> bool {
        let below = bank.points < 17 || bank.points == 17 && bank.soft && self.setup.soft17 == Soft17::Hit;
        let depends = |hand: &Hand| {
            let total = hand.total(open);
            hand.status != Status::Surrendered && total.is_some_and(|total| total.points <= 21 && !total.natural)
        };
        below && self.supply.left() > 0 && self.hands.iter().any(depends)
    }

    /// What an open hand gets back from the bank.
    pub(super) fn paid(&self, open: &Faces, hand: &Hand, bank: Total) -> Chips {
        match hand.total(open).filter(|_| hand.status != Status::Surrendered) {
            Some(total) => payout(total, bank, hand.stake, hand.added, self.setup.blackjack_pays),
            None => Chips::ZERO,
        }
    }

    /// All that a seat has at stake.
    fn staked(&self, seat: Seat) -> Chips {
        self.setup.chips[seat] - self.chips[seat]
    }

    /// A hidden bet that is not opened counts as the highest it could have been, and is lost.
    fn forfeit(&mut self, seat: Seat) -> Result<(), Illegal> {
        let hidden = self.phase == Phase::Betting;
        self.leave(seat)?;
        if hidden {
            let (_, most) = self.setup.bets(seat);
            self.chips[seat] -= most;
            self.result[seat] -= most;
        }
        Ok(())
    }

    /// A seat that leaves without a bet sits out; later it stands on every hand.
    fn leave(&mut self, seat: Seat) -> Result<(), Illegal> {
        if !self.seated.contains(seat) {
            return Err(Illegal::NotSeated);
        }
        self.seated.remove(seat);
        let unfinished = |hand: &&mut Hand| hand.seat == seat && hand.status == Status::Playing;
        self.hands.iter_mut().filter(unfinished).for_each(|hand| hand.status = Status::Stood);
        match self.phase {
            Phase::Turn(_) => self.go_on(),
            Phase::Betting | Phase::Dealing | Phase::Drawing { .. } | Phase::Showing | Phase::Bank | Phase::Over => {}
        }
        Ok(())
    }
}

impl Rules for Deal {
    type Setup = Setup;
    type Action = Action;
    type Choice = Bet;
    type Claim = Claim;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        setup.check()?;
        Ok(Self {
            phase: Phase::Betting,
            supply: Supply::new(setup.decks, setup.shoe, setup.first_deck),
            seated: setup.playing(),
            chips: setup.chips,
            hands: Vec::new(),
            bank: Cards::default(),
            result: PerSeat::new(setup.players),
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
        match self.phase {
            Phase::Betting => Awaiting::Choices(self.seated),
            Phase::Dealing | Phase::Drawing { .. } | Phase::Showing | Phase::Bank => Awaiting::Dealer,
            Phase::Turn(at) => self.hands.get(at).map_or(Awaiting::Over, |hand| Awaiting::Turn(hand.seat)),
            Phase::Over => Awaiting::Over,
        }
    }

    fn order(&self, i: usize) -> Option<Order> {
        if self.is_abandoned() {
            return None;
        }
        // A shuffle comes before all others.
        let Some(i) = i.checked_sub(usize::from(self.supply.shuffles())) else { return Some(self.supply.shuffle()) };
        match self.phase {
            Phase::Betting | Phase::Turn(_) | Phase::Over => None,
            Phase::Dealing if i == self.hands.len() => Some(Order::Open { slots: Run::one(self.bank.first()?) }),
            Phase::Dealing => {
                let hand = self.hands.get(i)?;
                let step = u8::try_from(self.hands.len() + 1).ok()?;
                Some(Order::Deal { to: hand.seat, slots: Run::every(hand.cards.first()?, step, 2) })
            }
            Phase::Drawing { first, hands } => {
                let hand = self.hands.get(first + i).filter(|_| i < hands)?;
                Some(Order::Deal { to: hand.seat, slots: Run::one(hand.cards.last()?) })
            }
            Phase::Showing => self.supply.drawn().nth(i).map(|slots| Order::Open { slots }),
            Phase::Bank => self.bank.last().filter(|_| i == 0).map(|slot| Order::Open { slots: Run::one(slot) }),
        }
    }

    #[inline]
    fn decks(&self) -> core::ops::Range<u32> {
        self.supply.decks()
    }

    #[inline]
    fn shows(&self, seat: Seat, action: &Action) -> impl Iterator<Item = Slot> {
        let pair = self.hand_of(seat).filter(|_| *action == Action::Split).and_then(|hand| hand.cards.pair());
        pair.into_iter().flatten()
    }

    #[inline]
    fn claim(&self, _: &impl Look, seat: Seat, action: &Action) -> Option<Claim> {
        let cards = self.hand_of(seat)?.cards;
        let says = match action {
            // Two cards are never above 21.
            Action::Stand if cards.len() <= 2 => return None,
            Action::Hit | Action::Double => Says::Below21,
            Action::Stand => Says::AtMost21,
            Action::Bust => Says::Above21,
            Action::Split | Action::Surrender => return None,
        };
        Some(Claim { by: seat, says, cards })
    }

    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        match (self.phase, input) {
            (_, Input::Act { seat, .. }) if !self.seated.contains(seat) => return Err(Illegal::NotSeated),
            (Phase::Over, _) => return Err(Illegal::WrongPhase),
            _ if self.is_abandoned() => return Err(Illegal::WrongPhase),
            (_, Input::Gone(seat)) => self.leave(seat)?,
            (_, Input::Forfeit(seat)) => self.forfeit(seat)?,
            (Phase::Betting, Input::Choices(bets)) => self.bet(bets)?,
            (Phase::Turn(at), Input::Act { seat, action }) => {
                let hand = self.hand_of(seat).ok_or(Illegal::NotYourTurn)?;
                match action {
                    Action::Hit => self.may_hit(hand)?,
                    Action::Double => self.may_double(hand)?,
                    Action::Split => self.may_split(open, hand)?,
                    Action::Stand | Action::Bust | Action::Surrender => {}
                }
                self.play(open, at, *action);
            }
            (Phase::Dealing | Phase::Drawing { .. }, Input::Dealt) => {
                self.supply.shuffled();
                self.go_on();
            }
            (Phase::Showing | Phase::Bank, Input::Dealt) => self.play_bank(open)?,
            (
                Phase::Betting | Phase::Dealing | Phase::Turn(_) | Phase::Drawing { .. } | Phase::Showing | Phase::Bank,
                Input::Act { .. } | Input::Choices(_) | Input::Dealt,
            ) => return Err(Illegal::WrongPhase),
        }
        Ok(())
    }

    fn admits_choice(&self, seat: Seat, Bet(bet): &Bet) -> Result<(), Illegal> {
        if !self.seated.contains(seat) {
            return Err(Illegal::NotSeated);
        }
        if self.phase != Phase::Betting || self.is_abandoned() {
            return Err(Illegal::WrongPhase);
        }
        let (least, most) = self.setup.bets(seat);
        if (least..=most).contains(bet) { Ok(()) } else { Err(Illegal::AmountOutOfRange { least, most }) }
    }

    fn outcome(&self) -> Outcome {
        match self.phase {
            Phase::Over => Outcome::played("settled", self.result),
            _ => Outcome::played("left alone", self.without(self.left())),
        }
    }

    fn break_off(&self, why: Breakdown) -> Outcome {
        let mut result = match why {
            Breakdown::DealerFailed => PerSeat::new(self.setup.players),
            Breakdown::Vanished(_) | Breakdown::FalseClaim(_) | Breakdown::Cheated { .. } => {
                self.without(why.culprits())
            }
        };
        if self.phase == Phase::Over {
            // A false total was found when the hands lay open: that spoils nothing for the others.
            let others = self.setup.playing() - why.culprits();
            others.iter().for_each(|seat| result[seat] = self.result[seat]);
        }
        Outcome::broken(why, result)
    }

    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        View::new(self, known, eye)
    }

    #[inline]
    fn moves(&self, known: Known<'_>, seat: Seat) -> Moves {
        Moves::new(self, known, seat)
    }

    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Action, Bet>> {
        if self.awaiting() == Awaiting::Choices(self.seated) && self.seated.contains(seat) {
            return Some(Move::Choose(Bet(self.setup.bets(seat).0)));
        }
        let total = self.hand_of(seat)?.total(&known)?;
        Some(Move::Act(if total.points > 21 { Action::Bust } else { Action::Stand }))
    }
}
