//! Where the answer is drawn: found by its text, then watched alone.
//!
//! May touch: one `MutationObserver`, one `IntersectionObserver`. Changes are only collected when they happen and looked at
//! once a frame, just before the engine paints: what is redrawn ten times between two frames costs once.
mod find;

use super::callback::Callback;
use super::look::{self, Noticed, Seen};
use super::shell::Shell;
use crate::core::event::{Drawing, Event, Ms, PaintMethod, Place, Verdict};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{
    Document, Element, IntersectionObserver, MutationObserver, MutationObserverInit, MutationRecord, Node,
    ShadowRoot,
};

/// Changed elements looked at in one frame while the answer is not found.
const CANDIDATES: usize = 24;
/// Elements inside a changed one that are looked at.
const INSIDE: u32 = 48;
/// Levels to climb from a changed text to an element that begins like the answer.
const CLIMB: usize = 6;
/// How much text of an element is compared with the stream, in UTF-16 units.
const HEAD: u32 = 2_048;
/// How much of the end of the answer is looked up in the stream.
const TAIL: u32 = 48;
/// A place found by fewer characters than this is checked again as it grows.
const SURE: u32 = 64;
/// What is never a place of an answer.
const FOREIGN: &str = "button,form,textarea,input,select,[contenteditable]:not([contenteditable=false]),[role=textbox],script,style,head";

/// The places of the turn that runs.
pub struct Region {
    mutations: MutationObserver,
    intersections: IntersectionObserver,
    watching: Cell<bool>,
    turn: Cell<u32>,
    answer: RefCell<Option<Element>>,
    /// Where the answer of the turn before is, if this one has none yet.
    before: RefCell<Option<Element>>,
    reasoning: RefCell<Option<Element>>,
    indicator: RefCell<Option<Element>>,
    candidates: RefCell<Vec<Element>>,
    fresh: RefCell<Vec<Element>>,
    in_view: Cell<bool>,
    offscreen: Cell<u32>,
    href: RefCell<String>,
}

impl Region {
    /// A region that watches nothing yet.
    pub fn new(mutations: &Callback, intersections: &Callback) -> Result<Self, JsValue> {
        Ok(Self {
            mutations: MutationObserver::new(mutations.function())?,
            intersections: IntersectionObserver::new(intersections.function())?,
            watching: Cell::default(),
            turn: Cell::default(),
            answer: RefCell::default(),
            before: RefCell::default(),
            reasoning: RefCell::default(),
            indicator: RefCell::default(),
            candidates: RefCell::default(),
            fresh: RefCell::default(),
            in_view: Cell::new(true),
            offscreen: Cell::default(),
            href: RefCell::default(),
        })
    }

    /// Watches or stops watching, as the core asks. Whether the answer is gone together with its page: taken out of
    /// the document, and the address is another one than when it was found.
    pub fn sync(&self, watch: bool, turn: u32, document: &Document) -> bool {
        if watch != self.watching.get() || watch && turn != self.turn.get() {
            self.forget();
            self.watching.set(watch);
            self.turn.set(turn);
            if watch {
                self.observe(document);
            }
        } else if watch && self.is_lost() {
            self.forget();
            self.observe(document);
            return *self.href.borrow() != document.url().unwrap_or_default();
        }
        false
    }

    /// Whether the answer's element was taken out of the page.
    fn is_lost(&self) -> bool {
        self.answer.borrow().as_ref().is_some_and(|answer| !answer.is_connected())
    }

    /// Whether the last answer is drawn in `element`.
    pub fn holds_answer(&self, element: &Element) -> bool {
        [&self.answer, &self.before].into_iter().any(|place| element.contains(place.borrow().as_deref()))
    }

    fn forget(&self) {
        self.mutations.disconnect();
        self.intersections.disconnect();
        self.in_view.set(true);
        self.offscreen.set(0);
        if let Some(answer) = self.answer.take() {
            self.before.replace(Some(answer));
        }
        for place in [&self.reasoning, &self.indicator] {
            place.take();
        }
        self.candidates.borrow_mut().clear();
        self.fresh.borrow_mut().clear();
    }

