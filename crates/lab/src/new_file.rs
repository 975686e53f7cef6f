//! A file being written: under another name until it is complete.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;

/// A file being written. Dropped unfinished, it leaves nothing behind.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    force: bool,
    out: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file beside `path`, which must not exist unless it may be replaced.
    pub fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        match path.symlink_metadata() {
            Ok(found) if !found.is_file() => {
                return Err(Failure::input(format!("{}: not a file that can be replaced", path.display())));
            }
            Ok(_) if !force => return Err(exists(path)),
            _ => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = builder().tempfile_in(folder).map_err(|e| Failure::file(path, "write", &e))?;
        Ok(Self { path: path.to_owned(), force, out: BufWriter::new(file) })
    }

    /// Adds to it.
    pub fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(|e| Failure::file(&self.path, "write", &e))
    }

    /// Gives the complete file its name.
    pub fn finish(self) -> Result<(), Failure> {
        let path = self.path;
        let file = self.out.into_inner().map_err(|e| Failure::file(&path, "write", e.error()))?;
        let named: Result<File, _> = if self.force { file.persist(&path) } else { file.persist_noclobber(&path) };
        match named {
            Ok(_) => Ok(()),
            Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => Err(exists(&path)),
            Err(e) => Err(Failure::file(&path, "write", &e.error)),
        }
    }
}

fn exists(path: &Path) -> Failure {
    Failure::input(format!("{}: the file exists; use --force to replace it", path.display()))
}

/// Records are no secrets: they get the permissions of any new file.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".fairdeal-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}
