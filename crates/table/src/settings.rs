//! The settings of a match, with names, defaults and ranges.
//!
//! A game lists its settings once, with [`settings!`](crate::settings!); the list generates the struct, its
//! defaults, the parser of `key=value`, the range checks, and what `fairdeal games` prints.
//!
//! A setting can be a *preset*: its values stand for values of other settings, its followers. A value given for a
//! follower wins over the preset; a follower without one takes the preset's. A `Settings` always holds the values in
//! force.

use core::fmt;

use serde::Serialize;

/// A setting that is out of range: its name, and what it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSetting {
    /// The setting's name.
    pub field: &'static str,
    /// What it may be, in words.
    pub expected: String,
}

impl BadSetting {
    /// `field` must be `expected`.
    pub fn new(field: &'static str, expected: impl Into<String>) -> Self {
        Self { field, expected: expected.into() }
    }
}

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.field, self.expected)
    }
}

impl core::error::Error for BadSetting {}

/// Why a `key=value` was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetError {
    /// No setting has this name; these exist.
    Unknown(Vec<&'static str>),
    /// The setting cannot have this value.
    Bad(BadSetting),
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(known) => write!(f, "no such setting; the settings are {}", known.join(", ")),
            Self::Bad(bad) => bad.fmt(f),
        }
    }
}

impl core::error::Error for SetError {}

/// What values a setting can have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// A whole number from `least` to `most`, or 0 if `or_zero` is set.
    Whole {
        /// Smallest.
        least: i64,
        /// Largest.
        most: i64,
        /// Also 0, which then means "off" or "automatic".
        or_zero: bool,
    },
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Words(Vec<&'static str>),
    /// A list of whole numbers in this range, separated by commas; may be empty.
    Numbers {
        /// Smallest.
        least: i64,
        /// Largest.
        most: i64,
    },
}

impl Range {
    /// From `least` to `most`.
    pub const fn whole(least: i64, most: i64) -> Self {
        Self::Whole { least, most, or_zero: false }
    }

    /// 0, or from `least` to `most`.
    pub const fn or_zero(least: i64, most: i64) -> Self {
        Self::Whole { least, most, or_zero: true }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { least, most, or_zero: true } if *least > 1 => write!(f, "0 or from {least} to {most}"),
            Self::Whole { least, most, or_zero } => write!(f, "from {} to {most}", if *or_zero { 0 } else { *least }),
            Self::Flag => f.write_str("true or false"),
            Self::Words(words) => f.write_str(&words.join(" or ")),
            Self::Numbers { least, most } => write!(f, "a list of numbers from {least} to {most}"),
        }
    }
}

/// One setting, described.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its value if not set.
    pub default: String,
    /// What it can be.
    pub range: Range,
    /// The preset that sets it if it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<&'static str>,
}

/// The settings of a game. Made by [`settings!`](crate::settings!).
pub trait Settings: Clone + fmt::Debug + PartialEq + Default + Serialize + serde::de::DeserializeOwned + Send {
    /// The preset, if the game has one.
    const PRESET: Option<&'static str>;

    /// All of them; a preset comes before its followers.
    fn described() -> Vec<Described>;
    /// Sets one from text. A preset sets its followers as well, so it has to be set before them.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SetError>;

    /// From names and values in any order: a preset never changes a setting that is given as well. An error names the pair.
    fn from_pairs<'a>(pairs: &[(&'a str, &'a str)]) -> Result<Self, (usize, SetError)> {
        let mut settings = Self::default();
        let is_preset = |name: &str| Some(name) == Self::PRESET;
        let (presets, others): (Vec<_>, Vec<_>) = pairs.iter().enumerate().partition(|(_, (name, _))| is_preset(name));
        for (at, (name, value)) in presets.into_iter().chain(others) {
            settings.set(name, value).map_err(|why| (at, why))?;
        }
        Ok(settings)
    }

    /// Seconds a seat has to act, if there is a limit.
    fn action_timeout(&self) -> Option<u64>;
    /// Checks every range. Checks that involve several settings or the number of players are up to the game.
    fn check_ranges(&self) -> Result<(), BadSetting>;
}

/// A type that a setting can have.
pub trait Value: Sized {
    /// From text, without checking the range.
    fn parse(text: &str) -> Option<Self>;
    /// To text.
    fn text(&self) -> String;
    /// Whether it is in the range.
    fn fits(&self, range: &Range) -> bool;
}

impl Value for i64 {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
    fn fits(&self, range: &Range) -> bool {
        matches!(range, Range::Whole { least, most, or_zero }
            if (least..=most).contains(&self) || (*or_zero && *self == 0))
    }
}

impl Value for crate::Chips {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
    fn text(&self) -> String {
        self.0.to_string()
    }
    fn fits(&self, range: &Range) -> bool {
        self.0.fits(range)
    }
}

impl Value for bool {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
    fn fits(&self, _: &Range) -> bool {
        true
    }
}

impl Value for Vec<u16> {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(|c| c == '[' || c == ']');
        let words = text.split(',').map(str::trim).filter(|w| !w.is_empty() && *w != "none");
        words.map(|w| w.parse().ok()).collect()
    }
    fn text(&self) -> String {
        if self.is_empty() {
            return "none".to_owned();
        }
        self.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
    }
    fn fits(&self, range: &Range) -> bool {
        matches!(range, Range::Numbers { least, most }
            if self.iter().all(|n| (*least..=*most).contains(&i64::from(*n))))
    }
}

