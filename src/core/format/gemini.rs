//! Google Gemini, `streamGenerateContent` with `alt=sse`: each event is a response with the parts that are new.
//!
//! No event says that the stream ends; a candidate's `finishReason` tells why, and some servers send it all along.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};

pub(super) const FAMILY: Family =
    Family { format: Format::GeminiSse, header: None, named: false, recognise, read };

fn recognise(event: &Event<'_>) -> bool {
    let [candidates, feedback] = event.json.pick(&["candidates", "promptFeedback"]);
    candidates.is_array() || feedback.is_object()
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [candidates, feedback, error, usage, id, model] = event.json.pick(&[
        "candidates",
        "promptFeedback",
        "error",
        "usageMetadata",
        "responseId",
        "modelVersion",
    ]);
    reading.identity(id, model);
    candidates.items().for_each(|candidate| read_candidate(candidate, reading));
    let blocked = feedback.get("blockReason");
    if blocked.has_text() {
        // The same word as a candidate's reason would say that an answer had begun.
        let reason = ["\"promptFeedback:", blocked.plain(), "\""].concat();
        reading.mark(Kinds::ERROR);
        reading.finish(Json::new(&reason));
    }
    if error.exists() {
        reading.mark(Kinds::ERROR);
    }
    if usage.is_object() {
        read_usage(usage, reading);
    }
}

fn read_candidate(candidate: Json<'_>, reading: &mut Reading) {
    let [index, content, reason, grounding, citations, pages] = candidate.pick(&[
        "index",
        "content",
        "finishReason",
        "groundingMetadata",
        "citationMetadata",
        "urlContextMetadata",
    ]);
    if index.u32().is_some_and(|index| index > 0) {
        return reading.mark(Kinds::OTHER_CHOICE);
    }
    content.get("parts").items().for_each(|part| read_part(part, reading));
    for chunk in grounding.get("groundingChunks").items() {
        let [web, retrieved] = chunk.pick(&["web", "retrievedContext"]);
        let [address, title] = if web.exists() { web } else { retrieved }.pick(&["uri", "title"]);
        reading.source(&[address, title]);
    }
    let [of_gemini, of_vertex] = citations.pick(&["citationSources", "citations"]);
    for citation in of_gemini.items().chain(of_vertex.items()) {
        reading.source(&citation.pick(&["uri", "title"]));
    }
    pages.get("urlMetadata").items().for_each(|page| reading.source(&[page.get("retrievedUrl")]));
    if reason.has_text() {
        reading.reason(reason);
    }
}

fn read_part(part: Json<'_>, reading: &mut Reading) {
    let [text, thought, function, code, tool, output, response, inline, file] = part.pick(&[
        "text",
        "thought",
        "functionCall",
        "executableCode",
        "toolCall",
        "codeExecutionResult",
        "toolResponse",
        "inlineData",
        "fileData",
    ]);
    if thought.is_true() {
        reading.reasoning(text);
    } else {
        reading.text(text);
    }
    let [name, arguments] = function.pick(&["name", "partialArgs"]);
    if arguments.exists() {
        reading.mark(Kinds::TOOL_CALL); // a later piece, without the name
    }
    for (call, begins) in [(function, name.exists()), (code, code.exists()), (tool, tool.exists())] {
        if begins {
            reading.tool_call_once(call.get("id"));
        }
    }
    if output.exists() || response.exists() {
        reading.mark(Kinds::TOOL_RESULT);
    }
    if inline.exists() || file.exists() {
        reading.mark(Kinds::FILE);
    }
}

/// The counts of the whole answer so far; the first events may have none yet.
fn read_usage(usage: Json<'_>, reading: &mut Reading) {
    let [prompt, output, cached, thoughts] = usage.pick(&[
        "promptTokenCount",
        "candidatesTokenCount",
        "cachedContentTokenCount",
        "thoughtsTokenCount",
    ]);
    reading.mark(Kinds::USAGE);
    reading.usage(Usage {
        input_tokens: prompt.u32(),
        output_tokens: output.u32(),
        cached_input_tokens: cached.u32(),
        reasoning_tokens: thoughts.u32(),
    });
}
