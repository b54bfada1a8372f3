//! Carries out actions on the response: writes, headers, phases, progress. The only place of the chat with a clock.
use super::plan::{Action, Plan};
use super::scenario::End;
use super::trace::Trace;
use crate::app::App;
use crate::exchange::{Exchange, Phases};
use crate::format::{Encoder, Format, Meta};
use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use futures_util::{Stream, stream};
use serde_json::json;
use std::io;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};

/// How long a hanging stream is kept open.
const LONGEST_HANG: Duration = Duration::from_secs(600);

type Chunk = io::Result<Bytes>;

/// One request from its arrival to the end of its response.
pub struct Session {
    app: App,
    arrived: Instant,
    trace: Trace,
    format: Format,
    /// Where to tell progress, if anywhere.
    conversation: Option<String>,
    encoder: Box<dyn Encoder>,
    /// Whether the encoder writes the beginning and the end.
    framed: bool,
    outlet: Outlet,
    phases: Phases,
    exchange: Exchange,
    steps: Steps,
}

/// What the response is: not begun, streaming, or answered.
enum Outlet {
    Waiting(oneshot::Sender<Response>),
    Open(mpsc::Sender<Chunk>),
    Closed,
}

#[derive(Default)]
struct Steps {
    told: usize,
    of: Option<usize>,
}

pub struct Opening {
    pub trace: Trace,
    pub format: Format,
    pub model: String,
    pub conversation: Option<String>,
    pub input_tokens: u32,
    pub reply: oneshot::Sender<Response>,
}

impl Session {
    pub fn new(app: App, opening: Opening) -> Self {
        let Opening { trace, format, model, conversation, input_tokens, reply } = opening;
        let started_at = crate::time::now();
        let exchange = Exchange::new(&trace.request_id, &trace.trace_id, started_at, format, model.clone());
        let response_id = exchange.response_id.clone().unwrap_or_default();
        let meta = Meta { response_id, model, created: started_at / 1000, input_tokens };
        Self {
            app,
            arrived: Instant::now(),
            format,
            conversation,
            encoder: format.encoder(meta),
            framed: true,
            outlet: Outlet::Waiting(reply),
            phases: Phases::default(),
            exchange,
            trace,
            steps: Steps::default(),
        }
    }

    /// Carries out a plan at its times.
    pub async fn play(mut self, plan: Plan) {
        self.framed = plan.count(|action| matches!(action, Action::Record(_))) == 0;
        self.steps.of = Some(plan.count(|action| matches!(action, Action::Progress(_))));
        for step in plan.steps {
            let due = self.arrived + Duration::from_secs_f64(step.at / 1000.0);
            let here = tokio::select! {
                biased;
                () = self.outlet.left() => false,
                () = sleep_until(due) => true,
            };
            if !here || self.act(step.action).await.is_none() {
                break;
            }
        }
        self.close();
    }

    /// Does one thing; nothing when the response is over.
    pub async fn act(&mut self, action: Action) -> Option<()> {
        let at = self.elapsed();
        match action {
            Action::Phase(name) => self.phases.enter(name, at),
            Action::Reported(name, duration) => self.phases.report(name, duration),
            Action::Progress(step) => {
                self.tell_progress(Some(&step));
                let bytes = self.encoder.progress(&step);
                if matches!(self.outlet, Outlet::Open(_)) {
                    self.send(bytes).await?;
                }
            }
            Action::Headers => {
                self.open();
                if self.framed {
                    let bytes = self.encoder.start();
                    self.send(bytes).await?;
                }
            }
            Action::Reject { status, retry_after } => {
                self.reject(status, retry_after);
                return None;
            }
            Action::Reasoning(delta) => {
                self.phases.enter("reasoning", at);
                let bytes = self.encoder.reasoning(&delta);
                self.send(bytes).await?;
            }
            Action::Source(url) => {
                let bytes = self.encoder.source(&url);
                self.send(bytes).await?;
            }
            Action::Text(delta) => {
                self.phases.enter("generation", at);
                let bytes = self.encoder.text(&delta);
                self.send(bytes).await?;
            }
            Action::Record(bytes) => {
                self.relay(Bytes::from_static(bytes.as_bytes())).await?;
            }
            Action::End(end) => {
                self.end(end).await;
                return None;
            }
        }
        Some(())
    }

    /// For bytes that bring their own beginning and end: a recording, or what another server sends.
    pub fn pass_through(&mut self) {
        self.framed = false;
    }

    /// Bytes of an answer that are already in the wire form.
    pub async fn relay(&mut self, bytes: Bytes) -> Option<()> {
        self.phases.enter("generation", self.elapsed());
        self.send_bytes(bytes).await
    }

    async fn send_bytes(&mut self, bytes: Bytes) -> Option<()> {
        let Outlet::Open(sender) = &self.outlet else {
            return Some(());
        };
        if bytes.is_empty() {
            return Some(());
        }
        sender.send(Ok(bytes)).await.ok()
    }

