//! Content nodes: the specification's "article body structure" (section 3), as serde types.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::article::LangText;

/// What an article says, part by part, in the reader's order of specification section 2.
///
/// Keywords and OCIS codes live in [`crate::article::ArticleMeta`], because lists and searches need them too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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

/// An abstract of one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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

/// A statement or another part with a heading of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Contribution {
    /// `con` (contributed) or `equal` (contributed equally).
    #[serde(rename = "type")]
    pub kind: String,
    /// The statement.
    pub part: Part,
}

/// A footnote.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Footnote {
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

/// A list of references.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RefList {
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

/// One entry of a list of references.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Reference {
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

/// One citation in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Citation {
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

/// A part with front matter of its own: a translation, an expert comment, a reviewer's report, a reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// Keywords by language.
    pub keywords: Vec<crate::article::KeywordGroup>,
    /// What it says.
    #[schema(no_recursion)]
    pub body: ArticleBody,
}

/// Files of one picture, as addresses of the source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Graphics {
    /// The picture to look at.
    pub big: String,
    /// A small one for previews, or "".
    pub small: String,
    /// One for print (TIFF, EPS), or "".
    pub print: String,
    /// Text in place of the picture, or "".
    pub alt: String,
    /// Longer description, or "".
    pub description: String,
    /// Width as given, or "".
    pub width: String,
    /// Height as given, or "".
    pub height: String,
}

/// Label, heading and text of a figure, table or file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Caption {
    /// BCP 47 tag where it differs from the article's, else "".
    pub lang: String,
    /// Heading.
    #[schema(no_recursion)]
    pub title: Vec<Node>,
    /// Text below the heading (spec `subcaption`).
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
}

/// A figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Fig {
    /// Id that cross-references point to.
    pub id: String,
    /// JATS `@fig-type` (`scheme`, `chart`), `chem` for structures, or "".
    pub kind: String,
    /// Label as printed ("Figure 1").
    pub label: String,
    /// Captions, one a language.
    #[schema(no_recursion)]
    pub captions: Vec<Caption>,
    /// Its pictures.
    pub graphics: Vec<Graphics>,
    /// Content that is no picture: text, tables, formulas, media.
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
    /// Notes, source and permission below it.
    #[schema(no_recursion)]
    pub notes: Vec<Node>,
}

/// Several figures or tables under one label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FigGroup {
    /// Id that cross-references point to.
    pub id: String,
    /// Label as printed.
    pub label: String,
    /// Captions, one a language.
    #[schema(no_recursion)]
    pub captions: Vec<Caption>,
    /// Figures and tables, and whatever stands between them.
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
}

/// A table with its caption and notes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Table {
    /// Id that cross-references point to.
    pub id: String,
    /// Label as printed ("Table 1"); "" also for an array, which has no caption either.
    pub label: String,
    /// Captions, one a language.
    #[schema(no_recursion)]
    pub captions: Vec<Caption>,
    /// Unit that holds for all cells (spec `cellunit`), or "".
    pub cell_unit: String,
    /// Grids of rows; more than one where the source stacks several under one label.
    #[schema(no_recursion)]
    pub grids: Vec<Grid>,
    /// The table as a picture, where the source has no cells.
    pub graphics: Vec<Graphics>,
    /// Content that is neither cells nor picture.
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
    /// Notes without a mark.
    #[schema(no_recursion)]
    pub notes: Vec<Node>,
    /// Notes with a mark.
    #[schema(no_recursion)]
    pub footnotes: Vec<Footnote>,
}

/// The cells of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Grid {
    /// Alignment of the columns, where the source declares it: `left`, `right`, `center`, `justify`, `char` or "".
    pub columns: Vec<String>,
    /// Rows of the head.
    #[schema(no_recursion)]
    pub head: Vec<Row>,
    /// Rows of each body.
    #[schema(no_recursion)]
    pub bodies: Vec<Vec<Row>>,
    /// Rows of the foot.
    #[schema(no_recursion)]
    pub foot: Vec<Row>,
}

