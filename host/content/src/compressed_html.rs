//! The HTML of an article's long sections, compressed once when the article is imported.
//!
//! A page is assembled for each reader, but most of its bytes are sections that never change. Gzip (RFC 1951) and brotli (RFC 7932) streams are
//! sequences of blocks, and a block that refers to nothing before it can be placed into any stream. Such blocks are stored beside the article, and
//! the page cache joins them with the blocks of the page around them.

use std::io::Write as _;

use brotli::enc::{BrotliEncoderParams, writer::CompressorWriter};
use bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress, write::GzEncoder};
use masthead_documents::html::{RenderedArticle, RenderedSection};
use serde::{Deserialize, Serialize};

/// Sections with fewer bytes of HTML are compressed with the page: a block of its own needs tables of its own.
const MIN_BYTES: usize = 4096;
/// Version of the stored form; a form with another version is ignored, and the page is compressed as a whole.
const VERSION: u8 = 1;
/// Base-2 logarithm of the window of every brotli stream, in bytes. All blocks of a stream share it. A larger one makes no article smaller and asks
/// for memory that has to be zeroed for every block.
pub const BROTLI_WINDOW: u8 = 18;
/// Brotli quality of sections, and of files that nobody has asked for. The median body of 199 articles, 54,994 bytes, takes 15,217 bytes; at
/// quality 9 15,008 in three times the time, and as deflate at level 6 15,599.
const SECTION_QUALITY: i32 = 5;
/// Brotli quality of whole files, which are compressed when they are asked for first. Quality 11 takes ten times as long.
const FILE_QUALITY: i32 = 9;
/// Bytes of a compressor's output buffer.
const BUFFER: usize = 1 << 14;

/// A text as blocks of a gzip stream and of a brotli stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompressedHtml {
    /// Bytes of the text.
    pub length: u32,
    /// CRC-32 of the text, as the trailer of a gzip stream needs it.
    pub crc: u32,
    /// Deflate blocks that end at a byte boundary; none of them is the last of its stream.
    pub deflate: Bytes,
    /// Brotli meta-blocks that end at a byte boundary, without stream header; none of them is the last of its stream.
    pub brotli: Bytes,
}

impl CompressedHtml {
    /// Compresses a text; `None` if a compressor fails, which in memory it does not.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Some(Self {
            length: u32::try_from(text.len()).ok()?,
            crc: crc32fast::hash(text.as_bytes()),
            deflate: deflate_blocks(text.as_bytes())?.into(),
            brotli: brotli_blocks(text.as_bytes(), SECTION_QUALITY)?.into(),
        })
    }

    /// Bytes in memory.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.deflate.len() + self.brotli.len()
    }
}

/// Compresses bytes to deflate blocks that can stand anywhere in a stream; `None` if the compressor fails.
#[must_use]
pub fn deflate_blocks(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut compress = Compress::new(Compression::default(), false);
    let mut out = Vec::with_capacity(bytes.len() / 3 + 64);
    loop {
        let read = usize::try_from(compress.total_in()).ok()?;
        // A full flush ends at a byte boundary.
        compress.compress_vec(bytes.get(read..)?, &mut out, FlushCompress::Full).ok()?;
        // Room that is left over shows that everything was written.
        if usize::try_from(compress.total_in()).ok()? == bytes.len() && out.len() < out.capacity() {
            return Some(out);
        }
        out.reserve(bytes.len() / 4 + BUFFER);
    }
}

