//! Servers of models whose formats are told in a few lines: Replicate, watsonx, Text Generation Inference, Workers AI, llama.cpp.
//!
//! Special tokens are no text, and the whole text with the last record is a repeat. watsonx says with every record that it has not finished.
use super::family::Family;
use crate::core::signal::Format;

/// Payloads are the text itself.
pub(super) const REPLICATE: Family = Family {
    format: Format::Replicate,
    detect: "@=output&!={*; #@=output",
    kind: "",
    rules: "
    output  text    $
    done    finish  @
    done    finish  reason
    error   error
    _       other
",
    ..Family::PLAIN
};

pub(super) const WATSONX: Family = Family {
    format: Format::Watsonx,
    detect: "results[0].generated_text:string",
    kind: "",
    rules: "
    *  model   model_id
    *  text    results[0].generated_text
    *  finish  results[0]{stop_reason!=not_finished}.stop_reason
    *  input   results[0]{input_token_count!=0}.input_token_count
    *  output  results[0].generated_token_count
    *  error   errors[]
",
    ..Family::PLAIN
};

pub(super) const HF_TGI: Family = Family {
    format: Format::HfTgi,
    detect: "token.id:number&token.text:string",
    kind: "",
    rules: "
    *  text    token{special!=true}.text
    *  finish  details.finish_reason
    *  input   details.input_length
    *  output  details.generated_tokens
    *  error   error
",
    ..Family::PLAIN
};

pub(super) const CLOUDFLARE: Family = Family {
    format: Format::CloudflareWorkersAi,
    detect: "response:string&p:string; response:string&usage.prompt_tokens; response:string&tool_calls:array",
    kind: "",
    rules: "
    *  text      response
    *  new-call  tool_calls[]  id
    *  input     usage.prompt_tokens
    *  output    usage.completion_tokens
    *  cached    usage.prompt_tokens_details.cached_tokens
    *  error     errors[]
",
    ..Family::PLAIN
};

pub(super) const LLAMA_CPP: Family = Family {
    format: Format::LlamaCpp,
    detect: "content:string&stop=true,false&id_slot; content:string&stop=true,false&slot_id; \
             content:string&stop=true,false&tokens_predicted",
    kind: "",
    rules: "
    *  text          content
    *  model         {stop=true}.model
    *  finish        {stop=true}
    *  finish        {stop=true}.stop_type
    *  input         {stop=true}.tokens_evaluated
    *  output        {stop=true}.tokens_predicted
    *  milliseconds  timings.prompt_ms     prompt
    *  milliseconds  timings.predicted_ms  completion
    *  error         error
",
    ..Family::PLAIN
};
