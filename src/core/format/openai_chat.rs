//! OpenAI Chat Completions, and the servers that speak it with additions of their own
//! (Azure, DeepSeek, Groq, Mistral, OpenRouter, Perplexity, xAI and others).
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};

pub(super) const FAMILY: Family =
    Family { format: Format::OpenaiChat, header: None, named: false, recognise, read };

fn recognise(event: &Event<'_>) -> bool {
    let [object, choices] = event.json.pick(&["object", "choices"]);
    object.is("chat.completion.chunk")
        || (choices.is_array() && !object.is("text_completion") && !object.is("chat.completion"))
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [id, model, choices, usage, error, citations, filters, groq] = event.json.pick(&[
        "id",
        "model",
        "choices",
        "usage",
        "error",
        "citations",
        "prompt_filter_results",
        "x_groq",
    ]);
    reading.identity(id, model);
    choices.items().for_each(|choice| read_choice(choice, reading));
    read_usage(if usage.is_object() { usage } else { groq.get("usage") }, reading);
    if error.exists() {
        reading.mark(Kinds::ERROR);
    }
    if filters.has_parts() {
        reading.mark(Kinds::STATUS);
    }
    citations.items().for_each(|url| reading.source(&[url]));
}

fn read_choice(choice: Json<'_>, reading: &mut Reading) {
    let [index, delta, finish_reason] = choice.pick(&["index", "delta", "finish_reason"]);
    if index.u32().is_some_and(|index| index > 0) {
        return reading.mark(Kinds::OTHER_CHOICE);
    }
    let [content, refusal, context] = delta.pick(&["content", "refusal", "context"]);
    reading.text(content);
    content.items().for_each(|part| read_part(part, reading));
    reading.text(refusal);
    read_reasoning(delta, reading);
    read_tools(delta, reading);
    delta.get("annotations").items().for_each(|annotation| read_annotation(annotation, reading));
    context.get("citations").items().for_each(|citation| {
        reading.source(&citation.pick(&["url", "filepath", "chunk_id", "title"]));
    });
    if finish_reason.has_text() {
        reading.finish(finish_reason);
    }
}

/// Part of a `content` that is an array, as Mistral sends it.
fn read_part(part: Json<'_>, reading: &mut Reading) {
    let [kind, text, thinking, references] = part.pick(&["type", "text", "thinking", "reference_ids"]);
    match kind.plain() {
        "text" => reading.text(text),
        "thinking" => thinking.items().for_each(|part| reading.reasoning(part.get("text"))),
        "reference" if references.has_parts() => reading.mark(Kinds::SOURCE),
        "image_url" => reading.mark(Kinds::FILE),
        _ => {}
    }
}

/// The servers have three places for it, and some fill two of them with the same text.
fn read_reasoning(delta: Json<'_>, reading: &mut Reading) {
    let [content, plain, details] = delta.pick(&["reasoning_content", "reasoning", "reasoning_details"]);
    if details.has_parts() {
        reading.mark(Kinds::REASONING); // may be encrypted only
    }
    if content.has_text() {
        reading.reasoning(content);
    } else if plain.has_text() {
        reading.reasoning(plain);
    } else {
        details.items().for_each(|detail| reading.reasoning(detail.get("text")));
    }
}

fn read_tools(delta: Json<'_>, reading: &mut Reading) {
    let [calls, function_call, executed] = delta.pick(&["tool_calls", "function_call", "executed_tools"]);
    for call in calls.items() {
        reading.mark(Kinds::TOOL_CALL);
        let [index, id, function] = call.pick(&["index", "id", "function"]);
        // Id and name come with the first piece of a call only; the others are known by their index.
        if id.has_text() {
            reading.tool_call(id);
        } else if function.get("name").has_text() {
            reading.tool_call(index);
        }
    }
    if function_call.is_object() {
        reading.tool_call(Json::NONE); // the older form has one call, without an id
    }
    for tool in executed.items() {
        let [index, output] = tool.pick(&["index", "output"]);
        reading.tool_call(index);
        if output.exists() {
            reading.mark(Kinds::TOOL_RESULT);
        }
    }
}

fn read_annotation(annotation: Json<'_>, reading: &mut Reading) {
    let [url, file] = annotation.pick(&["url_citation", "file_citation"]);
    let [address, title] = url.pick(&["url", "title"]);
    reading.source(&[address, title, file.get("file_id")]);
}

fn read_usage(usage: Json<'_>, reading: &mut Reading) {
    let [prompt, completion, prompt_details, completion_details] = usage.pick(&[
        "prompt_tokens",
        "completion_tokens",
        "prompt_tokens_details",
        "completion_tokens_details",
    ]);
    reading.usage(Usage {
        input_tokens: prompt.u32(),
        output_tokens: completion.u32(),
        cached_input_tokens: prompt_details.get("cached_tokens").u32(),
        reasoning_tokens: completion_details.get("reasoning_tokens").u32(),
    });
}
