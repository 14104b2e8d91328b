//! Content nodes: the specification's "article body structure" (section 3).

mod figures_and_tables;
mod node;

use masthead_domain::content as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::schema;

pub use figures_and_tables::{Caption, Cell, CellStyle, Fig, FigGroup, Graphics, Grid, Line, Row, Table};
pub use node::{DefItem, Formula, ListItem, Media, Node};

schema! {
    /// What an article says, part by part, in the reader's order of specification section 2.
    ///
    /// Keywords and OCIS codes are in `ArticleMeta`, because lists and searches need them, too.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct ArticleBody of domain::ArticleBody {
        /// Abstracts by language and kind.
        pub abstracts: Vec<Abstract>,
        /// Graphical abstracts (spec `abstractgraphic`), by language.
        pub abstract_graphic: Vec<Abstract>,
        /// Highlights ("key points"), by language.
        pub highlights: Vec<Part>,
        /// The body.
        pub body: Vec<Node>,
        /// Figures and tables of the source's float group that nothing in the body points to.
        pub floats: Vec<Node>,
        /// Expert comments and replies to them (spec `response`).
        pub responses: Vec<SubArticle>,
        /// Who did what (type `con`) and who did the same share (type `equal`).
        pub contributions: Vec<Contribution>,
        /// Acknowledgements.
        pub acknowledgements: Vec<Part>,
        /// Supplementary material.
        pub supplementary: Vec<Part>,
        /// Statements about conflicts of interest.
        pub conflict: Vec<Part>,
        /// Ethics and consent statements.
        pub ethics: Vec<Part>,
        /// Statements about funding (spec `fundinggroup`).
        pub funding: Vec<Part>,
        /// Supporting data and its availability (spec `supportedby`).
        pub supporting_data: Vec<Part>,
        /// Glossaries of symbols and abbreviations.
        pub glossary: Vec<Part>,
        /// Appendices, and sections of the back matter that have no place of their own.
        pub appendix: Vec<Part>,
        /// Notes of the back matter that have no place of their own ("Publisher's note").
        pub notes: Vec<Part>,
        /// Footnotes.
        pub footnotes: Vec<Footnote>,
        /// Lists of references (spec `reflist`).
        pub reference_lists: Vec<RefList>,
        /// Other parts published with the article: translations, reports, letters.
        pub sub_articles: Vec<SubArticle>,
        /// Whether the article is withdrawn from the site (spec "offline flag").
        pub offline: bool,
    }
}

schema! {
    /// A formatted text in one language.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct LangText of domain::LangText {
        /// BCP 47 tag as the source declares it (`en`, `zh-Hans`), "" where it declares none.
        pub lang: String,
        /// The text without its formatting, white space folded.
        pub plain: String,
        /// The text with its formatting: inline nodes only.
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// Keywords of one language and kind.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct KeywordGroup of domain::KeywordGroup {
        /// BCP 47 tag, or "".
        pub lang: String,
        /// JATS `@kwd-group-type` (`author`, `ocis`, `abbreviations`), or "".
        pub kind: String,
        /// Heading as printed, or "".
        pub title: String,
        /// The keywords, each a list of inline nodes.
        pub items: Vec<Vec<Node>>,
        /// The keywords as plain text.
        pub plain: Vec<String>,
    }
}

schema! {
    /// An abstract of one language.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Abstract of domain::Abstract {
        /// BCP 47 tag, or "".
        pub lang: String,
        /// JATS `@abstract-type`, or "".
        pub kind: String,
        /// Heading.
        pub title: Option<LangText>,
        /// The text.
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// A statement or another part with a heading of its own.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Part of domain::Part {
        /// Id within the article, or "".
        pub id: String,
        /// BCP 47 tag where it differs from the article's, else "".
        pub lang: String,
        /// Label as printed ("Appendix A"), or "".
        pub label: String,
        /// Heading as printed.
        pub title: Option<LangText>,
        /// The text.
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// A statement of who contributed what.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Contribution of domain::Contribution {
        /// `con` (contributed) or `equal` (contributed equally).
        #[serde(rename = "type")]
        pub kind: String,
        /// The statement.
        pub part: Part,
    }
}

schema! {
    /// A footnote.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Footnote of domain::Footnote {
        /// Id within the article, or "".
        pub id: String,
        /// Mark as printed, or "".
        pub label: String,
        /// JATS `@fn-type`, or "".
        pub kind: String,
        /// The text.
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// A list of references.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct RefList of domain::RefList {
        /// Id within the article, or "".
        pub id: String,
        /// Heading as printed.
        #[schema(no_recursion)]
        pub title: Option<LangText>,
        /// What stands in the list before the references.
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
        /// The references.
        #[schema(no_recursion)]
        pub refs: Vec<Reference>,
    }
}

schema! {
    /// One entry of a list of references.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Reference of domain::Reference {
        /// Id that cross-references point to.
        pub id: String,
        /// Label as printed, or "".
        pub label: String,
        /// The work in each language that the source gives, or several works under one label.
        #[schema(no_recursion)]
        pub citations: Vec<Citation>,
        /// Notes beside the citations.
        #[schema(no_recursion)]
        pub notes: Vec<Node>,
    }
}

schema! {
    /// One citation in one language.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Citation of domain::Citation {
        /// Id within the article, or "".
        pub id: String,
        /// BCP 47 tag, or "".
        pub lang: String,
        /// JATS `@publication-type` (`journal`, `book`), or "".
        pub kind: String,
        /// The citation with its formatting.
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
        /// The citation as plain text.
        pub plain: String,
        /// The cited work's DOI, or "".
        pub doi: String,
        /// The cited work's address, or "".
        pub url: String,
        /// The cited work's title, or "".
        pub title: String,
        /// The cited work's container (journal, book), or "".
        pub source: String,
        /// Year of publication as printed, or "".
        pub year: String,
        /// First author's or editor's name, or "".
        pub first_author: String,
        /// Other identifiers: `(pub-id-type, value)`.
        pub ids: Vec<(String, String)>,
    }
}

schema! {
    /// A part with front matter of its own: a translation, an expert comment, a reviewer's report, a reply.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct SubArticle of domain::SubArticle {
        /// Id within the article, or "".
        pub id: String,
        /// JATS `@article-type` or `@response-type`: `translation`, `reply`, `reviewer-report`, ...; `comment` for comments.
        #[serde(rename = "type")]
        pub kind: String,
        /// BCP 47 tag.
        pub lang: String,
        /// DOI of the part, or "".
        pub doi: String,
        /// Title and its translations.
        pub titles: Vec<LangText>,
        /// Names of its authors, in order.
        pub authors: Vec<String>,
        /// Their affiliations, as text.
        pub affiliations: Vec<String>,
        /// Roles of its authors, correspondence and other notes of its front matter.
        pub notes: Vec<LangText>,
        /// Keywords by language.
        pub keywords: Vec<KeywordGroup>,
        /// What it says.
        #[schema(no_recursion)]
        pub body: ArticleBody,
    }
}
