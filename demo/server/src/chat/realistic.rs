//! The seeded timing model: the same request and seed give the same plan. Its numbers are documented in API.md.
use super::plan::{Action, Plan};
use super::request::ChatRequest;
use super::scenario::{Answer, End, Name, Realistic};
use crate::answers::{self, Composed};
use crate::format::Format;
use fastrand::Rng;

/// Speed of one of the pretended models.
#[derive(Debug)]
pub struct Profile {
    pub model: &'static str,
    queue: Wait,
    retrieval: Wait,
    prefill: Wait,
    reasoning: Wait,
    reasons: f64,
    gap: Wait,
    long_gap: f64,
}

/// A log-normal wait.
#[derive(Clone, Copy, Debug)]
struct Wait {
    median: f64,
    sigma: f64,
}

const fn wait(median: f64, sigma: f64) -> Wait {
    Wait { median, sigma }
}

const LARGE: Profile = Profile {
    model: "aurora-large",
    queue: wait(40.0, 0.9),
    retrieval: wait(350.0, 0.6),
    prefill: wait(420.0, 0.5),
    reasoning: wait(14.0, 0.5),
    reasons: 0.45,
    gap: wait(24.0, 0.6),
    long_gap: 0.015,
};

const MINI: Profile = Profile {
    model: "aurora-mini",
    queue: wait(15.0, 0.7),
    retrieval: wait(250.0, 0.6),
    prefill: wait(160.0, 0.4),
    reasoning: wait(9.0, 0.5),
    reasons: 0.2,
    gap: wait(12.0, 0.5),
    long_gap: 0.01,
};

const RETRIEVAL_SHARE: f64 = 0.6;
const RECORDED_SHARE: f64 = 0.3;
const STALL_SHARE: f64 = 0.05;
const LONG_GAP_FACTOR: f64 = 12.0;

/// The model that was asked for, or one by seed.
pub fn profile(request: &ChatRequest, seed: u64) -> Profile {
    match request.model.as_deref() {
        Some("aurora-large") => LARGE,
        Some("aurora-mini") => MINI,
        _ if Rng::with_seed(seed).f64() < 0.6 => LARGE,
        _ => MINI,
    }
}

/// Where a turn goes wrong, if it does.
#[derive(Clone, Copy, PartialEq)]
enum Failure {
    RateLimit,
    Unavailable,
    Error,
    Cut,
}

fn failure(rng: &mut Rng) -> Option<Failure> {
    match rng.f64() {
        x if x < 0.02 => Some(Failure::RateLimit),
        x if x < 0.03 => Some(Failure::Unavailable),
        x if x < 0.045 => Some(Failure::Error),
        x if x < 0.05 => Some(Failure::Cut),
        _ => None,
    }
}

/// Writes a plan while time passes.
struct Writer {
    rng: Rng,
    plan: Plan,
    at: f64,
    slowness: f64,
}

impl Writer {
    fn pass(&mut self, wait: Wait) {
        // Box-Muller: two even numbers make one normal one.
        let (u, v) = (1.0 - self.rng.f64(), self.rng.f64());
        let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        self.skip(wait.median * (wait.sigma * normal).exp());
    }

    fn skip(&mut self, milliseconds: f64) {
        self.at += milliseconds * self.slowness;
    }

    fn push(&mut self, action: Action) {
        self.plan.push(self.at, action);
    }

    fn progress(&mut self, step: &str) {
        self.push(Action::Progress(step.to_owned()));
    }
}

pub fn plan(request: &ChatRequest, scenario: &Realistic, seed: u64) -> Plan {
    let instant = scenario.kind == Name::Instant;
    let profile = profile(request, seed);
    let slowness = if instant { 0.0 } else { 1.0 / scenario.speed };
    // Not the stream of `profile`: the same first number would bind the model to the failures.
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1));
    let failure = failure(&mut rng).filter(|_| scenario.failures && !instant);
    let recorded = match scenario.answer {
        Some(answer) => answer == Answer::Recorded,
        None => !instant && rng.f64() < RECORDED_SHARE,
    };
    let answer = answers::composed(answer_index(request, &mut rng));
    let mut writer = Writer { rng, plan: Plan::default(), at: 0.0, slowness };
    prepare(&mut writer, &profile, request.format, if recorded { &[] } else { &answer.sources }, failure);
    if matches!(failure, Some(Failure::RateLimit | Failure::Unavailable)) {
        return writer.plan;
    }
    if recorded {
        let index = writer.rng.u64(..);
        let records = answers::recorded(request.format, index).into_iter().map(Action::Record).collect();
        writer.progress("Writing");
        stream(&mut writer, &profile, records, failure);
    } else {
        reason(&mut writer, &profile, &answer);
        let text = write(request.format, &answer);
        writer.progress("Writing");
        stream(&mut writer, &profile, text, failure);
    }
    writer.plan
}

