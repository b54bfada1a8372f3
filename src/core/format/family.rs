//! What a format's file provides, and the table of all formats.
use super::path::{self, Condition};
use super::reading::Reading;
use super::{
    adk, agent_protocols, agno, assistant_transport, chatkit, data_stream, gradio, langserve, mastra,
    open_webui,
};
use super::{ag_ui, ai_sdk_ui, anthropic_messages, gemini, langgraph, ollama, openai_chat, openai_responses};
use super::{
    bedrock, chat_apps, cohere, coze, dify, google_interactions, librechat, lobechat, model_servers,
    openai_older,
};
use crate::core::json::{self, Json};
use crate::core::signal::Format;
use crate::core::text;

/// All formats in the order in which they are tried: the most distinctive first.
pub(super) const FAMILIES: &[&Family] = &[
    &data_stream::FAMILY,
    &mastra::FAMILY,
    &assistant_transport::FAMILY,
    &ai_sdk_ui::FAMILY,
    &openai_responses::FAMILY,
    &ag_ui::FAMILY,
    &anthropic_messages::FAMILY,
    &open_webui::FAMILY,
    &openai_chat::FAMILY,
    &gemini::FAMILY,
    &adk::FAMILY,
    &chatkit::FAMILY,
    &agno::FAMILY,
    &langgraph::FAMILY,
    &langserve::FAMILY,
    &gradio::FAMILY,
    &agent_protocols::A2A,
    &agent_protocols::MCP,
    &openai_older::COMPLETIONS,
    &openai_older::ASSISTANTS,
    &anthropic_messages::COMPLETE,
    &google_interactions::FAMILY,
    &bedrock::CONVERSE,
    &bedrock::INVOKE,
    &bedrock::AGENT,
    &cohere::V2,
    &cohere::V1,
    &model_servers::WATSONX,
    &model_servers::HF_TGI,
    &model_servers::CLOUDFLARE,
    &model_servers::LLAMA_CPP,
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
    &model_servers::REPLICATE,
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
    /// names of events speaks of records so named, with a `#` before it if they have an id too that is no mere number; any other of records without a name,
    /// or with the payload's own.
    pub(super) detect: &'static str,
    /// Path to the kind of a record; empty where records are of one kind. Where it leads to nothing the name of the event is it.
    pub(super) kind: &'static str,
    /// Path to a string that holds the record in base64; empty where the payload is the record.
    pub(super) payload: &'static str,
    /// Tables of the formats whose records it carries.
    pub(super) wraps: &'static [&'static str],
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
        payload: "",
        wraps: &[],
        rules: "",
        read: |_, _| (),
    };

    /// Whether this record can only be of this format.
    pub(super) fn recognises(&self, event: &Event<'_>) -> bool {
        let inner = self.unwrapped(event);
        if inner.is_none() && !self.payload.is_empty() {
            return false;
        }
        let event =
            inner.as_deref().map_or(Event { ..*event }, |inner| Event::new(event.name, event.id, inner));
        // What an application says of its own records goes by any name.
        let is_plain = event.is_plain() || !self.name.is_empty();
        let mut alternatives = text::split(self.detect, &[';']).map(str::trim_ascii);
        alternatives.any(|alternative| match text::split_once(alternative, "@=") {
            Some(("#", _)) if event.id.bytes().all(|byte| byte.is_ascii_digit()) => false,
            Some((_, named)) => {
                let (names, condition) = text::split_once(named, "&").unwrap_or((named, ""));
                path::matches(names, event.name)
                    && (condition.is_empty() || Condition::new(condition).holds(event.json))
            }
            None => !alternative.is_empty() && is_plain && Condition::new(alternative).holds(event.json),
        })
    }

    /// The record within, where it is wrapped and sound.
    pub(super) fn unwrapped(&self, event: &Event<'_>) -> Option<String> {
        let payload = (!self.payload.is_empty()).then(|| path::first(event.json, self.payload))?;
        bedrock::decoded(payload.plain()).filter(|inner| json::check(inner))
    }
}

/// One record.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    /// The payload as JSON, unchecked until it is read.
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
    pub(super) fn new(name: &'a str, id: &'a str, data: &'a str) -> Self {
        Self { json: Json::whole(data), data, name, id, kind: "" }
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
