//! Reasoning that a model writes into its answer, between tags at the very beginning: `<think>…</think>`.
//!
//! The records of a stream keep it as text, because that is how it came; what a page shows is the rest. An answer that
//! speaks of such a tag later on is an answer.
//!
//! May touch: nothing. Holds no more than the beginning of a tag.
use super::super::text;

/// Names of the tags that models have been seen to use.
const TAGS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// What has been seen of the text of one stream.
#[derive(Debug, Default)]
pub struct Thinking {
    state: State,
    /// Text that may be the beginning of a tag.
    held: String,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Nothing but blanks.
    #[default]
    Start,
    /// In a tag of this name.
    Inside(&'static str),
    /// In the answer.
    Answer,
}

impl Thinking {
    /// Divides the next piece of text into answer and reasoning; `None` if all of it is answer.
    pub fn divide(&mut self, piece: &str) -> Option<(String, String)> {
        let (mut answer, mut reasoning) = (String::new(), String::new());
        if matches!(self.state, State::Answer) {
            return None;
        }
        self.held.push_str(piece);
        if let State::Start = self.state {
            let begun = self.held.trim_start();
            let opened = TAGS.iter().find_map(|&tag| Some((tag, begun.strip_prefix(&*open(tag))?)));
            if let Some((tag, rest)) = opened {
                let blanks = self.held.len() - begun.len();
                answer.push_str(self.held.get(..blanks).unwrap_or(""));
                (self.state, self.held) = (State::Inside(tag), rest.to_owned());
            } else if !begun.is_empty() && TAGS.iter().any(|tag| open(tag).starts_with(begun)) {
                return Some((answer, reasoning)); // it may become one
            } else {
                if !begun.is_empty() {
                    self.state = State::Answer;
                }
                answer = ::core::mem::take(&mut self.held);
            }
        }
        if let State::Inside(tag) = self.state {
            let close = ["</", tag, ">"].concat();
            if let Some((inside, rest)) = text::split_once(&self.held, &close) {
                reasoning.push_str(inside);
                answer.push_str(rest);
                (self.state, self.held) = (State::Answer, String::new());
            } else {
                let is_begun = |at: &usize| self.held.get(*at..).is_some_and(|end| close.starts_with(end));
                let start = self.held.len().saturating_sub(close.len());
                let end = (start..self.held.len()).find(is_begun).unwrap_or(self.held.len());
                let kept = self.held.split_off(end);
                reasoning = ::core::mem::replace(&mut self.held, kept);
            }
        }
        Some((answer, reasoning))
    }
}

fn open(tag: &str) -> String {
    ["<", tag, ">"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn divided(pieces: &[&str]) -> (String, String) {
        let (mut thinking, mut answer, mut reasoning) = (Thinking::default(), String::new(), String::new());
        for piece in pieces {
            let (more, thought) = thinking.divide(piece).unwrap_or(((*piece).to_owned(), String::new()));
            answer.push_str(&more);
            reasoning.push_str(&thought);
        }
        (answer, reasoning)
    }

    /// Protects: what stands between the tags is reasoning, the rest the answer; a tag that comes later is text.
    #[test]
    fn a_tag_at_the_beginning_is_reasoning() {
        for (text, answer, reasoning) in [
            ("<think>Hm.</think>Yes.", "Yes.", "Hm."),
            ("\n<thinking>a < b</thinking>\n\nYes <think>.", "\n\n\nYes <think>.", "a < b"),
            ("<think>never closed", "", "never closed"),
            ("The tag <think> opens.", "The tag <think> opens.", ""),
            ("<thin ice>", "<thin ice>", ""),
            ("<b>bold</b>", "<b>bold</b>", ""),
            ("", "", ""),
        ] {
            assert_eq!(divided(&[text]), (answer.to_owned(), reasoning.to_owned()), "{text}");
        }
    }

    proptest! {
        /// Protects: where a stream is cut changes nothing.
        #[test]
        fn any_cut_divides_the_same(text in "[ \n]?(<think(ing)?>)?[<a/thinkß> ]{0,24}(</think(ing)?>)?[a<ß ]{0,8}z", cuts in prop::collection::vec(0usize..48, 0..6)) {
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|&cut| text.is_char_boundary(cut.min(text.len()))).map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&str> = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
            let whole = divided(&[&text]);
            let cut = divided(&pieces);
            prop_assert_eq!(&cut.0, &whole.0);
            // What may still become the closing tag is told later.
            prop_assert!(whole.1.starts_with(&cut.1) || cut.1.starts_with(&whole.1));
        }
    }
}
