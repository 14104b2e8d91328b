//! Special issues and albums: the list of them, and each with its content under tabs.

use std::collections::BTreeSet;

use masthead_domain::{
    ArticleId, LocalText,
    card::ArticleCard,
    link::{Link, LinkKind},
    publication::Journal,
    resource::{
        Album, Audio, Collection, Expert, FigureOrTable, ItemKind, ItemRef, Picture, ResourceKind, TableSheet, Video,
    },
    route::Route,
};
use masthead_runtime::Call;
use masthead_store::{ListPart, NamedArticle, ResourcePage, ResourceRow, StoredResource};
use maud::{Markup, html};

use super::{
    BY_TIME, PAGE_SIZE, alternatives, cards, entries, facts,
    selection::{Layout, Sort},
};
use crate::failure::Failure;
use crate::page::{
    content::{
        bidi, journals, list, member_actions,
        message::{absent, message},
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
    head::Head,
};

/// Code of the channels that list albums; the others list special issues.
const ALBUMS: &str = "newAlbum";

/// The page of all special issues or albums; with the number of a channel, of those that it lists.
pub async fn collections(context: &Context<'_>, call: &mut Call, channel: Option<i64>) -> Result<Page, PageError> {
    let known = channel.map(|id| context.entry.site.channels.iter().find(|channel| channel.id == id));
    let (kinds, named): (&[ResourceKind], _) = match known {
        None => (&[ResourceKind::Collection, ResourceKind::Album], None),
        Some(Some(channel)) if channel.code == ALBUMS => (&[ResourceKind::Album], Some(channel)),
        Some(Some(channel)) => (&[ResourceKind::Collection], Some(channel)),
        Some(None) => return Ok(message(context, Failure::PageUnknown)),
    };
    // Special issues and albums are arranged by time only.
    let oldest = Sort::parse(context.parameter("sort")) == Sort::Oldest;
    let current = if oldest { Sort::Oldest } else { Sort::Usual };
    let asked_journal = context.parameter("journal");
    let journals = context.journals().await?;
    let journal = journals.iter().find(|journal| journal.key == asked_journal).map_or("", |journal| &journal.key);
    let asked = Paging::requested(context, PAGE_SIZE);
    let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, order: current.in_list() };
    let found = context.store.resource_page(kinds, journal, part).await?;
    let paging = asked.of(found.total);
    let label = named.and_then(|channel| channel.label(context.lang()));
    let title = label.unwrap_or_else(|| context.texts.get("special_issues")).to_owned();
    let in_order = |sort: Sort| {
        let query = [("journal", journal), ("sort", sort.name())].into_iter().filter(|(_, value)| !value.is_empty());
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        context.addresses.link(&Link { kind: LinkKind::Other, path: Route::Collections(channel).path(), query })
    };
    let address = in_order(current);
    let sorts = BY_TIME.into_iter().map(|(sort, key)| (in_order(sort), key, sort == current));
    let entries = entries(context, call, &found.rows, LinkKind::ListArticle).await?;
    let main = html! {
        div.page-head { h1 { (title) } }
        @if found.total > 1 { div.list-tools { (alternatives(context, "sort", sorts)) } }
        (cards::list(context, &entries, Layout::Grid))
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    let head = Head { canonical: paging::at(&address, asked.page), ..Head::page(&title) };
    // A journal that the site does not have may be any word.
    let cacheable = paging.exists() && journal == asked_journal;
    Ok(Page { head, cacheable, ..Page::list("collectionList", title, main) })
}

/// A tab with the number of its entries.
#[derive(Debug, PartialEq, Eq)]
struct Tab {
    code: &'static str,
    label: &'static str,
    count: u64,
}

/// What the page of a special issue or album shows besides its content.
struct Shown<'a> {
    kind: ResourceKind,
    id: i64,
    route: Route,
    title: &'a LocalText,
    introduction: Markup,
    cover: &'a str,
    date: &'a str,
}

