//! OpenAI's older interfaces: completions (one text, no messages) and assistants (runs on a thread).
//!
//! An assistant's run is told with each of its states; its steps have counts of their own, which the run's are the sum of.
//! Id of a tool call comes with its first piece only.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const COMPLETIONS: Family = Family {
    format: Format::OpenaiCompletions,
    detect: "object=text_completion",
    kind: "",
    rules: "
    *  id            id
    *  model         model
    *  other_choice  choices[]{index!=0,}
    *  text          choices[]{index=0,}.text
    *  finish        choices[]{index=0,}.finish_reason
    *  status        prompt_filter_results[]
    *  error         error
    *  input         usage.prompt_tokens
    *  output        usage.completion_tokens
    *  cached        usage.prompt_tokens_details.cached_tokens
    *  thought       usage.completion_tokens_details.reasoning_tokens
",
    ..Family::PLAIN
};

pub(super) const ASSISTANTS: Family = Family {
    format: Format::OpenaiAssistants,
    detect: "@=thread.*&object=thread,thread.*",
    kind: "",
    rules: "
    thread.created,thread.message.created,thread.message.in_progress,thread.message.completed,thread.message.incomplete  meta
    thread.message.delta   text         delta.content[].text.value
    thread.message.delta   text         delta.content[].refusal
    thread.message.delta   source       delta.content[].text.annotations[]  file_citation.file_id,file_path.file_id,text
    thread.message.delta   file         delta.content[].image_file
    thread.run.*           id           {object=thread.run}.id
    thread.run.*           model        {object=thread.run}.model
    thread.run.*           status       {object!=thread.run.step.delta}
    thread.run.*           error        last_error
    thread.run.*           finish       {object=thread.run&status!=queued,in_progress,cancelling}.status
    thread.run.*           input        {object=thread.run}.usage.prompt_tokens
    thread.run.*           output       {object=thread.run}.usage.completion_tokens
    thread.run.*           cached       {object=thread.run}.usage.prompt_token_details.cached_tokens
    thread.run.*           thought      {object=thread.run}.usage.completion_tokens_details.reasoning_tokens
    thread.run.step.delta  tool_call    delta.step_details.tool_calls[]
    thread.run.step.delta  count-call   delta.step_details.tool_calls[]{id!=}  id
    thread.run.step.delta  tool_result  delta.step_details.tool_calls[].code_interpreter.outputs[]
    thread.run.step.delta  tool_result  delta.step_details.tool_calls[].file_search.results[]
    error                  error
    _                      other
",
    ..Family::PLAIN
};
