//! Unqualified Dublin Core (`oai_dc`), the format that every OAI-PMH repository offers: articles with their metadata.

use masthead_domain::{
    article::{Article, ArticleMeta, Contributor, LangText},
    content::text::{fold, plain},
    ids::Doi,
    lang::{language_tag, same_language},
    license, link,
    text::{letters, without_tags},
};

use super::issue::issn;
use crate::{
    FormatError, Name, ReadJats,
    date::{self, DateReader},
    markup,
};

const FORMAT: &str = "Dublin Core";
/// The access rights of the vocabularies of OpenAIRE and COAR, as [`letters`] gives them.
const ACCESS_RIGHTS: [&str; 5] =
    ["openaccess", "closedaccess", "restrictedaccess", "embargoedaccess", "metadataonlyaccess"];

/// One statement of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// Name of the element without prefix: `title`, `creator`, ...
    pub name: String,
    /// Its `xml:lang`, or "".
    pub lang: String,
    /// Its text.
    pub text: String,
}

/// The article that a record describes, with warnings about the record. `identifier` is that of the record, which identifies the article if it has no DOI.
///
/// # Errors
/// [`FormatError`] if the record has no title, or describes something else than a text.
pub fn article(terms: &[Term], identifier: &str, jats: ReadJats) -> Result<(Article, Vec<String>), FormatError> {
    let of = |name: &'static str| {
        let named = terms.iter().filter(move |term| term.name.eq_ignore_ascii_case(name));
        named.map(|term| (language_tag(&term.lang), fold(&term.text))).filter(|(_, text)| !text.is_empty())
    };
    let texts = |name| of(name).map(|(_, text)| text);
    let other = texts("type").any(|kind| {
        let kind = kind.to_lowercase();
        matches!(
            kind.as_str(),
            "image" | "stillimage" | "movingimage" | "sound" | "dataset" | "software" | "collection"
        )
    });
    if other && !texts("type").any(|kind| kind.to_lowercase().contains("article")) {
        let reason = "the record describes no text, by its type: leave it out";
        return Err(FormatError::new(FORMAT, reason).field("type"));
    }
    let mut meta = ArticleMeta {
        article_type: article_type(texts("type")).to_owned(),
        language: texts("language")
            .map(|tag| language_tag(&tag.to_lowercase()))
            .find(|tag| !tag.is_empty())
            .unwrap_or_default(),
        ..ArticleMeta::default()
    };
    if meta.language.is_empty() {
        "en".clone_into(&mut meta.language);
    }
    identifiers(texts("identifier"), identifier, &mut meta);
    titles(of("title"), jats, &mut meta);
    if meta.titles.is_empty() {
        return Err(FormatError::new(FORMAT, "the record has no title").field("title"));
    }
    for (role, name) in [("author", "creator"), ("contributor", "contributor")] {
        meta.contributors.extend(texts(name).filter_map(|text| person(role, &text)));
    }
    for subject in texts("subject") {
        // Some platforms put all subjects into one element.
        for one in subject.split(';').map(str::trim).filter(|one| !one.is_empty()) {
            if !meta.subjects.iter().any(|known| known == one) {
                meta.subjects.push(one.to_owned());
            }
        }
    }
    meta.journal.publisher = texts("publisher").next().unwrap_or_default();
    // A second date is that of a change; the first to be published is the earliest.
    let mut read = DateReader::new(FormatError::new(FORMAT, ""));
    meta.dates.online =
        texts("date").map(|text| read.iso("date", &text)).filter(|day| !day.is_empty()).min().unwrap_or_default();
    meta.year = date::year(&meta.dates.online);
    texts("source").for_each(|text| source(&text, &mut meta));
    for text in texts("rights") {
        rights(&text, &mut meta);
    }
    // Of the DCMI terms, which some repositories add.
    for text in texts("license") {
        licence(&text, &mut meta);
    }
    meta.open_access = license::states_open(&meta.license_url, &meta.license);
    let mut article = Article { meta, ..Article::default() };
    let own = article.meta.language.clone();
    for (lang, text) in of("description") {
        let lang = if lang.is_empty() { own.clone() } else { lang };
        article.body.abstracts.extend(markup::abstracts(jats, &lang, &text));
    }
    Ok((article, read.warnings()))
}

fn article_type(kinds: impl Iterator<Item = String>) -> &'static str {
    let kinds: Vec<String> = kinds.map(|kind| kind.to_lowercase()).collect();
    let any = |words: &[&str]| kinds.iter().any(|kind| words.iter().any(|word| kind.contains(word)));
    match () {
        () if any(&["bookreview", "book review"]) => "book-review",
        () if any(&["editorial"]) => "editorial",
        () if any(&["reviewarticle", "review article", "review-article"]) => "review-article",
        () if any(&["preprint"]) => "preprint",
        () if any(&["thesis", "dissertation"]) => "dissertation",
        () => "research-article",
    }
}

