//! A page of text.

use masthead_domain::{link, resource::Information, route::Route};
use maud::{PreEscaped, html};

use crate::page::{
    content::message,
    context::{Context, Page, PageError},
};
use crate::{failure::Failure, page::head::Head, page::types::PageView};

pub async fn page(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(information) = context.store.resource::<Information>(id).await?.map(|stored| stored.value) else {
        let home = context.addresses.route(&Route::Home);
        return Ok(message(&context.texts, Failure::NoData, Some(home)));
    };
    let lang = context.lang();
    let title = information.title.get(lang).to_owned();
    let attachments = information.attachments.iter().filter(|attachment| link::is_own_or_web(&attachment.file));
    let attachments: Vec<_> = attachments.collect();
    let main = html! {
        div.page-head { h1 { (title) } }
        section.block {
            // The HTML was sanitized when the page was imported.
            (PreEscaped(information.content.get(lang)))
            @if !attachments.is_empty() {
                ul {
                    @for attachment in &attachments { li { a href=(attachment.file) { (attachment.name) } } }
                }
            }
        }
    };
    Ok(Page {
        compressed: Vec::new(),
        status: 200,
        head: Head::page(&title),
        title,
        main,
        view: PageView::List { route: "info".to_owned() },
        cacheable: true,
        article: None,
    })
}
