//! `--demo`: seeds sites that have no articles with the journals that their configuration names.

use std::path::Path;

use masthead_domain::{
    LocalText,
    publication::{Issue, Journal},
};
use masthead_store::SiteStore;
use serde::Deserialize;

use crate::{
    import::{self, Importer, Outcome},
    state::App,
};

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
    // Written in TOML as a date or as a text.
    date: toml::Value,
    #[serde(default)]
    title: LocalText,
    #[serde(default)]
    cover: String,
}

/// Seeds every site that has no articles.
///
/// # Errors
/// A message that names the file: a demo that ships with the program and does not load is a fault of the program.
pub async fn seed(app: &App) -> anyhow::Result<usize> {
    let table = app.sites.load_full();
    let mut articles = 0;
    for entry in table.iter() {
        let store = app.store.site(entry.site.id);
        if entry.site.demo.is_empty() || store.article_count().await? > 0 {
            continue;
        }
        let mut importer = Importer::new(&app.store, entry.site.id, &app.data_folder, false);
        for key in &entry.site.demo {
            let folder = app.sites_folder.join("demo").join(key);
            describe(app, &store, entry.site.id, &folder).await?;
            for file in import::collect(&[folder.join("articles")]) {
                let item = importer.file(&file).await;
                if item.outcome == Outcome::Failed {
                    anyhow::bail!("demo article {}: {}", item.path, item.error.unwrap_or_default());
                }
                for warning in &item.warnings {
                    tracing::warn!(file = item.path, warning, "demo article");
                }
                articles += 1;
            }
        }
    }
    Ok(articles)
}

async fn describe(app: &App, store: &SiteStore, site: masthead_domain::SiteId, folder: &Path) -> anyhow::Result<()> {
    let path = folder.join("journal.toml");
    let text =
        std::fs::read_to_string(&path).map_err(|error| anyhow::anyhow!("reading {}: {error}", path.display()))?;
    let file: JournalFile = toml::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    let mut journal = file.journal;
    if !journal.cover.is_empty() {
        journal.cover = import::keep(store, site, &app.data_folder, &folder.join(&journal.cover)).await?;
    }
    store.put_journal(&journal).await?;
    for issue in file.issues {
        let cover = if issue.cover.is_empty() {
            String::new()
        } else {
            import::keep(store, site, &app.data_folder, &folder.join(&issue.cover)).await?
        };
        let date = issue.date.as_str().map_or_else(|| issue.date.to_string(), str::to_owned);
        store
            .put_issue(&Issue {
                journal: journal.key.clone(),
                year: issue.year,
                volume: issue.volume,
                issue: issue.issue,
                date,
                title: issue.title,
                cover,
            })
            .await?;
    }
    Ok(())
}
