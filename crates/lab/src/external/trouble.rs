//! What can go wrong with a bot of somebody else.

use std::fmt;

/// Something a bot did wrong; the match goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum Trouble {
    /// It cannot be started.
    NotStarted(String),
    /// It has ended, or closed its input or output.
    Ended {
        /// How.
        status: String,
        /// The last line it wrote to stderr.
        complaint: String,
    },
    /// It took too long.
    Slow {
        /// The limit, in seconds.
        seconds: f64,
    },
    /// It took too long several times in a row and has been ended.
    GivenUp {
        /// How often.
        times: u32,
    },
    /// It does not read what it is told, and has been ended.
    NotReading,
    /// It writes without being asked.
    Floods,
    /// A line is too long.
    TooLong,
    /// It cannot be understood.
    Nonsense(String),
    /// The rules refuse it.
    Illegal(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DEFAULT: &str = "the default move is played";
        const FROM_NOW_ON: &str = "default moves are played from now on";
        match self {
            Self::NotStarted(why) => write!(f, "cannot be started: {why}; {FROM_NOW_ON}"),
            Self::Ended { status, complaint } if complaint.is_empty() => {
                write!(f, "has ended ({status}); {FROM_NOW_ON}")
            }
            Self::Ended { status, complaint } => write!(f, "has ended ({status}: {complaint}); {FROM_NOW_ON}"),
            Self::Slow { seconds } => write!(f, "did not answer within {seconds} s; {DEFAULT}"),
            Self::GivenUp { times } => write!(f, "did not answer {times} times in a row; {FROM_NOW_ON}"),
            Self::NotReading => write!(f, "does not read what it is told; {FROM_NOW_ON}"),
            Self::Floods => write!(f, "writes more than it is asked for; {DEFAULT}"),
            Self::TooLong => write!(f, "wrote a line longer than {} bytes; {DEFAULT}", super::LONGEST_ANSWER),
            Self::Nonsense(why) => write!(f, "gave an answer that cannot be understood: {why}; {DEFAULT}"),
            Self::Illegal(why) => write!(f, "gave an answer that is not allowed: {why}; {DEFAULT}"),
        }
    }
}
