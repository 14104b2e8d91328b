//! Encoding of text for HTML, URLs and tokens.

use std::fmt::Write as _;

/// Escapes text for HTML elements and quoted attributes.
#[must_use]
pub fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Percent-encodes a value for a path segment or a query: everything except ASCII letters, digits and `-._~`.
#[must_use]
pub fn percent_encode(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Encodes names and values as `a=1&b=2`, for a query or a form.
#[must_use]
pub fn query_string<K: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (K, V)>) -> String {
    let encoded = pairs
        .into_iter()
        .map(|(name, value)| format!("{}={}", percent_encode(name.as_ref()), percent_encode(value.as_ref())));
    encoded.collect::<Vec<_>>().join("&")
}

/// Appends query parameters to an address.
#[must_use]
pub fn with_query<K: AsRef<str>, V: AsRef<str>>(address: &str, pairs: impl IntoIterator<Item = (K, V)>) -> String {
    let query = query_string(pairs);
    match (address.contains('?'), query.is_empty()) {
        (_, true) => address.to_owned(),
        (false, _) => format!("{address}?{query}"),
        (true, _) if address.ends_with(['?', '&']) => format!("{address}{query}"),
        (true, _) => format!("{address}&{query}"),
    }
}

/// Encodes bytes as URL-safe Base64 (`-` and `_`) without padding.
#[must_use]
pub fn base64_url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().enumerate().fold(0_u32, |group, (at, byte)| group | u32::from(*byte) << (16 - 8 * at));
        for at in 0..=chunk.len() {
            out.push(char::from(LETTERS[(group >> (18 - 6 * at)) as usize & 63]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape_html(r#"<a href="x">'&"#), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    }

    #[test]
    fn query_values_are_encoded() {
        let pairs = [("q", "海 & sea"), ("e", "")];
        assert_eq!(with_query("https://a.example/x", pairs), "https://a.example/x?q=%E6%B5%B7%20%26%20sea&e=");
        assert_eq!(with_query("https://a.example/x?y=1", pairs), "https://a.example/x?y=1&q=%E6%B5%B7%20%26%20sea&e=");
        assert_eq!(with_query("https://a.example/x", [("", ""); 0]), "https://a.example/x");
    }

    #[test]
    fn base64_follows_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("??>", "Pz8-")]
        {
            assert_eq!(base64_url(bytes.as_bytes()), text);
        }
    }
}
