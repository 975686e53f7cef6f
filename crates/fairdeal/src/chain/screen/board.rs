//! A table of a chain apart from the terminal: what happens there is shown step by step.
//!
//! - Every hand is its log. What is new in it waits in a queue, so that a person can follow; what happened before they
//!   came, and a queue that has become long, is passed over quickly.
//! - Whose turn it is and how long they have is shown at once.
//! - A question is put again whenever something happens; what is half made stays for as long as it is the same.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ::chain::Coins;
use ::chain::tables::{Begun, Hand, SEATS, Step as Logged};
use cards::Card;
use games::holdem::{Deal, Holdem, Settings};
use ratatui::text::Line;
use remote::buying::{self, NotBought};
use table::{Chips, Eye, Faces, Known, PerSeat, Seat, Slot, Standing, Table};

use super::words;
use crate::chain::desk::{Ended, Now, Parting, Told, Want, is_complete, own_faces};
use crate::chain::seat::{all_seats, seat_name};
use crate::play::asking::{Hands, Question};
use crate::play::look::Look;
use crate::play::screen::{Screen as _, does};
use crate::play::seating::BySeat;
use crate::play::story::{Round, Story};
use crate::play::windows::Window;
use crate::text::{grouped, signed};

/// With more steps than this in the queue, somebody has been away: they see the last.
const MANY: usize = 10;
/// How long the end of a hand is shown if nobody presses a key.
const TO_READ: Duration = Duration::from_secs(8);
/// The same if it is already their turn in the next one.
const TO_GLANCE: Duration = Duration::from_secs(5);
/// How long somebody who has lost their seat still sees the table.
const LAST_LOOK: Duration = Duration::from_secs(2);

/// What a person wants to happen.
pub(super) enum Wish {
    /// Something at the table.
    Want(Want),
    /// To go.
    Go,
}

/// A step of a hand, waiting to be shown.
enum Step {
    Begin(Begun),
    Logged(Logged),
    Over(Box<Ended>),
}

/// The hand on the screen.
pub(super) struct Playing {
    pub(super) begun: Begun,
    pub(super) table: Table<Deal>,
    pub(super) own: Faces,
}

/// The end of a hand that is being read.
pub(super) struct Finished {
    pub(super) window: Window,
    pub(super) since: Instant,
    /// The person was in that hand.
    pub(super) own: bool,
}

/// What an open window asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asking {
    Leave,
    Rebuy(Coins),
}

/// The screen of a table.
pub(super) struct Board {
    pub(super) look: Look,
    pub(super) pace: Duration,
    pub(super) number: u64,
    pub(super) way_back: String,
    pub(super) story: Story<Holdem>,
    /// How things are, and when that was told.
    pub(super) now: Option<(Instant, Box<Now>)>,
    queue: VecDeque<Step>,
    /// How much of which hand has been put into the queue.
    heard: Option<(u32, usize)>,
    /// What happened before they came is passed over.
    joined: bool,
    pub(super) playing: Option<Playing>,
    changed: Instant,
    pub(super) hands: Hands<Holdem>,
    /// The turn that they have answered.
    pub(super) sent: Option<(u32, u64)>,
    pub(super) finished: Option<Finished>,
    pub(super) window: Option<(Window, Asking)>,
    /// Since when the connection is lost, and why.
    pub(super) lost: Option<(Instant, String)>,
    parted: Option<(Instant, Parting)>,
    pub(super) small: bool,
    pub(super) stale: bool,
}

impl Board {
    /// An empty one; `way_back` is the command that continues.
    pub(super) fn new(look: Look, pace: Duration, number: u64, way_back: &str, at: Instant) -> Self {
        let settings = Settings { ring: true, ..Settings::default() };
        let names = BySeat::new(all_seats().map(seat_name).collect());
        let standing = Standing::ranked(PerSeat::new(SEATS), false, |_, _| false);
        let round = Round { settings, names, look, standing, deal: 0 };
        Self {
            look,
            pace,
            number,
            way_back: way_back.to_owned(),
            story: Story::new(round, way_back.to_owned()),
            now: None,
            queue: VecDeque::new(),
            heard: None,
            joined: false,
            playing: None,
            changed: at,
            hands: Hands::default(),
            sent: None,
            finished: None,
            window: None,
            lost: None,
            parted: None,
            small: false,
            stale: true,
        }
    }

