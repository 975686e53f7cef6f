//! A match as the page of a table: the same HTML, parts and messages as at a table of the house, made in the browser.
//!
//! While a person looks at how a deal ended, the next one may have begun: the others do not wait for them. They see it
//! once they press "Next deal", or when they are asked to move.

use page::beside::{self, Remark};
use page::{Awaited, Board, Chair, Frame, Heard, Lang, Page, Stage, State, Step, Viewer, Who};
use page::{Made, MoveOf, Story, desk, felt};
use peer::place::{Now, Post, Waiting};
use peer::{Duty, Seen, Session};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Eye, Faces, Height, Known, Outcome, Seat, Seats, Standing, Table};

use dealers::joint::Duty as Part;

/// How many lines of chat are kept.
const MOST_TALK: usize = 200;
/// How many pictures of players there are.
const AVATARS: u8 = 12;

/// What a page has of a match, and what its person has prepared.
pub(crate) struct Drawing<G: Page> {
    viewer: Viewer,
    story: Story<G>,
    last: Last<G>,
    talk: Vec<(u64, String, String)>,
    talked: u64,
}

/// The last deal.
struct Last<G: Page> {
    /// How it ended.
    ended: Option<EndedDeal<G>>,
    /// Whether the person still looks at it.
    looking: bool,
}

struct EndedDeal<G: Page> {
    number: u32,
    table: Table<G::Rules>,
    own: Faces,
    outcome: Outcome,
    standing: Standing,
}

/// What a page can say beside moves.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Command {
    /// Continue after a deal.
    Ready { deal: u32 },
    /// Say something.
    Say { text: String },
    /// Concede the match.
    Stand {},
    /// Be back: a member's program says so by itself.
    Back {},
}

/// What a message of a page wants.
pub(crate) enum Wanted<G: Page> {
    /// Nothing more than to be shown.
    Nothing,
    /// A move.
    Move(MoveOf<G>),
    /// To say something.
    Say(String),
    /// To concede the match.
    Leave,
    /// To be told this.
    Tell(Value),
}

impl<G: Page> Drawing<G> {
    pub(crate) fn new(lang: Lang, session: &Session<G>) -> Self {
        let story = Story::new(session.settings().clone(), peer::place::names(session));
        let last = Last { ended: None, looking: false };
        Self { viewer: Viewer::new(lang), story, last, talk: Vec::new(), talked: 0 }
    }

    /// The page was loaded again, perhaps in another language: it has nothing.
    pub(crate) fn again(&mut self, lang: Lang) {
        self.viewer = Viewer::new(lang);
    }

    /// Something has happened.
    pub(crate) fn see(&mut self, seen: &Seen<G>) {
        match seen {
            Seen::Deal { number, table, standing } => self.story.begin(*number, table, standing.clone()),
            Seen::Acted { table, seat, action } => self.story.act(table, *seat, action.clone(), Made::Freely),
            Seen::Chose { table, choices } => {
                let choices = choices.iter().map(|(seat, choice)| (*seat, choice.clone(), Made::Freely));
                self.story.choose(table, choices);
            }
            Seen::DealOver { table, own, outcome, standing } => {
                self.story.end(table, outcome, standing.clone());
                let number = self.last.ended.as_ref().map_or(0, |ended| ended.number) + 1;
                let (table, own, outcome) = (table.clone(), own.clone(), outcome.clone());
                let ended = EndedDeal { number, table, own, outcome, standing: standing.clone() };
                self.last = Last { ended: Some(ended), looking: true };
                self.viewer.forget_draft();
            }
            Seen::Late(_) | Seen::Back(_) | Seen::Left(_) | Seen::Fault(_) => {}
        }
    }

    /// Somebody said something.
    pub(crate) fn say(&mut self, from: &str, text: &str) {
        self.talked += 1;
        self.talk.push((self.talked, from.to_owned(), text.to_owned()));
        if self.talk.len() > MOST_TALK {
            self.talk.remove(0);
        }
    }

    /// The parts of the page that have changed.
    pub(crate) fn show(&mut self, session: &Session<G>, post: &Post, now: u64) -> Value {
        if let Some(table) = session.table() {
            self.story.catch_up(table);
        }
        let state = Now::with(session, post, now);
        // Whoever is asked to move sees what about.
        self.last.looking &= !state.asked;
        let lang = self.viewer.lang();
        let frame = self.frame(session, &state);
        let shown = self.viewer.look(self.last.board(lang, session, &state).as_ref());
        let remarks = self.talk.iter().map(|(number, name, text)| Remark {
            number: *number,
            player: name.clone(),
            name,
            seated: true,
            text,
        });
        let asked = shown.as_ref().is_some_and(|shown| shown.asked);
        let parts = [
            ("felt", felt(&frame, shown.as_ref())),
            ("desk", desk(&frame, shown.as_ref())),
            ("log", beside::log(self.story.lines(), lang)),
            ("talk", beside::talk(remarks, lang)),
            ("leave", beside::leave(&frame)),
        ];
        self.viewer.update(frame.height, asked, clock(&state), parts)
    }

