#![allow(clippy::unwrap_used)]

use masthead_domain::{
    Doi,
    article::{Contributor, Dates, JournalRef, LangText},
};

use super::*;

/// An author: surname, comma, given names.
pub(super) fn person(name: &str) -> Contributor {
    let (surname, given) = name.split_once(", ").unwrap_or((name, ""));
    Contributor { role: "author".into(), surname: surname.into(), given_names: given.into(), ..Contributor::default() }
}

/// An English article with authors, title and journal, and nothing else.
pub(super) fn article_by(authors: &[&str], title: &str, journal: &str) -> ArticleMeta {
    ArticleMeta {
        language: "en".into(),
        titles: vec![LangText { lang: "en".into(), plain: title.into(), nodes: vec![] }],
        contributors: authors.iter().map(|name| person(name)).collect(),
        journal: JournalRef { title: journal.into(), ..JournalRef::default() },
        ..ArticleMeta::default()
    }
}

fn meta() -> ArticleMeta {
    ArticleMeta {
        journal: JournalRef { title: "Ocean Ledger".into(), issn: vec!["1234-5679".into()], ..JournalRef::default() },
        year: Some(2026),
        volume: "3".into(),
        issue: "2".into(),
        first_page: "10".into(),
        last_page: "19".into(),
        dates: Dates { online: "2026-03-01".into(), ..Dates::default() },
        doi: Some(Doi::parse("10.5555/x.1").unwrap()),
        ..article_by(&["Lovelace, Ada", "王, 小明"], "On Tides", "")
    }
}

#[test]
fn tags_have_the_names_that_reference_managers_read() {
    let landing = LandingPage { address: "https://a.example/en/article/1", readable: true, pdf: true };
    let tags = tags(&meta(), None, &landing);
    for expected in [
        ("citation_author", "Lovelace, Ada"),
        ("citation_author", "王, 小明"),
        ("citation_publication_date", "2026/03/01"),
        ("citation_firstpage", "10"),
        ("citation_doi", "10.5555/x.1"),
        ("citation_pdf_url", "https://a.example/en/article/1?format=pdf"),
    ] {
        assert!(tags.iter().any(|(name, content)| (*name, content.as_str()) == expected), "{expected:?}: {tags:?}");
    }
    let closed = LandingPage { readable: false, pdf: false, ..landing };
    let undated = ArticleMeta { dates: Dates::default(), ..meta() };
    let tags = super::tags(&undated, None, &closed);
    assert!(tags.iter().all(|(name, _)| !matches!(*name, "citation_fulltext_html_url" | "citation_pdf_url")));
    assert!(tags.contains(&("citation_publication_date", "2026".to_owned())));
}

#[test]
fn the_head_of_a_page_names_the_first_thousand_authors() {
    let names: Vec<String> = (0..1_001).map(|number| format!("Author{number}, A")).collect();
    let meta = article_by(&names.iter().map(String::as_str).collect::<Vec<_>>(), "On Tides", "");
    let landing = LandingPage { address: "https://a.example/en/article/1", readable: true, pdf: true };
    let authors = tags(&meta, None, &landing).into_iter().filter(|(name, _)| *name == "citation_author");
    assert_eq!(authors.map(|(_, name)| name).collect::<Vec<_>>(), names[..1_000]);
    let value = json_ld(&meta, None, &[], &landing);
    assert_eq!(value["author"].as_array().unwrap().len(), 1_000);
    assert_eq!(value["author"][999]["familyName"], "Author999");
}

#[test]
fn json_ld_has_the_issue_and_no_empty_members() {
    let abstracts = [("zh", "潮"), ("en", "Tides & silt")];
    let landing = LandingPage { address: "https://a.example/en/article/1", readable: false, pdf: false };
    let value = json_ld(&meta(), None, &abstracts, &landing);
    assert_eq!(value["isPartOf"]["@type"], "PublicationIssue");
    assert_eq!(value["isPartOf"]["isPartOf"]["volumeNumber"], "3");
    assert_eq!(value["isPartOf"]["isPartOf"]["isPartOf"]["issn"][0], "1234-5679");
    assert_eq!(value["abstract"], "Tides & silt");
    assert_eq!(value["author"][0]["familyName"], "Lovelace");
    assert_eq!(value["isAccessibleForFree"], false);
    assert!(value.get("license").is_none() && value["author"][0].get("@id").is_none());
}

