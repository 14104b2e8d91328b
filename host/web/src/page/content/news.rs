//! The page of a news item.

use masthead_domain::{link, resource::News, route::Route, text::without_tags};
use maud::{PreEscaped, html};

use crate::page::{
    content::message,
    context::{Context, Page, PageError},
};
use crate::{failure::Failure, page::head::Head, page::types::PageView};

pub async fn page(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(news) = context.store.resource::<News>(id).await?.map(|stored| stored.value) else {
        let home = context.addresses.route(&Route::Home);
        return Ok(message(&context.texts, Failure::NoData, Some(home)));
    };
    let lang = context.lang();
    let title = news.title.get(lang).to_owned();
    let from = [news.date.get(..10).unwrap_or(news.date.as_str()), news.source.as_str(), news.author.as_str()];
    let from: Vec<&str> = from.into_iter().filter(|text| !text.is_empty()).collect();
    let attachments: Vec<_> =
        news.attachments.iter().filter(|attachment| link::is_own_or_web(&attachment.file)).collect();
    let main = html! {
        div.page-head {
            h1 { (title) }
            @if !from.is_empty() { p { (from.join(" · ")) } }
        }
        section.block {
            // The HTML was sanitized when the news item was imported.
            (PreEscaped(news.content.get(lang)))
            @if !attachments.is_empty() {
                ul {
                    @for attachment in &attachments { li { a href=(attachment.file) { (attachment.name) } } }
                }
            }
        }
    };
    let summary = without_tags(news.summary.get(lang));
    Ok(Page {
        compressed: Vec::new(),
        status: 200,
        head: Head::page(if summary.is_empty() { &title } else { &summary }),
        title,
        main,
        view: PageView::List { route: "newsDetails".to_owned() },
        cacheable: true,
        article: None,
    })
}
