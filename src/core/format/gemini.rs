//! Google Gemini: candidates of parts, the counts of the whole answer so far with each event.
//!
//! A finish reason may come with every event. Of a function call that comes in pieces only the first has the name.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::signal::{Format, Kinds};

pub(super) const FAMILY: Family = Family {
    format: Format::GeminiSse,
    detect: "candidates:array; promptFeedback:object; usageMetadata.promptTokenCount:number&!invocationId",
    kind: "",
    rules: "
    *  id            responseId
    *  model         modelVersion
    *  other_choice  candidates[]{index!=0,}
    *  text          candidates[]{index=0,}.content.parts[]{thought!=true}.text
    *  reasoning     candidates[]{index=0,}.content.parts[]{thought=true}.text
    *  tool_call     candidates[]{index=0,}.content.parts[].functionCall.partialArgs
    *  tool_call     candidates[]{index=0,}.content.parts[].functionCall.willContinue
    *  new-call      candidates[]{index=0,}.content.parts[].functionCall{name}  id
    *  new-call      candidates[]{index=0,}.content.parts[].executableCode  id
    *  new-call      candidates[]{index=0,}.content.parts[].toolCall  id
    *  tool_result   candidates[]{index=0,}.content.parts[].codeExecutionResult
    *  tool_result   candidates[]{index=0,}.content.parts[].toolResponse
    *  file          candidates[]{index=0,}.content.parts[].inlineData
    *  file          candidates[]{index=0,}.content.parts[].fileData
    *  source        candidates[]{index=0,}.groundingMetadata.groundingChunks[].web  uri,title
    *  source        candidates[]{index=0,}.groundingMetadata.groundingChunks[]{!web}.retrievedContext  uri,title
    *  source        candidates[]{index=0,}.groundingMetadata.groundingChunks[].maps  uri,title
    *  source        candidates[]{index=0,}.citationMetadata.citationSources[]  uri,title
    *  source        candidates[]{index=0,}.citationMetadata.citations[]  uri,title
    *  source        candidates[]{index=0,}.urlContextMetadata.urlMetadata[]  retrievedUrl
    *  reason        candidates[]{index=0,}.finishReason
    *  error         error
    *  usage         usageMetadata
    *  input         usageMetadata.promptTokenCount
    *  output        usageMetadata.candidatesTokenCount
    *  cached        usageMetadata.cachedContentTokenCount
    *  thought       usageMetadata.thoughtsTokenCount
",
    read,
    ..Family::PLAIN
};

/// A prompt that is refused has no candidates. The same word as a candidate's reason would say that an answer had begun.
fn read(event: &Event<'_>, reading: &mut Reading) {
    let blocked = event.json.get("promptFeedback").get("blockReason");
    if blocked.has_text() {
        reading.mark(Kinds::ERROR);
        reading.finish(&["promptFeedback:", blocked.plain()].concat());
    }
}
