//! What each seat sees of a round of Ongdu, and what it can do.

use cards::Card;
use serde::Serialize;
use table::{Awaiting, Chips, Draw, Eye, Known, Move, Rules, Seat, Seats, Slot};

use super::score::rank;
use super::state::{Layers, Phase};
use super::{Action, Arrangement, Class, Deal, LayerRank, Preset, rank_layer};
use crate::Held;

/// A round as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// `drawing`, `dealing`, `discarding`, `arranging`, `opening` or `over`.
    pub phase: &'static str,
    /// Who is to discard.
    pub turn: Option<Seat>,
    /// Who is to arrange.
    pub choosing: Seats,
    /// Who is dealt to first; absent until drawn.
    pub starter: Option<Seat>,
    /// How layers are valued.
    pub preset: Preset,
    /// Points that a foul hand pays to each opponent.
    pub foul: i64,
    /// Points that a special hand gets from each opponent.
    pub special: i64,
    /// What a point is worth.
    pub point_value: Chips,
    /// The card the starting player of six laid aside.
    pub discard: Option<Held>,
    /// Cards left over, which nobody ever sees.
    pub pile: u8,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// Every two players, once all hands lie open.
    pub pairs: Vec<PairView>,
    /// The looker's own cards.
    pub hand: Vec<Held>,
}

/// A player as seen by somebody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerView {
    /// Cards in hand.
    pub cards: usize,
    /// The player has left; a computer arranges the cards, which lie open.
    pub gone: bool,
    /// The player's cards, where everybody has seen them.
    pub open: Vec<Held>,
    /// Top, middle and bottom, once everybody has chosen.
    pub layers: Vec<LayerView>,
    /// Ordinary, foul or special, once all hands lie open.
    pub class: Option<Class>,
    /// What the player won or lost, once all hands lie open.
    pub points: Option<i64>,
    /// The same in cash.
    pub cash: Option<Chips>,
}

/// Three cards, and what they are as far as the looker knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LayerView {
    /// The cards.
    pub cards: [Held; 3],
    /// How good they are.
    pub rank: Option<LayerRank>,
    /// The same in words.
    pub name: Option<String>,
}

/// What two players owe each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PairView {
    /// The one.
    pub first: Seat,
    /// The other.
    pub second: Seat,
    /// The points that the first gets from the second.
    pub points: i64,
    /// Those for top, middle and bottom; absent where a whole hand is foul or special.
    pub layers: Option<[i64; 3]>,
}

impl View {
    pub(super) fn new(deal: &Deal, known: Known<'_>, eye: Eye) -> Self {
        let held = |slot| Held { slot, card: known.face(slot) };
        let phase = match deal.phase {
            _ if deal.is_abandoned() => "over",
            Phase::Drawing => "drawing",
            Phase::Dealing => "dealing",
            Phase::Discarding => "discarding",
            Phase::Arranging => "arranging",
            Phase::Opening(_) => "opening",
            Phase::Over(..) => "over",
        };
        let (turn, choosing) = match deal.awaiting() {
            Awaiting::Turn(seat) => (Some(seat), Seats::NONE),
            Awaiting::Choices(seats) => (None, seats),
            Awaiting::Dealer | Awaiting::Over => (None, Seats::NONE),
        };
        let pairs = pairs(deal);
        let players = deal.all().iter().map(|seat| {
            let points = pairs.iter().map(|pair| pair.for_seat(seat)).sum();
            let over = matches!(deal.phase, Phase::Over(..));
            PlayerView {
                cards: deal.hand(seat).count(),
                gone: deal.gone.contains(seat),
                open: if deal.exposed.contains(seat) { deal.hand(seat).map(held).collect() } else { Vec::new() },
                layers: match &deal.phase {
                    Phase::Opening(layers) | Phase::Over(layers, _) => {
                        layer_views(deal, &layers[seat], known, deal.setup.preset)
                    }
                    Phase::Drawing | Phase::Dealing | Phase::Discarding | Phase::Arranging => Vec::new(),
                },
                class: match &deal.phase {
                    Phase::Over(_, ranks) => Some(ranks[seat].class),
                    Phase::Drawing | Phase::Dealing | Phase::Discarding | Phase::Arranging | Phase::Opening(_) => None,
                },
                points: over.then_some(points),
                cash: over.then(|| deal.setup.point_value * points),
            }
        });
        Self {
            phase,
            turn,
            choosing,
            starter: deal.starter(),
            preset: deal.setup.preset,
            foul: deal.setup.foul,
            special: deal.setup.special,
            point_value: deal.setup.point_value,
            discard: deal.discard.map(|place| held(Slot::new(deal.deck, u16::from(place)))),
            pile: match deal.players() {
                6 => 0,
                players => 55 - 9 * players.min(6),
            },
            players: players.collect(),
            hand: match eye {
                Eye::Seat(seat) if deal.all().contains(seat) => deal.hand(seat).map(held).collect(),
                Eye::Seat(_) | Eye::Public => Vec::new(),
            },
            pairs,
        }
    }
}