    /// This person's seat.
    pub(super) fn me(&self) -> Option<Seat> {
        self.now.as_ref().and_then(|(_, now)| now.me)
    }

    /// Whether something has changed since it was drawn.
    pub(super) const fn is_stale(&self) -> bool {
        self.stale
    }

    /// Whether there is nothing more to see.
    pub(super) fn is_over(&self, at: Instant) -> bool {
        self.parted.is_some_and(|(since, _)| at >= since + LAST_LOOK)
    }

    /// What to tell the person when the screen is gone.
    pub(super) fn farewell(&self) -> Vec<String> {
        if let Some((_, parting)) = self.parted {
            return vec![words::parting_in_words(parting)];
        }
        let seat = self.me().is_some();
        let kept = "Your seat is kept, but the table does not wait for you.".to_owned();
        let back = format!("Continue with: {}", self.way_back);
        if seat { vec![kept, back] } else { Vec::new() }
    }

    /// Something happened.
    pub(super) fn hear(&mut self, told: Told, at: Instant) {
        self.stale = true;
        match told {
            Told::Now(now) => self.learn(now, at),
            Told::Over(ended) => {
                if let Some(hand) = &ended.hand {
                    self.enqueue(hand);
                }
                self.heard = None;
                self.queue.push_back(Step::Over(ended));
            }
            Told::Gone(parting) => self.parted = Some((at, parting)),
            Told::Note(text) => {
                self.story.say(&text);
                self.hands.notify(text);
            }
            Told::Lost(why) => {
                let since = self.lost.take().map_or(at, |(since, _)| since);
                self.lost = Some((since, why));
            }
            // Nothing follows: the loop ends with it.
            Told::Failed(_) => {}
        }
    }

    fn learn(&mut self, now: Box<Now>, at: Instant) {
        if self.lost.take().is_some() {
            self.story.say("The connection works again.");
        }
        let shown = self.playing.as_ref();
        let is_in = |seat: Seat| shown.is_some_and(|playing| playing.begun.player(seat).is_some());
        let name = |seat: Seat| match now.ring.player(seat) {
            _ if now.me == Some(seat) => "You".to_owned(),
            Some(_) => seat_name(seat),
            None if is_in(seat) => seat_name(seat),
            None => String::new(),
        };
        self.story.around.names = BySeat::new(all_seats().map(name).collect());
        if let Some(hand) = &now.hand {
            self.enqueue(hand);
        }
        self.tell_of_bond(&now);
        self.now = Some((at, now));
        if !std::mem::replace(&mut self.joined, true) {
            // What happened before they came is not shown step by step.
            while let Some(step) = self.queue.pop_front() {
                self.take(step, at);
            }
        }
        self.put();
    }

    /// Tells what a time-out has cost.
    fn tell_of_bond(&mut self, new: &Now) {
        let bond = |now: &Now| now.me.and_then(|me| now.ring.player(me)).map(|player| player.bond);
        let before = self.now.as_ref().and_then(|(_, now)| bond(now));
        if let (Some(before), Some(left)) = (before, bond(new))
            && let Some(lost) = before.minus(left).filter(|lost| *lost > Coins::ZERO)
        {
            let (lost, left) = (grouped(lost.0), grouped(left.0));
            self.hands.notify(format!("Your time was up. That cost {lost} of your bond; {left} are left."));
        }
    }

    /// What is new in a hand waits to be shown.
    fn enqueue(&mut self, hand: &Hand) {
        let shown = match self.heard {
            Some((number, shown)) if number == hand.number() => shown,
            _ => {
                self.queue.push_back(Step::Begin(hand.begun().clone()));
                0
            }
        };
        self.queue.extend(hand.log().iter().skip(shown).cloned().map(Step::Logged));
        self.heard = Some((hand.number(), hand.log().len()));
    }

