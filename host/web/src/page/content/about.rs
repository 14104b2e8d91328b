//! The "about" page: data of the site's journals.

use maud::html;

use crate::page::{
    content::home,
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
                h2.block-title { (journal.title.get(context.lang())) }
                p { (journal.introduction.get(context.lang())) }
                (home::facts(context, journal))
            }
        }
    };
    Ok(Page::list("about", title, main))
}
