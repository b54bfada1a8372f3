//! A turn as a waterfall: the user's wait, and the server's own phases on the same axis.
use super::segment::{Dimension, keys};
use crate::store::{Ids, StoredExchange, StoredTurn};
use serde_json::{Map, Value, json};

/// `find` has the server's view of a request.
pub fn waterfall<E>(
    row: &StoredTurn,
    mut find: impl FnMut(&Ids<'_>) -> Result<Option<StoredExchange>, E>,
) -> Result<Value, E> {
    let requests: Vec<&Value> = row.turn["requests"].as_array().into_iter().flatten().collect();
    let mut server = Vec::new();
    for request in &requests {
        if let Some(found) = find(&ids(request))? {
            server.push(server_row(request, &found));
        }
    }
    let mut value = copy(
        &row.turn,
        &[
            "id",
            "revision",
            "final",
            "startedAt",
            "trigger",
            "outcome",
            "phase",
            "flags",
            "actions",
            "waits",
            "hidden",
        ],
    );
    for (name, dimension) in
        [("route", Dimension::Route), ("format", Dimension::Format), ("model", Dimension::Model)]
    {
        if let Some(key) = keys(row, dimension).into_iter().next() {
            value.insert(name.into(), key.into());
        }
    }
    value.insert("variants".into(), keys(row, Dimension::Variant).into());
    value.insert("receivedAt".into(), row.received_at.into());
    let milestones = milestones(&row.turn);
    value.insert("duration".into(), duration(&row.turn, &milestones, &server).into());
    value.insert(
        "milestones".into(),
        milestones.iter().map(|(name, at)| json!({"name": name, "at": at})).collect(),
    );
    value.insert("requests".into(), requests.iter().map(|request| request_row(request)).collect());
    value.insert("server".into(), server.into());
    Ok(value.into())
}

fn ids(request: &Value) -> Ids<'_> {
    Ids {
        request: request["requestId"]["x-request-id"].as_str(),
        trace: request["traceId"].as_str(),
        response: request["responseId"].as_str(),
    }
}

fn milestones(turn: &Value) -> Vec<(&str, f64)> {
    let timings = turn["timings"].as_object().into_iter().flatten();
    let mut milestones: Vec<_> =
        timings.filter_map(|(name, at)| Some((name.as_str(), at.as_f64()?))).collect();
    milestones.sort_by(|a, b| a.1.total_cmp(&b.1));
    milestones
}

fn request_row(request: &Value) -> Value {
    let fields = [
        "traceId",
        "status",
        "end",
        "errorType",
        "sent",
        "responseStart",
        "firstChunk",
        "firstToken",
        "lastChunk",
    ];
    let mut value = copy(request, &fields);
    if let Some(id) = ids(request).request {
        value.insert("requestId".into(), id.into());
    }
    value.into()
}

/// The two clocks are never compared: the moment of the headers, which both saw, joins the axes.
fn server_row(request: &Value, exchange: &StoredExchange) -> Value {
    let at = |name: &str| request[name].as_f64();
    let sent = at("sent").unwrap_or(0.0);
    let offset = match (at("responseStart"), exchange.headers_at) {
        (Some(start), Some(headers)) => (start - headers).max(sent),
        _ => sent,
    };
    json!({
        "requestId": exchange.request_id,
        "model": exchange.model,
        "status": exchange.status,
        "end": exchange.end,
        "offset": (offset * 10.0).round() / 10.0,
        "phases": exchange.phases,
    })
}

/// The end of the last thing known. What the user did long after the answer would press the answer into a corner.
fn duration(turn: &Value, milestones: &[(&str, f64)], server: &[Value]) -> f64 {
    let wait = milestones
        .iter()
        .filter(|(name, _)| !["taskComplete", "nextAction"].contains(name))
        .map(|(_, at)| *at);
    let stops = ["stop", "leave", "hide"];
    let actions = turn["actions"].as_array().into_iter().flatten();
    let acted =
        actions.filter(|it| stops.iter().any(|stop| it["type"] == *stop)).filter_map(|it| it["at"].as_f64());
    let phases = server.iter().flat_map(|row| {
        let offset = row["offset"].as_f64().unwrap_or(0.0);
        let ends = row["phases"].as_array().into_iter().flatten();
        ends.filter_map(move |phase| Some(offset + phase["start"].as_f64()? + phase["duration"].as_f64()?))
    });
    wait.chain(acted).chain(phases).fold(0.0, f64::max)
}

fn copy(from: &Value, fields: &[&str]) -> Map<String, Value> {
    let present = fields.iter().filter_map(|field| Some(((*field).to_owned(), from.get(field)?.clone())));
    present.collect()
}
