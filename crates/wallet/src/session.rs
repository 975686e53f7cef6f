//! The task that runs inside: which node, then the list of tables, or one table. It ends with the page.

use core::time::Duration;

use chain::bank::{self, AccountOf};
use chain::store::Key as _;
use chain::{Coins, Genesis, Hash, hex};
use light::follow::{Following, Told};
use light::{Anchor, Error, Listed, PATIENCE, Place, Remote, first_contact};
use page::Lang;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::drawing::{Drawing, Wanted};
use crate::kept::{Kept, read_hash};
use crate::list;
use crate::words;
use crate::world::{Either, World, race};

/// The most tables that are listed.
const MOST_TABLES: u64 = 300;
/// How long to wait for a new block before looking again anyway.
const QUIET: Duration = Duration::from_secs(10);
/// The pause after something went wrong, which gets longer, and the longest.
const AGAIN: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How often what is trusted is kept.
const KEEP: Duration = Duration::from_secs(15);

/// What a person wants.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Want {
    /// To use this node.
    Node(Node),
    /// To read this language.
    Draw(Lang),
    /// To see all tables.
    Tables,
    /// To see one table; to play there, if they sit there.
    Open(u64),
    /// To sit down at a table, with so many chips, or as many as possible.
    Sit { table: u64, chips: Option<u64> },
    /// Coins, on a chain to try out.
    Faucet,
    /// What was done on the page of a table: the message that a server would get.
    Page(String),
}

/// A node, and what is known about its chain.
#[derive(Deserialize, Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: String,
    /// The chain it must belong to.
    pub(crate) chain: Option<String>,
    /// A block that somebody trusted has named: HEIGHT:HASH.
    pub(crate) trust: Option<String>,
}

/// The task.
pub(crate) async fn live(world: World, kept: Kept) {
    world.belongs_to(kept.address(), kept.secret());
    world.tell(&json!({ "wallet": kept.address().to_string() }));
    let mut session = Session { world, kept, lang: Lang::En, place: None };
    let mut next = None;
    loop {
        let node = match next.take() {
            Some(node) => node,
            None => session.await_node().await,
        };
        next = session.with_node(node).await;
    }
}

/// Everything about one wallet.
pub(crate) struct Session {
    pub(crate) world: World,
    pub(crate) kept: Kept,
    pub(crate) lang: Lang,
    /// Where the person is: at a table, or at the list.
    place: Option<u64>,
}

/// Why somebody does not look at something any more.
enum Out {
    /// They went elsewhere on the same chain.
    Elsewhere,
    /// The node belongs to another chain by now.
    OtherChain,
    /// They want another node.
    Node(Node),
}

impl Session {
    pub(crate) fn trouble(&self, why: &Error) {
        let lie = matches!(why, Error::Lie { .. } | Error::OtherChain { .. });
        self.world.tell(&json!({ "trouble": { "text": words::error(why, self.lang), "lie": lie } }));
    }

    fn trouble_in_words(&self, text: &str) {
        self.world.tell(&json!({ "trouble": { "text": text, "lie": false } }));
    }

    pub(crate) fn fine(&self) {
        self.world.tell(&json!({ "trouble": null }));
    }

    pub(crate) fn note(&self, text: &str) {
        self.world.tell(&json!({ "note": text }));
    }

    /// What can be wanted anywhere. Returns what cannot be done here.
    fn common(&mut self, want: Want) -> Option<Want> {
        match want {
            Want::Draw(lang) => self.lang = lang,
            Want::Tables => self.place = None,
            Want::Open(table) => self.place = Some(table),
            other => return Some(other),
        }
        None
    }

    async fn await_node(&mut self) -> Node {
        loop {
            let want = self.world.want().await;
            if let Some(Want::Node(node)) = self.common(want) {
                return node;
            }
        }
    }

