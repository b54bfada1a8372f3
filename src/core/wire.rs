//! Names and casing on the wire: the batch and the turn of the public contract.
//!
//! May touch: `label` and the enumerations. The only place that knows field names. No type here has a
//! field that could carry text of the page: strings are [`Id`], [`Label`] or names of variants.
use super::label::{Id, Label};
pub use envelope::{Envelope, Exposure, Mode, Page, Schema, Sdk, Unit};
pub use node::{Node, Parts, Wire};
pub(crate) use node::{names, record};
pub use request::{End, FormatName, Request, ServerPhase, TraceSource, Transport};
use serde::{Serialize, Serializer};

mod envelope;
mod node;
mod request;

/// Milliseconds with one decimal, as far as any clock here goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Millis(f64);

impl Millis {
    /// Rounds to a tenth; what is not a number becomes 0.
    #[inline(never)] // Forty copies of it are 1 KB.
    pub fn new(value: f64) -> Self {
        if value.is_finite() { Self((value * 10.0).round() / 10.0) } else { Self(0.0) }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Wire for Millis {
    fn node(&self) -> Node<'_> {
        Node::Number(self.0)
    }
}

/// A 64-bit id as 16 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex16(pub u64);

impl Wire for Hex16 {
    fn node(&self) -> Node<'_> {
        Node::Hex(self.0)
    }
}

/// Pairs that go out as one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map<K, V>(pub Vec<(K, V)>);

impl<K: AsRef<str>, V: Wire> Parts for Map<K, V> {
    fn each(&self, part: &mut dyn FnMut(&str, Node<'_>)) {
        for (key, value) in &self.0 {
            part(key.as_ref(), value.node());
        }
    }
}

impl<K: AsRef<str>, V: Wire> Wire for Map<K, V> {
    fn node(&self) -> Node<'_> {
        Node::Object(self)
    }
}

impl<K: AsRef<str>, V: Wire> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.node().serialize(serializer)
    }
}

/// A value that the application declared.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text within the limits of a label.
    Label(Label),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

impl Wire for Value {
    fn node(&self) -> Node<'_> {
        match self {
            Self::Label(label) => label.node(),
            Self::Number(number) => number.node(),
            Self::Flag(flag) => flag.node(),
        }
    }
}

names!(
    /// What began the turn.
    #[allow(missing_docs)]
    Trigger {
        Submit = "submit",
        Regenerate = "regenerate",
        Retry = "retry",
        Edit = "edit",
        Auto = "auto",
        Api = "api",
    }
);
names!(
    /// How the turn ended.
    #[allow(missing_docs)]
    Outcome {
        Completed = "completed",
        Stopped = "stopped",
        Failed = "failed",
        Abandoned = "abandoned",
        Superseded = "superseded",
        Open = "open",
    }
);
names!(
    /// How far the turn had come when it ended otherwise than completed.
    #[allow(missing_docs)]
    Phase {
        BeforeFeedback = "beforeFeedback",
        BeforeToken = "beforeToken",
        BeforeUseful = "beforeUseful",
        Streaming = "streaming",
    }
);
names!(
    /// How a timestamp was taken.
    #[allow(missing_docs)]
    Method {
        ElementTiming = "elementTiming",
        Raf2 = "raf2",
        Intersection = "intersection",
        Mutation = "mutation",
        Network = "network",
        App = "app",
    }
);
names!(
    /// What the first feedback was.
    #[allow(missing_docs)]
    FeedbackKind {
        Indicator = "indicator",
        Status = "status",
        Skeleton = "skeleton",
        Source = "source",
        Tool = "tool",
        Content = "content",
    }
);
names!(
    /// By which rule content was useful.
    #[allow(missing_docs)]
    UsefulMethod {
        App = "app",
        Structure = "structure",
        Text = "text",
        Length = "length",
    }
);
names!(
    /// What the user did.
    #[allow(missing_docs)]
    ActionType {
        Stop = "stop",
        Regenerate = "regenerate",
        Retry = "retry",
        Edit = "edit",
        Copy = "copy",
        Submit = "submit",
        Leave = "leave",
        Hide = "hide",
        Return = "return",
        RageStop = "rageStop",
        RageRegenerate = "rageRegenerate",
    }
);
names!(
    /// What a reader has to know before using the numbers.
    #[allow(missing_docs)]
    Flag {
        Hidden = "hidden",
        Offscreen = "offscreen",
        ClockGap = "clockGap",
        LateInstall = "lateInstall",
        AnswerNotFound = "answerNotFound",
        Truncated = "truncated",
        Malformed = "malformed",
        Unfinished = "unfinished",
        AbortIgnored = "abortIgnored",
        BodyOutOfReach = "bodyOutOfReach",
        StopIgnored = "stopIgnored",
    }
);
record!(
    /// Milestones in milliseconds since the turn's start; what was not reached is absent.
    #[derive(Default)]
    Timings {
        /// The first request of the turn went out.
        request_sent: Option<Millis> = "requestSent",
        /// Its response began.
        response_start: Option<Millis> = "responseStart",
        /// The page read the first bytes.
        first_chunk: Option<Millis> = "firstChunk",
        /// The first visible sign that something is happening.
        first_feedback: Option<Millis> = "firstFeedback",
        /// The first visible reasoning.
        first_reasoning: Option<Millis> = "firstReasoning",
        /// The first visible character of the answer.
        first_visible_token: Option<Millis> = "firstVisibleToken",
        /// The first frame with useful content.
        first_useful_content: Option<Millis> = "firstUsefulContent",
        /// The page read the last bytes.
        last_chunk: Option<Millis> = "lastChunk",
        /// The frame of the last change of the answer.
        final_render: Option<Millis> = "finalRender",
        /// The user's task was done.
        task_complete: Option<Millis> = "taskComplete",
        /// The user's next action.
        next_action: Option<Millis> = "nextAction",
    }
);

