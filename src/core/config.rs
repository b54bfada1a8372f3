//! What the application chose, in the core's terms.
//!
//! May touch: nothing (of `format` it holds a table). Read once from the options by the shell.
use super::event::Ms;
use super::format::Own;
use super::useful;

/// How much of a turn may leave the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// Nothing is sent.
    Denied,
    /// Held in memory until decided.
    Pending,
    /// Numbers without ids.
    Measure,
    /// With request and trace ids; nothing is stored on the device.
    #[default]
    Correlate,
    /// Also sticky ids and the offline queue.
    Store,
}

impl Consent {
    /// The consent by its name in the options.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "denied" => Self::Denied,
            "pending" => Self::Pending,
            "measure" => Self::Measure,
            "correlate" => Self::Correlate,
            "store" => Self::Store,
            _ => return None,
        })
    }

    /// Whether ids may leave the page.
    pub fn ids(self) -> bool {
        matches!(self, Self::Correlate | Self::Store)
    }

    /// Whether ids may be kept in memory until it is decided.
    pub fn keeps_ids(self) -> bool {
        self.ids() || self == Self::Pending
    }
}

/// Settings of the core.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// A random number from outside: turn ids are made of it.
    pub seed: u64,
    /// When the engine started: what was drawn before it was not seen.
    pub born: Ms,
    /// How much may leave the page.
    pub consent: Consent,
    /// When content counts as useful.
    pub useful: useful::Limits,
    /// Extra response headers read as request ids, in lower case.
    pub request_id_headers: Vec<Box<str>>,
    /// Formats of the application's own.
    pub formats: Own,
}

/// Times that the definitions depend on, in milliseconds.
pub mod limits {
    use super::super::event::Ms;

    /// A request within this time of a gesture is the gesture's doing.
    pub const GESTURE: Ms = 1_000.0;
    /// A gesture waits this long for a stream when requests that are no chat come between.
    pub const PROVISIONAL: Ms = 10_000.0;
    /// Without a change for this long after the stream's end the answer is final (docs/measures.md).
    pub const QUIET: Ms = 500.0;
    /// How long to look for an answer that no one drew yet once the stream is over.
    pub const UNSEEN: Ms = 2_000.0;
    /// Gestures that are remembered in case a request is theirs that only Resource Timing tells of, when it is over.
    pub const FORGOTTEN: usize = 8;
    /// Nothing of a body that went out of reach, or that nobody reads on, for this long: nobody will tell how it ended.
    pub const LOST: Ms = 30_000.0;
    /// Firefox and WebKit break streams when they set out for another page, and leave when that one answers: so long before.
    pub const LEAVING: Ms = 2_000.0;
    /// How long a client may wait before it asks again by itself: openai, anthropic and LangGraph wait 8 seconds at most.
    pub const RETRY: Ms = 10_000.0;
    /// The longest `Retry-After` that clients wait for rather than give up.
    pub const RETRY_AFTER: Ms = 60_000.0;
    /// How long a turn that ended in a tool call waits for the next request of the same turn.
    pub const TOOL: Ms = 10_000.0;
    /// Hidden this long and never back: abandoned in silence (docs/measures.md).
    pub const HORIZON: Ms = 1_800_000.0;
    /// Wall and monotonic clock apart by more than this: the machine slept or the clock was set.
    pub const CLOCK_GAP: Ms = 250.0;
    /// An answer that was taken off the page is drawn again within this time, or its conversation was left.
    pub const REDRAWN: Ms = 1_000.0;
    /// Browser events of the same kind within this time are one act of the user.
    pub const SAME_ACT: Ms = 250.0;
    /// More of a stream comes later than this after a stop: the stop did not reach it.
    pub const STOPPED: Ms = 1_000.0;
    /// Three stops within this time are rage.
    pub const RAGE_STOP: Ms = 1_000.0;
    /// Three regenerations within this time are rage.
    pub const RAGE_REGENERATE: Ms = 30_000.0;
    /// Streams watched at once; more are counted and not read.
    pub const STREAMS: usize = 32;
    /// Requests kept of one turn.
    pub const REQUESTS: usize = 16;
    /// Actions kept of one turn.
    pub const ACTIONS: usize = 16;
    /// Attributes kept of one turn.
    pub const ATTRIBUTES: usize = 16;
    /// Chat routes remembered of this page.
    pub const ROUTES: usize = 16;
    /// Changes that wait for their frame.
    pub const CHANGES: usize = 32;
}
