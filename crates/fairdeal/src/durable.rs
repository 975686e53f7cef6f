//! Files that are whole or not there, also after a power failure: written under another name, brought to the disk, and
//! named; then the folder is brought to the disk, too.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Who may read a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readers {
    /// Only its owner.
    Owner,
    /// Those who may read any new file.
    Usual,
}

/// Writes a file that must not exist yet.
pub(crate) fn create(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    write(path, bytes, readers, false)
}

/// Writes a file, in place of one that may exist.
pub(crate) fn replace(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    write(path, bytes, readers, true)
}

fn write(path: &Path, bytes: &[u8], readers: Readers, over: bool) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_folder(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fairdeal-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let named = if over { file.persist(path) } else { file.persist_noclobber(path) };
    named.map_err(|error| error.error)?;
    sync(folder)
}

/// Makes a folder and those above it; each is on the disk before something is put into it.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let missing: Vec<PathBuf> = folder.ancestors().take_while(|folder| !folder.exists()).map(PathBuf::from).collect();
    for folder in missing.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => sync(folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new(".")))?,
        }
    }
    Ok(())
}

/// A folder's names are brought to the disk; where folders cannot be opened, the system does it in its own time.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some/where/deep/file.txt");
        create(&path, b"one", Readers::Usual).unwrap();
        assert_eq!(create(&path, b"two", Readers::Usual).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        replace(&path, b"two", Readers::Usual).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_a_secret() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        create(&path, b"x", Readers::Owner).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        create(&file, b"x", Readers::Usual).unwrap();
        assert!(create(&file.join("below"), b"x", Readers::Usual).is_err());
    }
}
