//! Content nodes: the types of the specification, and further ones for elements of JATS.

use serde::{Deserialize, Serialize};

use super::{DefItem, Fig, FigGroup, Footnote, Formula, Graphics, ListItem, Media, RefList, Table};

/// One content node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
        nodes: Vec<Node>,
    },
    /// Superscript.
    Sup {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Bold.
    Bold {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Italic.
    Italic {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Struck through.
    Strike {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Line above.
    Overline {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Line below.
    Underline {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Type-writer letters.
    Monospace {
        /// Content.
        nodes: Vec<Node>,
    },
    /// Small capitals.
    SmallCaps {
        /// Content.
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
        nodes: Vec<Node>,
    },
    /// An abbreviation.
    Abbrev {
        /// Its long form, or "".
        #[serde(default)]
        title: String,
        /// Content.
        nodes: Vec<Node>,
    },
    /// Text with its reading above.
    Ruby {
        /// The text.
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
        title: Vec<Node>,
        /// The items.
        items: Vec<ListItem>,
    },
    /// Terms with definitions (spec `deflist`).
    #[serde(rename = "deflist")]
    DefList {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Heading.
        title: Vec<Node>,
        /// The items.
        items: Vec<DefItem>,
    },
    /// A quotation.
    Quote {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Content.
        nodes: Vec<Node>,
        /// Where it is from.
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
        title: Vec<Node>,
        /// Content.
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
        nodes: Vec<Node>,
    },
    /// A poem, line by line.
    Verse {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Heading.
        title: Vec<Node>,
        /// The lines.
        lines: Vec<Vec<Node>>,
        /// Where it is from.
        attrib: Vec<Node>,
    },
    /// A speech or an answer in an interview.
    Speech {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Who speaks.
        speaker: Vec<Node>,
        /// What is said.
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
        title: Vec<Node>,
        /// Content.
        nodes: Vec<Node>,
    },
    /// Footnotes in the middle of the text.
    Footnotes {
        /// Heading.
        title: Vec<Node>,
        /// The notes.
        items: Vec<Footnote>,
    },
    /// References in the middle of the text.
    #[serde(rename = "reflist")]
    RefList(Box<RefList>),
    /// A block of another kind; its content is kept.
    Group {
        /// Id that cross-references point to, or "".
        #[serde(default)]
        id: String,
        /// Name of the element in the source.
        kind: String,
        /// Content.
        nodes: Vec<Node>,
    },
}

impl Node {
    /// A text node.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Whether it is a block node, not an inline node.
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
