//! What a viewer sees of a match, and what can be done with it without knowing the game.

use bots::{Kind, protocol};
use dealers::house::{Opening, Seed};
use dealers::{Dealer as _, House};
use maud::Markup;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use table::record::Evidence;
use table::{Eye, Height, Known, Move, Outcome, Rules, Seat, Standing};

use super::changing::{CHANGE, Changing};
use super::chronicle::Told;
use super::event::Event;
use super::hint::Thinking;
use super::mind::Pondering;
use super::playing::{Awaited, Made, Playing, Stage, anew};
use super::refusal::Refusal;
use super::shown::{Ending, Key, Pressed, Shown};
use crate::ids::Millis;
use crate::lang::Lang;
use crate::page::{Draft, Marking, MoveOf, Page, Press, Scene};

/// A match of some game.
pub trait Play: Send + Sync {
    /// Its stage.
    fn stage(&self) -> Stage;
    /// What the table waits for.
    fn awaited(&self) -> Awaited;
    /// The number of moves in the deal on the table.
    fn done(&self) -> usize;
    /// Whether a trick or a round has just ended, so that people want to look at it.
    fn lingers(&self) -> bool;
    /// In how many steps pages show the cards that ended the deal.
    fn streets(&self) -> u32;
    /// The seconds that players have.
    fn seconds(&self) -> Option<u64>;
    /// The height that the next input must name.
    fn height(&self) -> Height;
    /// The number of the deal on the table, or of the last.
    fn deal(&self) -> u32;
    /// The number of the deal that ended last; 0 before.
    fn deals_over(&self) -> u32;
    /// The score of the match, including the last finished deal.
    fn standing_now(&self) -> Standing;
    /// How the last deal ended.
    fn last_outcome(&self) -> Option<&Outcome>;
    /// The house that deals.
    fn house(&self) -> &House;
    /// This seat's cards and their proofs: those of the deal on the table that are already dealt, and, if the log in
    /// words is kept, those of the deal that ended last.
    fn own_openings(&self, seat: Seat) -> Vec<Opening>;

    /// What a viewer sees, as JSON.
    fn view(&self, eye: Eye) -> String;
    /// What a viewer sees, in their language, with their draft.
    fn show(&self, eye: Eye, lang: Lang, draft: Option<&RawValue>) -> Shown;
    /// A seat presses a button, by its key.
    fn press(&self, seat: Seat, lang: Lang, key: char, draft: Option<&RawValue>) -> Result<Pressed, Refusal>;
    /// A seat chooses a place that the page offered.
    fn place(&self, seat: Seat, lang: Lang, place: u16, draft: Option<&RawValue>) -> Result<Pressed, Refusal>;
    /// A hint for this seat, as a job to be computed.
    fn hint(&self, seat: Seat, lang: Lang) -> Option<Thinking>;
    /// What was committed to and revealed for this deal; empty if nobody reads it.
    fn proofs(&self) -> &[Evidence];
    /// The log in words, with line numbers; empty if it is not kept.
    fn told(&self) -> Vec<(u64, &Told)>;

    /// A match begins, for a program in this seat ([`bots::protocol`]).
    fn hello(&self, seat: Seat, seed: u32) -> String;
    /// What happened in the deal on the table, without the first `skip` items, for programs.
    fn past(&self, skip: usize) -> Vec<String>;
    /// What happened in the last finished deal, without the first `skip` items, for programs.
    fn last_past(&self, skip: usize) -> Vec<String>;
    /// Whether this seat is in the deal on the table or, between two deals, will be in the next.
    fn takes_part(&self, seat: Seat) -> bool;
    /// Whether this seat must act or choose.
    fn asks(&self, seat: Seat) -> bool;
    /// The legal moves of a seat whose turn it is, as JSON.
    fn moves(&self, seat: Seat) -> Option<String>;
    /// Asks a program in this seat for its move.
    fn ask(&self, id: u64, seat: Seat) -> String;
    /// A program's answer, as an event.
    fn answer(&self, seat: Seat, answer: protocol::Answer) -> Result<Event, Refusal>;
    /// The text, if it is an action of this game: in the shortest form, as the game itself would write it.
    fn action(&self, text: &RawValue) -> Result<Box<RawValue>, Refusal>;
    /// The same for a choice.
    fn choice(&self, text: &RawValue) -> Result<Box<RawValue>, Refusal>;
    /// How the last deal ended, for a program in this seat.
    fn end(&self, seat: Seat) -> Option<String>;

