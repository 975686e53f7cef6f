//! Names at one table: no two players there have the same name, or names that look alike.

#[cfg(feature = "lookalikes")]
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
#[cfg(feature = "lookalikes")]
use unicode_security::skeleton;

use super::LONGEST_NAME;

/// A form that is equal for names people would mix up, no matter which letters they are written with (Unicode
/// Technical Standard 39; case, accents and spaces make no difference either).
#[cfg(feature = "lookalikes")]
fn looks(name: &str) -> String {
    let plain = |text: String| -> String {
        let seen = |c: &char| !c.is_whitespace() && !is_combining_mark(*c);
        text.nfkd().filter(seen).flat_map(char::to_lowercase).collect()
    };
    let name = plain(name.to_owned());
    plain(skeleton(&name).collect())
}

/// The same where nobody wants to be mistaken for another: case and spaces make no difference.
#[cfg(not(feature = "lookalikes"))]
fn looks(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// A name that looks like none of these: the name itself, or with a number after it.
pub(super) fn distinct(name: &str, others: &[String]) -> String {
    let others: Vec<String> = others.iter().map(|other| looks(other)).collect();
    let is_free = |name: &String| !others.contains(&looks(name));
    let numbered = (2_u8..).map(|number| {
        let number = format!(" ({number})");
        let room = LONGEST_NAME.saturating_sub(number.len());
        let name: String = name.chars().take(room).collect();
        format!("{}{number}", name.trim_end())
    });
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    names.find(is_free).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_text;

    #[cfg(feature = "lookalikes")]
    #[test]
    fn names_that_people_would_mix_up_look_alike() {
        // Cyrillic, full width, mathematical, with an accent or a blank, digits for letters.
        for other in ["Anna", "anna", "ANNA", "Аnna", "Ａｎｎａ", "𝐀𝐧𝐧𝐚", "Ánna", "An na", " Anna ", "Anna\u{331}"]
        {
            assert_eq!(looks(other), looks("Anna"), "{other}");
        }
        assert_eq!(looks("Bi11"), looks("Bill"));
        assert_eq!(looks("Оtto"), looks("0tto"));
        for other in ["Ann", "Hanna", "Anna2", "アンナ", "♥"] {
            assert_ne!(looks(other), looks("Anna"), "{other}");
        }
    }

    #[test]
    fn the_second_of_a_name_gets_a_number() {
        let others = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(distinct("Anna", &others(&["Bert"])), "Anna");
        assert_eq!(distinct("Anna", &others(&["anna", "Bert"])), "Anna (2)");
        assert_eq!(distinct("Anna", &others(&["Anna", "anna (2)"])), "Anna (3)");
        let long = "x".repeat(LONGEST_NAME);
        let second = distinct(&long, &others(&[&long]));
        assert!(second.ends_with(" (2)") && check_text(&second, LONGEST_NAME).is_ok(), "{second}");
    }
}
