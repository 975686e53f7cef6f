//! Hands as online rooms leave them: unlimited stacks, mucked cards, rake, posts of players who come back.

#![expect(clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]

use games::holdem::phh::{self, Awaited, FromRecord, PhhHand, Player, Reason, Replayed};
use table::Chips;

/// A hand in the form in which big collections have them, amounts in cents or whole.
fn text(blinds: &str, stacks: &str, actions: &[&str], more: &str) -> String {
    let players = stacks.split(',').count();
    let antes = vec!["0"; players].join(", ");
    let min_bet = blinds.split(',').nth(1).unwrap().trim();
    let known = |player: usize| actions.iter().any(|action| action.starts_with(&format!("d dh p{player} ")));
    let deals = (1..=players).filter(|player| !known(*player)).map(|player| format!("d dh p{player} ????"));
    let actions: Vec<String> =
        deals.chain(actions.iter().map(ToString::to_string)).map(|line| format!("'{line}'")).collect();
    format!(
        "variant = 'NT'\nante_trimming_status = false\nantes = [{antes}]\nblinds_or_straddles = [{blinds}]\n\
         min_bet = {min_bet}\nstarting_stacks = [{stacks}]\nactions = [{}]\nvenue = 'A Room'\nhand = 7\n{more}\n",
        actions.join(", ")
    )
}

