//! Who sits where, from what was typed.

use std::ops::{Index, IndexMut};

use bots::Kind;
use table::{Game, Seat};

use crate::sim;

/// Somebody at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// A person in front of this screen.
    Person(String),
    /// A computer in this program.
    Computer(Kind),
    /// A program that is started with this command.
    Program(String),
}

/// The longest name that fits everywhere.
const LONGEST_NAME: usize = 16;

impl Occupant {
    /// From what was typed after `N=`, or was written in a record.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix("human:") {
            return name_of(name).map(Self::Person);
        }
        if let Some(command) = text.strip_prefix("cmd:").filter(|command| !command.trim().is_empty()) {
            return Ok(Self::Program(command.to_owned()));
        }
        let expected = || format!("it must be human:NAME, cmd:'COMMAND' or {}", Kind::WORDS.join(", "));
        Kind::from_name(text).map(Self::Computer).ok_or_else(expected)
    }

    /// As it is typed and written in a record.
    pub fn text(&self) -> String {
        match self {
            Self::Person(name) => format!("human:{name}"),
            Self::Computer(kind) => sim::bot_name(*kind),
            Self::Program(command) => format!("cmd:{command}"),
        }
    }

    /// Is it a person?
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person(_))
    }
}

/// A name that cannot steer a terminal and fits.
pub fn name_of(text: &str) -> Result<String, String> {
    let name = text.trim();
    let long = name.chars().count();
    if name.is_empty() || long > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(format!("a name must have 1 to {LONGEST_NAME} characters"));
    }
    Ok(name.to_owned())
}

/// Names for computers; people at the table cannot mistake them for one another.
const NAMES: [&str; 12] =
    ["Ada", "Blaise", "Carl", "Dora", "Emmy", "Felix", "Grace", "Henri", "Ida", "Jakob", "Kurt", "Leonhard"];

/// What was typed about seats.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// `--players`.
    pub players: Option<u8>,
    /// `--bots`.
    pub bots: Kind,
    /// `--seat`, each `N=WHO`.
    pub seats: &'a [String],
    /// `--name`.
    pub name: Option<&'a str>,
}

/// Who sits where: one person and computers, unless the options say something else.
pub fn occupants<G: Game>(asked: &Asked<'_>) -> Result<Vec<Occupant>, String> {
    let mut said: Vec<(u8, Occupant)> = Vec::new();
    for text in asked.seats {
        let wrong = |why: &str| format!("--seat {text}: {why}");
        let (number, who) = text.split_once('=').ok_or_else(|| wrong("expected NUMBER=WHO, as in 2=human:Anna"))?;
        let most = *G::PLAYERS.end();
        let number: u8 = number
            .trim()
            .parse()
            .ok()
            .filter(|n| (1..=most).contains(n))
            .ok_or_else(|| wrong(&format!("the seat must be from 1 to {most} in {}", G::NAME)))?;
        if said.iter().any(|(other, _)| *other == number) {
            return Err(wrong("this seat is already taken"));
        }
        said.push((number, Occupant::parse(who.trim()).map_err(|why| wrong(&why))?));
    }
    let highest = said.iter().map(|(number, _)| *number).max().unwrap_or(0);
    let least = *G::PLAYERS.start();
    // Two people who say where they sit want to play with each other, not with computers, too.
    let all_said = usize::from(highest) == said.len() && highest >= least;
    let usual = if all_said { highest } else { sim::default_players::<G>().max(highest) };
    let players = asked.players.unwrap_or(usual);
    G::check_players(players).map_err(|bad| format!("--players {players}: {bad} in {}", G::NAME))?;
    if highest > players {
        return Err(format!("--seat {highest}=…: there are only {players} players"));
    }
    let person =
        asked.name.map_or(Ok("You".to_owned()), |name| name_of(name).map_err(|why| format!("--name: {why}")))?;
    // The first free seat is for the person who started the program, unless people are seated already.
    let somebody = said.iter().any(|(_, who)| who.is_person());
    let mut seated = false;
    let seats = (1..=players).map(|number| match said.iter().find(|(seat, _)| *seat == number) {
        Some((_, occupant)) => occupant.clone(),
        None if !somebody && !seated => {
            seated = true;
            Occupant::Person(person.clone())
        }
        None => Occupant::Computer(asked.bots),
    });
    Ok(seats.collect())
}

