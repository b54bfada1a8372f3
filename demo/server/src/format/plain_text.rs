//! Text without framing: every byte is answer, and a failure can only break off.
use super::Encoder;

pub struct PlainText;

impl Encoder for PlainText {
    fn start(&mut self) -> String {
        String::new()
    }

    fn reasoning(&mut self, _delta: &str) -> String {
        String::new()
    }

    fn text(&mut self, delta: &str) -> String {
        delta.to_owned()
    }

    fn done(&mut self) -> String {
        String::new()
    }

    fn error(&mut self) -> String {
        String::new()
    }
}