    /// Uses a node until another one is wanted, which is returned.
    async fn with_node(&mut self, node: Node) -> Option<Node> {
        let place = match Place::in_browser(&node.at) {
            Ok(place) => place,
            Err(why) => {
                self.trouble_in_words(words::bad_place(why, self.lang));
                return None;
            }
        };
        let genesis = match self.contact(&place).await {
            Ok(genesis) => genesis,
            Err(other) => return Some(other),
        };
        let chain = genesis.chain();
        if let Err(text) = self.meet(&place, &chain, &node) {
            // Whoever means this chain can say so.
            self.world.tell(&json!({ "trouble": { "text": text, "lie": true, "found": hex(&chain) } }));
            return None;
        }
        self.fine();
        self.world
            .tell(&json!({ "at": { "node": node.at, "chain": hex(&chain), "name": words::shown(&genesis.name) } }));
        let anchor = self.kept.anchor(&chain).unwrap_or_else(|| Anchor::new(&genesis));
        let mut remote = Remote::over(self.world.clone(), vec![place], anchor);
        if let Some(block) = &node.trust {
            let block = block.split_once(':').and_then(|(height, hash)| Some((height.parse().ok()?, read_hash(hash)?)));
            match block {
                Some((height, hash)) => {
                    if let Err(why) = remote.trust(height, &hash).await {
                        self.trouble(&why);
                    }
                }
                None => {
                    self.note(self.lang.pick(
                        "A trusted block is named by HEIGHT:HASH.",
                        "Ein Block, dem du vertraust, heißt HÖHE:HASH.",
                    ))
                }
            }
        }
        loop {
            let out = match self.place {
                None => self.list(&mut remote).await,
                Some(table) => {
                    let (out, back) = self.at_table(remote, table).await;
                    remote = back;
                    out
                }
            };
            match out {
                Out::Elsewhere => {}
                Out::Node(node) => return Some(node),
                // As if it were met for the first time: a chain on one's own computer may have begun anew, and for any other
                // the person is asked.
                Out::OtherChain => {
                    self.world.pause(AGAIN).await;
                    return Some(Node { trust: None, ..node });
                }
            }
        }
    }

