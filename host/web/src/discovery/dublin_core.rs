//! An article in unqualified Dublin Core, as OpenAIRE and library catalogues expect it.

use masthead_domain::{
    article::{ArticleMeta, Contributor},
    content::text::plain,
    publication::Journal,
};

use masthead_content::{citation::journal_title, notices::LinkedNotice, readable_article::Abstract};

/// A statement in Dublin Core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// Name of the element: `title`, `creator`, ...
    pub name: &'static str,
    /// BCP 47 tag, or "".
    pub lang: String,
    /// What it says.
    pub text: String,
}

/// The Dublin Core elements of an article whose page is at `address`.
pub fn terms(
    meta: &ArticleMeta,
    abstracts: &[Abstract],
    journal: Option<&Journal>,
    address: &str,
    notices: &[LinkedNotice],
) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut add = |name: &'static str, lang: &str, text: &str| {
        if !text.is_empty() {
            terms.push(Term { name, lang: lang.to_owned(), text: text.to_owned() });
        }
    };
    meta.titles.iter().for_each(|title| add("title", &title.lang, &title.plain));
    meta.authors().for_each(|person| add("creator", "", &name(person)));
    meta.contributors
        .iter()
        .filter(|person| person.role != "author")
        .for_each(|person| add("contributor", "", &name(person)));
    meta.subjects.iter().for_each(|subject| add("subject", "", subject));
    for group in &meta.keywords {
        group.plain.iter().for_each(|word| add("subject", &group.lang, word));
    }
    abstracts.iter().for_each(|one| add("description", &one.lang, &one.text));
    add("publisher", "", &meta.journal.publisher);
    let year = meta.year.map(|year| year.to_string()).unwrap_or_default();
    add("date", "", if meta.dates.published().is_empty() { &year } else { meta.dates.published() });
    add("type", "", "info:eu-repo/semantics/article");
    add("type", "", &meta.article_type);
    add("format", "", "text/html");
    add("identifier", "", address);
    add("identifier", "", &meta.doi.as_ref().map(masthead_domain::Doi::url).unwrap_or_default());
    add("source", "", &source(meta, journal));
    meta.journal.issn.iter().for_each(|issn| add("source", "", &format!("ISSN {issn}")));
    add("language", "", &meta.language);
    meta.related.iter().for_each(|related| add("relation", "", &related.href));
    notices.iter().filter(|one| !one.notice.stated).for_each(|one| add("relation", "", &one.address()));
    add("rights", "", if meta.open_access { "info:eu-repo/semantics/openAccess" } else { "" });
    add("rights", "", &meta.license_url);
    add("rights", "", &meta.copyright);
    add("rights", "", &license_text(meta));
    terms
}

/// The text of the licence; "" if it is only the address, which is a statement of its own.
fn license_text(meta: &ArticleMeta) -> String {
    let text = plain(&meta.license);
    let is_address = text.trim_end_matches('/') == meta.license_url.trim_end_matches('/');
    if is_address { String::new() } else { text }
}

