//! Export of pictures, figures, tables and files.

use masthead_domain::content::{Caption, Cell, Fig, FigGroup, Graphics, Grid, Media, Node, Row, Table};

use super::{
    super::{cell_style, table::CELL_UNIT},
    Export,
};

impl Export<'_> {
    /// One picture; several files of it become alternatives.
    pub(super) fn picture(&mut self, name: &'static str, graphics: &Graphics) {
        if distinct(graphics).len() > 1 {
            self.element("alternatives", &[], |this| this.files(name, graphics));
        } else {
            self.files(name, graphics);
        }
    }

    /// All files of a picture; alternative text and sizes are at the first.
    pub(super) fn files(&mut self, name: &'static str, graphics: &Graphics) {
        for (index, (href, roles)) in distinct(graphics).into_iter().enumerate() {
            let (file, roles) = (self.file(href), if roles == "big" { "" } else { &roles });
            self.element(name, &[("specific-use", roles), ("xlink:href", &file)], |this| {
                if index > 0 {
                    return;
                }
                for (name, words) in [("alt-text", &graphics.alt), ("long-desc", &graphics.description)] {
                    if !words.is_empty() {
                        this.leaf(name, &[], words);
                    }
                }
            });
        }
    }

    fn captions(&mut self, label: &str, captions: &[Caption]) {
        if !label.is_empty() {
            self.leaf("label", &[], label);
        }
        for caption in captions {
            self.element("caption", &[("xml:lang", &caption.lang)], |this| {
                if !caption.title.is_empty() {
                    this.element("title", &[], |this| this.inline(&caption.title));
                }
                this.blocks(&caption.nodes);
            });
        }
    }

    pub(super) fn fig(&mut self, fig: &Fig) {
        self.element("fig", &[("id", &fig.id), ("fig-type", &fig.kind)], |this| {
            this.captions(&fig.label, &fig.captions);
            fig.graphics.iter().for_each(|graphics| this.picture("graphic", graphics));
            this.blocks_but(&fig.nodes, &|node| matches!(node, Node::Graphic(_) | Node::Group { .. }));
            this.notes(&fig.notes);
        });
    }

    /// Attribution and permissions.
    fn notes(&mut self, notes: &[Node]) {
        for note in notes {
            match note {
                Node::Group { id, kind, nodes } if kind == "permissions" => {
                    self.element("permissions", &[("id", id)], |this| {
                        this.element("license", &[], |this| this.license(nodes));
                    });
                }
                Node::Group { id, kind, nodes } if kind == "attrib" => {
                    self.element("attrib", &[("id", id)], |this| this.inline(nodes));
                }
                // Footnotes directly in the foot of a table would be the table's.
                other => self.blocks_but(std::slice::from_ref(other), &|node| matches!(node, Node::Footnotes { .. })),
            }
        }
    }

    pub(super) fn fig_group(&mut self, group: &FigGroup) {
        let tables = !group.nodes.is_empty() && group.nodes.iter().all(|node| matches!(node, Node::Table(_)));
        let name = if tables { "table-wrap-group" } else { "fig-group" };
        self.element(name, &[("id", &group.id)], |this| {
            this.captions(&group.label, &group.captions);
            this.blocks(&group.nodes);
        });
    }

    pub(super) fn media(&mut self, name: &'static str, media: &Media) {
        let (kind, sub) = media.mime.split_once('/').unwrap_or((media.mime.as_str(), ""));
        let file = self.file(&media.href);
        let mut attributes = vec![("id", media.id.as_str()), ("mimetype", kind), ("mime-subtype", sub)];
        if !file.is_empty() || name == "media" {
            attributes.push(("xlink:href", &file));
        }
        self.element(name, &attributes, |this| {
            if media.inline {
                return this.inline(&media.nodes);
            }
            this.captions(&media.label, &media.captions);
            if !media.alt.is_empty() {
                this.leaf("alt-text", &[], &media.alt);
            }
            this.blocks(&media.nodes);
        });
    }

    pub(super) fn table(&mut self, table: &Table) {
        if let Some(grid) = array(table) {
            return self.element("array", &[("id", &table.id)], |this| this.bodies(grid));
        }
        self.element("table-wrap", &[("id", &table.id)], |this| {
            this.captions(&table.label, &table.captions);
            if !table.cell_unit.is_empty() {
                this.element("kwd-group", &[("kwd-group-type", CELL_UNIT)], |this| {
                    this.leaf("kwd", &[], &table.cell_unit);
                });
            }
            this.cells(table);
            this.blocks_but(&table.nodes, &|node| {
                matches!(node, Node::Graphic(_) | Node::Table(_) | Node::Group { .. } | Node::Footnotes { .. })
            });
            if !table.notes.is_empty() || !table.footnotes.is_empty() {
                this.element("table-wrap-foot", &[], |this| {
                    this.notes(&table.notes);
                    this.footnotes(&table.footnotes);
                });
            }
        });
    }

    /// The cells, and pictures of the table.
    fn cells(&mut self, table: &Table) {
        let single = table.graphics.iter().all(|graphics| distinct(graphics).len() == 1);
        let both = !table.grids.is_empty() && !table.graphics.is_empty() && single;
        let inner = |this: &mut Self| {
            table.grids.iter().for_each(|grid| this.grid(grid));
            table.graphics.iter().for_each(|graphics| this.picture("graphic", graphics));
        };
        if both { self.element("alternatives", &[], inner) } else { inner(self) }
    }

    fn grid(&mut self, grid: &Grid) {
        self.element("table", &[], |this| {
            for align in &grid.columns {
                this.empty("col", &[("align", align)]);
            }
            for (name, rows) in [("thead", &grid.head), ("tfoot", &grid.foot)] {
                if !rows.is_empty() {
                    this.rows(name, rows);
                }
            }
            this.bodies(grid);
        });
    }

    fn bodies(&mut self, grid: &Grid) {
        grid.bodies.iter().for_each(|rows| self.rows("tbody", rows));
    }

    fn rows(&mut self, name: &'static str, rows: &[Row]) {
        self.element(name, &[], |this| {
            // JATS requires a row in every body and a cell in every row.
            if rows.is_empty() {
                this.element("tr", &[], |this| this.empty("td", &[]));
            }
            for row in rows {
                this.out.line();
                this.element("tr", &[], |this| {
                    row.cells.iter().for_each(|cell| this.cell(cell));
                    if row.cells.is_empty() {
                        this.empty("td", &[]);
                    }
                });
            }
        });
        self.out.line();
    }

    fn cell(&mut self, cell: &Cell) {
        let span = |count: u16| if count > 1 { count.to_string() } else { String::new() };
        let (rows, columns) = (span(cell.rowspan), span(cell.colspan));
        let style = cell_style::css(&cell.style);
        let attributes = [
            ("id", cell.id.as_str()),
            ("scope", &cell.scope),
            ("rowspan", &rows),
            ("colspan", &columns),
            ("align", &cell.align),
            ("valign", &cell.valign),
            ("style", &style),
        ];
        self.element(if cell.header { "th" } else { "td" }, &attributes, |this| this.inline(&cell.nodes));
    }
}

/// The files of a picture in the order big, small, print, each with its uses.
fn distinct(graphics: &Graphics) -> Vec<(&str, String)> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for (href, role) in [(&graphics.big, "big"), (&graphics.small, "small"), (&graphics.print, "print")] {
        match files.iter_mut().find(|(known, _)| known == href) {
            _ if href.is_empty() => {}
            Some((_, roles)) => *roles = format!("{roles} {role}"),
            None => files.push((href, role.to_owned())),
        }
    }
    if files.is_empty() {
        files.push(("", "big".to_owned()));
    }
    files
}

/// The rows of a table without other content, which JATS can write as an `array`; that is allowed within cells too.
fn array(table: &Table) -> Option<&Grid> {
    match table.grids.as_slice() {
        [grid]
            if table.label.is_empty()
                && table.captions.is_empty()
                && table.cell_unit.is_empty()
                && table.graphics.is_empty()
                && table.nodes.is_empty()
                && table.notes.is_empty()
                && table.footnotes.is_empty()
                && grid.columns.is_empty()
                && grid.head.is_empty()
                && grid.foot.is_empty()
                && grid.bodies.len() == 1 =>
        {
            Some(grid)
        }
        _ => None,
    }
}
