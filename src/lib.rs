//! chat-vitals measures what the user of a streamed AI answer sees.
//!
//! * [`core`]: the functional core. It takes bytes and times and returns values; it has no
//!   clock, timer, socket, global or web type, and it cannot fail at run time.
//! * `web`: the browser shell around it, compiled for wasm only.
//!
//! `ARCHITECTURE.md` has the invariants, the map and the life of a chunk.
#![warn(missing_docs)]

pub mod core;
#[cfg(target_arch = "wasm32")]
mod web;

// The standard library's allocator is five times the code.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
