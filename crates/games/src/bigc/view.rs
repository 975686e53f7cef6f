//! What each seat sees of a deal of Big-C, and what it can do.

use cards::Card;
use serde::Serialize;
use table::{Awaiting, Draw, Eye, Known, Move, Rules, Seat, Seats};

use super::options::{Options, Playable};
use super::phase::{Did, Phase, Stooled};
use super::score::place;
use super::{Action, Choice, Class, Deal, Few, Footstool};
use crate::Held;

/// A deal as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// `dealing`, `choosing`, `showing`, `lots`, `playing`, `drawing` or `over`.
    pub phase: &'static str,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Who is to show a card for the order of play.
    pub choosing: Seats,
    /// The seats still in play, first to play first; those still `choosing` by number.
    pub order: Vec<Seat>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// The hand on the table.
    pub table: Option<HandView>,
    /// Who draws now, and how many cards.
    pub drawing: Option<(Seat, u8)>,
    /// The footstool made last.
    pub last_footstool: Option<Stooled>,
    /// Cards in the draw deck.
    pub stock: u16,
    /// Cards in the played pile.
    pub pile: usize,
    /// Who has won, once the deal is over.
    pub winner: Option<Seat>,
    /// The looker's own cards, lowest first.
    pub hand: Vec<Held>,
}

/// A player as everybody sees them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerView {
    /// Cards in hand.
    pub cards: usize,
    /// Still in play?
    pub in_play: bool,
    /// What the player has done in this round.
    pub did: Did,
    /// Passed since the last hand?
    pub passed: bool,
    /// The cards shown for the order of play.
    pub shown: Vec<Card>,
    /// The cards in hand that everybody has seen.
    pub open: Vec<Held>,
}

/// A hand on the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HandView {
    /// Who played it.
    pub by: Seat,
    /// Its cards, laid out as by [`Few::laid_out`].
    pub cards: Vec<Held>,
    /// Its class.
    pub class: Class,
    /// What it is, in words.
    pub text: String,
}

impl View {
    pub(super) fn new(deal: &Deal, known: Known<'_>, eye: Eye) -> Self {
        let open = |slot| Held { slot, card: known.open.get(slot) };
        let in_play = deal.in_play();
        let players = deal.hands.iter().zip((0..).map_while(Seat::new)).map(|(hand, seat)| PlayerView {
            cards: hand.len(),
            in_play: in_play.contains(seat),
            did: deal.did[seat],
            passed: deal.passed().contains(seat),
            shown: deal.shown.iter().filter(|(by, _)| *by == seat).filter_map(|(_, s)| known.open.get(*s)).collect(),
            open: hand.iter().map(|slot| open(*slot)).filter(|held| held.card.is_some()).collect(),
        });
        let own = |seat| {
            let mut hand: Vec<Held> =
                deal.hand(seat).iter().map(|slot| Held { slot: *slot, card: known.face(*slot) }).collect();
            hand.sort_by_key(|held| (held.card.map(place), held.slot));
            hand
        };
        Self {
            phase: match deal.phase {
                Phase::Dealing => "dealing",
                Phase::Choosing => "choosing",
                Phase::Showing(_) => "showing",
                Phase::Lots { .. } => "lots",
                Phase::Playing(_) => "playing",
                Phase::Drawing(..) => "drawing",
                Phase::Over(_) => "over",
            },
            turn: deal.round().map(|round| round.turn),
            choosing: match deal.awaiting() {
                Awaiting::Choices(seats) => seats,
                Awaiting::Dealer | Awaiting::Turn(_) | Awaiting::Over => Seats::NONE,
            },
            order: deal.order.iter().collect(),
            players: players.collect(),
            table: deal.laid.map(|laid| HandView {
                by: laid.by,
                cards: laid.cards.laid_out(known.open),
                class: laid.hand.class(),
                text: laid.hand.to_string(),
            }),
            drawing: match deal.phase {
                Phase::Drawing(_, drawing) => drawing.to.map(|to| (to, drawing.cards.len)),
                _ => None,
            },
            last_footstool: deal.last_footstool,
            stock: deal.stock.left(),
            pile: deal.pile.len(),
            winner: deal.winner(),
            hand: match eye {
                Eye::Seat(seat) => own(seat),
                Eye::Public => Vec::new(),
            },
        }
    }
}