/// The page of a special issue, by its number or key.
pub async fn collection(context: &Context<'_>, call: &mut Call, name: &str) -> Result<Page, PageError> {
    let Some(stored) = context.store.resource_named::<Collection>(name).await? else {
        return Ok(absent(context));
    };
    let collection = &stored.value;
    let articles = context.store.named_articles(&keys(&collection.items, ItemKind::Article)).await?;
    let tabs = collection_tabs(&collection.items, &articles);
    let tab = chosen(context, &tabs);
    let asked = Paging::requested(context, PAGE_SIZE);
    let ids: Vec<ArticleId> = articles.iter().map(|article| article.id).collect();
    let content = match tab {
        "figures" => {
            exhibits::<Picture>(context, call, &ids, &keys(&collection.items, ItemKind::Picture), asked).await?
        }
        "tables" => {
            exhibits::<TableSheet>(context, call, &ids, &keys(&collection.items, ItemKind::Table), asked).await?
        }
        "experts" => named::<Expert>(context, call, &keys(&collection.items, ItemKind::Expert), asked).await?,
        _ => papers(context, call, (stored.id, &ids), asked).await?,
    };
    let shown = Shown {
        kind: ResourceKind::Collection,
        id: stored.id,
        route: Route::Collection(stored.id.to_string()),
        title: &collection.title,
        introduction: facts::rich(context, &collection.introduction),
        cover: &collection.cover,
        date: &collection.date,
    };
    let main = page(context, &shown, &tabs, tab, &content);
    let page = facts::page::<Collection>(context, &collection.title, &collection.introduction, main);
    Ok(finished(context, page, &shown, tab, &tabs, &content))
}

/// The page of an album.
pub async fn album(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError> {
    let Some(stored) = context.store.resource::<Album>(id).await? else { return Ok(absent(context)) };
    let album = &stored.value;
    let count = |kind| keys(&album.items, kind).len() as u64;
    let tabs = [
        Tab { code: "article", label: "tab_article", count: count(ItemKind::Article) },
        Tab { code: "publication", label: "tab_publication", count: count(ItemKind::Publication) },
        Tab { code: "audio", label: "tab_audio", count: count(ItemKind::Audio) },
        Tab { code: "video", label: "tab_video", count: count(ItemKind::Video) },
    ];
    let tab = chosen(context, &tabs);
    let asked = Paging::requested(context, PAGE_SIZE);
    let content = match tab {
        "publication" => journals(context, &keys(&album.items, ItemKind::Publication), asked).await?,
        "audio" => named::<Audio>(context, call, &keys(&album.items, ItemKind::Audio), asked).await?,
        "video" => named::<Video>(context, call, &keys(&album.items, ItemKind::Video), asked).await?,
        _ => {
            let articles = context.store.named_articles(&keys(&album.items, ItemKind::Article)).await?;
            let ids: Vec<ArticleId> = articles.iter().map(|article| article.id).collect();
            papers(context, call, (stored.id, &ids), asked).await?
        }
    };
    let shown = Shown {
        kind: ResourceKind::Album,
        id: stored.id,
        route: Route::Resource(ResourceKind::Album, stored.id),
        title: &album.title,
        introduction: facts::prose(context, &album.introduction),
        cover: &album.cover,
        date: &album.date,
    };
    let main = page(context, &shown, &tabs, tab, &content);
    let page = facts::page::<Album>(context, &album.title, &album.introduction, main);
    Ok(finished(context, page, &shown, tab, &tabs, &content))
}

/// The keys of the items of a kind, each once, in their order.
fn keys(items: &[ItemRef], kind: ItemKind) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let of_kind = items.iter().filter(|item| item.kind == kind).map(|item| item.key.as_str());
    of_kind.filter(|key| seen.insert(*key)).collect()
}

