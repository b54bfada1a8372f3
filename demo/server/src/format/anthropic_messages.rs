//! Anthropic Messages: content blocks with an index, a ping after the first.
use super::{Encoder, Meta, OVERLOADED, named, tokens};
use serde_json::{Value, json};

#[derive(Clone, Copy, PartialEq)]
enum Block {
    Thinking,
    Text,
}

pub struct AnthropicMessages {
    meta: Meta,
    open: Option<Block>,
    index: u32,
    output_tokens: usize,
}

impl AnthropicMessages {
    pub fn new(meta: Meta) -> Self {
        Self { meta, open: None, index: 0, output_tokens: 0 }
    }

    fn enter(&mut self, block: Block) -> String {
        if self.open == Some(block) {
            return String::new();
        }
        let mut bytes = self.leave();
        let empty = match block {
            Block::Thinking => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Block::Text => json!({"type": "text", "text": ""}),
        };
        bytes += &named(&json!({"type": "content_block_start", "index": self.index, "content_block": empty}));
        if self.index == 0 {
            bytes += &named(&json!({"type": "ping"}));
        }
        self.open = Some(block);
        bytes
    }

    fn leave(&mut self) -> String {
        let Some(block) = self.open.take() else {
            return String::new();
        };
        let mut bytes = String::new();
        if block == Block::Thinking {
            bytes += &self.delta(json!({"type": "signature_delta", "signature": "c2lnbmF0dXJl"}));
        }
        bytes += &named(&json!({"type": "content_block_stop", "index": self.index}));
        self.index += 1;
        bytes
    }

    fn delta(&self, delta: Value) -> String {
        named(&json!({"type": "content_block_delta", "index": self.index, "delta": delta}))
    }
}

impl Encoder for AnthropicMessages {
    fn start(&mut self) -> String {
        named(&json!({"type": "message_start", "message": {
            "id": self.meta.response_id,
            "type": "message",
            "role": "assistant",
            "model": self.meta.model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": {"input_tokens": self.meta.input_tokens, "output_tokens": 1},
        }}))
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.output_tokens += tokens(delta);
        self.enter(Block::Thinking) + &self.delta(json!({"type": "thinking_delta", "thinking": delta}))
    }

    fn text(&mut self, delta: &str) -> String {
        self.output_tokens += tokens(delta);
        self.enter(Block::Text) + &self.delta(json!({"type": "text_delta", "text": delta}))
    }

    fn source(&mut self, url: &str) -> String {
        let citation =
            json!({"type": "web_search_result_location", "url": url, "title": url, "cited_text": ""});
        self.enter(Block::Text) + &self.delta(json!({"type": "citations_delta", "citation": citation}))
    }

    fn done(&mut self) -> String {
        self.leave()
            + &named(&json!({
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "stop_sequence": null},
                "usage": {"output_tokens": self.output_tokens},
            }))
            + &named(&json!({"type": "message_stop"}))
    }

    fn error(&mut self) -> String {
        named(&json!({"type": "error", "error": {"type": "overloaded_error", "message": OVERLOADED}}))
    }
}
