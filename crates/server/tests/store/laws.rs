//! Laws that hold over any database: appending, creating, finding and deleting tables.

use server::store::{AppendError, Code, CreateError, Phase, Store, StoreError, TableId};

use crate::ground::{Ground, change, log, new_table, player, result};

crate::laws! {
    an_entry_is_appended_once,
    of_many_writers_one_wins_each_height,
    a_conflict_hurts_nobody_else,
    a_change_is_written_with_its_entry_or_not_at_all,
    of_two_with_one_code_one_is_made,
    a_code_is_free_again_when_its_table_is_over,
    everything_survives_closing,
    tables_are_found,
    who_is_there_is_known_until_they_stand_up,
    what_is_due_is_found,
    the_last_word_on_what_is_due_counts,
    old_tables_are_forgotten,
    many_tables_are_forgotten_in_pieces,
    a_large_record_comes_back,
    strange_characters_come_back,
}

async fn an_entry_is_appended_once(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    store.append(TableId(1), 1, 2000, "first".into(), None).await.unwrap();
    let again = store.append(TableId(1), 1, 2001, "second".into(), None).await;
    assert!(matches!(again, Err(AppendError::Conflict)));
    assert_eq!(log(&store, TableId(1)).await, ["made 1", "first"]);
    assert_eq!(store.entries(TableId(1), 1).await.unwrap()[0].at, 2000);

    let nowhere = store.append(TableId(2), 1, 2000, "lost".into(), None).await;
    assert!(matches!(nowhere, Err(AppendError::NoTable)), "{nowhere:?}");
    assert!(log(&store, TableId(2)).await.is_empty());
    store.health().await.unwrap();
}

async fn of_many_writers_one_wins_each_height(ground: Ground) {
    const APPENDERS: usize = 8;
    const WINS: usize = 25;
    let stores = [ground.open().await, ground.open_another().await];
    stores[0].create(new_table(1)).await.unwrap();
    let appenders: Vec<_> = (0..APPENDERS)
        .map(|me| {
            let store = stores[me % 2].clone();
            tokio::spawn(async move {
                let mut height = 1;
                let mut wins = 0;
                while wins < WINS {
                    match store.append(TableId(1), height, 0, format!("{me} {wins}"), None).await {
                        Ok(()) => wins += 1,
                        Err(AppendError::Conflict) => {}
                        Err(other) => panic!("{other}"),
                    }
                    height += 1;
                }
            })
        })
        .collect();
    for appender in appenders {
        appender.await.unwrap();
    }
    let mut found = log(&stores[1], TableId(1)).await.split_off(1);
    let mut wanted: Vec<String> =
        (0..APPENDERS).flat_map(|me| (0..WINS).map(move |win| format!("{me} {win}"))).collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
}

async fn a_conflict_hurts_nobody_else(ground: Ground) {
    let store = ground.open().await;
    for number in 0..50 {
        store.create(new_table(number)).await.unwrap();
    }
    // All at once, so that they share transactions: good ones, conflicts, twins, and tables that do not exist.
    let append = |table: u32, height: i64, body: &str| {
        let (store, body) = (store.clone(), body.to_owned());
        tokio::spawn(async move { store.append(TableId(table.into()), height, 0, body, None).await })
    };
    let good: Vec<_> = (0..50).map(|table| append(table, 1, "good")).collect();
    let conflicts: Vec<_> = (0..50).map(|table| append(table, 0, "conflict")).collect();
    let nowhere: Vec<_> = (100..120).map(|table| append(table, 1, "nowhere")).collect();
    for answer in good {
        answer.await.unwrap().unwrap();
    }
    for answer in conflicts {
        assert!(matches!(answer.await.unwrap(), Err(AppendError::Conflict)));
    }
    for answer in nowhere {
        assert!(matches!(answer.await.unwrap(), Err(AppendError::NoTable)));
    }
    let twins: Vec<_> = (0..50).map(|twin| append(7, 2, &format!("twin {twin}"))).collect();
    let mut winners = 0;
    for answer in twins {
        match answer.await.unwrap() {
            Ok(()) => winners += 1,
            Err(error) => assert!(matches!(error, AppendError::Conflict)),
        }
    }
    assert_eq!(winners, 1);
    for table in 0..50 {
        assert_eq!(log(&store, TableId(table)).await[1], "good");
    }
}

