//! The note above the hits of a search that was executed instead of the typed one.

use masthead_search::Relaxation;
use maud::{Markup, html};

use super::{Found, SearchState};
use crate::page::{content::bidi, context::Context};

/// The note that no entry matches all that was typed, with the search whose hits are shown instead, and what was probably meant.
pub fn said(context: &Context<'_>, state: &SearchState, found: &Found) -> Markup {
    let (texts, results) = (&context.texts, &found.results);
    let key = |relaxation| match relaxation {
        Relaxation::Spelling => "nearest_spelling",
        Relaxation::Loose => "nearest_loose",
        Relaxation::OneLess => "nearest_one_less",
        Relaxation::Half => "nearest_half",
        Relaxation::One => "nearest_any",
    };
    html! {
        @if let Some(relaxed) = &results.relaxed {
            p.nearest role="note" {
                @if relaxed.exact == 0 { (texts.get("nearest_none")) " " }
                (texts.get(key(relaxed.relaxation)))
                @if !relaxed.left_out.is_empty() {
                    " " (texts.get("nearest_left_out")) " "
                    @for word in &relaxed.left_out { del { (bidi::isolated(word)) } " " }
                }
            }
        }
        @if let Some(meant) = &results.meant {
            @let meant = state.meant(meant);
            p.did-you-mean {
                (texts.get("did_you_mean")) " "
                a href=(meant.href(context)) rel="nofollow" { (bidi::isolated(&meant.typed())) }
            }
        }
    }
}
