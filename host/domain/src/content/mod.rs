//! Content nodes: the specification's "article body structure" (section 3), as serde types.

mod node;
pub mod text;

use serde::{Deserialize, Serialize};

pub use node::Node;

/// What an article says, part by part, in the reader's order of specification section 2.
///
/// Keywords and OCIS codes live in [`crate::article::ArticleMeta`], because lists and searches need them too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ArticleBody {
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

/// A formatted text in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LangText {
    /// BCP 47 tag as the source declares it (`en`, `zh-Hans`), "" where it declares none.
    pub lang: String,
    /// The text without its formatting, white space folded.
    pub plain: String,
    /// The text with its formatting: inline nodes only.
    pub nodes: Vec<Node>,
}

/// Keywords of one language and kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeywordGroup {
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

/// An abstract of one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Abstract {
    /// BCP 47 tag, or "".
    pub lang: String,
    /// JATS `@abstract-type`, or "".
    pub kind: String,
    /// Heading.
    pub title: Option<LangText>,
    /// The text.
    pub nodes: Vec<Node>,
}

/// Where an article has an abstract of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbstractPlace {
    /// Among the abstracts in words.
    #[default]
    Abstracts,
    /// Among the graphical abstracts.
    Graphical,
    /// Among the highlights.
    Highlights,
}

impl AbstractPlace {
    /// The place of an abstract with this JATS `@abstract-type`, which has pictures and no words if `is_picture`.
    #[must_use]
    pub fn of(kind: &str, is_picture: bool) -> Self {
        let kind = kind.to_ascii_lowercase();
        if kind.contains("highlight") || kind == "key-points" || kind == "keypoints" {
            Self::Highlights
        } else if kind.contains("graphical") || kind.contains("visual") || is_picture {
            Self::Graphical
        } else {
            Self::Abstracts
        }
    }
}

/// A statement or another part with a heading of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Part {
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

/// A statement of who contributed what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Contribution {
    /// `con` (contributed) or `equal` (contributed equally).
    #[serde(rename = "type")]
    pub kind: String,
    /// The statement.
    pub part: Part,
}

/// A footnote.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Footnote {
    /// Id within the article, or "".
    pub id: String,
    /// Mark as printed, or "".
    pub label: String,
    /// JATS `@fn-type`, or "".
    pub kind: String,
    /// The text.
    pub nodes: Vec<Node>,
}

/// A list of references.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RefList {
    /// Id within the article, or "".
    pub id: String,
    /// Heading as printed.
    pub title: Option<LangText>,
    /// What stands in the list before the references.
    pub nodes: Vec<Node>,
    /// The references.
    pub refs: Vec<Reference>,
}

/// One entry of a list of references.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reference {
    /// Id that cross-references point to.
    pub id: String,
    /// Label as printed, or "".
    pub label: String,
    /// The work in each language that the source gives, or several works under one label.
    pub citations: Vec<Citation>,
    /// Notes beside the citations.
    pub notes: Vec<Node>,
}

/// One citation in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Citation {
    /// Id within the article, or "".
    pub id: String,
    /// BCP 47 tag, or "".
    pub lang: String,
    /// JATS `@publication-type` (`journal`, `book`), or "".
    pub kind: String,
    /// The citation with its formatting.
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

/// A part with front matter of its own: a translation, an expert comment, a reviewer's report, a reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SubArticle {
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
    pub body: ArticleBody,
}

/// Files of one picture, as addresses of the source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Graphics {
    /// The picture to look at.
    pub big: String,
    /// A small one for previews, or "".
    pub small: String,
    /// One for print (TIFF, EPS), or "".
    pub print: String,
    /// Alternative text of the picture, or "".
    pub alt: String,
    /// Longer description, or "".
    pub description: String,
    /// Width as given, or "".
    pub width: String,
    /// Height as given, or "".
    pub height: String,
}

/// Label, heading and text of a figure, table or file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Caption {
    /// BCP 47 tag where it differs from the article's, else "".
    pub lang: String,
    /// Heading.
    pub title: Vec<Node>,
    /// Text below the heading (spec `subcaption`).
    pub nodes: Vec<Node>,
}

/// A figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Fig {
    /// Id that cross-references point to.
    pub id: String,
    /// JATS `@fig-type` (`scheme`, `chart`), `chem` for structures, or "".
    pub kind: String,
    /// Label as printed ("Figure 1").
    pub label: String,
    /// Captions, one a language.
    pub captions: Vec<Caption>,
    /// Its pictures.
    pub graphics: Vec<Graphics>,
    /// Content that is no picture: text, tables, formulas, media.
    pub nodes: Vec<Node>,
    /// Notes, source and permission below it.
    pub notes: Vec<Node>,
}

/// Several figures or tables under one label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FigGroup {
    /// Id that cross-references point to.
    pub id: String,
    /// Label as printed.
    pub label: String,
    /// Captions, one a language.
    pub captions: Vec<Caption>,
    /// Figures and tables, and whatever stands between them.
    pub nodes: Vec<Node>,
}

