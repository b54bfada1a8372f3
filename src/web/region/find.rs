//! Whether an element of the page is a place of the turn: the core judges its text, or the application named it.
//!
//! Reads only. What is found is the highest element that still begins like the stream and holds nothing else.
use super::super::gesture::role;
use super::super::look;
use super::super::shell::Shell;
use super::{CLIMB, FOREIGN, HEAD, INSIDE, PARTS, Spot, TAIL, follows, is_foreign};
use crate::core::event::{Event, Ms, Role, Verdict};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// What holds items or cells, each of which may be a message.
const FRAMEWORK: &str = "ul,ol,dl,table,tbody,tr";

impl Shell {
    /// Whether `element` is, holds or is part of a place of the turn. What is found is watched from here on.
    pub(super) fn identify(&self, at: Ms, element: &Element) -> Verdict {
        if let Some(found) = self.ask_inside(at, element) {
            return found;
        }
        let mut level = element.clone();
        for _ in 0..CLIMB {
            let Some(parent) = level.parent_element().filter(can_be_place) else { break };
            let verdict = self.judge(at, &parent);
            if verdict.is_place() {
                self.settle(at, &parent, verdict);
                return verdict;
            }
            level = parent;
        }
        Verdict::Nothing
    }

    /// What `element` is, or what in it is a place.
    pub(super) fn ask_inside(&self, at: Ms, element: &Element) -> Option<Verdict> {
        let mut found = self.judge(at, element);
        if found.is_place() {
            self.settle(at, element, found);
        }
        // Reasoning that comes along with its answer is the beginning of what holds both.
        if found == Verdict::Reasoning && self.wants_place() || found == Verdict::Nothing {
            for part in parts(element) {
                if self.region.answers_at(&part) || part.matches(FOREIGN).unwrap_or(true) {
                    continue;
                }
                let verdict = self.judge(at, &part);
                if verdict == Verdict::Answer
                    || verdict == Verdict::Reasoning && !self.region.reasons_at(&part)
                {
                    self.settle(at, &part, verdict);
                    found = found.max(verdict);
                }
            }
        }
        (found != Verdict::Nothing).then_some(found)
    }

    /// Whether `element`, or something in it, goes on where an answer stops: paragraphs with nothing around them.
    pub(super) fn follow(&self, at: Ms, element: &Element) -> bool {
        let mut answers = self.region.answers.borrow_mut();
        answers.iter_mut().any(|place| {
            if !follows(&place.last, element) && !element.contains(Some(&place.last)) {
                return false;
            }
            let Some(content) = look::content(&place.last) else { return false };
            let before = look::tail(&content, TAIL);
            let goes_on = |part: &Element| {
                follows(&place.last, part)
                    && !is_foreign(part)
                    && look::text(part, HEAD).is_some_and(|text| {
                        self.on(at, Event::Followed { before: &before, text: &text }).verdict
                            == Verdict::Answer
                    })
            };
            let next =
                Some(element.clone()).filter(goes_on).or_else(|| parts(element).take(PARTS).find(goes_on));
            if let Some(next) = &next {
                place.last = next.clone();
            }
            next.is_some()
        })
    }

    /// The core's verdict on an element. What holds a place of one kind is none of the other kind.
    pub(super) fn judge(&self, at: Ms, element: &Element) -> Verdict {
        let verdict = self.ask(at, element);
        let reasoning = self.region.reasoning.borrow();
        let mixed = match verdict {
            Verdict::Answer => reasoning.as_ref().is_some_and(|place| inside(element, place)),
            Verdict::Reasoning => self.region.answers.borrow().iter().any(|place| inside(element, place)),
            _ => false,
        };
        if mixed { Verdict::Nothing } else { verdict }
    }

    /// The core's verdict on an element, by the application's word or by its text.
    fn ask(&self, at: Ms, element: &Element) -> Verdict {
        let marked = element.closest("[data-chat-vitals]").ok().flatten();
        let role = self.named_answer(element).or_else(|| marked.as_ref().and_then(role));
        let Some(text) = look::text(element, HEAD).filter(|text| !text.trim().is_empty()) else {
            return Verdict::Nothing;
        };
        self.on(at, Event::Appeared { text: &text, role }).verdict
    }

    /// The role that the option `answer` gives. A selector that names nothing on the page names nothing here.
    fn named_answer(&self, element: &Element) -> Option<Role> {
        let answer = self.options.answer();
        let inside = if let Some(selector) = answer.as_string() {
            element.closest(&selector).ok().flatten().is_some()
        } else {
            let find = answer.dyn_ref::<js_sys::Function>()?;
            let named = find.call1(&JsValue::UNDEFINED, &self.snapshot()).ok()?;
            named.dyn_ref::<Element>().is_some_and(|named| named.contains(Some(element)))
        };
        inside.then_some(Role::Answer)
    }

    /// Takes the highest element that is still nothing but the place. A list that the message is an item of is
    /// the page's structure and not the answer's.
    fn settle(&self, at: Ms, element: &Element, verdict: Verdict) {
        let mut sure = self.effects.get().sure;
        if verdict == Verdict::Answer {
            // Reasoning was taken as high as it could be when it was all there was; what is left of it is below.
            let above = self.region.reasoning.borrow_mut().take_if(|place| place.holds(element));
            if let Some(above) = above {
                self.region.answers.borrow_mut().push(Spot::new(element.clone(), sure));
                self.ask_inside(at, &above.first);
                self.region.answers.borrow_mut().retain(|place| place.first != *element);
            }
        }
        let mut place = element.clone();
        let mut level = element.clone();
        while let Some(parent) = level.parent_element().filter(can_be_place) {
            if self.judge(at, &parent) != verdict {
                break;
            }
            level = parent;
            if !level.matches(FRAMEWORK).unwrap_or(false) {
                place = level.clone();
                sure |= self.effects.get().sure;
            }
        }
        let place = Spot::new(place, sure);
        if verdict == Verdict::Reasoning {
            self.region.reasoning.replace(Some(place));
        } else {
            self.take_answer(at, place);
        }
    }

    /// A place of an answer, in addition to those that are there or instead of one.
    fn take_answer(&self, at: Ms, place: Spot) {
        let mut answers = self.region.answers.borrow_mut();
        answers.retain(|other| other.is_there() && !inside(&place.first, other));
        if answers.len() < self.effects.get().answers.max(1) {
            answers.push(place);
        } else {
            // Another place with the same words: what is seen and shows more of them is the answer.
            let worth = |place: &Spot| (place.seen(), place.content().map(|content| content.length()));
            let new = worth(&place);
            let Some(less) = answers.iter_mut().find(|other| worth(other) < new) else { return };
            *less = place;
            self.on(at, Event::Mistaken);
        }
        if let Some(first) = answers.first() {
            self.region.lose_sight();
            self.region.intersections.observe(&first.first);
        }
        self.region.href.replace(self.document.url().unwrap_or_default());
    }
}

/// The elements in `element`, a few of them.
fn parts(element: &Element) -> impl Iterator<Item = Element> {
    let all = element.query_selector_all("*").ok();
    (0..INSIDE).map_while(move |index| all.as_ref()?.get(index)).map(JsCast::unchecked_into)
}

fn inside(element: &Element, place: &Spot) -> bool {
    element.contains(Some(&place.first))
}

/// A place is part of the page's content, not the page.
fn can_be_place(element: &Element) -> bool {
    !matches!(element.tag_name().as_str(), "BODY" | "HTML" | "MAIN")
        && element.query_selector("textarea,form").ok().flatten().is_none()
}
