//! What is wrong with the search of a site: conditions that no search accepts, and weights, synonyms and stop words beyond what a search takes.

use masthead_domain::site::{
    MAX_FIELD_WEIGHT, MAX_SEARCH_TERM, MAX_STOP_WORDS, MAX_SYNONYM_LISTS, MAX_SYNONYMS_OF_LIST, SearchCondition, Site,
    advanced_fields, search_type,
};

use crate::Fault;

/// The faults of `[search]`.
pub(crate) fn faults(site: &Site) -> Vec<Fault> {
    let mut faults = condition_faults(site);
    faults.extend(weight_faults(site));
    faults.extend(synonym_faults(site));
    faults.extend(stop_word_faults(site));
    faults
}

fn condition_faults(site: &Site) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (kind, conditions) in &site.search.conditions {
        if search_type(kind) != Some(kind.as_str()) {
            let key = format!("search.conditions.{kind}");
            let message = format!("{key}: no search type has this name");
            faults.push(Fault::new(key, message, "use a search type such as article, publication or book"));
            continue;
        }
        let unknown = |own: &SearchCondition| !advanced_fields(kind).any(|field| field.field == own.field);
        for (index, condition) in conditions.iter().enumerate().filter(|(_, own)| unknown(own)) {
            let message = format!(
                "search.conditions.{kind} offers the field {:?}, which is not searched in this type",
                condition.field
            );
            let key = format!("search.conditions.{kind}[{index}].field");
            faults.push(Fault::new(key, message, "use a field of this type, or remove the condition"));
        }
    }
    faults
}

fn weight_faults(site: &Site) -> Vec<Fault> {
    let weights = site.search.weights.by_key();
    let mut faults = Vec::new();
    for (field, weight) in weights.into_iter().filter(|(_, weight)| *weight > MAX_FIELD_WEIGHT) {
        let key = format!("search.weights.{field}");
        let message = format!("{key} is {weight} percent, and {MAX_FIELD_WEIGHT} is the most");
        faults.push(Fault::new(key, message, "write a smaller weight; 100 is the usual one"));
    }
    if weights.iter().all(|(_, weight)| *weight == 0) {
        let message = "search.weights is 0 for every field, so that no search finds anything";
        faults.push(Fault::new("search.weights", message, "give a field a weight; 100 is the usual one"));
    }
    faults
}

fn synonym_faults(site: &Site) -> Vec<Fault> {
    const FIX: &str = "write lists of two or more short words or phrases, such as [[\"CO2\", \"carbon dioxide\"]]";
    let lists = &site.search.synonyms;
    let mut faults = Vec::new();
    if lists.len() > MAX_SYNONYM_LISTS {
        let message = format!("search.synonyms has {} lists, and {MAX_SYNONYM_LISTS} is the most", lists.len());
        faults.push(Fault::new("search.synonyms", message, "leave out lists that readers do not search for"));
    }
    for (index, list) in lists.iter().enumerate() {
        let key = format!("search.synonyms[{index}]");
        if !(2..=MAX_SYNONYMS_OF_LIST).contains(&list.len()) {
            let message = format!("{key} has {} words, and 2 to {MAX_SYNONYMS_OF_LIST} are allowed", list.len());
            faults.push(Fault::new(key, message, FIX));
        } else if let Some(word) = list.iter().find(|word| !is_term(word)) {
            let message = format!("{key} has {word:?}, which is empty or longer than {MAX_SEARCH_TERM} characters");
            faults.push(Fault::new(key, message, FIX));
        }
    }
    faults
}

fn stop_word_faults(site: &Site) -> Vec<Fault> {
    let words = &site.search.stop_words;
    let mut faults = Vec::new();
    if words.len() > MAX_STOP_WORDS {
        let message = format!("search.stopWords has {} words, and {MAX_STOP_WORDS} is the most", words.len());
        faults.push(Fault::new("search.stopWords", message, "leave out rare words"));
    }
    for (index, word) in words.iter().enumerate() {
        if !is_term(word) || word.trim().contains(char::is_whitespace) {
            let key = format!("search.stopWords[{index}]");
            let message = format!("{key} is {word:?}, and not one word of at most {MAX_SEARCH_TERM} characters");
            faults.push(Fault::new(key, message, "write one word in each place of the list"));
        }
    }
    faults
}

/// Whether a search can have this as a word or phrase.
fn is_term(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().nth(MAX_SEARCH_TERM).is_none()
}
