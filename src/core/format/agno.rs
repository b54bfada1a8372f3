//! Agno: events of runs. A team's members and a workflow's steps are runs inside a run; what counts as the answer, its
//! counts and its end is the outermost's. The end of a run repeats its text.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Agno,
    detect: "@=Run*,TeamRun*,Workflow*&event=Run*,TeamRun*,Workflow*; event=Run*,TeamRun*&run_id:string",
    kind: "event",
    rules: "
    *                                       id           run_id
    *                                       model        model
    *RunContent,*RunResponse,*RunResponseContent  text   {nested_depth=0,&!parent_run_id}.content
    *RunContent,*RunResponse,*RunResponseContent  reasoning  reasoning_content
    *RunContent,*RunResponse,*RunResponseContent  source  citations.urls[]  url,title
    *ReasoningStarted                       reasoning
    *ReasoningStep,*ReasoningContentDelta   reasoning
    *ReasoningStep,*ReasoningContentDelta   reasoning    reasoning_content
    *ToolCallStarted                        call         tool              tool_call_id
    *ToolCallCompleted,*ToolCallError       tool_result
    *RunCompleted,*RunCancelled,*RunPaused  finish       {nested_depth=0,&!parent_run_id&!workflow_id}.event
    WorkflowCompleted,WorkflowCancelled     finish       event
    *RunCompleted                           input        {nested_depth=0,&!parent_run_id}.metrics.input_tokens
    *RunCompleted                           output       {nested_depth=0,&!parent_run_id}.metrics.output_tokens
    *RunCompleted                           cached       {nested_depth=0,&!parent_run_id}.metrics.cache_read_tokens
    *RunCompleted                           thought      {nested_depth=0,&!parent_run_id}.metrics.reasoning_tokens
    *RunCompleted                           seconds      {nested_depth=0,&!parent_run_id}.metrics.duration  total
    *RunError,WorkflowError                 error
    _                                       status
",
    ..Family::PLAIN
};
