//! Demo content for `masthead serve --demo`: seeds sites that have no articles with the journals and resources that their
//! configuration lists, some sites with generated articles, and all of them with made-up views and downloads. Sites whose readers may
//! comment get comments.

pub mod generate;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;

use masthead_domain::{
    Doi, LocalText,
    publication::{Issue, Journal},
    resource::{Comment, CommentState},
};
use masthead_store::{CardCursor, CardQuery, ImportedCount, SiteStore, Store};
use serde::Deserialize;

use masthead_content::import::{self, Format, Importer, Item, Outcome};

use generate::{Generated, Generator, usage};
use masthead_web::{app::App, sites::SiteEntry};

/// The seed of the articles that `masthead serve --demo` generates.
pub const SEED: u64 = 2026;

/// Articles whose views and downloads are made up at a time.
const ARTICLES_AT_ONCE: i64 = 500;

#[derive(Deserialize)]
struct JournalFile {
    #[serde(flatten)]
    journal: Journal,
    #[serde(default)]
    issues: Vec<IssueFile>,
}

#[derive(Deserialize)]
struct IssueFile {
    year: i32,
    volume: String,
    issue: String,
    // A TOML date or a string.
    date: toml::Value,
    #[serde(default)]
    title: LocalText,
    #[serde(default)]
    cover: String,
    #[serde(default)]
    shown: bool,
}

/// `sites/demo/<journal>/comments.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommentsFile {
    comment: Vec<CommentFile>,
}

/// A comment that an editor has approved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommentFile {
    /// The article.
    doi: Doi,
    /// Who wrote it, as shown.
    author: String,
    /// Time of writing, ISO 8601 in UTC.
    date: String,
    text: String,
}

/// `sites/demo/generated.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct GeneratedFile {
    /// Short names of the sites to fill with generated articles.
    sites: Vec<String>,
}

/// Seeds every site that has no articles with the handwritten demo content, which nobody has read yet. Returns the number of articles
/// stored.
///
/// # Errors
/// A message that names the file. Demo content is part of the program, so a failure to load it is a bug.
pub async fn seed(app: &App) -> anyhow::Result<usize> {
    let (articles, _) = fill(app, 0).await?;
    Ok(articles)
}

/// Seeds every site that has no articles, and generates `generated` articles for the sites listed in `sites/demo/generated.toml`;
/// each site gets the articles of its own journals. The other sites get those that are accepted or published online, but in no issue yet:
/// nothing written by hand is. The articles get views and downloads of the months before today, and comments where readers may write them.
/// Returns the number of articles stored.
///
/// # Errors
/// As [`seed`].
pub async fn seed_with(app: &App, generated: usize) -> anyhow::Result<usize> {
    let (articles, filled) = fill(app, generated).await?;
    for entry in &filled {
        count_readers(app, entry).await?;
        store_comments(app, entry).await?;
    }
    Ok(articles)
}

/// Stores the content of the sites that have no articles. Returns the number of articles, and the sites.
async fn fill(app: &App, generated: usize) -> anyhow::Result<(usize, Vec<Arc<SiteEntry>>)> {
    let table = app.sites.load_full();
    let mut empty = Vec::new();
    for entry in table.iter().filter(|entry| !entry.site.demo.is_empty()) {
        if app.store.site(entry.site.id).article_count().await? == 0 {
            empty.push(Arc::clone(entry));
        }
    }
    let mut articles = 0;
    for entry in &empty {
        articles += store_handwritten(app, entry).await?;
    }
    let named = sites_with_generated(&app.sites_folder)?;
    if generated == 0 || empty.is_empty() {
        return Ok((articles, empty));
    }
    let folder = tempfile::tempdir_in(&app.data_folder)?;
    let made = generate_files(SEED, generated, folder.path().to_owned()).await?;
    let early = in_no_issue(&made);
    for entry in &empty {
        let made = if named.contains(&entry.site.sld) { &made } else { &early };
        articles += store(&app.store, entry.site.id, &app.data_folder, &entry.site.demo, made).await?.len();
    }
    Ok((articles, empty))
}

