//! Tables whose owner is away.

use super::*;

/// A table with these people where nothing has begun, and its copy in memory.
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
fn an_owner_who_is_away_hands_the_table_on_to_the_next_who_is_there() {
    Ground::new().serve(async |hub| {
        let (id, live) = gathering(hub, &[0, 1, 2]).await;
        let _watching = live.watch(player(2));
        hub.hand_on(&live, Duration::from_secs(60)).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)), "not at once: a page may only be loaded again");
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(2)), "the next is not there");
        // Coming back is not getting it back; the match can begin.
        let _back = live.watch(player(0));
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        let start = hub.command(id, player(0), &face(), Command::Start {}).await;
        assert!(matches!(start, Err(HubError::Refused(Refusal::NotOwner))), "{start:?}");
    });
}

#[test]
fn an_owner_who_is_there_keeps_the_table_and_so_does_one_with_whom_nobody_else_is() {
    Ground::new().serve(async |hub| {
        let (_, live) = gathering(hub, &[0, 1]).await;
        let there = [live.watch(player(0)), live.watch(player(1))];
        hub.hand_on(&live, Duration::from_nanos(1)).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)));
        drop(there);
        let (id, live) = gathering(hub, &[0, 1]).await;
        let _looks_on = live.watch(player(9));
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)), "somebody who only looks on does not get it");
        // Programs need no socket: who asks for something is there.
        let _watching = live.watch(player(1));
        hub.command(id, player(0), &face(), Command::Rename {}).await.unwrap();
        hub.hand_on(&live, Duration::from_secs(30)).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(0)));
    });
}

#[test]
fn where_the_owner_has_left_the_table_goes_to_one_who_is_there() {
    Ground::new().serve(async |hub| {
        let (id, live) = gathering(hub, &[0, 1, 2]).await;
        hub.command(id, player(0), &face(), Command::Stand {}).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(1)), "the first who sits there");
        let _watching = live.watch(player(2));
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        assert_eq!(owner(hub, &live).await, Some(player(2)));
    });
}

#[test]
fn a_table_is_attended_while_somebody_else_who_sits_there_is_there() {
    Ground::new().serve(async |hub| {
        let (id, live) = gathering(hub, &[0, 1]).await;
        let attended = async || hub.is_attended(id, player(1)).await.unwrap();
        assert!(!attended().await, "nobody has come since this server knows the table");
        let me = [live.watch(player(1)), live.watch(player(9))];
        assert!(!attended().await, "neither oneself nor who looks on counts");
        drop(me);
        let _owner = live.watch(player(0));
        assert!(attended().await);
    });
}

#[test]
fn a_match_that_has_begun_is_handed_to_nobody() {
    Ground::new().serve(async |hub| {
        let (id, _) = hub.open(opening(json!({ "action_timeout": 0 }), 3, &[0, 1, 2])).await.unwrap();
        let live = hub.table(id);
        let _watching = live.watch(player(1));
        let before = hub.read(&live).await.unwrap().height();
        hub.hand_on(&live, Duration::ZERO).await.unwrap();
        let room = hub.read(&live).await.unwrap();
        assert_eq!(room.owner(), Some(player(0)));
        assert!(room.height() - before <= 1, "nothing but what was due");
    });
}
