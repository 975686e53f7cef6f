//! Starts the engine and answers it.

use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::path::PathBuf;
use std::sync::Arc;

use arc_malachitebft_app_channel::app::config::{ConsensusConfig, NodeConfig, ValueSyncConfig};
use arc_malachitebft_app_channel::app::types::codec::Codec;
use arc_malachitebft_app_channel::app::types::core::{
    ExtendedCommitCertificate, HeightParams, LinearTimeouts, Round, Validity,
};
use arc_malachitebft_app_channel::app::types::streaming::{StreamId, StreamMessage};
use arc_malachitebft_app_channel::app::types::sync::RawDecidedValue;
use arc_malachitebft_app_channel::app::types::{Keypair, LocallyProposedValue, ProposedValue};
use arc_malachitebft_app_channel::{
    AppMsg, Channels, ConsensusContext, EngineHandle, NetworkContext, NetworkIdentity, NetworkMsg, NetworkRequest,
    RequestContext, Signer, SyncContext, WalContext, start_engine,
};
use arc_malachitebft_engine::host::{Next, SyncedValueOutcome};
use arc_malachitebft_engine::util::streaming::StreamContent;
use bytes::Bytes;
use chain::{Address, Block, Hash};
use ed25519_dalek::SigningKey;
use eyre::{Result, eyre};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinHandle, block_in_place};

use crate::app::{App, Part, Turn, is_whole};
use crate::codec::{Borsh, to_chain, to_engine};
use crate::context::{Ctx, Height, Members, Named, Who};
use crate::evidence::evidence;
use crate::peers::Peer;
use crate::signing::{Checker, Pen};

/// What a node tells the engine about itself.
pub struct Settings {
    /// The chain.
    pub chain: Hash,
    /// What the node is called in logs and metrics.
    pub name: String,
    /// Where the engine listens.
    pub listen: Peer,
    /// Where the engines of other nodes listen.
    pub peers: Vec<Peer>,
    /// The secret that identifies the node to others.
    pub node_key: [u8; 32],
    /// The consensus key; without one, the node only follows.
    pub key: Option<SigningKey>,
    /// The file of what was signed, so that nothing is signed twice.
    pub log: PathBuf,
    /// Where to note how many other nodes it is connected with.
    pub connected: Arc<AtomicU64>,
}

impl core::fmt::Debug for Settings {
    /// Shows where it is, never its keys.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Settings({} at {:?})", self.name, self.listen)
    }
}

/// A running engine.
#[derive(Debug)]
pub struct Handle {
    stop: JoinHandle<Result<()>>,
    engine: arc_malachitebft_engine::node::NodeRef,
}

impl Handle {
    /// Waits until the engine has stopped, and says why.
    pub async fn ended(&mut self) -> Result<()> {
        (&mut self.stop).await.map_err(|why| eyre!("the engine's task has failed: {why}"))?
    }

    /// Stops the engine.
    pub async fn stop(self) {
        let _ = self.engine.stop_and_wait(None, Some(Duration::from_secs(5))).await;
        self.stop.abort();
    }
}

/// The engine's own settings.
struct Config {
    name: String,
    consensus: ConsensusConfig,
    sync: ValueSyncConfig,
}

impl NodeConfig for Config {
    fn moniker(&self) -> &str {
        &self.name
    }
    fn consensus(&self) -> &ConsensusConfig {
        &self.consensus
    }
    fn consensus_mut(&mut self) -> &mut ConsensusConfig {
        &mut self.consensus
    }
    fn value_sync(&self) -> &ValueSyncConfig {
        &self.sync
    }
    fn value_sync_mut(&mut self) -> &mut ValueSyncConfig {
        &mut self.sync
    }
}

impl Config {
    fn new(settings: &Settings) -> Self {
        let mut consensus = ConsensusConfig::default();
        consensus.p2p.listen_addr = settings.listen.multiaddr();
        consensus.p2p.persistent_peers = settings.peers.iter().map(|peer| peer.multiaddr()).collect();
        let limits = &mut consensus.p2p.discovery;
        // Several nodes may share an address: on one computer, or behind one router.
        limits.max_connections_per_ip = 32;
        // The engine lets in four times as many connections as there may be peers, half open ones included.
        limits.num_inbound_peers = 50;
        limits.num_outbound_peers = 50;
        limits.max_connections_per_peer = 2;
        // A node that was started again is let in again soon; whoever only opens and closes connections is not.
        limits.ip_throttle_duration = Duration::from_secs(3);
        limits.ephemeral_connection_timeout = Duration::from_secs(15);
        // A block travels in one message with a little around it; votes are short, and certificates have at most a
        // thousand signatures.
        let mut size = consensus.p2p.pubsub_max_size;
        size.0 = 16 << 10;
        consensus.p2p.pubsub_max_size_per_topic.consensus = Some(size);
        size.0 = 512 << 10;
        consensus.p2p.pubsub_max_size_per_topic.liveness = Some(size);
        size.0 = 4 << 20;
        consensus.p2p.pubsub_max_size = size;
        // A block travels in one message, so nothing has to be put together.
        // How often nodes tell each other how far they are decides how soon one that is behind catches up.
        let sync = ValueSyncConfig {
            status_update_interval: Duration::from_secs(1),
            batch_size: 50,
            ..ValueSyncConfig::default()
        };
        Self { name: settings.name.clone(), consensus, sync }
    }
}

