//! When a frame with a change is on screen.
//!
//! A change belongs to the frame that is being collected. The first animation frame closes the collection, just
//! before style and layout; the second one starts when the frame is on its way to the screen.
//! Where the engine has Element Timing, its presentation time of an element armed in that frame follows.
use super::callback::Callback;
use js_sys::{Array, Function, Object, Reflect};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web_sys::{Element, PerformanceObserver, Window};

/// Elements whose presentation is awaited at once.
const ARMED: usize = 32;

/// The animation frames.
#[derive(Default)]
pub struct Frames {
    collecting: Cell<u32>,
    begun: Cell<u32>,
    closed: RefCell<Vec<u32>>,
    first: RefCell<Function>,
    second: RefCell<Function>,
}

impl Frames {
    /// Sets what the browser calls: `first` closes a frame, `second` says that it is on screen.
    pub fn connect(&self, first: &Callback, second: &Callback) {
        self.first.replace(first.function().clone());
        self.second.replace(second.function().clone());
    }

    /// Whether no change was seen since the last frame was closed.
    pub fn is_idle(&self) -> bool {
        self.collecting.get() == 0
    }

    /// The frame that a change of this moment will be in.
    pub fn collect(&self, window: &Window) -> u32 {
        if self.collecting.get() == 0 {
            self.begun.set(self.begun.get() + 1);
            self.collecting.set(self.begun.get());
            let _ = window.request_animation_frame(&self.first.borrow());
        }
        self.collecting.get()
    }

    /// Closes the frame; its number.
    pub fn close(&self, window: &Window) -> u32 {
        let frame = self.collecting.replace(0);
        self.again(window, frame);
        frame
    }

    /// Asks for another look at `frame` with the next one.
    pub fn again(&self, window: &Window, frame: u32) {
        self.closed.borrow_mut().push(frame);
        let _ = window.request_animation_frame(&self.second.borrow());
    }

    /// The frame that is on screen now.
    pub fn shown(&self) -> Option<u32> {
        first(&mut self.closed.borrow_mut())
    }
}

/// The engine's own presentation times of elements.
pub struct ElementTiming {
    observer: Option<PerformanceObserver>,
    armed: RefCell<Vec<Armed>>,
}

struct Armed {
    element: Element,
    frame: u32,
    /// Whether the attribute is ours and has to go again.
    ours: bool,
}

/// Takes the oldest of a few.
fn first<T>(queue: &mut Vec<T>) -> Option<T> {
    (!queue.is_empty()).then(|| queue.remove(0))
}

const ATTRIBUTE: &str = "elementtiming";

impl ElementTiming {
    /// Starts where the engine has it.
    pub fn new(callback: &Callback) -> Self {
        Self { observer: observe(callback), armed: RefCell::default() }
    }

    /// Whether the engine has it.
    pub fn is_supported(&self) -> bool {
        self.observer.is_some()
    }

    /// Asks for the presentation time of what `element` shows in `frame`. An attribute of the page's own stays.
    pub fn arm(&self, element: &Element, frame: u32) {
        let mut armed = self.armed.borrow_mut();
        if !self.is_supported() || armed.iter().any(|armed| armed.element == *element) {
            return;
        }
        let ours = !element.has_attribute(ATTRIBUTE);
        if ours {
            let _ = element.set_attribute(ATTRIBUTE, "chat-vitals");
        }
        if armed.len() == ARMED
            && let Some(oldest) = first(&mut armed)
        {
            oldest.disarm();
        }
        armed.push(Armed { element: element.clone(), frame, ours });
    }

    /// The frames and presentation times that a list of entries tells. What was painted outside the viewport does not count.
    pub fn presented(&self, list: &JsValue) -> Vec<(u32, f64)> {
        let entries = list.unchecked_ref::<EntryList>().get_entries();
        let times = entries.iter().filter_map(|entry| {
            let entry: &ElementEntry = entry.unchecked_ref();
            let at = entry
                .presentation_time()
                .filter(|at| *at > 0.0)
                .or(Some(entry.render_time()).filter(|at| *at > 0.0))?;
            let rect = entry.intersection_rect();
            if rect.width() * rect.height() <= 0.0 {
                return None;
            }
            let element = entry.element()?;
            let mut armed = self.armed.borrow_mut();
            let place = armed.iter().position(|armed| armed.element == element)?;
            let armed = armed.remove(place);
            armed.disarm();
            Some((armed.frame, at))
        });
        times.collect()
    }

    /// Takes back every attribute of ours.
    pub fn release(&self) {
        for armed in self.armed.take() {
            armed.disarm();
        }
    }
}

impl Drop for ElementTiming {
    fn drop(&mut self) {
        self.release();
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

impl Armed {
    fn disarm(&self) {
        if self.ours {
            let _ = self.element.remove_attribute(ATTRIBUTE);
        }
    }
}

fn observe(callback: &Callback) -> Option<PerformanceObserver> {
    let constructor = Reflect::get(&js_sys::global(), &"PerformanceObserver".into()).ok()?;
    let types = Reflect::get(&constructor, &"supportedEntryTypes".into()).ok()?;
    if !Array::from(&types).includes(&"element".into(), 0) {
        return None;
    }
    let observer = PerformanceObserver::new(callback.function()).ok()?;
    let init = Object::new();
    Reflect::set(&init, &"type".into(), &"element".into()).ok()?;
    observer.observe(init.unchecked_ref());
    Some(observer)
}

#[wasm_bindgen]
extern "C" {
    type EntryList;
    #[wasm_bindgen(method, js_name = getEntries)]
    fn get_entries(this: &EntryList) -> Array;

    type ElementEntry;
    #[wasm_bindgen(method, getter, js_name = presentationTime)]
    fn presentation_time(this: &ElementEntry) -> Option<f64>;
    #[wasm_bindgen(method, getter, js_name = renderTime)]
    fn render_time(this: &ElementEntry) -> f64;
    #[wasm_bindgen(method, getter, js_name = intersectionRect)]
    fn intersection_rect(this: &ElementEntry) -> web_sys::DomRectReadOnly;
    #[wasm_bindgen(method, getter)]
    fn element(this: &ElementEntry) -> Option<Element>;
}
