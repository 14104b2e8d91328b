//! Converts TeX formulas to MathML.

use html_escape::encode_double_quoted_attribute;
use pulldown_latex::{Parser, RenderConfig, Storage, config::DisplayMode, push_mathml};

use super::{mathml::sanitize_str, rewrite::rewritten};

/// Limit on the length of a formula in bytes.
const MAX_BYTES: usize = 32 << 10;
/// Limit on the depth of nested braces.
const MAX_DEPTH: usize = 100;

/// Why a formula could not be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MathError {
    /// The formula exceeds the limit of length or depth.
    #[error("the formula has {0} bytes or nests braces too deeply; at most 32 KiB and 100 levels are read")]
    TooLarge(usize),
    /// The formula defines commands, which could expand without end.
    #[error("the formula defines commands with {0}, which is not read: write the formula out")]
    Definition(&'static str),
    /// The formula is not supported TeX, for the parser's reason.
    #[error("the formula is not TeX that is understood: {0}")]
    Syntax(String),
}

/// Converts a TeX formula, with or without delimiters or a document around it, to a `<math>` element.
///
/// # Errors
/// [`MathError`] if the formula is too large, defines commands, or is not supported TeX.
pub fn tex_to_mathml(tex: &str, display: bool) -> Result<String, MathError> {
    let inner = tex_to_mathml_inner(tex, display)?;
    let kind = if display { "block" } else { "inline" };
    Ok(format!("<math display=\"{kind}\" alttext=\"{}\">{inner}</math>", encode_double_quoted_attribute(&source(tex))))
}

/// As [`tex_to_mathml`], without the `math` element.
pub(crate) fn tex_to_mathml_inner(tex: &str, display: bool) -> Result<String, MathError> {
    let tex = source(tex);
    check(&tex, MAX_DEPTH)?;
    let tex = rewritten(&tex);
    check(&tex, 2 * MAX_DEPTH)?;
    let storage = Storage::new();
    let mut events = Vec::new();
    for event in Parser::new(&tex, &storage) {
        events.push(event.map_err(|error| MathError::Syntax(error.to_string().chars().take(300).collect()))?);
    }
    let display_mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode, xml: true, ..RenderConfig::default() };
    let mut markup = String::new();
    let events = events.into_iter().map(Ok::<_, pulldown_latex::ParserError>);
    push_mathml(&mut markup, events, config).map_err(|error| MathError::Syntax(error.to_string()))?;
    // The renderer writes these characters of operators unescaped, and joins two attributes of sized delimiters without a space.
    // Both are corrected here.
    let mut markup =
        markup.replace("&amp;nbsp;", "\u{a0}").replace("&nbsp;", "\u{a0}").replace("\"minsize=", "\" minsize=");
    for (bare, escaped) in [
        // Rows of formulas have the size of a display formula.
        (
            "<mtable class=\"menv-alignlike",
            "<mtable displaystyle=\"true\" columnspacing=\"0em\" class=\"menv-alignlike",
        ),
        ("<mtable>", "<mtable displaystyle=\"true\">"),
        ("><</", ">&lt;</"),
        (">></", ">&gt;</"),
        (">&</", ">&amp;</"),
        ("><\u{338}</", ">&lt;\u{338}</"),
        (">>\u{338}</", ">&gt;\u{338}</"),
    ] {
        markup = markup.replace(bare, escaped);
    }
    sanitize_str(&markup).map(unwrap_row).ok_or_else(|| MathError::Syntax("its MathML is not well-formed".to_owned()))
}

/// Removes the row that the sanitizer makes of the inner `math` element.
fn unwrap_row(markup: String) -> String {
    let inner = markup.strip_prefix("<mrow>").and_then(|rest| rest.strip_suffix("</mrow>"));
    inner.map_or_else(|| markup.clone(), str::to_owned)
}

fn check(tex: &str, depth: usize) -> Result<(), MathError> {
    if tex.len() > MAX_BYTES * depth / MAX_DEPTH || nesting(tex) > depth {
        return Err(MathError::TooLarge(tex.len()));
    }
    let words = [
        "\\def",
        "\\gdef",
        "\\edef",
        "\\xdef",
        "\\let",
        "\\futurelet",
        "\\newcommand",
        "\\renewcommand",
        "\\providecommand",
    ];
    for word in words {
        let defines = tex
            .match_indices(word)
            .any(|(at, _)| !tex[at + word.len()..].starts_with(|c: char| c.is_ascii_alphabetic()));
        if defines {
            return Err(MathError::Definition(word));
        }
    }
    Ok(())
}

