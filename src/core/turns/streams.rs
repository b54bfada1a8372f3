//! Which turn a request belongs to, and whether it is a chat at all.
//!
//! May touch: `turn`, `route`, `report`. The rules are told in ARCHITECTURE.md, "When is something a chat?".
use super::super::config::limits;
use super::super::event::{Captured, End, Hint, Ms, StreamId, Transport};
use super::super::label::Id;
use super::super::report;
use super::super::route;
use super::super::signal::Record;
use super::super::turn::outcome::Ending;
use super::super::turn::request::{Request, Standing, is_stream};
use super::super::turn::{Beginning, Turn};
use super::super::wire::{Flag, Outcome, Trigger};
use super::Turns;

/// Where the records of a stream go.
type Sink<'a> = dyn FnMut(&Record<'_>) + 'a;

impl Turns {
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
        request.formats = self.config.formats;
        let retried = |turn: &Turn| turn.is_retried_by(at, &request.method, &request.route);
        let known = self.routes.iter().any(|(m, r)| *m == request.method && *r == request.route)
            || self.live.as_deref().is_some_and(retried);
        // A feed is asked for as a stream too, but nobody posts to it.
        let asks = hint.has(Hint::STREAM) && hint.has(Hint::POST);
        if hint.has(Hint::MATCHED) || asks || known || transport == Transport::Manual {
            request.standing = Standing::Likely;
            self.join(at, request);
        } else if hint.has(Hint::POST) && self.draft.as_deref().is_some_and(|draft| is_fresh(draft, at)) {
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
        let is_asked = turn.is_asked();
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
        // Who pressed a button may have asked for any stream: it has to prove what it is.
        if doubtful && !is_asked {
            return;
        }
        request.standing = Standing::Confirmed;
        if doubtful {
            self.promote(at);
        }
    }