    /// Shows what is due at this moment.
    pub(super) fn advance(&mut self, at: Instant) {
        while !self.queue.is_empty() && !self.is_held(at) {
            let Some(step) = self.queue.pop_front() else { break };
            self.take(step, at);
            self.put();
        }
    }

    /// Whether the next step has to wait, so that the last one can be seen.
    fn is_held(&self, at: Instant) -> bool {
        let asked = self.now.as_ref().is_some_and(|(_, now)| now.asked);
        let many = self.queue.len() > MANY;
        if let (Some(finished), Some(Step::Begin(_))) = (&self.finished, self.queue.front())
            && (finished.own || !many)
        {
            // Somebody reads how the last hand ended: the next one waits for a while. Others may play so fast that
            // much is waiting by then, but how their own hand ended nobody should miss.
            return at < finished.since + if asked { TO_GLANCE } else { TO_READ };
        }
        if many {
            return false;
        }
        let pace = if asked { self.pace / 3 } else { self.pace };
        at < self.changed + pace
    }

    /// Nothing is waited for any more: the person has seen enough.
    pub(super) fn hurry(&mut self, at: Instant) -> bool {
        self.changed = at.checked_sub(self.pace).unwrap_or(self.changed);
        !self.queue.is_empty()
    }

    fn take(&mut self, step: Step, at: Instant) {
        (self.stale, self.changed) = (true, at);
        match step {
            Step::Begin(begun) => {
                let Some(table) = begun.table() else { return };
                self.finished = None;
                let total = PerSeat::from_fn(SEATS, |seat| {
                    let player = begun.player(seat);
                    player.and_then(|player| player.stack.chips()).unwrap_or(Chips::ZERO)
                });
                let standing = Standing::ranked(total, false, |a, b| total[a] > total[b]);
                self.story.begin(&table, begun.deck, standing);
                self.playing = Some(Playing { begun, table, own: Faces::new() });
            }
            Step::Logged(logged) => self.log(&logged),
            Step::Over(ended) => self.over(&ended, at),
        }
    }

    fn log(&mut self, logged: &Logged) {
        let Some(Playing { begun, table, .. }) = &mut self.playing else { return };
        let height = table.height();
        match logged {
            Logged::Dealt(cards) => {
                let face = |(index, code): &(u16, u8)| Some((Slot::new(begun.deck, *index), Card::from_code(*code)?));
                let faces: Faces = cards.iter().filter_map(face).collect();
                // What the chain has accepted, the same rules accept here.
                let _ = table.dealt(height, &faces);
            }
            Logged::Act { seat, action, timed_out } => {
                let Some(seat) = Seat::new(*seat) else { return };
                let action = (*action).into();
                self.story.acts(table, seat, &action);
                if *timed_out {
                    self.story.late.insert(seat);
                }
                let _ = table.act(height, seat, &action, &Faces::new());
            }
        }
        self.story.catch_up(table);
    }

