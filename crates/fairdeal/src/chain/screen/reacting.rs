//! What a person does at the table, and what comes of it.

use std::time::Instant;

use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::board::{Asking, Board, Wish, question, turn};
use crate::chain::desk::Want;
use crate::play::asking::{self, Answer};
use crate::play::terminal::Happened;
use crate::play::windows::{Reaction, Window};
use crate::text::grouped;

impl Board {
    /// Something that the person did.
    pub(super) fn react(&mut self, happened: Happened, at: Instant) -> Option<Wish> {
        match happened {
            Happened::Nothing => return None,
            Happened::Stop => return Some(Wish::Go),
            // Nobody can see what they would do.
            _ if self.small => return None,
            Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) => self.stale = true,
        }
        if let Some((mut window, asking)) = self.window.take() {
            return match window.answer(happened) {
                Reaction::Agrees => Some(self.agreed(asking)),
                Reaction::Closes => None,
                Reaction::Stays => {
                    self.window = Some((window, asking));
                    None
                }
            };
        }
        if !self.hands.is_reading() {
            match happened {
                Happened::Key(KeyCode::Char('q')) => {
                    self.window = Some((self.sure(), Asking::Leave));
                    return None;
                }
                Happened::Key(KeyCode::Char('o')) if self.me().is_some() => {
                    return Some(Wish::Want(self.out_or_back()));
                }
                Happened::Key(KeyCode::Char('m')) if self.me().is_some() => {
                    self.offer_chips();
                    return None;
                }
                _ => {}
            }
            if self.read_on(happened) {
                return None;
            }
        }
        self.at_table(happened, at)
    }

    /// The end of a hand is being read; whether this was about it.
    fn read_on(&mut self, happened: Happened) -> bool {
        let Some(finished) = &mut self.finished else { return false };
        match happened {
            Happened::Key(KeyCode::Enter | KeyCode::Esc | KeyCode::Char(' ')) | Happened::Click(..) => {
                self.finished = None;
            }
            scroll @ (Happened::Key(KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown)
            | Happened::Wheel(_)) => {
                finished.window.react(scroll);
            }
            Happened::Key(_) | Happened::Nothing | Happened::Stop => return false,
        }
        true
    }

    fn at_table(&mut self, happened: Happened, at: Instant) -> Option<Wish> {
        let now = self.now.as_ref().map(|(_, now)| &**now);
        let Some(question) = question(self.playing.as_ref(), now, self.sent, self.pace) else {
            // Somebody who has seen enough does not wait for what comes next.
            let hurries = matches!(happened, Happened::Key(KeyCode::Char(' ') | KeyCode::Enter));
            if self.hands.is_reading() || !hurries || !self.hurry(at) {
                asking::read(&self.story, &mut self.hands, happened);
            }
            return None;
        };
        match asking::react(&question, &self.story, &mut self.hands, happened)? {
            Answer::Move(decided) => {
                self.sent = now.and_then(turn);
                self.hands.void();
                Some(Wish::Want(Want::Decide(decided)))
            }
            Answer::TimeUp | Answer::Stop => None,
        }
    }

    fn out_or_back(&self) -> Want {
        let mine = self.now.as_ref().and_then(|(_, now)| now.ring.player(now.me?));
        if mine.is_some_and(|player| player.out.is_some() || player.leaving) { Want::Return } else { Want::SitOut }
    }

    fn offer_chips(&mut self) {
        match self.to_buy() {
            Err(why) => self.hands.notify(why),
            Ok(coins) => {
                let amount = grouped(coins.0);
                let text = [
                    format!("{amount} coins from your wallet become chips."),
                    "If you are in a hand, you get them when it is over.".to_owned(),
                ];
                let text = text.map(|line| Line::raw(self.look.plain(&line))).to_vec();
                let window = Window::new(format!("Buy {amount} chips?"), text, "Enter buys, any other key cancels");
                self.window = Some((window, Asking::Rebuy(coins)));
            }
        }
    }

    /// The question before somebody leaves.
    fn sure(&self) -> Window {
        let line = |text: &str| Line::raw(self.look.plain(text));
        if self.me().is_none() {
            return Window::new("Stop watching?", Vec::new(), "Enter stops, any other key cancels");
        }
        let text = [
            "Your chips and your bond go back to your wallet. If you are in a hand, you play it to its end first.",
            "",
            "To come back later instead, press Esc, then o to sit out, then Ctrl-C. Continue with",
            &self.way_back,
        ];
        Window::new("Leave the table?", text.map(line).to_vec(), "Enter leaves, any other key cancels")
    }

    fn agreed(&self, asking: Asking) -> Wish {
        match asking {
            Asking::Leave if self.me().is_none() => Wish::Go,
            Asking::Leave => Wish::Want(Want::Leave),
            Asking::Rebuy(coins) => Wish::Want(Want::Rebuy(coins)),
        }
    }
}
