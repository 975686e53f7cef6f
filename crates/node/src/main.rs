//! `fairdeal-node`: a node of a poker chain.

use std::fs::File;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bots::Kind;
use chain::client::Wallet;
use chain::{Address, Coins, Export, hex, unhex};
use clap::{Parser, Subcommand};
use node::home::{Home, Settings};
use node::join::{Source, Stake};
use node::network::Plan;
use node::restore::Trust;
use node::{client, dev, join, restore, run};
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};
use zeroize::Zeroizing;

const EXAMPLES: &str = "Examples:
  fairdeal-node dev                           # a validator and three computers at a table
  fairdeal-node dev --validators 4            # the same with four validators
  fairdeal-node export-hand 1 -o hand.json    # the last hand of table 1
  fairdeal-node testnet net && fairdeal-node start net/node0
  fairdeal-node init me --from 192.0.2.7:27001 --peer 192.0.2.7:27000 --validator";

/// A node of a poker chain whose validators deal encrypted cards.
#[derive(Parser)]
#[command(name = "fairdeal-node", version, about, arg_required_else_help = true, after_help = EXAMPLES)]
struct Args {
    /// Also tell of every block
    #[arg(long, short, global = true)]
    verbose: bool,
    /// How logs are written
    #[arg(long, global = true, value_enum, default_value = "text")]
    log: Log,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the folders of a new chain's validators, all on this computer
    Testnet {
        /// The folder to make them in
        folder: PathBuf,
        /// How many validators
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
        validators: u8,
        /// The first port; every node uses two
        #[arg(long, default_value_t = 27_000, value_parser = clap::value_parser!(u16).range(1..=65_400))]
        port: u16,
        /// The first node gives coins to everybody who asks
        #[arg(long)]
        faucet: bool,
    },
    /// Starts a chain to try out: validators, a table, and computers who play at it
    Dev {
        /// How many validators, all in this process
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
        validators: u8,
        /// How many computers play
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=8))]
        bots: u8,
        /// How they play
        #[arg(long, default_value = "normal", value_parser = level)]
        level: Kind,
        /// How long they think about a move, in milliseconds
        #[arg(long, default_value_t = 700, value_parser = clap::value_parser!(u64).range(..=10_000))]
        pace: u64,
        /// The first port; every validator uses two
        #[arg(long, default_value_t = 27_000, value_parser = clap::value_parser!(u16).range(1..=65_400))]
        port: u16,
    },
    /// Makes the folder of a new node that joins a chain
    Init(Init),
    /// Starts the node in a folder
    Start {
        /// The folder of the node
        folder: PathBuf,
        /// Whether it deals, if it is a validator; without this, as node.toml says
        #[arg(long)]
        dealer: Option<OnOff>,
    },
    /// Writes a snapshot of the chain, for new nodes
    Snapshot {
        /// The file to write; must not exist
        #[arg(long, short)]
        output: PathBuf,
        /// Where the node answers
        #[arg(long, default_value = "127.0.0.1:27001")]
        rpc: SocketAddr,
    },
    /// Begins the chain of a new node with a snapshot instead of all blocks
    Restore {
        /// The folder of the node
        folder: PathBuf,
        /// The node that sends the snapshot
        #[arg(long, required_unless_present = "file", conflicts_with = "file")]
        from: Option<SocketAddr>,
        /// The file with the snapshot
        #[arg(long)]
        file: Option<PathBuf>,
        /// A block that somebody you trust vouches for; needed once the genesis is older than stake stays liable
        #[arg(long, value_name = "HEIGHT:HASH")]
        trust: Option<Trust>,
    },
    /// Stakes coins for the validator in a folder, whose node must run
    Bond {
        #[command(flatten)]
        whose: Whose,
        /// How many coins
        #[arg(long)]
        coins: u64,
    },
    /// Takes stake out, which is paid back after a delay
    Unbond {
        #[command(flatten)]
        whose: Whose,
        /// How many coins
        #[arg(long)]
        coins: u64,
    },
    /// Releases a validator whose time in jail is over
    Release {
        #[command(flatten)]
        whose: Whose,
    },
    /// Shows how far a node is
    Status {
        /// Where it answers
        #[arg(long, default_value = "127.0.0.1:27001")]
        rpc: SocketAddr,
    },
    /// Writes a hand with everything that proves it, for `fairdeal verify`
    ExportHand {
        /// The number of the table
        table: u64,
        /// The number of the hand; without it, the last one
        hand: Option<u32>,
        /// The file to write; must not exist
        #[arg(long, short)]
        output: PathBuf,
        /// Where the node answers
        #[arg(long, default_value = "127.0.0.1:27001")]
        rpc: SocketAddr,
    },
}

