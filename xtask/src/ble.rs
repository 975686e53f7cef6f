//! Bluetooth end to end, on the real stack, without any hardware.
//!
//! 1. Debian's packages of QEMU, a kernel, BlueZ and busybox are fetched with apt and unpacked under `target/ble`; nothing
//!    is installed.
//! 2. An initial file system is made of them and of our program ([`cpio`]).
//! 3. QEMU boots it, without a disk, a network or hardware support ([`machine`]). There, `btvirt` makes two Bluetooth
//!    controllers out of the kernel's virtual one, `bluetoothd` runs them, and three processes of ours play a match of
//!    each game to its signed result, and four one of Hold'em, at once and as people who think (`ble/init.sh`).
//! 4. What the machine says is passed on, and a table of figures is made of it ([`figures`]), also if something failed
//!    later. No time is a reason to fail.
//!
//! Everything has a limit, and the machine ends with this program, however that ends.
//!
//! Caveats: a virtual controller needs no time on the air, and one emulated processor computes for all players.

mod cpio;
mod figures;
mod machine;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, fs};

use crate::cargo::{Broken, Cargo};
use crate::manifests::{self, Unreadable};
use cpio::Archive;
use figures::Table;

/// The packages; what they need is fetched as well, if this machine does not have it.
const PACKAGES: [&str; 6] =
    ["qemu-system-x86", "linux-image-amd64", "bluez", "bluez-test-tools", "busybox-static", "dbus-daemon"];
/// The modules of the kernel that are loaded; those they need come first.
const MODULES: [&str; 9] =
    ["cmac", "ecb", "ctr", "ecdh_generic", "algif_hash", "algif_skcipher", "bluetooth", "hci_vhci", "virtio_rng"];
/// The programs in the machine, beside ours.
const PROGRAMS: [&str; 4] =
    ["usr/libexec/bluetooth/bluetoothd", "usr/bin/btvirt", "bin/hciconfig", "usr/bin/dbus-daemon"];
const INIT: &str = include_str!("ble/init.sh");

/// What can be played, and is if nothing is named. `holdem4` is Hold'em with four players, and in `holdem4slow` they think
/// for two seconds about each move; everything else has three.
const GAMES: [&str; 8] = ["holdem4", "holdem4slow", "holdem", "blackjack", "romme", "bigc", "ongdu", "blackout"];

/// Why Bluetooth was not tested, or failed.
#[derive(Debug)]
pub(crate) enum Failed {
    Build(Broken),
    TargetUnknown(Unreadable),
    NotStarted(String, io::Error),
    Apt(&'static str, ExitStatus),
    File(PathBuf, io::Error),
    Missing(String),
    UnknownGame(String),
    NoBus,
    Machine(String),
    Silent(Duration),
    Endless(Duration),
}

/// Runs everything.
pub(crate) fn run(games: &[String]) -> Result<(), Failed> {
    if let Some(unknown) = games.iter().find(|game| !GAMES.contains(&game.as_str())) {
        return Err(Failed::UnknownGame(unknown.clone()));
    }
    let target = manifests::target_directory().map_err(Failed::TargetUnknown)?;
    let folder = target.join("ble");
    let system = folder.join("system");
    let started = Instant::now();
    // Said now, and not by a compiler after some minutes.
    if !succeeds(Command::new("pkg-config").args(["--exists", "dbus-1"]))? {
        return Err(Failed::NoBus);
    }
    fetch(&folder, &system)?;
    eprintln!("ble: packages are there after {:.0} s", started.elapsed().as_secs_f64());
    // As people have it: nearly all the time is computing, and a build for development computes several times as long.
    Cargo::new("build --release --locked -p fairdeal --features bluetooth --bin fairdeal")
        .run()
        .map_err(Failed::Build)?;
    let program = folder.join("fairdeal");
    // What is only there to find mistakes would fill the machine's memory.
    if !succeeds(Command::new("strip").arg("-o").arg(&program).arg(target.join("release/fairdeal")))? {
        return Err(Failed::Missing("a program that can be stripped".to_owned()));
    }
    let image = folder.join("initrd");
    write(&image, &archive(&system, &program, games)?)?;
    eprintln!("ble: the machine is made after {:.0} s", started.elapsed().as_secs_f64());
    let mut figures = Vec::new();
    let played = machine::boot(&system, &image, &mut figures);
    let _ = fs::remove_file(&image);
    if !figures.is_empty() {
        print!("{}", Table(figures));
    }
    eprintln!("ble: {:.0} minutes in all", started.elapsed().as_secs_f64() / 60.0);
    played
}

/// Runs a program and waits for it.
fn succeeds(command: &mut Command) -> Result<bool, Failed> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.status().map(|status| status.success()).map_err(|why| Failed::NotStarted(name, why))
}

