//! Renditions of pictures in the sizes and codecs that browsers show: a small one for pages and lists, a big one for viewers.

use std::{collections::HashSet, io::Cursor};

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits as ImageLimits, codecs::jpeg::JpegEncoder,
    imageops::FilterType,
};

/// Limit on the width of [`Renditions::small`] in pixels.
pub const SMALL_WIDTH: u32 = 480;
/// Limit on the width of [`Renditions::big`] in pixels.
pub const BIG_WIDTH: u32 = 2000;

/// Limits on the size of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureLimits {
    /// Pixels of the longer side.
    pub max_side: u32,
    /// Total number of pixels.
    pub max_pixels: u64,
    /// Memory for decoding, in bytes.
    pub max_memory: u64,
}

impl Default for PictureLimits {
    fn default() -> Self {
        Self { max_side: 30_000, max_pixels: 64_000_000, max_memory: 512 << 20 }
    }
}

/// A picture in both sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renditions {
    /// Width of the source in pixels, after its orientation was applied.
    pub width: u32,
    /// Height of the source in pixels.
    pub height: u32,
    /// At most [`SMALL_WIDTH`] wide.
    pub small: Rendition,
    /// At most [`BIG_WIDTH`] wide.
    pub big: Rendition,
}

/// A picture of one size. Metadata (location, camera, comments) are removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendition {
    /// The file.
    pub bytes: Vec<u8>,
    /// `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// `png` or `jpg`.
    pub extension: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Why a picture has no renditions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenditionError {
    /// A vector picture, which browsers scale themselves.
    #[error("the file is an SVG picture, which is shown as it is in every size")]
    Vector,
    /// Not a picture of a supported format.
    #[error("the file is not a PNG, JPEG, GIF, WebP, TIFF or BMP picture: convert it to one of these")]
    Unknown,
    /// More pixels than the limit; detected before the pixels are decoded.
    #[error("the picture has {width} by {height} pixels, more than {limit}: make it smaller")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The limit with its unit.
        limit: String,
    },
    /// The picture cannot be read.
    #[error("the {kind} picture cannot be read: {reason}; save it anew in an image editor")]
    Damaged {
        /// Format, by the first bytes.
        kind: String,
        /// Message of the decoder.
        reason: String,
    },
    /// A rendition could not be written.
    #[error("the rendition could not be written: {0}; this is a fault of the server, tell its operator")]
    Encode(String),
}

/// Reads a PNG, JPEG, GIF, WebP, TIFF or BMP picture, recognized by its first bytes, and makes both renditions of it.
///
/// A narrower picture keeps its size. The codec is PNG for pictures with transparency and for those with few colours (line art,
/// charts, screenshots), which PNG encodes without loss and often smaller; else JPEG. Of an animation, the first frame is used.
/// The EXIF orientation is applied.
///
/// # Errors
/// [`RenditionError`]; a picture with too many pixels is refused by its header, before memory is allocated.
pub fn renditions(bytes: &[u8], limits: &PictureLimits) -> Result<Renditions, RenditionError> {
    let image = decode(bytes, &READ, limits)?;
    let (width, height) = (image.width(), image.height());
    let png = suits_png(&image);
    let big = narrowed(eight_bit(image), BIG_WIDTH);
    let first = encoded(&big, png)?;
    let small = encoded(&narrowed(big, SMALL_WIDTH), png)?;
    Ok(Renditions { width, height, small, big: first })
}

/// A format of pictures that somebody uploads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadFormat {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// BMP.
    Bmp,
}

/// Decodes a picture that somebody uploaded and writes it anew, narrowed to fit into a square of `side` pixels. It is recognized by its
/// first bytes, whatever its name says; nothing of the file is kept but the pixels, so that neither metadata nor what follows the picture in
/// the file is stored. The codec is that of [`renditions`].
///
/// # Errors
/// [`RenditionError`]; a picture of a format that is not `accepted` is [`RenditionError::Unknown`]. One with too many pixels is refused by
/// its header, before memory is allocated.
pub fn rewritten(
    bytes: &[u8],
    accepted: &[UploadFormat],
    side: u32,
    limits: &PictureLimits,
) -> Result<Rendition, RenditionError> {
    let of = |format: &UploadFormat| match format {
        UploadFormat::Jpeg => ImageFormat::Jpeg,
        UploadFormat::Png => ImageFormat::Png,
        UploadFormat::Bmp => ImageFormat::Bmp,
    };
    let accepted: Vec<ImageFormat> = accepted.iter().map(of).collect();
    let image = decode(bytes, &accepted, limits)?;
    let png = suits_png(&image);
    encoded(&within(eight_bit(image), side), png)
}