    async fn send(&mut self, text: String) -> Option<()> {
        self.send_bytes(text.into()).await
    }

    pub fn traceparent(&self) -> String {
        self.trace.traceparent()
    }

    /// Waits until the client has gone away.
    pub async fn left(&mut self) {
        self.outlet.left().await;
    }

    async fn end(&mut self, end: End) {
        let text = match end {
            End::Done if self.framed => self.encoder.done(),
            End::Error => self.encoder.error(),
            End::Done | End::Cut | End::Hang => String::new(),
        };
        // A format that has no error event can only break off.
        let broken = end == End::Cut || end == End::Error && self.format == Format::PlainText;
        if self.send(text).await.is_none() {
            return;
        }
        if end == End::Hang {
            tokio::select! { () = self.outlet.left() => return, () = sleep(LONGEST_HANG) => {} }
        }
        self.exchange.end = end.into();
        if let (true, Outlet::Open(sender)) = (broken, &self.outlet) {
            let _ = sender.send(Err(io::ErrorKind::ConnectionReset.into())).await;
        }
    }

    fn open(&mut self) {
        let Outlet::Waiting(reply) = std::mem::replace(&mut self.outlet, Outlet::Closed) else {
            return;
        };
        let at = self.elapsed();
        let (sender, receiver) = mpsc::channel(16);
        let mut response = Response::new(Body::from_stream(chunks(receiver)));
        let headers = response.headers_mut();
        let mut set = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        set("content-type", self.format.content_type());
        set("x-accel-buffering", "no");
        if self.format == Format::AiSdkUi {
            set("x-vercel-ai-ui-message-stream", "v1");
        }
        self.exchange.headers_at = Some(at);
        self.exchange.status = 200;
        // Who left before the headers is noticed at the next write.
        let _ = reply.send(self.labelled(response, at));
        self.outlet = Outlet::Open(sender);
    }

    fn reject(&mut self, status: u16, retry_after: Option<u32>) {
        let at = self.elapsed();
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let message = match status.as_u16() {
            429 => "Too many requests. Please wait a moment.",
            _ => "The demo backend could not answer. Please try again.",
        };
        let mut response = (status, Json(self.format.error_body(status, message))).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert("retry-after", seconds.into());
        }
        self.exchange.headers_at = Some(at);
        self.exchange.status = status.as_u16();
        self.exchange.end = "error";
        if let Outlet::Waiting(reply) = std::mem::replace(&mut self.outlet, Outlet::Closed) {
            let _ = reply.send(self.labelled(response, at));
        }
    }

    /// Adds the ids and the phases that are over.
    fn labelled(&self, mut response: Response, at: f64) -> Response {
        let traceparent = self.trace.traceparent();
        let timing = self.phases.server_timing(at) + &format!("traceparent;desc=\"{traceparent}\"");
        let pairs = [
            ("x-request-id", self.trace.request_id.as_str()),
            ("traceparent", &traceparent),
            ("server-timing", &timing),
            ("timing-allow-origin", "*"),
            ("cache-control", "no-cache"),
        ];
        for (name, value) in pairs {
            if let Ok(value) = HeaderValue::from_str(value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }

    fn tell_progress(&mut self, step: Option<&str>) {
        let Some(conversation) = &self.conversation else {
            return;
        };
        let mut message = json!({"requestId": self.trace.request_id, "step": step, "at": self.elapsed()});
        if let (Some(_), Some(of)) = (step, self.steps.of) {
            message["index"] = self.steps.told.into();
            message["of"] = of.into();
        }
        self.steps.told += 1;
        self.app.progress.tell(conversation, message.to_string(), step.is_some());
    }

    /// Ends the response and hands the server's own view of it to the store.
    pub fn close(mut self) {
        self.tell_progress(None);
        let at = self.elapsed();
        self.exchange.phases = self.phases.finish(at);
        crate::otlp::tell(&self.app, &self.trace, &self.exchange);
        self.app.record(self.exchange);
    }

    fn elapsed(&self) -> f64 {
        (self.arrived.elapsed().as_secs_f64() * 10_000.0).round() / 10.0
    }
}

impl Outlet {
    async fn left(&mut self) {
        match self {
            Self::Waiting(reply) => reply.closed().await,
            Self::Open(sender) => sender.closed().await,
            Self::Closed => std::future::pending().await,
        }
    }
}

/// The body. Before a break it yields once, so that what was written before is on its way.
fn chunks(receiver: mpsc::Receiver<Chunk>) -> impl Stream<Item = Chunk> {
    stream::unfold(receiver, |mut receiver| async move {
        let chunk = receiver.recv().await?;
        if chunk.is_err() {
            tokio::task::yield_now().await;
        }
        Some((chunk, receiver))
    })
}
