//! The server's own view of one request: its phases and how it ended. Joined with the user's view by request id.
use crate::chat::scenario::End;
use crate::format::Format;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    pub name: String,
    pub start: f64,
    pub duration: f64,
}

/// `end` is done, error, cut, hang, or left: the client went away.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub request_id: String,
    pub trace_id: String,
    /// As the stream told it: the only id that `EventSource` lets a page read.
    pub response_id: Option<String>,
    pub started_at: u64,
    pub format: Format,
    pub model: String,
    pub status: u16,
    pub end: &'static str,
    pub headers_at: Option<f64>,
    pub phases: Vec<Phase>,
}

impl Exchange {
    pub fn new(request_id: &str, trace_id: &str, started_at: u64, format: Format, model: String) -> Self {
        Self {
            request_id: request_id.to_owned(),
            trace_id: trace_id.to_owned(),
            response_id: format.response_id(request_id),
            started_at,
            format,
            model,
            status: 0,
            end: "left",
            headers_at: None,
            phases: Vec::new(),
        }
    }
}

impl From<End> for &'static str {
    fn from(end: End) -> Self {
        match end {
            End::Done => "done",
            End::Error => "error",
            End::Cut => "cut",
            End::Hang => "hang",
        }
    }
}

/// Phases while they happen: to enter one ends the one before.
#[derive(Debug, Default)]
pub struct Phases {
    over: Vec<Phase>,
    current: Option<(&'static str, f64)>,
}

impl Phases {
    pub fn enter(&mut self, name: &'static str, at: f64) {
        if self.current.is_some_and(|(current, _)| current == name) {
            return;
        }
        self.leave(at);
        self.current = Some((name, at));
    }

    /// A phase that is told, not measured; it follows those told before.
    pub fn report(&mut self, name: String, duration: f64) {
        let start = self.over.last().map_or(0.0, |phase| phase.start + phase.duration);
        self.over.push(Phase { name, start, duration });
    }

    /// What `Server-Timing` can say at `at`, with a trailing separator.
    pub fn server_timing(&self, at: f64) -> String {
        let mut text = String::new();
        let current = self.current.map(|(name, start)| (name, at - start));
        let over = self.over.iter().map(|phase| (phase.name.as_str(), phase.duration));
        for (name, duration) in over.chain(current) {
            let _ = write!(text, "{name};dur={duration:.1}, ");
        }
        text
    }

    pub fn finish(mut self, at: f64) -> Vec<Phase> {
        self.leave(at);
        self.over
    }

    fn leave(&mut self, at: f64) {
        if let Some((name, start)) = self.current.take() {
            let duration = ((at - start) * 10.0).round() / 10.0;
            self.over.push(Phase { name: name.to_owned(), start, duration });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: phases follow each other without gaps, and `Server-Timing` holds what is known at that time.
    #[test]
    fn phases_are_gap_free_and_reported() {
        let mut phases = Phases::default();
        phases.enter("queue", 0.0);
        phases.enter("prefill", 40.0);
        phases.enter("prefill", 50.0);
        assert_eq!(phases.server_timing(140.0), "queue;dur=40.0, prefill;dur=100.0, ");
        phases.enter("generation", 140.0);
        let phases = phases.finish(900.0);
        let spans: Vec<_> = phases.iter().map(|phase| (phase.start, phase.duration)).collect();
        assert_eq!(spans, [(0.0, 40.0), (40.0, 100.0), (140.0, 760.0)]);
    }
}
