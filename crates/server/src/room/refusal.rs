//! Why a table refuses a command.

use core::fmt;

use table::{Height, Seat};

use crate::lang::{Lang, Said};

/// Why something is refused. Reveals nothing that the player may not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such seat.
    NoSuchSeat,
    /// The seat is taken.
    Taken(Seat),
    /// The player already sits at this table.
    SeatedAlready(Seat),
    /// The player does not sit at this table.
    NotSeated,
    /// Only the owner may do that.
    NotOwner,
    /// There are empty seats.
    EmptyChairs(u8),
    /// Only computers sit here.
    Nobody,
    /// The match has begun.
    Begun,
    /// The match has not begun.
    NotBegun,
    /// The match is over.
    Over,
    /// The match is not over yet.
    NotOver,
    /// It answers another height.
    Height {
        /// The height of the table.
        now: Height,
        /// The height it answers.
        got: Height,
    },
    /// Another deal is on the table.
    OtherDeal,
    /// It is not the player's turn.
    NotAsked,
    /// The player has already made exactly this choice.
    ChosenAlready,
    /// This table gives no hints.
    NoHints,
    /// The seat has already had a hint here.
    HintedAlready,
    /// It is not a move of this game.
    NotAMove(String),
    /// The game refuses it.
    Illegal(Said),
    /// Seeds: not 64 hexadecimal digits.
    NotHex,
    /// Seeds: the house refuses.
    Seed(dealers::house::Refusal),
    /// A name or text that is empty or too long.
    Text {
        /// The most characters.
        most: usize,
    },
    /// The player is not marked away.
    NotAway,
    /// The owner has muted this player.
    Muted,
    /// The player has used up their share of the chat.
    SaidEnough,
    /// The log has become too long.
    Full,
    /// The table was created under other rules.
    OtherRules,
    /// The entry makes no sense: the log is damaged.
    Damaged(&'static str),
}

impl Refusal {
    /// For programs: a code that never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchSeat => "no_such_seat",
            Self::Taken(_) => "taken",
            Self::SeatedAlready(_) => "seated_already",
            Self::NotSeated => "not_seated",
            Self::NotOwner => "not_owner",
            Self::EmptyChairs(_) => "empty_chairs",
            Self::Nobody => "nobody",
            Self::Begun => "begun",
            Self::NotBegun => "not_begun",
            Self::Over => "over",
            Self::NotOver => "not_over",
            Self::Height { .. } => "height",
            Self::OtherDeal => "other_deal",
            Self::NotAsked => "not_asked",
            Self::ChosenAlready => "chosen_already",
            Self::NoHints => "no_hints",
            Self::HintedAlready => "hinted_already",
            Self::NotAMove(_) => "not_a_move",
            Self::Illegal(_) => "illegal",
            Self::NotHex => "not_hex",
            Self::Seed(_) => "seed",
            Self::Text { .. } => "text",
            Self::NotAway => "not_away",
            Self::Muted => "muted",
            Self::SaidEnough => "said_enough",
            Self::Full => "full",
            Self::OtherRules => "other_rules",
            Self::Damaged(_) => "damaged",
        }
    }

    /// Whether the same could be accepted at another height of the log.
    pub(crate) const fn may_pass(&self) -> bool {
        match self {
            Self::Taken(_)
            | Self::SeatedAlready(_)
            | Self::NotSeated
            | Self::NotOwner
            | Self::EmptyChairs(_)
            | Self::Nobody
            | Self::Begun
            | Self::NotBegun
            | Self::Over
            | Self::NotOver
            | Self::Height { .. }
            | Self::OtherDeal
            | Self::NotAsked
            | Self::ChosenAlready
            | Self::NoHints
            | Self::HintedAlready
            | Self::NotAway
            | Self::Muted
            | Self::Seed(_) => true,
            Self::NoSuchSeat
            | Self::NotAMove(_)
            | Self::Illegal(_)
            | Self::NotHex
            | Self::Text { .. }
            | Self::SaidEnough
            | Self::Full
            | Self::OtherRules
            | Self::Damaged(_) => false,
        }
    }

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
            Self::Illegal(said) => said.get(lang).to_owned(),
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
