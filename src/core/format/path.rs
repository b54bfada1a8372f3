//! The small language in which formats say where in a record things are.
//!
//! A *path* is names with dots between them. `[]` stands for each item of an array, `[0]` for one of them, and `{…}` lets only
//! values pass that meet a condition: `choices[]{index=0,}.delta.content`.
//!
//! A *condition* is tests with `&` between them: `a.b` (is there, and not null), `!a.b`, `a=x,y*z` (one of these, with
//! `*` for anything in between; nothing behind a comma stands for an empty value or none), `a!=x`, `a:array` (also
//! `object`, `string`, `number`). The empty path is the value at hand.
//!
//! May touch: json. Paths come from tables and from the page's configuration, never from a stream.
use crate::core::json::Json;
use crate::core::text;

/// Takes the number of a rule and a value that its path leads to.
pub(super) type Found<'f> = dyn FnMut(usize, Json<'_>) + 'f;

/// Several paths as a tree: what they have in common is followed once.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The rules whose paths end here.
    ends: Vec<usize>,
    conditions: Vec<(Condition, Tree)>,
    names: Vec<(&'static str, Tree)>,
    items: Vec<(Option<usize>, Tree)>,
}

/// One step of a path.
enum Step {
    End,
    Items(Option<usize>),
    Condition(Condition),
    Name(&'static str),
}

impl Tree {
    /// Adds the path of a rule.
    pub(super) fn add(&mut self, path: &'static str, rule: usize) {
        let (step, rest) = split(path);
        let branch = match step {
            Step::End => return self.ends.push(rule),
            Step::Condition(condition) => branch(&mut self.conditions, condition),
            Step::Name(name) => branch(&mut self.names, name),
            Step::Items(place) => branch(&mut self.items, place),
        };
        branch.into_iter().for_each(|tree| tree.add(rest, rule));
    }