/// Counts views and downloads of the articles of a site, as an import of the counts of another platform does.
async fn count_readers(app: &App, entry: &SiteEntry) -> anyhow::Result<()> {
    let site = entry.site.id;
    let (store, today) = (app.store.site(site), app.counting.today_of(site));
    let mut after: Option<CardCursor> = None;
    loop {
        let cards = store.cards(&CardQuery::Latest, after.as_ref(), ARTICLES_AT_ONCE).await?;
        let Some(last) = cards.last() else { return Ok(()) };
        after = Some(CardCursor::behind(last));
        let counts: Vec<ImportedCount> = cards.iter().flat_map(|card| usage::counts(SEED, site, card, today)).collect();
        store.import_article_counts(&counts).await?;
    }
}

/// Stores the comments on handwritten articles of a site whose readers may comment. They belong to no member, as those of a copied site.
async fn store_comments(app: &App, entry: &SiteEntry) -> anyhow::Result<()> {
    if !entry.site.enable_comment {
        return Ok(());
    }
    let store = app.store.site(entry.site.id);
    for key in &entry.site.demo {
        let path = app.sites_folder.join("demo").join(key).join("comments.toml");
        if !path.exists() {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let file: CommentsFile = toml::from_str(&text).with_context(|| path.display().to_string())?;
        for (index, CommentFile { doi, author, date, text }) in file.comment.into_iter().enumerate() {
            let article = store.article_id_by_doi(&doi).await?;
            let article = article.with_context(|| format!("{}: there is no article {doi}", path.display()))?.0;
            let key = format!("{article}/demo-{index}");
            let comment = Comment { key, article, author, text, date, state: CommentState::Shown };
            store.save_resource(&comment).await?;
        }
    }
    Ok(())
}

/// The articles that are accepted or published online, and in no issue yet.
fn in_no_issue(made: &[(Generated, PathBuf)]) -> Vec<(Generated, PathBuf)> {
    made.iter().filter(|(one, _)| one.issue.is_none()).cloned().collect()
}

fn sites_with_generated(sites: &Path) -> anyhow::Result<Vec<String>> {
    let path = sites.join("demo/generated.toml");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let file: GeneratedFile = toml::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(file.sites)
}

async fn store_handwritten(app: &App, entry: &SiteEntry) -> anyhow::Result<usize> {
    let (site, mut articles) = (entry.site.id, 0);
    let store = app.store.site(site);
    let mut importer = Importer::new(&app.store, site, &app.data_folder, false);
    for key in &entry.site.demo {
        let folder = app.sites_folder.join("demo").join(key);
        anyhow::ensure!(
            folder.is_dir(),
            "the site {} lists the demo content {key:?}, but there is no folder {}",
            entry.site.sld,
            folder.display()
        );
        store_journal(app, &store, site, &folder).await?;
        let written = folder.join("articles");
        let files = if written.is_dir() { import::collect(&[written]) } else { Vec::new() };
        for file in files {
            check_item(&importer.file(&file).await)?;
            articles += 1;
        }
    }
    // They name articles, also of another journal of the site.
    for key in &entry.site.demo {
        resources(&mut importer, &app.sites_folder.join("demo").join(key).join("resources")).await?;
    }
    Ok(articles)
}

/// Imports the resources of a folder.
async fn resources(importer: &mut Importer, folder: &Path) -> anyhow::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let mut items = Vec::new();
    importer.run(&[folder.to_owned()], Format::Resources, &mut |item| items.push(item)).await?;
    items.iter().try_for_each(check_item)
}

/// Returns an error for an item that failed, and logs its warnings.
fn check_item(item: &Item) -> anyhow::Result<()> {
    if item.outcome == Outcome::Failed {
        anyhow::bail!("demo: {}: {}", item.path, item.error.clone().unwrap_or_default());
    }
    for warning in &item.warnings {
        tracing::warn!(file = item.path, warning, "demo");
    }
    Ok(())
}

