use super::*;
use proptest::prelude::*;

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn ids(correlation: &Correlation) -> Vec<(&str, &str)> {
    correlation.request_ids.iter().map(|(name, id)| (name.as_str(), id.as_str())).collect()
}

/// Protects: a trace context is read and written as it was.
#[test]
fn a_traceparent_is_read_and_written() {
    let context = TraceContext::parse(TRACE);
    assert_eq!(context.map(|context| (context.format(), context.flags)), Some((TRACE.to_owned(), 1)));
}

/// Protects: what the recommendation forbids is refused; it would join to nothing or to everything.
#[test]
fn a_bad_traceparent_is_refused() {
    for bad in [
        "",
        "00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ] {
        assert_eq!(TraceContext::parse(bad), None, "{bad}");
    }
    assert!(
        TraceContext::parse("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-09-what.next").is_some()
    );
}

/// Protects: phases with quoted commas and semicolons, and the trace hidden among them.
#[test]
fn server_timing_gives_phases_and_the_trace() {
    let header = [(
        "Server-Timing",
        "retrieval;dur=120.5, cache;desc=\"hit, warm; \\\"really\\\"\";dur=3, miss, \
         traceparent;desc=\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\", bad name;dur=1, odd;dur=x",
    )];
    let correlation = read(&header);
    let phases: Vec<_> =
        correlation.phases.iter().map(|phase| (phase.name.as_str(), phase.duration)).collect();
    assert_eq!(phases, [("retrieval", 120.5), ("cache", 3.0)]);
    assert_eq!(
        correlation.trace.map(|(context, source)| (context.format(), source)),
        Some((TRACE.to_owned(), Source::ServerTiming))
    );
}

/// Protects: the order of evidence for a trace; a broken header does not hide a good one.
#[test]
fn the_first_good_trace_counts() {
    let other = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-00";
    let source = |headers: &[(&str, &str)]| read(headers).trace.map(|(_, source)| source);
    assert_eq!(source(&[("traceparent", TRACE), ("TraceResponse", other)]), Some(Source::Traceresponse));
    assert_eq!(source(&[("traceparent", TRACE), ("traceresponse", "00-broken")]), Some(Source::Traceparent));
    assert_eq!(source(&[("x-request-id", "a")]), None);
}

/// Protects: ids come in the order of the list, without parameters, and text never passes as an id.
#[test]
fn request_ids_come_in_order() {
    let correlation = read(&[
        ("cf-ray", "8f2d-FRA"),
        ("x-amzn-trace-id", "Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8"),
        ("X-Request-ID", " req_1 , req_2"),
        ("request-id", "two words"),
        ("x-secret", "abc"),
    ]);
    assert_eq!(
        ids(&correlation),
        [
            ("x-request-id", "req_1"),
            ("x-amzn-trace-id", "Root=1-67891233-abcdef012345678912345678"),
            ("cf-ray", "8f2d-FRA")
        ]
    );
}

/// Protects: headers that the application names are read, before the built-in ones, once.
#[test]
fn the_application_may_name_headers() {
    let headers = [("x-request-id", "a"), ("x-correlation-id", "b")];
    let also = ["x-correlation-id".into(), "x-request-id".into()];
    assert_eq!(ids(&read_with(&headers, &also)), [("x-correlation-id", "b"), ("x-request-id", "a")]);
}

/// Protects: bounded, however many headers a server sends.
#[test]
fn there_is_a_limit() {
    let many = "a;dur=1,".repeat(1000);
    let mut headers: Vec<(&str, &str)> = REQUEST_ID_HEADERS.iter().map(|name| (*name, "id")).collect();
    headers.push(("server-timing", &many));
    let correlation = read(&headers);
    assert_eq!((correlation.request_ids.len(), correlation.phases.len()), (REQUEST_IDS, PHASES));
}

/// Protects: plain decimals, and nothing else.
#[test]
fn durations_are_plain_decimals() {
    let duration =
        |text: &str| metrics(&("a;dur=".to_owned() + text)).next().and_then(|metric| metric.duration);
    for (text, expected) in [
        ("0", Some(0.0)),
        ("53.2", Some(53.2)),
        (".5", Some(0.5)),
        ("7.", Some(7.0)),
        ("\"12.25\"", Some(12.25)),
        ("0.12345678901234567890", Some(0.12345678901234)),
        ("", None),
        (".", None),
        ("-1", None),
        ("1e3", None),
        ("NaN", None),
        ("9999999999", None),
    ] {
        assert_eq!(duration(text), expected, "{text}");
    }
}

proptest! {
    /// Protects: no header value panics, and every duration is a number.
    #[test]
    fn any_header_is_read(value in "[a-z0-9;,=\\\\\" .-]{0,200}|\\PC{0,100}") {
        let correlation = read(&[("server-timing", &value), ("x-request-id", &value), ("traceparent", &value)]);
        prop_assert!(correlation.phases.iter().all(|phase| phase.duration.is_finite() && phase.duration >= 0.0));
    }
}

const SENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03";

/// Protects: the span that went out is the request's, whatever span of the same trace the server tells of.
#[test]
fn what_was_sent_along_is_the_requests_own() {
    let mut correlation = Correlation::default();
    correlation.sent("traceparent", SENT);
    correlation.sent("x-request-id", "ours");
    correlation.answered(read(&[
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01"),
        ("x-request-id", "theirs"),
    ]));
    let trace = correlation.trace.map(|(context, source)| (context.format(), source));
    assert_eq!(trace, Some((SENT.to_owned(), Source::Propagated)));
    let ids: Vec<_> = correlation.request_ids.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(ids, ["theirs"], "the id in the server's logs");
}

/// Protects: a server that begins a trace of its own is joined by that one.
#[test]
fn a_trace_that_was_not_taken_up_is_not_told() {
    let mut correlation = Correlation::default();
    correlation.sent("own", SENT);
    let sent = correlation.clone();
    correlation.answered(read(&[]));
    assert_eq!(correlation.trace.as_ref().map(|(_, source)| *source), Some(Source::Application));
    correlation = sent;
    correlation
        .answered(read(&[("traceresponse", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")]));
    assert_eq!(correlation.trace.map(|(_, source)| source), Some(Source::Traceresponse));
}
