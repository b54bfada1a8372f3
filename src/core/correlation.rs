//! Joins a turn to the server's logs and traces: request ids, W3C trace context, `Server-Timing`.
//!
//! May touch: `label`. Reads headers only, those of a response and those that were sent along. What is kept is
//! an [`Id`] or a number; descriptions are read for the trace context and dropped.
mod server_timing;

use super::label::Id;
use super::text;
pub use server_timing::{Metric, metrics};

/// Most request ids of one response.
const REQUEST_IDS: usize = 8;
/// Most phases of one response.
const PHASES: usize = 16;

/// Response headers that carry a request id, the most telling first. Ids that proxies make
/// anew at every hop come late.
pub const REQUEST_ID_HEADERS: [&str; 13] = [
    "x-request-id",
    "request-id",
    "apim-request-id",
    "x-ms-client-request-id",
    "x-amzn-requestid",
    "x-amzn-trace-id",
    "x-vercel-id",
    "cf-ray",
    "cf-aig-log-id",
    "x-litellm-call-id",
    "x-cloud-trace-context",
    "fly-request-id",
    "x-nf-request-id",
];

/// A W3C trace context: which trace and which span of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// 32 hexadecimal digits in lower case.
    pub trace_id: Id,
    /// 16 hexadecimal digits in lower case.
    pub span_id: Id,
    /// Bit 0: sampled.
    pub flags: u8,
}

impl TraceContext {
    /// Reads a `traceparent` by the letter of the recommendation: lower case, no zero ids, no
    /// version `ff`; a later version may have more fields, version `00` may not.
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text::split(text.trim(), &['-']);
        let [version, trace_id, span_id, flags] =
            [fields.next()?, fields.next()?, fields.next()?, fields.next()?];
        let well_formed =
            is_hex(version, 2) && is_hex(trace_id, 32) && is_hex(span_id, 16) && is_hex(flags, 2);
        let extended = fields.next().is_some();
        if !well_formed || version == "ff" || (version == "00" && extended) {
            return None;
        }
        let named = |id: &str| !id.bytes().all(|digit| digit == b'0');
        if !named(trace_id) || !named(span_id) {
            return None;
        }
        let flags = u8::from_str_radix(flags, 16).ok()?;
        Some(Self { trace_id: Id::new(trace_id)?, span_id: Id::new(span_id)?, flags })
    }

    /// The context as a `traceparent` of version `00`.
    pub fn format(&self) -> String {
        let digit = |value: u8| char::from_digit(u32::from(value & 0xF), 16).unwrap_or('0');
        let mut text = String::with_capacity(55);
        for field in ["00-", self.trace_id.as_str(), "-", self.span_id.as_str(), "-"] {
            text.push_str(field);
        }
        text.push(digit(self.flags >> 4));
        text.push(digit(self.flags));
        text
    }
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Where a trace context was read, the least telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// An entry `traceparent` of `Server-Timing`.
    ServerTiming,
    /// The header `traceparent`.
    Traceparent,
    /// The header `traceresponse`.
    Traceresponse,
    /// The application sent it along with the request: its span is the application's.
    Application,
    /// It was sent along on the application's wish: its span is the request itself.
    Propagated,
}

/// A part of the server's work, as the server tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// The metric's name.
    pub name: Id,
    /// Milliseconds.
    pub duration: f64,
}

/// What the headers of one response tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlation {
    /// Header name in lower case, and the id; in the order of [`REQUEST_ID_HEADERS`].
    pub request_ids: Vec<(Id, Id)>,
    /// The trace, and where it was read.
    pub trace: Option<(TraceContext, Source)>,
    /// Phases of `Server-Timing` that have a duration.
    pub phases: Vec<Phase>,
}

/// Reads the headers of a response.
pub fn read(headers: &[(&str, &str)]) -> Correlation {
    read_with(headers, &[])
}

/// Reads the headers of a response; `also` names more headers (lower case) that carry a request
/// id. The application named them, so they come first.
pub fn read_with(headers: &[(&str, &str)], also: &[Box<str>]) -> Correlation {
    let mut found = Correlation { request_ids: request_ids(headers, also), ..Correlation::default() };
    for (name, value) in headers {
        if name.eq_ignore_ascii_case("server-timing") {
            for metric in metrics(value) {
                found.metric(&metric);
            }
        } else if name.eq_ignore_ascii_case("traceparent") {
            found.trace(value, Source::Traceparent);
        } else if name.eq_ignore_ascii_case("traceresponse") {
            found.trace(value, Source::Traceresponse);
        }
    }
    found
}

impl Correlation {
    /// A header went out with the request; `own` names a trace that was the application's already.
    pub fn sent(&mut self, name: &str, value: &str) {
        match name {
            "traceparent" => self.trace(value, Source::Propagated),
            "own" => self.trace(value, Source::Application),
            _ => self.request_ids.extend(Id::new(name).zip(Id::new(value))),
        }
    }

    /// What a response tells. The server's own word counts where it took up another id or trace than it was sent.
    pub fn answered(&mut self, told: Self) {
        let sent = core::mem::replace(self, told);
        for (name, id) in sent.request_ids {
            if self.request_ids.iter().all(|(known, _)| *known != name) {
                self.request_ids.push((name, id));
            }
        }
        let Some((context, source)) = sent.trace else { return };
        if self.trace.as_ref().is_none_or(|(told, _)| told.trace_id == context.trace_id) {
            self.trace = Some((context, source));
        }
    }

    fn metric(&mut self, metric: &Metric<'_>) {
        if metric.name.eq_ignore_ascii_case("traceparent") {
            self.trace(&metric.description, Source::ServerTiming);
        } else if let (Some(name), Some(duration)) = (Id::new(metric.name), metric.duration)
            && self.phases.len() < PHASES
        {
            self.phases.push(Phase { name, duration });
        }
    }

    /// Keeps the trace of the better source; of two equal ones the first.
    fn trace(&mut self, text: &str, source: Source) {
        if self.trace.as_ref().is_none_or(|(_, known)| source > *known)
            && let Some(context) = TraceContext::parse(text)
        {
            self.trace = Some((context, source));
        }
    }
}

fn request_ids(headers: &[(&str, &str)], also: &[Box<str>]) -> Vec<(Id, Id)> {
    let mut found: Vec<(Id, Id)> = Vec::new();
    for name in also.iter().map(AsRef::as_ref).chain(REQUEST_ID_HEADERS) {
        let Some(name_id) = Id::new(name) else { continue };
        let known = found.iter().any(|(seen, _)| *seen == name_id);
        if known || found.len() == REQUEST_IDS {
            continue;
        }
        let mut values = headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        if let Some(id) = values.find_map(|(_, value)| request_id(value)) {
            found.push((name_id, id));
        }
    }
    found
}

/// The id is what comes before the first parameter (`;o=1`) or the next value of a repeated header.
fn request_id(value: &str) -> Option<Id> {
    text::split(value, &[',', ';']).next().and_then(|id| Id::new(id.trim()))
}

#[cfg(test)]
mod tests;
