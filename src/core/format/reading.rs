//! What has been read: the record at hand, and the facts of the stream so far.
//!
//! The formats tell it what they find; it keeps the counts, the first indexes and the limits.
use super::growth::Growth;
use crate::core::json::Json;
use crate::core::label::Id;
use crate::core::signal::{Facts, Format, Kinds, Phase, Record, Usage};

/// Most tool calls, and most sources, of one stream that are told apart.
pub const DISTINCT_LIMIT: usize = 256;

/// Reasons to end that take back what was shown before: content filters of OpenAI, Anthropic, Google, Cohere and AWS.
const WITHDRAWING: &[&str] = &[
    "content_filter",
    "refusal",
    "SAFETY",
    "RECITATION",
    "PROHIBITED_CONTENT",
    "BLOCKLIST",
    "SPII",
    "ERROR_TOXIC",
    "content_filtered",
];

/// Most server phases of one stream.
const PHASE_LIMIT: usize = 16;

/// Capacity that stays reserved for the text of a record.
const SPARE: usize = 1 << 14;

#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) facts: Facts,
    kinds: Kinds,
    text: String,
    reasoning: String,
    tools: Distinct,
    sources: Distinct,
    growth: Growth,
    mode: Option<&'static str>,
    /// What the parts of the answer are, by their places.
    parts: Vec<Kinds>,
    /// Whether text, and reasoning, came in pieces since they were last told as a whole.
    said: Kinds,
    is_whole: bool,
}

/// One of the token counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    Input,
    Output,
    Cached,
    Reasoning,
}

impl Reading {
    pub(super) fn mark(&mut self, kinds: Kinds) {
        self.kinds |= kinds;
    }

    /// Visible text that the record adds; an empty string is no text.
    pub(super) fn text(&mut self, text: Json<'_>) {
        if text.has_text() {
            self.mark(Kinds::TEXT);
            text.append_to(&mut self.text);
        }
    }

    /// Reasoning that the record adds; an empty string is none.
    pub(super) fn reasoning(&mut self, text: Json<'_>) {
        if text.has_text() {
            self.mark(Kinds::REASONING);
            text.append_to(&mut self.reasoning);
        }
    }

    /// Some servers pad their tokens, so that the length of a record says nothing.
    pub(super) fn unpad(&mut self) {
        self.text.truncate(self.text.trim_end_matches('\0').len());
    }

    /// A payload that is text itself.
    pub(super) fn text_as_it_is(&mut self, text: &str) {
        if !text.is_empty() {
            self.mark(Kinds::TEXT);
            self.text.push_str(text);
        }
    }

    /// Reasoning that is told as it is.
    pub(super) fn reasoning_as_it_is(&mut self, text: &str) {
        if !text.is_empty() {
            self.mark(Kinds::REASONING);
            self.reasoning.push_str(text);
        }
    }

    /// Text that was shown is taken back: a refusal, a replaced message, a step that is made again.
    pub(super) fn withdraw(&mut self) {
        self.facts.withdrawn += 1;
    }

    /// Text that comes as a whole each time: what the record adds to `key`.
    pub(super) fn grown(&mut self, key: u64, text: Json<'_>, is_reasoning: bool) {
        let size = text.chars().count() as u32;
        let before = self.growth.advance(key, size);
        if size > before {
            let (kind, place) = if is_reasoning {
                (Kinds::REASONING, &mut self.reasoning)
            } else {
                (Kinds::TEXT, &mut self.text)
            };
            place.extend(text.chars().skip(before as usize));
            self.mark(kind);
        }
    }

    /// Text as a whole, for clients that take no pieces: nothing new where pieces of it came before.
    pub(super) fn rest(&mut self, text: Json<'_>, is_reasoning: bool) {
        self.is_whole = true;
        match is_reasoning {
            true if !self.said.has(Kinds::REASONING) => self.reasoning(text),
            false if !self.said.has(Kinds::TEXT) => self.text(text),
            _ => {}
        }
    }

    /// Text that is added to `key`, which may come as a whole later.
    pub(super) fn added(&mut self, key: u64, text: Json<'_>, is_reasoning: bool) {
        self.growth.add(key, text.chars().count() as u32);
        if is_reasoning { self.reasoning(text) } else { self.text(text) }
    }

    /// How much of `key` came so far.
    pub(super) fn size(&mut self, key: u64) -> u32 {
        self.growth.advance(key, 0)
    }

    /// The next part of the answer is opened.
    pub(super) fn open_part(&mut self, kinds: Kinds) {
        self.set_part(self.parts.len() as u32, kinds);
    }

