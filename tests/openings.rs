//! The rule of useful content against openings of answers that were labelled by hand.
//!
//! Each line of `openings.jsonl` holds the pieces in which an answer appears and the index of the
//! piece with which a reader first has something to work with (`null`: never, as in a greeting or
//! a question back). With the piece of index `code` a block of code is on screen. Lines with
//! `"held": true` were not looked at while the rule was made.
use chat_vitals::core::useful::{Limits, Shape, useful};
use serde_json::Value;

struct Opening {
    language: String,
    updates: Vec<String>,
    label: Option<usize>,
    code: Option<usize>,
    held: bool,
}

fn openings() -> Vec<Opening> {
    include_str!("openings.jsonl").lines().map(opening).collect()
}

fn opening(line: &str) -> Opening {
    let value: Value = serde_json::from_str(line).expect("a line of JSON");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let updates: Vec<String> = value["updates"].as_array().expect("updates").iter().map(text).collect();
    let index = |name: &str| value[name].as_u64().map(|index| index as usize);
    let label = index("useful");
    assert!(label.is_none_or(|index| index < updates.len()), "{line}");
    let held = value["held"].as_bool().unwrap_or(false);
    Opening { language: text(&value["lang"]), updates, label, code: index("code"), held }
}

type Rule = fn(&str, Shape) -> bool;

/// The first update after which `rule` holds for what is on screen so far.
fn first(opening: &Opening, rule: Rule) -> Option<usize> {
    (0..opening.updates.len()).find(|last| {
        let code = opening.code.is_some_and(|code| code <= *last);
        rule(&opening.updates[..=*last].concat(), if code { Shape::CODE } else { Shape::NONE })
    })
}

fn product(text: &str, shape: Shape) -> bool {
    useful(text, shape, &Limits::default()).is_some()
}

/// The same without a notion of preamble and language.
fn naive(text: &str, shape: Shape) -> bool {
    shape != Shape::NONE || text.split_whitespace().count() >= 8 || text.chars().count() >= 40
}

#[derive(Debug, Default)]
struct Score {
    all: u32,
    exact: u32,
    near: u32,
}

impl Score {
    fn of<'a>(openings: impl Iterator<Item = &'a Opening>, rule: Rule) -> Self {
        let mut score = Self::default();
        for opening in openings {
            let found = first(opening, rule);
            let near = match (found, opening.label) {
                (Some(found), Some(label)) => found.abs_diff(label) <= 1,
                (found, label) => found == label,
            };
            score.all += 1;
            score.exact += u32::from(found == opening.label);
            score.near += u32::from(near);
        }
        score
    }

    /// Exact, and within one update, in percent.
    fn percent(&self) -> (u32, u32) {
        (self.exact * 100 / self.all, self.near * 100 / self.all)
    }
}

/// Protects: the set is what it says: eight languages, a third held back, some without an answer.
#[test]
fn the_openings_are_a_fair_sample() {
    let openings = openings();
    assert!(openings.len() >= 80);
    for language in ["en", "de", "fr", "es", "pt", "it", "zh", "ja"] {
        let of_language = || openings.iter().filter(|opening| opening.language == language);
        assert!(of_language().count() >= 10, "{language}");
        assert!(
            of_language().any(|opening| opening.held) && of_language().any(|opening| opening.label.is_none())
        );
    }
    let held = openings.iter().filter(|opening| opening.held).count();
    assert!(held * 3 >= openings.len(), "{held} of {}", openings.len());
}

/// Protects: the rule agrees with readers, on openings that it was not made for too, and does so
/// because it knows preambles: the same thresholds without that do clearly worse.
#[test]
fn the_rule_agrees_with_readers() {
    let openings = openings();
    for (held, exact_floor, near_floor) in [(false, 65, 90), (true, 50, 75)] {
        let of_set = || openings.iter().filter(|opening| opening.held == held);
        let (rule, plain) = (Score::of(of_set(), product), Score::of(of_set(), naive));
        let ((exact, near), (plain_exact, plain_near)) = (rule.percent(), plain.percent());
        println!("held back: {held}; exact {exact} %, within one update {near} % of {}", rule.all);
        println!("    without preambles: {plain_exact} % and {plain_near} %");
        assert!(exact >= exact_floor && near >= near_floor, "{rule:?}");
        assert!(exact >= plain_exact + 20 && near >= plain_near + 20, "{rule:?} against {plain:?}");
    }
}

/// Protects: no opening counts as useful by its preamble alone, which no rule of length could know.
#[test]
fn a_preamble_is_never_enough() {
    let early = |opening: &Opening| {
        let found = first(opening, product);
        found.zip(opening.label).is_some_and(|(found, label)| found + 1 < label)
    };
    let all = openings();
    let early: Vec<_> = all.iter().filter(|opening| !opening.held && early(opening)).collect();
    assert!(
        early.is_empty(),
        "{:?}",
        early.iter().map(|opening| opening.updates.concat()).collect::<Vec<_>>()
    );
}
