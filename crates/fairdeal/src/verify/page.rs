//! `fairdeal verify --page URL`: whether the pages of a server load the scripts and the modules that this program has.
//!
//! At a private table in a browser, whoever serves the page is trusted to serve this program. That can be checked by
//! anybody who has built it: the same sources give the same files.

use std::io::Write;

use server::web::{POLICY, assets, module, policy_of, solo_files};
use sha2::{Digest as _, Sha256};
use table::record::hex;

use crate::Done;
use crate::failure::Failure;
use crate::peer::{At, Unreachable};

/// Something about a page that is not as in this program.
#[derive(Debug, PartialEq, Eq)]
enum Odd {
    /// A script that is in the page itself.
    Inline,
    /// A script or style from somewhere else.
    Foreign(String),
    /// Files of several versions.
    Versions,
    /// No file at all.
    Nothing,
    /// The server allows its pages something else.
    Policy,
}

impl std::fmt::Display for Odd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Inline => f.write_str("the page has a script in it that is no file"),
            Self::Foreign(from) => write!(f, "the page loads {from}, which is no file of this program"),
            Self::Versions => f.write_str("the page loads files of several versions"),
            Self::Nothing => f.write_str("the page loads nothing: this is no page of fairdeal"),
            Self::Policy => f.write_str("the server's content-security-policy is not that of this program"),
        }
    }
}

/// Runs the command.
pub(super) fn run(url: &str, out: &mut impl Write) -> Result<Done, Failure> {
    let at: At = url.parse().map_err(Failure::input)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::input(format!("cannot start: {why}")))?;
    let (head, page) = runtime.block_on(at.fetch("/")).map_err(Failure::input)?;
    let page = String::from_utf8_lossy(&page);
    let mut wrong = 0;
    let version = match look_at(&page) {
        Ok(version) => version,
        Err(odd) => {
            writeln!(out, "{odd}")?;
            return Ok(Done::CheckFailed);
        }
    };
    if !has_policy(&head, POLICY) {
        wrong += 1;
        writeln!(out, "{}", Odd::Policy)?;
    }
    for (name, own) in assets() {
        match runtime.block_on(at.fetch(&format!("/assets/{version}/{name}"))) {
            // A worker may do what its own file is allowed, whatever its page is.
            Ok((head, _)) if !has_policy(&head, policy_of(name)) => {
                wrong += 1;
                writeln!(out, "{}: {name}", Odd::Policy)?;
            }
            Ok((_, theirs)) if theirs == own => writeln!(out, "same     {name}  {}", hash(own))?,
            Ok((_, theirs)) => {
                wrong += 1;
                writeln!(out, "differs  {name}  {} here, {} there", hash(own), hash(&theirs))?;
            }
            Err(Unreachable::Refused { status: 404, .. }) => {
                wrong += 1;
                writeln!(out, "missing  {name}")?;
            }
            Err(why) => return Err(Failure::input(why)),
        }
    }
    // Tables for one person have a service worker, and files at a second address.
    for (address, own) in solo_files(&version) {
        let differs = match runtime.block_on(at.fetch(&address)) {
            Ok((_, theirs)) => theirs != own,
            Err(Unreachable::Refused { status: 404, .. }) => true,
            Err(why) => return Err(Failure::input(why)),
        };
        wrong += usize::from(differs);
        writeln!(out, "{} {address}  {}", if differs { "differs " } else { "same    " }, hash(&own))?;
    }
    let mut compilers: Vec<&str> = module::all().map(|module| module.compiler).collect();
    compilers.sort_unstable();
    compilers.dedup();
    if !compilers.is_empty() {
        let compilers = compilers.join(" and ");
        writeln!(out, "The modules here were built with {compilers}; other compilers make other bytes.")?;
    }
    if !module::LEFT_OUT.is_empty() {
        let names = module::LEFT_OUT.join(", ");
        writeln!(out, "Not compared, since this program was built without: {names} (`cargo xtask module`).")?;
    }
    match wrong {
        0 => writeln!(
            out,
            "The pages of {at} load the files of this program. The server could still send others to others."
        )?,
        1 => writeln!(out, "One thing differs.")?,
        _ => writeln!(out, "{wrong} things differ.")?,
    }
    Ok(if wrong == 0 { Done::Well } else { Done::CheckFailed })
}

fn hash(bytes: &[u8]) -> String {
    let hash: [u8; 32] = Sha256::digest(bytes).into();
    hex(&hash)
}

fn has_policy(head: &str, expected: &str) -> bool {
    let policy = head.lines().filter_map(|line| line.split_once(':'));
    let mut policy = policy.filter(|(name, _)| name.eq_ignore_ascii_case("content-security-policy"));
    policy.any(|(_, value)| value.trim() == expected)
}

/// The version of the files that a page loads, if it loads nothing else.
fn look_at(page: &str) -> Result<String, Odd> {
    let mut versions = Vec::new();
    for (tag, attribute) in [("<script", "src"), ("<link", "href")] {
        for part in page.split(tag).skip(1) {
            let inside = part.split_once('>').map_or(part, |(inside, _)| inside);
            let value = inside.split_once(&format!("{attribute}=\"")).and_then(|(_, rest)| rest.split_once('"'));
            let Some((value, _)) = value else { return Err(Odd::Inline) };
            let version = value.strip_prefix("/assets/").and_then(|rest| rest.split_once('/'));
            // An address in a link that loads nothing, such as that of the same page in another language.
            let loads = tag == "<script" || inside.contains("stylesheet") || inside.contains("preload");
            match version {
                Some((version, _)) => versions.push(version.to_owned()),
                None if loads => return Err(Odd::Foreign(value.to_owned())),
                None => {}
            }
        }
    }
    versions.sort();
    versions.dedup();
    match versions.len() {
        0 => Err(Odd::Nothing),
        1 => Ok(versions.remove(0)),
        _ => Err(Odd::Versions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loads_files_of_one_version_and_nothing_else() {
        let fine = "<link rel=\"stylesheet\" href=\"/assets/12ab/style.css\"><script src=\"/assets/12ab/lobby.js\" \
                    type=\"module\"></script><link rel=\"canonical\" href=\"/x\">";
        assert_eq!(look_at(fine), Ok("12ab".to_owned()));
        assert_eq!(look_at(&format!("{fine}<script>alert(1)</script>")), Err(Odd::Inline));
        assert_eq!(look_at(&format!("{fine}<script src=\"/x.js\">")), Err(Odd::Foreign("/x.js".to_owned())));
        let foreign = "https://x.example/a.js".to_owned();
        assert_eq!(look_at(&format!("{fine}<script src=\"{foreign}\">")), Err(Odd::Foreign(foreign)));
        assert_eq!(look_at(&format!("{fine}<script src=\"/assets/12ac/lobby.js\">")), Err(Odd::Versions));
        assert_eq!(look_at("<html>"), Err(Odd::Nothing));
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
