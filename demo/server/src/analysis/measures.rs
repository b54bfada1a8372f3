//! The list of measures: where each stands in a turn, and which turns may count in it.
use serde_json::Value;

#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub name: &'static str,
    pub unit: &'static str,
    /// What the user sees: means nothing while the page was hidden.
    pub visible: bool,
    place: Place,
}

/// JSON pointers into a turn.
#[derive(Clone, Copy, Debug)]
enum Place {
    At(&'static str),
    Between(&'static str, &'static str),
}

const fn seen(name: &'static str, pointer: &'static str) -> Measure {
    Measure { name, unit: "ms", visible: true, place: Place::At(pointer) }
}

const fn network(name: &'static str, place: Place) -> Measure {
    Measure { name, unit: "ms", visible: false, place }
}

pub const MEASURES: &[Measure] = &[
    seen("firstFeedback", "/timings/firstFeedback"),
    seen("firstReasoning", "/timings/firstReasoning"),
    seen("firstVisibleToken", "/timings/firstVisibleToken"),
    seen("firstUsefulContent", "/timings/firstUsefulContent"),
    seen("finalRender", "/timings/finalRender"),
    seen("taskComplete", "/timings/taskComplete"),
    seen("nextAction", "/timings/nextAction"),
    seen("silentTotal", "/waits/silent/total"),
    seen("silentMax", "/waits/silent/max"),
    seen("staticTotal", "/waits/static/total"),
    seen("staticMax", "/waits/static/max"),
    seen("stallTotal", "/waits/stalls/total"),
    seen("stallMax", "/waits/stalls/max"),
    Measure { unit: "count", ..seen("stallCount", "/waits/stalls/count") },
    seen("updateGapP95", "/updates/p95"),
    Measure { unit: "ratio", ..seen("fluidity", "/updates/fluidity") },
    seen("renderLagFirst", "/renderLag/first"),
    seen("renderLagP95", "/renderLag/p95"),
    network("requestSent", Place::At("/timings/requestSent")),
    network("requestToResponse", Place::Between("/timings/requestSent", "/timings/responseStart")),
    network("responseToFirstChunk", Place::Between("/timings/responseStart", "/timings/firstChunk")),
    network("lastChunk", Place::At("/timings/lastChunk")),
];

impl Measure {
    /// Its value in this turn, unless it was not reached or may not be trusted.
    pub fn of(&self, turn: &Value) -> Option<f64> {
        if has_flag(turn, "clockGap") || self.visible && has_flag(turn, "hidden") {
            return None;
        }
        let at = |pointer: &str| turn.pointer(pointer).and_then(Value::as_f64);
        match self.place {
            Place::At(pointer) => at(pointer),
            Place::Between(start, end) => Some(at(end)? - at(start)?).filter(|duration| *duration >= 0.0),
        }
    }
}

pub fn has_flag(turn: &Value, flag: &str) -> bool {
    turn["flags"].as_array().is_some_and(|flags| flags.iter().any(|it| it == flag))
}