async fn a_change_is_written_with_its_entry_or_not_at_all(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    let mut over = change(Phase::Over);
    over.summary = "{\"seats\":2}".into();
    over.seated = Some(vec![player(1)]);
    over.results = vec![result(0, Some(player(1)), 1, 50), result(1, None, 2, 20)];
    over.record = Some("record".into());

    let late = store.append(TableId(1), 0, 2000, "late".into(), Some(over.clone())).await;
    assert!(matches!(late, Err(AppendError::Conflict)));
    let row = store.table(TableId(1)).await.unwrap().unwrap();
    assert_eq!((row.phase, row.summary.as_str(), row.changed_at), (Phase::Gathering, "{}", 1000));
    assert_eq!(store.record(TableId(1)).await.unwrap(), None);
    assert!(store.results(TableId(1)).await.unwrap().is_empty());
    assert!(store.mine(&player(1), 9).await.unwrap().is_empty());

    store.append(TableId(1), 1, 2000, "over".into(), Some(over.clone())).await.unwrap();
    let row = store.table(TableId(1)).await.unwrap().unwrap();
    assert_eq!((row.phase, row.summary.as_str(), row.changed_at), (Phase::Over, "{\"seats\":2}", 2000));
    assert_eq!(store.record(TableId(1)).await.unwrap().as_deref(), Some("record"));
    assert_eq!(store.results(TableId(1)).await.unwrap(), over.results);
    assert_eq!(store.mine(&player(1), 9).await.unwrap(), [row]);
}

async fn of_two_with_one_code_one_is_made(ground: Ground) {
    let stores = [ground.open().await, ground.open_another().await];
    let makers: Vec<_> = (1..=10)
        .map(|number: u32| {
            let store = stores[number as usize % 2].clone();
            let mut table = new_table(number);
            table.code = Code::new(42).unwrap();
            tokio::spawn(async move { store.create(table).await })
        })
        .collect();
    let mut made = 0;
    for maker in makers {
        match maker.await.unwrap() {
            Ok(()) => made += 1,
            Err(error) => assert!(matches!(error, CreateError::CodeTaken), "{error}"),
        }
    }
    assert_eq!(made, 1);
    let table = stores[0].by_code(Code::new(42).unwrap()).await.unwrap().unwrap();
    assert_eq!(log(&stores[1], table.id).await.len(), 1);
    assert_eq!(stores[0].unfinished().await.unwrap(), [table.id]);

    let mut twin = new_table(99);
    twin.id = table.id;
    assert!(matches!(stores[0].create(twin).await, Err(CreateError::IdTaken)));
}

async fn a_code_is_free_again_when_its_table_is_over(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    let mut next = new_table(2);
    next.code = Code::new(1).unwrap();
    assert!(matches!(store.create(next.clone()).await, Err(CreateError::CodeTaken)));
    store.append(TableId(1), 1, 2000, "over".into(), Some(change(Phase::Over))).await.unwrap();
    store.create(next).await.unwrap();
    assert_eq!(store.by_code(Code::new(1).unwrap()).await.unwrap().unwrap().id, TableId(2));
}

async fn everything_survives_closing(ground: Ground) {
    let store = ground.open().await;
    let secret = new_table(1).secret;
    store.create(new_table(1)).await.unwrap();
    store.append(TableId(1), 1, 2000, "kept".into(), None).await.unwrap();
    store.close().await;
    let closed = store.append(TableId(1), 2, 2000, "late".into(), None).await;
    assert!(matches!(closed, Err(AppendError::Unavailable(StoreError::Closed))));
    let store = ground.open().await;
    assert_eq!(log(&store, TableId(1)).await, ["made 1", "kept"]);
    assert_eq!(store.secret(TableId(1)).await.unwrap(), Some(secret));
    assert_eq!(store.secret(TableId(2)).await.unwrap(), None);
}

