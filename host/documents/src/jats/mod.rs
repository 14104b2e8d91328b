//! Import of JATS (NLM 2.3 to JATS 1.3) into the domain's article, and export of it as JATS 1.3.

mod back;
mod block;
mod cell_style;
mod classify;
mod error;
mod exact_article;
mod figure;
mod floats;
mod formula;
mod inline;
mod meta;
mod nodes;
mod people;
mod refs;
mod report;
mod source;
mod sub;
mod table;
mod write;
mod written;
mod xml;

use std::collections::{HashMap, HashSet};

use masthead_domain::{article::Article, text::hex};
use sha2::{Digest, Sha256};

pub use error::ImportError;
pub use masthead_xml::Limits;
pub use refs::INTERNAL_IDS;
pub use report::{IGNORED, Report};
pub use write::{ExportOptions, Rename, export};

/// What an import makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The article.
    pub article: Article,
    /// What was odd about the source.
    pub report: Report,
    /// Every address of a picture or file that the article refers to, as in the source, without duplicates.
    pub assets: Vec<String>,
}

/// State of one import.
#[derive(Default)]
struct Importer {
    report: Report,
    assets: Vec<String>,
    seen: HashSet<String>,
    /// Number after the last of each list with an id.
    lists: HashMap<String, u32>,
    /// Language of the article or sub-article at hand.
    lang: String,
    /// Level of the section at hand: 1 in the body.
    level: u8,
    /// Whether white space counts (program text).
    verbatim: bool,
    /// Elements around the one at hand.
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

/// Reads one article.
///
/// # Errors
/// [`ImportError`] where the bytes are not one JATS article, or pass a limit.
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
    let mut article = source::with_article(&decoded.text, limits, |tree, x| {
        let read = importer.article(x);
        match exact_article::taken(tree, x, &read) {
            None => read,
            Some(Ok(exact)) => {
                // What the XML cannot say is no fault of this file.
                importer.report =
                    Report { encoding: std::mem::take(&mut importer.report.encoding), ..Report::default() };
                exact
            }
            Some(Err(reason)) => {
                importer.report.warn(reason);
                read
            }
        }
    })?;
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
