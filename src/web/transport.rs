//! Batches to the collector: `fetch` while the page is visible, `sendBeacon` and keepalive when it may not come back.
//!
//! May touch: the network, by the `fetch` from under the taps. What is on its way when the page leaves is sent again:
//! the receiver keeps one revision of a turn, so twice is once.
use super::options::Options;
use super::page;
use super::shell::Shell;
use crate::core::config::Consent;
use crate::core::label::{Id, Label};
use crate::core::outbox::{Entry, Outbox};
use crate::core::turn::request::retry_after;
use crate::core::wire::{Envelope, Exposure, Mode, Page, Schema, Sdk};
use js_sys::{JSON, Object, Promise, Reflect};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Waits before a failed batch is tried again, doubled each time.
const RETRY: u32 = 1_000;
/// Longest such wait.
const RETRY_MAX: u32 = 60_000;
/// Longest pause that a collector is granted.
const PAUSE_MAX: f64 = 600_000.0;

/// What is known of deliveries.
#[derive(Default)]
pub struct Transport {
    outbox: RefCell<Outbox>,
    /// Number and turns of the batch that waits for its answer.
    in_flight: RefCell<(u32, Vec<Entry>)>,
    sequence: Cell<u32>,
    failures: Cell<u32>,
    /// Until then nothing is sent, unless the page is left or the application wants it.
    pub not_before: Cell<f64>,
    resolution: Cell<Option<f64>>,
    exposures: RefCell<Vec<Exposure>>,
}

impl Transport {
    /// A variant that is on screen, once.
    pub fn expose(&self, exposure: Exposure) {
        let mut exposures = self.exposures.borrow_mut();
        if exposures.len() < 32 && !exposures.contains(&exposure) {
            exposures.push(exposure);
        }
    }

    /// Forgets what waits.
    pub fn clear(&self) {
        self.outbox.borrow_mut().clear();
        self.in_flight.take();
    }
}

impl Shell {
    /// Queues a turn, after the application's last word on it.
    pub fn queue(&self, id: u64, revision: u32, turn: JsValue) {
        if self.consent.get() == Consent::Denied || !self.sampled {
            return;
        }
        let turn = match self.options.before_send() {
            Some(before_send) => before_send.call1(&JsValue::UNDEFINED, &turn).unwrap_or(JsValue::NULL),
            None => turn,
        };
        if !turn.is_object() {
            return;
        }
        if let Some(json) = JSON::stringify(&turn).ok().and_then(|json| json.as_string()) {
            self.transport.outbox.borrow_mut().put(Entry { id, revision, json });
        }
    }

    /// Sends what waits. `leaving`: the page may not get another chance.
    pub fn flush(self: &Rc<Self>, leaving: bool) {
        if matches!(self.consent.get(), Consent::Denied | Consent::Pending) {
            return;
        }
        if leaving {
            for entry in self.transport.in_flight.take().1 {
                self.transport.outbox.borrow_mut().put(entry);
            }
        } else if !self.transport.in_flight.borrow().1.is_empty() {
            return;
        }
        loop {
            let entries = self.transport.outbox.borrow_mut().take();
            if entries.is_empty() {
                return;
            }
            let body = self.batch(&entries);
            if let Some(send) = self.options.send() {
                self.hand_over(&send, &body);
            } else if let Some(url) = self.options.endpoint() {
                if leaving {
                    self.send_leaving(&url, &body);
                } else {
                    self.send_visible(url, body, entries);
                    return;
                }
            }
        }
    }

    /// The batch as JSON. The turns are JSON already, so they are put in as they are.
    fn batch(&self, entries: &[Entry]) -> String {
        let envelope = self.to_js(&self.envelope());
        let head = JSON::stringify(&envelope).ok().and_then(|json| json.as_string()).unwrap_or_default();
        let mut body = String::from(head.strip_suffix('}').unwrap_or("{"));
        body.push_str(",\"turns\":[");
        for (index, entry) in entries.iter().enumerate() {
            if index > 0 {
                body.push(',');
            }
            if self.consent.get().ids() {
                body.push_str(&entry.json);
            } else {
                body.push_str(&without_ids(&entry.json).unwrap_or_default());
            }
        }
        body.push_str("]}");
        body
    }

    fn envelope(&self) -> Envelope {
        let transport = &self.transport;
        transport.sequence.set(transport.sequence.get() + 1);
        let resolution =
            transport.resolution.get().unwrap_or_else(|| page::clock_resolution(&self.performance));
        transport.resolution.set(Some(resolution));
        let id = |text: &str| Id::new(text).unwrap_or_default();
        Envelope {
            schema: Schema::V1,
            sdk: Sdk { version: id(env!("CARGO_PKG_VERSION")), mode: Mode::Full },
            sent_at: js_sys::Date::now(),
            seq: transport.sequence.get(),
            lost: transport.outbox.borrow().lost(),
            page: Page {
                id: Id::new(&self.environment.page()).filter(|_| self.consent.get().ids()),
                route: page::route(&self.window),
                engine: page::engine(&self.window),
                clock_resolution: resolution,
            },
            session: Id::new(&self.environment.session()).filter(|_| self.consent.get().ids()),
            attributes: self.options.attribute_map(),
            variants: transport.exposures.borrow().clone(),
        }
    }

    /// The application's own transport gets the batch as an object; what it throws is its own affair.
    fn hand_over(&self, send: &js_sys::Function, body: &str) {
        let Ok(batch) = JSON::parse(body) else { return };
        if let Ok(result) = send.call1(&JsValue::UNDEFINED, &batch)
            && let Ok(promise) = result.dyn_into::<Promise>()
        {
            ignore(promise);
        }
    }

