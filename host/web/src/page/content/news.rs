//! The page of a news item.

use masthead_domain::{resource::News, route::Route, text::without_tags};
use maud::{Markup, html};

use crate::page::{
    content::{bidi, message, text},
    context::{Context, Page, PageError},
};
use crate::{failure::Failure, page::head::Head};

pub async fn page(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(news) = context.store.resource::<News>(id).await?.map(|stored| stored.value) else {
        let home = context.addresses.route(&Route::Home);
        return Ok(message(&context.texts, Failure::NoData, Some(home)));
    };
    let lang = context.lang();
    let title = news.title.get(lang).to_owned();
    let from = [news.date.get(..10).unwrap_or(news.date.as_str()), news.source.as_str(), news.author.as_str()];
    let from: Vec<Markup> = from.into_iter().filter(|text| !text.is_empty()).map(bidi::isolated).collect();
    let main = html! {
        div.page-head {
            h1 { (bidi::local(&news.title, lang)) }
            @if !from.is_empty() { p { (bidi::joined(&from, " · ")) } }
        }
        (text(&news.content, lang, &news.attachments))
    };
    let summary = without_tags(news.summary.get(lang));
    let head = Head::page(if summary.is_empty() { &title } else { &summary });
    Ok(Page { head, ..Page::list("newsDetails", title, main) })
}