#[derive(clap::Args)]
struct Init {
    /// The folder to make
    folder: PathBuf,
    /// The file with the genesis
    #[arg(long, required_unless_present = "from", conflicts_with = "from")]
    genesis: Option<PathBuf>,
    /// A node to ask for the genesis
    #[arg(long)]
    from: Option<SocketAddr>,
    /// What the node is called
    #[arg(long, default_value = "node")]
    name: String,
    /// Where it listens for other nodes
    #[arg(long, default_value = "0.0.0.0:27000")]
    listen: SocketAddr,
    /// Where it answers players, wallets and other nodes
    #[arg(long, default_value = "127.0.0.1:27001")]
    rpc: SocketAddr,
    /// Where another node listens for nodes; can be given several times
    #[arg(long = "peer", required = true)]
    peers: Vec<SocketAddr>,
    /// Where another node takes transactions: its rpc address; can be given several times
    #[arg(long)]
    gossip: Vec<SocketAddr>,
    /// Also make a key for a validator
    #[arg(long)]
    validator: bool,
}

#[derive(clap::Args)]
struct Whose {
    /// The folder of the node
    folder: PathBuf,
    /// A file with the operator's key; without it, the validator's own key pays
    #[arg(long)]
    operator: Option<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum OnOff {
    On,
    Off,
}

/// How logs are written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Log {
    /// Lines for people
    Text,
    /// One JSON object per line
    Json,
}

