//! What a control of a chat does, told from its name: accessible name, title, test id or text.
//!
//! May touch: nothing. A name is looked up as a whole, never searched for a word: "Stop recording"
//! stops no answer, and a wrong stop does more harm to the numbers than one not seen.
mod lexicon;

use super::text;
use lexicon::{NAMES, OBJECTS, is_noise};

/// A control that matters to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Stops the answer.
    Stop,
    /// Asks for another answer.
    Regenerate,
    /// Gets something anew: an answer, if it stands by one.
    Refresh,
    /// Tries again what failed.
    Retry,
    /// Changes a question that was sent.
    Edit,
    /// Copies an answer or a part of it.
    Copy,
    /// Sends the question.
    Submit,
    /// Begins a new conversation.
    NewConversation,
    /// Judges an answer.
    Feedback,
}

/// Longest name that is looked at, in bytes; what is longer is content.
const LONGEST: usize = 96;

/// What the control with this name does; nothing if it is not one of a chat's.
pub fn classify(label: &str) -> Option<Control> {
    if label.len() > LONGEST {
        return None;
    }
    let name = plain(label);
    let named = |names: &str| text::split(names, &['|']).any(|pattern| matches(pattern, &name));
    NAMES.iter().find(|(_, names)| named(names)).map(|(control, _)| *control)
}

/// Whether a name is the pattern's word, with an object where the pattern has a place for it.
fn matches(pattern: &str, name: &str) -> bool {
    let places = ['~', '+'];
    let word = pattern.trim_matches(places);
    let object = if pattern.ends_with(places) {
        name.strip_prefix(word)
    } else if pattern.starts_with(places) {
        name.strip_suffix(word)
    } else {
        return name == pattern;
    };
    object.is_some_and(|object| match object.trim() {
        "" => pattern.contains('~'),
        objects => are_objects(objects),
    })
}

/// Whether these words are what controls are about and nothing else: "message generation".
fn are_objects(words: &str) -> bool {
    words.is_empty()
        || text::split(OBJECTS, &[' '])
            .any(|known| words.strip_prefix(known).is_some_and(|rest| are_objects(rest.trim_start())))
}

/// Whether a name has any word in it: symbols, "icon" and "button" say nothing.
pub fn has_words(label: &str) -> bool {
    !plain(label).is_empty()
}

/// The name in the form of the lexicon: lower case, one blank between words, no marks, no shortcut
/// in brackets, no words of the trade. `stopButton`, `stop-button` and "Stop (Esc)" are all "stop".
fn plain(label: &str) -> String {
    let unbracketed = text::split(label, &['(', '[', '（', '⌘', '⌃', '⇧', '↵']).next().unwrap_or_default();
    let mut words = String::new();
    let mut after_small = false;
    for c in unbracketed.chars() {
        if after_small && c.is_ascii_uppercase() {
            words.push(' ');
        }
        after_small = c.is_ascii_lowercase();
        words.push(lower(c));
    }
    let mut name = String::new();
    for word in words.split_whitespace().filter(|word| !is_noise(word)) {
        if !name.is_empty() {
            name.push(' ');
        }
        // French and Italian articles are written together with the noun.
        name.push_str(["l'", "d'"].iter().find_map(|article| word.strip_prefix(article)).unwrap_or(word));
    }
    name
}

/// Lower case for the scripts of the lexicon by rule; the general tables are as large as this file.
fn lower(c: char) -> char {
    let shift = |by| char::from_u32(u32::from(c) + by).unwrap_or(c);
    match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        'À'..='Ö' | 'Ø'..='Þ' | 'А'..='Я' => shift(0x20),
        'Ѐ'..='Џ' => shift(0x50),
        // Latin Extended-A and Additional have capital and small letters in turn.
        '\u{100}'..='\u{137}' | '\u{14A}'..='\u{177}' | '\u{1E00}'..='\u{1EFF}' => {
            char::from_u32(u32::from(c) | 1).unwrap_or(c)
        }
        '\u{139}'..='\u{148}' | '\u{179}'..='\u{17E}' => shift(u32::from(c) & 1),
        '’' => '\'',
        'a'..='z' | '\'' => c,
        '\0'..='\u{BF}' | '\u{2000}'..='\u{2BFF}' | '\u{3000}'..='\u{3004}' | '\u{FE0F}' => ' ',
        '\u{E000}'..='\u{F8FF}' | '\u{FF01}'..='\u{FF0F}' | '\u{1F000}'..='\u{1FAFF}' => ' ',
        _ => c,
    }
}

#[cfg(test)]
mod tests;
