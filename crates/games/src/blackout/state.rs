//! One round of Blackout as a state machine.

use cards::{Card, Pack, Suit};
use serde::{Deserialize, Serialize};
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, NoChoice, Order, Outcome, PerSeat,
    Rules, Run, Seat, Seats, Slot, Source,
};

use super::action::places;
use super::score::{beats, default_order, points};
use super::{Action, Claim, Illegal, Moves, View};
use crate::lots;

/// How a round begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How many play.
    pub players: u8,
    /// Who deals; rolled with a 20-sided die by each player where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<Seat>,
    /// Cards each.
    pub cards: u8,
    /// Whether the next card is turned up for trump, if one is left.
    pub trump: bool,
    /// The hook rule: the dealer may not make the bids add up to the number of tricks.
    #[serde(default)]
    pub hook: bool,
    /// Points for making a bid, in addition to its tricks.
    pub points_for_correct_bet: i64,
    /// Seats whose players have left the match; their hands are played open, by the default.
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
    /// The number of the deck the cards are in; dice come before it.
    pub(super) deck: u32,
    pub(super) dealer: Seat,
    pub(super) trump: Option<Card>,
    pub(super) hands: PerSeat<u64>,
    pub(super) bids: PerSeat<Option<u8>>,
    pub(super) won: PerSeat<u8>,
    pub(super) last_trick: Option<Trick>,
    /// The rolls for the first dealer, latest for each seat.
    pub(super) rolls: PerSeat<u8>,
    /// Players who have left; those whose hands lie open.
    pub(super) gone: Seats,
    pub(super) exposed: Seats,
}

/// Where the round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    /// Each of these rolls a die; the highest deals.
    Rolling(Seats),
    Dealing,
    Bidding(Seat),
    Playing(Trick),
    Over,
}

/// A trick, perhaps not yet complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Trick {
    pub(super) leader: Seat,
    pub(super) next: Seat,
    /// The card of each seat that has played, as a place in the deck.
    pub(super) places: PerSeat<Option<u8>>,
    /// Who wins so far, and with what.
    pub(super) best: Option<(Seat, Card)>,
    pub(super) led: Option<Suit>,
}

impl Trick {
    fn new(leader: Seat, players: u8) -> Self {
        Self { leader, next: leader, places: PerSeat::new(players), best: None, led: None }
    }
}

impl Deal {
    /// How a round began.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Who deals this round; meaningful once rolled.
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Did the seat take exactly the tricks it had bid, in a round that was played to its end?
    pub(super) fn bid_was_exact(&self, seat: Seat) -> bool {
        self.phase == Phase::Over && self.bids[seat] == Some(self.won[seat])
    }

    /// Has it been decided who deals?
    pub(super) const fn has_dealer(&self) -> bool {
        !matches!(self.phase, Phase::Rolling(_))
    }

    fn holds(&self, seat: Seat, slot: Slot) -> bool {
        slot.deck == self.deck && self.hands[seat] & bit(slot.index) != 0
    }

    pub(super) fn trump_suit(&self) -> Option<Suit> {
        self.trump.and_then(Card::suit)
    }

    /// The bid the dealer may not make, if the hook forbids one.
    pub(super) fn forbidden_bid(&self, seat: Seat) -> Option<u8> {
        if !self.setup.hook || seat != self.dealer {
            return None;
        }
        let others: u8 = self.bids.iter().flatten().sum();
        self.setup.cards.checked_sub(others)
    }

    /// Have all players left but one, or even that one? The match is decided then, and the round is not played on.
    #[inline]
    fn is_abandoned(&self) -> bool {
        self.gone != self.setup.gone && (self.all() - self.gone).len() <= 1
    }

    fn all(&self) -> Seats {
        Seats::first(self.setup.players)
    }

    /// The place of the card turned up for trump, if one is.
    fn trump_place(&self) -> Option<u16> {
        let dealt = u16::from(self.setup.players) * u16::from(self.setup.cards);
        (self.setup.trump && dealt < 52).then_some(dealt)
    }

    /// Seats that have left and whose cards do not lie open yet.
    #[inline]
    fn to_expose(&self) -> Seats {
        if self.gone.is_empty() {
            return Seats::NONE;
        }
        match self.phase {
            Phase::Bidding(_) | Phase::Playing(_) => self.gone - self.exposed,
            Phase::Rolling(_) | Phase::Dealing | Phase::Over => Seats::NONE,
        }
    }