/// Defines an enum of words that a setting can be: `words! { /// doc pub enum Soft17 { Stand = "stand", Hit = "hit" } }`.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, ::serde::Serialize, ::serde::Deserialize)]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// The words, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::Value for $name {
            fn parse(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$variant),)+ _ => None }
            }
            fn text(&self) -> String {
                match self { $(Self::$variant => $word.to_owned()),+ }
            }
            fn fits(&self, _: &$crate::Range) -> bool {
                true
            }
        }
    };
}

/// Reads what is there: unlike an `Option` by itself, `null` is refused.
#[doc(hidden)]
pub fn present<'de, T: serde::Deserialize<'de>, D: serde::Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Defines the settings of a game. Adds the three that every game has to those listed.
///
/// After the struct can stand `preset SETTING fills FOLLOWER, ..;`. The type of that setting has a method
/// `fill(&self, &mut Settings)`, which sets the followers, all of which stand after it.
///
/// ```
/// use table::{Range, Settings as _};
/// table::words! {
///     /// What the bank does on a soft 17.
///     pub enum Soft17 {
///         /// Stands.
///         Stand = "stand",
///         /// Draws.
///         Hit = "hit",
///     }
/// }
/// table::settings! {
///     /// A small game.
///     pub struct Settings {
///         /// Rounds of a match.
///         rounds: i64 = 10, Range::whole(1, 100);
///         /// What the bank does on a soft 17.
///         soft17: Soft17 = Soft17::Stand, Range::Words(Soft17::WORDS.to_vec());
///     }
/// }
/// let mut settings = Settings::default();
/// settings.set("rounds", "20").unwrap();
/// assert_eq!(settings.set("rounds", "0").unwrap_err().to_string(), "rounds must be from 1 to 100");
/// ```
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* pub struct $name:ident {
        $(#[doc = $about:literal] $field:ident: $type:ty = $default:expr, $range:expr;)*
    } $(preset $preset:ident fills $($follower:ident),+;)?) => {
        $crate::settings! { @all $(#[$meta])* pub struct $name {
            #[doc = " Seconds a player has to act; 0 means no limit."]
            action_timeout: i64 = 30, $crate::Range::or_zero(10, 300);
            #[doc = " A player who misses this many turns in a row is marked away."]
            away_after: i64 = 3, $crate::Range::whole(1, 10);
            #[doc = " Who plays for a player who has left."]
            on_leave: $crate::OnLeave = $crate::OnLeave::DefaultActions, $crate::Range::Words($crate::OnLeave::WORDS.to_vec());
            $(#[doc = $about] $field: $type = $default, $range;)*
        } $(preset $preset fills $($follower),+;)? }
    };
    (@all $(#[$meta:meta])* pub struct $name:ident {
        $(#[doc = $about:literal] $field:ident: $type:ty = $default:expr, $range:expr;)*
    } $(preset $preset:ident fills $($follower:ident),+;)?) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        pub struct $name { $(#[doc = $about] pub $field: $type),* }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use $crate::present;
                #[derive(::serde::Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Given {
                    $(#[serde(default, deserialize_with = "present")] $field: Option<$type>),*
                }
                let given = Given::deserialize(from)?;
                let mut settings = Self::default();
                $(if let Some(preset) = &given.$preset {
                    preset.fill(&mut settings);
                })?
                $(if let Some(value) = given.$field {
                    settings.$field = value;
                })*
                Ok(settings)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $crate::Settings for $name {
            const PRESET: Option<&'static str> = {
                let presets: &[&'static str] = &[$(stringify!($preset))?];
                presets.first().copied()
            };

            fn described() -> Vec<$crate::Described> {
                let default = Self::default();
                let followers: &[&'static str] = &[$($(stringify!($follower)),+)?];
                vec![$($crate::Described {
                    name: stringify!($field),
                    about: $about.trim_ascii(),
                    default: $crate::Value::text(&default.$field),
                    range: $range,
                    follows: Self::PRESET.filter(|_| followers.contains(&stringify!($field))),
                }),*]
            }

            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::SetError> {
                match name {
                    $(stringify!($field) => {
                        let range = $range;
                        let bad = || $crate::SetError::Bad($crate::BadSetting::new(stringify!($field), range.to_string()));
                        let value = <$type as $crate::Value>::parse(value).ok_or_else(bad)?;
                        if !$crate::Value::fits(&value, &range) {
                            return Err(bad());
                        }
                        self.$field = value;
                    })*
                    _ => return Err($crate::SetError::Unknown(vec![$(stringify!($field)),*])),
                }
                $(if name == stringify!($preset) {
                    let preset = self.$preset;
                    preset.fill(self);
                })?
                Ok(())
            }

            fn action_timeout(&self) -> Option<u64> {
                u64::try_from(self.action_timeout).ok().filter(|seconds| *seconds > 0)
            }

            fn check_ranges(&self) -> Result<(), $crate::BadSetting> {
                $({
                    let range = $range;
                    if !$crate::Value::fits(&self.$field, &range) {
                        return Err($crate::BadSetting::new(stringify!($field), range.to_string()));
                    }
                })*
                Ok(())
            }
        }
    };
}

words! {
    /// Who plays for a player who has left.
    pub enum OnLeave {
        /// The game's default actions.
        DefaultActions = "default_actions",
        /// A computer.
        Bot = "bot",
    }
}
