//! The wire forms in which an answer is streamed: one small file each, writing only.
//!
//! An encoder turns events into the bytes of one format. It has no clock and does no input or output.
mod ai_sdk_ui;
mod anthropic_messages;
mod ollama;
mod openai_chat;
mod openai_responses;
mod plain_text;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A wire form; the names are those of the SDK's reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    OpenaiChat,
    OpenaiResponses,
    AnthropicMessages,
    AiSdkUi,
    Ollama,
    PlainText,
}

impl Format {
    pub const ALL: [Self; 6] = [
        Self::OpenaiChat,
        Self::OpenaiResponses,
        Self::AnthropicMessages,
        Self::AiSdkUi,
        Self::Ollama,
        Self::PlainText,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
            Self::AiSdkUi => "ai-sdk-ui",
            Self::Ollama => "ollama",
            Self::PlainText => "plain-text",
        }
    }

    /// Whether `EventSource` can read it.
    pub fn is_sse(self) -> bool {
        !matches!(self, Self::Ollama | Self::PlainText)
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Self::Ollama => "application/x-ndjson",
            Self::PlainText => "text/plain; charset=utf-8",
            Self::AiSdkUi => "text/event-stream",
            _ => "text/event-stream; charset=utf-8",
        }
    }

    /// The JSON body of an answer that failed before the stream began.
    pub fn error_body(self, status: StatusCode, message: &str) -> Value {
        let kind = match status.as_u16() {
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        match self {
            Self::AnthropicMessages => json!({"type": "error", "error": {"type": kind, "message": message}}),
            Self::Ollama => json!({"error": message}),
            _ => json!({"error": {"message": message, "type": kind, "param": null, "code": kind}}),
        }
    }

    /// The response's id as the stream tells it, where it does.
    pub fn response_id(self, id: &str) -> Option<String> {
        let prefix = match self {
            Self::OpenaiChat => "chatcmpl-",
            Self::OpenaiResponses => "resp_",
            Self::AnthropicMessages => "msg_",
            Self::AiSdkUi => "msg-",
            Self::Ollama | Self::PlainText => return None,
        };
        Some(format!("{prefix}{id}"))
    }

    pub fn encoder(self, meta: Meta) -> Box<dyn Encoder> {
        match self {
            Self::OpenaiChat => Box::new(openai_chat::OpenaiChat::new(meta)),
            Self::OpenaiResponses => Box::new(openai_responses::OpenaiResponses::new(meta)),
            Self::AnthropicMessages => Box::new(anthropic_messages::AnthropicMessages::new(meta)),
            Self::AiSdkUi => Box::new(ai_sdk_ui::AiSdkUi::new(meta)),
            Self::Ollama => Box::new(ollama::Ollama::new(meta)),
            Self::PlainText => Box::new(plain_text::PlainText),
        }
    }
}

/// What an encoder has to know about the answer besides its events.
#[derive(Clone, Debug)]
pub struct Meta {
    /// The response's id; empty where the format has none.
    pub response_id: String,
    pub model: String,
    /// Seconds since 1970.
    pub created: u64,
    pub input_tokens: u32,
}

/// Writes one answer in one format. Each method returns the bytes to send, empty where the format has no such thing.
pub trait Encoder: Send {
    fn start(&mut self) -> String;
    fn reasoning(&mut self, delta: &str) -> String;
    fn text(&mut self, delta: &str) -> String;
    fn source(&mut self, _url: &str) -> String {
        String::new()
    }
    fn progress(&mut self, _step: &str) -> String {
        String::new()
    }
    fn done(&mut self) -> String;
    /// An error in the stream; empty where the format can only break off.
    fn error(&mut self) -> String;
}

/// What the demo says when it fails on purpose.
const OVERLOADED: &str = "The demo backend is overloaded. Please try again.";

/// An SSE event without a name.
fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An SSE event with a name, which these formats repeat as `type` in the data.
fn named(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or("message"))
}

/// About how many tokens a text has; only for the usage that a stream reports.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}
