//! The emulated machine.
//!
//! Its clock counts instructions, one per nanosecond, and leaps where there is nothing to do. So seconds in it do not
//! depend on how fast or busy this computer is: they are those of a computer with a slow processor.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::figures::Figures;
use super::{Failed, files, found, library_path, not_started};

/// How the machine says that everything went well, and how it begins to say what failed.
const DONE: &str = "BLE-DONE";
const FAILED: &str = "BLE-FAILED ";
const FIGURE: &str = "FIGURE ";
/// How long it may say nothing, and how long it may take for everything.
const SILENCE: Duration = Duration::from_secs(20 * 60);
const WHOLE: Duration = Duration::from_secs(3 * 60 * 60);

/// The machine is stopped when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Boots the machine, passes on what it says, and notes the figures.
pub(super) fn boot(system: &Path, image: &Path, figures: &mut Vec<Figures>) -> Result<(), Failed> {
    let kernel = files(&system.join("boot"))?.into_iter().find(|path| path.display().to_string().contains("vmlinuz"));
    let kernel = kernel.ok_or_else(|| Failed::Missing("a kernel".to_owned()))?;
    // It ends when this program does, whatever the reason.
    let mut machine = Command::new("setpriv");
    machine.args(["--pdeathsig", "KILL"]).arg(found(system, "usr/bin/qemu-system-x86_64")?);
    machine.env("LD_LIBRARY_PATH", library_path(system));
    for folder in ["usr/share/seabios", "usr/share/qemu"] {
        machine.arg("-L").arg(system.join(folder));
    }
    machine.args(["-accel", "tcg", "-icount", "shift=0,sleep=off", "-cpu", "max,-avx,-avx2", "-m", "1536"]);
    machine.args(["-nographic", "-no-reboot", "-net", "none", "-device", "virtio-rng-pci"]);
    machine.arg("-kernel").arg(kernel).arg("-initrd").arg(image);
    machine.args(["-append", "console=ttyS0 quiet panic=-1 random.trust_cpu=on"]);
    let started = machine.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut running = Running(started.map_err(|why| not_started("setpriv", why))?);
    let said = running.0.stdout.take().ok_or_else(|| not_started("qemu", io::ErrorKind::BrokenPipe.into()))?;
    let (tell, told) = channel();
    thread::spawn(move || {
        let lines = BufReader::new(said).split(b'\n').map_while(Result::ok);
        let _ =
            lines.map(|line| String::from_utf8_lossy(&line).trim_end().to_owned()).try_for_each(|line| tell.send(line));
    });
    let begun = Instant::now();
    let (mut done, mut last) = (false, String::new());
    loop {
        let line = match told.recv_timeout(SILENCE) {
            Ok(_) if begun.elapsed() > WHOLE => return Err(Failed::Endless(WHOLE)),
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => return Err(Failed::Silent(SILENCE)),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        eprintln!("{:6.0} s | {line}", begun.elapsed().as_secs_f64());
        done |= line == DONE;
        if let Some(told) = line.strip_prefix(FIGURE) {
            figures.push(Figures::read(told));
        } else if let Some(failed) = line.strip_prefix(FAILED) {
            return Err(Failed::Machine(failed.to_owned()));
        }
        if !line.is_empty() {
            last = line;
        }
    }
    if done { Ok(()) } else { Err(Failed::Machine(last)) }
}
