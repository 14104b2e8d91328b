//! One suite for both databases, so that their behaviour is the same.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod backfill;
mod backup;
mod change_marks;
mod citations;
mod deliveries;
mod harvested;
mod lists;
mod long_lists;
mod media_uses;
mod members;
mod notices;
mod plugin_data;
mod records;
mod redirects;
mod resources;
mod sections;
mod several_sites;
mod site_rows;
mod support;
mod visible_publications;
mod works;

use masthead_domain::{
    ArticleId, Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, LangText},
    card::ArticleCard,
    content::Node,
    publication::{Issue, Journal},
    resource::{Collection, News, NewsType, ResourceKind},
};
use masthead_store::{AuditEntry, CardQuery, ChangeAction, ChangeKind, Media, NewArticle, Outage, Saved, Store};

const OCEAN: SiteId = SiteId(448);
const STONE: SiteId = SiteId(905);

fn article(doi: &str, title: &str, page: &str) -> NewArticle {
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.to_lowercase()),
        doi: Some(Doi::parse(doi).unwrap()),
        titles: vec![LangText { lang: "en".into(), plain: title.into(), nodes: Vec::new() }],
        journal: masthead_domain::article::JournalRef {
            title: "Ocean Ledger".into(),
            issn: vec!["1234-5679".into()],
            ..Default::default()
        },
        year: Some(2026),
        volume: "3".into(),
        issue: "2".into(),
        first_page: page.into(),
        dates: masthead_domain::article::Dates { online: "2026-03-01".into(), ..Default::default() },
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    NewArticle { article, card, rendered: format!("{{\"html\":\"<p>{title}</p>\"}}"), ..NewArticle::default() }
}

#[tokio::test]
async fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("masthead.db");
    let store = Store::open_file(&path).await.unwrap();
    suite(&store).await;
    an_older_version_still_writes(&store, &format!("sqlite://{}", path.display())).await;
    change_marks::an_older_version_still_writes(&store, &format!("sqlite://{}", path.display())).await;
    a_newer_version_writes(&store, &format!("sqlite://{}", path.display())).await;
    compressed_html_belongs_to_its_article(&store, &format!("sqlite://{}", path.display())).await;
    concurrent_writers(&store).await;
    notices::suite(&store, &format!("sqlite://{}", path.display())).await;
    media_uses::suite(&store, &format!("sqlite://{}", path.display())).await;
    members::suite_with_address(&store, &format!("sqlite://{}", path.display())).await;
    sections::earlier_rows(&store, &format!("sqlite://{}", path.display())).await;
    backfill::suite(&store, &format!("sqlite://{}", path.display())).await;
    backup::suite(&store, &format!("sqlite://{}", path.display()), folder.path()).await;
    long_lists::suite(&store, &format!("sqlite://{}", path.display())).await;
    several_sites::suite(&store, &format!("sqlite://{}", path.display())).await;
    store.close().await;
    let again = Store::open_file(&path).await.unwrap();
    assert!(again.site(OCEAN).article_count().await.unwrap() > 0, "content is kept across opening");
}

#[tokio::test]
async fn postgres() {
    let cluster = match support::Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: the suite did not run on PostgreSQL: {reason}");
            return;
        }
    };
    let store = Store::open(&cluster.url()).await.unwrap();
    suite(&store).await;
    an_older_version_still_writes(&store, &cluster.url()).await;
    change_marks::an_older_version_still_writes(&store, &cluster.url()).await;
    a_newer_version_writes(&store, &cluster.url()).await;
    compressed_html_belongs_to_its_article(&store, &cluster.url()).await;
    concurrent_writers(&store).await;
    notices::suite(&store, &cluster.url()).await;
    media_uses::suite(&store, &cluster.url()).await;
    members::suite_with_address(&store, &cluster.url()).await;
    sections::earlier_rows(&store, &cluster.url()).await;
    backfill::suite(&store, &cluster.url()).await;
    backup::stays_as_it_was(&store).await;
    let folder = tempfile::tempdir().unwrap();
    backup::both_ways(&store, &cluster, folder.path()).await;
    long_lists::suite(&store, &cluster.url()).await;
    several_sites::suite(&store, &cluster.url()).await;
    store.close().await;
}

