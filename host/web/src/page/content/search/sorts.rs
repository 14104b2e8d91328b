//! The orders of the hits, each a link: those of the specification's list, the others folded, and the reverse of the present one.

use maud::{Markup, html};

use super::search_state::{MORE_SORTS, SORTS, SearchState};
use crate::page::context::Context;

/// The orders that the tab has; nothing if it has one only.
pub fn links(context: &Context<'_>, asked: &SearchState) -> Markup {
    let texts = &context.texts;
    let offered = |sorts: &[(&'static str, &'static str)]| -> Vec<(&'static str, &'static str)> {
        sorts.iter().copied().filter(|(sort, _)| asked.tab.sorts(sort)).collect()
    };
    let (usual, more) = (offered(&SORTS), offered(&MORE_SORTS));
    html! {
        @if usual.len() > 1 {
            nav.sorts aria-label=(texts.get("sort")) {
                span aria-hidden="true" { (texts.get("sort")) }
                ul { @for one in usual { (link(context, asked, one)) } }
                @if !more.is_empty() {
                    details.sorts-more open[more.iter().any(|(sort, _)| *sort == asked.sort)] {
                        summary { (texts.get("sort_more")) }
                        ul { @for one in more { (link(context, asked, one)) } }
                    }
                }
            }
            @if !asked.sort.is_empty() {
                @let reversed = SearchState { ascending: !asked.ascending, ..asked.clone() };
                a.sort-reverse href=(reversed.href(context)) rel="nofollow" {
                    (texts.get(if asked.ascending { "sort_descending" } else { "sort_ascending" }))
                }
            }
        }
    }
}

fn link(context: &Context<'_>, asked: &SearchState, (sort, label): (&'static str, &'static str)) -> Markup {
    let state = SearchState { sort, ascending: false, ..asked.clone() };
    html! {
        li {
            a href=(state.href(context)) rel="nofollow" aria-current=[(asked.sort == sort).then_some("true")] {
                (context.texts.get(label))
            }
        }
    }
}
