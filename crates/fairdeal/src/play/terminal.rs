//! The terminal: taken over for the screens, and given back as it was, whatever happens; also for as long as the
//! program is suspended.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton,
    MouseEventKind,
};
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;

use super::suspend::{self, Resumed};
use crate::interrupt;

/// The smallest terminal on which everything can be seen.
pub const SMALLEST: (u16, u16) = (80, 24);

/// Is the terminal ours at the moment?
static TAKEN: AtomicBool = AtomicBool::new(false);

/// What somebody did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happened {
    /// A key was pressed.
    Key(KeyCode),
    /// The mouse was clicked here.
    Click(u16, u16),
    /// The wheel was turned: lines down.
    Wheel(i16),
    /// The terminal has another size, or some time has passed: draw again.
    Nothing,
    /// Ctrl-C, or the program is asked to end, or the terminal is gone.
    Stop,
}

/// A terminal that shows screens.
pub struct Front<W: Write> {
    terminal: ratatui::Terminal<CrosstermBackend<W>>,
    /// How long the program has been suspended.
    away: Duration,
}

impl<W: Write> Front<W> {
    /// Takes the terminal over.
    pub fn take(out: W) -> io::Result<Self> {
        restore_after_panics();
        suspend::listen();
        let terminal = ratatui::Terminal::new(CrosstermBackend::new(out))?;
        let mut front = Self { terminal, away: Duration::ZERO };
        front.enter()?;
        Ok(front)
    }

    fn enter(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        execute!(self.terminal.backend_mut(), EnterAlternateScreen, EnableMouseCapture)?;
        self.wipe()
    }

    /// How long the program has been suspended since the terminal was taken; nobody's time to decide runs meanwhile.
    pub const fn away(&self) -> Duration {
        self.away
    }

    /// Gives the terminal back, stops, and takes it again. `group` is for Ctrl-Z, which means everything that was
    /// started together with us.
    fn suspend(&mut self, group: bool) -> Happened {
        if !suspend::is_possible() {
            return Happened::Nothing;
        }
        let since = Instant::now();
        let _ = self.wipe();
        give_back(self.terminal.backend_mut());
        let resumed = suspend::stop(group);
        self.away += since.elapsed();
        match resumed {
            Resumed::Ending => Happened::Stop,
            Resumed::InFront => self.come_back(),
        }
    }

    /// Takes the terminal again after a shell has used it.
    fn come_back(&mut self) -> Happened {
        // The shell has modes of its own, and ours count as set.
        let _ = disable_raw_mode();
        let entered = self.enter();
        // What was typed for the shell is not for the game.
        while let Ok(true) = event::poll(Duration::ZERO) {
            if event::read().is_err() {
                return Happened::Stop;
            }
        }
        entered.map_or(Happened::Stop, |()| Happened::Nothing)
    }

