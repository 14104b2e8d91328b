//! The index documents of entries, and the terms under which they are found.

use masthead_domain::{SiteId, text::section_key};
use tantivy::{TantivyDocument, doc, schema::Field as Column};

use super::{schema::Columns, suggestions, tokenizer::in_language};
use crate::{
    analysis::Analyzer,
    entry::{Entry, EntryKind, ExactField, Texts},
    query::{Field, title_key},
};

/// Greatest number of characters of a whole title that is compared.
const WHOLE_TITLE: usize = 200;
/// Between the compared form of a value and the value as printed.
pub const SHOWN: char = '\u{1f}';

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

/// The term for a whole title that [`title_key`] wrote.
pub fn whole_title(key: &str) -> String {
    key.chars().take(WHOLE_TITLE).collect()
}

/// The term for a site and a kind.
pub fn kind_of_site(site: SiteId, kind: EntryKind) -> String {
    format!("{site}/{}", kind.as_str())
}

/// The term for a language: its tag without script and region.
pub fn language(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().trim().to_ascii_lowercase()
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

/// A number for a key that is the same in every process (FNV-1a).
fn place(key: &str) -> u64 {
    key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A date as a number that sorts in the same order, `20260102`; a date without day or month precedes those with one.
fn dated(date: &str) -> Option<i64> {
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
        let key = key(site, entry.kind, entry.id, &entry.journal);
        let mut document = doc!(
            self.place => place(&key),
            self.key => key,
            self.site => site.0,
            self.kind_of_site => kind_of_site(site, entry.kind),
            self.kind => entry.kind.as_str(),
            self.id => entry.id,
            self.doi => entry.doi.to_ascii_lowercase(),
            self.journal => entry.journal.as_str(),
            self.article_type => entry.article_type.as_str(),
            self.first_status => i64::from(entry.first_status),
            self.references => i64::from(entry.references),
            self.citations => i64::from(entry.citations),
        );
        if entry.article != 0 {
            document.add_text(self.owner, owner(site, entry.article));
        }
        self.add_texts(&mut document, entry);
        self.add_numbers(&mut document, entry);
        self.add_values(&mut document, entry);
        for beginning in suggestions::of(site, entry) {
            document.add_text(self.beginning, beginning);
        }
        document
    }

    fn add_texts(&self, document: &mut TantivyDocument, entry: &Entry) {
        let (authors, funds) = (Texts::from(entry.authors.as_str()), Texts::from(entry.funds.join("\n")));
        let texts = [
            (Field::Title, &entry.title),
            (Field::Keywords, &entry.keywords),
            (Field::Authors, &authors),
            (Field::Company, &entry.company),
            (Field::Fund, &funds),
            (Field::Publication, &entry.publication),
            (Field::Summary, &entry.summary),
            (Field::Body, &entry.text),
        ];
        for (field, texts) in texts {
            for (language, text) in texts.parts() {
                let column = self.of(field);
                let add = |document: &mut TantivyDocument, text: &str| {
                    document.add_pre_tokenized_text(column, in_language(Analyzer::Prose, text, language));
                };
                // Lines of the other fields are texts of their own: no phrase is found in the end of one and the beginning of the next.
                match field {
                    Field::Authors | Field::Body => document.add_text(column, text),
                    Field::Summary => add(document, text),
                    _ => text.lines().for_each(|line| add(document, line)),
                }
                document.add_text(self.spelling, text);
            }
        }
        let titles: Vec<&str> =
            entry.title.parts().flat_map(|(_, title)| title.lines()).filter(|title| !title.trim().is_empty()).collect();
        document.add_text(self.titles, titles.join("\n"));
        let mut whole: Vec<String> = titles.into_iter().map(title_key).collect();
        whole.sort_unstable();
        whole.dedup();
        for title in whole.iter().filter(|title| !title.is_empty()) {
            document.add_text(self.whole_title, whole_title(title));
        }
    }

    fn add_numbers(&self, document: &mut TantivyDocument, entry: &Entry) {
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
    }

    fn add_values(&self, document: &mut TantivyDocument, entry: &Entry) {
        if let Some(open_access) = entry.open_access {
            document.add_bool(self.open_access, open_access);
        }
        if let Some(online_first) = entry.online_first {
            document.add_bool(self.online_first, online_first);
        }
        add_shown(document, self.heading, self.heading_shown, &entry.columns);
        add_shown(document, self.person, self.person_shown, &entry.people);
        add_shown(document, self.funder, self.funder_shown, &entry.funds);
        let mut languages: Vec<String> = entry.languages.iter().map(|tag| language(tag)).collect();
        languages.sort_unstable();
        languages.dedup();
        for tag in languages.iter().filter(|tag| !tag.is_empty()) {
            document.add_text(self.language, tag);
        }
        let values = entry.exact_values.iter().filter(|(_, value)| !value.is_empty());
        values.for_each(|(field, value)| document.add_text(self.codes, exact_term(*field, value)));
    }
}

/// Adds values to filter and count by, each once: two that are compared as equal would be counted twice for one entry.
fn add_shown(document: &mut TantivyDocument, compared: Column, shown: Column, values: &[String]) {
    let mut known: Vec<String> = Vec::new();
    for value in values {
        let key = section_key(value);
        if !key.is_empty() && !known.contains(&key) {
            document.add_text(compared, &key);
            let printed = value.split_whitespace().collect::<Vec<_>>().join(" ");
            document.add_text(shown, format!("{key}{SHOWN}{printed}"));
            known.push(key);
        }
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

    #[test]
    fn languages_are_compared_without_script_and_region() {
        assert_eq!(language("zh-Hant"), language("ZH_cn"));
        assert_ne!(language("en"), language("es"));
        assert_eq!(language(""), "");
    }
}
