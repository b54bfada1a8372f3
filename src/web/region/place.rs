//! A place on the page: one element, or all from one to another where nothing but the answer is around several.
//!
//! Reads only.
use super::super::look::{self, Seen};
use js_sys::JsString;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Node};

#[wasm_bindgen]
extern "C" {
    type Ranges;
    #[wasm_bindgen(method, catch, js_name = createRange)]
    fn create_range(this: &Ranges) -> Result<Range, JsValue>;

    type Range;
    #[wasm_bindgen(method, catch, js_name = setStartBefore)]
    fn set_start_before(this: &Range, node: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setEndAfter)]
    fn set_end_after(this: &Range, node: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, js_name = toString)]
    fn text(this: &Range) -> JsString;
}

/// Where an answer or reasoning is drawn.
#[derive(Clone)]
pub struct Place {
    /// The element in which it begins.
    pub first: Element,
    /// The element in which it ends so far.
    pub last: Element,
    /// Whether its text agrees by more than chance.
    pub sure: bool,
    /// How much text it shows, in UTF-16 units.
    pub characters: u32,
}

impl Place {
    /// A place of one element.
    pub fn new(element: Element, sure: bool) -> Self {
        Self { last: element.clone(), first: element, sure, characters: 0 }
    }

    /// Whether `element` is in it.
    pub fn holds(&self, element: &Element) -> bool {
        self.first.contains(Some(element))
            || self.last.contains(Some(element))
            || self.first != self.last && follows(&self.first, element) && follows(element, &self.last)
    }

    /// Whether it is still all on the page.
    pub fn is_there(&self) -> bool {
        self.first.is_connected()
    }

    /// Its text.
    pub fn content(&self) -> Option<JsString> {
        if self.first == self.last || !self.last.is_connected() {
            return look::content(&self.first);
        }
        let document: JsValue = self.first.owner_document()?.into();
        let range = document.unchecked_ref::<Ranges>().create_range().ok()?;
        range.set_start_before(&self.first).ok()?;
        range.set_end_after(&self.last).ok()?;
        Some(range.text())
    }

    /// Whether any of it can be seen.
    pub fn seen(&self) -> Seen {
        look::is_seen(&self.first).max(look::is_seen(&self.last))
    }
}

/// Whether `later` comes after `element` in the document, and is not in it.
pub fn follows(element: &Element, later: &Element) -> bool {
    element.compare_document_position(later)
        & (Node::DOCUMENT_POSITION_FOLLOWING | Node::DOCUMENT_POSITION_CONTAINED_BY)
        == Node::DOCUMENT_POSITION_FOLLOWING
}