/// The tabs of a special issue. Its figures and tables are those of its articles, and those that it names of other articles.
fn collection_tabs(items: &[ItemRef], articles: &[NamedArticle]) -> [Tab; 4] {
    let named = |kind| {
        // The key of a figure or table begins with the number of its article.
        let other = |key: &&str| {
            let article = key.split('/').next().and_then(|id| id.parse().ok()).map(ArticleId);
            article.is_none_or(|id| articles.iter().all(|article| article.id != id))
        };
        keys(items, kind).into_iter().filter(other).count() as u64
    };
    let all = |numbers: fn(&NamedArticle) -> i64| {
        articles.iter().filter_map(|article| u64::try_from(numbers(article)).ok()).sum::<u64>()
    };
    [
        Tab { code: "paper", label: "tab_paper", count: articles.len() as u64 },
        Tab { code: "figures", label: "tab_figures", count: all(|article| article.figures) + named(ItemKind::Picture) },
        Tab { code: "tables", label: "tab_tables", count: all(|article| article.tables) + named(ItemKind::Table) },
        Tab { code: "experts", label: "tab_experts", count: keys(items, ItemKind::Expert).len() as u64 },
    ]
}

/// The tab that the address names, else the first one with content.
fn chosen(context: &Context<'_>, tabs: &[Tab]) -> &'static str {
    let asked = context.parameter("tab");
    let named = tabs.iter().find(|tab| tab.code == asked);
    named.or_else(|| tabs.iter().find(|tab| tab.count > 0)).or_else(|| tabs.first()).map_or("", |tab| tab.code)
}

/// The part of a tab's list that a page shows.
struct Content {
    list: Markup,
    paging: Paging,
}

/// The articles of the special issue or album with the number `of`, from which their pages lead back to it.
async fn papers(
    context: &Context<'_>,
    call: &mut Call,
    (of, ids): (i64, &[ArticleId]),
    asked: Paging,
) -> Result<Content, PageError> {
    let paging = asked.of(ids.len() as u64);
    let part = paging.part(ids);
    let mut cards: Vec<ArticleCard> = context.store.cards_by_id(part).await?;
    cards.sort_by_key(|card| part.iter().position(|id| *id == card.article_id()));
    let from = [("virtualId".to_owned(), of.to_string())];
    let hrefs = context.addresses.cards_from(call, LinkKind::ListArticle, &cards, &from).await;
    let journals = context.journals().await?;
    Ok(Content { list: list::paged_articles(context, journals, &cards, &hrefs), paging })
}

async fn exhibits<T>(
    context: &Context<'_>,
    call: &mut Call,
    articles: &[ArticleId],
    keys: &[&str],
    asked: Paging,
) -> Result<Content, PageError>
where
    T: StoredResource + FigureOrTable,
{
    let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, ..ListPart::default() };
    let ResourcePage { rows, total } = context.store.exhibit_page::<T>(articles, keys, part).await?;
    let layout = if T::KIND == ResourceKind::Picture { Layout::Grid } else { Layout::List };
    let list = cards::list(context, &entries(context, call, &rows, LinkKind::ListArticle).await?, layout);
    Ok(Content { list, paging: asked.of(total) })
}

/// The resources with these keys, in the order of the keys.
async fn named<T: StoredResource>(
    context: &Context<'_>,
    call: &mut Call,
    keys: &[&str],
    asked: Paging,
) -> Result<Content, PageError> {
    let paging = asked.of(keys.len() as u64);
    let part = paging.part(keys);
    let mut found = context.store.resources_by_keys::<T>(part).await?;
    let mut rows = Vec::with_capacity(part.len());
    for stored in part.iter().filter_map(|key| found.remove(*key)) {
        // What was decoded from the database can be encoded again.
        let Ok(data) = stored.value.encode() else { continue };
        rows.push(ResourceRow { id: stored.id, kind: T::KIND, article: 0, open_access: false, changed_ms: 0, data });
    }
    let entries = entries(context, call, &rows, LinkKind::ListArticle).await?;
    Ok(Content { list: cards::list(context, &entries, Layout::Grid), paging })
}

/// The journals with these keys, of which an album has few: they are on one page.
async fn journals(context: &Context<'_>, keys: &[&str], asked: Paging) -> Result<Content, PageError> {
    let all = context.journals().await?;
    let named: Vec<&Journal> = keys.iter().filter_map(|key| all.iter().find(|journal| journal.key == **key)).collect();
    let several = all.len() > 1;
    let href = |journal: &Journal| {
        let issue = Route::Issue { journal: String::new(), which: None };
        let query = if several { vec![("journal".to_owned(), journal.key.clone())] } else { Vec::new() };
        context.addresses.link(&Link { kind: LinkKind::Other, path: issue.path(), query })
    };
    let list = html! {
        @if named.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @else { (journals::grid(context, named, href)) }
    };
    Ok(Content { list, paging: asked.of(0) })
}

