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
    // Browsers read `@\69mport` and `u\rl(` as what they hide: the check sees what browsers see.
    let plain = without_comments(&unescaped(css)).to_lowercase();
    let refused = ["@import", "@namespace", "</", "<!--", "expression(", "javascript:", "behavior:", "-moz-binding"];
    if let Some(word) = refused.into_iter().find(|word| plain.contains(word)) {
        return Some(format!("holds {word:?}, which is not taken"));
    }
    let functions = ["url(", "src(", "image-set("];
    if let Some(word) = functions[1..].iter().find(|word| plain.contains(**word)) {
        return Some(format!("holds {word:?}; pictures are named with url(...)"));
    }
    let mut rest = plain.as_str();
    while let Some((_, after)) = rest.split_once(functions[0]) {
        let address = after.trim_start().trim_start_matches(['"', '\'']);
        let climbs = address.split([')', '"', '\'']).next().unwrap_or_default().contains("..");
        if climbs || !PICTURES.iter().any(|place| address.starts_with(place)) {
            let shown: String = address.chars().take(40).collect();
            return Some(format!("loads {shown:?}; only files under /assets/sites/ and data:image/ may be loaded"));
        }
        rest = after;
    }
    let depth = plain.chars().try_fold(0_i32, |depth, c| match c {
        '{' => Some(depth + 1),
        '}' => (depth > 0).then_some(depth - 1),
        _ => Some(depth),
    });
    (depth != Some(0)).then(|| "has braces that do not match".to_owned())
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

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
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
            "/* @import is a word here only */ b { top: 0 }",
        ] {
            assert_eq!(fault(css), None, "{css}");
        }
    }

    #[test]
    fn what_loads_from_elsewhere_or_breaks_out_is_refused() {
        for css in [
            "@import 'https://evil.example/x.css';",
            "@\\69mport '/x.css';",
            "@imp/**/ort 'x';",
            "a { background: url(https://evil.example/?a) }",
            "a { background: u\\72l(//evil.example) }",
            "a { background: URL(\"/rc-pub/front/x\") }",
            "a { background: url(/assets/sites/../../x) }",
            "a { background: image-set(\"x.png\" 1x) }",
            "</style><script>alert(1)</script>",
            "a { width: expression(alert(1)) }",
            "a { color: red",
            "} a { color: red {",
            "a { color: \u{0}red }",
            &"a{}".repeat(40_000),
        ] {
            assert!(fault(css).is_some(), "{}", css.chars().take(60).collect::<String>());
        }
    }
}
