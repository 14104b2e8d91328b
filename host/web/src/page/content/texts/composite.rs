//! Composite pages: blocks with a text and the items that they name.

use masthead_domain::{
    resource::{Composite, CompositeBlock, ItemKind, ItemRef},
    site::Channel,
};
use masthead_runtime::Call;
use maud::{Markup, PreEscaped, html};

use super::{channel::heading, items::Items, side};
use crate::page::{
    content::{bidi, message::absent},
    context::{Context, Page, PageError},
};

/// `newcomposite/:id?`: the composite page of a channel, or one by its number or key.
pub async fn page(context: &Context<'_>, call: &mut Call, name: &str) -> Result<Page, PageError> {
    let site = &context.entry.site;
    let channel = match name.parse::<i64>() {
        // A number has one form: others would be other addresses of the same page.
        Ok(id) if id.to_string() == name => side::by_id(site, id),
        _ if name.is_empty() => side::asked(context, &["newComposite"]),
        _ => None,
    };
    let found = match channel.map(|channel| channel.new_composite_id.as_str()) {
        Some("") => None,
        Some(key) => context.store.resource_by_key::<Composite>(key).await?,
        None => context.store.resource_named::<Composite>(name).await?,
    };
    let Some(composite) = found.map(|stored| stored.value) else {
        // A channel whose page was not imported yet keeps its place in the menu.
        let Some(channel) = channel else { return Ok(absent(context)) };
        let title = heading(context, Some(channel), "text_pages");
        let main = html! { div.page-head { h1 { (title) } } p.empty { (context.texts.get("no_data")) } };
        return Ok(Page::list("newcomposite", title, main));
    };
    let title = match composite.title.get(context.lang()) {
        "" => heading(context, channel, "text_pages"),
        title => title.to_owned(),
    };
    let blocks = blocks(context, call, &composite.blocks).await?;
    let main = html! {
        div.page-head {
            h1 { @if composite.title.is_empty() { (title) } @else { (bidi::local(&composite.title, context.lang())) } }
        }
        (blocks)
    };
    Ok(Page::list("newcomposite", title, main))
}

/// The key of the composite page that the query or a channel names, or "".
pub fn key<'a>(context: &'a Context<'_>, channel: &'a Channel) -> &'a str {
    match context.parameter("newCompositeId") {
        "" => channel.new_composite_id.as_str(),
        asked => asked,
    }
}

/// The blocks of a composite page, in two queries.
pub async fn blocks(context: &Context<'_>, call: &mut Call, blocks: &[CompositeBlock]) -> Result<Markup, PageError> {
    let lang = context.lang();
    let named: Vec<&ItemRef> = blocks.iter().flat_map(|block| &block.items).collect();
    let items = Items::read(context, call, &named).await?;
    let journals = context.journals().await?;
    Ok(html! {
        @if blocks.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @for block in blocks {
            @let shown = block.content.chosen(lang).map(|(of, _)| of);
            section.block {
                @if !block.title.is_empty() {
                    h2.block-title { (bidi::local(&block.title, lang)) }
                } @else if block.items.iter().any(|item| item.kind == ItemKind::Article) {
                    // The titles of articles are headings of the next level.
                    h2.visually-hidden { (context.texts.get("articles")) }
                }
                @if let Some(of) = shown {
                    // The HTML was sanitized when the page was imported.
                    div.page-body lang=(of.tag()) dir=(of.dir()) { (PreEscaped(block.content.get(lang))) }
                }
                (items.shown(context, journals, &block.items))
            }
        }
    })
}
