//! Seats at a table: one [`Seat`], a set of [`Seats`], and a value for each ([`PerSeat`]).
//!
//! Seats are numbered clockwise, from 0 in programs and files; "left of" means the next higher number, wrapping.
//! People count from 1: what they read and type names a seat by [`Seat::number`].

use core::fmt;
use core::ops::{BitAnd, BitOr, Index, IndexMut, Sub};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most seats any game has.
pub const MAX_SEATS: u8 = 12;

/// A seat at the table, 0 to 11. Rules never know who sits in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number, if a table can have one.
    #[inline]
    pub const fn new(index: u8) -> Option<Self> {
        if index < MAX_SEATS { Some(Self(index)) } else { None }
    }

    /// The seat reached by counting around a table of `players` seats: `n` modulo `players`.
    ///
    /// ```
    /// # use table::Seat;
    /// assert_eq!(Seat::round(5, 4), Seat::new(1).unwrap());
    /// ```
    #[inline]
    pub fn round(n: u64, players: u8) -> Self {
        let players = u64::from(players.clamp(1, MAX_SEATS));
        Self(u8::try_from(n % players).unwrap_or(0))
    }

    /// Its number in programs and files, from 0.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its number among people, from 1.
    ///
    /// ```
    /// # use table::Seat;
    /// let first = Seat::new(0).unwrap();
    /// assert_eq!((first.number(), first.to_string()), (1, "seat 1".to_owned()));
    /// assert_eq!(Seat::numbered(1), Some(first));
    /// ```
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The seat with this number among people, if any table has one.
    #[inline]
    pub const fn numbered(number: u8) -> Option<Self> {
        match number.checked_sub(1) {
            Some(index) => Self::new(index),
            None => None,
        }
    }

    /// The next seat clockwise at a table of `players`.
    #[inline]
    pub const fn left(self, players: u8) -> Self {
        if self.0 + 1 < players { Self(self.0 + 1) } else { Self(0) }
    }

    /// The next seat counterclockwise at a table of `players`.
    #[inline]
    pub const fn right(self, players: u8) -> Self {
        if self.0 > 0 {
            Self(self.0 - 1)
        } else if players > 0 && players <= MAX_SEATS {
            Self(players - 1)
        } else {
            Self(0)
        }
    }
}

/// As programs count: from 0.
impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat({})", self.0)
    }
}

/// For people, who count from 1; [`Seat::index`] and JSON count from 0.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Self::new(index)
            .ok_or_else(|| D::Error::custom(format!("a seat is a number from 0 to {}, not {index}", MAX_SEATS - 1)))
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seats(u16);

impl Seats {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The seats 0 to `players - 1`.
    #[inline]
    pub const fn first(players: u8) -> Self {
        let players = if players < MAX_SEATS { players } else { MAX_SEATS };
        Self((1 << players) - 1)
    }

    /// Just this one.
    #[inline]
    pub const fn one(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// Whether this seat is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// Adds a seat.
    #[inline]
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Removes a seat.
    #[inline]
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    /// The set without this seat.
    #[inline]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// The set with this seat.
    #[inline]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | (1 << seat.0))
    }

