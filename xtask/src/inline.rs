//! The binary as text inside a JavaScript module.
//!
//! Base64 mixes the bits of neighbouring bytes, and a compressor no longer sees the repeats. Here each byte
//! stays a character of its own: the 87 most frequent bytes one printable character, printable ones
//! themselves where they can; all others a prefix and a character. The text is ASCII, so
//! no bundler escapes it and a classic script served with a wrong charset decodes the same; it has no quote,
//! backslash, `$` or `<`, so it can stand in any string and in any HTML.
//!
//! Measured on an engine of 197,591 bytes (gzip 9: 94,921, brotli 11: 79,689):
//!
//! | text                                    | raw     | gzip    | brotli  | over the binary |
//! | --------------------------------------- | ------- | ------- | ------- | --------------- |
//! | base64                                  | 263,456 | 118,302 | 102,638 | 28.8 %          |
//! | Latin-1, escaped to ASCII by a bundler  | 488,344 | 111,540 |  88,936 | 11.6 %          |
//! | hexadecimal                             | 395,182 | 102,478 |  84,182 | 5.6 %           |
//! | printable bytes as is, others prefixed  | 316,062 |       – |  84,030 | 5.4 %           |
//! | Latin-1 in UTF-8                        | 247,071 |  98,769 |  81,773 | 2.6 %           |
//! | this one, with its table                | 217,610 |  93,700 |  81,209 | 1.9 %           |
//! | two letters, one alphabet for each half | 395,182 | 105,958 |  80,462 | 1.0 %           |
//!
//! The last is not worth twice the text to parse and 13 % more under gzip.
use anyhow::{Context, Result};
use std::fmt::Write;

/// Types of the module.
pub const DECLARATION: &str =
    "/** The engine's binary. */\nexport function bytes(): Uint8Array<ArrayBuffer>;\n";

/// Announce a character of the second and of the third alphabet.
const PREFIXES: &[u8] = b"}~";

const DECODER: &str = r#"
// Made by `cargo xtask build`; xtask/src/inline.rs says how it is written and why.
/** The engine's binary. */
export function bytes() {
  const singles = ALPHABET.length - 2;
  const order = ORDER.match(/../g).map((hex) => parseInt(hex, 16));
  for (let byte = 0; byte < 256; byte++) if (!order.includes(byte)) order.push(byte);
  const places = new Uint8Array(128);
  for (let place = 0; place < ALPHABET.length; place++) places[ALPHABET.charCodeAt(place)] = place;
  const out = new Uint8Array(LENGTH);
  for (let at = 0, offset = 0, i = 0; i < TEXT.length; i++) {
    const place = places[TEXT.charCodeAt(i)];
    if (place < singles) {
      out[at++] = order[place + offset];
      offset = 0;
    } else {
      offset = (place - singles + 1) * singles;
    }
  }
  return out;
}
"#;

/// The module whose `bytes()` gives back `binary`.
pub fn module(binary: &[u8]) -> Result<String> {
    let alphabet = alphabet();
    let order = order(binary, &alphabet);
    let text = encode(binary, &alphabet, &order).context("256 bytes fit in three alphabets")?;
    let singles = order.iter().take(alphabet.len()).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    let letters = String::from_utf8([&alphabet, PREFIXES].concat())?;
    Ok(format!(
        "const ALPHABET = \"{letters}\";\nconst ORDER = \"{singles}\";\nconst LENGTH = {};\nconst TEXT = \"{text}\";{DECODER}",
        binary.len()
    ))
}

/// What stands for itself in every kind of string, in HTML, and is no prefix.
fn alphabet() -> Vec<u8> {
    (b' '..=b'~').filter(|byte| !b"\"'`\\$<".contains(byte) && !PREFIXES.contains(byte)).collect()
}

/// All bytes: those that get one character, in the order of the alphabet, then the others.
fn order(binary: &[u8], alphabet: &[u8]) -> Vec<u8> {
    let mut counts = [0_usize; 256];
    for byte in binary {
        counts[usize::from(*byte)] += 1;
    }
    let mut ranked: Vec<u8> = (0..=255).collect();
    ranked.sort_by_key(|byte| std::cmp::Reverse(counts[usize::from(*byte)]));
    let (frequent, _) = ranked.split_at(alphabet.len());
    let mut displaced = frequent.iter().filter(|byte| !alphabet.contains(byte));
    let mut order: Vec<u8> = alphabet
        .iter()
        .map(|letter| if frequent.contains(letter) { letter } else { displaced.next().unwrap_or(letter) })
        .copied()
        .collect();
    order.extend((0..=255).filter(|byte| !frequent.contains(byte)));
    order
}

fn encode(binary: &[u8], alphabet: &[u8], order: &[u8]) -> Option<String> {
    let mut codes = vec![String::new(); 256];
    for (place, byte) in order.iter().enumerate() {
        let (page, letter) = (place / alphabet.len(), place % alphabet.len());
        let prefix = page.checked_sub(1).map(|page| PREFIXES.get(page)).into_iter();
        for part in prefix.chain([alphabet.get(letter)]) {
            codes[usize::from(*byte)].push(char::from(*part?));
        }
    }
    Some(binary.iter().map(|byte| codes[usize::from(*byte)].as_str()).collect())
}
