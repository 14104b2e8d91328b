//! RSS and Atom feeds and the search description, per language. The head of every page links to them.

mod xml;

use crate::discovery::feeds::xml::{Feed, FeedEntry, SearchDescription};
use axum::{
    extract::{Path, Query},
    response::Response,
};
use masthead_content::notices::{self, LinkedNotice};
use masthead_domain::{
    ArticleId, Lang, card::ArticleCard, notice::NoticeMark, publication::Journal, route::Route, section::SectionNames,
};
use masthead_store::{CardCursor, CardQuery, StoreError};

use crate::discovery::{Open, date_ms, identifier, repository, validated};
use crate::page::feed_links::{FeedSelection, feed_address};

/// Greatest number of articles in a feed.
const ENTRIES: usize = 50;
/// Cards that are read at a time when the articles of one journal are filtered from a list of several journals.
const FILTER_PAGE: i64 = 200;

/// `/{lang}/feed.rss`.
pub async fn rss(open: Open, Path(lang): Path<String>, Query(selection): Query<FeedSelection>) -> Response {
    let mime = "application/rss+xml; charset=utf-8";
    match build(&open, &lang, &selection, "feed.rss").await {
        Ok((feed, changed)) => validated(&open.headers, mime, xml::rss(&feed, &open.scope.entry.zone), changed),
        Err(response) => response,
    }
}

/// `/{lang}/feed.atom`.
pub async fn atom(open: Open, Path(lang): Path<String>, Query(selection): Query<FeedSelection>) -> Response {
    let mime = "application/atom+xml; charset=utf-8";
    match build(&open, &lang, &selection, "feed.atom").await {
        Ok((feed, changed)) => validated(&open.headers, mime, xml::atom(&feed, &open.scope.entry.zone), changed),
        Err(response) => response,
    }
}

/// A feed, and when the list that it is made from last changed.
async fn build(
    open: &Open,
    lang: &str,
    selection: &FeedSelection,
    file: &str,
) -> Result<(Feed, Option<i64>), Response> {
    open.offers(|library| library.feeds)?;
    let lang = open.lang(lang)?;
    let (query, route, title_key) = match selection.list.as_str() {
        "" if selection.journal.is_empty() => (CardQuery::Latest, Route::Home, "latest_articles"),
        "" => (CardQuery::Journal(selection.journal.clone()), Route::Issues, "latest_articles"),
        "justAccepted" => (CardQuery::JustAccepted, Route::JustAccepted, "just_accepted"),
        "onlineFirst" => (CardQuery::OnlineFirst, Route::OnlineFirst, "online_first"),
        _ => return Err(open.missing()),
    };
    let latest = open.changed().await.map_err(|error| open.broken(&error))?;
    let menu = open.app.menu_content(&open.scope.entry).await.map_err(|error| open.broken(&error))?;
    let journal = menu.journals.iter().find(|journal| journal.key == selection.journal);
    if journal.is_none() && !selection.journal.is_empty() {
        return Err(open.missing());
    }
    let cards = cards(open, &query, &selection.journal).await.map_err(|error| open.broken(&error))?;
    let ids: Vec<ArticleId> = cards.iter().map(ArticleCard::article_id).collect();
    let changed = open.store().changed_at(&ids).await.map_err(|error| open.broken(&error))?;
    let addresses = open.addresses(lang);
    let page = |id| addresses.route(&Route::Article(id));
    let notices = notices::of_articles(&open.store(), &ids, page).await.map_err(|error| open.broken(&error))?;
    let repository = repository(&open.app, &open.scope.entry);
    let site = &open.scope.entry.site;
    let name = journal.map_or_else(|| site.name.get(lang), |journal| journal.title.get(lang));
    let read = |card: &ArticleCard| {
        let updated_ms = changed.get(&card.article_id()).copied().unwrap_or_default();
        let notices = notices.get(&card.article_id()).map_or(&[][..], Vec::as_slice);
        entry(card, (lang, &menu.sections), &repository, open, updated_ms, notices)
    };
    let entries: Vec<FeedEntry> = cards.iter().map(read).collect();
    let feed = Feed {
        id: format!("tag:{repository},2026:feed/{lang}/{}/{}", selection.list, percent(&selection.journal)),
        title: format!("{name} – {}", open.app.messages.get(lang, title_key)),
        description: description(open, journal, lang),
        language: lang.tag().to_owned(),
        page: addresses.route(&route),
        own: feed_address(&addresses.path(file), selection),
        updated_ms: entries.iter().map(|entry| entry.updated_ms).max().unwrap_or_default(),
        entries,
    };
    Ok((feed, latest))
}

