use super::*;
use proptest::prelude::*;

fn stream(text: &str) -> StreamText {
    let mut stream = StreamText::default();
    stream.push(0.0, text);
    stream
}

/// Protects: the answer is recognised in whatever state page and stream are to each other.
#[test]
fn the_answer_is_recognised_from_twelve_letters_on() {
    let answer = stream("**Sure**, here is how the `Vec` grows: it doubles.");
    for drawn in [
        "Sure, here is how",
        "Sure, here is how the Vec grows: it doubles.▍",
        "Sure, here is how the Vec grows: it doubles.Copy Retry Good response",
    ] {
        assert_eq!(answer.matches_start(drawn), Match::Strong, "{drawn}");
    }
    for drawn in ["Sure, what is a Vec?", "Thinking…", "", "▍", "New chat"] {
        assert_eq!(answer.matches_start(drawn), Match::None, "{drawn}");
    }
}

/// Protects: a short agreement is not taken for proof while more may come.
#[test]
fn a_short_agreement_is_weak_until_the_stream_is_over() {
    let mut answer = stream("Sure");
    assert_eq!(answer.matches_start("Sure thing?"), Match::Weak);
    assert_eq!(answer.matches_start("Su"), Match::Weak);
    assert_eq!(answer.matches_start("Sure"), Match::Weak);
    answer.end();
    assert_eq!(answer.matches_start("Sure."), Match::Strong);
    assert_eq!(answer.matches_start("Sure thing?"), Match::Weak);
}

/// Protects: Han characters weigh more than letters; six are proof.
#[test]
fn six_han_characters_are_proof() {
    let answer = stream("当然可以，我来解释一下这个问题。");
    assert_eq!(answer.matches_start("当然可以"), Match::Weak);
    assert_eq!(answer.matches_start("当然可以，我来"), Match::Strong);
}

/// Protects: paragraphs beside the first are the answer's where they go on, whatever the page draws between.
#[test]
fn a_later_piece_goes_on_where_the_one_before_stops() {
    let answer =
        stream("The tide follows the moon.\n\nAs the earth turns, each coast meets both.\n\nYes, twice.");
    assert!(answer.continues("The tide follows the moon.", "As the"));
    assert!(answer.continues("each coast meets both.", "Yes, twice.Copy"));
    assert!(answer.continues("text of a formula", "As the earth turns, each"), "more than chance");
    for (before, text) in [
        ("The tide follows the moon.", "As"),
        ("The tide follows the moon.", "Why are there tides at the coast?"),
        ("The tide follows the moon.", "The tide"),
        ("text of a formula", "Yes"),
    ] {
        assert!(!answer.continues(before, text), "{text} after {before}");
    }
}

/// Protects: what a page draws otherwise than its source says: the bar of a block of code, formulas, emoji as pictures.
#[test]
fn code_formulas_and_emoji_are_recognised() {
    let code = stream("```python\nprint(tide(day))\n```\nThis prints it.");
    assert_eq!(code.matches_start("print(tide(day))"), Match::Strong);
    let formula = stream("The force is $F = G \\frac{m_1 m_2}{r^2}$, so");
    assert_eq!(formula.matches_start("The force is F=Gm1m2r2, so"), Match::Strong);
    let emoji = stream("🌊🌙 Tides follow the moon");
    assert_eq!(emoji.matches_start("🌊"), Match::Weak);
    for drawn in ["🌊🌙 Tides follow the", "Tides follow the moon"] {
        assert_eq!(emoji.matches_start(drawn), Match::Strong, "{drawn}");
    }
    assert_eq!(stream("Tides").matches_start("👍"), Match::None);
}

/// Protects: an answer that opens with the question is told from the question from the first word of its own on.
#[test]
fn an_answer_may_open_with_the_question() {
    let question = "Why are there tides?";
    let echo = Echo::new(question);
    let answer = stream("> Why are there tides?\n\nBecause of the moon.");
    assert_eq!(echo.is_passed(&answer, question), Some(false));
    assert_eq!(echo.is_passed(&answer, "Why are there tides?Because"), Some(true));
    assert_eq!(echo.is_passed(&stream("The moon pulls."), "The"), None);
}

/// Protects: what only one side has (list numbers, link targets, images, footnotes) does not part them.
#[test]
fn markdown_that_is_drawn_differently_still_agrees() {
    let source = "Steps:\n1. Open [the docs](https://example.com/a_b) ![logo](l.png)\n2. Read[^1] them";
    assert_eq!(stream(source).matches_start("Steps: Open the docs Read them all"), Match::Strong);
    let formula = stream("The area of a circle with radius r is $\\pi r^2$ in all cases");
    assert_eq!(formula.matches_start("The area of a circle with radius r is πr2 in"), Match::Strong);
}

/// Protects: a link that is cut by a chunk border or never closes.
#[test]
fn links_may_be_split_over_chunks_or_stay_open() {
    let mut split = StreamText::default();
    "see [the docs](http://x.y/z) for more"
        .split_inclusive([']', '/'])
        .for_each(|part| split.push(0.0, part));
    assert_eq!(split.matches_start("see the docs for more"), Match::Strong);
    let mut open = stream("an [endless](");
    open.push(0.0, &"x".repeat(5000));
    assert!(!open.is_empty() && open.head.len() <= HEAD && open.head.len() > 100);
}

