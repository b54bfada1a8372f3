//! Engine and major version out of the user agent string.
//!
//! May touch: `label`. Every iOS browser is WebKit whatever it calls itself; the version is the engine's where it has one.
use super::label::Id;
use super::text;

/// `chromium/156`, `firefox/153`, `webkit/26`; `unknown/0` otherwise.
pub fn engine(user_agent: &str) -> Id {
    const MARKS: [(&str, &str); 5] = [
        ("Firefox/", "firefox/"),
        ("Chrome/", "chromium/"),
        ("Chromium/", "chromium/"),
        ("Version/", "webkit/"),
        ("AppleWebKit/", "webkit/"),
    ];
    let found =
        MARKS.iter().find_map(|(mark, name)| Some((*name, major(text::split_once(user_agent, mark)?.1)?)));
    let (name, version) = found.unwrap_or(("unknown/", "0"));
    let mut full = String::from(name);
    full.push_str(version);
    Id::new(&full).unwrap_or_default()
}

fn major(rest: &str) -> Option<&str> {
    let version = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    (!version.is_empty() && version.len() <= 6).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::engine;

    /// Protects: engines are told apart although each claims to be the others.
    #[test]
    fn names_the_engine() {
        let cases = [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
                "chromium/156",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "firefox/153"),
            (
                "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
                "webkit/26",
            ),
            (
                "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140 Mobile Safari/604.1",
                "webkit/605",
            ),
            ("", "unknown/0"),
        ];
        for (user_agent, expected) in cases {
            assert_eq!(engine(user_agent).as_str(), expected);
        }
    }
}
