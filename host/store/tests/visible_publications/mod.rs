//! Journals and issues are shown if they have articles, or if an editor wants it.

use masthead_domain::{
    ArticleId, SiteId,
    publication::{Issue, Journal},
};
use masthead_store::{SiteStore, Store, VisiblePublications};

use super::article;

async fn journals(site: &SiteStore) -> Vec<String> {
    site.shown_journals().await.unwrap().into_iter().map(|journal| journal.key).collect()
}

async fn issues(site: &SiteStore) -> Vec<String> {
    site.shown_issues("ocean-ledger").await.unwrap().into_iter().map(|issue| issue.issue).collect()
}

/// What one statement reads is what several read.
async fn at_once(site: &SiteStore) {
    let VisiblePublications { journals, issues, .. } = site.shown_publications().await.unwrap();
    assert_eq!(journals, site.shown_journals().await.unwrap());
    let first = journals.first().map_or("", |journal| journal.key.as_str());
    assert_eq!(issues, site.shown_issues(first).await.unwrap());
}

pub async fn suite(store: &Store) {
    let site = store.site(SiteId(50));
    site.save_journal(&Journal { key: "empty".into(), ..Journal::default() }).await.unwrap();
    assert_eq!(journals(&site).await, Vec::<String>::new(), "a journal without articles");
    let id = site.save_article(&article("10.5555/shown.1", "Tides", "1")).await.unwrap().id();
    let issue =
        |issue: &str| Issue { journal: "ocean-ledger".into(), year: 2026, issue: issue.into(), ..Issue::default() };
    for number in ["1", "3"] {
        site.save_issue(&issue(number)).await.unwrap();
    }
    assert_eq!((journals(&site).await, issues(&site).await), (vec!["ocean-ledger".to_owned()], vec!["2".to_owned()]));
    assert_eq!(site.journals().await.unwrap().len(), 2, "exports have all of them");
    assert_eq!(site.issues("ocean-ledger").await.unwrap().len(), 3);

    // An editor announces an issue and a journal.
    let before = store.latest_change().await.unwrap();
    assert!(site.show_issue("ocean-ledger", 2026, "3", true).await.unwrap());
    assert!(site.show_journal("empty", true).await.unwrap());
    assert_eq!(store.latest_change().await.unwrap(), before + 2, "pages change");
    assert!(
        site.show_journal("empty", true).await.unwrap()
            && site.show_issue("ocean-ledger", 2026, "3", true).await.unwrap()
    );
    assert_eq!(store.latest_change().await.unwrap(), before + 2, "nothing changes");
    assert!(
        !site.show_journal("none", true).await.unwrap()
            && !site.show_issue("ocean-ledger", 2026, "9", true).await.unwrap()
    );
    assert_eq!(issues(&site).await, ["3", "2"], "the announced issue is the current one");
    assert_eq!(journals(&site).await, ["empty", "ocean-ledger"], "in the order in which they were added");
    at_once(&site).await;
    let last = Journal { key: "empty".into(), position: 1, shown: true, ..Journal::default() };
    site.save_journal(&last).await.unwrap();
    assert_eq!(journals(&site).await, ["ocean-ledger", "empty"], "an editor has put it last");
    at_once(&site).await;
    for (which, expected) in [
        (None, vec!["ocean-ledger".to_owned()]),
        (Some((2026, "3")), vec!["ocean-ledger".to_owned()]),
        (Some((2026, "1")), Vec::new()),
        (Some((2025, "3")), Vec::new()),
    ] {
        assert_eq!(site.journals_with_issue(which).await.unwrap(), expected, "{which:?}");
    }
    let of = masthead_domain::article::JournalRef { issn: vec!["1234-5679".into()], ..Default::default() };
    site.merge_issue(&of, &Issue { volume: "3".into(), ..issue("3") }).await.unwrap();
    let known = site.issues("ocean-ledger").await.unwrap();
    assert!(known[0].shown && known[0].volume == "3", "an import keeps what the editor said: {known:?}");
    assert!(site.show_journal("empty", false).await.unwrap());

    at_once(&site).await;

    // Removed articles do not count.
    assert!(site.remove_article(id).await.unwrap());
    assert_eq!(issues(&site).await, ["3"]);
    assert_eq!(journals(&site).await, ["ocean-ledger"], "it has an issue that is shown");
    assert!(site.show_issue("ocean-ledger", 2026, "3", false).await.unwrap());
    assert_eq!((journals(&site).await, issues(&site).await), (Vec::new(), Vec::new()));
    at_once(&site).await;
    assert!(site.article(ArticleId(id.0)).await.unwrap().is_none());

    // An article that moves to another issue leaves none behind.
    let mut moved = article("10.5555/shown.2", "Ebbs", "1");
    site.save_article(&moved).await.unwrap();
    moved.article.meta.issue = "1".into();
    site.save_article(&moved).await.unwrap();
    assert_eq!(issues(&site).await, ["1"]);
    assert!(store.site(SiteId(51)).shown_journals().await.unwrap().is_empty());
}
