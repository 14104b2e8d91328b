//! Pictures that members upload: portraits, and covers of their albums. The bytes that were sent are never stored: the picture is decoded
//! and written anew, so that a file can be nothing but a picture of the size that pages show.

use masthead_formats::images::rendition::{PictureLimits, Rendition, RenditionError, UploadFormat, rewritten};

const MEGABYTE: usize = 1 << 20;

/// Limits on the pixels of an upload: a photo of a telephone is within them, and decoding it takes less than 256 MB.
const LIMITS: PictureLimits = PictureLimits { max_side: 16_000, max_pixels: 50_000_000, max_memory: 256 << 20 };

/// Greatest size of any upload in bytes.
pub const MAX_BYTES: usize = 5 * MEGABYTE;

/// The purpose of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The member's photo: JPG, PNG or BMP, under 5M.
    Portrait,
    /// The cover of an album: JPG or PNG, at most 3M.
    AlbumCover,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 2] = [Self::Portrait, Self::AlbumCover];

    /// The name in calls and in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portrait => "portrait",
            Self::AlbumCover => "albumCover",
        }
    }

    /// The purpose with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.name() == name)
    }

    const fn formats(self) -> &'static [UploadFormat] {
        match self {
            Self::Portrait => &[UploadFormat::Jpeg, UploadFormat::Png, UploadFormat::Bmp],
            Self::AlbumCover => &[UploadFormat::Jpeg, UploadFormat::Png],
        }
    }

    /// Greatest size of a file in bytes. The specification says "under 5M" and "max 3M".
    const fn most(self) -> usize {
        match self {
            Self::Portrait => MAX_BYTES - 1,
            Self::AlbumCover => 3 * MEGABYTE,
        }
    }

    /// Pixels of the longer side of the stored picture: twice the size in which pages show it, for dense screens.
    const fn side(self) -> u32 {
        match self {
            Self::Portrait => 480,
            Self::AlbumCover => 960,
        }
    }

    /// Key of the message that says which files are accepted.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Portrait => "photo_format",
            Self::AlbumCover => "cover_format",
        }
    }
}

/// Why a picture is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Nothing was sent.
    #[error("the upload has no bytes: choose a picture")]
    Empty,
    /// The file is larger than its purpose allows, or of another format.
    #[error("the upload of {bytes} bytes cannot be used as {}: {reason}", purpose.name())]
    Refused {
        /// The purpose of the upload.
        purpose: Purpose,
        /// Its size.
        bytes: usize,
        /// The reason.
        reason: String,
    },
    /// It has more pixels than a page needs.
    #[error("{0}")]
    Pixels(RenditionError),
    /// It cannot be read.
    #[error("{0}")]
    Damaged(RenditionError),
    /// The new picture could not be written.
    #[error("{0}")]
    Encode(RenditionError),
}

impl PictureError {
    /// Key of the message for the member; `None` for a fault of the host.
    #[must_use]
    pub const fn key(&self) -> Option<&'static str> {
        match self {
            Self::Empty => Some("picture_needed"),
            Self::Refused { purpose, .. } => Some(purpose.rule()),
            Self::Pixels(_) => Some("picture_pixels"),
            Self::Damaged(_) => Some("picture_damaged"),
            Self::Encode(_) => None,
        }
    }
}

/// The picture to store in place of an uploaded file. Decoding takes time and memory: callers do it on a thread of its own, a few at a
/// time.
///
/// # Errors
/// [`PictureError`].
pub fn accept(bytes: &[u8], purpose: Purpose) -> Result<Rendition, PictureError> {
    let refused = |reason: String| PictureError::Refused { purpose, bytes: bytes.len(), reason };
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    if bytes.len() > purpose.most() {
        return Err(refused(format!("at most {} bytes are accepted", purpose.most())));
    }
    rewritten(bytes, purpose.formats(), purpose.side(), &LIMITS).map_err(|error| match error {
        RenditionError::Vector | RenditionError::Unknown => refused(error.to_string()),
        RenditionError::TooLarge { .. } => PictureError::Pixels(error),
        RenditionError::Damaged { .. } => PictureError::Damaged(error),
        RenditionError::Encode(_) => PictureError::Encode(error),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

    use super::*;

    fn file(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let noise = |x: u32, y: u32| Rgb([(x * 7) as u8, (y * 5) as u8, (x * y) as u8]);
        let mut bytes = Vec::new();
        let image = DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, noise));
        image.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
        bytes
    }

    #[test]
    fn each_purpose_accepts_the_formats_of_the_specification() {
        use ImageFormat::{Bmp, Gif, Jpeg, Png, Tiff, WebP};
        let accepted = |purpose| {
            let formats = [Jpeg, Png, Bmp, Gif, WebP, Tiff];
            formats.into_iter().filter(|format| accept(&file(64, 32, *format), purpose).is_ok()).collect::<Vec<_>>()
        };
        assert_eq!(accepted(Purpose::Portrait), [Jpeg, Png, Bmp]);
        assert_eq!(accepted(Purpose::AlbumCover), [Jpeg, Png]);
        let refused = accept(&file(64, 32, Bmp), Purpose::AlbumCover).unwrap_err();
        assert_eq!(refused.key(), Some("cover_format"));
    }

    #[test]
    fn sizes_are_limited_to_the_byte() {
        let padded = |size: usize| {
            let mut bytes = file(64, 32, ImageFormat::Jpeg);
            bytes.resize(size, 0);
            bytes
        };
        for (purpose, most) in [(Purpose::Portrait, 5 * MEGABYTE - 1), (Purpose::AlbumCover, 3 * MEGABYTE)] {
            assert!(accept(&padded(most), purpose).is_ok(), "{purpose:?}");
            let error = accept(&padded(most + 1), purpose).unwrap_err();
            assert_eq!(error.key(), Some(purpose.rule()), "{error}");
        }
        assert_eq!(accept(b"", Purpose::Portrait), Err(PictureError::Empty));
    }

    #[test]
    fn the_stored_picture_has_the_size_that_pages_show() {
        let made = accept(&file(2000, 1000, ImageFormat::Bmp), Purpose::Portrait);
        // 2000 by 1000 pixels of a BMP are more than five megabytes.
        assert!(matches!(made, Err(PictureError::Refused { .. })), "{made:?}");
        let made = accept(&file(1200, 600, ImageFormat::Bmp), Purpose::Portrait).unwrap();
        assert_eq!((made.width, made.height), (480, 240));
        let made = accept(&file(1200, 2400, ImageFormat::Jpeg), Purpose::AlbumCover).unwrap();
        assert_eq!((made.width, made.height), (480, 960));
    }

    #[test]
    fn pages_and_programs_are_no_pictures() {
        for bytes in
            [&b"<html><script>alert(1)</script>"[..], b"<svg onload='x'/>", b"\x7fELF", b"%PDF-1.7", b"PK\x03\x04"]
        {
            for purpose in Purpose::ALL {
                assert_eq!(accept(bytes, purpose).unwrap_err().key(), Some(purpose.rule()));
            }
        }
        // The first bytes of a JPEG before a page: it is neither.
        let error = accept(b"\xff\xd8\xff\xe0<html><script>", Purpose::Portrait).unwrap_err();
        assert_eq!(error.key(), Some("picture_damaged"));
    }

    #[test]
    fn names_are_those_of_the_calls() {
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::parse(purpose.name()), Some(purpose));
        }
        assert_eq!(Purpose::parse("cover"), None);
    }
}
