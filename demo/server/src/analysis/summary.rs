//! The figures of a group of turns: measures, outcomes, phases, shares.
use super::distribution::{Bin, bins, quantile, warning};
use super::measures::{MEASURES, Measure, has_flag};
use super::proportion::{Share, wilson};
use super::segment::{Dimension, keys};
use crate::store::StoredTurn;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub key: Option<String>,
    pub turns: usize,
    pub excluded: Excluded,
    pub measures: Vec<Figures>,
    pub outcomes: BTreeMap<&'static str, usize>,
    pub phases: BTreeMap<&'static str, usize>,
    pub rates: Rates,
}

/// Turns that count in no visible measure.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Excluded {
    pub count: usize,
    pub share: f64,
    pub hidden: usize,
    pub clock_gap: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub name: &'static str,
    pub unit: &'static str,
    pub visible: bool,
    pub count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p75: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<&'static str>,
    pub bins: Vec<Bin>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Rates {
    pub abandoned: Option<Share>,
    pub stopped: Option<Share>,
    pub failed: Option<Share>,
    pub regenerated: Option<Share>,
}

const OUTCOMES: [&str; 6] = ["completed", "stopped", "failed", "abandoned", "superseded", "open"];
const PHASES: [&str; 4] = ["beforeFeedback", "beforeToken", "beforeUseful", "streaming"];

/// One group, or one for each key of the dimension, the largest first.
pub fn summarize(rows: &[StoredTurn], by: Option<Dimension>) -> Vec<Group> {
    let regenerated = regenerated(rows);
    let Some(dimension) = by else {
        let all: Vec<_> = rows.iter().collect();
        return vec![group(None, &all, &regenerated)];
    };
    let mut groups: HashMap<String, Vec<&StoredTurn>> = HashMap::new();
    for row in rows {
        for key in keys(row, dimension) {
            groups.entry(key).or_default().push(row);
        }
    }
    let mut groups: Vec<_> =
        groups.into_iter().map(|(key, rows)| group(Some(key), &rows, &regenerated)).collect();
    groups.sort_by(|a, b| b.turns.cmp(&a.turns).then_with(|| a.key.cmp(&b.key)));
    groups
}

fn group(key: Option<String>, rows: &[&StoredTurn], regenerated: &HashSet<&str>) -> Group {
    let turns: Vec<&Value> = rows.iter().map(|row| &row.turn).collect();
    let count = |wanted: &dyn Fn(&Value) -> bool| turns.iter().filter(|turn| wanted(turn)).count();
    let is = |field: &'static str, value: &'static str| count(&|turn| turn[field] == value);
    let (hidden, clock_gap) =
        (count(&|turn| has_flag(turn, "hidden")), count(&|turn| has_flag(turn, "clockGap")));
    let excluded = count(&|turn| has_flag(turn, "hidden") || has_flag(turn, "clockGap"));
    let rate = |outcome| wilson(is("outcome", outcome), turns.len());
    let again = count(&|turn| turn["id"].as_str().is_some_and(|id| regenerated.contains(id)));
    Group {
        key,
        turns: turns.len(),
        excluded: Excluded {
            count: excluded,
            share: excluded as f64 / turns.len().max(1) as f64,
            hidden,
            clock_gap,
        },
        measures: MEASURES.iter().map(|measure| figures(measure, &turns)).collect(),
        outcomes: OUTCOMES.iter().map(|outcome| (*outcome, is("outcome", outcome))).collect(),
        phases: PHASES.iter().map(|phase| (*phase, is("phase", phase))).collect(),
        rates: Rates {
            abandoned: rate("abandoned"),
            stopped: rate("stopped"),
            failed: rate("failed"),
            regenerated: wilson(again, turns.len()),
        },
    }
}

fn figures(measure: &Measure, turns: &[&Value]) -> Figures {
    let mut values: Vec<f64> = turns.iter().filter_map(|turn| measure.of(turn)).collect();
    values.sort_by(f64::total_cmp);
    let at = |q| quantile(&values, q).map(|value| (value * 1000.0).round() / 1000.0);
    Figures {
        name: measure.name,
        unit: measure.unit,
        visible: measure.visible,
        count: values.len(),
        p50: at(0.5),
        p75: at(0.75),
        p95: at(0.95),
        p99: at(0.99),
        warning: warning(values.len()),
        bins: if measure.unit == "ms" { bins(&values) } else { Vec::new() },
    }
}

/// The turns that their user had answered again.
fn regenerated(rows: &[StoredTurn]) -> HashSet<&str> {
    let mut ids = HashSet::new();
    for turn in rows.iter().map(|row| &row.turn) {
        ids.extend(turn["regenerates"].as_str());
        let actions = turn["actions"].as_array().into_iter().flatten();
        if actions.into_iter().any(|action| action["type"] == "regenerate") {
            ids.extend(turn["id"].as_str());
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(id: u32, mut turn: Value) -> StoredTurn {
        turn["id"] = format!("{id:016x}").into();
        StoredTurn {
            received_at: 0,
            context: json!({"variants": [{"experiment": "p", "variant": "a"}]}),
            turn,
        }
    }

    fn figure<'a>(group: &'a Group, name: &str) -> &'a Figures {
        group.measures.iter().find(|it| it.name == name).expect("the measure")
    }

    /// Protects: hidden and clock-gap turns count in outcomes but in no visible measure, and their share is told.
    #[test]
    fn untrusted_turns_are_left_out_and_told() {
        let timings = json!({"firstVisibleToken": 100, "requestSent": 5});
        let rows = [
            row(1, json!({"outcome": "completed", "timings": timings})),
            row(2, json!({"outcome": "completed", "timings": timings, "flags": ["hidden"]})),
            row(
                3,
                json!({"outcome": "abandoned", "phase": "beforeToken", "timings": timings, "flags": ["clockGap"]}),
            ),
            row(4, json!({"outcome": "completed", "timings": {}, "regenerates": format!("{:016x}", 1)})),
        ];
        let group = &summarize(&rows, None)[0];
        assert_eq!(figure(group, "firstVisibleToken").count, 1);
        assert_eq!(figure(group, "requestSent").count, 2);
        assert_eq!((group.excluded.count, group.excluded.hidden, group.excluded.clock_gap), (2, 1, 1));
        assert_eq!((group.outcomes["completed"], group.phases["beforeToken"]), (3, 1));
        assert_eq!(group.rates.regenerated.map(|share| share.count), Some(1));
    }

    /// Protects: groups are by the wanted dimension, a turn without a key is in none.
    #[test]
    fn groups_follow_the_dimension() {
        let format = |name: &str| json!({"outcome": "completed", "requests": [{}, {"format": name}]});
        let rows = [
            row(1, format("ollama")),
            row(2, format("openai-chat")),
            row(3, format("ollama")),
            row(4, json!({})),
        ];
        let groups = summarize(&rows, Some(Dimension::Format));
        let counts: Vec<_> = groups.iter().map(|group| (group.key.as_deref(), group.turns)).collect();
        assert_eq!(counts, [(Some("ollama"), 2), (Some("openai-chat"), 1)]);
        assert_eq!(summarize(&rows, Some(Dimension::Variant))[0].key.as_deref(), Some("p:a"));
    }
}
