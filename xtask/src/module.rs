//! The modules for browsers (`crates/server/modules.rs`): finds or gets a compiler for WebAssembly, and builds them.
//!
//! They go to `crates/server/built`, with a note on what they were made of and with, and the build script of `server`
//! embeds them from there. The same sources and the same compiler give the same bytes, wherever they are: paths are
//! replaced, nothing depends on the time or the machine.

#[path = "../../crates/server/modules.rs"]
mod list;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{env, fmt, fs, io};

use crate::cargo::root;
use crate::tools::{self, Missing};
use list::{BUILT, Entry, Kind, MODULES};

const TARGET: &str = "wasm32-unknown-unknown";
/// Debian's compiler with its sources, and a linker: its packages have no compiled standard library for this target, so
/// that is compiled, too. And what makes modules smaller for their way to a browser.
const PACKAGES: [&str; 5] = ["rustc-web", "rust-web-src", "cargo-web", "lld-19", "brotli"];
const LINKER: &str = "wasm-ld-19";
/// The oldest compiler that will do, as in `Cargo.toml`.
const OLDEST: (u32, u32) = (1, 95);

/// How to get a compiler, for somebody who has to do it.
pub(crate) const REMEDY: &str = "`rustup target add wasm32-unknown-unknown`, or on Debian \
    `apt-get install rustc-web rust-web-src cargo-web lld-19 brotli`";

/// Why there is no module.
#[derive(Debug)]
pub(crate) enum Failed {
    NoCompiler(Option<Missing>),
    NotStarted(&'static str, io::Error),
    Build(ExitStatus),
    File(PathBuf, io::Error),
}

/// A compiler for WebAssembly.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Compiler {
    /// The toolchain in use has the target.
    Rustup,
    /// Debian's packages.
    Debian,
}

/// Builds the modules that are not there or made of other sources. Returns whether one was built.
pub(crate) fn run() -> Result<bool, Failed> {
    let compiler = Compiler::get()?;
    let mut to_build = Vec::new();
    for entry in MODULES {
        let about = about(&compiler, entry)?;
        match fs::read_to_string(root().join(BUILT).join(entry.about())).is_ok_and(|made| made == about) {
            true => eprintln!("{}: up to date", entry.wasm()),
            false => to_build.push(entry),
        }
    }
    for entries in to_build.chunk_by(|one, next| one.package == next.package) {
        let made = compiler.build(entries, &root(), &root().join("target").join("module"))?;
        for (entry, made) in entries.iter().zip(made) {
            keep(entry, &made, &about(&compiler, entry)?)?;
        }
    }
    Ok(!to_build.is_empty())
}

/// What a module is made of and with.
fn about(compiler: &Compiler, entry: &Entry) -> Result<String, Failed> {
    let fingerprint = entry.fingerprint(&root()).map_err(|error| Failed::File(root(), error))?;
    Ok(format!("{fingerprint}\n{}\n", compiler.version()?))
}

/// Puts a module where the server finds it.
fn keep(entry: &Entry, made: &[u8], about: &str) -> Result<(), Failed> {
    let built = root().join(BUILT);
    fs::create_dir_all(&built).map_err(|error| Failed::File(built.clone(), error))?;
    // What it was made of is said last: a build that is cut off leaves nothing that looks finished.
    let (module, about_file) = (built.join(entry.wasm()), built.join(entry.about()));
    let brotli_file = built.join(entry.brotli());
    for old in [&about_file, &brotli_file] {
        let _ = fs::remove_file(old);
    }
    write(&module, made)?;
    let gzip = compress("gzip", &["-9", "-n", "-c"], &module)?;
    write(&built.join(entry.gzip()), &gzip)?;
    // Not every machine has it, and gzip will do.
    let brotli = match compress("brotli", &["--best", "--stdout"], &module) {
        Err(Failed::NotStarted(_, _)) => "none".to_owned(),
        brotli => {
            let brotli = brotli?;
            write(&brotli_file, &brotli)?;
            brotli.len().to_string()
        }
    };
    write(&about_file, about.as_bytes())?;
    eprintln!("{}: {} bytes, {} with gzip, {brotli} with brotli", entry.wasm(), made.len(), gzip.len());
    Ok(())
}

