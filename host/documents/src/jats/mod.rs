//! Import of JATS (NLM 2.3 to JATS 1.3) to the domain's article, and its export as JATS 1.3.

mod back;
mod block;
mod cell_style;
mod checks;
mod classify;
mod dates;
mod error;
mod exact_article;
mod export_options;
mod figure;
mod floats;
mod formula;
mod inline;
mod meta;
mod mixed_citation;
mod nodes;
mod omitted_elements;
mod people;
mod refs;
mod report;
mod source;
mod sub;
mod subjects;
mod table;
mod write;
mod xml;

use std::collections::{HashMap, HashSet};

use masthead_domain::{article::Article, link, text::hex};
use sha2::{Digest, Sha256};

pub use error::ImportError;
pub use exact_article::sanitize_mathml;
pub use export_options::{ExportOptions, Rename};
pub use masthead_xml::Limits;
pub use omitted_elements::{Omission, is_no_text, reason_to_leave_out};
pub use refs::INTERNAL_IDS;
pub use report::Report;
pub use source::PREFIXES;
pub use write::export;

/// The result of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The article.
    pub article: Article,
    /// Warnings about the source.
    pub report: Report,
    /// Addresses of all pictures and files that the article refers to, as in the source, without duplicates.
    pub assets: Vec<String>,
}

/// State of one import.
#[derive(Default)]
struct Importer {
    report: Report,
    assets: Vec<String>,
    seen: HashSet<String>,
    /// By the id of a list, the number with which a list that continues it begins.
    lists: HashMap<String, u32>,
    /// Language of the current article or sub-article.
    lang: String,
    /// Level of the current section: 1 in the body.
    level: u8,
    /// Whether white space is significant (program text).
    verbatim: bool,
    /// Depth of the current element.
    depth: u16,
}

impl Importer {
    fn asset(&mut self, href: &str) {
        let remote = ["http:", "https:", "ftp:", "doi:", "mailto:", "data:", "javascript:"]
            .iter()
            .any(|scheme| href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        if !href.is_empty() && !remote && self.seen.insert(href.to_owned()) {
            self.assets.push(href.to_owned());
        }
    }
}

/// Imports one article.
///
/// # Errors
/// [`ImportError`] if the bytes are not one JATS article, or exceed a limit.
pub fn import(bytes: &[u8], limits: &Limits) -> Result<Imported, ImportError> {
    if bytes.len() > limits.max_bytes {
        return Err(ImportError::TooLarge { bytes: bytes.len(), limit: limits.max_bytes });
    }
    let decoded = masthead_xml::decode(bytes)?;
    let mut importer = Importer::default();
    importer.report.encoding = decoded.encoding;
    if let Some(warning) = decoded.warning {
        importer.report.warn(warning);
    }
    let mut article = source::with_article(&decoded.text, limits, |tree, x| -> Result<Article, ImportError> {
        let read = importer.article(x);
        match exact_article::decode(tree, x, &read) {
            Some(Ok(exact)) => {
                // Warnings about the XML do not apply, because the article was not read from it.
                importer.report =
                    Report { encoding: std::mem::take(&mut importer.report.encoding), ..Report::default() };
                return Ok(exact);
            }
            Some(Err(reason)) => importer.report.warn(reason),
            None => {}
        }
        checks::refuse_nothing(tree, x, &read.meta)?;
        checks::warn(tree, x, &mut importer.report);
        importer.report.left_out = omitted_elements::collect(x);
        Ok(read)
    })??;
    // The exact article of an exported file may name any address.
    if !article.meta.license_url.is_empty() && !link::is_web(&article.meta.license_url) {
        article.meta.license_url.clear();
        importer.report.warn("the address of the licence is removed: it is not an http or https address");
    }
    if article.meta.source_key.is_empty() {
        article.meta.source_key = format!("sha256:{}", hex(&Sha256::digest(bytes)));
    }
    Ok(Imported { article, report: importer.report, assets: importer.assets })
}

impl Importer {
    fn article(&mut self, x: xml::X) -> Article {
        self.lang = xml::own_lang(x);
        let meta = self.meta(x);
        if self.lang.is_empty() {
            self.lang = meta.language.clone();
        }
        let mut article = Article { meta, body: self.parts(x) };
        article.meta.reference_count = exact_article::reference_count(&article);
        article
    }
}
