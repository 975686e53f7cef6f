//! A match of Hold'em: a freeze-out with rising blinds, or a ring game.

use core::cmp::Ordering;
use core::fmt;

use serde::Serialize;
use table::{BadSetting, Breakdown, Breaks, Chips, Outcome, PerSeat, Seat, Seats, Settings as _, Standing, TieBreak};

use super::{AnteBy, Antes, Deal, Settings, Setup};

/// A match.
///
/// The button moves to the next player with chips. In a freeze-out a player without chips is out, and one
/// who concedes keeps their chips as their result, but nobody can win those any more. In a
/// ring game a player's result is what they have, and have taken away, beyond what they bought.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    players: u8,
    settings: Settings,
    chips: PerSeat<Chips>,
    /// Ring games: what each has bought, and what each took away.
    bought: PerSeat<Chips>,
    cashed: PerSeat<Chips>,
    blinds: Level,
    /// Hands played to their end.
    hands: u32,
    /// Who had the button last, and who the big blind; absent until drawn.
    button: Option<Seat>,
    big: Option<Seat>,
    /// The next hand is dealt again with the same button, since the last one could not be.
    again: bool,
    out: PerSeat<Option<Out>>,
    gone: Seats,
    breaks: Breaks,
    seconds: u64,
}

/// Blinds and ante.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct Level {
    small: i64,
    big: i64,
    ante: i64,
}

/// When and how a seat went out; greater is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
struct Out {
    /// In the hand with this number.
    hand: u32,
    /// Lost everything, or conceded, which is worse.
    eliminated: bool,
    /// With this many chips at the beginning of that hand.
    chips: Chips,
}

/// Why a buy-in is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadBuyIn {
    /// A freeze-out has no buy-ins.
    NotARing,
    /// There is no such chair.
    NoSuchSeat(Seat),
    /// The seat must have at least `least` and at most `most` afterwards.
    OutOfRange {
        /// The least stack.
        least: Chips,
        /// The largest stack.
        most: Chips,
    },
}

impl fmt::Display for BadBuyIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARing => f.write_str("only a ring game has buy-ins"),
            Self::NoSuchSeat(seat) => write!(f, "there is no {seat}"),
            Self::OutOfRange { least, most } => write!(f, "a buy-in must make a stack from {least} to {most}"),
        }
    }
}

impl core::error::Error for BadBuyIn {}

impl Series {
    pub(super) fn new(settings: &Settings, players: u8) -> Result<Self, BadSetting> {
        settings.check_ranges()?;
        settings.check_together()?;
        let chips = PerSeat::filled(players, Chips(settings.starting_chips));
        Ok(Self {
            players,
            chips,
            bought: chips,
            cashed: PerSeat::new(players),
            blinds: Level { small: settings.small_blind, big: settings.big_blind, ante: settings.ante },
            hands: 0,
            button: None,
            big: None,
            again: false,
            out: PerSeat::new(players),
            gone: Seats::NONE,
            breaks: Breaks::default(),
            seconds: 0,
            settings: settings.clone(),
        })
    }

    /// The small and the big blind of the next hand.
    pub const fn blinds(&self) -> (Chips, Chips) {
        (Chips(self.blinds.small), Chips(self.blinds.big))
    }

    /// Hands played to their end.
    pub const fn hands(&self) -> u32 {
        self.hands
    }

    /// What each has.
    pub const fn chips(&self) -> &PerSeat<Chips> {
        &self.chips
    }

    /// Ring game, between hands: buys chips for a seat, which may be empty.
    pub fn buy_in(&mut self, seat: Seat, amount: Chips) -> Result<(), BadBuyIn> {
        if !self.settings.ring {
            return Err(BadBuyIn::NotARing);
        }
        if seat.index() >= self.players {
            return Err(BadBuyIn::NoSuchSeat(seat));
        }
        let least = Chips(self.settings.buy_in_min * self.blinds.big);
        let most = Chips(self.settings.buy_in_max * self.blinds.big);
        let newcomer = self.gone.contains(seat);
        let before = if newcomer { Chips::ZERO } else { self.chips[seat] };
        if amount <= Chips::ZERO || !(least..=most).contains(&(before + amount)) {
            return Err(BadBuyIn::OutOfRange { least, most });
        }
        if newcomer {
            self.cashed[seat] += self.chips[seat];
            self.gone.remove(seat);
        }
        self.chips[seat] = before + amount;
        self.bought[seat] += amount;
        self.out[seat] = None;
        Ok(())
    }

    /// Between hands: the player leaves the table with their chips.
    pub fn leave(&mut self, seat: Seat) {
        if seat.index() >= self.players || self.gone.contains(seat) {
            return;
        }
        self.gone.insert(seat);
        if self.out[seat].is_none() {
            self.out[seat] = Some(Out { hand: self.hands, eliminated: false, chips: self.chips[seat] });
        }
    }

    /// The match is over for this player, in the last place.
    fn expel(&mut self, seat: Seat) {
        self.leave(seat);
        self.out[seat] = Some(Out { hand: 0, eliminated: false, chips: Chips::ZERO });
    }

    /// Who can play the next hand.
    fn funded(&self) -> Seats {
        let funded = self.chips.seats().filter(|(_, chips)| **chips > Chips::ZERO).map(|(seat, _)| seat);
        funded.collect::<Seats>() - self.gone
    }

