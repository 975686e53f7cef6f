//! The files of an SQLite database: readable by their owner only, and used by one server at a time.
//!
//! A server holds a lock on `PATH.lock` while it has the database open; the system releases it no matter how the
//! server stops. Operator commands take no lock: they append by the same rule as everybody.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StoreError;

/// Creates the directory if it is missing, closed to others, and returns the database's full path.
pub(super) fn make_directory(path: &Path) -> Result<PathBuf, StoreError> {
    let parent = parent(path);
    if !parent.exists() {
        private_directory(parent).map_err(|error| trouble(parent, error))?;
    }
    full(path)
}

/// Creates an empty database if it is missing, and closes it to others.
pub(super) fn make(path: &Path) -> Result<(), StoreError> {
    private_file(path, false).map_err(|error| trouble(path, error))?;
    for ending in ["-wal", "-shm"] {
        let beside = beside(path, ending);
        if beside.exists() {
            close_to_others(&beside).map_err(|error| trouble(&beside, error))?;
        }
    }
    Ok(())
}

/// The full path of a database that exists.
pub(super) fn find(path: &Path) -> Result<PathBuf, StoreError> {
    if !path.is_file() {
        return Err(StoreError::Missing(path.to_owned()));
    }
    full(path)
}

/// Locks the database for one server. The lock lasts as long as the returned file.
pub(super) fn lock(path: &Path) -> Result<File, StoreError> {
    let lock_path = beside(path, ".lock");
    let file = private_file(&lock_path, false).map_err(|error| trouble(&lock_path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(trouble(&lock_path, error)),
    }
}

/// Creates an empty file that only its owner can read, if nothing is there yet.
pub(super) fn make_new(path: &Path) -> Result<(), StoreError> {
    match private_file(path, true) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(StoreError::Exists(path.to_owned())),
        Err(error) => Err(trouble(path, error)),
    }
}

/// Replaces the database with `copy`, and returns the name under which the old database is kept.
///
/// The old database's log must never be next to the new one: it is moved away first. If this is interrupted, the old
/// database and its log are complete under the other name.
pub(super) fn replace(path: &Path, copy: &Path) -> Result<Option<PathBuf>, StoreError> {
    let kept = (1u32..).map(|number| beside(path, &format!(".before{number}"))).find(|kept| !kept.exists());
    let kept = kept.ok_or_else(|| StoreError::Exists(path.to_owned()))?;
    let swap = || -> io::Result<Option<PathBuf>> {
        let had = path.exists();
        if had {
            fs::hard_link(path, &kept)?;
            for ending in ["-wal", "-shm"] {
                let old = beside(path, ending);
                if old.exists() {
                    fs::rename(&old, beside(&kept, ending))?;
                }
            }
        }
        fs::rename(copy, path)?;
        File::open(parent(path))?.sync_all()?;
        Ok(had.then(|| kept.clone()))
    };
    swap().map_err(|error| trouble(path, error))
}

/// Copies a file into a new one that only its owner can read, and syncs it to disk.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    make_new(to)?;
    let copy = || -> io::Result<()> {
        let mut target = OpenOptions::new().write(true).open(to)?;
        io::copy(&mut File::open(from)?, &mut target)?;
        target.sync_all()
    };
    copy().map_err(|error| trouble(to, error))
}

/// Gives a file that belongs to a database to the database's owner or, if there is no database yet, to the folder's
/// owner. Without the permission to do that, the file keeps its owner.
#[cfg(unix)]
pub(super) fn give_to_owner_of(path: &Path, file: &Path) {
    use std::os::unix::fs::{MetadataExt, chown};
    let owner = fs::metadata(path).or_else(|_| fs::metadata(parent(path)));
    if let (Ok(owner), Ok(now)) = (owner, fs::metadata(file))
        && (owner.uid(), owner.gid()) != (now.uid(), now.gid())
    {
        let _ = chown(file, Some(owner.uid()), Some(owner.gid()));
    }
}

#[cfg(not(unix))]
pub(super) fn give_to_owner_of(_path: &Path, _file: &Path) {}

/// Makes sure that a file is on the disk.
pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| trouble(path, error))
}

/// The path with a suffix.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// An error with a file.
pub(super) fn trouble(path: &Path, error: io::Error) -> StoreError {
    StoreError::File(path.to_owned(), Arc::new(error))
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn full(path: &Path) -> Result<PathBuf, StoreError> {
    let name = path.file_name().ok_or(StoreError::Address)?;
    let full = parent(path).canonicalize().map_err(|error| trouble(path, error))?.join(name);
    // The driver takes its address as text.
    if full.to_str().is_some() { Ok(full) } else { Err(StoreError::Address) }
}

fn private_file(path: &Path, new: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).create_new(new);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    close_to_others(path)?;
    Ok(file)
}

fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(unix)]
fn close_to_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close_to_others(_path: &Path) -> io::Result<()> {
    Ok(())
}
