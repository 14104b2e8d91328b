//! Plain text of sanitized HTML.

/// The text of HTML that this host rendered: without tags, white space collapsed, entities decoded.
#[must_use]
pub fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut inside = false;
    for character in html.chars() {
        match character {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            other if !inside => text.push(other),
            _ => {}
        }
    }
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    html_escape::decode_html_entities(&folded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn tags_are_removed_and_entities_decoded() {
        assert_eq!(plain("<p>Salt &amp; <i>silt</i></p><p>x</p>"), "Salt & silt x");
    }
}
