//! What a gesture's target is: its accessible name, its role, the composer's text.
use super::options::Options;
use super::region::Region;
use crate::core::event::{Gesture, Role, Touch};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlInputElement, HtmlTextAreaElement};

/// What can be pressed.
const CONTROL: &str = "button,[role=button],[role=menuitem],a,summary,input[type=submit],input[type=button],input[type=image],[data-chat-vitals]";
/// Where a message is written.
const COMPOSER: &str = "textarea,[contenteditable]:not([contenteditable=false]),[role=textbox]";
/// Where a short message may be written as well; what is written there is not looked at, it may be a name.
const FIELD: &str = "input:not([type]),input[type=text],input[type=search]";
/// Longest accessible name that is looked at.
const LABEL: u32 = 80;

/// Levels around a control that are its surroundings.
const AROUND: usize = 6;

/// What the shell learned of a target.
pub struct Target {
    label: String,
    role: Option<Role>,
    in_composer: bool,
    by_composer: bool,
    by_answer: bool,
    composer: String,
    /// Whether Enter sends although nothing is known of what is written.
    enter_sends: bool,
}

impl Target {
    /// Looks at the target of a gesture. Texts stay in this value and in the core's memory.
    /// `late`: the gesture was made before the engine was there, and the composer may be empty by now.
    pub fn look(
        touch: Touch,
        element: Option<&Element>,
        options: &Options,
        document: &Document,
        region: &Region,
        late: bool,
    ) -> Self {
        let inside = |selector: &str| element.and_then(|element| element.closest(selector).ok().flatten());
        let control = inside(CONTROL);
        let in_composer = inside(COMPOSER).is_some();
        let named = |regenerate| {
            let selector = options.control(regenerate).filter(|selector| !selector.is_empty());
            selector.is_some_and(|selector| inside(&selector).is_some())
        };
        let role = if named(false) {
            Some(Role::Stop)
        } else if named(true) {
            Some(Role::Regenerate)
        } else {
            control.as_ref().and_then(role)
        };
        let sends = touch != Touch::Copy;
        let (by_composer, by_answer) =
            control.as_ref().map(|control| surroundings(control, region)).unwrap_or_default();
        Self {
            label: control.as_ref().map(name).unwrap_or_default(),
            role,
            in_composer,
            by_composer,
            by_answer,
            enter_sends: in_composer && late || inside(FIELD).is_some(),
            composer: if sends { composed(element, document) } else { String::new() },
        }
    }

    /// The gesture in the core's terms.
    pub fn gesture(&self, touch: Touch) -> Gesture<'_> {
        let touch = if touch == Touch::Enter && self.enter_sends { Touch::Submit } else { touch };
        Gesture {
            touch,
            label: &self.label,
            role: self.role,
            in_composer: self.in_composer,
            by_composer: self.by_composer,
            by_answer: self.by_answer,
            composer: &self.composer,
        }
    }
}

/// Whether a control shares its surroundings with the composer, and whether with the last answer. What holds both is
/// the chat or the page, and says nothing.
fn surroundings(control: &Element, region: &Region) -> (bool, bool) {
    let mut around = control.parent_element();
    for _ in 0..AROUND {
        let Some(element) = around.filter(|element| element.tag_name() != "BODY") else { break };
        let writes = [COMPOSER, FIELD]
            .iter()
            .any(|selector| element.query_selector(selector).is_ok_and(|found| found.is_some()));
        let answers = region.holds_answer(&element);
        if writes || answers {
            return (!answers, !writes);
        }
        around = element.parent_element();
    }
    (false, false)
}

/// The role that the application gave an element.
pub fn role(element: &Element) -> Option<Role> {
    Role::parse(&element.get_attribute("data-chat-vitals")?)
}

/// The accessible name, nearly: label, title, value, the icon's title, the text, the test id; never nothing for a control.
fn name(control: &Element) -> String {
    let attribute = |name: &str| control.get_attribute(name).filter(|value| !value.trim().is_empty());
    let icon = || control.query_selector("svg title,img[alt]").ok().flatten();
    let icon_name = || icon().and_then(|icon| icon.get_attribute("alt").or_else(|| icon.text_content()));
    attribute("aria-label")
        .or_else(|| text(control))
        .or_else(|| attribute("title"))
        .or_else(|| attribute("value"))
        .or_else(icon_name)
        .or_else(|| attribute("data-testid"))
        .unwrap_or_else(|| String::from("button"))
}

fn text(element: &Element) -> Option<String> {
    // Not innerText: that would force a layout.
    let text = super::look::text(element, LABEL)?;
    (!text.trim().is_empty()).then_some(text)
}

/// What is written in the composer: in the target, in the target's form, or where the focus is.
fn composed(element: Option<&Element>, document: &Document) -> String {
    let own = element.and_then(|element| element.closest(COMPOSER).ok().flatten());
    let of_form = || {
        let form = element?.closest("form").ok().flatten()?;
        form.query_selector(COMPOSER).ok().flatten()
    };
    let focused = || document.active_element().filter(|element| element.matches(COMPOSER).unwrap_or(false));
    let only = || document.query_selector(COMPOSER).ok().flatten();
    own.or_else(of_form).or_else(focused).or_else(only).map(|composer| content(&composer)).unwrap_or_default()
}

fn content(composer: &Element) -> String {
    if let Some(area) = composer.dyn_ref::<HtmlTextAreaElement>() {
        area.value()
    } else if let Some(input) = composer.dyn_ref::<HtmlInputElement>() {
        input.value()
    } else {
        composer.text_content().unwrap_or_default()
    }
}
