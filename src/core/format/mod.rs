//! From records to signals: what an event of a known wire format means to the user.
//!
//! [`Reader`] reads one stream: framing, recognition of the format ([`family`]), and the
//! format's own file. A format is one file with one `FAMILY`, and one line in [`family::FAMILIES`].
//! What is not recognised has the kind `other` and is never guessed at.
//!
//! May touch: framing, json, signal. Keeps no text of the stream beyond the record at hand.
mod adk;
mod ag_ui;
mod agent_protocols;
mod agno;
mod ai_sdk_ui;
mod anthropic_messages;
mod assistant_transport;
mod bedrock;
mod chat_apps;
mod chatkit;
mod cohere;
mod coze;
mod data_stream;
mod dify;
mod family;
mod gemini;
mod google_interactions;
mod gradio;
mod growth;
mod langgraph;
mod langserve;
mod librechat;
mod lobechat;
mod mastra;
mod model_servers;
mod ollama;
mod open_webui;
mod openai_chat;
mod openai_older;
mod openai_responses;
mod own;
mod path;
mod reading;
mod shape;
mod table;

use super::framing::{Frame, Framer};
use super::json::{self, Json};
use super::label::{Id, Label};
use super::signal::{Facts, Format, Kinds, Record};
use super::text;
use family::{Event, FAMILIES, Family};
use reading::Reading;
use table::Table;

pub use own::{Definitions, Own};
pub use reading::DISTINCT_LIMIT;

/// Records after which a stream that was not recognised stays unknown.
pub const ATTEMPTS: u32 = 32;

/// Header of the older data stream of the AI SDK, whose body has one coded line a record.
const DATA_STREAM_HEADER: &str = "x-vercel-ai-data-stream";

/// The reader of one stream.
#[derive(Debug)]
pub struct Reader {
    framer: Framer,
    meaning: Meaning,
}

impl Reader {
    /// A reader for a response with this content type and these headers.
    pub fn new(content_type: &str, headers: &[(&str, &str)]) -> Self {
        Self::with(Own::default(), content_type, headers)
    }

    /// The same where the application has formats of its own.
    pub fn with(own: Own, content_type: &str, headers: &[(&str, &str)]) -> Self {
        let sent = |name: &str| headers.iter().any(|(sent, _)| sent.eq_ignore_ascii_case(name));
        let framer = if sent(DATA_STREAM_HEADER) { Framer::lines() } else { Framer::new(content_type) };
        let family = FAMILIES.iter().copied().find(|family| !family.header.is_empty() && sent(family.header));
        let mut meaning = Meaning { own, ..Meaning::default() };
        meaning.settle(family);
        Self { framer, meaning }
    }

