//! What can happen to the core, and what it asks for in return.
//!
//! May touch: nothing. Plain values that borrow from the shell for the length of one call.
use super::useful::{Method as UsefulMethod, Shape};
use super::wire::Value;

/// Milliseconds on the page's monotonic clock (`performance.now()`).
pub type Ms = f64;

/// A request's number, given by the taps.
pub type StreamId = u32;

/// How a stream reaches the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// `fetch`.
    Fetch,
    /// `EventSource`.
    EventSource,
    /// `XMLHttpRequest` with progress events.
    Xhr,
    /// `WebSocket`.
    WebSocket,
    /// The application's own calls.
    Manual,
}

impl Transport {
    /// The transport by the number that the taps use.
    pub fn from_number(number: u32) -> Self {
        match number {
            1 => Self::EventSource,
            2 => Self::Xhr,
            3 => Self::WebSocket,
            4 => Self::Manual,
            _ => Self::Fetch,
        }
    }
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Read to its end.
    Done,
    /// The network or the server broke it.
    Error,
    /// The page cancelled its reader.
    Cancelled,
    /// The page aborted the request.
    Aborted,
    /// Out of our sight; where it ended is not known.
    Unknown,
}

impl End {
    /// The end by the number that the taps use.
    pub fn from_number(number: u32) -> Self {
        match number {
            0 => Self::Done,
            1 => Self::Error,
            2 => Self::Cancelled,
            3 => Self::Aborted,
            _ => Self::Unknown,
        }
    }
}

/// What the tap could tell of a request before its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint(pub u32);

impl Hint {
    /// The `match` option names this request.
    pub const MATCHED: u32 = 1;
    /// The request asks for a stream.
    pub const STREAM: u32 = 2;
    /// The method is POST.
    pub const POST: u32 = 4;

    /// Whether any bit of `bits` is set.
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }
}

/// The role that the application gave an element by `data-chat-vitals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The answer is drawn here.
    Answer,
    /// Reasoning is drawn here.
    Reasoning,
    /// Progress is told here.
    Status,
    /// A source or citation.
    Source,
    /// The user's own message.
    User,
    /// Stops the answer.
    Stop,
    /// Asks for another answer.
    Regenerate,
    /// Useful content by the application's own word.
    Useful,
}

impl Role {
    /// The role by its name in `data-chat-vitals`.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "answer" => Self::Answer,
            "reasoning" => Self::Reasoning,
            "status" => Self::Status,
            "source" => Self::Source,
            "user" => Self::User,
            "stop" => Self::Stop,
            "regenerate" => Self::Regenerate,
            "useful" => Self::Useful,
            _ => return None,
        })
    }
}

/// The hardware event of a gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A click.
    Click,
    /// The Enter key.
    Enter,
    /// A form was submitted.
    Submit,
    /// Text was copied.
    Copy,
}

impl Touch {
    /// The touch by the number that the taps use.
    pub fn from_number(number: u32) -> Self {
        match number {
            1 => Self::Enter,
            2 => Self::Submit,
            3 => Self::Copy,
            _ => Self::Click,
        }
    }
}

/// A trusted gesture of the user.
#[derive(Clone, Copy, Debug)]
pub struct Gesture<'a> {
    /// What was done.
    pub touch: Touch,
    /// Accessible name of the control that was used; empty if none.
    pub label: &'a str,
    /// Role of the control, if the application named one.
    pub role: Option<Role>,
    /// Whether the target is a place to write a message (`textarea`, `contenteditable`, `textbox`).
    pub in_composer: bool,
    /// Whether the control stands by the composer, where send is.
    pub by_composer: bool,
    /// Whether the control stands by the last answer.
    pub by_answer: bool,
    /// Text in the composer at this moment; empty if none. Kept in memory to tell the echo from the answer.
    pub composer: &'a str,
}

/// What a newly painted element that is not the answer looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look<'a> {
    /// Role by `data-chat-vitals`.
    pub role: Option<Role>,
    /// Its text, cut.
    pub text: &'a str,
    /// A running animation in it.
    pub animated: bool,
    /// A live region, `role=status`, `role=progressbar` or `progress`.
    pub live: bool,
    /// Painted width in CSS pixels.
    pub width: f64,
    /// Painted height in CSS pixels.
    pub height: f64,
}

/// Where text of the stream is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The answer.
    Answer,
    /// The reasoning panel.
    Reasoning,
}

/// What a place shows after a change.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The place.
    pub place: Place,
    /// The frame that will show it.
    pub frame: u32,
    /// The beginning of its text, cut; empty when nobody asks for it any more.
    pub head: &'a str,
    /// The end of its text, cut.
    pub tail: &'a str,
    /// How much text it shows, in UTF-16 units; 0 if it is all blank.
    pub characters: u32,
    /// What else than running text it shows.
    pub shape: Shape,
}

/// How a moment on screen was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaintMethod {
    /// The engine's presentation time of the element.
    ElementTiming,
    /// Start of the second animation frame after the change.
    Raf2,
    /// First intersection with the viewport.
    Intersection,
}

