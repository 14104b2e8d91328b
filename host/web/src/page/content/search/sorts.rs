//! The orders of the hits, each a link: those of the specification's list, the others folded, and the reverse of the present one.

use maud::{Markup, html};

use super::search_state::{MORE_SORTS, SORTS, SearchState};
use crate::page::context::Context;

/// The orders that the tab has; nothing if it has one only.
pub fn links(context: &Context<'_>, state: &SearchState) -> Markup {
    let texts = &context.texts;
    let offered = |sorts: &[(&'static str, &'static str)]| -> Vec<(&'static str, &'static str)> {
        sorts.iter().copied().filter(|(sort, _)| state.tab.sorts(sort)).collect()
    };
    let (usual, more) = (offered(&SORTS), offered(&MORE_SORTS));
    html! {
        @if usual.len() > 1 {
            nav.sorts aria-label=(texts.get("sort")) {
                span aria-hidden="true" { (texts.get("sort")) }
                ul { @for one in usual { (link(context, state, one)) } }
                @if !more.is_empty() {
                    details.sorts-more open[more.iter().any(|(sort, _)| *sort == state.sort)] {
                        summary { (texts.get("sort_more")) }
                        ul { @for one in more { (link(context, state, one)) } }
                    }
                }
            }
            @if !state.sort.is_empty() {
                @let reversed = SearchState { ascending: !state.ascending, ..state.clone() };
                a.sort-reverse href=(reversed.href(context)) rel="nofollow" {
                    (texts.get(if state.ascending { "sort_descending" } else { "sort_ascending" }))
                }
            }
        }
    }
}

fn link(context: &Context<'_>, state: &SearchState, (sort, label): (&'static str, &'static str)) -> Markup {
    let sorted = SearchState { sort, ascending: false, ..state.clone() };
    html! {
        li {
            a href=(sorted.href(context)) rel="nofollow" aria-current=[(state.sort == sort).then_some("true")] {
                (context.texts.get(label))
            }
        }
    }
}