/// Protects: a drawn text leads back to the chunk that brought it.
#[test]
fn the_arrival_of_a_drawn_tail() {
    let mut answer = StreamText::default();
    answer.push(100.0, "The quick ");
    answer.push(200.0, "brown fox ");
    answer.push(300.0, "jumps over **the** lazy dog");
    assert_eq!(answer.arrival_of("The quick"), Some(100.0));
    assert_eq!(answer.arrival_of("The quick brown fo"), Some(200.0));
    assert_eq!(answer.arrival_of("quick brown fox jumps over the"), Some(300.0));
    assert_eq!(
        answer.arrival_of("Thought for 2 s The quick brown fox"),
        Some(200.0),
        "what came before is no matter"
    );
    assert_eq!(answer.arrival_of("lazy dogCopy"), None, "text of the interface was never delivered");
    assert_eq!(answer.arrival_of("dog"), None, "too short to tell");
}

/// Protects: of a repeated text the last place counts, and a list's numbers may be missing.
#[test]
fn the_last_place_of_a_repeated_tail_counts() {
    let mut answer = StreamText::default();
    answer.push(1.0, "1. again and again\n");
    answer.push(2.0, "2. again and again\n");
    assert_eq!(answer.arrival_of("again and again again and again"), Some(2.0));
}

/// Protects: memory stays within its limits however long the answer is, and its end is still found.
#[test]
fn a_long_answer_keeps_to_its_limits() {
    let mut answer = StreamText::default();
    for i in 0..20_000u32 {
        answer.push(f64::from(i), &format!("word{} größe ", char::from_u32(0x4E00 + i % 997).unwrap_or('x')));
        assert!(answer.tail.len() <= 2 * TAIL && answer.marks.len() <= MARKS && answer.head.len() <= HEAD);
    }
    answer.push(90_000.0, "the very end");
    assert_eq!(answer.arrival_of("größe the very end"), Some(90_000.0));
}

/// Protects: the echo of a prompt is told from answers and labels.
#[test]
fn an_echo_is_the_prompt_with_little_around_it() {
    let echo = Echo::new("How do I reverse a *list* in Python?");
    assert!(echo.is_echo("How do I reverse a *list* in Python?"));
    assert!(echo.is_echo("You said: How do I reverse a list in Python? Edit 10:42"));
    assert!(!echo.is_echo("To reverse a list in Python, call reverse()"));
    assert!(!echo.is_echo(&("How do I reverse a list in Python? ".to_owned() + &"That is easy. ".repeat(9))));
    let short = Echo::new("hi");
    assert!(short.is_echo("hi") && short.is_echo("You hi") && short.is_echo("Hi 10:42"));
    assert!(!short.is_echo("Thinking") && !short.is_echo("Hi there! How can I help?"));
    assert!(!Echo::new("👍").is_echo("anything") && !Echo::new("").is_echo(""));
    let number = Echo::new("42");
    assert!(number.is_echo("42") && !number.is_echo("Hello"));
}

/// Protects: a prompt beyond the limit is recognised by its beginning.
#[test]
fn a_long_prompt_is_recognised() {
    let prompt = "Summarise this text please. ".repeat(80);
    assert!(Echo::new(&prompt).is_echo(&prompt));
    assert!(!Echo::new(&prompt).is_echo("Summarise this text please."));
}

/// A document as pairs of Markdown source and what is drawn of it.
fn document() -> impl Strategy<Value = Vec<(String, String)>> {
    let words = "[a-zA-Zäöüß]{1,8}( [a-zA-Z0-9é日本]{1,8}){0,5}";
    let block = (words, 0usize..10).prop_map(|(text, form)| {
        let source = match form {
            0 => format!("# {text}\n\n"),
            1 => format!("**{text}** "),
            2 => format!("_{text}_ "),
            3 => format!("`{text}` "),
            4 => format!("- {text}\n"),
            5 => format!("> {text}\n\n"),
            6 => format!("[{text}](https://example.com/{}) ", text.len()),
            7 => format!("![a picture](p.png){text}\n"),
            8 => format!("```\n{text}\n```\n"),
            _ => format!("{text}.\n\n"),
        };
        (source, text)
    });
    prop::collection::vec(block, 1..12)
}

proptest! {
    /// Protects: rendering Markdown does not change the letters of a text.
    #[test]
    fn markdown_has_the_letters_of_its_rendering(document in document()) {
        let (source, drawn): (Vec<String>, Vec<String>) = document.into_iter().unzip();
        let letters = |text: String| Letters::of(&text).collect::<String>();
        prop_assert_eq!(letters(source.concat()), letters(drawn.join(" ")));
    }

    /// Protects: any text in any pieces is taken without panic, and a drawn prefix agrees with it.
    #[test]
    fn any_text_in_any_pieces(pieces in prop::collection::vec("\\PC{0,80}", 0..80), drawn in "\\PC{0,90}", cut in 0usize..600) {
        let mut answer = StreamText::default();
        for (at, piece) in pieces.iter().enumerate() {
            answer.push(at as f64, piece);
        }
        answer.matches_start(&drawn);
        answer.continues(&drawn, &drawn);
        answer.arrival_of(&drawn);
        Echo::new(&drawn).is_echo(&pieces.concat());
        let prefix: String = pieces.concat().chars().take(cut).collect();
        if Letters::of(&prefix).any(|letter| !letter.is_ascii_digit()) {
            prop_assert!(answer.matches_start(&prefix) > Match::None);
        }
    }
}
