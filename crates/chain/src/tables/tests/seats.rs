use super::*;

#[test]
fn sitting_down_takes_buy_in_and_bond() {
    let mut world = World::with(terms());
    world.sit(4, 700).unwrap();
    let player = world.player(4);
    assert_eq!((player.address, player.stack, player.bond), (who(4), Coins(700), Coins(50)));
    assert_eq!(player.key, *secret(4).public().bytes());
    assert_eq!(world.balance(4), RICH.0 - 750);
    assert_eq!(world.status(4), Some(Status::Seated));
    assert_eq!(held(&world.store), Coins(1_750));
    let sat = Event::PlayerSat { table: 1, seat: 4, player: who(4), buy_in: Coins(700), bond: Coins(50) };
    assert_eq!(world.told().last(), Some(&sat));
}

#[test]
fn a_buy_in_out_of_range_is_refused() {
    let mut world = World::with(terms());
    let range = |got| Err(Refused::BuyIn { least: Coins(200), most: Coins(2_000), got: Coins(got) });
    assert_eq!(world.sit(1, 199), range(199));
    assert_eq!(world.sit(1, 2_001), range(2_001));
    assert_eq!(world.sit(1, u64::MAX), range(u64::MAX));
    world.sit(1, 200).unwrap();
    world.sit(2, 2_000).unwrap();
}

#[test]
fn whoever_cannot_pay_buy_in_and_bond_does_not_sit_down() {
    let mut world = World::with(Terms { max_buy_in: RICH, ..terms() });
    assert!(matches!(world.sit(1, RICH.0), Err(Refused::Bank(_))), "the bond is missing");
    world.sit(1, RICH.0 - 50).unwrap();
    assert_eq!(world.balance(1), 0);
}

#[test]
fn a_key_needs_a_proof_by_its_owner_for_this_table_and_address() {
    let mut world = World::with(terms());
    world.tx(HOST, Tx::Create { terms: terms(), purse: Coins::ZERO }).unwrap();
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let chain = world.now.chain;
    let prove = |chain, table, player: u8, rng: &mut ChaCha20Rng| -> [u8; 64] {
        let context = key_context(chain, table, &who(player));
        dealing::encode(&Knowledge::prove(&context, &secret(3), rng)).try_into().unwrap()
    };
    let key = *secret(3).public().bytes();
    let sit = |key, proof| Tx::Sit { table: 1, seat: None, buy_in: Coins(200), key, proof };
    for proof in [prove(&chain, 2, 3, rng), prove(&chain, 1, 4, rng), prove(&[1; 32], 1, 3, rng), [0; 64], [255; 64]] {
        assert_eq!(world.tx(3, sit(key, proof)), Err(Refused::Key));
    }
    let good = prove(&chain, 1, 3, rng);
    for key in [[0; 32], [255; 32], *secret(4).public().bytes()] {
        assert_eq!(world.tx(3, sit(key, good)), Err(Refused::Key));
    }
    assert_eq!(world.tx(4, sit(key, good)), Err(Refused::Key), "the proof of somebody else");
    assert_eq!(world.tx(3, sit(key, good)), Ok(()));
}

#[test]
fn players_choose_a_free_seat_or_get_the_first_after_the_big_blind() {
    let mut world = World::with(terms());
    world.sit_in(1, 5, Some(5), 200).unwrap();
    assert_eq!(world.sit_in(1, 6, Some(5), 200), Err(Refused::SeatTaken));
    assert_eq!(world.sit_in(1, 6, Some(9), 200), Err(Refused::NoSuchSeat));
    assert_eq!(world.sit_in(1, 6, Some(200), 200), Err(Refused::NoSuchSeat));
    assert_eq!(world.sit_in(1, 5, Some(6), 200), Err(Refused::AlreadySeated { seat: 5 }));
    world.sit_in(1, 6, None, 200).unwrap();
    assert_eq!(world.ring().seat_of(&who(6)), Some(seat(0)), "no hand has been played yet");
    world.begin();
    // Heads-up the button, seat 0, has the small blind.
    world.sit_in(1, 7, None, 200).unwrap();
    assert_eq!(world.ring().seat_of(&who(7)), Some(seat(6)));
    for player in [8, 9, 10, 11, 12, 13] {
        world.sit_in(1, player, None, 200).unwrap();
    }
    assert_eq!(world.ring().seat_of(&who(10)), Some(seat(1)), "clockwise past the last seat");
    assert_eq!(world.sit_in(1, 14, None, 200), Err(Refused::Full));
}

