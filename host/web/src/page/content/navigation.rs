//! The page with the whole navigation: all channels of the menu with both levels, the other sites of the group, and the languages.

use masthead_runtime::Call;
use maud::{Markup, html};

use crate::page::{
    bootstrap,
    content::bidi,
    context::{Context, Page, PageError},
    types::MenuLink,
};

pub async fn page(context: &Context<'_>, call: &mut Call, path: &str) -> Result<Page, PageError> {
    let links = bootstrap::navigation(context, call, path).await?;
    let sites = bootstrap::group_sites(context);
    let title = context.texts.get("site_navigation").to_owned();
    let main = html! {
        div.page-head { h1 { (title) } }
        @if links.is_empty() && sites.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @if !links.is_empty() { (channels(&links)) }
        @if !sites.is_empty() {
            section.block {
                h2.block-title { (context.texts.get("group_sites")) }
                ul.site-map-sites {
                    @for site in &sites { li { a href=(site.href) { (bidi::isolated(&site.name)) } } }
                }
            }
        }
    };
    Ok(Page::list("homeNav", title, main))
}

/// The channels in columns: each of the first level with those below it.
fn channels(links: &[MenuLink]) -> Markup {
    html! {
        ul.site-map {
            @for link in links {
                li {
                    h2.site-map-title { (anchor(link)) }
                    @if !link.children.is_empty() {
                        ul { @for child in &link.children { li { (anchor(child)) } } }
                    }
                }
            }
        }
    }
}

fn anchor(link: &MenuLink) -> Markup {
    let (target, rel) = if link.new_tab { (Some("_blank"), Some("noopener")) } else { (None, None) };
    let linked = link.href.starts_with('/') || masthead_domain::link::destination(&link.href).is_some();
    html! {
        @if linked { a href=(link.href) target=[target] rel=[rel] { (bidi::isolated(&link.label)) } }
        @else { (bidi::isolated(&link.label)) }
    }
}