    /// What the part at this place is.
    pub(super) fn set_part(&mut self, place: u32, kinds: Kinds) {
        let place = place as usize;
        if place < DISTINCT_LIMIT && place >= self.parts.len() {
            self.parts.resize(place + 1, Kinds::META);
        }
        if let Some(part) = self.parts.get_mut(place) {
            *part = kinds;
        }
    }

    /// What was opened at this place.
    pub(super) fn part(&self, place: Option<u32>) -> Kinds {
        place.and_then(|place| self.parts.get(place as usize)).copied().unwrap_or(Kinds::META)
    }

    /// Whether the record is of one of these kinds, as far as it was read.
    pub(super) fn is(&self, kinds: Kinds) -> bool {
        self.kinds.has(kinds)
    }

    /// Whether the answer is read from the records of this mode: the first that had some of it.
    pub(super) fn settle_mode(&mut self, mode: &'static str) -> bool {
        *self.mode.get_or_insert(mode) == mode
    }

    /// A piece of the tool call `key`.
    pub(super) fn tool_call(&mut self, key: Json<'_>) {
        self.mark(Kinds::TOOL_CALL);
        self.count_tool(key);
    }

    /// Counts the tool call `key` where the record itself is something else, such as its result.
    pub(super) fn count_tool(&mut self, key: Json<'_>) {
        self.add_tool(key.fingerprint());
    }

    /// A tool call that comes whole, or its first piece; without an id each is one more.
    pub(super) fn tool_call_once(&mut self, key: Json<'_>) {
        self.mark(Kinds::TOOL_CALL);
        let count = u64::from(self.tools.count());
        self.add_tool(if key.exists() { key.fingerprint() } else { count });
    }

    fn add_tool(&mut self, fingerprint: u64) {
        self.facts.uncounted += self.tools.add(fingerprint);
        self.facts.tool_calls = self.tools.count();
    }

    /// A source, told apart by `key`.
    pub(super) fn source(&mut self, key: Json<'_>) {
        self.mark(Kinds::SOURCE);
        if key.exists() && !key.is("") {
            self.facts.uncounted += self.sources.add(key.fingerprint());
            self.facts.sources = self.sources.count();
        }
    }

    /// A source that comes whole; without what tells it apart each is one more.
    pub(super) fn source_once(&mut self, key: Json<'_>) {
        if key.exists() {
            return self.source(key);
        }
        self.mark(Kinds::SOURCE);
        self.facts.uncounted += self.sources.add(u64::from(self.sources.count()));
        self.facts.sources = self.sources.count();
    }

    /// One of the token counts.
    pub(super) fn tokens(&mut self, count: Count, tokens: Option<u32>) {
        let mut usage = Usage::default();
        *match count {
            Count::Input => &mut usage.input_tokens,
            Count::Output => &mut usage.output_tokens,
            Count::Cached => &mut usage.cached_input_tokens,
            Count::Reasoning => &mut usage.reasoning_tokens,
        } = tokens;
        self.usage(usage);
    }

    /// How long a phase of the server took, in milliseconds; the last word counts.
    pub(super) fn phase(&mut self, name: &'static str, duration: Option<f64>) {
        let Some(duration) = duration.filter(|duration| duration.is_finite()) else { return };
        self.facts.phases.retain(|phase| phase.name != name);
        if self.facts.phases.len() < PHASE_LIMIT {
            self.facts.phases.push(Phase { name, duration });
        }
    }

    /// Token counts; what is missing keeps its earlier value.
    pub(super) fn usage(&mut self, new: Usage) {
        if new == Usage::default() {
            return;
        }
        self.mark(Kinds::USAGE);
        let old = self.facts.usage.unwrap_or_default();
        self.facts.usage = Some(Usage {
            input_tokens: new.input_tokens.or(old.input_tokens),
            output_tokens: new.output_tokens.or(old.output_tokens),
            cached_input_tokens: new.cached_input_tokens.or(old.cached_input_tokens),
            reasoning_tokens: new.reasoning_tokens.or(old.reasoning_tokens),
        });
    }

    /// Token counts of `key` alone, as far as it is: the stream's are the sum.
    pub(super) fn usage_of(&mut self, key: u64, of: Usage) {
        let old = self.facts.usage.unwrap_or_default();
        let mut sum = |place: u64, of: Option<u32>, old: Option<u32>| {
            let of = of?;
            let before = self.growth.advance(key.wrapping_sub(place), of);
            Some(old.unwrap_or(0).saturating_add(of.saturating_sub(before)))
        };
        let new = Usage {
            input_tokens: sum(1, of.input_tokens, old.input_tokens),
            output_tokens: sum(2, of.output_tokens, old.output_tokens),
            cached_input_tokens: sum(3, of.cached_input_tokens, old.cached_input_tokens),
            reasoning_tokens: sum(4, of.reasoning_tokens, old.reasoning_tokens),
        };
        self.usage(new);
    }