    /// Runs `step` on a stream, wherever it belongs. A loose stream that turns out to be a chat joins a turn.
    pub fn stream(&mut self, at: Ms, stream: StreamId, step: &mut dyn FnMut(&mut Request, &mut Sink<'_>)) {
        let born = self.config.born;
        if let Some(turn) = self.owner(stream) {
            let mut has_answered = || turn.request(stream).is_some_and(|request| request.has_answered());
            let before = has_answered();
            turn.stream(at, stream, |request, sink| step(request, sink));
            turn.began_unseen(born);
            self.judge(at, stream);
            if !before {
                self.learn(stream);
            }
            return;
        }
        let Some(place) = self.loose.iter().position(|request| request.stream == stream) else { return };
        let mut request = self.loose.remove(place);
        let (mut text, mut reasoning) = (String::new(), String::new());
        step(&mut request, &mut |record| {
            text.push_str(record.text);
            reasoning.push_str(record.reasoning);
        });
        if request.proves_chat(self.is_asked_for(request.sent)) {
            self.confirm(at, request);
            if let Some(turn) = self.owner(stream) {
                turn.deliver(at, stream, &text, &reasoning);
            }
        } else if request.may_prove() {
            self.loose.push(request);
        }
    }

    /// A stream that goes along with the press of a button proves to be a chat's, or can't any more.
    fn judge(&mut self, at: Ms, stream: StreamId) {
        let Some(draft) = &mut self.draft else { return };
        let is_judged = |request: &&mut Request| request.standing == Standing::Doubtful && request.is_read();
        let Some(request) = draft.request(stream).filter(is_judged) else { return };
        if request.proves_chat(false) {
            request.standing = Standing::Confirmed;
            self.promote(at);
        } else if !request.may_prove() {
            draft.requests.retain(|request| request.stream != stream);
        }
    }

    /// Whether somebody asked for something just before `sent`.
    fn is_asked_for(&self, sent: Ms) -> bool {
        let asks = |draft: &Turn| draft.is_asked() && draft.beginning.at <= sent && is_fresh(draft, sent);
        self.draft.as_deref().is_some_and(asks)
    }

    /// A likely request joins the turn that it belongs to.
    fn join(&mut self, at: Ms, request: Request) {
        let asked = self.draft.as_deref().is_some_and(|draft| is_fresh(draft, at));
        let continues = self.live.as_deref().is_some_and(|turn| {
            let pressed = self.draft.as_deref().is_some_and(|draft| {
                draft.beginning.echo.is_none() && draft.beginning.trigger == Trigger::Submit
            });
            // What failed goes on by the same way alone, once it was told of.
            let goes_on = !turn.is_told || turn.is_retried_by(at, &request.method, &request.route);
            !asked && goes_on || pressed && turn.expects_more()
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

    /// Raises a flag of the turn that a stream belongs to.
    pub fn flag(&mut self, stream: StreamId, flag: Flag) {
        if let Some(turn) = self.owner(stream) {
            turn.flags.raise(flag);
        }
    }

    /// A request that no tap saw is a turn of its own, known by the network alone, if it is a chat's: a gap in what is
    /// measured is not to be silent. By its type it is one only with a gesture: feeds stream as well.
    pub fn captured(&mut self, at: Ms, seen: &Captured<'_>) {
        let route = route::template(seen.url);
        let known = self.routes.iter().any(|(_, r)| *r == route);
        let asked = self.asked_for(seen.start);
        if !(seen.hint.has(Hint::MATCHED) || known || asked.is_some() && is_stream(seen.content_type)) {
            return;
        }
        let mut request =
            Request::new(StreamId::default(), seen.start, seen.transport, Id::default(), route, seen.hint);
        request.standing = Standing::Confirmed;
        request.is_captured = true;
        request.status = Some(seen.status).filter(|status| *status > 0);
        request.response_start = Some(seen.response_start).filter(|start| *start > 0.0);
        request.last_chunk = Some(seen.response_end);
        request.bytes = seen.bytes;
        request.end = Some((seen.response_end, End::Unknown));
        let mut turn = asked.unwrap_or_else(|| {
            let trigger = Trigger::Auto;
            self.make(Beginning { at: seen.start, trigger, by_gesture: false, echo: None, regenerates: None })
        });
        turn.add(request);
        turn.flags.raise(Flag::LateInstall);
        turn.end(Ending { at, outcome: Outcome::Open });
        turn.revision += 1;
        self.reports.push(report::report(&turn, at, self.config.consent));
    }

    /// The draft that a request which went out at `sent` is the doing of. Its entry comes when it is over, when the
    /// draft may be forgotten; one whose own request runs is that request's.
    fn asked_for(&mut self, sent: Ms) -> Option<Box<Turn>> {
        let began = |draft: &Turn| draft.beginning.at <= sent && is_fresh(draft, sent);
        if let Some(draft) = self.draft.take_if(|draft| began(draft) && !draft.is_streaming()) {
            return Some(draft);
        }
        let place = self.forgotten.iter().rposition(|began| {
            let wait = if began.echo.is_some() { limits::PROVISIONAL } else { limits::GESTURE };
            (0.0..=wait).contains(&(sent - began.at))
        })?;
        let beginning = self.forgotten.remove(place);
        Some(self.make(beginning))
    }

    /// The draft came to nothing that was seen.
    pub fn forget_draft(&mut self) {
        let Some(draft) = self.draft.take() else { return };
        if self.forgotten.len() >= limits::FORGOTTEN {
            self.forgotten.remove(0);
        }
        self.forgotten.push(draft.beginning);
    }

    fn learn(&mut self, stream: StreamId) {
        let Some(turn) = &mut self.live else { return };
        // A way is a chat's by what came on it: not every stream that is asked for is an answer.
        let Some(request) = turn.request(stream).filter(|request| request.has_answered()) else { return };
        let route = (request.method.clone(), request.route.clone());
        // What was refused on the same way is an earlier try of the same.
        let same = |request: &&mut Request| request.method == route.0 && request.route == route.1;
        for request in turn.requests.iter_mut().filter(same) {
            request.standing = Standing::Confirmed;
        }
        if !self.routes.contains(&route) && self.routes.len() < limits::ROUTES {
            self.routes.push(route);
        }
    }

    fn owner(&mut self, stream: StreamId) -> Option<&mut Turn> {
        let has = |turn: &&mut Turn| turn.requests.iter().any(|request| request.stream == stream);
        [&mut self.live, &mut self.draft].into_iter().flatten().map(Box::as_mut).find(has)
    }
}

/// Whether a request that goes out now is the gesture's doing.
fn is_fresh(draft: &Turn, at: Ms) -> bool {
    let age = at - draft.beginning.at;
    age <= limits::GESTURE || age <= limits::PROVISIONAL && (draft.had_requests || draft.is_written())
}
