//! Converts changes of the store to updates of the search index.

mod entries;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map};

use masthead_domain::{
    ArticleId, Doi, SiteId,
    publication::Journal,
    resource::{ResourceKind, ResourceSource},
};
use masthead_search::{Entry, Subject, Update};
use masthead_store::{
    Change, ChangeAction, ChangeKind, ResourceRow, SiteStore, Store, StoreError, StoredArticle, changed_resource,
};

use self::entries::Cells;

/// Page size for reading the resources of an article.
const ROWS: i64 = 200;

/// The index updates for a list of changes. Each changed entity is read once, in its current state. Articles that a changed article cites
/// are read too, because it counts as one of their citations, unless its change is not behind `counted`: all entries of the index were read
/// of the database later than that.
///
/// # Errors
/// The error of the store.
pub async fn updates(store: &Store, changes: &[Change], counted: i64) -> Result<Vec<Update>, StoreError> {
    let mut named = Named::default();
    let mut citing: BTreeMap<SiteId, Vec<i64>> = BTreeMap::new();
    for change in changes {
        let entity = change.entity.clone();
        match change.kind {
            ChangeKind::Article => {
                let Ok(id) = entity.parse::<i64>() else { continue };
                named.articles.insert((change.site, id));
                // What the article cites, and its place in its journal, are as before.
                if change.action == ChangeAction::Recounted {
                    continue;
                }
                if change.seq > counted {
                    citing.entry(change.site).or_default().push(id);
                }
                if change.action != ChangeAction::Added {
                    named.emptied.insert(change.site);
                }
            }
            ChangeKind::Journal => _ = named.journals.insert((change.site, entity)),
            ChangeKind::Resource => named.resources.extend(changed_resource(&entity).map(|own| (change.site, own))),
            ChangeKind::Setting | ChangeKind::Other => {}
        }
    }
    for (site, articles) in citing {
        named.articles.extend(store.cited_articles(site, &articles).await?);
    }
    named.updates(store).await
}

/// The index updates that put subjects into their current state, whatever changed them.
///
/// # Errors
/// The error of the store.
pub async fn current(store: &Store, subjects: &[(SiteId, Subject)]) -> Result<Vec<Update>, StoreError> {
    let mut named = Named::default();
    for (site, subject) in subjects {
        match subject {
            Subject::Article(id) => {
                named.articles.insert((*site, *id));
                named.emptied.insert(*site);
            }
            Subject::Publication(key) => _ = named.journals.insert((*site, key.clone())),
            Subject::Resource(kind, id) => _ = named.resources.insert((*site, (*kind, *id))),
        }
    }
    named.updates(store).await
}

/// The subjects to read, each once.
#[derive(Default)]
struct Named {
    articles: BTreeSet<(SiteId, i64)>,
    journals: BTreeSet<(SiteId, String)>,
    resources: BTreeSet<(SiteId, (ResourceKind, i64))>,
    /// Sites with journals that may have lost their last article, and are not shown any more then.
    emptied: BTreeSet<SiteId>,
}

impl Named {
    async fn updates(mut self, store: &Store) -> Result<Vec<Update>, StoreError> {
        let mut updates = Vec::with_capacity(self.articles.len() + self.resources.len());
        let mut journals = Journals::default();
        for (site, id) in self.articles {
            let content = store.site(site);
            let mut entries = Vec::new();
            if let Some(article) = content.article(ArticleId(id)).await? {
                let journal = journals.of(&content, &article.journal).await?;
                entries.push(Entry {
                    citations: citations(&content, &article).await?,
                    ..entries::of_article(&article, journal)
                });
                of_article_resources(&content, &article, &mut entries).await?;
                // Storing the article may have created its journal.
                self.journals.insert((site, article.journal));
            }
            updates.push(Update { site, subject: Subject::Article(id), entries });
        }
        for (site, (kind, id)) in self.resources {
            let content = store.site(site);
            let entries = match content.resource_row(&format!("{}/{id}", kind.as_str())).await? {
                Some(row) => of_row(&content, &row).await?.into_iter().collect(),
                None => Vec::new(),
            };
            updates.push(Update { site, subject: Subject::Resource(kind, id), entries });
        }
        updates.extend(of_journals(store, self.journals, &self.emptied).await?);
        Ok(updates)
    }
}

