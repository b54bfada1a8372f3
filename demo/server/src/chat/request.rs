//! What a page may ask of the backend, as a body or as a query, and the checks of it.
use super::scenario::Scenario;
use crate::format::Format;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub struct ChatRequest {
    pub format: Format,
    #[serde(default)]
    pub messages: Vec<Message>,
    pub conversation: Option<String>,
    pub model: Option<String>,
    #[serde(default = "yes")]
    pub progress: bool,
    #[serde(default)]
    pub regenerate: bool,
    pub seed: Option<u64>,
    pub scenario: Option<Scenario>,
}

#[derive(Clone, Debug, Deserialize, serde::Serialize)]
pub struct Message {
    pub role: String,
    /// A string, or the list of parts that some clients send.
    pub content: serde_json::Value,
}

/// The query of the `EventSource` form.
#[derive(Debug, Deserialize)]
pub struct StreamQuery {
    format: Format,
    message: String,
    conversation: Option<String>,
    model: Option<String>,
    progress: Option<bool>,
    regenerate: Option<bool>,
    seed: Option<u64>,
    scenario: Option<String>,
    pub turn: Option<String>,
}

impl StreamQuery {
    pub fn into_request(self) -> Result<ChatRequest, String> {
        if !self.format.is_sse() {
            return Err("format: EventSource reads only SSE formats".into());
        }
        let scenario = self
            .scenario
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(|error| format!("scenario: {error}"))?;
        Ok(ChatRequest {
            format: self.format,
            messages: vec![Message { role: "user".into(), content: self.message.into() }],
            conversation: self.conversation,
            model: self.model,
            progress: self.progress.unwrap_or(true),
            regenerate: self.regenerate.unwrap_or(false),
            seed: self.seed,
            scenario,
        })
    }
}

/// OpenAI's own request, as far as the replay reads it.
#[derive(Debug, Deserialize)]
pub struct CompletionsRequest {
    model: Option<String>,
    messages: Vec<Message>,
    #[serde(default)]
    stream: bool,
    seed: Option<u64>,
    scenario: Option<Scenario>,
}

impl CompletionsRequest {
    pub fn into_request(self) -> Result<ChatRequest, String> {
        if !self.stream {
            return Err("stream: only true is supported".into());
        }
        Ok(ChatRequest {
            format: Format::OpenaiChat,
            messages: self.messages,
            conversation: None,
            model: self.model,
            progress: false,
            regenerate: false,
            seed: self.seed,
            scenario: self.scenario,
        })
    }
}

impl ChatRequest {
    pub fn check(&self) -> Result<(), String> {
        if self.conversation.as_deref().is_some_and(|name| !is_name(name)) {
            return Err("conversation: 1 to 64 of A-Z a-z 0-9 _ -".into());
        }
        if self.messages.is_empty() {
            return Err("messages: at least one is needed".into());
        }
        let check = self.scenario.as_ref().map_or(Ok(()), Scenario::check);
        check.map_err(|error| format!("scenario: {error}"))
    }

    /// The text of the last message.
    pub fn question(&self) -> String {
        match self.messages.last().map(|message| &message.content) {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        }
    }
}

/// Whether `text` may name a conversation or a turn.
pub fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

fn yes() -> bool {
    true
}