async fn tables_are_found(ground: Ground) {
    let store = ground.open().await;
    for number in 1..=4 {
        let mut table = new_table(number);
        table.at = i64::from(number) * 1000;
        table.listed = number != 2;
        table.seated = if number == 4 { vec![] } else { vec![player(1), player(1)] };
        store.create(table).await.unwrap();
    }
    store.append(TableId(1), 1, 9000, "over".into(), Some(change(Phase::Over))).await.unwrap();
    let ids = |rows: Vec<server::store::TableRow>| rows.into_iter().map(|row| row.id.0).collect::<Vec<_>>();
    assert_eq!(ids(store.listed(9).await.unwrap()), [4, 3]);
    assert_eq!(ids(store.listed(1).await.unwrap()), [4]);
    assert_eq!(ids(store.mine(&player(1), 9).await.unwrap()), [3, 2, 1]);
    assert_eq!(ids(store.latest(2).await.unwrap()), [1, 4]);
    let mut unfinished = store.unfinished().await.unwrap();
    unfinished.sort();
    assert_eq!(unfinished, [TableId(2), TableId(3), TableId(4)]);
    assert_eq!(store.by_code(Code::new(1).unwrap()).await.unwrap(), None);
    assert_eq!(store.table(TableId(7)).await.unwrap(), None);

    let mut left = change(Phase::Gathering);
    left.seated = Some(vec![player(2)]);
    store.append(TableId(3), 1, 9500, "left".into(), Some(left)).await.unwrap();
    assert_eq!(ids(store.mine(&player(1), 9).await.unwrap()), [2, 1]);
    assert_eq!(ids(store.mine(&player(2), 9).await.unwrap()), [3]);
}

async fn who_is_there_is_known_until_they_stand_up(ground: Ground) {
    let stores = [ground.open().await, ground.open_another().await];
    let mut table = new_table(1);
    table.seated = vec![player(1), player(2)];
    stores[0].create(table).await.unwrap();
    let here = async || {
        let mut here = stores[1].here(TableId(1)).await.unwrap();
        here.sort();
        here
    };
    assert_eq!(here().await, [(player(1), 0), (player(2), 0)]);
    let nobody = [(TableId(1), player(9)), (TableId(9), player(1))];
    stores[0].set_here([&[(TableId(1), player(1))], &nobody[..]].concat(), 2000).await.unwrap();
    stores[1].set_here(vec![(TableId(1), player(1))], 1000).await.unwrap();
    assert_eq!(here().await, [(player(1), 2000), (player(2), 0)], "the latest counts");
    let mut change = change(Phase::Gathering);
    change.seated = Some(vec![player(1), player(3)]);
    stores[0].append(TableId(1), 1, 3000, "sat".into(), Some(change)).await.unwrap();
    assert_eq!(here().await, [(player(1), 2000), (player(3), 0)], "others come and go");
}

async fn what_is_due_is_found(ground: Ground) {
    let store = ground.open().await;
    for number in 1..=3 {
        let mut table = new_table(number);
        table.due_at = Some(i64::from(number) * 1000);
        store.create(table).await.unwrap();
    }
    assert_eq!(store.due_before(2001, 9).await.unwrap(), [TableId(1), TableId(2)]);
    store.set_due(vec![(TableId(1), None), (TableId(2), Some(7000)), (TableId(3), Some(10))]).await.unwrap();
    assert_eq!(store.due_before(8000, 9).await.unwrap(), [TableId(3), TableId(2)]);
    assert_eq!(store.due_before(8000, 1).await.unwrap(), [TableId(3)]);
    store.append(TableId(3), 1, 0, "over".into(), Some(change(Phase::Over))).await.unwrap();
    store.set_due(vec![(TableId(3), Some(5))]).await.unwrap();
    assert_eq!(store.due_before(8000, 9).await.unwrap(), [TableId(2)]);
}

