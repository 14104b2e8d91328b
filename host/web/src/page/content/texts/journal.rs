//! A journal in detail: about, current issue, all issues, columns, editorial board, contact.

use std::collections::{HashMap, HashSet};

use masthead_domain::{
    link::LinkKind,
    publication::Journal,
    resource::{Board, Column, Information, Stored},
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use masthead_store::{BrowseBy, CardPage};
use maud::{Markup, html};

use super::{READ_TEXTS, board, texts_in_order, with_query};
use crate::page::{
    content::{
        bidi, issue, journals, list, member_actions,
        message::absent,
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
    cover,
    head::Head,
};

/// Columns on a page of the list of columns, without those below them, and articles on a page of a column.
const PAGE_SIZE: u32 = 20;
/// The limit of what is read whole.
const EVERY: i64 = i64::MAX;

/// A tab of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    About,
    Current,
    Issues,
    Columns,
    Board,
    Contact,
}

impl Tab {
    const ALL: [Self; 6] = [Self::About, Self::Current, Self::Issues, Self::Columns, Self::Board, Self::Contact];

    /// The value of the parameter `tab`, and the key of the name.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::About => ("about", "about"),
            Self::Current => ("current", "current_issue"),
            Self::Issues => ("issues", "all_issues"),
            Self::Columns => ("columns", "columns"),
            Self::Board => ("board", "editorial_board"),
            Self::Contact => ("contact", "contact"),
        }
    }

    fn asked(context: &Context<'_>) -> Self {
        let asked = context.parameter("tab");
        Self::ALL.into_iter().find(|tab| tab.names().0 == asked).unwrap_or(Self::About)
    }
}

/// `mag/:key?`.
pub async fn page(context: &Context<'_>, call: &mut Call, key: &str) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    match journals {
        [only] if key.is_empty() => one(context, call, only, key).await,
        several if key.is_empty() => Ok(all(context, several)),
        some => match some.iter().find(|journal| journal.key == key) {
            Some(journal) => one(context, call, journal, key).await,
            None => Ok(absent(context)),
        },
    }
}

fn all(context: &Context<'_>, journals: &[Journal]) -> Page {
    let title = context.texts.get("journals").to_owned();
    let at = |key: &str| context.addresses.route(&Route::Text(TextPage::Journal(key.to_owned())));
    let paging = Paging::requested(context, paging::CARDS).of(journals.len() as u64);
    let shown = paging.part(journals);
    let main = html! {
        div.page-head { h1 { (title) } }
        @if shown.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @else { (journals::grid(context, shown, |journal| at(&journal.key))) }
        (paging::more(context, &paging, |page| paging::at(&at(""), page)))
    };
    // The list has no tabs: their names may be any words.
    let is_known = ["tab", "column"].into_iter().all(|name| context.parameter(name).is_empty());
    Page { cacheable: paging.exists() && is_known, ..Page::list("mag", title, main) }
}

async fn one(context: &Context<'_>, call: &mut Call, journal: &Journal, key: &str) -> Result<Page, PageError> {
    let lang = context.lang();
    let tab = Tab::asked(context);
    let path = context.addresses.route(&Route::Text(TextPage::Journal(key.to_owned())));
    let (content, cacheable) = match tab {
        Tab::About => (about(context, journal).await?, true),
        Tab::Current => current(context, call, journal, &path).await?,
        Tab::Issues => issues(context, journal, &path).await?,
        Tab::Columns => columns(context, call, journal, &path).await?,
        Tab::Board => (boards(context, journal).await?, true),
        Tab::Contact => (contact(context).await?, true),
    };
    let name = journal.title.get(lang);
    let of_tab = context.texts.get(tab.names().1);
    let title = if tab == Tab::About { name.to_owned() } else { format!("{of_tab} · {name}") };
    let main = html! {
        section.home-hero {
            img.cover src=(cover::of_journal(context, journal)) alt="" width="600" height="800";
            div.hero-text {
                h1 { (bidi::local(&journal.title, lang)) }
                (journals::facts(context, journal))
                (member_actions::of_journal(context, &journal.key, &path))
            }
        }
        nav.tabs aria-label=(name) {
            ul {
                @for other in Tab::ALL {
                    @let (value, label) = other.names();
                    @let href = if other == Tab::About { path.clone() } else { format!("{path}?tab={value}") };
                    li { a href=(href) aria-current=[(other == tab).then_some("page")] { (context.texts.get(label)) } }
                }
            }
        }
        (content)
    };
    let head = Head::page(journal.introduction.get(lang));
    // A tab that there is not may be any word, and so may what the tab does not read.
    let is_read = |name: &str, tabs: &[Tab]| context.parameter(name).is_empty() || tabs.contains(&tab);
    let asked = context.parameter("tab");
    let is_known = (asked.is_empty() || asked == tab.names().0)
        && is_read("column", &[Tab::Columns])
        && is_read("page", &[Tab::Columns, Tab::Current, Tab::Issues]);
    Ok(Page { head, cacheable: cacheable && is_known, ..Page::list("mag", title, main) })
}

