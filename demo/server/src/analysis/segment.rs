//! Which segment a turn belongs to: route, format, model, variant.
use crate::store::StoredTurn;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Dimension {
    Route,
    Format,
    Model,
    Variant,
}

/// What a dashboard asks for. Times are epoch milliseconds of the turn's start.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Filter {
    pub from: Option<f64>,
    pub to: Option<f64>,
    pub route: Option<String>,
    pub format: Option<String>,
    pub model: Option<String>,
    pub variant: Option<String>,
}

impl Filter {
    /// Whether it takes every turn of its time range.
    pub fn is_whole(&self) -> bool {
        [&self.route, &self.format, &self.model, &self.variant].iter().all(|wanted| wanted.is_none())
    }

    pub fn takes(&self, row: &StoredTurn) -> bool {
        let wanted = [
            (Dimension::Route, &self.route),
            (Dimension::Format, &self.format),
            (Dimension::Model, &self.model),
            (Dimension::Variant, &self.variant),
        ];
        wanted.iter().all(|(dimension, wanted)| match wanted {
            Some(wanted) => keys(row, *dimension).iter().any(|key| key == wanted),
            None => true,
        })
    }
}

/// The keys of a turn in a dimension: one, none if unknown, for variants one for each experiment.
pub fn keys(row: &StoredTurn, dimension: Dimension) -> Vec<String> {
    match dimension {
        Dimension::Route => {
            let page = row.context["page"]["route"].as_str().map(str::to_owned);
            page.or_else(|| of_requests(&row.turn, "route")).into_iter().collect()
        }
        Dimension::Format => of_requests(&row.turn, "format").into_iter().collect(),
        Dimension::Model => of_requests(&row.turn, "model").into_iter().collect(),
        Dimension::Variant => variants(&row.context),
    }
}

/// A turn may have several requests (a retry, a tool step): the last one that knows the field is the one that answered.
fn of_requests(turn: &Value, field: &str) -> Option<String> {
    turn["requests"].as_array()?.iter().rev().find_map(|request| request[field].as_str()).map(str::to_owned)
}

fn variants(context: &Value) -> Vec<String> {
    let pair = |it: &Value| Some(format!("{}:{}", it["experiment"].as_str()?, it["variant"].as_str()?));
    context["variants"].as_array().into_iter().flatten().filter_map(pair).collect()
}

/// All keys that occur.
pub fn known(rows: &[StoredTurn], dimension: Dimension) -> BTreeSet<String> {
    rows.iter().flat_map(|row| keys(row, dimension)).collect()
}
