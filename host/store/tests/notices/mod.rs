//! Notices between articles: linked from the source of either, in any order of import.

use masthead_domain::{
    ArticleId, SiteId,
    article::RelatedArticle,
    notice::{NoticeKind, NoticeMark, NoticeSide},
};
use masthead_store::{ChangeAction, NewArticle, Saved, SiteStore, Store};

use super::article;

type Seen = (NoticeKind, NoticeSide, Option<ArticleId>);

/// An article with related articles: relation and address.
fn with(doi: &str, article_type: &str, related: &[(&str, &str)]) -> NewArticle {
    let mut new = article(doi, doi, "1");
    new.article.meta.article_type = article_type.into();
    let related = related.iter().map(|(kind, href)| RelatedArticle {
        kind: (*kind).into(),
        href: (*href).into(),
        text: String::new(),
    });
    new.article.meta.related = related.collect();
    new
}

async fn save(site: &SiteStore, new: &NewArticle) -> ArticleId {
    site.save_article(new).await.unwrap().id()
}

async fn seen(site: &SiteStore, id: ArticleId) -> Vec<Seen> {
    let mut found = site.notices(&[id]).await.unwrap();
    found.remove(&id).unwrap_or_default().into_iter().map(|one| (one.kind, one.side, one.article)).collect()
}

async fn mark(site: &SiteStore, id: ArticleId) -> NoticeMark {
    site.cards_by_id(&[id]).await.unwrap()[0].notice
}

/// The changes behind `before`: action and entity.
async fn changes(store: &Store, before: i64) -> Vec<(ChangeAction, String)> {
    let log = store.changes_after(before, 100).await.unwrap();
    log.into_iter().map(|change| (change.action, change.entity)).collect()
}

pub async fn suite(store: &Store, url: &str) {
    a_notice_is_linked_in_either_order_of_import(store).await;
    articles_of_one_batch_are_linked(store).await;
    the_other_article_changes_in_the_log(store).await;
    what_both_sources_say_is_one_notice(store).await;
    a_removed_article_is_unlinked(store).await;
    a_source_that_names_no_notice_any_more_ends_it(store).await;
    several_notices_are_sorted_and_the_weightiest_marks(store).await;
    an_article_is_no_notice_about_itself_and_two_may_be_about_each_other(store).await;
    other_identifiers_link_too(store).await;
    an_unknown_target_keeps_its_address(store).await;
    rows_of_earlier_versions(store, url).await;
}

async fn a_notice_is_linked_in_either_order_of_import(store: &Store) {
    let notice = with("10.5555/n", "retraction", &[("retracted-article", "https://doi.org/10.5555/A")]);
    let affected = with("10.5555/a", "research-article", &[]);
    let stating = with("10.5555/a", "research-article", &[("retraction-forward", "10.5555/N")]);
    let silent = with("10.5555/n", "editorial", &[]);
    for (number, (first, second)) in
        [(&notice, &affected), (&affected, &notice), (&stating, &silent), (&silent, &stating)].into_iter().enumerate()
    {
        let site = store.site(SiteId(610 + i64::try_from(number).unwrap()));
        save(&site, first).await;
        save(&site, second).await;
        let id = async |key: &str| site.article_id_by_key(key).await.unwrap().unwrap();
        let (notice, affected) = (id("doi:10.5555/n").await, id("doi:10.5555/a").await);
        assert_eq!(
            seen(&site, notice).await,
            [(NoticeKind::Retraction, NoticeSide::Notice, Some(affected))],
            "{number}"
        );
        assert_eq!(
            seen(&site, affected).await,
            [(NoticeKind::Retraction, NoticeSide::Affected, Some(notice))],
            "{number}"
        );
        assert_eq!((mark(&site, affected).await, mark(&site, notice).await), (NoticeMark::Retracted, NoticeMark::None));
        assert!(site.unlinked_notices(9).await.unwrap().is_empty());
        assert!(store.site(SiteId(609)).notices(&[notice, affected]).await.unwrap().is_empty(), "another site's");
    }
}

