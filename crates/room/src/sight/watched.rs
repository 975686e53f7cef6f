//! A room with its story in words, for people who look at it.

use core::ops::Deref;

use page::{Page, Story, Told};

use crate::ids::Millis;
use crate::{Entry, Event, Keep, Kept, Playing, Refusal, Room, Seen, Stage, Terms};

/// A room, and what happened there in words if it [keeps](Keep::seen) what happens.
pub struct Watched {
    room: Room,
    story: Option<Box<dyn Tale>>,
}

impl Watched {
    /// The table that a first event makes.
    ///
    /// # Errors
    /// See [`Room::open`].
    pub fn open(terms: Terms, secret: [u8; 32], at: Millis, keep: Keep) -> Result<Self, Refusal> {
        Ok(Self { room: Room::open(terms, secret, at, keep)?, story: None })
    }

    /// The table that a log makes; entries in order, from the first.
    ///
    /// # Errors
    /// Fails if the log makes no table.
    pub fn replay(secret: [u8; 32], entries: impl IntoIterator<Item = Entry>, keep: Keep) -> Result<Self, Refusal> {
        let mut story = None;
        let room = Room::replay_with(secret, entries, keep, |room| hear(room, &mut story))?;
        Ok(Self { room, story })
    }

    /// Checks an event and applies it; an error changes nothing.
    ///
    /// # Errors
    /// See [`Room::apply`].
    pub fn apply(&mut self, at: Millis, event: &Event) -> Result<(), Refusal> {
        self.room.apply(at, event)?;
        hear(&mut self.room, &mut self.story);
        Ok(())
    }

    /// What happened in words, with line numbers; nothing if it is not kept.
    pub fn told(&self) -> Vec<(u64, &Told)> {
        self.story.as_ref().map(|story| story.lines()).unwrap_or_default()
    }
}

impl Deref for Watched {
    type Target = Room;
    fn deref(&self) -> &Room {
        &self.room
    }
}

#[cfg(test)]
impl core::ops::DerefMut for Watched {
    fn deref_mut(&mut self) -> &mut Room {
        &mut self.room
    }
}

/// Brings the story up to date with the room.
fn hear(room: &mut Room, story: &mut Option<Box<dyn Tale>>) {
    games::with_game!(room.game(), G => {
        let Some(playing) = room.playing_mut::<G>() else { return };
        let seen = playing.take_seen();
        if seen.is_empty() {
            return;
        }
        let tale = story.get_or_insert_with(|| {
            Box::new(Story::<G>::new(playing.settings().clone(), playing.names().to_vec()))
        });
        let tale: &mut dyn core::any::Any = tale.as_mut();
        if let Some(story) = tale.downcast_mut::<Story<G>>() {
            tell(playing, seen, story);
        }
    });
}

/// Tells what was seen.
fn tell<G: Kept + Page>(playing: &Playing<G>, seen: Vec<Seen<G>>, story: &mut Story<G>) {
    use crate::Play as _;
    for seen in seen {
        match seen {
            Seen::Deal { number, table, standing } => story.begin(number, &table, standing),
            Seen::Acted { table, seat, action, made } => story.act(&table, seat, action, made),
            Seen::Chose { table, choices } => story.choose(&table, choices),
            Seen::Dealt { table } => story.catch_up(&table),
            Seen::Changed { before, after } => {
                story.catch_up(&before);
                story.look(&after);
            }
            Seen::Over { table, outcome, standing } => story.end(&table, &outcome, standing),
            Seen::Hinted(seat) => story.hint(seat),
        }
    }
    if playing.stage() == Stage::Deal {
        story.catch_up(playing.table());
    }
}

/// A story of some game.
trait Tale: core::any::Any + Send + Sync {
    fn lines(&self) -> Vec<(u64, &Told)>;
}

impl<G: Kept + Page> Tale for Story<G> {
    fn lines(&self) -> Vec<(u64, &Told)> {
        Self::lines(self).collect()
    }
}
