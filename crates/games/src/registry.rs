//! The list of games, as an enum and as types.

/// Defines [`AnyGame`](crate::AnyGame) and [`with_game!`](crate::with_game!) from the list of games.
macro_rules! games {
    ($($module:ident::$variant:ident,)+) => {
        /// A game chosen at run time.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum AnyGame {
            $(#[doc = concat!("[`", stringify!($module), "`]")] $variant,)+
        }

        impl AnyGame {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// What commands and records call it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => <$module::$variant as table::Game>::NAME),+ }
            }

            /// The game with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|game| game.name() == name)
            }
        }

        /// The types behind [`AnyGame`](crate::AnyGame), by its names.
        pub mod types {
            $(pub use super::$module::$variant;)+
        }

        $crate::registry::with_game! { ($) $($variant)+ }
    };
}

/// Defines the exported macro; `$d` stands for a dollar sign, which a nested macro cannot write itself.
macro_rules! with_game {
    (($d:tt) $($variant:ident)+) => {
        /// Runs an expression with a type that stands for the game.
        ///
        /// ```
        /// use games::AnyGame;
        /// use table::Game;
        /// let title = games::with_game!(AnyGame::Blackout, G => G::TITLE);
        /// assert_eq!(title, "Blackout");
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d any:expr, $d game:ident => $d body:expr) => {
                match $d any {
                    $($d crate::AnyGame::$variant => {
                        type $d game = $d crate::types::$variant;
                        $d body
                    })+
                }
            };
        }
    };
}

pub(crate) use {games, with_game};