/// Generates the first `articles` articles of a seed and writes them to a folder. Returns each with the path of its JATS file.
///
/// # Errors
/// A message that names the file or the word list.
pub async fn generate_files(seed: u64, articles: usize, folder: PathBuf) -> anyhow::Result<Vec<(Generated, PathBuf)>> {
    tokio::task::spawn_blocking(move || {
        let generator = Generator::new(seed)?;
        (0..articles as u64)
            .map(|index| {
                let made = generator.article(index)?;
                generate::write(&folder, &made).map(|path| (made, path))
            })
            .collect()
    })
    .await?
}

/// Imports the generated articles of these journals into a site, with their issues. Returns the item of the import report for each.
///
/// # Errors
/// A message that names the article.
pub async fn store(
    store: &Store,
    site: masthead_domain::SiteId,
    data: &Path,
    journals: &[String],
    made: &[(Generated, PathBuf)],
) -> anyhow::Result<Vec<Item>> {
    let content = store.site(site);
    let mut importer = Importer::new(store, site, data, false);
    let selected: Vec<_> = made.iter().filter(|(made, _)| journals.contains(&made.journal)).collect();
    let known: BTreeSet<String> = content.journals().await?.into_iter().map(|journal| journal.key).collect();
    let mut issues = BTreeSet::new();
    for issue in selected.iter().filter_map(|(made, _)| made.issue.as_ref()) {
        // For a journal that does not exist yet, importing the articles creates the issues.
        if !known.contains(&issue.journal) || !issues.insert((&issue.journal, issue.year, &issue.issue)) {
            continue;
        }
        let there = content.issues(&issue.journal).await?;
        if !there.iter().any(|one| (one.year, &one.issue) == (issue.year, &issue.issue)) {
            content.save_issue(issue).await?;
        }
    }
    let paths: Vec<PathBuf> = selected.into_iter().map(|(_, path)| path.clone()).collect();
    let mut items = Vec::new();
    importer.run(&paths, Format::Jats, &mut |item| items.push(item)).await?;
    items.iter().try_for_each(check_item)?;
    Ok(items)
}

async fn store_journal(
    app: &App,
    store: &SiteStore,
    site: masthead_domain::SiteId,
    folder: &Path,
) -> anyhow::Result<()> {
    let path = folder.join("journal.toml");
    if !path.exists() {
        return Ok(());
    }
    let text =
        std::fs::read_to_string(&path).map_err(|error| anyhow::anyhow!("reading {}: {error}", path.display()))?;
    let file: JournalFile = toml::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    let mut journal = file.journal;
    if !journal.cover.is_empty() {
        journal.cover = import::keep(store, site, &app.data_folder, &folder.join(&journal.cover)).await?;
    }
    store.save_journal(&journal).await?;
    for issue in file.issues {
        let cover = if issue.cover.is_empty() {
            String::new()
        } else {
            import::keep(store, site, &app.data_folder, &folder.join(&issue.cover)).await?
        };
        let date = issue.date.as_str().map_or_else(|| issue.date.to_string(), str::to_owned);
        store
            .save_issue(&Issue {
                journal: journal.key.clone(),
                year: issue.year,
                volume: issue.volume,
                issue: issue.issue,
                date,
                title: issue.title,
                cover,
                shown: issue.shown,
                ..Issue::default()
            })
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests_of_resources;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_journal_of_the_demo_has_articles_before_their_issue() {
        let generator = Generator::new(SEED).unwrap();
        let made: Vec<_> = (0..300).map(|index| (generator.article(index).unwrap(), PathBuf::new())).collect();
        let mut states: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let early = in_no_issue(&made);
        for (one, _) in &early {
            assert!(one.article.meta.issue.is_empty(), "{}", one.stem);
            let (accepted, online) = states.entry(&one.journal).or_default();
            *if one.article.meta.first_status == -1 { accepted } else { online } += 1;
        }
        assert_eq!(states.len(), 4, "{states:?}");
        assert!(states.values().all(|(accepted, online)| *accepted > 0 && *online > 0), "{states:?}");
        assert!(early.len() < made.len() / 4, "the first start stays quick: {}", early.len());
    }
}