    /// Puts a text on the terminal's own screen, where it can be selected and copied, until [`Front::step_in`].
    pub fn step_out(&mut self, text: &str) -> io::Result<()> {
        let out = self.terminal.backend_mut();
        execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show)?;
        for line in text.lines() {
            write!(out, "{line}\r\n")?;
        }
        io::Write::flush(out)
    }

    /// Back to the screens.
    pub fn step_in(&mut self) -> io::Result<()> {
        self.enter()
    }

    /// Draws a page.
    pub fn draw(&mut self, page: impl FnOnce(&mut Buffer, Rect)) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let area = frame.area();
            page(frame.buffer_mut(), area);
        })?;
        Ok(())
    }

    /// Forgets everything that was shown: the screen, what was scrolled away, and what we remember of it.
    pub fn wipe(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`, which asks the terminal where its cursor is and waits for an answer. Both buffers
        // are emptied instead, so that the next page is drawn as a whole.
        self.terminal.swap_buffers();
        self.terminal.swap_buffers();
        queue!(self.terminal.backend_mut(), Clear(ClearType::All), Clear(ClearType::Purge))?;
        io::Write::flush(self.terminal.backend_mut())
    }

    /// Waits for something to happen, at most this long.
    pub fn wait(&mut self, most: Duration) -> Happened {
        let end = Instant::now() + most;
        loop {
            if interrupt::asked() {
                return Happened::Stop;
            }
            if suspend::asked() {
                return self.suspend(false);
            }
            if suspend::continued() {
                return self.come_back();
            }
            // Short, so that signals are noticed soon.
            let left = end.saturating_duration_since(Instant::now()).min(Duration::from_millis(100));
            match event::poll(left) {
                Err(_) => return Happened::Stop,
                Ok(false) if Instant::now() >= end => return Happened::Nothing,
                Ok(false) => {}
                Ok(true) => match event::read() {
                    Err(_) => return Happened::Stop,
                    Ok(event) if is_ctrl_z(&event) => return self.suspend(true),
                    Ok(event) => {
                        if let Some(happened) = understand(&event) {
                            return happened;
                        }
                    }
                },
            }
        }
    }
}

impl<W: Write> Drop for Front<W> {
    fn drop(&mut self) {
        // After a panic it has been given back already, and what was said there is to be read.
        if TAKEN.load(Ordering::SeqCst) {
            // Some terminals keep what was shown on the other screen.
            let _ = self.wipe();
            give_back(self.terminal.backend_mut());
        }
    }
}

fn is_ctrl_z(event: &Event) -> bool {
    matches!(event, Event::Key(KeyEvent { code: KeyCode::Char('z' | 'Z'), modifiers, kind, .. })
        if modifiers.contains(KeyModifiers::CONTROL) && *kind != KeyEventKind::Release)
}

/// What an event means to us, if anything.
fn understand(event: &Event) -> Option<Happened> {
    match event {
        Event::Key(KeyEvent { kind: KeyEventKind::Release, .. }) => None,
        Event::Key(KeyEvent { code: KeyCode::Char('c' | 'C'), modifiers, .. })
            if modifiers.contains(KeyModifiers::CONTROL) =>
        {
            Some(Happened::Stop)
        }
        Event::Key(KeyEvent { modifiers, .. }) if modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
            None
        }
        Event::Key(KeyEvent { code, .. }) => Some(Happened::Key(*code)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(Happened::Click(mouse.column, mouse.row)),
            MouseEventKind::ScrollDown => Some(Happened::Wheel(3)),
            MouseEventKind::ScrollUp => Some(Happened::Wheel(-3)),
            _ => None,
        },
        Event::Resize(..) => Some(Happened::Nothing),
        Event::FocusGained | Event::FocusLost | Event::Paste(_) => None,
    }
}

/// Gives the terminal back as it was, once.
fn give_back(out: &mut impl Write) {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // If the terminal is gone there is nothing to give back.
        let _ = execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// Gives the terminal back from another thread, through the one stream that is not locked.
pub fn leave() {
    give_back(&mut io::stderr());
}

/// A panic is to be read on the screen it came from, not on one that vanishes.
fn restore_after_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |why| {
            if TAKEN.load(Ordering::SeqCst) {
                let mut out = io::stdout();
                let _ = queue!(out, Clear(ClearType::All), Clear(ClearType::Purge));
                give_back(&mut out);
            }
            before(why);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_stops_and_other_controls_are_nothing() {
        let key = |code, modifiers| understand(&Event::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Happened::Stop));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), Some(Happened::Key(KeyCode::Char('c'))));
        assert_eq!(key(KeyCode::Char('x'), KeyModifiers::CONTROL), None);
        assert_eq!(key(KeyCode::Char('x'), KeyModifiers::ALT), None);
    }

    #[test]
    fn a_key_counts_when_it_goes_down_only() {
        let up = KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(understand(&Event::Key(up)), None);
    }
}
