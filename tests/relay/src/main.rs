//! Runs a relay on this computer until it is killed, and prints its address.

use std::io::Write as _;

use nostr_relay_builder::MockRelay;

#[tokio::main]
async fn main() {
    let relay = MockRelay::run().await.expect("a relay starts");
    println!("{}", relay.url().await);
    std::io::stdout().flush().expect("somebody reads it");
    std::future::pending::<()>().await;
}
