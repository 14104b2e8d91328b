//! Usage counts of OJS: of the export of a whole journal, and of the reports that editors download.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::{FormatError, date, json, xml::Element};

const FORMAT: &str = "usage report of OJS";
/// Limit on the size of a report in bytes.
const MAX_BYTES: usize = 64 << 20;
/// Limit on one number: a larger one is a fault of the file.
const MOST: i64 = 1_000_000_000;
/// What OJS counts, by its own numbers: a page of an article, a file of an article, another file of an article.
const ARTICLE: &str = "1048585";
const FILES: [&str; 2] = ["515", "531"];

/// Views and downloads of an article.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageCount {
    /// Number of the article in OJS.
    pub article: String,
    /// Days since 1970; `None` for the sum of all days.
    pub day: Option<i64>,
    /// Views of its page.
    pub views: i64,
    /// Downloads of its files.
    pub downloads: i64,
}

/// Counts by article and day.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<(String, Option<i64>), (i64, i64)>);

impl Counts {
    fn add(&mut self, article: &str, day: Option<i64>, views: i64, downloads: i64) {
        let sum = self.0.entry((article.to_owned(), day)).or_default();
        *sum = ((sum.0 + views).min(MOST), (sum.1 + downloads).min(MOST));
    }

    /// Adds the counts of `metrics`; returns the number of lines that are not about an article.
    pub(super) fn add_metrics(&mut self, metrics: &Element, article_of_file: &HashMap<String, String>) -> usize {
        let mut others = 0;
        for line in metrics.elements() {
            match line.name.as_str() {
                // OJS 3.3: one list.
                "metric" => {
                    let (kind, id) = (line.attribute("assoc_type"), line.attribute("assoc_id"));
                    let article = if kind == ARTICLE {
                        Some(id)
                    } else if FILES.contains(&kind) {
                        article_of_file.get(id).map(String::as_str)
                    } else {
                        None
                    };
                    others += usize::from(!self.add_line(article, kind, line.attribute("day"), line));
                }
                // Since OJS 3.4: a list for each kind.
                "submission_metrics" => {
                    for line in line.all("submission_metric") {
                        let article = Some(line.attribute("submission_ref")).filter(|article| !article.is_empty());
                        let kind = line.attribute("assoc_type");
                        others += usize::from(!self.add_line(article, kind, line.attribute("date"), line));
                    }
                }
                _ => others += line.elements().count(),
            }
        }
        others
    }

    /// Adds a line; returns whether it is one about an article.
    fn add_line(&mut self, article: Option<&str>, kind: &str, day: &str, line: &Element) -> bool {
        let (Some(article), Some(day), Some(times)) = (article, day_of(day), number(line.attribute("metric"))) else {
            return false;
        };
        match kind {
            ARTICLE => self.add(article, Some(day), times, 0),
            _ if FILES.contains(&kind) => self.add(article, Some(day), 0, times),
            _ => return false,
        }
        true
    }

    pub(super) fn into_counts(self) -> Vec<UsageCount> {
        let one = |((article, day), (views, downloads))| UsageCount { article, day, views, downloads };
        self.0.into_iter().map(one).collect()
    }
}

fn number(text: &str) -> Option<i64> {
    text.trim().parse().ok().filter(|number| (0..=MOST).contains(number))
}

/// Days since 1970 of `2026-08-10` or `20260810`; `None` for days that do not exist.
fn day_of(text: &str) -> Option<i64> {
    let iso = date::iso(text);
    let mut parts = iso.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // Years that begin in March, so that the leap day is their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    (days >= 0).then_some(days)
}

/// Reads a report: the JSON of `stats/publications`, or the CSV of the article statistics or of the view report.
///
/// # Errors
/// [`FormatError`] if the bytes are no such report.
pub fn report(bytes: &[u8]) -> Result<Vec<UsageCount>, FormatError> {
    if bytes.len() > MAX_BYTES {
        return Err(FormatError::new(FORMAT, format!("the file has {} bytes, more than {MAX_BYTES}", bytes.len())));
    }
    let first = bytes.iter().find(|byte| byte.is_ascii_graphic());
    if matches!(first, Some(b'{' | b'[')) { of_json(&json::read(FORMAT, bytes)?) } else { of_csv(bytes) }
}

fn of_json(report: &Value) -> Result<Vec<UsageCount>, FormatError> {
    let items = if report.is_array() { report.as_array() } else { report["items"].as_array() };
    let Some(items) = items else {
        let reason = "the JSON has no list of articles: save the answer of /api/v1/stats/publications";
        return Err(FormatError::new(FORMAT, reason));
    };
    let mut counts = Counts::default();
    for (at, item) in items.iter().enumerate() {
        let article = json::text(&item["publication"], "id");
        let views = number(&json::text(item, "abstractViews"));
        let downloads = number(&json::text(item, "galleyViews"));
        let (Some(views), Some(downloads), false) = (views, downloads, article.is_empty()) else {
            let reason = "the item has no publication.id, abstractViews and galleyViews that are numbers";
            return Err(FormatError::new(FORMAT, reason).record(at + 1));
        };
        counts.add(&article, None, views, downloads);
    }
    Ok(counts.into_counts())
}