/// Upper bound of the parser's recursion: open groups, and commands in sequence without a letter between, because each may be the
/// argument of the one before.
fn nesting(tex: &str) -> usize {
    let (mut groups, mut chain, mut deepest) = (0_usize, 0_usize, 0_usize);
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '{' => groups += 1,
            '}' => {
                groups = groups.saturating_sub(1);
                chain = 0;
            }
            '^' | '_' => chain += 1,
            '\\' => {
                let word: usize = rest[1..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len() - 1);
                match &rest[1..=word] {
                    "left" | "begin" => groups += 1,
                    "right" | "end" => groups = groups.saturating_sub(1),
                    _ => chain += 1,
                }
                length += if word == 0 { rest[1..].chars().next().map_or(0, char::len_utf8) } else { word };
            }
            c if c.is_whitespace() => {}
            _ => chain = 0,
        }
        deepest = deepest.max(groups + chain);
        rest = &rest[length..];
    }
    deepest
}

/// The formula without preamble, document, delimiters and comments.
#[must_use]
pub fn source(tex: &str) -> String {
    let mut tex = tex.trim();
    if let Some((_, rest)) = tex.split_once("\\begin{document}") {
        tex = rest.split("\\end{document}").next().unwrap_or(rest).trim();
    }
    for (open, close) in [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")] {
        if let Some(inner) = tex.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            tex = inner.trim();
            break;
        }
    }
    // Trimming would remove the space of a control space at the end.
    let slashes = tex.len() - tex.trim_end_matches('\\').len();
    if slashes % 2 == 1 { format!("{tex} ") } else { tex.to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn formulas_with_documents_delimiters_and_old_commands_are_converted() {
        let document = "\\documentclass{minimal}\\usepackage{amsmath}\\begin{document}$$\\frac{a}{b}$$\\end{document}";
        assert!(tex_to_mathml(document, true).unwrap().contains("<mfrac>"));
        for tex in [
            "\\mathrm { T i C _ { P } / A l }",
            "{\\rm d}x",
            "\\begin{eqnarray*}a&=&b\\\\c&=&d\\end{eqnarray*}",
            "\\frak{A}",
            "\\upmu m",
            "x^{\\prime}",
            "\\mathop{\\rm lim}\\limits_{n}",
            "a<b>c\\&d~e",
            "x\\ ",
            "\\begin{array} { r c l } { 1 } & 2 & 3 \\end{array}",
            "\\begin{array}{*{20}{c}}a\\end{array}",
            "\\left \\lt a\\right \\gt",
        ] {
            let made = tex_to_mathml(tex, true).unwrap_or_else(|error| panic!("{tex}: {error}"));
            assert!(!made.contains(" style=") && !made.contains("merror"), "{tex}: {made}");
        }
    }

    #[test]
    fn definitions_and_deep_nesting_are_refused() {
        assert!(matches!(tex_to_mathml("\\def\\a{\\a\\a}\\a", false), Err(MathError::Definition(_))));
        assert!(matches!(tex_to_mathml(&"{".repeat(100_000), false), Err(MathError::TooLarge(_))));
        let tried = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
            for piece in [
                "\\left(",
                "\\sqrt",
                "\\begin{matrix}",
                "x^",
                "x^{",
                "\\frac",
                "\\hat",
                "\\text",
                "\\sqrt\\hat ",
                "\\mathrm{",
                "\\begin{array}{c}",
                "\\sqrt[",
                "a\\over ",
            ] {
                for times in [90, 3000] {
                    let _ = tex_to_mathml(&piece.repeat(times), false);
                    let _ = tex_to_mathml(&format!("{}x{}", piece.repeat(times), "}".repeat(times)), false);
                }
            }
        });
        tried.unwrap().join().unwrap();
        assert!(matches!(tex_to_mathml("\\nosuchcommand x", false), Err(MathError::Syntax(_))));
    }

    #[test]
    fn text_is_escaped() {
        let made = tex_to_mathml("\\text{<img src=x onerror=alert(1)>}", false).unwrap();
        assert!(!made.contains("<img"), "{made}");
        assert!(!tex_to_mathml("a\"<b", false).unwrap().contains("\"<b"));
    }
}
