//! One timer for the earliest deadline.
use crate::core::event::Ms;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};

/// Longest time-out that browsers count in 32 bits.
const LONGEST: f64 = 2_147_483_647.0;

/// Calls `guarded` in `wait` milliseconds, unless what is returned is dropped before.
pub fn after(wait: u32, guarded: &js_sys::Function) -> Timeout {
    let guarded = guarded.clone();
    // What runs inside is the guarded function; this closure itself does nothing that could fail.
    Timeout::new(wait, move || {
        let _ = guarded.call0(&wasm_bindgen::JsValue::UNDEFINED);
    })
}

/// A timer that is set again only when the deadline moved.
#[derive(Default)]
pub struct Timer {
    deadline: Cell<Option<Ms>>,
    timeout: RefCell<Option<Timeout>>,
}

impl Timer {
    /// Calls `guarded` at `deadline`, or not at all; the deadline before is void.
    pub fn set(&self, now: Ms, deadline: Option<Ms>, guarded: &js_sys::Function) {
        if self.deadline.replace(deadline) == deadline {
            return;
        }
        let timeout = deadline.map(|deadline| {
            let wait = (deadline - now).ceil().clamp(0.0, LONGEST) as u32;
            after(wait, guarded)
        });
        self.timeout.replace(timeout);
    }

    /// The timer fired; the next deadline is set even if it is the same.
    pub fn fired(&self) {
        self.deadline.set(None);
    }
}
