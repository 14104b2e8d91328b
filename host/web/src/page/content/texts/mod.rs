//! The pages of text: about and the pages of channels, news, composite pages, boards, experts, journals.

mod board;
mod channel;
mod composite;
mod experts;
mod items;
mod journal;
mod lists;
mod news;
mod people;
mod side;

use masthead_domain::{
    Lang, LocalText, link,
    resource::{Attachment, Information, Stored},
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use maud::{Markup, PreEscaped, html};
use url::form_urlencoded;

pub use self::channel::elsewhere;
use crate::page::{
    content::bidi,
    context::{Context, Page, PageError},
};

/// Texts that a page shows, or lists beside itself. Where there are more, it leads to the list of all texts.
const MAX_TEXTS: usize = 100;
/// Texts that are read: one more tells that there are more.
const READ_TEXTS: i64 = MAX_TEXTS as i64 + 1;

/// Builds a page of text.
pub async fn page(context: &Context<'_>, call: &mut Call, page: &TextPage) -> Result<Page, PageError> {
    match page {
        TextPage::About(id) => channel::about(context, *id).await,
        TextPage::Contact => channel::contact(context).await,
        TextPage::Texts => channel::all(context).await,
        TextPage::Text(key) => channel::by_key(context, key).await,
        TextPage::Channel(code) => channel::of_code(context, call, code).await,
        TextPage::Composite(name) => composite::page(context, call, name).await,
        TextPage::News(id) => news::list(context, *id).await,
        TextPage::NewsInfo(id, active) => news::of_channel(context, *id, *active).await,
        TextPage::Board(id, expert) => board::page(context, *id, *expert).await,
        TextPage::Experts => experts::list(context).await,
        TextPage::Expert(id) => experts::one(context, call, *id).await,
        TextPage::Journal(key) => journal::page(context, call, key).await,
        TextPage::Articles => lists::events_or_articles(context, call).await,
        TextPage::Links => lists::links(context).await,
        TextPage::Languages => lists::languages(context, call).await,
    }
}

/// `newsDetails/:id`.
pub async fn news_item(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    news::details(context, id).await
}

/// `info/:id`: the page of a channel for a text, or a text by its number.
pub async fn information(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError> {
    channel::information(context, call, id).await
}

/// An address with those parameters that have a value.
fn with_query<const N: usize>(path: &str, query: [(&str, &str); N]) -> String {
    let mut given = query.into_iter().filter(|(_, value)| !value.is_empty()).peekable();
    if given.peek().is_none() {
        return path.to_owned();
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    format!("{path}?{query}")
}

/// A text of a news item or page, in the language that it exists in, with the files to download.
fn text(content: &LocalText, lang: Lang, attachments: &[Attachment]) -> Markup {
    let files: Vec<&Attachment> = attachments.iter().filter(|one| link::is_own_or_web(&one.file)).collect();
    let shown = content.chosen(lang).map(|(of, _)| of);
    html! {
        section.block.page-body lang=[shown.map(Lang::tag)] dir=[shown.map(Lang::dir)] {
            // The HTML was sanitized when the resource was imported.
            (PreEscaped(content.get(lang)))
            @if !files.is_empty() {
                ul.downloads {
                    @for one in files { li { a href=(one.file) dir="auto" { (one.name) } } }
                }
            }
        }
    }
}

/// The first [`MAX_TEXTS`] texts one after the other, each under its own heading unless the page has the same one already.
fn texts_in_order(context: &Context<'_>, heading: &str, texts: &[Stored<Information>]) -> Markup {
    let lang = context.lang();
    html! {
        @for stored in texts.iter().take(MAX_TEXTS) {
            @let one = &stored.value;
            @if one.title.get(lang) != heading && !one.title.is_empty() {
                h2.block-title { (bidi::local(&one.title, lang)) }
            }
            (text(&one.content, lang, &one.attachments))
        }
        @if texts.len() > MAX_TEXTS {
            p.publication-links {
                a.block-more href=(context.addresses.route(&Route::Text(TextPage::Texts))) { (context.texts.get("view_all")) }
            }
        }
    }
}
