//! `links.rewrite`.

use masthead_domain::link::{Link, LinkKind};
use wasmtime::{
    Store,
    component::{Instance, InstancePre},
};

use super::HookEntry;
use crate::{
    bindings::{
        exports::masthead::plugin::links::{self as wit, Guest, GuestIndices},
        masthead::plugin::types::Context,
    },
    member::Member,
    state::State,
};

const PATH_BYTES: usize = 1024;
const PAIRS: usize = 32;
const TEXT_BYTES: usize = 2048;

pub(crate) struct Entry;

impl HookEntry for Entry {
    type Indices = GuestIndices;
    type Guest = Guest;
    type Input = Vec<wit::Link>;
    type Output = Vec<wit::Link>;

    fn find(pre: &InstancePre<State>) -> wasmtime::Result<GuestIndices> {
        GuestIndices::new(pre)
    }

    fn load(indices: &GuestIndices, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Guest> {
        indices.load(store, instance)
    }

    async fn call(
        guest: &Guest,
        store: &mut Store<State>,
        context: &Context,
        input: &Vec<wit::Link>,
    ) -> wasmtime::Result<Result<Vec<wit::Link>, String>> {
        guest.call_rewrite(store, context, input).await
    }

    fn check(_: &Member, input: &Vec<wit::Link>, output: &Vec<wit::Link>) -> Result<(), String> {
        if input.len() != output.len() {
            return Err(format!("{} links came back for {}", output.len(), input.len()));
        }
        input.iter().zip(output).try_for_each(|(before, after)| check_link(before, after))
    }

    fn trial_input() -> Vec<wit::Link> {
        Vec::new()
    }
}

/// Only what the plugin changed is checked: what was there before (a DOI, say) may look odd and is the host's own.
fn check_link(before: &wit::Link, after: &wit::Link) -> Result<(), String> {
    if before.kind != after.kind {
        return Err(format!("the link {:?} changed its kind", short(&before.path)));
    }
    if before.path != after.path {
        check_path(&after.path).map_err(|reason| format!("the path {:?} {reason}", short(&after.path)))?;
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
        .find(|text| text.len() > TEXT_BYTES || has_control(text))
    {
        Some(text) => Err(format!("the query text {:?} is too long or has control characters", short(text))),
        None => Ok(()),
    }
}

fn check_path(path: &str) -> Result<(), &'static str> {
    if path.len() > PATH_BYTES {
        return Err("is too long");
    }
    if has_control(path) {
        return Err("has control characters");
    }
    if path.starts_with(['/', '\\']) {
        return Err("begins with a slash");
    }
    if path.contains(['?', '#', '\\']) {
        return Err("holds one of ? # \\");
    }
    if path.split('/').next().is_some_and(|first| first.contains(':')) {
        return Err("has a scheme");
    }
    if path.split('/').any(|segment| segment == ".." || segment == ".") {
        return Err("climbs out with ..");
    }
    Ok(())
}

fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Moves; nothing is copied but the records themselves.
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
    fn paths_stay_inside_the_site() {
        for good in ["", "hssArticle/17", "article/doi/10.1000/a:b..c", "期刊/1"] {
            assert_eq!(check_path(good), Ok(()), "{good}");
        }
        for bad in [
            "/x",
            "//evil",
            "\\evil",
            "javascript:alert(1)",
            "a/../b",
            "..",
            "a/./b",
            "a\nb",
            "a?b",
            "a#b",
            &"x".repeat(2000),
        ] {
            assert!(check_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_the_plugin_did_not_touch_is_not_judged() {
        let odd = wit::Link { kind: wit::LinkKind::Other, path: "article/doi/10.1/a?b".into(), query: vec![] };
        check_link(&odd, &odd.clone()).unwrap();
        let changed = wit::Link { query: vec![("a".into(), "\r\n".into())], ..odd.clone() };
        assert!(check_link(&odd, &changed).is_err());
    }
}
