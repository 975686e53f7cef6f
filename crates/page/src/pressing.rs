//! What a page sends back, and what becomes of it: a move of the game, or another draft.
//!
//! A secret choice can be changed until the last player has chosen, where the table allows it. A player who wants to
//! change theirs says so in their draft; the old choice counts until they make another.

use core::fmt;

use ::table::{Game, Height, Move};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::board::State;
use crate::{Board, Draft, MoveOf, Page, Press};

/// The key of the button that starts to change a choice, or keeps it.
pub const CHANGE: char = 'e';

/// A message of a page. `C` are the commands that are not moves: sitting down, the next deal, chat. They depend on who
/// runs the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Asked<C> {
    /// The draft has changed.
    Draft(Box<RawValue>),
    /// A button was pressed: [`Board::press`].
    Press {
        /// Its key.
        key: char,
        /// The height it answers.
        height: Height,
        /// What is prepared.
        draft: Option<Box<RawValue>>,
    },
    /// A place was chosen: [`Board::place`].
    Place {
        /// Its number.
        place: u16,
        /// The height it answers.
        height: Height,
        /// What is prepared.
        draft: Option<Box<RawValue>>,
    },
    /// A request for a hint: [`Board::advise`].
    Hint {},
    /// A command.
    Command(C),
}

/// The effect of a button or a place.
pub enum Pressed<G: Game> {
    /// A move; and the draft that remains.
    Move(MoveOf<G>, String),
    /// The draft has changed; there may be a message about it.
    Draft(String, Option<String>),
}

impl<G: Game> fmt::Debug for Pressed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(a_move, kept) => f.debug_tuple("Move").field(a_move).field(kept).finish(),
            Self::Draft(draft, said) => f.debug_tuple("Draft").field(draft).field(said).finish(),
        }
    }
}

/// Why pressing something has no effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotPressed {
    /// There is no such button now.
    NotAsked,
    /// It was meant for another height.
    Height {
        /// The height of the table.
        now: Height,
        /// The height it answers.
        got: Height,
    },
    /// The button says why, in the viewer's language.
    Refused(String),
}

/// Whether a player can change their choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changing {
    /// They have made no choice that could be changed.
    Nothing,
    /// They can.
    Offered,
    /// They are changing it.
    Begun,
}

impl<G: Page> Board<'_, G> {
    /// The viewer presses the button with this key.
    ///
    /// # Errors
    /// Fails if there is no such button, or it cannot be pressed.
    pub fn press(&self, key: char, draft: Option<&str>) -> Result<Pressed<G>, NotPressed> {
        self.button(key, read::<G>(draft))
    }

    /// The viewer chooses a place that the page offered.
    ///
    /// # Errors
    /// Fails if the place stands for a button that is not there or cannot be pressed.
    pub fn place(&self, place: u16, draft: Option<&str>) -> Result<Pressed<G>, NotPressed> {
        let mut draft = read::<G>(draft);
        let changing = self.changing(&draft) == Changing::Begun;
        let (said, key) = self.scene(changing, |scene| {
            let said = G::place(scene, &mut draft, place);
            (said, G::button_at(scene, &draft, place))
        });
        match key {
            Some(key) => self.button(key, draft),
            None => Ok(Pressed::Draft(text(&draft), said)),
        }
    }

    /// Whether the viewer can change their choice, and whether their draft says that they want to.
    pub(crate) fn changing(&self, draft: &Draft<G::Extra>) -> Changing {
        match &self.state {
            State::Played(now) if now.changeable && now.chosen.is_some() => {
                if draft.changing == Some(self.table.height()) { Changing::Begun } else { Changing::Offered }
            }
            State::Played(_) | State::Over { .. } => Changing::Nothing,
        }
    }

    fn button(&self, key: char, mut draft: Draft<G::Extra>) -> Result<Pressed<G>, NotPressed> {
        let changing = self.changing(&draft);
        if key == CHANGE && changing != Changing::Nothing {
            return Ok(self.change(draft));
        }
        self.scene(changing == Changing::Begun, |scene| {
            G::marked(scene, &mut draft);
            let desk = G::desk(scene, &draft);
            let button = desk.buttons.into_iter().find(|button| button.key == key).ok_or(NotPressed::NotAsked)?;
            match button.press.map_err(NotPressed::Refused)? {
                Press::Move(a_move) => {
                    let kept = Draft { marked: Vec::new(), amount: None, changing: None, extra: G::kept(draft.extra) };
                    return Ok(Pressed::Move(a_move, text(&kept)));
                }
                Press::Amount(amount) => draft.amount = Some(amount),
                Press::Command => {}
            }
            let said = G::command(scene, &mut draft, key);
            Ok(Pressed::Draft(text(&draft), said))
        })
    }

    /// Prepares the viewer's choice so that it can be changed; or keeps it, if changing had already begun.
    fn change(&self, mut draft: Draft<G::Extra>) -> Pressed<G> {
        let changing = match self.changing(&draft) {
            Changing::Begun => None,
            Changing::Nothing | Changing::Offered => Some(self.table.height()),
        };
        draft.clear();
        draft.changing = changing;
        if changing.is_some() {
            self.scene(true, |scene| {
                if let Some(chosen) = scene.chosen {
                    G::prepare(scene, &mut draft, &Move::Choose(chosen.clone()));
                }
            });
        }
        Pressed::Draft(text(&draft), None)
    }
}

/// A draft as a page sent it. What cannot be read is as good as nothing.
pub(crate) fn read<G: Page>(draft: Option<&str>) -> Draft<G::Extra> {
    draft.and_then(|draft| serde_json::from_str(draft).ok()).unwrap_or_else(|| Draft {
        marked: Vec::new(),
        amount: None,
        changing: None,
        extra: G::Extra::default(),
    })
}

/// A draft as a page keeps it.
pub(crate) fn text<E: Serialize>(draft: &Draft<E>) -> String {
    serde_json::to_string(draft).unwrap_or_else(|_| "{}".to_owned())
}
