//! Ollama chat: one JSON object a line.
use super::{Encoder, Meta, OVERLOADED, tokens};
use crate::time::rfc3339;
use serde_json::{Value, json};

pub struct Ollama {
    meta: Meta,
    output_tokens: usize,
}

impl Ollama {
    pub fn new(meta: Meta) -> Self {
        Self { meta, output_tokens: 0 }
    }

    fn line(&self, message: Value, more: Value) -> String {
        let mut line = json!({
            "model": self.meta.model,
            "created_at": rfc3339(self.meta.created),
            "message": message,
            "done": false,
        });
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        format!("{line}\n")
    }
}

impl Encoder for Ollama {
    /// Ollama says nothing before the first token.
    fn start(&mut self) -> String {
        String::new()
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.output_tokens += tokens(delta);
        self.line(json!({"role": "assistant", "content": "", "thinking": delta}), Value::Null)
    }

    fn text(&mut self, delta: &str) -> String {
        self.output_tokens += tokens(delta);
        self.line(json!({"role": "assistant", "content": delta}), Value::Null)
    }

    fn done(&mut self) -> String {
        let end = json!({
            "done": true,
            "done_reason": "stop",
            "prompt_eval_count": self.meta.input_tokens,
            "eval_count": self.output_tokens,
        });
        self.line(json!({"role": "assistant", "content": ""}), end)
    }

    fn error(&mut self) -> String {
        format!("{}\n", json!({"error": OVERLOADED}))
    }
}