    /// A computer's move, as a job to be computed.
    fn ponder(&self, seat: Seat, kind: Kind) -> Pondering;
    /// The move made for a seat whose time is up.
    fn default_event(&self, seat: Seat) -> Option<Event>;

    /// See [`Event::Acted`].
    fn act(&mut self, seat: Seat, height: Height, action: &RawValue, made: Made, at: Millis) -> Result<(), Refusal>;
    /// See [`Event::Chose`].
    fn choose(&mut self, seat: Seat, height: Height, choice: &RawValue, made: Made, at: Millis) -> Result<(), Refusal>;
    /// See [`Event::Committed`].
    fn commit(&mut self, seat: Seat, deck: u32, commitment: [u8; 32], at: Millis) -> Result<(), Refusal>;
    /// See [`Event::Revealed`].
    fn reveal(&mut self, seat: Seat, deck: u32, seed: &Seed, at: Millis) -> Result<(), Refusal>;
    /// See [`Event::SeedsDue`].
    fn seeds_due(&mut self, at: Millis) -> Result<(), Refusal>;
    /// See [`Event::Dealt`].
    fn deal_on(&mut self, at: Millis) -> Result<(), Refusal>;
    /// See [`Event::Hinted`].
    fn hinted(&mut self, seat: Seat, height: Height) -> Result<(), Refusal>;
    /// See [`Event::Woke`].
    fn wake(&mut self, seat: Seat) -> Result<(), Refusal>;
    /// A computer takes a seat over.
    fn take_over(&mut self, seat: Seat, at: Millis);
    /// A seat leaves for good.
    fn leave(&mut self, seat: Seat, at: Millis);
    /// The next deal begins.
    fn next_deal(&mut self, at: Millis);
    /// There is no next deal, although the game would continue.
    fn close(&mut self, at: Millis);
    /// The lines of the record since the last call.
    fn take_record(&mut self) -> String;
}

impl<G: Page> Playing<G> {
    fn event(&self, seat: Seat, a_move: &MoveOf<G>, timeout: bool) -> Option<Event> {
        event(seat, self.running.table().height(), a_move, timeout)
    }

    /// The proofs of this seat's cards, while the house has them.
    pub(super) fn openings_now(&self, seat: Seat) -> Vec<Opening> {
        self.house.own(seat).iter().filter_map(|(slot, _)| self.house.opening(slot)).collect()
    }

    pub(super) fn draft(raw: Option<&RawValue>) -> Draft<G::Extra> {
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_else(|| Draft {
            marked: Vec::new(),
            amount: None,
            changing: None,
            extra: G::Extra::default(),
        })
    }

