//! A separate PostgreSQL server for the tests, from Debian's package, in a temporary directory.
//!
//! It listens only on a socket in that directory, unless it is wanted with TLS: then also on this machine's loopback
//! address, where it accepts clients that encrypt and know the password. A shell runs between the test program and the
//! server: when the test program ends for any reason, the shell's input ends, and it stops the server and removes the
//! directory.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// A server that runs until it is dropped or the test program ends.
pub(crate) struct Postgres {
    directory: PathBuf,
    port: u16,
    databases: AtomicU32,
    shell: Mutex<Shell>,
}

struct Shell {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// The port that is only part of a socket's name.
const NO_PORT: u16 = 5432;

/// The password for connections over TLS.
const PASSWORD: &str = "open sesame";

/// PostgreSQL refuses to run as root, so root runs it as another user. Its package depends on `openssl`, which makes
/// the server's certificate, the root that vouches for it, and another root that does not.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
directory="$1"; bin="$2"; user="$3"; port="$4"; tls="$5"
as() { if [ -n "$user" ]; then exec setpriv --reuid="$user" --regid="$user" --clear-groups "$@"; else exec "$@"; fi; }
start() { as "$bin/postgres" -D "$directory/data" -k "$directory" -p "$port" -c listen_addresses= $tls \
    -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=32MB \
    >>"$directory/log" 2>&1 & server=$!; }
stop() { kill -"$1" "$server" 2>/dev/null; wait "$server" 2>/dev/null; }
(as "$bin/initdb" --no-sync --no-instructions --auth=trust --username=postgres --encoding=UTF8 --locale=C \
    -D "$directory/data") >"$directory/log" 2>&1 || { echo "initdb failed"; exec rm -rf "$directory"; }
certify() (
    cd "$directory" || exit
    new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    for root in root other; do
        $new -x509 -days 9 -subj "/CN=$root" -keyout "$root.key" -out "$root.crt" || exit
    done
    $new -subj /CN=server -addext subjectAltName=IP:127.0.0.1 -keyout server.key -out server.csr &&
    openssl x509 -req -in server.csr -copy_extensions copy -CA root.crt -CAkey root.key -CAcreateserial -days 9 \
        -out server.crt &&
    printf 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n' >data/pg_hba.conf &&
    { [ -z "$user" ] || chown "$user" server.key server.crt; }
)
if [ -n "$tls" ]; then
    certify >>"$directory/log" 2>&1 || { echo "no certificates"; exec rm -rf "$directory"; }
    tls="-c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=$directory/server.crt -c ssl_key_file=$directory/server.key"
fi
start; echo done
while read -r order; do
    case "$order" in stop) stop INT ;; crash) stop QUIT ;; start) start ;; esac
    echo done
done
stop QUIT
rm -rf "$directory"
"#;

