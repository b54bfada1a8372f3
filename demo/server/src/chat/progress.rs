//! The side channel that tells a page what the backend is doing, one for each conversation.
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::broadcast;

/// Conversations remembered; beyond it those without a listener are forgotten.
const MAX_CONVERSATIONS: usize = 1000;
/// Steps a slow listener may be behind.
const BACKLOG: usize = 64;

#[derive(Debug, Default)]
pub struct ProgressHub {
    channels: Mutex<HashMap<String, Channel>>,
}

#[derive(Debug)]
struct Channel {
    sender: broadcast::Sender<String>,
    /// The last step of the running turn, for who comes late.
    last: Option<String>,
}

impl ProgressHub {
    /// Tells the listeners; `running` says whether the turn goes on after it.
    pub fn tell(&self, conversation: &str, message: String, running: bool) {
        self.with(conversation, |channel| {
            channel.last = running.then(|| message.clone());
            // Nobody listening is no failure.
            let _ = channel.sender.send(message);
        });
    }

    /// What a late listener has missed, and what comes.
    pub fn listen(&self, conversation: &str) -> (Option<String>, broadcast::Receiver<String>) {
        self.with(conversation, |channel| (channel.last.clone(), channel.sender.subscribe()))
    }

    fn with<T>(&self, conversation: &str, act: impl FnOnce(&mut Channel) -> T) -> T {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        if channels.len() >= MAX_CONVERSATIONS && !channels.contains_key(conversation) {
            channels.retain(|_, channel| channel.sender.receiver_count() > 0);
        }
        let new = || Channel { sender: broadcast::channel(BACKLOG).0, last: None };
        act(channels.entry(conversation.to_owned()).or_insert_with(new))
    }
}
