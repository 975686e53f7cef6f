//! A member for whom a computer decides, from the door to the signed result: `--auto`, and the computers that players
//! run.

use std::io::{self, BufRead as _, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ::peer::{MoveOf, Seen};
use bots::{Computer, Course, Kind, Past};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Awaiting, Known, Rules as _, Seat, Table};

use super::desk::{Desk, Now, Over, Told, Want};
use super::entrance::{Entrance, News};
use super::robots::Orders;
use crate::computers::Memory;
use crate::failure::Failure;
use crate::interrupt;
use crate::keyring::random;

/// How often orders are looked at.
const POLL: Duration = Duration::from_millis(200);
/// How long those who came last have to say that they could run a hub.
const TO_SETTLE: Duration = Duration::from_millis(500);
/// How long players have to sign a result, before the program ends without some signatures.
const TO_SIGN: Duration = Duration::from_secs(600);
/// How long the others have to fetch the complete result from this program's hub.
const TO_FETCH: Duration = Duration::from_secs(60);

/// Who hears about a match that a computer plays, and says what else is wanted.
pub(super) trait Listener {
    /// Something happened, in a line.
    fn line(&mut self, text: &str) -> Result<(), Failure>;

    /// What is wanted.
    fn order(&mut self) -> Option<Order>;
}

/// Something that a computer does not decide.
pub(super) enum Order {
    /// Stop; the match can be continued.
    Stop,
    /// Give up the seat.
    Leave,
    /// Let somebody in.
    Admit(u32),
    /// Turn somebody away.
    Decline(u32),
}

/// Nobody hears about it: a player's computer.
pub(super) struct Silent(pub(super) Orders);

impl Listener for Silent {
    fn line(&mut self, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn order(&mut self) -> Option<Order> {
        if self.0.stop() { Some(Order::Stop) } else { self.0.leave().then_some(Order::Leave) }
    }
}

/// Lines on standard output, orders on standard input.
pub(super) struct Program<'a, W> {
    out: &'a mut W,
    orders: Receiver<String>,
}

impl<'a, W: Write> Program<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        let (tell, orders) = channel();
        // It ends with the program: nobody can wait for a line and for something else.
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Self { out, orders }
    }
}

impl<W: Write> Listener for Program<'_, W> {
    fn line(&mut self, text: &str) -> Result<(), Failure> {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    fn order(&mut self) -> Option<Order> {
        if interrupt::asked() {
            return Some(Order::Stop);
        }
        let line = self.orders.try_recv().ok()?;
        let mut words = line.split_whitespace();
        let order = (words.next()?, words.next().and_then(|number| number.parse().ok()));
        match order {
            ("leave", None) => Some(Order::Leave),
            ("admit", Some(number)) => Some(Order::Admit(number)),
            ("decline", Some(number)) => Some(Order::Decline(number)),
            _ => None,
        }
    }
}

/// A computer that decides for somebody.
#[derive(Clone, Copy)]
pub(super) struct Decides {
    /// How well.
    pub(super) kind: Kind,
    /// How long it thinks about each move, as a person would.
    pub(super) think: Duration,
}

/// Waits for a match, accepts it, plays it to its end, signs the result and waits for the signatures of the others.
pub(super) fn play(mut entrance: Entrance, decides: Decides, listener: &mut impl Listener) -> Result<(), Failure> {
    let (mut leaving, mut full_since) = (false, None);
    let mut knocks = Vec::new();
    loop {
        for news in entrance.poll(POLL)? {
            tell(&news, listener)?;
            if let News::Knock(_) = news {
                for knock in entrance.view().knocks {
                    if knocks.contains(&knock) {
                        continue;
                    }
                    let words = knock.words.map(|words| words.join(" ")).unwrap_or_default();
                    listener.line(format!("knock {} {} {words}", knock.number, knock.name).trim_end())?;
                    knocks.push(knock);
                }
            }
        }
        if let Some(game) = entrance.begun() {
            return games::with_game!(game, G => match_of::<G>(entrance.sit()?, decides, listener));
        }
        match listener.order() {
            Some(Order::Stop) => return Err(Failure::Interrupted),
            Some(Order::Leave) if !leaving => {
                leaving = true;
                entrance.leave();
            }
            Some(Order::Admit(number)) => entrance.admit(number)?,
            Some(Order::Decline(number)) => entrance.turn_away(number),
            Some(Order::Leave) | None => {}
        }
        if leaving && entrance.is_quiet() {
            return Ok(());
        }
        let view = entrance.view();
        let full = view.seats.is_some_and(|seats| view.people.len() >= usize::from(seats));
        full_since = full_since.filter(|_| full).or_else(|| full.then(Instant::now));
        let settled = full_since.is_some_and(|since| since.elapsed() >= TO_SETTLE);
        if settled && view.is_host && view.offered.is_none() && entrance.is_quiet() {
            entrance.start().map_err(Failure::Input)?;
        }
        if view.to_accept {
            entrance.accept();
        }
    }
}

