//! The chain that a node belongs to: known, or seen for the first time.
//!
//! Nobody can prove to a newcomer that a chain is the right one. So the hash of its genesis, which is its name, is kept at
//! the first contact, and a node that belongs to another chain later is refused. A node on this computer is an exception:
//! chains to try out begin anew every time, and only say so.

use std::io::Write as _;
use std::time::Duration;

use ::chain::{Hash, Signed, hex, unhex};
use remote::{Anchor, Error, Outcome, PATIENCE, Place, Remote, Seen};
use tokio::runtime::Runtime;

use super::files::Files;
use crate::cli::AtArgs;
use crate::failure::{Failure, complain};
use crate::text::{counted, shown};

/// How long a transaction is waited for.
pub(super) const TO_DECIDE: Duration = Duration::from_secs(30);

/// A chain that can be asked.
pub(super) struct Contact {
    runtime: Runtime,
    pub(super) remote: Remote,
    pub(super) files: Files,
    /// What the chain calls itself.
    pub(super) name: String,
    /// Something has been asked.
    asked: bool,
}

impl Contact {
    /// Finds out which chain the node belongs to.
    pub(super) fn open(at: &AtArgs) -> Result<Self, Failure> {
        let files = Files::open(at.data.as_deref())?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|why| Failure::input(format!("the network cannot be used: {why}")))?;
        let (genesis, troubles) =
            runtime.block_on(remote::first_contact(&at.nodes, PATIENCE)).map_err(|why| failed(&why))?;
        troubles.iter().for_each(complain);
        // The first node that works is asked from now on.
        let mut places = at.nodes.clone();
        let passed_over = troubles.len().min(places.len());
        places.rotate_left(passed_over);
        let node = places.first().cloned().ok_or_else(|| failed(&Error::NoNode))?;
        let chain = genesis.chain();
        let name = shown(&genesis.name);
        if let Some(wanted) = &at.chain {
            let wanted = wanted_chain(&files, wanted)?;
            if wanted != chain {
                return Err(failed(&Error::OtherChain { place: node, expected: wanted, found: chain }));
            }
        }
        meet(&files, &node, &chain, &name, at.chain.is_some())?;
        let known = files.anchor(&chain);
        let anchor = known.unwrap_or_else(|| Anchor::new(&genesis));
        let mut contact = Self { runtime, remote: Remote::new(places, anchor), files, name, asked: false };
        if let Some(block) = &at.trust {
            let (height, hash) = trusted_block(block)?;
            contact.block(async |remote| remote.trust(height, &hash).await)?;
        }
        contact.keep()?;
        Ok(contact)
    }

    /// The chain.
    pub(super) fn chain(&self) -> Hash {
        self.remote.chain()
    }

    /// Does something with the chain, and tells what was wrong with nodes on the way.
    pub(super) fn block<T>(&mut self, what: impl AsyncFnOnce(&mut Remote) -> Result<T, Error>) -> Result<T, Failure> {
        self.asked = true;
        let done = self.runtime.block_on(what(&mut self.remote));
        self.remote.troubles().iter().for_each(complain);
        done.map_err(|why| failed(&why))
    }

    /// Gives a transaction to the chain and waits for it; what it says if it was not carried out.
    pub(super) fn carry_out(&mut self, signed: &Signed) -> Result<(), Failure> {
        let outcome = self.block(async |remote| remote.carry_out(signed, TO_DECIDE).await)?;
        self.keep()?;
        match outcome {
            Outcome::Done { .. } => Ok(()),
            Outcome::Failed { why, .. } | Outcome::Void { why, .. } => Err(Failure::input(why)),
            Outcome::Waiting => Err(Failure::input(format!(
                "no block has taken it within {} seconds; look again with `fairdeal chain wallet show`",
                TO_DECIDE.as_secs()
            ))),
        }
    }

    /// A table, with the accounts of these players.
    pub(super) fn table(&mut self, table: u64, players: &[::chain::Address]) -> Result<Seen, Failure> {
        self.block(async |remote| remote.table(table, players).await)
    }

    /// Keeps what is trusted by now, and says so if that is old.
    pub(super) fn keep(&self) -> Result<(), Failure> {
        let minutes = self.remote.behind().as_secs() / 60;
        // Before the first question nothing newer is known.
        if self.asked && minutes > 0 {
            complain(format!(
                "the last block that this node shows is {} old: it is behind, the chain stands still, or your clock is wrong",
                counted(minutes, "minute")
            ));
        }
        self.files.keep_anchor(self.remote.anchor())
    }

    /// For a thread of its own.
    pub(super) fn into_parts(self) -> (Runtime, Remote, Files) {
        (self.runtime, self.remote, self.files)
    }
}

