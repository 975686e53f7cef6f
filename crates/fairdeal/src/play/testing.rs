//! What every game's screen must do, tried out in matches of random moves.

use dealers::{Dealer as _, Local, play_deal};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use table::{Eye, Known, Match, Moves as _, Rules as _, Seat, Settings as _, Table};

use super::drawing::{self, Around};
use super::look::Look;
use super::page::{Page, Spot, Target};
use super::screen::{Desk, Draft, MoveOf, Press, Scene, Screen};
use super::seating::BySeat;
use super::story::Round;

/// Plain letters without colours.
pub(crate) const PLAIN: Look = Look { ascii: true, color: false, four_colors: false };

/// Sizes of terminals: the smallest, a window, a large screen.
const SIZES: [(u16, u16); 3] = [(80, 24), (100, 40), (200, 60)];

/// How many positions of a deal are looked at; random moves can make it long.
const MOST: u32 = 100;

/// The match around a table, with people called A, B, C and so on.
pub(super) fn round<G: Screen>(settings: G::Settings, players: u8) -> Round<G> {
    let names = BySeat::new(('A'..).take(usize::from(players)).map(|c| c.to_string().repeat(9)).collect());
    let standing = Match::<G>::start(&settings, players).unwrap().standing();
    Round { settings, names, look: PLAIN, standing, deal: 1 }
}

/// The settings of a game with some changed.
pub(super) fn settings<G: Screen>(options: &[(&str, &str)]) -> G::Settings {
    G::Settings::from_pairs(options).unwrap()
}

/// A scene as it is drawn, line by line, and what can be chosen on it.
pub(super) fn drawn<G: Screen>(
    scene: &Scene<'_, G>,
    draft: &Draft<G::Extra>,
    (width, height): (u16, u16),
) -> (Vec<String>, Vec<Spot>) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    let mut page = Page::new(&mut buffer, scene.look, None);
    let desk = G::desk(scene, draft);
    let waiting = scene.moves.is_none().then(|| "waiting".to_owned());
    let around = Around::new(&[], scene.look, None, waiting);
    drawing::draw(scene, draft, &desk, &around, &mut page);
    let spots = std::mem::take(&mut page.spots);
    let lines = buffer.content.chunks(usize::from(width));
    (lines.map(|line| line.iter().map(ratatui::buffer::Cell::symbol).collect()).collect(), spots)
}

/// Plays deals of a match with random moves and looks at positions with every pair of eyes, in every size:
/// plain letters are plain; what can be pressed is accepted; no key means two things; cards and buttons can be
/// reached; every move has a phrase; endings are told.
pub(super) fn screens_hold<G: Screen>(players: u8, options: &[(&str, &str)], deals: u32, seed: u8) {
    let settings = settings::<G>(options);
    let mut running = Match::<G>::start(&settings, players).unwrap();
    let mut dealer = Local::new([seed; 32]);
    dealer.begin([0; 32]);
    let mut rng = Xoshiro256PlusPlus::from_seed([seed; 32]);
    let mut round = round::<G>(settings, players);
    for deal in 1..=deals {
        round.deal = deal;
        round.standing = running.standing();
        let mut before = running.table().rules().view(Known::public(running.table().open()), Eye::Public);
        let mut looked = 0;
        let outcome = play_deal(
            running.table_mut(),
            &mut dealer,
            &mut |table: &Table<G::Rules>, seat: Seat, known: Known<'_>| {
                looked += 1;
                if looked > MOST {
                    return table.rules().moves(known, seat).pick(&mut rng);
                }
                let public = Known::public(table.open());
                round.scene(table, Eye::Public, public, |scene| {
                    look_at(scene, seed);
                    assert!(G::news(&before, scene).iter().all(|news| !news.is_empty()), "seed {seed}");
                    before = scene.view.clone();
                });
                let moved = round.scene(table, Eye::Seat(seat), known, |scene| {
                    look_at(scene, seed);
                    asked(scene, seed);
                    let moved = table.rules().moves(known, seat).pick(&mut rng)?;
                    assert!(!G::phrase(scene.view, scene, seat, &moved).is_empty());
                    let mut draft = draft::<G>();
                    G::prepare(scene, &mut draft, &moved);
                    drawn(scene, &draft, (80, 24));
                    Some(G::forced(scene).unwrap_or(moved))
                })?;
                Some(moved)
            },
            &mut (),
        )
        .unwrap_or_else(|halt| panic!("seed {seed}: {halt}"));
        round.scene(running.table(), Eye::Public, Known::public(running.table().open()), |scene| {
            look_at(scene, seed);
            let lines = G::summary(scene, &outcome);
            assert!(!lines.is_empty() && lines.iter().all(|line| line.to_string().is_ascii()), "seed {seed}");
        });
        running.advance(u64::from(deal));
        if running.standing().over {
            return;
        }
        dealer.retire(Some(running.table().rules().decks().start));
    }
}

