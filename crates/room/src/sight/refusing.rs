//! Why a table refuses a command, in words.

use core::fmt;

use games::AnyGame;
use page::{Lang, Page};

use crate::{Illegal, Refusal};

impl Refusal {
    /// In words.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Self::NoSuchSeat => lang.pick("there is no such seat", "diesen Platz gibt es nicht").to_owned(),
            Self::Taken(_) => lang.pick("this seat is already taken", "dieser Platz ist schon besetzt").to_owned(),
            Self::SeatedAlready(_) => {
                lang.pick("you are already sitting at this table", "du sitzt schon an diesem Tisch").to_owned()
            }
            Self::NotSeated => {
                lang.pick("you are not sitting at this table", "du sitzt nicht an diesem Tisch").to_owned()
            }
            Self::NotOwner => {
                lang.pick("only the table's owner can do that", "das darf nur, wem der Tisch gehört").to_owned()
            }
            Self::EmptyChairs(count) => match lang {
                Lang::En => format!("{count} seats are still empty: wait for players or add computers"),
                Lang::De => format!("{count} Plätze sind noch leer: warte auf weitere Leute oder füge Computer hinzu"),
            },
            Self::Nobody => lang
                .pick(
                    "only computers sit at this table: sit down first",
                    "an diesem Tisch sitzen nur Computer: setz dich erst dazu",
                )
                .to_owned(),
            Self::Begun => lang.pick("the match has already begun", "die Partie läuft schon").to_owned(),
            Self::NotBegun => lang.pick("the match has not begun yet", "die Partie hat noch nicht begonnen").to_owned(),
            Self::Over => lang.pick("the match is over", "die Partie ist zu Ende").to_owned(),
            Self::NotOver => lang.pick("the match is not over yet", "die Partie ist noch nicht zu Ende").to_owned(),
            Self::Height { now, got } => match lang {
                Lang::En => format!("that is for height {got}, but the table is at height {now}"),
                Lang::De => format!("das gilt für Stand {got}, der Tisch ist aber schon bei {now}"),
            },
            Self::OtherDeal => {
                lang.pick("a different deal is on the table", "es läuft schon ein anderes Spiel").to_owned()
            }
            Self::NotAsked => lang.pick("it is not your turn", "du bist nicht dran").to_owned(),
            Self::ChosenAlready => lang.pick("you have already chosen that", "das hast du schon gewählt").to_owned(),
            Self::NoHints => {
                lang.pick("there are no hints at this table", "an diesem Tisch gibt es keine Tipps").to_owned()
            }
            Self::HintedAlready => {
                lang.pick("you have already had a hint here", "hier hast du schon einen Tipp bekommen").to_owned()
            }
            Self::NotAMove(why) => match lang {
                Lang::En => format!("this is not a move in this game: {why}"),
                Lang::De => format!("diesen Zug gibt es in diesem Spiel nicht: {why}"),
            },
            Self::Illegal(why) => illegal(why, lang),
            Self::NotHex => {
                lang.pick("expected 64 hexadecimal digits", "hier müssen 64 Hexadezimalziffern stehen").to_owned()
            }
            Self::Seed(why) => match lang {
                Lang::En => format!("the seed: {why}"),
                Lang::De => format!("der Startwert: {why}"),
            },
            Self::Text { most } => match lang {
                Lang::En => format!("it must have 1 to {most} characters"),
                Lang::De => format!("es müssen 1 bis {most} Zeichen sein"),
            },
            Self::NotAway => lang.pick("you are not marked away", "du giltst nicht als abwesend").to_owned(),
            Self::Muted => {
                lang.pick("the table's owner has muted you", "du wurdest an diesem Tisch stumm geschaltet").to_owned()
            }
            Self::SaidEnough => lang
                .pick(
                    "you have used up your share of this table's chat",
                    "du hast deinen Anteil am Chat dieses Tisches aufgebraucht",
                )
                .to_owned(),
            Self::Full => lang
                .pick(
                    "this table's log is full: create a new table",
                    "das Protokoll dieses Tisches ist voll: eröffne einen neuen Tisch",
                )
                .to_owned(),
            Self::OtherRules => lang
                .pick(
                    "this table was created under other rules and cannot continue",
                    "dieser Tisch wurde mit anderen Regeln eröffnet und kann nicht weitergespielt werden",
                )
                .to_owned(),
            Self::Damaged(why) => format!("the log of this table is damaged: {why}"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

impl core::error::Error for Refusal {}

/// Why the rules refuse, as the page of the game says it.
fn illegal(why: &Illegal, lang: Lang) -> String {
    let said = |game: &AnyGame| games::with_game!(*game, G => why.of::<G>().map(|why| G::refusal(why, lang)));
    AnyGame::ALL.iter().find_map(said).unwrap_or_else(|| format!("{why:?}"))
}
