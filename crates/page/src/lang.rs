//! The two languages of the user interface.
//!
//! Texts are written where they are used, in both languages side by side: [`Lang::pick`] for fixed texts, a `match`
//! for texts that are put together.

use serde::{Deserialize, Serialize};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Self; 2] = [Self::En, Self::De];

    /// Its code, as pages and browsers write it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }

    /// The language with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// The language a browser prefers, from its `Accept-Language` header: the first one we have.
    pub fn preferred(header: &str) -> Self {
        let wanted = header.split(',').map(|part| part.split([';', '-']).next().unwrap_or_default().trim());
        wanted.filter_map(|code| Self::from_code(&code.to_ascii_lowercase())).next().unwrap_or_default()
    }

    /// A number with one decimal place; German uses a comma.
    pub fn decimal(self, number: f64) -> String {
        let text = format!("{number:.1}");
        match self {
            Self::En => text,
            Self::De => text.replace('.', ","),
        }
    }

    /// One of two texts.
    pub const fn pick<'a>(self, english: &'a str, german: &'a str) -> &'a str {
        match self {
            Self::En => english,
            Self::De => german,
        }
    }
}

/// A text in both languages, for texts that are written once and read by many.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    english: String,
    german: String,
}

impl Said {
    /// Builds the text in every language.
    pub fn each(say: impl Fn(Lang) -> String) -> Self {
        Self { english: say(Lang::En), german: say(Lang::De) }
    }

    /// The text in this language.
    pub fn get(&self, lang: Lang) -> &str {
        lang.pick(&self.english, &self.german)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_language_is_used() {
        assert_eq!(Lang::preferred("de-AT,de;q=0.9,en;q=0.8"), Lang::De);
        assert_eq!(Lang::preferred("fr, en;q=0.5, de;q=0.1"), Lang::En);
        assert_eq!(Lang::preferred("fr"), Lang::En);
        assert_eq!(Lang::preferred(""), Lang::En);
    }

    #[test]
    fn german_numbers_have_a_comma() {
        assert_eq!(Lang::ALL.map(|lang| lang.decimal(4.96)), ["5.0", "5,0"]);
    }
}
