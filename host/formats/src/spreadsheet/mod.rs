//! Tables for spreadsheets: CSV (RFC 4180) and Excel 97-2003 workbooks (BIFF8).

mod biff;
mod csv;

use masthead_domain::content::{Cell, Row, Table, text::plain};

pub use csv::csv;

/// Why a table was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// Larger than the format, or than any printed table.
    #[error(
        "the table has {rows} rows and {columns} columns, but {format} takes {max_rows} and {max_columns}: {advice}"
    )]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Name of the format.
        format: &'static str,
        /// Most rows.
        max_rows: usize,
        /// Most columns.
        max_columns: usize,
        /// What to do.
        advice: &'static str,
    },
    /// The container could not be written.
    #[error("the workbook could not be written: {0}; this is a fault of the server, tell its operator")]
    Container(String),
}

/// Rows and columns of a CSV file. More is no table of an article, but spans made to fill the memory.
const MAX_CSV: (usize, usize) = (65_536, 4_096);
/// Cells of the laid out table, with those that spans cover.
const MAX_CELLS: usize = 4_000_000;

/// An Excel 97-2003 workbook (`application/vnd.ms-excel`) of one sheet: captions, the table with its merged cells, and its notes.
///
/// Cells that are numbers become numbers with as many decimals as printed. `name` is the sheet's name; what Excel does not allow in
/// it is left out. A text of more than 32,767 characters is cut, as Excel would.
///
/// # Errors
/// [`SheetError`] for more than 65,536 rows or 256 columns.
pub fn xls(table: &Table, name: &str) -> Result<Vec<u8>, SheetError> {
    let mut sheet = Sheet::default();
    for caption in captions(table) {
        sheet.line(caption);
    }
    sheet.grids(table);
    for note in notes(table) {
        sheet.line(note);
    }
    sheet.check("an Excel 97 workbook", (65_536, 256), "take the CSV file")?;
    biff::workbook(&sheet, name)
}

/// A laid out table: every cell at its row and column.
#[derive(Debug, Default, PartialEq)]
struct Sheet {
    rows: Vec<Vec<Option<Value>>>,
    /// First row, last row, first column, last column, from 0.
    merged: Vec<(usize, usize, usize, usize)>,
    /// Columns of the widest row.
    columns: usize,
    cells: usize,
    /// Rows whose text goes over all columns.
    lines: Vec<usize>,
}

/// What stands in a cell.
#[derive(Clone, Debug, Default, PartialEq)]
struct Value {
    text: String,
    header: bool,
}

impl Sheet {
    fn line(&mut self, text: String) {
        self.lines.push(self.rows.len());
        self.rows.push(vec![Some(Value { text, header: false })]);
        self.columns = self.columns.max(1);
    }

    fn grids(&mut self, table: &Table) {
        for (index, grid) in table.grids.iter().enumerate() {
            if index > 0 {
                self.rows.push(Vec::new());
            }
            self.section(&grid.head, true);
            for body in &grid.bodies {
                self.section(body, false);
            }
            self.section(&grid.foot, false);
        }
    }

    /// Rows that spans cannot lead out of, as in HTML.
    fn section(&mut self, rows: &[Row], head: bool) {
        let first = self.rows.len();
        let end = first + rows.len();
        // For each column the row behind the last one that a cell above covers.
        let mut covered: Vec<usize> = Vec::new();
        for (row, at) in rows.iter().zip(first..) {
            if self.cells > MAX_CELLS {
                return;
            }
            self.rows.push(Vec::new());
            let mut column = 0;
            for cell in &row.cells {
                while covered.get(column).is_some_and(|until| *until > at) {
                    column += 1;
                }
                let until = (at + usize::from(cell.rowspan.max(1))).min(end);
                let wanted = (column + usize::from(cell.colspan.max(1))).min(MAX_CSV.1 + 1).max(column + 1);
                // Merged cells must not overlap, or Excel calls the file damaged.
                let behind = (column + 1..wanted)
                    .find(|next| covered.get(*next).is_some_and(|until| *until > at))
                    .unwrap_or(wanted);
                self.put(at, column, value(cell, head));
                if until - at > 1 || behind - column > 1 {
                    self.merged.push((at, until - 1, column, behind - 1));
                }
                if covered.len() < behind {
                    covered.resize(behind, 0);
                }
                for one in covered.iter_mut().take(behind).skip(column) {
                    *one = until;
                }
                self.columns = self.columns.max(behind);
                column = behind;
            }
            self.cells += covered.len();
        }
    }

    fn put(&mut self, row: usize, column: usize, value: Value) {
        let Some(cells) = self.rows.get_mut(row) else { return };
        if cells.len() <= column {
            cells.resize(column + 1, None);
        }
        if let Some(cell) = cells.get_mut(column) {
            *cell = Some(value);
        }
    }

    fn check(
        &self,
        format: &'static str,
        (max_rows, max_columns): (usize, usize),
        advice: &'static str,
    ) -> Result<(), SheetError> {
        let (rows, columns) = (self.rows.len(), self.columns);
        if rows > max_rows || columns > max_columns || self.cells > MAX_CELLS {
            return Err(SheetError::TooLarge { rows, columns, format, max_rows, max_columns, advice });
        }
        Ok(())
    }
}

fn value(cell: &Cell, head: bool) -> Value {
    Value { text: plain(&cell.nodes), header: cell.header || head }
}

/// Label and caption, one line a language; the unit of all cells after the first.
fn captions(table: &Table) -> Vec<String> {
    let mut lines: Vec<String> = table
        .captions
        .iter()
        .map(|caption| join(&[&table.label, &plain(&caption.title), &plain(&caption.nodes)]))
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() && !table.label.is_empty() {
        lines.push(table.label.clone());
    }
    if !table.cell_unit.is_empty() {
        lines.push(table.cell_unit.clone());
    }
    lines
}

fn notes(table: &Table) -> Vec<String> {
    let plain_notes = table.notes.iter().map(|note| plain(std::slice::from_ref(note)));
    let marked = table.footnotes.iter().map(|note| join(&[&note.label, &plain(&note.nodes)]));
    plain_notes.chain(marked).filter(|line| !line.is_empty()).collect()
}

fn join(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// The number that a cell is, with its decimals as printed. Thousands with commas, leading zeros (numbers of things) and more
/// digits than a spreadsheet keeps are no numbers here, because they would change.
fn number(text: &str) -> Option<(f64, usize)> {
    let bare = text.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(text);
    let (mantissa, exponent) = bare.split_once(['e', 'E']).unwrap_or((bare, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let fits = !whole.is_empty()
        && !mantissa.ends_with('.')
        && whole.len() + decimals.len() <= 15
        && (whole.len() == 1 || !whole.starts_with('0'))
        && digits(whole)
        && digits(decimals)
        && (1..=3).contains(&exponent_digits.len())
        && digits(exponent_digits);
    let sign = if text.starts_with(['-', '\u{2212}']) { "-" } else { "" };
    let parsed: f64 = fits.then(|| format!("{sign}{bare}").parse().ok())??;
    let decimals = if bare.contains(['e', 'E']) { 0 } else { decimals.len() };
    parsed.is_finite().then_some((parsed, decimals))
}

#[cfg(test)]
mod tests;
