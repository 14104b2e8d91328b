//! SVG pictures. Browsers read them as they are, so that a file is checked before it is stored.

use std::str::FromStr as _;

use masthead_xml::{Element, Limits, RecordError, outermost};

/// Limits on a picture: a chart with a hundred thousand points is within them.
const LIMITS: Limits = Limits { max_bytes: 16 << 20, max_depth: 256, max_nodes: 1_000_000, max_attributes: 1000 };

/// Why a file is refused as an SVG picture: the line where it is known, the cause and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}{reason}")]
pub struct SvgError {
    /// `line 3: `, or "" where the whole file is meant.
    place: String,
    /// Cause and remedy.
    reason: String,
}

impl From<RecordError> for SvgError {
    fn from(error: RecordError) -> Self {
        let place = error.line.map_or_else(String::new, |line| format!("line {line}: "));
        Self { place, reason: error.reason }
    }
}

/// Checks an SVG picture in any encoding: it is well-formed, has no DTD of its own, and is within limits on its size, its elements and
/// their depth. Entities are never expanded. Returns the width and height that it declares in CSS pixels.
///
/// # Errors
/// [`SvgError`].
pub fn check(bytes: &[u8]) -> Result<Option<(f64, f64)>, SvgError> {
    let refused = |reason: String| SvgError { place: String::new(), reason };
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(refused("the picture is compressed (SVGZ): save it as plain SVG".to_owned()));
    }
    let root = outermost(bytes, &LIMITS)?;
    if root.name != "svg" {
        return Err(refused(format!("the file is not an SVG picture: its outermost element is <{}>", root.name)));
    }
    Ok(declared_size(&root))
}

/// The size of a picture: its `width` and `height`, else those of its view box.
fn declared_size(root: &Element) -> Option<(f64, f64)> {
    let side = |name: &str| {
        let value = root.attribute(name);
        f64::from_str(value.strip_suffix("px").unwrap_or(value)).ok()
    };
    if let (Some(width), Some(height)) = (side("width"), side("height")) {
        return Some((width, height));
    }
    let numbers: Vec<f64> = root
        .attribute("viewBox")
        .split([' ', ',', '\n', '\t'])
        .filter(|part| !part.is_empty())
        .map_while(|part| part.parse().ok())
        .collect();
    match numbers.as_slice() {
        [_, _, width, height] => Some((*width, *height)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        check(bytes).unwrap_err().to_string()
    }

    /// A file of a few kilobytes whose entities expand to three gigabytes.
    fn laughs() -> String {
        let entities: String =
            (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">\n", format!("&l{};", n - 1).repeat(10))).collect();
        format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [\n<!ENTITY l0 \"lol\">\n{entities}]>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"><text>&l9;</text></svg>"
        )
    }

    #[test]
    fn a_picture_with_entities_is_refused_in_every_encoding() {
        let marked = format!("\u{feff}{}", laughs());
        for text in [&laughs(), &marked] {
            for bytes in [
                text.as_bytes().to_vec(),
                text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ] {
                let reason = reason(&bytes);
                assert!(reason.starts_with("line 2: ") && reason.contains("plain SVG"), "{reason}");
            }
        }
    }

    #[test]
    fn a_picture_of_a_drawing_program_is_accepted() {
        let picture = b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\"\n \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<svg width=\"62pt\" height=\"44pt\" viewBox=\"0.00 0.00 62.00 44.00\" xmlns=\"http://www.w3.org/2000/svg\"/>";
        assert_eq!(check(picture), Ok(Some((62.0, 44.0))));
    }

    #[test]
    fn large_and_false_pictures_are_refused() {
        let large = format!("<svg>{}</svg>", " ".repeat(16 << 20));
        assert!(reason(large.as_bytes()).contains("more than 16777216"));
        let deep = format!("<svg>{}{}</svg>", "<g>".repeat(300), "</g>".repeat(300));
        assert!(reason(deep.as_bytes()).contains("nested more than 256"));
        let many = format!("<svg>{}</svg>", "<g/>".repeat(1_000_001));
        assert!(reason(many.as_bytes()).contains("more than 1000000 elements"));
        assert!(reason(b"<html/>").contains("<html>"));
        assert!(reason(&[0x1f, 0x8b, 8, 0]).contains("SVGZ"));
        assert!(reason(b"\x89PNG\r\n").contains("not valid"));
    }
}