    /// Watches the whole document while the answer is not found.
    fn observe(&self, document: &Document) {
        if let Some(root) = document.document_element() {
            self.watch_node(&root);
        }
    }

    fn watch_node(&self, node: &Node) {
        let init = MutationObserverInit::new();
        init.set_child_list(true);
        init.set_character_data(true);
        init.set_subtree(true);
        let _ = self.mutations.observe_with_options(node, &init);
    }

    /// Watches the open shadow roots of `element` and of what is in it; what they hold already is to be looked at.
    fn watch_shadows(&self, candidates: &mut Vec<Element>, element: &Element) {
        let inside = element.query_selector_all("*").ok();
        let inside =
            inside.iter().flat_map(|inside| (0..inside.length().min(INSIDE)).map(|index| inside.get(index)));
        for host in inside.flatten().filter_map(|node| node.dyn_into().ok()).chain([element.clone()]) {
            if let Some(root) = Element::shadow_root(&host) {
                self.watch_node(&root);
                keep(candidates, root.first_element_child());
            }
        }
    }

    /// Watches the shadow root that `element` is in, if it is in one: a chat as a web component.
    pub fn watch_around(&self, element: &Element) {
        let root = element.get_root_node();
        if self.watching.get() && root.is_instance_of::<ShadowRoot>() {
            self.watch_node(&root);
        }
    }

    /// From now on only the surroundings of the places are watched.
    fn narrow(&self) {
        self.mutations.disconnect();
        for place in [&self.answer, &self.reasoning] {
            if let Some(place) = &*place.borrow() {
                let surroundings = place.parent_node().unwrap_or_else(|| place.clone().unchecked_into());
                self.watch_node(&surroundings);
            }
        }
    }

    /// Keeps what changed for the next look; whether there is anything to look at.
    pub fn collect(&self, records: &js_sys::Array) -> bool {
        let mut candidates = self.candidates.borrow_mut();
        for record in records.iter() {
            let record: &MutationRecord = record.unchecked_ref();
            let target = record.target();
            let added = record.added_nodes();
            for index in 0..added.length() {
                let element = added.get(index).and_then(|node| node.dyn_into::<Element>().ok());
                if let Some(element) = &element {
                    self.watch_shadows(&mut candidates, element);
                }
                keep(&mut candidates, element);
            }
            keep(&mut candidates, target.as_ref().and_then(element_of));
        }
        !candidates.is_empty()
    }
}

fn keep(candidates: &mut Vec<Element>, element: Option<Element>) {
    if let Some(element) = element.filter(|element| !candidates.contains(element)) {
        if candidates.len() == CANDIDATES {
            candidates.remove(0);
        }
        candidates.push(element);
    }
}

fn element_of(node: &Node) -> Option<Element> {
    node.dyn_ref::<Element>().cloned().or_else(|| node.parent_element())
}

impl Shell {
    /// The last moment before the engine paints `frame`: what changed is looked at.
    pub fn look_at_changes(&self, at: Ms, frame: u32) {
        let candidates = self.region.candidates.take();
        let mut answer_changed = false;
        let mut reasoning_changed = false;
        for element in candidates {
            if !element.is_connected() || is_foreign(&element) {
                continue;
            }
            if holds(&self.region.answer, &element) {
                answer_changed = true;
            } else if holds(&self.region.reasoning, &element) {
                reasoning_changed = true;
            } else {
                match self.identify(at, &element) {
                    Verdict::Answer => answer_changed = true,
                    Verdict::Reasoning => reasoning_changed = true,
                    Verdict::Nothing => keep(&mut self.region.fresh.borrow_mut(), Some(element)),
                    Verdict::Echo => {}
                }
            }
        }
        if reasoning_changed {
            self.draw(at, frame, Place::Reasoning);
        }
        if answer_changed {
            self.draw(at, frame, Place::Answer);
        }
        self.check_indicator(at);
    }