/// How often an article is cited.
async fn citations(store: &SiteStore, article: &StoredArticle) -> Result<u32, StoreError> {
    let key = article.meta.doi.as_ref().map(Doi::key);
    let counts = store.citation_counts(&[(article.id, key)]).await?;
    Ok(counts.get(&article.id).copied().unwrap_or(0))
}

/// The journals of sites, read once.
#[derive(Default)]
struct Journals(HashMap<SiteId, HashMap<String, Journal>>);

impl Journals {
    async fn of(&mut self, content: &SiteStore, key: &str) -> Result<Option<&Journal>, StoreError> {
        let journals = match self.0.entry(content.id()) {
            hash_map::Entry::Occupied(read) => read.into_mut(),
            hash_map::Entry::Vacant(new) => {
                let all = content.journals().await?.into_iter();
                new.insert(all.map(|journal| (journal.key.clone(), journal)).collect())
            }
        };
        Ok(journals.get(key))
    }
}

async fn of_article_resources(
    store: &SiteStore,
    article: &StoredArticle,
    entries: &mut Vec<Entry>,
) -> Result<(), StoreError> {
    let mut cells = None;
    let mut after = 0;
    loop {
        let rows = store.resource_rows(article.id.0, after, ROWS).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.id;
        if cells.is_none() && rows.iter().any(|row| row.kind == ResourceKind::Table) {
            cells = Some(Cells::of(store, article.id).await?);
        }
        entries.extend(rows.iter().filter_map(|row| {
            let part_of = is_part(row).then_some(article);
            entries::of_resource(row, part_of, cells.as_ref())
        }));
    }
}

/// Whether a resource is a part of its article, by which it is filtered and counted: a figure or table. A reader's comment is none.
fn is_part(row: &ResourceRow) -> bool {
    row.kind.source() == ResourceSource::Article
}

/// The entry of a resource that changed by itself.
async fn of_row(store: &SiteStore, row: &ResourceRow) -> Result<Option<Entry>, StoreError> {
    let article = ArticleId(row.article);
    let cells = if row.kind == ResourceKind::Table { Some(Cells::of(store, article).await?) } else { None };
    let part_of = if is_part(row) { store.article(article).await? } else { None };
    Ok(entries::of_resource(row, part_of.as_ref(), cells.as_ref()))
}

/// The updates of journals, and of those that are not shown on the sites where journals may have lost their last article.
async fn of_journals(
    store: &Store,
    journals: BTreeSet<(SiteId, String)>,
    emptied: &BTreeSet<SiteId>,
) -> Result<Vec<Update>, StoreError> {
    let mut sites: BTreeMap<SiteId, BTreeSet<String>> = BTreeMap::new();
    for (site, key) in journals {
        sites.entry(site).or_default().insert(key);
    }
    for site in emptied {
        sites.entry(*site).or_default();
    }
    let mut updates = Vec::new();
    for (site, mut keys) in sites {
        let content = store.site(site);
        let shown = content.shown_journals().await?;
        let shown: BTreeMap<&str, &Journal> = shown.iter().map(|journal| (journal.key.as_str(), journal)).collect();
        if emptied.contains(&site) {
            // Those that are shown are in the index since their first article: a site may have thousands of journals.
            let hidden = content.journals().await?.into_iter().map(|journal| journal.key);
            keys.extend(hidden.filter(|key| !shown.contains_key(key.as_str())));
        }
        for key in keys {
            let entries = shown.get(key.as_str()).copied().map(entries::of_journal).into_iter().collect();
            updates.push(Update { site, subject: Subject::Publication(key), entries });
        }
    }
    Ok(updates)
}
