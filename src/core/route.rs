//! The template of a URL's path: what kind of page or endpoint it is, not which one.
//!
//! May touch: `label`. Host, query and fragment are dropped; a segment that could name a person,
//! a conversation or its title becomes `:id`.
use super::label::Id;
use super::text;

const SEGMENTS: usize = 12;
const BYTES: usize = 96;
/// A segment from this length on is an id if it has a digit, and from twice this length on anyway.
const LONG: usize = 16;
/// Words of a slug from which it is a title rather than a name.
const TITLE_WORDS: usize = 5;

/// The template of the path of a URL, absolute or relative.
pub fn template(url_or_path: &str) -> Id {
    let mut template = String::new();
    for segment in text::split(path(url_or_path), &['/']).filter(|segment| !segment.is_empty()).take(SEGMENTS)
    {
        let segment = if is_id(segment) { ":id" } else { segment };
        if template.len() + 1 + segment.len() > BYTES {
            break;
        }
        template.push('/');
        template.push_str(segment);
    }
    if template.is_empty() {
        template.push('/');
    }
    // Every segment was checked, so this is an identifier; the rest is for the compiler.
    Id::new(&template).unwrap_or_else(|| self::template(""))
}

fn path(url: &str) -> &str {
    let url = text::split(url, &['?', '#']).next().unwrap_or_default();
    let after_scheme = match text::split_once(url, "//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => Some(rest),
        _ => None,
    };
    match after_scheme {
        Some(rest) => rest.find(&['/'][..]).and_then(|at| rest.get(at..)).unwrap_or_default(),
        // "data:", "mailto:" and the like have no path, only content.
        None if text::split(url, &['/']).next().is_some_and(|first| first.contains(&[':'][..])) => "",
        None => url,
    }
}

fn is_id(segment: &str) -> bool {
    let length = segment.len();
    let [mut small, mut large, mut digits, mut hex, mut marks] = [0; 5];
    for byte in segment.bytes() {
        small += usize::from(byte.is_ascii_lowercase());
        large += usize::from(byte.is_ascii_uppercase());
        digits += usize::from(byte.is_ascii_digit());
        hex += usize::from(byte.is_ascii_hexdigit() || byte == b'-');
        marks += usize::from(matches!(byte, b'-' | b'_' | b'.'));
    }
    small + large + digits + marks < length
        || digits == length
        || (length >= 8 && hex == length)
        || (length >= 8 && digits > 0 && small > 0 && large > 0)
        || (length >= LONG && digits > 0)
        || length >= 2 * LONG
        || marks + 1 >= TITLE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Protects: the templates of the URLs that chat pages have.
    #[test]
    fn templates_of_usual_urls() {
        for (url, expected) in [
            ("https://chat.example.com/c/68b0c7f2-1234-8321-9abc-0123456789ab?model=x#end", "/c/:id"),
            ("/api/chat", "/api/chat"),
            ("api/chat", "/api/chat"),
            ("//cdn.example.com/v1/chat/completions", "/v1/chat/completions"),
            ("https://example.com", "/"),
            ("", "/"),
            ("/", "/"),
            ("?q=secret", "/"),
            ("/users/42/threads/thread_abc123DEF456ghi7/runs", "/users/:id/threads/:id/runs"),
            ("/share/deadbeef", "/share/:id"),
            ("/u/anna@example.com", "/u/:id"),
            ("/wiki/Gr%C3%B6%C3%9Fe", "/wiki/:id"),
            ("/wiki/größe", "/wiki/:id"),
            ("/c/why-does-my-back-hurt", "/c/:id"),
            ("/c/V1StGXR8_Z5jdHi6B", "/c/:id"),
            ("/watch/dQw4w9WgXcQ", "/watch/:id"),
            ("/v1beta/models/gemini-2.5-pro:streamGenerateContent", "/v1beta/models/:id"),
            ("/openai/deployments/gpt-4o/chat/completions", "/openai/deployments/gpt-4o/chat/completions"),
            ("/conversation_history", "/conversation_history"),
            ("data:text/plain,secret", "/"),
            ("mailto:anna@example.com", "/"),
            ("blob:https://example.com/68b0c7f2-1234-8321-9abc-0123456789ab", "/:id"),
        ] {
            assert_eq!(template(url).as_str(), expected, "{url}");
        }
    }

    /// Protects: a template is short whatever the URL is.
    #[test]
    fn a_template_is_bounded() {
        assert_eq!(template(&"/a".repeat(50)).as_str(), "/a".repeat(SEGMENTS));
        assert!(template(&"/administration".repeat(20)).as_str().len() <= BYTES);
    }

    proptest! {
        /// Protects: any text gives a template, and it is the template of itself where it has no id.
        #[test]
        fn any_url_has_a_template(url in "\\PC{0,120}|(https?://)?[a-z0-9/.?#:@-]{0,150}") {
            let once = template(&url);
            prop_assert!(once.as_str().starts_with('/') && once.as_str().len() <= BYTES);
            if !once.as_str().contains(':') {
                prop_assert_eq!(template(once.as_str()), once);
            }
        }
    }
}
