//! `fairdeal key`: somebody's own key, in a file that only they can read.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use results::protected::{self, EFFORT, Fresh};
use results::{Callsign, KeyKind, Public, Secret};
use serde_json::json;
use zeroize::Zeroizing;

use crate::cli::{KeyArgs, KeyCommand, KeyFormat};
use crate::durable::{self, Readers};
use crate::failure::Failure;
use crate::options::data_folder;
use crate::passphrase::{ask, passphrase, read_line};

/// Whose key it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The person who uses the program.
    Player,
    /// The station that counts results.
    Station,
}

impl Owner {
    const fn file(self) -> &'static str {
        match self {
            Self::Player => "key.nsec",
            Self::Station => "station.nsec",
        }
    }

    /// What the key makes them be called.
    pub(crate) fn callsign(self, key: &Public) -> Callsign {
        match self {
            Self::Player => Callsign::of_player(key),
            Self::Station => Callsign::of_station(key),
        }
    }

    const fn how_to_make(self) -> &'static str {
        match self {
            Self::Player => "fairdeal key new",
            Self::Station => "fairdeal station init",
        }
    }
}

pub(crate) fn run(args: KeyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let data = data_folder(args.data.data)?;
    match args.command {
        KeyCommand::New => tell(Owner::Player, &make(&data, Owner::Player)?, &data, args.json, out),
        KeyCommand::Show => tell(Owner::Player, &load(&data, Owner::Player)?, &data, args.json, out),
        KeyCommand::Import { file, passphrase_file } => {
            // Before anybody is asked for a secret in vain.
            refuse_second(&data, Owner::Player)?;
            let secret = import(file.as_deref(), passphrase_file.as_deref())?;
            keep(&data, Owner::Player, &secret)?;
            tell(Owner::Player, &secret, &data, args.json, out)
        }
        KeyCommand::Export { secret: false, .. } => {
            Err(Failure::input("this prints the secret key, with which anybody can sign in your name: add --secret"))
        }
        KeyCommand::Export { secret: true, format, passphrase_file, output } => {
            let secret = load(&data, Owner::Player)?;
            let text = match format {
                KeyFormat::Nsec => secret.nsec(),
                KeyFormat::Hex => secret.hex(),
                KeyFormat::Ncryptsec => {
                    let passphrase = passphrase(passphrase_file.as_deref(), true)?;
                    let fresh = Fresh { salt: random()?, nonce: random()? };
                    let locked = protected::protect(&secret, &passphrase, EFFORT, &fresh);
                    Zeroizing::new(locked.map_err(Failure::input)?)
                }
            };
            export(&text, output.as_deref(), args.json, out)
        }
    }
}

fn export(text: &Zeroizing<String>, output: Option<&Path>, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    match output {
        Some(path) => {
            let line = Zeroizing::new(format!("{}\n", **text));
            durable::create(path, line.as_bytes(), Readers::Owner).map_err(|why| new_file(path, &why))?;
        }
        None if json => writeln!(out, "{}", json!({ "secret": **text }))?,
        None => writeln!(out, "{}", **text)?,
    }
    Ok(())
}

/// The key that somebody has, from a file, from standard input or typed.
fn import(file: Option<&Path>, passphrase_file: Option<&Path>) -> Result<Secret, Failure> {
    let line = match file {
        Some(path) if path.as_os_str() != "-" => {
            let file = std::fs::File::open(path).map_err(|why| Failure::file(path, "read", &why))?;
            read_line(&mut io::BufReader::new(file))?
        }
        _ => ask("Secret key (nsec1…, ncryptsec1… or hexadecimal; it is not shown): ")?,
    };
    let text = line.trim();
    if text.is_empty() {
        return Err(Failure::input("there is no key: the first line is empty"));
    }
    match KeyKind::of(text) {
        Some(KeyKind::Npub) => Err(Failure::input("this is a public key (npub1…); the secret one begins with nsec1")),
        Some(KeyKind::Ncryptsec) => {
            let passphrase = passphrase(passphrase_file, false)?;
            protected::open(text, &passphrase).map_err(|why| Failure::input(format!("the key cannot be opened: {why}")))
        }
        Some(KeyKind::Nsec) | None => {
            text.parse().map_err(|why| Failure::input(format!("this is no secret key: {why}")))
        }
    }
}

