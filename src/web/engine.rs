//! The exports: what the taps and the API call. Each converts, hands on, and runs the effects.
use super::gesture::Target;
use super::options::{Environment, Options, value};
use super::shell::Shell;
use super::transport::exposure;
use crate::core::config::Consent;
use crate::core::event::{Captured, End, Event, Hint, Say, Touch, Transport};
use js_sys::Array;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// A gesture that is older than this comes out of the buffer, in milliseconds.
const LATE: f64 = 100.0;

/// The engine of one page. Nothing here throws but the constructor.
#[wasm_bindgen]
#[allow(missing_debug_implementations)] // It lives in JavaScript, where nobody can print it.
pub struct Engine {
    shell: Rc<Shell>,
}

#[wasm_bindgen]
impl Engine {
    /// Starts on this page.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Options, environment: Environment) -> Result<Engine, JsValue> {
        Ok(Self { shell: Shell::start(options, environment)? })
    }

    /// A request went out.
    pub fn open(&self, id: u32, t: f64, transport: u32, method: &str, url: &str, hint: u32) {
        let transport = Transport::from_number(transport);
        self.on(t, Event::Opened { stream: id, transport, method, url, hint: Hint(hint) });
    }

    /// A response began.
    pub fn head(&self, id: u32, t: f64, status: u32, content_type: &str, headers: Array) {
        let flat: Vec<String> = headers.iter().filter_map(|text| text.as_string()).collect();
        let pairs: Vec<(&str, &str)> = flat
            .chunks_exact(2)
            .filter_map(|pair| Some((pair.first()?.as_str(), pair.last()?.as_str())))
            .collect();
        let status = u16::try_from(status).unwrap_or_default();
        self.on(t, Event::Head { stream: id, status, content_type, headers: &pairs });
    }

    /// The page was given bytes.
    pub fn chunk(&self, id: u32, t: f64, bytes: &[u8]) {
        self.on(t, Event::Chunk { stream: id, bytes });
    }

    /// Bytes passed that are not kept.
    pub fn skip(&self, id: u32, t: f64, length: f64) {
        self.on(t, Event::Skipped { stream: id, length });
    }

    /// An `EventSource` dispatched an event.
    pub fn message(&self, id: u32, t: f64, event: &str, data: &str) {
        self.on(t, Event::Message { stream: id, event, data });
    }

    /// An `EventSource` connected again.
    pub fn reconnect(&self, id: u32, t: f64) {
        self.on(t, Event::Reconnected { stream: id });
    }

    /// The stream is over.
    pub fn close(&self, id: u32, t: f64, end: u32, error_type: &str) {
        self.on(t, Event::Closed { stream: id, end: End::from_number(end), error_type });
    }

    /// The network was done with a stream at `end`.
    pub fn transferred(&self, id: u32, t: f64, end: f64) {
        self.on(t, Event::Transferred { stream: id, end });
    }

    /// Resource Timing tells of a request that no tap saw; times in `times`: its start, its response's start and end.
    #[allow(clippy::too_many_arguments)] // They are flat because the border is.
    pub fn captured(
        &self,
        t: f64,
        transport: u32,
        url: &str,
        hint: u32,
        times: &[f64],
        status: u32,
        content_type: &str,
        bytes: f64,
    ) {
        let &[start, response_start, response_end] = times else { return };
        let transport = Transport::from_number(transport);
        let status = u16::try_from(status).unwrap_or_default();
        let hint = Hint(hint);
        let seen = Captured {
            transport,
            url,
            hint,
            start,
            response_start,
            response_end,
            status,
            content_type,
            bytes,
        };
        self.on(t, Event::Captured(seen));
    }

    /// The user did something.
    pub fn gesture(&self, t: f64, touch: u32, target: Option<Element>) {
        let touch = Touch::from_number(touch);
        let late = self.shell.now() - t > LATE;
        let looked = Target::look(
            touch,
            target.as_ref(),
            &self.shell.options,
            &self.shell.document,
            &self.shell.region,
            late,
        );
        self.shell.clock();
        self.on(t, Event::Gesture(looked.gesture(touch)));
        if let Some(target) = &target {
            self.shell.region.watch_around(target);
        }
    }

    /// The application says something of the live turn; the numbers are those of `js/engine.ts`.
    pub fn command(&self, name: u32, t: f64, a: JsValue, b: JsValue) {
        if name == 11 {
            return self.shell.region.watch_frame(&a);
        }
        let stream = a.as_f64().unwrap_or_default() as u32;
        if name == 12 {
            let said = b.as_string().unwrap_or_default();
            let Some((name, value)) = said.split_once(&[' '][..]) else { return };
            return self.on(t, Event::Sent { stream, name, value });
        }
        let (a, b) = (a.as_string().unwrap_or_default(), if b.is_undefined() { None } else { value(&b) });
        let say = match (name, b) {
            (0, _) => Say::Mark(&a),
            (1, _) => Say::Useful,
            (2, _) => Say::Progress,
            (3, _) => Say::Finish,
            (4, _) => Say::Complete,
            (5, _) => Say::Stop,
            (6, Some(value)) => return self.on(t, Event::Say(Say::Attribute(&a, value))),
            (7, Some(crate::core::wire::Value::Label(variant))) => {
                if let Some(exposure) = exposure(&a, variant.as_str()) {
                    self.shell.transport.expose(exposure);
                }
                return;
            }
            (8, _) => return self.on(t, Event::Overflowed),
            (9, _) => return self.on(t, Event::OutOfReach { stream }),
            (10, _) => return self.on(t, Event::AbortIgnored { stream }),
            _ => return,
        };
        self.on(t, Event::Say(say));
    }

    /// Whether a turn is running.
    pub fn live(&self) -> bool {
        self.shell.effects.get().watch
    }

    /// Sends what waits.
    pub fn flush(&self) {
        self.shell.flush(false);
    }

    /// Percentiles of the turns of this page.
    pub fn summary(&self) -> JsValue {
        self.shell.summary()
    }

    /// What the user agreed to.
    #[wasm_bindgen(js_name = setConsent)]
    pub fn set_consent(&self, consent: &str) {
        if let Some(consent) = Consent::parse(consent) {
            self.shell.decide(consent);
        }
    }

    /// Ends every observation.
    pub fn shutdown(&self) {
        self.shell.shut_down();
    }
}

impl Engine {
    fn on(&self, at: f64, event: Event<'_>) {
        self.shell.on(at, event);
        self.shell.run();
    }
}
