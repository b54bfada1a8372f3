//! JSON-RPC over server-sent events: A2A, by which agents are asked, and MCP, by which their tools are.
//!
//! A2A names its results by a field (v1.0) or a `kind` (v0.3); over REST they come without the envelope. Its answer is an
//! artifact, or a single message; what a status says on the way is progress, and the answer only where there was no other.
//! MCP's answer is a tool's output, which is not for the reader of a chat.
use super::family::{Event, Family};
use super::path;
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds};

pub(super) const A2A: Family = Family {
    format: Format::A2a,
    detect: "jsonrpc=2.0&result.task; jsonrpc=2.0&result.statusUpdate; jsonrpc=2.0&result.artifactUpdate; \
             jsonrpc=2.0&result.message; jsonrpc=2.0&result.kind=task,*-update,message; \
             task.status.state=TASK_STATE_*; statusUpdate.status.state=TASK_STATE_*; artifactUpdate.artifact; \
             message.role=ROLE_AGENT&message.parts:array; kind=task,*-update&contextId",
    kind: "",
    read: read_a2a,
    ..Family::PLAIN
};

pub(super) const MCP: Family = Family {
    format: Format::Mcp,
    detect: "jsonrpc=2.0",
    kind: "",
    rules: "
    *  status       method
    *  tool_result  result.content
    *  error        error
",
    ..Family::PLAIN
};

/// States after which the agent does no more: the task is over, or it waits for the user.
const LAST: &str =
    "*_COMPLETED,*_FAILED,*_CANCELED,*_REJECTED,*_REQUIRED,completed,failed,canceled,rejected,*-required";
const FAILED: &str = "*_FAILED,*_REJECTED,failed,rejected";

fn read_a2a(event: &Event<'_>, reading: &mut Reading) {
    let [result, error] = event.json.pick(&["result", "error"]);
    let body = if result.exists() { result } else { event.json };
    if error.exists() {
        reading.mark(Kinds::ERROR);
    }
    let [kind, task, status, artifact, message] =
        body.pick(&["kind", "task", "statusUpdate", "artifactUpdate", "message"]);
    match kind.plain() {
        "task" => read_task(body, reading),
        "status-update" => read_status(body, reading),
        "artifact-update" => read_artifact(body, reading),
        "message" => read_answer(body, reading),
        _ => {
            read_task(task, reading);
            read_status(status, reading);
            read_artifact(artifact, reading);
            read_answer(message, reading);
        }
    }
}

fn read_task(task: Json<'_>, reading: &mut Reading) {
    reading.identity(task.get("id"), Json::NONE);
    for artifact in task.get("artifacts").items() {
        read_parts(artifact, false, reading);
    }
    read_status(task, reading);
}

fn read_status(update: Json<'_>, reading: &mut Reading) {
    let [task, status] = update.pick(&["taskId", "status"]);
    reading.identity(task, Json::NONE);
    let [state, message] = status.pick(&["state", "message"]);
    if !state.has_text() {
        return;
    }
    reading.mark(Kinds::STATUS);
    let state = state.plain();
    if path::matches(LAST, state) {
        message.get("parts").items().for_each(|part| reading.rest(part.get("text"), false));
        reading.finish(state);
    }
    if path::matches(FAILED, state) {
        reading.mark(Kinds::ERROR);
    }
}

fn read_artifact(update: Json<'_>, reading: &mut Reading) {
    let [task, artifact, append] = update.pick(&["taskId", "artifact", "append"]);
    reading.identity(task, Json::NONE);
    read_parts(artifact, append.is_true(), reading);
}

/// A task that is told again has the artifacts so far, and one that is not appended to replaces what it was.
fn read_parts(artifact: Json<'_>, appends: bool, reading: &mut Reading) {
    let key = artifact.get("artifactId").fingerprint();
    let adds = appends || reading.size(key) == 0;
    for part in artifact.get("parts").items() {
        let text = part.get("text");
        if adds {
            reading.added(key, text, false);
        } else {
            reading.grown(key, text, false);
        }
        if path::first(part, "{kind=file}").exists() || part.get("file").exists() {
            reading.mark(Kinds::FILE);
        }
    }
}

/// A message instead of a task is all there is.
fn read_answer(message: Json<'_>, reading: &mut Reading) {
    message.get("parts").items().for_each(|part| reading.text(part.get("text")));
    reading.facts.finished |= message.exists();
}