#[tokio::test]
async fn a_server_that_stops_is_noticed_and_one_that_returns_too() {
    let cluster = match support::Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: no server was stopped: {reason}");
            return;
        }
    };
    // Only stops a test that hangs.
    let hang = std::time::Duration::from_secs(180);
    let store = Store::open(&cluster.url()).await.unwrap();
    let watched = store.clone();
    let watch = tokio::spawn(async move { watched.watch_availability().await });
    assert!(store.is_available());
    cluster.stop().unwrap();
    tokio::time::timeout(hang, store.unavailable()).await.expect("the stop is noticed");
    assert!(!store.is_available());
    let error = store.ping().await.unwrap_err();
    assert_eq!(error.outage(), Some(Outage::Away), "{error}");
    cluster.resume().unwrap();
    let returned = async {
        while !store.is_available() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(hang, returned).await.expect("the return is noticed");
    store.ping().await.unwrap();
    watch.abort();
    store.close().await;
}

#[tokio::test]
async fn a_file_is_always_available() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
    store.watch_availability().await;
    assert!(store.is_available());
    store.check_writable().await.unwrap();
    let url = format!("sqlite://{}", folder.path().join("masthead.db").display());
    let other = sqlx::AnyPool::connect(&url).await.unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON sequences WHEN NEW.name = 'write_checks' \
                  BEGIN SELECT RAISE(ABORT, 'no room'); END";
    sqlx::query(refuse).execute(&other).await.unwrap();
    let error = store.check_writable().await.unwrap_err().to_string();
    assert!(error.contains("written") && error.contains("no room"), "it really writes: {error}");
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_file_is_opened_by_many_at_once() {
    for round in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("masthead.db");
        let open = |_| {
            let path = path.clone();
            tokio::spawn(async move { Store::open_file(&path).await.map(|_| ()) })
        };
        for (number, opened) in (0..8).map(open).collect::<Vec<_>>().into_iter().enumerate() {
            opened.await.unwrap().unwrap_or_else(|error| panic!("round {round}, number {number}: {error}"));
        }
    }
}

#[tokio::test]
async fn a_database_that_cannot_be_opened_is_named_without_its_password() {
    let error = Store::open("postgres://reader:s3cret@127.0.0.1:1/none").await.unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1") && !error.contains("s3cret"), "{error}");
}

async fn suite(store: &Store) {
    store.ping().await.unwrap();
    articles_are_kept_once(store).await;
    sites_do_not_see_each_other(store).await;
    lists_are_ordered(store).await;
    journals_and_issues(store).await;
    periods(store).await;
    settings_and_media(store).await;
    changes_say_what_they_did(store).await;
    change_marks::suite(store).await;
    citations::suite(store).await;
    plugin_data::suite(store).await;
    deliveries::suite(store).await;
    resources::suite(store).await;
    harvested::suite(store).await;
    redirects::suite(store).await;
    records::suite(store).await;
    visible_publications::suite(store).await;
    lists::suite(store).await;
    sections::suite(store).await;
    sections::names(store).await;
    works::suite(store).await;
    members::suite(store).await;
    site_rows::suite(store).await;
}

async fn articles_are_kept_once(store: &Store) {
    let site = store.site(OCEAN);
    let first = article("10.5555/Ocean.1", "Tides", "10");
    let Saved::Created(id) = site.save_article(&first).await.unwrap() else { panic!("not created") };
    let before = store.latest_change().await.unwrap();
    assert_eq!(site.save_article(&first).await.unwrap(), Saved::Unchanged(id));
    assert_eq!(store.latest_change().await.unwrap(), before, "storing an equal article logs no change");
    let changed = article("10.5555/OCEAN.1", "Tides, corrected", "10");
    assert_eq!(site.save_article(&changed).await.unwrap(), Saved::Updated(id));
    let read = site.article(id).await.unwrap().unwrap();
    assert_eq!(read.meta.title("en"), "Tides, corrected");
    assert_eq!(*read.rendered.unsealed(), changed.rendered);
    assert_eq!(site.article_id_by_doi(&Doi::parse("10.5555/ocean.1").unwrap()).await.unwrap(), Some(id));
    assert_eq!(site.body(id).await.unwrap().unwrap().unseal(), changed.article.body);
    let log = store.changes_after(before, 10).await.unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!(
        (log[0].kind, log[0].entity.as_str(), log[0].site),
        (ChangeKind::Article, id.to_string().as_str(), OCEAN)
    );
    assert_eq!(site.generation().await.unwrap(), log[0].seq);
}

