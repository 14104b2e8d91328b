//! Content nodes: figures and tables of an article.

use masthead_domain::content as domain;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Footnote, Node};
use crate::schema::conversion::schema;

schema! {
    /// Files of one picture, as addresses of the source.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Graphics of domain::Graphics {
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
}

schema! {
    /// Label, heading and text of a figure, table or file.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Caption of domain::Caption {
        /// BCP 47 tag where it differs from the article's, else "".
        pub lang: String,
        /// Heading.
        #[schema(no_recursion)]
        pub title: Vec<Node>,
        /// Text below the heading (spec `subcaption`).
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// A figure.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Fig of domain::Fig {
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
}

schema! {
    /// Several figures or tables under one label.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct FigGroup of domain::FigGroup {
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
}

schema! {
    /// A table with its caption and notes.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Table of domain::Table {
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
}

schema! {
    /// The cells of a table.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Grid of domain::Grid {
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
}

schema! {
    /// One row of a table.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Row of domain::Row {
        /// The cells.
        #[schema(no_recursion)]
        pub cells: Vec<Cell>,
    }
}

schema! {
    /// One cell of a table.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Cell of domain::Cell {
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
        #[schema(no_recursion)]
        pub nodes: Vec<Node>,
    }
}

schema! {
    /// How a cell looks where its source says so: lines, background, indentation and letters.
    #[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct CellStyle of domain::CellStyle {
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
}

impl CellStyle {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

schema! {
    /// A line at the side of a cell.
    #[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Line of domain::Line {
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
}
