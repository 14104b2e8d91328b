//! The page cache: finished documents, compressed once, with a fresh nonce in every answer.
//!
//! A document is a short head, which holds every nonce (and the reader's choice of light or dark), and a long rest, which holds none. The rest is kept
//! compressed; the head is put before it as a stored block of the same gzip stream (RFC 1951, section 3.2.4), or as an uncompressed meta-block of the
//! same brotli stream (RFC 7932, section 9.2), so that an answer out of the cache costs a copy, not a compression, and no two answers share a nonce.
//! The long sections of an article were compressed when it was imported ([`CompressedHtml`]); only what surrounds them is compressed here.

pub mod by_reading_time;

use std::{
    convert::Infallible,
    io::Write as _,
    ops::Range,
    pin::Pin,
    sync::{Arc, OnceLock},
    task,
};

use axum::body::Bytes;
use flate2::{Compression, write::GzEncoder};
use masthead_content::compressed_html::{BROTLI_WINDOW, CompressedHtml, brotli_blocks, deflate_blocks};
use masthead_domain::{Lang, SiteId, resource::ResourceKind};
use serde::Serialize;
use serde_json::value::RawValue;

/// What stands in the head where the nonce goes. Not valid in any attribute that the host writes.
pub const NONCE: &str = "\u{0}nonce\u{0}";
/// What stands in the head where the attribute with the reader's colour scheme goes.
pub const SCHEME: &str = "\u{0}scheme\u{0}";

/// Bytes of a kept page besides its texts: key, pieces, entry of the cache.
const OVERHEAD: usize = 1024;

/// What differs between two answers with the same page.
#[derive(Clone, Copy, Debug)]
pub struct NonceAndScheme<'a> {
    /// The nonce of this answer.
    pub nonce: &'a str,
    /// Attribute that says light or dark, with a leading space; "" for what the system says.
    pub scheme: &'a str,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(Box<str>),
    Nonce,
    Scheme,
}

/// Which page; anything that changes the bytes is part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey {
    /// The site.
    pub site: SiteId,
    /// Generation of its configuration, plugins and modules.
    pub config: u64,
    /// Generation of its content.
    pub content: i64,
    /// Language.
    pub lang: Lang,
    /// Scheme, host, port and site prefix: absolute addresses hold them. Configured names and ports only, so that they are few.
    pub origin: String,
    /// Path and query in their one form, whatever the percent-encoding of the request.
    pub path: String,
    /// Permissions of the reader: visit and download.
    pub permissions: (bool, bool),
    /// Which plugins answered with their canary.
    pub variant: u32,
    /// Number of the time span for which a page is kept that shows usage; 0 for pages that change with the content only.
    pub period: i64,
}

/// What is counted when a page is served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Nothing.
    #[default]
    Nothing,
    /// A view of the article with this number.
    Article(i64),
    /// A view of the resource of this kind and number.
    Resource(ResourceKind, i64),
    /// A search for these words that found something.
    Search(String),
}

/// A document as it was rendered.
#[derive(Debug, Default)]
pub struct Document {
    /// The part that holds every [`NONCE`] and [`SCHEME`]: from the beginning to the links of scripts and styles.
    pub head: String,
    /// All that follows. It is the same in every answer.
    pub rest: String,
    /// Where the content of `<main>` is in `rest`.
    pub main: Range<usize>,
    /// Where the bootstrap's JSON is in `rest`.
    pub bootstrap: Range<usize>,
    /// Parts of `rest` that are compressed already, in their order.
    pub compressed: Vec<(Range<usize>, CompressedHtml)>,
}

/// A page as it was made, before it is encoded.
#[derive(Debug)]
pub struct Finished {
    /// HTTP status.
    pub status: u16,
    /// Title of the document.
    pub title: String,
    /// The page's language.
    pub lang: Lang,
    /// Value of the answer's `Link` header, or "".
    pub links: String,
    /// What is counted whenever the page is served.
    pub counted: Counted,
    /// Whether it refuses its content to the reader.
    pub refused: bool,
    /// The document.
    pub document: Document,
}

/// A finished page. It is sent as a document, or as the payload of in-site navigation; either encoding is compressed when it
/// is first asked for.
#[derive(Debug)]
pub struct CachedPage {
    /// HTTP status.
    pub status: u16,
    /// Value of its `Link` header, or "".
    pub links: String,
    /// What is counted whenever it is served.
    pub counted: Counted,
    /// Whether it refuses its content to the readers for whom it was made.
    pub refused: bool,
    title: String,
    lang: Lang,
    /// The head, cut where answers differ.
    head: Vec<Piece>,
    rest: Bytes,
    main: Range<usize>,
    bootstrap: Range<usize>,
    compressed: Vec<(Range<usize>, CompressedHtml)>,
    rest_deflated: OnceLock<Option<Deflated>>,
    rest_brotli: OnceLock<Option<Bytes>>,
    navigation_gzip: OnceLock<Bytes>,
}

