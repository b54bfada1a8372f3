//! What the demo can say: answers written for it, and recorded streams. Pure data, no input or output.
use crate::format::Format;

/// An answer written for the demo, to be encoded in any format.
#[derive(Debug)]
pub struct Composed {
    pub sources: Vec<&'static str>,
    pub reasoning: Option<&'static str>,
    pub text: &'static str,
}

const COMPOSED: &[&str] = &[
    include_str!("../answers/sourdough.md"),
    include_str!("../answers/debounce.md"),
    include_str!("../answers/lisbon.md"),
    include_str!("../answers/indexes.md"),
    include_str!("../answers/mortgage.md"),
    include_str!("../answers/aurora.md"),
    include_str!("../answers/regex.md"),
    include_str!("../answers/interview.md"),
    include_str!("../answers/fern.md"),
    include_str!("../answers/ownership.md"),
    include_str!("../answers/email.md"),
    include_str!("../answers/sleep.md"),
];

/// The answer number `index`, counted round.
pub fn composed(index: u64) -> Composed {
    let place = usize::try_from(index % COMPOSED.len() as u64).unwrap_or(0);
    let mut answer = Composed { sources: Vec::new(), reasoning: None, text: COMPOSED[place] };
    while let Some((head, rest)) = answer.text.split_once('\n') {
        if let Some(sources) = head.strip_prefix("sources: ") {
            answer.sources = sources.split(' ').collect();
        } else if let Some(reasoning) = head.strip_prefix("reasoning: ") {
            answer.reasoning = Some(reasoning);
        } else if !head.is_empty() {
            break;
        }
        answer.text = rest;
    }
    answer
}

/// A recorded stream: its file and its bytes, which are UTF-8 in all of them.
type Recording = (&'static str, &'static str);

macro_rules! recordings {
    ($($format:ident: $($file:literal),*;)*) => {
        fn recordings(format: Format) -> &'static [Recording] {
            match format {
                $(Format::$format => &[$(($file, include_str!(concat!("../../../tests/streams/", $file)))),*],)*
            }
        }
    };
}

recordings! {
    OpenaiChat: "openai-chat/text-basic.sse", "openai-chat/after-tool-result.sse", "openai-chat/text-gpt-logprobs-vercel.sse";
    OpenaiResponses: "openai-responses/text-js.sse", "openai-responses/lmstudio-text.sse",
        "openai-responses/web-search-annotations.sse", "openai-responses/web-search-gpt5.sse";
    AnthropicMessages: "anthropic-messages/thinking.sse", "anthropic-messages/web-search-citations.sse",
        "anthropic-messages/mcp.sse";
    AiSdkUi: "ai-sdk-ui/v5-anthropic-thinking.sse", "ai-sdk-ui/v6-anthropic-websearch.sse", "ai-sdk-ui/v6-meta.sse";
    Ollama: "ollama/chat.ndjson", "ollama/generate.ndjson";
    PlainText: "plain-text/ai-sdk-text-stream.txt";
}

/// The records of the recorded stream number `index` of this format, counted round; together they are the file.
pub fn recorded(format: Format, index: u64) -> Vec<&'static str> {
    let files = recordings(format);
    let place = usize::try_from(index % files.len() as u64).unwrap_or(0);
    let end = match format {
        Format::Ollama => "\n",
        Format::PlainText => " ",
        _ => "\n\n",
    };
    files[place].1.split_inclusive(end).collect()
}

/// Text in pieces of about a token: a word with the blank or line end behind it.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: no header line is told as answer, and none of the answer is lost.
    #[test]
    fn every_answer_is_text_without_its_header() {
        for index in 0..COMPOSED.len() as u64 {
            let answer = composed(index);
            assert!(answer.text.len() > 600, "answer {index} is too short to be realistic");
            assert!(!answer.text.starts_with(['\n', ' ']), "answer {index} starts blank");
            assert!(!answer.text.contains("reasoning: ") && !answer.text.contains("sources: "));
            assert_eq!(pieces(answer.text).collect::<String>(), answer.text);
        }
        assert!(composed(2).sources.len() == 3 && composed(2).reasoning.is_some());
    }

    /// Protects: recordings are replayed byte for byte, in more than one record.
    #[test]
    fn records_together_are_the_recording() {
        for format in Format::ALL {
            for (index, (file, body)) in recordings(format).iter().enumerate() {
                let records = recorded(format, index as u64);
                assert!(records.len() > 3, "{file}");
                assert_eq!(records.concat(), *body);
            }
        }
    }

    /// Protects: each recording that is compiled in has its source and licence on record.
    #[test]
    fn every_recording_names_its_source() {
        let index = include_str!("../../../tests/streams/index.jsonl");
        let rows: Vec<serde_json::Value> =
            index.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for (file, _) in Format::ALL.into_iter().flat_map(recordings) {
            let row = rows.iter().find(|row| row["file"] == *file).expect("a line of the index");
            assert!(row["source_repo"].is_string() && row["license"].is_string(), "{row}");
        }
    }
}
