//! What a table accepts from a seat, and from whom.

use super::*;

#[test]
fn nobody_acts_for_another_seat_or_twice_or_too_late() {
    let mut played = Played::open(terms(AnyGame::Blackout, 3), 1);
    played.seat(3, false);
    let play = played.room.play().unwrap();
    let Awaited::Turn(turn) = play.awaited() else { panic!("somebody bids") };
    let height = play.height();
    let bid = || RawValue::from_string(r#"{"bid":0}"#.to_owned()).unwrap();
    let other = (turn.index() + 1) % 3;
    let before = Played::seen(&played.room);
    let act = |height| Command::Act { height, action: bid() };
    assert_eq!(played.command(other, act(height)), Err(Refusal::NotAsked));
    assert_eq!(played.command(7, act(height)), Err(Refusal::NotSeated));
    let late = Height(height.0 + 1);
    assert_eq!(played.command(turn.index(), act(late)), Err(Refusal::Height { now: height, got: late }));
    let nonsense = Command::Act { height, action: RawValue::from_string("[1,{}]".to_owned()).unwrap() };
    assert!(matches!(played.command(turn.index(), nonsense), Err(Refusal::NotAMove(_))));
    let much = Command::Act { height, action: RawValue::from_string(r#"{"bid":99}"#.to_owned()).unwrap() };
    assert!(matches!(played.command(turn.index(), much), Err(Refusal::Illegal(_))));
    assert_eq!(Played::seen(&played.room), before);
    played.command(turn.index(), act(height)).unwrap();
    assert!(matches!(played.command(turn.index(), act(height)), Err(Refusal::Height { .. })));
}

#[test]
fn an_action_is_stored_without_needless_spaces() {
    let mut played = Played::open(terms(AnyGame::Blackout, 2), 1);
    played.seat(2, false);
    let play = played.room.play().unwrap();
    let Awaited::Turn(turn) = play.awaited() else { panic!("somebody bids") };
    let long = format!("{{{}\"bid\" : 0}}", " ".repeat(60_000));
    let act = Command::Act { height: play.height(), action: RawValue::from_string(long).unwrap() };
    played.command(turn.index(), act).unwrap();
    let entry = serde_json::to_string(played.entries.last().unwrap()).unwrap();
    assert!(entry.contains(r#""action":{"bid":0}"#) && entry.len() < 200, "{} letters", entry.len());
    played.check();
}

#[test]
fn a_joker_is_refused_where_the_order_of_play_is_found() {
    for seed in 0..200 {
        // Other cards for every session.
        let mut played = Played::open(Terms { session: format!("{seed:064x}"), ..terms(AnyGame::BigC, 2) }, seed);
        played.seat(2, false);
        let play = played.room.play().unwrap();
        let hand: serde_json::Value = serde_json::from_str(&play.view(Eye::Seat(Seat::default()))).unwrap();
        let hand = hand["hand"].as_array().unwrap();
        let Some(joker) = hand.iter().find(|held| held["card"] == "JK") else { continue };
        let choice = RawValue::from_string(serde_json::json!({ "show": joker["slot"] }).to_string()).unwrap();
        let show = Command::Choose { height: play.height(), choice };
        let Err(why @ Refusal::Illegal(_)) = played.command(0, show) else { panic!("a joker was shown") };
        assert!(why.to_string().contains("a joker cannot be shown"), "{why}");
        return;
    }
    panic!("nobody was dealt a joker");
}