    fn button(&self, seat: Seat, lang: Lang, key: char, mut draft: Draft<G::Extra>) -> Result<Pressed, Refusal> {
        let changing = self.changing(Eye::Seat(seat), &draft);
        if key == CHANGE && changing != Changing::Nothing {
            return self.change(seat, lang, draft);
        }
        let changing = changing == Changing::Begun;
        let pressed = self.scene_for(Eye::Seat(seat), lang, changing, |scene| {
            G::marked(scene, &mut draft);
            let desk = G::desk(scene, &draft);
            let button = desk.buttons.into_iter().find(|button| button.key == key).ok_or(Refusal::NotAsked)?;
            match button.press {
                Err(why) => Err(Refusal::Illegal(crate::lang::Said::each(|_| why.clone()))),
                Ok(Press::Move(a_move)) => Ok(Some(a_move)),
                Ok(Press::Amount(amount)) => {
                    draft.amount = Some(amount);
                    Ok(None)
                }
                Ok(Press::Command) => Ok(None),
            }
        })?;
        if let Some(a_move) = pressed {
            let kept = Draft { marked: Vec::new(), amount: None, changing: None, extra: G::kept(draft.extra) };
            let event = self.event(seat, &a_move, false).ok_or(Refusal::NotAsked)?;
            return Ok(Pressed::Event(event, text(&kept)));
        }
        let said = self.scene_for(Eye::Seat(seat), lang, changing, |scene| G::command(scene, &mut draft, key));
        Ok(Pressed::Draft(text(&draft), said))
    }
}

impl<G: Page> Play for Playing<G> {
    fn stage(&self) -> Stage {
        self.stage
    }
    fn awaited(&self) -> Awaited {
        Self::awaited(self)
    }
    fn done(&self) -> usize {
        self.past.len()
    }
    fn lingers(&self) -> bool {
        Self::lingers(self)
    }
    fn streets(&self) -> u32 {
        self.streets
    }
    fn seconds(&self) -> Option<u64> {
        Self::seconds(self)
    }
    fn height(&self) -> Height {
        self.running.table().height()
    }
    fn deal(&self) -> u32 {
        self.running.deals()
    }
    fn deals_over(&self) -> u32 {
        self.ended.as_ref().map_or(0, |ended| ended.deal)
    }
    fn standing_now(&self) -> Standing {
        self.running.standing()
    }
    fn last_outcome(&self) -> Option<&Outcome> {
        self.ended.as_ref().map(|ended| &ended.outcome)
    }
    fn house(&self) -> &House {
        &self.house
    }
    fn own_openings(&self, seat: Seat) -> Vec<Opening> {
        let ended = self.ended.as_ref().and_then(|ended| ended.openings.get(usize::from(seat.index())));
        let mut openings = ended.cloned().unwrap_or_default();
        // A shoe lasts for several deals, so some cards may be in both.
        let now = self.openings_now(seat).into_iter();
        let new: Vec<Opening> = now.filter(|one| openings.iter().all(|other| other.slot != one.slot)).collect();
        openings.extend(new);
        openings
    }

    fn view(&self, eye: Eye) -> String {
        let view = self.running.table().rules().view(self.known_to(eye), eye);
        serde_json::to_string(&view).unwrap_or_default()
    }