async fn sites_do_not_see_each_other(store: &Store) {
    let id =
        store.site(STONE).save_article(&article("10.5555/ocean.1", "The same DOI elsewhere", "1")).await.unwrap().id();
    assert!(store.site(STONE).article(id).await.unwrap().is_some());
    assert!(store.site(OCEAN).article(id).await.unwrap().is_none());
    assert!(store.site(OCEAN).body(id).await.unwrap().is_none());
    assert!(store.site(OCEAN).cards_by_id(&[id]).await.unwrap().is_empty());
    assert!(store.site(SiteId(1)).journals().await.unwrap().is_empty());
    assert_eq!(store.site(SiteId(1)).generation().await.unwrap(), 0);
}

async fn lists_are_ordered(store: &Store) {
    let site = store.site(OCEAN);
    for (doi, page) in [("10.5555/ocean.2", "9"), ("10.5555/ocean.3", "100")] {
        site.save_article(&article(doi, doi, page)).await.unwrap();
    }
    let mut accepted = article("10.5555/ocean.4", "Accepted", "");
    accepted.article.meta.issue.clear();
    accepted.article.meta.first_status = -1;
    accepted.card = ArticleCard::of(&accepted.article, &[], &[]);
    site.save_article(&accepted).await.unwrap();
    let journal = site.journals().await.unwrap()[0].key.clone();
    let issue = CardQuery::Issue { journal, year: 2026, issue: "2".into() };
    let pages: Vec<_> = site.cards(&issue, None, 50).await.unwrap().into_iter().map(|card| card.pages).collect();
    assert_eq!(pages, ["9", "10", "100"]);
    let titles =
        |cards: Vec<ArticleCard>| cards.into_iter().map(|card| card.titles[0].plain.clone()).collect::<Vec<_>>();
    assert_eq!(titles(site.cards(&CardQuery::JustAccepted, None, 10).await.unwrap()), ["Accepted"]);
    assert_eq!(site.cards(&CardQuery::OnlineFirst, None, 10).await.unwrap(), []);
    assert_eq!(titles(site.cards(&CardQuery::Latest, None, 2).await.unwrap())[0], "Accepted");
    let all = titles(site.cards(&CardQuery::Latest, None, 10).await.unwrap());
    let page = async |query: &CardQuery, offset| {
        let page = site.card_page(query, offset, 2).await.unwrap();
        (page.total, titles(page.cards))
    };
    let total = all.len() as u64;
    assert_eq!(page(&CardQuery::Latest, 0).await, (total, all[..2].to_vec()));
    assert_eq!(page(&CardQuery::Latest, 2).await, (total, all[2..4].to_vec()));
    assert_eq!(page(&CardQuery::Latest, 900).await, (total, Vec::new()), "the total is known behind the last page");
    assert_eq!(page(&CardQuery::JustAccepted, 0).await, (1, vec!["Accepted".to_owned()]));
    assert_eq!(page(&CardQuery::OnlineFirst, 0).await, (0, Vec::new()));
    let (total, rest) = page(&issue, 2).await;
    assert_eq!((total, rest.len()), (3, 1));
}

async fn journals_and_issues(store: &Store) {
    let site = store.site(OCEAN);
    let journals = site.journals().await.unwrap();
    assert_eq!(journals.len(), 1, "articles with the same ISSN are of one journal");
    let journal = Journal { introduction: LocalText::of(Lang::Zh, "海的账"), ..journals[0].clone() };
    site.save_journal(&journal).await.unwrap();
    let before = store.latest_change().await.unwrap();
    site.save_journal(&journal).await.unwrap();
    assert_eq!(store.latest_change().await.unwrap(), before);
    let issue = Issue {
        journal: journal.key.clone(),
        year: 2026,
        issue: "2".into(),
        title: LocalText::of(Lang::En, "On tides"),
        ..Issue::default()
    };
    site.save_issue(&issue).await.unwrap();
    for number in ["10", "9", "S1"] {
        site.save_issue(&Issue { issue: number.into(), title: LocalText::default(), ..issue.clone() }).await.unwrap();
    }
    site.save_article(&article("10.5555/ocean.5", "Later", "200")).await.unwrap();
    let issues = site.issues(&journal.key).await.unwrap();
    assert_eq!(issues.iter().map(|issue| issue.issue.as_str()).collect::<Vec<_>>(), ["S1", "10", "9", "2"]);
    assert_eq!(issues[3].title.get(Lang::En), "On tides", "an article does not overwrite a described issue");
    let sizes = site.issue_sizes(&journal.key).await.unwrap();
    assert!(sizes.contains(&(2026, "2".into(), 4)), "{sizes:?}");
}