    /// Tells the core what a place shows now, and arms what the engine can time.
    fn draw(&self, at: Ms, frame: u32, place: Place) {
        let slot = if place == Place::Answer { &self.region.answer } else { &self.region.reasoning };
        let Some(element) = slot.borrow().clone() else { return };
        let (characters, tail) = look::tail(&element, TAIL);
        let wants_text = self.effects.get().wants_text || characters < SURE;
        let head = if wants_text { look::text(&element, HEAD).unwrap_or_default() } else { String::new() };
        if place == Place::Answer && characters < SURE && !self.ask(at, &element).is_place() {
            // A few characters agreed by chance; what grew is something else.
            slot.take();
            self.region.observe(&self.document);
            return;
        }
        let shape = if wants_text { look::shape(&element) } else { Default::default() };
        let characters = if tail.is_empty() { 0 } else { characters };
        self.on(at, Event::Drawn(Drawing { place, frame, head: &head, tail: &tail, characters, shape }));
        if wants_text {
            self.test_useful(at, frame, &element);
        }
        self.arm(&element, frame);
    }

    fn test_useful(&self, at: Ms, frame: u32, answer: &Element) {
        let Some(test) = self.options.useful_test() else { return };
        if test.call1(&JsValue::UNDEFINED, answer).is_ok_and(|verdict| verdict.is_truthy()) {
            self.on(at, Event::DrawnUseful { frame, method: crate::core::useful::Method::App });
        }
    }

    /// Element Timing tells of a block's first text only: the place itself, and the newest block in it.
    fn arm(&self, place: &Element, frame: u32) {
        let mut newest = Some(place.clone());
        for _ in 0..CLIMB {
            let Some(element) = newest else { break };
            self.element_timing.arm(&element, frame);
            newest = element.last_element_child();
        }
    }

    /// A frame is on screen; what of it can be seen counts.
    pub fn look_at_painted(&self, at: Ms, frame: u32) {
        self.notice(at);
        let answer = self.region.answer.borrow().clone().or_else(|| self.region.reasoning.borrow().clone());
        let seen = match answer {
            None => Seen::Yes,
            Some(answer) if self.effects.get().unseen => look::is_seen(&answer, &self.document),
            // Asking for the box costs a layout where the page changed again; from here on the observer knows.
            Some(_) if self.region.in_view.get() => Seen::Yes,
            Some(_) => Seen::Outside,
        };
        match seen {
            Seen::No => self.frames.again(&self.window, frame),
            Seen::Outside => {
                self.region.offscreen.set(frame);
                self.on(at, Event::Offscreen);
            }
            Seen::Yes => _ = self.on(at, Event::Painted { frame, method: PaintMethod::Raf2 }),
        }
    }

    /// The answer came into view or went out of it.
    pub fn intersected(&self, at: Ms, entries: &js_sys::Array) {
        let last: web_sys::IntersectionObserverEntry = entries.at(-1).unchecked_into();
        self.region.in_view.set(last.is_intersecting());
        let frame = self.region.offscreen.get();
        if frame > 0 && last.is_intersecting() {
            self.region.offscreen.set(0);
            self.on(at, Event::Painted { frame, method: PaintMethod::Intersection });
        }
    }

    /// Looks at what was painted and is not the answer.
    fn notice(&self, at: Ms) {
        for element in self.region.fresh.take() {
            if holds(&self.region.answer, &element)
                || holds(&self.region.reasoning, &element)
                || !element.is_connected()
            {
                continue;
            }
            let noticed = Noticed::look(&element, self.region.indicator.borrow().as_ref());
            if look::is_seen(&noticed.element, &self.document) != Seen::Yes {
                continue;
            }
            self.on(at, Event::Noticed(noticed.as_look()));
            if noticed.animated && !holds(&self.region.indicator, &noticed.element) {
                self.region.indicator.replace(Some(noticed.element));
            }
        }
    }

    fn check_indicator(&self, at: Ms) {
        let is_gone = |element: &Element| !element.is_connected() || !look::is_shown(element);
        let gone = self.region.indicator.borrow().as_ref().is_some_and(is_gone);
        if gone {
            self.region.indicator.take();
            self.on(at, Event::IndicatorGone);
        }
    }
}

fn is_foreign(element: &Element) -> bool {
    element.closest(FOREIGN).ok().flatten().is_some()
}

fn holds(place: &RefCell<Option<Element>>, element: &Element) -> bool {
    place.borrow().as_ref().is_some_and(|place| place.contains(Some(element)))
}
