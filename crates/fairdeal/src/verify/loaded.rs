//! What a page loads, and what it may do.

use std::fmt;

use games::AnyGame;
use server::web::{MANIFEST, POLICY, assets};

use super::tags::{Tag, Unreadable, tags};

/// Something about a page that is not as in this program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Odd {
    /// A script that is in the page itself.
    Inline,
    /// A script or style from somewhere else.
    Foreign(String),
    /// An element or an attribute that no page has.
    Unknown(String),
    /// Something that this program would not have written.
    Unreadable(String),
    /// Files of several versions.
    Versions,
    /// No file at all.
    Nothing,
    /// The server allows its pages something else.
    Policy,
    /// A header makes something else of the page.
    Header(&'static str),
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inline => f.write_str("the page has a script in it that is no file"),
            Self::Foreign(from) => write!(f, "the page loads {from:?}, which is no file of this program"),
            Self::Unknown(what) => write!(f, "the page has {what:?} in it, which no page of this program has"),
            Self::Unreadable(what) => write!(f, "the page cannot be read from <{what:?} on"),
            Self::Versions => f.write_str("the page loads files of several versions"),
            Self::Nothing => f.write_str("the page loads nothing: this is no page of fairdeal"),
            Self::Policy => f.write_str("the server's content-security-policy is not that of this program"),
            Self::Header(name) => write!(f, "the page is sent with another {name} than by this program"),
        }
    }
}

/// The version of the files that a page loads, if it loads nothing else.
pub(super) fn look_at(head: &str, page: &[u8]) -> Result<String, Odd> {
    if !has_policy(head, POLICY) {
        return Err(Odd::Policy);
    }
    // In another character set the same bytes are another page.
    if !header(head, "content-type").eq(["text/html; charset=utf-8"]) {
        return Err(Odd::Header("content-type"));
    }
    // These load something, or lead somewhere, without any tag.
    for name in ["link", "refresh", "content-encoding"] {
        if header(head, name).next().is_some() {
            return Err(Odd::Header(name));
        }
    }
    let page = std::str::from_utf8(page).map_err(|_| Odd::Unreadable("the page".to_owned()))?;
    loads(page)
}

pub(super) fn has_policy(head: &str, expected: &str) -> bool {
    header(head, "content-security-policy").any(|policy| policy == expected)
}

fn header<'a>(head: &'a str, wanted: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.filter(move |(name, _)| name.trim().eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim())
}

fn loads(page: &str) -> Result<String, Odd> {
    let mut versions = Vec::new();
    for tag in tags(page).map_err(|Unreadable(from)| Odd::Unreadable(from))? {
        versions.extend(loaded(&tag)?);
    }
    versions.sort();
    versions.dedup();
    match versions.len() {
        0 => Err(Odd::Nothing),
        1 => Ok(versions.remove(0)),
        _ => Err(Odd::Versions),
    }
}

/// The version of the file that a tag loads, if it loads one.
fn loaded(tag: &Tag) -> Result<Option<String>, Odd> {
    let is = |name: &str, value: &str| tag.value(name) == Some(Some(value));
    let file = |name: &str| tag.value(name).flatten().map(|address| version_in(address).ok_or(address));
    let foreign = |address: &str| Odd::Foreign(address.to_owned());
    if tag.names().any(|name| name.starts_with("on")) {
        return Err(Odd::Inline);
    }
    check_values(tag)?;
    match tag.name.as_str() {
        "script" => {
            // In a drawing, another attribute would name the script.
            only(tag, &["type", "src"])?;
            match file("src") {
                Some(version) if tag.is_empty && is("type", "module") => version.map(Some).map_err(foreign),
                _ => Err(Odd::Inline),
            }
        }
        "link" => {
            only(tag, &["rel", "type", "href"])?;
            match (tag.value("rel").flatten(), file("href")) {
                (Some("icon" | "stylesheet"), Some(version)) => version.map(Some).map_err(foreign),
                (Some("manifest"), _) if is("href", MANIFEST) => Ok(None),
                _ => Err(foreign(tag.value("href").flatten().unwrap_or_default())),
            }
        }
        "meta" if tag.value("http-equiv").is_some() => Err(Odd::Unknown("meta http-equiv".to_owned())),
        "base" | "iframe" | "frame" | "frameset" | "object" | "embed" | "style" => Err(Odd::Unknown(tag.name.clone())),
        _ => Ok(None),
    }
}

