//! Search widget, scopes and conditions (specification section 3: Search config entry, Search condition, search fields).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{lang::LocalText, resource::ResourceKind};

/// Search widget and scopes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SearchConfig {
    /// Style id of the widget; `[styles.search]` maps it to a module.
    pub style: i32,
    /// Title above the widget, where the style shows one.
    pub title: LocalText,
    /// Lines under the title.
    pub slogans: Vec<LocalText>,
    /// A link beside the title, where the style shows one.
    pub quick_entry: QuickEntry,
    /// Scopes in order (`resourceType`).
    pub resource_type: Vec<ResourceType>,
    /// Words offered below the widget.
    pub hot_words: Vec<LocalText>,
    /// Conditions by type, where they are not those of [`search_fields`].
    pub conditions: BTreeMap<String, Vec<SearchCondition>>,
    /// How much the fields count in the order by relevance.
    pub weights: SearchWeights,
    /// Lists of words or phrases that mean the same: a search for one of a list also finds the others. Case and number are ignored.
    pub synonyms: Vec<Vec<String>>,
    /// Words that searches leave out, unless they are within quotes or nothing else is typed. Case is ignored.
    pub stop_words: Vec<String>,
}

/// Largest number of lists of synonyms of a site.
pub const MAX_SYNONYM_LISTS: usize = 2_000;
/// Largest number of words or phrases in one of them.
pub const MAX_SYNONYMS_OF_LIST: usize = 16;
/// Largest number of stop words of a site.
pub const MAX_STOP_WORDS: usize = 1_000;
/// Largest number of characters in a synonym or a stop word.
pub const MAX_SEARCH_TERM: usize = 100;
/// Largest weight of a field, in percent.
pub const MAX_FIELD_WEIGHT: u32 = 10_000;

/// How much the fields count in the order by relevance, in percent of their usual weight. A field with 0 is not searched unless a reader
/// names it. A plugin that weighs a field of a search goes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SearchWeights {
    /// Titles, in percent of their usual weight.
    pub title: u32,
    /// Keywords, in percent of their usual weight.
    pub keywords: u32,
    /// Names of authors, in percent of their usual weight.
    pub authors: u32,
    /// Institutions of authors and organizers of journals, in percent of their usual weight.
    pub company: u32,
    /// Funders and grant numbers, in percent of their usual weight.
    pub fund: u32,
    /// Names of journals, in percent of their usual weight.
    pub publication: u32,
    /// Abstracts, in percent of their usual weight.
    pub summary: u32,
    /// Full texts, in percent of their usual weight.
    pub body: u32,
}

impl SearchWeights {
    /// The usual weight of every field.
    pub const USUAL: u32 = 100;

    /// The keys of the fields with their weights.
    #[must_use]
    pub const fn by_key(&self) -> [(&'static str, u32); 8] {
        [
            ("title", self.title),
            ("keywords", self.keywords),
            ("authors", self.authors),
            ("company", self.company),
            ("fund", self.fund),
            ("publication", self.publication),
            ("summary", self.summary),
            ("body", self.body),
        ]
    }
}

impl Default for SearchWeights {
    fn default() -> Self {
        let usual = Self::USUAL;
        Self {
            title: usual,
            keywords: usual,
            authors: usual,
            company: usual,
            fund: usual,
            publication: usual,
            summary: usual,
            body: usual,
        }
    }
}

/// A link to what many readers come for, such as the submission of papers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct QuickEntry {
    /// Name of the link; without one there is no link.
    pub name: LocalText,
    /// A page of the site, as a path after the language that begins with a slash (`/issues`), or an address of another server.
    pub link_value: String,
}

/// A condition that the search can be narrowed by (specification "Search condition").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SearchCondition {
    /// Label.
    pub condition: LocalText,
    /// Field that is searched, or "" for all.
    pub field: String,
    /// What the selector sends; the field where it is left out.
    pub value: String,
}

/// A search scope (specification "Search config entry").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ResourceType {
    /// `article`, `publication`, `picture`, `table`, `video`, `audio`, `other`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Code (`article` is also called thesis).
    pub code: String,
    /// Name on the tab.
    pub name: LocalText,
    /// 1 shows the option selector.
    pub is_open_config: i32,
}

