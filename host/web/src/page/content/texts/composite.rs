//! Composite pages: blocks with a text and the items that they name.

use masthead_domain::{
    resource::{Composite, CompositeBlock, ItemKind, ItemRef},
    route::{Route, TextPage},
    site::Channel,
};
use masthead_runtime::Call;
use maud::{Markup, PreEscaped, html};

use super::{channel::heading, items::Items, side};
use crate::page::{
    content::{
        bidi,
        message::absent,
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
};

/// Items on a page: as many as one query looks up.
const PAGE_SIZE: u32 = 100;

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
        return Ok(Page { cacheable: context.parameter("page").is_empty(), ..Page::list("newcomposite", title, main) });
    };
    let title = match composite.title.get(context.lang()) {
        "" => heading(context, channel, "text_pages"),
        title => title.to_owned(),
    };
    let asked = Paging::requested(context, PAGE_SIZE);
    let (blocks, exists) = blocks(context, call, name, (&composite.blocks, asked)).await?;
    let main = html! {
        div.page-head {
            h1 { @if composite.title.is_empty() { (title) } @else { (bidi::local(&composite.title, context.lang())) } }
        }
        (blocks)
    };
    Ok(Page { cacheable: exists, ..Page::list("newcomposite", title, main) })
}

/// The key of the composite page that the query or a channel names, or "".
pub fn key<'a>(context: &'a Context<'_>, channel: &'a Channel) -> &'a str {
    match context.parameter("newCompositeId") {
        "" => channel.new_composite_id.as_str(),
        asked => asked,
    }
}

/// The blocks with which a composite page begins, by its key: its own page has the rest.
pub async fn beginning(
    context: &Context<'_>,
    call: &mut Call,
    key: &str,
    all: &[CompositeBlock],
) -> Result<Markup, PageError> {
    let first = Paging { page: 1, size: PAGE_SIZE, total: 0 };
    Ok(blocks(context, call, key, (all, first)).await?.0)
}

/// A page of the blocks of the composite page with this number or key, in two queries. Returns whether there is this page, too.
async fn blocks(
    context: &Context<'_>,
    call: &mut Call,
    name: &str,
    (all, asked): (&[CompositeBlock], Paging),
) -> Result<(Markup, bool), PageError> {
    let lang = context.lang();
    let paging = asked.of(all.iter().map(|block| block.items.len() as u64).sum());
    let parts = parts(all, &paging);
    let named: Vec<&ItemRef> = parts.iter().flat_map(|part| part.items).collect();
    let items = Items::read(context, call, &named).await?;
    let journals = context.journals().await?;
    let address = context.addresses.route(&Route::Text(TextPage::Composite(name.to_owned())));
    let shown = html! {
        @if parts.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @for part in &parts {
            @let block = part.block;
            @let text = block.content.chosen(lang).map(|(of, _)| of).filter(|_| part.begins);
            section.block {
                @if !block.title.is_empty() {
                    h2.block-title { (bidi::local(&block.title, lang)) }
                } @else if part.items.iter().any(|item| item.kind == ItemKind::Article) {
                    // The titles of articles are headings of the next level.
                    h2.visually-hidden { (context.texts.get("articles")) }
                }
                @if let Some(of) = text {
                    // The HTML was sanitized when the page was imported.
                    div.page-body lang=(of.tag()) dir=(of.dir()) { (PreEscaped(block.content.get(lang))) }
                }
                (items.shown(context, journals, part.items))
            }
        }
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    Ok((shown, paging.exists()))
}

/// What a page has of a block.
struct Part<'a> {
    block: &'a CompositeBlock,
    /// Its items on the page.
    items: &'a [ItemRef],
    /// Whether the block begins on the page, with its text.
    begins: bool,
}

/// The blocks that a page has something of. A block begins on the page of its first item; one without items, where the items before it end.
fn parts<'a>(all: &'a [CompositeBlock], paging: &Paging) -> Vec<Part<'a>> {
    let (size, place) = (paging.size as usize, |at: u64| usize::try_from(at).unwrap_or(usize::MAX));
    let start = place(paging.offset());
    let end = start.saturating_add(size);
    let last = place(paging.pages().max(1).into());
    let mut before = 0;
    let mut parts = Vec::new();
    for block in all {
        let (first, number) = (before, block.items.len());
        before += number;
        let begins = place(paging.page.into()) == (first / size + 1).min(last);
        let within = |at: usize| at.saturating_sub(first).min(number);
        let items = &block.items[within(start)..within(end)];
        if begins || !items.is_empty() {
            parts.push(Part { block, items, begins });
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(items: usize) -> CompositeBlock {
        let item = |number: usize| ItemRef { kind: ItemKind::Book, key: number.to_string() };
        CompositeBlock { items: (0..items).map(item).collect(), ..CompositeBlock::default() }
    }

    /// The parts of a page with two items: the position of the block, how many items it has there, and whether it begins there.
    fn of_page(page: u32, items: &[usize]) -> Vec<(usize, usize, bool)> {
        let all: Vec<CompositeBlock> = items.iter().map(|items| block(*items)).collect();
        let paging = Paging { page, size: 2, total: items.iter().sum::<usize>() as u64 };
        let position = |part: &Part<'_>| all.iter().position(|one| std::ptr::eq(one, part.block)).unwrap_or(usize::MAX);
        parts(&all, &paging).iter().map(|part| (position(part), part.items.len(), part.begins)).collect()
    }

    #[test]
    fn every_item_is_on_one_page_and_every_block_begins_on_one() {
        let items = [3, 0, 2, 0];
        assert_eq!(of_page(1, &items), [(0, 2, true)]);
        assert_eq!(of_page(2, &items), [(0, 1, false), (1, 0, true), (2, 1, true)]);
        assert_eq!(of_page(3, &items), [(2, 1, false), (3, 0, true)]);
        assert!(of_page(4, &items).is_empty(), "behind the last page");
    }

    #[test]
    fn what_stands_behind_the_last_item_is_on_its_page() {
        assert_eq!(of_page(1, &[2, 0]), [(0, 2, true), (1, 0, true)]);
        assert_eq!(of_page(1, &[0, 0]), [(0, 0, true), (1, 0, true)]);
        assert!(of_page(1, &[]).is_empty());
    }
}
