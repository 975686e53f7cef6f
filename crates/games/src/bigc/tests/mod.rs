//! Tests of Big-C, by theme.

mod classes;
mod footstools;
mod help;
mod layout;
mod leaving;
mod minigame;
mod options;
mod playing;
mod random;
mod settings;
