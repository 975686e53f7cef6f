//! Private tables in the database: one entry per height, codes that lead to one table, and nothing left of old ones.

use server::store::{AppendError, CreateError, NewPrivate, PrivateId, Secret, TableChanged};

use crate::ground::{Ground, new_table};

crate::laws! {
    an_entry_keeps_its_height_and_its_bytes,
    of_many_servers_one_wins_every_height,
    a_code_leads_to_one_table_of_any_kind,
    private_tables_that_nobody_uses_are_deleted_with_their_logs,
    private_tables_are_listed_while_somebody_is_there,
}

fn new(number: u8) -> NewPrivate {
    NewPrivate {
        id: PrivateId([number; 32]),
        // The key of the secret 1.
        access: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798".parse().unwrap(),
        secret: Secret::new([number; 32]),
        first: None,
        code: format!("{number:06}").parse().ok(),
        game: "holdem".to_owned(),
        seats: 6,
        name: "Friday".to_owned(),
        listed: true,
        at: 1000,
    }
}

async fn an_entry_keeps_its_height_and_its_bytes(ground: Ground) {
    let store = ground.open().await;
    store.create_private(new(1)).await.unwrap();
    let id = new(1).id;
    let all: Vec<u8> = (0..=255).collect();
    let large = vec![0xff; 90_000];
    for (height, body) in [(0, all.clone()), (1, Vec::new()), (2, large.clone())] {
        store.append_private(id, height, body).await.unwrap();
    }
    assert!(matches!(store.append_private(id, 1, vec![9]).await, Err(AppendError::Conflict)));
    let nowhere = store.append_private(PrivateId([9; 32]), 0, vec![9]).await;
    assert!(matches!(nowhere, Err(AppendError::NoTable)), "{nowhere:?}");
    assert_eq!(store.private_entries(id, 0, 9).await.unwrap(), [all, Vec::new(), large.clone()]);
    assert_eq!(store.private_entries(id, 1, 1).await.unwrap(), [Vec::<u8>::new()]);
    // What comes after a hole is not read.
    store.append_private(id, 5, vec![5]).await.unwrap();
    assert_eq!(store.private_entries(id, 2, 9).await.unwrap(), [large]);
    assert_eq!(store.private_entries(id, 3, 9).await.unwrap(), Vec::<Vec<u8>>::new());
    assert_eq!(store.private_secret(id).await.unwrap(), Some(Secret::new([1; 32])));
    let row = store.private(id).await.unwrap().unwrap();
    assert_eq!((row.seats, row.name.as_str(), row.access, row.restored), (6, "Friday", new(1).access, false));
    assert_eq!(store.private(PrivateId([9; 32])).await.unwrap(), None);
}

async fn of_many_servers_one_wins_every_height(ground: Ground) {
    let (one, two) = (ground.open().await, ground.open_another().await);
    one.create_private(new(1)).await.unwrap();
    let (id, mut news) = (new(1).id, two.changed());
    for height in 0..30 {
        let (first, second) =
            tokio::join!(one.append_private(id, height, vec![1]), two.append_private(id, height, vec![2]));
        let won = match (first, second) {
            (Ok(()), Err(AppendError::Conflict)) => vec![1],
            (Err(AppendError::Conflict), Ok(())) => vec![2],
            other => panic!("{other:?}"),
        };
        assert_eq!(two.private_entries(id, height, 9).await.unwrap(), [won]);
    }
    if one.is_shared() {
        assert!(matches!(news.recv().await, Ok(TableChanged::Private { id: told, .. }) if told == id));
        let mut asides = two.asides();
        one.tell_others(id, "here 3").await.unwrap();
        let aside = asides.recv().await.unwrap();
        assert_eq!((aside.table, aside.text.as_str()), (id, "here 3"));
    } else {
        one.tell_others(id, "there are none").await.unwrap();
    }
}

async fn a_code_leads_to_one_table_of_any_kind(ground: Ground) {
    let store = ground.open().await;
    store.create(new_table(7)).await.unwrap();
    let mut private = new(1);
    private.code = Some(new_table(7).code);
    assert!(matches!(store.create_private(private.clone()).await, Err(CreateError::CodeTaken)));
    private.code = "123456".parse().ok();
    store.create_private(private.clone()).await.unwrap();
    assert!(matches!(store.create_private(private.clone()).await, Err(CreateError::IdTaken)));
    private.id = PrivateId([2; 32]);
    assert!(matches!(store.create_private(private.clone()).await, Err(CreateError::CodeTaken)));
    let mut house = new_table(8);
    house.code = "123456".parse().unwrap();
    assert!(matches!(store.create(house).await, Err(CreateError::CodeTaken)));
    // Any number of tables have none.
    for number in 3..5 {
        store.create_private(NewPrivate { code: None, ..new(number) }).await.unwrap();
    }
    let found = store.private_by_code("123456".parse().unwrap()).await.unwrap();
    assert_eq!(found.map(|row| row.id), Some(new(1).id));
}

async fn private_tables_that_nobody_uses_are_deleted_with_their_logs(ground: Ground) {
    let store = ground.open().await;
    for number in 1..4 {
        store.create_private(new(number)).await.unwrap();
        store.append_private(new(number).id, 0, vec![number]).await.unwrap();
    }
    store.use_private(vec![new(2).id, new(3).id], 5000).await.unwrap();
    store.use_private(vec![new(3).id], 3000).await.unwrap();
    assert_eq!(store.forget_private(1000).await.unwrap(), 0);
    assert_eq!(store.forget_private(5000).await.unwrap(), 1);
    assert_eq!(store.private(new(1).id).await.unwrap(), None);
    assert!(store.private_entries(new(1).id, 0, 9).await.unwrap().is_empty());
    assert_eq!(store.private_entries(new(2).id, 0, 9).await.unwrap(), [vec![2]]);
    // Its code is free again.
    store.create_private(NewPrivate { code: new(1).code, ..new(9) }).await.unwrap();
}

async fn private_tables_are_listed_while_somebody_is_there(ground: Ground) {
    let store = ground.open().await;
    store.create_private(NewPrivate { listed: false, ..new(1) }).await.unwrap();
    for number in 2..5 {
        store.create_private(NewPrivate { at: i64::from(number), ..new(number) }).await.unwrap();
    }
    store.use_private(vec![new(1).id, new(2).id, new(4).id], 9000).await.unwrap();
    let listed = store.listed_private(8000, 9).await.unwrap();
    assert_eq!(listed.iter().map(|row| row.id).collect::<Vec<_>>(), [new(4).id, new(2).id]);
}
