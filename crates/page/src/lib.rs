//! A table as HTML, for one viewer, in two languages. Pure: the same on a server and in a browser.
//!
//! Whoever runs a table says what there is, as data, and gets a page; and says what was pressed on it, and gets a
//! move of the game:
//!
//! ```text
//! a room of the house ─┐             ┌─ felt, desk ── parts ──► browser
//!                      ├─ Board ─ Shown                            │
//! a private session ───┤  Frame ────┘                              │
//!                      └─ Board ◄── press, place (with a draft) ◄──┘
//!                           └──► Pressed: a move, or another draft
//! ```
//!
//! - [`Board`]: one deal as one viewer sees it, with the types of its game. Everything that depends on the game goes
//!   through it: [`Board::show`], [`Board::press`], [`Board::place`], [`Board::advise`].
//! - [`Frame`]: what is around the deal and the same in every game: who sits where, whom the table waits for.
//! - [`Shown`]: what the game shows, without its types; [`felt()`] and [`desk()`] draw it within a frame.
//! - [`Story`]: what happened, in words. [`beside`]: the panels next to a table. [`Parts`]: which parts have changed.
//! - [`Viewer`]: where the page is made in a browser, what it has and what its person has prepared.
//! - [`Page`]: what a game adds; one folder per game. [`Scene`] is what it is given.
//! - [`Lang`]: English and German.
//!
//! The common page has, from top to bottom: a title, the other players, the middle of the table, the viewer's own facts,
//! their hand, a line about the marked cards, and buttons; next to it log and chat. A game fills these places and says
//! what its buttons do. Marking cards, keys, sending, moving cards around and sounds are common to all, in the scripts of
//! the server.
//!
//! Nothing is decided by those scripts. They keep a [`Draft`] (marked cards, an amount, and the game's own
//! [`Page::Extra`]), send it along, and show the answer. So all knowledge of the rules is here, and a person with a bare
//! socket can do no more than one with the page.
//!
//! A [`Scene`] holds what one viewer sees, and nothing else can be rendered.

pub mod beside;
mod bigc;
mod blackjack;
mod blackout;
mod board;
mod card;
mod desk;
mod ending;
mod felt;
mod frame;
mod game;
mod gathering;
mod hint;
mod holdem;
mod lang;
mod ongdu;
mod parts;
mod pressing;
mod romme;
mod scene;
mod shown;
mod story;
#[cfg(test)]
mod testing;
mod ties;
mod trying;
mod viewer;

pub use games::desk::{Amount, Button, Draft, Made, Marking, MoveOf, Press, Tile};

pub use board::{Board, Now, State};
pub use card::{back, card_name, card_text, empty_place, face, mini, minis, place_card, tile};
pub use desk::desk;
pub use felt::felt;
pub use frame::{Awaited, Chair, Frame, Invite, Links, Next, Stage, Step, Who, level};
pub use game::Page;
use game::common_setting;
pub use hint::Hint;
pub use lang::{Lang, Said};
pub use parts::Parts;
pub use pressing::{Asked, CHANGE, Changing, NotPressed, Pressed};
pub use scene::{Desk, Mood, Panel, Scene};
pub use shown::{Ending, Key, Shown};
pub use story::{Story, Told};
pub use viewer::{Heard, Viewer};
