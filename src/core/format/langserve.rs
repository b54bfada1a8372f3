//! LangServe: a runnable's output in pieces, its log as patches, or the events of all that runs in it.
//!
//! The log and the events repeat what each step said; only the run's own output counts. An end has no data, so that browsers
//! pass over it. LangGraph's server begins alike where it is old, and is known by the names of its modes.
use super::family::{Event, Family};
use super::langgraph;
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Langserve,
    detect: "@=metadata&run_id:string; @=data&ops:array; @=data&event=on_*&run_id:string; \
             @=error&status_code:number&message:string",
    kind: "",
    rules: "
    metadata  id      run_id
    data      text    {:string}
    data      id      {event}.run_id
    data      id      ops[]{op=replace&path=}.value.id
    data      status  ops[]{path=,/logs*}
    data      status  ops[]{path=/streamed_output/-&value=}
    data      text    ops[]{op=add&path=/streamed_output/-}.value
    error     error
    end       finish  @
",
    read,
    ..Family::PLAIN
};

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [name, ops] = event.json.pick(&["event", "ops"]);
    match event.name {
        "data" if name.exists() => langgraph::read_run_event(event.json, reading),
        "data" if ops.exists() => {
            let output = |op: &Json<'_>| op.get("path").is("/streamed_output/-");
            ops.items()
                .filter(output)
                .for_each(|op| langgraph::read_message("ops", op.get("value"), reading));
        }
        "data" => langgraph::read_message("data", event.json, reading),
        "metadata" | "error" | "end" => {}
        _ => {
            reading.facts.format = Format::Langgraph;
            (langgraph::FAMILY.read)(event, reading);
        }
    }
}
