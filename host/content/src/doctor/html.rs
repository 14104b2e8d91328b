//! Links and directions in sanitized HTML. The sanitizer writes it, so that tags and attributes are well-formed here.

use masthead_domain::text::without_tags;

use super::bidi;

/// A piece of HTML.
enum Piece<'a> {
    /// The name of an element that begins, and its attributes as written.
    Open(&'a str, &'a str),
    /// The name of an element that ends.
    Close(&'a str),
    Text(&'a str),
}

/// Elements without an end tag.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

fn pieces(html: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let begins_tag = |at: &usize| rest[at + 1..].starts_with(|c: char| c == '/' || c.is_ascii_alphabetic());
        let tag = rest.match_indices('<').map(|(at, _)| at).find(begins_tag);
        let Some(start) = tag else {
            pieces.push(Piece::Text(rest));
            break;
        };
        if start > 0 {
            pieces.push(Piece::Text(&rest[..start]));
        }
        let inside = &rest[start + 1..];
        let end = end_of_tag(inside);
        let tag = &inside[..end];
        pieces.push(match tag.strip_prefix('/') {
            Some(name) => Piece::Close(name.trim()),
            None => {
                let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
                Piece::Open(name.trim_end_matches('/'), attributes)
            }
        });
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    pieces
}

/// The offset of the `>` that ends a tag, or the end of the text.
fn end_of_tag(text: &str) -> usize {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// The value of an attribute, decoded.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    while let Some((before, after)) = rest.split_once("=\"") {
        let (value, behind) = after.split_once('"')?;
        if before.trim() == name {
            return Some(without_tags(value));
        }
        rest = behind;
    }
    None
}

/// The addresses that the links of a text lead to.
pub fn links(html: &str) -> Vec<String> {
    let addresses = pieces(html).into_iter().filter_map(|piece| match piece {
        Piece::Open("a", attributes) => attribute(attributes, "href"),
        _ => None,
    });
    addresses.collect()
}

/// The first text from right to left that stands in an element without a direction of its own.
pub fn text_without_direction(html: &str) -> Option<String> {
    let mut open: Vec<(&str, bool)> = Vec::new();
    for piece in pieces(html) {
        match piece {
            Piece::Open(name, _) if VOID.contains(&name) => {}
            Piece::Open(name, attributes) => {
                let isolates = attribute(attributes, "dir").is_some() || name == "bdi";
                open.push((name, isolates || open.last().is_some_and(|(_, outer)| *outer)));
            }
            Piece::Close(name) => {
                if let Some(at) = open.iter().rposition(|(known, _)| *known == name) {
                    open.truncate(at);
                }
            }
            Piece::Text(text) => {
                let has_direction = open.last().is_some_and(|(_, directed)| *directed);
                if !has_direction && bidi::has_open_rtl(text) {
                    return Some(without_tags(text));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_text_are_found() {
        let html = "<p>p &lt; 0.05 <a href=\"/en/article/1?a=1&amp;b=2\" rel=\"noopener\">x > y</a><br><a title=\"a>b\" href=\"https://a.example/\">z</a></p>";
        assert_eq!(links(html), ["/en/article/1?a=1&b=2", "https://a.example/"]);
        assert_eq!(links("a < b and <3, no <em>links</em>"), Vec::<String>::new());
    }

    #[test]
    fn text_from_right_to_left_needs_a_direction() {
        let arabic = "مجلة";
        for (html, found) in [
            (format!("<p>About {arabic} and more</p>"), true),
            (format!("<p dir=\"rtl\">{arabic} <b>2026</b> {arabic}</p>"), false),
            (format!("<p>About <bdi>{arabic}</bdi>, a journal<br>in two languages</p>"), false),
            (format!("<p dir=\"rtl\">{arabic}</p><p>{arabic}!</p>"), true),
            ("<p>About it</p>".to_owned(), false),
        ] {
            assert_eq!(text_without_direction(&html).is_some(), found, "{html}");
        }
    }
}
