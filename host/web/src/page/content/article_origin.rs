//! Where the reader of an article came from, as far as its address says so (specification section 2, "Query parameters seen on article pages").

use masthead_domain::{
    ArticleId, LocalText,
    resource::{Album, Collection, ItemKind, ItemRef, ResourceKind},
    route::Route,
};
use maud::{Markup, html};

use crate::page::context::{Context, PageError};

/// The way back to where the reader came from.
pub(super) enum Origin {
    /// The address names neither a special issue nor an album.
    Unnamed,
    /// It names one that is not there, or that does not have the article.
    Unknown,
    /// The special issue or album: its address, and its title in the page's language.
    Collection(String, String),
}

/// The special issue or album that the parameter `virtualId` names, by its number or key.
pub(super) async fn origin(context: &Context<'_>, article: ArticleId) -> Result<Origin, PageError> {
    let name = context.parameter("virtualId");
    if name.is_empty() {
        return Ok(Origin::Unnamed);
    }
    let Some(Named { route, title, items }) = named(context, name).await? else { return Ok(Origin::Unknown) };
    let papers = items.iter().filter(|item| item.kind == ItemKind::Article);
    let keys: Vec<&str> = papers.map(|item| item.key.as_str()).collect();
    if !context.store.named_articles(&keys).await?.iter().any(|named| named.id == article) {
        return Ok(Origin::Unknown);
    }
    Ok(Origin::Collection(context.addresses.route(&route), title.get(context.lang()).to_owned()))
}

/// A special issue or album.
struct Named {
    route: Route,
    title: LocalText,
    items: Vec<ItemRef>,
}

/// The special issue with this number or key, else the album.
async fn named(context: &Context<'_>, name: &str) -> Result<Option<Named>, PageError> {
    if let Some(stored) = context.store.resource_named::<Collection>(name).await? {
        let Collection { title, items, .. } = stored.value;
        return Ok(Some(Named { route: Route::Collection(stored.id.to_string()), title, items }));
    }
    let album = context.store.resource_named::<Album>(name).await?;
    Ok(album.map(|stored| {
        let Album { title, items, .. } = stored.value;
        Named { route: Route::Resource(ResourceKind::Album, stored.id), title, items }
    }))
}

impl Origin {
    /// Whether other readers may be sent the page: made-up names must not fill the page cache.
    pub(super) fn is_cacheable(&self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// The link back.
    pub(super) fn link(&self, context: &Context<'_>) -> Markup {
        html! {
            @if let Self::Collection(href, title) = self {
                // The title may run in another direction than the sentence.
                @let title = format!("\u{2068}{title}\u{2069}");
                p.kicker { a data-origin href=(href) { (context.texts.format("back_to", &[("title", &title)])) } }
            }
        }
    }
}
