//! Tests of mistyped queries: what is found nevertheless, what is told, and what is offered.

use super::library::{Library, SITE, entry, library};
use crate::{Clause, Field, Join, PageOfHits, Query, Relaxation, Sites, Target, compile, find, meant};

/// Titles of many lengths; the short ones are among others that are like them.
const TITLES: [&str; 24] = [
    "Tides",
    "Salt marsh",
    "Blue carbon",
    "Sea ice",
    "The sea floor",
    "Coastal sediment",
    "Mud flats and their birds",
    "Estuaries of the north",
    "Storage of carbon in the sediment of a tidal marsh",
    "Loss of marshes by erosion: a review of three decades",
    "How birds use a flooded field in winter",
    "Measuring salinity with a low-cost probe",
    "A model of the migration of sand bars",
    "Nutrient input and algal bloom in shallow bays",
    "Acoustic survey of fish at the edge of the shelf",
    "Letter to the editor on wind farms",
    "Genetic diversity of eelgrass along a gradient of salinity",
    "Dredging changes the turbidity of harbours",
    "Remote sensing of water quality from small satellites",
    "Heat waves and the breeding of terns",
    "Ocean acidification",
    "Oyster reefs as breakwaters",
    "Microplastics in beach sand",
    "Permafrost thaw and river load",
];

async fn titles() -> Library {
    // Full texts share the words of all titles, as in a journal of one subject.
    let texts =
        (0..TITLES.len()).map(|at| format!("{} {}", TITLES[(at + 5) % TITLES.len()], TITLES[(at + 11) % TITLES.len()]));
    library(TITLES.iter().zip(texts).map(|(title, text)| entry(title, &text)).collect()).await
}

/// A title with a mistake of one letter. Every number gives another one.
fn mistyped(title: &str, number: usize) -> String {
    let mut letters: Vec<char> = title.chars().collect();
    let places: Vec<usize> = (0..letters.len()).filter(|at| letters[*at].is_alphabetic()).collect();
    let at = places[(number * 7 + title.len()) % places.len()];
    let other = char::from(b'a' + u8::try_from((number * 11 + title.len() * 3) % 26).unwrap());
    match number % 4 {
        0 => letters.insert(at, other),
        1 => drop(letters.remove(at)),
        2 => letters[at] = if letters[at] == other { 'q' } else { other },
        _ => {
            let next = if letters.get(at + 1).is_some_and(|next| next.is_alphabetic()) {
                at + 1
            } else {
                at.saturating_sub(1)
            };
            letters.swap(at, next);
        }
    }
    letters.into_iter().collect()
}

#[tokio::test]
async fn a_title_with_a_mistake_of_one_letter_is_among_the_first_three() {
    let library = titles().await;
    let (mut asked, mut missed) = (0, Vec::new());
    for (title, id) in TITLES.iter().zip(1..) {
        for number in 0..12 {
            let typed = mistyped(title, number);
            asked += 1;
            if !library.find(&typed).await.ids().iter().take(3).any(|found| *found == id) {
                missed.push(typed);
            }
        }
    }
    assert!(missed.len() * 10 <= asked, "{} of {asked}: {missed:#?}", missed.len());
}

#[tokio::test]
async fn a_title_as_it_is_comes_first_and_nothing_is_relaxed() {
    let library = titles().await;
    for (title, id) in TITLES.iter().zip(1..) {
        let found = library.find(title).await;
        assert_eq!(found.ids().first(), Some(&id), "{title}");
        let words = title.split_whitespace().count();
        assert!(words <= 3 || found.relaxed.is_none(), "{title}: {:?}", found.relaxed);
    }
}

#[tokio::test]
async fn the_nearest_search_that_finds_something_is_told() {
    let library = library(vec![
        entry("Carbon in the sediment of a marsh", "Tidal water carries it."),
        entry("Sand and carbon", "The level of the sea."),
        entry("海洋沉积物的碳收支", "潮间带"),
        entry("滨海湿地的蓝碳", ""),
    ])
    .await;
    for (text, relaxation, ids, left_out) in [
        ("carbon sediment marsh tidal", None, &[1][..], &[][..]),
        ("carbon sedimnet", Some(Relaxation::Spelling), &[1], &[]),
        ("\"carbon sediment\"", Some(Relaxation::Loose), &[1], &[]),
        ("author:sand", Some(Relaxation::Loose), &[2], &[]),
        ("carbon marsh zeppelins", Some(Relaxation::OneLess), &[1], &["zeppelins"]),
        ("sand level glacier zeppelins", Some(Relaxation::Half), &[2], &["glacier", "zeppelins"]),
        ("quartz glacier tidal zeppelins", Some(Relaxation::One), &[1], &["quartz", "glacier", "zeppelins"]),
        ("zeppelins", None, &[], &[]),
        ("carbon NOT carbon", None, &[], &[]),
        ("海洋沉积物", None, &[3], &[]),
        ("蓝谈", Some(Relaxation::OneLess), &[4], &["谈"]),
        ("湿地的篮碳", Some(Relaxation::Spelling), &[4], &[]),
        ("滨湖湿地", Some(Relaxation::Spelling), &[4], &[]),
    ] {
        let found = library.find(text).await;
        let told = found.relaxed.as_ref();
        assert_eq!(told.map(|relaxed| relaxed.relaxation), relaxation, "{text}: {:?}", found.ids());
        assert_eq!(found.ids(), ids, "{text}");
        assert_eq!(told.map_or(&[][..], |relaxed| relaxed.left_out.as_slice()), left_out, "{text}");
    }
}