/// The name in the form `Lovelace, Ada`, when surname and given names are known separately.
pub fn name(person: &Contributor) -> String {
    if !person.collab.is_empty() || person.surname.is_empty() {
        return person.display_name();
    }
    let parts = [&person.surname, &person.given_names, &person.suffix].into_iter().filter(|part| !part.is_empty());
    parts.map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// `Ocean Ledger; Vol. 6, No. 1 (2026); 1-17`.
fn source(meta: &ArticleMeta, journal: Option<&Journal>) -> String {
    let named = |word: &str, text: &str| if text.is_empty() { String::new() } else { format!("{word} {text}") };
    let join = |parts: [String; 2], glue: &str| {
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(glue)
    };
    let year = meta.year.map(|year| format!("({year})")).unwrap_or_default();
    let issue = join([named("Vol.", &meta.volume), named("No.", &meta.issue)], ", ");
    let place = join([join([issue, year], " "), meta.pages_or_number('-')], "; ");
    join([journal_title(meta, journal), place], "; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{
        article::{Dates, JournalRef, LangText},
        content::Node,
    };
    use masthead_formats::{JatsFault, catalogues::dublin_core};

    use super::*;

    const BY: &str = "https://creativecommons.org/licenses/by/4.0/";

    /// An article with a title, and a licence of one paragraph.
    fn licensed(text: &str) -> ArticleMeta {
        let paragraph = Node::P { id: String::new(), lang: String::new(), nodes: vec![Node::text(text)] };
        let title = LangText { lang: "en".into(), plain: "Tides".into(), nodes: vec![] };
        ArticleMeta { titles: vec![title], license: vec![paragraph], ..ArticleMeta::default() }
    }

    /// What another installation reads from the record of an article.
    fn harvested(meta: &ArticleMeta) -> ArticleMeta {
        let written = terms(meta, &[], None, "https://a.example/en/article/1", &[]).into_iter();
        let read = written.map(|Term { name, lang, text }| dublin_core::Term { name: name.to_owned(), lang, text });
        let read: Vec<dublin_core::Term> = read.collect();
        dublin_core::article(&read, "1", |_| Err(JatsFault::NotArticle)).unwrap().0.meta
    }

    #[test]
    fn an_article_is_described_in_all_its_languages() {
        let text = |lang: &str, plain: &str| LangText { lang: lang.into(), plain: plain.into(), nodes: vec![] };
        let meta = ArticleMeta {
            titles: vec![text("zh", "潮"), text("en", "Tides")],
            contributors: vec![
                Contributor {
                    role: "author".into(),
                    surname: "Lovelace".into(),
                    given_names: "Ada".into(),
                    ..Contributor::default()
                },
                Contributor { role: "editor".into(), collab: "The Board".into(), ..Contributor::default() },
            ],
            journal: JournalRef {
                title: "Ocean Ledger".into(),
                issn: vec!["1234-5679".into()],
                ..JournalRef::default()
            },
            volume: "6".into(),
            issue: "1".into(),
            year: Some(2026),
            first_page: "1".into(),
            last_page: "17".into(),
            dates: Dates { online: "2026-03".into(), ..Dates::default() },
            ..ArticleMeta::default()
        };
        let abstracts = [Abstract { lang: "en".into(), text: "Salt \"and\" silt".into() }];
        let terms = terms(&meta, &abstracts, None, "https://a.example/zh/article/1", &[]);
        assert!(
            terms
                .iter()
                .any(|term| term.name == "description" && term.lang == "en" && term.text == "Salt \"and\" silt")
        );
        let has = |name: &str, text: &str| terms.iter().any(|term| term.name == name && term.text == text);
        assert!(has("title", "潮") && has("title", "Tides") && has("creator", "Lovelace, Ada"));
        assert!(has("contributor", "The Board") && has("date", "2026-03") && has("source", "ISSN 1234-5679"));
        assert!(has("source", "Ocean Ledger; Vol. 6, No. 1 (2026); 1-17"), "{terms:?}");
        assert!(terms.iter().all(|term| !term.text.is_empty() && term.name != "rights"));
    }

    #[test]
    fn the_source_has_the_pages_once_or_the_article_number() {
        for (first, last, number, expected) in [
            ("10", "10", "", "Vol. 6; 10"),
            ("10", "", "e1", "Vol. 6; 10"),
            ("", "", "e1", "Vol. 6; e1"),
            ("", "", "", "Vol. 6"),
        ] {
            let meta = ArticleMeta {
                volume: "6".into(),
                first_page: first.into(),
                last_page: last.into(),
                elocation_id: number.into(),
                ..ArticleMeta::default()
            };
            assert_eq!(source(&meta, None), expected);
        }
    }

    #[test]
    fn a_licence_that_is_only_a_text_is_harvested_as_the_same_licence() {
        for (text, open) in [
            ("This work is distributed under the Creative Commons Attribution License.", true),
            ("https://creativecommons.org/licenses/by/4.0/ applies to the text and the figures.", true),
            ("Ask the society before you print.", false),
        ] {
            for copyright in ["", "© 2026 Ocean Society"] {
                let meta = ArticleMeta { open_access: open, copyright: copyright.into(), ..licensed(text) };
                let read = harvested(&meta);
                assert_eq!((&read.license, read.license_url.as_str()), (&meta.license, ""), "{text}");
                assert_eq!((read.open_access, read.copyright.as_str()), (open, copyright), "{text}");
            }
        }
    }

    #[test]
    fn the_address_of_a_licence_is_stated_once() {
        let rights = |text: &str| {
            let meta = ArticleMeta { license_url: BY.into(), copyright: "© 2026 Ada".into(), ..licensed(text) };
            let terms = terms(&meta, &[], None, "https://a.example/en/article/1", &[]).into_iter();
            terms.filter(|term| term.name == "rights").map(|term| term.text).collect::<Vec<_>>()
        };
        for address in [BY, BY.trim_end_matches('/')] {
            assert_eq!(rights(address), [BY, "© 2026 Ada"], "{address}");
        }
        assert_eq!(rights("Under CC BY 4.0."), [BY, "© 2026 Ada", "Under CC BY 4.0."]);
    }
}
