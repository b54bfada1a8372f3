//! Which turn an event belongs to: the turn that runs, the one that may be beginning, the one before.
//!
//! May touch: `turn`, `intent`, `route`, `report`. A *draft* is a turn that a gesture may have begun; it becomes
//! the running turn when one of its requests proves to be a chat, and is forgotten otherwise.
use super::answer::Echo;
use super::config::{Config, limits};
use super::event::{End, Gesture, Hint, Ms, Role, StreamId, Transport, Verdict};
use super::intent::{Intent, intent};
use super::label::Id;
use super::report;
use super::route;
use super::signal::Record;
use super::turn::outcome::Ending;
use super::turn::request::{Request, Standing};
use super::turn::{Beginning, Turn};
use super::wire::{self, ActionType, Flag, Method, Outcome, Trigger};

/// Where the records of a stream go.
type Sink<'a> = dyn FnMut(&Record<'_>) + 'a;

/// All turns of a page.
#[derive(Debug, Default)]
pub struct Turns {
    /// The turn that runs.
    pub live: Option<Turn>,
    /// A turn that may be beginning.
    pub draft: Option<Turn>,
    /// The turn before, kept for what the user does next.
    pub settled: Option<Turn>,
    /// Reports that nobody took yet.
    pub reports: Vec<wire::Turn>,
    loose: Vec<Request>,
    routes: Vec<(Id, Id)>,
    config: Config,
    random: u64,
    begun: u32,
    clock: Clock,
    editing: bool,
    hidden: bool,
    unreported: bool,
    last_id: Option<u64>,
    regenerations: Vec<Ms>,
}

/// The wall clock beside the monotonic one.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    offset: Option<f64>,
}

impl Turns {
    /// No turn yet.
    pub fn new(config: Config) -> Self {
        Self { random: config.seed, config, ..Self::default() }
    }

    /// The settings.
    pub fn config(&mut self) -> &mut Config {
        &mut self.config
    }

    /// The turn that the page's changes belong to.
    pub fn active(&mut self) -> Option<&mut Turn> {
        self.live.as_mut().or(self.draft.as_mut())
    }

    /// A reading of the wall clock. A jump against the monotonic clock flags the running turn.
    pub fn clock(&mut self, at: Ms, wall: f64) {
        let offset = wall - at;
        let jumped = self.clock.offset.is_some_and(|before| (offset - before).abs() > limits::CLOCK_GAP);
        self.clock.offset = Some(offset);
        if jumped && let Some(turn) = &mut self.live {
            turn.flags.raise(Flag::ClockGap);
        }
    }

    /// A request went out.
    pub fn opened(
        &mut self,
        at: Ms,
        stream: StreamId,
        transport: Transport,
        method: &str,
        url: &str,
        hint: Hint,
    ) {
        let route = route::template(url);
        let method = Id::new(method).unwrap_or_default();
        let mut request = Request::new(stream, at, transport, method, route, hint);
        let known = self.routes.iter().any(|(m, r)| *m == request.method && *r == request.route);
        // A feed is asked for as a stream too, but nobody posts to it.
        let asks = hint.has(Hint::STREAM) && hint.has(Hint::POST);
        if hint.has(Hint::MATCHED) || asks || known || transport == Transport::Manual {
            request.standing = Standing::Likely;
            self.join(at, request);
        } else if hint.has(Hint::POST) && self.draft.as_ref().is_some_and(|draft| is_fresh(draft, at)) {
            if let Some(draft) = &mut self.draft {
                draft.add(request);
            }
        } else if self.loose.len() < limits::STREAMS {
            self.loose.push(request);
        }
    }

    /// A response began. What is no stream and no chat is forgotten here.
    pub fn head(
        &mut self,
        at: Ms,
        stream: StreamId,
        status: u16,
        content_type: &str,
        headers: &[(&str, &str)],
    ) {
        let ids = self.config.request_id_headers.clone();
        if let Some(place) = self.loose.iter().position(|request| request.stream == stream) {
            let mut request = self.loose.remove(place);
            request.head(at, status, content_type, headers, &ids);
            if !request.is_read() {
                return;
            }
            // Nobody said that it is a chat, so it has to prove it by its format: side channels stream as well.
            self.loose.push(request);
            return;
        }
        let Some(turn) = self.owner(stream) else { return };
        let Some(request) = turn.request(stream) else { return };
        request.head(at, status, content_type, headers, &ids);
        let doubtful = request.standing == Standing::Doubtful;
        if !request.is_read() {
            // Nobody will tell the end of a body that is not watched.
            request.close(at, End::Done, "", &mut |_| {});
            if doubtful && status < 400 {
                turn.requests.retain(|request| request.stream != stream);
            }
            return;
        }
        request.standing = Standing::Confirmed;
        if doubtful {
            self.promote(at);
        }
        self.learn(stream);
    }