/// Makes a key where there is none.
pub(crate) fn make(data: &Path, owner: Owner) -> Result<Secret, Failure> {
    refuse_second(data, owner)?;
    loop {
        let bytes = Zeroizing::new(random::<32>()?);
        // All but a few of 2^128 are a key.
        if let Ok(secret) = Secret::from_bytes(&bytes) {
            keep(data, owner, &secret)?;
            return Ok(secret);
        }
    }
}

fn refuse_second(data: &Path, owner: Owner) -> Result<(), Failure> {
    let path = path(data, owner);
    if path.symlink_metadata().is_ok() { Err(exists(&path)) } else { Ok(()) }
}

fn keep(data: &Path, owner: Owner, secret: &Secret) -> Result<(), Failure> {
    let path = path(data, owner);
    let text = Zeroizing::new(format!("{}\n", *secret.nsec()));
    durable::create(&path, text.as_bytes(), Readers::Owner).map_err(|why| match why.kind() {
        io::ErrorKind::AlreadyExists => exists(&path),
        _ => Failure::file(&path, "write", &why),
    })
}

/// The key that is kept.
pub(crate) fn load(data: &Path, owner: Owner) -> Result<Secret, Failure> {
    let path = path(data, owner);
    let file = std::fs::File::open(&path).map_err(|why| match why.kind() {
        io::ErrorKind::NotFound => {
            Failure::input(format!("{}: there is no key yet; make one with `{}`", path.display(), owner.how_to_make()))
        }
        _ => Failure::file(&path, "read", &why),
    })?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file.metadata().map_err(|why| Failure::file(&path, "read", &why))?.permissions().mode();
        if mode & 0o077 != 0 {
            let why = format!("{0}: others can read this key; `chmod 600 {0}`, or use a new key", path.display());
            return Err(Failure::input(why));
        }
    }
    let line = read_line(&mut io::BufReader::new(file))?;
    line.trim().parse().map_err(|why| Failure::input(format!("{}: this is no secret key: {why}", path.display())))
}

/// Whether there is a key, readable or not.
pub(crate) fn has(data: &Path, owner: Owner) -> bool {
    path(data, owner).exists()
}

fn path(data: &Path, owner: Owner) -> PathBuf {
    data.join(owner.file())
}

fn exists(path: &Path) -> Failure {
    Failure::input(format!("{}: there is a key already, and it is never overwritten", path.display()))
}

fn new_file(path: &Path, why: &io::Error) -> Failure {
    match why.kind() {
        io::ErrorKind::AlreadyExists => Failure::input(format!("{}: the file exists", path.display())),
        _ => Failure::file(path, "write", why),
    }
}

/// Says who somebody is, and nothing secret.
pub(crate) fn tell(
    owner: Owner,
    secret: &Secret,
    data: &Path,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let key = secret.public();
    let (callsign, file) = (owner.callsign(&key).to_string(), path(data, owner));
    if json {
        let all =
            json!({ "callsign": callsign, "npub": key.npub(), "hex": key.hex(), "file": file.display().to_string() });
        writeln!(out, "{all}")?;
    } else {
        writeln!(out, "callsign  {callsign}")?;
        writeln!(out, "npub      {key}")?;
        writeln!(out, "hex       {}", key.hex())?;
        writeln!(out, "kept in   {}", file.display())?;
    }
    Ok(())
}

/// Random bytes of the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| Failure::input(format!("no randomness to be had: {why}")))?;
    Ok(bytes)
}
