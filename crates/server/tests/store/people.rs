//! Players and the matches they have played.

use server::store::{Phase, Player, TableId};

use crate::ground::{Ground, change, new_table, player, result};

crate::laws! {
    players_are_kept,
    matches_are_summed_up,
    history_is_read_in_pages,
}

async fn players_are_kept(ground: Ground) {
    let store = ground.open().await;
    let mut ada = Player { id: player(1), name: "Ada".into(), avatar: "fox".into(), created_at: 100, seen_at: 100 };
    assert_eq!(store.player(&player(1)).await.unwrap(), None);
    store.save_player(ada.clone()).await.unwrap();
    assert_eq!(store.player(&player(1)).await.unwrap(), Some(ada.clone()));

    ada.name = "Ada L.".into();
    ada.seen_at = 200;
    store.save_player(Player { created_at: 999, ..ada.clone() }).await.unwrap();
    assert_eq!(store.player(&player(1)).await.unwrap(), Some(ada.clone()));

    store.see_player(player(1), 300).await.unwrap();
    store.see_player(player(1), 250).await.unwrap();
    store.see_player(player(2), 300).await.unwrap();
    assert_eq!(store.player(&player(1)).await.unwrap().unwrap().seen_at, 300);
    assert_eq!(store.player(&player(2)).await.unwrap(), None);
}

async fn matches_are_summed_up(ground: Ground) {
    let store = ground.open().await;
    let places = [(1, "blackout", 1, 60, false), (2, "blackout", 3, -10, false), (3, "holdem", 1, 500, true)];
    for (number, game, place, total, shared) in places {
        store.create(new_table(number)).await.unwrap();
        let mut mine = result(0, Some(player(1)), place, total);
        mine.game = game.into();
        mine.shared = shared;
        mine.won = place == 1 && !shared;
        let mut over = change(Phase::Over);
        over.results = vec![mine, result(1, None, 2, 0), result(2, Some(player(2)), 3, 0)];
        store.append(TableId(number.into()), 1, 0, "over".into(), Some(over)).await.unwrap();
    }
    let statistics = store.statistics(&player(1)).await.unwrap();
    let figures: Vec<_> =
        statistics.iter().map(|s| (s.game.as_str(), s.matches, s.won, s.shared, s.deals, s.total)).collect();
    assert_eq!(figures, [("blackout", 2, 1, 0, 18, 50), ("holdem", 1, 0, 1, 9, 500)]);
    assert_eq!(statistics[0].mean_place, 2.0);
    assert!(store.statistics(&player(9)).await.unwrap().is_empty());
}

async fn history_is_read_in_pages(ground: Ground) {
    let store = ground.open().await;
    for number in 1..=7u32 {
        store.create(new_table(number)).await.unwrap();
        let mut mine = result(0, Some(player(1)), 1, 0);
        mine.game = if number == 4 { "holdem" } else { "blackout" }.into();
        // Several end at the same time.
        mine.over_at = i64::from(number / 3);
        let mut over = change(Phase::Over);
        over.results = vec![mine];
        store.append(TableId(number.into()), 1, 0, "over".into(), Some(over)).await.unwrap();
    }
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = store.finished(&player(1), None, before, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some((last.result.over_at, last.table));
        seen.extend(page.iter().map(|finished| finished.table.0));
    }
    assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
    let holdem = store.finished(&player(1), Some("holdem"), None, 9).await.unwrap();
    assert_eq!(holdem.len(), 1);
    assert_eq!(holdem[0].result.player, Some(player(1)));
}
