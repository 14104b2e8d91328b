//! A site's own style sheet (`configData.cssContent`). It is served as a file of the site, never written into a page, and the
//! documents' policy lets a style load nothing from elsewhere; what is checked here keeps a sheet from asking for it.

/// Longest sheet in bytes.
const LONGEST: usize = 64 << 10;
/// Where a sheet may load pictures from.
const PICTURES: [&str; 2] = ["/assets/sites/", "data:image/"];

/// What is wrong with a sheet, or `None`.
pub fn fault(css: &str) -> Option<String> {
    if css.len() > LONGEST {
        return Some(format!("is {} bytes long; {LONGEST} are taken", css.len()));
    }
    if css.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Some("holds control characters".to_owned());
    }
    // Browsers read `@\69mport` and `u\72l(` as what they hide: the check sees what browsers see. Comments are not taken out:
    // they part words, and a text that only looks like one (`content: "/*"`) would hide what follows.
    let plain = unescaped(css).to_lowercase();
    if let Some(word) = ["@import", "</"].into_iter().find(|word| plain.contains(word)) {
        return Some(format!("holds {word:?}, which is not taken"));
    }
    if let Some(word) = ["src(", "image-set("].into_iter().find(|word| plain.contains(word)) {
        return Some(format!("holds {word:?}; pictures are named with url(...)"));
    }
    plain.split("url(").skip(1).find_map(|after| {
        let address = after.trim_start().trim_start_matches(['"', '\'']);
        let climbs = address.split([')', '"', '\'']).next().unwrap_or_default().contains("..");
        let taken = !climbs && PICTURES.iter().any(|place| address.starts_with(place));
        let shown: String = address.chars().take(40).collect();
        (!taken).then(|| format!("loads {shown:?}; only files under /assets/sites/ and data:image/ may be loaded"))
    })
}

/// The text with CSS escapes replaced by what they stand for.
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
    fn ordinary_rules_pass() {
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
    fn what_loads_from_elsewhere_or_breaks_out_is_refused() {
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