    fn show(&self, eye: Eye, lang: Lang, draft: Option<&RawValue>) -> Shown {
        let mut draft = Self::draft(draft);
        let changing = self.changing(eye, &draft);
        let ending = matches!(self.stage, Stage::Between | Stage::Over).then(|| {
            self.last_scene(eye, lang, |scene, ended| Ending {
                deal: ended.deal,
                summary: G::summary(scene, &ended.outcome),
                outcome: ended.outcome.clone(),
                standing: ended.after.clone(),
                ties: ended.ties.clone(),
            })
        });
        let ending = ending.flatten();
        let mut render = |scene: &Scene<'_, G>| {
            G::marked(scene, &mut draft);
            let held = G::desk(scene, &draft).hand;
            draft.marked.retain(|slot| held.iter().any(|tile| tile.slot == *slot));
            let desk = G::desk(scene, &draft);
            let seats = (0..scene.table.rules().players()).filter_map(Seat::new);
            Shown {
                title: G::title(scene),
                panels: seats.map(|seat| G::panel(scene, seat)).collect(),
                middle: G::middle(scene, &draft),
                own: if scene.me().is_some() { G::own(scene) } else { Markup::default() },
                hand: if scene.me().is_some() { desk.hand } else { Vec::new() },
                marking: if scene.moves.is_some() { desk.marking } else { Marking::None },
                marked: draft.marked.clone(),
                bench: desk.bench,
                says: desk.says,
                buttons: desk
                    .buttons
                    .into_iter()
                    .map(|button| Key {
                        key: button.key,
                        label: button.label,
                        moves: !matches!(button.press, Ok(Press::Command | Press::Amount(_))),
                        refused: button.press.err(),
                        grave: button.grave,
                        sure: button.sure,
                        // A seat that is changing its choice can always move.
                        forced: button.forced && changing == Changing::Nothing,
                    })
                    .collect(),
                amount: desk.amount.map(|amount| (amount, amount.now(draft.amount))),
                draft: text(&draft),
                asked: scene.moves.is_some() && changing == Changing::Nothing,
                changing,
                ending: None,
                counts: G::counts(lang),
            }
        };
        // While people look at how a deal ended, its cards stay on the table.
        let last = match self.stage {
            Stage::Deal => None,
            Stage::Between | Stage::Over => self.last_scene(eye, lang, |scene, _| render(scene)),
        };
        let shown = last.unwrap_or_else(|| self.scene_for(eye, lang, changing == Changing::Begun, render));
        Shown { ending, ..shown }
    }

    fn press(&self, seat: Seat, lang: Lang, key: char, draft: Option<&RawValue>) -> Result<Pressed, Refusal> {
        self.button(seat, lang, key, Self::draft(draft))
    }

    fn place(&self, seat: Seat, lang: Lang, place: u16, draft: Option<&RawValue>) -> Result<Pressed, Refusal> {
        let mut draft = Self::draft(draft);
        let changing = self.changing(Eye::Seat(seat), &draft) == Changing::Begun;
        let (said, key) = self.scene_for(Eye::Seat(seat), lang, changing, |scene| {
            let said = G::place(scene, &mut draft, place);
            (said, G::button_at(scene, &draft, place))
        });
        match key {
            Some(key) => self.button(seat, lang, key, draft),
            None => Ok(Pressed::Draft(text(&draft), said)),
        }
    }

    fn hint(&self, seat: Seat, lang: Lang) -> Option<Thinking> {
        self.thinking(seat, lang)
    }

    fn proofs(&self) -> &[Evidence] {
        &self.proofs
    }

    fn told(&self) -> Vec<(u64, &Told)> {
        self.chronicle.as_ref().map(|chronicle| chronicle.lines().collect()).unwrap_or_default()
    }

    fn hello(&self, seat: Seat, seed: u32) -> String {
        let (players, settings) = (self.running.table().rules().players(), &self.settings);
        let seconds = Self::seconds(self).map_or(0.0, |seconds| seconds as f64);
        protocol::hello::<G>(&protocol::Sitting { seat, players, names: &self.names, settings, seed }, seconds)
    }

    fn past(&self, skip: usize) -> Vec<String> {
        self.past.iter().skip(skip).map(protocol::past).collect()
    }

    fn last_past(&self, skip: usize) -> Vec<String> {
        self.ended.iter().flat_map(|ended| ended.past.iter().skip(skip).map(protocol::past)).collect()
    }

    fn takes_part(&self, seat: Seat) -> bool {
        // The next deal is on the table as soon as one is over, and a player who is not in it cannot leave it.
        let mut table = self.running.table().clone();
        table.gone(table.height(), seat).is_ok()
    }

    fn asks(&self, seat: Seat) -> bool {
        matches!(Self::awaited(self), Awaited::Turn(_) | Awaited::Choices(_))
            && Self::awaited(self).seats().contains(seat)
    }

    fn moves(&self, seat: Seat) -> Option<String> {
        let moves = self.asks(seat).then(|| self.running.table().rules().moves(self.known(seat), seat))?;
        serde_json::to_string(&moves).ok()
    }

    fn ask(&self, id: u64, seat: Seat) -> String {
        protocol::ask(id, self.running.table(), seat, self.known(seat), self.course())
    }

    fn answer(&self, seat: Seat, answer: protocol::Answer) -> Result<Event, Refusal> {
        let a_move = answer.decision::<G::Rules>().map_err(Refusal::NotAMove)?;
        self.event(seat, &a_move, false).ok_or(Refusal::NotAsked)
    }

    fn action(&self, text: &RawValue) -> Result<Box<RawValue>, Refusal> {
        anew::<<G::Rules as Rules>::Action>(text)
    }
    fn choice(&self, text: &RawValue) -> Result<Box<RawValue>, Refusal> {
        anew::<<G::Rules as Rules>::Choice>(text)
    }

    fn end(&self, seat: Seat) -> Option<String> {
        let ended = self.ended.as_deref()?;
        let own = ended.own.get(usize::from(seat.index()))?;
        Some(protocol::end(ended.deal, &ended.table, seat, Known::with(ended.table.open(), own)))
    }

    fn ponder(&self, seat: Seat, kind: Kind) -> Pondering {
        let (think, otherwise) = (Self::ponder(self, seat, kind), self.default_event(seat));
        Box::new(move || think().or(otherwise))
    }
    fn default_event(&self, seat: Seat) -> Option<Event> {
        self.default_move(seat).and_then(|a_move| self.event(seat, &a_move, true))
    }

    fn act(&mut self, seat: Seat, height: Height, action: &RawValue, made: Made, at: Millis) -> Result<(), Refusal> {
        Self::act(self, seat, height, action, made, at)
    }
    fn choose(&mut self, seat: Seat, height: Height, choice: &RawValue, made: Made, at: Millis) -> Result<(), Refusal> {
        Self::choose(self, seat, height, choice, made, at)
    }
    fn commit(&mut self, seat: Seat, deck: u32, commitment: [u8; 32], at: Millis) -> Result<(), Refusal> {
        Self::commit(self, seat, deck, commitment, at)
    }
    fn reveal(&mut self, seat: Seat, deck: u32, seed: &Seed, at: Millis) -> Result<(), Refusal> {
        Self::reveal(self, seat, deck, seed, at)
    }
    fn seeds_due(&mut self, at: Millis) -> Result<(), Refusal> {
        Self::seeds_due(self, at)
    }
    fn deal_on(&mut self, at: Millis) -> Result<(), Refusal> {
        Self::deal_on(self, at)
    }
    fn hinted(&mut self, seat: Seat, height: Height) -> Result<(), Refusal> {
        Self::hinted(self, seat, height)
    }
    fn wake(&mut self, seat: Seat) -> Result<(), Refusal> {
        Self::wake(self, seat)
    }
    fn take_over(&mut self, seat: Seat, at: Millis) {
        Self::take_over(self, seat, at);
    }
    fn leave(&mut self, seat: Seat, at: Millis) {
        Self::leave(self, seat, at);
    }
    fn next_deal(&mut self, at: Millis) {
        Self::next_deal(self, at);
    }
    fn close(&mut self, at: Millis) {
        Self::close(self, at);
    }
    fn take_record(&mut self) -> String {
        self.record.as_mut().map(|record| record.writer.take()).unwrap_or_default()
    }
}

/// A move as it happens at a height.
pub(super) fn event<A: Serialize, C: Serialize>(
    seat: Seat,
    height: Height,
    a_move: &Move<A, C>,
    timeout: bool,
) -> Option<Event> {
    Some(match a_move {
        Move::Act(action) => Event::Acted { seat, height, action: to_raw_value(action).ok()?, timeout },
        Move::Choose(choice) => Event::Chose { seat, height, choice: to_raw_value(choice).ok()?, timeout },
    })
}

pub(super) fn text<E: Serialize>(draft: &Draft<E>) -> String {
    serde_json::to_string(draft).unwrap_or_else(|_| "{}".to_owned())
}
