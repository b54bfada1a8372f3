//! Where the answer is drawn: found by its text, then watched alone.
//!
//! May touch: one `MutationObserver`, one `IntersectionObserver`. Changes are only collected when they happen and looked at
//! once a frame, just before the engine paints: what is redrawn ten times between two frames costs once.
mod changes;
mod find;
mod place;

use super::callback::Callback;
use place::{Place as Spot, follows};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{
    Document, Element, IntersectionObserver, MutationObserver, MutationObserverInit, MutationRecord, Node,
    ShadowRoot,
};

/// Changed elements looked at in one frame while the answer is not found, and frames that are watched.
const CANDIDATES: usize = 24;
/// Elements inside a changed one that are looked at when the answer is known, for a part that goes on.
const PARTS: usize = 8;
/// Elements inside a changed one that are looked at.
const INSIDE: u32 = 48;
/// Levels to climb from a changed text to an element that begins like the answer.
const CLIMB: usize = 6;
/// How much text of an element is compared with the stream, in UTF-16 units.
const HEAD: u32 = 2_048;
/// How much of the end of the answer is looked up in the stream.
const TAIL: u32 = 48;
/// A place of fewer characters than this, or out of sight, may be a title or a copy of the answer: the page goes on to
/// be watched for a better one.
const SURE: u32 = 64;
/// Levels above a place that are watched: what goes on beside it is in there.
const AROUND: usize = 3;
/// Elements of a page that are asked for an open shadow root: the last ones, as widgets are put at the end.
const HOSTS: u32 = 1_000;
/// What is never a place of an answer.
const FOREIGN: &str = "button,form,textarea,input,select,[contenteditable]:not([contenteditable=false]),[role=textbox],script,style,head";

/// The places of the turn that runs.
pub struct Region {
    mutations: MutationObserver,
    intersections: IntersectionObserver,
    watching: Cell<bool>,
    turn: Cell<u32>,
    answers: RefCell<Vec<Spot>>,
    /// Where the answers of the turn before are, if this one has none yet.
    before: RefCell<Vec<Spot>>,
    reasoning: RefCell<Option<Spot>>,
    indicator: RefCell<Option<Element>>,
    candidates: RefCell<Vec<Element>>,
    fresh: RefCell<Vec<Element>>,
    in_view: Cell<bool>,
    narrowed: Cell<bool>,
    /// Documents of frames that the application wants watched.
    frames: RefCell<Vec<Element>>,
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
            answers: RefCell::default(),
            before: RefCell::default(),
            reasoning: RefCell::default(),
            indicator: RefCell::default(),
            candidates: RefCell::default(),
            fresh: RefCell::default(),
            in_view: Cell::new(true),
            narrowed: Cell::default(),
            frames: RefCell::default(),
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
            // What is reported already of the page is not lost with it.
            self.answers.borrow_mut().retain(Spot::is_there);
            self.lose_sight();
            self.observe(document);
            return *self.href.borrow() != document.url().unwrap_or_default();
        }
        false
    }

    /// Whether an answer's element was taken out of the page.
    fn is_lost(&self) -> bool {
        !self.answers.borrow().iter().all(Spot::is_there)
    }

    /// Whether the last answer is drawn in `element`.
    pub fn holds_answer(&self, element: &Element) -> bool {
        let holds = |spot: &Spot| element.contains(Some(&spot.first)) || element.contains(Some(&spot.last));
        [&self.answers, &self.before].into_iter().any(|spots| spots.borrow().iter().any(holds))
    }

    fn forget(&self) {
        self.mutations.disconnect();
        self.lose_sight();
        let answers = self.answers.take();
        if !answers.is_empty() {
            self.before.replace(answers);
        }
        self.reasoning.take();
        self.indicator.take();
        self.candidates.borrow_mut().clear();
        self.fresh.borrow_mut().clear();
    }

    /// Whether an answer is in view is for others to tell.
    fn lose_sight(&self) {
        self.intersections.disconnect();
        self.in_view.set(true);
        self.offscreen.set(0);
    }

    /// Watches the whole document while the answer is not found.
    fn observe(&self, document: &Document) {
        self.narrowed.set(false);
        if let Some(root) = document.document_element() {
            self.watch_node(&root);
            self.watch_shadows(&mut Vec::new(), &root, HOSTS);
        }
        for frame in self.frames.borrow().iter().filter(|frame| frame.is_connected()) {
            self.watch_node(frame);
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
    fn watch_shadows(&self, candidates: &mut Vec<Element>, element: &Element, limit: u32) {
        let Ok(inside) = element.query_selector_all("*") else { return };
        let length = inside.length();
        for index in length.saturating_sub(limit)..=length {
            let host = inside.get(index).map_or_else(|| element.clone(), JsCast::unchecked_into);
            if let Some(root) = Element::shadow_root(&host) {
                self.watch_node(&root);
                let mut child = root.first_element_child();
                while let Some(element) = child {
                    self.watch_shadows(candidates, &element, limit);
                    child = element.next_element_sibling();
                    keep(candidates, Some(element));
                }
            }
        }
    }

    /// Watches the document of a frame, too.
    pub fn watch_frame(&self, document: &JsValue) {
        // Only ever asked what every node can tell.
        keep(&mut self.frames.borrow_mut(), Some(document.clone().unchecked_into()));
    }

    /// Watches the root that `element` is in, if it is another than the page's: a chat as a web component.
    pub fn watch_around(&self, element: &Element) {
        let root = element.get_root_node();
        if self.watching.get() && root.is_instance_of::<ShadowRoot>() {
            self.watch_node(&root);
        }
    }

    /// From now on only the surroundings of the places are watched.
    fn narrow(&self) {
        self.narrowed.set(true);
        self.mutations.disconnect();
        for place in self.answers.borrow().iter().chain(&*self.reasoning.borrow()) {
            let mut around: Node = place.first.clone().into();
            for _ in 0..AROUND {
                let above = around.parent_node().filter(|above| above.node_name() != "BODY");
                around = above.unwrap_or(around);
            }
            self.watch_node(&around);
        }
    }

    /// Whether an answer is drawn at `element`.
    fn answers_at(&self, element: &Element) -> bool {
        self.answers.borrow().iter().any(|place| place.holds(element))
    }

    fn reasons_at(&self, element: &Element) -> bool {
        self.reasoning.borrow().as_ref().is_some_and(|place| place.holds(element))
    }

    /// Keeps what changed for the next look; whether there is anything to look at.
    pub fn collect(&self, records: &js_sys::Array) -> bool {
        let mut candidates = self.candidates.borrow_mut();
        for record in records.iter() {
            let record: &MutationRecord = record.unchecked_ref();
            let target = record.target();
            let added = record.added_nodes();
            for index in 0..added.length() {
                let element = added.get(index).as_ref().and_then(as_element);
                if let Some(element) = &element {
                    self.watch_shadows(&mut candidates, element, INSIDE);
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

/// By its type: a frame's elements are of other classes than the page's.
fn as_element(node: &Node) -> Option<Element> {
    (node.node_type() == Node::ELEMENT_NODE).then(|| node.clone().unchecked_into())
}

fn element_of(node: &Node) -> Option<Element> {
    as_element(node).or_else(|| node.parent_element())
}

fn is_foreign(element: &Element) -> bool {
    element.closest(FOREIGN).ok().flatten().is_some()
}
