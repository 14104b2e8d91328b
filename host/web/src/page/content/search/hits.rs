//! The hits of a page, as the cards of their kinds.

use std::collections::HashMap;

use masthead_content::readable_article;
use masthead_domain::{
    SiteId,
    card::{ArticleCard, CardText},
    link::LinkKind,
    publication::Journal,
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use masthead_search::{Marker, Tree, passages_of};
use masthead_store::{ResourceRow, SiteArticle, StoredArticle};
use maud::{Markup, html};

use super::{
    group::{self, Members},
    tab::Tab,
};
use crate::{
    page::{
        content::{
            bidi, journals,
            list::{self, Parts},
            resources,
        },
        context::{Context, OtherSite, PageError},
        cover,
    },
    search_service::{
        Badges, ResultItem, SearchFailure, SearchResults, marks,
        mentions::{self, Articles},
    },
};

/// Articles on a page for which a passage of the text is looked up: those that show none of the words.
const MOST_PASSAGES: usize = 5;

/// The list of hits of a tab, with the words of the query marked. `members` are the other sites that have hits. `several` says whether hits can be
/// of several sites, so that each has the name of its own.
pub async fn list(
    context: &Context<'_>,
    call: &mut Call,
    members: &mut Members,
    (tab, several): (Tab, bool),
    results: &SearchResults,
) -> Result<Markup, PageError> {
    let marker = Marker::new(results.tree.as_ref());
    let cards = if tab == Tab::Articles { cards(context, results, &marker) } else { Vec::new() };
    let passages = without_marks(context, &cards, &marker);
    let mut hits = Hits { tab, several, results, marker, cards, passages, quoted: Articles::new() };
    let of_page = std::iter::once(context.entry).chain(members.sites.iter().map(|site| &site.scope.entry));
    let store = context.app.store.sites(of_page.map(|entry| entry.site.id));
    hits.quoted = store.articles(&hits.articles_to_quote(context, &members.sites)).await?;
    let mut entries: HashMap<SiteId, std::vec::IntoIter<Markup>> = HashMap::new();
    for (site, member) in members.sites.iter().zip(&mut members.calls) {
        let there = context.at(site);
        let of_site = hits.of_site(&there, &mut member.call).await?;
        member.call.release();
        entries.insert(there.entry.site.id, of_site.into_iter());
    }
    if results.sites.contains(&context.entry.site.id) {
        entries.insert(context.entry.site.id, hits.of_site(context, call).await?.into_iter());
    }
    // A site that was closed a moment ago has no entries.
    let entries: Vec<Markup> = results.sites.iter().filter_map(|site| entries.get_mut(site)?.next()).collect();
    Ok(match tab {
        Tab::Articles => html! {
            h2.visually-hidden { (context.texts.get("articles")) }
            @if entries.is_empty() { p.empty { (context.texts.get("no_data")) } }
            @else { ol.article-list data-list { @for entry in &entries { (entry) } } }
        },
        Tab::Journals => html! { ul.journal-hits data-list { @for entry in &entries { (entry) } } },
        _ => resources::list_of_found(context, tab.resources(), &entries),
    })
}

/// The hits of a page.
struct Hits<'a> {
    tab: Tab,
    several: bool,
    results: &'a SearchResults,
    marker: Marker,
    /// The articles, with what the query matches marked.
    cards: Vec<(SiteId, ArticleCard)>,
    /// Those for which a passage of the text is looked up.
    passages: Vec<SiteArticle>,
    /// The articles of which the list has a passage, or a sentence that mentions a figure or table.
    quoted: Articles,
}

