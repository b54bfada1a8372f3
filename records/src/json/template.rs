//! A JSON text with *holes*: strings and whole numbers that may be others another time.
//!
//! What is like a template is JSON, and says the same but for the holes: it needs no scanning. Comparing is several times as
//! fast as reading.
//!
//! May touch: text.
use super::string_length;
use crate::text;
use core::ops::Range;

/// Most holes in a template; what more there are has to be the same.
const HOLES: usize = 32;

/// An object that was read in full, and where others may differ from it.
#[derive(Debug)]
pub struct Template {
    text: Box<str>,
    holes: Vec<Range<usize>>,
}

/// A place in a text that is like a template, counted from the last hole before it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    holes: usize,
    behind: usize,
}

/// A part of a text that is like a template.
pub type Span = Range<Place>;

impl Template {
    /// A template out of an object, less the bracket that closes it. What is the value of one of these names is no hole.
    /// Nothing if a name is written in a way that hides it.
    pub fn new(object: &str, fixed: &[&str]) -> Option<Self> {
        let text = inside(object)?;
        Some(Self { text: text.into(), holes: holes(text, fixed)? })
    }

    /// Where a part of the object is in others like it.
    pub fn span(&self, part: Range<usize>) -> Span {
        self.place(part.start)..self.place(part.end)
    }

    fn place(&self, at: usize) -> Place {
        if at > self.text.len() {
            return Place::END;
        }
        let before = self.holes.iter().take_while(|hole| hole.end <= at);
        let (holes, end) = before.fold((0, 0), |(count, _), hole| (count + 1, hole.end));
        Place { holes, behind: at - end }
    }

    /// Whether `object` is like this but for the holes, whose ends in it are noted.
    pub fn fits(&self, object: &str, ends: &mut Vec<usize>) -> bool {
        let Some(object) = inside(object) else { return false };
        ends.clear();
        let (mut rest, mut from) = (object, 0);
        for hole in &self.holes {
            let skipped = self.part(from..hole.start).and_then(|before| behind(rest, before));
            // What did not change needs no closer look.
            let skipped = skipped.and_then(|rest| match self.part(hole.start..hole.end + 1) {
                Some(same) if text::starts_with(rest, same) => rest.get(hole.len()..),
                _ if self.text.as_bytes().get(hole.start - 1) == Some(&b'"') => {
                    rest.get(string_length(rest).filter(|length| *length > 0)?..)
                }
                _ => rest.get(whole_number(rest)?..),
            });
            let Some(next) = skipped else { return false };
            (rest, from) = (next, hole.end);
            ends.push(object.len() - rest.len());
        }
        self.text.get(from..).is_some_and(|end| text::same(rest, end))
    }

    fn part(&self, range: Range<usize>) -> Option<&str> {
        self.text.get(range)
    }
}

impl Place {
    /// The end of the object.
    const END: Self = Self { holes: usize::MAX, behind: 0 };

    fn in_object(self, object: &str, ends: &[usize]) -> usize {
        match self.holes.checked_sub(1) {
            None => self.behind,
            Some(last) => ends.get(last).map_or(object.len(), |end| end + self.behind),
        }
    }
}

/// The part of an object whose holes end at `ends`.
pub fn part<'a>(object: &'a str, ends: &[usize], span: &Span) -> &'a str {
    object.get(span.start.in_object(object, ends)..span.end.in_object(object, ends)).unwrap_or("")
}

/// An object without the bracket that closes it and the blanks before that, with which Anthropic pads its records.
fn inside(object: &str) -> Option<&str> {
    match object.as_bytes() {
        [b'{', .., b'}'] => object.get(..object.len() - 1).map(str::trim_ascii_end),
        _ => None,
    }
}

fn behind<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    if text::starts_with(text, start) { text.get(start.len()..) } else { None }
}

/// Length of the whole number at the start of a text.
fn whole_number(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length == 1 || length > 1 && !text.starts_with('0')).then_some(length)
}

