//! The thirteen ranks.

use std::fmt;

/// One of the thirteen ranks, from two up to ace.
///
/// The ace is high, as in poker. A game that orders ranks differently brings its own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// `2`, number 2.
    Two,
    /// `3`, number 3.
    Three,
    /// `4`, number 4.
    Four,
    /// `5`, number 5.
    Five,
    /// `6`, number 6.
    Six,
    /// `7`, number 7.
    Seven,
    /// `8`, number 8.
    Eight,
    /// `9`, number 9.
    Nine,
    /// `T`, number 10.
    Ten,
    /// `J`, number 11.
    Jack,
    /// `Q`, number 12.
    Queen,
    /// `K`, number 13.
    King,
    /// `A`, number 14.
    Ace,
}

impl Rank {
    /// All ranks, ascending.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The index of the rank: two is 0, ace is 12.
    #[inline]
    pub const fn index(self) -> u8 {
        match self {
            Rank::Two => 0,
            Rank::Three => 1,
            Rank::Four => 2,
            Rank::Five => 3,
            Rank::Six => 4,
            Rank::Seven => 5,
            Rank::Eight => 6,
            Rank::Nine => 7,
            Rank::Ten => 8,
            Rank::Jack => 9,
            Rank::Queen => 10,
            Rank::King => 11,
            Rank::Ace => 12,
        }
    }

    /// The rank with this index, if it is below 13.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Rank> {
        match index {
            0 => Some(Rank::Two),
            1 => Some(Rank::Three),
            2 => Some(Rank::Four),
            3 => Some(Rank::Five),
            4 => Some(Rank::Six),
            5 => Some(Rank::Seven),
            6 => Some(Rank::Eight),
            7 => Some(Rank::Nine),
            8 => Some(Rank::Ten),
            9 => Some(Rank::Jack),
            10 => Some(Rank::Queen),
            11 => Some(Rank::King),
            12 => Some(Rank::Ace),
            _ => None,
        }
    }

    /// The number of the rank: two is 2, ten is 10, ace is 14.
    #[inline]
    pub const fn number(self) -> u8 {
        self.index() + 2
    }

    /// The letter used in messages and files, one of `23456789TJQKA`.
    pub const fn letter(self) -> char {
        match self {
            Rank::Two => '2',
            Rank::Three => '3',
            Rank::Four => '4',
            Rank::Five => '5',
            Rank::Six => '6',
            Rank::Seven => '7',
            Rank::Eight => '8',
            Rank::Nine => '9',
            Rank::Ten => 'T',
            Rank::Jack => 'J',
            Rank::Queen => 'Q',
            Rank::King => 'K',
            Rank::Ace => 'A',
        }
    }

    /// The rank for a letter in either case.
    ///
    /// The card parser handles the two characters of `10`.
    pub const fn from_char(written: char) -> Option<Rank> {
        match written.to_ascii_uppercase() {
            '2' => Some(Rank::Two),
            '3' => Some(Rank::Three),
            '4' => Some(Rank::Four),
            '5' => Some(Rank::Five),
            '6' => Some(Rank::Six),
            '7' => Some(Rank::Seven),
            '8' => Some(Rank::Eight),
            '9' => Some(Rank::Nine),
            'T' => Some(Rank::Ten),
            'J' => Some(Rank::Jack),
            'Q' => Some(Rank::Queen),
            'K' => Some(Rank::King),
            'A' => Some(Rank::Ace),
            _ => None,
        }
    }

    /// The English word: `six`.
    pub const fn name(self) -> &'static str {
        match self {
            Rank::Two => "two",
            Rank::Three => "three",
            Rank::Four => "four",
            Rank::Five => "five",
            Rank::Six => "six",
            Rank::Seven => "seven",
            Rank::Eight => "eight",
            Rank::Nine => "nine",
            Rank::Ten => "ten",
            Rank::Jack => "jack",
            Rank::Queen => "queen",
            Rank::King => "king",
            Rank::Ace => "ace",
        }
    }

    /// The English plural: `sixes`.
    pub const fn plural(self) -> &'static str {
        match self {
            Rank::Two => "twos",
            Rank::Three => "threes",
            Rank::Four => "fours",
            Rank::Five => "fives",
            Rank::Six => "sixes",
            Rank::Seven => "sevens",
            Rank::Eight => "eights",
            Rank::Nine => "nines",
            Rank::Ten => "tens",
            Rank::Jack => "jacks",
            Rank::Queen => "queens",
            Rank::King => "kings",
            Rank::Ace => "aces",
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_found_again_by_its_index_and_letter() {
        for (index, rank) in (0u8..).zip(Rank::ALL) {
            assert_eq!(rank.index(), index);
            assert_eq!(rank.number(), index + 2);
            assert_eq!(Rank::from_index(index), Some(rank));
            assert_eq!(Rank::from_char(rank.letter()), Some(rank));
            assert_eq!(Rank::from_char(rank.letter().to_ascii_lowercase()), Some(rank));
        }
        assert_eq!(Rank::from_index(13), None);
        assert_eq!(Rank::from_char('1'), None);
    }
}
