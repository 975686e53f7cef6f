//! A folder between two stations: a stick that is carried, a folder that is shared.

use super::{Home, body, complete, files, signed};

#[test]
fn a_stick_that_is_carried_back_and_forth_brings_two_stations_together() {
    let stick = tempfile::tempdir().unwrap();
    let with = stick.path().to_str().unwrap();
    let (one, two) = (Home::station(), Home::station());
    one.import(&[&complete(1, &[1, 2]), &signed(&body(2, &[1, 3]), &[1, 3], &[0])]);
    two.import(&[&complete(3, &[2, 3]), &signed(&body(2, &[1, 3]), &[1, 3], &[1])]);
    assert_eq!(one.sync(with)["sent"], 2);
    let second = two.sync(with);
    assert_eq!((&second["new"], &second["completed"], &second["sent"]), (&1.into(), &1.into(), &2.into()), "{second}");
    let back = one.sync(with);
    assert_eq!((&back["new"], &back["completed"], &back["sent"]), (&1.into(), &1.into(), &0.into()), "{back}");
    assert_eq!(files(&one.data()), files(&two.data()));
    assert_eq!(files(&one.data()), files(stick.path()));
    assert_eq!(one.states(), ["complete"; 3]);
    assert_eq!(one.board(), two.board());
    let boards = std::fs::read_dir(stick.path().join("collections/card_games/leaderboards")).unwrap().count();
    assert_eq!(boards, 2, "each station's own");
}

#[test]
fn whatever_lies_in_a_folder_harms_nobody() {
    let stick = tempfile::tempdir().unwrap();
    let results = stick.path().join("collections/card_games/results/poker");
    std::fs::create_dir_all(&results).unwrap();
    std::fs::write(results.join("nonsense.txt"), "nonsense").unwrap();
    std::fs::write(results.join("large.txt"), vec![b'x'; 5 << 20]).unwrap();
    std::fs::write(results.join("cut.txt"), &complete(1, &[1, 2]).text()[..300]).unwrap();
    std::fs::create_dir(results.join("folder.txt")).unwrap();
    #[cfg(unix)]
    assert!(std::process::Command::new("mkfifo").arg(results.join("pipe.txt")).status().unwrap().success());
    std::fs::write(results.join("other name.txt"), complete(2, &[1, 2]).text()).unwrap();
    let station = Home::station();
    let synced = station.run(&["station", "sync", stick.path().to_str().unwrap(), "--json"]);
    assert_eq!(synced.code, Some(0), "{}", synced.err);
    let said: serde_json::Value = serde_json::from_str(&synced.out).unwrap();
    assert_eq!((&said["new"], &said["refused"]), (&1.into(), &3.into()), "{said}");
    let names: Vec<_> = said["reasons"].as_array().unwrap().iter().map(|reason| reason["name"].as_str()).collect();
    let place = "collections/card_games/results/poker";
    let expected = ["cut", "large", "nonsense"].map(|name| format!("{place}/{name}.txt"));
    assert_eq!(names, expected.each_ref().map(|name| Some(name.as_str())), "{said}");
    assert!(synced.err.contains("3 results were not taken") && synced.err.contains("nonsense.txt: "), "{}", synced.err);
    for number in 0..9 {
        std::fs::write(results.join(format!("nonsense {number}.txt")), "nonsense").unwrap();
    }
    let again = station.run(&["station", "sync", stick.path().to_str().unwrap()]);
    assert!(again.err.contains("12 results were not taken") && again.err.contains("and 7 more"), "{}", again.err);
    assert_eq!(station.states(), ["complete"]);
}
