//! Import of tables (XHTML and OASIS (CALS) models) and arrays.

use masthead_domain::content::{Cell, CellStyle, Grid, Line, Node, Row, Table};

use super::{
    Importer, cell_style,
    nodes::trim,
    xml::{X, attr, child_text, children, elements, href, id, name},
};

const FIELDS: &[&str] = &["label", "caption", "trans-caption", "alt-text", "long-desc", "object-id"];

/// Type of the keyword group that contains the unit of a table's cells.
pub(super) const CELL_UNIT: &str = "cell-unit";

impl Importer {
    pub(super) fn table_wrap(&mut self, x: X) -> Node {
        let mut table =
            Table { id: id(x), label: child_text(x, "label"), captions: self.captions(x), ..Table::default() };
        for part in elements(x) {
            match name(part) {
                // JATS has no element for the unit of all cells; a keyword group may have any type.
                "kwd-group" if attr(part, "kwd-group-type") == CELL_UNIT => table.cell_unit = child_text(part, "kwd"),
                "alternatives" => self.table_alternatives(part, &mut table),
                "table-wrap-foot" => self.table_foot(part, &mut table),
                "fn" | "fn-group" => self.table_note(part, &mut table),
                "attrib" | "permissions" => {
                    let nodes = self.blocks(part, &[]);
                    table.notes.push(Node::Group { id: id(part), kind: name(part).to_owned(), nodes });
                }
                _ => self.table_content(part, &mut table),
            }
        }
        let alt = child_text(x, "alt-text");
        for graphic in table.graphics.iter_mut().filter(|graphic| graphic.alt.is_empty()) {
            graphic.alt.clone_from(&alt);
        }
        Node::Table(Box::new(table))
    }

    /// A table or array without label and caption.
    pub(super) fn bare_table(&mut self, x: X) -> Node {
        let mut table = Table { id: id(x), label: child_text(x, "label"), ..Table::default() };
        self.grids(x, &mut table);
        Node::Table(Box::new(table))
    }

    fn table_alternatives(&mut self, x: X, table: &mut Table) {
        let cells = elements(x).any(|part| matches!(name(part), "table" | "tgroup" | "array"));
        for part in elements(x) {
            if cells && matches!(name(part), "graphic" | "media") {
                self.asset(&href(part));
                self.table_graphic(part, table);
            } else {
                self.table_content(part, table);
            }
        }
    }

    fn table_content(&mut self, x: X, table: &mut Table) {
        match name(x) {
            "table" | "tgroup" | "array" => self.grids(x, table),
            "graphic" => self.table_graphic(x, table),
            field if FIELDS.contains(&field) => {}
            _ => self.element(x, &mut table.nodes),
        }
    }

    fn table_graphic(&mut self, x: X, table: &mut Table) {
        table.graphics.push(self.graphics(&[x]));
        self.words_of_graphic(x, &mut table.notes);
    }

    fn table_foot(&mut self, x: X, table: &mut Table) {
        for part in elements(x) {
            match name(part) {
                "fn" | "fn-group" => self.table_note(part, table),
                _ => self.element(part, &mut table.notes),
            }
        }
        let stray: Vec<Node> = x
            .children()
            .filter(|node| node.is_text())
            .filter_map(|node| node.text())
            .filter(|text| !text.trim().is_empty())
            .map(Node::text)
            .collect();
        table.notes.extend(stray);
    }

    fn table_note(&mut self, x: X, table: &mut Table) {
        if name(x) == "fn" {
            table.footnotes.push(self.footnote(x));
            return;
        }
        for part in elements(x) {
            match name(part) {
                "fn" => table.footnotes.push(self.footnote(part)),
                _ => self.element(part, &mut table.notes),
            }
        }
    }

    fn grids(&mut self, x: X, table: &mut Table) {
        let groups: Vec<X> = children(x, "tgroup").collect();
        if groups.is_empty() {
            let grid = self.grid(x, table);
            table.grids.push(grid);
        }
        for group in groups {
            let grid = self.grid(group, table);
            table.grids.push(grid);
        }
    }

    fn grid(&mut self, x: X, table: &mut Table) -> Grid {
        let mut specs = specs(x);
        if specs.iter().all(|(name, align)| name.is_empty() && align.is_empty()) {
            specs.clear();
        }
        let mut grid = Grid { columns: specs.iter().map(|(_, align)| align.clone()).collect(), ..Grid::default() };
        let mut loose = Vec::new();
        for part in elements(x) {
            match name(part) {
                "thead" => grid.head.extend(self.rows(part, true, &specs, table)),
                "tbody" => grid.bodies.push(self.rows(part, false, &specs, table)),
                "tfoot" => grid.foot.extend(self.rows(part, false, &specs, table)),
                "tr" | "row" => loose.push(self.row(part, false, &specs, table)),
                "col" | "colgroup" | "colspec" | "spanspec" => {}
                "graphic" => self.table_graphic(part, table),
                "label" | "alt-text" | "long-desc" => {}
                "caption" => {
                    let captions = self.blocks(part, &[]);
                    table.nodes.extend(captions);
                }
                _ => self.element(part, &mut table.nodes),
            }
        }
        if !loose.is_empty() {
            grid.bodies.push(loose);
        }
        grid
    }

