//! What a reader can do after a search that found nothing.

use maud::{Markup, html};

use super::{Found, SearchState, advanced};
use crate::page::{context::Context, search_widget::advanced_form};

/// Ways to go on: other words, no filters, another tab with hits, another site of the group, the advanced search.
pub fn advice(context: &Context<'_>, state: &SearchState, found: &Found) -> Markup {
    let texts = &context.texts;
    let elsewhere = found.tabs.iter().filter(|(tab, count)| *tab != state.tab && *count > 0);
    html! {
        section.no-records {
            h2 { (texts.get("none_heading")) }
            ul {
                li { (texts.get("none_words")) }
                @if state.is_filtered() || state.precise.is_some() {
                    li { a href=(state.without_filters().href(context)) rel="nofollow" { (texts.get("filters_clear")) } }
                }
                @for (tab, count) in elsewhere {
                    li { a href=(state.in_tab(*tab).href(context)) rel="nofollow" { (texts.get(tab.label())) " (" (count) ")" } }
                }
                @if !state.advanced {
                    li { a href=(advanced_form(context)) target="_blank" rel="noopener" { (texts.get("none_advanced")) (advanced::in_new_tab(context)) } }
                }
            }
        }
    }
}
