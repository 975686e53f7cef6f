//! Computers for tests: network namespaces, and wires between them that lose packets, delay them and can be cut.
//!
//! Everything lives in namespaces that vanish with the test ([`apart`]). A user who is not root gets them through a user
//! namespace. Test programs include this file by its path.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Ipv4Addr;
use std::os::unix::fs::MetadataExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The network between computers; see `wires.py`.
pub(crate) struct Wires {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Wires {
    /// Computers from 1 on, with the wires between them. Delays are in milliseconds.
    pub(crate) fn new(seed: u64, loss: f64, delay: u32, computers: usize) -> Self {
        Self::between(seed, loss, delay, (1..=computers).map(namespace).collect())
    }

    /// The same, and a wire to the test itself, which is never cut, loses nothing and has no delay.
    pub(crate) fn watched(seed: u64, loss: f64, delay: u32, computers: usize) -> Self {
        Self::between(seed, loss, delay, (1..=computers).map(namespace).chain(["-".to_owned()]).collect())
    }

    fn between(seed: u64, loss: f64, delay: u32, names: Vec<String>) -> Self {
        for name in names.iter().filter(|name| *name != "-") {
            // Left over from the evening before.
            let _ = Command::new("ip").args(["netns", "delete", name]).stderr(Stdio::null()).status();
            assert!(Command::new("ip").args(["netns", "add", name]).status().unwrap().success());
        }
        let mut process = Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/network/wires.py"))
            .args([seed.to_string(), loss.to_string(), delay.to_string()])
            .args(&names)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut wires = Self { process, input, output };
        wires.expect("ready");
        wires
    }

    /// Cuts a computer off.
    pub(crate) fn cut(&mut self, computer: usize) {
        self.tell(&format!("cut {computer}"));
    }

    /// Connects it again.
    pub(crate) fn mend(&mut self, computer: usize) {
        self.tell(&format!("mend {computer}"));
    }

    /// Separates these computers from the others. Among themselves, each side goes on.
    pub(crate) fn split(&mut self, computers: &[usize]) {
        let list: Vec<String> = computers.iter().map(usize::to_string).collect();
        self.tell(&format!("split {}", list.join(" ")));
    }

    /// Ends a separation.
    pub(crate) fn join(&mut self) {
        self.tell("split");
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.expect("done");
    }

    fn expect(&mut self, word: &str) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), word);
    }
}

impl Drop for Wires {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn namespace(computer: usize) -> String {
    format!("computer{computer}")
}

/// The address of a computer.
pub(crate) fn address(computer: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 77, 0, u8::try_from(computer).unwrap())
}

/// A program on a computer.
pub(crate) fn program_on(computer: usize, program: &str) -> Command {
    let mut command = Command::new("ip");
    command.args(["netns", "exec", &namespace(computer), program]);
    command
}

/// Runs a test in namespaces of its own: this program again, under `unshare`.
pub(crate) fn apart(name: &str, test: impl FnOnce()) {
    const INSIDE: &str = "FAIRDEAL_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_some() {
        test();
        return;
    }
    let mut call = Command::new("unshare");
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        call.args(["--user", "--map-root-user"]);
    }
    call.args(["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    // Names of network namespaces live there.
    call.args(["sh", "-c", "mount -t tmpfs tmpfs /run && exec \"$0\" \"$@\""]);
    call.arg(std::env::current_exe().unwrap()).args(["--exact", name, "--nocapture"]);
    let ended = call.env(INSIDE, "1").status().expect("unshare starts");
    assert!(ended.success(), "{ended}");
}
