//! What every index does, whatever it is made of. The suite knows an index by its trait alone; whoever writes another index runs it over that.

// The suite is a test: it panics where an index does something else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod content;
mod counts;
mod orders;
mod suggestions;
mod trees;
mod updates;

use std::sync::Arc;

use super::Index;

/// Runs the suite. `new` makes an index without entries, again for every part.
///
/// # Panics
/// If the index does not do what every index does.
pub async fn suite(mut new: impl FnMut() -> Arc<dyn Index>) {
    updates::an_update_replaces_all_entries_of_its_subject(&*new()).await;
    updates::positions_are_kept_with_what_was_written(&*new()).await;
    updates::an_index_is_taken_back(&*new()).await;
    updates::entries_of_a_site_are_found_there_only(&*new()).await;
    trees::words_are_found_in_their_fields(&*new()).await;
    trees::phrases_are_adjacent_words_of_one_field(&*new()).await;
    trees::conditions_are_combined(&*new()).await;
    trees::better_matches_come_first(&*new()).await;
    trees::mistyped_and_unfinished_words_are_found(&*new()).await;
    trees::names_are_found_in_either_order(&*new()).await;
    trees::filters_apply(&*new()).await;
    trees::extreme_searches_end(&*new()).await;
    orders::hits_come_in_the_requested_order(&*new()).await;
    orders::pages_have_every_hit_once(&*new()).await;
    orders::hits_beyond_the_window_are_reached_by_key(&*new()).await;
    counts::a_count_is_the_number_of_hits_with_the_filter(&*new()).await;
    counts::forms_of_a_value_are_counted_together(&*new()).await;
    suggestions::beginnings_are_suggested(&*new()).await;
    suggestions::known_words_are_told(&*new()).await;
    suggestions::similar_articles_share_rare_words(&*new()).await;
}
