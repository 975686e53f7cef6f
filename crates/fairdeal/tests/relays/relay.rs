//! A relay for tests, on this computer: honest, or as bad as it is told to be.
//!
//! With `FAIRDEAL_RELAY` set to a program that prints the address of an honest relay (`cargo xtask relay` does that),
//! honest relays are that program instead.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use relays::Event;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::broadcast;
use tokio_tungstenite::tungstenite::Message;

/// How a relay behaves.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    /// Never says that it has given everything.
    pub(crate) never_done: bool,
    /// Changes the content of every event.
    pub(crate) forges: bool,
    /// Sends every event twice.
    pub(crate) doubles: bool,
    /// Sends everything it has, whatever the question.
    pub(crate) answers_other_questions: bool,
    /// Says that it keeps an event, and does not.
    pub(crate) forgets: bool,
    /// Keeps nothing, and says so.
    pub(crate) refuses: bool,
    /// Says of every event that it has a later one.
    pub(crate) outdates: bool,
    /// Gives no more events than this at once.
    pub(crate) page: usize,
    /// Ends the connection after so many messages.
    pub(crate) ends_after: Option<usize>,
    /// Of passing events, every such one is lost, and every such one comes twice and late.
    pub(crate) loses_every: Option<usize>,
    pub(crate) repeats_every: Option<usize>,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            never_done: false,
            forges: false,
            doubles: false,
            answers_other_questions: false,
            forgets: false,
            refuses: false,
            outdates: false,
            page: 1000,
            ends_after: None,
            loses_every: None,
            repeats_every: None,
        }
    }
}

pub(crate) struct Relay {
    url: String,
    shared: Arc<Shared>,
    _runtime: Option<Runtime>,
    child: Option<Child>,
}

struct Shared {
    events: Mutex<Vec<Event>>,
    manner: Mutex<Manner>,
    /// Events that come now, for those who listen.
    live: broadcast::Sender<Event>,
    passed: Mutex<usize>,
}

impl Relay {
    /// An honest one.
    pub(crate) fn start() -> Self {
        match std::env::var_os("FAIRDEAL_RELAY") {
            None => Self::with(Manner::default()),
            Some(program) => {
                let mut child = Command::new(program).stdout(Stdio::piped()).spawn().unwrap();
                let mut url = String::new();
                BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
                let shared = Arc::new(Shared::new(Manner::default()));
                Self { url: url.trim().to_owned(), shared, _runtime: None, child: Some(child) }
            }
        }
    }

