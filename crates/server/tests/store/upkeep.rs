//! Old data is deleted, and nothing else; and a full disk is detected by writing.

use server::store::{Old, Phase, Player, Store, TableId};

use crate::ground::{Ground, change, new_table, player, result};

crate::laws! {
    tables_that_gather_are_forgotten_apart,
    tables_of_other_rules_are_forgotten_even_while_they_are_played,
    players_of_no_table_are_forgotten,
    unfinished_tables_come_first_among_ones_own,
    health_is_found_out_by_writing,
}

/// A table in this phase that changed at this time.
async fn table(store: &Store, number: u32, phase: Phase, at: i64) {
    store.create(new_table(number)).await.unwrap();
    store.append(TableId(number.into()), 1, at, "changed".into(), Some(change(phase))).await.unwrap();
}

async fn kept(store: &Store, numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut kept = Vec::new();
    for number in numbers {
        if store.table(TableId(number)).await.unwrap().is_some() {
            kept.push(number);
        }
    }
    kept
}

async fn tables_that_gather_are_forgotten_apart(ground: Ground) {
    let store = ground.open().await;
    for (number, phase) in (1..).zip([Phase::Gathering, Phase::Playing, Phase::Over]) {
        table(&store, number, phase, 2000).await;
    }
    table(&store, 4, Phase::Gathering, 7000).await;
    assert_eq!(store.forget_old(&Old::Gathering, 2000).await.unwrap(), 0);
    assert_eq!(store.forget_old(&Old::Gathering, 5000).await.unwrap(), 1);
    assert_eq!(kept(&store, 1..=4).await, [2, 3, 4]);
    // Its code is free again.
    let mut again = new_table(9);
    again.code = new_table(1).code;
    store.create(again).await.unwrap();
}

async fn tables_of_other_rules_are_forgotten_even_while_they_are_played(ground: Ground) {
    let store = ground.open().await;
    for (number, game, rules, at) in
        [(1, "blackout", 1, 2000), (2, "blackout", 2, 2000), (3, "whist", 1, 2000), (4, "blackout", 2, 9000)]
    {
        let mut new = new_table(number);
        (new.game, new.rules) = (game.to_owned(), rules);
        store.create(new).await.unwrap();
        let playing = Some(change(Phase::Playing));
        store.append(TableId(number.into()), 1, at, "began".into(), playing).await.unwrap();
    }
    let old = Old::OtherRules(vec![("holdem", 2), ("blackout", 1)]);
    assert_eq!(store.forget_old(&old, 2000).await.unwrap(), 0);
    assert_eq!(store.forget_old(&old, 5000).await.unwrap(), 2);
    assert_eq!(kept(&store, 1..=4).await, [1, 4]);
    assert_eq!(store.forget_old(&Old::OtherRules(vec![]), i64::MAX).await.unwrap(), 2);
}

async fn players_of_no_table_are_forgotten(ground: Ground) {
    let store = ground.open().await;
    for number in 1..=5 {
        let seen_at = if number == 4 { 8000 } else { 2000 };
        let (name, avatar) = ("x".to_owned(), "1".to_owned());
        let one = Player { id: player(number), name, avatar, created_at: 1000, seen_at };
        store.save_player(one).await.unwrap();
    }
    // The first sits somewhere, the second has a result, the fourth and the fifth were here again.
    store.create(new_table(1)).await.unwrap();
    let mut over = change(Phase::Over);
    over.seated = Some(vec![player(1)]);
    over.results = vec![result(0, Some(player(2)), 1, 0)];
    store.append(TableId(1), 1, 9000, "over".into(), Some(over)).await.unwrap();
    store.see_player(player(5), 6000).await.unwrap();
    assert_eq!(store.forget_players(2000).await.unwrap(), 0);
    assert_eq!(store.forget_players(5000).await.unwrap(), 1);
    assert_eq!(store.player(&player(3)).await.unwrap(), None);
    store.forget(i64::MAX).await.unwrap();
    assert_eq!(store.forget_players(7000).await.unwrap(), 3);
    assert!(store.player(&player(4)).await.unwrap().is_some());
}

async fn unfinished_tables_come_first_among_ones_own(ground: Ground) {
    let store = ground.open().await;
    for (number, phase, at) in
        [(1, Phase::Playing, 2000), (2, Phase::Over, 9000), (3, Phase::Over, 8000), (4, Phase::Gathering, 3000)]
    {
        store.create(new_table(number)).await.unwrap();
        let mut now = change(phase);
        now.seated = Some(vec![player(1)]);
        store.append(TableId(number.into()), 1, at, "now".into(), Some(now)).await.unwrap();
    }
    let mine = store.mine(&player(1), 3).await.unwrap();
    assert_eq!(mine.iter().map(|row| row.id.0).collect::<Vec<_>>(), [4, 1, 2]);
}

async fn health_is_found_out_by_writing(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    store.health().await.unwrap();
    if let Ground::Sqlite(_) = ground {
        store.limit_size(Some(1));
        let mut height = 1;
        while store.append(TableId(1), height, 0, "x".repeat(5000), None).await.is_ok() {
            height += 1;
        }
        store.health().await.unwrap_err();
        store.limit_size(None);
        // Nobody writes now, but the question itself does.
        store.health().await.unwrap();
    }
    store.close().await;
    store.health().await.unwrap_err();
}
