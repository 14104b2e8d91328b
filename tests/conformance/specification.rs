//! Parses the lines of the specification: sentences, and the items of the lists of paths and texts.

use crate::row::Row;

/// Sections that the table covers.
const SECTIONS: [u8; 4] = [3, 4, 7, 8];
/// Sentences that state that something is unspecified; they need no row.
const UNSPECIFIED: [&str; 2] = ["Payload fields of these tables", "Server behaviour beyond listed answers"];
/// Lists of which every item is a line, by the start of the list in the specification.
const LISTS: [&str; 8] =
    ["Auth:", "Articles:", "Publications:", "Member:", "Personal albums:", "Other:", "Texts:", "Success texts:"];

/// A line of the specification.
pub struct Line {
    /// Its section.
    pub section: u8,
    /// The sentence or item.
    pub text: String,
    /// Whether it is an item of a list, which only a row with exactly this text matches.
    item: bool,
}

impl Line {
    /// Whether a row covers this line.
    pub fn matches(&self, row: &Row) -> bool {
        row.section == self.section && if self.item { self.text == row.line } else { self.text.contains(row.line) }
    }
}

/// All lines of the sections that the table covers.
pub fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut section = 0;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            continue;
        }
        // A line that ends with a colon is the heading of the list below it.
        if !SECTIONS.contains(&section) || line.trim().is_empty() || line.trim_end().ends_with(':') {
            continue;
        }
        let said = line.trim_start_matches("- ").trim();
        let list = LISTS.iter().find_map(|name| said.strip_prefix(name).map(|items| (*name, items)));
        match list {
            Some((name, items)) if section == 7 || (section == 8 && name.ends_with("exts:")) => {
                let cut: &[char] = if section == 7 { &[',', ';'] } else { &[';'] };
                let items = items.split(cut).map(|item| item.trim().trim_end_matches('.').to_owned());
                lines.extend(items.map(|text| Line { section, text, item: true }));
            }
            _ => lines.extend(sentences(said).map(|text| Line { section, text: text.to_owned(), item: false })),
        }
    }
    lines
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ").filter(|sentence| !UNSPECIFIED.iter().any(|start| sentence.starts_with(start)))
}
