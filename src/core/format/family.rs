//! What a format's file provides, and the table of all formats.
use super::path::{self, Condition};
use super::reading::Reading;
use super::{
    ag_ui, ai_sdk_ui, anthropic_messages, chat_apps, coze, dify, gemini, langgraph, librechat, lobechat,
    ollama, openai_chat, openai_responses,
};
use crate::core::json::Json;
use crate::core::signal::Format;
use crate::core::text;

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
    &dify::FAMILY,
    &coze::FAMILY,
    &librechat::FAMILY,
    &lobechat::FAMILY,
    &chat_apps::ANYTHINGLLM,
    &chat_apps::N8N_CHAT,
    &chat_apps::AZURE_SEARCH_CHAT,
    &chat_apps::HF_CHAT_UI,
    &chat_apps::FLOWISE,
];

/// A wire format, or several that are read alike.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) format: Format,
    /// What the application calls it, if it is one of its own.
    pub(super) name: &'static str,
    /// A response header that this format alone sends.
    pub(super) header: &'static str,
    /// Conditions ([`super::path`]) with `;` between them: only records of this format meet one. One that begins with `@=` and
    /// names of events speaks of records so named, with a `#` before it if they have an id too; any other of records without a name,
    /// or with the payload's own.
    pub(super) detect: &'static str,
    /// Path to the kind of a record; empty where records are of one kind. Where it leads to nothing the name of the event is it.
    pub(super) kind: &'static str,
    /// Its table ([`super::table`]).
    pub(super) rules: &'static str,
    /// What a table can't say.
    pub(super) read: fn(&Event<'_>, &mut Reading),
}

impl Family {
    /// What most families are like.
    pub(super) const PLAIN: Self = Self {
        format: Format::Unknown,
        name: "",
        header: "",
        detect: "",
        kind: "type",
        rules: "",
        read: |_, _| (),
    };

    /// Whether this record can only be of this format.
    pub(super) fn recognises(&self, event: &Event<'_>) -> bool {
        // What an application says of its own records goes by any name.
        let is_plain = event.is_plain() || !self.name.is_empty();
        let mut alternatives = text::split(self.detect, &[';']).map(str::trim_ascii);
        alternatives.any(|alternative| match text::split_once(alternative, "@=") {
            Some(("#", _)) if event.id.is_empty() => false,
            Some((_, named)) => {
                let (names, condition) = text::split_once(named, "&").unwrap_or((named, ""));
                path::matches(names, event.name)
                    && (condition.is_empty() || Condition::new(condition).holds(event.json))
            }
            None => !alternative.is_empty() && is_plain && Condition::new(alternative).holds(event.json),
        })
    }
}

/// One record.
pub(super) struct Event<'a> {
    /// The payload; no value where it is not JSON.
    pub(super) json: Json<'a>,
    /// The payload as it came.
    pub(super) data: &'a str,
    /// The event's name, where the framing has one.
    pub(super) name: &'a str,
    /// The event's id (the last event id of server-sent events), where the framing has one.
    pub(super) id: &'a str,
    /// What the family takes for its kind.
    pub(super) kind: &'a str,
}

impl<'a> Event<'a> {
    pub(super) fn new(name: &'a str, id: &'a str, data: &'a str, json: Json<'a>) -> Self {
        Self { json, data, name, id, kind: "" }
    }

    /// The same with the kind that it has for a family.
    pub(super) fn of(self, family: &Family) -> Self {
        let kind = if family.kind.is_empty() { "" } else { path::first(self.json, family.kind).plain() };
        Self { kind: if kind.is_empty() { self.name } else { kind }, ..self }
    }

    /// Whether the event's name says nothing else than the payload does. Where it does, one protocol
    /// carries the records of another.
    fn is_plain(&self) -> bool {
        matches!(self.name, "" | "message") || self.json.get("type").is(self.name)
    }
}
