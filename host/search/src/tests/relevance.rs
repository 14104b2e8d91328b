//! Tests of matching and ranking in both languages.

use super::{Library, entry, library};
use crate::{Entry, Field, Query, Synonym};

async fn corpus() -> Library {
    library(vec![
        Entry {
            year: Some(2019),
            journal: "coast".into(),
            article_type: "research-article".into(),
            open_access: true,
            ..entry("Seagrass meadows store carbon", "Sea level rise drowns the meadows of Müller.")
        },
        Entry {
            year: Some(2023),
            journal: "ocean".into(),
            article_type: "review-article".into(),
            ..entry("Eelgrass and the sea", "Eelgrass, eelgrass, eelgrass; the water level of the sea; seagrass.")
        },
        Entry {
            year: Some(2026),
            journal: "coast".into(),
            article_type: "correction".into(),
            open_access: true,
            ..entry("Zostera in the estuary", "Mean sea\nstand and sediment carbon.")
        },
        Entry {
            year: Some(2024), open_access: true, ..entry("海草床的碳储量", "海平面上升影响海草床。")
        },
        Entry {
            year: Some(2025), ..entry("大叶藻与沉积物", "沉积物中的有机碳随水位变化，北京大学测定了碳储量。")
        },
        entry("盐沼", "海草稀少，蓝碳丰富，储量未知。"),
    ])
    .await
}

fn with(text: &str, synonyms: &[(&str, &[&str])]) -> Query {
    let synonym = |(term, alternatives): &(&str, &[&str])| Synonym {
        term: (*term).to_owned(),
        alternatives: alternatives.iter().map(|&text| text.to_owned()).collect(),
    };
    Query { synonyms: synonyms.iter().map(synonym).collect(), ..Query::typed(text) }
}

#[tokio::test]
async fn a_synonym_matches_like_its_term() {
    let library = corpus().await;
    let grass: (&str, &[&str]) = ("Seagrasses", &["Zostera", "大叶藻"]);
    let level: (&str, &[&str]) = ("sea level", &["mean sea stand", "水位"]);
    for (text, plain, widened) in [
        ("seagrass", &[1, 2][..], &[1, 2, 3, 5][..]),
        ("SEAGRASS carbon", &[1], &[1, 3]),
        ("seagrass AND carbon", &[1], &[1, 3]),
        ("seagrass NOT carbon", &[2], &[2, 5]),
        ("carbon NOT seagrass", &[3], &[]),
        ("carbon OR seagrass", &[1, 2, 3], &[1, 2, 3, 5]),
        ("(NOT seagrass) AND (carbon OR 碳)", &[3, 4, 5, 6], &[4, 6]),
        ("\"seagrass meadow\"", &[1], &[1]),
        ("\"seagrass in the estuary\"", &[], &[3]),
        ("sea level", &[1, 2], &[1, 2, 3, 5]),
        ("\"sea level\"", &[1], &[1, 3, 5]),
        ("sea-level", &[1], &[1, 3, 5]),
        ("sea level seagrass", &[1, 2], &[1, 2, 3, 5]),
        ("sea AND level", &[1, 2], &[1, 2]),
        ("level sea", &[1, 2], &[1, 2]),
    ] {
        assert_eq!(library.ids(&Query::typed(text)).await, plain, "{text}");
        assert_eq!(library.ids(&with(text, &[grass, level])).await, widened, "{text}");
    }
}

#[tokio::test]
async fn chinese_synonyms_are_found_within_text_without_spaces() {
    let library = corpus().await;
    let grass: (&str, &[&str]) = ("海草床", &["大叶藻", "seagrass"]);
    assert_eq!(library.ids(&Query::typed("海草床")).await, [4]);
    assert_eq!(library.ids(&with("海草床", &[grass])).await, [1, 2, 4, 5]);
    assert_eq!(library.ids(&with("海草床储量", &[grass])).await, [4, 5]);
    assert_eq!(library.ids(&with("储量 NOT 海草床", &[grass])).await, [6]);
    assert_eq!(library.ids(&with("“海草床的碳”", &[("海草床的碳", &["沉积物中的有机碳"])])).await, [4, 5]);
    assert_eq!(library.ids(&with("大学", &[])).await, [5], "a word inside a longer one");
}

#[tokio::test]
async fn entries_of_a_term_are_combined_and_shorter_terms_apply_within_longer_ones() {
    let library = corpus().await;
    let twice: [(&str, &[&str]); 2] = [("seagrass", &["zostera"]), ("Seagrass", &["盐沼"])];
    assert_eq!(library.ids(&with("seagrass", &twice)).await, [1, 2, 3, 6]);
    let nested: [(&str, &[&str]); 2] = [("meadow carbon", &["盐沼"]), ("meadow", &["sediment"])];
    assert_eq!(library.ids(&with("meadow carbon", &nested)).await, [1, 3, 6]);
}

#[tokio::test]
async fn boosts_change_the_order_and_exclude_fields() {
    let library = corpus().await;
    let boosted = |boosts: &[(Field, u32)]| Query { boosts: boosts.to_vec(), ..Query::typed("seagrass") };
    assert_eq!(library.ranked(&boosted(&[])).await, [1, 2], "a title counts more than a text");
    assert_eq!(library.ranked(&boosted(&[(Field::Title, 1), (Field::Body, 1000)])).await, [2, 1]);
    assert_eq!(library.ranked(&boosted(&[(Field::Title, 0)])).await, [2]);
    assert_eq!(library.ranked(&boosted(&[(Field::Body, 0)])).await, [1]);
    assert_eq!(library.ranked(&boosted(&[(Field::Body, 0), (Field::Body, 100)])).await, [1, 2], "the last one holds");
    let none = [Field::Title, Field::Keywords, Field::Authors, Field::Summary, Field::Body].map(|field| (field, 0));
    assert_eq!(library.ranked(&boosted(&none)).await, Vec::<i64>::new());
}

#[tokio::test]
async fn adjacent_words_rank_first_and_accents_are_ignored() {
    let library = corpus().await;
    assert_eq!(library.ranked(&Query::typed("碳储量")).await.first(), Some(&4));
    assert_eq!(library.ranked(&Query::typed("eelgrass sea")).await, [2]);
    assert_eq!(library.ranked(&Query::typed("muller")).await, [1]);
    assert_eq!(library.ranked(&Query::typed("\"meadows of Müller\"")).await, [1]);
    assert_eq!(library.ranked(&Query::typed("\"sediments carbon\"")).await, [3], "a plural does not break a phrase");
}
