//! Rommé on a terminal.
//!
//! - `readings`: what marked cards make, jokers included.
//! - `bench`: what a player prepares, and what can be done with it.
//! - `middle`: stock, pile and melds.
//! - `words`: phrases, news, the end of a round.

mod bench;
mod middle;
mod readings;
mod words;

use games::romme::{Action, DrawView, Drawing, Goal, Mode, Moves, Pool, Romme, Shape, View, best};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Move, Outcome, Seat};

use super::page::Page;
use super::screen::{Button, Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, Tile, text};
use bench::{Bench, Extra, Order};

impl Screen for Romme {
    type Extra = Extra;
    const RULES: &'static str = include_str!("../rules/romme.txt");
    const COUNTS: &'static str = "points";

    fn title(scene: &Scene<'_, Self>) -> String {
        let settings = scene.settings;
        let until = match settings.mode {
            Mode::Target => format!("until {} points", settings.target),
            Mode::Rounds => format!("round {} of {}", scene.deal, settings.rounds),
            Mode::Knockout => format!("out with {} points", settings.target),
        };
        format!("open with {} · {until}", scene.view.first_meld)
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        panel(scene, seat)
    }

    fn middle_height(scene: &Scene<'_, Self>, width: u16) -> u16 {
        middle::height(scene, width)
    }

    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Extra>, page: &mut Page<'_>, area: Rect) {
        middle::draw(scene, draft, page, area);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        own(scene)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Extra>) -> Desk<Self> {
        let bench = Bench::new(scene, draft);
        let hand =
            bench.loose().into_iter().map(|(slot, card)| Tile { slot, card: Some(card), usable: true }).collect();
        let (says, buttons) = match scene.moves {
            None | Some(Moves::None) => return Desk { hand, ..Desk::default() },
            Some(Moves::Draw(drawing)) => (before_drawing(scene, &bench, *drawing), drawing_buttons(scene, draft)),
            Some(Moves::Play(_)) => (while_playing(scene, &bench), playing_buttons(&bench, draft)),
        };
        Desk { hand, marking: Marking::Many, says, buttons, amount: None }
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>, key: char) -> Option<String> {
        match key {
            'a' => return bench::set_aside(scene, draft),
            'f' => return bench::find(scene, draft),
            'u' => bench::take_back(scene, draft, None),
            'v' => draft.extra.way += 1,
            'r' => {
                draft.extra.order = match draft.extra.order {
                    Order::Suit => Order::Rank,
                    Order::Rank => Order::Suit,
                };
            }
            _ => {}
        }
        None
    }

    fn place(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>, place: u16) -> Option<String> {
        if let Some(n) = place.checked_sub(middle::READY).filter(|_| place < middle::STOCK) {
            bench::take_back(scene, draft, Some(usize::from(n)));
            return None;
        }
        let meld = scene.view.melds.iter().find(|meld| u16::from(meld.id.0) == place)?;
        draft.extra.chosen = Some(meld.id).filter(|id| draft.extra.chosen != Some(*id));
        None
    }

    fn button_at(scene: &Scene<'_, Self>, draft: &Draft<Extra>, place: u16) -> Option<char> {
        let bench = Bench::new(scene, draft);
        match (scene.moves?, place) {
            (Moves::Draw(_), middle::STOCK) => Some('s'),
            (Moves::Draw(_), middle::PILE) => Some('p'),
            (Moves::Play(_), middle::PILE) => Some('d'),
            // Chosen already: what is marked goes there.
            (Moves::Play(_), _) if bench.chosen().is_some_and(|meld| u16::from(meld.id.0) == place) => {
                let add = bench.lay_off().is_ok().then_some('t');
                add.or_else(|| bench.swap().is_ok().then_some('j'))
            }
            _ => None,
        }
    }

    fn undo(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>) {
        if draft.marked.pop().is_some() {
            return;
        }
        if draft.extra.chosen.take().is_none() {
            bench::take_back(scene, draft, None);
        }
    }

    fn forced(scene: &Scene<'_, Self>) -> Option<MoveOf<Self>> {
        match scene.moves? {
            Moves::Draw(Drawing { blocks: false, discard: None, .. }) => Some(Move::Act(Action::DrawStock)),
            Moves::None | Moves::Draw(_) | Moves::Play(_) => None,
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Extra>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(action) => bench::prepare(draft, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn phrase(before: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(action) => words::phrase(before, scene, seat, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        words::news(before, after)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>> {
        words::summary(scene, outcome)
    }
}

/// Another player: how many cards, those that everybody knows, whether he has opened, what he did last.
fn panel(scene: &Scene<'_, Romme>, seat: Seat) -> Panel {
    let look = scene.look;
    let Some(player) = scene.view.players.get(usize::from(seat.index())) else { return Panel::default() };
    if !player.playing || player.gone {
        let word = if player.gone { "left" } else { "out" };
        return Panel { status: Line::styled(word, look.dim()), out: true, ..Panel::default() };
    }
    let mut cards = look.row(player.open.iter().map(|held| held.card));
    let closed = player.cards.saturating_sub(player.open.len());
    cards.push(match (closed, player.open.is_empty()) {
        (0, _) => text(""),
        (_, true) => Span::styled(format!("[##]{}{closed}", look.sign(super::look::Sign::Times)), look.dim()),
        (_, false) => Span::styled(format!(" and {closed} more"), look.dim()),
    });
    let opened =
        if player.opened { Span::styled("opened", look.good()) } else { Span::styled("not opened", look.dim()) };
    let mut status = vec![opened];
    if scene.view.turn == Some(seat) {
        if scene.view.phase == "play" {
            status.push(text(match player.last_draw {
                Some(DrawView::Discard(held)) => format!(", took {}", look.short(held.card)),
                Some(DrawView::Stock) => ", drew".to_owned(),
                None => String::new(),
            }));
        }
    } else if let Some(thrown) = player.last_discard {
        status.push(text(", threw "));
        status.push(look.face(thrown.card));
    }
    let plural = if player.cards == 1 { "" } else { "s" };
    Panel {
        facts: format!("{} card{plural}, {} pts", player.cards, scene.standing.total[seat]),
        mark: if scene.view.dealer == Some(seat) { look.sign(super::look::Sign::Dealer) } else { "" },
        cards: Line::from(cards),
        status: Line::from(status),
        turn: scene.view.turn == Some(seat),
        out: false,
    }
}

/// What the looker's hand counts, and what it would count with all its melds laid.
fn own(scene: &Scene<'_, Romme>) -> Line<'static> {
    let look = scene.look;
    let (Some(me), Some(points)) = (scene.me(), scene.view.hand_points) else { return Line::default() };
    let pool = scene.view.hand.iter().filter_map(|held| held.card).fold(Pool::default(), Pool::with);
    let left = best(pool, Goal { least: 0, keep: false }).map_or(points, |plan| plan.left);
    let mut spans = vec![text(format!("{points} points in hand"))];
    if left < points {
        spans.push(Span::styled(format!(", {left} outside melds"), look.good()));
    }
    let opened = scene.view.players.get(usize::from(me.index())).is_some_and(|player| player.opened);
    let opened = if opened { "opened" } else { "not opened" };
    let dot = look.sign(super::look::Sign::Dot);
    spans.push(Span::styled(format!(" {dot} {opened} {dot} match {}", scene.standing.total[me]), look.dim()));
    Line::from(spans)
}

/// What is said before a card is drawn: what the top of the pile would be good for.
fn before_drawing(scene: &Scene<'_, Romme>, bench: &Bench<'_, '_>, drawing: Drawing) -> Line<'static> {
    let look = scene.look;
    if drawing.blocks {
        let says = "The stock is used up: drawing from it ends the round, and everybody counts his cards.";
        return Line::styled(says, look.bad());
    }
    let Some(top) = drawing.discard else { return Line::raw("Draw a card.") };
    let Some(card) = top.card else { return Line::raw("Draw a card.") };
    let name = look.short(Some(card));
    let faced = [(top.slot, card)];
    let meld = scene.view.melds.iter().find(|meld| bench.opened() && !readings::additions(meld, &faced).is_empty());
    let with_hand = bench.pool().with(card).melds_with(card).max_by_key(|shape| shape.points());
    let use_of_it = if card.is_joker() {
        "a joker!".to_owned()
    } else if let Some(meld) = meld {
        format!("it fits {} ({})", meld.id, words::lying(scene, meld))
    } else if let Some(shape) = with_hand {
        format!("it makes {}", shown(scene, shape))
    } else {
        "it makes no meld yet".to_owned()
    };
    Line::raw(look.plain(&format!("Draw from the stock, or take {name} from the pile: {use_of_it}.")))
}

fn shown(scene: &Scene<'_, Romme>, shape: Shape) -> String {
    use games::romme::Place;
    let card = |place| match place {
        Place::Natural(card) => card,
        Place::Joker(_) => cards::Card::JOKER,
    };
    scene.cards(shape.cards().map(|place| Some(card(place))))
}

fn drawing_buttons(scene: &Scene<'_, Romme>, draft: &Draft<Extra>) -> Vec<Button<Romme>> {
    let top = scene.view.pile.last().map(|held| scene.card(held.card)).unwrap_or_default();
    let mut buttons = vec![
        Button::act('s', "Stock", Action::DrawStock),
        Button::maybe('p', format!("Take {top}"), scene.try_act(Action::DrawDiscard)),
    ];
    buttons.extend(arranging(&Bench::new(scene, draft), draft));
    buttons
}

/// Finding melds, setting them aside, and the order of the hand: at any time.
fn arranging(bench: &Bench<'_, '_>, draft: &Draft<Extra>) -> Vec<Button<Romme>> {
    let mut buttons = Vec::new();
    buttons.push(match bench.marked_meld() {
        Ok(_) => Button::command('a', "Set aside"),
        Err(why) if !bench.marked().is_empty() => Button::refused('a', "Set aside", why),
        Err(_) => Button::refused('a', "Set aside", "mark the cards of a meld first"),
    });
    buttons.push(Button::command('f', "Find melds"));
    if bench.ready().next().is_some() {
        buttons.push(Button::command('u', "Take back"));
    }
    if bench.reading().1 > 1 {
        buttons.push(Button::command('v', "Joker elsewhere"));
    }
    buttons.push(Button::command(
        'r',
        match draft.extra.order {
            Order::Suit => "By rank",
            Order::Rank => "By suit",
        },
    ));
    buttons
}

/// What is said in a turn: what the marked cards make.
fn while_playing(scene: &Scene<'_, Romme>, bench: &Bench<'_, '_>) -> Line<'static> {
    let look = scene.look;
    let needed = scene.view.first_meld;
    let marked = bench.marked();
    let (opened, to_lay) = (bench.opened(), bench.points_to_lay());
    let towards = if opened { String::new() } else { format!(": {to_lay} of {needed} points to open") };
    match (marked.as_slice(), bench.marked_meld()) {
        ([], _) if bench.ready().next().is_some() => match opened || to_lay >= needed {
            true => Line::styled("The melds set aside can be laid.", look.good()),
            false => Line::styled(format!("{to_lay} of {needed} points: mark another meld, or discard."), look.bad()),
        },
        ([], _) if opened => Line::raw("Lay melds, add to those on the table, then discard a card."),
        ([], _) => Line::raw(format!("Open with melds of {needed} points together, or discard a card.")),
        ([_], _) => one_card(scene, bench),
        (_, Ok(reading)) => {
            let kind = match reading.shape {
                Shape::Set { .. } => "a set",
                Shape::Run { .. } => "a run",
            };
            let points = reading.shape.points();
            let says = format!("{}: {kind}, {points} points{towards}", words::laid(scene, &reading.laid));
            Line::styled(look.plain(&says), if opened || to_lay >= needed { look.good() } else { look.bright() })
        }
        (_, Err(why)) => match (bench.lay_off(), bench.swap()) {
            (Ok((meld, _)), _) => Line::styled(format!("These cards fit {meld}."), look.good()),
            (_, Ok((_, Move::Act(swap)))) => swapping(scene, &swap),
            _ => Line::styled(look.plain(&why), look.bad()),
        },
    }
}

/// What one marked card can do.
fn one_card(scene: &Scene<'_, Romme>, bench: &Bench<'_, '_>) -> Line<'static> {
    let look = scene.look;
    let marked = bench.marked();
    let Some((slot, card)) = marked.first() else { return Line::default() };
    let name = format!("{}, {} points", look.short(Some(*card)), games::romme::in_hand(*card));
    if let Ok((meld, _)) = bench.lay_off() {
        return Line::styled(format!("{name}: fits {meld}."), look.good());
    }
    if let Ok((_, Move::Act(swap))) = bench.swap() {
        return swapping(scene, &swap);
    }
    if scene.view.barred == Some(*slot) {
        return Line::raw(format!("{name}: taken from the pile, so it cannot go back in this turn."));
    }
    Line::raw(format!("{name}."))
}

fn swapping(scene: &Scene<'_, Romme>, swap: &Action) -> Line<'static> {
    let Some(me) = scene.me() else { return Line::default() };
    let says = words::phrase(scene.view, scene, me, swap);
    Line::styled(scene.look.plain(&says), scene.look.good())
}

fn playing_buttons(bench: &Bench<'_, '_>, draft: &Draft<Extra>) -> Vec<Button<Romme>> {
    let lay = if bench.opened() { "Lay".to_owned() } else { format!("Open with {}", bench.points_to_lay()) };
    let mut buttons = vec![Button::maybe('m', lay, bench.lay())];
    let (to, add) = match bench.lay_off() {
        Ok((meld, add)) => (meld.to_string(), Ok(add)),
        Err(why) => (bench.chosen().map_or("a meld".to_owned(), |meld| meld.id.to_string()), Err(why)),
    };
    if bench.opened() {
        buttons.push(Button::maybe('t', format!("Add to {to}"), add));
    }
    if bench.jokers_lie() {
        let swap = bench.swap();
        let label = swap.as_ref().map_or("Swap joker".to_owned(), |(meld, _)| format!("Swap joker of {meld}"));
        buttons.push(Button::maybe('j', label, swap.map(|(_, swap)| swap)));
    }
    let discard = bench.discard();
    let label = discard.as_ref().map_or("Discard".to_owned(), |(card, _)| format!("Discard {}", card.pretty()));
    buttons.push(Button::maybe('d', label, discard.map(|(_, discard)| discard)));
    buttons.extend(arranging(bench, draft));
    buttons
}
