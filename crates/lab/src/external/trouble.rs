//! What can go wrong with an outside bot.

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
    /// It does not read its input, and has been ended.
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

impl Trouble {
    /// What happened, without what it leads to.
    pub fn event(&self) -> String {
        match self {
            Self::NotStarted(why) => format!("cannot be started: {why}"),
            Self::Ended { status, complaint } if complaint.is_empty() => format!("has ended ({status})"),
            Self::Ended { status, complaint } => format!("has ended ({status}: {complaint})"),
            Self::Slow { seconds } => format!("did not answer within {seconds} s"),
            Self::GivenUp { times } => format!("failed to answer {times} times in a row"),
            Self::NotReading => "does not read its input".to_owned(),
            Self::Floods => "writes more than it is asked for".to_owned(),
            Self::TooLong => format!("wrote a line longer than {} bytes", super::LONGEST_ANSWER),
            Self::Nonsense(why) => format!("gave an answer that cannot be understood: {why}"),
            Self::Illegal(why) => format!("gave an answer that is not allowed: {why}"),
        }
    }

    /// Is there no more to be expected of the bot?
    const fn is_final(&self) -> bool {
        match self {
            Self::NotStarted(_) | Self::Ended { .. } | Self::GivenUp { .. } | Self::NotReading => true,
            Self::Slow { .. } | Self::Floods | Self::TooLong | Self::Nonsense(_) | Self::Illegal(_) => false,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let then = if self.is_final() { "default moves are played from now on" } else { "the default move is played" };
        write!(f, "{}; {then}", self.event())
    }
}
