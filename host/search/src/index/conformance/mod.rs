//! What every index does, whatever it is made of. The suite knows an index by its trait alone; whoever writes another index runs it over that.

// The suite is a test: it panics where an index does something else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod content;
mod counts;
mod orders;
mod suggestions;
mod trees;
mod updates;
mod wildcards;

use std::sync::Arc;

use super::Index;

/// Runs parts of the suite, each with an index of its own, and returns the names of those that failed.
macro_rules! run {
    ($new:ident, $($part:path),+ $(,)?) => {{
        let mut failed: Vec<&str> = Vec::new();
        $(
            let index: Arc<dyn Index> = $new();
            // A task of its own, so that all parts run, whatever becomes of one.
            if tokio::spawn(async move { $part(&*index).await }).await.is_err() {
                failed.push(stringify!($part));
            }
        )+
        failed
    }};
}

/// Runs the suite. `new` makes an index without entries, again for every part.
///
/// # Panics
/// If the index does not do what every index does.
pub async fn suite(mut new: impl FnMut() -> Arc<dyn Index>) {
    let failed = run!(
        new,
        updates::an_update_replaces_all_entries_of_its_subject,
        updates::positions_are_kept_with_what_was_written,
        updates::an_index_is_taken_back,
        updates::entries_of_a_site_are_found_there_only,
        trees::words_are_found_in_their_fields,
        trees::phrases_are_adjacent_words_of_one_field,
        trees::conditions_are_combined,
        trees::better_matches_come_first,
        trees::mistyped_and_unfinished_words_are_found,
        trees::names_are_found_in_either_order,
        trees::filters_apply,
        trees::extreme_searches_end,
        wildcards::all_words_that_begin_so_match,
        wildcards::all_words_that_begin_so_are_excluded,
        wildcards::words_of_another_site_take_the_place_of_none,
        wildcards::the_last_of_many_beginnings_matches,
        orders::hits_come_in_the_requested_order,
        orders::pages_have_every_hit_once,
        orders::hits_are_ordered_by_values_of_the_caller,
        orders::pages_by_values_of_the_caller_have_every_hit_once,
        orders::hits_beyond_the_window_are_reached_by_key,
        counts::a_count_is_the_number_of_hits_with_the_filter,
        counts::forms_of_a_value_are_counted_together,
        suggestions::beginnings_are_suggested,
        suggestions::frequent_key_words_are_counted_up_to_a_limit,
        suggestions::known_words_are_told,
        suggestions::similar_articles_share_rare_words,
    );
    assert!(failed.is_empty(), "the index does not do what every index does: {failed:?}");
}