/// Brotli quality of what surrounds the sections of an article, and of other pages: half of the time of quality 5, and 4 % more bytes.
const PAGE_QUALITY: i32 = 4;
/// The empty last block of a deflate stream: final, with fixed codes, only its end-of-block symbol.
const DEFLATE_END: [u8; 2] = [3, 0];
/// The empty last meta-block of a brotli stream.
const BROTLI_END: [u8; 1] = [3];

/// The rest of a document as raw deflate blocks, with the checksum that gzip asks for.
#[derive(Clone, Debug)]
struct Deflated {
    bytes: Bytes,
    crc: crc32fast::Hasher,
}

/// A part of a document's rest.
enum Part<'a> {
    /// It is compressed now.
    Plain(&'a [u8]),
    /// It was compressed at import.
    Compressed(&'a CompressedHtml),
}

/// The payload of in-site navigation in the envelope of calls: `PagePayload` of `page::types`, with JSON that is there already.
#[derive(Serialize)]
struct NavigationEnvelope<'a> {
    status: i32,
    data: Navigation<'a>,
    message: &'static str,
}

#[derive(Serialize)]
struct Navigation<'a> {
    title: &'a str,
    tag: &'static str,
    dir: &'static str,
    status: u16,
    html: &'a str,
    bootstrap: &'a RawValue,
}

impl CachedPage {
    /// Takes in a page.
    #[must_use]
    pub fn new(finished: Finished) -> Self {
        let Finished { status, title, lang, links, counted, refused, document } = finished;
        let head = document
            .head
            .split('\u{0}')
            .map(|piece| match piece {
                "nonce" => Piece::Nonce,
                "scheme" => Piece::Scheme,
                text => Piece::Text(text.into()),
            })
            .collect();
        Self {
            status,
            links,
            counted,
            refused,
            title,
            lang,
            head,
            rest: Bytes::from(document.rest),
            main: document.main,
            bootstrap: document.bootstrap,
            compressed: document.compressed,
            rest_deflated: OnceLock::new(),
            rest_brotli: OnceLock::new(),
            navigation_gzip: OnceLock::new(),
        }
    }

    /// The page as the shell fetches it for a link inside the site: JSON in the envelope of calls.
    ///
    /// # Errors
    /// The encoder's, which says that the page is damaged.
    pub fn navigation(&self) -> serde_json::Result<Vec<u8>> {
        let text = |range: &Range<usize>| {
            let bytes = self.rest.get(range.clone()).unwrap_or_default();
            std::str::from_utf8(bytes).map_err(serde::ser::Error::custom)
        };
        serde_json::to_vec(&NavigationEnvelope {
            status: 0,
            data: Navigation {
                title: &self.title,
                tag: self.lang.tag(),
                dir: self.lang.dir(),
                status: self.status,
                html: text(&self.main)?,
                bootstrap: serde_json::from_str(text(&self.bootstrap)?)?,
            },
            message: "",
        })
    }

    /// The same as a gzip stream. It is made once.
    ///
    /// # Errors
    /// As [`Self::navigation`].
    pub fn navigation_gzip(&self) -> serde_json::Result<Bytes> {
        if let Some(known) = self.navigation_gzip.get() {
            return Ok(known.clone());
        }
        let plain = self.navigation()?;
        let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
        let written = encoder.write_all(&plain).and_then(|()| encoder.finish());
        let bytes = Bytes::from(written.map_err(serde_json::Error::io)?);
        Ok(self.navigation_gzip.get_or_init(|| bytes).clone())
    }