/// A searchable field, with the key of its label in the host's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchField {
    /// Name of the field in a search; "" for all fields.
    pub field: &'static str,
    /// Key of the label.
    pub label: &'static str,
}

const fn field(field: &'static str, label: &'static str) -> SearchField {
    SearchField { field, label }
}

const ALL: SearchField = field("", "field_all");
const TITLE: SearchField = field("resName_tic", "field_title");
const KEYWORD: SearchField = field("keyword_tic", "field_keyword");
const AUTHORS: SearchField = field("authors_tic", "field_authors");
const COMPANY: SearchField = field("authorCompany_tic", "field_author_company");
const SUMMARY: SearchField = field("summary_tic", "field_summary");

const ARTICLE: &[SearchField] = &[
    ALL,
    TITLE,
    KEYWORD,
    AUTHORS,
    COMPANY,
    SUMMARY,
    field("doi", "field_doi"),
    field("part", "field_part"),
    field("firstPageNum", "field_first_page"),
    field("lastPageNum", "field_last_page"),
];
/// What the advanced search offers for articles besides the fields of the specification.
const MORE_OF_ARTICLES: &[SearchField] =
    &[field("fulltext", "full_text"), field("fund", "filter_fund"), field("journal", "field_publication_name")];
const PUBLICATION: &[SearchField] = &[
    ALL,
    field("publicationName", "field_publication_name"),
    field("organizerUnit", "field_organizer"),
    field("cn", "field_cn"),
    field("issn", "field_issn"),
];
const FIGURE_OR_TABLE: &[SearchField] = &[
    ALL,
    TITLE,
    field("noteChinese_tic", "field_note"),
    field("keyWords_tic", "field_keyword"),
    field("thesis_tic", "field_thesis"),
];
const RECORDING: &[SearchField] = &[
    ALL,
    field("enResName_tic", "field_title"),
    field("keywordExt_tic", "field_keyword"),
    field("en_Thesis_tic", "field_thesis"),
];
const BOOK: &[SearchField] = &[ALL, TITLE, field("isbn", "field_isbn"), AUTHORS, KEYWORD, SUMMARY];
const PATENT: &[SearchField] = &[ALL, TITLE, AUTHORS, KEYWORD, SUMMARY];
const STANDARD: &[SearchField] = &[ALL, TITLE, COMPANY, KEYWORD, SUMMARY];

/// The search type for a name or one of its synonyms (thesis for article, periodical for journal); `None` for an unknown name.
#[must_use]
pub fn search_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "article" | "thesis" => "article",
        "publication" | "periodical" => "publication",
        "onlineVideo" => "onlineVideo",
        other => ResourceKind::parse(other).filter(|kind| !resource_fields(*kind).is_empty())?.as_str(),
    })
}

/// The searchable fields of a type; `kind` is a result of [`search_type`].
#[must_use]
pub fn search_fields(kind: &str) -> &'static [SearchField] {
    match kind {
        "publication" => PUBLICATION,
        "onlineVideo" => RECORDING,
        other => match ResourceKind::parse(other).map(resource_fields) {
            None | Some([]) => ARTICLE,
            Some(fields) => fields,
        },
    }
}

/// The fields that a form with several conditions offers for a type: those of [`search_fields`]; for articles, the full text, the funder and
/// the journal too.
pub fn advanced_fields(kind: &str) -> impl Iterator<Item = &'static SearchField> {
    let fields = search_fields(kind);
    let more = if fields == ARTICLE { MORE_OF_ARTICLES } else { &[] };
    fields.iter().chain(more)
}

/// The searchable fields of a kind of resource; none for kinds that are not searched on their own.
const fn resource_fields(kind: ResourceKind) -> &'static [SearchField] {
    match kind {
        ResourceKind::Picture | ResourceKind::Table => FIGURE_OR_TABLE,
        ResourceKind::Video | ResourceKind::Audio => RECORDING,
        ResourceKind::Book => BOOK,
        ResourceKind::Patent => PATENT,
        ResourceKind::Standard => STANDARD,
        _ => &[],
    }
}
