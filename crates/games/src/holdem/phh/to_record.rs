//! From a hand of a file to lines of a record.

use serde_json::json;
use table::record::{FORMAT, Header, Writer};
use table::{Game, Look, Rules};

use super::reading::play;
use super::replay::{Given, Seen, Watch};
use super::seating::{NOTES, Seating};
use super::{PhhError, PhhHand};
use crate::holdem::{Deal, Holdem};

/// What a record's header calls the fields that came from a file.
pub(super) const EXTRA: &str = "phh";

/// A record of its own for this hand. Known hole cards are written as seen by their owners; the fields
/// that a record has no place for go to its header.
pub fn to_record(hand: &PhhHand) -> Result<String, PhhError> {
    let mut recording = Recording { hand, writer: Writer::new(), begun: false };
    let played = play(hand, &mut recording)?;
    recording.writer.end(&played.table, None);
    Ok(recording.writer.take())
}

/// Writes down what happens.
struct Recording<'a> {
    hand: &'a PhhHand,
    writer: Writer,
    begun: bool,
}

impl Watch for Recording<'_> {
    fn before(&mut self, seen: &Seen<'_>) {
        let writer = &mut self.writer;
        if !self.begun {
            self.begun = true;
            writer.header(header(self.hand, seen));
            writer.deal::<Deal>(1, seen.table.rules().setup());
        }
        let height = seen.table.height();
        match seen.given {
            Given::Dealt => writer.dealt(seen.table, seen.faces, |_, slot| seen.faces.face(slot)),
            Given::Act { seat, action, timeout } => writer.act(seen.table, seat, &action, seen.faces, timeout),
            Given::Gone(seat) => writer.gone(height, seat),
            Given::Broken(why) => writer.broken(height, why),
        }
    }
}

fn header(hand: &PhhHand, seen: &Seen<'_>) -> Header {
    let mut fields = hand.fields.clone();
    fields.remove(NOTES);
    let mut kept = json!({ "unit": hand.unit.decimals(), "fields": fields.to_string() });
    if let Some(kept) = kept.as_object_mut() {
        if let Some(status) = hand.ante_trimming_status {
            kept.insert("ante_trimming_status".to_owned(), status.into());
        }
        if !hand.unlimited.is_empty() {
            let seats = hand.unlimited.iter().map(|player| seen.seating.seat(*player).index());
            kept.insert("unlimited".to_owned(), seats.collect());
        }
    }
    let players = seen.table.rules().players();
    Header {
        format: FORMAT,
        game: Holdem::NAME.to_owned(),
        players,
        id: None,
        settings: None,
        names: names(hand, seen.seating, players).unwrap_or_default(),
        dealer: "unknown".to_owned(),
        extra: [(EXTRA.to_owned(), kept)].into(),
    }
}

/// The names of the players by chair, if the file names all.
fn names(hand: &PhhHand, seating: &Seating, chairs: u8) -> Option<Vec<String>> {
    let listed = hand.fields.get("players")?.as_array()?;
    let mut names = vec![String::new(); usize::from(chairs)];
    for (player, seat) in seating.players() {
        let name = listed.get(player.index())?.as_str()?;
        name.clone_into(names.get_mut(usize::from(seat.index()))?);
    }
    Some(names)
}