async fn articles_of_one_batch_are_linked(store: &Store) {
    let site = store.site(SiteId(620));
    let before = store.latest_change().await.unwrap();
    let saved = site
        .save_articles(&[
            with("10.5555/n", "correction", &[("corrected-article", "10.5555/a")]),
            with("10.5555/a", "research-article", &[]),
        ])
        .await;
    let ids: Vec<ArticleId> = saved.into_iter().map(|one| one.unwrap().id()).collect();
    assert_eq!(seen(&site, ids[1]).await, [(NoticeKind::Correction, NoticeSide::Affected, Some(ids[0]))]);
    assert_eq!(mark(&site, ids[1]).await, NoticeMark::Corrected);
    assert_eq!(changes(store, before).await.len(), 2, "each article has its line already");
}

async fn the_other_article_changes_in_the_log(store: &Store) {
    let site = store.site(SiteId(621));
    let affected = save(&site, &with("10.5555/a", "research-article", &[])).await;
    let earlier = site.article(affected).await.unwrap().unwrap();
    let before = store.latest_change().await.unwrap();
    let later = store.clone().with_clock(|| 7_000_000_000_000).site(SiteId(621));
    let notice = with("10.5555/n", "correction", &[("corrected-article", "10.5555/a")]);
    let id = save(&later, &notice).await;
    let expected = [(ChangeAction::Added, id.to_string()), (ChangeAction::Replaced, affected.to_string())];
    assert_eq!(changes(store, before).await, expected);
    let now = site.article(affected).await.unwrap().unwrap();
    assert!(now.changed_ms > earlier.changed_ms, "harvesters and feeds are told");
    assert_eq!(now.change_seq, site.generation().await.unwrap());
    assert_eq!(now.meta, earlier.meta, "its own data stay as they are");

    let before = store.latest_change().await.unwrap();
    assert_eq!(site.save_article(&notice).await.unwrap(), Saved::Unchanged(id));
    assert!(changes(store, before).await.is_empty(), "an equal notice changes nothing");
    let mut reworded = notice.clone();
    reworded.article.meta.related[0].text = "Tides".into();
    save(&site, &reworded).await;
    assert_eq!(changes(store, before).await, [(ChangeAction::Replaced, id.to_string())], "the link is the same");
    assert_eq!(mark(&site, affected).await, NoticeMark::Corrected);
    // The affected article is imported anew: its card is written anew, too.
    let mut again = with("10.5555/a", "research-article", &[]);
    again.article.meta.volume = "4".into();
    save(&site, &again).await;
    assert_eq!(mark(&site, affected).await, NoticeMark::Corrected);
    assert_eq!(seen(&site, affected).await.len(), 1);
}

async fn what_both_sources_say_is_one_notice(store: &Store) {
    let site = store.site(SiteId(622));
    let notice = save(&site, &with("10.5555/n", "erratum", &[("corrected-article", "10.5555/a")])).await;
    let affected = save(&site, &with("10.5555/a", "research-article", &[("correction-forward", "10.5555/n")])).await;
    assert_eq!(seen(&site, notice).await, [(NoticeKind::Correction, NoticeSide::Notice, Some(affected))]);
    let both = site.notices(&[notice, affected]).await.unwrap();
    assert_eq!((both[&notice].len(), both[&affected].len()), (1, 1));
    assert!(both[&notice][0].stated && both[&affected][0].stated);
    assert!(site.remove_article(notice).await.unwrap());
    let left = &site.notices(&[affected]).await.unwrap()[&affected];
    assert_eq!((left.len(), left[0].article), (1, None), "the other source still says so");
    assert_eq!(mark(&site, affected).await, NoticeMark::Corrected);
}

