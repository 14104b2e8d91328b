//! Articles that cannot be read, and links in their pages that lead to nothing.

use std::collections::BTreeSet;

use masthead_documents::html::RenderedArticle;
use masthead_domain::{ArticleId, text::without_tags};
use masthead_store::{SiteStore, StoreError, StoredArticle};

use super::{
    Notes, damaged, html,
    links::{Links, Target},
    readable,
    stored::Stored,
};

const CHECK: &str = "links";
/// Articles whose pages are read at once.
const PAGE: i64 = 50;
/// Greatest number of findings in articles that are listed.
const MOST: usize = 1000;
/// How the address of a link begins in a stored page, which is JSON.
const ADDRESS: &str = "href=\\\"";

/// The articles of a site.
pub async fn check(
    content: &SiteStore,
    links: &Links<'_>,
    stored: &mut Stored<'_>,
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let (mut after, before) = (0, notes.found.len());
    loop {
        let listed = content.article_listing(after, PAGE).await?;
        let Some(last) = listed.last() else { return Ok(()) };
        after = last.id.0;
        let ids: Vec<ArticleId> = listed.iter().map(|article| article.id).collect();
        for article in read(content, &ids, notes).await? {
            let (key, page) = (place(article.id), article.rendered.unsealed());
            match serde_json::from_str::<RenderedArticle>(page) {
                Ok(rendered) => {
                    for address in own_links(links, page, &rendered) {
                        links.note(stored, key.clone(), &address, notes).await?;
                    }
                }
                Err(error) => damaged::note(notes, key, &error),
            }
            if notes.found.len() - before >= MOST {
                let message =
                    format!("only the first {MOST} faults of articles were read, up to article {}", article.id);
                notes.warning(CHECK, "articles", message, "correct these, and run the check again");
                return Ok(());
            }
        }
    }
}

/// How diagnostics name an article.
fn place(id: ArticleId) -> String {
    format!("article/{id}")
}

/// The articles with these numbers. Those that cannot be read are reported, and those whose entry in lists cannot be.
async fn read(content: &SiteStore, ids: &[ArticleId], notes: &mut Notes<'_>) -> Result<Vec<StoredArticle>, StoreError> {
    let mut articles = Vec::with_capacity(ids.len());
    match readable(content.articles(ids).await)? {
        Some(mut found) => articles.extend(ids.iter().filter_map(|id| found.remove(id))),
        None => {
            for id in ids {
                articles.extend(intact(content.article(*id).await, *id, notes)?.flatten());
            }
        }
    }
    if readable(content.cards_by_id(ids).await)?.is_none() {
        for id in ids {
            intact(content.cards_by_id(&[*id]).await, *id, notes)?;
        }
    }
    Ok(articles)
}

/// What was read of an article; `None` if it cannot be read, which is reported.
fn intact<T>(read: Result<T, StoreError>, id: ArticleId, notes: &mut Notes<'_>) -> Result<Option<T>, StoreError> {
    match read {
        Err(error @ StoreError::Damaged { .. }) => {
            damaged::note(notes, place(id), &error);
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// The addresses in a stored page that lead into the site. Most pages have none, and are not searched for elements.
fn own_links(links: &Links<'_>, page: &str, rendered: &RenderedArticle) -> BTreeSet<String> {
    let leads_here = |address: &str| !matches!(links.target(address), Target::Elsewhere | Target::Served);
    let mut written = page.split(ADDRESS).skip(1).filter_map(|rest| rest.split("\\\"").next());
    if !written.any(|address| !address.starts_with('#') && leads_here(&without_tags(address))) {
        return BTreeSet::new();
    }
    let titles = rendered.title_html.iter().map(|(_, html)| html);
    let all = titles.chain(rendered.sections.iter().map(|section| &section.html)).flat_map(|html| html::links(html));
    all.filter(|address| leads_here(address)).collect()
}
