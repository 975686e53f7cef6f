//! Nodes that lie, and what becomes of their lies.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

mod fake;

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chain::bank::AccountOf;
use chain::light::{BadCertificate, Decided, Doubt};
use chain::store::Key as _;
use chain::tables::{self, RingOf, Terms};
use chain::testing::{WEALTH, key};
use chain::{Coins, hex, unhex};
use serde_json::{Value, json};

use fake::{Says, World, node, signed};
use light::in_hex;
use remote::{Anchor, Error, Lie, Outcome, Place, Remote, Sockets, Stage, first_contact};

/// For nodes that answer.
const LONG: Duration = Duration::from_secs(30);
/// For those that do not.
const SHORT: Duration = Duration::from_millis(300);

fn remote(world: &World, places: Vec<Place>, patience: Duration) -> Remote {
    // A clock that is behind does no harm; the blocks of this chain are from 1970.
    remote_at(world, places, patience, || 0)
}

fn remote_at(world: &World, places: Vec<Place>, patience: Duration, clock: fn() -> u64) -> Remote {
    Remote::over(Sockets::with_clock(clock), places, Anchor::new(&world.kit.genesis)).with_patience(patience)
}

/// An honest node at this height.
async fn honest(world: &Arc<World>, at: u64) -> Place {
    let world = Arc::clone(world);
    node(move |method, params| Says::This(world.answer(at, method, params))).await
}

/// A node that changes answers to one method.
async fn liar(
    world: &Arc<World>,
    about: &'static str,
    lie: impl Fn(Value, &Value) -> Says + Send + Sync + 'static,
) -> Place {
    let world = Arc::clone(world);
    node(move |method, params| {
        let truth = world.answer(9, method, params);
        if method == about { lie(truth, params) } else { Says::This(truth) }
    })
    .await
}

fn account(world: &World) -> Vec<u8> {
    AccountOf(world.kit.player_address(0)).bytes()
}

/// What somebody says about it who asks such a node for an account.
async fn caught(world: &Arc<World>, place: Place) -> Error {
    remote(world, vec![place], SHORT).see(&[account(world)]).await.unwrap_err()
}

fn lie_of(error: Error) -> Option<Lie> {
    match error {
        Error::Lie { lie, .. } => Some(lie),
        _ => None,
    }
}

#[tokio::test]
async fn what_an_honest_node_says_is_taken_and_nothing_older_after_that() {
    let world = Arc::new(World::new().blocks(12));
    let place = honest(&world, 9).await;
    let mut first = remote(&world, vec![place], LONG);
    let seen = first.see(&[account(&world), RingOf(5).bytes()]).await.unwrap();
    assert_eq!(seen.height, 9);
    assert_eq!(seen.tip().unwrap().height, 9);
    assert_eq!(seen.store.get(&AccountOf(world.kit.player_address(0))).unwrap().balance, WEALTH);
    assert!(seen.store.get(&RingOf(5)).is_none());
    assert_eq!(first.anchor().light.height(), 10);
    // The anchor is kept between runs, and nobody is shown the past again.
    let kept = Anchor::from_bytes(&first.anchor().to_bytes()).unwrap();
    let old = honest(&world, 5).await;
    let mut second = Remote::over(Sockets::with_clock(|| 0), vec![old.clone()], kept).with_patience(SHORT);
    assert_eq!(second.see(&[]).await.unwrap_err(), Error::Old { place: old, height: 5, known: 9 });
    assert_eq!(Anchor::from_bytes(b"nonsense"), None);
}

#[tokio::test]
async fn a_remote_can_be_used_by_a_task_of_its_own() {
    let world = Arc::new(World::new().blocks(12));
    let place = honest(&world, 9).await;
    let mut remote = remote(&world, vec![place], LONG);
    let task = tokio::spawn(async move {
        remote.lobby(1, 10).await?;
        remote.root_after(3).await?;
        remote.table(1, &[]).await
    });
    assert_eq!(task.await.unwrap().unwrap().height, 9);
}

