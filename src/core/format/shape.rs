//! The shapes of records: a stream says the same again and again, but for a few values.
//!
//! A record that was read in full leaves its *shape*: a template, whose holes are the strings and whole numbers that no
//! condition of the table compares, and where the table's paths led to. A later record that is like the template leads
//! to the same places, and needs no scanning. Nothing else is remembered: what the values mean is asked each time anew.
//!
//! May touch: path (conditions), json, text. Keeps no more than [`SHAPES`] records, of at most [`LENGTH_LIMIT`] bytes.
use super::family::Event;
use super::path;
use crate::core::json::Json;
use crate::core::json::template::{self, Span, Template};
use crate::core::text;

/// Most shapes of one stream.
const SHAPES: usize = 16;

/// Longest record whose shape is kept, in bytes.
const LENGTH_LIMIT: usize = 2048;

/// How many shapes are learnt without any of them being of use.
const PATIENCE: u8 = 32;

/// The shapes of one stream.
#[derive(Debug)]
pub(super) struct Shapes {
    /// The one in use first.
    known: Vec<Shape>,
    /// Names of values that conditions compare: no holes.
    compared: Vec<&'static str>,
    /// How many more may be learnt: each that fits gives one back.
    patience: u8,
    /// Where the holes of the record at hand end.
    ends: Vec<usize>,
}

#[derive(Debug)]
struct Shape {
    name: Box<str>,
    template: Template,
    /// Where its kind stands; nothing where that is its name.
    kind: Option<Span>,
    plan: usize,
    found: Vec<(usize, Span)>,
}

/// What is known of a record: its shape, and where its holes end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'s, 'a> {
    shape: &'s Shape,
    /// The record.
    data: &'a str,
    ends: &'s [usize],
}

impl Default for Shapes {
    fn default() -> Self {
        Self { known: Vec::new(), compared: Vec::new(), patience: PATIENCE, ends: Vec::new() }
    }
}

impl Shapes {
    /// The conditions of `path` are to hold, or not, as they did.
    pub(super) fn compare(&mut self, path: &'static str) {
        self.compared.extend(path::compared(path));
    }

    /// The value that `path` leads to is to stay as it is.
    pub(super) fn fix(&mut self, path: &'static str) {
        self.compared.push(path::last_name(path));
    }

    /// The shape that this record has.
    pub(super) fn of<'a>(&mut self, event: &Event<'a>) -> Option<Known<'_, 'a>> {
        let Self { known, ends, .. } = self;
        let data = event.data.trim_ascii();
        let fits = |shape: &Shape| text::same(&shape.name, event.name) && shape.template.fits(data, ends);
        let at = known.iter().position(fits)?;
        // Most of a stream are pieces of one kind: what fits now is asked first the next time.
        known.swap(0, at);
        self.patience = PATIENCE.min(self.patience + 1);
        Some(Known { shape: known.first()?, data, ends })
    }

    /// Remembers a record that is none of the shapes.
    pub(super) fn learn(&mut self, event: &Event<'_>, plan: usize, found: &[(usize, Json<'_>)]) {
        let data = event.data.trim_ascii();
        if !data.starts_with('{') || data.len() > LENGTH_LIMIT || self.patience == 0 {
            return;
        }
        self.patience -= 1;
        let Some(template) = Template::new(data, &self.compared) else { return };
        let span = |part: &str| Some(template.span(text::range_in(data, part)?));
        let found: Option<Vec<_>> =
            found.iter().map(|(rule, value)| Some((*rule, span(value.text())?))).collect();
        let Some(found) = found else { return };
        let kind = span(event.kind);
        self.known.truncate(SHAPES - 1);
        self.known.insert(0, Shape { name: event.name.into(), template, kind, plan, found });
    }

    #[cfg(test)]
    pub(super) fn learn_nothing(&mut self) {
        self.patience = 0;
    }

    /// Plans have other numbers from now on.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }
}