/// What the journal says of itself, the databases that index it, and the site's texts about it.
async fn about(context: &Context<'_>, journal: &Journal) -> Result<Markup, PageError> {
    let lang = context.lang();
    let texts = texts(context, &["introduce", "aboutus"]).await?;
    Ok(html! {
        section.block {
            h2.visually-hidden { (context.texts.get("about")) }
            p.page-lead { (bidi::local(&journal.introduction, lang)) }
            @if !journal.impact_factor.is_empty() || !journal.databases.is_empty() {
                dl.facts {
                    @if !journal.impact_factor.is_empty() {
                        div { dt { (context.texts.get("impact_factor")) } dd { (bidi::ltr(&journal.impact_factor)) } }
                    }
                    @if !journal.databases.is_empty() {
                        @let names: Vec<Markup> = journal.databases.iter().map(|name| bidi::isolated(name)).collect();
                        div { dt { (context.texts.get("databases")) } dd { (bidi::joined(&names, " · ")) } }
                    }
                }
            }
        }
        (texts_in_order(context, "", &texts))
    })
}

/// The site's texts with the first of these codes that has some. On a site with several journals they are about the site.
async fn texts(context: &Context<'_>, codes: &[&str]) -> Result<Vec<Stored<Information>>, PageError> {
    if context.journals().await?.len() > 1 {
        return Ok(Vec::new());
    }
    for code in codes {
        let texts = context.store.resources::<Information>(code, None, READ_TEXTS).await?;
        if !texts.is_empty() {
            return Ok(texts);
        }
    }
    Ok(Vec::new())
}

async fn contact(context: &Context<'_>) -> Result<Markup, PageError> {
    let site = &context.entry.site;
    let texts = context.store.resources::<Information>("contact", None, READ_TEXTS).await?;
    Ok(html! {
        section.block {
            h2.visually-hidden { (context.texts.get("contact")) }
            @if texts.is_empty() { p.empty { (context.texts.get("no_data")) } }
            (texts_in_order(context, site.name.get(context.lang()), &texts))
        }
    })
}

/// The articles of the current issue, as many on a page as on the page of an issue. Returns whether the page may be cached too.
async fn current(
    context: &Context<'_>,
    call: &mut Call,
    journal: &Journal,
    path: &str,
) -> Result<(Markup, bool), PageError> {
    let journals = context.journals().await?;
    let issues = context.issues_of(journal).await?;
    let Some(current) = issues.first() else {
        let nothing = html! { p.empty { (context.texts.get("no_data")) } };
        return Ok((nothing, context.parameter("page").is_empty()));
    };
    let asked = Paging::requested(context, issue::PAGE_SIZE);
    let CardPage { total, cards } = context.store.issue_page(current, asked.offset(), issue::PAGE_SIZE).await?;
    let paging = asked.of(total);
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let (name, href) = (issue::shown_name(context, current), issue::address(context, current, journals.len() > 1));
    let address = with_query(path, [("tab", Tab::Current.names().0)]);
    let shown = html! {
        section.block {
            h2.block-title { span { (name) } a.block-more href=(href) { (context.texts.get("view_all")) } }
            (list::paged_articles(context, journals, &cards, &hrefs))
            (paging::more(context, &paging, |page| paging::at(&address, page)))
        }
    };
    Ok((shown, paging.exists()))
}

