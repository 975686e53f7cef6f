//! `fairdeal verify --page URL`: whether the pages of a server load the scripts and the modules that this program has.
//!
//! At a private table in a browser, whoever serves the page is trusted to serve this program. That can be checked by
//! anybody who has built it: the same sources give the same files.
//!
//! 1. Pages are fetched: those that every server has, as far as they exist, and the one that was asked for. Each may load
//!    files of one version only, by addresses at which the files of this program are.
//! 2. Every file of this program is fetched with that version, and compared.
//! 3. Pages and files may do only what the policy of this program allows.

use std::io::Write;
use std::time::Duration;

use games::AnyGame;
use server::web::{assets, module, policy_of, solo_files};
use sha2::{Digest as _, Sha256};
use table::record::hex;

use super::loaded::{Odd, look_at};
use crate::Done;
use crate::failure::Failure;
use crate::peer::{At, Unreachable};

/// Where tables for one person begin. A server that has none has no files for them.
const SOLO: &str = "/solo";

/// How often something is asked for, and the time in between.
const MOST_TRIES: u32 = 30;
const TO_WAIT: Duration = Duration::from_secs(1);

/// A server, and the page at it that was asked for. What stands behind `#` in the address of a table is its key: it goes
/// nowhere from here.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    at: At,
    page: Option<String>,
}

impl Asked {
    fn read(url: &str) -> Result<Self, Unreachable> {
        let url = url.split_once('#').map_or(url, |(url, _)| url);
        let begin = url.find("://").map_or(0, |at| at + 3);
        let host = url.get(begin..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| begin + at);
        let (at, page) = url.split_at_checked(host).ok_or(Unreachable::Address)?;
        let fits = |c: char| c.is_ascii_alphanumeric() || "/-_".contains(c);
        if !page.chars().all(fits) || page.contains("//") {
            return Err(Unreachable::Address);
        }
        Ok(Self { at: at.parse()?, page: Some(page.to_owned()).filter(|page| page.len() > 1) })
    }

    /// The pages to look at, and whether they have to be there.
    fn pages(&self) -> Vec<(String, bool)> {
        let each = |under: &'static str| AnyGame::ALL.iter().map(move |game| format!("{under}/{}", game.name()));
        let usual = ["/", "/private/new", "/private/knock", "/chain", "/chain/play", SOLO].map(str::to_owned);
        let usual = usual.into_iter().chain(each("/private/new")).chain(each(SOLO));
        let usual = usual.filter(|page| Some(page) != self.page.as_ref());
        // A player's own hub has nothing but tables.
        let usual = usual.map(|page| (page, false));
        self.page.iter().map(|page| (page.clone(), true)).chain(usual).collect()
    }
}

/// What was found.
struct Checking<'a, W> {
    at: &'a At,
    runtime: tokio::runtime::Runtime,
    out: &'a mut W,
    wrong: usize,
}

/// Runs the command.
pub(super) fn run(url: &str, out: &mut impl Write) -> Result<Done, Failure> {
    let asked = Asked::read(url).map_err(Failure::input)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::input(format!("cannot start: {why}")))?;
    let mut checking = Checking { at: &asked.at, runtime, out, wrong: 0 };
    let Some(version) = checking.pages(&asked)? else {
        return Ok(Done::CheckFailed);
    };
    checking.files(&version)?;
    checking.conclude()
}

