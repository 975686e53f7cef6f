//! Ctrl-C while something long runs: it ends at the next occasion, leaving no half-written file and no
//! half-drawn progress bar.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C only asks; a second one ends the program at once.
pub fn listen() {
    // Where it cannot be caught, it ends the program at once, as it always did.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// The same where somebody sits before a screen: if the program cannot end by itself within a moment (its terminal is
/// gone, say), it is ended, after this was done.
pub fn listen_at_screen(last: fn()) {
    let _ = ctrlc::set_handler(move || {
        ASKED.store(true, Ordering::Relaxed);
        std::thread::sleep(std::time::Duration::from_secs(1));
        last();
        std::process::exit(130);
    });
}

/// Has somebody pressed Ctrl-C?
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
