//! The other sites of the group.

use std::sync::Arc;

use masthead_domain::site::{HomeSection, SiteState};
use maud::{Markup, html};

use super::{View, block, nothing};
use crate::{
    page::{bootstrap, content::bidi},
    sites::{SiteEntry, scope::Host},
};

/// The open sites of the group, each with its picture or a plate in its colours.
pub fn sites(view: &View<'_>, section: &HomeSection, id: &str) -> Markup {
    let context = view.context;
    let (own, lang) = (&context.entry.site, context.lang());
    let table = context.app.sites.load();
    let in_group = |entry: &&Arc<SiteEntry>| {
        let site = &entry.site;
        !own.group.is_empty() && site.group == own.group && site.id != own.id && site.state == SiteState::Active
    };
    let others: Vec<&Arc<SiteEntry>> = table.iter().filter(in_group).collect();
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

/// The address of a site's home page: on a host that several sites share, behind the site's short name; else at the site's own host.
fn address(view: &View<'_>, entry: &SiteEntry, platform: &str) -> String {
    let context = view.context;
    let (site, lang) = (&entry.site, entry.lang_or_default(Some(context.lang())));
    if !context.addresses.base.is_empty() {
        return format!("/{}/{lang}/home", site.sld);
    }
    let named = Some(site.canonical.host.clone()).filter(|host| !host.is_empty());
    let name = named.or_else(|| site.domains.first().cloned()).unwrap_or_else(|| format!("{}.{platform}", site.sld));
    let host = Host { origin: context.origin.clone(), in_path: false };
    format!("{}/{lang}/home", host.of_name(&name.to_lowercase()))
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
