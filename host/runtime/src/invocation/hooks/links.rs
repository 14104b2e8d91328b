//! `links.rewrite`: targets of links inside the site.

use masthead_domain::link::{Link, LinkKind};

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::links as wit, invocation::site_context::SiteContext};

const PAIRS: usize = 32;
const TEXT_BYTES: usize = 2048;

bind!(Entry: links.call_rewrite(Vec<wit::Link>) -> Vec<wit::Link>);

impl HookEntry for Entry {
    fn check(_: &SiteContext, input: &Self::Input, output: &Self::Output) -> Result<(), String> {
        if input.len() != output.len() {
            return Err(format!("{} links came back for {}", output.len(), input.len()));
        }
        input.iter().zip(output).try_for_each(|(before, after)| check_link(before, after))
    }

    fn trial_input() -> Option<Self::Input> {
        Some(Vec::new())
    }

    fn cache_weight(links: &Self::Output) -> usize {
        links
            .iter()
            .map(|link| 96 + link.path.len() + link.query.iter().map(|(a, b)| 48 + a.len() + b.len()).sum::<usize>())
            .sum()
    }
}

/// Checks only the parts that the plugin changed: the host's own path, such as a DOI, may have characters that plugins may not use.
fn check_link(before: &wit::Link, after: &wit::Link) -> Result<(), String> {
    if before.kind != after.kind {
        return Err(format!("the link {:?} changed its kind", text::short(&before.path)));
    }
    if before.path != after.path {
        text::check_path(&after.path).map_err(|reason| format!("the path {:?} {reason}", text::short(&after.path)))?;
    }
    if before.query == after.query {
        return Ok(());
    }
    if after.query.len() > PAIRS {
        return Err(format!("a link has {} query parameters, allowed are {PAIRS}", after.query.len()));
    }
    match after
        .query
        .iter()
        .flat_map(|(name, value)| [name, value])
        .find(|text| text.len() > TEXT_BYTES || text::has_control(text))
    {
        Some(text) => Err(format!("the query text {:?} is too long or has control characters", text::short(text))),
        None => Ok(()),
    }
}

/// Moves the strings; only the records are copied.
pub(crate) fn to_wit(links: Vec<Link>) -> Vec<wit::Link> {
    links
        .into_iter()
        .map(|Link { kind, path, query }| {
            let kind = match kind {
                LinkKind::ListArticle => wit::LinkKind::ListArticle,
                LinkKind::ResultArticle => wit::LinkKind::ResultArticle,
                LinkKind::Menu => wit::LinkKind::Menu,
                LinkKind::Other => wit::LinkKind::Other,
            };
            wit::Link { kind, path, query }
        })
        .collect()
}

pub(crate) fn from_wit(links: Vec<wit::Link>) -> Vec<Link> {
    links
        .into_iter()
        .map(|wit::Link { kind, path, query }| {
            let kind = match kind {
                wit::LinkKind::ListArticle => LinkKind::ListArticle,
                wit::LinkKind::ResultArticle => LinkKind::ResultArticle,
                wit::LinkKind::Menu => LinkKind::Menu,
                wit::LinkKind::Other => LinkKind::Other,
            };
            Link { kind, path, query }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn unchanged_parts_are_not_checked() {
        let odd = wit::Link { kind: wit::LinkKind::Other, path: "article/doi/10.1/a?b".into(), query: vec![] };
        check_link(&odd, &odd.clone()).unwrap();
        let changed = wit::Link { query: vec![("a".into(), "\r\n".into())], ..odd.clone() };
        assert!(check_link(&odd, &changed).is_err());
    }
}
