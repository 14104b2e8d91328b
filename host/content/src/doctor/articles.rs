//! Articles that cannot be read, links in their pages that lead to nothing, faults of direction in their titles, and notices that name no
//! article.
//!
//! Every stored page is read. Batches are checked on threads of their own while the next one is read from the database. What looks like a link
//! into the site is followed, and only if it leads to nothing, the page is parsed to see whether it is a link: parsing all pages takes several
//! times as long as reading them.

use std::{
    borrow::Cow,
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use masthead_config::Diagnostic;
use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    ArticleId,
    access::FullText,
    lang::direction,
    notice::{Notice, NoticeKind, NoticeSide},
    text::without_tags,
};
use masthead_store::{ArticleRow, SiteStore, StoreError};
use serde::{Deserialize, de::IgnoredAny};
use tokio::task::{JoinHandle, spawn_blocking};

use super::{
    Notes, bidi, damaged, html,
    links::{Links, may_lead_to},
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
    /// What looks like an address of a link that may lead into the site.
    addresses: BTreeSet<String>,
    /// Its page as it is stored.
    page: FullText<String>,
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
            batches.push_back(spawn_blocking(move || rows.into_iter().map(|row| read(row, &site, &hosts)).collect()));
        }
        while ended || batches.len() > THREADS {
            let Some(batch) = batches.pop_front() else { return Ok(()) };
            let batch = batch.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            let notices: Vec<ArticleId> =
                batch.iter().filter(|article| article.notice.is_some()).map(|article| article.id).collect();
            let known = content.notices(&notices).await?;
            let addresses = batch.iter().flat_map(|article| &article.addresses);
            stored.ask_for_files(&addresses.filter_map(|address| links.file(address)).collect()).await?;
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
    let mut of_page = None;
    for address in &article.addresses {
        let Some(fault) = links.fault(stored, address).await? else { continue };
        let of_page = of_page.get_or_insert_with(|| links_of(article.page.unsealed()));
        if of_page.contains(address) {
            links.dead(key.clone(), fault, notes);
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
fn read(row: ArticleRow, site: &str, hosts: &BTreeSet<String>) -> Read {
    let (mut notes, key) = (Notes::new(site), place(row.id));
    let mut notice = None;
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
    if let Err(error) = serde_json::from_str::<Whole>(row.rendered.unsealed()) {
        damaged::note(&mut notes, key, &error);
    }
    let addresses = own_addresses(row.rendered.unsealed(), hosts);
    Read { id: row.id, found: notes.found, addresses, page: row.rendered, notice }
}

/// The fields that a stored page has to have. What is in them is skipped: to build it would take several times as long.
#[derive(Deserialize)]
struct Whole {
    #[serde(rename = "titleHtml")]
    _title_html: Vec<IgnoredAny>,
    #[serde(rename = "sections")]
    _sections: Vec<IgnoredAny>,
    #[serde(rename = "outline")]
    _outline: Vec<IgnoredAny>,
    #[serde(rename = "text")]
    _text: IgnoredAny,
}

/// What looks like an address of a link into the site in a stored page: all addresses of its links, and perhaps others, for example in a text
/// about HTML.
fn own_addresses(page: &str, hosts: &BTreeSet<String>) -> BTreeSet<String> {
    let written = page.split(ADDRESS).skip(1).filter_map(|rest| rest.split(END).next());
    written.map(address).filter(|address| may_lead_to(hosts, address)).map(Cow::into_owned).collect()
}

/// An address as it stands in HTML in JSON, decoded.
fn address(written: &str) -> Cow<'_, str> {
    let html = if written.contains('\\') {
        serde_json::from_str(&format!("\"{written}\"")).map_or(Cow::Borrowed(written), Cow::Owned)
    } else {
        Cow::Borrowed(written)
    };
    // As the attribute of a link is decoded.
    let is_plain = !html.contains(|c: char| matches!(c, '&' | '<') || c.is_whitespace());
    if is_plain { html } else { Cow::Owned(without_tags(&html)) }
}

/// The addresses of all links in a page.
fn links_of(page: &str) -> BTreeSet<String> {
    // A page that cannot be read is reported as such.
    let Ok(page) = serde_json::from_str::<RenderedArticle>(page) else { return BTreeSet::new() };
    let titles = page.title_html.iter().map(|(_, html)| html);
    titles.chain(page.sections.iter().map(|section| &section.html)).flat_map(|html| html::links(html)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_without_parsing_a_page() {
        let html = r##"<a href="/en/article/1?a=1&amp;b=2">x</a> <a href="#b">y</a> <a href="https://else.example/">z</a>
            <a href="HTTPS://own.example/c\d">w</a> <code>href="/text"</code>"##;
        let section = serde_json::json!({ "kind": "body", "lang": "", "title": "", "id": "m-body", "html": html });
        let page = serde_json::json!({ "titleHtml": [], "sections": [section], "outline": [], "text": "" }).to_string();
        let own = own_addresses(&page, &BTreeSet::from(["own.example".to_owned()]));
        assert_eq!(own, ["/en/article/1?a=1&b=2", "/text", r"HTTPS://own.example/c\d"].map(str::to_owned).into());
        let links = links_of(&page);
        assert!(links.len() == 4 && !links.contains("/text"), "{links:?}");
        assert_eq!(own.intersection(&links).count(), 2);
        assert!(serde_json::from_str::<Whole>(&page).is_ok());
        assert!(serde_json::from_str::<Whole>(&page.replace("outline", "lines")).is_err());
    }
}
