//! The browser shell: hears what happens, tells the core, runs the effects.
//!
//! May touch: the page. The only place that names `wasm_bindgen`, `web_sys`, `js_sys`, `gloo`. No file here
//! holds a definition of a measure or a threshold of one.
//!
//! | file | what it does |
//! |---|---|
//! | `engine` | the exports: taps and API call these |
//! | `shell` | hands events to the core and runs its effects |
//! | `callback` | the only place that builds a closure for the browser; all go through the guard |
//! | `region` | finds where the answer is drawn (`find`) and watches it |
//! | `paint` | when a frame with a change is on screen |
//! | `look` | what an element that was painted looks like |
//! | `gesture` | what a gesture's target is |
//! | `page` | visibility, leaving, coming back |
//! | `timer` | one timer for the earliest deadline |
//! | `transport` | batches to the collector |
//! | `options` | the options, by typed getters |
mod callback;
mod engine;
mod gesture;
mod look;
mod options;
mod page;
mod paint;
mod region;
mod shell;
mod timer;
mod transport;
