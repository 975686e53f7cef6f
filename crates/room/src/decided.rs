//! An action or a choice on its way to the table.
//!
//! The log stores its text. What was made in this process keeps its type as well, so that nothing is written only to be
//! read again.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::Refusal;

/// An action or a choice of some game.
#[derive(Clone)]
pub struct Decided {
    text: Box<RawValue>,
    /// The same as a value, if it was made or read by this process.
    value: Option<Arc<dyn Any + Send + Sync>>,
}

impl Decided {
    /// One that was made here.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn new<T: Serialize + Any + Send + Sync>(value: T) -> Result<Self, Refusal> {
        let text = to_raw_value(&value).map_err(|why| Refusal::NotAMove(why.to_string()))?;
        Ok(Self { text, value: Some(Arc::new(value)) })
    }

    /// One that came from outside: if it is one of this game, in the shortest form, as the game itself would write it.
    pub(super) fn read<T: Serialize + DeserializeOwned + Any + Send + Sync>(text: &RawValue) -> Result<Self, Refusal> {
        Self::new(parse::<T>(text)?)
    }

    /// The value.
    pub(super) fn get<T: DeserializeOwned + Clone + Any>(&self) -> Result<T, Refusal> {
        match self.value.as_deref().and_then(<dyn Any + Send + Sync>::downcast_ref::<T>) {
            Some(value) => Ok(value.clone()),
            None => parse(&self.text),
        }
    }

    /// The text.
    pub const fn text(&self) -> &RawValue {
        &self.text
    }
}

fn parse<T: DeserializeOwned>(text: &RawValue) -> Result<T, Refusal> {
    serde_json::from_str(text.get()).map_err(|why| Refusal::NotAMove(why.to_string()))
}

impl fmt::Debug for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.get())
    }
}

impl Serialize for Decided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Decided {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { text: Box::deserialize(deserializer)?, value: None })
    }
}

#[cfg(test)]
mod tests {
    use games::blackout::Action;

    use super::*;

    #[test]
    fn what_was_made_here_is_not_read_again_and_what_was_stored_is() {
        let made = Decided::new(Action::Bid(3)).unwrap();
        assert_eq!(made.get::<Action>(), Ok(Action::Bid(3)));
        assert_eq!(serde_json::to_string(&made).unwrap(), r#"{"bid":3}"#);
        // The value counts, not the text.
        let other = Decided { text: RawValue::from_string("[]".to_owned()).unwrap(), ..made.clone() };
        assert_eq!(other.get::<Action>(), Ok(Action::Bid(3)));
        let stored: Decided = serde_json::from_str(r#"{"bid" : 3}"#).unwrap();
        assert_eq!(stored.get::<Action>(), Ok(Action::Bid(3)));
        assert_eq!(Decided::read::<Action>(stored.text()).unwrap().text().get(), r#"{"bid":3}"#);
    }

    #[test]
    fn what_is_of_another_game_is_refused() {
        let made = Decided::new(games::holdem::Action::Fold).unwrap();
        assert!(matches!(made.get::<Action>(), Err(Refusal::NotAMove(_))));
    }
}