    fn rows(&mut self, x: X, head: bool, specs: &[(String, String)], table: &mut Table) -> Vec<Row> {
        let mut rows = Vec::new();
        for part in elements(x) {
            match name(part) {
                "tr" | "row" => rows.push(self.row(part, head, specs, table)),
                "colspec" => {}
                _ => self.element(part, &mut table.nodes),
            }
        }
        rows
    }

    fn row(&mut self, x: X, head: bool, specs: &[(String, String)], table: &mut Table) -> Row {
        let mut row = Row::default();
        for part in elements(x) {
            match name(part) {
                "td" | "th" | "entry" => row.cells.push(self.cell(part, head, specs)),
                _ => self.element(part, &mut table.nodes),
            }
        }
        row.cells.shrink_to_fit();
        row
    }

    fn cell(&mut self, x: X, head: bool, specs: &[(String, String)]) -> Cell {
        // A cell adds as many levels to the stored form as the four elements around it.
        self.depth += 4;
        let mut nodes = self.content(x);
        self.depth -= 4;
        trim(&mut nodes);
        // A vector grows to room for four nodes, most cells have one, and a table may have hundreds of thousands of them.
        nodes.shrink_to_fit();
        let entry = name(x) == "entry";
        let number = |key: &str| attr(x, key).parse::<u16>().unwrap_or(1).clamp(1, 1000);
        let (rowspan, colspan) = if entry {
            (attr(x, "morerows").parse::<u16>().unwrap_or(0).min(999) + 1, span(x, specs))
        } else {
            (number("rowspan"), number("colspan"))
        };
        let align = align(attr(x, "align"), attr(x, "style"));
        let align = if align.is_empty() && entry {
            column(x, specs).map(|at| specs.get(at).map(|spec| spec.1.clone()).unwrap_or_default()).unwrap_or_default()
        } else {
            align
        };
        Cell {
            id: id(x),
            header: name(x) == "th" || (entry && head),
            scope: known(attr(x, "scope"), &["row", "col", "rowgroup", "colgroup"]),
            rowspan,
            colspan,
            align,
            valign: known(attr(x, "valign"), &["top", "middle", "bottom", "baseline"]),
            style: if entry { ruled(x) } else { cell_style::parse(attr(x, "style")) },
            nodes,
        }
    }
}

/// The borders of a cell in the OASIS model.
fn ruled(x: X) -> CellStyle {
    let line = |key: &str| match attr(x, key) {
        "1" => Line::Single,
        "0" => Line::None,
        _ => Line::Unsaid,
    };
    CellStyle { right: line("colsep"), bottom: line("rowsep"), ..CellStyle::default() }
}

/// Names and alignments of the columns.
fn specs(x: X) -> Vec<(String, String)> {
    let mut specs = Vec::new();
    let groups = elements(x).filter(|part| matches!(name(*part), "colgroup" | "col" | "colspec"));
    for part in groups {
        let inner: Vec<X> = children(part, "col").collect();
        for column in if inner.is_empty() { vec![part] } else { inner } {
            let times = attr(column, "span").parse::<usize>().unwrap_or(1).clamp(1, 200);
            let one = (attr(column, "colname").to_owned(), align(attr(column, "align"), attr(column, "style")));
            specs.extend(std::iter::repeat_n(one, times));
        }
    }
    specs
}

fn column(x: X, specs: &[(String, String)]) -> Option<usize> {
    let column = [attr(x, "colname"), attr(x, "namest")].into_iter().find(|name| !name.is_empty())?;
    specs.iter().position(|(name, _)| name == column)
}

fn span(x: X, specs: &[(String, String)]) -> u16 {
    let at = |column: &str| specs.iter().position(|(name, _)| name == column && !column.is_empty());
    match (at(attr(x, "namest")), at(attr(x, "nameend"))) {
        (Some(start), Some(end)) if end >= start => u16::try_from(end - start + 1).unwrap_or(1),
        _ => 1,
    }
}

fn known(value: &str, values: &[&str]) -> String {
    let lower = value.to_ascii_lowercase();
    if values.contains(&lower.as_str()) { lower } else { String::new() }
}

fn align(own: &str, style: &str) -> String {
    let own = known(own, &["left", "right", "center", "justify", "char"]);
    if !own.is_empty() {
        return own;
    }
    let style = style.to_ascii_lowercase();
    style
        .split(';')
        .filter_map(|rule| rule.split_once(':'))
        .find(|(key, _)| key.trim() == "text-align")
        .map(|(_, value)| known(value.trim(), &["left", "right", "center", "justify"]))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_is_read_from_attribute_and_style() {
        assert_eq!(align("Right", ""), "right");
        assert_eq!(align("", "color:red; text-align: center"), "center");
        assert_eq!(align("x", "text-align:url(x)"), "");
    }
}
