//! Notices when the disk can no longer be written.
//!
//! If the engine cannot write down what it signs, it stops without a word, so that it can never sign twice. A node that
//! only looks alive helps nobody: it must end, and say why.

use core::time::Duration;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tokio::time::{Instant, sleep};

use crate::core::Shared;

/// Whether there was a block is looked at so often.
const OFTEN: Duration = Duration::from_secs(2);
/// After so long without a block, the disk is tried.
const QUIET: Duration = Duration::from_secs(10);

/// Watches until the disk of this folder cannot be written any more, and says why.
pub(crate) async fn disk(shared: Shared, folder: PathBuf) -> String {
    let (mut height, mut since) = (shared.seen.borrow().height, Instant::now());
    loop {
        sleep(OFTEN).await;
        let now = shared.seen.borrow().height;
        if now != height {
            // A block is on the disk before anybody hears of it.
            (height, since) = (now, Instant::now());
            continue;
        }
        if since.elapsed() < QUIET {
            continue;
        }
        since = Instant::now();
        tracing::warn!(height, "there was no block for {} seconds", QUIET.as_secs());
        let at = folder.clone();
        if let Ok(Err(why)) = tokio::task::spawn_blocking(move || try_to_write(&at)).await {
            shared.counts.disk_error();
            return format!(
                "{}: the disk cannot be written: {why}; make room, then start the node again",
                folder.display()
            );
        }
    }
}

/// Writes a little into a folder, and takes it away again.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let file = folder.join("probe");
    let written = File::create(&file).and_then(|mut probe| {
        probe.write_all(&[0; 4_096])?;
        probe.sync_all()
    });
    let _ = fs::remove_file(&file);
    written
}

/// Waits until nobody else holds the engine's log: a node that was stopped a moment ago may not have let go of it yet.
pub(crate) async fn free_log(log: &Path) -> Result<(), String> {
    let mut tries = 0;
    loop {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(log);
        let file = file.map_err(|why| format!("{}: {why}", log.display()))?;
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(why) if tries >= 50 => {
                return Err(format!("{}: another node is using this file: {why}", log.display()));
            }
            Err(_) => tries += 1,
        }
        sleep(Duration::from_millis(100)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_cannot_be_written_is_noticed() {
        let folder = tempfile::tempdir().expect("tests have a place for files");
        assert!(try_to_write(folder.path()).is_ok());
        assert!(!folder.path().join("probe").exists(), "nothing is left behind");
        assert!(try_to_write(&folder.path().join("gone")).is_err());
        // Like a disk without room: this one takes nothing.
        std::os::unix::fs::symlink("/dev/full", folder.path().join("probe")).expect("a link can be made");
        assert!(try_to_write(folder.path()).is_err());
    }

    #[tokio::test]
    async fn a_log_that_was_let_go_of_a_moment_later_is_waited_for() {
        let folder = tempfile::tempdir().expect("tests have a place for files");
        let log = folder.path().join("signed.log");
        let held = File::create(&log).expect("a file can be made");
        held.lock().expect("nobody else holds it");
        let waiting = tokio::spawn({
            let log = log.clone();
            async move { free_log(&log).await }
        });
        sleep(Duration::from_millis(250)).await;
        assert!(!waiting.is_finished());
        drop(held);
        assert_eq!(waiting.await.expect("it does not fail"), Ok(()));
    }
}
