//! `cargo xtask inspect`: what the core sees in a recorded stream, for people and for programs.
//!
//! May touch: the file it is given, standard output.
use chat_vitals::core::format::Reader;
use chat_vitals::core::signal::{Facts, Format, Kinds, Record, Usage};
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};

const USAGE: &str = "\
usage: cargo xtask inspect FILE [--content-type T] [--header 'name: value']… [--json]
Without --content-type the ending of FILE tells it (.sse, .ndjson, .txt), else the bytes.";

/// Characters of text that the table shows of a record.
const PREVIEW: usize = 48;

/// Prints the records of a stream and what they add up to.
pub fn run(args: &[String]) -> Result<(), String> {
    let options = Options::parse(args)?;
    let body = std::fs::read(&options.file).map_err(|error| format!("{}: {error}", options.file))?;
    let (events, facts) = read(&options, &body);
    let report = if options.json { json_report(&events, &facts) } else { table(&events, &facts) };
    match std::io::stdout().write_all(report.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

#[derive(Debug, Default)]
struct Options {
    file: String,
    content_type: Option<String>,
    headers: Vec<(String, String)>,
    json: bool,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, String> {
        let (mut options, mut args) = (Self::default(), args.iter());
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value\n{USAGE}"));
            match arg.as_str() {
                "--json" => options.json = true,
                "--content-type" => options.content_type = Some(value()?.clone()),
                "--header" => options.header(value()?)?,
                flag if flag.starts_with("--") => return Err(format!("{flag} is no option\n{USAGE}")),
                file if options.file.is_empty() => options.file = file.to_owned(),
                extra => return Err(format!("{extra}: one file at a time\n{USAGE}")),
            }
        }
        if options.file.is_empty() { Err(USAGE.to_owned()) } else { Ok(options) }
    }

    fn header(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line.split_once(':').ok_or(format!("{line}: a header is 'name: value'"))?;
        let (name, value) = (name.trim(), value.trim());
        if name.eq_ignore_ascii_case("content-type") {
            self.content_type.get_or_insert(value.to_owned());
        }
        self.headers.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn content_type(&self) -> &str {
        let ending = self.file.rsplit('.').next().unwrap_or("");
        self.content_type.as_deref().unwrap_or(match ending {
            "sse" => "text/event-stream",
            "ndjson" | "jsonl" => "application/x-ndjson",
            "txt" => "text/plain",
            _ => "",
        })
    }
}

/// One record, kept for printing.
struct Event {
    kinds: Kinds,
    text: String,
    reasoning: String,
}

fn read(options: &Options, body: &[u8]) -> (Vec<Event>, Facts) {
    let headers: Vec<(&str, &str)> = options.headers.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let mut reader = Reader::new(options.content_type(), &headers);
    let mut events = Vec::new();
    let mut keep = |record: &Record<'_>| {
        let (text, reasoning) = (record.text.to_owned(), record.reasoning.to_owned());
        events.push(Event { kinds: record.kinds, text, reasoning });
    };
    reader.feed(body, &mut keep);
    reader.finish(&mut keep);
    let facts = reader.facts().clone();
    if facts.format == Format::PlainText {
        events.clear(); // it has no events: its pieces are whatever the network made of it
    }
    (events, facts)
}

fn json_report(events: &[Event], facts: &Facts) -> String {
    let mut report = String::new();
    for (index, event) in events.iter().enumerate() {
        let kinds: Vec<&str> = event.kinds.names().collect();
        report += &format!("{}\n", json!({ "event": index, "kinds": kinds }));
    }
    let summary: Value = summary(facts).into_iter().collect();
    report + &format!("{}\n", json!({ "summary": summary }))
}

fn summary(facts: &Facts) -> [(&'static str, Value); 13] {
    [
        ("format", json!(facts.format)),
        ("events", json!((facts.format != Format::PlainText).then_some(facts.events))),
        ("firstReasoning", json!(facts.first_reasoning)),
        ("firstText", json!(facts.first_text)),
        ("firstVisible", json!(facts.first_visible)),
        ("visibleCharacters", json!(facts.visible_characters)),
        ("toolCalls", json!(facts.tool_calls)),
        ("sources", json!(facts.sources)),
        ("finishReason", json!(facts.finish_reason)),
        ("usage", json!(facts.usage.map(usage))),
        ("model", json!(facts.model)),
        ("responseId", json!(facts.response_id)),
        ("errors", json!(facts.errors)),
    ]
}

/// With every key, where the batch leaves out what is absent.
fn usage(usage: Usage) -> Value {
    json!({
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "cachedInputTokens": usage.cached_input_tokens,
        "reasoningTokens": usage.reasoning_tokens,
    })
}

fn table(events: &[Event], facts: &Facts) -> String {
    let mut report = String::new();
    for (index, event) in events.iter().enumerate() {
        let kinds: Vec<&str> = event.kinds.names().collect();
        let text = if event.text.is_empty() { &event.reasoning } else { &event.text };
        report += format!("{index:>6}  {:<22} {}", kinds.join(" "), preview(text)).trim_end();
        report += "\n";
    }
    let noticed = [
        ("finished", json!(facts.finished)),
        ("unterminated", json!(facts.unterminated)),
        ("malformed", json!(facts.malformed)),
        ("invalidUtf8Bytes", json!(facts.invalid_utf8)),
        ("skippedBytes", json!(facts.skipped_bytes)),
        ("uncounted", json!(facts.uncounted)),
    ];
    report += if events.is_empty() { "" } else { "\n" };
    for (name, value) in summary(facts).into_iter().chain(noticed) {
        let value = value.as_str().map_or(value.to_string(), str::to_owned);
        report += &format!("{name:<20} {}\n", if value == "null" { "-" } else { &value });
    }
    report
}

/// The beginning of a text on one line.
fn preview(text: &str) -> String {
    let start: String = text.chars().take(PREVIEW).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    if text.is_empty() { String::new() } else { format!("{start:?}{more}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(name: &str) -> String {
        format!("{}/../tests/streams/{name}", env!("CARGO_MANIFEST_DIR"))
    }

    fn inspect(args: &[&str]) -> (Vec<Event>, Facts) {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let options = Options::parse(&args).expect("the arguments are right");
        read(&options, &std::fs::read(&options.file).expect("the recording is there"))
    }

    /// Protects: the lines that other programs read: one for each event, the summary last, absent values null.
    #[test]
    fn json_has_a_line_for_each_event_and_a_summary() {
        let (events, facts) = inspect(&[&recording("openai-chat/text-basic.sse"), "--json"]);
        let report = json_report(&events, &facts);
        let lines: Vec<Value> = report.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
        assert_eq!(lines.len(), 24);
        assert_eq!(lines[0], json!({ "event": 0, "kinds": ["meta"] }));
        let usage =
            json!({ "inputTokens": 13, "outputTokens": 20, "cachedInputTokens": 0, "reasoningTokens": 0 });
        let summary = json!({
            "format": "openai-chat", "events": 23, "firstReasoning": null, "firstText": 1, "firstVisible": 1,
            "visibleCharacters": 79, "toolCalls": 0, "sources": 0, "finishReason": "stop", "usage": usage,
            "model": "gpt-3.5-turbo-0125", "responseId": "chatcmpl-BDA7NsqzvZlObxjeBtas2VM8zS9L7", "errors": 0,
        });
        assert_eq!(lines[23], json!({ "summary": summary }));
    }

    /// Protects: plain text has no events, but its characters count.
    #[test]
    fn plain_text_has_a_summary_only() {
        let (events, facts) = inspect(&[&recording("plain-text/assistant-stream-js.txt")]);
        assert!(events.is_empty());
        let summary: Value = summary(&facts).into_iter().collect();
        assert_eq!((&summary["events"], &summary["visibleCharacters"]), (&Value::Null, &json!(19)));
    }

    /// Protects: content type and headers of the command line reach the reader.
    #[test]
    fn content_type_and_headers_are_heeded() {
        let file = recording("plain-text/assistant-stream-js.txt");
        let (_, opaque) = inspect(&[&file, "--content-type", "image/png"]);
        assert_eq!(opaque.format, Format::Unknown);
        let (_, plain) = inspect(&[&file, "--header", "Content-Type: text/plain"]);
        assert_eq!(plain.format, Format::PlainText);
        let (events, lines) = inspect(&[&file, "--header", "X-Vercel-AI-Data-Stream: v1"]);
        assert_eq!((events.len(), lines.format), (1, Format::AiSdkV4Data));
    }

    /// Protects: a wrong command line says what is wrong.
    #[test]
    fn wrong_arguments_are_refused() {
        for wrong in
            [&[][..], &["a", "b"], &["a", "--content-type"], &["a", "--header", "x"], &["a", "--what"]]
        {
            let wrong: Vec<String> = wrong.iter().map(|arg| (*arg).to_owned()).collect();
            assert!(Options::parse(&wrong).is_err(), "{wrong:?}");
        }
    }
}
