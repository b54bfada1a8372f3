//! OpenAI Responses: items are opened, filled by deltas, and repeated whole when they are done.
use super::{Encoder, Meta, OVERLOADED, named, tokens};
use serde_json::{Value, json};

pub struct OpenaiResponses {
    meta: Meta,
    sequence: u32,
    output: Vec<Value>,
    open: Option<Item>,
    reasoning_tokens: usize,
    annotations: Vec<Value>,
}

struct Item {
    reasoning: bool,
    text: String,
}

impl OpenaiResponses {
    pub fn new(meta: Meta) -> Self {
        Self {
            meta,
            sequence: 0,
            output: Vec::new(),
            open: None,
            reasoning_tokens: 0,
            annotations: Vec::new(),
        }
    }

    fn event(&mut self, kind: &str, fields: Value) -> String {
        let mut event = json!({"type": kind, "sequence_number": self.sequence});
        self.sequence += 1;
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        named(&event)
    }

    fn response(&self, status: &str, error: Value, usage: Value) -> Value {
        json!({"response": {
            "id": self.meta.response_id,
            "object": "response",
            "created_at": self.meta.created,
            "status": status,
            "error": error,
            "model": self.meta.model,
            "output": self.output,
            "usage": usage,
        }})
    }

    fn item_id(&self, reasoning: bool) -> String {
        let prefix = if reasoning { "rs" } else { "msg" };
        format!("{prefix}_{}_{}", self.meta.response_id, self.output.len())
    }

    /// Fields that say which part of which item an event is about.
    fn place(&self, reasoning: bool) -> Value {
        let part = if reasoning { "summary_index" } else { "content_index" };
        json!({"item_id": self.item_id(reasoning), "output_index": self.output.len(), part: 0})
    }

    fn item(&self, item: &Item, status: &str) -> Value {
        let id = self.item_id(item.reasoning);
        let filled = status == "completed";
        if item.reasoning {
            let summary =
                if filled { json!([{"type": "summary_text", "text": item.text}]) } else { json!([]) };
            json!({"id": id, "type": "reasoning", "summary": summary})
        } else {
            let content = if filled { json!([self.text_part(&item.text)]) } else { json!([]) };
            json!({"id": id, "type": "message", "status": status, "role": "assistant", "content": content})
        }
    }

    fn text_part(&self, text: &str) -> Value {
        json!({"type": "output_text", "annotations": self.annotations, "text": text})
    }

    /// Makes sure that an item of this sort is open, closing one of the other sort.
    fn enter(&mut self, reasoning: bool) -> String {
        if self.open.as_ref().is_some_and(|item| item.reasoning == reasoning) {
            return String::new();
        }
        let mut bytes = self.leave();
        let item = Item { reasoning, text: String::new() };
        let added = json!({"output_index": self.output.len(), "item": self.item(&item, "in_progress")});
        bytes += &self.event("response.output_item.added", added);
        let mut place = self.place(reasoning);
        if reasoning {
            place["part"] = json!({"type": "summary_text", "text": ""});
            bytes += &self.event("response.reasoning_summary_part.added", place);
        } else {
            place["part"] = self.text_part("");
            bytes += &self.event("response.content_part.added", place);
        }
        self.open = Some(item);
        bytes
    }

    fn leave(&mut self) -> String {
        let Some(item) = self.open.take() else {
            return String::new();
        };
        let kind =
            if item.reasoning { "response.reasoning_summary_text.done" } else { "response.output_text.done" };
        let mut place = self.place(item.reasoning);
        place["text"] = item.text.clone().into();
        let mut bytes = self.event(kind, place);
        let whole = self.item(&item, "completed");
        let done = json!({"output_index": self.output.len(), "item": whole});
        bytes += &self.event("response.output_item.done", done);
        self.output.push(whole);
        bytes
    }

    fn delta(&mut self, reasoning: bool, delta: &str) -> String {
        let mut bytes = self.enter(reasoning);
        if let Some(item) = &mut self.open {
            item.text += delta;
        }
        let kind =
            if reasoning { "response.reasoning_summary_text.delta" } else { "response.output_text.delta" };
        let mut place = self.place(reasoning);
        place["delta"] = delta.into();
        bytes += &self.event(kind, place);
        bytes
    }
}

impl Encoder for OpenaiResponses {
    fn start(&mut self) -> String {
        let response = self.response("in_progress", Value::Null, Value::Null);
        self.event("response.created", response.clone()) + &self.event("response.in_progress", response)
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.reasoning_tokens += tokens(delta);
        self.delta(true, delta)
    }

    fn text(&mut self, delta: &str) -> String {
        self.delta(false, delta)
    }

    fn source(&mut self, url: &str) -> String {
        let mut bytes = self.enter(false);
        let at = self.open.as_ref().map_or(0, |item| item.text.chars().count());
        let annotation =
            json!({"type": "url_citation", "url": url, "title": url, "start_index": at, "end_index": at});
        let mut place = self.place(false);
        place["annotation_index"] = self.annotations.len().into();
        place["annotation"] = annotation.clone();
        self.annotations.push(annotation);
        bytes += &self.event("response.output_text.annotation.added", place);
        bytes
    }

    fn done(&mut self) -> String {
        let mut bytes = self.leave();
        let output = self.output.iter().map(|item| tokens(&item.to_string())).sum::<usize>();
        let usage = json!({
            "input_tokens": self.meta.input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": self.reasoning_tokens},
            "total_tokens": self.meta.input_tokens as usize + output,
        });
        let response = self.response("completed", Value::Null, usage);
        bytes += &self.event("response.completed", response);
        bytes
    }

    fn error(&mut self) -> String {
        let error = json!({"code": "server_error", "message": OVERLOADED});
        let event =
            self.event("error", json!({"code": "server_error", "message": OVERLOADED, "param": null}));
        let response = self.response("failed", error, Value::Null);
        event + &self.event("response.failed", response)
    }
}
