//! The players whom a station knows.
//!
//! Anybody can make keys, play against themselves and sign the results. So an operator may list the players: a file in the
//! data folder with one npub in each line, and then whatever tells the operator who that is. With such a file, only matches
//! count in which everybody is listed; without it, all do.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use results::{Checked, Public};

use crate::failure::Failure;

/// The name of the file.
const FILE: &str = "station-players.txt";
/// How long it may be: more than ten thousand players.
const MOST_BYTES: u64 = 1 << 20;

/// Those who are listed; `None` if everybody counts.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Players(Option<BTreeSet<Public>>);

impl Players {
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let path = data.join(FILE);
        let about = match std::fs::metadata(&path) {
            Ok(about) => about,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Self(None)),
            Err(why) => return Err(Failure::file(&path, "read", &why)),
        };
        if !about.is_file() || about.len() > MOST_BYTES {
            return Err(Failure::input(format!("{}: not a file of at most {MOST_BYTES} bytes", path.display())));
        }
        let text = std::fs::read_to_string(&path).map_err(|why| Failure::file(&path, "read", &why))?;
        Self::parse(&text).map_err(|why| Failure::input(format!("{}: {why}", path.display())))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut listed = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            let Some(key) = line.split_whitespace().next().filter(|_| !line.starts_with('#')) else { continue };
            let key: Public = key.parse().map_err(|_| format!("line {number} does not begin with a key (npub1…)"))?;
            listed.insert(key);
        }
        Ok(Self(Some(listed)))
    }

    /// Whether everybody in this result is known.
    pub(super) fn know(&self, result: &Checked) -> bool {
        self.0
            .as_ref()
            .is_none_or(|listed| result.body().facts().players.iter().all(|player| listed.contains(&player.key)))
    }

    /// Those who are listed, if there is a list.
    pub(super) fn listed(&self) -> Vec<Public> {
        self.0.iter().flatten().copied().collect()
    }

    /// Whether there is a list.
    pub(super) const fn are_listed(&self) -> bool {
        self.0.is_some()
    }
}

#[cfg(test)]
mod tests {
    use results::Secret;

    use super::*;

    #[test]
    fn lines_are_keys_with_remarks_or_comments() {
        let key = |byte| Secret::from_bytes(&[byte; 32]).unwrap().public();
        let text = format!("# Friday\n\n  {} Eva\n{}\n", key(1), key(2));
        assert_eq!(Players::parse(&text), Ok(Players(Some([key(1), key(2)].into()))));
        assert_eq!(Players::parse(""), Ok(Players(Some(BTreeSet::new()))), "an empty list knows nobody");
        let wrong = Players::parse(&format!("{}\nEva {}\n", key(1), key(2)));
        assert_eq!(wrong, Err("line 2 does not begin with a key (npub1…)".to_owned()));
    }

    #[test]
    fn without_a_file_everybody_counts_and_one_that_cannot_be_read_is_said_so() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!Players::read(folder.path()).unwrap().are_listed());
        std::fs::create_dir(folder.path().join(FILE)).unwrap();
        assert!(Players::read(folder.path()).is_err());
    }
}
