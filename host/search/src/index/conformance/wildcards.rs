//! Words with a wildcard at their end: every word that begins so matches.

use super::content::{OTHER, SITE, article, at, found, hits, put, reaching, searched, terms, word};
use crate::{
    entry::Entry,
    index::Index,
    query::{Expansion, Field, Phrase, Scope, Search, Tree},
};

fn beginning(typed: &str) -> Tree {
    reaching(typed, Expansion::Beginning)
}

fn in_field(field: Field, typed: &str) -> Tree {
    let terms = terms(typed, Expansion::Beginning);
    Tree::Phrase(Phrase { scope: Scope::Only(field), terms, names: vec![] })
}

/// Number of the entries of which each has words of its own.
const OWN_WORDS: i64 = 80;

/// Entries with words of their own that begin alike, and one more that has none of them, in several commits.
async fn fill(index: &dyn Index) {
    let own = |id: i64| Entry {
        authors: format!("Ada Wander{id}"),
        summary: "The shore.".into(),
        text: format!("The reef of coral{id}.").into(),
        ..article(id, &format!("Tidal{id}"))
    };
    // The letters of this name as one word begin with "wander", but none of its words does.
    let other = Entry { authors: "W. Anders".into(), summary: "The shore.".into(), ..article(OWN_WORDS + 1, "Stone") };
    for (change, ids) in [(1, 1..=50), (2, 51..=OWN_WORDS)] {
        index.apply(ids.map(|id| put(SITE, vec![own(id)])).collect(), at(change)).await.unwrap();
    }
    index.apply(vec![put(SITE, vec![other])], at(3)).await.unwrap();
}

pub async fn all_words_that_begin_so_match(index: &dyn Index) {
    fill(index).await;
    let all = usize::try_from(OWN_WORDS).unwrap();
    for (field, typed) in [(Field::Title, "tidal"), (Field::Body, "coral"), (Field::Authors, "wander")] {
        assert_eq!(hits(index, &searched(beginning(typed))).await.total, all, "{typed} in every field");
        assert_eq!(hits(index, &searched(in_field(field, typed))).await.total, all, "{typed} in {field:?}");
        assert_eq!(found(index, &searched(in_field(Field::Summary, typed))).await, [0; 0], "{typed} in another field");
        let some = |field| Search { weights: vec![(Field::Fund, 100), (field, 50)], ..searched(beginning(typed)) };
        assert_eq!(hits(index, &some(field)).await.total, all, "{typed} in some fields");
        assert_eq!(found(index, &some(Field::Company)).await, [0; 0], "{typed} in some other fields");
    }
}

pub async fn all_words_that_begin_so_are_excluded(index: &dyn Index) {
    fill(index).await;
    for part in [beginning("tidal"), in_field(Field::Title, "tidal"), in_field(Field::Authors, "wander")] {
        let tree = Tree::All(vec![word("shore"), Tree::Not(Box::new(part.clone()))]);
        assert_eq!(found(index, &searched(tree)).await, [OWN_WORDS + 1], "{part:?}");
    }
}

pub async fn words_of_another_site_take_the_place_of_none(index: &dyn Index) {
    // Each of these words is more frequent than those of the searched site, and all begin as they do.
    let frequent = |id: i64| {
        let number = (id - 1) / 2;
        let authors = format!("Ada Wand{number}");
        put(OTHER, vec![Entry { authors, ..article(id, &format!("Sedimentat{number} and tidal{number}")) }])
    };
    index.apply((1..=160).map(frequent).collect(), at(1)).await.unwrap();
    let first = Entry { authors: "Eva Wandering".into(), ..article(1, "Sedimentation of sand on tidalflats") };
    let second = Entry { authors: "W. Anders".into(), ..article(2, "Stone") };
    index.apply(vec![put(SITE, vec![first]), put(SITE, vec![second])], at(2)).await.unwrap();
    // A stem may be shorter than what was typed: that of "sedimentation" is "sediment".
    for (field, typed) in [(Field::Title, "tidal"), (Field::Title, "sedimentat"), (Field::Authors, "wand")] {
        assert_eq!(found(index, &searched(beginning(typed))).await, [1], "{typed}");
        assert_eq!(found(index, &searched(in_field(field, typed))).await, [1], "{typed} in {field:?}");
    }
}

pub async fn the_last_of_many_beginnings_matches(index: &dyn Index) {
    let typed: Vec<String> = ('a'..='n').map(|letter| format!("w{letter}q")).collect();
    let whole: Vec<String> = typed.iter().map(|typed| format!("{typed}oxt")).collect();
    let last = whole.len() - 1;
    let batch = vec![
        put(SITE, vec![article(1, &whole.join(" "))]),
        put(SITE, vec![article(2, &whole[..last].join(" "))]),
        put(SITE, vec![article(3, &whole[last])]),
    ];
    index.apply(batch, at(1)).await.unwrap();
    for all in [
        typed.iter().map(|typed| beginning(typed)).collect::<Vec<_>>(),
        typed.iter().map(|typed| in_field(Field::Title, typed)).collect(),
    ] {
        assert_eq!(found(index, &searched(Tree::All(all.clone()))).await, [1]);
        let mut excluding = all.clone();
        let excluded = excluding.remove(last);
        excluding.push(Tree::Not(Box::new(excluded)));
        assert_eq!(found(index, &searched(Tree::All(excluding))).await, [2]);
        // The beginnings before it are those of no word.
        let unknown = (0..last).map(|number| beginning(&format!("zq{number}")));
        let parts = unknown.chain(all.last().cloned()).collect();
        assert_eq!(found(index, &searched(Tree::Any { least: 1, parts })).await, [1, 3]);
    }
}
