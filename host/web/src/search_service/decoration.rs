//! Hits in the order in which the plugins of their sites put them, with the badges that these attach.
//!
//! The hits that a plugin is given are articles: the contract has their numbers and types. A figure or table stands for its article there. A hit
//! that belongs to no article has no form in which a plugin could be given it, and keeps its place.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use masthead_domain::{ArticleId, Lang, SiteId, card::ArticleCard};
use masthead_runtime::{
    Call, Hook,
    hook_types::{Badge, SearchHit, SearchHitPage},
};
use masthead_store::SiteArticle;

use super::{ResultItem, SearchResults, mentions};
use crate::{app::App, sites::SiteEntry};

/// The badges that plugins attach, by the number of the article.
pub type Badges = HashMap<i64, Vec<Badge>>;
/// Hits, each with its site.
type Found = Vec<(SiteId, ResultItem)>;
/// Cards of articles that are no hits themselves, by site and number.
type Cards = HashMap<SiteArticle, ArticleCard>;

/// Passes the hits of a site among those of a page through the `search.decorate` hooks of the site's plugins. Hits of other sites keep their
/// places, and no plugin of this one is given them. `said` is what the reader typed, as one text.
pub async fn decorated(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    said: &str,
    found: Found,
) -> (Found, Badges) {
    let cards = articles_of_parts(app, asking([entry]), &found).await;
    decorated_with(entry, call, lang, said, found, cards.as_ref()).await
}

/// Does so with what [`articles_of_parts`] has read.
async fn decorated_with(
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    said: &str,
    found: Found,
    cards: Option<&Cards>,
) -> (Found, Badges) {
    let Some(cards) = cards.filter(|_| entry.chain.has_hook(Hook::SearchDecorate)) else {
        return (found, Badges::new());
    };
    let site = entry.site.id;
    let places: Vec<(usize, ArticleId)> = found
        .iter()
        .enumerate()
        .filter(|(_, (of, _))| *of == site)
        .filter_map(|(place, (_, item))| Some((place, article_of(item)?)))
        .collect();
    let hits = hits(site, lang, &found, &places, cards);
    if hits.is_empty() {
        return (found, Badges::new());
    }
    let before: Vec<i64> = hits.iter().map(|hit| hit.id).collect();
    let hits = call.decorate_hits(SearchHitPage { text: said.to_owned(), hits }).await;
    // The runtime guarantees that these are the same articles, possibly in another order.
    let after: Vec<i64> = hits.iter().map(|hit| hit.id).collect();
    let found = if before == after { found } else { moved(found, &sources(&places, &after)) };
    let badges = hits.into_iter().map(|hit| (hit.id, hit.badges)).filter(|(_, badges)| !badges.is_empty());
    (found, badges.collect())
}

/// The call of the plugins of another site of a group.
pub struct MemberCall {
    /// The site.
    pub entry: Arc<SiteEntry>,
    /// The call.
    pub call: Call,
    /// The language of the site's pages.
    pub lang: Lang,
}

/// The other open sites that have hits.
pub fn members(app: &App, own: SiteId, results: &SearchResults) -> Vec<Arc<SiteEntry>> {
    let others: BTreeSet<SiteId> = results.sites.iter().copied().filter(|site| *site != own).collect();
    let table = app.sites.load_full();
    others.into_iter().filter_map(|site| table.open_by_id(site)).cloned().collect()
}

/// Passes the hits of other sites of a group through the hooks of their own plugins, of which each is given those of its site alone. All calls
/// were begun at once, so that the time of plugins for one page is the time of all of them. They can be used further.
pub async fn decorated_by_members(
    app: &App,
    calls: &mut [MemberCall],
    said: &str,
    results: SearchResults,
) -> SearchResults {
    let SearchResults { items, sites, mut badges, .. } = results;
    let mut found: Found = sites.into_iter().zip(items).collect();
    let asking = asking(calls.iter().map(|member| &*member.entry));
    let cards = articles_of_parts(app, asking, &found).await;
    for MemberCall { entry, call, lang } in calls {
        let (ordered, attached) = decorated_with(entry, call, *lang, said, found, cards.as_ref()).await;
        call.release();
        found = ordered;
        badges.insert(entry.site.id, attached);
    }
    let (sites, items) = found.into_iter().unzip();
    SearchResults { items, sites, badges, ..results }
}

/// The article that a hit is, or is part of.
fn article_of(item: &ResultItem) -> Option<ArticleId> {
    match item {
        ResultItem::Article(card) => Some(card.article_id()),
        ResultItem::Resource(row) => mentions::article_of(row),
        ResultItem::Publication(_) => None,
    }
}

/// Those of the sites whose plugins look at hits.
fn asking<'a>(entries: impl IntoIterator<Item = &'a SiteEntry>) -> BTreeSet<SiteId> {
    let asking = entries.into_iter().filter(|entry| entry.chain.has_hook(Hook::SearchDecorate));
    asking.map(|entry| entry.site.id).collect()
}

/// The articles of these sites of which figures or tables are hits and that are no hits themselves, by one statement, if there are such. `None` if
/// they cannot be read: plugins are given all hits of their site, or none.
async fn articles_of_parts(app: &App, sites: BTreeSet<SiteId>, found: &[(SiteId, ResultItem)]) -> Option<Cards> {
    if sites.is_empty() {
        return Some(Cards::new());
    }
    let of = |(site, item): &(SiteId, ResultItem)| Some((*site, article_of(item)?));
    let is_hit = |(_, item): &&(SiteId, ResultItem)| matches!(item, ResultItem::Article(_));
    let known: BTreeSet<SiteArticle> = found.iter().filter(is_hit).filter_map(of).collect();
    let parts = found.iter().filter(|(site, _)| sites.contains(site)).filter_map(of);
    let missing: Vec<SiteArticle> = parts.filter(|article| !known.contains(article)).collect();
    match app.store.sites(sites).cards_by_id(&missing).await {
        Ok(cards) => Some(cards),
        Err(error) => {
            tracing::warn!(%error, "plugins are not given the hits of a search");
            None
        }
    }
}

