//! Extends search queries with synonyms.

use masthead_plugin::{Context, Query, SearchRewrite, Synonym, register, settings};
use serde::Deserialize;

mod find;

#[derive(Deserialize)]
struct Settings {
    synonyms: Vec<Vec<String>>,
}

struct SynonymSearch;

impl SearchRewrite for SynonymSearch {
    fn rewrite(_: &Context, mut query: Query) -> Result<Query, String> {
        let groups = settings::<Settings>()?.synonyms;
        let lower = find::lower(&query.text);
        for group in &groups {
            // Most words are not in the query. This cheap test skips thousands of them within the few milliseconds of the hook.
            for word in group.iter().filter(|word| lower.contains(&find::lower(word.trim()))) {
                // The word as typed in the query; operators in capitals stay operators.
                let typed = find::find(&query.text, word).filter(|typed| !matches!(*typed, "AND" | "OR" | "NOT"));
                let Some(term) = typed.map(str::to_owned) else { continue };
                let others = group.iter().filter(|other| find::lower(other) != find::lower(word));
                add(&mut query.synonyms, term, others);
            }
        }
        Ok(query)
    }
}

/// Adds alternatives for a term to those of earlier plugins and groups, without duplicates.
fn add<'a>(synonyms: &mut Vec<Synonym>, term: String, others: impl Iterator<Item = &'a String>) {
    let known = synonyms.iter().position(|synonym| find::lower(&synonym.term) == find::lower(&term));
    let at = known.unwrap_or_else(|| {
        synonyms.push(Synonym { term, alternatives: Vec::new() });
        synonyms.len() - 1
    });
    let alternatives = &mut synonyms[at].alternatives;
    for other in others {
        if !alternatives.contains(other) {
            alternatives.push(other.clone());
        }
    }
}

register!(SynonymSearch: SearchRewrite);

#[cfg(test)]
mod tests;