#[test]
fn leaving_between_hands_returns_chips_and_bond_at_once() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    assert_eq!(world.balance(0), RICH.0);
    assert_eq!(world.status(0), Some(Status::Left));
    assert_eq!(world.tx(0, Tx::Leave { table: 1 }), Err(Refused::NotSeated));
    assert_eq!(world.tx(0, Tx::Leave { table: 7 }), Err(Refused::NoSuchTable));
    // The seat is free again.
    world.sit_in(1, 8, Some(0), 200).unwrap();
    assert_eq!(world.status(0), Some(Status::Seated));
}

#[test]
fn whoever_is_in_a_hand_leaves_after_it_even_if_folded() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.tx(1, Tx::Leave { table: 1 }).unwrap();
    assert_eq!(world.turn(), Some(0));
    world.act(Action::Fold).unwrap();
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    assert_eq!((world.status(0), world.status(1)), (Some(Status::Folded), Some(Status::InHand)));
    assert_eq!((world.balance(0), world.balance(1)), (RICH.0 - 350, RICH.0 - 350));
    assert_eq!(world.sit_in(1, 9, Some(0), 200), Err(Refused::SeatTaken));
    world.act(Action::Fold).unwrap();
    assert_eq!((world.balance(0), world.balance(1)), (RICH.0, RICH.0 - 5));
    assert_eq!((world.status(0), world.status(1)), (Some(Status::Left), Some(Status::Left)));
    assert_eq!(world.stack(2), 305);
}

#[test]
fn whoever_is_not_in_the_hand_leaves_at_once() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin();
    world.sit(2, 300).unwrap();
    assert_eq!(world.status(2), Some(Status::Seated));
    world.tx(2, Tx::Leave { table: 1 }).unwrap();
    assert_eq!(world.balance(2), RICH.0);
}

#[test]
fn somebody_who_is_leaving_can_stay_after_all() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin_dealt();
    assert_eq!(world.tx(0, Tx::Return { table: 1 }), Err(Refused::NotOut));
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    world.tx(0, Tx::Return { table: 1 }).unwrap();
    world.act(Action::Fold).unwrap();
    assert_eq!(world.status(0), Some(Status::Seated));
}

#[test]
fn chips_bought_between_hands_count_at_once() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    assert_eq!(world.tx(0, Tx::Rebuy { table: 1, coins: Coins(0) }), Err(Refused::Nothing));
    assert_eq!(
        world.tx(0, Tx::Rebuy { table: 1, coins: Coins(1_701) }),
        Err(Refused::BuyIn { least: Coins(200), most: Coins(2_000), got: Coins(2_001) })
    );
    assert_eq!(world.tx(5, Tx::Rebuy { table: 1, coins: Coins(100) }), Err(Refused::NotSeated));
    world.tx(0, Tx::Rebuy { table: 1, coins: Coins(1_700) }).unwrap();
    assert_eq!(world.stack(0), 2_000);
}

#[test]
fn chips_bought_during_a_hand_count_after_it() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin_dealt();
    world.tx(0, Tx::Rebuy { table: 1, coins: Coins(1_000) }).unwrap();
    assert_eq!(world.stack(0), 295, "behind the small blind");
    assert_eq!(world.player(0).rebuy, Coins(1_000));
    let got = Err(Refused::BuyIn { least: Coins(200), most: Coins(2_000), got: Coins(2_001) });
    assert_eq!(world.tx(0, Tx::Rebuy { table: 1, coins: Coins(706) }), got);
    world.act(Action::Fold).unwrap();
    assert_eq!((world.stack(0), world.player(0).rebuy), (1_295, Coins::ZERO));
}

#[test]
fn what_does_not_fit_after_a_hand_goes_back_to_the_account() {
    let mut world = World::seated(&[(0, 1_000), (1, 1_000)]);
    world.begin_dealt();
    world.stack_deck(&[(0, "As Ah"), (1, "Ks Kh")], "2c 3d 7h 8s Jd");
    world.act(Action::AllIn).unwrap();
    world.tx(0, Tx::Rebuy { table: 1, coins: Coins(1_500) }).unwrap();
    world.act(Action::Call).unwrap();
    world.deal();
    world.deal();
    assert_eq!(world.stack(0), 2_000);
    assert_eq!(world.balance(0), RICH.0 - 1_050, "the rest of 1,500 came back");
    assert!(world.told().contains(&Event::ChipsReturned { table: 1, seat: 0, coins: Coins(1_500) }));
    // Who has lost everything can buy in again.
    assert_eq!(world.stack(1), 0);
    world.tx(1, Tx::Rebuy { table: 1, coins: Coins(200) }).unwrap();
    world.begin();
}

