//! What an article's page shows of the metadata beside the sections.

use std::sync::{LazyLock, Mutex, PoisonError};

use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind};
use masthead_domain::{
    Doi, SiteId,
    article::{Affiliation, Article, ArticleMeta, Contributor, Dates, JournalRef, LangText, MEMBER, RelatedArticle},
    card::ArticleCard,
    content::{ArticleBody, KeywordGroup, Node},
};
use masthead_store::{Count, NewArticle};
use masthead_test_support::{Portal, Setup, between, named};

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
        reference_count: 1_234,
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
static PAGE: LazyLock<String> = LazyLock::new(|| page_of(meta()));

/// One article is stored and indexed at a time.
static STORING: Mutex<()> = Mutex::new(());

/// Stores an article with metadata; its page.
fn page_of(meta: ArticleMeta) -> String {
    page_with(meta, SectionKind::Body, "<p>Body</p>")
}

/// The same with one section of this kind.
fn page_with(meta: ArticleMeta, kind: SectionKind, html: &str) -> String {
    let _alone = STORING.lock().unwrap_or_else(PoisonError::into_inner);
    let title_html = meta.titles.iter().map(|title| (title.lang.clone(), title.plain.clone())).collect();
    let article = Article { meta, body: ArticleBody::default() };
    let section =
        RenderedSection { kind, lang: "en".into(), title: String::new(), id: "a-x".into(), html: html.into() };
    let rendered = RenderedArticle { sections: vec![section], title_html, ..RenderedArticle::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    let new =
        NewArticle { card, rendered: serde_json::to_string(&rendered).unwrap(), article, ..NewArticle::default() };
    let id = PORTAL.run(PORTAL.app.store.site(SITE).save_article(&new)).unwrap().id();
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
    PORTAL.page("oceanledger", &format!("/en/article/{}", id.0))
}

/// The least that an article can have, with a key and a title of its own.
fn titled(key: &str, title: &str) -> ArticleMeta {
    ArticleMeta { source_key: key.into(), language: "en".into(), titles: vec![text(title)], ..ArticleMeta::default() }
}

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
fn people_places_and_columns_are_links_to_searches() {
    let links: Vec<String> = named(&PAGE, "a").iter().map(|tag| tag.get("href")).collect();
    for link in [
        "/en/search?q=%22pier%22",
        "/en/search?q=%22consortium%22",
        "/en/search?q=%22groyne%22",
        "/en/search?q=%22lock%22",
        "/en/search?q=%22text-of-aff%22",
        "/en/search?column=first-subject",
        "/en/search?column=second-subject",
    ] {
        assert!(links.iter().any(|href| href == link), "{link} in {links:?}");
    }
    assert!(!PAGE.contains('✉') && !PAGE.contains(">iD<"), "icons are drawings, not characters");
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

#[test]
fn the_column_cites_the_article_in_every_style_and_format() {
    let styles: Vec<_> = named(&PAGE, "details").into_iter().filter(|tag| tag.has("data-citation-style")).collect();
    let names: Vec<String> = styles.iter().map(|tag| tag.get("data-citation-style")).collect();
    assert_eq!(names, ["apa", "gb-t-7714", "vancouver", "mla", "chicago", "ieee"]);
    let open: Vec<bool> = styles.iter().map(|tag| tag.has("open")).collect();
    assert_eq!(open, [true, false, false, false, false, false], "the style of the reader's language is open");
    for line in ["title-of-it[J].", "“title-of-it.”", "“title-of-it,”", "title-of-it. journal-abbrev."] {
        assert!(PAGE.contains(line), "{line} in {}", *PAGE);
    }
    let files = named(between(&PAGE, "<ul class=\"cite-files\"", "</ul>"), "a");
    assert_eq!(files.len(), 3, "{files:?}");
    for (file, format) in files.iter().zip(["ris", "bibtex", "csl"]) {
        let href = file.get("href");
        assert!(href.starts_with(&format!("/en/plugins/citation-export/{format}?id=")), "of the site's plugin: {href}");
    }
    assert!(!PAGE.contains("downloads-box") && !PAGE.contains("?format=ris"), "each file is offered once: {}", *PAGE);
}

#[test]
fn the_column_says_how_often_the_article_was_read_with_grouped_digits() {
    let meta = || titled("sha256:read", "read-often");
    let address = between(&page_of(meta()), "<link rel=\"canonical\" href=\"", "\"").to_owned();
    let id: i64 = address.rsplit('/').next().unwrap().parse().unwrap();
    let day = PORTAL.app.counting.today_of(SITE);
    let count = Count { site: SITE, kind: "article".into(), entity: id, day, visits: 1_234_567, downloads: 999 };
    PORTAL.run(PORTAL.app.store.add_counts(&[count], &[])).unwrap();
    // Stored again, so that the page is made again.
    let page = page_of(ArticleMeta { subtitles: vec![text("again")], ..meta() });
    for (key, number) in [("visits", "1,234,567"), ("downloads", "999")] {
        assert!(page.contains(&format!("<dd data-metric=\"{key}\">{number}</dd>")), "{key}: {page}");
    }
    assert!(PAGE.contains("<dd>1,234</dd>"), "the references: {}", *PAGE);
}

#[test]
fn modules_have_a_place_behind_the_last_section_of_the_text() {
    let body = between(&PAGE, "data-body", "<aside");
    let slot = "<div data-slot=\"article.sections\" lang=\"en\" dir=\"ltr\"></div>";
    assert!(body.find("<p>Body</p>") < body.find(slot) && body.contains(slot), "{body}");
    assert!(body.find(slot) < body.find("class=\"article-information\""), "{body}");
}

#[test]
fn a_long_list_of_authors_is_folded_and_complete() {
    let mut crowd: Vec<Contributor> = (0..3_000)
        .map(|number| Contributor {
            role: "author".into(),
            surname: format!("soul-{number}."),
            ..Contributor::default()
        })
        .collect();
    crowd.push(person("editor", "gatekeeper"));
    let page = page_of(ArticleMeta { contributors: crowd, ..titled("sha256:crowd", "crowded") });
    let (shown, rest) = between_people(&page);
    assert_eq!((shown.matches("class=\"author\"").count(), rest.matches("class=\"author\"").count()), (12, 2_988));
    assert!(rest.contains("<summary>and 2988 more authors</summary>") && rest.contains(">soul-2999.<"), "{rest}");
    assert!(!page.contains("class=\"more-people\" data-printed"), "thousands of names are not printed");
    let linked = |text: &str| text.matches("<a class=\"author-name\"").count();
    assert_eq!(linked(shown) + linked(rest), 300, "more addresses would make the page too long");
    assert_eq!(linked(&page), 301, "the editor has one, however many authors there are");
    let page = page_of(ArticleMeta {
        contributors: (0..16)
            .map(|_| Contributor { role: "author".into(), surname: "few".into(), ..Contributor::default() })
            .collect(),
        ..titled("sha256:few", "few of them")
    });
    assert!(!page.contains("more-people"), "{page}");
}

#[test]
fn long_lists_of_editors_addresses_notes_and_roles_are_folded() {
    let crowd = (0..20).map(|number| Contributor {
        role: "editor".into(),
        surname: format!("lock-{number}."),
        address: format!("street-{number}."),
        ..Contributor::default()
    });
    let notes = (0..20).map(|number| text(&format!("note-{number}.")));
    let roles: String =
        (0..20).map(|number| format!("<li><span class=\"contributor\">pier-{number}.</span>: Software</li>")).collect();
    let page = page_with(
        ArticleMeta {
            contributors: crowd.collect(),
            author_notes: notes.collect(),
            ..titled("sha256:lists", "long-lists")
        },
        SectionKind::Contributions,
        &format!("<p>said</p><ul class=\"contributor-roles\">{roles}</ul>"),
    );
    for (summary, name) in [
        (">and 8 more contributors<", "lock"),
        (">8 more postal addresses<", "street"),
        (">8 more notes on the authors<", "note"),
        (" lang=\"en\" dir=\"ltr\">and 8 more authors<", "pier"),
    ] {
        let folded = between(&page, &format!("<summary{summary}/summary>"), "</details>");
        let has = |text: &str, number: u32| text.contains(&format!("{name}-{number}."));
        assert!(has(&page, 11) && !has(folded, 11), "{name}: {page}");
        assert!((12..20).all(|number| has(folded, number)), "{name}: {page}");
    }
}

#[test]
fn keywords_of_a_translation_are_links_to_searches() {
    let html = "<ul class=\"keywords\" data-kind=\"\"><li class=\"keyword\" data-keyword=\"silt\">silt</li></ul>";
    let page = page_with(titled("sha256:translated", "translated"), SectionKind::SubArticle, html);
    assert!(page.contains("<a href=\"/en/search?q=%22silt%22\" rel=\"nofollow\">silt</a>"), "{page}");
}

/// The authors that are shown at once, and those that are folded.
fn between_people(page: &str) -> (&str, &str) {
    (
        between(page, "<ul class=\"authors\"", "<details class=\"more-people\""),
        between(page, "<details class=\"more-people\"", "</details>"),
    )
}

#[test]
fn articles_that_share_keywords_are_named_and_the_article_itself_is_not() {
    let keywords = |words: &[&str]| {
        let plain: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        vec![KeywordGroup {
            items: plain.iter().map(|word| vec![Node::text(word.clone())]).collect(),
            plain,
            ..KeywordGroup::default()
        }]
    };
    let with = |key: &str, title: &str, words: &[&str]| ArticleMeta { keywords: keywords(words), ..titled(key, title) };
    page_of(with("sha256:other", "unlike-the-rest", &["granite"]));
    page_of(with("sha256:near", "one-word-shared", &["salt marsh", "quartz"]));
    page_of(with("sha256:nearest", "two-words-shared", &["Salt  Marsh", "silt"]));
    let page = page_of(with("sha256:own", "the-one-that-is-read", &["salt marsh", "silt"]));
    let similar = between(&page, "aside-similar", "</section>");
    let places = ["two-words-shared", "one-word-shared"].map(|title| similar.find(title));
    assert!(places[0].is_some() && places[0] < places[1], "the most alike first: {similar}");
    assert!(!similar.contains("unlike-the-rest") && !similar.contains("the-one-that-is-read"), "{similar}");
}

#[test]
fn an_article_with_nothing_but_a_title_has_a_page_without_empty_parts() {
    let page = page_of(titled("sha256:bare", "bare-title"));
    let main = between(&page, "<main", "</main>");
    for part in
        ["aside-similar", "class=\"authors\"", "class=\"affiliations\"", "text-languages", "more-people", "aside-pdf"]
    {
        assert!(!main.contains(part), "{part} in {main}");
    }
    assert!(main.contains("bare-title. (n.d.)."), "{main}");
}
