//! What a gesture's target is: its accessible name, its role, the composer's text.
use super::options::Options;
use super::region::Region;
use crate::core::controls;
use crate::core::event::{Gesture, Role, Touch};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlInputElement, HtmlTextAreaElement};

/// What can be pressed.
const CONTROL: &str = "button,[role=button],[role=menuitem],a,summary,input[type=submit],input[type=button],input[type=image],[data-chat-vitals]";
/// Where a message is written.
const COMPOSER: &str = "textarea,[contenteditable]:not([contenteditable=false]),[role=textbox]";
/// Where a short message may be written as well; what is written there is not looked at, it may be a name.
const FIELD: &str = "input:not([type]),input[type=text],input[type=search]";
/// What an icon's name is told by.
const ICON: &str = "svg title,img[alt],[aria-label]";
/// What is in a control and not said of it: its icon, drawn or a ligature, and the key that does the same.
const UNSAID: &str = "svg,kbd,mat-icon,[class*=material-],[aria-hidden=true]";
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

/// Where a control has its name when it is neither in its label nor in its text; what people are told comes first.
const NAMES: [&str; 10] = [
    "title",
    "value",
    "alt",
    "data-tooltip-content",
    "data-tooltip",
    "data-testid",
    "data-test-id",
    "data-test",
    "data-cy",
    "id",
];

/// The accessible name, nearly: label, text, title, the icon's name; else what programmers call it. Never nothing for a control.
fn name(control: &Element) -> String {
    let labelled = || {
        let id = control.get_attribute("aria-labelledby")?;
        text(&control.owner_document()?.get_element_by_id(&id)?)
    };
    let icon = || {
        let icon = control.query_selector(ICON).ok().flatten()?;
        ["alt", "aria-label"].iter().find_map(|name| icon.get_attribute(name)).or_else(|| icon.text_content())
    };
    let named = |name: Option<String>| name.filter(|name| controls::has_words(name));
    named(control.get_attribute("aria-label"))
        .or_else(|| named(labelled()))
        .or_else(|| named(text(control)))
        .or_else(|| named(icon()))
        .or_else(|| NAMES.iter().find_map(|name| named(control.get_attribute(name))))
        .or_else(|| named(super::look::text(control, LABEL)))
        .unwrap_or_else(|| String::from("button"))
}

/// The text of a control, as far as it is said of it.
fn text(control: &Element) -> Option<String> {
    // Not innerText: that would force a layout.
    let mut text = super::look::content(control)?;
    let unsaid = control.query_selector_all(UNSAID).ok()?;
    for index in 0..unsaid.length() {
        text = text.replace(&unsaid.item(index)?.text_content()?, " ");
    }
    Some(super::look::cut(&text, LABEL))
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
