use super::*;
use proptest::prelude::*;

fn text(text: &str) -> Option<Method> {
    useful(text, Shape::NONE, &Limits::default())
}

/// Protects: a source, a table or a block of code counts whatever the text says.
#[test]
fn structure_comes_before_text() {
    assert_eq!(useful("Sure!", Shape::CITATION, &Limits::default()), Some(Method::Structure));
    assert_eq!(useful("", Shape::CODE | Shape::TABLE, &Limits::default()), Some(Method::Structure));
    assert_eq!(useful("", Shape::from_bits(0x80), &Limits::default()), None);
}

/// Protects: the threshold in words and the one in characters, either of which suffices.
#[test]
fn eight_words_or_forty_characters() {
    assert_eq!(text("It is a way to do"), None);
    assert_eq!(text("It is a way to do it by"), Some(Method::Text));
    assert_eq!(text("Photosynthesis is the transformation of"), None);
    assert_eq!(text("Photosynthesis is the transformation of l"), Some(Method::Text));
}

/// Protects: fillers, one or many, in each language, are not content.
#[test]
fn preambles_are_not_useful() {
    for filler in [
        "Sure! Great question. Let me walk you through this step by step, from the beginning.",
        "**Certainly!** I’d be happy to help you with that. Here’s a short summary of the main points:",
        "Of course, I'd be happy to explain how photosynthesis works in plants and",
        "Natürlich! Das ist eine gute Frage. Hier sind die wichtigsten Punkte für deinen Umzug:",
        "Bien sûr ! Je vais vous expliquer comment fonctionne la photosynthèse dans les plantes.",
        "¡Claro! A continuación te explico cómo funciona la fotosíntesis en las plantas.",
        "Claro! Vou explicar como funciona a fotossíntese nas plantas, passo a passo.",
        "Certo! Di seguito trovi una spiegazione di come funziona la fotosintesi nelle piante.",
        "当然可以！下面我来为您详细介绍一下光合作用的基本原理和过程：",
        "もちろんです。以下に光合成の仕組みについてわかりやすく説明します。",
    ] {
        assert_eq!(text(filler), None, "{filler}");
    }
}

/// Protects: what follows a preamble counts, and counts alone.
#[test]
fn content_after_a_preamble_counts() {
    assert_eq!(text("Sure! Plants turn"), None);
    assert_eq!(text("Sure! Plants turn sunlight, water and air into sugar and oxygen."), Some(Method::Text));
    assert_eq!(text("当然可以！光合作用是植物利用阳光制造养分的过程。"), Some(Method::Text));
}

/// Protects: "here is" announces only with a colon, and a very long sentence is no preamble.
#[test]
fn not_every_beginning_is_a_preamble() {
    assert_eq!(text("Here is where the river Rhine leaves Lake Constance."), Some(Method::Text));
    assert_eq!(text("Surely the fastest way is to take the train."), Some(Method::Text));
    let long = "Let me be clear that the tax applies to all goods that were bought in the country by people who do not live there.";
    assert_eq!(text(long), Some(Method::Text));
}

/// Protects: a number or an abbreviation does not end a sentence.
#[test]
fn marks_inside_words_do_not_end_a_sentence() {
    assert_eq!(text("Let me compute 3.14159 times 2.5 squared at 12:30 for you"), None);
}

/// Protects: a language without a list needs more text, so that its preamble is not mistaken.
#[test]
fn an_unknown_language_needs_eighty_characters() {
    let polish = "Oczywiście! Fotosynteza zachodzi wtedy, gdy rośliny przetwarzają światło";
    assert_eq!(text(polish), None);
    assert_eq!(text(&(polish.to_owned() + " słoneczne, wodę")), Some(Method::Length));
    assert_eq!(text("Конечно! Фотосинтез — это процесс, при котором растения"), None);
}

/// Protects: the application's own limits.
#[test]
fn limits_can_be_set() {
    let strict = Limits { min_words: 100, min_characters: 1000 };
    let answer = "The tower was built in 1889 and it is 330 metres high. ".repeat(3);
    assert_eq!(useful(&answer, Shape::NONE, &strict), None);
    let short = Limits { min_words: 1, min_characters: 1 };
    assert_eq!(useful("法", Shape::NONE, &short), Some(Method::Text));
}

proptest! {
    /// Protects: any text is judged without panic, and structure always wins.
    #[test]
    fn any_text_is_judged(any in "\\PC{0,300}") {
        text(&any);
        prop_assert_eq!(useful(&any, Shape::MATH, &Limits::default()), Some(Method::Structure));
    }

    /// Protects: no blank or mark is ever useful.
    #[test]
    fn marks_alone_are_never_useful(any in "[ \\n\\t.!?:…▍*#-]{0,200}") {
        prop_assert_eq!(text(&any), None);
    }
}
