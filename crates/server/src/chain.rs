//! The tables of a poker chain, for the lobby: who plays there, and whose turn it is.
//!
//! Nothing depends on this. Whoever plays on a chain does so with their own program, which asks the chain's nodes and checks
//! their answers itself; a server only shows what it sees, and tells players when it is their turn. It sees the chain as any
//! other client does: a [`Remote`] believes nothing that is not proven.

use std::sync::Arc;
use std::time::Duration;

use chain::Hash;
use remote::{Anchor, Listed, Place, Remote, first_contact};
use tokio::sync::watch;
use tokio::time::sleep;

/// The most tables that are shown.
const MOST: u64 = 300;
/// How long a node may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the chain is looked at, at most.
const PAUSE: Duration = Duration::from_secs(1);
/// How long to wait for a new block before looking again anyway.
const QUIET: Duration = Duration::from_secs(10);
/// How long to wait after no node could be reached.
const AGAIN: Duration = Duration::from_secs(5);

/// A chain, as it was seen last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// The hash of its genesis.
    pub(crate) chain: Hash,
    /// Its name.
    pub(crate) name: String,
    /// Its tables; first those where somebody plays.
    pub(crate) tables: Vec<Listed>,
}

/// A chain that is watched. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Chain {
    nodes: Arc<[Place]>,
    /// `None` while no node can be reached.
    board: watch::Receiver<Option<Arc<Board>>>,
}

impl Chain {
    /// Watches a chain through these nodes until the runtime ends. `changed` is told when the list of tables is another:
    /// who could sit down where.
    pub fn watch(nodes: Vec<Place>, changed: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, board) = watch::channel(None);
        let chain = Self { nodes: nodes.into(), board };
        let nodes = Arc::clone(&chain.nodes);
        tokio::spawn(async move {
            let mut troubled = false;
            while !sender.is_closed() {
                let Err(why) = follow(&nodes, &sender, &changed, &mut troubled).await;
                if !std::mem::replace(&mut troubled, true) {
                    tracing::warn!(%why, "the poker chain cannot be seen");
                }
                if sender.send_replace(None).is_some() {
                    changed();
                }
                sleep(AGAIN).await;
            }
        });
        chain
    }

    /// Where its nodes are.
    pub(crate) fn nodes(&self) -> &[Place] {
        &self.nodes
    }

    /// The chain as it was seen last; `None` if no node can be reached.
    pub(crate) fn board(&self) -> Option<Arc<Board>> {
        self.board.borrow().clone()
    }

    /// Receives a message whenever something has changed there.
    pub(crate) fn changes(&self) -> watch::Receiver<Option<Arc<Board>>> {
        self.board.clone()
    }
}

/// Looks at a chain until that fails. A chain to try out is a new one after every start, so nothing is remembered: whatever
/// chain the nodes are of is the one that is shown.
async fn follow(
    nodes: &[Place],
    sender: &watch::Sender<Option<Arc<Board>>>,
    changed: &(impl Fn() + Sync),
    troubled: &mut bool,
) -> Result<core::convert::Infallible, remote::Error> {
    let (genesis, _) = first_contact(nodes, PATIENCE).await?;
    let mut remote = Remote::new(nodes.to_vec(), Anchor::new(&genesis)).with_patience(PATIENCE);
    loop {
        let mut tables = remote.lobby(1, MOST).await?;
        tables.sort_by_key(|table| core::cmp::Reverse(table.players.len()));
        let board = Board { chain: genesis.chain(), name: genesis.name.clone(), tables };
        if std::mem::take(troubled) {
            tracing::info!("the poker chain can be seen again");
        }
        let before = sender.borrow().clone();
        let is_other = before.as_ref().is_none_or(|before| !same_list(before, &board));
        sender.send_if_modified(|last| {
            let new = last.as_deref() != Some(&board);
            if new {
                *last = Some(Arc::new(board));
            }
            new
        });
        if is_other {
            changed();
        }
        sleep(PAUSE).await;
        remote.news(QUIET).await?;
    }
}

/// Whether a list of tables would look the same. Where a hand is does not count: that changes all the time.
fn same_list(one: &Board, other: &Board) -> bool {
    let shown = |table: &Listed| (table.table, table.players.len(), table.ready >= 2);
    one.chain == other.chain && one.tables.iter().map(shown).eq(other.tables.iter().map(shown))
}

#[cfg(test)]
mod tests {
    use chain::tables::{Phase, Terms};
    use remote::Stage;

    use super::*;

    #[tokio::test]
    async fn a_chain_that_cannot_be_reached_is_not_shown() {
        // Nothing listens at this port of this machine: it was free a moment ago.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let chain = Chain::watch(vec![port.to_string().parse().unwrap()], || panic!("nothing is listed"));
        sleep(Duration::from_millis(300)).await;
        assert_eq!(chain.board(), None);
        assert_eq!(chain.nodes().len(), 1);
    }

    #[test]
    fn a_list_changes_with_who_sits_where_and_not_with_every_card() {
        let listed = |players: u8, phase| Listed {
            table: 1,
            terms: Terms::small("one"),
            players: (0..players).map(|number| chain::Address([number; 32])).collect(),
            ready: usize::from(players),
            stage: Stage::Playing { hand: 3, phase },
            turn: None,
            out: Vec::new(),
        };
        let board = |tables| Board { chain: [1; 32], name: "test".to_owned(), tables };
        let before = board(vec![listed(3, Phase::FlopBetting)]);
        assert!(same_list(&before, &board(vec![listed(3, Phase::TurnBetting)])));
        assert!(!same_list(&before, &board(vec![listed(4, Phase::FlopBetting)])));
        assert!(!same_list(&before, &board(Vec::new())));
        assert!(!same_list(&before, &Board { chain: [2; 32], ..before.clone() }));
    }
}