async fn periods(store: &Store) {
    let site = store.site(SiteId(12));
    let of = masthead_domain::article::JournalRef {
        title: "Tide Tables".into(),
        issn: vec!["1234-5679".into()],
        ..Default::default()
    };
    let bare = Issue { year: 2025, issue: "3".into(), volume: "9".into(), ..Issue::default() };
    assert!(matches!(site.merge_issue(&of, &bare).await.unwrap(), Saved::Created(_)));
    let key = site.journals().await.unwrap()[0].key.clone();
    let titled = Issue { title: LocalText::of(Lang::En, "On salt"), volume: String::new(), ..bare.clone() };
    assert!(matches!(site.merge_issue(&of, &titled).await.unwrap(), Saved::Updated(_)));
    let before = store.latest_change().await.unwrap();
    assert!(
        matches!(site.merge_issue(&of, &bare).await.unwrap(), Saved::Unchanged(_)),
        "fields that are empty in the new issue keep their values"
    );
    assert_eq!(store.latest_change().await.unwrap(), before, "and logs no change");
    let issues = site.issues(&key).await.unwrap();
    assert_eq!((issues.len(), issues[0].volume.as_str(), issues[0].title.get(Lang::En)), (1, "9", "On salt"));
}

async fn settings_and_media(store: &Store) {
    let site = store.site(OCEAN);
    site.save_setting("header.navStyle", Some(&serde_json::json!(9))).await.unwrap();
    site.save_setting("header.navStyle", Some(&serde_json::json!(10))).await.unwrap();
    assert_eq!(site.settings().await.unwrap(), [("header.navStyle".to_owned(), serde_json::json!(10))]);
    assert!(store.site(STONE).settings().await.unwrap().is_empty());
    site.save_setting("header.navStyle", None).await.unwrap();
    assert!(site.settings().await.unwrap().is_empty());
    let entry = |who: &str, subject: &str| AuditEntry {
        who: who.into(),
        action: "changed".into(),
        subject: subject.into(),
        before: serde_json::Value::Null,
        after: serde_json::json!(9),
    };
    let by_hand = entry("ada", "setting/header.navStyle");
    site.change_setting("header.navStyle", Some(&serde_json::json!(9)), &by_hand).await.unwrap();
    assert_eq!(site.settings().await.unwrap(), [("header.navStyle".to_owned(), serde_json::json!(9))]);
    assert_eq!(site.latest_audit("setting/header.navStyle").await.unwrap().unwrap().entry, by_hand);
    site.save_setting("header.navStyle", None).await.unwrap();
    let of_file = entry("grace", "plugin/badge");
    site.note_audit(&of_file).await.unwrap();
    assert_eq!(site.latest_audit("plugin/badge").await.unwrap().unwrap().entry, of_file);
    assert_eq!(store.site(STONE).latest_audit("plugin/badge").await.unwrap(), None);
    let media = Media { digest: "ab".repeat(32), name: "图1.svg".into(), mime: "image/svg+xml".into(), bytes: 12 };
    site.save_media(&media).await.unwrap();
    site.save_media(&media).await.unwrap();
    assert_eq!(site.media(&media.digest).await.unwrap(), Some(media.clone()));
    assert_eq!(store.site(STONE).media(&media.digest).await.unwrap(), None);
}