    fn over(&mut self, ended: &Ended, at: Instant) {
        self.hands.void();
        let number = ended.number;
        let Some(playing) = self.playing.as_ref().filter(|playing| playing.begun.deck == number) else { return };
        let mut lines = Vec::new();
        let complete = ended.hand.as_ref().is_some_and(is_complete);
        match playing.table.outcome() {
            Some(outcome) if complete => {
                let known = Known::public(playing.table.open());
                lines = self
                    .story
                    .around
                    .scene(&playing.table, Eye::Public, known, |scene| Holdem::summary(scene, outcome));
            }
            _ if ended.hand.is_some() => {
                let text = "The cards could not be dealt. Everybody got back what they had put in.";
                lines.push(Line::styled(text, self.look.bad()));
            }
            _ => {}
        }
        lines.push(Line::raw(""));
        let mut gains = Vec::new();
        for (seat, stack) in &ended.stacks {
            let before = playing.begun.player(*seat).map_or(*stack, |player| player.stack);
            let won = i64::try_from(stack.0).unwrap_or_default() - i64::try_from(before.0).unwrap_or_default();
            let style = match won {
                1.. => self.look.good(),
                0 => self.look.dim(),
                _ => self.look.bad(),
            };
            let name = &self.story.around.names[*seat];
            if won > 0 {
                gains.push(format!("{} {}", does(name, "gains", "gain"), grouped(won.unsigned_abs())));
            }
            lines.push(Line::from(vec![
                ratatui::text::Span::raw(format!("  {:<10}{:>10}", self.look.plain(name), grouped(stack.0))),
                ratatui::text::Span::styled(format!("{:>10}", signed(won)), style),
            ]));
        }
        gains.iter().for_each(|line| self.story.say(line));
        let title = format!("Hand {number} is over");
        let keys = "Enter continues, q leaves";
        let own = self.me().is_some_and(|me| playing.begun.player(me).is_some());
        self.finished = Some(Finished { window: Window::new(title, lines, keys), since: at, own });
    }

    /// Puts the question again, or takes it back.
    pub(super) fn put(&mut self) {
        if let (Some((_, now)), Some(playing)) = (&self.now, &mut self.playing) {
            let hand = now.hand.as_ref().filter(|hand| hand.number() == playing.begun.deck);
            if let (Some(hand), Some(me), Some(own)) = (hand, now.me, now.own) {
                playing.own = own_faces(hand, me, own);
            }
        }
        let sent = self.sent;
        match question(self.playing.as_ref(), self.now.as_ref().map(|(_, now)| &**now), sent, self.pace) {
            Some(question) => self.hands.put(&question, &self.story),
            None => self.hands.void(),
        }
    }

    /// Milliseconds until the time of whoever is to act is up, by the last block and the time since.
    pub(super) fn left(&self, at: Instant) -> Option<u64> {
        let (told, now) = self.now.as_ref()?;
        let passed = u64::try_from(at.saturating_duration_since(*told).as_millis()).unwrap_or(u64::MAX);
        now.left.map(|left| left.saturating_sub(passed))
    }

    /// How many chips this person can still buy.
    pub(super) fn to_buy(&self) -> Result<Coins, String> {
        let (_, now) = self.now.as_ref().ok_or("The table is not known yet.")?;
        let seat = now.me.ok_or("You have no seat here.")?;
        buying::rebuy(&now.ring, now.hand.as_ref(), seat, now.coins).map_err(|why| match why {
            NotBought::Full => "You have as many chips as this table allows.".to_owned(),
            NotBought::NoSeat => "You have no seat here.".to_owned(),
            NotBought::Poor { .. } | NotBought::Amount { .. } => {
                format!("You have {} coins, which is not enough for chips here.", grouped(now.coins.0))
            }
        })
    }
}

/// The turn on the table: the hand, and how far it is.
pub(super) fn turn(now: &Now) -> Option<(u32, u64)> {
    now.hand.as_ref().map(|hand| (hand.number(), hand.table().height().0))
}

/// The question that a person thinks about, if they are asked, see the whole hand, and have not answered.
pub(super) fn question<'a>(
    playing: Option<&'a Playing>,
    now: Option<&Now>,
    sent: Option<(u32, u64)>,
    pace: Duration,
) -> Option<Question<'a, Holdem>> {
    let (playing, now) = (playing?, now?);
    let seat = now.me.filter(|_| now.asked)?;
    let turn = turn(now)?;
    let same = (playing.begun.deck, playing.table.height().0) == turn;
    if !same || sent == Some(turn) {
        return None;
    }
    // Hints need random numbers that are the same when they are asked for twice, and nothing else.
    let mut seed = [0; 32];
    seed.iter_mut().zip(turn.1.to_le_bytes()).for_each(|(to, from)| *to = from);
    let known = Known::with(playing.table.open(), &playing.own);
    Some(Question { table: &playing.table, seat, known, until: None, pace, seed })
}
