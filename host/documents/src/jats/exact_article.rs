//! The exact article in an exported file: one processing instruction, `<?masthead-article DIGEST DATA?>`, in front of the
//! article's end tag.
//!
//! `DIGEST` is the SHA-256 of the article element without the instruction, in hexadecimal; `DATA` is the article as JSON, compressed
//! (zlib) and in Base64. An importer reads the article from the instruction if the digest matches; after any edit of the XML it
//! reads the XML. Anybody can write such an instruction, so that it is not trusted: its size is limited, its identifiers must be
//! those of the XML, and its MathML is sanitized again.

use std::io::Read as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, read::ZlibDecoder, read::ZlibEncoder};
use masthead_domain::{article::Article, content::ArticleBody, text::hex};
use masthead_xml::Tree;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{export_options::ExportOptions, xml::X};
use crate::math;

const TARGET: &str = "masthead-article";
/// Limit on the bytes of JSON per byte of XML. The JSON of real articles has two to four times the size of their XML.
const MOST_JSON: usize = 16;
/// Bytes of JSON that are allowed however short the XML is.
const LEAST_JSON: usize = 64 << 10;

/// The exported article with the instruction; unchanged if the article cannot be written as JSON.
pub(super) fn attach(mut xml: String, article: &Article, options: &ExportOptions) -> String {
    let (Some(start), Some(end)) = (xml.find("<article"), xml.rfind("</article>")) else { return xml };
    let close = end + "</article>".len();
    let digest = xml.get(start..close).map(|text| digest(&[text])).unwrap_or_default();
    if let Some(data) = packed(article, options) {
        xml.insert_str(end, &format!("<?{TARGET} {digest} {data}?>"));
    }
    xml
}

/// The article as it is in the export: without the parts that are not exported, and with the new names of files.
fn packed(article: &Article, options: &ExportOptions) -> Option<String> {
    let front = options.front_only.then(|| {
        let body = ArticleBody {
            abstracts: article.body.abstracts.clone(),
            abstract_graphic: article.body.abstract_graphic.clone(),
            highlights: article.body.highlights.clone(),
            offline: article.body.offline,
            ..ArticleBody::default()
        };
        Article { meta: article.meta.clone(), body }
    });
    let mut value = serde_json::to_value(front.as_ref().unwrap_or(article)).ok()?;
    if let Some(rename) = options.href {
        each_object(&mut value, &mut |object| {
            for key in file_fields(object) {
                let renamed = object.get(*key).and_then(Value::as_str).and_then(rename);
                if let Some(renamed) = renamed {
                    object.insert((*key).to_owned(), Value::String(renamed));
                }
            }
        });
    }
    let json = serde_json::to_vec(&value).ok()?;
    let mut compressed = Vec::new();
    ZlibEncoder::new(json.as_slice(), Compression::default()).read_to_end(&mut compressed).ok()?;
    Some(STANDARD.encode(compressed))
}

/// The fields of an object that refer to files: those of pictures, media and supplementary material.
fn file_fields(object: &Map<String, Value>) -> &'static [&'static str] {
    match object.get("type").and_then(Value::as_str) {
        Some("media" | "supplementary") => &["href"],
        _ if ["big", "small", "print"].iter().all(|key| object.contains_key(*key)) => &["big", "small", "print"],
        _ => &[],
    }
}

/// The article in the instruction of this element, or the reason for which the instruction is ignored; `None` if there is none.
///
/// `read` is the article as read from the XML.
pub(super) fn decode(tree: &Tree, element: X, read: &Article) -> Option<Result<Article, &'static str>> {
    let (node, pi) =
        element.children().rev().find_map(|node| Some((node, node.pi().filter(|pi| pi.target == TARGET)?)))?;
    Some(verified(tree, element, node, pi.value.unwrap_or_default(), read))
}

fn verified(tree: &Tree, element: X, node: X, value: &str, read: &Article) -> Result<Article, &'static str> {
    const MALFORMED: &str = "the instruction with the exact article is malformed; the article was read from its XML";
    let (claimed, data) = value.split_once(' ').ok_or(MALFORMED)?;
    let (before, after) = tree.around(element, node).ok_or(MALFORMED)?;
    if digest(&[before, after]) != claimed {
        return Err("the XML was edited after it was exported; the article was read from its XML");
    }
    let most = (before.len() + after.len()).saturating_mul(MOST_JSON).max(LEAST_JSON);
    let compressed = STANDARD.decode(data.trim()).map_err(|_| MALFORMED)?;
    let mut json = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    ZlibDecoder::new(compressed.as_slice()).take(limit).read_to_end(&mut json).map_err(|_| MALFORMED)?;
    if json.len() > most {
        return Err(
            "the instruction with the exact article is larger than any article; the article was read from its XML",
        );
    }
    let mut value: Value = serde_json::from_slice(&json).map_err(|_| MALFORMED)?;
    sanitize_mathml(&mut value);
    let mut article: Article = serde_json::from_value(value).map_err(|_| MALFORMED)?;
    let known = |article: &Article| (article.meta.source_key.clone(), article.meta.doi.clone());
    let anonymous =
        read.meta.source_key.is_empty() && is_digest(&article.meta.source_key) && article.meta.doi.is_none();
    if !anonymous && known(&article) != known(read) {
        return Err("the identifiers of the exact article are not those of the XML; the article was read from its XML");
    }
    article.meta.reference_count = reference_count(&article);
    Ok(article)
}

/// Sanitizes the MathML of an article that is written as JSON and comes from somebody else.
pub fn sanitize_mathml(article: &mut Value) {
    each_object(article, &mut |object| {
        if let Some(Value::String(mathml)) = object.get_mut("mathml")
            && !mathml.is_empty()
        {
            *mathml = math::sanitize_str(mathml).unwrap_or_default();
        }
    });
}

/// Number of entries in all lists of references.
pub(super) fn reference_count(article: &Article) -> u32 {
    let count = article.body.reference_lists.iter().map(|list| list.refs.len()).sum::<usize>();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether a key is that of an article without identifiers.
fn is_digest(key: &str) -> bool {
    key.strip_prefix("sha256:")
        .is_some_and(|digest| digest.len() == 64 && digest.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')))
}

fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hex(&hasher.finalize())
}

/// Visits every object within a value. Recursion is safe, because the parser limits the depth to 128.
fn each_object(value: &mut Value, then: &mut dyn FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| each_object(one, then)),
        Value::Object(object) => {
            then(object);
            object.values_mut().for_each(|one| each_object(one, then));
        }
        _ => {}
    }
}
