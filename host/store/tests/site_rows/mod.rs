//! Copies of a site: every table has a decision, and a site that becomes a copy of another one has its numbers.

use std::collections::BTreeSet;

use masthead_domain::{
    ArticleId, Lang, LocalText, SiteId,
    article::Withdrawal,
    resource::{News, ResourceKind},
};
use masthead_store::{
    AuditEntry, AuditQuery, ChangeAction, ChangeKind, Changed, Count, Institution, Media, MemberStore, NewArticle,
    RecordChange, Redirect, RedirectTarget, SiteStore, Store,
    backup::{Schema, Value},
    site_rows::{ConfigurationFile, Decision, Replaced, Replacement, RowChange, SiteDiff, SiteRows, TABLES},
};

use crate::{OCEAN, article, members::member};

const SITE: SiteId = SiteId(7401);
const READERS: SiteId = SiteId(7402);

#[tokio::test]
async fn every_table_has_a_decision() {
    let schema = Schema::at(Schema::newest()).await.unwrap();
    for table in &schema.tables {
        let found: Vec<_> = TABLES.iter().filter(|decision| decision.table == table.name).collect();
        assert_eq!(found.len(), 1, "decide in src/site_rows/decisions.rs what a copy of a site has of {}", table.name);
        assert!(found[0].reason.len() > 10, "{}: give the reason", table.name);
        if found[0].decision != Decision::Left {
            assert!(table.position("site_id").is_some(), "{} has rows of no site", table.name);
            let first = table.key.first().copied();
            assert_eq!(first, table.position("site_id"), "numbers of {} are not those of a site", table.name);
        }
    }
}

fn with_file(doi: &str, title: &str, digest: &str) -> NewArticle {
    let new = article(doi, title, "1");
    NewArticle { rendered: format!("{{\"html\":\"<img src='/media/7401/{digest}.png'>\"}}"), ..new }
}

async fn fill(store: &Store) {
    let site = store.site(SITE);
    let digest = "cd".repeat(32);
    let media = Media { digest: digest.clone(), name: "f1.png".into(), mime: "image/png".into(), bytes: 3 };
    site.save_media(&media).await.unwrap();
    for (doi, title) in [("10.5555/copy.1", "One"), ("10.5555/copy.2", "Two"), ("10.5555/copy.3", "Three")] {
        site.save_article(&with_file(doi, title, &digest)).await.unwrap();
    }
    assert!(site.remove_article(ArticleId(2)).await.unwrap());
    let withdrawn = site.save_article(&with_file("10.5555/copy.4", "Four", &digest)).await.unwrap().id();
    let version = site.article_version(withdrawn).await.unwrap();
    let withdrawal = Withdrawal { date: "2026-05-01".into(), ..Withdrawal::default() };
    let change = RecordChange { from: version.as_deref(), entry: &AuditEntry::default(), fields: &[] };
    assert_eq!(site.withdraw_article(withdrawn, &withdrawal, change).await.unwrap(), Changed::Made);
    site.save_resource(&News { key: "n".into(), title: LocalText::of(Lang::En, "News"), ..News::default() })
        .await
        .unwrap();
    site.save_setting("colorId", Some(&serde_json::json!(3))).await.unwrap();
    site.set_institution(&institution("harbour", 900), "ada", 100).await.unwrap();
    site.save_plugin_value("links", "a", b"\0x", masthead_store::PluginQuota { bytes: 100, keys: 9 }).await.unwrap();
    let count = Count { site: SITE, kind: "article".into(), entity: 1, day: 20_000, visits: 5, downloads: 2 };
    store.add_counts(&[count], &[]).await.unwrap();
    assert!(site.save_external_citations(ArticleId(1), 12).await.unwrap());
}

async fn replace(
    into: &SiteRows,
    from: &SiteRows,
    allowed: bool,
    configuration: &[ConfigurationFile],
    files: &[&str],
) -> Result<Replaced, masthead_store::StoreError> {
    let allow = move |_: &SiteDiff| allowed;
    let mut keep = |digest: &str| {
        if files.contains(&digest) { Ok(()) } else { Err(std::io::Error::other(format!("{digest} is not there"))) }
    };
    let entry =
        AuditEntry { who: "ada".into(), action: "loaded".into(), subject: "site/one".into(), ..Default::default() };
    let replacement =
        Replacement { allowed: &allow, folder: "sites", configuration, audit: &entry, keep_file: &mut keep };
    into.replace(from, replacement).await
}

