//! The lines of the specification, and the comparison of the rows with them.

use crate::row::Row;

/// A line of the specification: a paragraph, an item of a list or a row of a table. Headings of sections, of tables and of lists are no
/// lines, nor is a line that only says that something is not shown.
pub struct Line<'a> {
    section: u8,
    number: usize,
    text: &'a str,
}

/// All lines of the text.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let all: Vec<&str> = text.lines().map(str::trim).collect();
    let mut lines: Vec<Line<'_>> = Vec::new();
    let (mut section, mut number) = (0, 0);
    for (index, &text) in all.iter().enumerate() {
        if let Some(heading) = text.strip_prefix("## ") {
            section = heading.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            number = 0;
            continue;
        }
        let heads_table = text.starts_with('|') && all.get(index + 1).is_some_and(|next| next.starts_with("|--"));
        let is_line =
            section > 0 && !text.is_empty() && !heads_table && !text.starts_with("|--") && !text.ends_with(':');
        if is_line && !states_nothing(text) {
            number += 1;
            lines.push(Line { section, number, text });
        }
    }
    lines
}

/// Whether every sentence is of the form `Something: not shown`.
fn states_nothing(text: &str) -> bool {
    text.split(". ").all(|sentence| sentence.trim_end_matches('.').ends_with(": not shown"))
}

/// The digest of a line: CRC-32 of its words.
pub fn digest(text: &str) -> u32 {
    crc32fast::hash(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes())
}

/// What is wrong with the rows: lines without a row, with several, or changed since the row was written; rows without a line.
pub fn differences(lines: &[Line<'_>], rows: &[Row]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Line { section, number, text } in lines {
        let own: Vec<&Row> = rows.iter().filter(|row| (row.section, row.number) == (*section, *number)).collect();
        let place = format!("line {number} of section {section} (digest {:#010x})", digest(text));
        match own.as_slice() {
            [] => wrong.push(format!("{place} has no row: {text}")),
            [row] if row.digest != digest(text) => {
                wrong.push(format!("{place} is not the line that the row was written for; read it again: {text}"));
            }
            [_] => {}
            _ => wrong.push(format!("{place} has {} rows: {text}", own.len())),
        }
    }
    let has_line = |row: &&Row| lines.iter().any(|line| (row.section, row.number) == (line.section, line.number));
    wrong.extend(rows.iter().filter(|row| !has_line(row)).map(|row| format!("the row {:?} has no line", row.name())));
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::line;

    const TEXT: &str = "# Title\n\nPreface.\n\n## 1. One\n\n- First: a. B.\n- Second.\n\n| A | B |\n|---|---|\n| c | d |\n\n\
                        ## 2. Two\n\nCalls:\n- /call\nFields: not shown. The rest: not shown.";

    #[test]
    fn paragraphs_items_and_rows_of_tables_are_lines() {
        let found: Vec<_> = lines(TEXT).iter().map(|line| (line.section, line.number, line.text)).collect();
        assert_eq!(found, [(1, 1, "- First: a. B."), (1, 2, "- Second."), (1, 3, "| c | d |"), (2, 1, "- /call")]);
    }

    #[test]
    fn missing_changed_repeated_and_unknown_rows_are_reported() {
        let row = |section, number, text: &str| line(section, number, digest(text), "", Vec::new());
        let good =
            || vec![row(1, 1, "- First:  a. B."), row(1, 2, "- Second."), row(1, 3, "| c | d |"), row(2, 1, "- /call")];
        let check = |rows: Vec<Row>| differences(&lines(TEXT), &rows).join("\n");
        assert_eq!(check(good()), "");
        assert!(check(good().split_off(1)).contains("line 1 of section 1 (digest"));
        let with = |more: Row| good().into_iter().chain([more]).collect::<Vec<_>>();
        assert!(check(with(row(2, 1, "- /call"))).contains("has 2 rows"));
        assert!(check(with(row(3, 1, "x"))).contains("has no line"));
        let mut changed = good();
        changed[1].digest += 1;
        assert!(check(changed).contains("is not the line"));
    }
}
