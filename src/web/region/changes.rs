//! What changed on the page, told to the core: before a frame is painted, and once it was.
//!
//! May touch: the region's places, the armed elements.
use super::super::look::{self, Noticed, Seen};
use super::super::shell::Shell;
use super::{CLIMB, HEAD, SURE, Spot, TAIL, is_foreign, keep};
use crate::core::event::{Drawing, Event, Ms, PaintMethod, Place, Verdict};
use js_sys::JsString;
use wasm_bindgen::prelude::*;
use web_sys::Element;

impl Shell {
    /// The last moment before the engine paints `frame`: what changed is looked at.
    pub fn look_at_changes(&self, at: Ms, frame: u32) {
        self.check_places(at);
        let candidates = self.region.candidates.take();
        // Once the places are known and there, what is beside them can only go on.
        let is_settled = self.region.narrowed.get() && !self.wants_place() && !self.region.is_lost();
        let mut answer_changed = false;
        let mut reasoning_changed = false;
        let mut rest = Vec::new();
        for element in candidates {
            if !element.is_connected() || is_foreign(&element) {
                continue;
            }
            if self.region.answers_at(&element) {
                answer_changed = true;
                continue;
            }
            let is_known = is_settled || self.region.reasons_at(&element) && !self.wants_place();
            match if is_known { Verdict::Nothing } else { self.identify(at, &element) } {
                Verdict::Answer => answer_changed = true,
                Verdict::Reasoning => reasoning_changed = true,
                Verdict::Nothing => rest.push(element),
                Verdict::Echo => {}
            }
        }
        for element in rest {
            if self.region.reasons_at(&element) {
                reasoning_changed = true;
            } else if self.follow(at, &element) {
                answer_changed = true;
            } else {
                keep(&mut self.region.fresh.borrow_mut(), Some(element));
            }
        }
        if reasoning_changed && let Some(place) = self.region.reasoning.borrow().as_ref() {
            self.draw(at, frame, Place::Reasoning, &place.first, place.content(), 1);
        }
        if answer_changed {
            self.draw_answers(at, frame);
        }
        self.check_indicator(at);
    }

    /// Whether an answer is delivered that has no place yet.
    pub(super) fn wants_place(&self) -> bool {
        self.region.answers.borrow().len() < self.effects.get().answers
    }

    /// A few letters may have agreed by chance: what is no more than that is asked again.
    fn check_places(&self, at: Ms) {
        let places = self.region.answers.take();
        let count = places.len();
        for mut place in places {
            if !place.sure {
                let verdict = self.judge(at, &place.first);
                place.sure = self.effects.get().sure;
                if verdict != Verdict::Answer {
                    // Or what grew around it is not the answer's, as the name of a language is.
                    self.ask_inside(at, &place.first);
                    continue;
                }
            }
            self.region.answers.borrow_mut().push(place);
        }
        if self.region.answers.borrow().len() < count {
            self.on(at, Event::Mistaken);
        }
    }

    fn draw_answers(&self, at: Ms, frame: u32) {
        let mut places = self.region.answers.take();
        let mut all: u32 = places.iter().map(|place| place.characters).sum();
        for place in &mut places {
            let content = place.content();
            let length = content.as_ref().map_or(0, JsString::length);
            if length != place.characters {
                all = all - place.characters + length;
                place.characters = length;
                self.draw(at, frame, Place::Answer, &place.last, content, all);
            }
        }
        self.region.answers.replace(places);
    }

    /// Tells the core what a place shows now, and arms what the engine can time.
    fn draw(
        &self,
        at: Ms,
        frame: u32,
        place: Place,
        last: &Element,
        content: Option<JsString>,
        characters: u32,
    ) {
        let content = content.unwrap_or_default();
        let tail = look::tail(&content, TAIL);
        let wants_text = self.effects.get().wants_text;
        let head = if wants_text { look::cut(&content, HEAD) } else { String::new() };
        let shape = if wants_text { look::shape(last) } else { Default::default() };
        let characters = if tail.is_empty() { 0 } else { characters };
        self.on(at, Event::Drawn(Drawing { place, frame, head: &head, tail: &tail, characters, shape }));
        if wants_text {
            self.test_useful(at, frame, last);
        }
        self.arm(last, frame);
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
        let seen = {
            let (answers, reasoning) = (self.region.answers.borrow(), self.region.reasoning.borrow());
            let places = answers.iter().chain(reasoning.iter().filter(|_| answers.is_empty()));
            if !self.effects.get().unseen {
                // Asking for the box costs a layout where the page changed again; from here on the observer knows.
                if self.region.in_view.get() { Seen::Yes } else { Seen::Outside }
            } else {
                places.map(Spot::seen).max().unwrap_or(Seen::Yes)
            }
        };
        match seen {
            Seen::No => self.frames.again(&self.window, frame),
            Seen::Outside => {
                self.region.offscreen.set(frame);
                self.on(at, Event::Offscreen);
            }
            Seen::Yes => {
                self.on(at, Event::Painted { frame, method: PaintMethod::Raf2 });
                let is_found = |place: &Spot| place.characters >= SURE;
                if !self.region.narrowed.get()
                    && !self.wants_place()
                    && self.effects.get().answers > 0
                    && self.region.answers.borrow().iter().all(is_found)
                {
                    self.region.narrow();
                }
            }
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
            if self.region.answers_at(&element) || self.region.reasons_at(&element) || !element.is_connected()
            {
                continue;
            }
            let noticed = Noticed::look(&element, self.region.indicator.borrow().as_ref());
            if look::is_seen(&noticed.element) != Seen::Yes {
                continue;
            }
            self.on(at, Event::Noticed(noticed.as_look()));
            if noticed.animated && !self.indicates(&noticed.element) {
                self.region.indicator.replace(Some(noticed.element));
            }
        }
    }

    fn indicates(&self, element: &Element) -> bool {
        self.region.indicator.borrow().as_ref().is_some_and(|indicator| indicator.contains(Some(element)))
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
