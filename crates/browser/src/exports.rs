//! The functions of the module. A page writes a call into [`input`], says [`call`], and reads the effects from [`output`].
//!
//! `unsafe` is only the promise that no other function has these names. Pointers are given to the page and never followed
//! here: the page reads and writes a module's memory from outside, whatever the module does.

#![allow(unsafe_code, reason = "an exported function needs its own name; see above")]

use core::cell::RefCell;

use zeroize::Zeroize as _;

use crate::Module;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

#[derive(Default)]
struct State {
    module: Module,
    input: Vec<u8>,
    output: Vec<u8>,
}

/// Room for a call of this many bytes. It is there until the call is made.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.clear();
        state.input.resize(len, 0);
        state.input.as_mut_ptr()
    })
}

/// Makes the call; returns how many bytes the effects have.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call() -> usize {
    STATE.with_borrow_mut(|state| {
        let State { module, input, output } = state;
        // Secrets go through here in both directions.
        output.zeroize();
        *output = module.call(input);
        input.zeroize();
        output.len()
    })
}

/// Where the effects are, until the next call.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}
