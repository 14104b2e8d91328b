//! Validation of a site's own style sheet (`configData.cssContent`). The sheet is served as a separate file, never inserted into a
//! page, and the content security policy prevents it from loading external resources; this check rejects sheets that try to.

/// Longest sheet, in bytes.
const LONGEST: usize = 64 << 10;
/// URL prefixes from which a sheet may load images.
const PICTURES: [&str; 2] = ["/assets/sites/", "data:image/"];

/// The problem of a sheet, to follow its name in a message; `None` if it is valid.
pub fn fault(css: &str) -> Option<String> {
    if css.len() > LONGEST {
        return Some(format!("is {} bytes long; the limit is {LONGEST} bytes", css.len()));
    }
    if css.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Some("contains control characters".to_owned());
    }
    // Browsers decode escapes such as `@\69mport` and `u\72l(`, so the check works on the decoded text. Comments are not removed: they
    // separate tokens, and a string that looks like the start of a comment (`content: "/*"`) would hide the text after it.
    let plain = unescaped(css).to_lowercase();
    if let Some(word) = ["@import", "</"].into_iter().find(|word| plain.contains(word)) {
        return Some(format!("contains {word:?}, which is not allowed"));
    }
    if let Some(word) = ["src(", "image-set("].into_iter().find(|word| plain.contains(word)) {
        return Some(format!("contains {word:?}; load images with url(...)"));
    }
    plain.split("url(").skip(1).find_map(|after| {
        let address = after.trim_start().trim_start_matches(['"', '\'']);
        let climbs = address.split([')', '"', '\'']).next().unwrap_or_default().contains("..");
        let taken = !climbs && PICTURES.iter().any(|place| address.starts_with(place));
        let shown: String = address.chars().take(40).collect();
        (!taken).then(|| format!("loads {shown:?}; only files under /assets/sites/ and data:image/ URLs are allowed"))
    })
}

/// Decodes the CSS escapes in a text.
fn unescaped(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut digits = String::new();
        while digits.len() < 6 {
            let Some(digit) = rest.next_if(char::is_ascii_hexdigit) else { break };
            digits.push(digit);
        }
        if digits.is_empty() {
            out.extend(rest.next().filter(|c| *c != '\n'));
        } else {
            rest.next_if(|c| c.is_ascii_whitespace());
            out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn valid_sheets_are_accepted() {
        for css in [
            "",
            "a { color: red }",
            "@media (max-width: 40em) { .x::before { content: \"\\201C\"; background: url(/assets/sites/a.png) } }",
            ".y { background: url( 'data:image/svg+xml;base64,AA' ) }",
            "html { scroll-behavior: smooth } /* { a comment } */",
            "@font-face { font-family: x; src: url(data:image/x) }",
        ] {
            assert_eq!(fault(css), None, "{css}");
        }
    }

    #[test]
    fn external_resources_and_markup_are_rejected() {
        for css in [
            "@import 'https://evil.example/x.css';",
            "@\\69mport '/x.css';",
            "a::before { content: \"/*\" } b { background: url(//evil.example) } c::before { content: \"*/\" }",
            "a { background: url(https://evil.example/?a) }",
            "a { background: u\\72l(//evil.example) }",
            "a { background: URL(\"/rc-pub/front/x\") }",
            "a { background: url(/assets/sites/../../x) }",
            "a { background: image-set(\"x.png\" 1x) }",
            "</style><script>alert(1)</script>",
            "a { background: src(var(--x)) }",
            "a { color: \u{0}red }",
            &"a{}".repeat(40_000),
        ] {
            assert!(fault(css).is_some(), "{}", css.chars().take(60).collect::<String>());
        }
    }
}