    /// Runs `step` on a stream, wherever it belongs. A loose stream that turns out to be a chat joins a turn.
    pub fn stream(&mut self, at: Ms, stream: StreamId, step: &mut dyn FnMut(&mut Request, &mut Sink<'_>)) {
        if let Some(turn) = self.owner(stream) {
            turn.stream(at, stream, |request, sink| step(request, sink));
            return;
        }
        let Some(place) = self.loose.iter().position(|request| request.stream == stream) else { return };
        let mut request = self.loose.remove(place);
        let (mut text, mut reasoning) = (String::new(), String::new());
        step(&mut request, &mut |record| {
            text.push_str(record.text);
            reasoning.push_str(record.reasoning);
        });
        if request.is_chat_format() {
            self.confirm(at, request);
            if let Some(turn) = self.owner(stream) {
                turn.deliver(at, &text, &reasoning);
            }
        } else if request.is_open() && !request.facts().is_some_and(|facts| facts.events >= limits::UNPROVEN)
        {
            self.loose.push(request);
        }
    }

    /// The user did something.
    pub fn gesture(&mut self, at: Ms, gesture: &Gesture<'_>) {
        let Some(intent) = intent(gesture) else { return };
        self.note(at, intent);
        let trigger = match intent {
            Intent::Submit | Intent::Press if self.editing => Trigger::Edit,
            Intent::Submit | Intent::Press => Trigger::Submit,
            Intent::Regenerate => Trigger::Regenerate,
            Intent::Retry => Trigger::Retry,
            Intent::Edit => {
                self.editing = true;
                return;
            }
            Intent::NewConversation => return self.leave_conversation(at),
            Intent::Stop | Intent::Copy | Intent::Feedback => return,
        };
        self.begin_draft(at, trigger, gesture);
    }

    fn begin_draft(&mut self, at: Ms, trigger: Trigger, gesture: &Gesture<'_>) {
        let echo = (!gesture.composer.trim().is_empty()).then(|| Echo::new(gesture.composer));
        if let Some(draft) = &mut self.draft {
            // Enter, click and submit of one and the same act: the first has the hardware time.
            if at - draft.beginning.at < limits::GESTURE && draft.beginning.trigger == trigger {
                draft.beginning.echo = draft.beginning.echo.take().or(echo);
                return;
            }
        }
        let replaces = matches!(trigger, Trigger::Regenerate | Trigger::Retry | Trigger::Edit);
        let regenerates = self.last_id.filter(|_| replaces);
        let beginning = Beginning { at, trigger, by_gesture: true, echo, regenerates };
        self.draft = Some(self.make(beginning));
    }

    /// What the gesture is to the turn that runs, or to the one before.
    fn note(&mut self, at: Ms, intent: Intent) {
        let action = match intent {
            Intent::Stop => ActionType::Stop,
            Intent::Regenerate => ActionType::Regenerate,
            Intent::Retry => ActionType::Retry,
            Intent::Edit => ActionType::Edit,
            Intent::Copy => ActionType::Copy,
            Intent::Submit => ActionType::Submit,
            Intent::NewConversation => ActionType::Leave,
            Intent::Press | Intent::Feedback => return self.follow(at, None, intent),
        };
        if let Some(turn) = &mut self.live {
            // The submit that began the turn is not something done during it.
            if action != ActionType::Submit || turn.is_streaming() && at - turn.beginning.at > limits::GESTURE
            {
                turn.act(action, at);
            }
            if action == ActionType::Stop && is_rage(turn, at) {
                turn.act(ActionType::RageStop, at);
            }
        } else if intent != Intent::Stop {
            self.follow(at, Some(action), intent);
        } else if let Some(draft) = self.draft.as_mut().filter(|draft| draft.is_streaming()) {
            draft.act(action, at);
        }
        if matches!(intent, Intent::Regenerate | Intent::Retry) {
            self.count_regeneration(at);
        }
    }

    fn follow(&mut self, at: Ms, action: Option<ActionType>, intent: Intent) {
        let Some(turn) = &mut self.settled else { return };
        if let Some(action) = action {
            turn.act(action, at);
            turn.next_action.get_or_insert(at);
            self.unreported = true;
        }
        // Proxies of a finished task by metrics.md 3, #7.
        if matches!(intent, Intent::Copy | Intent::Feedback) && turn.task_complete.is_none() {
            turn.task_complete = Some((at, Method::Mutation));
            self.unreported = true;
        }
    }

    fn count_regeneration(&mut self, at: Ms) {
        self.regenerations.retain(|before| at - before <= limits::RAGE_REGENERATE);
        self.regenerations.push(at);
        if self.regenerations.len() >= 3
            && let Some(turn) = self.live.as_mut().or(self.settled.as_mut())
        {
            turn.act(ActionType::RageRegenerate, at);
        }
    }

    /// The application says that the task is done.
    pub fn complete(&mut self, at: Ms) {
        if let Some(turn) = self.live.as_mut().or(self.settled.as_mut()) {
            turn.task_complete = Some((at, Method::App));
            self.unreported = self.live.is_none();
        }
    }

    /// The user went on to another conversation.
    pub fn leave_conversation(&mut self, at: Ms) {
        self.draft = None;
        self.end_left(at);
    }

    /// Text appeared somewhere.
    pub fn appeared(&mut self, at: Ms, text: &str, role: Option<Role>) -> Verdict {
        let Some(turn) = self.active() else { return Verdict::Nothing };
        let verdict = turn.judge(text, role);
        if verdict == Verdict::Echo {
            turn.screen.waits.informative(at);
        }
        verdict
    }

    /// The tab went out of sight; what runs is reported as it stands.
    pub fn hide(&mut self, at: Ms) {
        self.hidden = true;
        for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
            turn.hide(at);
        }
        self.report_live(at);
        self.report_settled();
    }

