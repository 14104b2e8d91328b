//! Articles without identifiers that are imported again after a correction: each stays one article, with its number, its address and its
//! counts. Where it is not certain which article is meant, the new one is stored beside the others, and the report says so.

use std::{collections::HashSet, path::PathBuf};

use masthead_domain::{ArticleId, article::ArticleMeta, text::hex};
use masthead_store::{ExistingArticle, NewArticle, SiteStore, StoreError};
use sha2::{Digest as _, Sha256};

use crate::import::{Item, Outcome, edited::STAYS_WITHDRAWN};

/// What a run has stored so far, and what it is still to read: an article of the run is not the earlier version of another one.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The numbers of the articles of the run.
    articles: HashSet<i64>,
    /// The files of the run, until their digests are needed.
    files: Vec<PathBuf>,
    /// The source keys that the files have if their articles have no identifiers.
    digests: HashSet<String>,
}

impl Run {
    /// Adds files that the run is to read.
    pub(super) fn will_read(&mut self, files: impl Iterator<Item = PathBuf>) {
        self.files.extend(files);
    }

    /// Adds an article that the run has stored or found unchanged.
    pub(super) fn has(&mut self, article: i64) {
        self.articles.insert(article);
    }

    /// Whether an article is one of the run, or its source is one of the run's files. The files are read for it, once, because only the
    /// source of a corrected article asks for it.
    async fn is_of(&mut self, id: ArticleId, source_key: &str) -> bool {
        if self.articles.contains(&id.0) {
            return true;
        }
        let files = std::mem::take(&mut self.files);
        if !files.is_empty() {
            let digests = tokio::task::spawn_blocking(move || {
                let bytes = files.iter().filter_map(|file| std::fs::read(file).ok());
                bytes.map(|bytes| format!("sha256:{}", hex(&Sha256::digest(bytes)))).collect::<Vec<_>>()
            });
            // A file that cannot be read is an item of the report anyway.
            self.digests.extend(digests.await.unwrap_or_default());
        }
        self.digests.contains(source_key)
    }
}

/// Finds the articles that new ones replace although their keys differ, and says so in their items: those of `items` with `true`, in the same
/// order. What is not to be stored is taken out of `articles`, and its item gets its outcome.
pub(super) async fn recognise(
    store: &SiteStore,
    run: &mut Run,
    articles: &mut Vec<NewArticle>,
    items: &mut [(Item, bool)],
) -> Result<(), StoreError> {
    let metas: Vec<&ArticleMeta> = articles.iter().map(|new| &new.article.meta).collect();
    let found = store.recognise(&metas).await?;
    let items: Vec<&mut (Item, bool)> = items.iter_mut().filter(|one| one.1).collect();
    let new = std::mem::take(articles);
    for ((mut new, recognised), (item, is_stored)) in new.into_iter().zip(found).zip(items) {
        match recognised {
            ExistingArticle::No => {}
            ExistingArticle::As { id, source_key } => {
                if run.is_of(id, &source_key).await {
                    item.warnings.push(perhaps(&[id]));
                } else if new.article.body.body.is_empty() && has_text(store, id).await? {
                    item.warnings
                        .push(format!("the site has the full text of this article, as number {id}; it is not changed"));
                    (item.outcome, item.article, *is_stored) = (Outcome::Unchanged, Some(id.0), false);
                    continue;
                } else {
                    item.warnings.push(format!(
                        "no identifier of this article is known, but its journal, issue, page and title are those of the article {id}, which \
                         it replaces"
                    ));
                    new.replaces = Some(id);
                }
            }
            ExistingArticle::Withdrawn { id, source_key } => {
                if run.is_of(id, &source_key).await {
                    item.warnings.push(perhaps(&[id]));
                } else {
                    item.warnings.push(format!(
                        "no identifier of this article is known, but its journal, issue, page and title are those of the article {id}: \
                         {STAYS_WITHDRAWN}"
                    ));
                    (item.outcome, item.article, *is_stored) = (Outcome::Unchanged, Some(id.0), false);
                    continue;
                }
            }
            ExistingArticle::Perhaps(ids) => item.warnings.push(perhaps(&ids)),
        }
        articles.push(new);
    }
    Ok(())
}

/// Whether the site has the full text of an article.
pub(super) async fn has_text(store: &SiteStore, id: ArticleId) -> Result<bool, StoreError> {
    Ok(store.body(id).await?.is_some_and(|body| !body.unsealed().body.is_empty()))
}

/// The warning about an article that may be one of these.
fn perhaps(ids: &[ArticleId]) -> String {
    let numbers: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let others = if numbers.is_empty() {
        "another file of this run".to_owned()
    } else {
        format!("the article {} of the site", numbers.join(", "))
    };
    format!(
        "{others} has the same journal, issue, page and title, but it is not certain that it is the same article; this one is stored as a \
         new article: give both a DOI, or remove the wrong one with `masthead article remove --id NUMBER`"
    )
}
