//! From a hand as a file has it to a hand as the rules begin it: who sits where, who posts what.

use serde::{Deserialize, Serialize};
use table::{BadSetting, Breakdown, Chips, MAX_SEATS, PerSeat, Seat, Seats};

use super::known::Cards;
use super::notation::Player;
use super::reading::Reading;
use super::{PhhError, PhhHand, Reason};
use crate::holdem::{Antes, BlindSeats, Reopen, Setup};

/// The field that holds what the format has no place for.
pub(super) const NOTES: &str = "_fairdeal";

/// What the format has no place for. Everything may be absent, as it is in files of others.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Notes {
    /// Chairs at the table, empty ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) players: Option<u8>,
    /// The chair of each player of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) seats: Vec<Seat>,
    /// The chair with the button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) button: Option<Seat>,
    /// The big blind pays the ante for everybody, after the blind.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub(super) big_blind_ante: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reopen: Option<Reopen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) early_allin_reveal: Option<bool>,
    /// Folds that were leaving the table, as numbers of actions counted from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) left: Vec<usize>,
    /// Actions done for somebody whose time was up, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) timeouts: Vec<usize>,
    /// The hand ended by this, after the last action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) broken: Option<Breakdown>,
    /// The number of the deal in its record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deal: Option<u32>,
    /// Who dealt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dealer: Option<String>,
    /// The settings of the match, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) settings: Option<String>,
    /// The state hash at the end, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
}

/// Who sits where.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::holdem) struct Seating {
    /// By player.
    seats: Vec<Seat>,
    chairs: u8,
    button: Seat,
    pub(super) notes: Notes,
}

impl Seating {
    pub(super) fn of(hand: &PhhHand) -> Result<Self, PhhError> {
        let wrong = |what| hand.error(PhhError::field(NOTES, Reason::Expected(what)));
        let notes = match hand.fields.get(NOTES) {
            Some(value) => Notes::deserialize(value.clone()).map_err(|_| wrong("what fairdeal writes there"))?,
            None => Notes::default(),
        };
        let n = hand.players();
        let plain: Vec<Seat> = (0..MAX_SEATS).map_while(Seat::new).take(n).collect();
        let seats = if notes.seats.is_empty() { plain } else { notes.seats.clone() };
        let chairs = match notes.players {
            Some(chairs) => chairs,
            None => u8::try_from(seats.len()).unwrap_or(u8::MAX),
        };
        let button = notes.button.or_else(|| seats.last().copied()).unwrap_or_default();
        let taken: Seats = seats.iter().copied().collect();
        let fits = seats.len() == n
            && seats.iter().chain([&button]).all(|seat| seat.index() < chairs)
            && taken.clockwise_after(button).eq(seats.iter().copied());
        if !fits {
            return Err(wrong("one seat for each player, clockwise from left of the button"));
        }
        Ok(Self { seats, chairs, button, notes })
    }

    pub(super) fn seat(&self, player: Player) -> Seat {
        self.seats.get(player.index()).copied().unwrap_or_default()
    }

    pub(in crate::holdem) fn player(&self, seat: Seat) -> Player {
        let index = self.seats.iter().position(|other| *other == seat).unwrap_or_default();
        Player(u8::try_from(index).unwrap_or_default())
    }

    /// The players of the file with their seats.
    pub(in crate::holdem) fn players(&self) -> impl Iterator<Item = (Player, Seat)> {
        (0..).map(Player).zip(self.seats.iter().copied())
    }

    fn per_seat(&self, list: &[Chips]) -> PerSeat<Chips> {
        let mut all = PerSeat::new(self.chairs);
        self.seats.iter().zip(list).for_each(|(seat, chips)| all[*seat] = *chips);
        all
    }

