//! A server as a separate process.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running server, stopped when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts one at this address and waits until it answers.
    pub(crate) fn start(address: SocketAddr, data: &Path, database: Option<&str>, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(["serve", "--listen", &address.to_string(), "--data"]).arg(data).args(more);
        if let Some(database) = database {
            command.args(["--database", database]);
        }
        command.stderr(Stdio::null());
        Self::of(command)
    }

    /// A server that this command starts.
    pub(crate) fn of(mut command: Command) -> Self {
        command.stdout(Stdio::piped());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("FAIRDEAL_")) {
            command.env_remove(name);
        }
        let mut child = command.spawn().expect("the server starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("it prints its address");
        let address = line.trim().rsplit("http://").next().and_then(|text| text.parse().ok());
        let address = address.unwrap_or_else(|| panic!("it prints its address: {line:?}"));
        Self { child, address }
    }

    /// Without limits: tests make many requests.
    pub(crate) fn without_limits(address: SocketAddr, data: &Path, database: Option<&str>) -> Self {
        let limits = ["requests-per-second", "messages-per-second", "tables-per-minute", "connections-per-address"];
        let more: Vec<String> = limits.iter().map(|limit| format!("--{limit}=0")).collect();
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        Self::start(address, data, database, &more)
    }

    /// Kills it without any warning.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Stops it properly.
    pub(crate) fn stop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process};
        kill_process(Pid::from_child(&self.child), Signal::TERM).expect("it runs");
        self.child.wait().expect("it ends");
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address that nobody listens on.
pub(crate) fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port")
}