/// Fetches and unpacks the packages that this machine does not have. Those that are there stay.
fn fetch(folder: &Path, system: &Path) -> Result<(), Failed> {
    let done = folder.join("fetched");
    if done.exists() {
        return Ok(());
    }
    let debs = folder.join("debs");
    for folder in [debs.as_path(), system] {
        fs::create_dir_all(folder).map_err(|why| Failed::File(folder.to_owned(), why))?;
    }
    let mut plan = Command::new("apt-get");
    plan.args(["install", "--simulate", "--no-install-recommends"]).args(PACKAGES);
    let planned = plan.stderr(Stdio::inherit()).output().map_err(|why| not_started("apt-get", why))?;
    if !planned.status.success() {
        return Err(Failed::Apt("install --simulate", planned.status));
    }
    let planned = String::from_utf8_lossy(&planned.stdout).into_owned();
    let missing = planned.lines().filter_map(|line| line.strip_prefix("Inst ")?.split(' ').next());
    let mut download = Command::new("apt-get");
    download.arg("download").args(missing).current_dir(&debs).stdout(Stdio::null());
    let status = download.status().map_err(|why| not_started("apt-get", why))?;
    if !status.success() {
        return Err(Failed::Apt("download", status));
    }
    for deb in files(&debs)? {
        if !succeeds(Command::new("dpkg-deb").arg("-x").arg(&deb).arg(system))? {
            return Err(Failed::Missing(format!("a package that can be unpacked ({})", deb.display())));
        }
    }
    write(&done, b"")
}

