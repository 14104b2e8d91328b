//! The "about" page: data of the site's journals.

use maud::html;

use crate::page::{
    content::{bidi, home},
    context::{Context, Page, PageError},
};

pub async fn page(context: &Context<'_>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let title = context.texts.get("about").to_owned();
    let main = html! {
        div.page-head { h1 { (title) } }
        @if journals.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @for journal in journals {
            section.block {
                h2.block-title { (bidi::local(&journal.title, context.lang())) }
                p { (bidi::local(&journal.introduction, context.lang())) }
                (home::facts(context, journal))
            }
        }
    };
    Ok(Page::list("about", title, main))
}