    fn head(&self, answer: NonceAndScheme<'_>) -> String {
        let pieces = self.head.iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Nonce => answer.nonce,
            Piece::Scheme => answer.scheme,
        });
        pieces.collect()
    }

    /// The document as it is.
    #[must_use]
    pub fn plain(&self, answer: NonceAndScheme<'_>) -> Pieces {
        Pieces([self.head(answer).into(), self.rest.clone(), Bytes::new()])
    }

    /// The rest of the document, cut where its compression changes.
    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::with_capacity(2 * self.compressed.len() + 1);
        let mut at = 0;
        for (range, compressed) in &self.compressed {
            parts.push(Part::Plain(self.rest.get(at..range.start).unwrap_or_default()));
            parts.push(Part::Compressed(compressed));
            at = range.end;
        }
        parts.push(Part::Plain(self.rest.get(at..).unwrap_or_default()));
        parts
    }

    fn deflate_rest(&self) -> Option<Deflated> {
        let (mut bytes, mut crc) = (Vec::with_capacity(self.rest.len() / 3), crc32fast::Hasher::new());
        for part in self.parts() {
            match part {
                Part::Plain(text) => {
                    bytes.extend_from_slice(&deflate_blocks(text)?);
                    crc.update(text);
                }
                Part::Compressed(part) => {
                    bytes.extend_from_slice(&part.deflate);
                    crc.combine(&crc32fast::Hasher::new_with_initial_len(part.crc, u64::from(part.length)));
                }
            }
        }
        bytes.extend_from_slice(&DEFLATE_END);
        Some(Deflated { bytes: bytes.into(), crc })
    }

    fn brotli_rest(&self) -> Option<Bytes> {
        let mut bytes = Vec::with_capacity(self.rest.len() / 4);
        for part in self.parts() {
            match part {
                Part::Plain(text) => bytes.extend_from_slice(&brotli_blocks(text, PAGE_QUALITY)?),
                Part::Compressed(part) => bytes.extend_from_slice(&part.brotli),
            }
        }
        bytes.extend_from_slice(&BROTLI_END);
        Some(bytes.into())
    }

    /// The document as a brotli stream; `None` when it cannot be made.
    #[must_use]
    pub fn brotli(&self, answer: NonceAndScheme<'_>) -> Option<Pieces> {
        let head = self.head(answer);
        // An uncompressed meta-block with 4 nibbles of length holds 1 to 65,536 bytes.
        let length_minus_one = u16::try_from(head.len().checked_sub(1)?).ok()?;
        let rest = self.rest_brotli.get_or_init(|| self.brotli_rest()).clone()?;
        // RFC 7932, sections 9.1 and 9.2, from the lowest bit: four bits of window; not the last block; 4 nibbles; length - 1; uncompressed.
        let window = u32::from((BROTLI_WINDOW - 17) << 1 | 1);
        let header = window | u32::from(length_minus_one) << 7 | 1 << 23;
        let [first, second, third, _] = header.to_le_bytes();
        let mut opening = Vec::with_capacity(head.len() + 3);
        opening.extend_from_slice(&[first, second, third]);
        opening.extend_from_slice(head.as_bytes());
        Some(Pieces([opening.into(), rest, Bytes::new()]))
    }

    /// The document as a gzip stream; `None` when it cannot be made.
    #[must_use]
    pub fn gzip(&self, answer: NonceAndScheme<'_>) -> Option<Pieces> {
        let head = self.head(answer);
        // A stored block counts its bytes in 16 bits.
        let length = u16::try_from(head.len()).ok()?;
        let rest = self.rest_deflated.get_or_init(|| self.deflate_rest()).as_ref()?;
        let mut crc = crc32fast::Hasher::new();
        crc.update(head.as_bytes());
        crc.combine(&rest.crc);
        let total = u32::try_from((head.len() + self.rest.len()) & 0xffff_ffff).ok()?;
        let mut opening = Vec::with_capacity(head.len() + 16);
        opening.extend_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
        opening.push(0);
        opening.extend_from_slice(&length.to_le_bytes());
        opening.extend_from_slice(&(!length).to_le_bytes());
        opening.extend_from_slice(head.as_bytes());
        let mut closing = Vec::with_capacity(8);
        closing.extend_from_slice(&crc.finalize().to_le_bytes());
        closing.extend_from_slice(&total.to_le_bytes());
        Some(Pieces([opening.into(), rest.bytes.clone(), closing.into()]))
    }

    fn weight(&self) -> u32 {
        let head: usize = self
            .head
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.len(),
                Piece::Nonce | Piece::Scheme => 0,
            })
            .sum();
        // The compressed encodings come later, each about a quarter of the text or less; seldom is a page asked for in more than two of them.
        let stored: usize = self.compressed.iter().map(|(_, compressed)| compressed.size()).sum();
        let compressed = self.rest.len() / 2 + stored;
        u32::try_from(head + self.title.len() + self.links.len() + self.rest.len() + compressed + OVERHEAD)
            .unwrap_or(u32::MAX)
    }
}

/// The body of an answer: what is kept is sent as it is, without being copied behind the head first.
#[derive(Clone, Debug)]
pub struct Pieces([Bytes; 3]);