#[tokio::test]
async fn the_first_state_is_known_from_the_genesis() {
    let world = Arc::new(World::new());
    let place = honest(&world, 0).await;
    assert_eq!(remote(&world, vec![place], LONG).see(&[]).await.unwrap().height, 0);
}

#[tokio::test]
async fn a_header_that_was_changed_or_signed_by_others_is_a_lie() {
    let world = Arc::new(World::new().blocks(12));
    let changed = |change: fn(&mut Decided)| {
        move |truth: Value, _: &Value| {
            let bytes = unhex(truth["decided"].as_str().unwrap()).unwrap();
            let mut decided: Decided = borsh::from_slice(&bytes).unwrap();
            change(&mut decided);
            Says::This(json!({ "decided": in_hex(&decided) }))
        }
    };
    let root = liar(&world, "header", changed(|decided| decided.header.root = [1; 32])).await;
    assert!(matches!(lie_of(caught(&world, root).await), Some(Lie::Block(Doubt::Parent | Doubt::Certificate(_)))));
    let few = liar(&world, "header", changed(|decided| decided.certificate = signed(&decided.header, &[0, 1]))).await;
    let few = lie_of(caught(&world, few).await);
    assert!(matches!(few, Some(Lie::Block(Doubt::Certificate(BadCertificate::Power { .. })))), "{few:?}");
    let own = liar(
        &world,
        "header",
        changed(|decided| {
            decided.validators = [90, 91].map(|number| (chain::testing::address(&key(number)), Coins(1))).to_vec();
            decided.certificate = signed(&decided.header, &[90, 91]);
        }),
    );
    assert_eq!(lie_of(caught(&world, own.await).await), Some(Lie::Block(Doubt::Validators)));
    let other = liar(&world, "header", changed(|decided| decided.header.chain = [7; 32])).await;
    assert_eq!(lie_of(caught(&world, other).await), Some(Lie::Block(Doubt::Chain)));
    let height = liar(&world, "header", changed(|decided| decided.header.height += 1)).await;
    assert!(matches!(caught(&world, height).await, Error::Nonsense { .. }));
}

#[tokio::test]
async fn an_entry_that_was_changed_denied_or_left_out_is_a_lie() {
    let world = Arc::new(World::new().blocks(12));
    let changed = |change: fn(&mut Vec<Value>)| {
        move |mut truth: Value, _: &Value| {
            change(truth["entries"].as_array_mut().unwrap());
            Says::This(truth)
        }
    };
    let rich = liar(
        &world,
        "entries",
        changed(|entries| {
            let richer = chain::bank::Account { balance: Coins(u64::MAX), nonce: 0 };
            entries[2]["value"] = json!(in_hex(&richer));
        }),
    );
    assert_eq!(lie_of(caught(&world, rich.await).await), Some(Lie::Entry));
    let denied = liar(&world, "entries", changed(|entries| entries[2]["value"] = Value::Null)).await;
    assert_eq!(lie_of(caught(&world, denied).await), Some(Lie::Entry));
    let swapped = liar(&world, "entries", changed(|entries| entries[2]["proof"] = entries[1]["proof"].clone())).await;
    assert_eq!(lie_of(caught(&world, swapped).await), Some(Lie::Entry));
    let left_out = liar(&world, "entries", changed(|entries| drop(entries.pop()))).await;
    assert_eq!(lie_of(caught(&world, left_out).await), Some(Lie::Entries));
    let other = liar(&world, "entries", changed(|entries| entries[2]["key"] = json!(hex(&RingOf(1).bytes())))).await;
    assert_eq!(lie_of(caught(&world, other).await), Some(Lie::Entries));
}

