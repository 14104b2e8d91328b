#![allow(clippy::unwrap_used)]
use masthead_domain::{Lang, article::JournalRef, content::Citation, lang::LocalText};
use proptest::prelude::*;

use super::*;
use crate::{catalogues::crossref_deposit::import, markup::jats_of_tests};

const DEPOSIT: &str = include_str!("../../../../tests/fixtures/crossref-deposit.xml");

fn depositor(policy: Option<&str>) -> Depositor {
    Depositor {
        name: "Ledger Press".to_owned(),
        email: "doi@ledger.example.org".to_owned(),
        registrant: "Ledger Press".to_owned(),
        crossmark_policy: policy.map(|doi| Doi::parse(doi).unwrap()),
    }
}

fn written(entries: &[DepositEntry<'_>], policy: Option<&str>) -> String {
    let mut deposit = DepositWriter::new(&depositor(policy), "batch-1", "20260301000000000");
    for entry in entries {
        deposit.add(entry).unwrap();
    }
    deposit.finish()
}

fn entry<'a>(meta: &'a ArticleMeta, notices: &'a [(NoticeKind, NoticeSide, Doi)]) -> DepositEntry<'a> {
    DepositEntry {
        meta,
        journal: None,
        abstracts: &[],
        references: &[],
        notices,
        page: "https://a.example.org/en/article/7",
    }
}

fn meta() -> ArticleMeta {
    ArticleMeta {
        doi: Doi::parse("10.5555/n.1").ok(),
        language: "en".to_owned(),
        titles: vec![masthead_domain::article::LangText {
            lang: "en".to_owned(),
            plain: "Salt & <tides>".to_owned(),
            ..Default::default()
        }],
        journal: JournalRef { title: "Ledger".to_owned(), ..JournalRef::default() },
        year: Some(2026),
        ..ArticleMeta::default()
    }
}

#[test]
fn what_a_deposit_says_is_read_again() {
    let read = import(DEPOSIT.as_bytes(), jats_of_tests).unwrap();
    let articles: Vec<_> = read.articles.records.into_iter().map(|one| one.article).collect();
    let references: Vec<Vec<&Reference>> = articles
        .iter()
        .map(|article| article.body.reference_lists.iter().flat_map(|list| &list.refs).collect())
        .collect();
    let entries: Vec<_> = articles
        .iter()
        .zip(&references)
        .map(|(article, references)| DepositEntry { references, ..entry(&article.meta, &[]) })
        .collect();
    let xml = written(&entries, Some("10.5555/policy"));
    let again = import(xml.as_bytes(), jats_of_tests).unwrap();
    assert_eq!(again.articles.faults.len(), 0, "{xml}");
    for (article, again) in articles.iter().zip(&again.articles.records) {
        assert_eq!(again.warnings, Vec::<String>::new(), "{xml}");
        let (before, after) = (&article.meta, &again.article.meta);
        let plain = |meta: &ArticleMeta| meta.titles.iter().map(|one| one.plain.clone()).collect::<Vec<_>>();
        assert_eq!(plain(before), plain(after));
        assert_eq!((&before.doi, &before.language, before.year), (&after.doi, &after.language, after.year));
        assert_eq!((&before.volume, &before.issue), (&after.volume, &after.issue));
        assert_eq!((&before.first_page, &before.last_page), (&after.first_page, &after.last_page));
        assert_eq!((&before.elocation_id, &before.dates), (&after.elocation_id, &after.dates));
        assert_eq!((&before.license_url, before.open_access), (&after.license_url, after.open_access));
        assert_eq!((&before.funding, &before.journal.title), (&after.funding, &after.journal.title));
        let people = |meta: &ArticleMeta| {
            let texts = |person: &Contributor| {
                let own = meta.affiliations.iter().filter(|one| person.affiliations.contains(&one.id));
                own.map(|one| (one.text.clone(), one.institution_id.clone())).collect::<Vec<_>>()
            };
            let person = |one: &Contributor| (one.role.clone(), one.display_name(), one.orcid.clone(), texts(one));
            meta.contributors.iter().map(person).collect::<Vec<_>>()
        };
        assert_eq!(people(before), people(after));
        assert_eq!(before.reference_count, after.reference_count);
    }
}

#[test]
fn notices_are_updates_and_relations() {
    let meta = meta();
    let doi = |text: &str| Doi::parse(text).unwrap();
    let notices = [
        (NoticeKind::Retraction, NoticeSide::Notice, doi("10.5555/a")),
        (NoticeKind::Comment, NoticeSide::Notice, doi("10.5555/b")),
        (NoticeKind::Reply, NoticeSide::Affected, doi("10.5555/c")),
        (NoticeKind::Correction, NoticeSide::Affected, doi("10.5555/d")),
    ];
    let xml = written(&[entry(&meta, &notices)], Some("10.5555/policy"));
    assert!(xml.contains("<update type=\"retraction\" date=\"2026-01-01\">10.5555/a</update>"), "{xml}");
    assert!(!xml.contains("10.5555/d"), "the correction states it, not the corrected article: {xml}");
    let again = import(xml.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0).article.meta;
    let related: Vec<_> = again.related.iter().map(|one| (one.kind.as_str(), one.href.as_str())).collect();
    let relation = |kind: NoticeKind, side| kind.relation(side);
    assert_eq!(
        related,
        [
            (relation(NoticeKind::Comment, NoticeSide::Notice), "10.5555/b"),
            (relation(NoticeKind::Reply, NoticeSide::Affected), "10.5555/c"),
            (relation(NoticeKind::Retraction, NoticeSide::Notice), "10.5555/a"),
        ]
    );
    let without = written(&[entry(&meta, &notices)], None);
    assert!(!without.contains("crossmark") && without.contains("isCommentOn"), "{without}");
}

#[test]
fn an_issue_is_written_once_and_a_journal_has_its_own_numbers() {
    let journal = Journal {
        title: LocalText::of(Lang::En, "The Ledger"),
        issn: "1234-5679".to_owned(),
        eissn: "2049-3630".to_owned(),
        ..Journal::default()
    };
    let first = ArticleMeta { volume: "7".to_owned(), issue: "2".to_owned(), ..meta() };
    let second = ArticleMeta { doi: Doi::parse("10.5555/n.2").ok(), ..first.clone() };
    let third = ArticleMeta { doi: Doi::parse("10.5555/n.3").ok(), issue: "3".to_owned(), ..first.clone() };
    let entries = [&first, &second, &third].map(|meta| DepositEntry { journal: Some(&journal), ..entry(meta, &[]) });
    let xml = written(&entries, None);
    assert_eq!(xml.matches("<journal_issue>").count(), 2, "{xml}");
    assert_eq!(xml.matches("<journal_article").count(), 3);
    assert!(xml.contains("<full_title>The Ledger</full_title>"));
    assert!(xml.contains("<issn media_type=\"electronic\">2049-3630</issn>"));
}

#[test]
fn an_article_that_crossref_would_refuse_is_named_with_the_reason() {
    let mut deposit = DepositWriter::new(&depositor(None), "b", "1");
    for (meta, reason) in [
        (ArticleMeta { doi: None, ..meta() }, "it has no DOI"),
        (ArticleMeta { titles: Vec::new(), ..meta() }, "it has no title"),
        (ArticleMeta { journal: JournalRef::default(), ..meta() }, "it has no journal"),
        (ArticleMeta { year: None, ..meta() }, "it has no date of publication"),
    ] {
        assert_eq!(deposit.add(&entry(&meta, &[])), Err(reason));
    }
    assert!(!deposit.finish().contains("<journal"), "nothing of them is in the deposit");
}

proptest! {
    #[test]
    fn any_text_gives_a_deposit_that_can_be_read(title in "\\PC{1,60}", name in "\\PC{1,20}", plain in ".{0,80}") {
        let mut meta = meta();
        meta.titles[0].plain.clone_from(&title);
        meta.contributors.push(Contributor { role: "author".to_owned(), surname: name, ..Contributor::default() });
        let reference = Reference {
            citations: vec![Citation { plain, doi: "no doi".to_owned(), ..Citation::default() }],
            ..Reference::default()
        };
        let abstracts = [("en".to_owned(), title)];
        let references = [&reference];
        let xml = written(&[DepositEntry { abstracts: &abstracts, references: &references, ..entry(&meta, &[]) }], None);
        prop_assert!(xml_is_read(&xml), "{}", xml);
    }
}

fn xml_is_read(xml: &str) -> bool {
    let mut elements = crate::xml::Elements::new("deposit", xml.as_bytes(), &["journal_article"], 1 << 20);
    std::iter::from_fn(|| elements.next()).all(|element| element.is_ok())
}
