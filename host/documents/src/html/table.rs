//! HTML of tables with spans, scopes and alignment.

use masthead_domain::content::{Cell, CellStyle, Grid, Line, Row, Table};

use super::{Renderer, figure::alt_text, links::quote};

/// The part of a table that a row belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Head,
    Body,
    Foot,
}

impl Renderer<'_> {
    pub(super) fn table(&mut self, table: &Table, out: &mut String) {
        self.generated += 1;
        let fallback = format!("table-{}", self.generated);
        let id = self.claim(&table.id, &fallback);
        let titled = !table.label.is_empty() || !table.captions.is_empty();
        let class = if titled || !table.footnotes.is_empty() { "table" } else { "table array" };
        out.push_str(&format!("<figure class=\"{class}\" id=\"{0}\" data-table=\"{0}\">", quote(&id)));
        let mut label = String::new();
        if titled {
            let caption = self.reserve(format!("{id}-caption"));
            out.push_str(&format!("<figcaption id=\"{}\">", quote(&caption)));
            self.caption(&table.label, &table.captions, out);
            out.push_str("</figcaption>");
            label = format!(" aria-labelledby=\"{}\"", quote(&caption));
        }
        if !table.cell_unit.is_empty() {
            out.push_str("<p class=\"cell-unit\">");
            out.push_str(&super::links::escape(&table.cell_unit));
            out.push_str("</p>");
        }
        for grid in &table.grids {
            let role = if titled { " role=\"region\"" } else { "" };
            out.push_str(&format!("<div class=\"table-wrap\" data-table-box=\"\" tabindex=\"0\"{role}{label}>"));
            self.grid(grid, out);
            out.push_str("</div>");
        }
        // A picture of a table that has cells is redundant.
        if table.grids.is_empty() {
            let alt = alt_text(&table.label, &table.captions);
            for graphic in &table.graphics {
                self.picture(graphic, "fig-image", &alt, out);
            }
        }
        self.flow(&table.nodes, out);
        if !table.notes.is_empty() || !table.footnotes.is_empty() {
            out.push_str("<div class=\"table-notes\" data-table-notes=\"\">");
            self.flow(&table.notes, out);
            self.footnotes(&table.footnotes, out);
            out.push_str("</div>");
        }
        out.push_str("</figure>");
    }

    fn grid(&mut self, grid: &Grid, out: &mut String) {
        out.push_str("<table>");
        self.rows("thead", &grid.head, Section::Head, &grid.columns, out);
        for body in &grid.bodies {
            self.rows("tbody", body, Section::Body, &grid.columns, out);
        }
        self.rows("tfoot", &grid.foot, Section::Foot, &grid.columns, out);
        out.push_str("</table>");
    }

    fn rows(&mut self, tag: &str, rows: &[Row], section: Section, columns: &[String], out: &mut String) {
        if rows.is_empty() {
            return;
        }
        out.push_str(&format!("<{tag}>"));
        // For each column, the number of rows that a cell above still covers.
        let mut covered: Vec<u16> = Vec::new();
        for row in rows {
            out.push_str("<tr>");
            let mut column = 0;
            for cell in &row.cells {
                while covered.get(column).is_some_and(|rows| *rows > 0) {
                    column += 1;
                }
                let align =
                    if cell.align.is_empty() { columns.get(column).map_or("", String::as_str) } else { &cell.align };
                self.cell(cell, section, align, out);
                let width = usize::from(cell.colspan.clamp(1, 1000));
                if covered.len() < column + width {
                    covered.resize(column + width, 0);
                }
                covered.iter_mut().skip(column).take(width).for_each(|rows| *rows = cell.rowspan.max(1));
                column += width;
            }
            covered.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
            out.push_str("</tr>");
        }
        out.push_str(&format!("</{tag}>"));
    }

    fn cell(&mut self, cell: &Cell, section: Section, align: &str, out: &mut String) {
        let tag = if cell.header || section == Section::Head { "th" } else { "td" };
        out.push_str(&format!("<{tag}{}", self.id_attr(&cell.id)));
        if tag == "th" {
            let scope = match (cell.scope.as_str(), section) {
                ("row" | "col" | "rowgroup" | "colgroup", _) => cell.scope.as_str(),
                (_, Section::Head) if cell.colspan > 1 => "colgroup",
                (_, Section::Head) => "col",
                _ if cell.rowspan > 1 => "rowgroup",
                _ => "row",
            };
            out.push_str(&format!(" scope=\"{scope}\""));
        }
        for (key, value) in [("rowspan", cell.rowspan), ("colspan", cell.colspan)] {
            if value > 1 {
                out.push_str(&format!(" {key}=\"{value}\""));
            }
        }
        for (key, value) in [("data-align", align), ("data-valign", cell.valign.as_str())] {
            let usual = key == "data-align" && value == "left" && tag == "td";
            if !value.is_empty() && !usual {
                out.push_str(&format!(" {key}=\"{}\"", quote(value)));
            }
        }
        let looks = looks(&cell.style);
        if !looks.is_empty() {
            out.push_str(&format!(" class=\"{}\"", looks.join(" ")));
        }
        out.push('>');
        match cell.nodes.as_slice() {
            [masthead_domain::content::Node::P { id, lang, nodes }] if id.is_empty() && lang.is_empty() => {
                self.flow_or_line(nodes, out)
            }
            nodes => self.flow_or_line(nodes, out),
        }
        out.push_str(&format!("</{tag}>"));
    }
}