#[tokio::test]
async fn a_state_that_is_said_to_be_newer_than_it_is_is_a_lie() {
    let world = Arc::new(World::new().blocks(12));
    let newer = liar(&world, "entries", |mut truth, _| {
        truth["height"] = json!(10);
        Says::This(truth)
    });
    assert_eq!(lie_of(caught(&world, newer.await).await), Some(Lie::Entry));
}

#[tokio::test]
async fn a_node_of_another_chain_is_named_as_such() {
    let world = Arc::new(World::new().blocks(12));
    let other = liar(&world, "status", |mut truth, _| {
        truth["chain"] = json!(hex(&[7; 32]));
        Says::This(truth)
    });
    let found = caught(&world, other.await).await;
    assert!(matches!(found, Error::OtherChain { found: chain, .. } if chain == [7; 32]), "{found}");
    assert!(found.to_string().contains("belongs to chain 070707070707"), "{found}");
}

#[tokio::test]
async fn nonsense_silence_and_floods_are_told_apart() {
    let world = Arc::new(World::new().blocks(12));
    for text in ["hello", "[]", "{\"id\":3}", "{}"] {
        let place = liar(&world, "entries", move |_, _| Says::Text(text.to_owned())).await;
        let found = caught(&world, place).await;
        assert!(matches!(found, Error::Nonsense { .. } | Error::Silent { .. }), "{text}: {found}");
    }
    let silent = liar(&world, "entries", |_, _| Says::Nothing).await;
    assert!(matches!(caught(&world, silent).await, Error::Silent { .. }));
    let mute = liar(&world, "status", |_, _| Says::Nothing).await;
    assert!(matches!(caught(&world, mute).await, Error::Silent { .. }));
    let huge = liar(&world, "entries", |_, _| Says::Text(" ".repeat(33 << 20))).await;
    let found = remote(&world, vec![huge], LONG).see(&[]).await.unwrap_err();
    assert!(matches!(found, Error::Nonsense { .. } | Error::Lost { .. }), "{found}");
    let closed = liar(&world, "status", |_, _| Says::Close).await;
    assert!(matches!(caught(&world, closed).await, Error::Lost { .. }));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody: Place = listener.local_addr().unwrap().to_string().parse().unwrap();
    drop(listener);
    assert!(matches!(caught(&world, nobody).await, Error::Unreachable { .. }));
    assert_eq!(remote(&world, Vec::new(), SHORT).see(&[]).await.unwrap_err(), Error::NoNode);
}

#[tokio::test]
async fn words_of_a_node_cannot_steer_a_terminal() {
    let world = Arc::new(World::new().blocks(12));
    let rude = liar(&world, "entries", |_, _| Says::No("\u{1b}[2J no")).await;
    assert_eq!(caught(&world, rude).await, Error::Refused { why: " [2J no".into() });
}

#[tokio::test]
async fn a_liar_is_left_for_the_next_node_and_that_is_told() {
    let world = Arc::new(World::new().blocks(12));
    let bad = liar(&world, "entries", |_, _| Says::Text("hello".into())).await;
    let good = honest(&world, 9).await;
    let mut remote = remote(&world, vec![bad.clone(), good.clone()], LONG);
    assert_eq!(remote.see(&[]).await.unwrap().height, 9);
    assert_eq!(remote.place(), Some(&good));
    assert_eq!(remote.troubles(), [Error::Nonsense { place: bad, expected: "JSON" }]);
    assert_eq!(remote.troubles(), []);
}

#[tokio::test]
async fn a_line_that_is_cut_is_opened_again() {
    let world = Arc::new(World::new().blocks(12));
    let asked = Arc::new(AtomicU64::new(0));
    let (count, truth) = (Arc::clone(&asked), Arc::clone(&world));
    let place = node(move |method, params| {
        // The second look is cut off.
        if method == "entries" && count.fetch_add(1, Ordering::Relaxed) == 1 {
            return Says::Close;
        }
        Says::This(truth.answer(9, method, params))
    });
    let mut remote = remote(&world, vec![place.await], LONG);
    remote.see(&[]).await.unwrap();
    remote.see(&[]).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert!(matches!(remote.troubles().as_slice(), [Error::Lost { .. }]));
}

