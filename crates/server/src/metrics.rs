//! What operators can count, in the text form that Prometheus reads.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Everything that is counted.
pub struct Metrics {
    registry: Registry,
    /// Events that happened at tables.
    pub actions: Counter,
    /// Commands that were refused.
    pub refused: Counter,
    /// Appends that another server was faster with.
    pub conflicts: Counter,
    /// Entries that could not be stored.
    pub failures: Counter,
    /// Tables that were made.
    pub tables: Counter,
    /// Tables in memory.
    pub loaded: Gauge,
    /// Open sockets.
    pub sockets: Gauge,
    /// Requests and messages turned away because there were too many.
    pub limited: Counter,
    /// Codes that led to no table.
    pub wrong_codes: Counter,
    /// Codes that were not looked up because too many were wrong before.
    pub codes_refused: Counter,
    /// Sockets that were closed because too much came over them.
    pub floods: Counter,
    /// Moves of computers that wait to be thought about.
    pub thinking: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("fairdeal");
        let (actions, refused, conflicts, failures) =
            (Counter::default(), Counter::default(), Counter::default(), Counter::default());
        let (tables, limited) = (Counter::default(), Counter::default());
        let (wrong_codes, codes_refused, floods) = (Counter::default(), Counter::default(), Counter::default());
        let (loaded, sockets, thinking) = (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("events", "Events that happened at tables", actions.clone());
        registry.register("refused", "Commands that were refused", refused.clone());
        registry.register("conflicts", "Appends that another server was faster with", conflicts.clone());
        registry.register("failures", "Entries that could not be stored", failures.clone());
        registry.register("tables_made", "Tables that were made", tables.clone());
        registry.register("tables_loaded", "Tables in memory", loaded.clone());
        registry.register("sockets", "Open sockets", sockets.clone());
        registry.register("limited", "Requests and messages turned away by limits", limited.clone());
        registry.register("wrong_codes", "Codes that led to no table", wrong_codes.clone());
        registry.register("codes_refused", "Codes not looked up, since too many were wrong", codes_refused.clone());
        registry.register("floods", "Sockets closed because too much came over them", floods.clone());
        registry.register("thinking", "Moves of computers that wait to be thought about", thinking.clone());
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
        }
    }
}

impl Metrics {
    /// As text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
