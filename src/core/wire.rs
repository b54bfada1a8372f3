//! Names and casing on the wire: the batch and the turn of the public contract.
//!
//! May touch: `label` and the enumerations. The only place that knows field names. No type here has a
//! field that could carry text of the page: strings are [`Id`], [`Label`] or names of variants.
use super::label::{Id, Label};
use super::signal::{Format, Usage};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Milliseconds with one decimal, as far as any clock here goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Millis(f64);

impl Millis {
    /// Rounds to a tenth; what is not a number becomes 0.
    pub fn new(value: f64) -> Self {
        if value.is_finite() { Self((value * 10.0).round() / 10.0) } else { Self(0.0) }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// A 64-bit id as 16 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex16(pub u64);

impl Serialize for Hex16 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut digits = [0u8; 16];
        for (place, digit) in digits.iter_mut().enumerate() {
            let nibble = (self.0 >> (60 - 4 * place)) & 15;
            *digit = if nibble < 10 { b'0' + nibble as u8 } else { b'a' + nibble as u8 - 10 };
        }
        serializer.serialize_str(::core::str::from_utf8(&digits).unwrap_or_default())
    }
}

/// Pairs that go out as one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map<K, V>(pub Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A value that the application declared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Text within the limits of a label.
    Label(Label),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

macro_rules! names {
    ($(#[$doc:meta])* $name:ident, $case:literal: $($variant:ident),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = $case)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }
    };
}

names!(
    /// What began the turn.
    Trigger, "camelCase": Submit, Regenerate, Retry, Edit, Auto, Api);
names!(
    /// How the turn ended.
    Outcome, "camelCase": Completed, Stopped, Failed, Abandoned, Superseded, Open);
names!(
    /// How far the turn had come when it ended otherwise than completed.
    Phase, "camelCase": BeforeFeedback, BeforeToken, BeforeUseful, Streaming);
names!(
    /// How a timestamp was taken.
    Method, "camelCase": ElementTiming, Raf2, Intersection, Mutation, Network, App);
names!(
    /// What the first feedback was.
    FeedbackKind, "camelCase": Indicator, Status, Skeleton, Source, Tool, Content);
names!(
    /// By which rule content was useful.
    UsefulMethod, "camelCase": App, Structure, Text, Length);
names!(
    /// What the user did.
    ActionType, "camelCase": Stop, Regenerate, Retry, Edit, Copy, Submit, Leave, Hide, Return, RageStop, RageRegenerate);
names!(
    /// What a reader has to know before using the numbers.
    Flag, "camelCase": Hidden, Offscreen, ClockGap, LateInstall, AnswerNotFound, Prerendered, Truncated, Malformed, Unfinished);
names!(
    /// How a stream reached the page.
    Transport, "camelCase": Fetch, EventSource, Xhr, WebSocket, Manual);
names!(
    /// How a request ended.
    End, "camelCase": Done, Error, Cancelled, Aborted, Open);
names!(
    /// Where the trace id was read.
    TraceSource, "kebab-case": ServerTiming, Traceparent, Traceresponse);
names!(
    /// The unit that a variant sticks to.
    Unit, "camelCase": User, Session, Page);

macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($(#[$field_doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }
    };
}

record!(
    /// Milestones in milliseconds since the turn's start; what was not reached is absent.
    Timings {
        /// The first request of the turn went out.
        request_sent: Millis,
        /// Its response began.
        response_start: Millis,
        /// The page read the first bytes.
        first_chunk: Millis,
        /// The first visible sign that something is happening.
        first_feedback: Millis,
        /// The first visible reasoning.
        first_reasoning: Millis,
        /// The first visible character of the answer.
        first_visible_token: Millis,
        /// The first frame with useful content.
        first_useful_content: Millis,
        /// The page read the last bytes.
        last_chunk: Millis,
        /// The frame of the last change of the answer.
        final_render: Millis,
        /// The user's task was done.
        task_complete: Millis,
        /// The user's next action.
        next_action: Millis,
    }
);

record!(
    /// How the timestamps on screen were taken.
    Methods {
        /// Of `firstFeedback`.
        first_feedback: Method,
        /// Of `firstReasoning`.
        first_reasoning: Method,
        /// Of `firstVisibleToken`.
        first_visible_token: Method,
        /// Of `firstUsefulContent`.
        first_useful_content: Method,
        /// Of `finalRender`.
        final_render: Method,
        /// Of `taskComplete`.
        task_complete: Method,
    }
);

/// Waits of one kind: gaps of more than a second, and the longest gap of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Wait {
    pub count: u32,
    pub total: Millis,
    pub max: Millis,
}

