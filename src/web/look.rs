//! What an element looks like: its text, its box, whether something in it moves.
//!
//! Reads only; nothing of the page is changed here. Texts are cut before they cross into wasm.
use super::gesture::role;
use crate::core::event::Look;
use crate::core::useful::Shape;
use js_sys::{Array, JsString, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{DomRect, Element};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Element)]
    type Drawn;
    #[wasm_bindgen(method, getter, js_name = textContent)]
    fn text_content(this: &Drawn) -> Option<JsString>;
    #[wasm_bindgen(method, getter, js_name = innerText)]
    fn inner_text(this: &Drawn) -> Option<JsString>;
    #[wasm_bindgen(method, catch, js_name = getAnimations)]
    fn get_animations(this: &Drawn, options: &JsValue) -> Result<Array, JsValue>;

    // An engine that does not have it gives the element the benefit of the doubt.
    #[wasm_bindgen(method, catch, js_name = checkVisibility)]
    fn check_visibility(this: &Drawn, options: &JsValue) -> Result<bool, JsValue>;

    type Animation;
    #[wasm_bindgen(method, getter)]
    fn effect(this: &Animation) -> Option<Effect>;

    type Effect;
    #[wasm_bindgen(method, getter)]
    fn target(this: &Effect) -> Option<Element>;
    #[wasm_bindgen(method, catch, js_name = getComputedTiming)]
    fn get_computed_timing(this: &Effect) -> Result<JsValue, JsValue>;
}

/// What says "working" to assistive technology says it to us. `aria-busy` does not: it marks what will change.
const LIVE: &str = "[role=status],[role=progressbar],progress,[aria-live=polite],[aria-live=assertive]";
/// Longest text of a status that is looked at.
const STATUS: u32 = 200;
/// Longest text that belongs to a moving mark beside it.
const CAPTION: usize = 80;

/// The first `limit` UTF-16 units of the element's text.
pub fn text(element: &Element, limit: u32) -> Option<String> {
    Some(cut(&content(element)?, limit))
}

/// The first `limit` UTF-16 units of a text.
pub fn cut(content: &JsString, limit: u32) -> String {
    content.slice(0, limit).as_string().unwrap_or_default()
}

/// The last `limit` UTF-16 units of a text.
pub fn tail(content: &JsString, limit: u32) -> String {
    let end = content.trim_end();
    let tail = end.slice(end.length().saturating_sub(limit), end.length());
    tail.as_string().unwrap_or_default()
}

/// The element's text, not yet in wasm.
pub fn content(element: &Element) -> Option<JsString> {
    element.unchecked_ref::<Drawn>().text_content()
}

/// What of structure is in an answer. Icons of buttons are no figures.
pub fn shape(answer: &Element) -> Shape {
    let has = |selector: &str| answer.query_selector(selector).ok().flatten().is_some();
    let mut shape = Shape::default();
    for (selector, bit) in [
        ("pre", Shape::CODE),
        ("table td", Shape::TABLE),
        ("li:not(:empty)", Shape::LIST_ITEM),
        ("figure,canvas,img:not([alt=\"\"])", Shape::FIGURE),
        ("math,.katex,mjx-container", Shape::MATH),
        ("[data-chat-vitals=source]", Shape::CITATION),
    ] {
        if has(selector) {
            shape = shape | bit;
        }
    }
    shape
}

/// Whether the element has a box inside the viewport and is not hidden by style.
pub fn is_seen(element: &Element) -> Seen {
    if !is_shown(element) {
        return Seen::No;
    }
    let rect = element.get_bounding_client_rect();
    // A copy for screen readers is a pixel of a box.
    if rect.width() * rect.height() <= 1.0 {
        return Seen::No;
    }
    if is_inside(&rect, element) { Seen::Yes } else { Seen::Outside }
}

/// Whether someone who looks at the page can see an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// It has no box or is hidden by style.
    No,
    /// It is outside the viewport.
    Outside,
    /// It is in view.
    Yes,
}

