//! A table of a chain as it is known here: who sits there, the hand that is played, how the last one ended, and what
//! happened; and what somebody who looks at it sees.
//!
//! Others do not wait while somebody reads how a hand ended. They see the next one once they press the button for it, or
//! after a while.

use core::time::Duration;

use cards::Card;
use chain::Coins;
use chain::tables::{Begun, Hand, SEATS, Step};
use games::AnyGame;
use games::holdem::{Deal, Holdem, Settings};
use light::follow::{Ended, Note, Now, Told, is_complete, own_faces};
use page::{Awaited, Board, Chair, Frame, Lang, Made, Said, Stage, State, Story, Who};
use serde_json::{Value, json};
use table::{Awaiting, Chips, Eye, Faces, Height, Known, Outcome, PerSeat, Seat, Seats, Slot, Standing, Table};

use crate::words;

/// How long the end of a hand is shown at most, to those who were in it and to others; and at least, to those who were in
/// it and are asked in the next.
const TO_READ: Duration = Duration::from_secs(12);
const TO_SEE: Duration = Duration::from_secs(3);
const TO_GLANCE: Duration = Duration::from_secs(4);
/// How many pictures of players there are.
const AVATARS: u8 = 12;

/// A table as it is known here.
pub(super) struct Followed {
    story: Story<Holdem>,
    settings: Settings,
    /// How things are, and since when.
    now: Option<(Duration, Box<Now>)>,
    /// The hand that is told: how it began, the table so far, and how much of its log that is.
    playing: Option<Playing>,
    ended: Option<EndedHand>,
    /// The turn that was answered.
    sent: Option<(u32, Height)>,
    /// The seat is one whose cards cannot be read here.
    elsewhere: bool,
}

/// What somebody sees at a moment.
pub(super) struct Sight {
    lang: Lang,
    /// They look at how the last hand ended.
    looks: bool,
    /// Their own cards in the hand that is played.
    own: Faces,
    names: Vec<String>,
}

struct Playing {
    begun: Begun,
    table: Table<Deal>,
    told: usize,
    standing: Standing,
}

/// How a hand ended, while somebody looks at it.
struct EndedHand {
    number: u32,
    table: Table<Deal>,
    own: Faces,
    outcome: Outcome,
    standing: Standing,
    since: Duration,
    /// Who was in it.
    seats: Seats,
    /// The person was in it.
    mine: bool,
    /// They have seen enough.
    seen: bool,
}

impl Followed {
    pub(super) fn new(lang: Lang) -> Self {
        let settings = Settings { ring: true, ..Settings::default() };
        let names = (0..SEATS).filter_map(Seat::new).map(|seat| words::seat(seat, lang)).collect();
        Self {
            story: Story::new(settings.clone(), names),
            settings,
            now: None,
            playing: None,
            ended: None,
            sent: None,
            elsewhere: false,
        }
    }

    pub(super) const fn set_elsewhere(&mut self, elsewhere: bool) {
        self.elsewhere = elsewhere;
    }

    /// How things are.
    pub(super) fn now(&self) -> Option<&Now> {
        self.now.as_ref().map(|(_, now)| &**now)
    }

    /// What happened.
    pub(super) const fn story(&self) -> &Story<Holdem> {
        &self.story
    }

    /// The hand that ended last.
    pub(super) fn last(&self) -> Option<u32> {
        self.ended.as_ref().map(|ended| ended.number)
    }

    /// The person has answered the turn on the table.
    pub(super) fn answered(&mut self) {
        self.sent = self.turn();
    }

    /// The person has seen how this hand ended.
    pub(super) fn seen(&mut self, deal: u32) {
        if let Some(ended) = self.ended.as_mut().filter(|ended| ended.number <= deal) {
            ended.seen = true;
        }
    }

    /// What is seen now.
    pub(super) fn sight(&self, lang: Lang, at: Duration) -> Sight {
        let number = self.now().and_then(|now| now.hand.as_ref()).map(Hand::number);
        let own = number.map(|number| self.own_of(number)).unwrap_or_default();
        Sight { lang, looks: self.looks(at), own, names: self.names(lang) }
    }

    /// What the table waits for, or what somebody should know about their seat.
    pub(super) fn status(&self, lang: Lang) -> String {
        match self.now() {
            _ if self.elsewhere => words::elsewhere(lang).to_owned(),
            Some(now) if now.asked && self.sent == self.turn() => words::on_its_way(lang).to_owned(),
            Some(now) => words::status(now, lang),
            None => String::new(),
        }
    }

    /// Something was told; what the person should be told at once.
    pub(super) fn learn(&mut self, told: Told, lang: Lang, at: Duration) -> Option<String> {
        match told {
            Told::Now(now) => {
                let lost = self.bond_lost(&now, lang);
                if let Some(hand) = &now.hand {
                    self.tell(hand);
                }
                self.now = Some((at, now));
                lost
            }
            Told::Over(ended) => {
                self.over(&ended, at);
                None
            }
            Told::Gone(parting) => {
                let text = words::parting(parting, lang);
                self.story.say(None, Said::each(|lang| words::parting(parting, lang)));
                Some(text)
            }
            // What is wrong with the node stands above the table for as long as it is.
            Told::Note(Note::Trouble(_)) | Told::Lost(_) => None,
            Told::Note(note) => Some(words::note(&note, lang)),
        }
    }

