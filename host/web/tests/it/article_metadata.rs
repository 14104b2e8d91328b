//! What an article's page shows of the metadata beside the sections.

use std::sync::LazyLock;

use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind};
use masthead_domain::{
    Doi, SiteId,
    article::{Affiliation, Article, ArticleMeta, Contributor, Dates, JournalRef, LangText, MEMBER, RelatedArticle},
    card::ArticleCard,
    content::{ArticleBody, Node},
};
use masthead_store::NewArticle;
use masthead_test_support::{Portal, Setup, named};

const SITE: SiteId = SiteId(448);

static PORTAL: LazyLock<Portal> =
    LazyLock::new(|| Portal::start("article_metadata", Setup { bare: true, ..Setup::default() }, |_| {}));

fn text(plain: &str) -> LangText {
    LangText { lang: "en".into(), plain: plain.into(), nodes: vec![Node::text(plain)] }
}

fn person(role: &str, surname: &str) -> Contributor {
    Contributor {
        role: role.into(),
        surname: surname.into(),
        affiliations: vec!["a1".into()],
        email: format!("{surname}@mail.example"),
        address: format!("street-of-{surname}"),
        marks: vec![format!("mark-of-{surname}")],
        orcid: "0000-0002-1825-0097".into(),
        bio: vec![Node::text(format!("life-of-{surname}"))],
        credit: vec![format!("role-of-{surname}")],
        ..Contributor::default()
    }
}

/// Metadata with a word of its own in every field that is text.
fn meta() -> ArticleMeta {
    let group = Contributor { role: "author".into(), collab: "consortium".into(), ..Contributor::default() };
    let member = Contributor { group: "consortium".into(), ..person(MEMBER, "groyne") };
    ArticleMeta {
        source_key: "doi:10.5555/meta.1".into(),
        doi: Some(Doi::parse("10.5555/meta.1").unwrap()),
        language: "en".into(),
        titles: vec![text("title-of-it")],
        subtitles: vec![text("subtitle-of-it")],
        subjects: vec!["first-subject".into(), "second-subject".into()],
        journal: JournalRef {
            title: "journal-title".into(),
            abbrev: "journal-abbrev".into(),
            issn: vec!["2345-6789".into()],
            publisher: "journal-publisher".into(),
            ..JournalRef::default()
        },
        year: Some(2026),
        volume: "volume-12".into(),
        issue: "issue-4".into(),
        first_page: "page-7".into(),
        last_page: "page-9".into(),
        elocation_id: "e-707".into(),
        contributors: vec![person("author", "pier"), group, member, person("editor", "lock")],
        affiliations: vec![Affiliation {
            id: "a1".into(),
            label: "label-of-aff".into(),
            text: "text-of-aff".into(),
            contact: "desk@aff.example".into(),
            ..Affiliation::default()
        }],
        author_notes: vec![text("note-on-authors")],
        dates: Dates {
            received: "2025-01-01".into(),
            revised: "2025-02-02".into(),
            accepted: "2025-03-03".into(),
            print: "2025-05-05".into(),
            online: "2025-04-04".into(),
        },
        copyright: "copyright-of-it".into(),
        license: vec![Node::text("license-of-it")],
        license_url: "https://license.example/by".into(),
        related: vec![
            RelatedArticle { kind: "correction".into(), href: "10.5555/old.1".into(), text: "text-of-related".into() },
            RelatedArticle { kind: "data".into(), href: "https://data.example/1".into(), text: String::new() },
            RelatedArticle { kind: "product".into(), href: "javascript:alert(1)".into(), text: "book-reviewed".into() },
        ],
        ..ArticleMeta::default()
    }
}

/// The page of the article with these metadata.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    let article = Article { meta: meta(), body: ArticleBody::default() };
    let section = RenderedSection {
        kind: SectionKind::Body,
        lang: "en".into(),
        title: String::new(),
        id: "a-x".into(),
        html: "<p>Body</p>".into(),
    };
    let titles = vec![("en".to_owned(), "title-of-it".to_owned())];
    let rendered = RenderedArticle { sections: vec![section], title_html: titles, ..RenderedArticle::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    let new =
        NewArticle { card, rendered: serde_json::to_string(&rendered).unwrap(), article, ..NewArticle::default() };
    let id = PORTAL.run(PORTAL.app.store.site(SITE).save_article(&new)).unwrap().id();
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
    PORTAL.page("oceanledger", &format!("/en/article/{}", id.0))
});

#[test]
fn every_text_of_the_metadata_is_on_the_page() {
    let mut words = vec![
        "10.5555/meta.1",
        "title-of-it",
        "subtitle-of-it",
        "first-subject",
        "second-subject",
        "journal-title",
        "journal-abbrev",
        "2345-6789",
        "journal-publisher",
        "volume-12",
        "issue-4",
        "page-7",
        "page-9",
        "e-707",
        "consortium",
        "label-of-aff",
        "text-of-aff",
        "desk@aff.example",
        "note-on-authors",
        "copyright-of-it",
        "license-of-it",
        "https://license.example/by",
        "text-of-related",
        "https://data.example/1",
        "book-reviewed",
        "role-of-groyne",
        "role-of-lock",
    ];
    words.extend(["2025-01-01", "2025-02-02", "2025-03-03", "2025-04-04", "2025-05-05"]);
    for word in words {
        assert!(PAGE.contains(word), "{word} in {}", *PAGE);
    }
    for surname in ["pier", "groyne", "lock"] {
        for text in ["", "@mail.example", "street-of-", "mark-of-", "life-of-"] {
            let wanted = if text.starts_with('@') { format!("{surname}{text}") } else { format!("{text}{surname}") };
            assert!(PAGE.contains(&wanted), "{wanted} in {}", *PAGE);
        }
    }
}

#[test]
fn members_of_a_group_and_editors_are_not_listed_as_authors() {
    let authors: Vec<String> = named(&PAGE, "meta")
        .iter()
        .filter(|tag| tag.get("name") == "citation_author")
        .map(|tag| tag.get("content"))
        .collect();
    assert_eq!(authors, ["pier", "consortium"]);
    assert!(PAGE.contains("Members of consortium"), "{}", *PAGE);
}

#[test]
fn related_articles_are_links_where_their_address_is_one() {
    let links: Vec<String> = named(&PAGE, "a").iter().map(|tag| tag.get("href")).collect();
    for link in ["https://doi.org/10.5555/old.1", "https://data.example/1"] {
        assert!(links.iter().any(|href| href == link), "{link} in {links:?}");
    }
    assert!(!links.iter().any(|href| href.starts_with("javascript")), "{links:?}");
}
