//! Formats as tables: which records say what, and where.
//!
//! A table has one rule a line, of two to four columns:
//!
//! ```text
//! content-delta  text    delta.message.content.text
//! message-end    finish  delta.finish_reason
//! _              other
//! ```
//!
//! *Records*: names of kinds as in a condition (`a,b*`); `*` is every record, `_` every one that no other rule names.
//! *Meaning*: one of [`Meaning`]'s names, or of the kinds of [`Kinds`].
//! *Path* ([`super::path`]) to the values concerned; without one, or with `@`, the kind of the record itself; `$` is a payload
//! that is no JSON, `#` the event's id, `{}` the record, `-` nothing. A kind is noted where a value is there.
//! *More*: the paths, with `,` between them, by which a source or a tool call is known, from the value on; the name of a server
//! phase; the reason of a finish that is an object or `true`.
//!
//! The same language is open to applications that have a format of their own ([`super::own`]).
//!
//! May touch: path, reading, json, signal.
use super::family::{Event, Family};
use super::path::{self, Tree};
use super::reading::{Count, Reading};
use super::shape::Shapes;
use crate::core::json::Json;
use crate::core::label::Id;
use crate::core::signal::Kinds;
use crate::core::text;

/// Kinds of records of one stream whose rules are kept; of more, the rules are looked for each time.
const PLANS: usize = 32;

/// Longest kind that any table names, in bytes; a longer one is none, and is not kept.
const KIND_LIMIT: usize = 128;

/// One line of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    records: &'static str,
    meaning: Meaning,
    path: &'static str,
    more: &'static str,
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// Visible text that is added.
    Text,
    /// Reasoning that is added; without a path, its start.
    Reasoning,
    /// Text, or reasoning, as far as it is: what is new counts.
    Whole(bool),
    /// Text, or reasoning, as a whole after its pieces; where none came, all of it is new.
    Rest(bool),
    /// A piece of a tool call, by its id.
    Call,
    /// A tool call that comes whole; without an id each is one more.
    NewCall,
    /// Counts a tool call in a record that is something else.
    CountCall,
    Source,
    /// The answer is complete, and why.
    Finish,
    /// Why a step ends; others may follow.
    Reason,
    Id,
    Model,
    Tokens(Count),
    /// Text that was shown is taken back.
    Withdrawn,
    /// A phase of the server, by so many of its units in a millisecond.
    Phase(f64),
    Kind(Kinds),
}

impl Meaning {
    fn named(name: &str) -> Self {
        match name {
            "text" => Self::Text,
            "reasoning" => Self::Reasoning,
            "whole" => Self::Whole(false),
            "whole-reasoning" => Self::Whole(true),
            "rest" => Self::Rest(false),
            "rest-reasoning" => Self::Rest(true),
            "call" => Self::Call,
            "new-call" => Self::NewCall,
            "count-call" => Self::CountCall,
            "source" => Self::Source,
            "finish" => Self::Finish,
            "reason" => Self::Reason,
            "id" => Self::Id,
            "model" => Self::Model,
            "input" => Self::Tokens(Count::Input),
            "output" => Self::Tokens(Count::Output),
            "cached" => Self::Tokens(Count::Cached),
            "thought" => Self::Tokens(Count::Reasoning),
            "withdrawn" => Self::Withdrawn,
            "seconds" => Self::Phase(1e-3),
            "milliseconds" => Self::Phase(1.0),
            "nanoseconds" => Self::Phase(1e6),
            kind => Self::Kind(Kinds::named(kind)),
        }
    }
}

/// A table, made ready for the records of one stream.
#[derive(Debug, Default)]
pub(super) struct Table {
    rules: Vec<Rule>,
    /// Whether payloads may be text and no JSON.
    pub(super) takes_text: bool,
    /// What there is to do for the kinds of records that have come, the latest last.
    plans: Vec<Plan>,
    shapes: Shapes,
}

/// The rules for one kind of record.
#[derive(Debug)]
struct Plan {
    kind: Box<str>,
    /// Rules about the record itself.
    own: Vec<usize>,
    tree: Tree,
}

impl Table {
    pub(super) fn new(family: &Family) -> Self {
        let mut table = Self::default();
        table.shapes.fix(family.kind);
        [family.rules].iter().chain(family.wraps).for_each(|rules| table.add(rules));
        table
    }

    /// Reads each record in full from now on.
    #[cfg(test)]
    pub(super) fn learn_nothing(&mut self) {
        self.shapes.learn_nothing();
    }

    fn add(&mut self, text: &'static str) {
        let lines = text::split(text, &['\n']).map(str::trim_ascii).filter(|line| !line.is_empty());
        self.rules.extend(lines.map(Rule::new));
        self.rules.iter().for_each(|rule| self.shapes.compare(rule.path));
        self.takes_text = self.rules.iter().any(|rule| rule.path == "$");
    }