/// Whether style lets the element be seen at all.
pub fn is_shown(element: &Element) -> bool {
    const PROPERTIES: [&str; 3] = ["opacityProperty", "visibilityProperty", "contentVisibilityAuto"];
    let options = js_sys::Object::new();
    for property in PROPERTIES {
        let _ = Reflect::set(&options, &property.into(), &JsValue::TRUE);
    }
    element.unchecked_ref::<Drawn>().check_visibility(&options).unwrap_or(true)
}

fn is_inside(rect: &DomRect, element: &Element) -> bool {
    let Some(root) = element.owner_document().and_then(|document| document.document_element()) else {
        return false;
    };
    rect.bottom() > 0.0
        && rect.right() > 0.0
        && rect.top() < f64::from(root.client_height())
        && rect.left() < f64::from(root.client_width())
}

/// An element that was painted, and whether it moves. The text is held here for the core to borrow.
pub struct Noticed {
    /// The element that tells: the one that moves, the live region, or the element itself.
    pub element: Element,
    /// Whether an animation without end runs in it.
    pub animated: bool,
    text: String,
    live: bool,
}

impl Noticed {
    /// Looks into `element` for what says that something is going on; a change within the `indicator` does.
    pub fn look(element: &Element, indicator: Option<&Element>) -> Self {
        let within = indicator.is_some_and(|indicator| indicator.contains(Some(element)));
        if let Some(moving) = moving(element).map(captioned).or_else(|| within.then(|| element.clone())) {
            let live = moving.matches(LIVE).unwrap_or(false);
            return Self { text: rendered(&moving), element: moving, animated: true, live };
        }
        let live = if element.matches(LIVE).unwrap_or(false) {
            Some(element.clone())
        } else {
            element.query_selector(LIVE).ok().flatten()
        };
        let is_live = live.is_some();
        let element = live.unwrap_or_else(|| element.clone());
        Self { text: rendered(&element), element, animated: false, live: is_live }
    }

    /// The look in the core's terms.
    pub fn as_look(&self) -> Look<'_> {
        let rect = self.element.get_bounding_client_rect();
        Look {
            role: self.element.closest("[data-chat-vitals]").ok().flatten().as_ref().and_then(role),
            text: &self.text,
            animated: self.animated,
            live: self.live,
            width: rect.width(),
            height: rect.height(),
        }
    }
}

/// The beginning of the text that is on screen. Only for what was painted: before, it would force a layout.
fn rendered(element: &Element) -> String {
    let drawn: &Drawn = element.unchecked_ref();
    let text = drawn.inner_text().or_else(|| drawn.text_content());
    text.and_then(|text| text.slice(0, STATUS).as_string()).unwrap_or_default()
}

/// What moves, with the words beside it: a pulsing dot and the name of the step are one indicator.
fn captioned(moving: Element) -> Element {
    let is_caption = |text: String| !text.trim().is_empty() && text.len() <= CAPTION;
    let wordless = rendered(&moving).trim().is_empty();
    let parent = moving.parent_element().filter(|parent| wordless && is_caption(rendered(parent)));
    parent.unwrap_or(moving)
}

/// The first element in `element` that moves without end. What fades in once is no indicator.
fn moving(element: &Element) -> Option<Element> {
    let options = js_sys::Object::new();
    Reflect::set(&options, &"subtree".into(), &JsValue::TRUE).ok()?;
    let animations = element.unchecked_ref::<Drawn>().get_animations(&options).ok()?;
    animations.iter().find_map(|animation| {
        let effect = animation.unchecked_ref::<Animation>().effect()?;
        let timing = effect.get_computed_timing().ok()?;
        let iterations = Reflect::get(&timing, &"iterations".into()).ok()?.as_f64()?;
        if iterations.is_finite() { None } else { effect.target() }
    })
}