/// A draft with nothing in it.
pub(super) fn draft<G: Screen>() -> Draft<G::Extra> {
    Draft { marked: Vec::new(), amount: None, changing: None, extra: G::Extra::default() }
}

fn look_at<G: Screen>(scene: &Scene<'_, G>, seed: u8) {
    for size in SIZES {
        let (lines, spots) = drawn(scene, &draft::<G>(), size);
        assert!(lines.iter().all(|line| line.is_ascii()), "seed {seed}: {lines:#?}");
        let desk = G::desk(scene, &draft::<G>());
        let reached = |target| spots.iter().any(|spot| spot.target == target);
        for button in &desk.buttons {
            assert!(reached(Target::Button(button.key)), "seed {seed}: [{}] {} is missing", button.key, button.label);
        }
        for tile in &desk.hand {
            assert!(reached(Target::Card(tile.slot)), "seed {seed}: {:?} is missing at {size:?}", tile.card);
        }
    }
}

/// The viewer is asked: their buttons, with nothing prepared and with each card marked.
fn asked<G: Screen>(scene: &Scene<'_, G>, seed: u8) {
    let nothing = draft::<G>();
    let desk = G::desk(scene, &nothing);
    assert!(G::forced(scene).is_some() || !desk.buttons.is_empty(), "seed {seed}: nothing can be pressed");
    fits(scene, &desk, seed);
    for tile in &desk.hand {
        let mut draft = draft::<G>();
        draft.toggle(tile.slot, desk.marking);
        G::marked(scene, &mut draft);
        fits(scene, &G::desk(scene, &draft), seed);
    }
    for button in desk.buttons.iter().filter(|button| matches!(button.press, Ok(Press::Command))) {
        let mut draft = draft::<G>();
        G::command(scene, &mut draft, button.key);
        fits(scene, &G::desk(scene, &draft), seed);
        drawn(scene, &draft, (80, 24));
    }
    let (_, spots) = drawn(scene, &nothing, (80, 24));
    for spot in spots {
        if let Target::Place(place) = spot.target {
            let mut draft = draft::<G>();
            G::place(scene, &mut draft, place);
            fits(scene, &G::desk(scene, &draft), seed);
        }
    }
}

fn fits<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, seed: u8) {
    let mut keys: Vec<char> = desk.buttons.iter().map(|button| button.key).collect();
    assert!(keys.iter().all(|key| key.is_ascii_lowercase() && !"hlqz".contains(*key)), "{keys:?}");
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), desk.buttons.len(), "a key means two things");
    for button in &desk.buttons {
        if let Ok(Press::Move(to_move)) = &button.press {
            let why = scene.refusal(to_move);
            assert_eq!(why, None, "seed {seed}: [{}] {} can be pressed: {to_move:?}", button.key, button.label);
            let _: &MoveOf<G> = to_move;
        }
        if let (Ok(Press::Amount(amount)), Some(range)) = (&button.press, desk.amount) {
            assert!((range.least..=range.most).contains(amount), "seed {seed}: [{}]", button.key);
        }
    }
    assert!(desk.says.width() <= 78, "seed {seed}: too long: {}", desk.says);
}

#[cfg(test)]
mod tests {
    use games::types::{Holdem, Romme};

    use super::screens_hold;

    #[test]
    fn every_position_of_holdem_can_be_looked_at() {
        screens_hold::<Holdem>(2, &[], 3, 1);
        screens_hold::<Holdem>(6, &[], 3, 2);
    }

    #[test]
    fn every_position_of_romme_can_be_looked_at() {
        screens_hold::<Romme>(2, &[], 1, 1);
        screens_hold::<Romme>(4, &[], 1, 2);
    }
}