impl Postgres {
    /// The server that all tests of this program share.
    pub(crate) fn shared() -> &'static Postgres {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(Postgres::start)
    }

    /// A separate server, for tests that stop it.
    pub(crate) fn start() -> Postgres {
        Postgres::start_at(NO_PORT, false)
    }

    /// A separate server that can also be reached over TLS.
    pub(crate) async fn start_with_tls() -> Postgres {
        // Free now, and not reassigned this soon.
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port");
        let server = Postgres::start_at(free.port(), true);
        let mut connection = PgConnection::connect(&server.address("postgres")).await.expect("PostgreSQL runs");
        let sql = format!("ALTER USER postgres PASSWORD '{PASSWORD}'");
        sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await.expect("a password");
        server
    }

    fn start_at(port: u16, tls: bool) -> Postgres {
        let bin = binaries();
        let directory = tempfile::Builder::new().prefix("fairdeal-postgres-").tempdir().expect("a directory").keep();
        let user = borrowed_user();
        if let Some((_, uid, gid)) = &user {
            std::os::unix::fs::chown(&directory, Some(*uid), Some(*gid)).expect("the directory is root's to give");
        }
        let mut child = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .arg(&directory)
            .arg(bin)
            .arg(user.map_or(String::new(), |(name, ..)| name))
            .arg(port.to_string())
            .arg(if tls { "tls" } else { "" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        let mut shell = Shell { child, orders, answers };
        shell.wait();
        let server = Postgres { directory, port, databases: AtomicU32::new(0), shell: Mutex::new(shell) };
        server.wait_until_ready();
        server
    }

    /// A new, empty database, and its address.
    pub(crate) async fn database(&self) -> String {
        self.address(&self.new_database().await)
    }

    /// A new, empty database, and its address for a connection over TLS. The encryption mode must still be added.
    pub(crate) async fn database_over_tls(&self) -> String {
        let password = PASSWORD.replace(' ', "%20");
        format!("postgres://postgres:{password}@127.0.0.1:{}/{}", self.port, self.new_database().await)
    }

    /// The root that vouches for the server's certificate.
    pub(crate) fn root(&self) -> PathBuf {
        self.directory.join("root.crt")
    }

    /// A root that does not.
    pub(crate) fn other_root(&self) -> PathBuf {
        self.directory.join("other.crt")
    }

    async fn new_database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut connection = PgConnection::connect(&self.address("postgres")).await.expect("PostgreSQL runs");
        let sql = format!("CREATE DATABASE {name}");
        sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await.expect("a new database");
        name
    }

    /// Stops the server properly: open transactions are rolled back.
    pub(crate) fn stop(&self) {
        self.order("stop");
    }

    /// Stops the server at once, as if it had crashed.
    pub(crate) fn crash(&self) {
        self.order("crash");
    }

    /// Starts the server again.
    pub(crate) fn start_again(&self) {
        self.order("start");
        self.wait_until_ready();
    }

    fn order(&self, order: &str) {
        let mut shell = self.shell.lock().expect("no test panics while giving orders");
        let orders = shell.orders.as_mut().expect("the server was not dropped");
        writeln!(orders, "{order}").expect("the shell listens");
        shell.wait();
    }

    fn wait_until_ready(&self) {
        for _ in 0..600 {
            let socket = self.directory.join(format!(".s.PGSQL.{}", self.port));
            if std::os::unix::net::UnixStream::connect(socket).is_ok() && self.answers() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let log = std::fs::read_to_string(self.directory.join("log")).unwrap_or_default();
        panic!("PostgreSQL did not start: {log}");
    }

    fn answers(&self) -> bool {
        let mut ready = Command::new(binaries().join("pg_isready"));
        ready.arg("-q").arg("-h").arg(&self.directory).arg("-p").arg(self.port.to_string());
        ready.status().is_ok_and(|status| status.success())
    }

    fn address(&self, database: &str) -> String {
        let socket = self.directory.display().to_string().replace('/', "%2F");
        format!("postgres://postgres@localhost:{}/{database}?host={socket}", self.port)
    }
}

impl Shell {
    fn wait(&mut self) {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the shell answers");
        assert_eq!(line.trim(), "done", "PostgreSQL could not be set up");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Ok(shell) = self.shell.get_mut() {
            shell.orders = None;
            let _ = shell.child.wait();
        }
    }
}

/// Where Debian keeps the newest PostgreSQL.
fn binaries() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").map(|found| found.flatten().collect::<Vec<_>>());
    let newest = versions.unwrap_or_default().into_iter().map(|version| version.path().join("bin"));
    let newest = newest
        .filter(|bin| bin.join("postgres").is_file())
        .max_by_key(|bin| bin.parent().and_then(Path::file_name).and_then(|name| name.to_str()?.parse::<u32>().ok()));
    newest.expect("these tests need PostgreSQL: install the package postgresql")
}

/// The user that Debian's package creates, if this is root.
fn borrowed_user() -> Option<(String, u32, u32)> {
    let id = Command::new("id").arg("-u").output().expect("id");
    if String::from_utf8_lossy(&id.stdout).trim() != "0" {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").expect("a list of users");
    let user = users.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|user| user[0] == "postgres");
    let user = user.expect("these tests need the user postgres: install the package postgresql");
    Some((user[0].to_owned(), user[2].parse().expect("a number"), user[3].parse().expect("a number")))
}
