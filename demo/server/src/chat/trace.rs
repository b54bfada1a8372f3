//! The ids of one request, and how its response tells them.
use axum::http::HeaderMap;

#[derive(Clone, Debug)]
pub struct Trace {
    pub request_id: String,
    pub trace_id: String,
    pub span_id: String,
    /// The caller's span, if it told one.
    pub parent: Option<String>,
}

impl Trace {
    /// Takes up the ids that the request brought, if they have the right form, else makes new ones.
    pub fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let caller = text("traceparent").and_then(caller_of);
        let request_id = text("x-request-id").filter(|id| super::request::is_name(id)).map(str::to_owned);
        Self {
            request_id: request_id.unwrap_or_else(|| hex(16)),
            trace_id: caller.map_or_else(|| hex(32), |(trace, _)| trace.to_owned()),
            span_id: hex(16),
            parent: caller.map(|(_, span)| span.to_owned()),
        }
    }

    pub fn traceparent(&self) -> String {
        format!("00-{}-{}-01", self.trace_id, self.span_id)
    }
}

/// The trace and the span of a caller.
fn caller_of(traceparent: &str) -> Option<(&str, &str)> {
    let mut parts = traceparent.split('-');
    let (version, trace, span) = (parts.next()?, parts.next()?, parts.next()?);
    let is_hex =
        |text: &str, len| text.len() == len && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let valid = version == "00" && is_hex(trace, 32) && is_hex(span, 16) && trace.bytes().any(|b| b != b'0');
    valid.then_some((trace, span))
}

/// Random lower-case hex, never seeded: ids must not repeat between runs.
fn hex(digits: usize) -> String {
    (0..digits).map(|_| fastrand::digit(16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a caller's trace goes on, and a malformed one is not taken up.
    #[test]
    fn a_valid_traceparent_is_continued() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let with = |text: String| {
            let mut headers = HeaderMap::new();
            headers.insert("traceparent", text.parse().expect("a header"));
            Trace::of(&headers)
        };
        let continued = with(format!("00-{trace}-00f067aa0ba902b7-01"));
        assert_eq!(continued.trace_id, trace);
        assert_eq!(continued.parent.as_deref(), Some("00f067aa0ba902b7"));
        assert_ne!(continued.span_id, "00f067aa0ba902b7");
        assert_ne!(with(format!("00-{trace}-xx-01")).trace_id, trace);
        assert_ne!(with(format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32))).trace_id, "0".repeat(32));
    }
}
