//! One request of a turn: what the tap and the stream told about it.
//!
//! May touch: `format`, `correlation`, `route`, `config` (its limits).
use super::super::config::limits;
use super::super::correlation::{self, Correlation};
use super::super::event::{End, Hint, Ms, StreamId, Transport};
use super::super::format::{ATTEMPTS, Own, Reader};
use super::super::label::Id;
use super::super::signal::{Facts, Format, Kinds, Record};
use super::super::text;
use super::thinking::Thinking;

/// How sure it is that a request is part of a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It goes along with a gesture; its answer will tell.
    Doubtful,
    /// Option, request or earlier experience say so.
    Likely,
    /// Its answer is a stream of a chat.
    Confirmed,
}

/// The state of one request.
#[derive(Debug)]
pub struct Request {
    /// The tap's number.
    pub stream: StreamId,
    /// How it reaches the page.
    pub transport: Transport,
    /// Which of the turn's requests that run at once it is.
    pub voice: usize,
    /// HTTP method.
    pub method: Id,
    /// Path with ids taken out.
    pub route: Id,
    /// What the tap could tell before the answer.
    pub hint: Hint,
    /// Whether it is a chat at all.
    pub standing: Standing,
    /// When it went out.
    pub sent: Ms,
    /// When its response began.
    pub response_start: Option<Ms>,
    /// When its first bytes were read.
    pub first_chunk: Option<Ms>,
    /// When its first visible character was read.
    pub first_token: Option<Ms>,
    /// When its last bytes were read.
    pub last_chunk: Option<Ms>,
    /// HTTP status.
    pub status: Option<u16>,
    /// When and how it ended.
    pub end: Option<(Ms, End)>,
    /// Whether the end was concluded, from what the stream said or the network; a later word counts.
    pub is_concluded: bool,
    /// Whether no tap saw it: what is known is Resource Timing's.
    pub is_captured: bool,
    /// Whether the page may read it past us.
    pub is_lost: bool,
    /// When the network was done with it.
    pub transferred: Option<Ms>,
    /// When the server would like to be asked again.
    pub retry_after: Option<Ms>,
    /// Name of the error that ended it.
    pub error_type: Option<Id>,
    /// Bytes read by the page.
    pub bytes: f64,
    /// How often an `EventSource` connected again.
    pub reconnects: u32,
    /// Ids, trace and phases that its headers told.
    pub correlation: Correlation,
    /// Formats of the application's own.
    pub formats: Own,
    thinking: Thinking,
    // Boxed: requests are moved about, and a reader is large.
    reader: Option<Box<Reader>>,
}

impl Request {
    /// A request that just went out.
    pub fn new(stream: StreamId, sent: Ms, transport: Transport, method: Id, route: Id, hint: Hint) -> Self {
        Self {
            stream,
            voice: 0,
            transport,
            method,
            route,
            hint,
            standing: Standing::Doubtful,
            sent,
            response_start: None,
            first_chunk: None,
            first_token: None,
            last_chunk: None,
            status: None,
            end: None,
            is_concluded: false,
            is_captured: false,
            is_lost: false,
            transferred: None,
            retry_after: None,
            error_type: None,
            bytes: 0.0,
            reconnects: 0,
            correlation: Correlation::default(),
            formats: Own::default(),
            thinking: Thinking::default(),
            reader: None,
        }
    }

    /// The response began. A streaming content type gets a reader, and so does what was asked for as a stream.
    pub fn head(
        &mut self,
        at: Ms,
        status: u16,
        content_type: &str,
        headers: &[(&str, &str)],
        ids: &[Box<str>],
    ) {
        self.response_start = Some(at);
        self.status = Some(status);
        self.correlation.answered(correlation::read_with(headers, ids));
        self.retry_after = retry_after(headers).map(|wait| at + wait);
        if status < 400 && (is_streaming(content_type) || self.hint.has(Hint::MATCHED | Hint::STREAM)) {
            self.reader = Some(Box::new(Reader::with(self.formats, content_type, headers)));
        }
    }

    /// Whether its content is being read.
    pub fn is_read(&self) -> bool {
        self.reader.is_some()
    }

