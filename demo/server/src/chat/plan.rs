//! What the backend will do and when: a list of timed actions. Pure; `play` gives it a clock.
use super::scenario::{End, Script, ScriptStep, Status, What};

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The server's own work enters this phase.
    Phase(&'static str),
    /// A phase that is only reported, with its duration.
    Reported(String, f64),
    /// The response begins; the format's first chunk goes with it.
    Headers,
    /// An HTTP error instead.
    Reject {
        status: u16,
        retry_after: Option<u32>,
    },
    /// The page is told what is going on.
    Progress(String),
    Reasoning(String),
    Source(String),
    Text(String),
    /// Bytes of a recorded stream.
    Record(&'static str),
    End(End),
}

/// `at` counts in milliseconds from the arrival of the request and never falls.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub at: f64,
    pub action: Action,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub steps: Vec<Step>,
}

impl Plan {
    pub fn push(&mut self, at: f64, action: Action) {
        self.steps.push(Step { at, action });
    }

    pub fn count(&self, wanted: impl Fn(&Action) -> bool) -> usize {
        self.steps.iter().filter(|step| wanted(&step.action)).count()
    }
}

/// A script, word for word.
pub fn of_script(script: &Script) -> Plan {
    let mut plan = Plan::default();
    for (name, duration) in &script.phases {
        plan.push(0.0, Action::Reported(name.clone(), duration.as_f64().unwrap_or(0.0)));
    }
    let early = script.steps.iter().take_while(|step| step.at < script.headers_at).count();
    let (before, after) = script.steps.split_at(early);
    push_all(&mut plan, before);
    plan.push(script.headers_at, Action::Headers);
    push_all(&mut plan, after);
    if plan.count(|action| matches!(action, Action::End(_))) == 0 {
        let last = plan.steps.last().map_or(0.0, |step| step.at);
        plan.push(last, Action::End(End::Done));
    }
    plan
}

fn push_all(plan: &mut Plan, steps: &[ScriptStep]) {
    for step in steps {
        let action = match step.what.clone() {
            What::Progress(name) => Action::Progress(name),
            What::Reasoning(delta) => Action::Reasoning(delta),
            What::Source(url) => Action::Source(url),
            What::Text(delta) => Action::Text(delta),
            What::End(end) => Action::End(end),
        };
        plan.push(step.at, action);
    }
}

/// An HTTP error.
pub fn of_status(status: &Status) -> Plan {
    let mut plan = Plan::default();
    plan.push(status.at, Action::Reject { status: status.status, retry_after: status.retry_after });
    plan
}
