//! The page's life: out of sight, back, left.
//!
//! No `unload` and no `beforeunload`: unreliable, and a page that listens may be kept out of the back/forward cache.
use super::callback::{Callback, Listener};
use super::shell::Shell;
use crate::core::event::Event;
use crate::core::label::Id;
use crate::core::{engine_name, route};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{PageTransitionEvent, Performance, VisibilityState, Window};

/// Listens to what ends and resumes a page. The listeners end with the returned values.
pub fn listen(shell: &Rc<Shell>) -> Vec<Listener> {
    let listener = |target: &web_sys::EventTarget, kind: &'static str, run: fn(&Shell, &JsValue)| {
        let weak = Rc::downgrade(shell);
        let callback = Callback::new(&shell.guard, move |event| {
            if let Some(shell) = weak.upgrade() {
                run(&shell, &event);
                shell.run();
            }
        });
        Listener::new(target, kind, callback)
    };
    vec![
        listener(&shell.document, "visibilitychange", |shell, _| {
            let event = if is_hidden(shell) { Event::Hidden } else { Event::Shown };
            shell.clock();
            shell.on(shell.now(), event);
        }),
        listener(&shell.window, "pagehide", |shell, event| {
            let kept = event.dyn_ref::<PageTransitionEvent>().is_some_and(PageTransitionEvent::persisted);
            // Chromium alone keeps streams until the page goes.
            let tears = !engine(&shell.window).as_str().starts_with("chromium/");
            shell.on(shell.now(), Event::Left { kept, tears });
        }),
        listener(&shell.window, "pageshow", |shell, event| {
            if event.dyn_ref::<PageTransitionEvent>().is_some_and(PageTransitionEvent::persisted) {
                shell.clock();
                shell.on(shell.now(), Event::Shown);
            }
        }),
        listener(&shell.document, "freeze", |shell, _| {
            shell.on(shell.now(), Event::Hidden);
        }),
        listener(&shell.document, "resume", |shell, _| {
            shell.clock();
            if !is_hidden(shell) {
                shell.on(shell.now(), Event::Shown);
            }
        }),
    ]
}

/// Whether nobody can see the page now.
pub fn is_hidden(shell: &Shell) -> bool {
    shell.document.visibility_state() == VisibilityState::Hidden
}

/// Engine and major version, `chromium/156`.
pub fn engine(window: &Window) -> Id {
    engine_name::engine(&window.navigator().user_agent().unwrap_or_default())
}

/// The page's path with ids taken out.
pub fn route(window: &Window) -> Id {
    route::template(&window.location().pathname().unwrap_or_default())
}

/// The smallest step of the page's clock, measured; at most a few milliseconds are spent on it.
pub fn clock_resolution(performance: &Performance) -> f64 {
    const SAMPLES: usize = 20_000;
    let start = performance.now();
    let mut smallest = f64::INFINITY;
    let mut last = start;
    for _ in 0..SAMPLES {
        let now = performance.now();
        if now > last {
            smallest = smallest.min(now - last);
            last = now;
        }
        if now - start > 2.5 {
            break;
        }
    }
    if smallest.is_finite() { (smallest * 1000.0).round() / 1000.0 } else { 0.0 }
}