fn done(replaced: Replaced) -> SiteDiff {
    match replaced {
        Replaced::Done(diff) => diff,
        Replaced::Refused(diff) => panic!("refused: {diff:?}"),
    }
}

/// Who has loaded the site, by the audit trail.
async fn loads(store: &Store) -> Vec<String> {
    let query = AuditQuery { site: Some(SITE), subject: "site/one".into(), limit: 10, ..Default::default() };
    store.audit(&query).await.unwrap().into_iter().map(|line| line.entry.who).collect()
}

/// Numbers and moments of the articles of a site.
async fn numbers(store: &Store) -> Vec<(i64, i64)> {
    let listing = store.site(SITE).article_listing(0, 100).await.unwrap();
    listing.into_iter().map(|one| (one.id.0, one.changed_ms)).collect()
}

pub async fn suite(store: &Store) {
    let folder = tempfile::tempdir().unwrap();
    let other = Store::open_file(&folder.path().join("other.db")).await.unwrap();
    fill(&other).await;
    let (into, from) = (SiteRows::of(store.site(SITE)).await.unwrap(), SiteRows::of(other.site(SITE)).await.unwrap());
    assert!(into.is_empty().await.unwrap() && !from.is_empty().await.unwrap());
    let file = "cd".repeat(32);

    // What is refused, and what fails before its end, changes nothing.
    let before = store.latest_change().await.unwrap();
    let refused = replace(&into, &from, false, &[], &[&file]).await.unwrap();
    let Replaced::Refused(would) = refused else { panic!("{refused:?}") };
    assert_eq!(would.digest(), into.replacement(&from).await.unwrap().digest());
    assert!(would.only_adds() && !would.is_empty());
    let error = replace(&into, &from, true, &[], &[]).await.unwrap_err().to_string();
    assert!(error.contains(&file), "{error}");
    assert!(into.is_empty().await.unwrap());
    assert_eq!(store.latest_change().await.unwrap(), before);
    assert!(loads(store).await.is_empty());

    // Numbers are those of the other installation, although other sites have the same ones here.
    let ocean = store.site(OCEAN).article(ArticleId(1)).await.unwrap().unwrap();
    let configuration = [ConfigurationFile { path: "one.toml".into(), content: b"id = 7401".to_vec() }];
    let diff = done(replace(&into, &from, true, &configuration, &[&file]).await.unwrap());
    assert_eq!(diff.digest(), would.digest());
    assert_eq!(numbers(store).await, numbers(&other).await);
    assert_eq!(numbers(store).await.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 3]);
    let title = |article: &masthead_store::StoredArticle| article.meta.title("en").to_owned();
    assert_eq!(title(&store.site(SITE).article(ArticleId(1)).await.unwrap().unwrap()), "One");
    assert_eq!(title(&store.site(OCEAN).article(ArticleId(1)).await.unwrap().unwrap()), title(&ocean));
    let (here, there) = (store.site(SITE), other.site(SITE));
    for site in [&here, &there] {
        assert_eq!(site.totals("article", 1).await.unwrap().visits, 5);
        assert_eq!(site.plugin_value("links", "a").await.unwrap().as_deref(), Some(&b"\0x"[..]));
        assert_eq!(site.resource_count(ResourceKind::News, "").await.unwrap(), 1);
        assert!(site.used_media(&file).await.unwrap().is_some());
        assert_eq!(site.institutions().await.unwrap(), [institution("harbour", 900)]);
    }
    assert!(into.diff(&from).await.unwrap().is_empty());
    let log = store.changes_after(before, 1000).await.unwrap();
    assert!(!log.is_empty() && log.iter().all(|change| change.action == ChangeAction::Loaded), "{log:?}");
    assert_eq!(store.loaded_configuration("sites").await.unwrap(), configuration);
    assert!(store.loaded_configuration("elsewhere").await.unwrap().is_empty());
    store.configuration_is_written("sites", &configuration[0]).await.unwrap();
    assert!(store.loaded_configuration("sites").await.unwrap().is_empty());

    // The same again changes nothing.
    let before = store.latest_change().await.unwrap();
    assert!(done(replace(&into, &from, true, &[], &[]).await.unwrap()).is_empty());
    assert_eq!(store.latest_change().await.unwrap(), before);
    assert_eq!(loads(store).await, ["ada"], "one line for the one change");

    what_the_site_has_alone_is_removed(store, &into, &from, &file).await;
    rows_are_written_as_they_were_read(&from, &folder.path().join("third.db")).await;
    a_snapshot_is_a_copy(store, &into, &folder.path().join("fourth.db")).await;
    other.close().await;
    agreements_are_copied_and_members_are_not(store, &folder.path().join("fifth.db")).await;
}