    /// The genesis of the chain that a node belongs to, as soon as it answers; or another node that is wanted meanwhile.
    async fn contact(&mut self, place: &Place) -> Result<Genesis, Node> {
        let mut pause = AGAIN;
        loop {
            let (mut net, places) = (self.world.clone(), [place.clone()]);
            let asking = race(self.world.want(), first_contact(&mut net, &places, PATIENCE)).await;
            match asking {
                Either::First(want) => {
                    if let Some(Want::Node(node)) = self.common(want) {
                        return Err(node);
                    }
                }
                Either::Second(Ok((genesis, _))) => return Ok(genesis),
                Either::Second(Err(why)) => {
                    self.trouble(&why);
                    if let Either::First(Want::Node(node)) = race(self.world.want(), self.world.pause(pause)).await {
                        return Err(node);
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Whether this is the chain that is meant, as far as anybody can tell: the one that was named, or the one that the
    /// node belonged to before. Chains on one's own computer begin anew all the time.
    fn meet(&mut self, place: &Place, chain: &Hash, node: &Node) -> Result<(), String> {
        let named = node.chain.as_deref().filter(|named| !named.is_empty());
        if let Some(named) = named {
            let wanted = read_hash(named).ok_or_else(|| words::not_a_chain(self.lang).to_owned())?;
            if wanted != *chain {
                return Err(words::other_chain(place, &wanted, chain, self.lang));
            }
        }
        let before = self.kept.chain_of(place);
        if before == Some(*chain) {
            return Ok(());
        }
        if let Some(before) = before.filter(|_| named.is_none() && !place.is_local()) {
            return Err(words::other_chain(place, &before, chain, self.lang));
        }
        self.kept.pin(place, chain);
        self.world.perform(self.kept.keep());
        self.note(&words::met(place, chain, before.is_some(), self.lang));
        Ok(())
    }

    /// The list of tables, until somebody goes elsewhere.
    async fn list(&mut self, remote: &mut Remote<World>) -> Out {
        let me = self.kept.address();
        let (mut wait, mut pause, mut kept) = (Wait::No, AGAIN, None);
        self.world.tell(&json!({ "table": null }));
        loop {
            let looked = race(self.world.want(), look(remote, &self.world, &me, wait)).await;
            match looked {
                Either::First(want) => match self.common(want) {
                    None if self.place.is_some() => return Out::Elsewhere,
                    None => wait = Wait::No,
                    Some(Want::Node(node)) => return Out::Node(node),
                    Some(Want::Faucet) => {
                        self.faucet(remote).await;
                        wait = Wait::No;
                    }
                    Some(Want::Sit { table, chips }) => {
                        if self.sit(remote, table, chips.map(Coins)).await {
                            self.place = Some(table);
                            return Out::Elsewhere;
                        }
                    }
                    Some(_) => {}
                },
                Either::Second(Ok((tables, coins))) => {
                    (wait, pause) = (Wait::News, AGAIN);
                    self.fine();
                    self.keep(remote, &mut kept);
                    let html = list::tables(&tables, &me, coins, self.lang).into_string();
                    self.world.tell(&json!({ "list": html, "coins": coins.0 }));
                }
                Either::Second(Err(why)) => {
                    self.trouble(&why);
                    if matches!(why, Error::OtherChain { .. }) {
                        return Out::OtherChain;
                    }
                    wait = Wait::Pause(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Keeps what is trusted, now and then.
    fn keep(&mut self, remote: &Remote<World>, kept: &mut Option<Duration>) {
        let now = self.world.now();
        if kept.is_none_or(|kept| now.saturating_sub(kept) >= KEEP) {
            *kept = Some(now);
            self.world.perform(self.kept.trust(remote.anchor()));
        }
    }

    /// One table, until somebody goes elsewhere.
    async fn at_table(&mut self, mut remote: Remote<World>, table: u64) -> (Out, Remote<World>) {
        self.world.tell(&json!({ "table": table }));
        let mut drawing = Drawing::new(self.lang, table, self.kept.address());
        let mut kept = None;
        'sitting: loop {
            let player = match self.player(&mut remote, table).await {
                Ok((player, strange)) => {
                    drawing.set_elsewhere(strange);
                    player
                }
                Err(why) => {
                    self.trouble(&why);
                    if matches!(why, Error::OtherChain { .. }) {
                        return (Out::OtherChain, remote);
                    }
                    match race(self.world.want(), self.world.pause(AGAIN)).await {
                        Either::First(want) => match self.common(want) {
                            None if self.place != Some(table) => return (Out::Elsewhere, remote),
                            Some(Want::Node(node)) => return (Out::Node(node), remote),
                            _ => {}
                        },
                        Either::Second(()) => {}
                    }
                    continue;
                }
            };
            let mut following = Following::new(remote, table, player).with_purse(self.kept.address());
            loop {
                let step = race(self.world.want(), following.look()).await;
                let done = match step {
                    Either::Second(looked) => following.saw(looked).await,
                    Either::First(want) => match self.common(want) {
                        None if self.place != Some(table) => return (Out::Elsewhere, following.into_remote()),
                        None => {
                            drawing.again(self.lang);
                            Ok(Duration::ZERO)
                        }
                        Some(Want::Node(node)) => return (Out::Node(node), following.into_remote()),
                        Some(Want::Page(message)) => match drawing.hear(&message, self.world.now()) {
                            Ok(Wanted::Nothing) => Ok(Duration::ZERO),
                            Ok(Wanted::Tell(told)) => {
                                self.page(&told);
                                Ok(Duration::ZERO)
                            }
                            Ok(Wanted::Verify(hand)) => {
                                self.verify(following.remote(), table, hand).await;
                                Ok(Duration::ZERO)
                            }
                            Ok(Wanted::Do(want)) => following.want(want).await,
                            Err(why) => {
                                self.page(&json!({ "refused": why }));
                                Ok(Duration::ZERO)
                            }
                        },
                        Some(Want::Sit { table: at, chips }) if at == table => {
                            self.sit(following.remote(), table, chips.map(Coins)).await;
                            remote = following.into_remote();
                            continue 'sitting;
                        }
                        Some(_) => Ok(Duration::ZERO),
                    },
                };
                for told in following.told() {
                    match &told {
                        Told::Lost(why) => {
                            self.trouble(why);
                            if matches!(why, Error::OtherChain { .. }) {
                                return (Out::OtherChain, following.into_remote());
                            }
                        }
                        Told::Now(_) => self.fine(),
                        Told::Over(_) | Told::Gone(_) | Told::Note(_) => {}
                    }
                    if let Some(said) = drawing.learn(told, self.world.now()) {
                        self.page(&json!({ "said": said }));
                    }
                }
                self.page(&drawing.show(self.world.now()));
                self.keep(following.remote(), &mut kept);
                match done {
                    Ok(pause) if pause > Duration::ZERO => self.world.pause(pause).await,
                    Ok(_) => {}
                    Err(stopped) => {
                        self.note(&words::stopped(&stopped, self.lang));
                        self.place = None;
                        return (Out::Elsewhere, following.into_remote());
                    }
                }
            }
        }
    }

    fn page(&self, told: &Value) {
        self.world.tell(&json!({ "page": told }));
    }
}

/// What to wait for before a look.
#[derive(Clone, Copy)]
enum Wait {
    No,
    News,
    Pause(Duration),
}

/// All tables, and what is in an account.
async fn look(
    remote: &mut Remote<World>,
    world: &World,
    me: &chain::Address,
    wait: Wait,
) -> Result<(Vec<Listed>, Coins), Error> {
    match wait {
        Wait::No => {}
        Wait::News => drop(remote.news(QUIET).await?),
        Wait::Pause(pause) => world.pause(pause).await,
    }
    let tables = remote.lobby(1, MOST_TABLES).await?;
    let seen = remote.see(&[AccountOf(*me).bytes()]).await?;
    Ok((tables, bank::balance(&seen.store, me)))
}