async fn changes_say_what_they_did(store: &Store) {
    let site = store.site(SiteId(11));
    let before = store.latest_change().await.unwrap();
    let id = site.save_article(&article("10.5555/action.1", "First", "1")).await.unwrap().id().to_string();
    site.save_article(&article("10.5555/action.1", "Second", "1")).await.unwrap();
    let journal = site.journals().await.unwrap()[0].clone();
    site.save_journal(&Journal { introduction: LocalText::of(Lang::En, "Tides"), ..journal.clone() }).await.unwrap();
    site.save_journal(&Journal { key: "new".into(), ..Journal::default() }).await.unwrap();
    site.save_issue(&Issue { journal: "new".into(), year: 2026, issue: "1".into(), ..Issue::default() }).await.unwrap();
    for value in [Some(serde_json::json!(1)), Some(serde_json::json!(2)), None] {
        site.save_setting("a.b", value.as_ref()).await.unwrap();
    }
    let log = store.changes_after(before, 100).await.unwrap();
    let said: Vec<_> = log.iter().map(|change| (change.kind, change.action, change.entity.as_str())).collect();
    assert_eq!(
        said,
        [
            (ChangeKind::Article, ChangeAction::Added, id.as_str()),
            (ChangeKind::Article, ChangeAction::Replaced, id.as_str()),
            (ChangeKind::Journal, ChangeAction::Replaced, journal.key.as_str()),
            (ChangeKind::Journal, ChangeAction::Added, "new"),
            (ChangeKind::Journal, ChangeAction::Replaced, "new"),
            (ChangeKind::Setting, ChangeAction::Added, "a.b"),
            (ChangeKind::Setting, ChangeAction::Replaced, "a.b"),
            (ChangeKind::Setting, ChangeAction::Removed, "a.b"),
        ]
    );
}

/// Rows from before the migration, and rows of a process that does not know it, have no action.
async fn an_older_version_still_writes(store: &Store, url: &str) {
    let before = store.latest_change().await.unwrap();
    let older = sqlx::AnyPool::connect(url).await.unwrap();
    for statement in [
        "UPDATE sequences SET value = value + 1 WHERE name = 'changes'",
        "INSERT INTO changes (seq, site_id, kind, entity) \
         SELECT value, 11, 'article', '1' FROM sequences WHERE name = 'changes'",
    ] {
        sqlx::query(statement).execute(&older).await.unwrap();
    }
    older.close().await;
    let log = store.changes_after(before, 10).await.unwrap();
    assert_eq!(log.iter().map(|change| change.action).collect::<Vec<_>>(), [ChangeAction::Replaced]);
}

async fn compressed_html_belongs_to_its_article(store: &Store, url: &str) {
    let site = store.site(SiteId(14));
    let with = |title: &str, compressed: &[u8]| NewArticle {
        compressed_html: compressed.to_vec(),
        ..article("10.5555/compressed.1", title, "1")
    };
    let blocks = [0, 1, 0xff, b'\'', 0];
    let id = site.save_article(&with("Tides", &blocks)).await.unwrap().id();
    let stored =
        async || site.article_with_compressed_html(id).await.unwrap().map(|(_, compressed)| compressed.unseal());
    assert_eq!(stored().await, Some(blocks.to_vec()));
    assert_eq!(store.site(STONE).article_with_compressed_html(id).await.unwrap().map(|_| ()), None, "another site's");

    assert!(matches!(site.save_article(&with("Tides again", &[7])).await.unwrap(), Saved::Updated(_)));
    assert_eq!(stored().await, Some(vec![7]));

    // A host of an older version rewrites the article without its compressed HTML.
    let older = sqlx::AnyPool::connect(url).await.unwrap();
    sqlx::query("UPDATE articles SET digest = 'another' WHERE site_id = 14").execute(&older).await.unwrap();
    assert_eq!(stored().await, Some(Vec::new()));

    assert!(site.remove_article(id).await.unwrap());
    assert_eq!(stored().await, None);
    let left: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM compressed_html WHERE site_id = 14").fetch_one(&older).await.unwrap();
    assert_eq!(left, 0);
    older.close().await;
}

