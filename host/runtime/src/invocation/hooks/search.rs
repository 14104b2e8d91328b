//! `search.rewrite` and `search.decorate`: queries, and pages of hits.

use std::collections::BTreeSet;

use super::{
    article::check_badges,
    binding::{HookEntry, bind},
    text,
};
use crate::{
    contract::{
        bindings::exports::masthead::plugin::{search_decorate, search_rewrite},
        hook_types::{PluginSearchQuery, SearchSynonym},
    },
    invocation::site_context::SiteContext,
};

const TEXT_BYTES: usize = 4096;
const SYNONYMS: usize = PluginSearchQuery::MAX_SYNONYMS;
const ALTERNATIVES: usize = SearchSynonym::MAX_ALTERNATIVES;
const WORD_BYTES: usize = SearchSynonym::MAX_WORD_BYTES;
const BOOSTS: usize = PluginSearchQuery::MAX_BOOSTS;
const PERCENT: u32 = 10_000;
const FILTERS: usize = PluginSearchQuery::MAX_FILTERS;

bind!(Rewrite: search_rewrite.call_rewrite(search_rewrite::Query) -> search_rewrite::Query);
bind!(Decorate: search_decorate.call_decorate(search_decorate::Page) -> Vec<search_decorate::Hit>);

impl HookEntry for Rewrite {
    fn check(_: &SiteContext, input: &search_rewrite::Query, output: &search_rewrite::Query) -> Result<(), String> {
        let search_rewrite::Query { text, synonyms, boosts, filters } = output;
        if *text != input.text {
            text::check_text("the query", text, TEXT_BYTES)?;
        }
        if synonyms.len() > SYNONYMS || synonyms.iter().any(|synonym| synonym.alternatives.len() > ALTERNATIVES) {
            return Err(format!("more than {SYNONYMS} synonyms, or more than {ALTERNATIVES} alternatives of one"));
        }
        for word in synonyms.iter().flat_map(|synonym| synonym.alternatives.iter().chain([&synonym.term])) {
            text::check_text("a synonym", word, WORD_BYTES)?;
        }
        if boosts.len() > BOOSTS || boosts.iter().any(|boost| boost.percent > PERCENT) {
            return Err(format!("more than {BOOSTS} boosts, or one above {PERCENT} percent"));
        }
        if filters.len() > FILTERS {
            return Err(format!("{} filters, allowed are {FILTERS}", filters.len()));
        }
        Ok(())
    }

    fn trial_input() -> Option<Self::Input> {
        Some(search_rewrite::Query { text: String::new(), synonyms: vec![], boosts: vec![], filters: vec![] })
    }

    fn cache_weight(query: &Self::Output) -> usize {
        let words = query.synonyms.iter().flat_map(|synonym| synonym.alternatives.iter().chain([&synonym.term]));
        256 + query.text.len() + words.map(|word| 24 + word.len()).sum::<usize>()
    }
}

impl HookEntry for Decorate {
    fn check(_: &SiteContext, input: &search_decorate::Page, output: &Vec<search_decorate::Hit>) -> Result<(), String> {
        let ids = |hits: &[search_decorate::Hit]| hits.iter().map(|hit| hit.id).collect::<BTreeSet<_>>();
        if input.hits.len() != output.len() || ids(&input.hits) != ids(output) {
            return Err("the hits that came back are not those that were given".to_owned());
        }
        output.iter().try_for_each(|hit| check_badges(&hit.badges))
    }

    fn trial_input() -> Option<Self::Input> {
        Some(search_decorate::Page { text: String::new(), hits: Vec::new() })
    }

    fn cache_weight(hits: &Self::Output) -> usize {
        hits.iter().map(|hit| 256 + hit.title.len() + hit.badges.len() * 128).sum()
    }
}
