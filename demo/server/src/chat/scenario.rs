//! The forms in which a request says how the backend should behave. Data and its checks only.
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::str::FromStr;

/// Longest script, and longest time in one, so that a request can't ask for unbounded work.
const MAX_STEPS: usize = 10_000;
const MAX_AT: f64 = 600_000.0;

#[derive(Clone, Debug, PartialEq)]
pub enum Scenario {
    Name(Name),
    Script(Script),
    Status(Status),
    Realistic(Realistic),
}

impl Default for Scenario {
    fn default() -> Self {
        Self::Name(Name::Realistic)
    }
}

/// A name, or the JSON of an object: the form of the query and of the command line.
impl FromStr for Scenario {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let value = if text.starts_with('{') { serde_json::from_str(text)? } else { Value::from(text) };
        serde_json::from_value(value)
    }
}

/// By hand, because an untagged enum can't say which field of which form is wrong.
impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let form = if value.is_string() {
            serde_json::from_value(value).map(Self::Name)
        } else if value.get("steps").is_some() {
            serde_json::from_value(value).map(Self::Script)
        } else if value.get("status").is_some() {
            serde_json::from_value(value).map(Self::Status)
        } else {
            serde_json::from_value(value).map(Self::Realistic)
        };
        form.map_err(D::Error::custom)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Name {
    Realistic,
    Instant,
}

/// The seeded timing model, bent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Realistic {
    pub kind: Name,
    #[serde(default = "one")]
    pub speed: f64,
    #[serde(default = "yes")]
    pub failures: bool,
    pub answer: Option<Answer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    Recorded,
    Composed,
}

/// Exactly these things at exactly these times.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Script {
    pub steps: Vec<ScriptStep>,
    #[serde(default)]
    pub headers_at: f64,
    /// Durations to report in `Server-Timing`, in the order given.
    #[serde(default)]
    pub phases: serde_json::Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "WrittenStep")]
pub struct ScriptStep {
    pub at: f64,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Progress(String),
    Reasoning(String),
    Source(String),
    Text(String),
    End(End),
}

/// A step as it is written: one of the fields besides the time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    at: f64,
    progress: Option<String>,
    reasoning: Option<String>,
    source: Option<String>,
    text: Option<String>,
    end: Option<End>,
}

impl TryFrom<WrittenStep> for ScriptStep {
    type Error = &'static str;

    fn try_from(step: WrittenStep) -> Result<Self, Self::Error> {
        let what = match (step.progress, step.reasoning, step.source, step.text, step.end) {
            (Some(name), None, None, None, None) => What::Progress(name),
            (None, Some(delta), None, None, None) => What::Reasoning(delta),
            (None, None, Some(url), None, None) => What::Source(url),
            (None, None, None, Some(delta), None) => What::Text(delta),
            (None, None, None, None, Some(end)) => What::End(end),
            _ => return Err("a step has exactly one of progress, reasoning, source, text, end"),
        };
        Ok(Self { at: step.at, what })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum End {
    Done,
    Error,
    Cut,
    Hang,
}

/// An HTTP error instead of a stream.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Status {
    pub status: u16,
    pub retry_after: Option<u32>,
    #[serde(default)]
    pub at: f64,
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

impl Scenario {
    /// What is wrong with it beyond its form.
    pub fn check(&self) -> Result<(), String> {
        let time = |at: f64| (0.0..=MAX_AT).contains(&at);
        match self {
            Self::Name(_) => Ok(()),
            Self::Realistic(it) if !(0.01..=1000.0).contains(&it.speed) => {
                Err("speed must be 0.01 to 1000".into())
            }
            Self::Realistic(_) => Ok(()),
            Self::Status(it) if !(400..600).contains(&it.status) => Err("status must be 400 to 599".into()),
            Self::Status(it) if !time(it.at) => Err("at must be 0 to 600000".into()),
            Self::Status(_) => Ok(()),
            Self::Script(it) => it.check(),
        }
    }
}

impl Script {
    fn check(&self) -> Result<(), String> {
        if self.steps.len() > MAX_STEPS {
            return Err(format!("more than {MAX_STEPS} steps"));
        }
        let mut before = 0.0;
        for (index, step) in self.steps.iter().enumerate() {
            if !(before..=MAX_AT).contains(&step.at) {
                return Err(format!("steps[{index}].at must not fall and be at most {MAX_AT}"));
            }
            before = step.at;
            let silent = matches!(step.what, What::Progress(_));
            if step.at < self.headers_at && !silent {
                return Err(format!("steps[{index}] comes before headersAt"));
            }
            if matches!(step.what, What::End(_)) && index + 1 < self.steps.len() {
                return Err(format!("steps[{index}] ends the stream but is not the last"));
            }
        }
        if !(0.0..=MAX_AT).contains(&self.headers_at) {
            return Err(format!("headersAt must be 0 to {MAX_AT}"));
        }
        let plain = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        match self
            .phases
            .iter()
            .find(|(name, value)| !plain(name) || value.as_f64().is_none_or(|ms| ms < 0.0))
        {
            Some((name, _)) => Err(format!("phases.{name} must be a name and a duration")),
            None => Ok(()),
        }
    }
}