/// Builds the modules of a workspace elsewhere, and returns them: to compare.
pub(crate) fn build_in(root: &Path, target: &Path) -> Result<Vec<u8>, Failed> {
    let compiler = Compiler::get()?;
    let all: Vec<&Entry> = MODULES.iter().collect();
    let mut made = Vec::new();
    for entries in all.chunk_by(|one, next| one.package == next.package) {
        made.extend(compiler.build(entries, root, target)?.concat());
    }
    Ok(made)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    fs::write(path, bytes).map_err(|error| Failed::File(path.to_owned(), error))
}

/// What a program makes of a file and prints.
fn compress(program: &'static str, args: &[&str], from: &Path) -> Result<Vec<u8>, Failed> {
    let output = Command::new(program).args(args).arg(from).output();
    let output = output.map_err(|error| Failed::NotStarted(program, error))?;
    if output.status.success() { Ok(output.stdout) } else { Err(Failed::Build(output.status)) }
}

impl Compiler {
    /// Finds a compiler, or installs Debian's.
    fn get() -> Result<Self, Failed> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        if !Path::new("/etc/debian_version").exists() {
            return Err(Failed::NoCompiler(None));
        }
        tools::install("a compiler for WebAssembly", &PACKAGES, || Self::find().is_some())
            .map_err(|missing| Failed::NoCompiler(Some(missing)))?;
        Self::find().ok_or(Failed::NoCompiler(None))
    }

    fn find() -> Option<Self> {
        let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output().ok()?;
        let folder = PathBuf::from(String::from_utf8(libraries.stdout).ok()?.trim());
        if libraries.status.success() && folder.is_dir() {
            return Some(Self::Rustup);
        }
        let new_enough = version_of(Path::new("/usr/bin/rustc")).and_then(|text| number(&text)) >= Some(OLDEST);
        let sources = Path::new("/usr/lib/rustlib/src/rust/library/Cargo.lock").exists();
        let tools =
            ["/usr/bin/cargo", "/usr/bin/wasm-ld-19", "/usr/bin/brotli"].iter().all(|tool| Path::new(tool).exists());
        (new_enough && sources && tools).then_some(Self::Debian)
    }

    fn version(&self) -> Result<String, Failed> {
        let rustc = match self {
            Self::Rustup => Path::new("rustc"),
            Self::Debian => Path::new("/usr/bin/rustc"),
        };
        version_of(rustc).ok_or(Failed::NoCompiler(None))
    }

    /// Builds modules of one package, all at once; returns their bytes.
    fn build(&self, entries: &[&Entry], root: &Path, target: &Path) -> Result<Vec<Vec<u8>>, Failed> {
        let mut cargo = match self {
            Self::Rustup => Command::new("cargo"),
            Self::Debian => {
                let mut cargo = Command::new("/usr/bin/cargo");
                cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
                cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", LINKER).env_remove("CARGO");
                cargo
            }
        };
        cargo.args(["build", "--locked", "--profile", "module", "--target", TARGET]);
        for entry in entries {
            eprintln!("{}: {} for {TARGET}", entry.wasm(), self.version()?);
            cargo.args(["--package", entry.package]);
            match entry.kind {
                Kind::Library => cargo.arg("--lib"),
                Kind::Example => cargo.args(["--example", entry.name]),
            };
        }
        if *self == Self::Debian {
            cargo.args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"]);
        }
        cargo.arg("--target-dir").arg(target).current_dir(root);
        // One set of flags, whatever somebody has set for other programs.
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_BUILD_RUSTFLAGS");
        let mut flags = flags(root);
        if *self == Self::Debian {
            // Nobody reads why a module panics, it only stops: the words for it are left out.
            flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(str::to_owned));
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        let status = cargo.status().map_err(|error| Failed::NotStarted("cargo", error))?;
        if !status.success() {
            return Err(Failed::Build(status));
        }
        let folder = target.join(TARGET).join("module");
        let made = entries.iter().map(|entry| match entry.kind {
            Kind::Library => folder.join(format!("{}.wasm", entry.package.replace('-', "_"))),
            Kind::Example => folder.join("examples").join(format!("{}.wasm", entry.name.replace('-', "_"))),
        });
        made.map(|made| fs::read(&made).map_err(|error| Failed::File(made, error))).collect()
    }
}