#[tokio::test]
async fn words_like_those_typed_are_added_to_few_exact_hits() {
    let library =
        library(vec![entry("Wave form", "from"), entry("Waves from afar", ""), entry("Wave forms", "")]).await;
    let found = library.find("wave form").await;
    assert_eq!(found.relaxed.as_ref().map(|relaxed| relaxed.exact), Some(2));
    assert_eq!(found.ids(), [1, 3, 2], "exact hits come first");
    // The search that was executed is the one to count and to page with.
    let again = found.search.unwrap();
    assert_ne!(Some(&again), compile(&Query::typed("wave form")).as_ref());
}

#[tokio::test]
async fn the_text_that_was_meant_is_offered() {
    let library = library(vec![
        entry("Carbon in the sediment", "sea level"),
        entry("Sediment of the sea", ""),
        entry("海洋", ""),
        entry("海洋沉积物的碳收支与生态系统的鉴定", ""),
    ])
    .await;
    let offered = async |text: &str| {
        let query = Query::typed(text);
        meant(&library.index, &Sites::one(SITE), &query).await.unwrap().map(|meant| (meant.text, meant.total))
    };
    assert_eq!(offered("sedimnet").await, Some(("sediment".into(), 2)));
    assert_eq!(offered("title:Carbno sedimnet").await, Some(("title:Carbon sediment".into(), 1)));
    assert_eq!(offered("Sedimnet zeppelins").await, None, "that would find no more");
    assert_eq!(
        offered("Sedimnet AND \"sea levle\" NOT ice").await,
        Some(("Sediment AND \"sea level\" NOT ice".into(), 1))
    );
    assert_eq!(offered("海样").await, Some(("海洋".into(), 2)));
    assert_eq!(offered("海樣沉机物").await, Some(("海洋沉积物".into(), 1)), "traditional characters too");
    assert_eq!(offered("title:\"森态系统\" NOT 海样").await, Some(("title:\"生态系统\" NOT 海样".into(), 1)));
    assert_eq!(offered("坚定 sedimnet").await, None, "no entry has both");
    assert_eq!(offered("坚定").await, Some(("鉴定".into(), 1)), "both characters differ");
    for text in ["sediment", "elsewheer", "zeppelins", "海洋", "鲸鱼", "的", "", "NOT sedimnet", "NOT 海样"] {
        assert_eq!(offered(text).await, None, "{text}");
    }
}

#[tokio::test]
async fn what_was_meant_by_conditions_is_offered_for_each_of_them() {
    const TITLE: Target = Target::Part(Field::Title);
    let library = library(vec![
        entry("Carbon in the sediment", "sea level"),
        entry("Sediment of the sea", "carbon"),
        entry("海洋", ""),
        entry("海洋沉积物的碳收支与生态系统的鉴定", ""),
    ])
    .await;
    let offered = async |text: &str, clauses: &[(Join, Target, &str, bool)]| {
        let clause = |(join, target, text, precise): &(Join, Target, &str, bool)| Clause {
            join: *join,
            target: *target,
            text: (*text).to_owned(),
            precise: *precise,
        };
        let query = Query { clauses: clauses.iter().map(clause).collect(), ..Query::typed(text) };
        let meant = meant(&library.index, &Sites::one(SITE), &query).await.unwrap()?;
        let changed = |one: &Clause, typed: &Clause| Clause { text: typed.text.clone(), ..one.clone() } == *typed;
        assert!(meant.clauses.iter().zip(&query.clauses).all(|(one, typed)| changed(one, typed)), "{meant:?}");
        assert_eq!(meant.clauses.len(), query.clauses.len());
        let texts = std::iter::once(meant.text.as_str()).chain(meant.clauses.iter().map(|clause| clause.text.as_str()));
        Some((texts.collect::<Vec<_>>().join("|"), meant.total))
    };
    let (and, not) = (Join::And, Join::Not);
    for (text, clauses, expected) in [
        ("", &[(and, TITLE, "Sedimnet  of the", true)][..], Some(("|Sediment  of the", 1))),
        ("", &[(and, TITLE, "sedimnet AND NOT icee", false)], Some(("|sediment AND NOT icee", 2))),
        ("carbno", &[(and, TITLE, "sediment", true)], Some(("carbon|sediment", 2))),
        (
            "carbno",
            &[(and, TITLE, "sedimnet", false), (and, TITLE, "carbno", false)],
            Some(("carbon|sediment|carbon", 1)),
        ),
        ("", &[(and, TITLE, "海样", true), (not, TITLE, "海样", true)], Some(("|海洋|海样", 2))),
        ("", &[(and, TITLE, "sediment", false), (not, TITLE, "carbno", false)], None),
        ("", &[(and, Target::Doi, "sedimnet", false)], None),
        ("", &[(and, Target::Part(Field::Authors), "sedimnet", false)], None),
    ] {
        let found = offered(text, clauses).await;
        assert_eq!(found.as_ref().map(|(text, total)| (text.as_str(), *total)), expected, "{text} {clauses:?}");
    }
}

#[tokio::test]
async fn later_pages_are_those_of_the_search_of_the_first() {
    let entries = (0..30).map(|number| entry(&format!("Sediment {number}"), "")).collect();
    let library = library(entries).await;
    let mut seen = Vec::new();
    let mut page = PageOfHits::at(0, 12);
    loop {
        let found = find(&library.index, &Sites::one(SITE), &Query::typed("sedimnet"), page).await.unwrap();
        assert_eq!(
            (found.hits.total, found.relaxed.map(|relaxed| relaxed.relaxation)),
            (30, Some(Relaxation::Spelling))
        );
        seen.extend(found.hits.articles());
        let Some(next) = found.hits.next else { break };
        page = PageOfHits::behind(next, 12);
    }
    seen.sort_unstable_by_key(|id| id.0);
    seen.dedup();
    assert_eq!(seen.len(), 30);
}
