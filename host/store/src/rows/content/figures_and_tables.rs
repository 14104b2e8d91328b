//! Rows of the figures and tables within an article's body.

use masthead_domain::content::{Caption, Cell, CellStyle, Fig, FigGroup, Graphics, Grid, Line, Row, Table};

use super::{FootnoteRow, NodesRow};
use crate::rows::{Lenient, row};

impl CellStyleRow {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

row! {
    GraphicsRow of Graphics {
        big: String,
        small: String,
        print: String,
        alt: String,
        description: String,
        width: String,
        height: String,
    }
}

row! {
    CaptionRow of Caption {
        lang: String,
        title: NodesRow,
        nodes: NodesRow,
    }
}

row! {
    FigRow of Fig {
        id: String,
        kind: String,
        label: String,
        captions: Vec<CaptionRow>,
        graphics: Vec<GraphicsRow>,
        nodes: NodesRow,
        notes: NodesRow,
    }
}

row! {
    FigGroupRow of FigGroup {
        id: String,
        label: String,
        captions: Vec<CaptionRow>,
        nodes: NodesRow,
    }
}

row! {
    TableRow of Table {
        id: String,
        label: String,
        captions: Vec<CaptionRow>,
        cell_unit: String,
        grids: Vec<GridRow>,
        graphics: Vec<GraphicsRow>,
        nodes: NodesRow,
        notes: NodesRow,
        footnotes: Vec<FootnoteRow>,
    }
}

row! {
    GridRow of Grid {
        columns: Vec<String>,
        head: Vec<RowRow>,
        bodies: Vec<Vec<RowRow>>,
        foot: Vec<RowRow>,
    }
}

row! {
    RowRow of Row {
        cells: Vec<CellRow>,
    }
}

row! {
    CellRow of Cell {
        id: String,
        header: bool,
        scope: String,
        rowspan: u16,
        colspan: u16,
        align: String,
        valign: String,
        style: CellStyleRow where not "CellStyleRow::is_plain",
        nodes: NodesRow,
    }
}

row! {
    CellStyleRow of CellStyle {
        top: Lenient<Line>,
        right: Lenient<Line>,
        bottom: Lenient<Line>,
        left: Lenient<Line>,
        background: String,
        indent: u8,
        bold: bool,
        italic: bool,
    }
}