fn main() -> ExitCode {
    let args = Args::parse();
    logs(args.verbose, args.log);
    match perform(args.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // If nobody can read that, there is nothing else to do.
            let _ = writeln!(io::stderr(), "fairdeal-node: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Logs go to stderr. The engine's own are shown only if something is wrong with it.
fn logs(verbose: bool, log: Log) {
    use tracing_subscriber::Layer as _;
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;
    let level = if verbose { tracing::Level::DEBUG } else { tracing::Level::INFO };
    let ours = Targets::new()
        .with_target("node", level)
        .with_target("fairdeal_node", level)
        .with_target("consensus", tracing::Level::INFO)
        // With one validator there is nobody to send anything to, and a peer that is away is no error of ours.
        .with_target("arc_malachitebft_network", tracing::metadata::LevelFilter::OFF)
        .with_default(tracing::Level::ERROR);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false);
    let registry = tracing_subscriber::registry();
    match log {
        Log::Text => registry.with(lines.with_filter(ours)).init(),
        Log::Json => registry.with(lines.json().with_filter(ours)).init(),
    }
}

fn perform(command: Command) -> Result<(), String> {
    match command {
        Command::Testnet { folder, validators, port, faucet } => {
            let mut secret = Zeroizing::new([0; 32]);
            getrandom::fill(&mut *secret).map_err(|why| why.to_string())?;
            let accounts = if faucet { vec![Wallet::new(&secret).address()] } else { Vec::new() };
            let plan = Plan { name: "testnet".into(), validators, port, members: 4, epoch_blocks: 500, accounts };
            let homes = plan.create(&folder)?;
            match homes.first().filter(|_| faucet) {
                Some(first) => first.set_faucet_key(&secret).map_err(|why| why.to_string()),
                None => Ok(()),
            }
        }
        Command::Dev { validators, bots, level, pace, port } => {
            let pace = Duration::from_millis(pace);
            runtime()?.block_on(try_out(dev::Options { validators, bots, kind: level, pace, port }))
        }
        Command::Init(args) => runtime()?.block_on(init(args)),
        Command::Start { folder, dealer } => {
            runtime()?.block_on(live(Home::new(folder), dealer.map(|dealer| dealer == OnOff::On)))
        }
        Command::Snapshot { output, rpc } => {
            let snapshot = runtime()?.block_on(async {
                let mut line = client::Line::open(rpc).await?;
                restore::fetch(&mut line).await
            })?;
            snapshot.write(&output)?;
            let header = &snapshot.next.header;
            let trust = format!("{}:{}", header.height, hex(&header.hash()));
            tell(&format!(
                "the state after block {} is in {}\nwhoever trusts you can check it with --trust {trust}",
                snapshot.last.height,
                output.display()
            ))
        }
        Command::Restore { folder, from, file, trust } => {
            let home = Home::new(folder);
            let height = match (from, file) {
                (Some(from), _) => runtime()?.block_on(restore::from_node(&home, from, trust))?,
                (None, Some(file)) => restore::from_file(&home, &file, trust)?,
                (None, None) => return Err("expected --from or --file".to_owned()),
            };
            tell(&format!("the node begins after block {height}"))
        }
        Command::Bond { whose, coins } => staked(&whose, Stake::Bond(Coins(coins))),
        Command::Unbond { whose, coins } => staked(&whose, Stake::Unbond(Coins(coins))),
        Command::Release { whose } => staked(&whose, Stake::Release),
        Command::Status { rpc } => {
            let status = runtime()?.block_on(client::ask(rpc, "status", json!({})))?;
            tell(&format!("{status:#}"))
        }
        Command::ExportHand { table, hand, output, rpc } => {
            let export = runtime()?.block_on(exported(rpc, table, hand))?;
            let mut file = File::create_new(&output).map_err(|why| format!("{}: {why}", output.display()))?;
            file.write_all(export.to_text().as_bytes()).map_err(|why| format!("{}: {why}", output.display()))?;
            tell(&format!("hand {} of table {table} is in {}", export.hand, output.display()))
        }
    }
}

fn tell(text: &str) -> Result<(), String> {
    writeln!(io::stdout(), "{text}").map_err(|why| why.to_string())
}

fn staked(whose: &Whose, what: Stake) -> Result<(), String> {
    let home = Home::new(whose.folder.clone());
    tell(&runtime()?.block_on(join::stake(&home, whose.operator.as_deref(), what))?)
}

async fn init(args: Init) -> Result<(), String> {
    let source = match (args.genesis, args.from) {
        (Some(file), _) => Source::File(file),
        (None, Some(rpc)) => Source::Node(rpc),
        (None, None) => return Err("expected --genesis or --from".to_owned()),
    };
    let genesis = source.genesis().await?;
    let Init { folder, name, listen, rpc, peers, mut gossip, validator, .. } = args;
    if let Source::Node(from) = &source
        && gossip.is_empty()
    {
        gossip.push(*from);
    }
    let settings = Settings { name, listen, rpc, peers, gossip, both: true, dealer: true };
    let home = Home::new(folder);
    join::init(&home, &genesis, &settings, validator)?;
    let at = home.folder().display();
    tell(&format!("{at} is a new node of the chain {:?}: {}", genesis.name, hex(&genesis.chain())))?;
    if matches!(source, Source::Node(_)) {
        tell("compare this name of the chain with one from somebody you trust, before you go on")?;
    }
    tell(&format!(
        "\nnext:\n  fairdeal-node restore {at} --from NODE    # only if the chain is old: begin with a snapshot"
    ))?;
    tell(&format!("  fairdeal-node start {at}"))?;
    if let Some(key) = home.validator_key().map_err(|why| why.to_string())? {
        let address = Address(key.verifying_key().to_bytes());
        tell(&format!("  fairdeal-node bond {at} --coins N        # once {address} has coins"))?;
    }
    Ok(())
}

async fn exported(rpc: SocketAddr, table: u64, hand: Option<u32>) -> Result<Export, String> {
    let hand = match hand {
        Some(hand) => hand,
        None => {
            let hands = client::ask(rpc, "hands", json!({ "table": table })).await?;
            let last = hands.get(0).and_then(Value::as_u64).and_then(|hand| u32::try_from(hand).ok());
            last.ok_or_else(|| format!("no hand has ended at table {table} yet"))?
        }
    };
    let found = client::ask(rpc, "hand", json!({ "table": table, "hand": hand })).await?;
    let export = found.get("export").and_then(Value::as_str).and_then(unhex);
    let export = export.ok_or_else(|| format!("this node has no hand {hand} of table {table}"))?;
    borsh::from_slice(&export).map_err(|_| "the node's answer is not a hand".to_owned())
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|why| why.to_string())
}

fn level(name: &str) -> Result<Kind, String> {
    Kind::from_name(name).ok_or_else(|| "expected random, easy, normal or hard".to_owned())
}

async fn try_out(options: dev::Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let mut network = dev::run(folder.path(), &options).await?;
    tracing::info!("a new chain answers at {}; Ctrl-C stops it, and nothing of it is kept", options.rpc());
    for line in dev::what_next(options.rpc()) {
        tracing::info!("{line}");
    }
    let ended = tokio::select! {
        why = network.ended() => Err(why),
        stop = asked_to_stop() => stop,
    };
    network.stop().await;
    ended
}

async fn live(home: Home, dealer: Option<bool>) -> Result<(), String> {
    let mut node = run::start_with(&home, dealer).await?;
    let ended = tokio::select! {
        why = node.ended() => Err(why),
        stop = asked_to_stop() => stop,
    };
    node.stop().await;
    ended
}

/// Waits for Ctrl-C, or for whoever runs the node as a service.
async fn asked_to_stop() -> Result<(), String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|why| why.to_string())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed.map_err(|why| why.to_string()),
        _ = terminate.recv() => Ok(()),
    }
}