/// The formats of [`renditions`].
const READ: [ImageFormat; 6] = {
    use ImageFormat::{Bmp, Gif, Jpeg, Png, Tiff, WebP};
    [Png, Jpeg, Gif, WebP, Tiff, Bmp]
};

fn decode(bytes: &[u8], accepted: &[ImageFormat], limits: &PictureLimits) -> Result<DynamicImage, RenditionError> {
    if is_svg(bytes) {
        return Err(RenditionError::Vector);
    }
    let format = image::guess_format(bytes).ok().filter(|format| accepted.contains(format));
    let format = format.ok_or(RenditionError::Unknown)?;
    let kind = format.extensions_str().first().map_or_else(String::new, |name| name.to_uppercase());
    let damaged = |error: ImageError| RenditionError::Damaged { kind: kind.clone(), reason: error.to_string() };
    // The size is read from the header first, so that the error can name it.
    if let Ok(size) = imagesize::blob_size(bytes) {
        check(size.width, size.height, limits)?;
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut bounds = ImageLimits::default();
    bounds.max_image_width = Some(limits.max_side);
    bounds.max_image_height = Some(limits.max_side);
    bounds.max_alloc = Some(limits.max_memory);
    reader.limits(bounds);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check(width as usize, height as usize, limits)?;
    if decoder.total_bytes() > limits.max_memory {
        let limit = format!("{} bytes of memory hold", limits.max_memory);
        return Err(RenditionError::TooLarge { width, height, limit });
    }
    if width == 0 || height == 0 {
        return Err(RenditionError::Damaged { kind, reason: "it has no pixels".to_owned() });
    }
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    image.apply_orientation(orientation);
    Ok(image)
}

fn check(width: usize, height: usize, limits: &PictureLimits) -> Result<(), RenditionError> {
    let side = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let (width, height) = (side(width), side(height));
    let limit = if width.max(height) > limits.max_side {
        format!("{} a side", limits.max_side)
    } else if u64::from(width) * u64::from(height) > limits.max_pixels {
        format!("{} in all", limits.max_pixels)
    } else {
        return Ok(());
    };
    Err(RenditionError::TooLarge { width, height, limit })
}

fn is_svg(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(1024)).unwrap_or_default());
    head.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<') && head.contains("<svg")
}

/// Whether PNG suits a picture better than JPEG: it has transparency, or few colours.
fn suits_png(image: &DynamicImage) -> bool {
    const FEW: usize = 256;
    let transparent = image.color().has_alpha()
        && match image {
            DynamicImage::ImageRgba8(pixels) => pixels.pixels().any(|pixel| pixel.0[3] < 255),
            DynamicImage::ImageLumaA8(pixels) => pixels.pixels().any(|pixel| pixel.0[1] < 255),
            other => other.to_rgba8().pixels().any(|pixel| pixel.0[3] < 255),
        };
    if transparent {
        return true;
    }
    match image {
        // Grey photographs have few levels too; line art differs from them in that neighbouring pixels are equal.
        DynamicImage::ImageLuma8(pixels) => flat(pixels.as_raw()),
        DynamicImage::ImageRgb8(pixels) => few(pixels.as_raw().chunks_exact(3), FEW),
        DynamicImage::ImageRgba8(pixels) => few(pixels.as_raw().chunks_exact(4), FEW),
        other => flat(other.to_luma8().as_raw()),
    }
}

fn few<'a>(pixels: impl Iterator<Item = &'a [u8]>, most: usize) -> bool {
    let mut seen: HashSet<[u8; 3]> = HashSet::new();
    let mut last: Option<[u8; 3]> = None;
    for pixel in pixels {
        let Some(colour) = pixel.first_chunk::<3>() else { continue };
        if last != Some(*colour) {
            last = Some(*colour);
            seen.insert(*colour);
            if seen.len() > most {
                return false;
            }
        }
    }
    true
}

fn flat(levels: &[u8]) -> bool {
    let same = levels.windows(2).filter(|pair| pair.first() == pair.last()).count();
    same.saturating_mul(10) >= levels.len().saturating_mul(7)
}

fn narrowed(image: DynamicImage, max_width: u32) -> DynamicImage {
    if image.width() <= max_width {
        return image;
    }
    let height = u64::from(image.height()) * u64::from(max_width) / u64::from(image.width());
    let height = u32::try_from(height).unwrap_or(u32::MAX).max(1);
    // An exact filter keeps thin lines of charts, which faster filters drop.
    image.resize_exact(max_width, height, FilterType::CatmullRom)
}