fn description(open: &Open, journal: Option<&Journal>, lang: Lang) -> String {
    let of_site = || open.scope.entry.site.description.get(lang);
    journal.map_or_else(of_site, |journal| journal.introduction.get(lang)).to_owned()
}

/// The newest articles of a list. For one journal, a list of all journals is read page by page and filtered.
async fn cards(open: &Open, query: &CardQuery, journal: &str) -> Result<Vec<ArticleCard>, StoreError> {
    let mixed = !journal.is_empty() && !matches!(query, CardQuery::Journal(_));
    let page = if mixed { FILTER_PAGE } else { i64::try_from(ENTRIES).unwrap_or(FILTER_PAGE) };
    let mut cards = Vec::new();
    let mut after = None;
    // At most ten pages are read: a long list with few articles of the journal is not worth more queries.
    for _ in 0..10 {
        let some = open.store().cards(query, after.as_ref(), page).await?;
        after = some.last().map(CardCursor::behind);
        let last = some.len() < usize::try_from(page).unwrap_or(usize::MAX);
        cards.extend(some.into_iter().filter(|card| !mixed || card.journal == journal));
        if last || cards.len() >= ENTRIES {
            break;
        }
    }
    cards.truncate(ENTRIES);
    Ok(cards)
}

fn entry(
    card: &ArticleCard,
    (lang, sections): (Lang, &SectionNames),
    repository: &str,
    open: &Open,
    updated_ms: i64,
    notices: &[LinkedNotice],
) -> FeedEntry {
    let id = card.article_id();
    let title = card.title(lang.tag());
    // RSS and Atom require a title, and some sources have none.
    let plain = title.map_or_else(|| id.to_string(), |title| title.plain.clone());
    let marked = || open.app.messages.format(lang, "retracted_title", &[("title", &plain)]);
    FeedEntry {
        id: identifier(repository, id),
        title: if card.notice == NoticeMark::Retracted { marked() } else { plain.clone() },
        language: title.map(|title| title.lang.clone()).unwrap_or_default(),
        page: open.addresses(lang).route(&Route::Article(id)),
        doi: card.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        related: notices.iter().map(LinkedNotice::href).filter(|href| !href.is_empty()).collect(),
        authors: card.authors_for(lang.tag()).to_vec(),
        subject: sections.name(&card.subject, lang).to_owned(),
        summary: card.summary(lang.tag()).map(|summary| summary.plain.clone()).unwrap_or_default(),
        published_ms: date_ms(&card.published, &open.scope.entry.zone).unwrap_or(updated_ms),
        updated_ms,
    }
}

fn percent(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// `/{lang}/opensearch.xml`.
pub async fn search_description(open: Open, Path(lang): Path<String>) -> Response {
    let lang = match open.lang(&lang) {
        Ok(lang) => lang,
        Err(response) => return response,
    };
    let site = &open.scope.entry.site;
    let addresses = open.addresses(lang);
    let text = xml::search_description(&SearchDescription {
        name: site.name.get(lang).to_owned(),
        description: [site.description.get(lang), site.name.get(lang)]
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default()
            .to_owned(),
        language: lang.tag().to_owned(),
        search: addresses.route(&Route::Search),
        own: addresses.path("opensearch.xml"),
    });
    validated(&open.headers, "application/opensearchdescription+xml; charset=utf-8", text, None)
}
