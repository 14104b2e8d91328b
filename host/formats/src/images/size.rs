//! Size of a picture in pixels, so that a page can reserve its place before it is loaded.

use std::str::FromStr as _;

/// Limit on a side in pixels; a picture that declares more has no size.
const LARGEST: f64 = 20_000.0;

/// Width and height in CSS pixels of an SVG, PNG, JPEG, GIF, WebP, AVIF or TIFF file; `None` if the file declares none or
/// has another format. Only the header is read; nothing is decoded.
#[must_use]
pub fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = match imagesize::blob_size(bytes) {
        Ok(size) => (size.width as f64, size.height as f64),
        Err(_) => vector(bytes)?,
    };
    let fits = |side: f64| (1.0..=LARGEST).contains(&side);
    // Both are between 1 and 20,000 here.
    (fits(width) && fits(height)).then(|| (width.round() as u32, height.round() as u32))
}

/// The size of an SVG: its `width` and `height`, else those of its view box.
fn vector(bytes: &[u8]) -> Option<(f64, f64)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let options = masthead_xml::ParsingOptions { allow_dtd: true, nodes_limit: 200_000, ..Default::default() };
    let document = masthead_xml::Document::parse_with_options(text, options).ok()?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return None;
    }
    let side = |name: &str| {
        let value = root.attribute(name)?.trim();
        f64::from_str(value.strip_suffix("px").unwrap_or(value)).ok()
    };
    if let (Some(width), Some(height)) = (side("width"), side("height")) {
        return Some((width, height));
    }
    let numbers: Vec<f64> = root
        .attribute("viewBox")?
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
    use super::*;

    #[test]
    fn a_vector_picture_has_the_size_of_its_attributes_or_view_box() {
        assert_eq!(size(br#"<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360px"/>"#), Some((640, 360)));
        assert_eq!(
            size(br#"<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 720,405.4"/>"#),
            Some((720, 405))
        );
        assert_eq!(size(br#"<svg xmlns="http://www.w3.org/2000/svg"/>"#), None);
    }

    #[test]
    fn a_raster_picture_has_the_size_in_its_header() {
        let gif = b"GIF89a\x0a\x00\x14\x00\x00\x00\x00";
        assert_eq!(size(gif), Some((10, 20)));
    }

    #[test]
    fn other_files_have_no_size() {
        for bytes in
            [&b""[..], b"<html/>", b"\xff\xd8\xff", b"<svg width='1e9' height='1'/>", b"<svg width='-3' height='5'/>"]
        {
            assert_eq!(size(bytes), None, "{bytes:?}");
        }
    }
}
