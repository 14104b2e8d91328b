//! Tests of finding words and adding synonyms.

use super::{find::find, *};
use masthead_plugin::testing;

fn rewrite(groups: &str, text: &str, synonyms: Vec<Synonym>) -> Vec<(String, Vec<String>)> {
    testing::set_settings(&format!(r#"{{"synonyms":{groups}}}"#));
    let query = Query { text: text.to_owned(), synonyms, boosts: Vec::new(), filters: Vec::new() };
    let query = SynonymSearch::rewrite(&testing::context("en"), query).unwrap();
    assert_eq!(query.text, text);
    query.synonyms.into_iter().map(|synonym| (synonym.term, synonym.alternatives)).collect()
}

fn pair(term: &str, alternatives: &[&str]) -> (String, Vec<String>) {
    (term.to_owned(), alternatives.iter().map(|&other| other.to_owned()).collect())
}

#[test]
fn whole_words_are_found_ignoring_case() {
    assert_eq!(find("The SEA level", "sea"), Some("SEA"));
    assert_eq!(find("seaside, oversea", "sea"), None);
    assert_eq!(find("seaside sea", "sea"), Some("sea"));
    assert_eq!(find("\"heart attack\"", "Heart Attack"), Some("heart attack"));
    assert_eq!(find("C++ code", "c++"), Some("C++"));
    assert_eq!(find("Größe", "GRÖSSE"), None);
    assert_eq!(find("МОРЕ", "море"), Some("МОРЕ"));
    assert_eq!(find("ΛΌΓΟΣ", "λόγος"), None);
    assert_eq!(find("İzmir", "i"), None);
    assert_eq!(find("", "sea"), None);
    assert_eq!(find("sea", " "), None);
}

#[test]
fn chinese_words_match_anywhere() {
    assert_eq!(find("东部海洋环境", "海洋"), Some("海洋"));
    assert_eq!(find("DNA序列", "dna"), Some("DNA"));
    assert_eq!(find("mRNA序列", "rna"), None);
}

#[test]
fn the_other_words_of_a_group_become_alternatives() {
    let groups = r#"[["sea","ocean","海洋"],["level","height"]]"#;
    let found = rewrite(groups, "Sea level AND 海洋", Vec::new());
    assert_eq!(found, [pair("Sea", &["ocean", "海洋"]), pair("海洋", &["sea", "ocean"]), pair("level", &["height"])]);
    assert!(rewrite(groups, "salt", Vec::new()).is_empty());
}

#[test]
fn existing_synonyms_are_kept() {
    let before = vec![Synonym { term: "sea".to_owned(), alternatives: vec!["ocean".to_owned()] }];
    let found = rewrite(r#"[["sea","ocean","main"]]"#, "SEA", before);
    assert_eq!(found, [pair("sea", &["ocean", "main"])]);
}

#[test]
fn operators_are_not_words() {
    assert!(rewrite(r#"[["or","gold"]]"#, "sea OR salt", Vec::new()).is_empty());
    assert_eq!(rewrite(r#"[["or","gold"]]"#, "sea or salt", Vec::new()), [pair("or", &["gold"])]);
}