/// What everybody is called: no two the same.
pub fn names(occupants: &[Occupant]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut spare = NAMES.iter();
    for occupant in occupants {
        let wanted = match occupant {
            Occupant::Person(name) => Some(name.clone()),
            Occupant::Computer(_) => None,
            Occupant::Program(_) => Some("Program".to_owned()),
        };
        let people = |name: &str| occupants.iter().any(|other| matches!(other, Occupant::Person(p) if p == name));
        let name = wanted.or_else(|| spare.find(|name| !people(name)).map(|name| (*name).to_owned()));
        let mut name = name.unwrap_or_else(|| "Computer".to_owned());
        let plain = name.clone();
        for n in 2.. {
            if !names.contains(&name) {
                break;
            }
            name = format!("{plain} {n}");
        }
        names.push(name);
    }
    names
}

/// Something of every seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BySeat<T>(Vec<T>);

impl<T> BySeat<T> {
    /// From a list in the order of the seats.
    pub const fn new(list: Vec<T>) -> Self {
        Self(list)
    }

    /// How many seats there are.
    pub fn players(&self) -> u8 {
        u8::try_from(self.0.len()).unwrap_or(u8::MAX)
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// With their seats, to be changed.
    pub fn seats_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        (0..).map_while(Seat::new).zip(&mut self.0)
    }

    /// With their seats.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &T)> {
        (0..).map_while(Seat::new).zip(&self.0)
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        self.0.get(usize::from(seat.index())).expect("a table names its own seats only")
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        self.0.get_mut(usize::from(seat.index())).expect("a table names its own seats only")
    }
}

#[cfg(test)]
mod tests {
    use games::types::{Blackout, Holdem, Romme};

    use super::*;

    fn of<G: Game>(players: Option<u8>, seats: &[&str]) -> Result<Vec<String>, String> {
        let seats: Vec<String> = seats.iter().map(|s| (*s).to_owned()).collect();
        let asked = Asked { players, bots: Kind::Hard, seats: &seats, name: Some("Eva") };
        occupants::<G>(&asked).map(|all| all.iter().map(Occupant::text).collect())
    }

    #[test]
    fn one_person_plays_with_computers() {
        assert_eq!(of::<Romme>(Some(2), &[]).unwrap(), ["human:Eva", "hard"]);
        assert_eq!(of::<Blackout>(None, &[]).unwrap().len(), 4);
    }

    #[test]
    fn two_people_who_say_where_they_sit_play_with_each_other() {
        assert_eq!(of::<Holdem>(None, &["1=human:A", "2=human:B"]).unwrap(), ["human:A", "human:B"]);
        assert_eq!(of::<Holdem>(Some(3), &["1=human:A", "2=human:B"]).unwrap(), ["human:A", "human:B", "hard"]);
    }

    #[test]
    fn a_seat_can_be_a_program_or_another_level() {
        let got = of::<Holdem>(Some(3), &["3=easy", "2=cmd:python3 bot.py"]).unwrap();
        assert_eq!(got, ["human:Eva", "cmd:python3 bot.py", "easy"]);
        assert_eq!(of::<Holdem>(Some(2), &["1=hard", "2=easy"]).unwrap(), ["hard", "easy"], "nobody has to play");
    }

    #[test]
    fn wrong_seats_are_named() {
        let wrong = |players, seats: &[&str]| of::<Romme>(players, seats).unwrap_err();
        assert_eq!(wrong(None, &["5=easy"]), "--seat 5=easy: the seat must be from 1 to 4 in romme");
        assert_eq!(wrong(None, &["1"]), "--seat 1: expected NUMBER=WHO, as in 2=human:Anna");
        assert_eq!(wrong(None, &["1=easy", "1=hard"]), "--seat 1=hard: this seat is already taken");
        assert_eq!(wrong(Some(2), &["3=easy"]), "--seat 3=…: there are only 2 players");
        assert!(wrong(None, &["1=clever"]).contains("human:NAME"));
        assert!(wrong(None, &["1=human:"]).contains("1 to 16 characters"));
        assert!(wrong(None, &["1=human:\u{1b}[2J"]).contains("1 to 16 characters"));
        assert!(wrong(Some(9), &[]).contains("from 2 to 4"));
    }

    #[test]
    fn no_two_have_the_same_name() {
        let all = [
            Occupant::Person("Ada".to_owned()),
            Occupant::Computer(Kind::Easy),
            Occupant::Person("Ada".to_owned()),
            Occupant::Program("x".to_owned()),
            Occupant::Program("y".to_owned()),
        ];
        assert_eq!(names(&all), ["Ada", "Blaise", "Ada 2", "Program", "Program 2"]);
    }
}