fn of_csv(bytes: &[u8]) -> Result<Vec<UsageCount>, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|_| FormatError::new(FORMAT, "the file is not UTF-8: save it as CSV in UTF-8"))?;
    let mut rows = csv(text).into_iter();
    let header = rows.next().unwrap_or_default();
    let rows: Vec<Vec<String>> = rows.filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect();
    let (views_at, downloads_at) = columns(&header, &rows).ok_or_else(|| {
        let reason = "the columns are not those of the article statistics or the view report of OJS: download them \
                      with the language of OJS set to English";
        FormatError::new(FORMAT, reason)
    })?;
    let mut counts = Counts::default();
    for (at, row) in rows.iter().enumerate() {
        let cell = |at: usize| row.get(at).map(|cell| cell.trim()).unwrap_or_default();
        let (Some(views), Some(downloads), false) =
            (number(cell(views_at)), number(cell(downloads_at)), cell(0).is_empty())
        else {
            let reason = "the row has no number of an article, of views or of downloads";
            return Err(FormatError::new(FORMAT, reason).record(at + 1));
        };
        counts.add(cell(0), None, views, downloads);
    }
    Ok(counts.into_counts())
}

/// The columns of views and of downloads. Headings are in the language of the editor who made the report; the article statistics
/// are recognised by their sums, too.
fn columns(header: &[String], rows: &[Vec<String>]) -> Option<(usize, usize)> {
    let named =
        |names: &[&str]| header.iter().position(|cell| names.iter().any(|name| cell.trim().eq_ignore_ascii_case(name)));
    if let (Some(views), Some(downloads)) =
        (named(&["Abstract Views"]), named(&["File Views", "Galley Views", "Total Galley Views"]))
    {
        return Some((views, downloads));
    }
    let sums = |row: &Vec<String>| {
        let cell = |at: usize| row.get(at).and_then(|cell| number(cell));
        matches!((cell(0), cell(2), cell(3), cell(4)), (Some(_), Some(all), Some(views), Some(files)) if all == views + files)
    };
    (header.len() >= 5 && !rows.is_empty() && rows.iter().all(sums)).then_some((3, 4))
}

/// The rows of CSV as in RFC 4180.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn count(article: &str, views: i64, downloads: i64) -> UsageCount {
        UsageCount { article: article.to_owned(), day: None, views, downloads }
    }

    #[test]
    fn days_are_counted_from_1970_and_days_that_do_not_exist_are_none() {
        assert_eq!(day_of("1970-01-01"), Some(0));
        assert_eq!(day_of("20000301"), Some(11_017));
        assert_eq!(day_of("2024-02-29"), Some(19_782));
        for text in ["2023-02-29", "2026-04-31", "2026-04", "1969-12-31", "x", ""] {
            assert_eq!(day_of(text), None, "{text}");
        }
    }

    #[test]
    fn reports_are_read_from_csv_and_json() {
        let both = vec![count("12", 30, 8), count("15", 4, 0)];
        let english = "ID,Title,Total,Abstract Views,File Views,PDF,HTML,Other\r\n12,\"Weirs, \"\"low\"\" ones\",38,30,8,8,0,0\r\n15,Silt,4,4,0,0,0,0\r\n";
        assert_eq!(report(english.as_bytes()).unwrap(), both);
        let spanish = "ID,Título,Total,Visitas,Archivos,PDF,HTML,Otro\n12,Azudes,38,30,8,8,0,0\n15,Limo,4,4,0,0,0,0\n";
        assert_eq!(report(format!("\u{feff}{spanish}").as_bytes()).unwrap(), both);
        let views = "Article ID,Article Title,Issue,Date Published,Abstract Views,Total Galley Views,PDF\n12,Weirs,1,2020,30,8,8\n15,Silt,1,2020,4,0,\n";
        assert_eq!(report(views.as_bytes()).unwrap(), both);
        let json = r#"{"itemsMax":2,"items":[{"abstractViews":30,"galleyViews":8,"publication":{"id":12}},{"abstractViews":4,"galleyViews":0,"publication":{"id":15}}]}"#;
        assert_eq!(report(json.as_bytes()).unwrap(), both);
    }

    #[test]
    fn other_tables_and_impossible_numbers_are_refused() {
        let refused: [(&[u8], &str); 8] = [
            (b"a,b,c\n1,2,3\n", "the columns"),
            (b"ID,Title,Total,Abstract Views,File Views\n1,x,3,-2,5\n", "record 1"),
            (b"ID,Title,Total,Abstract Views,File Views\n1,x,3,99999999999,5\n", "record 1"),
            (b"ID\xff\n", "UTF-8"),
            (b"", "the columns"),
            (b"{}", "no list"),
            (b"[{\"abstractViews\":1}]", "record 1"),
            (b"[", "JSON"),
        ];
        for (bytes, words) in refused {
            let error = report(bytes).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
