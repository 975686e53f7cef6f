//! The same store over TLS. To be sure of reaching the right server, an operator names a root, and the connection is
//! refused if that root does not vouch for the server. All tests share one server, since starting one takes longer
//! than the rest.

use std::path::Path;
use std::time::Duration;

use server::store::{Store, StoreError, TableChanged, TableId};
use tokio::time::timeout;

use crate::common::postgres::Postgres;
use crate::ground::{Ground, log, new_table};

/// Two servers on one database hear of each other.
async fn works(address: &str) {
    let one = Store::open(address).await.unwrap_or_else(|why| panic!("{address}: {why}"));
    let two = Store::open(address).await.unwrap_or_else(|why| panic!("{address}: {why}"));
    let mut news = two.changed();
    one.create(new_table(1)).await.unwrap();
    one.append(TableId(1), 1, 0, "encrypted".into(), None).await.unwrap();
    for _ in 0..2 {
        let heard = timeout(Duration::from_secs(20), news.recv()).await.expect("in time").unwrap();
        assert_eq!(heard, TableChanged::Table { id: TableId(1), own: false });
    }
    assert_eq!(log(&two, TableId(1)).await, ["made 1", "encrypted"]);
    two.health().await.unwrap();
    one.close().await;
    two.close().await;
}

/// The one line that an operator who starts a server sees.
async fn refused(address: &str) -> String {
    let why = Store::open(address).await.expect_err("it must not be trusted").to_string();
    let beside = Store::open_beside(address).await.expect_err("nor by operators").to_string();
    assert_eq!(why, beside);
    assert_eq!(why.lines().count(), 1, "{why}");
    assert!(!why.contains("sesame"), "{why}");
    why
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_server_that_the_root_vouches_for_is_trusted() {
    let server = Postgres::start_with_tls().await;
    let root = format!("&sslrootcert={}", server.root().display());
    // The certificate is for the address, not for the name.
    let by_name = |address: String| address.replace("127.0.0.1", "localhost");
    for how in ["?sslmode=require".to_owned(), format!("?sslmode=verify-full{root}"), String::new()] {
        works(&(server.database_over_tls().await + &how)).await;
    }
    works(&(by_name(server.database_over_tls().await) + "?sslmode=verify-ca" + &root)).await;

    let address = server.database_over_tls().await;
    for mode in ["verify-ca", "verify-full"] {
        let why = refused(&format!("{address}?sslmode={mode}&sslrootcert={}", server.other_root().display())).await;
        assert!(why.ends_with("invalid peer certificate: UnknownIssuer"), "{why}");
        let why = refused(&format!("{address}?sslmode={mode}")).await;
        assert!(why.ends_with("invalid peer certificate: UnknownIssuer"), "without a root the system's count: {why}");
    }
    let why = refused(&(by_name(address.clone()) + "?sslmode=verify-full" + &root)).await;
    assert!(why.contains("certificate not valid for name \"localhost\""), "{why}");
    let why = refused(&format!("{address}?sslmode=disable")).await;
    assert!(why.contains("no encryption"), "{why}");
}

#[tokio::test]
async fn a_missing_certificate_is_named() {
    let address = Ground::postgres().await.address();
    let why = Store::open(&format!("{address}&sslmode=verify-full&sslrootcert=/no/such.crt")).await.unwrap_err();
    assert!(matches!(&why, StoreError::File(path, _) if path == Path::new("/no/such.crt")), "{why}");
}

#[tokio::test]
async fn a_server_without_tls_is_refused_if_tls_is_required_and_accepted_if_it_is_preferred() {
    let address = Ground::postgres().await.address();
    let why = refused(&format!("{address}&sslmode=require")).await;
    assert!(why.ends_with("server does not support TLS"), "{why}");
    works(&format!("{address}&sslmode=prefer")).await;
}
