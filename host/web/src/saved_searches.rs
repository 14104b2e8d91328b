//! Alerts: when the index has caught up, each saved search with alerts runs on the sites of its results page; new hits are recorded for its
//! owner. The message is sent like those of subscriptions.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_accounts::alerts::Candidate;
use masthead_domain::{
    ArticleId, SiteId,
    member::{ItemRef, ItemType},
    site::SiteState,
};
use masthead_runtime::RequestContext;
use masthead_search::{EntryKind, Hit};
use masthead_store::{AlertSearch, AlertTo, Change, ChangeAction, ChangeKind, NewAlert, changed_resource};

use crate::{
    app::{App, outbox_workers::Backoff},
    page::content,
    search_service::{self, SearchScope},
    sites::SiteEntry,
};

/// Name under which the position in the change log is stored.
const FOLLOWER: &str = "search-alerts";
/// Changes that are read in one step.
const STEP: i64 = 200;
/// Searches that are read at once.
const PAGE: i64 = 500;
/// Interval at which the change log is polled. What is new in this time is searched for once.
const POLL_INTERVAL: Duration = Duration::from_secs(20);
/// Hits of one search that are compared with what is new. The latest come first, and what is new is among them.
const HITS: usize = 1_000;
/// Time limit of plugins that rewrite a search.
const PLUGIN_TIME: Duration = Duration::from_secs(1);
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// What is new at each site, by kind and number.
type NewItems = BTreeMap<SiteId, BTreeSet<(&'static str, i64)>>;

/// Follows the change log until the process ends.
pub async fn run(app: Arc<App>) {
    let mut pauses = Backoff::default();
    loop {
        pauses.after(collect(&app).await, POLL_INTERVAL, "looking for new results of saved searches").await;
    }
}

/// Records what the next changes of the log are to saved searches, as far as the index has them. Returns false when there are none.
///
/// # Errors
/// The error of the store or the index; the same changes are read again then.
pub async fn collect(app: &App) -> anyhow::Result<bool> {
    let now = app.counting.now();
    let end = app.store.log_end().await?;
    let position = app.store.position(FOLLOWER).await?;
    if end.seq <= position {
        return Ok(false);
    }
    if !app.store.has_alert_searches().await? {
        app.store.record_alerts(FOLLOWER, end.seq, &[], now).await?;
        return Ok(false);
    }
    let indexed = app.search.position().await?.change;
    let mut changes = app.store.changes_after(position, STEP).await?;
    changes.retain(|change| change.seq <= indexed);
    let Some(last) = changes.last().map(|change| change.seq) else { return Ok(false) };
    let new = new_items(app, &changes, now).await?;
    let table = app.sites.load_full();
    let open: Vec<&Arc<SiteEntry>> = table.iter().filter(|entry| entry.site.state == SiteState::Active).collect();
    let mut alerts = Vec::new();
    for entry in open {
        alerts.extend(of_site(app, entry, &new).await?);
    }
    app.store.record_alerts(FOLLOWER, last, &alerts, now).await?;
    Ok(true)
}

/// What the changes added to each site, as the index has it.
async fn new_items(app: &App, changes: &[Change], now: i64) -> anyhow::Result<NewItems> {
    let days = i64::from(app.sites.load().platform.alerts.new_days);
    let mut all = NewItems::new();
    for change in changes.iter().filter(|change| change.action == ChangeAction::Added) {
        let item = match change.kind {
            ChangeKind::Article => {
                let Ok(id) = change.entity.parse() else { continue };
                let Some(article) = app.store.site(change.site).article(ArticleId(id)).await? else { continue };
                // An archive that is imported is no news.
                if !Candidate::of(id, &article.meta, true).is_news(now.div_euclid(DAY), days) {
                    continue;
                }
                (EntryKind::Article.as_str(), id)
            }
            ChangeKind::Resource => {
                let Some((kind, id)) = changed_resource(&change.entity) else { continue };
                (EntryKind::Resource(kind).as_str(), id)
            }
            _ => continue,
        };
        all.entry(change.site).or_default().insert(item);
    }
    Ok(all)
}

/// The new results of all saved searches of a site; those of a group site search the other open sites of its group, too.
async fn of_site(app: &App, entry: &SiteEntry, new: &NewItems) -> anyhow::Result<Vec<NewAlert>> {
    let offered = SearchScope::Group.sites(app, entry);
    if !offered.iter().any(|site| new.contains_key(site)) {
        return Ok(Vec::new());
    }
    let store = app.store.site(entry.site.id);
    let (mut after, mut found) = (0, BTreeMap::<ItemRef, Vec<i64>>::new());
    loop {
        let searches = store.alert_searches(after, PAGE).await?;
        let Some(last) = searches.last() else { break };
        after = last.id;
        for search in &searches {
            for item in results(app, entry, &offered, search, new).await? {
                found.entry(item).or_default().push(search.id);
            }
        }
    }
    let alert = |(item, ids)| NewAlert { site: entry.site.id, item, to: AlertTo::Searches(ids) };
    Ok(found.into_iter().map(alert).collect())
}

/// What a saved search finds of what is new at the sites among which its owner can choose (`offered`). An address that is no search any more
/// finds nothing.
async fn results(
    app: &App,
    entry: &SiteEntry,
    offered: &[SiteId],
    search: &AlertSearch,
    new: &NewItems,
) -> anyhow::Result<Vec<ItemRef>> {
    let site = &entry.site;
    let this_year = app.counting.year_of(site.id);
    let place = (site.sld.as_str(), &site.aliases);
    let chosen = |sld: &str| SearchScope::choice(app, entry, sld);
    let Some(request) = content::saved_search(place, chosen, &search.address, this_year, HITS) else {
        return Ok(Vec::new());
    };
    let searched = request.scope.searched(offered.to_vec());
    if !searched.iter().any(|site| new.contains_key(site)) {
        return Ok(Vec::new());
    }
    let mut call = entry.chain.begin(RequestContext {
        lang: entry.lang_or_default(Some(search.lang)),
        route: "search".to_owned(),
        address: app.address(entry, search.lang),
        deadline: Instant::now() + PLUGIN_TIME,
        variant: 0,
        recording: None,
    });
    let hits = search_service::hits(app, entry, &mut call, request).await?;
    let is_new = |hit: &&Hit| new.get(&hit.site).is_some_and(|items| items.contains(&(hit.kind.as_str(), hit.id)));
    Ok(hits.iter().filter(is_new).filter_map(|hit| item(hit, site.id)).collect())
}

/// A hit as an item for members of the site `own`.
fn item(hit: &Hit, own: SiteId) -> Option<ItemRef> {
    let kind = match hit.kind {
        EntryKind::Article => ItemType::Article,
        EntryKind::Resource(kind) => ItemType::Resource(kind),
        EntryKind::Publication => return None,
    };
    Some(ItemRef::at(kind, (hit.site, hit.id), own))
}