/// The most hands that are listed for people.
const MOST_LISTED: usize = 100;

/// What a seat can do now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moves {
    /// It is not asked.
    None,
    /// Show one of these for the order of play, or say that there is nothing to show if there are none.
    Show(Vec<Held>),
    /// As chooser, play a hand; or pass the role on, if there is none.
    Lead(Options),
    /// Play a hand on the one on the table, or pass.
    Answer {
        /// What can be played.
        options: Options,
        /// Cards drawn for passing.
        pass_draws: u8,
    },
}

impl Moves {
    pub(super) fn new(deal: &Deal, known: Known<'_>, seat: Seat) -> Self {
        let held = |slot| Held { slot, card: known.face(slot) };
        match deal.phase {
            Phase::Choosing if deal.order.tied().contains(seat) => {
                let natural = |held: &Held| held.card.is_some_and(|card| !card.is_joker());
                Self::Show(deal.not_shown(seat).map(held).filter(natural).collect())
            }
            Phase::Playing(round) if round.turn == seat => {
                let hand = deal.hand(seat).iter().map(|slot| held(*slot));
                let beat = deal.laid.map(|laid| laid.hand);
                let options = Options::new(hand, beat, deal.setup.two_joker_triple_low);
                match beat {
                    None => Self::Lead(options),
                    Some(_) => Self::Answer { options, pass_draws: deal.setup.pass_draws },
                }
            }
            Phase::Dealing
            | Phase::Choosing
            | Phase::Showing(_)
            | Phase::Lots { .. }
            | Phase::Playing(_)
            | Phase::Drawing(..)
            | Phase::Over(_) => Self::None,
        }
    }
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = Choice;

    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, Choice>> {
        let any = |options: &Options, size: u8, draw: &mut _| {
            let lucky = if size == 5 && Draw::one_in(draw, 4) { options.lucky_five(draw) } else { None };
            lucky.or_else(|| options.any(size, draw))
        };
        Some(match self {
            Self::None => return None,
            Self::Show(cards) => Move::Choose(draw.any(cards).map_or(Choice::Nothing, |held| Choice::Show(held.slot))),
            Self::Lead(options) => {
                let size = draw.any(&[1, 2, 3, 5]).copied().unwrap_or(1);
                let found = any(options, size, draw).or_else(|| options.any(1, draw));
                Move::Act(found.map_or(Action::PassRole, |playable| Action::Play(playable.cards)))
            }
            Self::Answer { options, .. } => {
                let size = options.beat().map_or(1, |beat| beat.class().size());
                let found = if draw.one_in(8) { None } else { any(options, size, draw) };
                Move::Act(found.map_or(Action::Pass, |playable| Action::Play(playable.cards)))
            }
        })
    }
}

impl Serialize for Moves {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Hand {
            slots: Few,
            cards: Vec<Card>,
            class: Class,
            footstool: Footstool,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Plain {
            None,
            Show(Vec<Held>),
            Lead { hands: Vec<Hand>, pass_role: bool },
            Answer { to_beat: Option<String>, hands: Vec<Hand>, pass_draws: u8 },
        }
        let hands = |options: &Options| {
            let hand = |playable: Playable| Hand {
                slots: playable.cards,
                cards: playable.cards.iter().filter_map(|slot| options.card(slot)).collect(),
                class: playable.hand.class(),
                footstool: playable.footstool,
            };
            options.list(MOST_LISTED).into_iter().map(hand).collect()
        };
        match self {
            Self::None => Plain::None,
            Self::Show(cards) => Plain::Show(cards.clone()),
            Self::Lead(options) => Plain::Lead { hands: hands(options), pass_role: !options.has_naturals() },
            Self::Answer { options, pass_draws } => Plain::Answer {
                to_beat: options.beat().map(ToString::to_string),
                hands: hands(options),
                pass_draws: *pass_draws,
            },
        }
        .serialize(serializer)
    }
}
