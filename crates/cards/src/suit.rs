//! The four suits.

use std::fmt;

/// One of the four suits, in the order clubs, diamonds, hearts, spades.
///
/// The order is that of the card numbers. Whether suits are ranked is up to each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// ♣, number 0.
    Clubs,
    /// ♦, number 1.
    Diamonds,
    /// ♥, number 2.
    Hearts,
    /// ♠, number 3.
    Spades,
}

impl Suit {
    /// All suits, ascending.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The number of the suit: clubs 0, diamonds 1, hearts 2, spades 3.
    #[inline]
    pub const fn index(self) -> u8 {
        match self {
            Suit::Clubs => 0,
            Suit::Diamonds => 1,
            Suit::Hearts => 2,
            Suit::Spades => 3,
        }
    }

    /// The suit with this number, if it is below 4.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Suit> {
        match index {
            0 => Some(Suit::Clubs),
            1 => Some(Suit::Diamonds),
            2 => Some(Suit::Hearts),
            3 => Some(Suit::Spades),
            _ => None,
        }
    }

    /// The letter used in messages and files: `C`, `D`, `H` or `S`.
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'C',
            Suit::Diamonds => 'D',
            Suit::Hearts => 'H',
            Suit::Spades => 'S',
        }
    }

    /// The symbol shown to people: `♣`, `♦`, `♥` or `♠`.
    pub const fn symbol(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        }
    }

    /// The suit for a letter in either case, or for a black or white symbol.
    pub const fn from_char(written: char) -> Option<Suit> {
        match written {
            'C' | 'c' | '♣' | '♧' => Some(Suit::Clubs),
            'D' | 'd' | '♦' | '♢' => Some(Suit::Diamonds),
            'H' | 'h' | '♥' | '♡' => Some(Suit::Hearts),
            'S' | 's' | '♠' | '♤' => Some(Suit::Spades),
            _ => None,
        }
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suit_is_found_again_by_its_number_letter_and_symbol() {
        for (index, suit) in (0u8..).zip(Suit::ALL) {
            assert_eq!(suit.index(), index);
            assert_eq!(Suit::from_index(index), Some(suit));
            assert_eq!(Suit::from_char(suit.letter()), Some(suit));
            assert_eq!(Suit::from_char(suit.letter().to_ascii_lowercase()), Some(suit));
            assert_eq!(Suit::from_char(suit.symbol()), Some(suit));
        }
        assert_eq!(Suit::from_index(4), None);
        assert_eq!(Suit::from_char('X'), None);
    }
}
