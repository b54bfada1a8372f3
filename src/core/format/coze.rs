//! Coze: a conversation of messages, of which those of type `answer` are the answer.
//!
//! A workflow that is run by itself tells what its nodes say, each event under a name of its own.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Coze,
    detect: "@=conversation.chat.*,conversation.message.*; @=Message&content:string&node_seq_id; \
             @=Interrupt&interrupt_data; @=Error&error_code&error_message",
    kind: "",
    rules: "
        conversation.chat.created,conversation.chat.in_progress  status
        conversation.chat.created,conversation.chat.in_progress  id  id
        conversation.message.*       id           chat_id
        conversation.message.*       tool_call    {type=function_call}
        conversation.message.*       tool_result  {type=tool_output,tool_response}
        conversation.message.*       source       {type=knowledge}  -
        conversation.message.delta   text         {type=answer&content_type=,text}.content
        conversation.message.delta   reasoning    {type=answer}.reasoning_content
        conversation.message.completed  count-call  {type=function_call}  id
        conversation.audio.*         file
        conversation.chat.requires_action  reason  status
        conversation.chat.requires_action  tool_call
        conversation.chat.completed,conversation.chat.canceled  finish  status
        conversation.chat.completed  input        usage.input_count
        conversation.chat.completed  output       usage.output_count
        conversation.chat.failed,error  error
        Message                      text         content
        Interrupt                    status
        Done                         finish       @
        Error                        error
        done                         finish
        _                            other
    ",
    ..Family::PLAIN
};
