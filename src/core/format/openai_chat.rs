//! OpenAI Chat Completions, and the servers that speak it with additions of their own
//! (Azure, DeepSeek, Groq, Mistral, OpenRouter, Perplexity, xAI, llama.cpp and others).
//!
//! Reasoning has three places, and some servers fill two of them with the same text. Id and name of a tool call come with its
//! first piece only. Mistral's content may be an array.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::OpenaiChat,
    detect: "object=chat.completion.chunk; choices:array&object!=text_completion,chat.completion; \
             @=error&error.message:string&!type; object=error&message:string&code",
    kind: "",
    rules: RULES,
    ..Family::PLAIN
};

/// Also of formats that wrap the same chunks.
pub(super) const RULES: &str = "
    *  id            id
    *  model         model
    *  other_choice  choices[]{index!=0,}
    *  text          choices[]{index=0,}.delta.content
    *  text          choices[]{index=0,}.delta.refusal
    *  text          choices[]{index=0,}.delta.content[]{type=text}.text
    *  reasoning     choices[]{index=0,}.delta.content[]{type=thinking}.thinking[].text
    *  source        choices[]{index=0,}.delta.content[]{type=reference}.reference_ids[0]  -
    *  source        choices[]{index=0,}.delta.content[]{type=tool_reference}  url,title
    *  file          choices[]{index=0,}.delta.content[]{type=image_url,document_url,tool_file}
    *  file          choices[]{index=0,}.delta.images[]
    *  reasoning     choices[]{index=0,}.delta.reasoning_content
    *  reasoning     choices[]{index=0,}.delta{reasoning_content=}.reasoning
    *  reasoning     choices[]{index=0,}.delta{reasoning_content=&reasoning=}.reasoning_text
    *  reasoning     choices[]{index=0,}.delta.reasoning_steps[]
    *  reasoning     choices[]{index=0,}.delta.reasoning_steps[].thought
    *  reasoning     choices[]{index=0,}.delta.reasoning_details[]
    *  reasoning     choices[]{index=0,}.delta{reasoning_content=&reasoning=}.reasoning_details[].text
    *  tool_call     choices[]{index=0,}.delta.tool_calls[]
    *  count-call    choices[]{index=0,}.delta.tool_calls[]{id!=}  id
    *  count-call    choices[]{index=0,}.delta.tool_calls[]{id=&function.name!=}  index
    *  call          choices[]{index=0,}.delta.function_call  -
    *  call          choices[]{index=0,}.delta.executed_tools[]  index
    *  tool_result   choices[]{index=0,}.delta.executed_tools[].output
    *  source        choices[]{index=0,}.delta.annotations[]  url_citation.url,url_citation.title,file_citation.file_id,document_citation.document_id,function_citation.tool_call_id
    *  source        choices[]{index=0,}.delta.context.citations[]  url,filepath,chunk_id,title
    *  finish        choices[]{index=0,}.finish_reason
    *  error         error
    *  error         {object=error}
    *  error         choices[]{index=0,}.error
    *  error         x_groq.error
    *  status        prompt_filter_results[]
    *  source        citations[]
    *  source        search_results[]  url
    *  input         usage.prompt_tokens
    *  output        usage.completion_tokens
    *  cached        usage.prompt_tokens_details.cached_tokens
    *  thought       usage.completion_tokens_details.reasoning_tokens
    *  input         choices[]{index=0,}.usage.prompt_tokens
    *  output        choices[]{index=0,}.usage.completion_tokens
    *  cached        choices[]{index=0,}.usage.cached_tokens
    *  cached        usage.cached_tokens
    *  input         x_groq.usage.prompt_tokens
    *  output        x_groq.usage.completion_tokens
    *  seconds       x_groq.usage.queue_time       queue
    *  seconds       x_groq.usage.prompt_time      prompt
    *  seconds       x_groq.usage.completion_time  completion
    *  seconds       usage.queue_time              queue
    *  seconds       usage.prompt_time             prompt
    *  seconds       usage.completion_time         completion
    *  milliseconds  timings.prompt_ms             prompt
    *  milliseconds  timings.predicted_ms          completion
";
