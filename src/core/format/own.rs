//! Formats of the application's own: tables from its configuration.
//!
//! A definition is a set of named texts. `detect` and `kind` are those of a [`Family`]. Each other one says where a meaning is:
//! paths with `;` between them, and before a path, with a blank between, the kinds of records it holds for:
//! `chunk,delta value.text; done value.rest`. A path `@` is the kind of the record itself.
//!
//! What is made of it is kept for the page's life: the configuration has that life, and it is bounded.
use super::family::Family;
use super::path;
use crate::core::label::Label;
use crate::core::signal::Format;
use crate::core::text;

/// Most formats of an application.
pub const LIMIT: usize = 16;

/// Most bytes of one text of a definition.
pub const TEXT_LIMIT: usize = 256;

/// What a definition can say, and the word for it in a table.
const MEANINGS: [(&str, &str); 15] = [
    ("text", "text"),
    ("reasoning", "reasoning"),
    ("toolCall", "call"),
    ("toolResult", "tool_result"),
    ("source", "source"),
    ("status", "status"),
    ("finish", "finish"),
    ("finishReason", "reason"),
    ("error", "error"),
    ("model", "model"),
    ("responseId", "id"),
    ("inputTokens", "input"),
    ("outputTokens", "output"),
    ("cachedTokens", "cached"),
    ("reasoningTokens", "thought"),
];

/// The formats of the application.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own(pub(super) &'static [Family]);

/// Takes the definitions one after the other.
#[derive(Debug, Default)]
pub struct Definitions(Vec<Family>);

impl Definitions {
    /// Takes one. `get` gives its texts by name, an empty one for what is no text.
    ///
    /// # Errors
    ///
    /// The name of the text that is missing or wrong; a definition that is one too many is wrong by its name.
    pub fn add(&mut self, get: &dyn Fn(&str) -> Option<String>) -> Result<(), &'static str> {
        let given = |name: &'static str| match get(name) {
            Some(text) if text.is_empty() || text.len() > TEXT_LIMIT => Err(name),
            text => Ok(text),
        };
        let name = given("name")?.filter(|name| self.0.len() < LIMIT && Label::new(name).is_some());
        let name = name.ok_or("name")?;
        let detect = given("detect")?.filter(|detect| path::is_balanced(detect)).ok_or("detect")?;
        let kind = given("kind")?.unwrap_or_else(|| "type".into());
        let mut rules = String::new();
        for (name, meaning) in MEANINGS {
            let Some(paths) = given(name)? else { continue };
            for path in text::split(&paths, &[';']).map(str::trim_ascii) {
                let (kinds, path) = text::split_once(path, " ").unwrap_or(("*", path));
                let path = path.trim_ascii();
                let is_path = !path.is_empty() && path::is_balanced(path) && !path.contains([' ', '\n']);
                if !is_path || kinds.contains('\n') {
                    return Err(name);
                }
                for part in [kinds, " ", meaning, " ", path, "\n"] {
                    rules.push_str(part);
                }
            }
        }
        if rules.is_empty() {
            return Err("text");
        }
        self.0.push(Family {
            format: Format::Own,
            name: keep(name),
            detect: keep(detect),
            kind: keep(kind),
            rules: keep(rules),
            ..Family::PLAIN
        });
        Ok(())
    }

    /// All that were taken.
    pub fn done(self) -> Own {
        Own(Box::leak(self.0.into_boxed_slice()))
    }
}

