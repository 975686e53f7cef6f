//! What was said at a private table, as lines that a person can read: the messages of the Geogram card games.
//!
//! - `verbs`: what players say, one line each.
//! - `follows`: what follows from that and nobody has to say.
//!
//! | verb | line |
//! |---|---|
//! | join | `CARD_GAME_INVITE:<game>` by the host, `CARD_GAME_JOIN` by others, and `JOIN_INFO:<npub>:<callsign>` |
//! | leave | `LEAVE` |
//! | start | `GAME_READY` |
//! | stand | `HUB_STAND:<key>`\*; a change of the hub is `HUB_CHANGE:<number>:<callsign>`\* |
//! | seed hash, seed | `SEED_HASH:<hash>`, `SEED_REVEAL:<seed>` |
//! | dealing | `KEY:<set>:<kind>`\*, `SHUFFLE_STEP:<deck>`, `REVEAL_TOKEN:<height>`, `REVEAL:<callsign>:<cards>`, `BET_COMMIT:<callsign>:<hash>`, `BET:<callsign>:<amount>`, `CHOICE:<callsign>:<cards>`\* |
//! | act | `ACTION:<callsign>:<what>[:<amount or cards>]`, `DRAW:<callsign>:<pile or discard>`, `MELD:<callsign>:<cards>;…`, `LAYOFF:<callsign>:<meld>:<cards>`, `SWAP:<callsign>:<meld>:<card>:<meld or cards>`, `DISCARD:<callsign>:<card>` |
//! | overdue, here | `PING:<callsign>`, `PING` |
//! | abandon | `ABANDON`\* |
//! | again | `CARD_GAME_INVITE:<game>`, without the ticket, which is a secret |
//! | sign | `VERIFY`, `RESULT_SIG:<callsign>:<signature>` |
//! | what follows | `START_GAME`, `DEAL:<callsign>:<cards>`, `OPEN:<cards>`\*, `TURN:<callsign>`, `ACK`, `DEALER:<cards>`, `RESULT:<callsign>:<win, lose or push>[:<hand>]`, `OUT:<callsign>`, `LATE:<callsign>`\*, `BEGIN_DEAL:<number>`\*, `END_DEAL:<number>:<ending>`\*, `END_GAME`\* |
//!
//! Lines with \* are additions. Fields are separated by colons, cards by commas, and no field has a colon in it. A card
//! is its face if everybody has seen it, and otherwise deck and place (`0.12`): the author of a line need not have known
//! the face. Nobody has to say `ACK`: every envelope names the log that its author has seen. `VERIFY` goes with a
//! signature, because nobody signs a result that their program has not checked.

mod follows;
mod verbs;

use std::collections::BTreeMap;

use games::AnyGame;
use results::{Callsign, Public, game_name};
use table::{Order, Seat, Seats};

use crate::body::Body;
use crate::chain::NotNext;
use crate::entry::Entry;
use crate::lobby::{Lobby, Void};
use crate::member::Heard;
use crate::reading::read;
use crate::record::Record;
use crate::seal::TableKey;

/// One line of a readable log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The number of the entry, from 1.
    pub entry: u64,
    /// The hub's clock, in milliseconds since 1970.
    pub clock: u64,
    /// Who said it: their callsign, or their number if they never introduced themselves; `table` if nobody did,
    /// because it follows from what was said.
    pub who: String,
    /// What they said.
    pub text: String,
    /// What kind of line it is.
    pub kind: Kind,
    /// More about it, in plain words: a name, why it has no effect, what is wrong with it.
    pub note: Option<String>,
}

/// Kinds of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Somebody said it.
    Said,
    /// Somebody did their part in dealing; this many do the same.
    Dealing {
        /// How many.
        of: u8,
    },
    /// It follows from what was said.
    Follows,
    /// A deal is over.
    DealOver,
    /// Somebody has seen a move.
    Ack,
}

/// Who says what nobody has to say.
const TABLE: &str = "table";

/// The log as lines, up to the first entry that is not the next one.
pub fn lines(record: &Record) -> Vec<Line> {
    let mut lines = Vec::new();
    each_line(&record.key, record.hub, &mut record.entries.iter().cloned(), &mut |line| {
        lines.push(line);
        true
    });
    lines
}

/// Hands over the lines of a log one after another, until `say` returns `false`. Returns the height of the first entry
/// that is not the next one, and why, if there is such an entry.
pub fn each_line(
    key: &TableKey,
    hub: Public,
    entries: &mut dyn Iterator<Item = Entry>,
    say: &mut dyn FnMut(Line) -> bool,
) -> Option<(u64, NotNext)> {
    let mut writer = Writer {
        say,
        going: true,
        invitation: Invitation::Open { by: None, held: Vec::new() },
        orders: Vec::new(),
        deal: 0,
        turn: None,
        moves: Vec::new(),
        acknowledged: BTreeMap::new(),
        players: Vec::new(),
        gone: Seats::NONE,
        ended: false,
    };
    let broken = read(key, hub, entries, &mut writer);
    writer.release();
    broken
}

