//! What a gesture means.
//!
//! May touch: `controls`. One gesture has one meaning; the order of the rules is the order of evidence:
//! the application's word, the accessible name, the place.
use super::controls::{self, Control};
use super::event::{Gesture, Role, Touch};

/// The meaning of a gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Send what is in the composer.
    Submit,
    /// Press something that may or may not send.
    Press,
    /// Stop the answer.
    Stop,
    /// Another answer, please.
    Regenerate,
    /// Another answer, please, or something else anew: what follows tells.
    Refresh,
    /// The same again, it failed.
    Retry,
    /// Change the question.
    Edit,
    /// Copy something.
    Copy,
    /// Leave this conversation for a new one.
    NewConversation,
    /// Judge the answer.
    Feedback,
}

/// The meaning of `gesture`; nothing if it has none for a chat.
pub fn intent(gesture: &Gesture<'_>) -> Option<Intent> {
    match gesture.role {
        Some(Role::Stop) => return Some(Intent::Stop),
        Some(Role::Regenerate) => return Some(Intent::Regenerate),
        _ => {}
    }
    match gesture.touch {
        Touch::Copy => return Some(Intent::Copy),
        Touch::Submit => return Some(Intent::Submit),
        // On a button the browser makes a click of the key, and the click is what counts.
        Touch::Enter => {
            let sends = gesture.in_composer && !gesture.composer.trim().is_empty();
            return sends.then_some(Intent::Submit);
        }
        Touch::Click => {}
    }
    if gesture.in_composer {
        return None;
    }
    match controls::classify(gesture.label) {
        Some(Control::Stop) => Some(Intent::Stop),
        Some(Control::Regenerate) => Some(Intent::Regenerate),
        Some(Control::Refresh) => Some(if gesture.by_answer { Intent::Refresh } else { Intent::Press }),
        Some(Control::Retry) => Some(Intent::Retry),
        Some(Control::Edit) => Some(Intent::Edit),
        Some(Control::Copy) => Some(Intent::Copy),
        Some(Control::NewConversation) => Some(Intent::NewConversation),
        Some(Control::Feedback) => Some(Intent::Feedback),
        Some(Control::Submit) => Some(Intent::Submit),
        None => (!gesture.label.is_empty()).then_some(Intent::Press),
    }
}
