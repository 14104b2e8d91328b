//! A site's own style sheet (`configData.cssContent`): parsed as browsers parse it, refused where it asks for something that a site may
//! not have, and written again from its tokens, with every selector limited to the site's root. Browsers get what was checked, as a file
//! of the site; nothing of it is inserted into a page.

mod files;
mod selector;
#[cfg(test)]
mod tests;

use cssparser::{Delimiter, ParseError, ParseErrorKind, Parser, ToCss, Token};

pub use self::files::files;

/// Longest sheet, in bytes.
const LONGEST: usize = 64 << 10;
/// Greatest depth of blocks, brackets and functions in each other.
const DEEPEST: u8 = 24;
/// Where a sheet may load pictures and fonts from.
const FILES: [&str; 2] = ["/assets/sites/", "data:image/"];
/// Functions that load files by other means than `url(...)`, or that ran scripts in old browsers.
const REFUSED_FUNCTIONS: [&str; 6] = ["image-set", "-webkit-image-set", "image", "src", "expression", "-moz-element"];
/// Properties that ran scripts in old browsers.
const REFUSED_PROPERTIES: [&str; 2] = ["behavior", "-moz-binding"];
/// At-rules with rules in them.
const GROUPS: [&str; 4] = ["media", "supports", "container", "layer"];

/// The outcome of reading a part of a sheet; the error says what is not allowed.
type Parsed<T> = Result<T, ParseError<String>>;

/// The sheet as it is served: checked, and limited to the elements of the site's root.
///
/// # Errors
/// What is not allowed, to follow the sheet's name in a message.
pub fn scoped(css: &str) -> Result<String, String> {
    if css.len() > LONGEST {
        return Err(format!("is {} bytes long; the limit is {LONGEST} bytes", css.len()));
    }
    if css.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err("contains control characters".to_owned());
    }
    // What is written behind such an end would be read as a part of it.
    if css.ends_with('\\') {
        return Err("ends within an escape".to_owned());
    }
    let mut parser = Parser::new(css);
    parser.set_nested_block_limit(DEEPEST);
    let mut out = String::with_capacity(css.len() * 2);
    rules(&mut parser, &mut out).map(|()| out).map_err(|error| {
        let line = parser.current_source_location().line + 1;
        match error.kind {
            ParseErrorKind::Custom(message) => format!("{message} (in the rule that ends in line {line})"),
            ParseErrorKind::Basic(kind) => format!("is not well formed: {kind} (in the rule that ends in line {line})"),
        }
    })
}

/// The problem of a sheet, to follow its name in a message; `None` if it is valid.
pub fn fault(css: &str) -> Option<String> {
    scoped(css).err()
}

fn refused<T>(message: impl Into<String>) -> Parsed<T> {
    Err(ParseError::custom(message.into()))
}

/// The next token with its text; `None` at the end of what the parser may read.
fn next<'i>(input: &mut Parser<'i>) -> Option<(Token<'i>, &'i str)> {
    let start = input.position();
    let token = input.next_including_whitespace_and_comments().ok()?.clone();
    Some((token, input.slice_from(start)))
}

/// Rules of a sheet, or of the block of an at-rule.
fn rules(input: &mut Parser<'_>, out: &mut String) -> Parsed<()> {
    loop {
        input.skip_whitespace();
        let start = input.state();
        match next(input) {
            None => return Ok(()),
            Some((Token::AtKeyword(name), _)) => at_rule(&name.to_ascii_lowercase(), input, out)?,
            Some((Token::CDO | Token::CDC, _)) => return refused("contains an HTML comment"),
            Some(_) => {
                input.reset(&start);
                let selectors = input.parse_until_before(Delimiter::CurlyBracketBlock, selector::list)?;
                block(&selectors, input, out, declarations)?;
            }
        }
    }
}

fn at_rule(name: &str, input: &mut Parser<'_>, out: &mut String) -> Parsed<()> {
    let inside: fn(&mut Parser<'_>, &mut String) -> Parsed<()> = match name {
        "keyframes" | "-webkit-keyframes" => frames,
        "font-face" => declarations,
        group if GROUPS.contains(&group) => rules,
        other => return refused(format!("contains \"@{other}\", which is not allowed")),
    };
    let mut head = format!("@{name}");
    input.parse_until_before(Delimiter::CurlyBracketBlock | Delimiter::Semicolon, |part| copy(part, &mut head))?;
    block(&head, input, out, inside)
}

