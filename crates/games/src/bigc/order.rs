//! The order of play, as far as it is known.

use serde::{Serialize, Serializer};
use table::{MAX_SEATS, Seat, Seats};

/// The seats in play in groups, first to play first. A group of several is tied: its inner order is not
/// known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlayOrder {
    groups: [Seats; 12],
}

impl PlayOrder {
    /// All of these tied.
    pub(super) fn tie(seats: Seats) -> Self {
        let mut groups = [Seats::NONE; 12];
        groups.iter_mut().take(1).for_each(|group| *group = seats);
        Self { groups }
    }

    fn groups(&self) -> impl Iterator<Item = Seats> + Clone {
        self.groups.into_iter().take_while(|group| !group.is_empty())
    }

    /// Everybody in play.
    pub(super) fn seats(&self) -> Seats {
        self.groups().fold(Seats::NONE, |all, group| all | group)
    }

    /// Those whose place is not known yet.
    pub(super) fn tied(&self) -> Seats {
        self.groups().filter(|group| group.len() > 1).fold(Seats::NONE, |all, group| all | group)
    }

    /// All members of groups that one of these is in.
    pub(super) fn groups_of(&self, some: Seats) -> Seats {
        self.groups().filter(|group| !(*group & some).is_empty()).fold(Seats::NONE, |all, group| all | group)
    }

    /// First to play first; tied seats by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = Seat> {
        self.groups().flat_map(Seats::iter)
    }

    /// Who plays after this seat.
    pub(super) fn after(&self, seat: Seat) -> Option<Seat> {
        self.iter().skip_while(|other| *other != seat).nth(1).or_else(|| self.iter().next())
    }

    /// Takes a seat out.
    pub(super) fn remove(&mut self, seat: Seat) {
        let left: [Seats; 12] = self.groups.map(|group| group.without(seat));
        self.refill(left.into_iter());
    }

    /// Puts the members of every tied group in ascending order of their `key`; seats with equal keys
    /// stay tied. Groups of which nobody is `among` those asked stay as they are.
    pub(super) fn split(&mut self, among: Seats, key: impl Fn(Seat) -> u8) {
        let mut split = [Seats::NONE; 12];
        let mut places = split.iter_mut();
        for group in self.groups() {
            let mut rest = group;
            while !rest.is_empty() {
                let lowest = if (group & among).is_empty() {
                    rest
                } else {
                    let least = rest.iter().map(&key).min();
                    rest.iter().filter(|seat| Some(key(*seat)) == least).collect()
                };
                places.next().into_iter().for_each(|place| *place = lowest);
                rest = rest - lowest;
            }
        }
        self.groups = split;
    }

    fn refill(&mut self, groups: impl Iterator<Item = Seats>) {
        let mut filled = [Seats::NONE; 12];
        filled.iter_mut().zip(groups.filter(|group| !group.is_empty())).for_each(|(to, group)| *to = group);
        self.groups = filled;
    }
}

impl Serialize for PlayOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The number of groups must be known beforehand to be written in a compact form.
        let groups: Vec<Seats> = self.groups().take(usize::from(MAX_SEATS)).collect();
        groups.serialize(serializer)
    }
}