    fn over(&self) -> bool {
        let reached = |limit: i64, now: u64| limit > 0 && i64::try_from(now).unwrap_or(i64::MAX) >= limit;
        self.funded().len() < 2
            || reached(self.settings.hand_limit, u64::from(self.hands))
            || reached(self.settings.time_limit, self.seconds / 60)
    }

    /// Who has the button next; `None` where it is to be drawn.
    fn next_button(&self) -> Option<Seat> {
        let last = self.button?;
        let funded = self.funded();
        if self.again && funded.contains(last) {
            return Some(last);
        }
        let next = funded.after(last)?;
        // Heads-up, nobody has the big blind twice in a row: that player gets the button instead.
        let big = funded.after(next).filter(|big| funded.len() == 2 && Some(*big) == self.big);
        Some(big.unwrap_or(next))
    }

    fn setup(&self, button: Option<Seat>, first_deck: u32) -> Setup {
        let funded = self.funded();
        let stack = |seat| if funded.contains(seat) { self.chips[seat] } else { Chips::ZERO };
        let ante = Chips(self.blinds.ante);
        Setup {
            players: self.players,
            stacks: PerSeat::from_fn(self.players, stack),
            button,
            small_blind: Chips(self.blinds.small),
            big_blind: Chips(self.blinds.big),
            blind_seats: None,
            straddles: Vec::new(),
            antes: match self.settings.ante_by {
                _ if ante == Chips::ZERO => Antes::None,
                AnteBy::Each => Antes::Each(ante),
                AnteBy::BigBlind => Antes::BigBlind(ante),
            },
            min_bet: None,
            reopen: self.settings.reopen,
            early_allin_reveal: self.settings.early_allin_reveal,
            first_deck,
        }
    }

    /// After so many hands the blinds rise, as long as the big one stays within a quarter of all chips.
    fn raise_blinds(&mut self) {
        let due = u32::try_from(self.settings.blind_every).ok().and_then(|every| self.hands.checked_rem(every));
        if self.settings.ring || due != Some(0) {
            return;
        }
        let raised = |amount: i64| (amount * self.settings.blind_factor + 50) / 100;
        let big = raised(self.blinds.big);
        let in_play: Chips = self.funded().iter().map(|seat| self.chips[seat]).sum();
        if big <= in_play.0 / 4 {
            self.blinds = Level { small: raised(self.blinds.small), big, ante: raised(self.blinds.ante) };
        }
    }

    fn total(&self, seat: Seat) -> Chips {
        if self.settings.ring { self.chips[seat] + self.cashed[seat] - self.bought[seat] } else { self.chips[seat] }
    }

    /// Those with chips by their chips, then the others, the last to go out first. In a ring game only
    /// what was won counts.
    fn compare(&self, a: Seat, b: Seat) -> Ordering {
        if self.settings.ring {
            return self.total(a).cmp(&self.total(b));
        }
        match (self.out[a], self.out[b]) {
            (None, None) => self.chips[a].cmp(&self.chips[b]),
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => a.cmp(&b),
        }
    }
}

impl table::Series for Series {
    type Rules = Deal;

    fn next(&self, first_deck: u32) -> Option<Setup> {
        (!self.over()).then(|| self.setup(self.next_button(), first_deck))
    }

    #[inline]
    fn sample(&self, turn: u64) -> Setup {
        self.setup(Some(Seat::round(turn, self.players)), 0)
    }

    fn finish(&mut self, deal: &Deal, outcome: &Outcome) {
        (deal.gone - outcome.away).iter().for_each(|seat| self.leave(seat));
        self.breaks.count(outcome).iter().for_each(|seat| self.expel(seat));
        let before = deal.setup().stacks;
        for seat in Seats::first(self.players).iter() {
            self.chips[seat] += outcome.result[seat];
            if before[seat] > Chips::ZERO && self.chips[seat] == Chips::ZERO && self.out[seat].is_none() {
                self.out[seat] = Some(Out { hand: self.hands, eliminated: true, chips: before[seat] });
            }
        }
        if deal.button().is_some() {
            self.button = deal.button();
            self.big = deal.blind_seats().map(|seats| seats.big);
        }
        self.again = outcome.broken_off == Some(Breakdown::DealerFailed);
        if !self.again {
            self.hands += 1;
            self.raise_blinds();
        }
    }

    fn concede(&mut self, seat: Seat) {
        // A freeze-out that is over has been decided; a ring game can be left at any time.
        if self.settings.ring || !self.over() {
            self.leave(seat);
        }
    }

    fn elapsed(&mut self, seconds: u64) {
        self.seconds = self.seconds.max(seconds);
    }

    fn standing(&self) -> Standing {
        let total = PerSeat::from_fn(self.players, |seat| self.total(seat));
        Standing::ranked(total, self.over(), |a, b| self.compare(a, b).is_gt())
    }

    fn tie_break(&self, ahead: Seat, behind: Seat) -> Option<TieBreak> {
        if self.compare(ahead, behind).is_le() || self.total(ahead) > self.total(behind) {
            return None;
        }
        Some(match (self.out[ahead], self.out[behind]) {
            (Some(better), Some(worse)) if better.hand != worse.hand => TieBreak::OutLater,
            (Some(better), Some(worse)) if better.eliminated == worse.eliminated => {
                TieBreak::HadMore(better.chips, worse.chips)
            }
            _ => TieBreak::Stayed,
        })
    }
}
