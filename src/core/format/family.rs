//! What a format's file provides, and the table of all formats.
use super::reading::Reading;
use super::{ag_ui, ai_sdk_ui, anthropic_messages, gemini, langgraph, ollama, openai_chat, openai_responses};
use crate::core::json::Json;
use crate::core::signal::Format;

/// All formats in the order in which they are tried: the most distinctive first.
pub(super) const FAMILIES: &[&Family] = &[
    &ai_sdk_ui::FAMILY,
    &openai_responses::FAMILY,
    &ag_ui::FAMILY,
    &anthropic_messages::FAMILY,
    &openai_chat::FAMILY,
    &gemini::FAMILY,
    &langgraph::FAMILY,
    &ollama::FAMILY,
];

/// A wire format, or several that are read alike.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) format: Format,
    /// A response header that this format alone sends.
    pub(super) header: Option<&'static str>,
    /// Whether the names of its events tell what the payloads do not.
    pub(super) named: bool,
    /// Whether this event can only be of this format.
    pub(super) recognise: fn(&Event<'_>) -> bool,
    /// Tells the reading what the event means.
    pub(super) read: fn(&Event<'_>, &mut Reading),
}

/// One record whose payload is JSON.
pub(super) struct Event<'a> {
    pub(super) json: Json<'a>,
    /// The event's name, where the framing has one.
    pub(super) name: &'a str,
    /// The payload's `type`; without one the name of the event.
    pub(super) kind: &'a str,
    /// Whether the event's name says nothing else than the payload does. Where it does, one protocol
    /// carries the records of another.
    pub(super) plain: bool,
}

impl<'a> Event<'a> {
    pub(super) fn new(name: &'a str, json: Json<'a>) -> Self {
        let kind = json.get("type").plain();
        let plain = matches!(name, "" | "message") || name == kind;
        Self { json, name, kind: if kind.is_empty() { name } else { kind }, plain }
    }
}
