//! Suggestions while a reader types.

use std::collections::{BTreeMap, HashMap};

use axum::{Json, extract::Query, http::StatusCode};
use masthead_domain::{
    LocalText, SiteId,
    link::LinkKind,
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use masthead_search::{SuggestionKind, title_key};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    envelope::{ApiError, Caller},
    search,
    types::Envelope,
};
use crate::search_service::{self, ResultItem, terms};
use crate::sites::addresses::Addresses;

/// Suggestions that are asked of the index, before they are parted by kind.
const ASKED: usize = 24;
/// Greatest number of words that others search for.
const MOST_WORDS: usize = 4;
/// Greatest number of key words and authors.
const MOST_TERMS: usize = 5;
/// Greatest number of titles.
const MOST_TITLES: usize = 6;

/// Query of suggestions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Typed {
    /// What the reader typed so far.
    q: String,
    /// What is searched, with the values of `type` in a search.
    #[serde(default, rename = "type")]
    kind: String,
}

/// Suggestions for what a reader is typing.
#[derive(Default, Serialize, ToSchema)]
pub struct Suggestions {
    /// Words that others search for and that have what was typed in them: at most 4.
    words: Vec<String>,
    /// Key words and names of authors: at most 5.
    terms: Vec<String>,
    /// Titles: at most 6.
    titles: Vec<TitleSuggestion>,
}

/// A suggested title.
#[derive(Serialize, ToSchema)]
pub struct TitleSuggestion {
    /// The title.
    text: String,
    /// Address of the page, at the site that has the entry, or "" for an entry without one.
    href: String,
}

/// Returns words, key words, authors and titles that begin as was typed, or have a word that does. At a group site, key words, authors and titles
/// are those of this site and the other open sites of its group. The call is not counted as a search.
#[utoipa::path(get, path = "/rc-pub/front/search/suggest", tag = "search", params(Typed),
    responses((status = 200, body = Envelope<Suggestions>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn suggest(caller: Caller, Query(query): Query<Typed>) -> Result<Json<Envelope<Suggestions>>, ApiError> {
    let kinds = terms::kinds(&query.kind).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
    let typed = query.q.trim();
    if typed.is_empty() {
        return Ok(caller.ok(Suggestions::default()));
    }
    let found = search_service::suggest(&caller.app, caller.entry(), kinds, typed, ASKED).await;
    let (found, items) = found.map_err(caller.page_failed())?;
    let hrefs = addresses(&caller, items).await;
    let mut suggestions = Suggestions { words: popular(&caller, typed).await?, ..Suggestions::default() };
    for one in found {
        match one.kind {
            SuggestionKind::Title if suggestions.titles.len() < MOST_TITLES => {
                let href = hrefs.get(&title_key(&one.text)).cloned().unwrap_or_default();
                suggestions.titles.push(TitleSuggestion { text: one.text, href });
            }
            SuggestionKind::Keyword | SuggestionKind::Author
                if suggestions.terms.len() < MOST_TERMS && !suggestions.words.contains(&one.text) =>
            {
                suggestions.terms.push(one.text);
            }
            _ => {}
        }
    }
    Ok(caller.ok(suggestions))
}

/// Words that others search for with this text in them, without the text itself.
async fn popular(caller: &Caller, typed: &str) -> Result<Vec<String>, ApiError> {
    let typed = typed.to_lowercase();
    let fits = |word: &String| {
        let word = word.to_lowercase();
        word != typed && word.contains(&typed)
    };
    Ok(search::popular_words(caller).await?.into_iter().filter(fits).take(MOST_WORDS).collect())
}

/// The addresses of entries by their titles in every language, at the sites that have them. Of a title that several sites have, it is the address
/// at the reader's own site, if that is one of them.
async fn addresses(caller: &Caller, items: Vec<(SiteId, ResultItem)>) -> HashMap<String, String> {
    let own = caller.entry().site.id;
    // The reader's own site comes first.
    let mut by_site: BTreeMap<(bool, SiteId), Vec<ResultItem>> = BTreeMap::new();
    for (site, item) in items {
        by_site.entry((site != own, site)).or_default().push(item);
    }
    let table = caller.app.sites.load_full();
    let begin = |((_, site), items): ((bool, SiteId), Vec<ResultItem>)| {
        if site == own {
            return Some((caller.addresses(), caller.plugin_call("search"), items));
        }
        // A site that was closed a moment ago has no addresses.
        let there = caller.at(table.open_by_id(site)?);
        Some((there.addresses(), there.plugin_call("search"), items))
    };
    // All calls are begun at once, so that the time of plugins for one answer is the time of all of them.
    let calls: Vec<(Addresses, Call, Vec<ResultItem>)> = by_site.into_iter().filter_map(begin).collect();
    let mut all = HashMap::new();
    for (builder, mut call, items) in calls {
        for (title, href) in at_site(&builder, &mut call, items).await {
            all.entry(title).or_insert(href);
        }
        // The next call of this request could otherwise wait for permits that this one keeps.
        call.release();
    }
    all
}

/// The addresses of entries of one site by their titles in every language, by one call of the `links` hook; none of entries without a page.
async fn at_site(builder: &Addresses, call: &mut Call, items: Vec<ResultItem>) -> HashMap<String, String> {
    let mut entries: Vec<(Vec<String>, Route)> = items.into_iter().filter_map(titles_and_page).collect();
    // Of an article and another entry with the same title, the address is that of the entry, which is written over it.
    entries.sort_by_key(|(_, route)| !matches!(route, Route::Article(_)));
    let (titles, routes): (Vec<Vec<String>>, Vec<Route>) = entries.into_iter().unzip();
    let hrefs = builder.routes(call, LinkKind::ResultArticle, &routes).await;
    let mut all = HashMap::new();
    for (titles, href) in titles.into_iter().zip(hrefs) {
        all.extend(titles.into_iter().map(|title| (title, href.clone())));
    }
    all
}

/// The keys of the titles of an entry in every language, and its page; `None` for an entry without a page.
fn titles_and_page(item: ResultItem) -> Option<(Vec<String>, Route)> {
    let keys = |titles: &LocalText| titles.0.values().map(|title| title_key(title)).collect::<Vec<String>>();
    Some(match item {
        ResultItem::Article(card) => {
            (card.titles.iter().map(|title| title_key(&title.plain)).collect(), Route::Article(card.article_id()))
        }
        ResultItem::Publication(journal) => (keys(&journal.title), Route::Text(TextPage::Journal(journal.key))),
        ResultItem::Resource(row) => {
            let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
            let named = ["title", "name"].iter().find_map(|name| data.get(*name));
            let titles = named.and_then(|text| serde_json::from_value::<LocalText>(text.clone()).ok());
            (keys(&titles.unwrap_or_default()), Route::of_resource(row.kind, row.id)?)
        }
    })
}