#[test]
fn json_ld_keeps_access_and_licence_apart() {
    let address = "https://creativecommons.org/licenses/by/4.0/";
    let licensed = ArticleMeta { open_access: true, license_url: address.into(), ..meta() };
    let page = LandingPage { address: "https://a.example/en/article/1", readable: false, pdf: false };
    let value = json_ld(&licensed, None, &[], &page);
    assert_eq!((&value["isAccessibleForFree"], &value["license"]), (&false.into(), &address.into()));
    let value = json_ld(&meta(), None, &[], &LandingPage { readable: true, ..page });
    assert_eq!((&value["isAccessibleForFree"], value.get("license")), (&true.into(), None));
}

#[test]
fn a_citation_follows_its_style() {
    assert_eq!(
        text(&meta(), None, Lang::En),
        "Lovelace, A., & 王小明. (2026). On Tides. Ocean Ledger, 3(2), 10–19. https://doi.org/10.5555/x.1"
    );
    assert_eq!(
        text(&meta(), None, Lang::Zh),
        "LOVELACE A, 王小明. On Tides[J]. Ocean Ledger, 2026, 3(2): 10-19. https://doi.org/10.5555/x.1"
    );
}

#[test]
fn pages_have_the_dash_of_the_style_and_a_single_page_is_written_once() {
    let once = ["3(2), S1-10.", "3(2): S1-10.", "3(2):S1-10.", ", p. S1-10,", ": S1-10.", ", p. S1-10,"];
    let range = [
        "3(2), S1-10–S1-19.",
        "3(2): S1-10-S1-19.",
        "3(2):S1-10-S1-19.",
        ", pp. S1-10–S1-19,",
        ": S1-10–S1-19.",
        ", pp. S1-10–S1-19,",
    ];
    for (last, expected) in [("", once), ("S1-10", once), ("S1-19", range)] {
        let meta = ArticleMeta { first_page: "S1-10".into(), last_page: last.into(), ..meta() };
        for (style, pages) in CitationStyle::ALL.into_iter().zip(expected) {
            let line = styled(&meta, None, style);
            assert!(line.contains(pages), "{pages} in {line}");
        }
    }
}

#[test]
fn an_article_of_which_only_the_title_is_known_is_cited_in_every_style() {
    let bare = ArticleMeta { language: "en".into(), titles: meta().titles, ..ArticleMeta::default() };
    let lines = CitationStyle::ALL.map(|style| styled(&bare, None, style));
    let expected = ["On Tides. (n.d.).", "On Tides[J].", "On Tides.", "“On Tides.”", "“On Tides.”", "“On Tides.”"];
    assert_eq!(lines, expected);
    let ids: std::collections::BTreeSet<&str> = CitationStyle::ALL.iter().map(|style| style.id()).collect();
    assert_eq!(ids.len(), CitationStyle::ALL.len());
}

#[test]
fn gb_t_7714_writes_latin_surnames_in_capitals_and_chinese_names_whole() {
    for (authors, expected) in [
        (&["Ng, Theodora", "Ashgrove, Jean-Paul M."][..], "NG T, ASHGROVE J P M. On Tides[J]."),
        (&["Ng, Theo", "Cen, Wangchuan", "Ray, A.", "Roe, B."], "NG T, CEN W, RAY A, et al. On Tides[J]."),
        (&["王, 小明", "Ng, Theo", "李, 四", "岑, 望川"], "王小明, NG T, 李四, 等. On Tides[J]."),
    ] {
        assert_eq!(styled(&article_by(authors, "On Tides", ""), None, CitationStyle::GbT7714), expected);
    }
}
