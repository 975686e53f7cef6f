//! What SQLite promises in addition to the common laws: one server at a time, private files, backups, surviving a full
//! disk.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use server::store::{AppendError, Phase, Store, StoreError, TableId};

use crate::ground::{Ground, change, log, new_table};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("the file exists").permissions().mode() & 0o777
}

#[tokio::test]
async fn a_second_server_is_refused_and_an_operator_command_is_not() {
    let ground = Ground::sqlite();
    let store = ground.open().await;
    let second = Store::open(&ground.address()).await.unwrap_err();
    assert!(matches!(second, StoreError::InUse(_)), "{second}");

    let beside = Store::open_beside(&ground.address()).await.unwrap();
    store.create(new_table(1)).await.unwrap();
    beside.append(TableId(1), 1, 0, "beside".into(), None).await.unwrap();
    let late = store.append(TableId(1), 1, 0, "late".into(), None).await;
    assert!(matches!(late, Err(AppendError::Conflict)));
    store.append(TableId(1), 2, 0, "server".into(), None).await.unwrap();
    assert_eq!(log(&beside, TableId(1)).await, ["made 1", "beside", "server"]);

    store.close().await;
    Store::open(&ground.address()).await.unwrap();
}

/// All of it is queued before the writer, in the same thread, looks: one transaction finds that some entries already
/// exist.
#[tokio::test]
async fn entries_written_by_others_meanwhile_are_conflicts_and_the_rest_of_the_batch_is_stored() {
    let ground = Ground::sqlite();
    let store = ground.open().await;
    for number in 0..9 {
        store.create(new_table(number)).await.unwrap();
    }
    let beside = ground.open_another().await;
    let taken = [2, 8];
    for number in taken {
        beside.append(TableId(number), 1, 0, "beside".into(), None).await.unwrap();
    }
    let appends = (0..9).map(|number| {
        let change = Some(change(Phase::Playing));
        store.append(TableId(number), 1, 0, "server".into(), change)
    });
    let answers = futures_util::future::join_all(appends).await;
    for (number, answer) in (0..).zip(answers) {
        let stored = match answer {
            Ok(()) => ("server", Phase::Playing),
            Err(AppendError::Conflict) => ("beside", Phase::Gathering),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(stored.0 == "beside", taken.contains(&number), "table {number}");
        assert_eq!(log(&store, TableId(number)).await[1..], [stored.0]);
        assert_eq!(store.table(TableId(number)).await.unwrap().unwrap().phase, stored.1);
    }
    assert!(store.troubles().borrow().is_none());
}

#[tokio::test]
async fn an_operator_command_creates_no_database() {
    let ground = Ground::sqlite();
    let Ground::Sqlite(directory) = &ground else { unreachable!() };
    let missing = Store::open_beside(&ground.address()).await.unwrap_err();
    assert!(matches!(missing, StoreError::Missing(_)));
    std::fs::write(directory.path().join("fairdeal.db"), "").unwrap();
    Store::open_beside(&ground.address()).await.unwrap_err();
}

#[tokio::test]
async fn files_and_directories_are_for_the_owner_only() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new/deep ?#%/fairdeal.db");
    let address = format!("sqlite:{}", path.display());
    let store = Store::open(&address).await.unwrap();
    store.create(new_table(1)).await.unwrap();
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for ending in ["", "-wal", "-shm", ".lock"] {
        assert_eq!(mode(Path::new(&format!("{}{ending}", path.display()))), 0o600, "{ending}");
    }
    store.close().await;

    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let store = Store::open(&address).await.unwrap();
    assert_eq!(mode(&path), 0o600);
    assert_eq!(log(&store, TableId(1)).await, ["made 1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_nothing_and_stops_nothing_forever() {
    let ground = Ground::sqlite();
    let store = ground.open().await;
    for number in 0..4 {
        store.create(new_table(number)).await.unwrap();
    }
    store.limit_size(Some(400_000));
    let body = "x".repeat(2000);
    let mut written = [1i64; 4];
    let mut refused = 0;
    while refused < 20 {
        // Four at once, so that some of them share a transaction.
        let appends = (0..4u32).map(|number| {
            let over = (number == 3).then(|| change(Phase::Playing));
            store.append(TableId(number.into()), written[number as usize], 0, body.clone(), over)
        });
        for (number, answer) in futures_util::future::join_all(appends).await.into_iter().enumerate() {
            match answer {
                Ok(()) => written[number] += 1,
                Err(AppendError::Unavailable(_)) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(written.iter().sum::<i64>() > 50);
    store.health().await.unwrap_err();
    for (number, written) in written.iter().enumerate() {
        assert_eq!(log(&store, TableId(number as u64)).await.len() as i64, *written);
    }

    store.limit_size(None);
    for (number, height) in written.iter_mut().enumerate() {
        store.append(TableId(number as u64), *height, 0, body.clone(), None).await.unwrap();
        *height += 1;
    }
    store.health().await.unwrap();
    for (number, written) in written.iter().enumerate() {
        assert_eq!(log(&store, TableId(number as u64)).await.len() as i64, *written);
    }
}

#[tokio::test]
async fn deleting_makes_room_on_a_full_disk() {
    let ground = Ground::sqlite();
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    store.limit_size(Some(1_000_000));
    let mut height = 1;
    while store.append(TableId(1), height, 0, "x".repeat(10_000), None).await.is_ok() {
        height += 1;
    }
    assert_eq!(store.forget(i64::MAX).await.unwrap(), 1);
    store.create(new_table(2)).await.unwrap();
    store.append(TableId(2), 1, 0, "x".repeat(10_000), None).await.unwrap();
}

#[tokio::test]
async fn a_backup_can_be_restored() {
    let ground = Ground::sqlite();
    let Ground::Sqlite(directory) = &ground else { unreachable!() };
    let backup = directory.path().join("it's a backup.db");
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    store.append(TableId(1), 1, 0, "saved".into(), None).await.unwrap();
    store.backup(&backup).await.unwrap();
    assert_eq!(mode(&backup), 0o600);
    assert!(matches!(store.backup(&backup).await, Err(StoreError::Exists(_))));
    store.append(TableId(1), 2, 0, "not saved".into(), None).await.unwrap();

    let running = Store::restore(&ground.address(), &backup).await;
    assert!(matches!(running, Err(StoreError::InUse(_))));
    store.close().await;
    let kept = Store::restore(&ground.address(), &backup).await.unwrap().expect("a database was there");
    let store = ground.open().await;
    assert_eq!(log(&store, TableId(1)).await, ["made 1", "saved"]);
    let before = Store::open(&format!("sqlite:{}", kept.display())).await.unwrap();
    assert_eq!(log(&before, TableId(1)).await, ["made 1", "saved", "not saved"]);
}

/// A killed server leaves its last entries in the log file next to the database.
#[tokio::test]
async fn a_log_left_behind_does_not_get_into_the_restored_database() {
    let ground = Ground::sqlite();
    let Ground::Sqlite(directory) = &ground else { unreachable!() };
    let path = directory.path().join("fairdeal.db");
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    let backup = directory.path().join("backup.db");
    store.backup(&backup).await.unwrap();
    for height in 1..50 {
        store.append(TableId(1), height, 0, "killed".into(), None).await.unwrap();
    }
    // As a killed server leaves it: the files are copied while it runs.
    let left = directory.path().join("left.db");
    std::fs::copy(&path, &left).unwrap();
    std::fs::copy(directory.path().join("fairdeal.db-wal"), directory.path().join("left.db-wal")).unwrap();
    let address = format!("sqlite:{}", left.display());
    let kept = Store::restore(&address, &backup).await.unwrap().unwrap();
    assert_eq!(log(&Store::open(&address).await.unwrap(), TableId(1)).await, ["made 1"]);
    let kept = Store::open(&format!("sqlite:{}", kept.display())).await.unwrap();
    assert_eq!(log(&kept, TableId(1)).await.len(), 50);
}

#[tokio::test]
async fn a_file_that_is_not_a_backup_is_not_restored() {
    let ground = Ground::sqlite();
    let Ground::Sqlite(directory) = &ground else { unreachable!() };
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    let damaged = directory.path().join("damaged.db");
    store.backup(&damaged).await.unwrap();
    store.close().await;
    let mut bytes = std::fs::read(&damaged).unwrap();
    bytes.truncate(9000);
    let wrong = [("damaged.db", bytes), ("text.db", b"no database at all".repeat(999)), ("empty.db", Vec::new())];
    for (name, bytes) in wrong {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = Store::restore(&ground.address(), &path).await.unwrap_err();
        assert!(matches!(error, StoreError::NotOurs(_) | StoreError::Schema), "{name}: {error}");
    }
    let missing = Store::restore(&ground.address(), &directory.path().join("missing.db")).await.unwrap_err();
    assert!(matches!(missing, StoreError::Missing(_)));
    assert_eq!(log(&ground.open().await, TableId(1)).await, ["made 1"]);
}

#[tokio::test]
async fn errors_about_a_damaged_database_name_the_file() {
    use sqlx::Connection;
    use std::os::unix::fs::FileExt;
    let ground = Ground::sqlite();
    let Ground::Sqlite(directory) = &ground else { unreachable!() };
    let path = directory.path().join("fairdeal.db");
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    store.close().await;
    let sound = std::fs::read(&path).unwrap();
    let named = |error: &dyn std::fmt::Display| assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    for bytes in [&sound[..5000], b"no database at all".repeat(999).as_slice()] {
        std::fs::write(&path, bytes).unwrap();
        for error in [Store::open(&ground.address()).await, Store::open_beside(&ground.address()).await] {
            let error = error.unwrap_err();
            assert!(matches!(error, StoreError::DatabaseFile(..)), "{error}");
            named(&error);
        }
    }

    // Damaged in a place that nobody looks at while opening it.
    std::fs::write(&path, &sound).unwrap();
    let mut connection = sqlx::SqliteConnection::connect(&ground.address()).await.unwrap();
    let (page,): (i64,) = sqlx::query_as("SELECT rootpage FROM sqlite_schema WHERE name = 'tables'")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all_at(&[0xab; 4096], (page as u64 - 1) * 4096).unwrap();
    let store = ground.open().await;
    named(&store.latest(10).await.unwrap_err());
    named(&store.create(new_table(2)).await.unwrap_err());
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    use sqlx::Connection;
    let ground = Ground::sqlite();
    ground.open().await.close().await;
    let mut connection = sqlx::SqliteConnection::connect(&ground.address()).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (999, 'later', 1, x'00', 0)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();
    assert!(matches!(Store::open(&ground.address()).await, Err(StoreError::Schema)));
    assert!(matches!(Store::open_beside(&ground.address()).await, Err(StoreError::Schema)));
}

#[tokio::test]
async fn nobody_else_changes_the_file_so_there_is_no_news() {
    let ground = Ground::sqlite();
    let store = ground.open().await;
    let mut news = store.changed();
    store.create(new_table(1)).await.unwrap();
    assert!(news.try_recv().is_err());
}

/// An operator who is root restores a copy for a server that is not.
#[tokio::test]
async fn a_restored_database_keeps_the_owner_of_the_old_one() {
    use std::os::unix::fs::{MetadataExt, chown};
    let ground = Ground::sqlite();
    let Ground::Sqlite(directory) = &ground else { unreachable!() };
    let path = directory.path().join("fairdeal.db");
    let backup = directory.path().join("backup.db");
    let store = ground.open().await;
    store.create(new_table(1)).await.unwrap();
    store.backup(&backup).await.unwrap();
    store.close().await;
    if chown(&path, Some(4321), Some(4321)).is_err() {
        // Only root can give files away.
        return;
    }
    std::fs::remove_file(directory.path().join("fairdeal.db.lock")).unwrap();
    let owner = |path: &Path| std::fs::metadata(path).map(|file| (file.uid(), file.gid())).unwrap();
    Store::restore(&ground.address(), &backup).await.unwrap();
    assert_eq!((owner(&path), mode(&path)), ((4321, 4321), 0o600));
    assert_eq!(owner(&directory.path().join("fairdeal.db.lock")), (4321, 4321));
    // If there was none, it belongs to the folder's owner.
    std::fs::remove_file(&path).unwrap();
    chown(directory.path(), Some(4322), Some(4322)).unwrap();
    Store::restore(&ground.address(), &backup).await.unwrap();
    assert_eq!(owner(&path), (4322, 4322));
    assert_eq!(log(&ground.open().await, TableId(1)).await, ["made 1"]);
}