impl Pieces {
    /// Number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut task::Context<'_>,
    ) -> task::Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
        let next = self.0.iter_mut().find(|piece| !piece.is_empty()).map(std::mem::take);
        task::Poll::Ready(next.map(|piece| Ok(http_body::Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_empty()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::with_exact(self.len() as u64)
    }
}

/// Bytes that all finished pages together may take.
const CAPACITY: u64 = 96 << 20;

/// Finished pages. Old generations are never asked for again and are pushed out by newer pages.
pub struct PageCache(moka::sync::Cache<PageKey, Arc<CachedPage>>);

impl PageCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self(
            moka::sync::Cache::builder()
                .max_capacity(CAPACITY)
                .weigher(|_, page: &Arc<CachedPage>| page.weight())
                .build(),
        )
    }

    /// A finished page.
    #[must_use]
    pub fn get(&self, key: &PageKey) -> Option<Arc<CachedPage>> {
        self.0.get(key)
    }

    /// Keeps a finished page.
    pub fn put(&self, key: PageKey, page: Arc<CachedPage>) {
        self.0.insert(key, page);
    }

    /// The keys of the kept pages. Tests read them: which requests share a page is visible in no response.
    #[must_use]
    pub fn keys(&self) -> Vec<PageKey> {
        self.0.run_pending_tasks();
        self.0.iter().map(|(key, _)| PageKey::clone(&key)).collect()
    }

    /// Drops all pages.
    pub fn clear(&self) {
        for key in self.keys() {
            self.0.invalidate(&key);
        }
    }
}

impl Default for PageCache {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Read as _;

    use proptest::prelude::*;

    use super::*;

    fn page(head: String, rest: String) -> CachedPage {
        finished(Document { head, rest, ..Document::default() })
    }

    fn finished(document: Document) -> CachedPage {
        CachedPage::new(Finished {
            status: 200,
            title: "A \"title\"".to_owned(),
            lang: Lang::Ara,
            links: String::new(),
            counted: Counted::Nothing,
            refused: false,
            document,
        })
    }

    #[test]
    fn navigation_carries_the_documents_content_and_bootstrap() {
        let (main, bootstrap) = ("<p>\"A\" &amp; b</p>", "{\"lang\":\"ara\"}");
        let rest = format!("<main>{main}</main><script>{bootstrap}</script>");
        let at = |text: &str| rest.find(text).map(|start| start..start + text.len()).unwrap();
        let (main_at, bootstrap_at) = (at(main), at(bootstrap));
        let document = Document { main: main_at, bootstrap: bootstrap_at, rest: rest.clone(), ..Document::default() };
        let page = finished(document);
        let plain = page.navigation().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&plain).unwrap();
        let data = serde_json::json!({
            "title": "A \"title\"", "tag": "ar", "dir": "rtl", "status": 200, "html": main, "bootstrap": { "lang": "ara" },
        });
        assert_eq!(json, serde_json::json!({ "status": 0, "data": data, "message": "" }));
        assert_eq!(unzip(&page.navigation_gzip().unwrap()).into_bytes(), plain);
    }

    fn whole_of(pieces: Pieces) -> Vec<u8> {
        pieces.0.concat()
    }

    fn unzip(bytes: &[u8]) -> String {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        text
    }

    proptest! {
        #[test]
        fn head_and_rest_are_one_stream(before in "[^\\x00]{0,200}", after in "[^\\x00]{0,200}", rest in "(?s).{0,5000}", nonce in "[A-Za-z0-9]{22}") {
            let page = page(format!("{before}{SCHEME}{NONCE}{after}{NONCE}"), rest.clone());
            let whole = format!("{before} data-theme=x{nonce}{after}{nonce}{rest}");
            let answer = NonceAndScheme { nonce: &nonce, scheme: " data-theme=x" };
            prop_assert_eq!(unzip(&whole_of(page.gzip(answer).unwrap())), whole.clone());
            prop_assert_eq!(unbrotli(&whole_of(page.brotli(answer).unwrap())), whole.clone());
            prop_assert_eq!(&whole_of(page.plain(answer))[..], whole.as_bytes());
        }

        #[test]
        fn compressed_sections_are_joined_with_the_page(texts in proptest::collection::vec("(?s).{0,2000}", 1..6)) {
            let (mut rest, mut compressed) = (String::new(), Vec::new());
            for (index, text) in texts.iter().enumerate() {
                let start = rest.len();
                rest.push_str(text);
                if index % 2 == 1 {
                    compressed.push((start..rest.len(), CompressedHtml::of(text).unwrap()));
                }
            }
            let page = finished(Document { head: "head".to_owned(), rest: rest.clone(), compressed, ..Document::default() });
            let answer = NonceAndScheme { nonce: "", scheme: "" };
            let whole = format!("head{rest}");
            prop_assert_eq!(unzip(&whole_of(page.gzip(answer).unwrap())), whole.clone());
            prop_assert_eq!(unbrotli(&whole_of(page.brotli(answer).unwrap())), whole);
        }
    }

    fn unbrotli(bytes: &[u8]) -> String {
        let mut text = String::new();
        brotli::Decompressor::new(bytes, 4096).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_head_too_long_for_a_stored_block_is_sent_plain() {
        let page = page("x".repeat(70_000), "rest".to_owned());
        let answer = NonceAndScheme { nonce: "n", scheme: "" };
        assert!(page.gzip(answer).is_none() && page.brotli(answer).is_none());
        assert_eq!(page.plain(answer).len(), 70_004);
    }
}
