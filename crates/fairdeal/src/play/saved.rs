//! Matches on disk: a record that grows with every input, and beside it what is needed to continue.
//!
//! A match is a folder's two files. `ID.jsonl` is the record, public facts only (and, where one person plays
//! alone, that person's own cards). `ID.secret` has the seed that all cards and computers follow from, so
//! that a match goes on with the very cards it would have had; nobody else may read it, and it is removed
//! when the match is over. A record without it is finished.
//!
//! Every line is on the disk before it is played. A last line that is cut off was never played.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use table::record::{Header, hex, unhex};
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::options::{data_folder, data_option};

/// What is needed to go on with a match.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// Everything random follows from it.
    seed: Zeroizing<String>,
    /// Seconds played so far.
    elapsed: u64,
    /// Secret choices at this height, of people who have chosen while others have not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chosen: Option<Chosen>,
}

/// Choices that have been made, but not by all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// The height they answer.
    pub height: u64,
    /// By seat.
    pub choices: Vec<(u8, serde_json::Value)>,
}

/// A match on disk that is being played.
pub struct Saved {
    record: PathBuf,
    /// The folder that was asked for, if the match is not in the user's own.
    data: Option<PathBuf>,
    file: File,
    kept: Kept,
}

/// An unfinished match.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Its name, to be typed.
    pub id: String,
    /// The first line of its record.
    pub header: Header,
    /// How many deals have begun.
    pub deals: usize,
    /// What each seat had after the last whole deal.
    pub total: Option<Vec<i64>>,
    /// When it was played last, in seconds since 1970.
    pub last: u64,
}

/// Where matches are kept.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    /// The folder that was asked for.
    asked: Option<PathBuf>,
}

impl Store {
    /// The folder that was asked for, or the user's own.
    pub fn new(asked: Option<&Path>) -> Result<Self, Failure> {
        let folder = data_folder(asked.map(Path::to_owned))?.join("matches");
        Ok(Self { folder, asked: asked.map(Path::to_owned) })
    }

    /// Begins a match.
    pub fn create(&self, game: &str, seed: [u8; 32]) -> Result<Saved, Failure> {
        fs::create_dir_all(&self.folder).map_err(|e| Failure::file(&self.folder, "create this folder", &e))?;
        let seed = Zeroizing::new(hex(&seed));
        for n in 1..10_000u32 {
            let record = self.folder.join(format!("{game}-{n}.jsonl"));
            let mut options = OpenOptions::new();
            let file = match options.append(true).create_new(true).open(&record) {
                Ok(file) => file,
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(Failure::file(&record, "write", &e)),
            };
            lock(&file, &record)?;
            let data = self.asked.clone();
            let saved = Saved { record, data, file, kept: Kept { seed, elapsed: 0, chosen: None } };
            saved.keep()?;
            return Ok(saved);
        }
        Err(Failure::input(format!("{}: too many matches; remove some", self.folder.display())))
    }

    /// The unfinished matches, the one played last first. Files that are no such thing are passed over.
    pub fn unfinished(&self) -> Vec<Unfinished> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found: Vec<Unfinished> = files
            .filter_map(|entry| {
                let secret = entry.path();
                if secret.extension()? != "secret" {
                    return None;
                }
                let record = secret.with_extension("jsonl");
                let text = fs::read_to_string(&record).ok()?;
                let header = header_of(&text)?;
                let last = fs::metadata(&record).ok()?.modified().ok()?;
                let last = last.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs();
                let deals = text.lines().filter(|line| line.starts_with("{\"deal\"")).count();
                Some(Unfinished {
                    id: record.file_stem()?.to_str()?.to_owned(),
                    header,
                    deals,
                    total: total(&text),
                    last,
                })
            })
            .collect();
        found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.id.cmp(&b.id)));
        found
    }

    /// Goes on with a match: it, and the text of its record so far.
    pub fn resume(&self, id: &str) -> Result<(Saved, String), Failure> {
        let good = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let record = self.folder.join(format!("{id}.jsonl"));
        let secret = record.with_extension("secret");
        if !good || !record.exists() {
            return Err(Failure::input(format!(
                "there is no match {id:?}; fairdeal play --resume continues the last one"
            )));
        }
        if !secret.exists() {
            return Err(Failure::input(format!("{id} is over; fairdeal replay {} checks it", record.display())));
        }
        let kept = fs::read_to_string(&secret).map(Zeroizing::new);
        let kept = kept.map_err(|e| Failure::file(&secret, "read", &e))?;
        let kept: Kept = serde_json::from_str(&kept).map_err(|_| {
            Failure::input(format!("{}: the file is damaged, so the match cannot be continued", secret.display()))
        })?;
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(&record)
            .map_err(|e| Failure::file(&record, "write", &e))?;
        lock(&file, &record)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|e| Failure::file(&record, "read", &e))?;
        let whole = played(&text);
        if whole < text.len() {
            text.truncate(whole);
            let length = u64::try_from(whole).unwrap_or(0);
            file.set_len(length).map_err(|e| Failure::file(&record, "write", &e))?;
        }
        Ok((Saved { record, data: self.asked.clone(), file, kept }, text))
    }
}

