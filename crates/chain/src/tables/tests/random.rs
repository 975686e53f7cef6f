//! Random hands with random comings and goings: no coin is ever created or lost, and nothing gets stuck.

use proptest::prelude::*;
use rand::RngExt;
use table::{Known, Move, Moves as _, Rules};

use super::*;

struct Dice(ChaCha20Rng);

impl table::Draw for Dice {
    fn below(&mut self, n: u32) -> u32 {
        self.0.random_range(0..n.max(1))
    }
}

impl World {
    /// Something that somebody might do, legal or not.
    fn anything(&mut self, dice: &mut Dice) -> Result<(), Refused> {
        let rng = &mut dice.0;
        let (player, table) = (rng.random_range(0..12_u8), 1);
        let coins = Coins(rng.random_range(0..2_500));
        let (hand, height) = (rng.random_range(0..40), rng.random_range(0..20));
        match rng.random_range(0..10) {
            0..=2 => {
                let seat = rng.random_bool(0.5).then(|| rng.random_range(0..10));
                self.sit_in(1, player, seat, coins.0)
            }
            3 => self.tx(player, Tx::Leave { table }),
            4 => self.tx(player, Tx::SitOut { table }),
            5 => self.tx(player, Tx::Return { table }),
            6 => self.tx(player, Tx::Rebuy { table, coins }),
            7 => self.tx(player, Tx::TopUpBond { table, coins: Coins(coins.0 % 40) }),
            8 => self.tx(player, Tx::Act { table, hand, height, action: Action::BetTo(coins) }),
            _ => self.tx(player, Tx::Tick { table }),
        }
    }

    /// A legal action of whoever's turn it is.
    fn legal(&mut self, dice: &mut Dice) -> Result<(), Refused> {
        let Some(Turn { seat, .. }) = turn(&self.store, 1) else { return Ok(()) };
        let (_, table) = hand(&self.store, 1).unwrap();
        let moves = table.rules().moves(Known::public(table.open()), seat);
        let Some(Move::Act(action)) = moves.pick(dice) else { panic!("{seat} cannot act") };
        self.act(action.into())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn coins_are_conserved_whatever_happens(seed: u64, rake in 0..600_u16, keeps: bool, penalty in 0..30_u64) {
        let mut dice = Dice(ChaCha20Rng::seed_from_u64(seed));
        let mut world = World::new();
        world.params(|params| {
            params.most_rake_bps = rake;
            params.abort_keeps_blinds = keeps;
            params.abort_penalty = Coins(penalty);
            params.hand_gap = 1;
            params.timeout_forfeit_bps = if keeps { 500 } else { 0 };
        });
        world.tx(HOST, Tx::Create { terms: Terms { rake_bps: rake, ..terms() }, purse: Coins(1_000) }).unwrap();
        for player in 0..4 {
            world.sit(player, 500).unwrap();
        }
        let mut hands = 0;
        for _ in 0..400 {
            match dice.0.random_range(0..20) {
                0..=2 => drop(world.anything(&mut dice)),
                3..=13 => match hand(&world.store, 1) {
                    Some(_) if world.turn().is_some() => world.legal(&mut dice).unwrap(),
                    Some(_) => world.deal(),
                    None => {
                        if dealer::ready_deck(&world.store, 1).is_none() {
                            world.deck_is_ready(1);
                        }
                        world.next(1_000);
                    }
                },
                14 if dice.0.random_bool(0.2) => world.cx(|cx| dealer_failed(cx, 1)),
                15 if world.turn().is_some() => world.time_out(),
                _ => world.next(1_000),
            }
            let told = world.told();
            hands += told.iter().filter(|event| matches!(event, Event::HandCompleted { .. })).count();
            // What is stored can be read, and is the same state of play.
            if let Some(hand) = world.store.get(&HandOf(1)) {
                let read: Hand = borsh::from_slice(&borsh::to_vec(hand).unwrap()).unwrap();
                prop_assert_eq!(read.table().state_hash(), hand.table().state_hash());
            }
        }
        prop_assert!(hands > 0);
        // Everybody can leave, and nothing is left but the purse.
        world.cx(|cx| dealer_failed(cx, 1));
        for player in 0..12 {
            let _ = world.tx(player, Tx::Leave { table: 1 });
        }
        prop_assert_eq!(held(&world.store), Coins(1_000));
        world.tx(HOST, Tx::Close { table: 1 }).unwrap();
        prop_assert_eq!(held(&world.store), Coins::ZERO);
    }
}
