//! One timer for the earliest deadline.
use crate::core::event::Ms;
use js_sys::Function;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// Longest time-out that browsers count in 32 bits.
const LONGEST: f64 = 2_147_483_647.0;

#[wasm_bindgen]
extern "C" {
    // The id is a number in browsers, but pages that put their own clock in its place give what they like.
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(run: &Function, wait: f64) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: &JsValue);
}

/// A call that is to come; it does not once this is dropped.
pub struct Timeout(JsValue);

impl Timeout {
    /// Calls `guarded` after `wait` milliseconds.
    pub fn new(guarded: &Function, wait: f64) -> Self {
        Self(set_timeout(guarded, wait))
    }
}

impl Drop for Timeout {
    fn drop(&mut self) {
        clear_timeout(&self.0);
    }
}

/// A timer that is set again only when the deadline moved.
#[derive(Default)]
pub struct Timer {
    deadline: Cell<Option<Ms>>,
    timeout: RefCell<Option<Timeout>>,
}

impl Timer {
    /// Calls `guarded` at `deadline`, or not at all; the deadline before is void.
    pub fn set(&self, now: Ms, deadline: Option<Ms>, guarded: &Function) {
        if self.deadline.replace(deadline) != deadline {
            let wait = |deadline: Ms| (deadline - now).ceil().clamp(0.0, LONGEST);
            self.timeout.replace(deadline.map(|deadline| Timeout::new(guarded, wait(deadline))));
        }
    }

    /// The timer fired; the next deadline is set even if it is the same.
    pub fn fired(&self) {
        self.deadline.set(None);
    }
}