fn identifiers(mut all: impl Iterator<Item = String>, record: &str, meta: &mut ArticleMeta) {
    meta.doi = all.find_map(|text| Doi::parse(text.trim_start_matches("info:doi/")).ok());
    meta.source_key = match &meta.doi {
        Some(doi) => format!("doi:{}", doi.key()),
        None => source_key(record),
    };
}

/// The source key of an article that only the identifier of its record identifies.
#[must_use]
pub fn source_key(identifier: &str) -> String {
    if identifier.starts_with("oai:") { identifier.to_owned() } else { format!("oai:{identifier}") }
}

fn titles(all: impl Iterator<Item = (String, String)>, jats: ReadJats, meta: &mut ArticleMeta) {
    for (lang, text) in all {
        let lang = if lang.is_empty() && meta.titles.is_empty() { meta.language.clone() } else { lang };
        let title: LangText = markup::text(jats, &lang, &text);
        if !title.plain.is_empty() && meta.titles.iter().all(|known| known.plain != title.plain) {
            meta.titles.push(title);
        }
    }
    let own = meta.language.clone();
    meta.titles.sort_by_key(|title| !same_language(&title.lang, &own));
}

/// A person (`Lovelace, Ada`), with the affiliation that OJS appends (`Lovelace, Ada; University of London`), or a group.
fn person(role: &str, text: &str) -> Option<Contributor> {
    let name = Name::parse(text.split(';').next().unwrap_or_default());
    let made = Contributor {
        role: role.to_owned(),
        surname: name.family,
        given_names: name.given,
        suffix: name.suffix,
        collab: name.literal,
        ..Contributor::default()
    };
    (!made.surname.is_empty() || !made.collab.is_empty()).then_some(made)
}

/// Reads `Tide Ledger; Vol. 7 No. 2 (2026): Shores; 10-19`, and ISSNs.
fn source(text: &str, meta: &mut ArticleMeta) {
    let bare = text.to_uppercase();
    let bare = bare.trim_start_matches("URN:").trim_start_matches("ISSN").trim_start_matches([':', ' ']);
    if let Some(found) = (bare.len() <= 9).then(|| issn(bare)).flatten() {
        if !meta.journal.issn.contains(&found) {
            meta.journal.issn.push(found);
        }
        return;
    }
    // The first source names the journal; others are the same in other languages.
    if !meta.journal.title.is_empty() || text.contains("://") {
        return;
    }
    let mut parts = text.split(';').map(str::trim);
    parts.next().unwrap_or_default().clone_into(&mut meta.journal.title);
    for part in parts {
        if let Some(volume) = number_after(part, &["vol.", "vol ", "volume", "v."]) {
            meta.volume = volume;
        }
        if let Some(issue) = number_after(part, &["no.", "no ", "núm.", "n.º", "nr.", "num.", "issue", "n."]) {
            meta.issue = issue;
        }
        let pages = part.trim_start_matches("pp.").trim();
        if pages.starts_with(|c: char| c.is_ascii_digit())
            && pages.chars().all(|c| c.is_ascii_digit() || "-–—".contains(c))
        {
            super::crossref::pages(pages, "", meta);
        }
    }
}

/// The number after one of these words, as printed: digits and the letters and hyphens that follow.
fn number_after(text: &str, words: &[&str]) -> Option<String> {
    let lower = text.to_lowercase();
    words.iter().find_map(|word| {
        let (_, rest) = lower
            .match_indices(*word)
            .map(|(at, found)| lower.split_at(at + found.len()))
            .find(|(_, rest)| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))?;
        let number: String =
            rest.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/')).collect();
        Some(number)
    })
}

/// A statement of rights: the address of a licence, the copyright, or the text of a licence.
fn rights(text: &str, meta: &mut ArticleMeta) {
    let words = without_tags(text);
    if is_address(text) || license::names_open(&words) || !is_copyright(&words) {
        licence(text, meta);
    } else if meta.copyright.is_empty() && !is_access_right(text) {
        meta.copyright = words;
    }
}

/// Whether a statement is one of copyright, by a sign, a word or a year. The text of a licence, which has the same element, rarely has one.
fn is_copyright(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["©", "(c)", "copyright", "rights reserved", "版权", "版權"].iter().any(|sign| lower.contains(sign))
        || lower.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() == 4)
}

fn licence(text: &str, meta: &mut ArticleMeta) {
    if is_access_right(text) {
        return;
    }
    if is_address(text) {
        // An open licence is preferred to another address.
        if link::is_web(text) && (license::is_open(text) || meta.license_url.is_empty()) {
            text.clone_into(&mut meta.license_url);
        }
        return;
    }
    let words = fold(&without_tags(text));
    if !words.is_empty() && meta.license.iter().all(|known| plain(std::slice::from_ref(known)) != words) {
        meta.license.push(markup::paragraph(&words));
    }
}

