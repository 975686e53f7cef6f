//! Rommé's page.