/// The articles of the hits at these places, each once; `cards` has those that are no hits themselves.
fn hits(
    site: SiteId,
    lang: Lang,
    found: &[(SiteId, ResultItem)],
    places: &[(usize, ArticleId)],
    cards: &Cards,
) -> Vec<SearchHit> {
    let own = places.iter().filter_map(|(place, _)| match found.get(*place)? {
        (_, ResultItem::Article(card)) => Some((card.article_id(), &**card)),
        _ => None,
    });
    let mut known: HashMap<ArticleId, &ArticleCard> = own.collect();
    for (_, article) in places {
        if let Some(card) = cards.get(&(site, *article)) {
            known.entry(*article).or_insert(card);
        }
    }
    places.iter().filter_map(|(_, article)| Some(hit(known.remove(article)?, lang))).collect()
}

fn hit(card: &ArticleCard, lang: Lang) -> SearchHit {
    SearchHit {
        id: card.id,
        doi: card.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        title: card.title(lang.tag()).map(|title| title.plain.clone()).unwrap_or_default(),
        kind: card.article_type.clone(),
        year: card.year,
        open_access: card.open_access,
        badges: Vec::new(),
    }
}

/// For each of these places that belongs to one of the articles: the place, and the one from which its hit comes. The hits have the order of
/// their articles; those of one article keep theirs.
fn sources(places: &[(usize, ArticleId)], order: &[i64]) -> Vec<(usize, usize)> {
    let ranks: HashMap<i64, usize> = order.iter().enumerate().map(|(rank, id)| (*id, rank)).collect();
    let known = places.iter().filter_map(|(place, article)| Some((*ranks.get(&article.0)?, *place)));
    let mut ranked: Vec<(usize, usize)> = known.collect();
    let targets: Vec<usize> = ranked.iter().map(|(_, place)| *place).collect();
    ranked.sort_unstable();
    targets.into_iter().zip(ranked.into_iter().map(|(_, place)| place)).collect()
}

/// The hits, those at some places exchanged.
fn moved(found: Found, sources: &[(usize, usize)]) -> Found {
    let mut from: Vec<usize> = (0..found.len()).collect();
    for (target, source) in sources {
        if let Some(place) = from.get_mut(*target) {
            *place = *source;
        }
    }
    let mut left: Vec<Option<(SiteId, ResultItem)>> = found.into_iter().map(Some).collect();
    from.into_iter().filter_map(|place| left.get_mut(place)?.take()).collect()
}

#[cfg(test)]
mod tests {
    use masthead_domain::{publication::Journal, resource::ResourceKind};
    use masthead_store::ResourceRow;

    use super::*;

    const HERE: SiteId = SiteId(1);

    fn row(kind: ResourceKind, article: i64) -> ResultItem {
        ResultItem::Resource(ResourceRow {
            id: 9,
            kind,
            article,
            open_access: false,
            changed_ms: 0,
            data: String::new(),
        })
    }

    #[test]
    fn only_hits_of_articles_are_given_to_plugins() {
        assert_eq!(article_of(&row(ResourceKind::Picture, 7)), Some(ArticleId(7)));
        assert_eq!(article_of(&row(ResourceKind::Table, 7)), Some(ArticleId(7)));
        assert_eq!(article_of(&row(ResourceKind::News, 0)), None);
        assert_eq!(article_of(&row(ResourceKind::Comment, 7)), None, "a comment is no part of its article");
        assert_eq!(article_of(&ResultItem::Publication(Box::default())), None);
        let card = ArticleCard { id: 7, ..ArticleCard::default() };
        assert_eq!(article_of(&ResultItem::Article(Box::new(card))), Some(ArticleId(7)));
    }

    /// The places from which the hits of a page come; 0 stands for a hit without an article.
    fn order(articles: &[i64], order: &[i64]) -> Vec<usize> {
        let places = articles.iter().enumerate().filter(|(_, article)| **article > 0);
        let places: Vec<(usize, ArticleId)> = places.map(|(place, article)| (place, ArticleId(*article))).collect();
        let journal = |place: usize| {
            let key = place.to_string();
            (HERE, ResultItem::Publication(Box::new(Journal { key, ..Journal::default() })))
        };
        let found = (0..articles.len()).map(journal).collect();
        let place = |(_, item): (SiteId, ResultItem)| match item {
            ResultItem::Publication(journal) => journal.key.parse().ok(),
            ResultItem::Article(_) | ResultItem::Resource(_) => None,
        };
        moved(found, &sources(&places, order)).into_iter().filter_map(place).collect()
    }

    #[test]
    fn hits_have_the_order_of_their_articles() {
        assert_eq!(order(&[1, 2, 3], &[3, 1, 2]), [2, 0, 1]);
        assert_eq!(order(&[1, 2, 1, 3], &[2, 1, 3]), [1, 0, 2, 3], "several parts of one article stay together");
        assert_eq!(order(&[0, 1, 0, 2], &[2, 1]), [0, 3, 2, 1], "what has no article keeps its place");
        assert_eq!(order(&[1, 2], &[2]), [0, 1], "an article that was removed meanwhile");
        assert_eq!(order(&[], &[]), Vec::<usize>::new());
    }
}
