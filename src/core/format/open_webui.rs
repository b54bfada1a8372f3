//! Open WebUI in direct mode: OpenAI's chunks between frames of its own, which come first. (Its usual way is a socket.)
use super::family::Family;
use super::openai_chat;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::OpenWebui,
    detect: "selected_model_id:string&!choices; sources[0].source&!choices&!type; citations[0].document&!choices; \
             event.type=status&event.data.description&!choices; \
             event.type=source,citation,chat:*&event.data:object&!choices",
    kind: "",
    rules: "
    *  status     event{type!=source,citation,message,replace,chat:*}
    *  text       event{type=message,chat:message:delta}.data.content
    *  source     event{type=source,citation}.data  source.url,source.id,source.name
    *  error      event{type=chat:message:error}
    *  withdrawn  event{type=replace,chat:message}
    *  source     sources[].metadata[]  source,url,name
    *  source     sources[]{!metadata}  source.url,source.id,source.name
",
    wraps: &[openai_chat::RULES],
    ..Family::PLAIN
};