    /// Takes the next bytes of the body, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8], on_record: &mut dyn FnMut(&Record<'_>)) {
        let Self { framer, meaning } = self;
        framer.feed(bytes, &mut |frame| meaning.frame(frame, on_record));
        self.name_by_framing();
    }

    /// `length` bytes passed that are not at hand; reading goes on at the next border of a record.
    pub fn skipped(&mut self, length: u64) {
        let Self { framer, meaning } = self;
        framer.gap(&mut |frame| meaning.frame(frame, &mut |_| ()));
        meaning.reading.facts.skipped_bytes += length;
    }

    /// Takes an event that `EventSource` has already framed.
    pub fn message(&mut self, event: &str, data: &str, on_record: &mut dyn FnMut(&Record<'_>)) {
        self.meaning.record(event, data, on_record);
    }

    /// Takes what an application says of an answer itself: `what` it is, and the text or what tells it apart. Nothing is guessed.
    pub fn told(&mut self, what: &str, text: &str, on_record: &mut dyn FnMut(&Record<'_>)) {
        let reading = &mut self.meaning.reading;
        match what {
            "reasoning" => reading.reasoning_as_it_is(text),
            "toolCall" => reading.tool_call_once(Json::whole(text)),
            "source" => reading.source_once(Json::whole(text)),
            _ => {
                reading.facts.format = Format::PlainText;
                reading.text_as_it_is(text);
            }
        }
        reading.emit(on_record);
    }

    /// The stream has ended: reads what is left.
    pub fn finish(&mut self, on_record: &mut dyn FnMut(&Record<'_>)) {
        let Self { framer, meaning } = self;
        framer.finish(&mut |frame| meaning.frame(frame, on_record));
        self.name_by_framing();
    }

    /// Records that mean the same in two framings are of two formats.
    fn name_by_framing(&mut self) {
        let format = &mut self.meaning.reading.facts.format;
        if *format == Format::GeminiSse && self.framer.is_objects() {
            *format = Format::GeminiJsonArray;
        }
    }

    /// What the stream has told so far.
    pub fn facts(&self) -> &Facts {
        &self.meaning.reading.facts
    }

    /// Bytes of the stream held between two calls, at most [`super::framing::BUFFER_LIMIT`].
    pub fn buffered(&self) -> usize {
        self.framer.buffered()
    }
}

/// What frames mean, given the format.
#[derive(Debug, Default)]
struct Meaning {
    own: Own,
    family: Option<&'static Family>,
    table: Table,
    /// The last event id.
    id: String,
    reading: Reading,
}

impl Meaning {
    fn frame(&mut self, frame: Frame<'_>, on_record: &mut dyn FnMut(&Record<'_>)) {
        match frame {
            Frame::Record { name, data } => {
                let data = self.decode(data);
                self.record(core::str::from_utf8(name).unwrap_or(""), &data, on_record);
            }
            Frame::Bare(name) => self.bare(core::str::from_utf8(name).unwrap_or("")),
            Frame::Id(id) => {
                self.id.clear();
                if id.len() <= Id::LIMIT {
                    self.id.push_str(core::str::from_utf8(id).unwrap_or(""));
                }
            }
            Frame::Unread => {
                self.reading.malformed();
                self.reading.emit(on_record);
            }
            Frame::Aside(data) => {
                let error =
                    core::str::from_utf8(data).is_ok_and(|data| Json::new(data).get("error").exists());
                self.reading.facts.errors += u32::from(error);
            }
            Frame::Text(text, invalid) => {
                self.reading.invalid(invalid);
                self.reading.emit_plain(text, on_record);
            }
            Frame::Lost(bytes) => self.reading.facts.skipped_bytes += bytes,
            Frame::Unterminated => self.reading.facts.unterminated = true,
        }
    }

    /// Text as `TextDecoder` would give it; allocates for broken text only.
    fn decode<'a>(&mut self, bytes: &'a [u8]) -> std::borrow::Cow<'a, str> {
        if let Ok(text) = core::str::from_utf8(bytes) {
            return text.into();
        }
        let mut text = String::new();
        self.reading.invalid(text::decode(bytes, &mut text));
        text.into()
    }

    fn record(&mut self, name: &str, data: &str, on_record: &mut dyn FnMut(&Record<'_>)) {
        let id = core::mem::take(&mut self.id);
        let event = Event::new(name, &id, data);
        self.recognise(&event);
        match self.family {
            Some(_) if data == "[DONE]" && !self.table.takes_text => self.reading.end_marker(),
            Some(_) if data.is_empty() && !self.table.takes_text => self.reading.mark(Kinds::PING),
            Some(family) => {
                let inner = family.unwrapped(&event);
                let event = inner.as_deref().map_or(event, |inner| Event::new(name, &id, inner));
                match self.table.read(&event, family, &mut self.reading) {
                    Some(event) => (family.read)(&event, &mut self.reading),
                    None => self.reading.malformed(),
                }
            }
            None if data.starts_with(['{', '[']) && !json::check(data) => self.reading.malformed(),
            None => self.reading.mark(Kinds::OTHER),
        }
        self.id = id;
        self.reading.emit(on_record);
    }

    /// A name without data is no event to browsers; but it may be a protocol's last word.
    fn bare(&mut self, name: &str) {
        let Some(family) = self.family else { return };
        let event = Event::new(name, &self.id, "null");
        if let Some(event) = self.table.read(&event, family, &mut self.reading) {
            (family.read)(&event, &mut self.reading);
        }
        self.reading.drop_record();
    }

    fn recognise(&mut self, event: &Event<'_>) {
        if self.family.is_none() && self.reading.facts.events < ATTEMPTS {
            let is_json = json::check(event.data);
            let event = Event { json: if is_json { event.json } else { Json::NONE }, ..*event };
            let mut known = self.own.0.iter().chain(FAMILIES.iter().copied());
            self.settle(known.find(|family| family.recognises(&event)));
        }
    }

    fn settle(&mut self, family: Option<&'static Family>) {
        let Some(family) = family else { return };
        self.family = Some(family);
        self.table = Table::new(family);
        self.reading.facts.format = family.format;
        self.reading.facts.own_format = Label::new(family.name);
    }
}
