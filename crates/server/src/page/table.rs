//! The common page of a table.
