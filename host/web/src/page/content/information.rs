//! A page of text.

use masthead_domain::{resource::Information, route::Route};
use maud::html;

use crate::failure::Failure;
use crate::page::{
    content::{bidi, message, text},
    context::{Context, Page, PageError},
};

pub async fn page(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(information) = context.store.resource::<Information>(id).await?.map(|stored| stored.value) else {
        let home = context.addresses.route(&Route::Home);
        return Ok(message(&context.texts, Failure::NoData, Some(home)));
    };
    let lang = context.lang();
    let title = information.title.get(lang).to_owned();
    let main = html! {
        div.page-head { h1 { (bidi::local(&information.title, lang)) } }
        (text(&information.content, lang, &information.attachments))
    };
    Ok(Page::list("info", title, main))
}