/// The frames of an animation.
fn frames(input: &mut Parser<'_>, out: &mut String) -> Parsed<()> {
    loop {
        input.skip_whitespace();
        if input.is_exhausted() {
            return Ok(());
        }
        let mut at = String::new();
        input.parse_until_before(Delimiter::CurlyBracketBlock, |part| copy(part, &mut at))?;
        block(&at, input, out, declarations)?;
    }
}

/// The block that follows, behind its head.
fn block(
    head: &str,
    input: &mut Parser<'_>,
    out: &mut String,
    inside: fn(&mut Parser<'_>, &mut String) -> Parsed<()>,
) -> Parsed<()> {
    if input.expect_curly_bracket_block().is_err() {
        return refused("has a rule without a block");
    }
    out.push_str(head.trim_end());
    out.push('{');
    input.parse_nested_block(|part| inside(part, out))?;
    out.push_str("}\n");
    Ok(())
}

/// The declarations of a rule. Rules in a rule are refused: they are written beside it.
fn declarations(input: &mut Parser<'_>, out: &mut String) -> Parsed<()> {
    loop {
        input.skip_whitespace();
        let (name, text) = match next(input) {
            None => return Ok(()),
            Some((Token::Semicolon, _)) => continue,
            Some((Token::Ident(name), text)) => (name.to_ascii_lowercase(), text),
            Some((_, text)) => return refused(format!("has {text:?} where a property has to be")),
        };
        if REFUSED_PROPERTIES.contains(&name.as_str()) {
            return refused(format!("sets {name:?}, which is not allowed"));
        }
        if input.expect_colon().is_err() {
            return refused(format!("has no value for {name:?}"));
        }
        out.push_str(text);
        out.push(':');
        input.parse_until_before(Delimiter::Semicolon, |part| copy(part, out))?;
        out.push(';');
    }
}

/// Copies tokens, with those in brackets and functions.
fn copy(input: &mut Parser<'_>, out: &mut String) -> Parsed<()> {
    while let Some((token, text)) = next(input) {
        match token {
            // An unfinished string or comment at the end of a sheet would take in what is written behind it.
            Token::QuotedString(_) => out.push_str(&token.to_css_string()),
            Token::Comment(_) => out.push_str("/**/"),
            Token::UnquotedUrl(ref address) => {
                file(address)?;
                out.push_str(&token.to_css_string());
            }
            Token::Function(ref name) => function(&name.to_ascii_lowercase(), text, input, out)?,
            Token::ParenthesisBlock | Token::SquareBracketBlock => {
                out.push_str(text);
                input.parse_nested_block(|part| copy(part, out))?;
                out.push(if token == Token::ParenthesisBlock { ')' } else { ']' });
            }
            Token::CurlyBracketBlock => return refused("has a rule in a rule; write it beside the other"),
            Token::BadUrl(_)
            | Token::BadString(_)
            | Token::CloseParenthesis
            | Token::CloseSquareBracket
            | Token::CloseCurlyBracket
            | Token::AtKeyword(_)
            | Token::CDO
            | Token::CDC => return refused(format!("is not well formed: unexpected {text:?}")),
            _ => out.push_str(text),
        }
    }
    Ok(())
}

fn function(name: &str, text: &str, input: &mut Parser<'_>, out: &mut String) -> Parsed<()> {
    if REFUSED_FUNCTIONS.contains(&name) {
        return refused(format!("contains \"{name}(\", which is not allowed; load pictures with url(...)"));
    }
    out.push_str(text);
    input.parse_nested_block(|part| {
        if name != "url" {
            return copy(part, out);
        }
        let address = part.expect_string_cloned()?;
        file(&address)?;
        out.push_str(&Token::QuotedString(address).to_css_string());
        Ok(())
    })?;
    out.push(')');
    Ok(())
}

/// Refuses a file that is not the site's own. `address` has no escapes left.
fn file(address: &str) -> Parsed<()> {
    let plain = address.trim().to_ascii_lowercase();
    // Browsers remove line breaks and tabs from addresses, so that ".\t." would be "..".
    let hidden = plain.contains(|c: char| c == '\\' || c.is_control());
    let climbs = hidden || plain.contains("..") || plain.contains("%2e");
    if !climbs && FILES.iter().any(|place| plain.starts_with(place)) {
        return Ok(());
    }
    let shown: String = address.chars().take(40).collect();
    refused(format!("loads {shown:?}; only files under /assets/sites/ and data:image/ URLs are allowed"))
}
