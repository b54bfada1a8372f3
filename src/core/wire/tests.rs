//! The whole contract, field by field, as the receiver reads it.
use super::*;
use crate::core::signal::{Format, Usage};

fn id(text: &str) -> Id {
    Id::new(text).expect("an id")
}

fn label(text: &str) -> Label {
    Label::new(text).expect("a label")
}

fn ms(value: f64) -> Millis {
    Millis::new(value)
}

fn request() -> Request {
    Request {
        request_id: Map(vec![(id("x-request-id"), id("req_1")), (id("cf-ray"), id("8f2"))]),
        trace_id: Some(id("0af7651916cd43dd8448eb211c80319c")),
        span_id: Some(id("b7ad6b7169203331")),
        trace_source: Some(TraceSource::ServerTiming),
        transport: Transport::EventSource,
        method: id("POST"),
        route: id("/api/chat/:id"),
        status: Some(200),
        sent: ms(1.0),
        response_start: Some(ms(2.04)),
        first_chunk: Some(ms(3.0)),
        first_token: Some(ms(4.0)),
        last_chunk: Some(ms(5.0)),
        end: End::Aborted,
        error_type: Some(id("AbortError")),
        format: Some(FormatName::Known(Format::OpenaiChat)),
        model: Some(id("gpt-4o")),
        response_id: Some(id("chatcmpl-1")),
        finish_reason: Some(id("stop")),
        usage: Some(Usage {
            input_tokens: Some(1),
            output_tokens: Some(2),
            cached_input_tokens: Some(3),
            reasoning_tokens: Some(4),
        }),
        server_timing: vec![ServerPhase { name: id("db"), duration: ms(53.2) }],
        events: 7,
        bytes: 4096.0,
        characters: 99,
        tool_calls: 1,
        sources: 2,
        reconnects: 3,
        errors: 4,
        malformed: 5,
        withdrawn: 6,
    }
}

fn turn() -> Turn {
    let wait = Wait { count: 1, total: ms(1500.0), max: ms(1500.0) };
    Turn {
        id: Hex16(0x0123_4567_89ab_cdef),
        revision: 2,
        is_final: true,
        started_at: ms(1_700_000_000_000.0),
        trigger: Trigger::Regenerate,
        regenerates: Some(Hex16(1)),
        outcome: Outcome::Stopped,
        phase: Some(Phase::BeforeUseful),
        timings: Timings {
            request_sent: Some(ms(1.0)),
            response_start: Some(ms(2.0)),
            first_chunk: Some(ms(3.0)),
            first_feedback: Some(ms(4.0)),
            first_reasoning: Some(ms(5.0)),
            first_visible_token: Some(ms(6.0)),
            first_useful_content: Some(ms(7.0)),
            last_chunk: Some(ms(8.0)),
            final_render: Some(ms(9.0)),
            task_complete: Some(ms(10.0)),
            next_action: Some(ms(11.0)),
        },
        methods: Methods {
            first_feedback: Some(Method::App),
            first_reasoning: Some(Method::Mutation),
            first_visible_token: Some(Method::ElementTiming),
            first_useful_content: Some(Method::Raf2),
            final_render: Some(Method::Intersection),
            task_complete: Some(Method::Network),
        },
        feedback_kind: Some(FeedbackKind::Skeleton),
        useful_method: Some(UsefulMethod::Length),
        waits: Some(Waits { silent: wait, motionless: wait, stalls: wait, starved: ms(0.5) }),
        updates: Updates {
            count: 9,
            p50: Some(ms(16.7)),
            p95: Some(ms(33.3)),
            max: Some(ms(50.0)),
            fluidity: Some(0.875),
        },
        render_lag: RenderLag { first: Some(ms(12.0)), p95: Some(ms(20.0)) },
        actions: vec![Action { kind: ActionType::RageStop, at: ms(13.0) }],
        marks: Map(vec![(label("first card"), ms(14.0))]),
        hidden: Hidden { total: ms(15.0) },
        flags: vec![Flag::ClockGap, Flag::AnswerNotFound],
        attributes: Map(vec![
            (label("plan"), Value::Label(label("pro / eu"))),
            (label("seats"), Value::Number(2.5)),
            (label("trial"), Value::Flag(false)),
        ]),
        requests: vec![request()],
    }
}

fn envelope() -> Envelope {
    Envelope {
        schema: Schema::V1,
        sdk: Sdk { version: id("0.1.0"), mode: Mode::Degraded },
        sent_at: 1_700_000_000_123.0,
        seq: 3,
        lost: 0,
        page: Page {
            id: Some(id("p1")),
            route: id("/c/:id"),
            engine: id("chromium/156"),
            clock_resolution: 0.005,
        },
        session: Some(id("s1")),
        attributes: Map(vec![(label("plan"), Value::Flag(true))]),
        variants: vec![Exposure {
            experiment: label("progress"),
            variant: label("steps"),
            unit: Unit::Session,
        }],
    }
}

fn assert_json(value: &impl Serialize, expected: &str) {
    assert_eq!(serde_json::to_string(value).expect("JSON"), expected.trim_end());
}

/// Protects: every name, every order and every number format of a turn with all its fields.
#[test]
fn a_full_turn_is_this_json() {
    assert_json(&turn(), include_str!("turn.json"));
}

/// Protects: the same of everything around the turns of a batch.
#[test]
fn a_full_envelope_is_this_json() {
    assert_json(&envelope(), include_str!("envelope.json"));
}

/// Protects: what is not known is absent, and no `null` stands for it; lists that are always there stay.
#[test]
fn what_is_not_known_is_absent() {
    let bare = Turn {
        regenerates: None,
        phase: None,
        timings: Timings::default(),
        methods: Methods::default(),
        feedback_kind: None,
        useful_method: None,
        waits: None,
        updates: Updates::default(),
        render_lag: RenderLag::default(),
        actions: vec![],
        marks: Map(vec![]),
        hidden: Hidden::default(),
        flags: vec![],
        attributes: Map(vec![]),
        requests: vec![Request {
            request_id: Map(vec![]),
            trace_id: None,
            span_id: None,
            trace_source: None,
            status: None,
            response_start: None,
            first_chunk: None,
            first_token: None,
            last_chunk: None,
            error_type: None,
            format: None,
            model: None,
            response_id: None,
            finish_reason: None,
            usage: Some(Usage::default()),
            server_timing: vec![],
            errors: 0,
            malformed: 0,
            withdrawn: 0,
            ..request()
        }],
        ..turn()
    };
    assert_json(&bare, include_str!("bare-turn.json"));
}
