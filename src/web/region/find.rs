//! Whether an element of the page is a place of the turn: the core judges its text, or the application named it.
//!
//! Reads only. What is found is the highest element that still begins like the stream and holds nothing else.
use super::super::gesture::role;
use super::super::look;
use super::super::shell::Shell;
use super::{CLIMB, FOREIGN, HEAD, INSIDE, holds};
use crate::core::event::{Event, Ms, Role, Verdict};
use std::cell::RefCell;
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
            let verdict = self.ask(at, &parent);
            if verdict.is_place() {
                self.settle(at, &parent, verdict);
                return verdict;
            }
            level = parent;
        }
        Verdict::Nothing
    }

    fn ask_inside(&self, at: Ms, element: &Element) -> Option<Verdict> {
        let verdict = self.ask(at, element);
        if verdict.is_place() {
            self.settle(at, element, verdict);
        }
        if verdict != Verdict::Nothing {
            return Some(verdict);
        }
        let inside = element.query_selector_all("*").ok()?;
        let mut found = None;
        for index in 0..inside.length().min(INSIDE) {
            let Some(part) = inside.get(index).and_then(|node| node.dyn_into::<Element>().ok()) else {
                continue;
            };
            let within = |place: &RefCell<Option<Element>>| holds(place, &part);
            if within(&self.region.answer)
                || within(&self.region.reasoning)
                || part.matches(FOREIGN).unwrap_or(true)
            {
                continue;
            }
            let verdict = self.ask(at, &part);
            if verdict.is_place() {
                self.settle(at, &part, verdict);
                found = Some(if found == Some(Verdict::Answer) { Verdict::Answer } else { verdict });
            }
        }
        found
    }

    /// The core's verdict on an element, by the application's word or by its text.
    pub(super) fn ask(&self, at: Ms, element: &Element) -> Verdict {
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
        let mut place = element.clone();
        let mut level = element.clone();
        while let Some(parent) = level.parent_element().filter(can_be_place) {
            if self.ask(at, &parent) != verdict {
                break;
            }
            level = parent;
            if !level.matches(FRAMEWORK).unwrap_or(false) {
                place = level.clone();
            }
        }
        let slot = if verdict == Verdict::Answer { &self.region.answer } else { &self.region.reasoning };
        slot.replace(Some(place.clone()));
        if verdict == Verdict::Answer {
            self.region.intersections.observe(&place);
            self.region.href.replace(self.document.url().unwrap_or_default());
            self.region.narrow();
        }
    }
}

/// A place is part of the page's content, not the page.
fn can_be_place(element: &Element) -> bool {
    !matches!(element.tag_name().as_str(), "BODY" | "HTML" | "MAIN")
        && element.query_selector("textarea,form").ok().flatten().is_none()
}
