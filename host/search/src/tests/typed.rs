//! Tests of fields and values in a typed query and in conditions, and of hostile queries.

use super::{
    MAX_TREE, assert_bounded,
    attempts::Asked,
    library::{Library, entry, library},
};
use crate::{
    Clause, Entry, EntryKind, ExactField, Field, Found, Join, Query, Relaxation, Target, Tree, spelling::MAX_LOOKED_UP,
};

/// The most searches for one text: as typed, with its unknown words mistyped, relaxed in each way, and each of its first words alone: whether it
/// is there at all, and to tell that it is missing, as typed and mistyped.
const MAX_SEARCHES: usize = 2 + Relaxation::ALL.len() + 3 * MAX_LOOKED_UP;

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
async fn what_has_a_doi_comes_before_what_has_a_longer_one() {
    let with = |doi: &str| Entry { doi: doi.into(), ..entry("Stone", "") };
    let library = library(vec![with("10.5555/bench.1"), with("10.5555/bench.12"), with("10.5555/bench.11")]).await;
    let found = library.find("https://doi.org/10.5555/Bench.1").await;
    assert_eq!((found.ids(), found.relaxed), (vec![1], None), "no word of a DOI is taken for a mistyped one");
    assert_eq!(library.find("10.5555/bench").await.hits.total, 3, "the beginning of several");
    assert_eq!(library.ranked(&Query::typed("doi:10.5555/bench.1")).await.first(), Some(&1));
    let query = advanced(vec![clause(Join::And, Target::Doi, "10.5555/bench.1", false)]);
    assert_eq!(library.ranked(&query).await, [1, 3, 2]);
}

/// What a reader finds with a text. It ends soon, because the index is asked for so many searches at most, of which each is so large at most;
/// both are the same on every machine.
async fn found_soon(library: &Library, text: &str) -> Found {
    let index = Asked::new(library);
    let found = index.find(text).await.unwrap();
    let (searches, begin) = (index.searches(), text.chars().take(40).collect::<String>());
    assert!(searches.len() <= MAX_SEARCHES, "{begin:?}: {} searches", searches.len());
    let size = searches.iter().filter_map(|search| search.tree.as_ref()).map(Tree::size).max();
    assert!(size <= Some(MAX_TREE), "{begin:?}: a tree of {size:?} nodes and terms");
    found
}

#[tokio::test]
async fn queries_of_every_plane_end_soon_and_find_no_other_site() {
    let library = meadows().await;
    for plane in 0..=16_u32 {
        // Characters from all parts of the plane, its first and last ones among them. Surrogates are none.
        let places = (0..0x1_0000).step_by(0x101).chain([0xfffd, 0xfffe, 0xffff]);
        let characters: Vec<char> = places.filter_map(|place| char::from_u32((plane << 16) + place)).collect();
        assert!(characters.len() > 240, "plane {plane}");
        let run: String = characters.iter().collect();
        let apart: Vec<String> = characters.iter().map(char::to_string).collect();
        for text in
            [run.clone(), apart.join(" "), format!("\"{run}\""), format!("seagrass {run}*"), format!("title:{run}")]
        {
            let found = found_soon(&library, &text).await;
            assert!(!found.ids().contains(&99), "plane {plane}");
            assert!(found.hits.total <= 3, "plane {plane}");
        }
        for character in characters.iter().step_by(16) {
            let typed = format!("sea{character}grass {character}{character}");
            assert!(!found_soon(&library, &typed).await.ids().contains(&99), "plane {plane}: {typed:?}");
        }
    }
}

#[tokio::test]
async fn hostile_queries_end_soon_and_find_no_other_site() {
    let library = meadows().await;
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
        assert!(!found_soon(&library, &long).await.ids().contains(&99), "{text:?}");
        for target in [Target::Everything, Target::Part(Field::Body), Target::Doi, Target::Exact(ExactField::Cn)] {
            let many = vec![clause(Join::Or, target, &long, text.len() > 3); 40];
            let query = Query { text: long.clone(), ..advanced(many) };
            assert_bounded(&query);
            let ids = library.ids(&query).await;
            assert!(!ids.contains(&99), "{text:?}");
        }
    }
}
