//! Tests of matching and ranking in both languages.

use masthead_domain::SiteId;

use super::Tested;
use crate::{Entry, Field, Filter, Query, Synonym};

const SITE: SiteId = SiteId(1);

fn corpus() -> Tested {
    let entry = |title: &str, text: &str| Entry { title: title.into(), text: text.into(), ..Entry::default() };
    let entries = [
        Entry {
            year: Some(2019),
            journal: "coast".into(),
            article_type: "research-article".into(),
            open_access: Some(true),
            ..entry("Seagrass meadows store carbon", "Sea level rise drowns the meadows of Müller.")
        },
        Entry {
            year: Some(2023),
            journal: "ocean".into(),
            article_type: "review-article".into(),
            open_access: Some(false),
            ..entry("Eelgrass and the sea", "Eelgrass, eelgrass, eelgrass; the water level of the sea; seagrass.")
        },
        Entry {
            year: Some(2026),
            journal: "coast".into(),
            article_type: "correction".into(),
            open_access: Some(true),
            ..entry("Zostera in the estuary", "Mean sea\nstand and sediment carbon.")
        },
        Entry {
            year: Some(2024), open_access: Some(true), ..entry("海草床的碳储量", "海平面上升影响海草床。")
        },
        Entry {
            year: Some(2025),
            open_access: Some(false),
            ..entry("大叶藻与沉积物", "沉积物中的有机碳随水位变化，北京大学测定了碳储量。")
        },
        entry("盐沼", "海草稀少，蓝碳丰富，储量未知。"),
    ];
    let index = Tested::new();
    let batch: Vec<_> =
        (1..).zip(entries).map(|(number, entry)| crate::tests::put(SITE, number, Some(entry))).collect();
    index.apply(&batch, 1);
    index
}

fn ranked(index: &Tested, query: &Query) -> Vec<i64> {
    index.search(SITE, query, 0, 20).articles().into_iter().map(|id| id.0).collect()
}

fn found(index: &Tested, query: &Query) -> Vec<i64> {
    let mut ids = ranked(index, query);
    ids.sort_unstable();
    ids
}

fn with(text: &str, synonyms: &[(&str, &[&str])]) -> Query {
    let synonym = |(term, alternatives): &(&str, &[&str])| Synonym {
        term: (*term).to_owned(),
        alternatives: alternatives.iter().map(|&text| text.to_owned()).collect(),
    };
    Query { synonyms: synonyms.iter().map(synonym).collect(), ..Query::typed(text) }
}

#[test]
fn a_synonym_matches_like_its_term() {
    let index = corpus();
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
        assert_eq!(found(&index, &Query::typed(text)), plain, "{text}");
        assert_eq!(found(&index, &with(text, &[grass, level])), widened, "{text}");
    }
}

#[test]
fn chinese_synonyms_are_found_within_text_without_spaces() {
    let index = corpus();
    let grass: (&str, &[&str]) = ("海草床", &["大叶藻", "seagrass"]);
    assert_eq!(found(&index, &Query::typed("海草床")), [4]);
    assert_eq!(found(&index, &with("海草床", &[grass])), [1, 2, 4, 5]);
    assert_eq!(found(&index, &with("海草床储量", &[grass])), [4, 5]);
    assert_eq!(found(&index, &with("储量 NOT 海草床", &[grass])), [6]);
    assert_eq!(found(&index, &with("“海草床的碳”", &[("海草床的碳", &["沉积物中的有机碳"])])), [4, 5]);
    assert_eq!(found(&index, &with("大学", &[])), [5], "a word inside a longer one");
}

#[test]
fn entries_of_a_term_are_combined_and_shorter_terms_apply_within_longer_ones() {
    let index = corpus();
    let twice: [(&str, &[&str]); 2] = [("seagrass", &["zostera"]), ("Seagrass", &["盐沼"])];
    assert_eq!(found(&index, &with("seagrass", &twice)), [1, 2, 3, 6]);
    let nested: [(&str, &[&str]); 2] = [("meadow carbon", &["盐沼"]), ("meadow", &["sediment"])];
    assert_eq!(found(&index, &with("meadow carbon", &nested)), [1, 3, 6]);
}

#[test]
fn boosts_change_the_order_and_exclude_fields() {
    let index = corpus();
    let boosted = |boosts: &[(Field, u32)]| Query { boosts: boosts.to_vec(), ..Query::typed("seagrass") };
    assert_eq!(ranked(&index, &boosted(&[])), [1, 2], "a title counts more than a text");
    assert_eq!(ranked(&index, &boosted(&[(Field::Title, 1), (Field::Body, 1000)])), [2, 1]);
    assert_eq!(ranked(&index, &boosted(&[(Field::Title, 0)])), [2]);
    assert_eq!(ranked(&index, &boosted(&[(Field::Body, 0)])), [1]);
    assert_eq!(ranked(&index, &boosted(&[(Field::Body, 0), (Field::Body, 100)])), [1, 2], "the last one holds");
    let none = [Field::Title, Field::Keywords, Field::Authors, Field::Summary, Field::Body].map(|field| (field, 0));
    assert_eq!(ranked(&index, &boosted(&none)), Vec::<i64>::new());
}

#[test]
fn all_filters_apply() {
    let index = corpus();
    let filtered =
        |filters: &[Filter]| found(&index, &Query { filters: filters.to_vec(), ..Query::typed("NOT xyzzy") });
    assert_eq!(filtered(&[]), [1, 2, 3, 4, 5, 6]);
    assert_eq!(filtered(&[Filter::YearFrom(2024)]), [3, 4, 5], "one without a year is not from 2024");
    assert_eq!(filtered(&[Filter::YearTo(2023)]), [1, 2]);
    assert_eq!(filtered(&[Filter::YearFrom(2023), Filter::YearTo(2024), Filter::YearFrom(2020)]), [2, 4]);
    assert_eq!(filtered(&[Filter::YearFrom(2025), Filter::YearTo(2024)]), Vec::<i64>::new());
    assert_eq!(filtered(&[Filter::YearFrom(i32::MIN), Filter::YearTo(i32::MAX)]), [1, 2, 3, 4, 5]);
    let coast = Filter::Journal("coast".into());
    assert_eq!(filtered(std::slice::from_ref(&coast)), [1, 3]);
    assert_eq!(filtered(&[coast.clone(), coast.clone(), Filter::ArticleType("correction".into())]), [3]);
    assert_eq!(filtered(&[coast, Filter::Journal("ocean".into())]), Vec::<i64>::new());
    assert_eq!(filtered(&[Filter::Journal("Coast".into())]), Vec::<i64>::new(), "keys are exact");
    assert_eq!(filtered(&[Filter::OpenAccess(true)]), [1, 3, 4]);
    assert_eq!(filtered(&[Filter::OpenAccess(false)]), [2, 5], "what has no access is neither");
    let none = Query { filters: vec![Filter::OpenAccess(true)], ..Query::default() };
    assert_eq!(found(&index, &none), Vec::<i64>::new(), "filters alone find nothing");
}

#[test]
fn adjacent_words_rank_first_and_accents_are_ignored() {
    let index = corpus();
    assert_eq!(ranked(&index, &Query::typed("碳储量")).first(), Some(&4));
    assert_eq!(ranked(&index, &Query::typed("eelgrass sea")), [2]);
    assert_eq!(ranked(&index, &Query::typed("muller")), [1]);
    assert_eq!(ranked(&index, &Query::typed("\"meadows of Müller\"")), [1]);
    assert_eq!(ranked(&index, &Query::typed("\"sediments carbon\"")), [3], "a plural does not break a phrase");
}