#[tokio::test]
async fn an_anchor_that_is_too_old_is_not_enough() {
    let world = Arc::new(World::new().blocks(12));
    let place = honest(&world, 9).await;
    let mut remote = remote_at(&world, vec![place], LONG, || 1_000_000_000);
    assert_eq!(remote.see(&[]).await.unwrap_err(), Error::Expired);
    assert_eq!(remote.behind(), Duration::from_millis(1_000_000_000 - 1_000));
}

#[tokio::test]
async fn a_block_that_somebody_trusted_has_named_is_a_new_anchor() {
    let world = Arc::new(World::new().blocks(12));
    let place = honest(&world, 9).await;
    // 61 seconds after the block, and 68 after the genesis: a minute is what stake stays liable.
    let mut remote = remote_at(&world, vec![place], LONG, || 69_000);
    assert_eq!(remote.see(&[]).await.unwrap_err(), Error::Expired);
    let hash = world.decided[8].header.hash();
    assert_eq!(lie_of(remote.trust(8, &hash).await.unwrap_err()), Some(Lie::Block(Doubt::Parent)));
    remote.trust(9, &hash).await.unwrap();
    assert_eq!(remote.anchor().light.height(), 9);
    assert_eq!(remote.see(&[]).await.unwrap().height, 9);
}

#[tokio::test]
async fn validators_may_change_altogether() {
    let mut world = World::new().blocks(3);
    let registered: Vec<_> = (0..3)
        .map(|number| {
            let operator = world.kit.player(number);
            let register = world.kit.registration(&operator, &key(50 + number), Coins(9_000_000));
            world.kit.tx(&operator, register)
        })
        .collect();
    world.block(registered, &[0, 1, 2, 3]);
    // They decide as soon as they are validators: after some blocks, and without those from the beginning.
    for _ in 0..20 {
        let count = chain::staking::validators(world.kit.state.store()).len();
        world.block(Vec::new(), if count == 7 { &[50, 51, 52] } else { &[0, 1, 2, 3] });
    }
    let last = world.decided.last().unwrap();
    assert_eq!(last.certificate.signatures.len(), 3);
    let world = Arc::new(world);
    let place = honest(&world, 22).await;
    let mut remote = remote(&world, vec![place], LONG);
    assert_eq!(remote.see(&[]).await.unwrap().height, 22);
    // And back along the hashes of blocks.
    for height in [0, 3, 21] {
        let index = usize::try_from(height).unwrap();
        assert_eq!(remote.root_after(height).await.unwrap(), world.states[index].store().root());
    }
}

#[tokio::test]
async fn an_earlier_block_that_was_changed_is_a_lie() {
    let world = Arc::new(World::new().blocks(12));
    let place = liar(&world, "header", |truth, params| {
        if params["height"] != 5 {
            return Says::This(truth);
        }
        let mut decided: Decided = borsh::from_slice(&unhex(truth["decided"].as_str().unwrap()).unwrap()).unwrap();
        decided.header.root = [1; 32];
        Says::This(json!({ "decided": in_hex(&decided) }))
    });
    let mut remote = remote(&world, vec![place.await], LONG);
    remote.see(&[]).await.unwrap();
    assert_eq!(remote.root_after(6).await.unwrap(), world.states[6].store().root());
    assert_eq!(lie_of(remote.root_after(4).await.unwrap_err()), Some(Lie::Past { height: 5 }));
}

