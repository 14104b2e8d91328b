//! The index documents of entries, and the terms under which they are found.

use masthead_domain::{SiteId, text::section_key};
use tantivy::{TantivyDocument, doc};

use super::schema::Columns;
use crate::entry::{Entry, EntryKind, ExactField};

/// The term for such a value: case, spaces and hyphens are ignored.
pub fn exact_term(field: ExactField, value: &str) -> String {
    let prefix = match field {
        ExactField::Part => "part",
        ExactField::FirstPage => "first",
        ExactField::LastPage => "last",
        ExactField::Cn => "cn",
        ExactField::Issn => "issn",
        ExactField::Isbn => "isbn",
    };
    let value: String = value.chars().filter(|c| !c.is_whitespace() && *c != '-').take(100).collect();
    format!("{prefix}:{}", value.to_lowercase())
}

/// The identifier of an entry: its kind and number, or a journal's key.
pub fn key(site: SiteId, kind: EntryKind, id: i64, journal: &str) -> String {
    match kind {
        EntryKind::Publication => format!("{site}/publication/{journal}"),
        kind => format!("{site}/{}/{id}", kind.as_str()),
    }
}

/// The identifier of all entries of an article.
pub fn owner(site: SiteId, article: i64) -> String {
    format!("{site}/{article}")
}

/// A date as a number that sorts in the same order, `20260102`; a date without day or month precedes those with one.
pub fn dated(date: &str) -> Option<i64> {
    let mut parts = date.get(..10).unwrap_or(date).split('-');
    let mut number = |most: i64| -> Option<i64> {
        let part = parts.next().unwrap_or("0");
        part.parse().ok().filter(|number| (0..=most).contains(number))
    };
    Some(number(9999).filter(|year| *year > 0)? * 10_000 + number(12)? * 100 + number(31)?)
}

/// Year and issue as a number that sorts in the order of issues.
fn issue_rank(entry: &Entry) -> Option<i64> {
    let digits: String = entry.issue.chars().take_while(char::is_ascii_digit).take(5).collect();
    Some(i64::from(entry.year?) * 100_000 + digits.parse::<i64>().ok()?)
}

impl Columns {
    /// The index document for an entry.
    pub fn document(&self, site: SiteId, entry: &Entry) -> TantivyDocument {
        let mut document = doc!(
            self.key => key(site, entry.kind, entry.id, &entry.journal),
            self.site => site.0,
            self.resource => entry.kind.as_str(),
            self.id => entry.id,
            self.authors => entry.authors.as_str(),
            self.doi => entry.doi.to_ascii_lowercase(),
            self.journal => entry.journal.as_str(),
            self.kind => entry.article_type.as_str(),
            self.open_access => entry.open_access,
            self.first_status => i64::from(entry.first_status),
            self.references => i64::from(entry.references),
            self.citations => i64::from(entry.citations),
        );
        let texts = [
            (self.title, &entry.title),
            (self.keywords, &entry.keywords),
            (self.company, &entry.company),
            (self.summary, &entry.summary),
            (self.text, &entry.text),
        ];
        for (column, texts) in texts {
            texts.parts().for_each(|(_, text)| document.add_text(column, text));
        }
        if entry.article != 0 {
            document.add_text(self.owner, owner(site, entry.article));
        }
        let numbers = [
            (self.year, entry.year.map(i64::from)),
            (self.dated, dated(&entry.date)),
            (self.printed, dated(&entry.print_date)),
            (self.issue, issue_rank(entry)),
            (self.updated, entry.updated),
        ];
        for (column, number) in numbers {
            if let Some(number) = number {
                document.add_i64(column, number);
            }
        }
        if let Some(online_first) = entry.online_first {
            document.add_bool(self.online_first, online_first);
        }
        for name in &entry.columns {
            document.add_text(self.column, name);
            document.add_text(self.section, section_key(name));
        }
        entry.people.iter().for_each(|name| document.add_text(self.person, name));
        let values = entry.exact_values.iter().filter(|(_, value)| !value.is_empty());
        values.for_each(|(field, value)| document.add_text(self.codes, exact_term(*field, value)));
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_different_precision_are_sorted() {
        assert!(dated("2025") < dated("2025-03") && dated("2025-03") < dated("2025-03-01"));
        assert_eq!(dated("2026-01-02T03:04:05Z"), Some(20_260_102));
        for odd in ["", "x", "0000-01-01", "2026-99-01", "二〇二六年一月二日", "99999999999999999999"] {
            assert_eq!(dated(odd), None, "{odd}");
        }
    }

    #[test]
    fn codes_are_compared_without_case_spaces_and_hyphens() {
        assert_eq!(exact_term(ExactField::Issn, "1234-567X"), exact_term(ExactField::Issn, " 1234567x"));
        assert_ne!(exact_term(ExactField::FirstPage, "7"), exact_term(ExactField::LastPage, "7"));
    }
}