/// The values of members of objects, in a text that is JSON, that may be others another time: strings that are not empty, and whole
/// numbers. Nothing if a name is written in a way that hides it.
fn holes(data: &str, fixed: &[&str]) -> Option<Vec<Range<usize>>> {
    let (bytes, mut holes) = (data.as_bytes(), Vec::new());
    let (mut at, mut name, mut is_member) = (0, "", false);
    while let (Some(byte), true) = (bytes.get(at), holes.len() < HOLES) {
        let length = match byte {
            b'"' => string_length(data.get(at + 1..)?)?,
            b'0'..=b'9' => whole_number(data.get(at..)?).unwrap_or(1),
            _ => 0,
        };
        let start = at + usize::from(*byte == b'"');
        let end = start + length;
        let is_free = is_member && !fixed.contains(&name) && length > 0;
        match byte {
            b'"' => {
                name = if is_member { "" } else { data.get(start..end)? };
                if name.contains('\\') {
                    return None;
                }
                at = end + 1;
            }
            b'0'..=b'9' => at = end,
            _ => at += 1,
        }
        // A number ends where it can't go on; one with a fraction or an exponent is none of these.
        if is_free && (*byte == b'"' || matches!(bytes.get(at), Some(b',' | b'}'))) {
            holes.push(start..end);
        }
        is_member = *byte == b':' || is_member && matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    }
    Some(holes)
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use proptest::prelude::*;

    const LEARNT: &str = r#"{"n":1,"type":"text","a":{"text":"Hello"},"f":1.5,"l":["x",2],"e":""}  "#;

    fn template() -> Template {
        Template::new(LEARNT.trim_end(), &["type"]).expect("an object")
    }

    /// Protects: what may differ, and what may not: values that are fixed, and what would make a text another.
    #[test]
    fn free_strings_and_whole_numbers_may_differ() {
        for (other, expected) in [
            (LEARNT.trim_end(), true),
            (
                r#"{"n":904,"type":"text","a":{"text":"A \"longer\" one \u00e9"},"f":1.5,"l":["x",2],"e":""   }"#,
                true,
            ),
            (r#"{"n":1,"type":"tool","a":{"text":"Hello"},"f":1.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":""},"f":1.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":null},"f":1.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":01,"type":"text","a":{"text":"Hello"},"f":1.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":1.5,"type":"text","a":{"text":"Hello"},"f":1.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":"Hello"},"f":2.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":"Hello"},"f":1.5,"l":["y",2],"e":""}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":"bad \x escape"},"f":1.5,"l":["x",2],"e":""}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":"Hello"},"f":1.5,"l":["x",2],"e":""}}"#, false),
            (r#"{"n":1,"type":"text","a":{"text":"Hello"#, false),
        ] {
            assert_eq!(template().fits(other, &mut Vec::new()), expected, "{other}");
        }
    }

    /// Protects: a name that is written with an escape hides what it is; nothing is learnt of it, nor of what is no object.
    #[test]
    fn only_plain_objects_are_templates() {
        for text in [r#"{"ty\u0070e":"text"}"#, "[1]", "1", "{", ""] {
            assert!(Template::new(text, &[]).is_none(), "{text}");
        }
    }

    proptest! {
        /// Protects: what is like a template is JSON, so that it need not be read to know.
        #[test]
        fn what_fits_is_json(number in r"-?[0-9]{1,3}(\.[0-9])?", text in r#"[a-z\x{e9}"\\u0-9 \n]{0,6}"#, end in r"[} ]{0,2}") {
            let other = format!(r#"{{"n":{number},"type":"text","a":{{"text":"{text}"}},"f":1.5,"l":["x",2],"e":""{end}}}"#);
            if template().fits(&other, &mut Vec::new()) {
                prop_assert!(check(&other), "{}", other);
            }
        }
    }
}
