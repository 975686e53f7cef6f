//! Whatever somebody sends as prepared does no harm.
