//! The page of search results.

use masthead_domain::{link::LinkKind, route::Route};
use masthead_runtime::Call;
use masthead_search::{Filter, Query};
use maud::html;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::page::{
    content::{
        bidi, list,
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
};
use crate::{
    page::head::Head,
    page::types::PageView,
    search_service::{self, ArticleHits},
};

/// Hits on a page (specification section 9).
pub const PAGE_SIZE: u32 = 20;
/// Last page that is offered. A deep offset would cost the index as much as all pages before it, and readers rarely go
/// further.
const LAST_PAGE: u32 = 500;

pub async fn page(context: &Context<'_>, call: &mut Call) -> Result<Page, PageError> {
    let typed = context.parameter("q").to_owned();
    // A column is a condition of its own: its links have no words.
    let column = context.parameter("column").to_owned();
    let asked = Paging::requested(context, PAGE_SIZE);
    let asked = Paging { page: asked.page.min(LAST_PAGE), ..asked };
    let range = (usize::try_from(asked.offset()).unwrap_or(usize::MAX), PAGE_SIZE as usize);
    let ArticleHits { total, cards, badges } =
        search_service::find_articles(context.app, context.entry, call, context.lang(), query(&typed, &column), range)
            .await?;
    let journals = context.journals().await?;
    let hrefs = context.addresses.cards(call, LinkKind::ResultArticle, &cards).await;
    let texts = &context.texts;
    let action = context.addresses.route(&Route::Search);
    let paging = asked.of((total as u64).min(u64::from(LAST_PAGE * PAGE_SIZE)));
    let in_column = if column.is_empty() { String::new() } else { format!("&column={}", encoded(&column)) };
    let here = format!("{action}?q={}{in_column}", encoded(&typed));
    let main = html! {
        div.page-head { h1 { (texts.get("search")) } }
        // A site without a search widget in its frame gets a search form on the page.
        @if !context.entry.slots.contains_key("search") {
            form.search-form role="search" action=(action) method="get" {
                input type="search" name="q" value=(typed) aria-label=(texts.get("search")) placeholder=(texts.get("search_placeholder")) required;
                button.button { (texts.get("search")) }
            }
        }
        @if !(typed.is_empty() && column.is_empty()) {
            p.result-count role="status" {
                @if total == 0 { (texts.get("no_records")) } @else { (texts.count("results_count", total)) }
                @for words in [&typed, &column] { @if !words.is_empty() { " " q { (bidi::isolated(words)) } } }
            }
            @if !cards.is_empty() {
                h2.visually-hidden { (texts.get("articles")) }
                (list::paged_articles(context, journals, &cards, &hrefs, &badges))
            }
            (paging::more(context, &paging, |page| paging::at(&here, page)))
        }
    };
    let named = context.parameter("type");
    let mut scopes = context.entry.site.search.resource_type.iter();
    let scope = scopes.find(|scope| scope.kind == named).map(|scope| scope.kind.clone()).unwrap_or_default();
    let words = [&typed, &column].map(String::as_str).join(" ");
    let title = match words.trim() {
        "" => texts.get("search").to_owned(),
        words => format!("{words} · {}", texts.get("search")),
    };
    Ok(Page {
        compressed: Vec::new(),
        status: 200,
        head: Head { robots: "noindex, follow", ..Head::page(&title) },
        title,
        main,
        view: PageView::Search { q: typed, total: total as u64, scope },
        // Search texts are unbounded in number: their pages would evict all others from the cache.
        cacheable: false,
        article: None,
    })
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// A query for articles by a typed text, in a column if one is named.
fn query(typed: &str, column: &str) -> Query {
    let filters = if column.is_empty() { Vec::new() } else { vec![Filter::Column(column.to_owned())] };
    Query { all: !filters.is_empty(), filters, ..Query::typed(typed) }
}