    /// Tells the reading what a record of this family means, and returns it with its kind; nothing if it is not what records of
    /// this table are.
    pub(super) fn read<'a>(
        &mut self,
        event: &Event<'a>,
        family: &Family,
        reading: &mut Reading,
    ) -> Option<Event<'a>> {
        let Self { rules, plans, shapes, .. } = self;
        if let Some(known) = shapes.of(event) {
            let event = Event { kind: known.kind(event), ..*event };
            plans.get(known.plan())?.apply(rules, &event, &mut known.found(), reading);
            return Some(event);
        }
        let event = event.of(family);
        let plan = self.plan_of(event.kind);
        let Self { rules, plans, shapes, .. } = self;
        let of = plans.get(plan)?;
        let found = of.tree.follow(event.data);
        if let Some(found) = &found {
            shapes.learn(&event, plan, found);
        } else if !self.takes_text {
            return None;
        }
        of.apply(rules, &event, &mut found.unwrap_or_default().into_iter(), reading);
        Some(event)
    }

    /// Number of the plan for records of this kind; made where there is none.
    fn plan_of(&mut self, kind: &str) -> usize {
        let kind = if kind.len() > KIND_LIMIT { "" } else { kind };
        if let Some(plan) = self.plans.iter().position(|plan| *plan.kind == *kind) {
            return plan;
        }
        if self.plans.len() == PLANS {
            self.plans.pop();
            self.shapes.forget();
        }
        self.plans.push(self.plan(kind));
        self.plans.len() - 1
    }

    fn plan(&self, kind: &str) -> Plan {
        let (mut own, mut tree, mut named) = (Vec::new(), Tree::default(), false);
        for (number, rule) in self.rules.iter().enumerate() {
            let applies = match rule.records {
                "*" => true,
                "_" => !named,
                records => path::matches(records, kind),
            };
            named |= applies && rule.records != "*";
            match rule.path {
                _ if !applies => {}
                "" | "@" | "$" | "#" => own.push(number),
                path => tree.add(path, number),
            }
        }
        Plan { kind: kind.into(), own, tree }
    }
}

impl Plan {
    fn apply<'a>(
        &self,
        rules: &[Rule],
        event: &Event<'a>,
        found: &mut dyn Iterator<Item = (usize, Json<'a>)>,
        reading: &mut Reading,
    ) {
        for rule in self.own.iter().filter_map(|&own| rules.get(own)) {
            rule.apply_to(event, reading);
        }
        for (rule, value) in found {
            if let Some(rule) = rules.get(rule) {
                rule.apply(value, reading);
            }
        }
    }
}

impl Rule {
    fn new(line: &'static str) -> Self {
        let mut columns = text::split(line, &[' ']).filter(|column| !column.is_empty());
        let mut next = || columns.next().unwrap_or("");
        let (records, meaning) = (next(), next());
        Self { records, meaning: Meaning::named(meaning), path: next(), more: next() }
    }

    /// The record itself is what is meant.
    fn apply_to(&self, event: &Event<'_>, reading: &mut Reading) {
        match self.meaning {
            Meaning::Text => reading.text_as_it_is(event.data),
            Meaning::Reasoning => reading.mark(Kinds::REASONING),
            Meaning::Call => reading.mark(Kinds::TOOL_CALL),
            Meaning::NewCall => reading.tool_call_once(Json::NONE),
            Meaning::Source => reading.mark(Kinds::SOURCE),
            Meaning::Finish if self.path.is_empty() => reading.end_marker(),
            Meaning::Finish => reading.finish(event.kind),
            Meaning::Reason => reading.reason(event.kind),
            Meaning::Withdrawn => reading.withdraw(),
            Meaning::Id => reading.named(Id::new(event.id)),
            Meaning::Kind(kinds) => reading.mark(kinds),
            _ => {}
        }
    }

    fn apply(&self, value: Json<'_>, reading: &mut Reading) {
        match self.meaning {
            _ if !value.exists() => {}
            Meaning::Text => reading.text(value),
            Meaning::Reasoning if value.is_string() => reading.reasoning(value),
            Meaning::Reasoning => reading.mark(Kinds::REASONING),
            Meaning::Whole(is_reasoning) => reading.grown(u64::from(is_reasoning), value, is_reasoning),
            Meaning::Rest(is_reasoning) => reading.rest(value, is_reasoning),
            Meaning::Call => reading.tool_call(self.key(value)),
            Meaning::NewCall => reading.tool_call_once(self.key(value)),
            Meaning::CountCall => reading.count_tool(self.key(value)),
            Meaning::Source => reading.source(self.key(value)),
            Meaning::Finish if value.has_text() => reading.finish(value.plain()),
            Meaning::Reason if value.has_text() => reading.reason(value.plain()),
            Meaning::Finish if value.is_object() || value.is_true() => reading.finish(self.more),
            Meaning::Finish | Meaning::Reason => {}
            Meaning::Id => reading.identity(value, Json::NONE),
            Meaning::Model => reading.identity(Json::NONE, value),
            Meaning::Tokens(count) => reading.tokens(count, value.u32()),
            Meaning::Withdrawn => reading.withdraw(),
            Meaning::Phase(units) => reading.phase(self.more, value.f64().map(|value| value / units)),
            Meaning::Kind(kinds) => reading.mark(kinds),
        }
    }

    /// What tells this value apart from others of its sort: the first of the paths that leads to something.
    fn key<'a>(&self, value: Json<'a>) -> Json<'a> {
        if self.more.is_empty() {
            return value;
        }
        let mut keys = text::split(self.more, &[',']).map(|path| path::first(value, path));
        keys.find(|key| !key.scalar().is_empty()).unwrap_or(Json::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::family::FAMILIES;
    use super::*;

    /// Protects: a word in a table that means nothing would be passed over in silence.
    #[test]
    fn every_rule_of_every_table_means_something() {
        for family in FAMILIES {
            for rule in Table::new(family).rules {
                let is_unknown = matches!(rule.meaning, Meaning::Kind(Kinds::NONE));
                assert!(!is_unknown, "{:?}: {rule:?}", family.format);
                let names_phase = matches!(rule.meaning, Meaning::Phase(_));
                assert!(!names_phase || !rule.more.is_empty(), "{:?}: {rule:?}", family.format);
                for mark in [['{', '}'], ['[', ']']] {
                    let count = |mark| rule.path.matches(mark).count();
                    assert_eq!(count(mark[0]), count(mark[1]), "{:?}: {rule:?}", family.format);
                }
            }
        }
    }
}