fn within(image: DynamicImage, side: u32) -> DynamicImage {
    if image.width().max(image.height()) <= side {
        return image;
    }
    // The sides keep their proportion.
    image.resize(side, side, FilterType::CatmullRom)
}

fn encoded(image: &DynamicImage, png: bool) -> Result<Rendition, RenditionError> {
    let failed = |error: ImageError| RenditionError::Encode(error.to_string());
    let mut bytes = Vec::new();
    let (mime, extension) = if png {
        image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).map_err(failed)?;
        ("image/png", "png")
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut bytes, 85);
        match image {
            DynamicImage::ImageLuma8(grey) => grey.write_with_encoder(encoder).map_err(failed)?,
            colour => colour.to_rgb8().write_with_encoder(encoder).map_err(failed)?,
        }
        ("image/jpeg", "jpg")
    };
    Ok(Rendition { bytes, mime, extension, width: image.width(), height: image.height() })
}

/// Converts samples to eight bits, which browsers show.
fn eight_bit(image: DynamicImage) -> DynamicImage {
    let colour = image.color();
    match (colour.has_color(), colour.has_alpha()) {
        (false, false) => DynamicImage::ImageLuma8(image.into_luma8()),
        (false, true) => DynamicImage::ImageLumaA8(image.into_luma_alpha8()),
        (true, false) => DynamicImage::ImageRgb8(image.into_rgb8()),
        (true, true) => DynamicImage::ImageRgba8(image.into_rgba8()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use image::{GrayImage, Rgb, RgbImage, Rgba, RgbaImage};
    use proptest::prelude::*;

    use super::*;

    fn photo(width: u32, height: u32) -> DynamicImage {
        let noise = |x: u32, y: u32| {
            let mixed = x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503);
            [(mixed >> 8) as u8, (mixed >> 13) as u8, (x % 251) as u8]
        };
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| Rgb(noise(x, y))))
    }

    fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
        bytes
    }

    fn shape(one: &Rendition) -> (&'static str, u32, u32) {
        let read = image::load_from_memory(&one.bytes).unwrap();
        assert_eq!((read.width(), read.height()), (one.width, one.height));
        (one.mime, one.width, one.height)
    }

    #[test]
    fn every_format_becomes_one_that_browsers_show() {
        let photo = photo(2400, 600);
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Tiff, ImageFormat::Bmp] {
            let made = renditions(&file(&photo, format), &PictureLimits::default()).unwrap();
            assert_eq!((made.width, made.height), (2400, 600), "{format:?}");
            assert_eq!(shape(&made.big), ("image/jpeg", 2000, 500), "{format:?}");
            assert_eq!(shape(&made.small), ("image/jpeg", 480, 120), "{format:?}");
        }
        let small = photo.crop_imm(0, 0, 100, 50);
        let made = renditions(&file(&small, ImageFormat::Gif), &PictureLimits::default()).unwrap();
        assert_eq!((made.big.width, made.small.width), (100, 100));
    }

    #[test]
    fn transparency_and_line_art_stay_png() {
        let clear = RgbaImage::from_fn(600, 300, |x, y| Rgba([x as u8, y as u8, (x * y) as u8, (x % 256) as u8]));
        let line = RgbImage::from_fn(900, 300, |x, _| if x % 30 == 0 { Rgb([0, 0, 0]) } else { Rgb([255; 3]) });
        let grey_line = GrayImage::from_fn(900, 300, |x, _| image::Luma([if x % 30 == 0 { 0 } else { 255 }]));
        for image in [clear.into(), line.into(), grey_line.into()] {
            let made = renditions(&file(&image, ImageFormat::Png), &PictureLimits::default()).unwrap();
            assert_eq!((made.big.mime, made.small.mime, made.small.width), ("image/png", "image/png", 480));
        }
        let opaque = DynamicImage::ImageRgba8(photo(500, 100).to_rgba8());
        let grey = DynamicImage::ImageLuma8(photo(500, 100).to_luma8());
        let deep = DynamicImage::ImageRgb16(photo(500, 100).to_rgb16());
        for image in [opaque, grey, deep] {
            let made = renditions(&file(&image, ImageFormat::Png), &PictureLimits::default()).unwrap();
            assert_eq!(shape(&made.small).0, "image/jpeg");
        }
    }

    /// A PNG that declares these dimensions and has no data.
    fn bomb(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = file(&DynamicImage::ImageLuma8(GrayImage::new(1, 1)), ImageFormat::Png);
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        let crc = crc(&bytes[12..29]).to_be_bytes();
        bytes[29..33].copy_from_slice(&crc);
        bytes
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
        })
    }

    #[test]
    fn bombs_are_refused_by_their_header() {
        let error = renditions(&bomb(60_000, 60_000), &PictureLimits::default()).unwrap_err();
        assert_eq!(error.to_string(), "the picture has 60000 by 60000 pixels, more than 30000 a side: make it smaller");
        let error = renditions(&bomb(20_000, 20_000), &PictureLimits::default()).unwrap_err();
        assert!(error.to_string().contains("in all"), "{error}");
        let tight = PictureLimits { max_memory: 10_000, ..PictureLimits::default() };
        assert!(matches!(renditions(&bomb(500, 500), &tight), Err(RenditionError::TooLarge { .. })));
        assert!(matches!(renditions(&bomb(0, 5), &PictureLimits::default()), Err(RenditionError::Damaged { .. })));
    }

    #[test]
    fn files_of_other_formats_are_refused() {
        assert_eq!(renditions(b"<svg xmlns='x'/>", &PictureLimits::default()), Err(RenditionError::Vector));
        assert_eq!(renditions(b"%PDF-1.4", &PictureLimits::default()), Err(RenditionError::Unknown));
        assert_eq!(renditions(b"", &PictureLimits::default()), Err(RenditionError::Unknown));
    }

    #[test]
    fn an_uploaded_picture_is_written_anew_within_a_square() {
        let accepted = [UploadFormat::Jpeg, UploadFormat::Png, UploadFormat::Bmp];
        let photo = photo(1200, 300);
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Bmp] {
            let mut bytes = file(&photo, format);
            bytes.extend_from_slice(b"<script>alert(1)</script>");
            let made = rewritten(&bytes, &accepted, 400, &PictureLimits::default()).unwrap();
            assert_eq!(shape(&made), ("image/jpeg", 400, 100), "{format:?}");
            assert!(!made.bytes.windows(7).any(|part| part == b"<script"), "{format:?}: only pixels are kept");
        }
        let tall = file(&photo.rotate90(), ImageFormat::Png);
        assert_eq!(
            shape(&rewritten(&tall, &accepted, 400, &PictureLimits::default()).unwrap()),
            ("image/jpeg", 100, 400)
        );
        let small = file(&photo.crop_imm(0, 0, 40, 20), ImageFormat::Png);
        assert_eq!(
            shape(&rewritten(&small, &accepted, 400, &PictureLimits::default()).unwrap()).1,
            40,
            "it is not enlarged"
        );
    }

    #[test]
    fn an_uploaded_picture_of_another_format_is_refused_whatever_it_claims() {
        let limits = PictureLimits::default();
        let refused = |bytes: &[u8], accepted: &[UploadFormat]| rewritten(bytes, accepted, 400, &limits).unwrap_err();
        let accepted = [UploadFormat::Jpeg, UploadFormat::Png];
        for format in [ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Tiff, ImageFormat::Bmp] {
            assert_eq!(refused(&file(&photo(20, 20), format), &accepted), RenditionError::Unknown, "{format:?}");
        }
        assert_eq!(refused(b"<svg xmlns='x' onload='alert(1)'/>", &accepted), RenditionError::Vector);
        for other in [&b"<!doctype html><script>"[..], b"%PDF-1.4", b"PK\x03\x04", b""] {
            assert_eq!(refused(other, &accepted), RenditionError::Unknown);
        }
        assert!(matches!(refused(&bomb(40_000, 40_000), &accepted), RenditionError::TooLarge { .. }));
        assert!(matches!(refused(b"\x89PNG\r\n\x1a\n<script>", &accepted), RenditionError::Damaged { .. }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn damage_never_panics(form in 0_usize..6, at in 0_usize..3000, byte: u8, cut in 0_usize..3000) {
            use ImageFormat::{Bmp, Gif, Jpeg, Png, Tiff, WebP};
            let format = [Png, Jpeg, Gif, WebP, Tiff, Bmp][form];
            let mut bytes = file(&photo(24, 16), format);
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes.truncate(bytes.len() - cut % bytes.len());
            let _ = renditions(&bytes, &PictureLimits { max_side: 2000, max_pixels: 1 << 20, max_memory: 16 << 20 });
        }
    }
}