async fn what_the_site_has_alone_is_removed(store: &Store, into: &SiteRows, from: &SiteRows, file: &str) {
    let site = store.site(SITE);
    // The removed article comes back under its number; another one gets a number that no other has.
    let back = site.save_article(&article("10.5555/copy.2", "Two again", "1")).await.unwrap().id();
    let own = site.save_article(&article("10.5555/copy.9", "Own", "1")).await.unwrap().id();
    assert!(back.0 == 2 && own.0 > 3, "{back} {own}");
    let latest = numbers(store).await.into_iter().filter(|(id, _)| [1, 3].contains(id)).map(|(_, at)| at).max();
    let moments: Vec<i64> =
        numbers(store).await.into_iter().filter(|(id, _)| ![1, 3].contains(id)).map(|(_, at)| at).collect();
    assert!(moments.iter().all(|moment| Some(*moment) > latest), "a change comes behind those that were loaded");
    site.save_article(&with_file("10.5555/copy.1", "One, changed here", file)).await.unwrap();

    // Of these numbers, the copy has none: one is of an article that stays, one of an article that goes.
    for id in [ArticleId(3), own] {
        assert!(site.save_external_citations(id, 5).await.unwrap());
    }

    let before = store.latest_change().await.unwrap();
    let diff = done(replace(into, from, true, &[], &[file]).await.unwrap());
    assert!(!diff.only_adds());
    let counts = site.citation_counts(&[1, 3].map(|id| (ArticleId(id), None))).await.unwrap();
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [(ArticleId(1), 12)]);
    let articles = diff.tables.iter().find(|table| table.table == "articles").unwrap();
    let shown = |changes: &[masthead_store::site_rows::RowChange]| {
        changes.iter().map(|change| change.shown.clone()).collect::<BTreeSet<_>>()
    };
    assert_eq!(shown(&articles.replaced), BTreeSet::from(["1 doi:10.5555/copy.1".to_owned()]));
    let own_shown = format!("{own} doi:10.5555/copy.9");
    assert_eq!(shown(&articles.removed), BTreeSet::from(["2 doi:10.5555/copy.2".to_owned(), own_shown.clone()]));
    assert_eq!(numbers(store).await.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 3]);
    let log = store.changes_after(before, 1000).await.unwrap();
    let removed: BTreeSet<_> =
        log.iter().filter(|one| one.action == ChangeAction::Removed).map(|one| one.entity.clone()).collect();
    assert!(removed.contains("2") && removed.contains(&own.to_string()), "{log:?}");
    assert!(
        log.iter().any(|one| one.entity == "3" && one.action == ChangeAction::Loaded),
        "it is indexed again: {log:?}"
    );
    // The tombstone of the article that only this site had stays, and is no reason to load again.
    let left = into.diff(from).await.unwrap();
    assert_eq!(left.tables.len(), 1, "{left:?}");
    assert_eq!(shown(&left.tables[0].removed), BTreeSet::from([own_shown]));
    assert!(into.replacement(from).await.unwrap().is_empty());
}

/// An article that the copy has withdrawn is removed for whoever follows the log, although the copy still knows how often it is cited.
#[tokio::test]
async fn a_withdrawn_article_with_citations_is_logged_as_removed() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str| Store::open_file(&folder.path().join(name)).await.unwrap();
    let (one, other) = (open("one.db").await, open("other.db").await);
    let mut id = ArticleId(0);
    for store in [&one, &other] {
        id = store.site(SITE).save_article(&article("10.5555/cited.1", "Cited", "1")).await.unwrap().id();
    }
    let site = other.site(SITE);
    assert!(site.save_external_citations(id, 4).await.unwrap());
    let version = site.article_version(id).await.unwrap();
    let withdrawal = Withdrawal { date: "2026-05-01".into(), ..Withdrawal::default() };
    let change = RecordChange { from: version.as_deref(), entry: &AuditEntry::default(), fields: &[] };
    assert_eq!(site.withdraw_article(id, &withdrawal, change).await.unwrap(), Changed::Made);
    let before = one.latest_change().await.unwrap();
    let (into, from) = (SiteRows::of(one.site(SITE)).await.unwrap(), SiteRows::of(site).await.unwrap());
    assert!(!done(replace(&into, &from, true, &[], &[]).await.unwrap()).is_empty());
    let log = one.changes_after(before, 100).await.unwrap();
    let of_article: Vec<_> = log.iter().filter(|one| one.entity == id.to_string()).map(|one| one.action).collect();
    assert_eq!(of_article, [ChangeAction::Removed], "{log:?}");
    one.close().await;
    other.close().await;
}

