//! Articles that cannot be read, links in their pages that lead to nothing, faults of direction in their titles, and notices that name no
//! article.
//!
//! Every stored page is read. Batches are checked on threads of their own while the next one is read from the database, and a page is parsed
//! only if its text has a link that may lead into the site.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use masthead_config::Diagnostic;
use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    ArticleId,
    lang::direction,
    notice::{Notice, NoticeKind, NoticeSide},
    text::without_tags,
};
use masthead_store::{ArticleRow, SiteStore, StoreError};
use serde::de::IgnoredAny;
use tokio::task::{JoinHandle, spawn_blocking};

use super::{
    Notes, bidi, damaged, html,
    links::{LinkTarget, Links, may_lead_to},
    notices,
    stored::Stored,
};

const CHECK: &str = "links";
/// Articles whose pages are read at once.
const PAGE: i64 = 200;
/// Batches that are checked while the next one is read.
const THREADS: usize = 2;
/// Greatest number of findings in articles that are listed.
const MOST: usize = 1000;
/// How the address of a link begins in a stored page, which is JSON, and how it ends.
const ADDRESS: &str = "href=\\\"";
const END: &str = "\\\"";

/// What the stored texts of an article say.
struct Read {
    id: ArticleId,
    found: Vec<Diagnostic>,
    /// The addresses of its links that may lead into the site.
    addresses: BTreeSet<String>,
    /// What it is as a notice that readers of another article must see, if it is one.
    notice: Option<NoticeKind>,
}

/// The articles of a site.
pub async fn check(
    content: &SiteStore,
    links: &Links<'_>,
    stored: &mut Stored<'_>,
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let (mut after, before) = (0, notes.found.len());
    let hosts = Arc::new(links.hosts());
    let mut batches: VecDeque<JoinHandle<Vec<Read>>> = VecDeque::new();
    loop {
        let rows = content.article_rows(after, PAGE).await?;
        let ended = rows.is_empty();
        if let Some(last) = rows.last() {
            after = last.id.0;
            let (site, hosts) = (notes.site.to_owned(), Arc::clone(&hosts));
            batches.push_back(spawn_blocking(move || rows.iter().map(|row| read(row, &site, &hosts)).collect()));
        }
        while ended || batches.len() > THREADS {
            let Some(batch) = batches.pop_front() else { return Ok(()) };
            let batch = batch.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            let notices: Vec<ArticleId> =
                batch.iter().filter(|article| article.notice.is_some()).map(|article| article.id).collect();
            let known = content.notices(&notices).await?;
            for article in batch {
                let id = article.id;
                note(article, known.get(&id), (links, &mut *stored), notes).await?;
                if notes.found.len() - before >= MOST {
                    let message = format!("only the first {MOST} faults of articles were read, up to article {id}");
                    notes.warning(CHECK, "articles", message, "correct these, and run the check again");
                    return Ok(());
                }
            }
        }
    }
}

/// Reports what is wrong with an article; `known` are the notices on whose sides it stands.
async fn note(
    article: Read,
    known: Option<&Vec<Notice>>,
    (links, stored): (&Links<'_>, &mut Stored<'_>),
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let key = place(article.id);
    notes.found.extend(article.found);
    for address in article.addresses {
        if !matches!(links.target(&address), LinkTarget::Elsewhere | LinkTarget::Served) {
            links.note(stored, key.clone(), &address, notes).await?;
        }
    }
    let names_an_article = known.into_iter().flatten().any(|notice| notice.side == NoticeSide::Notice);
    if let Some(kind) = article.notice.filter(|_| !names_an_article) {
        notices::without_article(notes, key, kind);
    }
    Ok(())
}

/// How diagnostics name an article.
fn place(id: ArticleId) -> String {
    format!("article/{id}")
}

/// Reads the stored texts of an article.
fn read(row: &ArticleRow, site: &str, hosts: &BTreeSet<String>) -> Read {
    let (mut notes, key) = (Notes::new(site), place(row.id));
    let (mut notice, mut addresses) = (None, BTreeSet::new());
    match row.meta() {
        Ok(meta) => {
            notice = NoticeKind::of_word(&meta.article_type).filter(|kind| kind.stands_above_the_title());
            for title in &meta.titles {
                let from_right = direction(&title.lang) == "rtl";
                bidi::note_directed(&mut notes, format!("{key} titles.{}", title.lang), from_right, &title.plain);
            }
        }
        Err(error) => damaged::note(&mut notes, key.clone(), &error),
    }
    for error in [row.card().err(), row.files().err()].into_iter().flatten() {
        damaged::note(&mut notes, key.clone(), &error);
    }
    let page = row.rendered.unsealed();
    let parsed = if has_own_link(page, hosts) {
        serde_json::from_str::<RenderedArticle>(page).map(|rendered| addresses = own_links(&rendered, hosts))
    } else {
        // Nothing in it is of interest, only that it is whole.
        serde_json::from_str::<IgnoredAny>(page).map(|_| ())
    };
    if let Err(error) = parsed {
        damaged::note(&mut notes, key, &error);
    }
    Read { id: row.id, found: notes.found, addresses, notice }
}

/// Whether a stored page has a text that looks like a link into the site. Most pages have none.
fn has_own_link(page: &str, hosts: &BTreeSet<String>) -> bool {
    let mut written = page.split(ADDRESS).skip(1).filter_map(|rest| rest.split(END).next());
    written.any(|address| {
        if address.contains('&') { may_lead_to(hosts, &without_tags(address)) } else { may_lead_to(hosts, address) }
    })
}

/// The addresses in a page that may lead into the site.
fn own_links(rendered: &RenderedArticle, hosts: &BTreeSet<String>) -> BTreeSet<String> {
    let titles = rendered.title_html.iter().map(|(_, html)| html);
    let all = titles.chain(rendered.sections.iter().map(|section| &section.html)).flat_map(|html| html::links(html));
    all.filter(|address| may_lead_to(hosts, address)).collect()
}