impl PairView {
    /// What this seat gets of the pair.
    fn for_seat(&self, seat: Seat) -> i64 {
        if seat == self.first {
            self.points
        } else if seat == self.second {
            -self.points
        } else {
            0
        }
    }
}

fn pairs(deal: &Deal) -> Vec<PairView> {
    let Phase::Over(_, ranks) = &deal.phase else { return Vec::new() };
    let mut pairs = Vec::new();
    for (first, a) in ranks.seats() {
        for (second, b) in ranks.seats().skip(usize::from(first.index()) + 1) {
            let compared = a.compare(b, deal.stakes());
            pairs.push(PairView { first, second, points: compared.points, layers: compared.layers });
        }
    }
    pairs
}

fn layer_views(deal: &Deal, layers: &Layers, known: Known<'_>, preset: Preset) -> Vec<LayerView> {
    let view = |places: &[u8; 3]| {
        let cards = places.map(|place| {
            let slot = Slot::new(deal.deck, u16::from(place));
            Held { slot, card: known.face(slot) }
        });
        let rank = match cards.map(|held| held.card) {
            [Some(a), Some(b), Some(c)] => rank_layer([a, b, c], preset),
            _ => None,
        };
        LayerView { cards, rank, name: rank.map(|rank| rank.to_string()) }
    };
    layers.iter().map(view).collect()
}

/// What a seat can do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// It is not asked.
    None,
    /// Lay one of these ten cards aside.
    Discard(Hand),
    /// Arrange these nine cards.
    Arrange(Hand),
}

/// The cards of a seat, without a list on the heap: this is asked millions of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hand {
    deck: u32,
    preset: Preset,
    len: usize,
    cards: [(u16, Option<Card>); 10],
}

impl Hand {
    fn new(deal: &Deal, known: Known<'_>, seat: Seat) -> Self {
        let mut hand = Self { deck: deal.deck, preset: deal.setup.preset, len: 0, cards: [(0, None); 10] };
        for (to, slot) in hand.cards.iter_mut().zip(deal.hand(seat)) {
            *to = (slot.index, known.face(slot));
            hand.len += 1;
        }
        hand
    }

    /// The cards, with their faces.
    pub fn iter(&self) -> impl Iterator<Item = Held> {
        self.cards.iter().take(self.len).map(|(place, card)| Held { slot: Slot::new(self.deck, *place), card: *card })
    }

    /// How layers are valued.
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    /// The cards in any order, in layers of three; mostly put in order of strength, for a hand that is
    /// not a foul.
    fn arrangement(&self, draw: &mut impl Draw) -> Arrangement {
        let [mut cards @ .., _] = self.cards;
        // One draw gives the order of nine cards, and one in eight times leaves the layers as they fall.
        let mut drawn = draw.below(362_880 * 8);
        let ordered = drawn >= 362_880;
        for (i, left) in (0..8).zip([9, 8, 7, 6, 5, 4, 3, 2]) {
            cards.swap(i, i + usize::try_from(drawn % left).unwrap_or(0));
            drawn /= left;
        }
        let [a, b, c, d, e, f, g, h, i] = cards;
        let mut layers = [[a, b, c], [d, e, f], [g, h, i]].map(|layer| {
            let rank = match layer.map(|(_, card)| card) {
                [Some(a), Some(b), Some(c)] => rank([a, b, c], self.preset),
                _ => LayerRank::default(),
            };
            (rank, layer.map(|(place, _)| place))
        });
        if ordered {
            layers.sort_unstable_by_key(|(rank, _)| *rank);
        }
        let [top, middle, bottom] = layers.map(|(_, places)| places.map(|place| Slot::new(self.deck, place)));
        Arrangement { top, middle, bottom }
    }
}

impl Moves {
    pub(super) fn new(deal: &Deal, known: Known<'_>, seat: Seat) -> Self {
        match deal.awaiting() {
            Awaiting::Turn(turn) if turn == seat => Self::Discard(Hand::new(deal, known, seat)),
            Awaiting::Choices(seats) if seats.contains(seat) => Self::Arrange(Hand::new(deal, known, seat)),
            Awaiting::Turn(_) | Awaiting::Choices(_) | Awaiting::Dealer | Awaiting::Over => Self::None,
        }
    }
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = Arrangement;

    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, Arrangement>> {
        match self {
            Self::None => None,
            Self::Discard(hand) => {
                let len = u32::try_from(hand.len).unwrap_or(0);
                let nth = usize::try_from(draw.below(len)).unwrap_or(0);
                hand.iter().nth(nth).map(|held| Move::Act(Action::Discard(held.slot)))
            }
            Self::Arrange(hand) => Some(Move::Choose(hand.arrangement(draw))),
        }
    }
}

impl Serialize for Moves {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Plain {
            None,
            Discard { hand: Vec<Held> },
            Arrange { hand: Vec<Held> },
        }
        match self {
            Self::None => Plain::None,
            Self::Discard(hand) => Plain::Discard { hand: hand.iter().collect() },
            Self::Arrange(hand) => Plain::Arrange { hand: hand.iter().collect() },
        }
        .serialize(serializer)
    }
}