/// Whether a text is an address alone; a sentence may begin with one.
fn is_address(text: &str) -> bool {
    text.to_lowercase().starts_with("http") && !text.contains(char::is_whitespace)
}

/// Whether a statement says who may read the text, in the words of a vocabulary: `info:eu-repo/semantics/openAccess`, `Open Access`, an
/// access right of COAR. That is neither a licence nor a copyright.
fn is_access_right(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.starts_with("info:")
        || ACCESS_RIGHTS.contains(&letters(text).as_str())
        || ["purl.org/coar/access_right/", "purl.org/eprint/accessrights/"].iter().any(|start| lower.contains(start))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::markup::jats_of_tests;

    fn terms(all: &[(&str, &str, &str)]) -> Vec<Term> {
        let term = |(name, lang, text): &(&str, &str, &str)| Term {
            name: (*name).to_owned(),
            lang: (*lang).to_owned(),
            text: (*text).to_owned(),
        };
        all.iter().map(term).collect()
    }

    #[test]
    fn a_record_becomes_an_article() {
        let record = terms(&[
            ("title", "en-US", "On tides & ebbs"),
            ("title", "pt-BR", "Sobre as marés"),
            ("creator", "", "Amaro, Inês; Coast Institute"),
            ("creator", "", "The Tide Group"),
            ("subject", "pt-BR", "mar; maré"),
            ("subject", "", "sea"),
            ("description", "pt-BR", "A água move-se."),
            ("description", "en-US", "Water moves."),
            ("publisher", "", "Tide Press"),
            ("date", "", "2026-03-04"),
            ("type", "", "info:eu-repo/semantics/article"),
            ("type", "", "Peer-reviewed Article"),
            ("identifier", "", "https://tide.example/article/view/12"),
            ("identifier", "", "10.5555/TL.7.1"),
            ("source", "pt-BR", "Tide Ledger; v. 7 n. 2 (2026): Shores; 10-19"),
            ("source", "", "1234-5679"),
            ("source", "", "ISSN 8765-4321"),
            ("language", "", "por"),
            ("rights", "", "Copyright (c) 2026 Inês Amaro"),
            ("rights", "", "https://creativecommons.org/licenses/by/4.0"),
        ]);
        let (article, warnings) = article(&record, "oai:tide.example:article/12", jats_of_tests).unwrap();
        assert_eq!(warnings, Vec::<String>::new());
        let meta = &article.meta;
        assert_eq!((meta.source_key.as_str(), meta.language.as_str()), ("doi:10.5555/tl.7.1", "pt"));
        let titles: Vec<&str> = meta.titles.iter().map(|title| title.plain.as_str()).collect();
        assert_eq!(
            titles,
            ["Sobre as marés", "On tides & ebbs"],
            "the title in the article's own language is the first"
        );
        let names: Vec<String> = meta.authors().map(Contributor::display_name).collect();
        assert_eq!(names, ["Inês Amaro", "The Tide Group"]);
        assert_eq!(meta.subjects, ["mar", "maré", "sea"]);
        assert_eq!((meta.journal.title.as_str(), meta.journal.issn.len()), ("Tide Ledger", 2));
        assert_eq!((meta.volume.as_str(), meta.issue.as_str(), meta.year), ("7", "2", Some(2026)));
        assert_eq!((meta.first_page.as_str(), meta.last_page.as_str()), ("10", "19"));
        assert_eq!(meta.copyright, "Copyright (c) 2026 Inês Amaro");
        assert!(meta.license_url.contains("/by/4.0") && meta.open_access);
        assert_eq!(article.body.abstracts.len(), 2);
        assert_eq!(masthead_domain::content::text::plain(&article.body.abstracts[1].nodes), "Water moves.");
    }

    #[test]
    fn a_date_that_no_calendar_has_is_cut_and_reported() {
        let record = terms(&[("title", "", "Waves"), ("date", "", "2015-02-29"), ("date", "", "2016-01-01")]);
        let (article, warnings) = article(&record, "1", jats_of_tests).unwrap();
        assert_eq!(article.meta.dates.online, "2015-02");
        let said =
            "Dublin Core, date: no calendar has the day 29 of month 2 of the date \"2015-02-29\"; 2015-02 is used";
        assert!(warnings.len() == 1 && warnings[0].starts_with(said), "{warnings:?}");
    }

    /// The metadata of an article with one statement of this name.
    fn read(name: &str, text: &str) -> ArticleMeta {
        article(&terms(&[("title", "", "Waves"), (name, "", text)]), "1", jats_of_tests).unwrap().0.meta
    }

    #[test]
    fn a_statement_of_rights_is_a_copyright_or_the_text_of_a_licence() {
        for copyright in [
            "Copyright (c) 2026 Inês Amaro",
            "© Tide Press",
            "Derechos de autor 2018 Marea",
            "All rights reserved.",
            "版权归作者所有",
        ] {
            let meta = read("rights", copyright);
            assert_eq!((meta.copyright.as_str(), meta.license.as_slice()), (copyright, &[][..]));
        }
        for licence in ["Ask the society before you print.", "Licensed under CC BY 4.0, 2026"] {
            let meta = read("rights", licence);
            assert_eq!((meta.copyright.as_str(), plain(&meta.license).as_str()), ("", licence));
        }
        let both = [("title", "", "Waves"), ("rights", "", "© Tide Press"), ("rights", "", "Ask first.")];
        let meta = article(&terms(&both), "1", jats_of_tests).unwrap().0.meta;
        assert_eq!((meta.copyright.as_str(), plain(&meta.license).as_str()), ("© Tide Press", "Ask first."));
    }

    #[test]
    fn an_article_is_open_access_by_its_licence_alone() {
        for access in [
            "info:eu-repo/semantics/openAccess",
            "openAccess",
            "Open Access",
            "restrictedAccess",
            "info:eu-repo/date/embargoEnd/2026-05-01",
            "http://purl.org/coar/access_right/c_abf2",
            "http://purl.org/eprint/accessRights/OpenAccess",
        ] {
            for name in ["rights", "license"] {
                let meta = read(name, access);
                assert!(!meta.open_access && meta.license.is_empty(), "{name} {access}");
                assert_eq!((meta.license_url.as_str(), meta.copyright.as_str()), ("", ""), "{name} {access}");
            }
        }
        for (name, closed) in [
            ("rights", "https://tide.example/openaccess"),
            ("rights", "© 2026 Tide Press. Free to read."),
            ("license", "https://tide.example/terms"),
            ("license", "All rights reserved."),
        ] {
            assert!(!read(name, closed).open_access, "{name} {closed}");
        }
        for (name, open) in [
            ("rights", "http://creativecommons.org/licenses/by/4.0/"),
            ("rights", "This work is licensed under a Creative Commons Attribution 4.0 International License."),
            ("rights", "CC BY-NC 4.0"),
            ("rights", "https://creativecommons.org/licenses/by/4.0/ applies to the figures too."),
            ("license", "https://creativecommons.org/publicdomain/zero/1.0/"),
            ("license", "CC0"),
        ] {
            let meta = read(name, open);
            assert!(meta.open_access, "{name} {open}");
            let stated = if meta.license.is_empty() { meta.license_url } else { plain(&meta.license) };
            assert_eq!((stated.as_str(), meta.copyright.as_str()), (open, ""));
        }
    }

    #[test]
    fn the_address_of_a_licence_is_one_of_the_web() {
        let mut meta = ArticleMeta::default();
        rights("httpx://creativecommons.org/", &mut meta);
        assert_eq!(meta.license_url, "");
        rights("https://a.example/terms", &mut meta);
        assert_eq!(meta.license_url, "https://a.example/terms");
    }

    #[test]
    fn sources_of_several_platforms_are_read() {
        for (text, expected) in [
            ("Ledger; Vol. 7, No. 2 (2026); 1-17", ("Ledger", "7", "2", "1", "17")),
            ("Ledger; Vol 12 No 3-4 (2020): Special; e5", ("Ledger", "12", "3-4", "", "")),
            ("Ledger", ("Ledger", "", "", "", "")),
            ("Ledger; Núm. 5 (2019); 8", ("Ledger", "", "5", "8", "")),
        ] {
            let mut meta = ArticleMeta::default();
            source(text, &mut meta);
            let found = (
                meta.journal.title.as_str(),
                meta.volume.as_str(),
                meta.issue.as_str(),
                meta.first_page.as_str(),
                meta.last_page.as_str(),
            );
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn records_without_a_title_or_of_other_things_are_rejected() {
        let rejected = |all: &[(&str, &str, &str)]| article(&terms(all), "1", jats_of_tests).unwrap_err().field;
        assert_eq!(rejected(&[("creator", "", "Amaro, Inês"), ("title", "", " ")]), "title");
        assert_eq!(rejected(&[("title", "", "Waves"), ("type", "", "Image")]), "type");
        let (bare, _) = article(&terms(&[("TITLE", "", "Waves")]), "1234", jats_of_tests).unwrap();
        assert_eq!((bare.meta.source_key.as_str(), bare.meta.language.as_str()), ("oai:1234", "en"));
    }
}