async fn a_removed_article_is_unlinked(store: &Store) {
    let site = store.site(SiteId(623));
    let notice = save(&site, &with("10.5555/n", "correction", &[("corrected-article", "10.5555/a")])).await;
    let affected = with("10.5555/a", "research-article", &[]);
    let id = save(&site, &affected).await;
    let before = store.latest_change().await.unwrap();
    assert!(site.remove_article(id).await.unwrap());
    let expected = [(ChangeAction::Removed, id.to_string()), (ChangeAction::Replaced, notice.to_string())];
    assert_eq!(changes(store, before).await, expected);
    let left = &site.notices(&[notice]).await.unwrap()[&notice];
    assert_eq!((left[0].article, left[0].address.as_str()), (None, "https://doi.org/10.5555/a"));
    assert_eq!(save(&site, &affected).await, id, "it has its number again");
    assert_eq!(seen(&site, notice).await, [(NoticeKind::Correction, NoticeSide::Notice, Some(id))]);
    assert_eq!(mark(&site, id).await, NoticeMark::Corrected);

    let before = store.latest_change().await.unwrap();
    assert!(site.remove_article(notice).await.unwrap());
    let expected = [(ChangeAction::Removed, notice.to_string()), (ChangeAction::Replaced, id.to_string())];
    assert_eq!(changes(store, before).await, expected);
    assert_eq!((seen(&site, id).await, mark(&site, id).await), (vec![], NoticeMark::None));
}

async fn a_source_that_names_no_notice_any_more_ends_it(store: &Store) {
    let site = store.site(SiteId(624));
    let affected = save(&site, &with("10.5555/a", "research-article", &[])).await;
    let other = save(&site, &with("10.5555/b", "research-article", &[])).await;
    save(&site, &with("10.5555/n", "correction", &[("corrected-article", "10.5555/a")])).await;
    let before = store.latest_change().await.unwrap();
    let notice = save(&site, &with("10.5555/n", "correction", &[("corrected-article", "10.5555/b")])).await;
    assert_eq!((seen(&site, affected).await, mark(&site, affected).await), (vec![], NoticeMark::None));
    assert_eq!(seen(&site, other).await, [(NoticeKind::Correction, NoticeSide::Affected, Some(notice))]);
    let changed: Vec<String> = changes(store, before).await.into_iter().map(|(_, entity)| entity).collect();
    assert_eq!(changed, [notice.to_string(), affected.to_string(), other.to_string()]);
}

async fn several_notices_are_sorted_and_the_weightiest_marks(store: &Store) {
    let site = store.site(SiteId(625));
    let affected = save(&site, &with("10.5555/a", "research-article", &[])).await;
    let mut ids = Vec::new();
    for (doi, article_type, relation) in [
        ("10.5555/comment", "article-commentary", "commentary-article"),
        ("10.5555/correction", "correction", "corrected-article"),
        ("10.5555/concern", "expression-of-concern", "object-of-concern"),
        ("10.5555/retraction", "retraction", "retracted-article"),
    ] {
        ids.push(save(&site, &with(doi, article_type, &[(relation, "10.5555/a")])).await);
    }
    let kinds: Vec<NoticeKind> = seen(&site, affected).await.into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [NoticeKind::Retraction, NoticeKind::Concern, NoticeKind::Correction, NoticeKind::Comment]);
    for (notice, left) in ids.iter().rev().zip([NoticeMark::Concern, NoticeMark::Corrected, NoticeMark::None]) {
        assert_ne!(mark(&site, affected).await, left);
        assert!(site.remove_article(*notice).await.unwrap());
        assert_eq!(mark(&site, affected).await, left);
    }
    // One notice about several articles.
    let b = save(&site, &with("10.5555/b", "research-article", &[])).await;
    let both = [("corrected-article", "10.5555/a"), ("corrected-article", "10.5555/b")];
    let notice = save(&site, &with("10.5555/both", "correction", &both)).await;
    let expected = [affected, b].map(|id| (NoticeKind::Correction, NoticeSide::Notice, Some(id)));
    assert_eq!(seen(&site, notice).await, expected);
}

async fn an_article_is_no_notice_about_itself_and_two_may_be_about_each_other(store: &Store) {
    let site = store.site(SiteId(626));
    let own = save(&site, &with("10.5555/self", "correction", &[("corrected-article", "10.5555/SELF")])).await;
    assert_eq!((seen(&site, own).await, mark(&site, own).await), (vec![], NoticeMark::None));
    let a = save(&site, &with("10.5555/a", "correction", &[("corrected-article", "10.5555/b")])).await;
    let b = save(&site, &with("10.5555/b", "correction", &[("corrected-article", "10.5555/a")])).await;
    for (one, other) in [(a, b), (b, a)] {
        let expected =
            [NoticeSide::Notice, NoticeSide::Affected].map(|side| (NoticeKind::Correction, side, Some(other)));
        assert_eq!(seen(&site, one).await, expected);
        assert_eq!(mark(&site, one).await, NoticeMark::Corrected);
    }
    assert!(site.remove_article(a).await.unwrap());
    assert_eq!(seen(&site, b).await, [(NoticeKind::Correction, NoticeSide::Notice, None)]);
    assert_eq!(mark(&site, b).await, NoticeMark::None);
}

