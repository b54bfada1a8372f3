use super::*;

/// Protects: walking by name, whatever the blanks, the order and the nesting.
#[test]
fn members_are_found_by_path() {
    let json =
        Json::new(" { \"a\" : [ 1 , {\"b\":\"x,}]\\\"y\"} , [] ] , \"c\":{ } , \"n\":null,\"t\":true } ");
    let [a, c, n, t, none] = json.pick(&["a", "c", "n", "t", "none"]);
    assert_eq!(a.items().count(), 3);
    let inner: String = a.items().nth(1).map(|item| item.get("b").chars().collect()).unwrap_or_default();
    assert_eq!(inner, "x,}]\"y");
    assert!(c.is_object() && !c.has_parts() && a.has_parts() && t.is_true());
    assert!(n != Json::NONE && !n.exists() && none == Json::NONE);
}

/// Protects: of a repeated name the first counts, and a name may be written with escapes.
#[test]
fn names_are_compared_as_browsers_do() {
    let json = Json::new(r#"{"\u0061":1,"a":2,"b":{"a":3}}"#);
    assert_eq!(json.get("a").u32(), Some(1));
    assert!(Json::new(r#""t\u0065xt""#).is("text"));
}

/// Protects: every escape, pairs of surrogates, and lone ones as the replacement character.
#[test]
fn strings_are_unescaped() {
    let text = |written: &str| Json::new(written).chars().collect::<String>();
    assert_eq!(text(r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#), "\"\\/\u{8}\u{c}\n\r\té😀é");
    assert_eq!(text(r#""\ud83d""#), "\u{FFFD}");
    assert_eq!(text(r#""\ude00\ud83dx\ud83d\u0041""#), "\u{FFFD}\u{FFFD}x\u{FFFD}A");
    assert_eq!(text(r#""\ud83d\ud83d\ude00""#), "\u{FFFD}😀");
    assert_eq!(text("12"), "");
}

/// Protects: numbers as counts: no sign, no fraction, no overflow.
#[test]
fn numbers_are_counts() {
    let number = |written: &str| Json::new(written).u32();
    assert_eq!([number("0"), number("17.9"), number("99999999999")], [Some(0), Some(17), Some(u32::MAX)]);
    assert_eq!([number("-1"), number("null"), number("\"1\""), number("")], [None; 4]);
}

/// Protects: the walk over cut or broken text ends and gives no wrong value.
#[test]
fn broken_text_is_survived() {
    let written = r#"{"a":{"b":["x\u00e9",{"c":1}]},"d":"é"}"#;
    for (cut, _) in written.char_indices() {
        let json = Json::new(&written[..cut]);
        let found = json.get("a").get("b").items().filter(|item| item.is("xé")).count();
        let last = json.get("d");
        assert!(found <= 1 && (last.is("é") || last.plain().is_empty()), "cut at {cut}");
        assert!(!check(&written[..cut]), "cut at {cut}");
    }
    for odd in ["}", "]", "\"", "\"\\", ":", ",", "{:", "{\"a\"", "[[[", "{]}", "\\"] {
        assert_eq!(Json::new(odd).get("a").items().count(), 0, "{odd}");
        assert!(!check(odd), "{odd}");
    }
}

/// Protects: the check knows the grammar, and its depth has a limit on both kinds of bracket.
#[test]
fn the_check_knows_the_grammar() {
    for right in ["0", "-0.5e+3", "\"\"", " [ ] ", "{\"a\":[{}],\"b\":false}", "null"] {
        assert!(check(right), "{right}");
    }
    for wrong in [
        "",
        "01",
        "1.",
        "+1",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "nul",
        "[1 2]",
        "\"\t\"",
        "\"\\x\"",
        "{}{}",
    ] {
        assert!(!check(wrong), "{wrong}");
    }
    let nested = |depth: u32| "[".repeat(depth as usize) + &"]".repeat(depth as usize);
    assert!(check(&nested(DEPTH_LIMIT)) && !check(&nested(DEPTH_LIMIT + 2)));
}
