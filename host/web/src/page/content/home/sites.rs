//! The other sites of the group.

use std::sync::Arc;

use masthead_domain::{route::Route, site::HomeSection};
use maud::{Markup, html};

use super::{View, block, nothing};
use crate::{
    page::{bootstrap, content::bidi},
    sites::SiteEntry,
};

/// The open sites of the group, each with its picture or a plate in its colours.
pub fn sites(view: &View<'_>, section: &HomeSection, id: &str) -> Markup {
    let context = view.context;
    let lang = context.lang();
    let table = context.app.sites.load();
    let others: Vec<&Arc<SiteEntry>> = table.others_in_group(&context.entry.site).collect();
    let content = html! {
        @if others.is_empty() { (nothing(view)) } @else {
            ul.site-grid {
                @for entry in others {
                    li.site-card {
                        a href=(address(view, entry, &table.platform.domain)) rel="external" {
                            @match bootstrap::picture(&entry.site.picture_url) {
                                Some(picture) => { img src=(picture) alt="" width="320" height="200" loading="lazy"; }
                                None => { (plate(entry)) }
                            }
                            span.site-name { (bidi::local(&entry.site.name, lang)) }
                        }
                        @if !entry.site.description.is_empty() { p { (bidi::local(&entry.site.description, lang)) } }
                    }
                }
            }
        }
    };
    block(view, section, id, "group_sites", &html! {}, &content)
}

/// The address of a site's home page.
fn address(view: &View<'_>, entry: &SiteEntry, platform: &str) -> String {
    let lang = entry.lang_or_default(Some(view.context.lang()));
    format!("{}/{lang}/{}", view.context.root_of_site(entry, platform), Route::Home.path())
}

/// The beginning of the site's short name in the site's colours.
fn plate(entry: &SiteEntry) -> Markup {
    let colours = &entry.theme.light;
    let letters: String = entry.site.sld.chars().take(2).collect();
    html! {
        svg.site-plate viewBox="0 0 320 200" width="320" height="200" aria-hidden="true" focusable="false" {
            rect width="320" height="200" fill=(colours.theme_color_primary) {}
            circle cx="262" cy="46" r="92" fill=(colours.theme_color_hover_primary) {}
            text x="24" y="172" font-size="96" font-weight="600" fill=(colours.bg_opacity) { (letters) }
        }
    }
}