fn tell(news: &News, listener: &mut impl Listener) -> Result<(), Failure> {
    match news {
        News::Joined(name) => listener.line(&format!("joined {name}")),
        News::Left(name) => listener.line(&format!("left {name}")),
        News::Offered => listener.line("offered"),
        News::Accepted(name) => listener.line(&format!("accepted {name}")),
        News::Withdrawn => listener.line("withdrawn"),
        News::Chat { from, text } => listener.line(&format!("chat {from}: {text}")),
        News::Connection(online) => connection(online, listener),
        News::Note(text) => listener.line(&format!("note {text}")),
        News::Begun => listener.line("begun"),
        News::Knock(_) => Ok(()),
    }
}

fn connection(online: &Result<(), String>, listener: &mut impl Listener) -> Result<(), Failure> {
    match online {
        Ok(()) => listener.line("online"),
        Err(why) => listener.line(&format!("offline {why}")),
    }
}

/// A match that a computer plays or watches.
struct Playing<'a, G: Computer, L> {
    decides: Decides,
    listener: &'a mut L,
    memory: Memory<G::Rules>,
    rng: Xoshiro256PlusPlus,
    names: Vec<String>,
    /// The last deal whose cards were there.
    dealt: u32,
    /// The height that was answered last: a move that was refused is not tried twice.
    answered: Option<u64>,
    /// The height that is thought about, and since when.
    thinking: Option<(u64, Instant)>,
    /// When the match was last to be abandoned.
    abandoned: Option<Instant>,
}

fn match_of<G: Computer>(desk: Desk<G>, decides: Decides, listener: &mut impl Listener) -> Result<(), Failure> {
    let mut playing = Playing::<G, _> {
        decides,
        listener,
        memory: Memory::default(),
        rng: Xoshiro256PlusPlus::from_seed(random()?),
        names: Vec::new(),
        dealt: 0,
        answered: None,
        thinking: None,
        abandoned: None,
    };
    let mut latest = None;
    let mut over: Option<(Box<Over>, Instant)> = None;
    let mut left = false;
    loop {
        let mut next = match desk.told.recv_timeout(POLL) {
            Ok(told) => Some(told),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::input("the table's thread has stopped")),
        };
        while let Some(told) = next {
            match told {
                Told::Seen(seen) => playing.seen(*seen)?,
                Told::Now(now) => {
                    playing.names.clone_from(&now.names);
                    playing.cards(&now)?;
                    latest = Some(now);
                }
                Told::Chat { from, text } => playing.listener.line(&format!("chat {from}: {text}"))?,
                Told::Note(text) => playing.listener.line(&format!("note {text}"))?,
                Told::Connection(online) => connection(&online, playing.listener)?,
                Told::Over(ended) => {
                    let since = over.take().map(|(_, since)| since);
                    let since = playing.over(&ended, since)?;
                    over = Some((ended, since));
                }
                Told::Again(ticket) => playing.listener.line(&format!("again {ticket}"))?,
                Told::Failed(why) => return Err(why),
            }
            next = desk.told.try_recv().ok();
        }
        if let Some(now) = latest.take_if(|now| playing.has_thought(now)) {
            playing.decide(&now, &desk);
        }
        if let Some((over, since)) = &over
            && (over.done || since.elapsed() > if over.complete { TO_FETCH } else { TO_SIGN })
        {
            return playing.finish(over);
        }
        match playing.listener.order() {
            Some(Order::Stop) => return Err(Failure::Interrupted),
            Some(Order::Leave) if !left => {
                left = true;
                desk.want.send(Want::Leave);
            }
            Some(Order::Leave | Order::Admit(_) | Order::Decline(_)) | None => {}
        }
    }
}

