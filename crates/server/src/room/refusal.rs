//! Why a table does not take what somebody wants.

use core::fmt;

use table::{Height, Seat};

use crate::lang::{Lang, Said};

/// Why something is not taken. Tells nothing that the asker may not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No such chair.
    NoSuchSeat,
    /// Somebody sits there.
    Taken(Seat),
    /// He sits at this table already.
    SeatedAlready(Seat),
    /// He does not sit at this table.
    NotSeated,
    /// Only the owner may do that.
    NotOwner,
    /// There are empty chairs.
    EmptyChairs(u8),
    /// Nobody sits there but computers.
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
        /// The table is here.
        now: Height,
        /// It answers this.
        got: Height,
    },
    /// Another deal lies on the table.
    OtherDeal,
    /// It is not his turn.
    NotAsked,
    /// He has chosen just that already.
    ChosenAlready,
    /// This table gives no hints.
    NoHints,
    /// It was given a hint here already.
    HintedAlready,
    /// It cannot be understood as a move of this game.
    NotAMove(String),
    /// The game refuses it.
    Illegal(Said),
    /// Seeds: not 64 hexadecimal digits.
    NotHex,
    /// Seeds: the house refuses.
    Seed(dealers::house::Refusal),
    /// A name or text that is empty, or too long.
    Text {
        /// The most letters.
        most: usize,
    },
    /// Nobody has said that this player is away.
    NotAway,
    /// The owner has muted this player.
    Muted,
    /// This player has said as much as can be kept.
    SaidEnough,
    /// The log has become too long.
    Full,
    /// The table was made by a program with other rules.
    OtherRules,
    /// The entry makes no sense: the log is damaged.
    Damaged(&'static str),
}

impl Refusal {
    /// For programs: a word that stays the same.
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

    /// Can the same be taken at another height of the log?
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
            Self::Taken(_) => lang.pick("somebody sits there already", "dort sitzt schon jemand").to_owned(),
            Self::SeatedAlready(_) => {
                lang.pick("you sit at this table already", "du sitzt schon an diesem Tisch").to_owned()
            }
            Self::NotSeated => lang.pick("you do not sit at this table", "du sitzt nicht an diesem Tisch").to_owned(),
            Self::NotOwner => lang
                .pick("only who made the table may do that", "das darf nur, wer den Tisch aufgemacht hat")
                .to_owned(),
            Self::EmptyChairs(count) => match lang {
                Lang::En => format!("{count} seats are still empty: wait for players, or fill them with computers"),
                Lang::De => format!("{count} Plätze sind noch leer: warte auf Mitspieler oder setze Computer hin"),
            },
            Self::Nobody => lang
                .pick(
                    "nobody sits at this table but computers: sit down first",
                    "an diesem Tisch sitzen nur Computer: setze dich erst hin",
                )
                .to_owned(),
            Self::Begun => lang.pick("the match has begun", "die Partie läuft schon").to_owned(),
            Self::NotBegun => lang.pick("the match has not begun yet", "die Partie hat noch nicht begonnen").to_owned(),
            Self::Over => lang.pick("the match is over", "die Partie ist zu Ende").to_owned(),
            Self::NotOver => lang.pick("the match is not over yet", "die Partie ist noch nicht zu Ende").to_owned(),
            Self::Height { now, got } => match lang {
                Lang::En => format!("that answers height {got}, but the table is at height {now}"),
                Lang::De => format!("das gehört zu Stand {got}, der Tisch ist aber bei {now}"),
            },
            Self::OtherDeal => lang.pick("another deal is on the table", "es läuft schon ein anderes Spiel").to_owned(),
            Self::NotAsked => lang.pick("it is not your turn", "du bist nicht an der Reihe").to_owned(),
            Self::ChosenAlready => lang.pick("you have chosen that already", "das hast du schon gewählt").to_owned(),
            Self::NoHints => {
                lang.pick("there are no hints at this table", "an diesem Tisch gibt es keine Tipps").to_owned()
            }
            Self::HintedAlready => {
                lang.pick("you have had a hint here already", "du hast hier schon einen Tipp bekommen").to_owned()
            }
            Self::NotAMove(why) => match lang {
                Lang::En => format!("this is not a move of the game: {why}"),
                Lang::De => format!("das ist kein Zug dieses Spiels: {why}"),
            },
            Self::Illegal(said) => said.get(lang).to_owned(),
            Self::NotHex => {
                lang.pick("64 hexadecimal digits are expected", "64 Hexadezimalziffern werden erwartet").to_owned()
            }
            Self::Seed(why) => match lang {
                Lang::En => format!("the seed: {why}"),
                Lang::De => format!("der Startwert: {why}"),
            },
            Self::Text { most } => match lang {
                Lang::En => format!("it must have from 1 to {most} characters"),
                Lang::De => format!("es muss zwischen 1 und {most} Zeichen haben"),
            },
            Self::NotAway => lang.pick("you are not away", "du bist nicht abwesend").to_owned(),
            Self::Muted => {
                lang.pick("the table's owner has muted you", "du wurdest an diesem Tisch stumm geschaltet").to_owned()
            }
            Self::SaidEnough => lang
                .pick(
                    "you have said as much as this table can keep",
                    "mehr von dir kann dieser Tisch nicht aufbewahren",
                )
                .to_owned(),
            Self::Full => lang
                .pick(
                    "too much has happened at this table: it takes no more, make another one",
                    "an diesem Tisch ist zu viel geschehen: er nimmt nichts mehr an, mache einen neuen auf",
                )
                .to_owned(),
            Self::OtherRules => lang
                .pick(
                    "this table was made under other rules and cannot go on",
                    "dieser Tisch wurde unter anderen Regeln aufgemacht und kann nicht weitergehen",
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