    /// The stream says that the answer is complete, and why.
    pub(super) fn finish(&mut self, reason: &str) {
        self.end_marker();
        self.reason(reason);
    }

    /// A step of the answer tells why it ends; others may follow, and some servers say so on every record.
    pub(super) fn reason(&mut self, reason: &str) {
        self.mark(Kinds::FINISH);
        if WITHDRAWING.contains(&reason) && self.facts.first_visible.is_some() {
            self.withdraw();
        }
        if let Some(reason) = Id::new(reason) {
            self.facts.finish_reason = Some(reason);
        }
    }

    /// The stream says that it is over.
    pub(super) fn end_marker(&mut self) {
        self.mark(Kinds::FINISH);
        self.facts.finished = true;
    }

    /// Id of the response and model; the first of each stays, since some servers change them on the way.
    pub(super) fn identity(&mut self, response_id: Json<'_>, model: Json<'_>) {
        self.named(Id::new(response_id.plain()));
        if self.facts.model.is_none() {
            self.facts.model = Id::new(model.plain());
        }
    }

    /// The response has this id, unless it had one before.
    pub(super) fn named(&mut self, id: Option<Id>) {
        if self.facts.response_id.is_none() {
            self.facts.response_id = id;
        }
    }

    /// The record cannot be read as what its format promises.
    pub(super) fn malformed(&mut self) {
        self.facts.malformed += 1;
        self.mark(Kinds::OTHER);
    }

    /// `count` bytes were no UTF-8.
    pub(super) fn invalid(&mut self, count: u32) {
        self.facts.invalid_utf8 = self.facts.invalid_utf8.saturating_add(count);
    }

    /// Closes the record: updates the facts, shows it, and clears the place for the next one.
    pub(super) fn emit(&mut self, on_record: &mut dyn FnMut(&Record<'_>)) {
        let index = self.facts.events;
        self.facts.events += 1;
        if self.kinds == Kinds::NONE {
            self.kinds = Kinds::META;
        }
        if self.kinds.has(Kinds::REASONING) {
            self.facts.first_reasoning.get_or_insert(index);
        }
        self.facts.errors += u32::from(self.kinds.has(Kinds::ERROR));
        see(&mut self.facts, index, &self.text);
        on_record(&Record { index, kinds: self.kinds, text: &self.text, reasoning: &self.reasoning });
        self.said = if self.is_whole { Kinds::NONE } else { self.said | self.kinds };
        self.drop_record();
    }

    /// Forgets the record at hand.
    pub(super) fn drop_record(&mut self) {
        (self.kinds, self.is_whole) = (Kinds::NONE, false);
        for text in [&mut self.text, &mut self.reasoning] {
            text.clear();
            text.shrink_to(SPARE);
        }
    }

    /// Shows the next piece of a plain text, which is one record that grows.
    pub(super) fn emit_plain(&mut self, text: &str, on_record: &mut dyn FnMut(&Record<'_>)) {
        self.facts.format = Format::PlainText;
        self.facts.events = 1;
        see(&mut self.facts, 0, text);
        on_record(&Record { index: 0, kinds: Kinds::TEXT, text, reasoning: "" });
    }
}

fn see(facts: &mut Facts, index: u32, text: &str) {
    if text.is_empty() {
        return;
    }
    // Bytes that begin a character; `chars().count()` is three times the code for a speed not needed here.
    let characters = text.bytes().filter(|byte| byte & 0xC0 != 0x80).count();
    facts.visible_characters = facts.visible_characters.saturating_add(characters as u32);
    facts.first_text.get_or_insert(index);
    if facts.first_visible.is_none() && text.chars().any(|c| !c.is_whitespace()) {
        facts.first_visible = Some(index);
    }
}

/// Counts distinct values by their fingerprints, up to a limit.
#[derive(Debug, Default)]
struct Distinct(Vec<u64>);

impl Distinct {
    /// Adds a value; 1 if it is new but over the limit, else 0.
    fn add(&mut self, fingerprint: u64) -> u32 {
        if self.0.contains(&fingerprint) {
            return 0;
        }
        if self.0.len() == DISTINCT_LIMIT {
            return 1;
        }
        self.0.push(fingerprint);
        0
    }

    fn count(&self) -> u32 {
        self.0.len() as u32
    }
}
