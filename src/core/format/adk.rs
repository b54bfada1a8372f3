//! Google's Agent Development Kit: Gemini's content in events of an invocation.
//!
//! Pieces are marked as partial, and an event that is not repeats them as a whole; without streaming such events are all there
//! is. A run may call the model several times; the counts are those of the last call, and nothing says that it was the last.
use super::family::{Event, Family};
use super::path;
use super::reading::Reading;
use crate::core::signal::{Format, Kinds};

pub(super) const FAMILY: Family = Family {
    format: Format::Adk,
    detect: "invocationId:string&author:string",
    kind: "",
    rules: "
    *  id              invocationId
    *  model           modelVersion
    *  text            {partial=true}.content.parts[]{thought!=true}.text
    *  reasoning       {partial=true}.content.parts[]{thought=true}.text
    *  rest            {partial!=true}.content.parts[]{thought!=true}.text
    *  rest-reasoning  {partial!=true}.content.parts[]{thought=true}.text
    *  call            content.parts[].functionCall  id,name
    *  new-call        content.parts[].executableCode  id
    *  tool_result     content.parts[].functionResponse
    *  tool_result     content.parts[].codeExecutionResult
    *  file            content.parts[].inlineData
    *  file            content.parts[].fileData
    *  source          groundingMetadata.groundingChunks[].web  uri,title
    *  source          groundingMetadata.groundingChunks[]{!web}.retrievedContext  uri,title
    *  reason          finishReason
    *  error           errorCode
    *  error           error
    *  input           usageMetadata.promptTokenCount
    *  output          usageMetadata.candidatesTokenCount
    *  cached          usageMetadata.cachedContentTokenCount
    *  thought         usageMetadata.thoughtsTokenCount
",
    read,
    ..Family::PLAIN
};

fn read(event: &Event<'_>, reading: &mut Reading) {
    let is_repeat = !reading.is(Kinds::TEXT | Kinds::REASONING | Kinds::TOOL_CALL);
    if is_repeat && path::first(event.json, "{partial!=true}.content.parts[].text").exists() {
        reading.mark(Kinds::META);
    }
}
