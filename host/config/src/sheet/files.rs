//! The files that a style sheet loads.

use cssparser::{ParseError, Parser, Token};

/// The files under the sites' assets that a sheet loads, as their names stand in the addresses: without query and fragment, and with
/// their percent-encodings.
#[must_use]
pub fn files(css: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&mut Parser::new(css), &mut found);
    found
}

fn collect(input: &mut Parser<'_>, found: &mut Vec<String>) {
    while let Ok(token) = input.next().cloned() {
        match token {
            Token::UnquotedUrl(address) => found.extend(name(&address)),
            Token::Function(function) => {
                let is_url = function.eq_ignore_ascii_case("url");
                nested(input, |part| match part.expect_string_cloned() {
                    Ok(address) if is_url => found.extend(name(&address)),
                    _ => collect(part, found),
                });
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                nested(input, |part| collect(part, found));
            }
            _ => {}
        }
    }
}

fn nested(input: &mut Parser<'_>, read: impl FnOnce(&mut Parser<'_>)) {
    // Only what `read` returns may fail, and it returns nothing.
    let _: Result<(), ParseError<()>> = input.parse_nested_block(|part| {
        read(part);
        while part.next().is_ok() {}
        Ok(())
    });
}

fn name(address: &str) -> Option<String> {
    let name = address.trim().strip_prefix("/assets/sites/")?;
    name.split(['?', '#']).next().filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_wherever_a_sheet_names_them() {
        let sheet = "@media (max-width: 40em) { .x::before { content: \"url(/assets/sites/no.png)\"; background: url(/assets/sites/a.png) } }
            .y { background: URL( '/assets/sites/sheets/b%20c.svg#part' ) no-repeat, url(data:image/png;base64,AA) }
            @font-face { font-family: x; src: url(\"/assets/sites/x.woff2?v=2\") format(\"woff2\") } /* url(/assets/sites/no.svg) */
            .z { border-image: linear-gradient(red, blue) }";
        assert_eq!(files(sheet), ["a.png", "sheets/b%20c.svg", "x.woff2"]);
        assert!(files("").is_empty());
    }
}
