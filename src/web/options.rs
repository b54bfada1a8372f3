//! The options and the environment, by typed getters: no deserialiser, 18 KB less.
use crate::core::config::{Config, Consent};
use crate::core::event::Ms;
use crate::core::format::{Definitions, Own};
use crate::core::label::Label;
use crate::core::useful;
use crate::core::wire::{Map, Value};
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The options as the application gave them.
    pub type Options;
    #[wasm_bindgen(method, getter)]
    pub fn endpoint(this: &Options) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    pub fn send(this: &Options) -> Option<Function>;
    #[wasm_bindgen(method, getter)]
    pub fn headers(this: &Options) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn answer(this: &Options) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn controls(this: &Options) -> Option<Controls>;
    #[wasm_bindgen(method, getter)]
    fn useful(this: &Options) -> Option<Useful>;
    #[wasm_bindgen(method, getter)]
    fn attributes(this: &Options) -> Option<Object>;
    #[wasm_bindgen(method, getter, js_name = sampleRate)]
    fn sample_rate(this: &Options) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn consent(this: &Options) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = beforeSend)]
    pub fn before_send(this: &Options) -> Option<Function>;

    #[wasm_bindgen(method, getter, js_name = requestIdHeaders)]
    fn request_id_headers(this: &Options) -> Option<Array>;
    #[wasm_bindgen(method, getter)]
    fn formats(this: &Options) -> JsValue;

    type Controls;
    #[wasm_bindgen(method, getter)]
    fn stop(this: &Controls) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn regenerate(this: &Controls) -> Option<String>;

    type Useful;
    #[wasm_bindgen(method, getter, js_name = minWords)]
    fn min_words(this: &Useful) -> Option<f64>;
    #[wasm_bindgen(method, getter, js_name = minCharacters)]
    fn min_characters(this: &Useful) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn test(this: &Useful) -> Option<Function>;

    /// What the TypeScript layer lends of the page.
    pub type Environment;
    #[wasm_bindgen(method, getter)]
    pub fn guard(this: &Environment) -> Function;
    #[wasm_bindgen(method, getter)]
    pub fn fetch(this: &Environment) -> Function;
    #[wasm_bindgen(method, getter, js_name = takesBeacons)]
    pub fn takes_beacons(this: &Environment) -> bool;
    #[wasm_bindgen(method, js_name = onTurn)]
    pub fn on_turn(this: &Environment, turn: &JsValue, is_final: bool);
    #[wasm_bindgen(method, js_name = wantsUpdates)]
    pub fn wants_updates(this: &Environment) -> bool;
    #[wasm_bindgen(method)]
    pub fn warn(this: &Environment, what: &str);
    #[wasm_bindgen(method, getter)]
    pub fn page(this: &Environment) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn session(this: &Environment) -> String;
}

impl Options {
    /// The selector that the application gave for its stop or regenerate control.
    pub fn control(&self, regenerate: bool) -> Option<String> {
        let controls = self.controls()?;
        if regenerate { controls.regenerate() } else { controls.stop() }
    }

    /// The application's own test of usefulness.
    pub fn useful_test(&self) -> Option<Function> {
        self.useful()?.test()
    }

    /// The core's settings.
    pub fn config(&self, seed: u64, born: Ms, environment: &Environment) -> Config {
        let mut limits = useful::Limits::default();
        if let Some(useful) = self.useful() {
            limits.min_words = useful.min_words().map_or(limits.min_words, |words| words as u32);
            limits.min_characters =
                useful.min_characters().map_or(limits.min_characters, |count| count as u32);
        }
        // A word that is no consent is none.
        let consent = self
            .consent()
            .map_or(Consent::default(), |name| Consent::parse(&name).unwrap_or(Consent::Denied));
        let (request_id_headers, formats) = (self.id_headers(), self.own_formats(environment));
        Config { seed, born, consent, useful: limits, request_id_headers, formats }
    }

    fn id_headers(&self) -> Vec<Box<str>> {
        let Some(names) = self.request_id_headers() else { return Vec::new() };
        names.iter().filter_map(|name| Some(name.as_string()?.to_ascii_lowercase().into())).collect()
    }

    /// The application's formats. One that is wrong is left out, and one warning tells which are.
    fn own_formats(&self, environment: &Environment) -> Own {
        let (mut definitions, mut wrong) = (Definitions::default(), String::new());
        let list = self.formats();
        for format in list.dyn_ref::<Array>().into_iter().flat_map(Array::iter) {
            // What is there and no text is wrong, as an empty text is.
            let get = |name: &str| {
                let value = Reflect::get(&format, &name.into()).ok().filter(|value| !value.is_undefined())?;
                Some(value.as_string().unwrap_or_default())
            };
            if let Err(what) = definitions.add(&get) {
                let separator = if wrong.is_empty() { "options.formats: " } else { ", " };
                let name = get("name").unwrap_or_default();
                for part in [separator, what, " of \"", &name, "\""] {
                    wrong.push_str(part);
                }
            }
        }
        if !wrong.is_empty() {
            wrong.push_str(" is missing or wrong; such a format is not read");
            environment.warn(&wrong);
        }
        definitions.done()
    }

    /// The attributes that pass the limits of a label.
    pub fn attribute_map(&self) -> Map<Label, Value> {
        let Some(attributes) = self.attributes() else { return Map(Vec::new()) };
        let entries = Object::entries(&attributes);
        Map(entries.iter().filter_map(|entry| attribute(entry.unchecked_ref())).collect())
    }

    /// Whether a session is in the sample; the same session always gets the same answer.
    pub fn samples(&self, session: &str) -> bool {
        let rate = self.sample_rate().unwrap_or(1.0);
        let hash = session
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        // The high bits of FNV-1a mix poorly for short input; a multiplication spreads them.
        let spread = hash.wrapping_mul(0x9e37_79b1) >> 8;
        f64::from(spread) / f64::from(1u32 << 24) < rate
    }
}

fn attribute(entry: &Array) -> Option<(Label, Value)> {
    let key = Label::new(&entry.get(0).as_string()?)?;
    Some((key, value(&entry.get(1))?))
}

/// A value that the application declared, if it is a flat one within the limits.
pub fn value(value: &JsValue) -> Option<Value> {
    if let Some(flag) = value.as_bool() {
        return Some(Value::Flag(flag));
    }
    if let Some(number) = value.as_f64() {
        return number.is_finite().then_some(Value::Number(number));
    }
    Label::new(&value.as_string()?).map(Value::Label)
}
