//! Whole numbers as some programs write them: JSON has only one kind of number, so `7.0` is 7.

use std::borrow::Cow;

/// The same JSON with whole numbers written as such. Text that is not JSON stays as it is.
pub(crate) fn whole(text: &str) -> Cow<'_, str> {
    // Only numbers are changed; text between quotes is left alone.
    if !text.contains(".0") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let (mut shorter, mut taken) = (String::new(), 0);
    let (mut at, mut quoted) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'.' if !quoted => {
                let rest = bytes.get(at + 1..).unwrap_or_default();
                let zeros = rest.iter().take_while(|byte| **byte == b'0').count();
                let goes_on = rest.get(zeros).is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'e' | b'E' | b'.'));
                if zeros > 0 && !goes_on && ends_whole(bytes.get(..at).unwrap_or_default()) {
                    shorter.push_str(text.get(taken..at).unwrap_or_default());
                    at += zeros;
                    taken = at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    shorter.push_str(text.get(taken..).unwrap_or_default());
    Cow::Owned(shorter)
}

/// Whether this ends with a number that has neither a point nor an exponent.
fn ends_whole(bytes: &[u8]) -> bool {
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let mut before = bytes.iter().rev().skip(digits).filter(|byte| **byte != b'-');
    digits > 0 && !before.next().is_some_and(|byte| matches!(byte, b'.' | b'e' | b'E' | b'+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_lose_their_point_and_nothing_else_changes() {
        for (text, expected) in [
            (r#"{"a":7.0}"#, r#"{"a":7}"#),
            ("[7.0, -3.000 ,0.0]", "[7, -3 ,0]"),
            ("7.0", "7"),
            (r#"{"say":{"text":"7.0 \" 7.0 \\"},"n":1.0}"#, r#"{"say":{"text":"7.0 \" 7.0 \\"},"n":1}"#),
            ("[7.05, 7.5, 7.0e1, 1.0E2]", "[7.05, 7.5, 7.0e1, 1.0E2]"),
            ("\"ä 7.0\"", "\"ä 7.0\""),
        ] {
            assert_eq!(whole(text), expected);
        }
    }

    #[test]
    fn text_that_is_not_json_does_not_become_json() {
        for text in ["null.0", "1.0.0", "1e1.0", "1e-1.0", "1E+1.0", "7.", ".0", "-.0", "\"\\", "1.0é", "[1.0", "x1.0"]
        {
            assert!(serde_json::from_str::<serde_json::Value>(&whole(text)).is_err(), "{text}: {}", whole(text));
        }
    }
}