/// Rows that only one side has lie between equal ones over many pages, and one side is at its end long before the other.
#[tokio::test]
async fn differences_between_long_tables_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str| Store::open_file(&folder.path().join(name)).await.unwrap();
    let (one, other) = (open("one.db").await, open("other.db").await);
    let redirect = |number: usize, target: i64| Redirect {
        from: format!("/old/{number:05}"),
        to: RedirectTarget::Article(ArticleId(target)),
    };
    let here: Vec<Redirect> = (0..650).filter(|number| *number % 3 != 0).map(|number| redirect(number, 1)).collect();
    let there: Vec<Redirect> = (0..1300)
        .filter(|number| *number % 5 != 0)
        .map(|number| redirect(number, if number == 301 { 2 } else { 1 }))
        .collect();
    one.add_redirects(SITE, &here).await.unwrap();
    other.add_redirects(SITE, &there).await.unwrap();
    let (mine, theirs) = (SiteRows::of(one.site(SITE)).await.unwrap(), SiteRows::of(other.site(SITE)).await.unwrap());
    let diff = mine.diff(&theirs).await.unwrap();
    let [redirects] = diff.tables.as_slice() else { panic!("{diff:?}") };
    let paths = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
        (0..1300).filter(|number| wanted(*number)).map(|number| redirect(number, 1).from).collect()
    };
    let shown = |changes: &[masthead_store::site_rows::RowChange]| -> Vec<String> {
        changes.iter().map(|change| change.shown.clone()).collect()
    };
    let (in_here, in_there) =
        (|number: usize| number < 650 && !number.is_multiple_of(3), |number: usize| !number.is_multiple_of(5));
    assert_eq!(shown(&redirects.new), paths(&|number| in_there(number) && !in_here(number)));
    assert_eq!(shown(&redirects.removed), paths(&|number| in_here(number) && !in_there(number)));
    assert_eq!(shown(&redirects.replaced), ["/old/00301"]);
    let back = theirs.diff(&mine).await.unwrap();
    assert_eq!(shown(&back.tables[0].new), shown(&redirects.removed));
    one.close().await;
    other.close().await;
}

/// A copy in a database of its own, for an export.
async fn a_snapshot_is_a_copy(store: &Store, from: &SiteRows, path: &std::path::Path) {
    let fourth = Store::open_file(path).await.unwrap();
    let copy = SiteRows::of(fourth.site(SITE)).await.unwrap();
    copy.fill(from).await.unwrap();
    let diff = copy.diff(from).await.unwrap();
    assert!(diff.is_empty(), "{diff:?}");
    assert_eq!(numbers(&fourth).await, numbers(store).await);
    // Numbers that the site has are not given again.
    let own = fourth.site(SITE).save_article(&article("10.5555/copy.10", "Later", "1")).await.unwrap().id();
    assert!(own.0 > 4, "{own}");
    fourth.close().await;
}

fn institution(key: &str, until: i64) -> Institution {
    Institution { key: key.into(), name: format!("The {key}"), networks: vec!["192.0.2.0/24".into()], until }
}

async fn keys_of(site: &SiteStore) -> Vec<String> {
    site.institutions().await.unwrap().into_iter().map(|one| one.key).collect()
}

async fn affiliations(member: &MemberStore) -> Vec<String> {
    member.affiliations(300).await.unwrap().into_iter().map(|one| one.institution).collect()
}

