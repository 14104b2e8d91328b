//! CSV: RFC 4180 in UTF-8 with a byte order mark, so that Excel reads Chinese.

use masthead_domain::content::Table;

use super::{MAX_CSV, Sheet, SheetError, number};

/// The table's cells as CSV (`text/csv; charset=utf-8`): every row has all columns; a cell over several rows or columns stands in the
/// first of them and leaves the others empty, as spreadsheets write merged cells. Several grids are divided by an empty row.
///
/// Cells that a spreadsheet would take for a formula (they begin with `=`, `+`, `-`, `@`, a tab or a full-width form, and are no
/// number) get an apostrophe before them. Signs alone (`-`, `+++`) stay, because they cannot be a formula.
///
/// # Errors
/// [`SheetError`] for more than 65,536 rows or 4,096 columns.
pub fn csv(table: &Table) -> Result<Vec<u8>, SheetError> {
    let mut sheet = Sheet::default();
    sheet.grids(table);
    sheet.check("a CSV file", MAX_CSV, "divide the table")?;
    let mut out = String::from("\u{feff}");
    for row in &sheet.rows {
        for column in 0..sheet.columns {
            if column > 0 {
                out.push(',');
            }
            if let Some(Some(value)) = row.get(column) {
                field(&value.text, &mut out);
            }
        }
        out.push_str("\r\n");
    }
    Ok(out.into_bytes())
}

fn field(text: &str, out: &mut String) {
    let guard = if is_formula(text) { "'" } else { "" };
    if text.contains([',', '"', '\r', '\n', ';', '\t']) || text.starts_with(' ') || text.ends_with(' ') {
        out.push('"');
        out.push_str(guard);
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(guard);
        out.push_str(text);
    }
}

fn is_formula(text: &str) -> bool {
    let starts = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    let signs_alone = ['+', '-'].iter().any(|sign| text.chars().all(|c| c == *sign));
    starts && !signs_alone && number(text.strip_suffix('%').unwrap_or(text)).is_none()
}