/// Flags that keep the paths of this machine out of the module.
fn flags(root: &Path) -> Vec<String> {
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let registries = home.iter().flat_map(|home| fs::read_dir(home.join("registry/src")).into_iter().flatten());
    let mut registries: Vec<PathBuf> = registries.flatten().map(|entry| entry.path()).collect();
    registries.sort();
    let mut flags = vec![remap(root, "/fairdeal"), remap(Path::new("/usr/lib/rustlib/src/rust"), "/rust")];
    flags.extend(registries.iter().map(|path| remap(path, "/crates")));
    flags
}

fn version_of(rustc: &Path) -> Option<String> {
    let output = Command::new(rustc).arg("--version").output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The version in `rustc 1.96.0 (…)`.
fn number(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix("rustc ")?.split(['.', ' ', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCompiler(None) => write!(f, "there is no compiler for WebAssembly; to get one: {REMEDY}"),
            Self::NoCompiler(Some(missing)) => write!(f, "{missing}; to get one: {REMEDY}"),
            Self::NotStarted(program, error) => write!(f, "{program} did not start: {error}"),
            Self::Build(status) => write!(f, "building the module: {status}"),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifests;

    #[test]
    fn the_sources_of_a_module_are_those_of_all_crates_in_it() {
        for entry in MODULES {
            assert_eq!(inside(entry.package), entry.crates, "{}", entry.name);
            assert!(entry.parts().all(|part| root().join(part).exists()), "{}", entry.name);
        }
    }

    /// The crates of this workspace that a package uses, and itself.
    fn inside(package: &str) -> Vec<String> {
        let packages = manifests::read().unwrap();
        let mut inside = vec![package.to_owned()];
        let mut at = 0;
        while let Some(name) = inside.get(at).cloned() {
            let package = packages.iter().find(|package| package.name == name).unwrap();
            let used = package.dependencies.iter().filter(|used| used.is_ours() && used.kind.is_none());
            for used in used {
                if !inside.contains(&used.name) {
                    inside.push(used.name.clone());
                }
            }
            at += 1;
        }
        inside.sort();
        inside
    }

    #[test]
    fn sources_have_a_fingerprint_that_notices_every_change() {
        let entry = MODULES.iter().find(|entry| entry.package == "browser").unwrap();
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [&one, &other] {
            for part in entry.parts() {
                let path = folder.path().join(part);
                match path.extension() {
                    Some(_) => {
                        fs::create_dir_all(path.parent().unwrap()).unwrap();
                        fs::write(path, "x").unwrap();
                    }
                    None => {
                        fs::create_dir_all(path.join("deep")).unwrap();
                        fs::write(path.join("lib.rs"), "y").unwrap();
                        fs::write(path.join("deep/more.rs"), "z").unwrap();
                    }
                }
            }
        }
        let fingerprint = |folder: &tempfile::TempDir| entry.fingerprint(folder.path()).unwrap();
        assert_eq!(fingerprint(&one), fingerprint(&other));
        let before = fingerprint(&one);
        fs::write(one.path().join("crates/peer/src/deep/more.rs"), "Z").unwrap();
        assert_ne!(fingerprint(&one), before);
        fs::rename(other.path().join("crates/cards/src/lib.rs"), other.path().join("crates/cards/src/bil.rs")).unwrap();
        assert_ne!(fingerprint(&other), before);
        fs::remove_file(other.path().join("Cargo.lock")).unwrap();
        assert!(entry.fingerprint(other.path()).is_err());
    }

    #[test]
    fn old_compilers_are_told_apart() {
        assert!(number("rustc 1.96.0 (ac68faa20 2026-05-25)") >= Some(OLDEST));
        assert!(number("rustc 1.85.0 (4d91de4e4 2025-02-17)") < Some(OLDEST));
        assert!(number("clang 19") < Some(OLDEST));
    }
}