/// The initial file system.
fn archive(system: &Path, program: &Path, games: &[String]) -> Result<Vec<u8>, Failed> {
    let mut archive = Archive::default();
    for folder in ["bin", "dev", "proc", "sys", "run", "tmp", "etc", "lib64", "modules", "var"] {
        archive.folder(folder);
    }
    let games = if games.is_empty() { GAMES.join(" ") } else { games.join(" ") };
    archive.file("init", &INIT.replace("GAMES", &games).into_bytes());
    archive.file("bin/busybox", &read(&found(system, "bin/busybox")?)?);
    archive.file("etc/passwd", b"root:x:0:0:root:/:/bin/sh\n");
    archive.file("etc/group", b"root:x:0:\n");
    archive.file("etc/machine-id", b"00000000000000000000000000000001\n");
    archive.file("etc/bus.conf", BUS.as_bytes());
    let mut libraries = BTreeSet::new();
    for path in PROGRAMS {
        let path = found(system, path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        libraries.append(&mut needed(system, &path)?);
        archive.file(&format!("bin/{name}"), &read(&path)?);
    }
    libraries.append(&mut needed(system, program)?);
    archive.file("bin/fairdeal", &read(program)?);
    for library in libraries {
        let name = library.file_name().unwrap_or_default().to_string_lossy().into_owned();
        archive.file(&format!("lib64/{name}"), &read(&library)?);
    }
    let mut order = String::new();
    for (name, module) in modules(system)? {
        archive.file(&format!("modules/{name}.ko"), &module);
        order.push_str(&name);
        order.push('\n');
    }
    archive.file("modules/order", order.as_bytes());
    Ok(archive.end())
}

/// A bus where everybody may say everything.
const BUS: &str = r#"<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true"/><allow receive_type="method_call"/><allow receive_type="signal"/>
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy></busconfig>
"#;

/// A file of the packages, or of this machine if it had the package already.
fn found(system: &Path, path: &str) -> Result<PathBuf, Failed> {
    let places = [system.join(path), Path::new("/").join(path)];
    places.into_iter().find(|place| place.exists()).ok_or_else(|| Failed::Missing(path.to_owned()))
}

/// The folders of the packages' libraries.
fn library_path(system: &Path) -> String {
    let folders = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"].map(|path| system.join(path));
    folders.map(|path| path.display().to_string()).join(":")
}

/// The libraries that a program needs, and what loads them.
fn needed(system: &Path, program: &Path) -> Result<BTreeSet<PathBuf>, Failed> {
    let listed = Command::new("ldd").arg(program).env("LD_LIBRARY_PATH", library_path(system)).output();
    let listed = listed.map_err(|why| not_started("ldd", why))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    if let Some(missing) = listed.lines().find(|line| line.contains("not found")) {
        return Err(Failed::Missing(missing.trim().to_owned()));
    }
    let path = |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    Ok(listed.lines().filter_map(path).collect())
}

/// The modules of the kernel, each after those it needs.
fn modules(system: &Path) -> Result<Vec<(String, Vec<u8>)>, Failed> {
    let mut all = BTreeMap::new();
    let mut folders = vec![system.join("lib/modules")];
    while let Some(folder) = folders.pop() {
        for path in files(&folder)? {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".ko")) {
                all.insert(name.replace('-', "_"), path);
            }
        }
    }
    let mut loaded: Vec<(String, Vec<u8>)> = Vec::new();
    let mut wanted: Vec<String> = MODULES.iter().rev().map(|&name| name.to_owned()).collect();
    while let Some(name) = wanted.pop() {
        if loaded.iter().any(|(known, _)| *known == name) {
            continue;
        }
        // What is no module is part of the kernel.
        let Some(path) = all.get(&name) else { continue };
        let module = read(path)?;
        let needs: Vec<String> = needs(&module).into_iter().filter(|need| all.contains_key(need)).collect();
        if needs.iter().all(|need| loaded.iter().any(|(known, _)| known == need)) {
            loaded.push((name, module));
        } else {
            wanted.push(name);
            wanted.extend(needs);
        }
    }
    Ok(loaded)
}

/// The modules that a module names as needed: `depends=a,b`, followed by a zero.
fn needs(module: &[u8]) -> Vec<String> {
    let key = b"\0depends=";
    let Some(place) = module.windows(key.len()).position(|bytes| bytes == key) else { return Vec::new() };
    let list = module.get(place + key.len()..).unwrap_or_default().split(|byte| *byte == 0).next().unwrap_or_default();
    let list = String::from_utf8_lossy(list).replace('-', "_");
    list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn not_started(program: &str, why: io::Error) -> Failed {
    Failed::NotStarted(program.to_owned(), why)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let failed = |why| Failed::File(folder.to_owned(), why);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, Failed> {
    fs::read(path).map_err(|why| Failed::File(path.to_owned(), why))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    fs::write(path, bytes).map_err(|why| Failed::File(path.to_owned(), why))
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(broken) => broken.fmt(f),
            Self::TargetUnknown(why) => why.fmt(f),
            Self::NotStarted(program, why) => write!(f, "{program} did not start: {why}"),
            Self::Apt(what, status) => write!(f, "apt-get {what}: {status}; try apt-get update"),
            Self::File(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Missing(what) => write!(f, "{what} is missing; delete target/ble to fetch everything again"),
            Self::UnknownGame(game) => write!(f, "{game} is none of {}", GAMES.join(", ")),
            Self::NoBus => write!(f, "pkg-config does not find dbus-1: libdbus-1-dev is missing"),
            Self::Silent(time) => {
                write!(f, "the machine said nothing for {} minutes and was stopped", time.as_secs() / 60)
            }
            Self::Endless(time) => write!(f, "the machine was not done after {} minutes", time.as_secs() / 60),
            Self::Machine(last) => write!(f, "the machine stopped before the matches were over: {last}"),
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_says_what_it_needs() {
        assert_eq!(needs(b"x\0depends=ecdh-generic,rfkill\0name=bluetooth\0"), ["ecdh_generic", "rfkill"]);
        assert!(needs(b"x\0depends=\0name=ecc\0").is_empty() && needs(b"").is_empty());
    }
}
