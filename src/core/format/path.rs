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
use crate::core::json::{Json, Scan};
use crate::core::text;
use ::core::ops::Range;

/// The numbers of rules, each with a value that its path leads to.
pub(super) type Found<'a> = Vec<(usize, Json<'a>)>;

/// What a name in a path ends with.
const SPECIAL: &[u8] = b".[{";

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

    /// Follows all paths through a text, in one pass. `None` if it is no JSON.
    pub(super) fn follow<'a>(&self, text: &'a str) -> Option<Found<'a>> {
        let (mut scan, mut walk) = (Scan::new(text), Walk { trees: vec![self], found: Vec::new() });
        walk.value(&mut scan, 0)?;
        scan.is_done().then_some(walk.found)
    }
}

/// The way through one text.
struct Walk<'t, 'a> {
    /// The trees that lead through the values which are open; those of a value follow those of what it is in.
    trees: Vec<&'t Tree>,
    found: Found<'a>,
}

impl<'t, 'a> Walk<'t, 'a> {
    /// Reads the next value, through which the trees from `first` on lead, and forgets them.
    fn value(&mut self, scan: &mut Scan<'a>, first: usize) -> Option<()> {
        let ahead = scan.ahead();
        let mut at = first;
        while let Some(&tree) = self.trees.get(at) {
            let holds = tree.conditions.iter().filter(|(condition, _)| condition.holds(ahead));
            self.trees.extend(holds.map(|(_, tree)| tree));
            at += 1;
        }
        let of = first..self.trees.len();
        let value = if ahead.is_object() && self.any(|tree| !tree.names.is_empty(), first) {
            scan.object(&mut |scan, name| {
                self.part(scan, of.clone(), &|tree, trees| {
                    trees.extend(tree.names.iter().find(|(wanted, _)| *wanted == name).map(|(_, tree)| tree));
                })
            })
        } else if ahead.is_array() && self.any(|tree| !tree.items.is_empty(), first) {
            scan.array(&mut |scan, place| {
                self.part(scan, of.clone(), &|tree, trees| {
                    let here =
                        tree.items.iter().filter(|(wanted, _)| wanted.is_none_or(|wanted| wanted == place));
                    trees.extend(here.map(|(_, tree)| tree));
                })
            })
        } else {
            scan.value()
        }?;
        for tree in self.trees.drain(first..) {
            self.found.extend(tree.ends.iter().map(|&rule| (rule, value)));
        }
        Some(())
    }

    fn any(&self, has: impl Fn(&Tree) -> bool, first: usize) -> bool {
        self.trees.iter().skip(first).any(|tree| has(tree))
    }

    /// Reads a part of the value that the trees `of` lead through, along those that lead on.
    fn part(
        &mut self,
        scan: &mut Scan<'a>,
        of: Range<usize>,
        lead: &dyn Fn(&'t Tree, &mut Vec<&'t Tree>),
    ) -> Option<()> {
        let first = self.trees.len();
        for at in of {
            if let Some(&tree) = self.trees.get(at) {
                lead(tree, &mut self.trees);
            }
        }
        if self.trees.len() > first { self.value(scan, first) } else { scan.value().map(|_| ()) }
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
    /// Whether the path is one name: then it needs no splitting.
    is_name: bool,
    wants: Wants,
}

#[derive(Debug, PartialEq)]
enum Wants {
    One(Vec<Pattern>),
    None(Vec<Pattern>),
    Kind(&'static str),
    Absence,
    Presence,
}

impl Wants {
    /// Whether it matters which of several values, none of them empty, is there.
    fn compares(&self) -> bool {
        match self {
            Self::One(patterns) | Self::None(patterns) => {
                patterns.iter().any(|pattern| *pattern != ("", None))
            }
            Self::Kind(_) | Self::Absence | Self::Presence => false,
        }
    }
}

/// What a text begins and ends with; without an end it is the text itself.
type Pattern = (&'static str, Option<&'static str>);

impl Condition {
    pub(super) fn new(text: &'static str) -> Self {
        Self(text::split(text, &['&']).map(Test::new).collect())
    }

    /// Whether it holds for the first value of this text.
    pub(super) fn holds(&self, value: Json<'_>) -> bool {
        self.0.iter().all(|test| test.is_met(value))
    }
}

impl Test {
    fn new(text: &'static str) -> Self {
        let (path, wants) = if let Some((path, refused)) = text::split_once(text, "!=") {
            (path, Wants::None(patterns(refused).collect()))
        } else if let Some((path, wanted)) = text::split_once(text, "=") {
            (path, Wants::One(patterns(wanted).collect()))
        } else if let Some((path, kind)) = text::split_once(text, ":") {
            (path, Wants::Kind(kind))
        } else if let Some(path) = text.strip_prefix('!') {
            (path, Wants::Absence)
        } else {
            (text, Wants::Presence)
        };
        let is_name = !path.is_empty() && !path.bytes().any(|byte| SPECIAL.contains(&byte));
        Self { path, is_name, wants }
    }

    fn is_met(&self, value: Json<'_>) -> bool {
        let value = match self.is_name {
            true => value.get(self.path),
            false if self.path.is_empty() => value.alone(),
            false => first(value, self.path),
        };
        let is_one_of = |patterns: &[Pattern]| patterns.iter().any(|pattern| fits(*pattern, value.scalar()));
        match &self.wants {
            Wants::One(patterns) => is_one_of(patterns),
            Wants::None(patterns) => !is_one_of(patterns),
            Wants::Kind(kind) => value.kind() == *kind,
            Wants::Absence => !value.exists(),
            Wants::Presence => value.exists(),
        }
    }
}

/// Names of the values that the conditions of a path compare with something. Whether they are there and empty is no comparison.
pub(super) fn compared(path: &'static str) -> Vec<&'static str> {
    let (mut names, mut last) = (Vec::new(), "");
    steps(path, &mut |step| match step {
        Step::Name(name) => last = name,
        Step::Condition(Condition(tests)) => {
            let of = |test: &Test| if test.path.is_empty() { last } else { last_name(test.path) };
            names.extend(tests.iter().filter(|test| test.wants.compares()).map(of));
        }
        _ => {}
    });
    names
}

/// The last name in a path.
pub(super) fn last_name(path: &'static str) -> &'static str {
    let mut last = "";
    steps(path, &mut |step| {
        if let Step::Name(name) = step {
            last = name;
        }
    });
    last
}

fn steps(path: &'static str, on_step: &mut dyn FnMut(Step)) {
    let mut rest = path;
    while !rest.is_empty() {
        let (step, behind) = split(rest);
        on_step(step);
        rest = behind;
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
pub(super) fn matches(wanted: &'static str, text: &str) -> bool {
    patterns(wanted).any(|pattern| fits(pattern, text))
}

fn patterns(text: &'static str) -> impl Iterator<Item = Pattern> {
    text::split(text, &[',']).map(|pattern| match text::split_once(pattern, "*") {
        Some((start, end)) => (start, Some(end)),
        None => (pattern, None),
    })
}

fn fits((start, end): Pattern, text: &str) -> bool {
    match end {
        Some(end) => text.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => text == start,
    }
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
            let end = path.bytes().position(|byte| SPECIAL.contains(&byte)).unwrap_or(path.len());
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
        for (rule, value) in tree.follow(json).expect("JSON") {
            assert_eq!(rule, 7);
            values.push(value.scalar().to_owned());
        }
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
