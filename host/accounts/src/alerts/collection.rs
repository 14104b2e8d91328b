//! Turns changes of the log into alerts for subscribers.

use std::collections::BTreeMap;

use masthead_domain::{
    ArticleId, SiteId,
    member::SubscriptionType,
    resource::{Column, Stored},
};
use masthead_store::{AlertTo, ChangeAction, ChangeKind, NewAlert, SiteSubscription, Store, StoreError};

use super::matching::{Candidate, PreparedCriteria, column_names};

/// Name under which the position in the change log is stored.
const FOLLOWER: &str = "alerts";
/// Changes that are read in one step. An article of an issue may concern many thousand subscribers, who are recorded in the same transaction.
const STEP: i64 = 40;
/// Subscriptions that are read at once.
const PAGE: i64 = 2_000;
/// Columns of a site that are known.
const MAX_COLUMNS: i64 = 1_000;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Records the alerts that follow from the next changes of the log. Articles that appeared more than `new_days` ago (0 for no limit) cause
/// none. Returns false when there are no changes.
///
/// # Errors
/// The store's error; the same changes are read again then.
pub async fn collect(store: &Store, new_days: u32, now: i64) -> Result<bool, StoreError> {
    let end = store.log_end().await?;
    let position = store.position(FOLLOWER).await?;
    if end.seq <= position {
        return Ok(false);
    }
    if !store.has_subscriptions().await? {
        // No subscriber gets an alert about a change up to here.
        store.record_alerts(FOLLOWER, end.seq, &[], now).await?;
        return Ok(false);
    }
    let changes = store.changes_after(position, STEP).await?;
    let Some(last) = changes.last().map(|change| change.seq) else { return Ok(false) };
    let mut articles: BTreeMap<(SiteId, i64), bool> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.kind == ChangeKind::Article) {
        // The content of a site that was loaded caused its alerts on the site where it was published.
        let added = match change.action {
            ChangeAction::Added => true,
            ChangeAction::Replaced => false,
            ChangeAction::Removed | ChangeAction::Loaded | ChangeAction::Recounted | ChangeAction::Other => continue,
        };
        if let Ok(id) = change.entity.parse() {
            *articles.entry((change.site, id)).or_default() |= added;
        }
    }
    let mut sites: BTreeMap<SiteId, Subscribers> = BTreeMap::new();
    let mut alerts = Vec::new();
    for ((site, id), added) in articles {
        let Some(article) = store.site(site).article(ArticleId(id)).await? else { continue };
        let candidate = Candidate::of(id, &article.meta, added);
        if candidate.is_news(now.div_euclid(DAY), i64::from(new_days)) {
            let subscribers = sites.entry(site).or_insert_with(|| Subscribers::new(store, site));
            alerts.extend(subscribers.of(&candidate).await?);
        }
    }
    store.record_alerts(FOLLOWER, last, &alerts, now).await?;
    Ok(true)
}

/// The subscriptions of a site, each type read when it is first needed.
struct Subscribers<'a> {
    store: &'a Store,
    site: SiteId,
    wanted: BTreeMap<SubscriptionType, Vec<(i64, PreparedCriteria)>>,
    columns: Option<Vec<Stored<Column>>>,
}

impl<'a> Subscribers<'a> {
    const fn new(store: &'a Store, site: SiteId) -> Self {
        Self { store, site, wanted: BTreeMap::new(), columns: None }
    }

    /// The alerts that an article causes.
    async fn of(&mut self, article: &Candidate) -> Result<Vec<NewAlert>, StoreError> {
        let mut to = Vec::new();
        if article.is_added() {
            to.extend(article.issues_or_online_first().map(|kind| AlertTo::Type(kind, String::new())));
            for column in self.columns_of(article).await? {
                to.push(AlertTo::Type(SubscriptionType::Column, column));
            }
            to.push(AlertTo::Subscriptions(self.who_want(SubscriptionType::Keywords, article).await?));
        } else {
            for kind in SubscriptionType::ALL {
                to.push(AlertTo::Subscriptions(self.who_want(kind, article).await?));
            }
        }
        to.retain(|to| *to != AlertTo::Subscriptions(Vec::new()));
        Ok(to.into_iter().map(|to| NewAlert { site: self.site, item: article.item.clone(), to }).collect())
    }

    /// The keys of the columns that an article is in: of those of the editors, and the subject headings themselves.
    async fn columns_of(&mut self, article: &Candidate) -> Result<Vec<String>, StoreError> {
        let columns = self.columns().await?;
        let named = columns.iter().filter(|column| column.value.title.0.values().any(|name| article.is_in(name)));
        let mut keys: Vec<String> = named.map(|column| column.value.key.clone()).collect();
        keys.extend(article.subjects().map(str::to_owned));
        keys.sort();
        keys.dedup();
        Ok(keys)
    }

    /// The subscriptions of a type that want an article.
    async fn who_want(&mut self, kind: SubscriptionType, article: &Candidate) -> Result<Vec<i64>, StoreError> {
        let wanted = match self.wanted.remove(&kind) {
            Some(known) => known,
            None => self.read(kind).await?,
        };
        let ids = wanted.iter().filter(|(_, wanted)| wanted.wants(article)).map(|(id, _)| *id).collect();
        self.wanted.insert(kind, wanted);
        Ok(ids)
    }

    async fn read(&mut self, kind: SubscriptionType) -> Result<Vec<(i64, PreparedCriteria)>, StoreError> {
        let columns = if kind == SubscriptionType::Column { self.columns().await?.to_vec() } else { Vec::new() };
        let store = self.store.site(self.site);
        let mut all: Vec<(i64, PreparedCriteria)> = Vec::new();
        loop {
            let after = all.last().map_or(0, |(id, _)| *id);
            let page = store.subscriptions_of(kind, after, PAGE).await?;
            if page.is_empty() {
                return Ok(all);
            }
            all.extend(page.iter().map(|found| (found.subscription.id, wanted(found, &columns))));
        }
    }

    async fn columns(&mut self) -> Result<&[Stored<Column>], StoreError> {
        if self.columns.is_none() {
            self.columns = Some(self.store.site(self.site).resources::<Column>("", None, MAX_COLUMNS).await?);
        }
        Ok(self.columns.as_deref().unwrap_or_default())
    }
}

fn wanted(found: &SiteSubscription, columns: &[Stored<Column>]) -> PreparedCriteria {
    let subscription = &found.subscription;
    let column = columns.iter().find(|column| column.value.key == subscription.column);
    let names = column_names(&subscription.column, column.map(|column| &column.value.title));
    PreparedCriteria::new(subscription.kind, subscription.since, &subscription.keywords, &names)
}