    /// How the rules begin this hand, read like this.
    pub(super) fn setup(&self, hand: &PhhHand, cards: &Cards, reading: &Reading) -> Result<Setup, PhhError> {
        let (forced, dead) = reading.posts(hand);
        let posts = Posts::of(&forced).ok_or_else(|| {
            let why = BadSetting::new("blinds_or_straddles", "two amounts of at least 0 among them");
            hand.error(PhhError::field("blinds_or_straddles", Reason::Setup(why)))
        })?;
        let stacks = self.per_seat(&reading.stacks);
        let amount = |player: usize| forced.get(player).copied().unwrap_or_default();
        let seat = |player: usize| self.seats.get(player).copied().unwrap_or_default();
        let mut setup = Setup::new(stacks.as_slice(), Some(self.button), amount(posts.small), amount(posts.big));
        let blind_seats = BlindSeats { small: seat(posts.small), big: seat(posts.big) };
        let usual = if forced.len() == 2 && self.seats.contains(&self.button) { (1, 0) } else { (0, 1) };
        setup.blind_seats = ((posts.small, posts.big) != usual).then_some(blind_seats);
        setup.straddles = posts.others.iter().map(|player| amount(*player)).collect();
        while setup.straddles.last() == Some(&Chips::ZERO) {
            setup.straddles.pop();
        }
        setup.antes = self.antes(hand, &dead, blind_seats.big);
        setup.min_bet = Some(hand.min_bet);
        setup.reopen = self.notes.reopen.unwrap_or_default();
        // Hands that are mucked are folded at the showdown, so that comes last then.
        setup.early_allin_reveal = self.notes.early_allin_reveal.unwrap_or(true) && !cards.anybody_mucks();
        Ok(setup)
    }

    /// The antes, with what is posted besides and is nobody's bet.
    fn antes(&self, hand: &PhhHand, dead: &[Chips], big_blind: Seat) -> Antes {
        let mut antes = by_player(&hand.antes);
        antes.iter_mut().zip(dead).for_each(|(ante, dead)| *ante += *dead);
        let trimmed = hand.ante_trimming_status.unwrap_or(false);
        if trimmed {
            // What one player alone has paid above all others goes back, as with any bet.
            let paid = antes.iter().zip(&hand.starting_stacks).map(|(ante, stack)| *ante.min(stack));
            let mut paid: Vec<Chips> = paid.collect();
            paid.sort_unstable();
            let second = paid.iter().rev().nth(1).copied().unwrap_or_default();
            antes.iter_mut().for_each(|ante| *ante = second.min(*ante));
        }
        let ante = antes.iter().copied().max().unwrap_or_default();
        let uniform = antes.iter().all(|other| *other == ante);
        let amounts = self.per_seat(&antes);
        if ante == Chips::ZERO {
            Antes::None
        } else if self.notes.big_blind_ante {
            Antes::BigBlind(amounts[big_blind])
        } else if trimmed && uniform {
            Antes::Each(ante)
        } else {
            Antes::Seats { amounts, dead: !trimmed }
        }
    }
}

/// A list of the file by player: heads-up it goes the other way round.
pub(super) fn by_player(list: &[Chips]) -> Vec<Chips> {
    let mut list = list.to_vec();
    if list.len() == 2 {
        list.reverse();
    }
    list
}

/// Which players post what the rules call small blind, big blind and straddles.
struct Posts {
    small: usize,
    big: usize,
    /// Clockwise from left of the big blind.
    others: Vec<usize>,
}

impl Posts {
    /// The usual seats have the blinds if that is possible; else the largest forced bet is the big blind,
    /// and the next largest the small one. `None` where there are not two such bets.
    fn of(forced: &[Chips]) -> Option<Self> {
        let n = forced.len();
        let can = |small: usize, big: usize| {
            let (small, big) = (forced.get(small)?, forced.get(big)?);
            (Chips::ZERO <= *small && small <= big).then_some(())
        };
        let usual = if n == 2 { (1, 0) } else { (0, 1) };
        let largest = |but: Option<usize>| {
            let players = (0..n).filter(|player| Some(*player) != but);
            players.max_by_key(|player| (forced.get(*player), *player))
        };
        let (small, big) = match can(usual.0, usual.1) {
            Some(()) => usual,
            None => {
                let big = largest(None)?;
                let small = largest(Some(big))?;
                can(small, big)?;
                (small, big)
            }
        };
        let others = (1..n).map(|step| (big + step) % n).filter(|player| *player != small).collect();
        Some(Self { small, big, others })
    }
}