    /// What a time-out has cost.
    fn bond_lost(&self, new: &Now, lang: Lang) -> Option<String> {
        let bond = |now: &Now| now.me.and_then(|me| now.ring.player(me)).map(|player| player.bond);
        let (before, left) = (self.now.as_ref().and_then(|(_, now)| bond(now))?, bond(new)?);
        let lost = before.minus(left).filter(|lost| *lost > Coins::ZERO)?;
        Some(words::time_was_up(lost, left, lang))
    }

    /// What is new in a hand.
    fn tell(&mut self, hand: &Hand) {
        if self.playing.as_ref().is_none_or(|playing| playing.begun.deck != hand.number()) {
            let Some(table) = hand.begun().table() else { return };
            let standing = standing(|seat| hand.begun().player(seat).map(|player| player.stack));
            self.story.begin(hand.number(), &table, standing.clone());
            self.playing = Some(Playing { begun: hand.begun().clone(), table, told: 0, standing });
        }
        let Some(Playing { begun, table, told, .. }) = &mut self.playing else { return };
        for step in hand.log().iter().skip(*told) {
            let height = table.height();
            // What the chain has accepted, the same rules accept here.
            match step {
                Step::Dealt(cards) => {
                    let face =
                        |(index, code): &(u16, u8)| Some((Slot::new(begun.deck, *index), Card::from_code(*code)?));
                    let faces: Faces = cards.iter().filter_map(face).collect();
                    let _ = table.dealt(height, &faces);
                }
                Step::Act { seat, action, timed_out } => {
                    let Some(seat) = Seat::new(*seat) else { continue };
                    let action = (*action).into();
                    let made = if *timed_out { Made::TimeUp } else { Made::Freely };
                    self.story.act(table, seat, action, made);
                    let _ = table.act(height, seat, &action, &Faces::new());
                }
            }
            self.story.catch_up(table);
        }
        *told = hand.log().len();
    }

    fn over(&mut self, ended: &Ended, at: Duration) {
        if let Some(hand) = &ended.hand {
            self.tell(hand);
        }
        let Some(playing) = self.playing.take_if(|playing| playing.begun.deck == ended.number) else { return };
        let complete = ended.hand.as_ref().is_some_and(is_complete);
        let Some(outcome) = playing.table.outcome().filter(|_| complete).cloned() else {
            if ended.hand.is_some() {
                self.story.say(None, Said::each(|lang| words::not_dealt(lang).to_owned()));
            }
            return;
        };
        let after = |seat: Seat| ended.stacks.iter().find(|(one, _)| *one == seat).map(|(_, stack)| *stack);
        let standing = standing(after);
        self.story.end(&playing.table, &outcome, standing.clone());
        let me = self.now.as_ref().and_then(|(_, now)| now.me).filter(|me| playing.begun.player(*me).is_some());
        self.ended = Some(EndedHand {
            number: ended.number,
            own: self.own_of(ended.number),
            table: playing.table,
            outcome,
            standing,
            since: at,
            seats: (0..SEATS).filter_map(Seat::new).filter(|seat| playing.begun.player(*seat).is_some()).collect(),
            mine: me.is_some(),
            seen: false,
        });
    }

    /// The person's own cards in this hand, as far as they are known.
    fn own_of(&self, number: u32) -> Faces {
        let own = self.now.as_ref().and_then(|(_, now)| {
            let hand = now.hand.as_ref().filter(|hand| hand.number() == number)?;
            Some(own_faces(hand, now.me?, now.own?))
        });
        own.unwrap_or_default()
    }

    /// Whether the end of the last hand is still looked at.
    fn looks(&self, at: Duration) -> bool {
        let Some(ended) = &self.ended else { return false };
        let Some((_, now)) = &self.now else { return false };
        // Until the next hand there is nothing else to see.
        if now.hand.is_none() {
            return true;
        }
        let for_long = at.saturating_sub(ended.since);
        let enough = match (ended.mine, now.asked) {
            (true, false) => TO_READ,
            (true, true) => TO_GLANCE,
            (false, true) => Duration::ZERO,
            (false, false) => TO_SEE,
        };
        !ended.seen && for_long < enough
    }

    /// How much time whoever is to act has.
    pub(super) fn clock(&self, at: Duration) -> Option<Value> {
        let (since, now) = self.now.as_ref()?;
        let turn = now.hand.as_ref()?.turn()?;
        let passed = u64::try_from(at.saturating_sub(*since).as_millis()).unwrap_or(u64::MAX);
        let left = now.left?.saturating_sub(passed);
        let whole = u64::from(now.ring.terms.action_timeout_secs).saturating_mul(1_000).max(left);
        Some(json!({ "left": left, "whole": whole, "mine": now.me == Some(turn) }))
    }