#[tokio::test]
async fn what_a_node_says_about_a_transaction_is_checked_against_the_state() {
    let world = Arc::new(World::new().blocks(12));
    let (player, other) = (world.kit.player(0), world.kit.player_address(1));
    let send = world.kit.tx(&player, chain::bank::Tx::Transfer { to: other, coins: Coins(5) });
    let says = |height: u64| {
        move |_: Value, _: &Value| Says::This(json!({ "height": height, "outcome": "done", "why": null }))
    };
    // It says that it was done, but the state says otherwise.
    let place = liar(&world, "receipt", says(8)).await;
    let mut remote = remote(&world, vec![place], LONG);
    assert_eq!(remote.carry_out(&send, LONG).await.unwrap(), Outcome::Done { height: 8 });
    let seen = remote.see(&[account(&world)]).await.unwrap();
    assert_eq!(seen.store.get(&AccountOf(world.kit.player_address(0))).unwrap().nonce, 0);
    // It says that it was done in a block that it does not show.
    let place = liar(&world, "receipt", says(11)).await;
    let mut remote = self::remote(&world, vec![place.clone()], SHORT);
    remote.carry_out(&send, LONG).await.unwrap();
    assert_eq!(remote.see(&[]).await.unwrap_err(), Error::Old { place, height: 9, known: 11 });
    let place = liar(&world, "receipt", says(u64::MAX)).await;
    let found = self::remote(&world, vec![place], SHORT).carry_out(&send, LONG).await;
    assert!(matches!(found, Err(Error::Nonsense { .. })));
    let place = liar(&world, "submit", |_, _| Says::No("the fee is too low")).await;
    let found = self::remote(&world, vec![place], SHORT).carry_out(&send, LONG).await;
    assert_eq!(found, Err(Error::Refused { why: "the fee is too low".into() }));
}

#[tokio::test]
async fn the_lobby_lists_the_tables_that_there_are() {
    let mut world = World::new();
    let host = world.kit.player(0);
    for (already, label) in ["one", "two", "three"].into_iter().enumerate() {
        let create = tables::Tx::Create { terms: Terms::small(label), purse: Coins::ZERO };
        let create = world.kit.tx(&host, create);
        world.block(vec![create], &[0, 1, 2, 3]);
        assert_eq!(world.kit.state.store().all::<RingOf>().count(), already + 1);
    }
    let close = world.kit.tx(&host, tables::Tx::Close { table: 2 });
    world.block(vec![close], &[0, 1, 2, 3]);
    let world = Arc::new(world.blocks(2));
    let place = honest(&world, 5).await;
    let mut remote = remote(&world, vec![place], LONG);
    let list = remote.lobby(1, 100).await.unwrap();
    let labels: Vec<_> = list.iter().map(|listed| (listed.table, listed.terms.label.as_str())).collect();
    assert_eq!(labels, [(1, "one"), (3, "three")]);
    assert!(list.iter().all(|listed| listed.stage == Stage::Waiting && listed.players.is_empty()));
    assert_eq!(remote.lobby(1, 1).await.unwrap().len(), 1);
    assert_eq!(remote.lobby(4, 100).await.unwrap(), []);
    let seen = remote.table(3, &[]).await.unwrap();
    assert_eq!(seen.store.get(&RingOf(3)).unwrap().terms.label, "three");
}

#[tokio::test]
async fn a_newcomer_gets_the_genesis_from_the_first_node_that_has_one() {
    let mut genesis = World::new().kit.genesis;
    genesis.params.dealer.members = 4;
    let text = in_hex(&genesis);
    let good = node(move |_, _| Says::This(json!({ "genesis": text }))).await;
    let bad = node(|_, _| Says::This(json!({ "genesis": "00" }))).await;
    let found = first_contact(&[bad.clone(), good], LONG).await.unwrap();
    assert_eq!(found, (genesis.clone(), vec![Error::Nonsense { place: bad.clone(), expected: "a genesis" }]));
    assert!(first_contact(&[bad], LONG).await.is_err());
    genesis.validators.clear();
    let text = in_hex(&genesis);
    let empty = node(move |_, _| Says::This(json!({ "genesis": text }))).await;
    assert!(matches!(first_contact(&[empty], LONG).await, Err(Error::Nonsense { .. })));
}