/// The classes of a cell's style. Classes are used because the content security policy forbids inline styles and because the
/// colours differ in light and dark.
fn looks(style: &CellStyle) -> Vec<String> {
    let mut classes = Vec::new();
    for (side, line) in style.lines() {
        let kind = match line {
            Line::Unsaid => continue,
            Line::None => "none",
            Line::Single => "single",
            Line::Thick => "thick",
            Line::Double => "double",
        };
        classes.push(format!("line-{side}-{kind}"));
    }
    if let Some(tint) = tint(&style.background) {
        classes.push(format!("tint-{tint}"));
    }
    if style.indent > 0 {
        classes.push(format!("indent-{}", style.indent.min(8)));
    }
    for (class, on) in [("is-bold", style.bold), ("is-italic", style.italic)] {
        if on {
            classes.push(class.to_owned());
        }
    }
    classes
}

/// The hue of a background of six hexadecimal digits; `None` for white or no colour.
fn tint(background: &str) -> Option<&'static str> {
    if background.len() != 6 || !background.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(background, 16).ok()?.to_be_bytes().map(i32::from);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let spread = most - least;
    // Near-white counts as no colour, near-equal components as grey.
    if least >= 250 {
        return None;
    }
    if spread < 14 {
        return Some("grey");
    }
    let (from, difference) = match most {
        most if most == red => (0, green - blue),
        most if most == green => (120, blue - red),
        _ => (240, red - green),
    };
    Some(match (from + 60 * difference / spread).rem_euclid(360) {
        15..42 => "orange",
        42..70 => "yellow",
        70..165 => "green",
        165..255 => "blue",
        255..330 => "purple",
        _ => "red",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_become_hues() {
        let hues = [
            ("c5e0b3", "green"),
            ("bdd6ee", "blue"),
            ("f7caac", "orange"),
            ("ffe599", "yellow"),
            ("ff0000", "red"),
            ("800080", "purple"),
            ("d9d9d9", "grey"),
            ("000000", "grey"),
        ];
        for (background, hue) in hues {
            assert_eq!(tint(background), Some(hue), "{background}");
        }
        for none in ["", "ffffff", "fdfdfe", "fff", "zzzzzz", "+12345"] {
            assert_eq!(tint(none), None, "{none}");
        }
    }

    #[test]
    fn a_style_becomes_classes() {
        let style = CellStyle {
            top: Line::Thick,
            left: Line::None,
            background: "c5e0b3".into(),
            indent: 2,
            bold: true,
            ..CellStyle::default()
        };
        assert_eq!(looks(&style), ["line-top-thick", "line-left-none", "tint-green", "indent-2", "is-bold"]);
        assert!(looks(&CellStyle::default()).is_empty());
    }
}
