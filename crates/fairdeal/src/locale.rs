//! What the terminal can show, as the environment says it: which letters, and whether screens at all.

/// May texts have letters beyond ASCII?
///
/// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty names the locale, as POSIX says; without any
/// it is the POSIX locale, which has ASCII only.
pub(crate) fn has_unicode() -> bool {
    // Windows has no such variables, and its terminals know Unicode.
    cfg!(windows) || is_unicode(["LC_ALL", "LC_CTYPE", "LANG"].map(|name| std::env::var(name).unwrap_or_default()))
}

fn is_unicode(variables: [String; 3]) -> bool {
    let locale = variables.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    // LANGUAGE_TERRITORY.CODESET@MODIFIER; macOS also has the codeset alone.
    let codeset = locale.split('@').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    codeset.replace('-', "").eq_ignore_ascii_case("utf8")
}

/// Why this terminal cannot show screens, if it cannot.
pub(crate) fn no_screens() -> Option<String> {
    let term = std::env::var("TERM").unwrap_or_default();
    (!cfg!(windows)).then(|| unable(&term)).flatten()
}

fn unable(term: &str) -> Option<String> {
    let named = match term {
        "" => "TERM is not set".to_owned(),
        "dumb" | "unknown" => format!("TERM={term}"),
        _ => return None,
    };
    Some(format!("play needs a terminal that can show a full screen ({named}); for a browser, run fairdeal serve"))
}

/// A text for people, in plain letters where the locale has no others.
pub(crate) fn shown(text: &str) -> String {
    if has_unicode() { text.to_owned() } else { plain(text) }
}

/// Replaces every letter beyond ASCII by something that reads like it.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii() => plain.push(c),
            '♠' => plain.push('s'),
            '♥' => plain.push('h'),
            '♦' => plain.push('d'),
            '♣' => plain.push('c'),
            '…' => plain.push_str("..."),
            '–' | '—' | '−' | '·' | '•' => plain.push('-'),
            '×' => plain.push('x'),
            '±' => plain.push_str("+/-"),
            '≥' => plain.push_str(">="),
            '≤' => plain.push_str("<="),
            '½' => plain.push_str("1/2"),
            '¼' => plain.push_str("1/4"),
            '“' | '”' | '„' => plain.push('"'),
            '‘' | '’' => plain.push('\''),
            'µ' | 'μ' => plain.push('u'),
            'é' | 'è' => plain.push('e'),
            'ä' => plain.push_str("ae"),
            'ö' => plain.push_str("oe"),
            'ü' => plain.push_str("ue"),
            'Ä' => plain.push_str("Ae"),
            'Ö' => plain.push_str("Oe"),
            'Ü' => plain.push_str("Ue"),
            'ß' => plain.push_str("ss"),
            '★' => plain.push('*'),
            '→' => plain.push_str("->"),
            _ => plain.push('?'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_says_something_counts() {
        let unicode = |all: &str, ctype: &str, lang: &str| is_unicode([all, ctype, lang].map(str::to_owned));
        assert!(unicode("", "", "en_US.UTF-8"));
        assert!(unicode("", "de_DE.utf8", "C"));
        assert!(unicode("C.UTF-8", "C", "C"));
        assert!(unicode("", "UTF-8", ""), "as on macOS");
        assert!(unicode("", "", "ca_ES.UTF-8@valencia"));
        assert!(!unicode("C", "en_US.UTF-8", "en_US.UTF-8"));
        assert!(!unicode("", "POSIX", "en_US.UTF-8"));
        assert!(!unicode("", "", "C"));
        assert!(!unicode("", "", "de_DE@euro"));
        assert!(!unicode("", "", "de_DE.ISO-8859-1"));
        assert!(!unicode("", "", ""), "nothing said means POSIX");
    }

    #[test]
    fn a_terminal_without_screens_is_named_with_what_to_use_instead() {
        assert!(unable("dumb").is_some_and(|why| why.contains("TERM=dumb") && why.contains("fairdeal serve")));
        assert!(unable("").is_some_and(|why| why.contains("TERM is not set")));
        assert_eq!(unable("xterm-256color"), None);
    }

    #[test]
    fn plain_letters_read_like_the_others() {
        assert_eq!(plain("Rommé – 7♠ … “two” ½ ✓"), "Romme - 7s ... \"two\" 1/2 ?");
    }
}
