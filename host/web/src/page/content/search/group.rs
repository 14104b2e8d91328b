//! The sites of a group in a search of its group site: which of them can be chosen, and with what the page shows the hits of each.

use std::sync::Arc;

use masthead_runtime::Call;
use maud::{Markup, html};

use super::SearchState;
use crate::{
    page::{
        content::bidi,
        context::{Context, OtherSite},
    },
    search_service::{self, MemberCall, SearchResults, SearchScope},
    sites::SiteEntry,
};

/// The sites that a reader can choose: a group site and the other open sites of its group. None where there is no choice.
pub fn sites(context: &Context<'_>) -> Vec<Arc<SiteEntry>> {
    let table = context.app.sites.load();
    let mut sites: Vec<Arc<SiteEntry>> = table.others_of_group(&context.entry.site).cloned().collect();
    if !sites.is_empty() {
        sites.insert(0, Arc::clone(context.entry));
    }
    sites
}

/// The site that the reader has chosen, if it is one of these.
pub fn chosen<'a>(sites: &'a [Arc<SiteEntry>], state: &SearchState) -> Option<&'a Arc<SiteEntry>> {
    sites.iter().find(|entry| entry.site.sld == state.site)
}

/// The sites that are searched: the chosen one, or all of the group.
pub fn scope(sites: &[Arc<SiteEntry>], state: &SearchState) -> SearchScope {
    chosen(sites, state).map_or(SearchScope::Group, |entry| SearchScope::OneOfGroup(entry.site.id))
}

/// The other sites of the group that have hits on a page.
#[derive(Default)]
pub struct Members {
    /// The sites.
    pub sites: Vec<OtherSite>,
    /// The calls of their plugins, in the same order.
    pub calls: Vec<MemberCall>,
}

impl Members {
    /// Has the plugins of these sites order and mark their hits. `call` is that of the page, and `said` what the reader typed, as one text.
    pub async fn decorated(
        context: &Context<'_>,
        call: &mut Call,
        said: &str,
        results: SearchResults,
    ) -> (Self, SearchResults) {
        let mut sites = Vec::new();
        for entry in search_service::members(context.app, context.entry.site.id, &results) {
            sites.push(context.other_site(&entry).await);
        }
        if sites.is_empty() {
            return (Self::default(), results);
        }
        call.release();
        let begin = |site: &OtherSite| MemberCall {
            entry: Arc::clone(&site.scope.entry),
            call: context.plugin_call_at(site, "search"),
            lang: site.lang,
        };
        let mut calls: Vec<MemberCall> = sites.iter().map(begin).collect();
        let results = search_service::decorated_by_members(context.app, &mut calls, said, results).await;
        (Self { sites, calls }, results)
    }
}

/// The name of the site of a hit, which leads to its home page.
pub fn name(context: &Context<'_>) -> Markup {
    html! { a.card-site href=(context.addresses.path("home/")) { (bidi::local(&context.entry.site.name, context.lang())) } }
}