/// What each seat had after the last whole deal of a record.
fn total(text: &str) -> Option<Vec<i64>> {
    let end = text.lines().rev().find(|line| line.starts_with("{\"end\""))?;
    let end: serde_json::Value = serde_json::from_str(end).ok()?;
    let total = end.pointer("/end/standing/total")?.as_array()?;
    total.iter().map(serde_json::Value::as_i64).collect()
}

/// How much of a record was played: a line without an end was cut off before, and evidence at the end belongs
/// to an input that never came, or will be the same again.
fn played(text: &str) -> usize {
    let mut whole = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        end += line.len();
        if !line.starts_with("{\"evidence\"") {
            whole = end;
        }
    }
    whole
}

/// Nobody else may play this match at the same time.
fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    file.try_lock().map_err(|_| Failure::input(format!("{}: this match is already being played", path.display())))
}

/// The first line of a record.
pub fn header_of(text: &str) -> Option<Header> {
    match serde_json::from_str(text.lines().next()?).ok()? {
        table::record::Line::<serde_json::Value, serde_json::Value, serde_json::Value>::Fairdeal(header) => {
            Some(header)
        }
        _ => None,
    }
}

impl Saved {
    /// Where the record is.
    pub fn record(&self) -> &Path {
        &self.record
    }

    /// What `--resume` calls it.
    pub fn id(&self) -> &str {
        self.record.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }

    /// The command that continues the match.
    pub fn way_back(&self) -> String {
        let data = self.data.as_deref().map(data_option).unwrap_or_default();
        format!("fairdeal play --resume {}{data}", self.id())
    }

    /// What everything random follows from.
    pub fn seed(&self) -> Option<[u8; 32]> {
        unhex(&self.kept.seed)?.try_into().ok()
    }

    /// Seconds played before.
    pub fn elapsed(&self) -> u64 {
        self.kept.elapsed
    }

    /// Choices made at this height before.
    pub fn chosen(&self, height: u64) -> &[(u8, serde_json::Value)] {
        match &self.kept.chosen {
            Some(chosen) if chosen.height == height => &chosen.choices,
            _ => &[],
        }
    }

    /// Writes lines, onto the disk.
    pub fn append(&mut self, text: &str) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|e| Failure::file(&self.record, "write", &e))
    }

    /// Keeps a secret choice until all have chosen.
    pub fn choose(&mut self, height: u64, seat: u8, choice: serde_json::Value) -> Result<(), Failure> {
        let mut choices = self.chosen(height).to_vec();
        choices.push((seat, choice));
        self.kept.chosen = Some(Chosen { height, choices });
        self.keep()
    }

    /// Keeps how long has been played.
    pub fn played(&mut self, elapsed: u64) -> Result<(), Failure> {
        self.kept.elapsed = elapsed;
        self.kept.chosen = None;
        self.keep()
    }

    /// The match is over: its secret is removed.
    pub fn finish(&self) -> Result<(), Failure> {
        let secret = self.record.with_extension("secret");
        fs::remove_file(&secret).map_err(|e| Failure::file(&secret, "remove", &e))
    }

    /// Writes the secret under another name first, so that there is always a whole one.
    fn keep(&self) -> Result<(), Failure> {
        let path = self.record.with_extension("secret");
        let wrong = |e: std::io::Error| Failure::file(&path, "write", &e);
        let text = Zeroizing::new(serde_json::to_string(&self.kept).unwrap_or_default());
        let folder = path.parent().unwrap_or(Path::new("."));
        // Only the owner may read such a file.
        let mut file = tempfile::Builder::new().prefix(".fairdeal-").tempfile_in(folder).map_err(wrong)?;
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_data()).map_err(wrong)?;
        file.persist(&path).map_err(|e| wrong(e.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_names_the_folder_that_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        for (name, written) in [("plain", "plain"), ("two words", "two words'"), ("it's", "it'\\''s'")] {
            let data = folder.path().join(name);
            let saved = Store::new(Some(&data)).unwrap().create("holdem", [1; 32]).unwrap();
            let way = saved.way_back();
            assert!(way.starts_with("fairdeal play --resume holdem-1 --data "), "{way}");
            assert!(way.ends_with(written), "{way}");
        }
    }
}
