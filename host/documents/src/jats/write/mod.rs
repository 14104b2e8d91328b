//! Export of the domain's article as JATS Publishing 1.3. What JATS cannot express is not in the XML; the exact article is
//! in a processing instruction ([`super::exact_article`]), which other readers ignore.

mod back;
mod content;
mod float;
mod formula;
mod front;
mod people;
mod refs;

use std::collections::HashSet;

use masthead_domain::article::Article;

use masthead_xml::{Attributes, XmlWriter, clean};

use super::{exact_article, export_options::ExportOptions};

/// Writes an article as JATS Publishing 1.3 in UTF-8, without a DOCTYPE. The output is deterministic.
///
/// Importing the output with [`super::import`] restores the same article, unless the XML was edited. With
/// [`ExportOptions::front_only`] its body is empty; with [`ExportOptions::portable`] it is what the XML can express.
#[must_use]
pub fn export(article: &Article, options: &ExportOptions) -> String {
    // A first pass collects the ids, which cross-references need.
    let known = Export::run(article, options, HashSet::new()).ids;
    let written = Export::run(article, options, known).out.finish();
    if options.portable { written } else { exact_article::attach(written, article, options) }
}

/// State of one export.
struct Export<'a> {
    out: XmlWriter,
    options: &'a ExportOptions<'a>,
    /// Language of the current article or sub-article.
    language: String,
    /// Nearest language declared on the current element or an ancestor, or "".
    declared: String,
    /// Name of the current element.
    container: &'static str,
    /// Ids written so far.
    ids: HashSet<String>,
    /// Ids of the whole document.
    known: HashSet<String>,
}

impl<'a> Export<'a> {
    fn run(article: &Article, options: &'a ExportOptions<'a>, known: HashSet<String>) -> Self {
        let mut export = Self {
            out: if options.embedded { XmlWriter::fragment() } else { XmlWriter::new() },
            options,
            language: article.meta.language.clone(),
            declared: String::new(),
            container: "",
            ids: HashSet::new(),
            known,
        };
        export.article(article);
        export
    }

    /// Writes an element with its content.
    fn element(&mut self, name: &'static str, attributes: &Attributes, content: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        let around = std::mem::replace(&mut self.container, name);
        let language = attributes.iter().find(|(key, value)| *key == "xml:lang" && !value.is_empty());
        let outer = language.map(|(_, tag)| {
            let tag = if *tag == UNDETERMINED { String::new() } else { (*tag).to_owned() };
            std::mem::replace(&mut self.declared, tag)
        });
        content(self);
        if let Some(outer) = outer {
            self.declared = outer;
        }
        self.container = around;
        self.out.end(name);
    }

    /// Writes a start tag. Empty attributes are omitted, except the address of a link, without which the element would not be a
    /// link. An id that XML does not allow or that another element has is omitted.
    fn open(&mut self, name: &str, attributes: &Attributes) {
        let kept = self.kept(attributes);
        self.out.start(name, &kept);
    }

    /// Writes an element without content.
    fn empty(&mut self, name: &str, attributes: &Attributes) {
        let kept = self.kept(attributes);
        self.out.empty(name, &kept);
    }

    fn kept<'b>(&mut self, attributes: &Attributes<'b>) -> Vec<(&'b str, &'b str)> {
        let mut kept = attributes.to_vec();
        kept.retain(|(key, value)| match *key {
            "xlink:href" => true,
            "id" => is_name(value) && self.ids.insert((*value).to_owned()),
            _ => !clean(value).is_empty(),
        });
        kept
    }

    /// Writes a cross-reference; ids that the document does not have are omitted, because XML forbids them.
    fn cross_reference(&mut self, kind: &str, rids: &[String], content: impl FnOnce(&mut Self)) {
        let found: Vec<&str> = rids.iter().map(String::as_str).filter(|rid| self.known.contains(*rid)).collect();
        let [kind, custom] = typed("ref-type", kind, REF_TYPES);
        self.element("xref", &[kind, custom, ("rid", &found.join(" "))], content);
    }

    /// Writes an element with text on a line of its own; nothing if the text is empty.
    fn field(&mut self, name: &'static str, attributes: &Attributes, text: &str) {
        if !text.is_empty() {
            self.leaf(name, attributes, text);
            self.out.line();
        }
    }

    /// Writes an element with text.
    fn leaf(&mut self, name: &str, attributes: &Attributes, text: &str) {
        self.open(name, attributes);
        self.out.characters(text);
        self.out.end(name);
    }

    /// The value of `xml:lang` for an element whose language the importer inherits if none is declared.
    fn inherited(&self, language: &str) -> String {
        match language {
            same if same == self.declared => String::new(),
            "" => UNDETERMINED.to_owned(),
            other => other.to_owned(),
        }
    }

    /// As [`Self::inherited`], for elements that have the article's language if no ancestor declares one.
    fn assumed(&self, language: &str) -> String {
        if self.declared.is_empty() && language == self.language { String::new() } else { self.inherited(language) }
    }

    /// The name of a file: the new one, else that in the source.
    fn file(&self, href: &str) -> String {
        self.options.href.and_then(|rename| rename(href)).unwrap_or_else(|| href.to_owned())
    }
}

/// A type as JATS allows it: a value of `list`, else `custom` with the type in another attribute.
fn typed<'a>(key: &'a str, kind: &'a str, list: &[&str]) -> [(&'a str, &'a str); 2] {
    if kind.is_empty() || list.contains(&kind) {
        [(key, kind), ("custom-type", "")]
    } else {
        [(key, "custom"), ("custom-type", kind)]
    }
}

/// Whether a text is a valid XML id.
fn is_name(id: &str) -> bool {
    id.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Types of cross-references in JATS.
const REF_TYPES: &[&str] = &[
    "aff",
    "app",
    "author-notes",
    "award",
    "bibr",
    "bio",
    "boxed-text",
    "chem",
    "collab",
    "contrib",
    "corresp",
    "disp-formula",
    "fig",
    "fn",
    "kwd",
    "list",
    "other",
    "plate",
    "scheme",
    "sec",
    "statement",
    "supplementary-material",
    "table",
    "table-fn",
];

/// Types of identifiers in JATS.
const ID_TYPES: &[&str] = &[
    "accession",
    "archive",
    "ark",
    "art-access-id",
    "arxiv",
    "coden",
    "doaj",
    "doi",
    "handle",
    "index",
    "isbn",
    "manuscript",
    "medline",
    "mr",
    "other",
    "pii",
    "pmcid",
    "pmid",
    "publisher-id",
    "sici",
    "std-designation",
    "zbl",
];

/// Types of footnotes in JATS.
const NOTE_TYPES: &[&str] = &[
    "abbr",
    "coi-statement",
    "com",
    "con",
    "conflict",
    "corresp",
    "current-aff",
    "deceased",
    "edited-by",
    "equal",
    "financial-disclosure",
    "on-leave",
    "other",
    "participating-researchers",
    "present-address",
    "presented-at",
    "presented-by",
    "previously-at",
    "study-group-members",
    "supplementary-material",
    "supported-by",
];

/// The tag that overrides an inherited language.
const UNDETERMINED: &str = "und";