    /// The cards of a seat at the beginning: one at a time, left of the dealer first.
    fn dealt_to(&self, seat: Seat) -> Run {
        let n = self.setup.players;
        let first = (seat.index() + n - self.dealer.left(n).index()) % n;
        Run::every(Slot::new(self.deck, u16::from(first)), n, self.setup.cards)
    }

    fn roll(&mut self, open: &Faces, among: Seats) {
        for (deck, seat) in (self.deck..).zip(among.iter()) {
            self.rolls[seat] = lots::drawn(open, deck).unwrap_or(0);
        }
        self.deck += u32::from(among.len());
        let highest = among.iter().map(|seat| self.rolls[seat]).max();
        let tied: Seats = among.iter().filter(|seat| Some(self.rolls[*seat]) == highest).collect();
        self.phase = match tied.only() {
            Some(dealer) => {
                self.dealer = dealer;
                Phase::Dealing
            }
            None => Phase::Rolling(tied),
        };
    }

    fn dealt(&mut self, open: &Faces) {
        for seat in self.all().iter() {
            self.hands[seat] = self.dealt_to(seat).slots().fold(0, |hand, slot| hand | bit(slot.index));
        }
        self.trump = self.trump_place().and_then(|place| open.get(Slot::new(self.deck, place)));
        self.exposed = self.gone;
        self.phase = Phase::Bidding(self.dealer.left(self.setup.players));
    }

    fn bid(&mut self, seat: Seat, bid: u8) {
        self.bids[seat] = Some(bid);
        let left = seat.left(self.setup.players);
        self.phase = match self.bids[left] {
            None => Phase::Bidding(left),
            Some(_) => Phase::Playing(Trick::new(left, self.setup.players)),
        };
    }

    #[inline]
    fn play(&mut self, place: u16, card: Card) {
        let trump = self.trump_suit();
        let Phase::Playing(trick) = &mut self.phase else { return };
        let seat = trick.next;
        self.hands[seat] &= !bit(place);
        trick.places[seat] = u8::try_from(place).ok();
        if trick.led.is_none() {
            trick.led = card.suit();
        }
        match trick.best {
            Some((_, best)) if !beats(card, best, trump) => {}
            _ => trick.best = Some((seat, card)),
        }
        trick.next = seat.left(self.setup.players);
        if trick.next != trick.leader {
            return;
        }
        let trick = *trick;
        let winner = trick.best.map_or(trick.leader, |(winner, _)| winner);
        self.won[winner] += 1;
        self.last_trick = Some(trick);
        self.phase = match self.hands[winner] {
            0 => Phase::Over,
            _ => Phase::Playing(Trick::new(winner, self.setup.players)),
        };
    }

    /// Plays on for those who have left, as long as it is their turn.
    fn play_for_the_gone(&mut self, open: &Faces) {
        while !self.gone.is_empty() && self.to_expose().is_empty() {
            match self.phase {
                Phase::Bidding(seat) if self.gone.contains(seat) => {
                    let zero_forbidden = self.forbidden_bid(seat) == Some(0);
                    self.bid(seat, u8::from(zero_forbidden));
                }
                Phase::Playing(trick) if self.gone.contains(trick.next) => {
                    let Some((slot, card)) = self.default_card(open, trick.next) else { return };
                    self.play(slot.index, card);
                }
                Phase::Rolling(_) | Phase::Dealing | Phase::Bidding(_) | Phase::Playing(_) | Phase::Over => return,
            }
        }
    }

    /// The lowest card that the seat may play, if its hand is known.
    fn default_card(&self, faces: &impl Look, seat: Seat) -> Option<(Slot, Card)> {
        let Phase::Playing(trick) = self.phase else { return None };
        let hand = places(self.deck, self.hands[seat]).map(|slot| Some((slot, faces.face(slot)?)));
        let hand: Option<Vec<(Slot, Card)>> = hand.collect();
        hand?.into_iter().min_by_key(|(_, card)| default_order(*card, trick.led, self.trump_suit()))
    }

