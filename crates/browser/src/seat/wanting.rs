//! What a person wants.

use page::Lang;
use peer::Fresh;
use peer::frame::ToHub;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Around, Seat, Stage, send};
use crate::call::Effect;
use crate::kept::random;
use crate::matched::Clicked;

/// Something that a person wants.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Want {
    /// The host: to start the match with everybody who is there.
    Start,
    /// To accept the match on offer.
    Accept,
    /// To give up the seat, or to concede the match.
    Leave,
    /// To say something, beside the log.
    Chat(String),
    /// To let somebody in who knocks, or not.
    Admit(u32),
    Decline(u32),
    /// To make a move.
    Act(Value),
    /// To make a secret choice.
    Choose(Value),
    /// That a simple computer plays for them from now on, or no longer.
    Auto(bool),
    /// To end a match that nobody can finish.
    Abandon,
    /// To play again at this table.
    Again(String),
    /// To see the page of the match, in this language.
    Draw(Lang),
    /// What was done on that page: the message that a server would get.
    Page(String),
}

impl Seat {
    /// Does what a person wants, or says why not.
    pub(super) fn want(&mut self, wanted: &str, around: &mut Around, effects: &mut Vec<Effect>) -> Result<(), String> {
        let want: Want = serde_json::from_str(wanted).map_err(|why| format!("nobody can want this: {why}"))?;
        let fresh = Fresh { nonce: random(&mut around.rng), aux: random(&mut around.rng) };
        self.changed = true;
        match (want, &mut self.stage) {
            (Want::Start, Stage::Before(foyer)) => {
                let offer =
                    self.kept.offer.as_ref().and_then(|offer| offer.offer()).ok_or("only the host can start")?;
                foyer.start(&offer, false).map_err(|why| why.to_string())
            }
            (Want::Accept, Stage::Before(foyer)) => {
                foyer.accept();
                Ok(())
            }
            (Want::Leave, Stage::Before(foyer)) => {
                foyer.leave();
                Ok(())
            }
            (Want::Chat(text), Stage::Before(foyer)) => {
                let words = foyer.guest.chat(&text, around.clock, &fresh).map_err(|why| why.to_string())?;
                effects.push(send(&ToHub::Beside { to: 0, words }));
                Ok(())
            }
            (Want::Admit(number), Stage::Before(_)) => {
                let words = self.door.admit(number, &self.keys.ticket.key, random(&mut around.rng));
                let words = words.ok_or("nobody with these words is at the door")?;
                effects.push(send(&ToHub::Beside { to: number, words }));
                Ok(())
            }
            (Want::Decline(number), Stage::Before(_)) => {
                let words = self.door.turn_away(number).ok_or("nobody with this number is at the door")?;
                effects.push(send(&ToHub::Beside { to: number, words }));
                Ok(())
            }
            (Want::Leave, Stage::Match(matched)) => {
                matched.leave();
                Ok(())
            }
            (Want::Chat(text), Stage::Match(matched)) => {
                let words = matched.chat(&text, around.clock, &fresh)?;
                effects.push(send(&ToHub::Beside { to: 0, words }));
                Ok(())
            }
            (Want::Act(action), Stage::Match(matched)) => matched.decide(false, action),
            (Want::Choose(choice), Stage::Match(matched)) => matched.decide(true, choice),
            (Want::Auto(auto), _) => {
                self.auto = auto;
                Ok(())
            }
            (Want::Abandon, Stage::Match(matched)) => {
                matched.abandon();
                Ok(())
            }
            (Want::Again(ticket), Stage::Match(matched)) => {
                let ticket = ticket.parse().map_err(|why: peer::BadTicket| why.to_string())?;
                if matched.again(ticket) { Ok(()) } else { Err("the match is not over".to_owned()) }
            }
            (Want::Draw(lang), Stage::Match(matched)) => {
                matched.draw(lang);
                Ok(())
            }
            (Want::Page(message), Stage::Match(matched)) => {
                match matched.clicked(&message, &self.post, around.now) {
                    Ok(Clicked { told, said }) => {
                        self.page.extend(told);
                        if let Some(text) = said {
                            let words = matched.chat(&text, around.clock, &fresh)?;
                            effects.push(send(&ToHub::Beside { to: 0, words }));
                        }
                    }
                    Err(why) => self.page.push(json!({ "refused": why })),
                }
                Ok(())
            }
            (
                Want::Act(_) | Want::Choose(_) | Want::Abandon | Want::Again(_) | Want::Draw(_) | Want::Page(_),
                Stage::Before(_),
            ) => Err("no match has begun".to_owned()),
            (Want::Start | Want::Accept | Want::Admit(_) | Want::Decline(_), Stage::Match(_)) => {
                Err("the match has begun".to_owned())
            }
        }
    }
}