impl Hits<'_> {
    /// The hits of one site in their order, with the addresses of that site and for its reader. `call` is of its plugins.
    async fn of_site(&self, there: &Context<'_>, call: &mut Call) -> Result<Vec<Markup>, PageError> {
        let none = Badges::new();
        let site = there.entry.site.id;
        let badges = self.results.badges.get(&site).unwrap_or(&none);
        let name = if self.several {
            group::name(there)
        } else {
            html! {}
        };
        match self.tab {
            Tab::Articles => self.articles(there, call, badges, name).await,
            Tab::Journals => Ok(self.journals(there, call, &name).await),
            tab => {
                let rows: Vec<ResourceRow> = self.of(site).filter_map(resource).cloned().collect();
                let found = (rows.as_slice(), badges, &self.quoted);
                resources::found(there, call, tab.resources(), found, (&self.marker, &name)).await
            }
        }
    }

    /// The hits of a site.
    fn of(&self, site: SiteId) -> impl Iterator<Item = &ResultItem> {
        let hits = self.results.sites.iter().zip(&self.results.items);
        hits.filter(move |(of, _)| **of == site).map(|(_, item)| item)
    }

    /// The articles to read for [`Hits::quoted`]: all those of the page at once, whichever site they are of. `sites` are the other ones.
    fn articles_to_quote(&self, context: &Context<'_>, sites: &[OtherSite]) -> Vec<SiteArticle> {
        let of_site = |there: &Context<'_>| {
            let site = there.entry.site.id;
            mentions::articles_of(site, &there.rights, self.of(site).filter_map(resource))
        };
        let mut articles = self.passages.clone();
        articles.extend(of_site(context));
        articles.extend(sites.iter().flat_map(|site| of_site(&context.at(site))));
        articles
    }

    async fn articles(
        &self,
        there: &Context<'_>,
        call: &mut Call,
        badges: &Badges,
        site: Markup,
    ) -> Result<Vec<Markup>, PageError> {
        let own = there.entry.site.id;
        let cards = self.cards.iter().filter(|(site, _)| *site == own).map(|(_, card)| card.clone());
        let cards: Vec<ArticleCard> = cards.collect();
        let hrefs = there.addresses.cards(call, LinkKind::ResultArticle, &cards).await;
        let chosen = self.passages.iter().filter(|(site, _)| *site == own).filter_map(|one| self.quoted.get(one));
        let chosen: Vec<&StoredArticle> = chosen.collect();
        let passages = text_passages(there, self.results.tree.as_ref(), &self.marker, &chosen).await?;
        let journals = there.journals().await?;
        let name = |name: &str| marks::in_name(&bidi::isolated(name), &self.marker);
        let more = |card: &ArticleCard| html! { @if let Some(passage) = passages.get(&card.id) { (passage) } };
        let parts = Parts { more: &more, name: &name, site };
        let entry = |(card, href): (&ArticleCard, &String)| {
            list::entry(there, journals, (card, href), badges.get(&card.id).map_or(&[], Vec::as_slice), &parts)
        };
        Ok(cards.iter().zip(&hrefs).map(entry).collect())
    }

    async fn journals(&self, there: &Context<'_>, call: &mut Call, site: &Markup) -> Vec<Markup> {
        let found: Vec<&Journal> = self.of(there.entry.site.id).filter_map(journal).collect();
        let route = |journal: &&Journal| Route::Text(TextPage::Journal(journal.key.clone()));
        let routes: Vec<Route> = found.iter().map(route).collect();
        let hrefs = there.addresses.routes(call, LinkKind::ResultArticle, &routes).await;
        found.into_iter().zip(&hrefs).map(|(journal, href)| self.journal(there, (journal, href), site)).collect()
    }

    /// A journal. The cover of one on another host is missing: the content security policy of the page does not load it.
    fn journal(&self, there: &Context<'_>, (journal, href): (&Journal, &str), site: &Markup) -> Markup {
        let (lang, marker) = (there.lang(), &self.marker);
        html! {
            li.journal-hit data-kind="publication" data-id=[(!there.is_of_other_site()).then_some(&journal.key)] {
                @if !there.addresses.are_on_other_host() {
                    img.cover src=(cover::of_journal(there, journal)) alt="" width="600" height="800" loading="lazy";
                }
                div {
                    @if !site.0.is_empty() { p.card-kicker { (site) } }
                    h2.card-title { a href=(href) { (marks::in_markup(&bidi::local(&journal.title, lang), marker)) } }
                    @if !journal.introduction.is_empty() { p.card-summary { (marks::in_markup(&bidi::local(&journal.introduction, lang), marker)) } }
                    (journals::facts(there, journal))
                }
            }
        }
    }
}

