//! OpenAI ChatKit: the items of a thread as they are added, updated and done.
//!
//! The user's own message is an item too. An answer may come as a whole when its item is done. Of thoughts each update has
//! all the text so far. Errors come without words, and nothing ends the stream but the last item.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Chatkit,
    detect: "type=thread.created,thread.updated&thread:object; type=thread.item.*; type=stream_options&stream_options:object",
    rules: "
    thread.created,thread.updated  id         thread.id
    stream_options                 meta
    progress_update,client_effect,notice  status
    thread.item.added,thread.item.done  status  item{type=workflow,task}
    thread.item.added,thread.item.done  call    item{type=client_tool_call}  call_id,id
    thread.item.added,thread.item.done  file    item{type=generated_image}
    thread.item.updated            text       update{type=assistant_message.content_part.text_delta}.delta
    thread.item.updated            text       update{type=widget.streaming_text.value_delta}.delta
    thread.item.updated            source     update{type=*.annotation_added}.annotation  source.url,source.filename,source.title
    thread.item.updated            status     update{type=workflow.*,generated_image.updated}
    thread.item.updated            reasoning  update{type=workflow.task.*}.task{type=thought}
    thread.item.done               rest       item{type=assistant_message}.content[].text
    thread.item.done               finish     {item.type=assistant_message,end_of_turn}.type
    thread.item.removed            meta
    thread.item.replaced           withdrawn  item{type=assistant_message}
    error                          error
    _                              other
",
    ..Family::PLAIN
};
