//! One request of a turn.
//!
//! May touch: `signal`, and what its parent may.
use super::{Id, Label, Map, Millis, Node, Wire, names, record, unless_empty, unless_zero};
use crate::core::signal::{Format, Usage};

names!(
    /// How a stream reached the page.
    #[allow(missing_docs)]
    Transport {
        Fetch = "fetch",
        EventSource = "eventSource",
        Xhr = "xhr",
        WebSocket = "webSocket",
        Manual = "manual",
    }
);

names!(
    /// How a request ended.
    #[allow(missing_docs)]
    End {
        Done = "done",
        Error = "error",
        Cancelled = "cancelled",
        Aborted = "aborted",
        Open = "open",
    }
);

names!(
    /// Where the trace id was read, or who sent it along.
    #[allow(missing_docs)]
    TraceSource {
        ServerTiming = "server-timing",
        Traceparent = "traceparent",
        Traceresponse = "traceresponse",
        Application = "application",
        Propagated = "propagated",
    }
);

record!(
    /// A phase that the server told by `Server-Timing`.
    #[allow(missing_docs)]
    ServerPhase {
        name: Id = "name",
        duration: Millis = "duration",
    }
);

/// The format of a stream: one that is known, or one of the application's own by the name it declared.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum FormatName {
    Known(Format),
    Own(Label),
}

impl Wire for FormatName {
    fn node(&self) -> Node<'_> {
        match self {
            Self::Known(format) => format.node(),
            Self::Own(name) => name.node(),
        }
    }
}

record!(
    /// One request of a turn. Times are milliseconds since the turn's start.
    #[allow(missing_docs)]
    Request {
        request_id: Map<Id, Id> = "requestId" by unless_empty,
        trace_id: Option<Id> = "traceId",
        span_id: Option<Id> = "spanId",
        trace_source: Option<TraceSource> = "traceSource",
        transport: Transport = "transport",
        method: Id = "method",
        route: Id = "route",
        status: Option<u16> = "status",
        sent: Millis = "sent",
        response_start: Option<Millis> = "responseStart",
        first_chunk: Option<Millis> = "firstChunk",
        first_token: Option<Millis> = "firstToken",
        last_chunk: Option<Millis> = "lastChunk",
        end: End = "end",
        error_type: Option<Id> = "errorType",
        format: Option<FormatName> = "format",
        model: Option<Id> = "model",
        response_id: Option<Id> = "responseId",
        finish_reason: Option<Id> = "finishReason",
        usage: Option<Usage> = "usage",
        server_timing: Vec<ServerPhase> = "serverTiming",
        events: u32 = "events",
        bytes: f64 = "bytes",
        characters: u32 = "characters",
        tool_calls: u32 = "toolCalls",
        sources: u32 = "sources",
        reconnects: u32 = "reconnects",
        errors: u32 = "errors" by unless_zero,
        malformed: u32 = "malformed" by unless_zero,
        withdrawn: u32 = "withdrawn" by unless_zero,
    }
);