async fn other_identifiers_link_too(store: &Store) {
    let site = store.site(SiteId(627));
    let related = [("corrected-article", "https://pubmed.ncbi.nlm.nih.gov/77/"), ("commentary-article", "PMC88")];
    let notice = save(&site, &with("10.5555/n", "correction", &related)).await;
    let identified = |pmid: &str| {
        let mut affected = with("10.5555/a", "research-article", &[]);
        affected.article.meta.ids = vec![("pmid".into(), pmid.into()), ("pmcid".into(), "PMC88".into())];
        affected
    };
    let affected = save(&site, &identified("77")).await;
    let expected = [NoticeKind::Correction, NoticeKind::Comment];
    assert_eq!(seen(&site, notice).await, expected.map(|kind| (kind, NoticeSide::Notice, Some(affected))));
    // The number was wrong, and is another article's.
    save(&site, &identified("78")).await;
    assert_eq!(seen(&site, notice).await[0], (NoticeKind::Correction, NoticeSide::Notice, None));
    assert_eq!(mark(&site, affected).await, NoticeMark::None);
    let mut right = with("10.5555/b", "research-article", &[]);
    right.article.meta.ids = vec![("pmid".into(), "77".into())];
    let right = save(&site, &right).await;
    assert_eq!(seen(&site, right).await, [(NoticeKind::Correction, NoticeSide::Affected, Some(notice))]);
}

async fn an_unknown_target_keeps_its_address(store: &Store) {
    let site = store.site(SiteId(628));
    let related = [("corrected-article", "10.9999/Elsewhere"), ("corrected-article", "https://a.example/1")];
    let notice = save(&site, &with("10.5555/n", "correction", &related)).await;
    let found = &site.notices(&[notice]).await.unwrap()[&notice];
    let addresses: Vec<&str> = found.iter().map(|one| one.address.as_str()).collect();
    assert_eq!(addresses, ["https://doi.org/10.9999/Elsewhere", "https://a.example/1"]);
    assert!(found.iter().all(|one| one.article.is_none() && one.stated));
    assert_eq!(site.unlinked_notices(1).await.unwrap(), [(notice, found[0].clone())]);
    assert!(site.notices(&[ArticleId(0)]).await.unwrap().is_empty());
}

/// Opening a database that an earlier version wrote records the notices in its rows.
async fn rows_of_earlier_versions(store: &Store, url: &str) {
    let site = SiteId(629);
    let notice = save(&store.site(site), &with("10.5555/n", "correction", &[("corrected-article", "10.5555/a")])).await;
    let affected = save(&store.site(site), &with("10.5555/a", "research-article", &[])).await;
    let older = sqlx::AnyPool::connect(url).await.unwrap();
    for statement in [
        "DELETE FROM article_notices",
        "DELETE FROM article_identifiers",
        "UPDATE articles SET card = REPLACE(card, '\"notice\":\"corrected\"', '\"notice\":\"none\"')",
        "UPDATE sequences SET value = 0 WHERE name = 'notices'",
    ] {
        sqlx::query(statement).execute(&older).await.unwrap();
    }
    older.close().await;
    assert_eq!(
        (seen(&store.site(site), affected).await, mark(&store.site(site), affected).await),
        (vec![], NoticeMark::None)
    );
    let opened = Store::open(url).await.unwrap();
    let reopened = opened.site(site);
    assert_eq!(seen(&reopened, affected).await, [(NoticeKind::Correction, NoticeSide::Affected, Some(notice))]);
    assert_eq!(mark(&reopened, affected).await, NoticeMark::Corrected);
    opened.close().await;
}