    /// What a round costs that cannot be finished: those to blame at least as much as anybody can lose by what
    /// they spoil, the others nothing.
    fn without(&self, culprits: Seats) -> PerSeat<Chips> {
        let penalty = Chips(-(10.max(self.setup.points_for_correct_bet) + i64::from(self.setup.cards)));
        PerSeat::from_fn(self.setup.players, |seat| if culprits.contains(seat) { penalty } else { Chips::ZERO })
    }

    fn result(&self) -> PerSeat<Chips> {
        PerSeat::from_fn(self.setup.players, |seat| {
            let bid = self.bids[seat].unwrap_or(0);
            Chips(points(bid, self.won[seat], self.setup.points_for_correct_bet))
        })
    }
}

impl Rules for Deal {
    type Setup = Setup;
    type Action = Action;
    type Choice = NoChoice;
    type Claim = Claim;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        let n = setup.players;
        if !(2..=7).contains(&n) {
            return Err(BadSetting::new("players", "from 2 to 7"));
        }
        if !(1..=52 / n).contains(&setup.cards) {
            return Err(BadSetting::new("cards", format!("from 1 to {} with {n} players", 52 / n)));
        }
        if !(0..=100).contains(&setup.points_for_correct_bet) {
            return Err(BadSetting::new("points_for_correct_bet", "from 0 to 100"));
        }
        let all = Seats::first(n);
        if setup.dealer.is_some_and(|dealer| !all.contains(dealer)) {
            return Err(BadSetting::new("dealer", format!("a seat from 0 to {}", n - 1)));
        }
        if !(setup.gone - all).is_empty() || (all - setup.gone).len() < 2 {
            return Err(BadSetting::new("gone", format!("seats from 0 to {}, at least two staying", n - 1)));
        }
        crate::check_first_deck(setup.first_deck)?;
        Ok(Self {
            phase: if setup.dealer.is_some() { Phase::Dealing } else { Phase::Rolling(all) },
            deck: setup.first_deck,
            dealer: setup.dealer.unwrap_or_default(),
            trump: None,
            hands: PerSeat::new(n),
            bids: PerSeat::new(n),
            won: PerSeat::new(n),
            last_trick: None,
            rolls: PerSeat::new(n),
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
            Phase::Rolling(_) | Phase::Dealing => Awaiting::Dealer,
            Phase::Bidding(seat) => Awaiting::Turn(seat),
            Phase::Playing(trick) => Awaiting::Turn(trick.next),
            Phase::Over => Awaiting::Over,
        }
    }

    fn order(&self, i: usize) -> Option<Order> {
        match self.phase {
            Phase::Rolling(among) => {
                let (deck, _) = (self.deck..).zip(among.iter()).nth(i / 2)?;
                lots::draw_one(deck, 20, i % 2)
            }
            Phase::Dealing => {
                let Some(i) = i.checked_sub(1) else {
                    return Some(Order::Shuffle { deck: self.deck, from: Source::Pack(Pack::STANDARD) });
                };
                if let Some(to) = self.all().iter().nth(i) {
                    let slots = self.dealt_to(to);
                    return Some(if self.gone.contains(to) {
                        Order::Open { slots }
                    } else {
                        Order::Deal { to, slots }
                    });
                }
                let trump = self.trump_place().filter(|_| i == usize::from(self.setup.players))?;
                Some(Order::Open { slots: Run::one(Slot::new(self.deck, trump)) })
            }
            Phase::Bidding(_) | Phase::Playing(_) | Phase::Over => {
                let hands = self.to_expose().iter().flat_map(|seat| places(self.deck, self.hands[seat]));
                hands.map(|slot| Order::Open { slots: Run::one(slot) }).nth(i)
            }
        }
    }

    #[inline]
    fn decks(&self) -> core::ops::Range<u32> {
        let used = match self.phase {
            Phase::Rolling(among) => u32::from(among.len()),
            Phase::Dealing | Phase::Bidding(_) | Phase::Playing(_) | Phase::Over => 1,
        };
        self.setup.first_deck..self.deck + used
    }

    #[inline]
    fn shows(&self, seat: Seat, action: &Action) -> impl Iterator<Item = Slot> {
        match (&self.phase, action) {
            (Phase::Playing(trick), Action::Play(slot)) => {
                (trick.next == seat && self.holds(seat, *slot)).then_some(*slot)
            }
            _ => None,
        }
        .into_iter()
    }

