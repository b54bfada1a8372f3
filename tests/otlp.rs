//! OTLP/HTTP JSON as the package sends it, read by the strict decoder of the protocol's own types.
//!
//! `tests/js/otlp.test.mjs` sees to it that the files are what is sent.
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::Span;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|one| one.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        other => panic!("{key} is {other:?}"),
    }
}

fn traces() -> ExportTraceServiceRequest {
    serde_json::from_str(include_str!("otlp/traces.json")).expect("decodes as traces")
}

fn spans() -> Vec<Span> {
    traces()
        .resource_spans
        .into_iter()
        .flat_map(|resource| resource.scope_spans)
        .flat_map(|scope| scope.spans)
        .collect()
}

/// Protects: every span decodes, with ids of the right length and an end that is not before its start.
#[test]
fn every_span_decodes() {
    let spans = spans();
    assert_eq!(spans.len(), 7, "three turns, four requests");
    for span in &spans {
        assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8), "{}", span.name);
        assert!(span.start_time_unix_nano > 1_796_000_000_000_000_000, "{}", span.name);
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano, "{}", span.name);
    }
    let ids: std::collections::BTreeSet<_> = spans.iter().map(|span| &span.span_id).collect();
    assert_eq!(ids.len(), spans.len(), "no id twice");
}

/// Protects: a request that took a trace along is that very span, a CLIENT, below its turn.
#[test]
fn a_propagated_request_is_the_parent_that_the_server_knows() {
    let spans = spans();
    let turn = spans.first().expect("a turn");
    let request = spans.get(1).expect("its request");
    assert_eq!((turn.name.as_str(), turn.kind), ("chat_vitals.turn", 1));
    assert_eq!((request.name.as_str(), request.kind), ("POST /api/chat", 3));
    assert_eq!(hex(&request.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(hex(&request.span_id), "b7ad6b7169203331");
    assert_eq!(turn.trace_id, request.trace_id);
    assert_eq!(turn.span_id, request.parent_span_id);
}

/// Protects: the server's own span is linked, not made a second time.
#[test]
fn what_a_response_told_is_a_link() {
    let spans = spans();
    let request = spans.get(2).expect("the second request");
    assert_ne!(hex(&request.span_id), "53995c3f42cd8ad8");
    let linked: Vec<_> = request.links.iter().map(|link| hex(&link.span_id)).collect();
    assert_eq!(linked, ["53995c3f42cd8ad8"]);
}

/// Protects: what failed is an error with its type, and what completed is none.
#[test]
fn outcomes_are_statuses() {
    let code = |span: &Span| span.status.as_ref().map_or(0, |status| status.code);
    let errors: Vec<_> = spans()
        .iter()
        .filter(|span| code(span) == 2)
        .map(|span| text(&span.attributes, "error.type").map(str::to_owned))
        .collect();
    assert_eq!(errors, [Some("429".to_owned()), Some("429".to_owned())], "the turn and its request");
}

/// Protects: the resource is described by the names of the conventions.
#[test]
fn the_resource_is_the_applications() {
    let resource = traces().resource_spans.remove(0).resource.expect("a resource");
    let of = |key| text(&resource.attributes, key);
    assert_eq!(of("service.name"), Some("shop-chat"), "as declared, and first of its name");
    assert_eq!(resource.attributes.iter().filter(|one| one.key == "service.name").count(), 1);
    assert_eq!(
        (of("telemetry.sdk.language"), of("telemetry.sdk.name")),
        (Some("webjs"), Some("chat-vitals"))
    );
}

/// Protects: events are log records with a name, and those of a turn belong to its span.
#[test]
fn every_event_decodes() {
    let logs: ExportLogsServiceRequest =
        serde_json::from_str(include_str!("otlp/logs.json")).expect("decodes as logs");
    let records: Vec<_> = logs
        .resource_logs
        .into_iter()
        .flat_map(|resource| resource.scope_logs)
        .flat_map(|scope| scope.log_records)
        .collect();
    let turns: Vec<_> =
        spans().into_iter().filter(|span| span.name == "chat_vitals.turn").map(|span| span.span_id).collect();
    for record in &records {
        assert!(record.severity_number == 9 && record.time_unix_nano > 0, "{}", record.event_name);
        let is_of_turn = record.event_name.starts_with("chat_vitals.");
        assert_eq!(turns.contains(&record.span_id), is_of_turn, "{}", record.event_name);
    }
    let names: Vec<_> =
        records.iter().map(|record| record.event_name.trim_start_matches("chat_vitals.")).collect();
    assert_eq!(
        names,
        [
            "feature_flag.evaluation",
            "first_feedback",
            "first_visible_token",
            "first_useful_content",
            "final_render",
            "next_action",
            "first_feedback",
            "stop",
            "abandon"
        ]
    );
}
