//! Gradio: the outputs of a function, by its queue or by its simple calls.
//!
//! Outputs come as a whole, and in the queue as changes to what came before: `["append", path, text]`. A chat's output is a
//! list of messages (older: of pairs), those of earlier turns among them; what follows the user's last one is the answer.
//! Messages with a title are what the model thinks or does. An output that is text itself is the answer if it is the first.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds};

pub(super) const FAMILY: Family = Family {
    format: Format::Gradio,
    detect: "msg=estimation,process_*&event_id; @=generating,complete&:array",
    kind: "msg",
    rules: "
    *                                               id      event_id
    estimation,process_starts,progress,log          status
    process_completed                               finish  {success!=false}.msg
    process_generating,process_completed            error   {success=false}
    complete                                        finish  @
    close_stream                                    finish
    heartbeat                                       ping
    error,unexpected_error,server_stopped,queue_full  error
",
    read,
    ..Family::PLAIN
};

fn read(event: &Event<'_>, reading: &mut Reading) {
    let outputs = match event.kind {
        "process_generating" | "process_completed" => event.json.get("output").get("data"),
        "generating" | "complete" => event.json,
        _ => Json::NONE,
    };
    for (output, number) in outputs.items().zip(0_u32..) {
        if is_change(first(output)) {
            output
                .items()
                .filter(|change| is_change(*change))
                .for_each(|change| read_change(number, change, reading));
        } else if output.is_array() {
            read_messages(output, reading);
        } else if output.get("role").exists() {
            read_message(number, output, reading);
        } else if number == 0 {
            reading.grown(0, output, false);
        }
    }
}

fn first(array: Json<'_>) -> Json<'_> {
    array.items().next().unwrap_or(Json::NONE)
}

/// A change is `[what, path, value]`.
fn is_change(item: Json<'_>) -> bool {
    item.items().nth(1).is_some_and(Json::is_array) && first(item).is_string()
}

/// Messages as objects with a role, or as pairs of the user's text and the answer.
fn read_messages(messages: Json<'_>, reading: &mut Reading) {
    let is_user = |message: &Json<'_>| message.get("role").is("user") || message.is_array();
    let (mut start, mut count) = (0, 0);
    for message in messages.items() {
        if is_user(&message) {
            start = count;
        }
        count += 1;
    }
    for (message, place) in messages.items().zip(0_u32..).skip(start) {
        read_message(place, message, reading);
    }
}

fn read_message(place: u32, message: Json<'_>, reading: &mut Reading) {
    let [role, content, metadata] = message.pick(&["role", "content", "metadata"]);
    let kinds = match role.plain() {
        "assistant" if metadata.get("title").exists() => Kinds::REASONING,
        "assistant" => Kinds::TEXT,
        _ if message.is_array() => Kinds::TEXT,
        _ => Kinds::META,
    };
    reading.set_part(place, kinds);
    let of_pair = message.items().nth(1).unwrap_or(Json::NONE);
    for (text, part) in [content, of_pair].into_iter().zip([0, 1]) {
        grown(kinds, key(place, part), text, reading);
    }
    for (block, part) in content.items().zip(0_u32..) {
        grown(kinds, key(place, part), block.get("text"), reading);
    }
}

fn read_change(output: u32, change: Json<'_>, reading: &mut Reading) {
    let mut change = change.items();
    let mut next = || change.next().unwrap_or(Json::NONE);
    let (what, path, value) = (next(), next(), next());
    let mut path = path.items();
    let Some(place) = path.next().and_then(|place| place.u32()) else {
        if output == 0 && what.is("append") {
            reading.added(0, value, false);
        }
        return;
    };
    // Behind the message: `content`, or its part of a pair; then the number of the block.
    let field = path.next().and_then(|part| part.u32());
    let key = key(place, field.or(path.next().and_then(|part| part.u32())).unwrap_or(0));
    let kinds = reading.part(Some(place));
    match what.plain() {
        "append" if kinds == Kinds::TEXT => reading.added(key, value, false),
        "append" if kinds == Kinds::REASONING => reading.added(key, value, true),
        "add" if value.get("role").exists() => read_message(place, value, reading),
        "add" | "replace" if value.is_object() => grown(kinds, key, value.get("text"), reading),
        "add" | "replace" => grown(kinds, key, value, reading),
        _ => {}
    }
}

fn key(place: u32, part: u32) -> u64 {
    ((1 + u64::from(place)) << 8) | u64::from(part)
}

fn grown(kinds: Kinds, key: u64, text: Json<'_>, reading: &mut Reading) {
    if kinds.has(Kinds::TEXT | Kinds::REASONING) {
        reading.grown(key, text, kinds == Kinds::REASONING);
    }
}
