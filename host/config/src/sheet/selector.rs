//! Selectors of a site's own style sheet. What a selector matches is limited to the site's root by a condition without specificity, so that
//! the site's rules weigh as much as they were written to.

use cssparser::{Parser, Token};

use super::{Parsed, copy, next, refused};

/// The site's root and what is in it. The document around it (the link to the content, the messages of the shell) is the host's.
const INSIDE: &str = ":where(#app, #app *)";
/// The root itself: what rules for the whole document apply to.
const ROOT: &str = " :where(#app)";
/// What is written for a comment.
const COMMENT: &str = "/**/";
/// Pseudo-elements that are also written with one colon.
const OLD_PSEUDO_ELEMENTS: [&str; 4] = ["before", "after", "first-line", "first-letter"];

#[derive(PartialEq)]
enum Kind {
    /// Between two compounds: white space or a combinator.
    Gap,
    Colon,
    /// A name, in lower case.
    Name(String),
    Other,
}

struct Piece {
    kind: Kind,
    text: String,
}

/// The selectors before a block.
pub fn list(input: &mut Parser<'_>) -> Parsed<String> {
    Ok(input.parse_comma_separated(one)?.join(","))
}

fn one(input: &mut Parser<'_>) -> Parsed<String> {
    let mut pieces: Vec<Piece> = Vec::new();
    while let Some((token, text)) = next(input) {
        pieces.push(piece(&token, text, input)?);
    }
    // A comment before the block is no part of the selector: `.a /* b */ {` selects `.a`, and nothing in it.
    while pieces.last().is_some_and(|piece| piece.text.trim().is_empty() || piece.text == COMMENT) {
        pieces.pop();
    }
    let gap = pieces.iter().rposition(|piece| piece.kind == Kind::Gap);
    let subject = gap.map_or(0, |at| at + 1);
    if subject == pieces.len() {
        return refused("has a rule without a selector");
    }
    let element = subject + pseudo_element(&pieces[subject..]);
    let is_document = is_document(&pieces[subject..element]);
    let text = |range: &[Piece]| range.iter().map(|piece| piece.text.as_str()).collect::<String>();
    let limit = if is_document { ROOT } else { INSIDE };
    Ok(format!("{}{limit}{}", text(&pieces[..element]), text(&pieces[element..])))
}

fn piece(token: &Token<'_>, text: &str, input: &mut Parser<'_>) -> Parsed<Piece> {
    let mut text = text.to_owned();
    let kind = match token {
        Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~') => Kind::Gap,
        Token::Comment(_) => {
            COMMENT.clone_into(&mut text);
            Kind::Other
        }
        Token::Colon => Kind::Colon,
        Token::Ident(name) => Kind::Name(name.to_ascii_lowercase()),
        Token::Function(_) | Token::SquareBracketBlock => {
            input.parse_nested_block(|part| copy(part, &mut text))?;
            text.push(if *token == Token::SquareBracketBlock { ']' } else { ')' });
            Kind::Other
        }
        Token::Delim('.' | '*') | Token::IDHash(_) => Kind::Other,
        _ => return refused(format!("has {text:?} in a selector")),
    };
    Ok(Piece { kind, text })
}

/// Where the pseudo-element of a compound begins; its length if there is none.
fn pseudo_element(compound: &[Piece]) -> usize {
    let begins = |pair: &[Piece]| match pair {
        [first, second] if first.kind == Kind::Colon => match &second.kind {
            Kind::Colon => true,
            Kind::Name(name) => OLD_PSEUDO_ELEMENTS.contains(&name.as_str()),
            _ => false,
        },
        _ => false,
    };
    compound.windows(2).position(begins).unwrap_or(compound.len())
}

/// Whether a compound names the document, and not an element of the site.
fn is_document(compound: &[Piece]) -> bool {
    let named =
        |piece: &Piece, names: &[&str]| matches!(&piece.kind, Kind::Name(name) if names.contains(&name.as_str()));
    compound.first().is_some_and(|first| named(first, &["html", "body"]))
        || compound.windows(2).any(|pair| pair[0].kind == Kind::Colon && named(&pair[1], &["root", "scope"]))
}