impl<W: Write> Checking<'_, W> {
    /// Looks at all pages; returns the version of the files that they load, and nothing if that is not known.
    fn pages(&mut self, asked: &Asked) -> Result<Option<String>, Failure> {
        let mut versions = Vec::new();
        for (page, needed) in asked.pages() {
            let (head, body) = match self.fetch(&page)? {
                Some(found) => found,
                None if needed => {
                    self.wrong(format_args!("missing  {page}"))?;
                    continue;
                }
                None => continue,
            };
            match look_at(&head, &body) {
                Ok(version) => {
                    writeln!(self.out, "fine     {page}")?;
                    versions.push(version);
                }
                Err(odd) => self.wrong(format_args!("{page}: {odd}"))?,
            }
        }
        versions.sort();
        versions.dedup();
        match (versions.len(), versions.pop()) {
            (1, version) => return Ok(version),
            (0, _) if self.wrong > 0 => {}
            (0, _) => self.wrong(format_args!(
                "No page of fairdeal is here. A player's own computer has only those of tables: name the address of one."
            ))?,
            _ => self.wrong(format_args!("{}", Odd::Versions))?,
        }
        Ok(None)
    }

    /// Compares all files.
    fn files(&mut self, version: &str) -> Result<(), Failure> {
        for (name, own) in assets() {
            // A worker may do what its own file is allowed, whatever its page is.
            self.compare(name, &format!("/assets/{version}/{name}"), own, policy_of(name))?;
        }
        // Tables for one person have a service worker, and files at a second address.
        if self.fetch(SOLO)?.is_some() {
            for (address, own) in solo_files(version) {
                let name = address.rsplit('/').next().unwrap_or_default();
                self.compare(&address, &address, &own, policy_of(name))?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, name: &str, address: &str, own: &[u8], policy: &str) -> Result<(), Failure> {
        match self.fetch(address)? {
            None => self.wrong(format_args!("missing  {name}")),
            Some((head, _)) if !super::loaded::has_policy(&head, policy) => {
                self.wrong(format_args!("{}: {name}", Odd::Policy))
            }
            Some((_, theirs)) if theirs == own => Ok(writeln!(self.out, "same     {name}  {}", hash(own))?),
            Some((_, theirs)) => {
                self.wrong(format_args!("differs  {name}  {} here, {} there", hash(own), hash(&theirs)))
            }
        }
    }

    fn conclude(self) -> Result<Done, Failure> {
        let Self { at, out, wrong, .. } = self;
        let mut compilers: Vec<&str> = module::all().map(|module| module.compiler).collect();
        compilers.sort_unstable();
        compilers.dedup();
        if !compilers.is_empty() {
            let compilers = compilers.join(" and ");
            writeln!(out, "The modules here were built with {compilers}; other compilers make other bytes.")?;
        }
        let left_out = module::LEFT_OUT.join(", ");
        match (wrong, left_out.is_empty()) {
            (0, true) => writeln!(
                out,
                "The pages of {at} load the files of this program. The server could still send others to others."
            )?,
            (0, false) => writeln!(out, "Everything that was compared is the same.")?,
            (1, _) => writeln!(out, "One thing differs.")?,
            _ => writeln!(out, "{wrong} things differ.")?,
        }
        if !left_out.is_empty() {
            writeln!(
                out,
                "Not compared, since this program was built without: {left_out} (`cargo xtask module`). So nothing is shown."
            )?;
        }
        Ok(if wrong == 0 && left_out.is_empty() { Done::Well } else { Done::CheckFailed })
    }

    /// A page or a file; `None` if it is not there.
    fn fetch(&self, address: &str) -> Result<Option<(String, Vec<u8>)>, Failure> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.runtime.block_on(self.at.fetch(address)) {
                Ok(found) => return Ok(Some(found)),
                Err(Unreachable::Refused { status: 404, .. }) => return Ok(None),
                // These are many files, and servers answer only so many requests at once.
                Err(Unreachable::Refused { status: 429, .. }) if tries < MOST_TRIES => std::thread::sleep(TO_WAIT),
                Err(why) => return Err(Failure::input(format!("{address}: {why}"))),
            }
        }
    }

    fn wrong(&mut self, what: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        self.wrong += 1;
        Ok(writeln!(self.out, "{what}")?)
    }
}

fn hash(bytes: &[u8]) -> String {
    let hash: [u8; 32] = Sha256::digest(bytes).into();
    hex(&hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_table_is_read_without_its_key() {
        let read = |url: &str| Asked::read(url).map(|asked| (asked.at.to_string(), asked.page));
        let table = || Some("/private/0123abcd".to_owned());
        for (url, at, page) in [
            ("http://192.168.1.5:7788", "http://192.168.1.5:7788", None),
            ("https://cards.example.org/", "https://cards.example.org", None),
            ("https://cards.example.org/private/0123abcd#fdt1key/with?all", "https://cards.example.org", table()),
            ("http://192.168.1.5:7788/private/0123abcd#fdt1key", "http://192.168.1.5:7788", table()),
            ("https://cards.example.org#fdt1key", "https://cards.example.org", None),
        ] {
            assert_eq!(read(url), Ok((at.to_owned(), page)), "{url}");
        }
        for url in
            ["", "cards", "http://", "http://x/a b", "http://x/../y", "http://x//y", "http://x/?y", "http://x/%41"]
        {
            assert!(read(url).is_err(), "{url}");
        }
    }

    #[test]
    fn pages_are_looked_at_once_and_only_the_one_that_was_asked_for_must_be_there() {
        let asked = Asked::read("http://x/solo").unwrap();
        let pages = asked.pages();
        assert_eq!(pages.iter().filter(|(_, needed)| *needed).collect::<Vec<_>>(), [&(SOLO.to_owned(), true)]);
        for page in ["/", "/private/new/romme", "/chain/play", "/solo", "/solo/holdem"] {
            assert_eq!(pages.iter().filter(|(own, _)| own == page).count(), 1, "{page}");
        }
    }
}
