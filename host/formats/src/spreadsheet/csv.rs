//! Writer of CSV: RFC 4180 in UTF-8 with a byte order mark, without which Excel misreads Chinese.

use masthead_domain::content::Table;

use super::{MAX_CSV, Sheet, SheetError, number};

/// A table as CSV (`text/csv; charset=utf-8`). Every row has all columns; a merged cell has its value in the first position that it
/// covers and leaves the others empty, as spreadsheets export merged cells. An empty row separates several grids.
///
/// A cell that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a full-width form of these, and
/// is not a number) gets an apostrophe in front. Signs alone (`-`, `+++`) are kept, because they cannot be a formula.
///
/// # Errors
/// [`SheetError`] if the table has more than 65,536 rows or 4,096 columns.
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