    pub(crate) fn with(manner: Manner) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared::new(manner));
        let serving = shared.clone();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, serving.clone()));
            }
        });
        Self { url, shared, _runtime: Some(runtime), child: None }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn set(&self, change: impl FnOnce(&mut Manner)) {
        change(&mut self.shared.manner.lock().unwrap());
    }

    /// What it keeps.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.shared.events.lock().unwrap().clone()
    }

    /// Puts something into it, as somebody else might have done.
    pub(crate) fn put(&self, event: Event) {
        assert!(self.shared.keep(event), "it is kept");
    }

    /// How many events it has passed on and not kept.
    pub(crate) fn passed(&self) -> usize {
        *self.shared.passed.lock().unwrap()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Shared {
    fn new(manner: Manner) -> Self {
        let (events, live) = (Mutex::default(), broadcast::channel(4096).0);
        Self { events, manner: Mutex::new(manner), live, passed: Mutex::default() }
    }

    /// Keeps an event; of addressable ones the latest, or with equal times the one with the lower id. Says whether it does.
    fn keep(&self, event: Event) -> bool {
        let mut events = self.events.lock().unwrap();
        let place = |event: &Event| (event.by(), event.kind(), event.tag("d").map(str::to_owned));
        if (30_000..40_000).contains(&event.kind().0) {
            let rank = |event: &Event| (event.at(), std::cmp::Reverse(event.id()));
            if events.iter().any(|kept| place(kept) == place(&event) && rank(kept) > rank(&event)) {
                return false;
            }
            events.retain(|kept| place(kept) != place(&event));
        }
        if !events.iter().any(|kept| kept.id() == event.id()) {
            events.push(event);
        }
        true
    }

    fn answer(&self, filters: &[Value]) -> Vec<Event> {
        let manner = self.manner.lock().unwrap().clone();
        let wanted = |event: &Event| manner.answers_other_questions || filters.iter().any(|filter| fits(filter, event));
        let mut events: Vec<Event> =
            self.events.lock().unwrap().iter().filter(|event| wanted(event)).cloned().collect();
        events.sort_by_key(|event| std::cmp::Reverse((event.at(), event.id())));
        let limit = filters.iter().filter_map(|filter| filter["limit"].as_u64()).min().unwrap_or(1000);
        let limit = manner.page.min(usize::try_from(limit).unwrap());
        events.into_iter().take(limit).collect()
    }

    fn written(&self, name: &str, event: &Event) -> Vec<String> {
        let manner = self.manner.lock().unwrap().clone();
        let mut value: Value = serde_json::from_str(&event.text()).unwrap();
        if manner.forges {
            value["content"] = format!("{} ", event.content()).into();
        }
        vec![json!(["EVENT", name, value]).to_string(); if manner.doubles { 2 } else { 1 }]
    }
}

/// Whether an event is one of those that a filter asks for, as NIP-01 says.
fn fits(filter: &Value, event: &Event) -> bool {
    filter.as_object().unwrap().iter().all(|(name, wanted)| {
        let among = |one: Value| wanted.as_array().unwrap().contains(&one);
        match name.as_str() {
            "kinds" => among(event.kind().0.into()),
            "authors" => among(event.by().hex().into()),
            "ids" => among(event.id().to_string().into()),
            "since" => event.at() >= wanted.as_u64().unwrap(),
            "until" => event.at() <= wanted.as_u64().unwrap(),
            "limit" => true,
            tag => event.draft().all_tags(tag.strip_prefix('#').unwrap()).any(|one| among(one.into())),
        }
    })
}

async fn talk(stream: tokio::net::TcpStream, shared: Arc<Shared>) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let (mut sink, mut messages) = socket.split();
    let mut live = shared.live.subscribe();
    let mut asked: Vec<(String, Vec<Value>)> = Vec::new();
    let (mut sent, mut late) = (0, VecDeque::new());
    loop {
        let mut answers: Vec<String> = Vec::new();
        tokio::select! {
            message = messages.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
                    let manner = shared.manner.lock().unwrap().clone();
                    match all[0].as_str().unwrap() {
                        "REQ" => {
                            let (name, filters) = (all[1].as_str().unwrap().to_owned(), all[2..].to_vec());
                            for event in shared.answer(&filters) {
                                answers.extend(shared.written(&name, &event));
                            }
                            if !manner.never_done {
                                answers.push(json!(["EOSE", name]).to_string());
                            }
                            asked.push((name, filters));
                        }
                        "CLOSE" => asked.retain(|(name, _)| name != all[1].as_str().unwrap()),
                        "EVENT" => {
                            let event = Event::parse(&all[1].to_string()).unwrap();
                            let ephemeral = (20_000..30_000).contains(&event.kind().0);
                            let mut why = if manner.refuses { "blocked: full" } else { "" };
                            if ephemeral {
                                *shared.passed.lock().unwrap() += 1;
                            } else if manner.outdates
                                || (!manner.refuses && !manner.forgets && !shared.keep(event.clone()))
                            {
                                why = "replaced: have newer event";
                            }
                            answers.push(json!(["OK", event.id().to_string(), why.is_empty(), why]).to_string());
                            let _ = shared.live.send(event);
                        }
                        other => panic!("{other}"),
                    }
                }
                Some(Ok(_)) => {}
                _ => return,
            },
            event = live.recv() => {
                let Ok(event) = event else { return };
                let manner = shared.manner.lock().unwrap().clone();
                let ephemeral = (20_000..30_000).contains(&event.kind().0);
                for (name, filters) in &asked {
                    if !filters.iter().any(|filter| fits(filter, &event)) {
                        continue;
                    }
                    sent += 1;
                    if ephemeral && manner.loses_every.is_some_and(|every| sent % every == 0) {
                        continue;
                    }
                    if ephemeral && manner.repeats_every.is_some_and(|every| sent % every == 0) {
                        late.push_back(shared.written(name, &event));
                    }
                    answers.extend(shared.written(name, &event));
                    if late.len() > 3 {
                        answers.extend(late.pop_front().unwrap());
                    }
                }
            }
        }
        for answer in answers {
            let ends = shared.manner.lock().unwrap().ends_after;
            if ends == Some(0) {
                return;
            }
            if let Some(left) = ends {
                shared.manner.lock().unwrap().ends_after = Some(left - 1);
            }
            let sent = tokio::time::timeout(Duration::from_secs(20), sink.send(Message::text(answer))).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
    }
}