    #[inline]
    fn claim(&self, faces: &impl Look, seat: Seat, action: &Action) -> Option<Claim> {
        let (Phase::Playing(trick), Action::Play(slot)) = (&self.phase, action) else { return None };
        // A card of somebody else says nothing, not even by the reason for its refusal.
        let card = faces.face(*slot).filter(|_| self.holds(seat, *slot))?;
        let led = trick.led.filter(|led| card.suit() != Some(*led))?;
        Some(Claim::new(seat, led, self.deck, self.hands[seat] & !bit(slot.index)))
    }

    #[inline]
    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        let exposing = !self.to_expose().is_empty();
        match (&self.phase, input) {
            (Phase::Over, _) => return Err(Illegal::WrongPhase),
            _ if self.is_abandoned() => return Err(Illegal::WrongPhase),
            (_, Input::Gone(seat) | Input::Forfeit(seat)) => {
                if !self.all().contains(seat) || self.gone.contains(seat) {
                    return Err(Illegal::NotSeated);
                }
                self.gone.insert(seat);
                if self.is_abandoned() {
                    return Ok(());
                }
            }
            (_, Input::Dealt) if exposing => self.exposed = self.gone,
            (Phase::Rolling(among), Input::Dealt) => self.roll(open, *among),
            (Phase::Dealing, Input::Dealt) => self.dealt(open),
            (_, Input::Act { .. }) if exposing => return Err(Illegal::WrongPhase),
            (Phase::Bidding(next), Input::Act { seat, action: Action::Bid(bid) }) => {
                if seat != *next {
                    return Err(Illegal::NotYourTurn);
                }
                if *bid > self.setup.cards {
                    return Err(Illegal::BetOutOfRange { most: self.setup.cards });
                }
                if self.forbidden_bid(seat) == Some(*bid) {
                    return Err(Illegal::BetForbiddenByHook { bid: *bid });
                }
                self.bid(seat, *bid);
            }
            (Phase::Playing(trick), Input::Act { seat, action: Action::Play(slot) }) => {
                if seat != trick.next {
                    return Err(Illegal::NotYourTurn);
                }
                let card = open.get(*slot).filter(|_| self.holds(seat, *slot)).ok_or(Illegal::CardNotInHand(*slot))?;
                self.play(slot.index, card);
            }
            (
                Phase::Rolling(_) | Phase::Dealing | Phase::Bidding(_) | Phase::Playing(_),
                Input::Act { .. } | Input::Dealt | Input::Choices(_),
            ) => return Err(Illegal::WrongPhase),
        }
        self.play_for_the_gone(open);
        Ok(())
    }

    fn admits_choice(&self, _: Seat, choice: &NoChoice) -> Result<(), Illegal> {
        match *choice {}
    }

    fn outcome(&self) -> Outcome {
        match self.phase {
            Phase::Over => Outcome::played("played", self.result()),
            _ => Outcome::played("left alone", self.without(self.gone - self.setup.gone)),
        }
    }

    fn break_off(&self, why: Breakdown) -> Outcome {
        let mut result = self.without(why.culprits());
        if self.phase == Phase::Over {
            let as_played = self.result();
            (self.all() - why.culprits()).iter().for_each(|seat| result[seat] = as_played[seat]);
        }
        Outcome::broken(why, result)
    }

    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        View::new(self, known, eye)
    }

    #[inline(always)]
    fn moves(&self, known: Known<'_>, seat: Seat) -> Moves {
        Moves::new(self, known, seat)
    }

    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Action, NoChoice>> {
        match self.phase {
            _ if self.is_abandoned() => None,
            Phase::Bidding(next) if next == seat => {
                Some(Move::Act(Action::Bid(u8::from(self.forbidden_bid(seat) == Some(0)))))
            }
            Phase::Playing(trick) if trick.next == seat => {
                self.default_card(&known, seat).map(|(slot, _)| Move::Act(Action::Play(slot)))
            }
            Phase::Rolling(_) | Phase::Dealing | Phase::Bidding(_) | Phase::Playing(_) | Phase::Over => None,
        }
    }
}

/// A place in a deck of at most 64 cards, as a member of a set.
fn bit(place: u16) -> u64 {
    1u64.checked_shl(u32::from(place)).unwrap_or(0)
}
