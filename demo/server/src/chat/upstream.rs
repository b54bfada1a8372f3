//! Passes a chat through to an OpenAI-compatible server; other formats than its own are translated.
use super::plan::Action;
use super::play::Session;
use super::request::ChatRequest;
use super::scenario::End;
use crate::app::Upstream;
use crate::format::Format;
use futures_util::StreamExt;
use serde_json::{Value, json};

/// Longest line of the upstream that is kept in memory.
const LINE_LIMIT: usize = 1 << 20;

pub async fn relay(mut session: Session, client: reqwest::Client, upstream: Upstream, request: ChatRequest) {
    let call = send(&mut session, &client, &upstream, &request);
    if let Some(response) = call.await {
        if request.format == Format::OpenaiChat {
            session.pass_through();
            raw(&mut session, response).await;
        } else {
            translated(&mut session, response).await;
        }
    }
    session.close();
}

/// Sends the request; nothing when there is no stream to relay.
async fn send(
    session: &mut Session,
    client: &reqwest::Client,
    upstream: &Upstream,
    request: &ChatRequest,
) -> Option<reqwest::Response> {
    session.act(Action::Phase("connect")).await?;
    session.act(Action::Progress("Thinking".into())).await?;
    let base = upstream.url.trim_end_matches('/').trim_end_matches("/v1");
    let body = json!({"model": upstream.model, "messages": request.messages, "stream": true});
    let mut call = client
        .post(format!("{base}/v1/chat/completions"))
        .header("content-type", "application/json")
        .header("accept", "text/event-stream")
        .header("traceparent", session.traceparent())
        .body(body.to_string());
    if let Some(key) = &upstream.key {
        call = call.bearer_auth(key);
    }
    let response = tokio::select! {
        () = session.left() => return None,
        response = call.send() => response,
    };
    let (status, retry_after) = match response {
        Ok(response) if response.status().is_success() => return Some(response),
        Ok(response) => {
            let seconds =
                response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
            (response.status().as_u16(), seconds)
        }
        Err(error) => {
            eprintln!("demo-server: upstream: {error}");
            (502, None)
        }
    };
    session.act(Action::Reject { status, retry_after }).await;
    None
}

/// Byte for byte.
async fn raw(session: &mut Session, response: reqwest::Response) -> Option<()> {
    session.act(Action::Headers).await?;
    session.act(Action::Progress("Writing".into())).await?;
    let mut body = response.bytes_stream();
    while let Some(chunk) = next(session, &mut body).await? {
        match chunk {
            Ok(bytes) => session.relay(bytes).await?,
            Err(_) => return session.act(Action::End(End::Cut)).await,
        }
    }
    session.act(Action::End(End::Done)).await
}

async fn translated(session: &mut Session, response: reqwest::Response) -> Option<()> {
    session.act(Action::Headers).await?;
    session.act(Action::Progress("Writing".into())).await?;
    let mut body = response.bytes_stream();
    let mut rest = Vec::new();
    while let Some(Ok(chunk)) = next(session, &mut body).await? {
        rest.extend_from_slice(&chunk);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            for action in actions(&line) {
                session.act(action).await?;
            }
        }
        if rest.len() > LINE_LIMIT {
            break;
        }
    }
    // No `[DONE]` came.
    session.act(Action::End(End::Cut)).await
}

/// The next chunk, or nothing when the client has left.
async fn next<S: StreamExt + Unpin>(session: &mut Session, body: &mut S) -> Option<Option<S::Item>> {
    tokio::select! {
        () = session.left() => None,
        chunk = body.next() => Some(chunk),
    }
}

/// What one line of the upstream's stream says.
fn actions(line: &[u8]) -> Vec<Action> {
    let Some(data) = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii) else {
        return Vec::new();
    };
    if data == b"[DONE]" {
        return vec![Action::End(End::Done)];
    }
    let event: Value = serde_json::from_slice(data).unwrap_or_default();
    if event.get("error").is_some_and(|error| !error.is_null()) {
        return vec![Action::End(End::Error)];
    }
    let delta = &event["choices"][0]["delta"];
    let text = |field: &str| delta[field].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let reasoning = text("reasoning_content").or_else(|| text("reasoning")).map(Action::Reasoning);
    reasoning.into_iter().chain(text("content").map(Action::Text)).collect()
}