/// Scripts make addresses of these values.
fn check_values(tag: &Tag) -> Result<(), Odd> {
    // A form says how the game is called; scripts find the rest of the page by its id.
    let is_title = tag.name == "form" && tag.value("id").is_none();
    let fits = |name: &str, value: Option<&str>| match name {
        "data-game" => is_title || value.is_some_and(|value| AnyGame::from_name(value).is_some()),
        "data-seat" => matches!(value, None | Some("" | "chain" | "solo")),
        _ => true,
    };
    for name in tag.names() {
        if let Some(value) = tag.value(name).filter(|value| !fits(name, *value)) {
            return Err(Odd::Unknown(format!("{name}={}", value.unwrap_or_default())));
        }
    }
    Ok(())
}

fn only(tag: &Tag, names: &[&str]) -> Result<(), Odd> {
    match tag.names().find(|name| !names.contains(name)) {
        Some(other) => Err(Odd::Unknown(format!("{} {other}", tag.name))),
        None => Ok(()),
    }
}

/// The version in the address of a file that this program has.
fn version_in(address: &str) -> Option<String> {
    let (version, name) = address.strip_prefix("/assets/")?.split_once('/')?;
    let is_version = !version.is_empty() && version.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_version && assets().any(|(own, _)| own == name)).then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use server::web::policy_of;

    use super::*;

    const FINE: &str = "<link rel=\"stylesheet\" href=\"/assets/12ab/style.css\"><script src=\"/assets/12ab/lobby.js\" \
                        type=\"module\"></script><link rel=\"manifest\" href=\"/solo/app.webmanifest\">";

    #[test]
    fn a_page_loads_files_of_one_version_and_nothing_else() {
        assert_eq!(loads(FINE), Ok("12ab".to_owned()));
        assert_eq!(loads("<html>"), Err(Odd::Nothing));
        let with = |more: &str| loads(&format!("{FINE}{more}"));
        let script = |src: &str| with(&format!("<script type=\"module\" src=\"{src}\"></script>"));
        assert_eq!(script("/assets/12ab/table.js"), Ok("12ab".to_owned()));
        assert_eq!(script("/assets/12ac/lobby.js"), Err(Odd::Versions));
        for foreign in [
            "/x.js",
            "https://x.example/a.js",
            "//x.example/assets/12ab/lobby.js",
            "/assets/12ab/evil.js",
            "/assets/12ab/../../evil.js",
            "/assets/../lobby.js",
            "/assets/12ab/lobby.js?x",
            "/assets/12ab/lobby.js/x",
            "/assets//lobby.js",
            "/ASSETS/12ab/lobby.js",
            " /assets/12ab/lobby.js",
            "",
        ] {
            assert_eq!(script(foreign), Err(Odd::Foreign(foreign.to_owned())), "{foreign}");
            let link = |rel: &str| with(&format!("<link rel=\"{rel}\" href=\"{foreign}\">"));
            for rel in ["stylesheet", "icon", "manifest", "modulepreload", "STYLESHEET", "x stylesheet"] {
                assert_eq!(link(rel), Err(Odd::Foreign(foreign.to_owned())), "{rel} {foreign}");
            }
        }
    }

    #[test]
    fn no_other_way_to_run_something_is_overlooked() {
        let own = "/assets/12ab/lobby.js";
        for (more, odd) in [
            ("<script>alert(1)</script>", Odd::Inline),
            ("<SCRIPT SRC=\"/evil.js\"></SCRIPT>", Odd::Inline),
            ("<SCRIPT TYPE=\"module\" SRC=\"/evil.js\"></SCRIPT>", Odd::Foreign("/evil.js".to_owned())),
            (&format!("<script type=\"module\" src=\"{own}\">alert(1)</script>"), Odd::Inline),
            (&format!("<script type=\"importmap\" src=\"{own}\"></script>"), Odd::Inline),
            (
                &format!("<svg><script type=\"module\" src=\"{own}\" href=\"/evil.js\"></script></svg>"),
                Odd::Unknown("script href".to_owned()),
            ),
            (
                &format!("<script type=\"module\" data-src=\"{own}\" src=\"/evil.js\"></script>"),
                Odd::Unknown("script data-src".to_owned()),
            ),
            ("<p onclick=\"alert(1)\">", Odd::Inline),
            ("<base href=\"/x/\">", Odd::Unknown("base".to_owned())),
            ("<meta HTTP-EQUIV=\"refresh\" content=\"0;url=/x\">", Odd::Unknown("meta http-equiv".to_owned())),
            ("<iframe src=\"/x\"></iframe>", Odd::Unknown("iframe".to_owned())),
            ("<main data-game=\"x/../evil\">", Odd::Unknown("data-game=x/../evil".to_owned())),
            ("<form id=\"private\" data-game=\"Rommé\">", Odd::Unknown("data-game=Rommé".to_owned())),
            ("<main data-seat=\"__proto__\">", Odd::Unknown("data-seat=__proto__".to_owned())),
        ] {
            assert_eq!(loads(&format!("{FINE}{more}")), Err(odd), "{more}");
        }
        let unquoted = format!("{FINE}<script data-src=\"{own}\" src=/evil.js></script>");
        assert!(matches!(loads(&unquoted), Err(Odd::Unreadable(_))));
        assert!(loads(&format!("{FINE}<main data-game=\"romme\" data-seat><form data-game=\"Rommé\">")).is_ok());
    }

    #[test]
    fn what_a_page_is_sent_with_must_be_as_here() {
        let head = |more: &str| {
            format!(
                "HTTP/1.0 200 OK\r\nContent-Security-Policy: {POLICY}\r\nContent-Type: text/html; charset=utf-8\r\n{more}"
            )
        };
        assert_eq!(look_at(&head(""), FINE.as_bytes()), Ok("12ab".to_owned()));
        assert_eq!(look_at(&head("Link: </evil.css>; rel=stylesheet\r\n"), FINE.as_bytes()), Err(Odd::Header("link")));
        assert_eq!(look_at(&head("refresh: 0;url=/x\r\n"), FINE.as_bytes()), Err(Odd::Header("refresh")));
        let other = head("").replace("utf-8", "utf-16");
        assert_eq!(look_at(&other, FINE.as_bytes()), Err(Odd::Header("content-type")));
        assert_eq!(look_at("HTTP/1.0 200 OK\r\n", FINE.as_bytes()), Err(Odd::Policy));
        assert!(matches!(look_at(&head(""), &[FINE.as_bytes(), &[0xff]].concat()), Err(Odd::Unreadable(_))));
    }

    #[test]
    fn the_policy_must_be_ours() {
        let head = |policy: &str| format!("HTTP/1.0 200 OK\r\nContent-Security-Policy: {policy}\r\n");
        assert!(has_policy(&head(POLICY), POLICY));
        assert!(!has_policy(&head("script-src *"), POLICY));
        assert!(!has_policy("HTTP/1.0 200 OK\r\n", POLICY));
        // One script may talk to nodes, and no other file may.
        let wide: Vec<&str> = assets().map(|(name, _)| name).filter(|name| policy_of(name) != POLICY).collect();
        assert_eq!(wide, ["wallet.js"]);
        assert!(!has_policy(&head(policy_of("wallet.js")), POLICY));
    }
}
