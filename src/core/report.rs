//! A turn as it goes on the wire.
//!
//! May touch: `turn`, `wire`. No definition is made here: times become offsets, states become names, and what
//! the user did not consent to is left out.
use super::config::Consent;
use super::correlation;
use super::event::{self, End, Ms};
use super::label::Id;
use super::signal::{Facts, Format};
use super::turn::Turn;
use super::turn::request::{Request, Standing};
use super::turn::screen::Moment;
use super::useful;
use super::waits::WaitSummary;
use super::wire::{self, Map, Millis, Outcome};

/// The turn as it stands at `now`.
pub fn report(turn: &Turn, now: Ms, consent: Consent) -> wire::Turn {
    let start = turn.beginning.at;
    let unended = match turn.is_left {
        true => Outcome::Abandoned,
        false if turn.is_told => Outcome::Failed,
        false => Outcome::Open,
    };
    let outcome = turn.ending.map_or(unended, |ending| ending.outcome);
    // Nobody knew what was to be drawn, nor watched it: no wait can be told of the screen.
    let is_captured = turn.requests.iter().any(|request| request.is_captured);
    wire::Turn {
        id: wire::Hex16(turn.id),
        revision: turn.revision,
        // Where nobody told the end, nothing is final.
        is_final: turn.ending.is_some_and(|ending| ending.outcome != Outcome::Open),
        started_at: Millis::new(turn.started_at),
        trigger: turn.beginning.trigger,
        regenerates: turn.beginning.regenerates.map(wire::Hex16),
        outcome,
        phase: (outcome != Outcome::Completed && !is_captured).then(|| turn.phase()),
        timings: timings(turn),
        methods: methods(turn),
        feedback_kind: turn.screen.feedback.map(|(_, kind)| kind),
        useful_method: turn.screen.useful.map(|(_, method)| useful_method(method)),
        waits: (!is_captured).then(|| waits(turn, now)),
        updates: updates(turn),
        render_lag: render_lag(turn),
        actions: turn
            .actions
            .iter()
            .map(|(kind, at)| wire::Action { kind: *kind, at: Millis::new(at - start) })
            .collect(),
        marks: Map(turn.marks.iter().map(|(name, at)| (name.clone(), Millis::new(at - start))).collect()),
        hidden: wire::Hidden {
            total: Millis::new(turn.hidden_total + turn.hidden_since.map_or(0.0, |since| now - since)),
        },
        flags: turn.flags.iter().collect(),
        attributes: Map(turn.attributes.clone()),
        requests: turn
            .requests
            .iter()
            .filter(|request| request.standing != Standing::Doubtful || turn.requests.len() == 1)
            .map(|request| self::request(request, start, consent.keeps_ids()))
            .collect(),
    }
}

fn timings(turn: &Turn) -> wire::Timings {
    let start = turn.beginning.at;
    let offset = |at: Ms| Millis::new(at - start);
    let moment = |moment: Moment| offset(moment.at);
    let earliest =
        |time: fn(&Request) -> Option<Ms>| turn.requests.iter().filter_map(time).reduce(f64::min).map(offset);
    let last_chunk = turn.requests.iter().filter_map(|request| request.last_chunk).reduce(f64::max);
    wire::Timings {
        request_sent: earliest(|request| Some(request.sent)),
        response_start: earliest(|request| request.response_start),
        first_chunk: earliest(|request| request.first_chunk),
        first_feedback: turn.screen.feedback.map(|(at, _)| moment(at)),
        first_reasoning: turn.screen.reasoning.map(moment),
        first_visible_token: turn.screen.token.map(moment),
        first_useful_content: turn.screen.useful.map(|(at, _)| moment(at)),
        last_chunk: last_chunk.map(offset),
        final_render: turn.final_render().map(moment),
        task_complete: turn.task_complete.map(|(at, _)| offset(at)),
        next_action: turn.next_action.map(offset),
    }
}

fn methods(turn: &Turn) -> wire::Methods {
    wire::Methods {
        first_feedback: turn.screen.feedback.map(|(at, _)| at.method),
        first_reasoning: turn.screen.reasoning.map(|at| at.method),
        first_visible_token: turn.screen.token.map(|at| at.method),
        first_useful_content: turn.screen.useful.map(|(at, _)| at.method),
        final_render: turn.final_render().map(|at| at.method),
        task_complete: turn.task_complete.map(|(_, method)| method),
    }
}

