//! Converts changes of the store to updates of the search index.

use std::collections::{BTreeMap, BTreeSet};

use masthead_documents::html::{RenderedArticle, SectionKind};
use masthead_domain::{
    ArticleId, SiteId, of_kind,
    publication::Journal,
    resource::{Resource as _, ResourceSource},
    text::without_tags,
};
use masthead_search::{Entry, EntryKind, ExactField, Subject, Update};
use masthead_store::{
    Change, ChangeAction, ChangeKind, ResourceRow, SiteStore, Store, StoreError, StoredArticle, StoredForm as _,
    changed_resource,
};

/// Page size for reading the resources of an article.
const ROWS: i64 = 200;
/// Largest number of authors per article in the author facet.
const PEOPLE: usize = 50;

/// The index updates for a list of changes. Each changed entity is read once, in its current state.
///
/// # Errors
/// The error of the store.
pub async fn updates(store: &Store, changes: &[Change]) -> Result<Vec<Update>, StoreError> {
    let (mut articles, mut journals, mut resources) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    // Sites with journals that may have lost their last article, and are not shown any more then.
    let mut emptied = BTreeSet::new();
    for change in changes {
        let entity = change.entity.clone();
        match change.kind {
            ChangeKind::Article => {
                articles.extend(entity.parse::<i64>().ok().map(|id| (change.site, id)));
                if change.action != ChangeAction::Added {
                    emptied.insert(change.site);
                }
            }
            ChangeKind::Journal => _ = journals.insert((change.site, entity)),
            ChangeKind::Resource => _ = resources.insert((change.site, entity)),
            ChangeKind::Setting | ChangeKind::Other => {}
        }
    }
    let mut updates = Vec::with_capacity(articles.len() + resources.len());
    for (site, id) in articles {
        let content = store.site(site);
        let mut entries = Vec::new();
        if let Some(article) = content.article(ArticleId(id)).await? {
            entries.push(of_article(&article));
            of_article_resources(&content, id, &mut entries).await?;
            // Storing the article may have created its journal.
            journals.insert((site, article.journal));
        }
        updates.push(Update { site, subject: Subject::Article(id), entries });
    }
    for (site, entity) in resources {
        let Some((kind, id)) = changed_resource(&entity) else { continue };
        let row = store.site(site).resource_row(&entity).await?;
        let entries = row.as_ref().and_then(of_resource).into_iter().collect();
        updates.push(Update { site, subject: Subject::Resource(kind, id), entries });
    }
    updates.extend(of_journals(store, journals, &emptied).await?);
    Ok(updates)
}

async fn of_article_resources(store: &SiteStore, article: i64, entries: &mut Vec<Entry>) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let rows = store.resource_rows(article, after, ROWS).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.id;
        entries.extend(rows.iter().filter_map(of_resource));
    }
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
            let entries = shown.get(key.as_str()).copied().map(of_journal).into_iter().collect();
            updates.push(Update { site, subject: Subject::Publication(key), entries });
        }
    }
    Ok(updates)
}

fn of_article(article: &StoredArticle) -> Entry {
    let meta = &article.meta;
    let rendered: RenderedArticle = serde_json::from_str(article.rendered.unsealed()).unwrap_or_default();
    let names = meta.contributors.iter().flat_map(|person| {
        std::iter::once(person.display_name()).chain(person.alternatives.iter().map(|(_, name)| name.clone()))
    });
    let summaries = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    let join = |parts: Vec<&str>| parts.join("\n");
    let first_page = if meta.first_page.is_empty() { &meta.elocation_id } else { &meta.first_page };
    Entry {
        kind: EntryKind::Article,
        id: article.id.0,
        article: article.id.0,
        title: join(meta.titles.iter().chain(&meta.subtitles).map(|title| title.plain.as_str()).collect()).into(),
        keywords: join(meta.keywords.iter().flat_map(|group| &group.plain).map(String::as_str).collect()).into(),
        authors: names.collect::<Vec<_>>().join("\n"),
        company: join(meta.affiliations.iter().map(|place| place.text.as_str()).collect()).into(),
        summary: without_tags(&join(summaries.map(|section| section.html.as_str()).collect())).into(),
        text: rendered.text.into(),
        doi: meta.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        year: meta.year,
        journal: article.journal.clone(),
        article_type: meta.article_type.clone(),
        open_access: meta.open_access,
        columns: meta.subjects.clone(),
        people: meta.authors().take(PEOPLE).map(masthead_domain::article::Contributor::display_name).collect(),
        exact_values: vec![
            (ExactField::Part, meta.part.clone()),
            (ExactField::FirstPage, first_page.clone()),
            (ExactField::LastPage, meta.last_page.clone()),
        ],
        date: meta.dates.published().to_owned(),
        print_date: meta.dates.print.clone(),
        issue: meta.issue.clone(),
        first_status: meta.first_status,
        references: meta.reference_count,
        online_first: Some(meta.is_online_first()),
        updated: Some(article.changed_ms),
    }
}

fn of_journal(journal: &Journal) -> Entry {
    let lines = |text: &masthead_domain::LocalText| text.0.values().cloned().collect::<Vec<_>>().join("\n");
    let numbers = [&journal.issn, &journal.eissn, &journal.cn].map(String::as_str).join("\n");
    Entry {
        kind: EntryKind::Publication,
        title: lines(&journal.title).into(),
        company: format!("{}\n{}", lines(&journal.sponsor), lines(&journal.supervisor)).into(),
        authors: lines(&journal.editor_in_chief),
        summary: without_tags(&lines(&journal.introduction)).into(),
        text: format!("{numbers}\n{}", journal.databases.join("\n")).into(),
        year: journal.start_year,
        journal: journal.key.clone(),
        exact_values: vec![
            (ExactField::Issn, journal.issn.clone()),
            (ExactField::Issn, journal.eissn.clone()),
            (ExactField::Cn, journal.cn.clone()),
        ],
        ..Entry::default()
    }
}

/// The index entry of a resource; `None` if the resource has no searchable text or cannot be parsed.
fn of_resource(row: &ResourceRow) -> Option<Entry> {
    let read: serde_json::Result<Option<Entry>> = of_kind!(row.kind, T => {
        T::decode(&row.data).map(|value| {
            let (place, words) = (value.list_keys(), value.search_text());
            (words != masthead_domain::resource::SearchText::default()).then(|| Entry {
                kind: EntryKind::Resource(row.kind),
                id: row.id,
                article: row.article,
                title: words.title.into(),
                keywords: words.keywords.into(),
                authors: words.authors,
                company: words.company.into(),
                summary: without_tags(&words.summary).into(),
                text: words.text.into(),
                year: place.date.get(..4).and_then(|year| year.parse().ok()),
                journal: place.section.to_owned(),
                date: place.date.to_owned(),
                exact_values: vec![(ExactField::Isbn, words.isbn)],
                ..Entry::default()
            })
        })
    });
    let mut entry = match read {
        Ok(entry) => entry?,
        Err(error) => {
            // A damaged row is logged and skipped, so that it does not block all later changes.
            tracing::error!(%error, kind = row.kind.as_str(), id = row.id, "a resource cannot be indexed");
            return None;
        }
    };
    if row.kind.source() == ResourceSource::Article {
        let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
        entry.doi = data["doi"].as_str().unwrap_or_default().to_owned();
    }
    Some(entry)
}
