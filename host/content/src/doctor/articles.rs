//! Links in the pages of articles that lead to nothing.

use std::collections::BTreeSet;

use masthead_documents::html::RenderedArticle;
use masthead_domain::text::without_tags;
use masthead_store::{SiteStore, StoreError};

use super::{
    Notes, html,
    links::{Links, Stored, Target},
};

const CHECK: &str = "links";
/// Articles whose pages are read at once.
const PAGE: i64 = 50;
/// Greatest number of dead links that are listed.
const MOST: usize = 1000;
/// How the address of a link begins in a stored page, which is JSON.
const ADDRESS: &str = "href=\\\"";

/// The links in the pages of a site's articles.
pub async fn check(
    content: &SiteStore,
    links: &Links<'_>,
    stored: &mut Stored<'_>,
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let (mut after, before) = (0, notes.found.len());
    loop {
        let pages = content.rendered_articles(after, PAGE).await?;
        let Some((last, _)) = pages.last() else { return Ok(()) };
        after = last.0;
        for (id, page) in pages {
            for address in own_links(links, &page.unseal()) {
                links.note(stored, format!("article/{id}"), &address, notes).await?;
            }
            if notes.found.len() - before >= MOST {
                let message = format!("only the first {MOST} dead links in articles were read, up to article {id}");
                notes.warning(CHECK, "articles", message, "correct these, and run the check again");
                return Ok(());
            }
        }
    }
}

/// The addresses in a stored page that lead into the site. Most pages have none, and are not taken apart for this.
fn own_links(links: &Links<'_>, page: &str) -> BTreeSet<String> {
    let leads_here = |address: &str| !matches!(links.target(address), Target::Elsewhere | Target::Served);
    let mut written = page.split(ADDRESS).skip(1).filter_map(|rest| rest.split("\\\"").next());
    if !written.any(|address| !address.starts_with('#') && leads_here(&without_tags(address))) {
        return BTreeSet::new();
    }
    // A page that cannot be read is reported by whatever shows it.
    let Ok(page) = serde_json::from_str::<RenderedArticle>(page) else { return BTreeSet::new() };
    let titles = page.title_html.iter().map(|(_, html)| html);
    let all = titles.chain(page.sections.iter().map(|section| &section.html)).flat_map(|html| html::links(html));
    all.filter(|address| leads_here(address)).collect()
}