fn waits(turn: &Turn, now: Ms) -> wire::Waits {
    let until = turn.waited_until(now);
    let mut waits = turn.screen.waits.clone();
    waits.finish(until);
    let summary = waits.summary();
    wire::Waits {
        silent: wait(summary.silent),
        motionless: wait(summary.r#static),
        stalls: wait(turn.screen.updates.stalls()),
        starved: Millis::new(turn.screen.starvation.total(until)),
    }
}

fn wait(summary: WaitSummary) -> wire::Wait {
    wire::Wait { count: summary.count, total: Millis::new(summary.total), max: Millis::new(summary.max) }
}

fn updates(turn: &Turn) -> wire::Updates {
    let summary = turn.screen.updates.summary();
    wire::Updates {
        count: summary.count,
        p50: summary.p50.map(Millis::new),
        p95: summary.p95.map(Millis::new),
        max: summary.max.map(Millis::new),
        fluidity: summary.fluidity.map(|index| (index * 1000.0).round() / 1000.0),
    }
}

fn render_lag(turn: &Turn) -> wire::RenderLag {
    let first = turn.screen.token.zip(turn.first_text_read());
    wire::RenderLag {
        first: first.map(|(token, read)| Millis::new(token.at - read)),
        p95: turn.screen.lag.quantile(0.95).map(Millis::new),
    }
}

fn useful_method(method: useful::Method) -> wire::UsefulMethod {
    match method {
        useful::Method::App => wire::UsefulMethod::App,
        useful::Method::Structure => wire::UsefulMethod::Structure,
        useful::Method::Text => wire::UsefulMethod::Text,
        useful::Method::Length => wire::UsefulMethod::Length,
    }
}

fn request(request: &Request, start: Ms, ids: bool) -> wire::Request {
    let offset = |at: Ms| Millis::new(at - start);
    let nothing = Facts::default();
    let facts = request.facts().unwrap_or(&nothing);
    let trace = request.correlation.trace.as_ref().filter(|_| ids);
    wire::Request {
        request_id: Map(if ids { request.correlation.request_ids.clone() } else { Vec::new() }),
        trace_id: trace.map(|(context, _)| context.trace_id.clone()),
        span_id: trace.map(|(context, _)| context.span_id.clone()),
        trace_source: trace.map(|(_, source)| trace_source(*source)),
        transport: transport(request.transport),
        method: request.method.clone(),
        route: request.route.clone(),
        status: request.status,
        sent: offset(request.sent),
        response_start: request.response_start.map(offset),
        first_chunk: request.first_chunk.map(offset),
        first_token: request.first_token.map(offset),
        last_chunk: request.last_chunk.map(offset),
        end: request.end.map_or(wire::End::Open, |(_, end)| self::end(end)),
        error_type: request.error_type.clone(),
        format: format(facts),
        model: facts.model.clone(),
        response_id: facts.response_id.clone().filter(|_| ids),
        finish_reason: facts.finish_reason.clone(),
        usage: facts.usage,
        server_timing: phases(request, facts),
        events: facts.events,
        bytes: request.bytes,
        characters: facts.visible_characters,
        tool_calls: facts.tool_calls,
        sources: facts.sources,
        reconnects: request.reconnects,
        errors: facts.errors,
        malformed: facts.malformed,
        withdrawn: facts.withdrawn,
    }
}

fn format(facts: &Facts) -> Option<wire::FormatName> {
    let known = (facts.format != Format::Unknown).then_some(wire::FormatName::Known(facts.format));
    facts.own_format.clone().map(wire::FormatName::Own).or(known)
}

/// What the server told about itself, in a header and in the stream.
fn phases(request: &Request, facts: &Facts) -> Vec<wire::ServerPhase> {
    let phase = |name: &str, duration: f64| {
        Some(wire::ServerPhase { name: Id::new(name)?, duration: Millis::new(duration) })
    };
    let of_header =
        request.correlation.phases.iter().filter_map(|told| phase(told.name.as_str(), told.duration));
    let of_stream = facts.phases.iter().filter_map(|told| phase(told.name, told.duration));
    of_header.chain(of_stream).collect()
}

fn transport(transport: event::Transport) -> wire::Transport {
    match transport {
        event::Transport::Fetch => wire::Transport::Fetch,
        event::Transport::EventSource => wire::Transport::EventSource,
        event::Transport::Xhr => wire::Transport::Xhr,
        event::Transport::WebSocket => wire::Transport::WebSocket,
        event::Transport::Manual => wire::Transport::Manual,
    }
}

fn end(end: End) -> wire::End {
    match end {
        End::Done => wire::End::Done,
        End::Error => wire::End::Error,
        End::Cancelled => wire::End::Cancelled,
        End::Aborted => wire::End::Aborted,
        End::Unknown => wire::End::Open,
    }
}

fn trace_source(source: correlation::Source) -> wire::TraceSource {
    match source {
        correlation::Source::ServerTiming => wire::TraceSource::ServerTiming,
        correlation::Source::Traceparent => wire::TraceSource::Traceparent,
        correlation::Source::Application => wire::TraceSource::Application,
        correlation::Source::Propagated => wire::TraceSource::Propagated,
        correlation::Source::Traceresponse => wire::TraceSource::Traceresponse,
    }
}
