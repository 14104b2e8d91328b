//! The same search in the other sites of a group.

use std::sync::Arc;

use masthead_domain::{LocalText, SiteId};

use super::SearchState;
use crate::{page::context::Context, sites::SiteEntry};

/// The other open sites of a group site's group: number, name, and address of the same search there, under the kind of address at which the
/// reader is. A site that is no group site has none.
pub fn other_sites(context: &Context<'_>, state: &SearchState) -> Vec<(SiteId, LocalText, String)> {
    let address = state.without_own().href(context);
    let Some(path) = address.strip_prefix(&context.addresses.path("")) else { return Vec::new() };
    let table = context.app.sites.load();
    let other = |entry: &Arc<SiteEntry>| {
        let lang = entry.lang_or_default(Some(context.lang()));
        let root = context.root_of_site(entry, &table.platform.domain);
        (entry.site.id, entry.site.name.clone(), format!("{root}/{lang}/{path}"))
    };
    table.others_of_group(&context.entry.site).map(other).collect()
}
