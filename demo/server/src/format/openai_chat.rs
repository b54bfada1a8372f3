//! OpenAI Chat Completions, with the `reasoning_content` of the servers that speak it.
use super::{Encoder, Meta, OVERLOADED, data, tokens};
use serde_json::{Value, json};

pub struct OpenaiChat {
    meta: Meta,
    reasoning_tokens: usize,
    text_tokens: usize,
}

impl OpenaiChat {
    pub fn new(meta: Meta) -> Self {
        Self { meta, reasoning_tokens: 0, text_tokens: 0 }
    }

    fn chunk(&self, choices: Value, usage: Value) -> String {
        data(&json!({
            "id": self.meta.response_id,
            "object": "chat.completion.chunk",
            "created": self.meta.created,
            "model": self.meta.model,
            "choices": choices,
            "usage": usage,
        }))
    }

    fn delta(&self, delta: Value) -> String {
        self.chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null)
    }
}

impl Encoder for OpenaiChat {
    fn start(&mut self) -> String {
        self.delta(json!({"role": "assistant", "content": ""}))
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.reasoning_tokens += tokens(delta);
        self.delta(json!({"reasoning_content": delta}))
    }

    fn text(&mut self, delta: &str) -> String {
        self.text_tokens += tokens(delta);
        self.delta(json!({"content": delta}))
    }

    fn source(&mut self, url: &str) -> String {
        self.delta(
            json!({"annotations": [{"type": "url_citation", "url_citation": {"url": url, "title": url}}]}),
        )
    }

    fn done(&mut self) -> String {
        let output = self.text_tokens + self.reasoning_tokens;
        let finish = self.chunk(json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]), Value::Null);
        let usage = json!({
            "prompt_tokens": self.meta.input_tokens,
            "completion_tokens": output,
            "total_tokens": self.meta.input_tokens as usize + output,
            "completion_tokens_details": {"reasoning_tokens": self.reasoning_tokens},
        });
        finish + &self.chunk(json!([]), usage) + "data: [DONE]\n\n"
    }

    fn error(&mut self) -> String {
        data(
            &json!({"error": {"message": OVERLOADED, "type": "server_error", "param": null, "code": "overloaded"}}),
        )
    }
}
