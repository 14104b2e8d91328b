//! Size of a picture in pixels, so that a page can reserve its place before it is loaded.

use crate::images::svg;

/// Limit on a side in pixels; a picture that declares more has no size.
const LARGEST: f64 = 20_000.0;

/// Width and height in CSS pixels of an SVG, PNG, JPEG, GIF, WebP, AVIF or TIFF file; `None` if the file declares none or
/// has another format. Of a raster picture only the header is read; an SVG is checked as [`svg::check`] does.
#[must_use]
pub fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = match imagesize::blob_size(bytes) {
        Ok(size) => (size.width as f64, size.height as f64),
        Err(_) => svg::check(bytes).ok()??,
    };
    let fits = |side: f64| (1.0..=LARGEST).contains(&side);
    // Both are between 1 and 20,000 here.
    (fits(width) && fits(height)).then(|| (width.round() as u32, height.round() as u32))
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
    fn a_picture_with_entities_has_no_size_and_is_not_expanded() {
        // Expanded, its text would have 10 GB.
        let entity = "x".repeat(100_000);
        let bomb = format!(
            "<!DOCTYPE svg [<!ENTITY x '{entity}'>]><svg width='10' height='10'><text>{}</text></svg>",
            "&x;".repeat(100_000)
        );
        assert_eq!(size(bomb.as_bytes()), None);
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