/// The address of a tab. Without a name, an address leads to the first tab with content.
fn at(context: &Context<'_>, route: &Route, tab: &str, tabs: &[Tab]) -> String {
    let usual = tabs.iter().find(|one| one.count > 0).is_some_and(|usual| usual.code == tab);
    let query = if usual { Vec::new() } else { vec![("tab".to_owned(), tab.to_owned())] };
    context.addresses.link(&Link { kind: LinkKind::Other, path: route.path(), query })
}

fn page(context: &Context<'_>, shown: &Shown<'_>, tabs: &[Tab], tab: &str, content: &Content) -> Markup {
    let texts = &context.texts;
    let address = at(context, &shown.route, tab, tabs);
    let name = tabs.iter().find(|one| one.code == tab).map_or("", |one| one.label);
    html! {
        article.resource data-resource=(shown.kind.as_str()) {
            header.collection-head {
                (facts::cover(shown.cover))
                div.page-head {
                    p.kicker {
                        a href=(context.addresses.route(&Route::Collections(None))) { (texts.get("special_issues")) }
                        @if !shown.date.is_empty() { " · " (bidi::date(shown.date)) }
                    }
                    (facts::heading(context, shown.title))
                    (shown.introduction)
                    (member_actions::of_resource(context, shown.kind, shown.id, &context.addresses.route(&shown.route)))
                }
            }
            nav.tabs aria-label=(texts.get("catalogue")) {
                ul {
                    @for one in tabs {
                        li {
                            a href=(at(context, &shown.route, one.code, tabs)) aria-current=[(one.code == tab).then_some("page")] {
                                (texts.get(one.label)) " " span.count { (one.count) }
                            }
                        }
                    }
                }
            }
            section.tab-content {
                @if matches!(tab, "paper" | "article" | "publication") { h2.visually-hidden { (texts.get(name)) } }
                (content.list)
                (paging::more(context, &content.paging, |page| paging::at(&address, page)))
            }
        }
    }
}

/// The page with its canonical address: by number, whatever name the request has.
fn finished(context: &Context<'_>, page: Page, shown: &Shown<'_>, tab: &str, tabs: &[Tab], content: &Content) -> Page {
    let canonical = paging::at(&at(context, &shown.route, tab, tabs), content.paging.page);
    let head = Head { canonical, ..page.head };
    // A tab that there is not may be any word.
    let asked = context.parameter("tab");
    Page { head, cacheable: content.paging.exists() && (asked.is_empty() || asked == tab), ..page }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: ItemKind, key: &str) -> ItemRef {
        ItemRef { kind, key: key.to_owned() }
    }

    #[test]
    fn tabs_count_what_a_collection_names_and_what_its_articles_have() {
        let items = [
            item(ItemKind::Article, "10.5555/a"),
            item(ItemKind::Picture, "7/F1"),
            item(ItemKind::Picture, "8/F1"),
            item(ItemKind::Picture, "8/F1"),
            item(ItemKind::Expert, "e"),
        ];
        let articles = [NamedArticle { id: ArticleId(7), figures: 3, tables: 1 }];
        let counts = collection_tabs(&items, &articles).map(|tab| tab.count);
        assert_eq!(counts, [1, 4, 1, 1], "the figure 7/F1 is one of the article's three");
        assert_eq!(collection_tabs(&[], &[]).map(|tab| tab.count), [0; 4]);
    }

    #[test]
    fn keys_are_listed_once_in_their_order() {
        let items = [
            item(ItemKind::Audio, "b"),
            item(ItemKind::Video, "x"),
            item(ItemKind::Audio, "a"),
            item(ItemKind::Audio, "b"),
        ];
        assert_eq!(keys(&items, ItemKind::Audio), ["b", "a"]);
    }
}
