//! One content node: the kinds of the specification, and those that JATS has beside them.

use masthead_domain::content as domain;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Caption, Fig, FigGroup, Footnote, Graphics, RefList, Table};
use crate::schema::conversion::schema;

schema! {
    /// One content node.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
    pub enum Node of domain::Node {
        /// A section; its heading is a `sectitle` node in first place.
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
        Fig(value: Box<Fig>),
        /// Several figures, or tables, under one label.
        #[serde(rename = "figgroup")]
        FigGroup(value: Box<FigGroup>),
        /// A table or an array.
        Table(value: Box<Table>),
        /// A formula on lines of its own.
        DispFormula(value: Box<Formula>),
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
        InlineFormula(value: Box<Formula>),
        /// A picture within the line.
        InlineGraphic(value: Box<Graphics>),
        /// A picture between paragraphs, without label and caption.
        Graphic(value: Box<Graphics>),
        /// A file beside the text.
        Media(value: Box<Media>),
        /// Supplementary material.
        Supplementary(value: Box<Media>),
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
        RefList(value: Box<RefList>),
        /// A block of another kind; its content is kept.
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
}

schema! {
    /// A formula.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Formula of domain::Formula {
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
}

schema! {
    /// One term with its definitions.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct DefItem of domain::DefItem {
        /// Id within the article, or "".
        pub id: String,
        /// The terms.
        #[schema(no_recursion)]
        pub terms: Vec<Vec<Node>>,
        /// The definitions.
        #[schema(no_recursion)]
        pub defs: Vec<Vec<Node>>,
    }
}

schema! {
    /// One entry of a list.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct ListItem of domain::ListItem {
        /// Id within the article, or "".
        pub id: String,
        /// Label as printed, or "".
        pub label: String,
        /// Content.
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// A file beside the text: supplementary material, video, audio, data.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Media of domain::Media {
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
        #[schema(no_recursion)]
        pub captions: Vec<Caption>,
        /// Content beside the file; for an inline one its text.
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
    }
}