/// Compresses bytes to brotli meta-blocks that can stand anywhere in a stream with a window of [`BROTLI_WINDOW`]; `None` if the compressor fails.
#[must_use]
pub fn brotli_blocks(bytes: &[u8], quality: i32) -> Option<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality,
        lgwin: i32::from(BROTLI_WINDOW),
        size_hint: bytes.len(),
        // "Catable": without references to earlier bytes or to the static dictionary, whose distances depend on the position in the stream.
        // "Bare": without stream header and last block.
        catable: true,
        appendable: true,
        use_dictionary: false,
        bare_stream: true,
        byte_align: true,
        ..BrotliEncoderParams::default()
    };
    let mut out = Vec::with_capacity(bytes.len() / 3 + 64);
    let mut writer = CompressorWriter::with_params(&mut out, BUFFER, &params);
    writer.write_all(bytes).ok()?;
    // Finishes the stream, which a bare one does with a block that fills up the last byte.
    writer.into_inner();
    Some(out)
}

/// A whole brotli stream and a whole gzip stream of bytes that are served again and again; `None` if a compressor fails.
#[must_use]
pub fn whole_streams(bytes: &[u8]) -> Option<(Bytes, Bytes)> {
    streams(bytes, FILE_QUALITY, Compression::best())
}

/// The same in a third of the time, with a little more bytes: for files that are compressed before anybody asks for them.
#[must_use]
pub fn quick_streams(bytes: &[u8]) -> Option<(Bytes, Bytes)> {
    streams(bytes, SECTION_QUALITY, Compression::default())
}

fn streams(bytes: &[u8], quality: i32, level: Compression) -> Option<(Bytes, Bytes)> {
    let params = BrotliEncoderParams { quality, size_hint: bytes.len(), ..BrotliEncoderParams::default() };
    let mut brotli = Vec::with_capacity(bytes.len() / 4);
    let mut writer = CompressorWriter::with_params(&mut brotli, BUFFER, &params);
    writer.write_all(bytes).ok()?;
    writer.into_inner();
    let mut gzip = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), level);
    gzip.write_all(bytes).ok()?;
    Some((brotli.into(), gzip.finish().ok()?.into()))
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    version: u8,
    /// One entry for each section of the article, in their order; `None` for short ones.
    #[serde(borrow)]
    sections: Vec<Option<StoredSection<'a>>>,
}

/// [`CompressedHtml`] in the stored form.
#[derive(Serialize, Deserialize)]
struct StoredSection<'a> {
    length: u32,
    crc: u32,
    deflate: &'a [u8],
    brotli: &'a [u8],
}

/// Compresses the long sections of an article. The result is empty if there are none.
#[must_use]
pub fn encode(article: &RenderedArticle) -> Vec<u8> {
    let long = |html: &str| (html.len() >= MIN_BYTES).then(|| CompressedHtml::of(html)).flatten();
    let sections: Vec<_> = article.sections.iter().map(|section| long(&section.html)).collect();
    if sections.iter().all(Option::is_none) {
        return Vec::new();
    }
    let sections = sections.iter().map(|section| section.as_ref().map(stored_section)).collect();
    // Encoding into memory does not fail; without the stored form the page is compressed as a whole.
    postcard::to_allocvec(&Stored { version: VERSION, sections }).unwrap_or_default()
}

fn stored_section(one: &CompressedHtml) -> StoredSection<'_> {
    StoredSection { length: one.length, crc: one.crc, deflate: &one.deflate, brotli: &one.brotli }
}