    /// The turn on the table.
    fn turn(&self) -> Option<(u32, Height)> {
        let hand = self.now.as_ref()?.1.hand.as_ref()?;
        Some((hand.number(), hand.table().height()))
    }

    /// The hand that the person looks at.
    pub(super) fn board<'a>(&'a self, sight: &'a Sight) -> Option<Board<'a, Holdem>> {
        let Sight { lang, looks, own, names } = sight;
        let (lang, now, settings) = (*lang, self.now()?, &self.settings);
        if let Some(ended) = self.ended.as_ref().filter(|_| *looks) {
            let me = now.me.filter(|_| ended.mine);
            return Some(Board {
                lang,
                eye: me.map_or(Eye::Public, Eye::Seat),
                table: &ended.table,
                known: Known::with(ended.table.open(), &ended.own),
                settings,
                standing: &ended.standing,
                deal: ended.number,
                names,
                state: State::Over { outcome: &ended.outcome, ties: &[] },
            });
        }
        let (hand, playing) = (now.hand.as_ref()?, self.playing.as_ref()?);
        let me = now.me.filter(|me| hand.seats().contains(*me));
        Some(Board {
            lang,
            eye: me.map_or(Eye::Public, Eye::Seat),
            table: hand.table(),
            known: Known::with(hand.table().open(), own),
            settings,
            standing: &playing.standing,
            deal: hand.number(),
            names,
            state: State::Played(page::Now {
                awaited: self.awaited(now).players(),
                chosen: None,
                changeable: false,
                settled: None,
            }),
        })
    }

    /// Whom the table waits for. The person only if they have everything to decide on, and have not yet.
    fn awaited(&self, now: &Now) -> Awaited {
        let turn = now.hand.as_ref().and_then(Hand::turn);
        let ready = now.asked && self.sent != self.turn();
        turn.filter(|seat| now.me != Some(*seat) || ready).map_or(Awaited::Nothing, Awaited::Turn)
    }

    fn names(&self, lang: Lang) -> Vec<String> {
        let now = self.now();
        let is_in = |seat: Seat| self.playing.as_ref().is_some_and(|playing| playing.begun.player(seat).is_some());
        let ended = |seat: Seat| self.ended.as_ref().is_some_and(|ended| ended.seats.contains(seat));
        let name = |seat: Seat| {
            let taken = now.is_some_and(|now| now.ring.player(seat).is_some());
            if taken || is_in(seat) || ended(seat) { words::seat(seat, lang) } else { String::new() }
        };
        (0..SEATS).filter_map(Seat::new).map(name).collect()
    }

    /// What is around the hand.
    pub(super) fn frame(&self, sight: &Sight) -> Frame {
        let Sight { lang, looks, names, .. } = sight;
        let looks = *looks;
        let now = self.now();
        let chair = |(seat, name): (Seat, &String)| {
            let player = now.and_then(|now| now.ring.player(seat));
            Chair {
                who: if player.is_some() { Who::Person } else { Who::Nobody },
                name: name.clone(),
                avatar: seat.index() % AVATARS + 1,
                absent: player.is_some_and(|player| player.out.is_some()),
                ..Chair::default()
            }
        };
        let chairs = (0..SEATS).filter_map(Seat::new).zip(names).map(chair).collect();
        let hand = now.and_then(|now| now.hand.as_ref());
        let in_it = |me: &Seat| match (&self.ended, hand) {
            (Some(ended), _) if looks => ended.mine,
            (_, Some(hand)) => hand.seats().contains(*me),
            (_, None) => true,
        };
        let me = now.and_then(|now| now.me).filter(in_it);
        Frame {
            me,
            stage: match (looks, hand) {
                (true, _) => Stage::Between,
                (false, Some(_)) => Stage::Deal,
                (false, None) => Stage::Gathering,
            },
            deal: hand.map_or(0, Hand::number),
            ended: self.ended.as_ref().map_or(0, |ended| ended.number),
            height: hand.map(|hand| hand.table().height()).unwrap_or_default(),
            // Whose turn it is in the next hand is not shown in the last one.
            awaited: now.filter(|_| !looks).map_or(Awaited::Nothing, |now| self.awaited(now)),
            looking: me.filter(|_| looks).map_or(Seats::NONE, Seats::one),
            ..Frame::new(*lang, AnyGame::Holdem, chairs)
        }
    }
}

/// Who has how much.
fn standing(stack: impl Fn(Seat) -> Option<Coins>) -> Standing {
    let total = PerSeat::from_fn(SEATS, |seat| stack(seat).and_then(Coins::chips).unwrap_or(Chips::ZERO));
    Standing::ranked(total, false, |a, b| total[a] > total[b])
}

/// Whether the validators are dealing.
pub(crate) fn is_dealt(hand: &Hand) -> bool {
    matches!(hand.table().awaiting(), Awaiting::Dealer)
}