    /// How many seats.
    #[inline]
    pub const fn len(self) -> u8 {
        // At most 12 bits are ever set.
        let [low, ..] = self.0.count_ones().to_le_bytes();
        low
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one with the lowest number.
    #[inline]
    pub const fn lowest(self) -> Option<Seat> {
        if self.0 == 0 {
            None
        } else {
            let [low, ..] = self.0.trailing_zeros().to_le_bytes();
            Seat::new(low)
        }
    }

    /// The only member, if there is exactly one.
    #[inline]
    pub const fn only(self) -> Option<Seat> {
        if self.0.is_power_of_two() { self.lowest() } else { None }
    }

    /// The next member clockwise from `seat`, which itself comes last.
    ///
    /// ```
    /// # use table::{Seat, Seats};
    /// let [a, b] = [Seat::new(1).unwrap(), Seat::new(3).unwrap()];
    /// let seats = Seats::one(a).with(b);
    /// assert_eq!(seats.after(a), Some(b));
    /// assert_eq!(seats.after(b), Some(a));
    /// ```
    #[inline]
    pub const fn after(self, seat: Seat) -> Option<Seat> {
        let above = Self(self.0 & !((2 << seat.0) - 1));
        if above.0 == 0 { self.lowest() } else { above.lowest() }
    }

    /// All members clockwise, starting with the first one left of `seat`.
    #[inline]
    pub fn clockwise_after(self, seat: Seat) -> impl Iterator<Item = Seat> {
        let low = (2 << seat.0) - 1;
        Self(self.0 & !low).iter().chain(Self(self.0 & low).iter())
    }

    /// All members clockwise, starting with `seat` itself if it is one.
    #[inline]
    pub fn clockwise_from(self, seat: Seat) -> impl Iterator<Item = Seat> {
        let low = (1 << seat.0) - 1;
        Self(self.0 & !low).iter().chain(Self(self.0 & low).iter())
    }

    /// All members in order of number.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut rest = self;
        core::iter::from_fn(move || {
            let seat = rest.lowest()?;
            rest.remove(seat);
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(iter: I) -> Self {
        let mut seats = Self::NONE;
        iter.into_iter().for_each(|seat| seats.insert(seat));
        seats
    }
}

impl BitAnd for Seats {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Seats {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for Seats {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::index)).finish()
    }
}

impl Serialize for Seats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // As a list: a binary format needs its length in advance.
        self.iter().collect::<Vec<Seat>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Seats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Seat>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// A value for every seat of a table.
///
/// Indexing by a [`Seat`] the table does not have reads and writes a spare place, so a seat out of range can
/// never crash the program. Rules refuse such seats before they get here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerSeat<T> {
    items: [T; 12],
    players: u8,
}

impl<T: Copy + Default> PerSeat<T> {
    /// The same for all.
    #[inline]
    pub fn filled(players: u8, item: T) -> Self {
        let players = players.min(MAX_SEATS);
        let mut items = [T::default(); 12];
        items.iter_mut().take(usize::from(players)).for_each(|i| *i = item);
        Self { items, players }
    }

    /// The default for all.
    #[inline]
    pub fn new(players: u8) -> Self {
        Self { items: [T::default(); 12], players: players.min(MAX_SEATS) }
    }

    /// From a list in seat order; `None` if it is longer than any table.
    pub fn from_slice(list: &[T]) -> Option<Self> {
        let players = u8::try_from(list.len()).ok().filter(|n| *n <= MAX_SEATS)?;
        let mut items = [T::default(); 12];
        items.iter_mut().zip(list).for_each(|(to, from)| *to = *from);
        Some(Self { items, players })
    }

    /// A value for each, computed from its seat.
    pub fn from_fn(players: u8, f: impl FnMut(Seat) -> T) -> Self {
        let mut all = Self::new(players);
        let mut f = f;
        for seat in Seats::first(players).iter() {
            all[seat] = f(seat);
        }
        all
    }
}

impl<T> PerSeat<T> {
    /// How many seats.
    #[inline]
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// In seat order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.as_slice().iter()
    }

    /// In seat order.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self.items.get(..usize::from(self.players)).unwrap_or(&[])
    }

    /// In seat order, with the seats.
    #[inline]
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &T)> {
        (0..).map_while(Seat::new).zip(self.iter())
    }
}

#[expect(clippy::indexing_slicing, reason = "a Seat is below 12 by construction, and there are 12 items")]
impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.items[usize::from(seat.0)]
    }
}

#[expect(clippy::indexing_slicing, reason = "a Seat is below 12 by construction, and there are 12 items")]
impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.items[usize::from(seat.0)]
    }
}

impl<T: fmt::Debug> fmt::Debug for PerSeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl<T: Serialize> Serialize for PerSeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>> Deserialize<'de> for PerSeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<T>::deserialize(deserializer)?;
        Self::from_slice(&list)
            .ok_or_else(|| D::Error::custom(format!("at most {MAX_SEATS} seats, not {}", list.len())))
    }
}
