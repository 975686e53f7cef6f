use super::*;

#[test]
fn a_table_is_created_with_terms_that_never_change() {
    let mut world = World::new();
    world.tx(HOST, Tx::Create { terms: terms(), purse: Coins(500) }).unwrap();
    world.tx(1, Tx::Create { terms: terms(), purse: Coins::ZERO }).unwrap();
    let ring = world.ring();
    assert_eq!((&ring.terms, ring.creator, ring.purse), (&terms(), who(HOST), Coins(500)));
    assert_eq!(world.store.get(&RingOf(2)).unwrap().creator, who(1));
    assert_eq!(world.balance(HOST), RICH.0 - 1_500);
    assert_eq!(world.treasury(), 2_000);
    assert_eq!(world.told()[0], Event::TableCreated { table: 1, creator: who(HOST) });
}

#[test]
fn terms_out_of_range_are_refused() {
    let refused = |why, change: &dyn Fn(&mut Terms)| {
        let mut terms = terms();
        change(&mut terms);
        let result = World::new().tx(HOST, Tx::Create { terms, purse: Coins::ZERO });
        assert_eq!(result, Err(Refused::Terms(why)));
    };
    for players in [0, 2, 8, 10, 255] {
        refused(BadTerms::MaxPlayers, &|terms| terms.max_players = players);
    }
    refused(BadTerms::Label, &|terms| terms.label = "x".repeat(65));
    refused(BadTerms::SmallBlind, &|terms| terms.small_blind = Coins(0));
    refused(BadTerms::SmallBlind, &|terms| terms.small_blind = Coins(11));
    refused(BadTerms::BigBlind, &|terms| terms.big_blind = Coins(201));
    refused(BadTerms::MinBuyIn, &|terms| terms.min_buy_in = Coins(2_001));
    refused(BadTerms::MaxBuyIn, &|terms| terms.max_buy_in = Coins(Coins::MOST.0 + 1));
    refused(BadTerms::PlayerBond, &|terms| terms.player_bond = Coins(9));
    refused(BadTerms::PlayerBond, &|terms| terms.player_bond = Coins(u64::MAX));
    for secs in [0, 4, 601] {
        refused(BadTerms::ActionTimeout, &|terms| terms.action_timeout_secs = secs);
    }
    for secs in [9, 1_801] {
        refused(BadTerms::DealerTimeout, &|terms| terms.dealer_timeout_secs = secs);
    }
    assert_eq!(BadTerms::ActionTimeout.to_string(), "the time for an action must be from 5 to 600 seconds");
}

#[test]
fn rake_needs_a_decision_of_governance() {
    let raked = Terms { rake_bps: 250, ..terms() };
    let create = Tx::Create { terms: raked, purse: Coins::ZERO };
    let mut world = World::new();
    assert_eq!(world.tx(HOST, create.clone()), Err(Refused::Terms(BadTerms::Rake { most: 0 })));
    world.params(|params| params.most_rake_bps = 249);
    assert_eq!(world.tx(HOST, create.clone()), Err(Refused::Terms(BadTerms::Rake { most: 249 })));
    world.params(|params| params.most_rake_bps = 250);
    assert_eq!(world.tx(HOST, create), Ok(()));
}

#[test]
fn anybody_may_fill_the_purse_and_decks_are_paid_from_it() {
    let mut world = World::with(terms());
    assert_eq!(world.tx(3, Tx::Fund { table: 2, coins: Coins(5) }), Err(Refused::NoSuchTable));
    assert_eq!(world.tx(3, Tx::Fund { table: 1, coins: Coins(0) }), Err(Refused::Nothing));
    world.tx(3, Tx::Fund { table: 1, coins: Coins(500) }).unwrap();
    assert_eq!(world.ring().purse, Coins(1_500));

    // The dealer keeps what it is paid; here the treasury stands for it, so that nothing is lost.
    let pay = |world: &mut World, coins| {
        world.cx(|cx| {
            let paid = pay_for_deck(cx, 1, Coins(coins));
            if paid {
                bank::credit(cx, bank::TREASURY, Coins(coins));
            }
            paid
        })
    };
    assert!(pay(&mut world, 1_400));
    assert!(!pay(&mut world, 101));
    assert!(pay(&mut world, 100));
    assert!(!pay(&mut world, 1));
    world.cx(|cx| {
        bank::debit(cx, bank::TREASURY, Coins(70)).unwrap();
        refund_deck(cx, 1, Coins(70));
    });
    assert_eq!(world.ring().purse, Coins(70));
}

#[test]
fn an_empty_table_is_closed_by_its_creator_who_gets_the_rest_of_the_purse() {
    let mut world = World::seated(&[(0, 200)]);
    assert_eq!(world.tx(0, Tx::Close { table: 1 }), Err(Refused::NotCreator));
    assert_eq!(world.tx(HOST, Tx::Close { table: 1 }), Err(Refused::NotEmpty));
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    world.tx(HOST, Tx::Close { table: 1 }).unwrap();
    assert_eq!(world.balance(HOST), RICH.0 - 1_000, "only the fee is gone");
    assert_eq!(world.tx(HOST, Tx::Close { table: 1 }), Err(Refused::NoSuchTable));
    // What the dealer gives back later is not lost.
    world.cx(|cx| {
        bank::debit(cx, who(7), Coins(70)).unwrap();
        refund_deck(cx, 1, Coins(70));
    });
    assert_eq!(world.treasury(), 1_070);
    // Numbers are not used again.
    world.tx(HOST, Tx::Create { terms: terms(), purse: Coins::ZERO }).unwrap();
    assert!(world.store.get(&RingOf(1)).is_none() && world.store.get(&RingOf(2)).is_some());
}

#[test]
fn the_dealer_is_told_how_long_it_has() {
    let world = World::with(Terms { dealer_timeout_secs: 90, ..terms() });
    assert_eq!(dealer_timeout(&world.store, 1), 90_000);
    assert_eq!(dealer_timeout(&world.store, 2), 60_000);
}