/// Rows of a newer version have fields, values and kinds that this version does not know; the known ones are read.
async fn a_newer_version_writes(store: &Store, url: &str) {
    let site = store.site(SiteId(13));
    let id = site.save_article(&article("10.5555/newer.1", "Tides", "1")).await.unwrap().id();
    let journal = site.journals().await.unwrap()[0].clone();
    let newer = sqlx::AnyPool::connect(url).await.unwrap();
    let rename = |column: &str, of: &str| {
        format!("UPDATE {of} SET {column} = '{{\"mood\":[{{\"deep\":1}}],' || SUBSTR({column}, 2) WHERE site_id = 13")
    };
    let mut statements = vec![
        rename("meta", "articles"),
        rename("card", "articles"),
        r#"UPDATE articles SET body = '{"mood":1,"body":[{"type":"p","mood":1,"nodes":[{"type":"text","text":"The "},
            {"type":"hologram","nodes":[{"type":"text","text":"tide"}]},{"type":"shimmer"}]}]}' WHERE site_id = 13"#
            .to_owned(),
        rename("data", "journals"),
        rename("data", "issues"),
        "UPDATE sequences SET value = value + 6 WHERE name = 'resources'".to_owned(),
    ];
    for (number, (kind, data)) in [
        ("hologram", r#"{"key":"h1"}"#),
        ("hologram", r#"{"key":"h2"}"#),
        ("news", r#"{"key":"n","type":"podcast","title":{"en":"Tide","tlh":"?"},"mood":{"deep":[1]}}"#),
        ("hologram", r#"{"key":"h3"}"#),
        ("collection", r#"{"key":"c","items":[{"kind":"hologram","key":"h1"},{"kind":"book","key":"b"}]}"#),
    ]
    .into_iter()
    .enumerate()
    {
        statements.push(format!(
            "INSERT INTO resources (id, site_id, kind, entry, section, article_id, position, dated, data) \
             SELECT value - {number}, 13, '{kind}', 'e{number}', '', 0, 0, '', '{data}' FROM sequences WHERE name = 'resources'"
        ));
    }
    statements.push("UPDATE sequences SET value = value + 1 WHERE name = 'changes'".to_owned());
    statements.push(
        "INSERT INTO changes (seq, site_id, kind, action, entity) \
         SELECT value, 13, 'hologram', 'beamed', '1' FROM sequences WHERE name = 'changes'"
            .to_owned(),
    );
    let before = store.latest_change().await.unwrap();
    for statement in statements {
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&newer).await.unwrap();
    }
    newer.close().await;
    let log = store.changes_after(before, 10).await.unwrap();
    assert_eq!(
        log.iter().map(|line| (line.kind, line.action)).collect::<Vec<_>>(),
        [(ChangeKind::Other, ChangeAction::Other)]
    );
    assert_eq!(site.article(id).await.unwrap().unwrap().meta.title("en"), "Tides");
    let body = site.body(id).await.unwrap().unwrap().unseal();
    let nodes = vec![
        Node::text("The "),
        Node::Styled { style: "hologram".into(), lang: String::new(), nodes: vec![Node::text("tide")] },
    ];
    assert_eq!(body.body, [Node::P { id: String::new(), lang: String::new(), nodes }]);
    assert_eq!(site.full_articles(&[id]).await.unwrap()[&id].1.unsealed(), &body);
    assert_eq!(site.cards(&CardQuery::Latest, None, 9).await.unwrap()[0].article_id(), id);
    assert_eq!(site.journals().await.unwrap(), std::slice::from_ref(&journal));
    assert_eq!(site.issues(&journal.key).await.unwrap()[0].issue, "2");
    let news = site.resources::<News>("", None, 9).await.unwrap();
    assert_eq!((news.len(), news[0].value.title.get(Lang::En), news[0].value.kind), (1, "Tide", NewsType::default()));
    let collection = site.resources::<Collection>("", None, 9).await.unwrap();
    assert_eq!(collection[0].value.items.iter().map(|item| item.key.as_str()).collect::<Vec<_>>(), ["b"]);
    // With pages of one, a page of unknown kinds must not be taken for the end.
    let (mut kinds, mut after) = (Vec::new(), 0);
    while let Some(row) = site.resource_rows(0, after, 1).await.unwrap().pop() {
        after = row.id;
        kinds.push(row.kind);
    }
    assert_eq!(kinds, [ResourceKind::Collection, ResourceKind::News]);
}

/// Two tasks write concurrently: no write fails, numbers are unique, and the log has every change once, in order.
async fn concurrent_writers(store: &Store) {
    let before = store.latest_change().await.unwrap();
    let writers = (0..4).map(|writer| {
        let site = store.site(SiteId(7));
        tokio::spawn(async move {
            for number in 0..10 {
                site.save_article(&article(&format!("10.5555/w{writer}.{number}"), "Parallel", "1")).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let log = store.changes_after(before, 1000).await.unwrap();
    assert_eq!(log.len(), 40);
    assert!(log.windows(2).all(|pair| pair[0].seq + 1 == pair[1].seq));
    let ids: std::collections::BTreeSet<_> = log.iter().map(|change| change.entity.clone()).collect();
    assert_eq!(ids.len(), 40);
    assert!(store.site(SiteId(7)).article(ArticleId(0)).await.unwrap().is_none());
}