/// A table with its caption and notes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Table {
    /// Id that cross-references point to.
    pub id: String,
    /// Label as printed ("Table 1"); "" also for an array, which has no caption either.
    pub label: String,
    /// Captions, one a language.
    pub captions: Vec<Caption>,
    /// Unit that holds for all cells (spec `cellunit`), or "".
    pub cell_unit: String,
    /// Grids of rows; more than one where the source stacks several under one label.
    pub grids: Vec<Grid>,
    /// The table as a picture, where the source has no cells.
    pub graphics: Vec<Graphics>,
    /// Content that is neither cells nor picture.
    pub nodes: Vec<Node>,
    /// Notes without a mark.
    pub notes: Vec<Node>,
    /// Notes with a mark.
    pub footnotes: Vec<Footnote>,
}

/// The cells of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Grid {
    /// Alignment of the columns, where the source declares it: `left`, `right`, `center`, `justify`, `char` or "".
    pub columns: Vec<String>,
    /// Rows of the head.
    pub head: Vec<Row>,
    /// Rows of each body.
    pub bodies: Vec<Vec<Row>>,
    /// Rows of the foot.
    pub foot: Vec<Row>,
}

/// One row of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Row {
    /// The cells.
    pub cells: Vec<Cell>,
}

/// One cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cell {
    /// Id within the article, or "".
    pub id: String,
    /// Whether it heads a row or a column.
    pub header: bool,
    /// `row`, `col`, `rowgroup`, `colgroup` or "".
    pub scope: String,
    /// Rows that it spans; 0 and 1 mean one.
    pub rowspan: u16,
    /// Columns that it spans; 0 and 1 mean one.
    pub colspan: u16,
    /// `left`, `right`, `center`, `justify`, `char` or "".
    pub align: String,
    /// `top`, `middle`, `bottom`, `baseline` or "".
    pub valign: String,
    /// How it looks beside that.
    #[serde(skip_serializing_if = "CellStyle::is_plain")]
    pub style: CellStyle,
    /// Content.
    pub nodes: Vec<Node>,
}

/// How a cell looks where its source says so: lines, background, indentation and letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CellStyle {
    /// Line above.
    pub top: Line,
    /// Line on the right.
    pub right: Line,
    /// Line below.
    pub bottom: Line,
    /// Line on the left.
    pub left: Line,
    /// Background as six hexadecimal digits in lower case (`c5e0b3`), or "". Pages show its hue, in light and in dark.
    pub background: String,
    /// Steps, of about one em, that the text is moved in: 0 to 8.
    pub indent: u8,
    /// Whether all its letters are bold.
    pub bold: bool,
    /// Whether all its letters are italic.
    pub italic: bool,
}

impl CellStyle {
    /// Whether all values are the defaults.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The lines with the CSS names of the sides, in the order of CSS.
    #[must_use]
    pub const fn lines(&self) -> [(&'static str, Line); 4] {
        [("top", self.top), ("right", self.right), ("bottom", self.bottom), ("left", self.left)]
    }
}

/// A line at the side of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Line {
    /// The source says nothing: the page's own.
    #[default]
    Unsaid,
    /// No line, even where the page has one.
    None,
    /// 1 px.
    Single,
    /// 2 px.
    Thick,
    /// Two lines in 3 px.
    Double,
}

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Formula {
    /// Id that cross-references point to, or "".
    pub id: String,
    /// Label as printed ("(1)"), or "".
    pub label: String,
    /// MathML without its `math` element, from the importer's own vocabulary; "" where there is none.
    pub mathml: String,
    /// TeX without delimiters, or "".
    pub latex: String,
    /// The formula in words, or "".
    pub alt: String,
    /// Pictures of it (spec `graphicsData`).
    pub graphics: Vec<Graphics>,
    /// Text formula, and text around the formula.
    pub nodes: Vec<Node>,
}

/// One term with its definitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DefItem {
    /// Id within the article, or "".
    pub id: String,
    /// The terms.
    pub terms: Vec<Vec<Node>>,
    /// The definitions.
    pub defs: Vec<Vec<Node>>,
}

/// One entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ListItem {
    /// Id within the article, or "".
    pub id: String,
    /// Label as printed, or "".
    pub label: String,
    /// Content.
    pub nodes: Vec<Node>,
}

/// A file beside the text: supplementary material, video, audio, data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Media {
    /// Id that cross-references point to, or "".
    pub id: String,
    /// Address of the file in the source, or "".
    pub href: String,
    /// `video/mp4`, `application/pdf`, ..., or a type alone (`video`), or "".
    pub mime: String,
    /// Label as printed.
    pub label: String,
    /// Alternative text, or "".
    pub alt: String,
    /// Whether it stands within a line of text.
    pub inline: bool,
    /// Captions, one a language.
    pub captions: Vec<Caption>,
    /// Content beside the file; for an inline one its text.
    pub nodes: Vec<Node>,
}