impl<'a> Known<'_, 'a> {
    /// The plan for records of this shape.
    pub(super) fn plan(self) -> usize {
        self.shape.plan
    }

    /// The kind of this record.
    pub(super) fn kind(self, event: &Event<'a>) -> &'a str {
        self.shape.kind.as_ref().map_or(event.name, |kind| self.part(kind))
    }

    /// The values that the paths lead to, by the numbers of their rules.
    pub(super) fn found(self) -> impl Iterator<Item = (usize, Json<'a>)> {
        self.shape.found.iter().map(move |(rule, span)| (*rule, Json::whole(self.part(span))))
    }

    fn part(self, span: &Span) -> &'a str {
        template::part(self.data, self.ends, span)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;
    use crate::core::signal::Facts;
    use proptest::prelude::*;

    type Seen = (Facts, Vec<(u32, crate::core::signal::Kinds, String, String)>);

    /// What is read of a stream, with and without shapes.
    fn read(body: &[u8], learns: bool) -> Seen {
        let (mut reader, mut records) = (Reader::new("text/event-stream", &[]), Vec::new());
        for line in body.split_inclusive(|byte| *byte == b'\n') {
            if !learns {
                reader.meaning.table.learn_nothing();
            }
            reader.feed(line, &mut |record| {
                records.push((
                    record.index,
                    record.kinds,
                    record.text.to_owned(),
                    record.reasoning.to_owned(),
                ));
            });
        }
        reader.finish(&mut |_| ());
        (reader.facts().clone(), records)
    }

    /// The recordings that are here, of all formats.
    fn recordings() -> Vec<Vec<u8>> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/streams");
        let folders =
            std::fs::read_dir(root).expect("tests/streams").filter_map(|folder| Some(folder.ok()?.path()));
        let files = folders.filter(|path| path.is_dir() && !path.ends_with("labels")).flat_map(|folder| {
            std::fs::read_dir(folder)
                .expect("a folder")
                .filter_map(|file| std::fs::read(file.ok()?.path()).ok())
        });
        files.collect()
    }

    /// A stream whose values, names and marks differ from record to record.
    fn broken(body: &[u8], seed: u64) -> Vec<u8> {
        let (mut state, marks) = (seed, br#"a7"\,:{}[]0 n-.e"#);
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let change = |byte: u8| match byte {
            b'\n' => byte,
            _ if next() % 90 == 0 => marks[next() % marks.len()],
            b'a'..=b'z' if next() % 40 == 0 => b'z',
            b'1'..=b'9' if next() % 4 == 0 => b'1' + (next() % 9) as u8,
            _ => byte,
        };
        body.iter().copied().map(change).collect()
    }

    /// Protects: a record that has the shape of an earlier one means what it would mean if read in full.
    #[test]
    fn a_shape_changes_nothing_but_the_time() {
        let recordings = recordings();
        assert!(recordings.len() > 40);
        for body in &recordings {
            assert_eq!(read(body, true), read(body, false), "{}", String::from_utf8_lossy(body));
            // Twice, as the second half is known by its shapes.
            let broken: Vec<u8> =
                (1..4).flat_map(|seed| [broken(body, seed), body.clone()].concat()).collect();
            assert_eq!(read(&broken, true), read(&broken, false), "{}", String::from_utf8_lossy(&broken));
        }
    }

    /// Protects: a value that a condition compares is part of the shape, as is the name of the event.
    #[test]
    fn what_a_condition_compares_may_not_differ() {
        let mut shapes = Shapes::default();
        shapes.compare("a{type=text&index=0}.text");
        shapes.learn(&Event::new("", "", r#"{"type":"text","a":{"text":"Hello"}}"#), 0, &[]);
        for (name, other, expected) in [
            ("", r#"{"type":"text","a":{"text":"Goodbye"}}"#, true),
            ("", r#"{"type":"tool","a":{"text":"Hello"}}"#, false),
            ("named", r#"{"type":"text","a":{"text":"Hello"}}"#, false),
        ] {
            assert_eq!(shapes.of(&Event::new(name, "", other)).is_some(), expected, "{name} {other}");
        }
    }

    /// Protects: memory and time are bounded where no record is like another.
    #[test]
    fn what_is_never_of_use_is_learnt_no_more() {
        let mut shapes = Shapes::default();
        for n in 0..1000 {
            let record = format!("{{\"{n}\":0}}");
            shapes.learn(&Event::new("", "", &record), 0, &[]);
            assert!(shapes.of(&Event::new("", "", "{}")).is_none() && shapes.known.len() <= SHAPES);
        }
        assert_eq!(shapes.patience, 0);
        let mut shapes = Shapes::default();
        shapes.learn(&Event::new("", "", &format!("{{\"a\":\"{}\"}}", "x".repeat(LENGTH_LIMIT))), 0, &[]);
        assert!(shapes.known.is_empty());
    }

    proptest! {
        /// Protects: values are found where they are in each record of a shape.
        #[test]
        fn values_are_found_behind_longer_ones(before in "[a-z\u{e9}]{1,9}", text in "[a-z\u{e9} ]{1,9}", pad in " {0,3}") {
            let record = |before: &str, text: &str, pad: &str| format!(r#"{{"id":"{before}","n":{},"text":"{text}"{pad}}}"#, text.len());
            let learnt = record("x", "y", "");
            let mut shapes = Shapes::default();
            let found = [(3, Json::new(&learnt).get("text")), (4, Json::new(&learnt).get("n")), (5, Json::whole(&learnt))];
            shapes.learn(&Event::new("", "", &learnt), 0, &found);
            let other = record(&before, &text, &pad);
            let event = Event::new("", "", &other);
            let known = shapes.of(&event).expect("the same shape");
            let found: Vec<_> = known.found().map(|(rule, value)| (rule, value.text().to_owned())).collect();
            prop_assert_eq!(found, [(3, format!("\"{text}\"")), (4, text.len().to_string()), (5, other.clone())]);
        }
    }
}
