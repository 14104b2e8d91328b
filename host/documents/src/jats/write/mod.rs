//! Export of the domain's article as JATS Publishing 1.3. What JATS has no place for is lost in the XML; the exact article stands
//! in a processing instruction ([`super::exact_article`]), which other readers skip.

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

use super::exact_article;

/// How to write an article.
#[derive(Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// Only what is known about the article, with its abstracts: no body, no back matter, no other parts.
    pub front_only: bool,
    /// Leaves out the XML declaration, for an article within another document.
    pub embedded: bool,
    /// Leaves out the instruction with the exact article, for readers that are not this importer.
    pub portable: bool,
    /// New names of pictures and files, by the name in the source. Links out of the article are no files.
    pub href: Option<Rename<'a>>,
}

/// The new name of a file, or `None` where it keeps the one in the source.
pub type Rename<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Writes an article as JATS Publishing 1.3, without DOCTYPE, in UTF-8. The same article gives the same bytes.
///
/// Importing it with [`super::import`] gives the same article, as long as nobody edited the XML. With
/// [`ExportOptions::front_only`] its body is empty then; with [`ExportOptions::portable`] it is what the XML tells.
#[must_use]
pub fn export(article: &Article, options: &ExportOptions) -> String {
    // A first time only to learn what there is to point to.
    let known = Export::run(article, options, HashSet::new()).ids;
    let written = Export::run(article, options, known).out.finish();
    if options.portable { written } else { exact_article::attach(written, article, options) }
}

/// State of one export.
struct Export<'a> {
    out: XmlWriter,
    options: &'a ExportOptions<'a>,
    /// Language of the article or sub-article at hand.
    language: String,
    /// Language declared nearest upwards, or "".
    declared: String,
    /// Name of the element at hand.
    container: &'static str,
    /// Ids written so far.
    ids: HashSet<String>,
    /// Ids that the whole document has.
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

    /// An element with its content.
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

    /// A start tag. Attributes without a value are left out, but for the address of a link: a link without an address is still
    /// a link. An id that XML does not allow is left out, and so is one that another element has.
    fn open(&mut self, name: &str, attributes: &Attributes) {
        let kept = self.kept(attributes);
        self.out.start(name, &kept);
    }

    /// An element without content.
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

    /// A cross-reference; ids that are not in the document are left out, because XML forbids them.
    fn cross_reference(&mut self, kind: &str, rids: &[String], content: impl FnOnce(&mut Self)) {
        let found: Vec<&str> = rids.iter().map(String::as_str).filter(|rid| self.known.contains(*rid)).collect();
        let [kind, custom] = typed("ref-type", kind, REF_TYPES);
        self.element("xref", &[kind, custom, ("rid", &found.join(" "))], content);
    }

    /// An element with text alone, on a line of its own; nothing where there is no text.
    fn field(&mut self, name: &'static str, attributes: &Attributes, text: &str) {
        if !text.is_empty() {
            self.leaf(name, attributes, text);
            self.out.line();
        }
    }

    /// An element with text alone.
    fn leaf(&mut self, name: &str, attributes: &Attributes, text: &str) {
        self.open(name, attributes);
        self.out.characters(text);
        self.out.end(name);
    }

    /// The attribute's value for a language that the importer takes from above where the element has none.
    fn inherited(&self, language: &str) -> String {
        match language {
            same if same == self.declared => String::new(),
            "" => UNDETERMINED.to_owned(),
            other => other.to_owned(),
        }
    }

    /// As [`Self::inherited`], where the importer takes the article's language if none is declared above either.
    fn assumed(&self, language: &str) -> String {
        if self.declared.is_empty() && language == self.language { String::new() } else { self.inherited(language) }
    }

    /// The name of a file: the new one, else that of the source.
    fn file(&self, href: &str) -> String {
        self.options.href.and_then(|rename| rename(href)).unwrap_or_else(|| href.to_owned())
    }
}

/// A type as JATS allows it: from its list, else `custom` with the type beside it.
fn typed<'a>(key: &'a str, kind: &'a str, list: &[&str]) -> [(&'a str, &'a str); 2] {
    if kind.is_empty() || list.contains(&kind) {
        [(key, kind), ("custom-type", "")]
    } else {
        [(key, "custom"), ("custom-type", kind)]
    }
}

/// Whether this can be an id of XML.
fn is_name(id: &str) -> bool {
    id.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// What cross-references may point to.
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

/// Kinds of identifiers.
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

/// Kinds of footnotes.
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

/// The tag that undoes a language declared above.
const UNDETERMINED: &str = "und";