    fn send_leaving(&self, url: &str, body: &str) {
        let navigator = self.window.navigator();
        let is_taken = self.environment.takes_beacons()
            && navigator.send_beacon_with_opt_str(url, Some(body)).unwrap_or(false);
        if !is_taken && let Ok(promise) = self.post(url, body, true) {
            ignore(promise);
        }
    }

    fn send_visible(self: &Rc<Self>, url: String, body: String, entries: Vec<Entry>) {
        let number = self.transport.sequence.get();
        self.transport.in_flight.replace((number, entries));
        let Ok(promise) = self.post(&url, &body, false) else { return self.answered(number, 0, 0.0) };
        let shell = Rc::downgrade(self);
        spawn_local(async move {
            let (status, wait) = match JsFuture::from(promise).await {
                Ok(response) => answer(&response).await,
                Err(_) => (0, 0.0),
            };
            if let Some(shell) = shell.upgrade() {
                shell.answered(number, status, wait);
            }
        });
    }

    /// The collector answered batch `number` (status 0: it did not), and asks for a pause of `wait`. What may succeed later
    /// is kept, what is too large goes in parts, what it rejects for good is lost.
    fn answered(self: &Rc<Self>, number: u32, status: u16, wait: f64) {
        let transport = &self.transport;
        // The page was hidden meanwhile: what was on its way went once more, in batches of other numbers.
        if transport.in_flight.borrow().0 != number {
            return;
        }
        let (_, entries) = transport.in_flight.take();
        let again = status == 0 || status == 429 || status >= 500;
        // A number that is missing at the receiver is to mean that something is lost.
        if (again || status == 413) && transport.sequence.get() == number {
            transport.sequence.set(number - 1);
        }
        {
            let mut outbox = transport.outbox.borrow_mut();
            match status {
                200..=299 => {}
                413 => outbox.split(entries),
                _ if again => entries.into_iter().for_each(|entry| outbox.put(entry)),
                _ => outbox.lose(entries.len()),
            }
        }
        if !again {
            transport.failures.set(0);
            return self.flush_soon(0);
        }
        let failures = transport.failures.get();
        transport.failures.set(failures.saturating_add(1));
        let backoff = f64::from(RETRY.saturating_mul(1 << failures.min(6)).min(RETRY_MAX));
        // Half of it by chance, so that pages that failed together do not come back together.
        let pause = (backoff / 2.0 * (1.0 + js_sys::Math::random())).max(wait.min(PAUSE_MAX));
        transport.not_before.set(self.now() + pause);
        self.flush_soon(0);
    }

    fn post(&self, url: &str, body: &str, keepalive: bool) -> Result<Promise, JsValue> {
        let init = Object::new();
        let set = |name: &str, value: &JsValue| Reflect::set(&init, &name.into(), value);
        set("method", &"POST".into())?;
        set("body", &body.into())?;
        set("keepalive", &keepalive.into())?;
        set("headers", &headers(&self.options)?)?;
        let promise = self.environment.fetch().call2(&self.window, &url.into(), &init)?;
        promise.dyn_into()
    }
}

/// A future hears of a rejection even when nobody waits for it, so the page's `unhandledrejection` does not.
fn ignore(promise: Promise) {
    drop(JsFuture::from(promise));
}

/// A turn that was queued when ids could still be sent, without them.
fn without_ids(json: &str) -> Option<String> {
    let turn = JSON::parse(json).ok()?;
    let requests = Reflect::get(&turn, &"requests".into()).ok()?;
    for request in js_sys::Array::from(&requests).iter() {
        for id in ["requestId", "traceId", "spanId", "traceSource", "responseId"] {
            Reflect::delete_property(request.unchecked_ref::<Object>(), &id.into()).ok()?;
        }
    }
    JSON::stringify(&turn).ok()?.as_string()
}

/// `text/plain`: needs no preflight across origins.
fn headers(options: &Options) -> Result<JsValue, JsValue> {
    let headers = Object::new();
    let own = options.headers();
    if own.is_object() {
        Object::assign(&headers, own.unchecked_ref());
    }
    Reflect::set(&headers, &"content-type".into(), &"text/plain;charset=UTF-8".into())?;
    Ok(headers.into())
}

/// The status and the pause that is asked for; the body is read to its end, or a `no-store` answer keeps the connection's
/// quota charged.
async fn answer(response: &JsValue) -> (u16, f64) {
    let Some(response) = response.dyn_ref::<web_sys::Response>() else { return (0, 0.0) };
    if let Ok(body) = response.text() {
        let _ = JsFuture::from(body).await;
    }
    let told = response.headers().get("retry-after").ok().flatten();
    let wait = told.and_then(|told| retry_after(&[("retry-after", &told)]));
    (response.status(), wait.unwrap_or_default())
}

/// A variant in the words of the API: experiment, and `variant unit`.
pub fn exposure(experiment: &str, variant_and_unit: &str) -> Option<Exposure> {
    use crate::core::wire::Unit;
    let (variant, unit) = variant_and_unit.rsplit_once(&[' '][..])?;
    let unit = match unit {
        "user" => Unit::User,
        "session" => Unit::Session,
        _ => Unit::Page,
    };
    Some(Exposure { experiment: Label::new(experiment)?, variant: Label::new(variant)?, unit })
}
