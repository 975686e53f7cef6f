//! Helpers that several test programs share.

pub(crate) mod postgres;