async fn agreements_are_copied_and_members_are_not(store: &Store, path: &std::path::Path) {
    let other = Store::open_file(path).await.unwrap();
    let (here, there) = (store.site(READERS), other.site(READERS));
    for key in ["harbour", "lagoon"] {
        there.set_institution(&institution(key, 900), "ada", 100).await.unwrap();
    }
    member(&other, READERS, "rows-bob").await.join_institution("lagoon", 0, "ada", 100).await.unwrap();
    let (into, from) = (SiteRows::of(here.clone()).await.unwrap(), SiteRows::of(there.clone()).await.unwrap());
    assert!(into.is_empty().await.unwrap() && !from.is_empty().await.unwrap());
    assert!(done(replace(&into, &from, true, &[], &[]).await.unwrap()).only_adds());
    assert_eq!(here.institutions().await.unwrap(), there.institutions().await.unwrap());
    assert_eq!(here.member_count().await.unwrap(), 0);
    assert!(into.diff(&from).await.unwrap().is_empty());

    // One is changed, one added and one removed on either side.
    let ada = member(store, READERS, "rows-ada").await;
    here.set_institution(&institution("harbour", 0), "ada", 200).await.unwrap();
    here.set_institution(&institution("strait", 0), "ada", 200).await.unwrap();
    for key in ["harbour", "strait"] {
        ada.join_institution(key, 0, "ada", 200).await.unwrap();
    }
    assert!(there.remove_institution("lagoon", "ada", 200).await.unwrap());
    there.set_institution(&institution("reef", 0), "ada", 200).await.unwrap();
    let would = into.replacement(&from).await.unwrap();
    let [table] = would.tables.as_slice() else { panic!("{would:?}") };
    let shown = |changes: &[RowChange]| changes.iter().map(|change| change.shown.clone()).collect::<Vec<_>>();
    assert_eq!(table.table, "institutions");
    assert_eq!(shown(&table.new), ["reef The reef"]);
    assert_eq!(shown(&table.replaced), ["harbour The harbour"]);
    assert_eq!(shown(&table.removed), ["lagoon The lagoon", "strait The strait"]);
    assert!(!would.only_adds());
    assert!(matches!(replace(&into, &from, false, &[], &[]).await.unwrap(), Replaced::Refused(_)));

    // A bundle that says nothing of institutions leaves them.
    let others = SiteRows::of(here.clone()).await.unwrap().without(&["institutions"]);
    assert!(others.is_empty().await.unwrap() && !others.kept().any(|table| table == "institutions"));
    assert!(done(replace(&others, &from, true, &[], &[]).await.unwrap()).is_empty());
    assert_eq!((keys_of(&here).await.len(), affiliations(&ada).await.len()), (3, 2), "nothing is changed so far");

    let before = store.latest_change().await.unwrap();
    assert_eq!(done(replace(&into, &from, true, &[], &[]).await.unwrap()).digest(), would.digest());
    assert_eq!(here.institutions().await.unwrap(), there.institutions().await.unwrap());
    assert_eq!(keys_of(&here).await, ["harbour", "reef"]);
    let log = store.changes_after(before, 10).await.unwrap();
    let said: Vec<_> = log.iter().map(|change| (change.kind, change.action)).collect();
    assert_eq!(said, [(ChangeKind::Other, ChangeAction::Loaded)], "pages that were made before are made again");
    assert_eq!(affiliations(&ada).await, ["harbour"], "who belongs to an institution that stays still does");
    here.set_institution(&institution("strait", 0), "ada", 250).await.unwrap();
    assert_eq!(affiliations(&ada).await, ["harbour"], "and one with the name of a removed one has no members");
    other.close().await;
}

/// The way of the rows through a bundle.
async fn rows_are_written_as_they_were_read(from: &SiteRows, path: &std::path::Path) {
    let third = Store::open_file(path).await.unwrap();
    let into = SiteRows::of(third.site(SITE)).await.unwrap();
    let tables: Vec<&str> = from.kept().collect();
    assert!(tables.contains(&"articles") && !tables.contains(&"article_shelves"));
    for table in tables {
        let mut last = None;
        loop {
            let rows = from.rows(table, last.as_ref()).await.unwrap();
            let Some(end) = rows.last() else { break };
            last = Some(end.clone());
            into.add(table, &rows).await.unwrap();
        }
    }
    into.record_uses().await.unwrap();
    let diff = into.diff(from).await.unwrap();
    assert!(diff.is_empty(), "{diff:?}");
    let odd = masthead_store::site_rows::SiteRow::from([("mood".to_owned(), Value::Int(1))]);
    let error = into.add("journals", &[odd]).await.unwrap_err().to_string();
    assert!(error.contains("mood") && error.contains("journals"), "{error}");
    third.close().await;
}
