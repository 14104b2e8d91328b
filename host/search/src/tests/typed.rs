//! Tests of fields and values in a typed query and in conditions, and of hostile queries.

use std::time::{Duration, Instant};

use super::library::{Library, entry, library};
use crate::{Clause, Entry, EntryKind, ExactField, Field, Join, Query, Target};

async fn meadows() -> Library {
    let first = Entry {
        authors: "Ada Ellingham\nLin Wei".into(),
        company: "Institute of Tidal Studies".into(),
        keywords: "seagrass\nblue carbon".into(),
        summary: "Meadows of seagrass keep carbon in the sediment.".into(),
        doi: "10.5555/coast.2024.1".into(),
        exact_values: vec![
            (ExactField::FirstPage, "17".into()),
            (ExactField::LastPage, "29".into()),
            (ExactField::Part, "B".into()),
        ],
        year: Some(2024),
        ..entry("Carbon in seagrass meadows", "")
    };
    let second = Entry {
        authors: "Ellis Tidal".into(),
        keywords: "seagrass".into(),
        summary: "The loss of carbon.".into(),
        year: Some(2019),
        ..entry("Loss of carbon", "")
    };
    library(vec![first, second, entry("Stone", "")]).await
}

fn clause(join: Join, target: Target, text: &str, precise: bool) -> Clause {
    Clause { join, target, text: text.into(), precise }
}

fn advanced(clauses: Vec<Clause>) -> Query {
    Query { kinds: vec![EntryKind::Article], clauses, ..Query::default() }
}

#[tokio::test]
async fn names_and_years_are_conditions() {
    let library = meadows().await;
    for (target, text, precise, expected) in [
        (Target::Part(Field::Authors), "Wei Lin", true, &[1][..]),
        (Target::Year, "2019", false, &[2]),
        (Target::Year, "2019-2024", false, &[1, 2]),
        (Target::Year, "2020-", false, &[1]),
        (Target::Everything, "tidal", true, &[1, 2]),
    ] {
        let query = advanced(vec![clause(Join::And, target, text, precise)]);
        assert_eq!(library.ids(&query).await, expected, "{target:?} {text}");
    }
}

#[tokio::test]
async fn fields_are_named_in_a_typed_query() {
    let library = meadows().await;
    for (text, expected) in [
        ("title:seagrass", &[1][..]),
        ("keyword_tic:seagrass", &[1, 2]),
        ("author:(tidal OR lin)", &[1, 2]),
        ("title:carbon NOT title:loss", &[1]),
        ("carbon year:2019", &[2]),
        ("firstPageNum:17", &[1]),
        ("10.5555/coast.2024.1", &[1]),
        ("seag*", &[1, 2]),
        ("title:seag* carbon", &[1]),
        ("titel:seagrass", &[]),
    ] {
        assert_eq!(library.ids(&Query::typed(text)).await, expected, "{text}");
    }
}

#[tokio::test]
async fn hostile_queries_end_soon_and_find_no_other_site() {
    let library = meadows().await;
    let began = Instant::now();
    for text in [
        "(",
        "\"",
        "NOT ",
        "a OR ",
        "\"a b\" ",
        "海洋沉积物",
        "seagrasses ",
        "s* ",
        "*",
        "-",
        "\u{0}",
        "10.5555/",
        "𠀀",
    ] {
        let long = text.repeat(100_000 / text.len());
        assert!(!library.find(&long).await.ids().contains(&99), "{text:?}");
        for target in [Target::Everything, Target::Part(Field::Body), Target::Doi, Target::Exact(ExactField::Cn)] {
            let many = vec![clause(Join::Or, target, &long, text.len() > 3); 40];
            let ids = library.ids(&Query { text: long.clone(), ..advanced(many) }).await;
            assert!(!ids.contains(&99), "{text:?}");
        }
    }
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}