fn keep(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;
    use crate::core::signal::{Facts, Record};

    fn define(texts: &[(&str, &str)]) -> Result<Own, &'static str> {
        let mut definitions = Definitions::default();
        let get =
            |name: &str| texts.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
        definitions.add(&get).map(|()| definitions.done())
    }

    fn read(own: Own, body: &str) -> (String, String, Facts) {
        let (mut text, mut reasoning) = (String::new(), String::new());
        let mut reader = Reader::with(own, "text/event-stream", &[]);
        let mut take = |record: &Record<'_>| {
            text.push_str(record.text);
            reasoning.push_str(record.reasoning);
        };
        reader.feed(body.as_bytes(), &mut take);
        reader.finish(&mut take);
        let facts = reader.facts().clone();
        (text, reasoning, facts)
    }

    /// Protects: an application's format is read by its own words, before any other that could take it.
    #[test]
    fn a_format_is_what_the_application_says() {
        let own = define(&[
            ("name", "acme v2"),
            ("detect", "@=begin&v:number; choices:array&acme"),
            ("kind", "op"),
            ("text", "add value.text; say,tell value"),
            ("reasoning", "think value"),
            ("toolCall", "tool call.id"),
            ("source", "cites[].url"),
            ("finish", "done @"),
            ("error", "failed"),
            ("model", "model"),
            ("responseId", "id"),
            ("outputTokens", "spent.out"),
        ])
        .expect("a definition");
        let body = [
            "event: begin\ndata: {\"v\":2,\"id\":\"r-1\",\"model\":\"m-1\"}",
            "data: {\"op\":\"think\",\"value\":\"hm\"}",
            "event: x\ndata: {\"op\":\"add\",\"value\":{\"text\":\"Hi\"}}",
            "data: {\"op\":\"tell\",\"value\":\" there\"}",
            "data: {\"op\":\"tool\",\"call\":{\"id\":\"c\"}}",
            "data: {\"op\":\"tool\",\"call\":{\"id\":\"c\"}}",
            "data: {\"cites\":[{\"url\":\"https://a.example/\"}],\"failed\":{}}",
            "data: {\"op\":\"done\",\"spent\":{\"out\":7}}",
            "",
        ]
        .join("\n\n");
        let (text, reasoning, facts) = read(own, &body);
        assert_eq!((text.as_str(), reasoning.as_str()), ("Hi there", "hm"));
        assert_eq!((facts.format, facts.tool_calls, facts.sources, facts.errors), (Format::Own, 1, 1, 1));
        assert_eq!(facts.own_format.as_ref().map(Label::as_str), Some("acme v2"));
        assert_eq!(facts.response_id.as_ref().map(AsRef::as_ref), Some("r-1"));
        assert_eq!(facts.finish_reason.as_ref().map(AsRef::as_ref), Some("done"));
        assert_eq!(facts.usage.and_then(|usage| usage.output_tokens), Some(7));
        assert_eq!(read(own, "data: {\"acme\":1,\"choices\":[]}\n\n").2.format, Format::Own);
        assert_eq!(read(own, "data: {\"choices\":[]}\n\n").2.format, Format::OpenaiChat);
    }

    /// Protects: what is wrong is told by its name and nothing is made of it.
    #[test]
    fn a_wrong_definition_is_refused() {
        let long = "x".repeat(TEXT_LIMIT + 1);
        for (wrong, texts) in [
            ("name", &[("detect", "a"), ("text", "a")][..]),
            ("name", &[("name", "größe"), ("detect", "a"), ("text", "a")]),
            ("detect", &[("name", "n"), ("text", "a")]),
            ("detect", &[("name", "n"), ("detect", "{a"), ("text", "a")]),
            ("text", &[("name", "n"), ("detect", "a")]),
            ("text", &[("name", "n"), ("detect", "a"), ("text", "")]),
            ("text", &[("name", "n"), ("detect", "a"), ("text", "a[.b")]),
            ("text", &[("name", "n"), ("detect", "a"), ("text", "a b c")]),
            ("text", &[("name", "n"), ("detect", "a"), ("text", "a;")]),
            ("model", &[("name", "n"), ("detect", "a"), ("text", "a"), ("model", &long)]),
        ] {
            assert_eq!(define(texts).err(), Some(wrong), "{texts:?}");
        }
        let mut definitions = Definitions::default();
        let get = |name: &str| matches!(name, "name" | "detect" | "text").then(|| "a".to_owned());
        assert!((0..LIMIT).all(|_| definitions.add(&get).is_ok()));
        assert_eq!(definitions.add(&get), Err("name"));
    }
}