/// Queue, retrieval and prefill, up to the first event.
fn prepare(
    writer: &mut Writer,
    profile: &Profile,
    format: Format,
    sources: &[&str],
    failure: Option<Failure>,
) {
    writer.push(Action::Phase("queue"));
    writer.pass(profile.queue);
    match failure {
        Some(Failure::RateLimit) => {
            let retry_after = Some(writer.rng.u32(1..=8));
            return writer.push(Action::Reject { status: 429, retry_after });
        }
        Some(Failure::Unavailable) => return writer.push(Action::Reject { status: 503, retry_after: None }),
        _ => {}
    }
    let early = format == Format::AiSdkUi;
    if early {
        writer.push(Action::Headers);
    }
    if !sources.is_empty() || writer.rng.f64() < RETRIEVAL_SHARE {
        let half = wait(profile.retrieval.median / 2.0, profile.retrieval.sigma);
        writer.push(Action::Phase("retrieval"));
        writer.progress("Searching");
        writer.pass(half);
        if !sources.is_empty() {
            writer.progress(&format!("Reading {} sources", sources.len()));
        }
        writer.pass(half);
    }
    if early {
        for source in sources {
            writer.push(Action::Source((*source).to_owned()));
        }
    }
    writer.push(Action::Phase("prefill"));
    writer.progress("Thinking");
    writer.pass(profile.prefill);
    if !early {
        writer.push(Action::Headers);
    }
}

fn reason(writer: &mut Writer, profile: &Profile, answer: &Composed) {
    let reasons = writer.rng.f64() < profile.reasons;
    for piece in answer.reasoning.filter(|_| reasons).map(answers::pieces).into_iter().flatten() {
        writer.push(Action::Reasoning(piece.to_owned()));
        writer.pass(profile.reasoning);
    }
}

/// The answer in tokens; formats that cite in the text name the sources at its end.
fn write(format: Format, answer: &Composed) -> Vec<Action> {
    let mut actions: Vec<_> =
        answers::pieces(answer.text).map(|piece| Action::Text(piece.to_owned())).collect();
    if format != Format::AiSdkUi {
        actions.extend(answer.sources.iter().map(|source| Action::Source((*source).to_owned())));
    }
    actions
}

fn stream(writer: &mut Writer, profile: &Profile, actions: Vec<Action>, failure: Option<Failure>) {
    let place = |rng: &mut Rng| rng.usize(0..actions.len().max(1));
    let stall = (writer.rng.f64() < STALL_SHARE).then(|| place(&mut writer.rng));
    let fail = failure.map(|_| place(&mut writer.rng));
    for (index, action) in actions.into_iter().enumerate() {
        if stall == Some(index) {
            let length = 2000.0 + 4000.0 * writer.rng.f64();
            writer.skip(length);
        }
        if fail == Some(index) {
            let end = if failure == Some(Failure::Cut) { End::Cut } else { End::Error };
            return writer.push(Action::End(end));
        }
        writer.push(action);
        let long = writer.rng.f64() < profile.long_gap;
        let factor = if long { LONG_GAP_FACTOR } else { 1.0 };
        writer.pass(Wait { median: profile.gap.median * factor, ..profile.gap });
    }
    writer.push(Action::End(End::Done));
}

/// The same question has the same answer, a regenerated one another.
fn answer_index(request: &ChatRequest, rng: &mut Rng) -> u64 {
    let hash = request.question().bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    // 1 to 11 of 12 answers further: never the first one again.
    let further = if request.regenerate { rng.u64(1..12) } else { 0 };
    (hash % 12) + further
}

#[cfg(test)]
mod tests {
    use super::super::plan::Step;
    use super::*;

    fn request(format: &str) -> ChatRequest {
        serde_json::from_value(
            serde_json::json!({"format": format, "messages": [{"role": "user", "content": "hi"}]}),
        )
        .expect("a request")
    }