fn decoded(text: &str) -> PhhHand {
    phh::decode(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn replayed(text: &str) -> Replayed {
    let hand = decoded(text);
    let replayed = phh::replay(&hand).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(replayed.differs, None, "{text}");
    assert_eq!(replayed.net.iter().copied().sum::<Chips>(), Chips::ZERO);
    through_a_record(&hand, &replayed);
    replayed
}

/// As a record and as a file again the hand comes out the same.
fn through_a_record(hand: &PhhHand, replayed: &Replayed) {
    let mut reader = FromRecord::new();
    let record = phh::to_record(hand).unwrap();
    let read = record.lines().find_map(|line| reader.line(line).unwrap()).expect("a record of one hand");
    let again = decoded(&phh::encode(&read));
    assert_eq!(again.unlimited, hand.unlimited);
    let result = phh::replay(&again).unwrap();
    assert_eq!((&result.net, &result.mucked), (&replayed.net, &replayed.mucked));
}

fn net(text: &str) -> Vec<i64> {
    replayed(text).net.iter().map(|chips| chips.0).collect()
}

const CALLED: [&str; 12] = [
    "p3 f",
    "p1 cbr 6",
    "p2 cc",
    "d db 2c7d9h",
    "p1 cbr 8",
    "p2 cc",
    "d db Jc",
    "p1 cc",
    "p2 cc",
    "d db Qc",
    "p1 cc",
    "p2 cc",
];

#[test]
fn nobody_runs_out_of_an_unlimited_stack() {
    let folded = text("0.50, 1, 0", "inf, inf, inf", &["p3 cbr 3.50", "p1 f", "p2 f"], "");
    assert_eq!(net(&folded), [-50, -100, 150]);
    let large = text("0.50, 1, 0", "inf, inf, inf", &["p3 cbr 900", "p1 cbr 5000", "p2 f", "p3 f"], "");
    assert_eq!(net(&large), [90_100, -100, -90_000]);
    let hand = decoded(&folded);
    assert_eq!(hand.unlimited, [0, 1, 2].map(Player));
    assert!(phh::encode(&hand).contains("starting_stacks = [inf, inf, inf]"));
    // One may know a stack and not the others.
    let short = text(
        "1, 2, 0",
        "inf, 10, +inf",
        &["p3 cbr 40", "p1 f", "p2 cc", "d db 2c7d9h", "d db Jc", "d db Qc", "p3 sm AhAd", "p2 sm ????"],
        "",
    );
    assert_eq!(net(&short), [-1, -10, 11]);
    let more = text("1, 2, 0", "inf, 10, inf", &["p3 cc", "p1 f", "p2 cbr 11"], "");
    assert!(matches!(phh::replay(&decoded(&more)).unwrap_err().reason, Reason::Illegal { .. }));
}

#[test]
fn who_is_passed_over_with_an_unlimited_stack_was_all_in() {
    let lines = [
        "d dh p1 8hKd",
        "d dh p3 7sQs",
        "p3 cbr 4",
        "p1 cc",
        "p2 f",
        "d db KsQd5s",
        "p1 cc",
        "p3 cbr 6",
        "p1 cbr 27",
        "p3 cc",
    ];
    let all_in = |rest: &[&str]| text("1, 2, 0", "inf, inf, inf", &[&lines[..], rest].concat(), "");
    assert_eq!(net(&all_in(&["d db 4d", "d db 9h"])), [33, -2, -31]);
    // A player who goes on to check was not all-in, and the end of the hand is missing.
    let why = phh::replay(&decoded(&all_in(&["d db 4d", "p1 cc", "p3 cc", "d db 9h"]))).unwrap_err();
    assert_eq!(why.reason, Reason::Unfinished(Awaited::Turn(Player(0))));
    // Who raises by less than is allowed, and acts no more, was all-in with that.
    let short = [
        "d dh p1 AhAd",
        "d dh p3 KhKd",
        "p3 cbr 40",
        "p1 cbr 50",
        "p2 f",
        "p3 cc",
        "d db 2c7d9h",
        "d db Jc",
        "d db 3c",
    ];
    assert_eq!(net(&text("1, 2, 0", "inf, inf, inf", &short, "")), [52, -2, -50]);
    let why = phh::replay(&decoded(&text("1, 2, 0", "500, 500, 500", &short, ""))).unwrap_err();
    assert!(matches!(why.reason, Reason::Illegal { .. }), "{why}");
    // Of three, two go on with a side pot.
    let three = ["d dh p1 AhAd", "d dh p2 KhKd", "d dh p3 QhQd", "p3 cbr 10", "p1 cc", "p2 cc", "d db 2c7d9h"];
    let side = [&three[..], &["p2 cbr 20", "p3 cc", "d db Jc", "d db 3c"]].concat();
    assert_eq!(net(&text("1, 2, 0", "inf, inf, inf", &side, "")), [20, 10, -30]);
    // But who is passed over and acts later is missing an action.
    let missing = [&three[..], &["p2 cbr 20", "p3 cc", "d db Jc", "p1 cc", "p2 cc", "p3 cc"]].concat();
    let why = phh::replay(&decoded(&text("1, 2, 0", "inf, inf, inf", &missing, ""))).unwrap_err();
    assert_eq!(why.reason, Reason::NotAwaited(Awaited::Turn(Player(0))));
    // And who has put nothing in cannot be all-in.
    let why = phh::replay(&decoded(&text("1, 2, 0", "inf, inf, inf", &["p1 f", "p2 f"], ""))).unwrap_err();
    assert_eq!(why.reason, Reason::NotAwaited(Awaited::Turn(Player(2))));
    // A stack that is known leaves no doubt.
    let why =
        phh::replay(&decoded(&all_in(&["d db 4d", "d db 9h"]).replace("inf, inf, inf", "500, 500, 500"))).unwrap_err();
    assert_eq!(why.reason, Reason::NotAwaited(Awaited::Turn(Player(0))));
}

#[test]
fn a_loser_may_muck_cards_that_nobody_knows() {
    let ending = |shows: &[&str]| replayed(&text("1, 2, 0", "100, 100, 100", &[&CALLED[..], shows].concat(), ""));
    let chips = |replayed: &Replayed| replayed.stacks.iter().map(|chips| chips.0).collect::<Vec<_>>();
    for shows in
        [["p1 sm AhAd", "p2 sm ????"], ["p2 sm ????", "p1 sm AhAd"], ["p1 sm AhAd", "p2 sm"], ["p1 sm AhAd", "p2 sm -"]]
    {
        let ending = ending(&shows);
        assert_eq!(chips(&ending), [114, 86, 100], "{shows:?}");
        assert_eq!(ending.mucked, [Player(1)]);
    }
    // The same if nothing is said, or if the winner's cards are known from the deal.
    let said = ending(&["p1 sm AhAd"]);
    assert_eq!((chips(&said), said.mucked), (vec![114, 86, 100], vec![Player(1)]));
    let dealt = [&["d dh p2 AhAd"][..], &CALLED[..], &["p2 sm ????", "p1 sm ????"]].concat();
    let dealt = replayed(&text("1, 2, 0", "100, 100, 100", &dealt, ""));
    assert_eq!((chips(&dealt), dealt.mucked), (vec![86, 114, 100], vec![Player(0)]));
    // Cards that are known are compared, mucked or not.
    let both = ending(&["p1 sm AhAd", "p2 sm 9c9d"]);
    assert_eq!((chips(&both), both.mucked), (vec![86, 114, 100], Vec::new()));
}

#[test]
fn winnings_tell_who_has_won_if_nobody_has_shown() {
    let ending =
        |more: &str| text("1, 2, 0", "100, 100, 100", &[&CALLED[..], &["p1 sm ????", "p2 sm ????"]].concat(), more);
    let told = replayed(&ending("winnings = [0, 27, 0]"));
    assert_eq!((told.net.as_slice(), told.rake), ([-14, 14, 0].map(Chips).as_slice(), Some(Chips(1))));
    assert_eq!(told.mucked, [Player(0)]);
    for more in ["", "winnings = [0, 0, 0]", "winnings = [14, 14, 0]", "winnings = 7", "winnings = [28]"] {
        let why = phh::replay(&decoded(&ending(more))).unwrap_err();
        assert!(matches!(why.reason, Reason::UnknownAtShowdown(_)), "{more}: {why}");
    }
}

#[test]
fn all_in_with_cards_shown_only_at_the_end() {
    let actions = [
        "p3 f",
        "p1 cbr 50",
        "p2 cc",
        "p1 sm ????",
        "p2 sm ????",
        "d db Ks2hTc",
        "p1 sm ????",
        "p2 sm ????",
        "d db 2c",
        "p1 sm ????",
        "p2 sm ????",
        "d db 3h",
    ];
    let ending = |shows: &[&str]| replayed(&text("1, 2, 0", "50, 80, 90", &[&actions[..], shows].concat(), ""));
    assert_eq!(ending(&["p1 sm 9h9c", "p2 sm JsJd"]).stacks, [0, 130, 90].map(Chips));
    let mucked = ending(&["p1 sm 9h9c", "p2 sm ????"]);
    assert_eq!((mucked.stacks, mucked.mucked), ([100, 30, 90].map(Chips).to_vec(), vec![Player(1)]));
}

#[test]
fn rake_is_told_by_the_stacks_at_the_end() {
    let shows = [&CALLED[..], &["p1 sm AhAd", "p2 sm 8h8d"]].concat();
    let raked = |more: &str| phh::replay(&decoded(&text("1, 2, 0", "100, 100, 100", &shows, more))).unwrap();
    let fair = raked("finishing_stacks = [112.50, 86, 100]");
    assert_eq!((fair.rake, fair.differs), (Some(Chips(150)), None));
    assert_eq!(fair.stacks, [11_400, 8_600, 10_000].map(Chips), "the rules know no rake");
    assert_eq!(raked("finishing_stacks = [114, 86, 100]").rake, Some(Chips::ZERO));
    assert_eq!(raked("").rake, None);
    // A loser is charged nothing, nobody gets more, and a house takes no third of a pot.
    for more in
        ["[114, 85, 100]", "[114, 86, 99]", "[115, 86, 100]", "[113, 87, 100]", "[104, 86, 100]", "[86, 114, 100]"]
    {
        let wrong = raked(&format!("finishing_stacks = {more}"));
        assert!(matches!(wrong.differs, Some(Reason::OtherStacks { .. })), "{more}");
        assert_eq!(wrong.rake, None);
    }
    let why = raked("finishing_stacks = [115, 86, 100]").differs.unwrap().to_string();
    assert_eq!(why, "the stacks at the end are 114, 86, 100, not 115, 86, 100 as recorded");
}

#[test]
fn rake_is_told_by_winnings_with_or_without_what_nobody_called() {
    let shows = [&CALLED[..], &["p1 sm AhAd", "p2 sm ????"]].concat();
    let raked =
        |actions: &[&str], more: &str| phh::replay(&decoded(&text("1, 2, 0", "100, 100, 100", actions, more))).unwrap();
    assert_eq!(raked(&shows, "winnings = [26.60, 0, 0]").rake, Some(Chips(14)));
    assert_eq!(raked(&shows, "winnings = [28, 0, 0]").rake, Some(Chips::ZERO));
    // Many files have zeros where they do not know; a share that is missing is no rake.
    assert_eq!(raked(&shows, "winnings = [0, 0, 0]").rake, None);
    assert_eq!(raked(&shows, "winnings = [14, 0, 0]").rake, None);
    for more in ["[0, 26.6, 0]", "[29, 0, 0]", "[26, 1, 0]"] {
        let wrong = raked(&shows, &format!("winnings = {more}"));
        assert!(matches!(wrong.differs, Some(Reason::OtherWinnings { .. })), "{more}");
    }
    let folded = ["p3 cbr 7", "p1 f", "p2 f"];
    assert_eq!(raked(&folded, "winnings = [0, 0, 5]").rake, Some(Chips::ZERO));
    assert_eq!(raked(&folded, "winnings = [0, 0, 10]").rake, Some(Chips::ZERO));
    assert_eq!(raked(&folded, "winnings = [0, 0, 9]").rake, Some(Chips(1)));
    assert!(raked(&folded, "winnings = [0, 0, 11]").differs.is_some());
    // The loser of an all-in gets back what was not called.
    let all_in = ["d dh p1 9h9c", "d dh p2 JsJd", "p3 f", "p1 cbr 100", "p2 cc", "d db Ks2hTc", "d db 2c", "d db 3h"];
    let all_in = phh::replay(&decoded(&text("1, 2, 0", "100, 60, 90", &all_in, "winnings = [40, 118, 0]"))).unwrap();
    assert_eq!((all_in.rake, all_in.differs), (Some(Chips(2)), None));
}

#[test]
fn a_missed_small_blind_is_dead_money() {
    let lines = ["p3 cc", "p4 f", "p1 f", "p2 cc", "d db JhQsKc", "p2 cc", "p3 cbr 11", "p2 f"];
    let posted = |post: &str, more: &str| {
        phh::replay(&decoded(&text(&format!("5, 10, {post}, 0"), "500, 500, 500, 500", &lines, more))).unwrap()
    };
    // 5 from the small blind, 10 and 15: the 5 posted does not count towards the call.
    let dead = posted("-5", "finishing_stacks = [495, 490, 515, 500]");
    assert_eq!((dead.differs, dead.rake), (None, Some(Chips::ZERO)));
    // A file that counts it as part of the call is read so, too.
    let alive = posted("-5", "winnings = [0, 0, 25, 0]");
    assert_eq!((alive.differs, alive.rake), (None, Some(Chips::ZERO)));
    // A whole big blind is a bet; what is posted besides is not.
    assert_eq!(posted("-10", "finishing_stacks = [495, 490, 515, 500]").differs, None);
    let both = posted("-15", "winnings = [0, 0, 30, 0]");
    assert_eq!((both.differs, both.rake, both.net[2]), (None, Some(Chips::ZERO), Chips(15)));
    let raised = ["p3 cbr 20", "p4 f", "p1 f", "p2 f"];
    let raised = phh::replay(&decoded(&text("5, 10, -15, 0", "500, 500, 500, 500", &raised, ""))).unwrap();
    assert_eq!(raised.net, [-5, -10, 15, 0].map(Chips));
}

/// Hands that this program played itself, put into the shapes of online rooms.
mod own {
    use super::*;
    use dealers::{Local, Recording, play_deal};
    use games::holdem::phh::Play;
    use games::holdem::{Deal, Holdem, Settings};
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;
    use table::record::{FORMAT, Header};
    use table::{Draw as _, Game as _, Height, Known, Moves as _, Rules as _, Seat, Table};

    /// A hand of random players, all of whose cards are known. All have the same stack, so there is one pot.
    fn simulated(seed: u64, rng: &mut ChaCha8Rng) -> PhhHand {
        let players = 2 + u8::try_from(seed % 8).unwrap();
        let setup = Holdem::sample(&Settings::default(), players, seed).unwrap();
        let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut dealer = Local::new(bytes);
        let mut log = Recording::default();
        log.0.header(Header {
            format: FORMAT,
            game: Holdem::NAME.to_owned(),
            players,
            id: None,
            settings: None,
            names: Vec::new(),
            dealer: "local".to_owned(),
            extra: std::collections::BTreeMap::new(),
        });
        log.0.deal::<Deal>(1, &setup);
        let mut pick = |table: &Table<Deal>, seat: Seat, known: Known<'_>| table.rules().moves(known, seat).pick(rng);
        play_deal(&mut table, &mut dealer, &mut pick, &mut log).unwrap();
        log.0.end(&table, None);
        let (mut reader, text) = (FromRecord::new(), log.0.take());
        text.lines().find_map(|line| reader.line(line).unwrap()).unwrap()
    }

    fn unknown(play: &mut Play, of: impl Fn(Player) -> bool) {
        if let Play::Hole(player, cards) | Play::Show(player, cards) = play
            && of(*player)
        {
            cards.fill(None);
        }
    }

    #[test]
    fn hands_of_our_own_replay_in_every_shape() {
        let (mut raked, mut mucked, mut all) = (0, 0, 0);
        for seed in 0..u64::from(dealers::laws::times(3_000, 60_000)) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let hand = simulated(seed, &mut rng);
            let before = phh::replay(&hand).unwrap();
            let won: Vec<Chips> = before.net.clone();
            let mut shaped = hand.clone();
            shaped.fields.remove("_fairdeal");
            // Losers' cards are never seen.
            let loses = |player: Player| won[usize::from(player.0)] < Chips::ZERO;
            let showdown = before.outcome.ending == "showdown";
            if rng.one_in(2) {
                shaped.lines.iter_mut().for_each(|line| unknown(&mut line.play, loses));
            }
            // The house takes a twentieth of what was won, from the largest winner.
            let winner = (0..won.len()).max_by_key(|player| won[*player]).unwrap();
            let rake = Chips(won[winner].0 / 20);
            let mut stacks = before.stacks.clone();
            stacks[winner] -= rake;
            shaped.finishing_stacks = Some(stacks);
            let unlimited = rng.one_in(3);
            if unlimited {
                shaped.unlimited = (0..).map(Player).take(won.len()).collect();
                shaped.finishing_stacks = None;
            }
            let text = phh::encode(&shaped);
            let shaped = decoded(&text);
            let after = phh::replay(&shaped).unwrap_or_else(|why| panic!("{why}\n{text}"));
            assert_eq!(after.differs, None, "{text}");
            if unlimited {
                assert_eq!(after.net, before.net, "{text}");
            } else {
                assert_eq!((&after.stacks, after.rake), (&before.stacks, Some(rake)), "{text}");
            }
            assert!(after.mucked.iter().all(|player| loses(*player)));
            assert!(showdown || after.mucked.is_empty());
            raked += u32::from(rake > Chips::ZERO);
            mucked += u32::from(!after.mucked.is_empty());
            all += 1;
        }
        assert!(raked > all / 4 && mucked > all / 20, "{raked} raked and {mucked} mucked of {all}");
    }
}
