//! The protocol between the table and an external bot: lines of JSON, described in `docs/bots.md`.
//!
//! Nothing here knows about pipes or processes. A bot is told its own seat's view, moves and known faces, and
//! what everybody saw.

use crate::{Course, Decision, Past};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use table::{Awaiting, Claim as _, Eye, Faces, Game, Height, Known, Move, Outcome, Rules, Seat, Standing, Table};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// The most bytes in an answer.
pub const LONGEST_ANSWER: usize = 64 << 10;

/// What a bot is told at the start of a match.
#[derive(Clone, Copy, Debug)]
pub struct Sitting<'a, S> {
    /// Where it sits.
    pub seat: Seat,
    /// The number of players.
    pub players: u8,
    /// The names of the players, by seat; empty if they have none.
    pub names: &'a [String],
    /// The settings of the match.
    pub settings: &'a S,
    /// A seed for the bot's randomness, so that a match can be repeated.
    pub seed: u32,
}

/// A match begins.
pub fn hello<G: Game>(sitting: &Sitting<'_, G::Settings>, seconds: f64) -> String {
    #[derive(Serialize)]
    struct Hello<'a, S> {
        protocol: u32,
        game: &'static str,
        players: u8,
        seat: Seat,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        names: &'a [String],
        settings: &'a S,
        seconds: f64,
        longest_answer: usize,
        seed: u32,
    }
    let Sitting { seat, players, names, settings, seed } = *sitting;
    let (protocol, game, longest_answer) = (PROTOCOL, G::NAME, LONGEST_ANSWER);
    line("hello", &Hello { protocol, game, players, seat, names, settings, seconds, longest_answer, seed })
}

/// A deal begins.
pub fn deal(number: u32) -> String {
    #[derive(Serialize)]
    struct Deal {
        deal: u32,
    }
    line("deal", &Deal { deal: number })
}

/// A seat did something that everybody saw.
pub fn past<R: Rules>(past: &Past<R>) -> String {
    #[derive(Serialize)]
    struct Did<'a, A> {
        seat: Seat,
        action: &'a A,
    }
    #[derive(Serialize)]
    struct Chose<'a, C> {
        seat: Seat,
        choice: &'a C,
    }
    match past {
        Past::Did(seat, action) => line("did", &Did { seat: *seat, action }),
        Past::Chose(seat, choice) => line("chose", &Chose { seat: *seat, choice }),
    }
}

/// It is the seat's turn.
pub fn ask<G: Game>(id: u64, table: &Table<G::Rules>, seat: Seat, known: Known<'_>, course: Course<'_, G>) -> String {
    #[derive(Serialize)]
    struct Ask<V, M> {
        id: u64,
        deal: u32,
        height: Height,
        moves: M,
        view: V,
        faces: Faces,
    }
    let rules = table.rules();
    let (moves, view) = (rules.moves(known, seat), rules.view(known, Eye::Seat(seat)));
    let (deal, height, faces) = (course.deal, table.height(), faces(known));
    line("ask", &Ask { id, deal, height, moves, view, faces })
}

/// An answer was refused.
pub fn refused(id: u64, why: &str) -> String {
    #[derive(Serialize)]
    struct NotTaken<'a> {
        id: u64,
        why: &'a str,
    }
    line("refused", &NotTaken { id, why })
}

/// A deal is over.
pub fn end<R: Rules>(deal: u32, table: &Table<R>, seat: Seat, known: Known<'_>) -> String {
    #[derive(Serialize)]
    struct End<'a, V> {
        deal: u32,
        outcome: Option<&'a Outcome>,
        view: V,
        faces: Faces,
    }
    let view = table.rules().view(known, Eye::Seat(seat));
    line("end", &End { deal, outcome: table.outcome(), view, faces: faces(known) })
}

/// The match is over.
pub fn over(standing: &Standing) -> String {
    line("over", standing)
}

/// What a bot answered.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// The question it answers.
    pub id: u64,
    action: Option<Value>,
    choice: Option<Value>,
}

impl Answer {
    /// Reads a line.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|why| why.to_string())
    }

    /// The move it names.
    pub fn decision<R: Rules>(self) -> Result<Move<R::Action, R::Choice>, String> {
        match (self.action, self.choice) {
            (Some(action), None) => serde_json::from_value(action).map(Move::Act).map_err(|why| why.to_string()),
            (None, Some(choice)) => serde_json::from_value(choice).map(Move::Choose).map_err(|why| why.to_string()),
            (None, None) => Err("neither an action nor a choice".to_owned()),
            (Some(_), Some(_)) => Err("both an action and a choice".to_owned()),
        }
    }
}

/// Checks whether the move would be accepted. A seat knows the cards it lays down and claims about, so its
/// known faces are enough.
pub fn check<R: Rules>(
    table: &Table<R>,
    seat: Seat,
    known: Known<'_>,
    decided: &Move<R::Action, R::Choice>,
) -> Result<(), String> {
    match (table.awaiting(), decided) {
        (Awaiting::Turn(turn), Move::Act(action)) if turn == seat => {
            let claim = table.rules().claim(&known, seat, action);
            if let Some(claim) = claim.filter(|claim| !claim.holds(&known)) {
                return Err(claim.refusal().to_string());
            }
            table.clone().act(table.height(), seat, action, &known).map_err(|why| why.to_string())
        }
        (Awaiting::Choices(seats), Move::Choose(choice)) if seats.contains(seat) => {
            table.admits_choice(seat, choice, |claim| claim.holds(&known)).map_err(|why| why.to_string())
        }
        (Awaiting::Turn(_), Move::Choose(_)) => Err("expected an action, got a choice".to_owned()),
        (Awaiting::Choices(_), Move::Act(_)) => Err("expected a choice, got an action".to_owned()),
        (awaiting, _) => Err(format!("the table waits for {awaiting}")),
    }
}

/// Reads a line: the decision, `None` if it answers an earlier question, or why it cannot be accepted.
pub fn heard<R: Rules>(
    text: &str,
    id: u64,
    table: &Table<R>,
    seat: Seat,
    known: Known<'_>,
) -> Result<Decision<R>, Misanswer> {
    let answer = Answer::read(text).map_err(Misanswer::Nonsense)?;
    if answer.id < id {
        return Ok(None);
    }
    if answer.id > id {
        return Err(Misanswer::Nonsense(format!("it answers question {}, but the question was {id}", answer.id)));
    }
    let decided = answer.decision::<R>().map_err(Misanswer::Nonsense)?;
    check(table, seat, known, &decided).map_err(Misanswer::Illegal)?;
    Ok(Some(decided))
}

/// Why an answer cannot be accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misanswer {
    /// It cannot be understood.
    Nonsense(String),
    /// The rules refuse it.
    Illegal(String),
}

/// Every face that this seat may know.
fn faces(known: Known<'_>) -> Faces {
    known.open.iter().chain(known.own.iter()).collect()
}

fn line(kind: &str, body: &impl Serialize) -> String {
    // Most questions fit in this.
    let mut line = Vec::with_capacity(1024);
    line.extend_from_slice(b"{\"");
    line.extend_from_slice(kind.as_bytes());
    line.extend_from_slice(b"\":");
    serde_json::to_writer(&mut line, body).expect("plain data with text for keys can be written as JSON");
    line.extend_from_slice(b"}\n");
    String::from_utf8(line).expect("JSON is text")
}
