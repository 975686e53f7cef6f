//! What several test programs need.

pub(crate) mod postgres;
