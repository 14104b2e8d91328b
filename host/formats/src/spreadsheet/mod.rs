//! Writers of tables for spreadsheets: CSV (RFC 4180) and Excel 97-2003 workbooks (BIFF8).

mod biff;
mod csv;

use masthead_domain::content::{Cell, Row, Table, text::plain};

pub use csv::csv;

/// Why a table could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The table exceeds the limits of the format.
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
        /// Limit on rows.
        max_rows: usize,
        /// Limit on columns.
        max_columns: usize,
        /// What the user can do.
        advice: &'static str,
    },
    /// The container could not be written.
    #[error("the workbook could not be written: {0}; this is a fault of the server, tell its operator")]
    Container(String),
}

/// Limits on rows and columns of a CSV file. Larger tables are the result of spans made to exhaust memory, not of real articles.
const MAX_CSV: (usize, usize) = (65_536, 4_096);
/// Limit on the cells of the laid out table, including those that spans cover.
const MAX_CELLS: usize = 4_000_000;

/// A table as an Excel 97-2003 workbook (`application/vnd.ms-excel`) of one sheet: captions, cells with merged ones, and notes.
///
/// Cells that are numbers are written as numbers with the decimals as printed. `name` is the sheet's name; characters that Excel
/// forbids in it are removed. A text of more than 32,767 UTF-16 code units is truncated to Excel's limit.
///
/// # Errors
/// [`SheetError`] if the table has more than 65,536 rows or 256 columns.
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
    /// First row, last row, first column and last column of each merged cell, from 0.
    merged: Vec<(usize, usize, usize, usize)>,
    /// Columns of the widest row.
    columns: usize,
    cells: usize,
    /// Rows whose text is merged over all columns (captions and notes).
    lines: Vec<usize>,
}

/// The value of a cell.
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

    /// Adds the rows of a head, body or foot. As in HTML, a cell cannot span beyond its section.
    fn section(&mut self, rows: &[Row], head: bool) {
        let first = self.rows.len();
        let end = first + rows.len();
        // For each column, the row behind the last one that a cell above covers.
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
                let end_column = (column + usize::from(cell.colspan.max(1))).min(MAX_CSV.1 + 1).max(column + 1);
                // Merged cells must not overlap: Excel would report the file as damaged.
                let behind = (column + 1..end_column)
                    .find(|next| covered.get(*next).is_some_and(|until| *until > at))
                    .unwrap_or(end_column);
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

/// Label and caption, one line a language; the unit of all cells on the first line.
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

/// The number in a cell, with the decimals as printed. Numbers with thousands separators, with leading zeros (identifiers) or with
/// more digits than a spreadsheet stores are kept as text, because conversion would change them.
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
