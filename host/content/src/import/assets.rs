//! The files that an article names: found in its folder, stored by digest, with renditions of images for browsers.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use bytes::Bytes;
use masthead_documents::html::StoredFile;
use masthead_domain::{SiteId, article::ArticleFile, resource::Renditions};
use masthead_formats::images::{
    self,
    rendition::{self, PictureLimits},
    svg,
};
use masthead_store::{Media, SiteStore, StoreError};
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use crate::files;

/// Largest file that is imported, in bytes.
const LARGEST: u64 = 64 << 20;
/// Extensions to try if the source names a figure without an extension, or in a format that browsers cannot show.
const ENDINGS: [&str; 7] = ["svg", "png", "jpg", "jpeg", "gif", "webp", "avif"];
/// Image formats that renditions are made from.
const RASTER: [&str; 8] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff"];
/// Image formats that browsers cannot show.
const PRINT: [&str; 3] = ["tif", "tiff", "eps"];
/// Memory in MiB that the pictures that are decoded at the same time may need together; a larger picture is decoded alone. Many files
/// are converted at the same time, and an upload is imported within a limit of memory.
const DECODING: u32 = 512;
static DECODED: Semaphore = Semaphore::const_new(DECODING as usize);

/// A file that an article names.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Name in the source.
    name: String,
    /// The file itself.
    original: PathBuf,
    /// The version in a format that browsers show, if the folder has one; otherwise the file itself.
    shown: PathBuf,
}

/// A file that was stored.
#[derive(Clone, Debug)]
pub struct StoredAsset {
    /// The original file.
    pub file: ArticleFile,
    /// The version that the article page shows.
    pub stored: StoredFile,
    /// Its renditions; for files other than images, all are the file itself.
    pub renditions: Renditions,
}

/// Finds a file in the folder of its source. Returns `None` if there is none, or the name leads out of the folder.
pub fn find(folder: &Path, name: &str) -> Option<Asset> {
    let root = folder.canonicalize().ok()?;
    let inside = |path: PathBuf| {
        let real = path.canonicalize().ok()?;
        (real.starts_with(&root) && real.is_file()).then_some(real)
    };
    let named = Path::new(name);
    if named.is_absolute() || name.contains("://") {
        return None;
    }
    let exact = inside(folder.join(named));
    if let Some(path) = &exact
        && !PRINT.contains(&ending(path).as_str())
    {
        return Some(Asset { name: name.to_owned(), original: path.clone(), shown: path.clone() });
    }
    let displayable = ENDINGS
        .iter()
        .flat_map(|ending| [folder.join(named.with_extension(ending)), folder.join(format!("{name}.{ending}"))])
        .find_map(inside);
    let original = exact.or_else(|| displayable.clone())?;
    Some(Asset { name: name.to_owned(), shown: displayable.unwrap_or_else(|| original.clone()), original })
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase()
}

impl Asset {
    /// Whether the file's name has this extension.
    pub fn ends_in(&self, wanted: &str) -> bool {
        ending(&self.original) == wanted
    }

    /// Whether the file is a PDF. Blocking I/O.
    pub fn is_pdf(&self) -> bool {
        is_pdf(&self.original)
    }

    /// The asset without a version that is refused, with a warning for each that gives the reason. `None` if the file itself is refused.
    /// Blocking I/O.
    ///
    /// # Errors
    /// A message, if a file is too large or cannot be read.
    pub fn accepted(mut self, warnings: &mut Vec<String>) -> anyhow::Result<Option<Self>> {
        let Some(reason) = refusal(&self.shown)? else { return Ok(Some(self)) };
        let shown = self.shown.file_name().unwrap_or_default().to_string_lossy();
        warnings.push(format!("the picture {shown} is refused and not imported: {reason}"));
        if self.shown == self.original {
            return Ok(None);
        }
        self.shown.clone_from(&self.original);
        Ok(Some(self))
    }

    /// Adds the file's name and content to a digest. Blocking I/O: not for async code.
    ///
    /// # Errors
    /// A message, if a file is too large or cannot be read.
    pub fn digest(&self, hash: &mut Sha256) -> anyhow::Result<()> {
        let other = (self.shown != self.original).then_some(&self.shown);
        for path in std::iter::once(&self.original).chain(other) {
            let bytes = read(path)?;
            hash.update((self.name.len() as u64).to_le_bytes());
            hash.update(&self.name);
            hash.update(Sha256::digest(&bytes));
        }
        Ok(())
    }

