//! Tables whose owner is away.

use super::*;

/// A table with these people whose match has not begun, and its copy in memory.
async fn gathering(hub: &Hub, people: &[u8]) -> (TableId, Arc<Live>) {
    let mut opening = opening(json!({}), 3, people);
    opening.events.retain(|event| matches!(event, Event::Sat { who: Sitter::Player { .. }, .. }));
    let (id, _) = hub.open(opening).await.unwrap();
    let live = hub.table(id);
    drop(hub.read(&live).await.unwrap());
    (id, live)
}

async fn owner(hub: &Hub, live: &Live) -> Option<PlayerId> {
    hub.read(live).await.unwrap().owner()
}

#[test]
fn an_absent_owners_table_is_handed_to_the_next_player_who_is_there() {
    Ground::new().serve(async |hub| {
        let (id, live) = gathering(hub, &[0, 1, 2]).await;
        let _watching = live.watch(player(2));
        hub.hand_on(&live, Duration::from_secs(60)).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)), "not at once: they may only be reloading the page");
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(2)), "the next is not there");
        // Coming back does not return the table; the match can begin.
        let _back = live.watch(player(0));
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        let start = hub.command(id, player(0), &face(), Command::Start {}).await;
        assert!(matches!(start, Err(HubError::Refused(Refusal::NotOwner))), "{start:?}");
    });
}

#[test]
fn an_owner_keeps_the_table_while_they_are_there_or_nobody_else_is() {
    Ground::new().serve(async |hub| {
        let (_, live) = gathering(hub, &[0, 1]).await;
        let there = [live.watch(player(0)), live.watch(player(1))];
        hub.hand_on(&live, Duration::from_nanos(1)).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)));
        drop(there);
        let (id, live) = gathering(hub, &[0, 1]).await;
        let _looks_on = live.watch(player(9));
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)), "a spectator does not get it");
        // Programs need no socket: a player who makes requests is there.
        let _watching = live.watch(player(1));
        hub.command(id, player(0), &face(), Command::Rename {}).await.unwrap();
        hub.hand_on(&live, Duration::from_secs(30)).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)));
    });
}

#[test]
fn the_table_of_an_owner_who_left_goes_to_a_player_who_is_there() {
    Ground::new().serve(async |hub| {
        let (id, live) = gathering(hub, &[0, 1, 2]).await;
        hub.command(id, player(0), &face(), Command::Stand {}).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(1)), "the first player at the table");
        let _watching = live.watch(player(2));
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(2)));
    });
}

#[test]
fn a_table_is_attended_while_another_of_its_players_is_there() {
    Ground::new().serve(async |hub| {
        let (id, live) = gathering(hub, &[0, 1]).await;
        let attended = async || hub.is_attended(id, player(1)).await.unwrap();
        assert!(!attended().await, "nobody has come since this server loaded the table");
        let me = [live.watch(player(1)), live.watch(player(9))];
        assert!(!attended().await, "neither the player nor a spectator counts");
        drop(me);
        let _owner = live.watch(player(0));
        assert!(attended().await);
    });
}

#[test]
fn a_table_whose_match_has_begun_is_not_handed_on() {
    Ground::new().serve(async |hub| {
        let (id, _) = hub.open(opening(json!({ "action_timeout": 0 }), 3, &[0, 1, 2])).await.unwrap();
        let live = hub.table(id);
        let _watching = live.watch(player(1));
        let before = hub.read(&live).await.unwrap().height();
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        let room = hub.read(&live).await.unwrap();
        assert_eq!(room.owner(), Some(player(0)));
        assert!(room.height() - before <= 1, "only what was due");
    });
}