/// Remembers the chain of a node, and says so where it is new.
fn meet(files: &Files, node: &Place, chain: &Hash, name: &str, named: bool) -> Result<(), Failure> {
    let before = files.pinned(node);
    if before == Some(*chain) {
        return Ok(());
    }
    if let Some(before) = before.filter(|_| !named && !node.is_local()) {
        return Err(Failure::input(format!(
            "the node at {node} belongs to chain {}, not to {} as before; if you mean that, add --chain {}",
            short(chain),
            short(&before),
            hex(chain),
        )));
    }
    files.keep_name(chain, name)?;
    files.pin(node, chain)?;
    let again = if before.is_some() { "another chain than before" } else { "a chain that is new to you" };
    // Not on standard output, which may be read by a program.
    let told = format!("{node} belongs to {again}: “{name}”, {}. It is remembered.\n", short(chain));
    let _ = std::io::stderr().write_all(crate::locale::shown(&told).as_bytes());
    Ok(())
}

/// The chain that is meant: all 64 digits, or how the name of a chain begins that was used before.
fn wanted_chain(files: &Files, text: &str) -> Result<Hash, Failure> {
    let digits = text.to_ascii_lowercase();
    if let Some(whole) = unhex(&digits).and_then(|bytes| Hash::try_from(bytes).ok()) {
        return Ok(whole);
    }
    let mut fitting = files.chains().into_iter().filter(|chain| hex(chain).starts_with(&digits));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(Failure::input(format!("several chains begin with {text}: add more digits"))),
        (None, _) => Err(Failure::input(format!(
            "you have used no chain that begins with {text}; for a new one, all 64 digits are needed"
        ))),
    }
}

fn trusted_block(text: &str) -> Result<(u64, Hash), Failure> {
    let read = || {
        let (height, hash) = text.split_once(':')?;
        Some((height.parse().ok()?, Hash::try_from(unhex(hash)?).ok()?))
    };
    read().ok_or_else(|| Failure::input("--trust needs HEIGHT:HASH, as `fairdeal chain wallet show` prints it"))
}

/// The beginning of the name of a chain.
pub(super) fn short(chain: &Hash) -> String {
    hex(chain).chars().take(12).collect()
}

/// What a person can do about it.
pub(super) fn failed(why: &Error) -> Failure {
    let hint = match why {
        Error::Unreachable { .. } => "; start one with `fairdeal-node dev`, or name another with --node",
        Error::Expired => ", and give it with --trust HEIGHT:HASH",
        _ => "",
    };
    Failure::input(format!("{why}{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said<T>(done: Result<T, Failure>) -> String {
        match done {
            Err(Failure::Input(why)) => why,
            Err(_) => panic!("another failure"),
            Ok(_) => panic!("it is accepted"),
        }
    }

    #[test]
    fn a_node_elsewhere_that_belongs_to_another_chain_later_is_refused_and_a_local_one_is_only_told() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(Some(folder.path())).unwrap();
        let (near, far): (Place, Place) = ("127.0.0.1:5".parse().unwrap(), "node.example.org".parse().unwrap());
        for node in [&near, &far] {
            meet(&files, node, &[1; 32], "one", false).unwrap();
            meet(&files, node, &[1; 32], "one", false).unwrap();
        }
        meet(&files, &near, &[2; 32], "two", false).unwrap();
        assert_eq!(files.pinned(&near), Some([2; 32]));
        let why = said(meet(&files, &far, &[2; 32], "two", false));
        assert!(why.contains("not to 010101010101 as before") && why.contains("--chain 0202"), "{why}");
        assert_eq!(files.pinned(&far), Some([1; 32]), "refused, and still remembered");
        meet(&files, &far, &[2; 32], "two", true).unwrap();
        assert_eq!(files.pinned(&far), Some([2; 32]));
    }

    #[test]
    fn a_chain_is_named_by_all_digits_or_by_how_a_known_one_begins() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(Some(folder.path())).unwrap();
        for first in [0x12, 0x13] {
            files.keep_name(&[first; 32], "x").unwrap();
        }
        assert_eq!(wanted_chain(&files, "12").ok(), Some([0x12; 32]));
        assert_eq!(wanted_chain(&files, &"AB".repeat(32)).ok(), Some([0xab; 32]));
        assert!(said(wanted_chain(&files, "1")).contains("several chains"));
        assert!(said(wanted_chain(&files, "9")).contains("all 64 digits"));
        assert!(said(trusted_block("12")).contains("HEIGHT:HASH"));
        assert_eq!(trusted_block(&format!("7:{}", "00".repeat(32))).ok(), Some((7, [0; 32])));
    }
}
