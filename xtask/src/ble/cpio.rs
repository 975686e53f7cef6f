//! An initial file system as the kernel reads it: a cpio archive in the "newc" format, not compressed.

/// An archive being written.
#[derive(Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    count: usize,
}

impl Archive {
    /// A folder.
    pub(super) fn folder(&mut self, path: &str) {
        self.add(path, 0o040_755, b"");
    }

    /// A file that can be executed.
    pub(super) fn file(&mut self, path: &str, contents: &[u8]) {
        self.add(path, 0o100_755, contents);
    }

    /// The whole archive.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.add("TRAILER!!!", 0, b"");
        self.bytes
    }

    fn add(&mut self, path: &str, mode: u32, contents: &[u8]) {
        self.count += 1;
        self.bytes.extend_from_slice(b"070701");
        // inode, mode, user, group, links, time, size, four numbers of devices, length of the name, checksum
        let mode = usize::try_from(mode).unwrap_or_default();
        for number in [self.count, mode, 0, 0, 1, 0, contents.len(), 0, 0, 0, 0, path.len() + 1, 0] {
            self.bytes.extend_from_slice(format!("{number:08x}").as_bytes());
        }
        self.bytes.extend_from_slice(path.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend_from_slice(contents);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_begins_at_a_multiple_of_four() {
        let mut archive = Archive::default();
        archive.folder("bin");
        archive.file("bin/a", b"hello");
        let bytes = archive.end();
        let starts: Vec<usize> =
            bytes.windows(6).enumerate().filter(|(_, w)| *w == b"070701").map(|(at, _)| at).collect();
        assert_eq!(starts.len(), 3);
        assert!(starts.iter().all(|at| at % 4 == 0) && bytes.len() % 4 == 0);
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("000081ed") && text.contains("hello") && text.contains("TRAILER!!!"));
    }
}