/// Starts the engine. It asks the node whatever it needs, until it is stopped.
pub async fn start(settings: Settings, app: impl App) -> Result<Handle> {
    let (chain, config) = (settings.chain, Config::new(&settings));
    let keypair = Keypair::ed25519_from_bytes(settings.node_key)?;
    let checker = Box::new(Checker { chain });
    let (identity, context) = match &settings.key {
        Some(key) => {
            let (pen, public) = (Pen { chain, key: key.clone() }, key.verifying_key().to_bytes());
            let peer = keypair.public().to_peer_id().to_bytes();
            let proof = pen.sign_validator_proof(public.to_vec(), peer).await?;
            let who = Who(Address(public));
            let proof = Borsh.encode(&proof)?;
            let identity = NetworkIdentity::new_validator(settings.name, keypair, who.to_string(), proof);
            (identity, ConsensusContext::new_validator(who, checker, Box::new(pen)))
        }
        None => {
            let nobody = Who(Address([0; 32]));
            (NetworkIdentity::new(settings.name, keypair, None), ConsensusContext::new_full_node(nobody, checker))
        }
    };
    let (channels, engine) = start_engine(
        Ctx,
        config,
        WalContext::new(settings.log, Borsh),
        NetworkContext::new(identity, Borsh),
        context,
        SyncContext::new(Borsh),
        RequestContext::new(16),
    )
    .await?;
    let EngineHandle { actor, handle } = engine;
    tokio::spawn(count_peers(channels.net_requests.clone(), settings.connected));
    let answering = Answering { chain, network: channels.network.clone(), app: Box::new(app), streams: 0 };
    let stop = tokio::spawn(async move {
        let answered = answering.run(channels).await;
        handle.abort();
        answered
    });
    Ok(Handle { stop, engine: actor })
}