/// Writes the lines.
struct Writer<'a> {
    say: &'a mut dyn FnMut(Line) -> bool,
    going: bool,
    invitation: Invitation,
    /// What the table had ordered before the entry at hand.
    orders: Vec<Order>,
    /// The number of the deal on the table.
    deal: u32,
    /// Whose turn was announced last.
    turn: Option<Seat>,
    /// Every move: its entry, and the number of its author.
    moves: Vec<(u64, u8)>,
    /// The entry up to which each member has seen the log.
    acknowledged: BTreeMap<u8, u64>,
    /// The callsigns of the players, by seat.
    players: Vec<String>,
    /// Who does not take part in dealing any more.
    gone: Seats,
    ended: bool,
}

/// The first person invites the others, but says to which game only when the match starts.
enum Invitation {
    /// The game is not known: lines are held back. The inviter's number, and which line it is.
    Open { by: Option<(u8, usize)>, held: Vec<Line> },
    /// The last invitation.
    Sent { by: u8, to: AnyGame },
}

impl Writer<'_> {
    fn push(&mut self, line: Line) {
        match &mut self.invitation {
            Invitation::Open { held, .. } => held.push(line),
            Invitation::Sent { .. } => self.going = self.going && (self.say)(line),
        }
    }

    /// Hands over what was held back.
    fn release(&mut self) {
        if let Invitation::Open { held, .. } = &mut self.invitation {
            let held = core::mem::take(held);
            self.going = self.going && held.into_iter().all(|line| (self.say)(line));
        }
    }

    /// The host starts a match: so this is what everybody was invited to.
    fn invite(&mut self, number: u8, game: AnyGame, line: &Line) {
        let text = format!("CARD_GAME_INVITE:{}", game_name(game));
        match &mut self.invitation {
            Invitation::Open { by: Some((by, at)), held } if *by == number => {
                if let Some(first) = held.get_mut(*at) {
                    first.text = text;
                }
            }
            Invitation::Sent { by, to } if (*by, *to) == (number, game) => {}
            Invitation::Open { .. } | Invitation::Sent { .. } => self.push(Line { text, ..line.clone() }),
        }
        self.release();
        self.invitation = Invitation::Sent { by: number, to: game };
    }

    /// Something was said before the match.
    fn in_lobby(&mut self, lobby: &Lobby, heard: &Heard, effect: Result<(), Void>) {
        let mut line = said(heard, name_of(lobby, heard.number));
        line.note = effect.as_ref().err().map(|why| format!("no effect: {why}"));
        let counts = effect.is_ok();
        match &heard.body {
            None => line.text = verbs::UNREADABLE.to_owned(),
            Some(Body::Join(join)) => {
                if counts
                    && join.run_by.is_none()
                    && let Invitation::Open { by: by @ None, held } = &mut self.invitation
                {
                    *by = Some((heard.number, held.len()));
                }
                let run_by = join.run_by.map(|run_by| name_of(lobby, run_by.number));
                let computer = run_by.map(|owner| format!(", a computer that {owner} runs")).unwrap_or_default();
                self.push(Line { text: "CARD_GAME_JOIN".to_owned(), ..line.clone() });
                line.text = format!("JOIN_INFO:{}:{}", join.identity.npub(), Callsign::of_player(&join.identity));
                line.note = line.note.or_else(|| Some(format!("{}{computer}", join.name)));
            }
            Some(body) => {
                if let (Body::Start(start), true) = (body, counts) {
                    self.invite(heard.number, start.game, &line);
                    line.note = Some(verbs::terms(start, |number| name_of(lobby, number)));
                }
                line.text = verbs::of_body(body, &line.who, lobby, &verbs::place);
                line.note = line.note.or_else(|| verbs::about(body));
            }
        }
        self.push(line);
    }
}

/// The line of a move, given as JSON. Cards are written as deck and place.
pub fn action_text(action: &[u8], who: &str) -> String {
    let action = serde_json::from_slice(action).unwrap_or_default();
    verbs::of_action(&action, who, None, &verbs::place)
}

/// A line by somebody about this entry, without its text.
fn said(heard: &Heard, who: String) -> Line {
    Line { entry: heard.head.height, clock: heard.clock, who, text: String::new(), kind: Kind::Said, note: None }
}

/// The callsign of a member, or their number if they never introduced themselves.
fn name_of(lobby: &Lobby, number: u8) -> String {
    let joined = lobby.joined().get(&number);
    joined.map_or_else(|| format!("#{number}"), |joined| Callsign::of_player(&joined.join.identity).to_string())
}