/// What the application says of the live turn.
#[derive(Clone, Debug)]
pub enum Say<'a> {
    /// A named moment.
    Mark(&'a str),
    /// What is on screen is useful.
    Useful,
    /// Feedback is on screen.
    Progress,
    /// The answer is drawn.
    Finish,
    /// The task is done.
    Complete,
    /// The user stopped the answer.
    Stop,
    /// An attribute of the turn.
    Attribute(&'a str, Value),
    /// The conversation on screen changed.
    Left,
}

/// What Resource Timing says of a request whose `fetch` the application had before the taps were there.
#[derive(Clone, Copy, Debug)]
pub struct Captured<'a> {
    /// `fetch` or `XMLHttpRequest`.
    pub transport: Transport,
    /// Absolute URL.
    pub url: &'a str,
    /// Whether the option `match` names it.
    pub hint: Hint,
    /// When it went out.
    pub start: Ms,
    /// When its response began; 0 if that is not told.
    pub response_start: Ms,
    /// When its last byte came.
    pub response_end: Ms,
    /// HTTP status; 0 if that is not told.
    pub status: u16,
    /// Content type; empty if that is not told.
    pub content_type: &'a str,
    /// Bytes of its body.
    pub bytes: f64,
}

#[allow(missing_docs)] // The fields say what the variants document.
/// Something that happened, at the time that goes with it.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A request went out.
    Opened { stream: StreamId, transport: Transport, method: &'a str, url: &'a str, hint: Hint },
    /// Its response began.
    Head { stream: StreamId, status: u16, content_type: &'a str, headers: &'a [(&'a str, &'a str)] },
    /// The page read bytes.
    Chunk { stream: StreamId, bytes: &'a [u8] },
    /// Bytes passed that nobody kept.
    Skipped { stream: StreamId, length: f64 },
    /// An `EventSource` dispatched an event, or the application says what came of a turn by hand.
    Message { stream: StreamId, event: &'a str, data: &'a str },
    /// An `EventSource` connected again.
    Reconnected { stream: StreamId },
    /// What is read of the stream from now on is not seen.
    OutOfReach { stream: StreamId },
    /// The page aborted the stream, and it goes on.
    AbortIgnored { stream: StreamId },
    /// The network's part of the stream was over at `end`, by Resource Timing.
    Transferred { stream: StreamId, end: Ms },
    /// A request that no tap saw, by Resource Timing.
    Captured(Captured<'a>),
    /// The stream is over.
    Closed { stream: StreamId, end: End, error_type: &'a str },
    /// The user did something.
    Gesture(Gesture<'a>),
    /// Text appeared somewhere: is it the answer? The effects carry the verdict.
    Appeared { text: &'a str, role: Option<Role> },
    /// Text appeared after text of the answer: does it go on there? The effects carry the verdict.
    Followed { before: &'a str, text: &'a str },
    /// What was taken for the answer is none.
    Mistaken,
    /// Text at a known place changed.
    Drawn(Drawing<'a>),
    /// The application's own test says that the answer on screen is useful.
    DrawnUseful { frame: u32, method: UsefulMethod },
    /// The frame is on screen.
    Painted { frame: u32, method: PaintMethod },
    /// Something other than the answer was painted.
    Noticed(Look<'a>),
    /// The progress indicator is gone from the screen.
    IndicatorGone,
    /// The answer is outside the viewport.
    Offscreen,
    /// The answer was taken off the page, and the page's address is another one than when it was found.
    Gone,
    /// The tab is hidden.
    Hidden,
    /// The tab is visible.
    Shown,
    /// The page is being left; `kept` if it may come back from the back/forward cache, `tears` if this browser breaks
    /// streams when it sets out for another page and says so only when that one answers.
    Left { kept: bool, tears: bool },
    /// The application says something.
    Say(Say<'a>),
    /// Calls were lost in the buffer before the engine.
    Overflowed,
    /// A fresh reading of the wall clock in epoch milliseconds.
    Clock { wall: f64 },
    /// The time that the effects asked for has come.
    Tick,
}

/// What [`Event::Appeared`] was; of two that are as likely, the later here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing of this turn.
    #[default]
    Nothing,
    /// The user's own message.
    Echo,
    /// Text of the reasoning.
    Reasoning,
    /// Text of the answer.
    Answer,
}

/// What the shell has to do now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effects {
    /// Whether the page is to be observed.
    pub watch: bool,
    /// Number of the turn being watched; when it changes, places found for the one before are void.
    pub turn: u32,
    /// Whether useful content is still open, so that text and shape are wanted.
    pub wants_text: bool,
    /// Whether a first moment on screen is still open, so that it has to be looked at whether it can be seen.
    pub unseen: bool,
    /// When to call back with [`Event::Tick`].
    pub wake: Option<Ms>,
    /// Answer to [`Event::Appeared`] and [`Event::Followed`].
    pub verdict: Verdict,
    /// Whether the verdict is by more than a few letters that agree.
    pub sure: bool,
    /// How many answers are delivered: what models say side by side.
    pub answers: usize,
    /// Whether there are turns to take.
    pub report: bool,
    /// Whether they have to leave now: the page may not get another chance.
    pub urgent: bool,
}