/// Decodes the result of [`encode`] for the same article: the compressed HTML of each section, `None` for short ones. A form that is empty,
/// damaged, of another version or of other sections gives an empty list.
#[must_use]
pub fn decode(stored: &Bytes, article: &RenderedArticle) -> Vec<Option<CompressedHtml>> {
    // The version is the first byte.
    if stored.first() != Some(&VERSION) {
        return Vec::new();
    }
    let Ok(Stored { sections, .. }) = postcard::from_bytes(stored) else { return Vec::new() };
    let same = |(one, section): (&Option<StoredSection<'_>>, &RenderedSection)| {
        one.as_ref().is_none_or(|one| usize::try_from(one.length) == Ok(section.html.len()))
    };
    if sections.len() != article.sections.len() || !sections.iter().zip(&article.sections).all(same) {
        return Vec::new();
    }
    let shared = |one: StoredSection<'_>| CompressedHtml {
        length: one.length,
        crc: one.crc,
        deflate: stored.slice_ref(one.deflate),
        brotli: stored.slice_ref(one.brotli),
    };
    sections.into_iter().map(|section| section.map(shared)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Read as _;

    use masthead_documents::html::SectionKind;
    use proptest::prelude::*;

    use super::*;

    fn section(html: String) -> RenderedSection {
        RenderedSection {
            kind: SectionKind::Body,
            lang: String::new(),
            title: String::new(),
            id: "body".to_owned(),
            html,
        }
    }

    fn inflate(blocks: &[&[u8]]) -> Vec<u8> {
        let mut plain = Vec::new();
        // The empty last block with fixed codes.
        let stream = [&blocks.concat()[..], &[3, 0]].concat();
        flate2::read::DeflateDecoder::new(&stream[..]).read_to_end(&mut plain).unwrap();
        plain
    }

    fn unbrotli(blocks: &[&[u8]]) -> Vec<u8> {
        let mut plain = Vec::new();
        // A stream header, which an uncompressed block of one byte fills up to a byte, and the empty last block.
        let header = u32::from((BROTLI_WINDOW - 17) << 1 | 1) | 1 << 23;
        let stream = [&header.to_le_bytes()[..3], b"x", &blocks.concat(), &[3]].concat();
        brotli::Decompressor::new(&stream[..], 4096).read_to_end(&mut plain).unwrap();
        assert_eq!(plain.remove(0), b'x');
        plain
    }

    proptest! {
        #[test]
        fn blocks_can_be_joined_in_any_order(texts in proptest::collection::vec("(?s)(<p>[a-z ]{0,40}</p>|.{0,300}){0,60}", 1..4)) {
            for order in [false, true] {
                let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                if order { texts.reverse(); }
                let compressed: Vec<_> = texts.iter().map(|text| CompressedHtml::of(text).unwrap()).collect();
                let whole = texts.concat().into_bytes();
                let deflate: Vec<_> = compressed.iter().map(|one| &one.deflate[..]).collect();
                let brotli: Vec<_> = compressed.iter().map(|one| &one.brotli[..]).collect();
                prop_assert_eq!(inflate(&deflate), whole.clone());
                prop_assert_eq!(unbrotli(&brotli), whole);
            }
        }

        #[test]
        fn a_damaged_form_is_ignored_or_equal(at in 0usize..400, byte: u8) {
            let article = RenderedArticle { sections: vec![section("<p>text</p>".repeat(1000))], ..RenderedArticle::default() };
            let mut stored = encode(&article);
            let at = at % stored.len();
            stored[at] = byte;
            let read = decode(&stored.into(), &article);
            prop_assert!(read.is_empty() || read.len() == 1);
        }
    }

    #[test]
    fn long_sections_are_stored_and_read_back() {
        let sections = vec![section("short".to_owned()), section("<p>A long section</p>".repeat(1000))];
        let article = RenderedArticle { sections, ..RenderedArticle::default() };
        let stored = Bytes::from(encode(&article));
        let read = decode(&stored, &article);
        assert_eq!(read[0], None);
        assert_eq!(read[1], CompressedHtml::of(&article.sections[1].html));
        assert!(stored.len() < 1000, "{}", stored.len());

        let other = RenderedArticle { sections: vec![section("x".repeat(5000))], ..RenderedArticle::default() };
        assert_eq!(decode(&stored, &other), []);
        assert_eq!(decode(&Bytes::from_static(&[9]), &article), []);
        assert_eq!(decode(&Bytes::new(), &article), []);
    }

    #[test]
    fn an_article_of_short_sections_stores_nothing() {
        let article = RenderedArticle { sections: vec![section("short".to_owned())], ..RenderedArticle::default() };
        assert_eq!(encode(&article), Vec::<u8>::new());
    }
}
