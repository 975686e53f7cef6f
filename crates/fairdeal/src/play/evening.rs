//! Matches from their first deal to their last: new ones, and ones that were interrupted.

use std::cell::RefCell;
use std::io::Write;
use std::time::{Duration, Instant, SystemTime};

use bots::Computer;
use dealers::house::RevealSeed;
use dealers::joint::Circle;
use dealers::{Dealer, Halt, House, Local, Log as _, play_deal};
use games::AnyGame;
use table::record::{End, FORMAT, Header, Line as RecordLine, hex};
use table::{Match, Rules as _, Seats, Series as _};

use super::chronicle::{Chronicle, Writing};
use super::derived;
use super::ending::{self, Next};
use super::look::Look;
use super::menu::{self, Wanted};
use super::saved::{Saved, Store, header_of};
use super::screen::Screen;
use super::seating::{self, Asked, BySeat, Occupant};
use super::sitting::{Sitting, Stop};
use super::story::Round;
use super::terminal::{self, Front};
use crate::cli::PlayArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::sim::{self, Dealing};

/// A match about to be played.
struct Evening<G: Computer> {
    settings: G::Settings,
    occupants: Vec<Occupant>,
    dealer: Dealing,
    saved: Saved,
    /// What its record says already.
    expected: String,
}

/// How an evening ended.
enum Ended {
    /// The match is over.
    Over(Next),
    /// It was left.
    Left,
}

/// Plays what was asked for.
pub(super) fn run(args: &PlayArgs, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
    interrupt::listen_at_screen(terminal::leave);
    let look = Look::of(args.ascii, args.no_color, args.four_colors);
    let mut chosen = match (&args.resume, args.game) {
        (Some(id), _) => menu::Chosen::Resume(which(store, args.game, id)?),
        (None, Some(game)) => menu::Chosen::Play(game, Wanted::of(args)),
        (None, None) => {
            let mut front = Front::take(&mut *out)?;
            let check = |game: AnyGame, wanted: &Wanted| {
                games::with_game!(game, G => {
                    arranged::<G>(args, wanted).map(|_| ())
                })
            };
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
            match menu::choose(&mut front, look, (&store.unfinished(), now), &Wanted::of(args), check) {
                Some(chosen) => chosen,
                None => return Ok(()),
            }
        }
    };
    loop {
        let (game, wanted, resumed) = match chosen {
            menu::Chosen::Play(game, wanted) => (game, wanted, None),
            menu::Chosen::Resume(id) => {
                let (saved, text) = store.resume(&id)?;
                let header = header_of(&text);
                let game = header.as_ref().and_then(|header| AnyGame::from_name(&header.game));
                let unknown = || Failure::input(format!("{}: not the record of a match", saved.record().display()));
                let (header, game) = header.zip(game).ok_or_else(unknown)?;
                (game, Wanted::of(args), Some((saved, text, header)))
            }
        };
        let again = games::with_game!(game, G => {
            let evening = match resumed {
                Some((saved, text, header)) => resumed_evening::<G>(saved, text, &header)?,
                None => new_evening::<G>(args, &wanted, store)?,
            };
            play(evening, args, look, out)?
        });
        if !again {
            return Ok(());
        }
        chosen = menu::Chosen::Play(game, wanted);
    }
}

/// The unfinished match that is meant: by its name, or the last one.
fn which(store: &Store, game: Option<AnyGame>, id: &str) -> Result<String, Failure> {
    if !id.is_empty() {
        return Ok(id.to_owned());
    }
    let mut all = store.unfinished().into_iter();
    let last = all.find(|one| game.is_none_or(|game| game.name() == one.header.game));
    last.map(|one| one.id).ok_or_else(|| Failure::input("there is no unfinished match"))
}

/// Who plays, and with which settings; or why a match cannot begin that way.
fn arranged<G: Screen>(args: &PlayArgs, wanted: &Wanted) -> Result<(Vec<Occupant>, G::Settings), String> {
    let asked = Asked { players: wanted.players, bots: wanted.bots, seats: &args.seats, name: args.name.as_deref() };
    let occupants = seating::occupants::<G>(&asked)?;
    // Nobody else waits at the other end of a wire: there is no limit unless somebody asks for one.
    let options = std::iter::once("action_timeout=0").chain(wanted.options.iter().map(String::as_str));
    let settings = sim::settings::<G>(options)?;
    let players = u8::try_from(occupants.len()).unwrap_or(u8::MAX);
    Match::<G>::start(&settings, players).map_err(|bad| format!("--option: {bad}"))?;
    args.dealer.check(players)?;
    Ok((occupants, settings))
}