/// The issues of the journal, newest first. Returns whether the page may be cached too.
async fn issues(context: &Context<'_>, journal: &Journal, path: &str) -> Result<(Markup, bool), PageError> {
    let several = context.journals().await?.len() > 1;
    let all = context.issues_of(journal).await?;
    let paging = Paging::requested(context, paging::CARDS).of(all.len() as u64);
    let issues = paging.part(&all);
    let address = with_query(path, [("tab", Tab::Issues.names().0)]);
    let shown = html! {
        h2.visually-hidden { (context.texts.get("all_issues")) }
        @if issues.is_empty() { p.empty { (context.texts.get("no_data")) } }
        ul.issue-grid.block data-list {
            @for one in issues {
                li.issue-card {
                    a href=(issue::address(context, one, several)) {
                        img.cover src=(cover::of_issue(context, journal, one)) alt="" width="600" height="800" loading="lazy";
                        span.issue-name { (issue::shown_name(context, one)) }
                        @if !one.title.is_empty() { span.issue-theme { (bidi::local(&one.title, context.lang())) } }
                    }
                }
            }
        }
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    Ok((shown, paging.exists()))
}

/// The columns of the journal; with one open, its articles. Returns whether the page may be cached too.
async fn columns(
    context: &Context<'_>,
    call: &mut Call,
    journal: &Journal,
    path: &str,
) -> Result<(Markup, bool), PageError> {
    // All are read: a column may stand anywhere before or behind the one that it is listed under.
    let all = context.store.resources::<Column>("", None, EVERY).await?;
    let own = |column: &Column| column.journal.is_empty() || column.journal == journal.key;
    let columns: Vec<Column> = all.into_iter().map(|stored| stored.value).filter(own).collect();
    let asked = context.parameter("column");
    let address = with_query(path, [("tab", Tab::Columns.names().0)]);
    let at = |key: &str| with_query(path, [("tab", Tab::Columns.names().0), ("column", key)]);
    let tree = ColumnTree::of(&columns);
    let Some(open) = columns.iter().find(|column| !asked.is_empty() && column.key == asked) else {
        let paging = Paging::requested(context, PAGE_SIZE).of(tree.first.len() as u64);
        let shown = html! {
            (column_list(context, &tree, &paging, "", at))
            (paging::more(context, &paging, |page| paging::at(&address, page)))
        };
        return Ok((shown, asked.is_empty() && paging.exists()));
    };
    // `page` is that of the articles. The columns are those of the page that has the open one.
    let paging = tree.page_with(open);
    let (articles, exists) = of_column(context, call, open, &at(&open.key)).await?;
    let shown = html! {
        (column_list(context, &tree, &paging, &open.key, at))
        @if paging.pages() > 1 {
            p.publication-links { a.block-more href=(paging::at(&address, paging.page)) { (context.texts.get("view_all")) } }
        }
        (articles)
    };
    Ok((shown, exists))
}

/// The columns of a journal in two levels.
struct ColumnTree<'a> {
    /// Those of the first level, and those that would be lost otherwise: below one of the second level, or below one that the journal does
    /// not have.
    first: Vec<&'a Column>,
    /// Those of the second level, by the key of the column above them.
    second: HashMap<&'a str, Vec<&'a Column>>,
}

impl<'a> ColumnTree<'a> {
    fn of(columns: &'a [Column]) -> Self {
        let keys = columns.iter().filter(|column| column.parent.is_empty()).map(|column| column.key.as_str());
        let above: HashSet<&str> = keys.filter(|key| !key.is_empty()).collect();
        let mut tree = Self { first: Vec::new(), second: HashMap::new() };
        for column in columns {
            let parent = column.parent.as_str();
            if above.contains(parent) {
                tree.second.entry(parent).or_default().push(column);
            } else {
                tree.first.push(column);
            }
        }
        tree
    }

