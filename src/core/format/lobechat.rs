//! LobeChat: named events with an id, whose payload is a JSON value. `data` is what the provider sent and the server had no use for.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Lobechat,
    detect: "#@=text,reasoning,data,stop&:string; #@=tool_calls&:array; #@=data&role=assistant; \
             #@=data&type=response.*,message,reasoning; #@=error&type:string&body",
    kind: "",
    rules: "
        *            id           #
        text         text         {}
        reasoning    reasoning    {}
        tool_calls   call         []  id,index
        grounding    source
        grounding    source       citations[]  url,title
        usage        input        totalInputTokens
        usage        output       totalOutputTokens
        usage        cached       inputCachedTokens
        usage        thought      outputReasoningTokens
        stop         finish
        stop         reason       {!=message_stop}
        error        error
        base64_image file
        data,speed,reasoning_signature  meta
        _            other
    ",
    ..Family::PLAIN
};