fn new_evening<G: Screen>(args: &PlayArgs, wanted: &Wanted, store: &Store) -> Result<Evening<G>, Failure> {
    let (occupants, settings) = arranged::<G>(args, wanted).map_err(Failure::Input)?;
    let seed = match args.seed {
        Some(seed) => sim::unit_seed(seed, 0, "play"),
        None => {
            let mut seed = [0; 32];
            getrandom::fill(&mut seed)
                .map_err(|why| Failure::input(format!("the system provides no random numbers: {why}; use --seed")))?;
            seed
        }
    };
    let saved = store.create(G::NAME, seed)?;
    Ok(Evening { settings, occupants, dealer: args.dealer, saved, expected: String::new() })
}

fn resumed_evening<G: Screen>(saved: Saved, expected: String, header: &Header) -> Result<Evening<G>, Failure> {
    let damaged = || Failure::input(format!("{}: its first line is damaged", saved.record().display()));
    let settings = header.settings.clone().and_then(|settings| serde_json::from_value(settings).ok());
    let settings: G::Settings = settings.ok_or_else(damaged)?;
    let seats = header.extra.get("play").and_then(|play| play.get("seats")).and_then(|seats| seats.as_array());
    let occupants: Option<Vec<Occupant>> =
        seats.map(|seats| seats.iter().filter_map(|seat| Occupant::parse(seat.as_str()?).ok()).collect());
    let occupants = occupants.filter(|all| all.len() == usize::from(header.players)).ok_or_else(damaged)?;
    let dealer = Dealing::parse(&header.dealer).map_err(|_| damaged())?;
    Ok(Evening { settings, occupants, dealer, saved, expected })
}

/// Plays a match; whether another one is wanted.
fn play<G: Screen>(evening: Evening<G>, args: &PlayArgs, look: Look, out: &mut impl Write) -> Result<bool, Failure> {
    let seed = evening.saved.seed();
    let seed = seed.ok_or_else(|| Failure::input(format!("{}: its secret file is damaged", evening.saved.id())))?;
    let cards = derived(&seed, "cards");
    let (way_back, record) = (evening.saved.way_back(), evening.saved.record().to_owned());
    let players = Seats::first(u8::try_from(evening.occupants.len()).unwrap_or(u8::MAX));
    let dealing = evening.dealer;
    let ended = {
        let mut front = Front::take(&mut *out)?;
        match dealing {
            Dealing::Local => whole_match(evening, seed, Local::new(cards), args, look, &mut front),
            Dealing::House { reveal } => {
                let reveal: RevealSeed = reveal;
                whole_match(evening, seed, House::simulated(cards, reveal.in_game::<G>()), args, look, &mut front)
            }
            Dealing::Joint(keepers) => {
                let circle = Circle::new(players, keepers, cards);
                let circle = circle.map_err(|bad| Failure::input(format!("--dealer {keepers}: {bad}")))?;
                whole_match(evening, seed, circle, args, look, &mut front)
            }
        }
    }?;
    match ended {
        Ended::Over(Next::Again) => return Ok(true),
        Ended::Over(Next::Go | Next::Leave) => {
            writeln!(out, "The match is over. Its record: {}", record.display())?;
            if dealing.proves() {
                writeln!(out, "Check that nobody cheated: fairdeal verify {}", record.display())?;
            }
        }
        Ended::Left => writeln!(out, "The match is saved. Continue it with: {way_back}")?,
    }
    Ok(false)
}