/// One row of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Row {
    /// The cells.
    #[schema(no_recursion)]
    pub cells: Vec<Cell>,
}

/// One cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// Content.
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
}

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
}

/// One term with its definitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DefItem {
    /// Id within the article, or "".
    pub id: String,
    /// The terms.
    #[schema(no_recursion)]
    pub terms: Vec<Vec<Node>>,
    /// The definitions.
    #[schema(no_recursion)]
    pub defs: Vec<Vec<Node>>,
}

/// One entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ListItem {
    /// Id within the article, or "".
    pub id: String,
    /// Label as printed, or "".
    pub label: String,
    /// Content.
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
}

/// A file beside the text: supplementary material, video, audio, data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// Text in its place, or "".
    pub alt: String,
    /// Whether it stands within a line of text.
    pub inline: bool,
    /// Captions, one a language.
    #[schema(no_recursion)]
    pub captions: Vec<Caption>,
    /// Content beside the file; for an inline one its text.
    #[schema(no_recursion)]
    pub nodes: Vec<Node>,
}

/// One content node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Node {
    /// A section; its heading is a [`Node::SecTitle`] in first place.
    Sec {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// JATS `@sec-type`, or "".
        #[serde(default)]
        kind: String,
        /// BCP 47 tag where it differs from the article's, else "".
        #[serde(default)]
        lang: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// The heading of a section.
    #[serde(rename = "sectitle")]
    SecTitle {
        /// Id of its own, or "".
        #[serde(default)]
        id: String,
        /// 1 for a section of the body, 2 within it, ...
        level: u8,
        /// Number as printed, or "".
        #[serde(default)]
        label: String,
        /// The heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
    },
    /// A paragraph.
    P {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// BCP 47 tag where it differs, else "".
        #[serde(default)]
        lang: String,
        /// Its content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Text.
    Text {
        /// The characters.
        text: String,
    },
    /// Subscript.
    Sub {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Superscript.
    Sup {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Bold.
    Bold {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Italic.
    Italic {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Struck through.
    Strike {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Line above.
    Overline {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Line below.
    Underline {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Type-writer letters.
    Monospace {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Small capitals.
    SmallCaps {
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Text that is styled or named in another way (spec "styled text").
    #[serde(rename = "styled-text")]
    Styled {
        /// `roman`, `sans-serif`, or the name that the source gives (`gene`, `genus-species`).
        #[serde(default)]
        style: String,
        /// BCP 47 tag where it differs, else "".
        #[serde(default)]
        lang: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// An abbreviation.
    Abbrev {
        /// Its long form, or "".
        #[serde(default)]
        title: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Text with its reading above.
    Ruby {
        /// The text.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
        /// The reading.
        reading: String,
    },
    /// A link out of the article.
    #[serde(rename = "extlink")]
    ExtLink {
        /// Address as in the source.
        href: String,
        /// JATS `@ext-link-type` (`uri`, `doi`, `genbank`), or "".
        #[serde(default)]
        kind: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// A cross-reference within the article.
    Xref {
        /// `bibr`, `fn`, `fig`, `table`, `chem`, `disp-formula`, ...
        #[serde(default)]
        ref_type: String,
        /// Ids that it points to.
        rids: Vec<String>,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// A note within the line.
    #[serde(rename = "inlinenote")]
    InlineNote {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Mark as printed, or "".
        #[serde(default)]
        label: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// A place that cross-references point to.
    Anchor {
        /// The id.
        id: String,
    },
    /// A break of line.
    Break,
    /// A rule between paragraphs.
    Rule,
    /// A figure.
    Fig(Box<Fig>),
    /// Several figures, or tables, under one label.
    #[serde(rename = "figgroup")]
    FigGroup(Box<FigGroup>),
    /// A table or an array.
    Table(Box<Table>),
    /// A formula on lines of its own.
    DispFormula(Box<Formula>),
    /// Several formulas under one label.
    DispFormulaGroup {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Label as printed, or "".
        #[serde(default)]
        label: String,
        /// The formulas.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// A formula within the line.
    InlineFormula(Box<Formula>),
    /// A picture within the line.
    InlineGraphic(Box<Graphics>),
    /// A picture between paragraphs, without label and caption.
    Graphic(Box<Graphics>),
    /// A file beside the text.
    Media(Box<Media>),
    /// Supplementary material.
    Supplementary(Box<Media>),
    /// A list.
    List {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// `order`, `bullet`, `alpha-lower`, `alpha-upper`, `roman-lower`, `roman-upper`, `simple`.
        style: String,
        /// Number of the first item where it is not 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<u32>,
        /// Heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
        /// The items.
        #[schema(no_recursion)]
        items: Vec<ListItem>,
    },
    /// Terms with definitions (spec `deflist`).
    #[serde(rename = "deflist")]
    DefList {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
        /// The items.
        #[schema(no_recursion)]
        items: Vec<DefItem>,
    },
    /// A quotation.
    Quote {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
        /// Where it is from.
        #[schema(no_recursion)]
        attrib: Vec<Node>,
    },
    /// A box beside the text.
    Boxed {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// JATS `@content-type`, or "".
        #[serde(default)]
        kind: String,
        /// Label as printed, or "".
        #[serde(default)]
        label: String,
        /// Heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Program text or preformatted text; white space counts.
    Code {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Programming language, or "".
        #[serde(default)]
        language: String,
        /// Whether it stands within a line.
        #[serde(default)]
        inline: bool,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// A poem, line by line.
    Verse {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
        /// The lines.
        #[schema(no_recursion)]
        lines: Vec<Vec<Node>>,
        /// Where it is from.
        #[schema(no_recursion)]
        attrib: Vec<Node>,
    },
    /// A speech or an answer in an interview.
    Speech {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Who speaks.
        #[schema(no_recursion)]
        speaker: Vec<Node>,
        /// What is said.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// A theorem, proof, definition, ...
    Statement {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Label as printed ("Theorem 1").
        #[serde(default)]
        label: String,
        /// Heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
    /// Footnotes in the middle of the text.
    Footnotes {
        /// Heading.
        #[schema(no_recursion)]
        title: Vec<Node>,
        /// The notes.
        #[schema(no_recursion)]
        items: Vec<Footnote>,
    },
    /// References in the middle of the text.
    #[serde(rename = "reflist")]
    RefList(Box<RefList>),
    /// A block that has no kind of its own here; what it holds is kept.
    Group {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Name of the element in the source.
        kind: String,
        /// Content.
        #[schema(no_recursion)]
        nodes: Vec<Node>,
    },
}

impl Node {
    /// A text node.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Whether it stands between paragraphs, not within a line.
    #[must_use]
    pub fn is_block(&self) -> bool {
        match self {
            Self::Text { .. }
            | Self::Sub { .. }
            | Self::Sup { .. }
            | Self::Bold { .. }
            | Self::Italic { .. }
            | Self::Strike { .. }
            | Self::Overline { .. }
            | Self::Underline { .. }
            | Self::Monospace { .. }
            | Self::SmallCaps { .. }
            | Self::Styled { .. }
            | Self::Abbrev { .. }
            | Self::Ruby { .. }
            | Self::ExtLink { .. }
            | Self::Xref { .. }
            | Self::InlineNote { .. }
            | Self::Anchor { .. }
            | Self::Break
            | Self::InlineFormula(_)
            | Self::InlineGraphic(_) => false,
            Self::Code { inline, .. } => !inline,
            Self::Media(media) | Self::Supplementary(media) => !media.inline,
            _ => true,
        }
    }
}
