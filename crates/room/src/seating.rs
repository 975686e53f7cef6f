//! Who sits where, and how the match begins.

use dealers::house::Publish;
use table::Seat;
use table::record::Writer;

use super::checks::{check_text, digits, reveal_seed};
use super::event::{Face, Sitter};
use super::names::distinct;
use super::play::Input;
use super::playing::{Beginning, Playing, Recording};
use super::{AVATARS, Chair, LONGEST_NAME, Leaver, Phase, Play, Refusal, Room};
use crate::ids::Millis;

impl Room {
    pub(super) fn sit(&mut self, seat: Seat, who: &Sitter) -> Result<(), Refusal> {
        if let Phase::Match(_) = self.phase {
            return Err(Refusal::Begun);
        }
        if let Sitter::Player { player, face, .. } = who {
            check_text(&face.name, LONGEST_NAME)?;
            if let Some(seat) = self.seat_of(*player) {
                return Err(Refusal::SeatedAlready(seat));
            }
        }
        let chair = self.chairs.get_mut(usize::from(seat.index())).ok_or(Refusal::NoSuchSeat)?;
        if matches!(chair.who, Some(Sitter::Player { .. })) {
            return Err(Refusal::Taken(seat));
        }
        chair.who = Some(who.clone());
        self.tell_apart(seat);
        self.vary(seat);
        Ok(())
    }

    /// A player has sat down here, or has a new name. If two names look alike, the newcomer gets a number; computers
    /// keep their names.
    fn tell_apart(&mut self, new: Seat) {
        let is_computer = self.chair(new).is_some_and(|chair| chair.computer().is_some());
        let seats: Vec<Seat> = self.chairs().map(|(seat, _)| seat).filter(|seat| is_computer || *seat == new).collect();
        for seat in seats {
            let others = self.names_but(Some(seat));
            if let Some(Chair { who: Some(Sitter::Player { face, .. }), .. }) =
                self.chairs.get_mut(usize::from(seat.index()))
            {
                face.name = distinct(&face.name, &others);
            }
        }
    }

    /// A player has sat down here, or has a new picture. If somebody at the table has the same, the newcomer gets the
    /// next one that nobody has.
    fn vary(&mut self, new: Seat) {
        let others = self.chairs().filter(|(seat, chair)| *seat != new && chair.player().is_some());
        let taken: Vec<u8> = others.filter_map(|(seat, chair)| chair.face(seat)).map(|face| face.avatar).collect();
        if let Some(Chair { who: Some(Sitter::Player { face, .. }), .. }) =
            self.chairs.get_mut(usize::from(new.index()))
        {
            let wanted = face.avatar;
            let mut next = (wanted..AVATARS).chain(1..wanted.min(AVATARS));
            face.avatar = next.find(|avatar| !taken.contains(avatar)).unwrap_or(wanted);
        }
    }

    pub(super) fn stand(&mut self, seat: Seat, at: Millis) -> Result<(), Refusal> {
        let bot = self.computer_plays_on();
        let chair = self.chairs.get_mut(usize::from(seat.index())).ok_or(Refusal::NoSuchSeat)?;
        let who = chair.who.as_ref().ok_or(Refusal::NotSeated)?;
        match &mut self.phase {
            Phase::Gathering => chair.who = None,
            Phase::Match(play) => {
                let Sitter::Player { player, face, .. } = who else { return Err(Refusal::NotSeated) };
                let left = Leaver { player: *player, face: face.clone() };
                play.take(&if bot { Input::TakeOver(seat) } else { Input::Leave(seat) }, at)?;
                chair.left = Some(left);
                chair.who = bot.then_some(Sitter::Computer(bots::Kind::Normal));
                self.ready.remove(seat);
            }
        }
        Ok(())
    }

    pub(super) fn hand_on(&mut self, seat: Seat) -> Result<(), Refusal> {
        if let Phase::Match(_) = self.phase {
            return Err(Refusal::Begun);
        }
        let player = self.chair(seat).ok_or(Refusal::NoSuchSeat)?.player().ok_or(Refusal::NotSeated)?;
        // A table without an owner belongs to all who sit at it.
        if self.owner().is_none_or(|owner| owner == player) {
            return Err(Refusal::NotAsked);
        }
        self.owner = Some(player);
        Ok(())
    }

    pub(super) fn start(&mut self, at: Millis) -> Result<(), Refusal> {
        if let Phase::Match(_) = self.phase {
            return Err(Refusal::Begun);
        }
        let empty = self.chairs.iter().filter(|chair| chair.who.is_none()).count();
        if empty > 0 {
            return Err(Refusal::EmptyChairs(u8::try_from(empty).unwrap_or(u8::MAX)));
        }
        if self.is_deserted() {
            return Err(Refusal::Nobody);
        }
        let session = digits(&self.terms.session)?;
        let reveal = reveal_seed(&self.terms.reveal).ok_or(Refusal::Damaged("reveal"))?;
        let quiet = |chair: &Chair| chair.player().is_some() && !chair.sends_seeds();
        let declining = self.chairs().filter(|(_, chair)| quiet(chair)).map(|(seat, _)| seat).collect();
        let computers = self.chairs().filter(|(_, chair)| chair.computer().is_some()).map(|(seat, _)| seat).collect();
        let names = self.chairs().filter_map(|(seat, chair)| chair.face(seat)).map(|face| face.name).collect();
        let record = self.keep.record.then(|| Recording { writer: Writer::new(), private: self.keep.private });
        let publish = |publish: Publish| Beginning {
            settings: &self.terms.settings,
            players: self.terms.players,
            session,
            secret: &self.secret,
            publish,
            names,
            declining,
            computers,
            at,
            paced: self.terms.pace > 0,
            record,
            seen: self.keep.seen,
        };
        let play: Box<dyn Play> = games::with_game!(self.game, G => {
            Box::new(Playing::<G>::begin(publish(reveal.in_game::<G>()))?)
        });
        self.phase = Phase::Match(play);
        Ok(())
    }

    pub(super) fn rename(&mut self, seat: Seat, to: &Face) -> Result<(), Refusal> {
        check_text(&to.name, LONGEST_NAME)?;
        if let Phase::Match(_) = self.phase {
            // Records name the players as they were when the match began.
            return Err(Refusal::Begun);
        }
        let chair = self.chairs.get_mut(usize::from(seat.index())).ok_or(Refusal::NoSuchSeat)?;
        match &mut chair.who {
            Some(Sitter::Player { face, .. }) => {
                *face = to.clone();
                self.tell_apart(seat);
                self.vary(seat);
                Ok(())
            }
            Some(Sitter::Computer(_)) | None => Err(Refusal::NotSeated),
        }
    }
}