    fn of_kind(kind: &str) -> Realistic {
        serde_json::from_value(serde_json::json!({"kind": kind})).expect("a scenario")
    }

    /// Protects: a seed reproduces a turn exactly, and another seed gives another turn.
    #[test]
    fn the_same_seed_gives_the_same_plan() {
        let request = request("openai-chat");
        assert_eq!(plan(&request, &of_kind("realistic"), 7), plan(&request, &of_kind("realistic"), 7));
        assert_ne!(plan(&request, &of_kind("realistic"), 7), plan(&request, &of_kind("realistic"), 8));
    }

    /// Protects: times never fall, and each plan ends once.
    #[test]
    fn plans_are_in_order_and_end() {
        for format in Format::ALL {
            for seed in 0..200 {
                let plan = plan(&request(format.name()), &of_kind("realistic"), seed);
                assert!(plan.steps.windows(2).all(|pair| pair[0].at <= pair[1].at));
                let ends = plan.count(|action| matches!(action, Action::End(_) | Action::Reject { .. }));
                assert_eq!(ends, 1, "{format:?} {seed}");
            }
        }
    }

    /// Protects: the documented shares of failures and of recorded answers.
    #[test]
    fn the_documented_shares_hold() {
        let request = request("openai-chat");
        let plans: Vec<_> = (0..4000).map(|seed| plan(&request, &of_kind("realistic"), seed)).collect();
        let share = |wanted: &dyn Fn(&Action) -> bool| {
            plans.iter().filter(|plan| plan.count(wanted) > 0).count() as f64 / plans.len() as f64
        };
        let near = |measured: f64, expected: f64| (measured - expected).abs() < 0.25 * expected + 0.004;
        assert!(near(share(&|a| matches!(a, Action::Reject { status: 429, .. })), 0.02));
        assert!(near(share(&|a| matches!(a, Action::Reject { status: 503, .. })), 0.01));
        assert!(near(share(&|a| *a == Action::End(End::Error)), 0.015));
        assert!(near(share(&|a| *a == Action::End(End::Cut)), 0.005));
        assert!(near(share(&|a| matches!(a, Action::Record(_))), 0.29));
    }

    /// Protects: the documented medians, here of the queue and of the gaps between tokens.
    #[test]
    fn the_documented_medians_hold() {
        let mut request = request("openai-chat");
        request.model = Some("aurora-large".to_owned());
        let (mut queues, mut gaps) = (Vec::new(), Vec::new());
        for seed in 0..400 {
            let plan = plan(&request, &of_kind("realistic"), seed);
            queues.push(plan.steps[1].at);
            let is_text = |step: &Step| matches!(step.action, Action::Text(_));
            gaps.extend(
                plan.steps.windows(2).filter(|p| is_text(&p[0]) && is_text(&p[1])).map(|p| p[1].at - p[0].at),
            );
        }
        let median = |values: &mut Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        assert!((30.0..=50.0).contains(&median(&mut queues)));
        assert!((22.0..=26.5).contains(&median(&mut gaps)));
    }

    /// Protects: `instant` waits nowhere, and `failures: false` never fails.
    #[test]
    fn instant_has_no_waits_and_no_failures() {
        for seed in 0..300 {
            let plan = plan(&request("ollama"), &of_kind("instant"), seed);
            assert!(plan.steps.iter().all(|step| step.at == 0.0));
            assert_eq!(plan.steps.last().map(|step| &step.action), Some(&Action::End(End::Done)));
        }
    }

    /// Protects: to regenerate never gives the same composed answer again.
    #[test]
    fn a_regenerated_answer_is_another() {
        let (first, mut again) = (request("ollama"), request("ollama"));
        again.regenerate = true;
        let text = |plan: &Plan| {
            plan.steps.iter().find_map(|s| match &s.action {
                Action::Text(text) => Some(text.clone()),
                _ => None,
            })
        };
        let composed = |request: &ChatRequest, seed| {
            plan(request, &of_kind("instant"), seed)
                .steps
                .iter()
                .filter(|s| matches!(s.action, Action::Text(_)))
                .count()
        };
        for seed in 0..50 {
            let (a, b) = (plan(&first, &of_kind("instant"), seed), plan(&again, &of_kind("instant"), seed));
            assert!(text(&a) != text(&b) || composed(&first, seed) != composed(&again, seed));
        }
    }
}