/// The articles among the hits, with what the query matches marked. A card shows one of its titles and one of its abstracts.
fn cards(context: &Context<'_>, results: &SearchResults, marker: &Marker) -> Vec<(SiteId, ArticleCard)> {
    let lang = context.lang().tag();
    let card = |(site, item): (&SiteId, &ResultItem)| {
        let ResultItem::Article(card) = item else { return None };
        let mut card = ArticleCard::clone(card);
        card.titles = card.title(lang).map(|text| marked(text, marker)).into_iter().collect();
        card.summaries = card.summary(lang).map(|text| marked(text, marker)).into_iter().collect();
        Some((*site, card))
    };
    results.sites.iter().zip(&results.items).filter_map(card).collect()
}

/// A text of a card with what a query matches marked.
fn marked(text: &CardText, marker: &Marker) -> CardText {
    CardText { html: marks::in_markup(&list::rich(Some(text)), marker).0, ..text.clone() }
}

/// The first of these articles that show none of the words.
fn without_marks(context: &Context<'_>, cards: &[(SiteId, ArticleCard)], marker: &Marker) -> Vec<SiteArticle> {
    if marker.is_empty() {
        return Vec::new();
    }
    let lang = context.lang().tag();
    let is_marked = |text: Option<&CardText>| text.is_some_and(|text| text.html.contains("<mark>"));
    let is_named =
        |card: &ArticleCard| card.authors_for(lang).iter().any(|name| !marker.marks_of_name(name).is_empty());
    let without = |(_, card): &&(SiteId, ArticleCard)| {
        !is_marked(card.title(lang)) && !is_marked(card.summary(lang)) && !is_named(card)
    };
    cards.iter().filter(without).take(MOST_PASSAGES).map(|(site, card)| (*site, card.article_id())).collect()
}

/// A passage of the text for each of these articles, by article. Readers who may not read an article get passages of what is open to everyone.
async fn text_passages(
    context: &Context<'_>,
    tree: Option<&Tree>,
    marker: &Marker,
    chosen: &[&StoredArticle],
) -> Result<HashMap<i64, Markup>, PageError> {
    let mut texts = Vec::new();
    let Some(tree) = tree.filter(|_| !chosen.is_empty()).cloned() else { return Ok(HashMap::new()) };
    for article in chosen {
        let (id, permit) = (article.id.0, context.rights.read(article.access()));
        let rendered = readable_article::rendered(article, permit.as_ref())
            .map_err(|source| PageError::Rendered { id, source })?;
        texts.push((id, rendered.text));
    }
    let passage = move |(id, text): (i64, String)| Some((id, passages_of(&tree, &text, 1).pop()?));
    let found = tokio::task::spawn_blocking(move || texts.into_iter().filter_map(passage).collect::<Vec<_>>()).await;
    let found = found.map_err(|error| PageError::Search(SearchFailure::Panic(error)))?;
    let shown = |text: String| {
        html! { p.card-passage dir="auto" { (context.texts.get("in_the_text")) ": " q { (marks::in_markup(&html! { (text) }, marker)) } } }
    };
    Ok(found.into_iter().map(|(id, text)| (id, shown(text))).collect())
}

fn journal(item: &ResultItem) -> Option<&Journal> {
    match item {
        ResultItem::Publication(journal) => Some(journal),
        ResultItem::Article(_) | ResultItem::Resource(_) => None,
    }
}

const fn resource(item: &ResultItem) -> Option<&ResourceRow> {
    match item {
        ResultItem::Resource(row) => Some(row),
        ResultItem::Article(_) | ResultItem::Publication(_) => None,
    }
}