    fn below(&self, column: &Column) -> &[&'a Column] {
        self.second.get(column.key.as_str()).map_or(&[], Vec::as_slice)
    }

    /// The page of the list that has a column.
    fn page_with(&self, column: &Column) -> Paging {
        let has_it =
            |first: &&Column| first.key == column.key || self.below(first).iter().any(|child| child.key == column.key);
        let before = self.first.iter().position(has_it).unwrap_or(0);
        let page = before / PAGE_SIZE as usize + 1;
        Paging { page: u32::try_from(page).unwrap_or(u32::MAX), size: PAGE_SIZE, total: self.first.len() as u64 }
    }
}

/// A page of the columns. The list continues on its next page, unless the articles of the column with the key `open` do so below it.
fn column_list(
    context: &Context<'_>,
    tree: &ColumnTree<'_>,
    paging: &Paging,
    open: &str,
    at: impl Fn(&str) -> String,
) -> Markup {
    let lang = context.lang();
    let entry = |column: &Column| {
        let is_open = !open.is_empty() && column.key == open;
        html! {
            a href=(at(&column.key)) aria-current=[is_open.then_some("page")] { (bidi::local(&column.title, lang)) }
            @if !column.introduction.is_empty() { p { (bidi::local(&column.introduction, lang)) } }
        }
    };
    html! {
        h2.visually-hidden { (context.texts.get("columns")) }
        @if tree.first.is_empty() { p.empty { (context.texts.get("no_data")) } }
        ul.column-list.block data-list[open.is_empty()] {
            @for column in paging.part(&tree.first) {
                li {
                    (entry(column))
                    @let children = tree.below(column);
                    @if !children.is_empty() { ul { @for child in children { li { (entry(child)) } } } }
                }
            }
        }
    }
}

/// The articles of a column: those whose subject heading is one of its names.
async fn of_column(
    context: &Context<'_>,
    call: &mut Call,
    column: &Column,
    address: &str,
) -> Result<(Markup, bool), PageError> {
    let mut names: Vec<&str> = column.title.0.values().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let asked = Paging::requested(context, PAGE_SIZE);
    let found = context.store.browse_page(BrowseBy::Subject, &names, asked.offset(), PAGE_SIZE).await?;
    let (cards, paging) = (found.cards, asked.of(found.total));
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let journals = context.journals().await?;
    let shown = html! {
        section.block {
            h2.block-title { (bidi::local(&column.title, context.lang())) }
            (list::paged_articles(context, journals, &cards, &hrefs))
            (paging::more(context, &paging, |page| paging::at(address, page)))
        }
    };
    Ok((shown, paging.exists()))
}

/// The journal's present board; the page of the board has earlier ones.
async fn boards(context: &Context<'_>, journal: &Journal) -> Result<Markup, PageError> {
    let all = context.store.resources::<Board>("", None, EVERY).await?;
    let own = |stored: &&Stored<Board>| stored.value.journal == journal.key;
    let general = |stored: &&Stored<Board>| stored.value.journal.is_empty();
    let Some(present) = all.iter().find(own).or_else(|| all.iter().find(general)) else {
        return Ok(html! { p.empty { (context.texts.get("no_data")) } });
    };
    let experts = board::members(context, &present.value).await?;
    let title = if present.value.title.is_empty() {
        html! { (context.texts.get("editorial_board")) }
    } else {
        bidi::local(&present.value.title, context.lang())
    };
    let whole = context.addresses.route(&Route::Text(TextPage::Board(0, 0)));
    let at = |expert: i64| context.addresses.route(&Route::Text(TextPage::Expert(expert)));
    Ok(html! {
        section.block {
            h2.block-title {
                span { (title) }
                @if all.len() > 1 { a.block-more href={ (whole) "?board=" (present.id) } { (context.texts.get("view_all")) } }
            }
            (board::roles(context, &present.value, &experts, 0, "h3", at))
        }
    })
}