/// All waits of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Waits {
    /// Without an informative change on screen.
    pub silent: Wait,
    /// Without any change on screen, an indicator counted as one.
    #[serde(rename = "static")]
    pub motionless: Wait,
    /// Between visible updates while the stream was open.
    pub stalls: Wait,
    /// Time in which an average reader had nothing left to read.
    pub starved: Millis,
}

/// The rhythm of visible updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Updates {
    pub count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluidity: Option<f64>,
}

record!(
    /// From the read of a chunk to the frame that shows it.
    RenderLag {
        /// Of the first visible token.
        first: Millis,
        /// 95th percentile of the updates.
        p95: Millis,
    }
);

/// Something that the user did, and when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Action {
    #[serde(rename = "type")]
    pub kind: ActionType,
    pub at: Millis,
}

/// Time out of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Hidden {
    pub total: Millis,
}

/// A phase that the server told by `Server-Timing`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ServerPhase {
    pub name: Id,
    pub duration: Millis,
}

/// One request of a turn. Times are milliseconds since the turn's start.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Request {
    #[serde(skip_serializing_if = "is_empty")]
    pub request_id: Map<Id, Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_source: Option<TraceSource>,
    pub transport: Transport,
    pub method: Id,
    pub route: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    pub sent: Millis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_start: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_chunk: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_token: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_chunk: Option<Millis>,
    pub end: End,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_type: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    pub server_timing: Vec<ServerPhase>,
    pub events: u32,
    pub bytes: f64,
    pub characters: u32,
    pub tool_calls: u32,
    pub sources: u32,
    pub reconnects: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub errors: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub malformed: u32,
}

/// One submit and its answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Turn {
    pub id: Hex16,
    pub revision: u32,
    #[serde(rename = "final")]
    pub is_final: bool,
    pub started_at: Millis,
    pub trigger: Trigger,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regenerates: Option<Hex16>,
    pub outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    pub timings: Timings,
    pub methods: Methods,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback_kind: Option<FeedbackKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub useful_method: Option<UsefulMethod>,
    pub waits: Waits,
    pub updates: Updates,
    pub render_lag: RenderLag,
    pub actions: Vec<Action>,
    #[serde(skip_serializing_if = "is_empty")]
    pub marks: Map<Label, Millis>,
    pub hidden: Hidden,
    pub flags: Vec<Flag>,
    pub attributes: Map<Label, Value>,
    pub requests: Vec<Request>,
}

/// The page that a batch comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Page {
    pub id: Id,
    pub route: Id,
    pub engine: Id,
    pub clock_resolution: f64,
}

/// Which software measured, and how much of it was running.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Sdk {
    pub version: Id,
    pub mode: Mode,
}

names!(
    /// How much of the software was running.
    Mode, "camelCase": Full, Degraded);

/// A variant that was shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Exposure {
    pub experiment: Label,
    pub variant: Label,
    pub unit: Unit,
}

/// Everything of a batch but its turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Envelope {
    pub schema: Schema,
    pub sdk: Sdk,
    pub sent_at: f64,
    /// Number of this batch of the page, so that the receiver can count what was lost.
    pub seq: u32,
    pub page: Page,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Id>,
    pub attributes: Map<Label, Value>,
    pub variants: Vec<Exposure>,
}

/// The version of the contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Schema {
    /// The first one.
    #[default]
    #[serde(rename = "chat-vitals/1")]
    V1,
}

fn is_empty<K, V>(map: &Map<K, V>) -> bool {
    map.0.is_empty()
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
