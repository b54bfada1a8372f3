//! The only place that builds a closure for the browser.
//!
//! A panic inside a closure that the browser calls would surface in the page's `onerror`; every closure is
//! therefore wrapped by the guard of the TypeScript layer before the browser gets it.
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::*;

/// A guarded closure; the browser may call it as long as this lives.
pub struct Callback {
    function: js_sys::Function,
    _closure: Closure<dyn FnMut(JsValue)>,
}

impl Callback {
    /// Guards `run`.
    pub fn new(guard: &js_sys::Function, run: impl FnMut(JsValue) + 'static) -> Self {
        let closure = Closure::<dyn FnMut(JsValue)>::new(run);
        let guarded = guard.call1(&JsValue::UNDEFINED, closure.as_ref());
        let function = guarded.ok().and_then(|value| value.dyn_into().ok()).unwrap_or_default();
        Self { function, _closure: closure }
    }

    /// The function to hand to the browser.
    pub fn function(&self) -> &js_sys::Function {
        &self.function
    }
}

/// An event listener that ends with its value.
pub struct Listener {
    target: web_sys::EventTarget,
    kind: &'static str,
    callback: Callback,
}

impl Listener {
    /// Listens passively, before the page's own listeners.
    pub fn new(target: &web_sys::EventTarget, kind: &'static str, callback: Callback) -> Self {
        let _ = target.add_event_listener_with_callback_and_bool(kind, callback.function(), true);
        Self { target: target.clone(), kind, callback }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback_and_bool(
            self.kind,
            self.callback.function(),
            true,
        );
    }
}