fn whole_match<G: Screen, D: Dealer, W: Write>(
    evening: Evening<G>,
    seed: [u8; 32],
    mut dealer: D,
    args: &PlayArgs,
    look: Look,
    front: &mut Front<W>,
) -> Result<Ended, Failure> {
    let Evening { settings, occupants, dealer: dealing, saved, expected } = evening;
    let players = u8::try_from(occupants.len()).unwrap_or(u8::MAX);
    let damaged = |why: &dyn std::fmt::Display| Failure::input(format!("the match cannot begin: {why}"));
    let mut running = Match::<G>::start(&settings, players).map_err(|bad| damaged(&bad))?;
    let id = derived(&seed, "table");
    let header = header::<G>(&settings, &occupants, dealing, id);
    let (names, occupants) = (BySeat::new(seating::names(&occupants)), BySeat::new(occupants));
    // A person alone may find their own cards in the record; several might find each other's.
    let people: Seats = occupants.seats().filter(|(_, who)| who.is_person()).map(|(seat, _)| seat).collect();
    let open_hands = if people.iter().count() == 1 { people } else { Seats::NONE };
    let before_elapsed = saved.elapsed();
    let round = Round { settings, names, look, standing: running.standing(), deal: 1 };
    let chronicle = RefCell::new(Chronicle::<G>::new(saved, expected, open_hands, round));
    let before = chronicle.borrow().before()?;
    let mut sitting = Sitting::new(front, &chronicle, occupants, seed, before, args.bot_time);
    sitting.begin();
    sitting.pace = Duration::from_millis(args.pace);
    dealer.begin(id);
    chronicle.borrow_mut().write(|writer| writer.header(header));
    let begin = Instant::now();
    let mut first_deck = 0;
    loop {
        let number = running.deals();
        {
            let mut chronicle = chronicle.borrow_mut();
            let setup = running.series().next(first_deck).ok_or_else(|| damaged(&"it has no further deal"))?;
            chronicle.write(|writer| writer.deal::<G::Rules>(number, &setup));
            chronicle.story.begin(running.table(), number, running.standing());
        }
        sitting.new_deal();
        let outcome = play_deal(running.table_mut(), &mut dealer, &mut sitting, &mut Writing(&chronicle));
        let outcome = match (outcome, sitting.take_stop()) {
            (_, Some(Stop::Failed(why))) => return Err(why),
            (_, Some(Stop::Left)) => return Ok(Ended::Left),
            (Ok(outcome), None) => outcome,
            (Err(Halt::Stopped), None) => return Ok(Ended::Left),
            (Err(halt), None) => return Err(Failure::Check(halt.to_string())),
        };
        chronicle.borrow_mut().story.catch_up(running.table());
        sitting.deal_over(running.table(), &dealer);
        let finished = running.table().clone();
        first_deck = finished.rules().decks().end;
        let elapsed = before_elapsed + begin.elapsed().saturating_sub(sitting.front.away()).as_secs();
        running.advance(elapsed);
        let standing = running.standing();
        let live = {
            let mut chronicle = chronicle.borrow_mut();
            let hash = hex(&finished.state_hash());
            let end = End { outcome: outcome.clone(), hash, standing: Some(standing.clone()) };
            chronicle.write(|writer| writer.line(&RecordLine::<(), (), ()>::End(end)));
            chronicle.is_live()
        };
        dealer.retire((!standing.over).then(|| running.table().rules().decks().start));
        Writing(&chronicle).evidence(dealer.evidence());
        {
            let mut chronicle = chronicle.borrow_mut();
            if let Some(why) = chronicle.failure() {
                return Err(why);
            }
            if standing.over {
                chronicle.saved.finish()?;
            } else if live {
                chronicle.saved.played(elapsed)?;
            }
        }
        if standing.over {
            sitting.match_over(&standing);
        }
        if live || standing.over {
            sitting.linger(&finished);
            match (sitting.take_stop(), standing.over) {
                (Some(_), true) => return Ok(Ended::Over(Next::Leave)),
                (Some(_), false) => return Ok(Ended::Left),
                (None, _) => {}
            }
            sitting.step_back();
            let patience = (sitting.people() == 0).then_some(sitting.pace * 4);
            let next = ending::show(&finished, &outcome, &standing, &chronicle.borrow().story, sitting.front, patience);
            match (next, standing.over) {
                (next, true) => return Ok(Ended::Over(next)),
                (Next::Leave, false) => return Ok(Ended::Left),
                (Next::Go | Next::Again, false) => {}
            }
        }
    }
}

fn header<G: Screen>(settings: &G::Settings, occupants: &[Occupant], dealing: Dealing, id: [u8; 32]) -> Header {
    let seats: Vec<String> = occupants.iter().map(Occupant::text).collect();
    Header {
        format: FORMAT,
        game: G::NAME.to_owned(),
        players: u8::try_from(occupants.len()).unwrap_or(u8::MAX),
        id: dealing.proves().then(|| hex(&id)),
        settings: serde_json::to_value(settings).ok(),
        names: seating::names(occupants),
        dealer: dealing.name(),
        extra: [("play".to_owned(), serde_json::json!({ "seats": seats }))].into(),
    }
}
