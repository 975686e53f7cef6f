//! Counters for operators, in the Prometheus text format.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// All counters.
pub struct Metrics {
    registry: Registry,
    /// Events that happened at tables.
    pub actions: Counter,
    /// Commands that were refused.
    pub refused: Counter,
    /// Appends that lost a race against another server.
    pub conflicts: Counter,
    /// Entries that could not be stored.
    pub failures: Counter,
    /// Tables that were created.
    pub tables: Counter,
    /// Tables in memory.
    pub loaded: Gauge,
    /// Open sockets.
    pub sockets: Gauge,
    /// Requests and messages rejected because there were too many.
    pub limited: Counter,
    /// Codes that matched no table.
    pub wrong_codes: Counter,
    /// Codes that were not looked up because of too many wrong ones before.
    pub codes_refused: Counter,
    /// Sockets closed for sending too much.
    pub floods: Counter,
    /// Computer moves waiting to be computed.
    pub thinking: Gauge,
    /// Private tables in memory.
    pub private_tables: Gauge,
    /// Entries added to private tables.
    pub private_entries: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("fairdeal");
        let (actions, refused, conflicts, failures) =
            (Counter::default(), Counter::default(), Counter::default(), Counter::default());
        let (tables, limited) = (Counter::default(), Counter::default());
        let (wrong_codes, codes_refused, floods) = (Counter::default(), Counter::default(), Counter::default());
        let (loaded, sockets, thinking) = (Gauge::default(), Gauge::default(), Gauge::default());
        let (private_tables, private_entries) = (Gauge::default(), Counter::default());
        registry.register("events", "Events that happened at tables", actions.clone());
        registry.register("refused", "Commands that were refused", refused.clone());
        registry.register("conflicts", "Appends that lost a race against another server", conflicts.clone());
        registry.register("failures", "Entries that could not be stored", failures.clone());
        registry.register("tables_made", "Tables that were created", tables.clone());
        registry.register("tables_loaded", "Tables in memory", loaded.clone());
        registry.register("sockets", "Open sockets", sockets.clone());
        registry.register("limited", "Requests and messages rejected by limits", limited.clone());
        registry.register("wrong_codes", "Codes that matched no table", wrong_codes.clone());
        registry.register("codes_refused", "Codes not looked up after too many wrong ones", codes_refused.clone());
        registry.register("floods", "Sockets closed for sending too much", floods.clone());
        registry.register("thinking", "Computer moves waiting to be computed", thinking.clone());
        registry.register("private_tables", "Private tables in memory", private_tables.clone());
        registry.register("private_entries", "Entries added to private tables", private_entries.clone());
        Self {
            registry,
            actions,
            refused,
            conflicts,
            failures,
            tables,
            loaded,
            sockets,
            limited,
            wrong_codes,
            codes_refused,
            floods,
            thinking,
            private_tables,
            private_entries,
        }
    }
}

impl Metrics {
    /// All counters as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