/// Notes every now and then with how many other nodes the engine is connected, until it stops.
async fn count_peers(network: mpsc::Sender<NetworkRequest>, connected: Arc<AtomicU64>) {
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let (reply, answer) = oneshot::channel();
        if network.send(NetworkRequest::DumpState(reply)).await.is_err() {
            return;
        }
        let Ok(state) = answer.await else { return };
        let peers = state.map_or(0, |state| state.peers.len());
        connected.store(u64::try_from(peers).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Answers the engine.
struct Answering {
    chain: Hash,
    network: mpsc::Sender<NetworkMsg<Ctx>>,
    app: Box<dyn App>,
    /// How many blocks have been sent.
    streams: u64,
}

impl Answering {
    async fn run(mut self, mut channels: Channels<Ctx>) -> Result<()> {
        while let Some(message) = channels.consensus.recv().await {
            self.answer(message).await?;
        }
        // It stops on purpose if it cannot write down what it signs: otherwise it might sign twice.
        Err(eyre!("the engine has stopped: look at the disk, and at the log before this line"))
    }

    /// Answers one message. Nobody listens to an answer that fails: the engine is stopping then.
    async fn answer(&mut self, message: AppMsg<Ctx>) -> Result<()> {
        match message {
            AppMsg::ConsensusReady { reply } => {
                let _ = reply.send(start_of(self.app.next()));
            }
            AppMsg::StartedRound { height, round, proposer, role, reply_value } => {
                tracing::debug!(height = height.0, round = round.as_i64(), %proposer, ?role, "a round begins");
                let known = self.app.undecided(height.0, number(round));
                let _ = reply_value.send(known.into_iter().map(|(part, valid)| proposed(&part, valid)).collect());
            }
            AppMsg::GetValue { height, round, reply, .. } => {
                if let Some(part) = block_in_place(|| self.app.propose(height.0, number(round))) {
                    let value = Named(part.block.header.hash());
                    let _ = reply.send(LocallyProposedValue::new(height, round, value));
                    self.publish(part).await?;
                }
            }
            AppMsg::RestreamProposal { height, value_id, .. } => {
                if let Some(part) = self.app.remembered(height.0, &value_id.0) {
                    self.publish(part).await?;
                }
            }
            AppMsg::ReceivedProposalPart { part, reply, .. } => {
                let _ = reply.send(part.content.into_data().and_then(|part| self.offered(part)));
            }
            AppMsg::Decided { certificate, reply, .. } => {
                let signatures = certificate.commit_signatures.into_iter();
                let certificate = to_chain(&ExtendedCommitCertificate {
                    height: certificate.height,
                    round: certificate.round,
                    value_id: certificate.value_id,
                    commit_signatures: signatures.map(without_extension).collect(),
                });
                block_in_place(|| self.app.decided(certificate)).map_err(|why| eyre!("{why}"))?;
                let _ = reply.send(());
            }
            AppMsg::Finalized { evidence: seen, reply, .. } => {
                evidence(self.chain, &seen).into_iter().for_each(|twice| self.app.signed_twice(twice));
                let (rest, (height, params)) = (self.app.rest(), start_of(self.app.next()));
                tokio::spawn(async move {
                    rest.await;
                    let _ = reply.send(Next::Start(height, params));
                });
            }
            AppMsg::GetHistoryMinHeight { reply } => {
                let _ = reply.send(Height(self.app.earliest()));
            }
            AppMsg::GetDecidedValues { range, reply } => {
                let history = block_in_place(|| self.app.history(range.start().0, range.end().0));
                let value = |(block, certificate)| RawDecidedValue::new(Bytes::from(block), to_engine(certificate));
                let _ = reply.send(history.into_iter().map(value).collect());
            }
            AppMsg::ProcessSyncedValue { height, round, proposer, value_bytes, reply } => {
                let _ = reply.send(self.synced(height, round, proposer, &value_bytes));
            }
            AppMsg::ExtendVote { reply, .. } => {
                let _ = reply.send(None);
            }
            AppMsg::VerifyVoteExtensions { extensions, reply, .. } => {
                let _ = reply.send(extensions.into_iter().map(|(who, ())| (who, Ok(()))).collect());
            }
        }
        Ok(())
    }

    /// Sends a block to everybody: one message, and one that says that it was the last.
    async fn publish(&mut self, part: Part) -> Result<()> {
        self.streams += 1;
        let id = [part.height.to_le_bytes(), u64::from(part.round).to_le_bytes(), self.streams.to_le_bytes()].concat();
        let stream = StreamId::new(Bytes::from(id));
        for (sequence, content) in (0..).zip([StreamContent::Data(part), StreamContent::Fin]) {
            let message = StreamMessage::new(stream.clone(), sequence, content);
            self.network.send(NetworkMsg::PublishProposalPart(message)).await?;
        }
        Ok(())
    }

    /// A block that came over the network. One that its round's proposer has not signed is nobody's proposal.
    fn offered(&mut self, part: Part) -> Option<ProposedValue<Ctx>> {
        let turn = self.app.next();
        let header = &part.block.header;
        let said = (header.height, header.proposer, header.round);
        // A block says in which round it was first proposed: whose turn was before must not be made up.
        if said != (part.height, part.by, part.round) || part.height < turn.height {
            return None;
        }
        // Who proposes at a later height is not known for certain, and the node looks again when it gets there. Whoever is
        // no validator now is not even listened to.
        let allowed = if part.height == turn.height {
            Members::new(turn.validators).proposer(part.height, part.round) == Some(part.by)
        } else {
            turn.validators.iter().any(|(validator, _)| *validator == part.by)
        };
        if !allowed || !part.is_authentic() {
            return None;
        }
        let named = part.clone();
        block_in_place(|| self.app.offered(part)).map(|valid| proposed(&named, valid))
    }

    fn synced(&mut self, height: Height, round: Round, proposer: Who, bytes: &[u8]) -> SyncedValueOutcome<Ctx> {
        let block = borsh::from_slice::<Block>(bytes).ok();
        let block = block.filter(|block| block.header.height == height.0 && is_whole(block));
        let Some(block) = block else { return SyncedValueOutcome::PeerFault };
        let value = Named(block.header.hash());
        let Some(valid) = block_in_place(|| self.app.synced(block)) else {
            return SyncedValueOutcome::LocalTransientError;
        };
        let validity = Validity::from_bool(valid);
        SyncedValueOutcome::Verdict(ProposedValue { height, round, valid_round: Round::Nil, proposer, value, validity })
    }
}

fn without_extension<C: arc_malachitebft_core_types::Context>(
    signature: arc_malachitebft_core_types::CommitSignature<C>,
) -> arc_malachitebft_core_types::ExtendedCommitSignature<C> {
    arc_malachitebft_core_types::ExtendedCommitSignature::new(signature.address, signature.signature, None)
}

fn number(round: Round) -> u32 {
    round.as_u32().unwrap_or(0)
}

fn proposed(part: &Part, valid: bool) -> ProposedValue<Ctx> {
    ProposedValue {
        height: Height(part.height),
        round: Round::new(part.round),
        valid_round: Round::Nil,
        proposer: Who(part.by),
        value: Named(part.block.header.hash()),
        validity: Validity::from_bool(valid),
    }
}

fn start_of(turn: Turn) -> (Height, HeightParams<Ctx>) {
    // Long enough for messages to go round the world a few times; a proposer that is away costs everybody this long.
    let timeouts = LinearTimeouts {
        propose: Duration::from_millis(1_500),
        prevote: Duration::from_millis(600),
        precommit: Duration::from_millis(600),
        rebroadcast: Duration::from_millis(2_700),
        ..LinearTimeouts::default()
    };
    let params = HeightParams::new(Members::new(turn.validators), timeouts, None);
    (Height(turn.height), params)
}