record!(
    /// How the timestamps on screen were taken.
    #[derive(Default)]
    Methods {
        /// Of `firstFeedback`.
        first_feedback: Option<Method> = "firstFeedback",
        /// Of `firstReasoning`.
        first_reasoning: Option<Method> = "firstReasoning",
        /// Of `firstVisibleToken`.
        first_visible_token: Option<Method> = "firstVisibleToken",
        /// Of `firstUsefulContent`.
        first_useful_content: Option<Method> = "firstUsefulContent",
        /// Of `finalRender`.
        final_render: Option<Method> = "finalRender",
        /// Of `taskComplete`.
        task_complete: Option<Method> = "taskComplete",
    }
);

record!(
    /// Waits of one kind: gaps of more than a second, and the longest gap of all.
    #[derive(Copy, Default)]
    #[allow(missing_docs)]
    Wait {
        count: u32 = "count",
        total: Millis = "total",
        max: Millis = "max",
    }
);

record!(
    /// All waits of a turn.
    #[derive(Copy, Default)]
    Waits {
        /// Without an informative change on screen.
        silent: Wait = "silent",
        /// Without any change on screen, an indicator counted as one.
        motionless: Wait = "static",
        /// Between visible updates while the stream was open.
        stalls: Wait = "stalls",
        /// Time in which an average reader had nothing left to read.
        starved: Millis = "starved",
    }
);

record!(
    /// The rhythm of visible updates.
    #[derive(Copy, Default)]
    #[allow(missing_docs)]
    Updates {
        count: u32 = "count",
        p50: Option<Millis> = "p50",
        p95: Option<Millis> = "p95",
        max: Option<Millis> = "max",
        fluidity: Option<f64> = "fluidity",
    }
);

record!(
    /// From the read of a chunk to the frame that shows it.
    #[derive(Default)]
    RenderLag {
        /// Of the first visible token.
        first: Option<Millis> = "first",
        /// 95th percentile of the updates.
        p95: Option<Millis> = "p95",
    }
);

record!(
    /// Something that the user did, and when.
    #[derive(Copy)]
    #[allow(missing_docs)]
    Action {
        kind: ActionType = "type",
        at: Millis = "at",
    }
);

record!(
    /// Time out of sight.
    #[derive(Copy, Default)]
    #[allow(missing_docs)]
    Hidden {
        total: Millis = "total",
    }
);

record!(
    /// One submit and its answer.
    #[allow(missing_docs)]
    Turn {
        id: Hex16 = "id",
        revision: u32 = "revision",
        is_final: bool = "final",
        started_at: Millis = "startedAt",
        trigger: Trigger = "trigger",
        regenerates: Option<Hex16> = "regenerates",
        outcome: Outcome = "outcome",
        phase: Option<Phase> = "phase",
        timings: Timings = "timings",
        methods: Methods = "methods",
        feedback_kind: Option<FeedbackKind> = "feedbackKind",
        useful_method: Option<UsefulMethod> = "usefulMethod",
        waits: Option<Waits> = "waits",
        updates: Updates = "updates",
        render_lag: RenderLag = "renderLag",
        actions: Vec<Action> = "actions",
        marks: Map<Label, Millis> = "marks" by unless_empty,
        hidden: Hidden = "hidden",
        flags: Vec<Flag> = "flags",
        attributes: Map<Label, Value> = "attributes",
        requests: Vec<Request> = "requests",
    }
);

fn unless_empty<K: AsRef<str>, V: Wire>(map: &Map<K, V>) -> Node<'_> {
    if map.0.is_empty() { Node::Absent } else { map.node() }
}

fn unless_zero(number: &u32) -> Node<'_> {
    if *number == 0 { Node::Absent } else { number.node() }
}

#[cfg(test)]
mod tests;