    /// What a message of the page wants.
    pub(crate) fn hear(
        &mut self,
        message: &str,
        session: &Session<G>,
        post: &Post,
        now: u64,
    ) -> Result<Wanted<G>, String> {
        let state = Now::with(session, post, now);
        let board = self.last.board(self.viewer.lang(), session, &state);
        Ok(match self.viewer.hear(message, board.as_ref())? {
            Heard::Nothing | Heard::Command(Command::Back {}) => Wanted::Nothing,
            Heard::Move(decided) => Wanted::Move(decided),
            Heard::Told(said) => Wanted::Tell(json!({ "said": said })),
            Heard::Command(Command::Say { text }) => Wanted::Say(text),
            Heard::Command(Command::Stand {}) => Wanted::Leave,
            Heard::Command(Command::Ready { deal }) => {
                self.last.looking &= self.last.ended.as_ref().is_some_and(|ended| ended.number > deal);
                Wanted::Nothing
            }
        })
    }

    fn frame(&self, session: &Session<G>, state: &Now<G>) -> Frame {
        let over = session.ended().is_some();
        let ended = self.last.ended.as_ref().map_or(0, |ended| ended.number);
        let seats = (0..).map_while(Seat::new);
        let chairs = seats.zip(&state.names).map(|(seat, name)| Chair {
            who: Who::Person,
            name: name.clone(),
            avatar: seat.index() % AVATARS + 1,
            absent: !state.here.contains(seat),
            // What counts was checked here, and something wrong would be a fault.
            checked: state.shuffled.contains(seat) && session.faults().iter().all(|fault| fault.seat != seat),
            ..Chair::default()
        });
        Frame {
            me: state.me,
            stage: match (over, self.last.looking) {
                (true, _) => Stage::Over,
                (false, true) => Stage::Between,
                (false, false) => Stage::Deal,
            },
            deal: state.deal,
            ended,
            height: height(session),
            awaited: awaited(state),
            looking: state.me.filter(|_| self.last.looking).map_or(Seats::NONE, Seats::one),
            out: session.is_out(),
            ..Frame::new(self.viewer.lang(), session.begun().start.game, chairs.collect())
        }
    }
}

impl<G: Page> Last<G> {
    /// The deal that the person looks at.
    fn board<'a>(&'a self, lang: Lang, session: &'a Session<G>, state: &'a Now<G>) -> Option<Board<'a, G>> {
        let (eye, names) = (state.me.map_or(Eye::Public, Eye::Seat), &state.names);
        let settings = session.settings();
        match (&self.ended, session.table()) {
            (Some(ended), table) if self.looking || table.is_none() => Some(Board {
                lang,
                eye,
                table: &ended.table,
                known: Known::with(ended.table.open(), &ended.own),
                settings,
                standing: &ended.standing,
                deal: ended.number,
                names,
                state: State::Over { outcome: &ended.outcome, ties: &[] },
            }),
            (_, Some(table)) => Some(Board {
                lang,
                eye,
                table,
                known: Known::with(table.open(), &state.own),
                settings,
                standing: state.standing.as_ref()?,
                deal: state.deal,
                names,
                state: State::Played(page::Now {
                    awaited: awaited(state).players(),
                    chosen: None,
                    changeable: false,
                    settled: None,
                }),
            }),
            (None, None) | (Some(_), None) => None,
        }
    }
}

fn height<G: Page>(session: &Session<G>) -> Height {
    session.table().map(Table::height).unwrap_or_default()
}

/// What the table waits for: people, or what devices do by themselves.
fn awaited<G: Page>(state: &Now<G>) -> Awaited {
    let of = |wanted: fn(Duty) -> bool| -> Seats {
        state.waits.iter().filter(|wait| wanted(wait.duty)).map(|wait| wait.seat).collect()
    };
    let acting = of(|duty| matches!(duty, Duty::Play(Part::Act, _)));
    if let Some(seat) = acting.iter().next() {
        return Awaited::Turn(seat);
    }
    let choosing = of(|duty| matches!(duty, Duty::Play(Part::Choose, _)));
    if choosing != Seats::NONE {
        return Awaited::Choices(choosing);
    }
    let step = |duty: Duty| match duty {
        Duty::Seed => Step::Seeds,
        Duty::Play(Part::Key | Part::Dealing | Part::Ready, _) => Step::Keys,
        Duty::Play(Part::Beacon | Part::Shuffle, _) => Step::Shuffle,
        Duty::Play(Part::Shares | Part::Act | Part::Choose, _) => Step::Cards,
        Duty::Play(Part::Reveal, _) => Step::Reveal,
        Duty::Sign => Step::Sign,
    };
    match state.waits.first() {
        Some(first) => {
            let same = state.waits.iter().filter(|wait| step(wait.duty) == step(first.duty));
            Awaited::Devices(step(first.duty), same.map(|wait| wait.seat).collect())
        }
        None => Awaited::Nothing,
    }
}

/// How much time the player has for a move.
fn clock<G: Page>(state: &Now<G>) -> Option<Value> {
    let whole = state.thinking?;
    let thinks = |wait: &&Waiting| matches!(wait.duty, Duty::Play(Part::Act | Part::Choose, _));
    let wait = state.waits.iter().find(thinks)?;
    let left = whole.saturating_sub(wait.for_ms);
    Some(json!({ "left": left, "whole": whole, "mine": state.me == Some(wait.seat) }))
}