impl<G: Computer, L: Listener> Playing<'_, G, L> {
    fn seen(&mut self, seen: Seen<G>) -> Result<(), Failure> {
        match seen {
            Seen::Deal { number, .. } => {
                self.memory.clear();
                self.listener.line(&format!("deal {number}"))
            }
            Seen::Acted { seat, action, .. } => {
                self.memory.note(Past::Did(seat, action));
                Ok(())
            }
            Seen::Chose { choices, .. } => {
                choices.into_iter().for_each(|(seat, choice)| self.memory.note(Past::Chose(seat, choice)));
                Ok(())
            }
            Seen::DealOver { outcome, .. } => self.listener.line(&format!("ended {}", outcome.ending)),
            Seen::Late(seat) => self.about("late", seat),
            Seen::Back(seat) => self.about("back", seat),
            Seen::Left(seat) => self.about("conceded", seat),
            Seen::Fault(fault) => {
                let name = self.name(fault.seat);
                self.listener.line(&format!("fault {name}: {}", fault.what))
            }
        }
    }

    /// Tells that the cards of a deal are there.
    fn cards(&mut self, now: &Now<G>) -> Result<(), Failure> {
        let awaiting = now.table.as_ref().map(Table::awaiting);
        if now.deal == self.dealt || !matches!(awaiting, Some(Awaiting::Turn(_) | Awaiting::Choices(_))) {
            return Ok(());
        }
        self.dealt = now.deal;
        self.listener.line(&format!("cards {}", now.deal))
    }

    fn about(&mut self, what: &str, seat: Seat) -> Result<(), Failure> {
        let name = self.name(seat);
        self.listener.line(&format!("{what} {name}"))
    }

    fn name(&self, seat: Seat) -> String {
        self.names.get(usize::from(seat.index())).cloned().unwrap_or_else(|| seat.to_string())
    }

    /// Whether it has thought about this for long enough.
    fn has_thought(&mut self, now: &Now<G>) -> bool {
        let (Some(table), true) = (&now.table, now.asked && !self.decides.think.is_zero()) else { return true };
        let height = table.height().0;
        self.thinking.take_if(|(of, _)| *of != height);
        let (_, since) = self.thinking.get_or_insert_with(|| (height, Instant::now()));
        since.elapsed() >= self.decides.think
    }

    fn decide(&mut self, now: &Now<G>, desk: &Desk<G>) {
        if now.hopeless && self.abandoned.is_none_or(|at| at.elapsed() > TO_FETCH) {
            self.abandoned = Some(Instant::now());
            desk.want.send(Want::Abandon);
        }
        let (Some(table), Some(seat), true) = (&now.table, now.me, now.asked) else { return };
        let known = Known::with(table.open(), &now.own);
        let height = table.height().0;
        let decided: Option<MoveOf<G>> = if self.answered == Some(height) {
            table.rules().default_move(known, seat)
        } else {
            let decided = self.memory.with(|past| {
                let course = Course::<G> { settings: &now.settings, deal: now.deal, past };
                self.decides.kind.decide(course, table, seat, known, &mut self.rng)
            });
            decided.or_else(|| table.rules().default_move(known, seat))
        };
        self.answered = Some(height);
        if let Some(decided) = decided {
            desk.want.send(Want::Decide(decided));
        }
    }

    /// Tells how the match ended; returns since when nothing has changed about it.
    fn over(&mut self, over: &Over, since: Option<Instant>) -> Result<Instant, Failure> {
        if since.is_none() {
            self.listener.line(&format!("over {}", over.why))?;
        }
        let signed = over.names.len() - over.unsigned.len();
        self.listener.line(&format!("signed {signed} of {}", over.names.len()))?;
        Ok(Instant::now())
    }

    fn finish(&mut self, over: &Over) -> Result<(), Failure> {
        self.listener.line(&format!("log {}", over.log.display()))?;
        if let Some(path) = &over.stored {
            self.listener.line(&format!("result {}", path.display()))?;
        }
        if over.complete {
            return Ok(());
        }
        let missing: Vec<String> = over.unsigned.iter().map(|seat| self.name(*seat)).collect();
        Err(Failure::Check(match (&over.result, over.why) {
            (None, why) => why.to_string(),
            (Some(_), _) => format!("the result is not complete: {} did not sign", missing.join(", ")),
        }))
    }
}
