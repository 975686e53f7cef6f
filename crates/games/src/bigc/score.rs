//! Which card is higher, and what a deal costs each seat.

use cards::{Card, Rank, Suit};
use table::{Breakdown, Chips, Outcome, PerSeat};

use super::Deal;
use super::phase::{Ending, Phase};

/// The place of a card in the order of Big-C: 1 for the three of diamonds up to 52 for the two of spades,
/// and 0 for a joker. Ranks run from three up to ace and two; within a rank diamonds, clubs, hearts,
/// spades.
///
/// ```
/// # use games::bigc::place;
/// # let card = |text: &str| text.parse().unwrap();
/// assert_eq!(place(card("4S")) + 1, place(card("5D")));
/// assert!(place(card("2D")) > place(card("AS")));
/// ```
pub fn place(card: Card) -> u8 {
    let Some((rank, suit)) = card.natural() else { return 0 };
    let suit = match suit {
        Suit::Diamonds => 0,
        Suit::Clubs => 1,
        Suit::Hearts => 2,
        Suit::Spades => 3,
    };
    rank_of_two_high(rank) * 4 + suit + 1
}

/// The card at a place; a joker at 0 and beyond 52.
pub(super) fn at_place(place: u8) -> Card {
    let Some(n) = place.checked_sub(1) else { return Card::JOKER };
    let suit = match n % 4 {
        0 => Suit::Diamonds,
        1 => Suit::Clubs,
        2 => Suit::Hearts,
        _ => Suit::Spades,
    };
    Rank::from_index((n / 4 + 1) % 13).filter(|_| place <= 52).map_or(Card::JOKER, |rank| Card::new(rank, suit))
}

/// Three is 0, ace is 11, two is 12.
fn rank_of_two_high(rank: Rank) -> u8 {
    (rank.index() + 12) % 13
}

impl Deal {
    /// One point for every card left; none for a player who went out or was left alone.
    ///
    /// A player who left scores twice the hand size, and never less than anybody who stayed: leaving must not pay.
    pub(super) fn result(&self, ending: Ending) -> PerSeat<Chips> {
        let points = |seat| match ending {
            Ending::WentOut(winner) | Ending::LeftAlone(winner) if winner == seat => Chips::ZERO,
            Ending::WentOut(_) | Ending::LeftAlone(_) | Ending::Blocked | Ending::ShowedJoker(_) => {
                Chips(self.cards_of(seat))
            }
        };
        let most = self.in_play().iter().map(points).max().unwrap_or_default();
        PerSeat::from_fn(self.setup.players, |seat| {
            if self.in_play().contains(seat) {
                points(seat)
            } else if self.setup.gone.contains(seat) {
                Chips::ZERO
            } else {
                most.max(self.penalty())
            }
        })
    }

    /// Those to blame score twice the hand size (or their cards, should they hold more), the others
    /// nothing; nobody scores if nobody is to blame.
    pub(super) fn broken_off(&self, why: Breakdown) -> Outcome {
        // A joker that was shown is a lie as well, whatever else is found when all claims are judged.
        let why = match (self.phase, why) {
            (Phase::Over(Ending::ShowedJoker(liars)), Breakdown::FalseClaim(seats)) => {
                Breakdown::FalseClaim(seats | liars)
            }
            (_, why) => why,
        };
        let culprits = why.culprits();
        let result = PerSeat::from_fn(self.setup.players, |seat| {
            if culprits.contains(seat) { self.penalty().max(Chips(self.cards_of(seat))) } else { Chips::ZERO }
        });
        Outcome::broken(why, result)
    }

    fn penalty(&self) -> Chips {
        Chips(i64::from(self.setup.hand_size) * 2)
    }

    fn cards_of(&self, seat: table::Seat) -> i64 {
        i64::try_from(self.hand(seat).len()).unwrap_or(i64::MAX)
    }
}