/// Whether they are written together or not.
async fn the_last_word_on_what_is_due_counts(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    for round in 0..20 {
        let mut due = change(Phase::Playing);
        due.due_at = Some(100 + round);
        let first = store.set_due(vec![(TableId(1), Some(round))]);
        let second = store.append(TableId(1), round + 1, 0, "move".into(), Some(due));
        let (first, second) = futures_util::future::join(first, second).await;
        first.unwrap();
        second.unwrap();
        assert_eq!(store.table(TableId(1)).await.unwrap().unwrap().due_at, Some(100 + round));
    }
}

async fn old_tables_are_forgotten(ground: Ground) {
    let store = ground.open().await;
    for (number, phase) in [(1, Phase::Over), (2, Phase::Over), (3, Phase::Gathering), (4, Phase::Playing)] {
        store.create(new_table(number)).await.unwrap();
        let mut end = change(phase);
        end.seated = Some(vec![player(1)]);
        end.results = vec![result(0, Some(player(1)), 1, 50)];
        end.record = Some("record".into());
        let at = if number == 2 { 9000 } else { 2000 };
        store.append(TableId(number.into()), 1, at, "end".into(), Some(end)).await.unwrap();
    }
    assert_eq!(store.forget(2000).await.unwrap(), 0);
    assert_eq!(store.forget(5000).await.unwrap(), 2);
    for (number, kept) in [(1, false), (2, true), (3, false), (4, true)] {
        let id = TableId(number);
        assert_eq!(store.table(id).await.unwrap().is_some(), kept);
        assert_eq!(!log(&store, id).await.is_empty(), kept);
        assert_eq!(store.record(id).await.unwrap().is_some(), kept);
        assert_eq!(!store.results(id).await.unwrap().is_empty(), kept);
    }
    assert_eq!(store.mine(&player(1), 9).await.unwrap().len(), 2);
}

async fn many_tables_are_forgotten_in_pieces(ground: Ground) {
    let store = ground.open().await;
    let makers: Vec<_> = (0..1200).map(|number| store.create(new_table(number))).collect();
    for made in futures_util::future::join_all(makers).await {
        made.unwrap();
    }
    assert_eq!(store.forget(i64::MAX).await.unwrap(), 1200);
    assert!(store.unfinished().await.unwrap().is_empty());
}

async fn a_large_record_comes_back(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    let record: String = (0..400_000).map(|number| format!("{number:09}\n")).collect();
    let mut over = change(Phase::Over);
    over.record = Some(record.clone());
    store.append(TableId(1), 1, 0, "over".into(), Some(over)).await.unwrap();
    assert_eq!(store.record(TableId(1)).await.unwrap(), Some(record));
}

async fn strange_characters_come_back(ground: Ground) {
    let store = ground.open().await;
    let strange = "'; DROP TABLE entries; -- \" \\ $1 ? % 日本語 🂡 \u{1} \u{feff}";
    store.create(new_table(1)).await.unwrap();
    store.append(TableId(1), 1, 0, strange.into(), None).await.unwrap();
    assert_eq!(log(&store, TableId(1)).await[1], strange);
}

#[tokio::test]
async fn nothing_shows_a_secret_or_an_address() {
    assert!(!format!("{:?}", new_table(1)).contains("1, 1"));
    let unreachable = Store::open("postgres://somebody:topsecret@127.0.0.1:1/nowhere").await.unwrap_err();
    assert!(!format!("{unreachable:?} {unreachable}").contains("topsecret"));
    for address in ["", "mysql://a/b", "sqlite:", "sqlite::memory:", "postgres:x", "topsecret"] {
        let error = Store::open(address).await.unwrap_err();
        assert!(matches!(error, StoreError::Address), "{address}: {error}");
        assert!(!error.to_string().contains("topsecret"));
    }
}