    /// The page read `bytes`.
    pub fn chunk(&mut self, at: Ms, bytes: &[u8], on_record: &mut dyn FnMut(&Record<'_>)) {
        self.passed(at, bytes.len() as f64);
        self.read(at, on_record, |reader, sink| reader.feed(bytes, sink));
    }

    /// An `EventSource` dispatched an event, or the application says something of its answer.
    pub fn message(&mut self, at: Ms, event: &str, data: &str, on_record: &mut dyn FnMut(&Record<'_>)) {
        let formats = self.formats;
        self.reader.get_or_insert_with(|| Box::new(Reader::with(formats, "text/event-stream", &[])));
        self.response_start.get_or_insert(at);
        self.passed(at, data.len() as f64);
        let by_hand = self.transport == Transport::Manual;
        self.read(at, on_record, |reader, sink| match by_hand {
            true => reader.told(event, data, sink),
            false => reader.message(event, data, sink),
        });
    }

    /// Bytes went by that nobody kept.
    pub fn skipped(&mut self, at: Ms, length: f64) {
        self.passed(at, length);
        if let Some(reader) = &mut self.reader {
            reader.skipped(length as u64);
        }
    }

    /// It is over. What the framing still held comes out first.
    pub fn close(&mut self, at: Ms, end: End, error_type: &str, on_record: &mut dyn FnMut(&Record<'_>)) {
        if self.end.is_some() && !self.is_concluded {
            return;
        }
        self.is_concluded = false;
        self.read(at, on_record, |reader, sink| reader.finish(sink));
        // An EventSource has no other way to end than to be closed.
        let closed_after_the_end = self.transport == Transport::EventSource
            && end == End::Cancelled
            && self.facts().is_some_and(|facts| facts.finished);
        self.end = Some((at, if closed_after_the_end { End::Done } else { end }));
        self.error_type = Id::new(error_type);
    }

    /// The end that nobody has told and nobody will: when that is sure, when it was, and how. A reader may stop at the
    /// stream's own last word; a body that is read elsewhere ends with the network's part of it; one that nobody reads
    /// on stays open.
    pub fn conclusion(&self) -> Option<(Ms, Ms, End)> {
        if self.end.is_some() {
            return None;
        }
        let last = self.last_chunk.or(self.response_start)?;
        if self.facts().is_some_and(|facts| facts.finished) {
            return Some((last + limits::UNSEEN, last, End::Done));
        }
        let is_unread = self.is_lost || self.first_chunk.is_none();
        match self.transferred {
            Some(at) if is_unread => Some((at + limits::UNSEEN, at.max(last), End::Done)),
            Some(at) => Some((at.max(last) + limits::LOST, last, End::Unknown)),
            None if self.is_lost => Some((last + limits::LOST, last, End::Unknown)),
            None => None,
        }
    }

    /// Takes the end that is due as told.
    pub fn conclude(&mut self, on_record: &mut dyn FnMut(&Record<'_>)) {
        let Some((_, at, end)) = self.conclusion() else { return };
        let is_read_elsewhere = !self.facts().is_some_and(|facts| facts.finished);
        self.is_lost |= is_read_elsewhere;
        if is_read_elsewhere && end == End::Done {
            self.last_chunk = Some(at);
        }
        self.close(at, end, "", on_record);
        self.is_concluded = true;
    }

    /// What the stream has told.
    pub fn facts(&self) -> Option<&Facts> {
        self.reader.as_deref().map(Reader::facts)
    }

    /// Whether its stream proves that it is a chat's: by something of an answer in a format that only chats have. Where
    /// `asked`, because somebody sent a message, the format is enough.
    pub fn proves_chat(&self, asked: bool) -> bool {
        self.facts().is_some_and(|facts| match facts.format {
            Format::Own => true,
            format => {
                format.is_of_chats() && (asked || facts.has_answer()) || asked && format.is_also_of_chats()
            }
        })
    }

    /// Whether its stream may prove so yet.
    pub fn may_prove(&self) -> bool {
        let may = |facts: &Facts| match facts.format {
            Format::Unknown => facts.events < ATTEMPTS,
            format => format.is_of_chats() || format.is_also_of_chats(),
        };
        self.is_open() && self.facts().is_none_or(may)
    }

    /// Whether it is still running.
    pub fn is_open(&self) -> bool {
        self.end.is_none()
    }

    /// Whether its stream gave a reason for its end, beyond that it ended: the name of the last event is none.
    pub fn has_reason(&self) -> bool {
        let reason = self.facts().and_then(|facts| facts.finish_reason.as_ref());
        reason.is_some_and(|reason| !matches!(reason.as_str(), "RUN_FINISHED" | "abort"))
    }

    /// Whether it said anything of an answer, or may have: in a format that nobody knows, or where nobody listened.
    pub fn has_answered(&self) -> bool {
        self.is_lost
            || self.facts().map_or(self.response_start.is_some(), |facts| {
                let stays_unknown = facts.events >= ATTEMPTS || facts.events > 0 && !self.is_open();
                facts.has_answer() || facts.format == Format::Unknown && stays_unknown
            })
    }

    /// Whether it failed: by status, by the network, or by an error in its stream.
    pub fn has_failed(&self) -> bool {
        self.status.is_some_and(|status| status >= 400)
            || matches!(self.end, Some((_, End::Error)))
            || self.facts().is_some_and(|facts| facts.errors > 0)
    }

    /// Until when the client may ask for the same again by itself, if it failed in a way in which that helps.
    pub fn retries_until(&self) -> Option<Ms> {
        let (ended, end) = self.end?;
        let is_passing = self.status.is_some_and(|status| matches!(status, 408 | 409 | 425 | 429 | 500..));
        let told = self.retry_after.map(|at| at.min(ended + limits::RETRY_AFTER) + limits::GESTURE);
        (is_passing || end == End::Error).then(|| told.unwrap_or_default().max(ended + limits::RETRY))
    }

    /// Whether it broke from `since` on.
    pub fn is_torn(&self, since: Ms) -> bool {
        self.end.is_some_and(|(at, end)| end == End::Error && at >= since)
    }

    /// Its end was none.
    pub fn reopen(&mut self) {
        self.end = None;
        self.error_type = None;
    }

    /// Whether the page broke it off before the stream said that it was done.
    pub fn was_broken_off(&self) -> bool {
        matches!(self.end, Some((_, End::Aborted | End::Cancelled)))
            && !self.facts().is_some_and(|facts| facts.finished)
    }

    fn passed(&mut self, at: Ms, length: f64) {
        if length > 0.0 {
            // Not the end after all.
            if ::core::mem::take(&mut self.is_concluded) {
                self.end = None;
            }
            self.first_chunk.get_or_insert(at);
            self.last_chunk = Some(at);
            self.bytes += length;
        }
    }

    fn read(
        &mut self,
        at: Ms,
        on_record: &mut dyn FnMut(&Record<'_>),
        run: impl FnOnce(&mut Reader, &mut dyn FnMut(&Record<'_>)),
    ) {
        let Some(reader) = &mut self.reader else { return };
        let (first_token, thinking) = (&mut self.first_token, &mut self.thinking);
        run(reader, &mut |record| {
            let divided = if record.text.is_empty() { None } else { thinking.divide(record.text) };
            let (text, reasoning) = divided.unzip();
            let reasoning = reasoning.map(|thought| record.reasoning.to_owned() + &thought);
            let record = &Record {
                text: text.as_deref().unwrap_or(record.text),
                reasoning: reasoning.as_deref().unwrap_or(record.reasoning),
                ..*record
            };
            let visible = record.kinds.has(Kinds::TEXT) && record.text.chars().any(|c| !c.is_whitespace());
            if visible {
                first_token.get_or_insert(at);
            }
            on_record(record);
        });
    }
}

/// How long the server asks to wait; a date says nothing, as its clock may be any.
pub fn retry_after(headers: &[(&str, &str)]) -> Option<Ms> {
    let told = |name: &str, unit: Ms| {
        let (_, value) = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        Some(Ms::from(value.trim().parse::<u32>().ok()?) * unit)
    };
    told("retry-after-ms", 1.0).or_else(|| told("retry-after", 1_000.0))
}

/// Whether a body of this type is a stream worth reading. Transfer encoding and length say nothing (HTTP/2).
fn is_streaming(content_type: &str) -> bool {
    is_stream(content_type) || is_one_of(content_type, &["text/plain"])
}

/// Whether a body of this type is a stream for sure.
pub fn is_stream(content_type: &str) -> bool {
    const TYPES: [&str; 7] = [
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/json-lines",
        "application/stream+json",
        "application/vnd.amazon.eventstream",
    ];
    is_one_of(content_type, &TYPES)
}

fn is_one_of(content_type: &str, types: &[&str]) -> bool {
    let essence = text::split(content_type, &[';']).next().unwrap_or_default().trim();
    types.iter().any(|name| essence.eq_ignore_ascii_case(name))
}
