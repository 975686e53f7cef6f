//! A database with one unreadable row: everything else continues to work.

use sqlx::Connection as _;

use crate::http::{Browser, Server};

/// Runs this on the database behind the server's back.
fn damage(server: &Server, sql: &str) {
    server.runtime.block_on(async {
        let mut database = sqlx::SqliteConnection::connect(&server.database).await.unwrap();
        sqlx::query("PRAGMA foreign_keys = OFF").execute(&mut database).await.unwrap();
        let done = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut database).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{sql}");
        database.close().await.unwrap();
    });
}

fn make(of: &mut Browser) -> String {
    of.post("/new", &[("game", "ongdu"), ("players", "2"), ("listed", "yes")]).location().to_owned()
}

#[test]
fn one_table_that_cannot_be_read_does_not_hide_the_others() {
    for column in [
        "code = '12x'",
        "game = 'tarot'",
        "phase = 'dancing'",
        "rules = 'many'",
        "summary = '{'",
        "summary = x'ff'",
        "created_at = 'x'",
    ] {
        let server = Server::start();
        let (mut anna, mut bob) = (server.visitor(), server.visitor());
        for one in [&mut anna, &mut bob] {
            one.get("/");
            one.post("/me", &[("name", "Somebody")]).location();
        }
        let (bad, good) = (make(&mut anna), make(&mut anna));
        let id = bad.rsplit('/').next().unwrap();
        damage(&server, &format!("UPDATE tables SET {column} WHERE id = '{id}'"));
        for one in [&mut anna, &mut bob] {
            let lobby = one.get("/");
            assert_eq!(lobby.status, 200, "{column}");
            assert!(lobby.body.contains(&good) && !lobby.body.contains(&bad), "{column}: {}", lobby.body);
            assert_eq!(one.get("/history").status, 200, "{column}");
        }
        let listed = anna.get("/api/v1/tables");
        assert_eq!(listed.status, 200, "{column}");
        assert!(listed.body.contains(good.rsplit('/').next().unwrap()) && !listed.body.contains(id), "{column}");
        assert_ne!(bob.post("/quick", &[("game", "ongdu")]).location(), bad, "{column}");
        assert_eq!(anna.post("/me", &[("name", "Anna")]).status, 303, "{column}: renaming reaches tables, too");
        let unfinished = server.runtime.block_on(server.hub.store().unfinished()).unwrap();
        assert_eq!(unfinished.len(), 3, "{column}: two tables, and the match that was made for Bob");
    }
}

#[test]
fn a_table_without_an_id_does_not_keep_others_from_being_resumed() {
    let server = Server::start();
    let mut anna = server.visitor();
    anna.get("/");
    let (bad, good) = (make(&mut anna), make(&mut anna));
    let id = bad.rsplit('/').next().unwrap();
    damage(&server, &format!("UPDATE tables SET id = 'x', due_at = 1 WHERE id = '{id}'"));
    let store = server.hub.store();
    let good = good.rsplit('/').next().unwrap().parse().unwrap();
    assert_eq!(server.runtime.block_on(store.unfinished()).unwrap(), [good]);
    assert_eq!(server.runtime.block_on(store.due_before(2, 10)).unwrap(), []);
    assert_eq!(server.runtime.block_on(store.latest(10)).unwrap().len(), 1);
    assert_eq!(server.runtime.block_on(store.forget(0)).unwrap(), 0);
}
