//! What a person does at the table, and what comes of it.

use std::time::Instant;

use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::{After, Board, Wish, question};
use crate::peer::desk::Want;
use crate::peer::screen::end::Asked;
use crate::peer::screen::typing::{self, MOST, Typed, Typing};
use crate::play::asking::{self, Answer};
use crate::play::screen::Screen;
use crate::play::terminal::Happened;
use crate::play::windows::{Reaction, Window};

impl<G: Screen> Board<G> {
    /// Something that the person did.
    pub(in crate::peer::screen) fn react(&mut self, happened: Happened, at: Instant) -> Option<Wish<G>> {
        match happened {
            Happened::Nothing => return None,
            Happened::Stop => return Some(Wish::Go(self.how_to_close())),
            // Nobody can see what they would do.
            _ if self.small => return None,
            Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) => self.stale = true,
        }
        if self.typing.is_some() {
            return self.type_on(happened).map(Wish::Want);
        }
        if let Some(mut window) = self.leaving.take() {
            return match window.answer(happened) {
                Reaction::Agrees => self.leave(),
                Reaction::Closes => None,
                Reaction::Stays => {
                    self.leaving = Some(window);
                    None
                }
            };
        }
        if self.finished.is_some() {
            self.read_on(happened);
            return None;
        }
        if self.end.is_some() {
            return self.after_the_match(happened);
        }
        self.at_table(happened, at)
    }

    /// Closing the program: in the middle of a match it can be continued.
    fn how_to_close(&self) -> After {
        let goes_on = self.end.is_none() && !self.conceded && self.me().is_some();
        if goes_on { After::Quit } else { After::Done }
    }

    fn may_talk(&self) -> bool {
        self.me().is_some()
    }

    fn type_on(&mut self, happened: Happened) -> Option<Want<G>> {
        let typed = self.typing.as_mut()?.react(happened, MOST);
        if typed != Typed::Goes {
            self.typing = None;
        }
        match typed {
            Typed::Said(text) => {
                // The hub passes it on to everybody else.
                self.chat("You", &text);
                Some(Want::Chat(text))
            }
            Typed::Goes | Typed::Nothing => None,
        }
    }

    /// How a deal ended is being read.
    fn read_on(&mut self, happened: Happened) {
        let talks = self.may_talk();
        let Some(finished) = &mut self.finished else { return };
        match happened {
            Happened::Key(KeyCode::Char('t')) => finished.table_only = !finished.table_only,
            Happened::Key(KeyCode::Char(typing::KEY)) if talks => self.typing = Some(Typing::default()),
            Happened::Key(KeyCode::Char('q')) => self.leaving = Some(self.sure()),
            scroll @ (Happened::Key(KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown)
            | Happened::Wheel(_)) => {
                finished.window.react(scroll);
            }
            Happened::Key(KeyCode::Enter | KeyCode::Esc | KeyCode::Char(' ')) | Happened::Click(..) => {
                self.finished = None;
            }
            Happened::Key(_) | Happened::Nothing | Happened::Stop => {}
        }
    }

    fn after_the_match(&mut self, happened: Happened) -> Option<Wish<G>> {
        let talks = self.may_talk();
        let end = self.end.as_mut()?;
        match end.react(happened, talks) {
            Asked::Nothing => None,
            Asked::Chat => {
                self.typing = Some(Typing::default());
                None
            }
            Asked::Again => Some(Wish::Want(Want::Again)),
            Asked::Next(ticket) => Some(Wish::Go(After::Again(ticket))),
            Asked::Sure(window) => {
                self.leaving = Some(window);
                None
            }
            Asked::Close => Some(Wish::Go(After::Done)),
        }
    }

    fn at_table(&mut self, happened: Happened, at: Instant) -> Option<Wish<G>> {
        if !self.hands.is_reading() {
            match happened {
                Happened::Key(KeyCode::Char(typing::KEY)) if self.may_talk() => {
                    self.typing = Some(Typing::default());
                    return None;
                }
                Happened::Key(KeyCode::Char('q')) => {
                    self.leaving = Some(self.sure());
                    return None;
                }
                Happened::Key(KeyCode::Char('z')) if self.now.as_ref().is_some_and(|(_, now)| now.hopeless) => {
                    return Some(Wish::Want(Want::Abandon));
                }
                // Somebody who has seen enough does not wait for what comes next.
                Happened::Key(KeyCode::Char(' ') | KeyCode::Enter) if !self.queue.is_empty() => {
                    self.changed = at.checked_sub(self.pace).unwrap_or(self.changed);
                    return None;
                }
                _ => {}
            }
        }
        let (me, story) = (self.me(), self.story.as_ref()?);
        let Some(question) = question(self.shown.as_ref(), me, self.sent, self.pace) else {
            asking::read(story, &mut self.hands, happened);
            return None;
        };
        match asking::react(&question, story, &mut self.hands, happened)? {
            Answer::Move(decided) => {
                self.sent = Some(question.table.height().0);
                self.hands.void();
                Some(Wish::Want(Want::Decide(decided)))
            }
            Answer::TimeUp | Answer::Stop => None,
        }
    }

    /// The question before somebody leaves.
    fn sure(&self) -> Window {
        let look = self.look;
        let line = |text: &str| Line::raw(look.plain(text));
        let keys = "Enter leaves, any other key cancels";
        if self.me().is_none() {
            return Window::new("Stop watching?", vec![line("You can come back with the same ticket.")], keys);
        }
        if self.conceded {
            let text = "Your signature under the result will be missing if you go before the end.";
            return Window::new("Close the program?", vec![line(text)], keys);
        }
        let text = [
            "You concede the match: it counts as lost for you, and the others play on.",
            "",
            "To come back later instead, press Esc and then Ctrl-C, and continue with",
            &self.way_back,
            "The others wait for you as long as the time for a move allows.",
        ];
        Window::new("Leave the table and concede?", text.map(line).to_vec(), "Enter concedes, any other key cancels")
    }

    /// They are sure.
    fn leave(&mut self) -> Option<Wish<G>> {
        if self.end.is_some() || self.conceded || self.me().is_none() {
            return Some(Wish::Go(After::Done));
        }
        self.conceded = true;
        self.hands.void();
        Some(Wish::Want(Want::Leave))
    }
}