    /// Follows all paths through `value`, in one pass over each object, and tells what they lead to.
    pub(super) fn follow(&self, value: Json<'_>, found: &mut Found<'_>) {
        self.ends.iter().for_each(|&rule| found(rule, value));
        for (condition, tree) in &self.conditions {
            if condition.holds(value) {
                tree.follow(value, found);
            }
        }
        if !self.names.is_empty() {
            for (name, member) in value.members() {
                let name = name.plain();
                if let Some((_, tree)) = self.names.iter().find(|(wanted, _)| *wanted == name) {
                    tree.follow(member, found);
                }
            }
        }
        if !self.items.is_empty() {
            for (place, item) in value.items().enumerate() {
                let leads = |wanted: &Option<usize>| wanted.is_none_or(|wanted| wanted == place);
                self.items
                    .iter()
                    .filter(|(wanted, _)| leads(wanted))
                    .for_each(|(_, tree)| tree.follow(item, found));
            }
        }
    }
}

/// The branch by this step; made where it is not there.
fn branch<K: PartialEq>(branches: &mut Vec<(K, Tree)>, key: K) -> Option<&mut Tree> {
    let at = branches.iter().position(|(known, _)| *known == key).unwrap_or(branches.len());
    if at == branches.len() {
        branches.push((key, Tree::default()));
    }
    branches.get_mut(at).map(|(_, tree)| tree)
}

/// Tests that must all be met.
#[derive(Debug, PartialEq)]
pub(super) struct Condition(Vec<Test>);

#[derive(Debug, PartialEq)]
struct Test {
    path: &'static str,
    wants: Wants,
}

#[derive(Debug, PartialEq)]
enum Wants {
    One(&'static str),
    None(&'static str),
    Kind(&'static str),
    Absence,
    Presence,
}

impl Condition {
    pub(super) fn new(text: &'static str) -> Self {
        Self(text::split(text, &['&']).map(Test::new).collect())
    }

    pub(super) fn holds(&self, value: Json<'_>) -> bool {
        self.0.iter().all(|test| test.is_met(value))
    }
}

impl Test {
    fn new(text: &'static str) -> Self {
        let (path, wants) = if let Some((path, refused)) = text::split_once(text, "!=") {
            (path, Wants::None(refused))
        } else if let Some((path, wanted)) = text::split_once(text, "=") {
            (path, Wants::One(wanted))
        } else if let Some((path, kind)) = text::split_once(text, ":") {
            (path, Wants::Kind(kind))
        } else if let Some(path) = text.strip_prefix('!') {
            (path, Wants::Absence)
        } else {
            (text, Wants::Presence)
        };
        Self { path, wants }
    }

    fn is_met(&self, value: Json<'_>) -> bool {
        let value = first(value, self.path);
        match self.wants {
            Wants::One(patterns) => matches(patterns, value.scalar()),
            Wants::None(patterns) => !matches(patterns, value.scalar()),
            Wants::Kind(kind) => value.kind() == kind,
            Wants::Absence => !value.exists(),
            Wants::Presence => value.exists(),
        }
    }
}

/// The first value that a path leads to.
pub(super) fn first<'a>(value: Json<'a>, path: &'static str) -> Json<'a> {
    let (mut value, mut rest) = (value, path);
    while !rest.is_empty() {
        let (step, behind) = split(rest);
        value = match step {
            Step::Name(name) => value.get(name),
            Step::Items(place) => value.items().nth(place.unwrap_or(0)).unwrap_or(Json::NONE),
            Step::Condition(condition) if !condition.holds(value) => Json::NONE,
            Step::Condition(_) | Step::End => value,
        };
        rest = behind;
    }
    value
}

/// Whether `text` is one of the patterns.
pub(super) fn matches(patterns: &str, text: &str) -> bool {
    text::split(patterns, &[',']).any(|pattern| match text::split_once(pattern, "*") {
        Some((start, end)) => text.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => text == pattern,
    })
}

/// Whether all brackets of a path or a condition are closed.
pub(super) fn is_balanced(text: &str) -> bool {
    let mut open = None;
    text.bytes().all(|byte| match (open, byte) {
        (None, b'{') => open.replace(b'}').is_none(),
        (None, b'[') => open.replace(b']').is_none(),
        (None, b'}' | b']') | (Some(_), b'{') => false,
        (Some(close), byte) if byte == close => open.take().is_some(),
        _ => true,
    }) && open.is_none()
}

/// The first step of a path, and what is behind it.
fn split(path: &'static str) -> (Step, &'static str) {
    let cut = |mark| {
        let inner = path.get(1..).unwrap_or("");
        text::split_once(inner, mark).unwrap_or((inner, ""))
    };
    let (step, rest) = match path.bytes().next() {
        None => return (Step::End, path),
        Some(b'[') => {
            let (place, rest) = cut("]");
            (Step::Items(place.bytes().next().map(|digit| usize::from(digit.wrapping_sub(b'0')))), rest)
        }
        Some(b'{') => {
            let (condition, rest) = cut("}");
            (Step::Condition(Condition::new(condition)), rest)
        }
        Some(_) => {
            let end = path.bytes().position(|byte| b".[{".contains(&byte)).unwrap_or(path.len());
            let (name, rest) = path.split_at_checked(end).unwrap_or((path, ""));
            (Step::Name(name), rest)
        }
    };
    (step, rest.strip_prefix('.').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &'static str, json: &str) -> Vec<String> {
        let (mut values, mut tree) = (Vec::new(), Tree::default());
        tree.add("a.other[]{x}", 0);
        tree.add(path, 7);
        tree.follow(Json::new(json), &mut |rule, value| {
            assert_eq!(rule, 7);
            values.push(value.scalar().to_owned());
        });
        values
    }

    /// Protects: every construct of a path, and that what is not there leads to nothing.
    #[test]
    fn a_path_leads_to_each_of_its_values() {
        let json = r#"{"a":{"b":[{"c":"x","k":1},{"c":"y","k":2},{"k":3}]},"ab":"no","n":null}"#;
        for (path, expected) in [
            ("a.b[].c", &["x", "y"][..]),
            ("a.b[1].c", &["y"]),
            ("a.b[]{k=2,3}.k", &["2", "3"]),
            ("a.b[]{k!=2}{c}.c", &["x"]),
            ("{a:object}.ab", &["no"]),
            ("{}.ab", &["no"]),
            ("{a:array}.ab", &[]),
            ("a.c", &[]),
            ("ab.c", &[]),
            ("a.b[].c[]", &[]),
            ("n", &[""]),
        ] {
            assert_eq!(found(path, json), expected, "{path}");
        }
    }

    /// Protects: the tests of conditions; `null`, `""` and no value are alike for `=`.
    #[test]
    fn a_condition_holds_or_not() {
        let json = Json::new(r#"{"type":"tool-call","n":0,"no":null,"e":"","f":false,"o":{"p":["q"]}}"#);
        for (condition, expected) in [
            ("type=tool-call", true),
            ("type=x,tool-*", true),
            ("type=t*l", true),
            ("type=tool-call*call", false),
            ("type!=tool-*", false),
            ("missing!=x", true),
            ("n=0", true),
            ("n=,1", false),
            ("missing=,1", true),
            ("no=&e=", true),
            ("no", false),
            ("e", true),
            ("!no&!missing", true),
            ("f", true),
            ("f=true", false),
            ("o:object&o.p:array&o.p[0]:string", true),
            ("o.p[0]=q", true),
            ("o.p[1]", false),
        ] {
            assert_eq!(Condition::new(condition).holds(json), expected, "{condition}");
        }
    }

    /// Protects: no path and no condition panics, whatever an application writes.
    #[test]
    fn any_path_is_followed() {
        for path in
            [".", "..", "[", "[]", "[9", "{", "{}", "{=", "a.", "a..b", "a[x]", "a[12]", "}", "]", "a{b=c"]
        {
            found(path, r#"{"a":[{"b":"c"}]}"#);
            Condition::new(path).holds(Json::new("[1]"));
        }
    }
}