    /// Stores the file in the site's media, with renditions if it is an image. An image that cannot be decoded is stored unchanged,
    /// with a warning that gives the reason.
    ///
    /// # Errors
    /// A message, if a file is too large or cannot be read or written.
    pub async fn keep(&self, media_writer: &MediaWriter, warnings: &mut Vec<String>) -> anyhow::Result<StoredAsset> {
        let original = media_writer.keep(&self.original).await?;
        let file = ArticleFile { name: self.name.clone(), address: original.clone(), ..ArticleFile::default() };
        let shown = if self.shown == self.original { original.clone() } else { media_writer.keep(&self.shown).await? };
        let mut renditions = Renditions { small: shown.clone(), big: shown, original, width: 0, height: 0 };
        let (path, raster) = (self.shown.clone(), RASTER.contains(&ending(&self.shown).as_str()));
        let (bytes, size) = tokio::task::spawn_blocking(move || -> anyhow::Result<_> {
            let bytes = read(&path)?;
            let size = images::size(&bytes);
            Ok((bytes, size))
        })
        .await??;
        let made = if raster {
            let _room = DECODED.acquire_many(memory(size)).await?;
            Some(tokio::task::spawn_blocking(move || rendition::renditions(&bytes, &PictureLimits::default())).await?)
        } else {
            None
        };
        match made {
            Some(Ok(made)) => self.renditions(media_writer, made, &mut renditions).await?,
            Some(Err(error)) => warnings.push(format!("the image {} is stored without renditions: {error}", self.name)),
            None => {}
        }
        if let (0, Some((width, height))) = (renditions.width, size) {
            (renditions.width, renditions.height) = (width, height);
        }
        Ok(StoredAsset { file, stored: StoredFile::of(&renditions), renditions })
    }

    /// Stores the renditions that are smaller than the original, or that browsers can show where they cannot show the original.
    async fn renditions(
        &self,
        media_writer: &MediaWriter,
        made: rendition::Renditions,
        into: &mut Renditions,
    ) -> anyhow::Result<()> {
        let print = PRINT.contains(&ending(&self.shown).as_str()) || ending(&self.shown) == "bmp";
        let stem = self.shown.file_stem().and_then(|stem| stem.to_str()).unwrap_or("picture");
        (into.width, into.height) = (made.width, made.height);
        if print || made.big.width < made.width {
            let name = format!("{stem}-big.{}", made.big.extension);
            into.big = media_writer.keep_bytes(&name, made.big.mime, made.big.extension, made.big.bytes).await?;
            (into.width, into.height) = (made.big.width, made.big.height);
        }
        into.small.clone_from(&into.big);
        if made.small.width < into.width {
            let name = format!("{stem}-small.{}", made.small.extension);
            into.small =
                media_writer.keep_bytes(&name, made.small.mime, made.small.extension, made.small.bytes).await?;
        }
        Ok(())
    }
}

/// Stores files in the media of one site.
#[derive(Clone, Debug)]
pub struct MediaWriter {
    /// The site's content.
    pub store: SiteStore,
    /// The site.
    pub site: SiteId,
    /// The data folder.
    pub data: PathBuf,
}

impl MediaWriter {
    /// Stores a file and returns its address.
    ///
    /// # Errors
    /// A message, if it is too large or cannot be read or written; with the cause [`svg::SvgError`] if it is a picture that is refused.
    pub async fn keep(&self, path: &Path) -> anyhow::Result<String> {
        let owned = path.to_owned();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file").to_owned();
        let shown = name.clone();
        let bytes = tokio::task::spawn_blocking(move || -> anyhow::Result<_> {
            let bytes = read(&owned)?;
            if is_vector(&owned) {
                svg::check(&bytes).with_context(|| format!("the picture {shown} is refused"))?;
            }
            Ok(bytes)
        })
        .await??;
        let ending = Some(ending(path)).filter(|ending| is_plain(ending)).unwrap_or_else(|| "bin".to_owned());
        self.keep_bytes(&name, files::media_type(&name), &ending, bytes).await
    }

    /// Stores bytes under a name and returns their address, `/media/<site>/<digest>.<extension>`.
    ///
    /// # Errors
    /// A message, if they cannot be written.
    pub async fn keep_bytes(&self, name: &str, mime: &str, ending: &str, bytes: Vec<u8>) -> anyhow::Result<String> {
        let length = bytes.len();
        let bytes = Bytes::from(bytes);
        let digest = self.write(name, bytes.clone()).await?;
        let media = Media {
            digest: digest.clone(),
            name: name.to_owned(),
            mime: mime.to_owned(),
            bytes: i64::try_from(length).unwrap_or(i64::MAX),
        };
        self.store.save_media(&media).await?;
        // The removal of unused files may have removed this one after it was found to be stored, but not after it was recorded.
        if !files::is_kept(&self.data, &digest).await {
            self.write(name, bytes).await?;
        }
        Ok(format!("/media/{}/{digest}.{ending}", self.site))
    }

