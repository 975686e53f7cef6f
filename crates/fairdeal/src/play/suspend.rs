//! Ctrl-Z: the program stops, the shell has the terminal, and `fg` brings the game back.
//!
//! On a screen of our own the terminal turns no key into a signal, so Ctrl-Z comes as a key and the signal is sent from
//! here, to the whole process group: whatever started us (a wrapper, `cargo run`) stops with us, as the shell expects. A
//! signal from outside (`kill -TSTP`) is noticed at the next wait. In both cases [`super::terminal`] gives the terminal
//! back before [`stop`] is called and takes it again afterwards.

/// What came of stopping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resumed {
    /// The terminal is ours again.
    InFront,
    /// The program is asked to end, and does not own the terminal.
    Ending,
}

#[cfg(unix)]
mod signals {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, OnceLock};
    use std::time::{Duration, Instant};

    use rustix::process::{Signal, getpgrp, getpid, getsid, kill_current_process_group, kill_process};
    use signal_hook::consts::{SIGCONT, SIGTSTP};

    use super::Resumed;
    use crate::interrupt;

    /// How long a program that was continued in the background may still be asked to end before it stops again.
    const GRACE: Duration = Duration::from_millis(300);
    const TICK: Duration = Duration::from_millis(10);

    struct Caught {
        stop: Arc<AtomicBool>,
        go_on: Arc<AtomicBool>,
    }

    static CAUGHT: OnceLock<Option<Caught>> = OnceLock::new();

    /// From now on these signals are noticed instead of stopping the program in the middle of a screen.
    pub(crate) fn listen() {
        CAUGHT.get_or_init(|| {
            let caught = Caught { stop: Arc::default(), go_on: Arc::default() };
            // Where they cannot be caught, they do what they always did.
            signal_hook::flag::register(SIGTSTP, Arc::clone(&caught.stop)).ok()?;
            signal_hook::flag::register(SIGCONT, Arc::clone(&caught.go_on)).ok()?;
            Some(caught)
        });
    }

    fn caught() -> Option<&'static Caught> {
        CAUGHT.get().and_then(Option::as_ref)
    }

    /// Was the program told from outside to stop?
    pub(crate) fn asked() -> bool {
        caught().is_some_and(|caught| caught.stop.swap(false, Ordering::SeqCst))
    }

    /// Did the program stop without a chance to give the terminal back (`kill -STOP`), and go on?
    pub(crate) fn continued() -> bool {
        caught().is_some_and(|caught| caught.go_on.swap(false, Ordering::SeqCst))
    }

    /// Would anybody ever continue us? A program that was not started by a shell with job control is in the group of
    /// its session's first process, and nobody would.
    pub(crate) fn is_possible() -> bool {
        caught().is_some() && getsid(None).is_ok_and(|session| session != getpgrp())
    }

    /// Stops until the terminal is ours again; with `group`, everything in the process group stops, too.
    pub(crate) fn stop(group: bool) -> Resumed {
        if group {
            let _ = kill_current_process_group(Signal::TSTP);
        }
        loop {
            pause();
            // In the background the terminal must not be touched; perhaps we were continued to end.
            let since = Instant::now();
            loop {
                if in_front() {
                    forget();
                    return Resumed::InFront;
                }
                if interrupt::asked() {
                    forget();
                    return Resumed::Ending;
                }
                if since.elapsed() > GRACE {
                    break;
                }
                std::thread::sleep(TICK);
            }
        }
    }

    /// Stops this process until it is continued. Our own handler has taken the signal that stops others, so it is the
    /// one that nobody can catch.
    fn pause() {
        let _ = continued();
        let begin = Instant::now();
        if kill_process(getpid(), Signal::STOP).is_err() {
            return;
        }
        // The signal may take a moment to arrive.
        while !continued() && begin.elapsed() < GRACE {
            std::thread::sleep(TICK);
        }
    }

    fn forget() {
        let _ = (asked(), continued());
    }

    /// Is our process group the one that the terminal listens to?
    fn in_front() -> bool {
        rustix::termios::tcgetpgrp(std::io::stdin()).is_ok_and(|group| group == getpgrp())
    }
}

#[cfg(not(unix))]
mod signals {
    use super::Resumed;

    pub(crate) fn listen() {}

    pub(crate) fn asked() -> bool {
        false
    }

    pub(crate) fn continued() -> bool {
        false
    }

    pub(crate) fn is_possible() -> bool {
        false
    }

    pub(crate) fn stop(_group: bool) -> Resumed {
        Resumed::InFront
    }
}

pub(crate) use signals::{asked, continued, is_possible, listen, stop};