    /// The tab is back.
    pub fn show(&mut self, at: Ms) {
        self.hidden = false;
        for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
            turn.show(at);
        }
    }

    /// The page is being left; `kept` if the browser may bring it back. Then the turn goes on in case it does,
    /// and is abandoned as far as anyone has heard.
    pub fn leave(&mut self, at: Ms, kept: bool) {
        // Somebody wrote a message, sent it, and left before any answer: that is a wait that was given up.
        let waiting = |draft: &Turn| draft.beginning.echo.is_some() && draft.is_streaming();
        if self.draft.as_ref().is_some_and(waiting) {
            self.promote(at);
        }
        if kept {
            self.hidden = true;
            for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
                turn.put_away(at);
            }
            self.report_live(at);
        } else {
            if let Some(turn) = &mut self.live {
                turn.act(ActionType::Leave, at);
            }
            self.end_left(at);
        }
        self.report_settled();
    }

    /// Ends the running turn because the user went away. Who left after the stop, or after the whole answer was on
    /// screen, has not given up a wait.
    fn end_left(&mut self, at: Ms) {
        let outcome = match &self.live {
            Some(turn) if turn.was_stopped() => Outcome::Stopped,
            Some(turn) if turn.streams_ended().is_some() && (turn.has_failed() || turn.is_all_shown()) => {
                turn.outcome()
            }
            _ => Outcome::Abandoned,
        };
        self.end(at, outcome);
    }

    /// Time passed.
    pub fn tick(&mut self, at: Ms) {
        if self.live.as_ref().and_then(Turn::due).is_some_and(|due| due <= at)
            && let Some(outcome) = self.live.as_ref().map(Turn::outcome)
        {
            self.end(at, outcome);
        }
        let gone = |turn: &Turn| turn.hidden_since.is_some_and(|since| at - since >= limits::HORIZON);
        if self.live.as_ref().is_some_and(gone) {
            self.end(at, Outcome::Abandoned);
        }
        if self.draft.as_ref().and_then(draft_due).is_some_and(|due| due <= at) {
            self.settle_draft(at);
        }
    }

    /// When [`Turns::tick`] has something to do.
    pub fn wake(&self) -> Option<Ms> {
        let horizon =
            self.live.as_ref().and_then(|turn| turn.hidden_since).map(|since| since + limits::HORIZON);
        let due = self.live.as_ref().and_then(Turn::due);
        let draft = self.draft.as_ref().and_then(draft_due);
        [horizon, due, draft].into_iter().flatten().reduce(f64::min)
    }

    /// Ends the running turn.
    pub fn end(&mut self, at: Ms, outcome: Outcome) {
        let Some(mut turn) = self.live.take() else { return };
        turn.end(Ending { at, outcome });
        self.report_settled();
        self.last_id = Some(turn.id);
        self.settled = Some(turn);
        self.unreported = true;
        self.report_settled();
    }

    /// Puts what is new of the settled turn among the reports.
    pub fn report_settled(&mut self) {
        if !::core::mem::take(&mut self.unreported) {
            return;
        }
        let Some(turn) = &mut self.settled else { return };
        turn.revision += 1;
        let ended = turn.ending.map_or(0.0, |ending| ending.at);
        self.reports.push(report::report(turn, ended, self.config.consent));
    }

    /// The running turn as it stands; looking does not make a revision.
    pub fn snapshot(&self, now: Ms) -> Option<wire::Turn> {
        self.live.as_ref().map(|turn| report::report(turn, now, self.config.consent))
    }

    fn report_live(&mut self, at: Ms) {
        if let Some(turn) = &mut self.live {
            turn.revision += 1;
            self.reports.push(report::report(turn, at, self.config.consent));
        }
    }

    /// A likely request joins the turn that it belongs to.
    fn join(&mut self, at: Ms, request: Request) {
        let asked = self.draft.as_ref().is_some_and(|draft| is_fresh(draft, at));
        let continues = self.live.as_ref().is_some_and(|turn| {
            let pressed = self.draft.as_ref().is_some_and(|draft| {
                draft.beginning.echo.is_none() && draft.beginning.trigger == Trigger::Submit
            });
            !asked || pressed && turn.expects_more()
        });
        if continues {
            self.draft = self.draft.take().filter(|_| !asked);
        } else if asked {
            self.promote(at);
        } else {
            let trigger = if request.transport == Transport::Manual { Trigger::Api } else { Trigger::Auto };
            let beginning =
                Beginning { at: request.sent, trigger, by_gesture: false, echo: None, regenerates: None };
            let turn = self.make(beginning);
            self.start(at, turn);
        }
        // What went out before the gesture is not the gesture's doing.
        if let Some(turn) = &mut self.live
            && turn.began_by(request.sent)
        {
            turn.add(request);
        }
    }

    /// A stream that nobody expected proved to be a chat.
    fn confirm(&mut self, at: Ms, mut request: Request) {
        request.standing = Standing::Confirmed;
        let stream = request.stream;
        self.join(at, request);
        self.learn(stream);
    }

    /// The draft is a turn indeed.
    fn promote(&mut self, at: Ms) {
        if let Some(turn) = self.draft.take() {
            self.start(at, turn);
        }
    }

    fn start(&mut self, at: Ms, turn: Turn) {
        if let Some(before) = &self.live {
            let outcome = match before.due() {
                Some(_) => before.outcome(),
                None if before.was_stopped() => Outcome::Stopped,
                None => Outcome::Superseded,
            };
            self.end(at, outcome);
        }
        self.editing = false;
        self.live = Some(turn);
    }

    /// No request of the draft proved to be a chat in time.
    fn settle_draft(&mut self, at: Ms) {
        let outcome = match &self.draft {
            Some(draft) if draft.beginning.echo.is_none() => None,
            Some(draft) if draft.was_stopped() => Some(Outcome::Stopped),
            Some(draft) if draft.has_failed() => Some(Outcome::Failed),
            _ => None,
        };
        match outcome {
            Some(outcome) => {
                self.promote(at);
                self.end(at, outcome);
            }
            None => self.draft = None,
        }
    }

    fn make(&mut self, beginning: Beginning) -> Turn {
        self.begun += 1;
        let started_at = beginning.at + self.clock.offset.unwrap_or_default();
        let mut turn = Turn::new(split_mix(&mut self.random), self.begun, beginning, started_at);
        if self.hidden {
            let at = turn.beginning.at;
            turn.hide(at);
        }
        turn
    }

    fn learn(&mut self, stream: StreamId) {
        let Some(turn) = &mut self.live else { return };
        let Some(request) = turn.request(stream) else { return };
        let route = (request.method.clone(), request.route.clone());
        if !self.routes.contains(&route) && self.routes.len() < limits::ROUTES {
            self.routes.push(route);
        }
    }

    fn owner(&mut self, stream: StreamId) -> Option<&mut Turn> {
        let has = |turn: &&mut Turn| turn.requests.iter().any(|request| request.stream == stream);
        [&mut self.live, &mut self.draft].into_iter().flatten().find(has)
    }
}

/// Whether a request that goes out now is the gesture's doing.
fn is_fresh(draft: &Turn, at: Ms) -> bool {
    let age = at - draft.beginning.at;
    age <= limits::GESTURE || age <= limits::PROVISIONAL && draft.had_requests
}

/// When a draft has to be settled one way or the other.
fn draft_due(draft: &Turn) -> Option<Ms> {
    if draft.is_streaming() {
        return None;
    }
    if draft.has_failed() || draft.was_stopped() {
        return draft.streams_ended().map(|ended| ended + limits::QUIET);
    }
    let wait = if draft.had_requests { limits::PROVISIONAL } else { limits::GESTURE };
    Some(draft.beginning.at + wait)
}

fn is_rage(turn: &Turn, at: Ms) -> bool {
    let stops = turn
        .actions
        .iter()
        .filter(|(kind, when)| *kind == ActionType::Stop && at - when <= limits::RAGE_STOP);
    stops.count() == 3
}

/// SplitMix64 (Steele, Lea, Flood 2014): ids need to differ, not to be secret.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
