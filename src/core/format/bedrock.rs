//! AWS Bedrock, whose messages are named by their framing: Converse, models' own records in base64, and agents.
//!
//! No model and no id is told, but by a model's own records. An agent's answer comes whole; its trace has no end.
use super::family::{Event, Family};
use super::reading::Reading;
use super::{anthropic_messages, openai_chat};
use crate::core::signal::Format;

pub(super) const CONVERSE: Family = Family {
    format: Format::BedrockConverse,
    detect: "@=messageStart&role; @=contentBlockStart,contentBlockDelta&contentBlockIndex",
    kind: "",
    rules: "
    messageStart,contentBlockStop  meta
    contentBlockStart   call          start.toolUse     toolUseId
    contentBlockStart   tool_result   start.toolResult
    contentBlockDelta   text          delta.text
    contentBlockDelta   reasoning     delta.reasoningContent.text
    contentBlockDelta   reasoning     delta.reasoningContent{redactedContent}
    contentBlockDelta   tool_call     delta.toolUse
    contentBlockDelta   tool_result   delta.toolResult
    contentBlockDelta   source        delta.citation    location.web.url,source,title
    messageStop         finish        stopReason
    metadata            input         usage.inputTokens
    metadata            output        usage.outputTokens
    metadata            cached        usage.cacheReadInputTokens
    metadata            milliseconds  metrics.latencyMs  latency
    *Exception,error    error
    _                   other
",
    ..Family::PLAIN
};

/// The records of Anthropic's and OpenAI's models are their makers'; a chunk without a type is of Titan, Llama, Nova, Cohere, Mistral or old Claude.
pub(super) const INVOKE: Family = Family {
    format: Format::BedrockInvoke,
    payload: "bytes",
    detect: "@=chunk&:object",
    wraps: &[anthropic_messages::RULES, openai_chat::RULES],
    rules: "
    chunk,completion  text          completion
    chunk,completion  finish        stop_reason
    chunk             text          outputText
    chunk             finish        completionReason
    chunk             text          generation
    chunk             text          text
    chunk             finish        finish_reason
    chunk             text          outputs[0].text
    chunk             finish        outputs[0].stop_reason
    chunk             text          choices[0].text
    chunk             finish        choices[0].stop_reason
    chunk             text          contentBlockDelta.delta.text
    chunk             reasoning     contentBlockDelta.delta.reasoningContent.text
    chunk             tool_call     contentBlockDelta.delta.toolUse
    chunk             call          contentBlockStart.start.toolUse  toolUseId
    chunk             finish        messageStop.stopReason
    *                 input         amazon-bedrock-invocationMetrics.inputTokenCount
    *                 output        amazon-bedrock-invocationMetrics.outputTokenCount
    *                 cached        amazon-bedrock-invocationMetrics.cacheReadInputTokenCount
    *                 milliseconds  amazon-bedrock-invocationMetrics.invocationLatency  latency
    *Exception        error
",
    ..Family::PLAIN
};

pub(super) const AGENT: Family = Family {
    format: Format::BedrockAgent,
    detect: "@=trace&trace:object; @=chunk&bytes:string; @=returnControl&invocationId",
    kind: "",
    rules: "
    trace             status
    trace             reasoning    trace.orchestrationTrace.rationale
    trace             new-call     trace.orchestrationTrace.invocationInput  traceId
    trace             tool_result  trace.orchestrationTrace.observation.actionGroupInvocationOutput
    trace             tool_result  trace.orchestrationTrace.observation.knowledgeBaseLookupOutput
    trace             tool_result  trace.orchestrationTrace.observation.codeInterpreterInvocationOutput
    chunk             source       attribution.citations[].retrievedReferences[]  location.s3Location.uri,location.webLocation.url
    returnControl     new-call     {}  invocationId
    files             file
    *Exception,error  error
    _                 other
",
    read,
    ..Family::PLAIN
};

fn read(event: &Event<'_>, reading: &mut Reading) {
    if event.kind == "chunk" {
        reading.text_as_it_is(&decoded(event.json.get("bytes").plain()).unwrap_or_default());
    }
}

/// The text that stands in base64; nothing if it is none.
pub(super) fn decoded(base64: &str) -> Option<String> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0_u32);
    for byte in base64.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    String::from_utf8(bytes).ok()
}