#[test]
fn a_table_takes_no_more_chips_than_those_who_deal_can_be_made_to_pay() {
    let mut world = World::with(terms());
    open_epoch(&mut world.store, Coins(1_000));
    world.supply = world.total();
    let most = dealer::most_chips(&world.store);
    assert!((1_000..1_400).contains(&most.0), "{most}");
    world.sit(0, 400).unwrap();
    world.sit(1, 400).unwrap();
    let too_many = |got| Err(Refused::TooManyChips { most, got: Coins(got) });
    assert_eq!(world.sit(2, 700), too_many(1_500));
    assert_eq!(world.tx(0, Tx::Rebuy { table: 1, coins: Coins(700) }), too_many(1_500));
    world.begin_dealt();
    assert_eq!(world.tx(0, Tx::Rebuy { table: 1, coins: Coins(700) }), too_many(1_500), "chips in the hand count");
    world.tx(0, Tx::Rebuy { table: 1, coins: Coins(150) }).unwrap();
    assert_eq!(world.sit(2, 600), too_many(1_550), "and those bought during it");
}

#[test]
fn no_hand_begins_with_more_chips_than_those_who_deal_can_be_made_to_pay() {
    let mut world = World::seated(&[(0, 2_000), (1, 2_000), (2, 200)]);
    open_epoch(&mut world.store, Coins(3_000));
    world.supply = world.total();
    let most = dealer::most_chips(&world.store);
    assert!((3_000..4_200).contains(&most.0), "{most}");
    world.deck_is_ready(1);
    for _ in 0..10 {
        world.next(1_000);
    }
    assert!(hand(&world.store, 1).is_none());
    world.tx(0, Tx::SitOut { table: 1 }).unwrap();
    world.next(1_000);
    assert!(hand(&world.store, 1).is_some(), "only what is in play can be lost");
}

#[test]
fn a_seat_that_sits_out_is_not_dealt_in_and_pays_no_blinds() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.tx(1, Tx::SitOut { table: 1 }).unwrap();
    assert_eq!(world.tx(1, Tx::SitOut { table: 1 }), Err(Refused::AlreadyOut));
    world.begin();
    assert_eq!(world.status(1), Some(Status::SitOut));
    assert_eq!(world.stack(1), 300);
    let (_, table) = hand(&world.store, 1).unwrap();
    assert!(!table.rules().live().contains(seat(1)));
    world.tx(1, Tx::Return { table: 1 }).unwrap();
    assert_eq!(world.status(1), Some(Status::Seated));
}

/// Plays hands in which everybody folds to the big blind.
fn fold_round(world: &mut World) {
    world.begin_dealt();
    while world.turn().is_some() {
        world.act(Action::Fold).unwrap();
    }
}

#[test]
fn a_seat_that_sits_out_for_ten_hands_is_given_up() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.tx(1, Tx::SitOut { table: 1 }).unwrap();
    for _ in 0..9 {
        fold_round(&mut world);
    }
    assert_eq!(world.status(1), Some(Status::SitOut));
    fold_round(&mut world);
    assert_eq!(world.status(1), Some(Status::Left));
    assert_eq!(world.balance(1), RICH.0);
    let left = Event::PlayerLeft { table: 1, seat: 1, player: who(1), coins: Coins(350), why: WhyGone::Idle };
    assert!(world.told().contains(&left));
}

#[test]
fn returning_starts_the_count_of_missed_hands_again() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    for _ in 0..2 {
        world.tx(1, Tx::SitOut { table: 1 }).unwrap();
        for _ in 0..9 {
            fold_round(&mut world);
        }
        world.tx(1, Tx::Return { table: 1 }).unwrap();
        fold_round(&mut world);
        assert_eq!(world.player(1).idle, 0);
    }
}

#[test]
fn a_bond_can_be_topped_up_to_what_the_table_asks_for() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    let too_large = Err(Refused::BondTooLarge { most: Coins(50), got: Coins(51) });
    assert_eq!(world.tx(0, Tx::TopUpBond { table: 1, coins: Coins(1) }), too_large);
    world.begin_dealt();
    world.time_out();
    assert_eq!(world.player(0).bond, Coins(40));
    assert_eq!(world.tx(0, Tx::TopUpBond { table: 1, coins: Coins(0) }), Err(Refused::Nothing));
    world.tx(0, Tx::TopUpBond { table: 1, coins: Coins(10) }).unwrap();
    assert_eq!(world.player(0).bond, Coins(50));
}

#[test]
fn tables_with_two_players_who_want_cards_need_decks() {
    let mut world = World::seated(&[(0, 300)]);
    assert_eq!(in_use(&world.store), [0; 0]);
    world.sit(1, 300).unwrap();
    assert_eq!(in_use(&world.store), [1]);
    world.begin_dealt();
    assert_eq!(in_use(&world.store), [1], "for the hand after this one");
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    assert_eq!(in_use(&world.store), [0; 0]);
    world.tx(0, Tx::Return { table: 1 }).unwrap();
    world.tx(1, Tx::SitOut { table: 1 }).unwrap();
    assert_eq!(in_use(&world.store), [0; 0]);
}
