//! What a painted element that is not the answer is: the definitions of feedback (docs/measures.md).
//!
//! May touch: `answer` for what a letter is, `event`, `wire` enumerations. Text is looked at and forgotten.
use super::answer::fold;
use super::event::{Look, Role};
use super::wire::FeedbackKind;

/// A box without text that is wider than this stands for text to come.
const SKELETON_WIDTH: f64 = 120.0;
/// Status text is short; more than this many characters are something else.
const STATUS_CHARACTERS: usize = 160;

/// What kind of feedback `look` is; nothing if it says nothing about progress.
pub fn kind(look: &Look<'_>) -> Option<FeedbackKind> {
    match look.role {
        Some(Role::Status) => {
            return Some(if is_wordless(look.text) { textless(look) } else { FeedbackKind::Status });
        }
        Some(Role::Source) => return Some(FeedbackKind::Source),
        Some(_) => return None,
        None => {}
    }
    if look.width * look.height <= 0.0 {
        return None;
    }
    if is_wordless(look.text) {
        return (look.animated || look.live).then(|| textless(look));
    }
    let tells = look.live || look.animated || is_ongoing(look.text);
    (tells && look.text.chars().nth(STATUS_CHARACTERS).is_none()).then_some(FeedbackKind::Status)
}

fn textless(look: &Look<'_>) -> FeedbackKind {
    if look.width > SKELETON_WIDTH && look.width > look.height * 2.0 {
        FeedbackKind::Skeleton
    } else {
        FeedbackKind::Indicator
    }
}

fn is_wordless(text: &str) -> bool {
    text.chars().filter_map(fold).take(2).count() < 2
}

/// "Thinking…" and its kin end in an ellipsis in every language that has one.
fn is_ongoing(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with('…') || text.ends_with("...") || text.ends_with("⋯")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Look<'static> =
        Look { role: None, text: "", animated: false, live: false, width: 20.0, height: 20.0 };

    /// Protects: each kind of feedback is told from the others and from what is none.
    #[test]
    fn tells_the_kinds_apart() {
        let cases = [
            (Look { animated: true, ..BOX }, Some(FeedbackKind::Indicator)),
            (Look { animated: true, width: 600.0, height: 90.0, ..BOX }, Some(FeedbackKind::Skeleton)),
            (Look { text: "Searching the web…", ..BOX }, Some(FeedbackKind::Status)),
            (Look { text: "Reading 3 sources", live: true, ..BOX }, Some(FeedbackKind::Status)),
            (Look { text: "Assistant", ..BOX }, None),
            (Look { text: "Copy", ..BOX }, None),
            (BOX, None),
            (Look { animated: true, width: 0.0, ..BOX }, None),
            (Look { role: Some(Role::Source), ..BOX }, Some(FeedbackKind::Source)),
            (Look { role: Some(Role::User), animated: true, ..BOX }, None),
        ];
        for (look, expected) in cases {
            assert_eq!(kind(&look), expected, "{look:?}");
        }
    }
}