    /// The file of the site at an address, and where it is stored; `None` if the site has no file at this address.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn stored(&self, address: &str) -> Result<Option<(PathBuf, Media)>, StoreError> {
        let ending = address.rsplit_once('.').map_or("", |(_, ending)| ending);
        let digest = files::digest(address).unwrap_or_default();
        if !is_plain(ending) || address != format!("/media/{}/{digest}.{ending}", self.site) {
            return Ok(None);
        }
        let media = self.store.media(digest).await?;
        Ok(media.map(|media| (files::path(&self.data, digest), media)))
    }

    async fn write(&self, name: &str, bytes: Bytes) -> anyhow::Result<String> {
        let folder = self.data.clone();
        tokio::task::spawn_blocking(move || files::keep(&folder, &bytes))
            .await?
            .with_context(|| format!("storing {name} in the data folder"))
    }
}

/// Whether a file starts with the signature of PDF. Blocking I/O.
pub fn is_pdf(path: &Path) -> bool {
    let mut head = [0; 5];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *b"%PDF-"
}

/// Whether an extension can be used in an address without escaping.
fn is_plain(ending: &str) -> bool {
    !ending.is_empty() && ending.len() <= 12 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether browsers read a file as SVG.
fn is_vector(path: &Path) -> bool {
    path.to_str().is_some_and(|name| files::media_type(name) == "image/svg+xml")
}

/// The reason why a picture is refused: browsers read an SVG as it is, so that it is checked before it is stored. Blocking I/O.
///
/// # Errors
/// A message, if the file is too large or cannot be read.
pub fn refusal(path: &Path) -> anyhow::Result<Option<svg::SvgError>> {
    if is_vector(path) { Ok(svg::check(&read(path)?).err()) } else { Ok(None) }
}

/// Memory in MiB that decoding a picture of this size and scaling it needs, of [`DECODING`]; all of it if the size is not known.
fn memory(size: Option<(u32, u32)>) -> u32 {
    // Eight bytes for each pixel: two copies with four channels.
    let needed = size.map_or(u64::MAX, |(width, height)| u64::from(width) * u64::from(height) * 8);
    u32::try_from(needed >> 20).unwrap_or(DECODING).clamp(1, DECODING)
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    let length = std::fs::metadata(path).map_err(|error| anyhow::anyhow!("reading {shown}: {error}"))?.len();
    anyhow::ensure!(length <= LARGEST, "{shown} has {length} bytes; the limit is {LARGEST} bytes");
    std::fs::read(path).map_err(|error| anyhow::anyhow!("reading {shown}: {error}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn files_outside_the_folder_are_not_found() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("package");
        std::fs::create_dir_all(folder.join("figures")).unwrap();
        for name in ["package/figures/f1.svg", "package/f2.tif", "package/f2.png", "package/f3.tif", "secret.png"] {
            std::fs::write(top.path().join(name), name).unwrap();
        }
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let found = |wanted: &str| find(&folder, wanted).map(|asset| (name(&asset.original), name(&asset.shown)));
        let pair = |original: &str, shown: &str| Some((original.to_owned(), shown.to_owned()));
        assert_eq!(found("figures/f1.svg"), pair("f1.svg", "f1.svg"));
        assert_eq!(found("figures/f1"), pair("f1.svg", "f1.svg"));
        assert_eq!(found("f2.tif"), pair("f2.tif", "f2.png"), "browsers cannot show TIFF");
        assert_eq!(found("f3.tif"), pair("f3.tif", "f3.tif"));
        for outside in ["../secret.png", "/etc/passwd", "https://a.example/f.png"] {
            assert_eq!(found(outside), None);
        }
        std::os::unix::fs::symlink(top.path().join("secret.png"), folder.join("link.png")).unwrap();
        assert_eq!(found("link.png"), None);
    }

    #[test]
    fn a_refused_picture_is_named_with_its_place_and_the_print_version_takes_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let bomb = "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>";
        for (name, text) in [("f1.svg", bomb), ("f2.tif", "II*"), ("f2.svg", bomb), ("f3.svg", "<svg/>")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let accepted = |name: &str| {
            let mut warnings = Vec::new();
            let asset = find(folder.path(), name).unwrap().accepted(&mut warnings).unwrap();
            (asset.map(|asset| ending(&asset.shown)), warnings.join(";"))
        };
        let (shown, warning) = accepted("f1.svg");
        assert_eq!(shown, None);
        assert!(
            warning.contains("f1.svg") && warning.contains("line 2: ") && warning.contains("plain SVG"),
            "{warning}"
        );
        let (shown, warning) = accepted("f2.tif");
        assert!(shown.as_deref() == Some("tif") && warning.contains("f2.svg"), "{shown:?} {warning}");
        assert_eq!(accepted("f3.svg"), (Some("svg".to_owned()), String::new()));
    }

    #[test]
    fn pictures_are_decoded_within_the_memory_for_all() {
        assert_eq!((memory(Some((100, 100))), memory(Some((8_000, 8_000)))), (1, 488));
        assert_eq!((memory(Some((20_000, 20_000))), memory(None)), (DECODING, DECODING));
    }
}
