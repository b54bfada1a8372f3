//! AI SDK UI message stream: parts with an id; steps of the work as transient data parts.
use super::{Encoder, Meta, OVERLOADED, data};
use serde_json::{Value, json};

pub struct AiSdkUi {
    meta: Meta,
    open: Option<&'static str>,
    parts: u32,
    sources: u32,
}

impl AiSdkUi {
    pub fn new(meta: Meta) -> Self {
        Self { meta, open: None, parts: 0, sources: 0 }
    }

    fn part(&self, kind: &str, step: &str) -> Value {
        json!({"type": format!("{kind}-{step}"), "id": self.parts.to_string()})
    }

    fn delta(&mut self, kind: &'static str, delta: &str) -> String {
        let mut bytes = String::new();
        if self.open != Some(kind) {
            bytes += &self.leave();
            bytes += &data(&self.part(kind, "start"));
            self.open = Some(kind);
        }
        let mut part = self.part(kind, "delta");
        part["delta"] = delta.into();
        bytes + &data(&part)
    }

    fn leave(&mut self) -> String {
        let Some(kind) = self.open.take() else {
            return String::new();
        };
        let bytes = data(&self.part(kind, "end"));
        self.parts += 1;
        bytes
    }
}

impl Encoder for AiSdkUi {
    fn start(&mut self) -> String {
        let metadata = json!({"model": self.meta.model});
        data(&json!({"type": "start", "messageId": self.meta.response_id, "messageMetadata": metadata}))
            + &data(&json!({"type": "start-step"}))
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.delta("reasoning", delta)
    }

    fn text(&mut self, delta: &str) -> String {
        self.delta("text", delta)
    }

    fn source(&mut self, url: &str) -> String {
        self.sources += 1;
        data(
            &json!({"type": "source-url", "sourceId": format!("source-{}", self.sources), "url": url, "title": url}),
        )
    }

    fn progress(&mut self, step: &str) -> String {
        data(&json!({"type": "data-status", "data": {"step": step}, "transient": true}))
    }

    fn done(&mut self) -> String {
        self.leave()
            + &data(&json!({"type": "finish-step"}))
            + &data(&json!({"type": "finish", "finishReason": "stop"}))
            + "data: [DONE]\n\n"
    }

    fn error(&mut self) -> String {
        data(&json!({"type": "error", "errorText": OVERLOADED})) + "data: [DONE]\n\n"
    }
}
