//! What trees of terms and filters match.

use super::content::{
    PICTURE, SITE, WEIGHTS, article, at, fill, found, phrase, put, ranked, reaching, searched, terms, word,
};
use crate::{
    analysis,
    entry::{Entry, EntryKind, ExactField},
    index::Index,
    query::{Expansion, Field, Filter, Phrase, Scope, Search, Term, Tree},
};

fn only(field: Field, text: &str) -> Search {
    searched(phrase(Scope::Only(field), text))
}

pub async fn words_are_found_in_their_fields(index: &dyn Index) {
    fill(index).await;
    for (field, text, ids) in [
        (Field::Title, "seagrass", &[1][..]),
        (Field::Title, "海草床", &[1]),
        (Field::Title, "草床", &[1]),
        (Field::Keywords, "seagrass", &[1, 2]),
        (Field::Authors, "tidal", &[2]),
        (Field::Company, "tidal", &[1]),
        (Field::Fund, "ocean", &[1]),
        (Field::Publication, "coastal", &[1]),
        (Field::Summary, "carbon", &[1, 2]),
        (Field::Body, "leaves", &[1]),
        (Field::Body, "loss", &[]),
    ] {
        assert_eq!(found(index, &only(field, text)).await, ids, "{field:?} {text}");
    }
    assert_eq!(found(index, &searched(word("tidal"))).await, [1, 2], "in every field");
    let without = Search { weights: vec![(Field::Authors, 100)], ..searched(word("tidal")) };
    assert_eq!(found(index, &without).await, [2], "in the fields of the weights");
    assert_eq!(found(index, &Search { weights: vec![], ..without }).await, [0; 0]);
    assert_eq!(found(index, &Search { kinds: vec![PICTURE], ..searched(word("depth")) }).await, [7]);
    let kinds = vec![PICTURE, EntryKind::Publication];
    assert_eq!(found(index, &Search { kinds, ..searched(word("carbon")) }).await, [0, 7, 8]);
    for (field, value, ids) in
        [(ExactField::FirstPage, "17", &[1][..]), (ExactField::LastPage, "17", &[]), (ExactField::Part, " b", &[1])]
    {
        assert_eq!(found(index, &searched(Tree::Exact(field, value.into()))).await, ids, "{field:?}");
    }
    let issn = Search { kinds: vec![], ..searched(Tree::Exact(ExactField::Issn, "1234567x".into())) };
    assert_eq!(found(index, &issn).await, [0]);
    for (text, whole, ids) in [
        ("10.5555/coast.2024.1", true, &[1][..]),
        ("10.5555/coast", true, &[]),
        ("10.5555/coast", false, &[1]),
        ("", false, &[]),
    ] {
        assert_eq!(found(index, &searched(Tree::Doi { text: text.into(), whole })).await, ids, "{text}");
    }
}

pub async fn phrases_are_adjacent_words_of_one_field(index: &dyn Index) {
    fill(index).await;
    assert_eq!(found(index, &searched(word("seagrass meadows"))).await, [1]);
    assert_eq!(found(index, &searched(word("seagrass meadow"))).await, [1], "a plural does not break a phrase");
    assert_eq!(found(index, &searched(word("meadows seagrass"))).await, [0; 0]);
    assert_eq!(found(index, &searched(word("carbon in the sediment"))).await, [1]);
    assert_eq!(found(index, &searched(word("loss of carbon"))).await, [0; 0]);
    assert_eq!(found(index, &searched(word("固定大量碳"))).await, [1]);
    assert_eq!(
        found(index, &searched(word("carbon loss"))).await,
        [0; 0],
        "lines of keywords are not one phrase in every order"
    );
}

pub async fn conditions_are_combined(index: &dyn Index) {
    fill(index).await;
    let not = |text: &str| Tree::Not(Box::new(word(text)));
    let any = |least, words: &[&str]| Tree::Any { least, parts: words.iter().map(|text| word(text)).collect() };
    for (tree, ids) in [
        (Tree::All(vec![word("carbon"), word("loss")]), &[2][..]),
        (Tree::All(vec![word("carbon"), not("loss")]), &[1]),
        (Tree::All(vec![not("carbon")]), &[3]),
        (Tree::All(vec![not("carbon"), not("stone")]), &[]),
        (not("carbon"), &[3]),
        (Tree::Not(Box::new(not("carbon"))), &[1, 2]),
        (any(1, &["stone", "loss"]), &[2, 3]),
        (any(2, &["seagrass", "loss", "water"]), &[1, 2]),
        (any(3, &["seagrass", "loss", "water"]), &[]),
        (Tree::Any { least: 1, parts: vec![not("carbon"), word("loss")] }, &[2, 3]),
        (Tree::Best(vec![word("stone"), word("water")]), &[1, 3]),
        (Tree::All(vec![any(1, &["stone", "loss"]), word("meadows")]), &[2]),
        (Tree::Rather { base: Box::new(word("carbon")), better: vec![word("stone")] }, &[1, 2]),
        (Tree::Weighted { percent: 5, part: Box::new(word("stone")) }, &[3]),
        (Tree::All(vec![word("carbon"), Tree::Filter(Filter::OpenAccess(true))]), &[1]),
        (Tree::Title("lossofmeadows".into()), &[2]),
        (Tree::Title("海草床中的碳".into()), &[1]),
        (Tree::Title("loss".into()), &[]),
        (Tree::Best(vec![]), &[]),
    ] {
        assert_eq!(found(index, &searched(tree.clone())).await, ids, "{tree:?}");
    }
    assert_eq!(found(index, &searched(None)).await, [1, 2, 3], "all entries of the kind");
}

pub async fn better_matches_come_first(index: &dyn Index) {
    let body = |id, title: &str, text: &str| Entry { text: text.into(), ..article(id, title) };
    let batch = vec![
        put(SITE, vec![body(1, "Tides", "Mangroves and mangroves; mangroves again, and more of the mangroves.")]),
        put(SITE, vec![body(2, "Mangroves", "Nothing else.")]),
        put(SITE, vec![body(3, "Mangroves of the delta and their mangroves", "Mangroves, mangroves.")]),
        put(SITE, vec![body(4, "Rivers", "The delta; far from it, one mangrove.")]),
        put(SITE, vec![body(5, "Streams", "A mangrove delta.")]),
    ];
    index.apply(batch, at(1)).await.unwrap();
    let base = || Box::new(word("mangroves"));
    let plain = ranked(index, &searched(word("mangroves"))).await;
    assert!(
        plain.iter().position(|id| *id == 2) < plain.iter().position(|id| *id == 1),
        "a title counts more: {plain:?}"
    );
    let titled = Tree::Rather { base: base(), better: vec![Tree::Title("mangroves".into())] };
    assert_eq!(ranked(index, &searched(titled)).await.first(), Some(&2), "the whole title");
    let weights = vec![(Field::Title, 1), (Field::Body, 1_000)];
    let weighted = ranked(index, &Search { weights, ..searched(word("mangroves")) }).await;
    assert!(weighted.iter().position(|id| *id == 1) < weighted.iter().position(|id| *id == 2), "{weighted:?}");
    let both = Tree::All(vec![word("mangrove"), word("delta")]);
    let near = Tree::Rather { base: Box::new(both), better: vec![word("mangrove delta")] };
    let weights = vec![(Field::Body, 100)];
    assert_eq!(ranked(index, &Search { weights, ..searched(near) }).await, [5, 4]);
    let less = |text: &str| Tree::Weighted { percent: 1, part: Box::new(word(text)) };
    let best = ranked(index, &searched(Tree::Best(vec![less("rivers"), word("streams")]))).await;
    assert_eq!(best, [5, 4]);
    let with_doi = |id| Entry { doi: format!("10.5555/delta.{id}"), ..article(id, "Deltas") };
    index.apply([11, 1, 12].map(|id| put(SITE, vec![with_doi(id)])).to_vec(), at(2)).await.unwrap();
    let beginning = Tree::Doi { text: "10.5555/delta.1".into(), whole: false };
    let ids = ranked(index, &searched(beginning)).await;
    assert!(ids.len() == 3 && ids[0] == 1, "the whole DOI: {ids:?}");
}

pub async fn mistyped_and_unfinished_words_are_found(index: &dyn Index) {
    fill(index).await;
    for (typed, reach, ids) in [
        ("seegrass", Expansion::Near(1), &[1, 2][..]),
        ("seegrass", Expansion::Same, &[]),
        ("esagrass", Expansion::Near(1), &[1, 2]),
        ("seagras", Expansion::Near(1), &[1, 2]),
        ("seagrasss", Expansion::Near(1), &[1, 2]),
        ("zeegrass", Expansion::Near(1), &[]),
        ("zeegrass", Expansion::Near(2), &[1, 2]),
        ("medows", Expansion::Near(1), &[1, 2]),
        ("ellinghem", Expansion::Near(1), &[1]),
        ("insc", Expansion::Beginning, &[3]),
        ("nscr", Expansion::Beginning, &[]),
        ("ellin", Expansion::Beginning, &[1]),
    ] {
        assert_eq!(found(index, &searched(reaching(typed, reach))).await, ids, "{typed} {reach:?}");
    }
    let title = Phrase { scope: Scope::Only(Field::Title), terms: terms("carbn", Expansion::Near(1)), names: vec![] };
    assert_eq!(found(index, &searched(Tree::Phrase(title))).await, [1], "in one field");
    let mixed: Vec<Term> = [terms("seagrass medows", Expansion::Same), terms("seagrass medows", Expansion::Near(1))]
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(place, term)| [0, 3].contains(&place).then_some(term))
        .collect();
    let adjacent = Phrase { scope: Scope::Everything, terms: mixed, names: vec![] };
    assert_eq!(found(index, &searched(Tree::Phrase(adjacent))).await, [1], "in a phrase");
    let others = [("seagrass", 30), ("seagrasp", 31)].map(|(title, id)| put(SITE, vec![article(id, title)]));
    index.apply(others.to_vec(), at(6)).await.unwrap();
    let search = Search { weights: vec![(Field::Title, 100)], ..searched(reaching("seagrass", Expansion::Near(1))) };
    let order = ranked(index, &search).await;
    assert_eq!(order.last(), Some(&31), "a rare word that is only near does not come before the word: {order:?}");
}

pub async fn names_are_found_in_either_order(index: &dyn Index) {
    let by = |id, authors: &str| Entry { authors: authors.into(), ..article(id, "Untitled") };
    let batch = vec![
        put(SITE, vec![by(1, "Ada Ellingham\nWei Zhang")]),
        put(SITE, vec![by(2, "张伟")]),
        put(SITE, vec![by(3, "Ada Zhang\nWei Ellingham")]),
    ];
    index.apply(batch, at(1)).await.unwrap();
    let name = |text: &str| {
        let words = analysis::name_words(&analysis::words(text));
        let named = |word: analysis::Word| Term {
            forms: word.forms,
            typed: word.typed,
            position: word.position,
            reach: Expansion::Same,
        };
        let names = words.into_iter().map(named).collect();
        let scope = Scope::Only(Field::Authors);
        searched(Tree::Phrase(Phrase { scope, terms: terms(text, Expansion::Same), names }))
    };
    for (typed, ids) in [
        ("Ellingham", &[1, 3][..]),
        ("Ada Ellingham", &[1]),
        ("Ellingham Ada", &[1]),
        ("A. Ellingham", &[1]),
        ("Zhang Wei", &[1, 2]),
        ("Wei Zhang", &[1, 2]),
        ("张伟", &[2]),
        ("zhangwei", &[1, 2]),
    ] {
        assert_eq!(found(index, &name(typed)).await, ids, "{typed}");
    }
}

pub async fn filters_apply(index: &dyn Index) {
    fill(index).await;
    let column = |name: &str| Filter::Column(name.into());
    for (filters, ids) in [
        (vec![], &[1, 2, 3][..]),
        (vec![Filter::YearFrom(2022)], &[1, 2]),
        (vec![Filter::YearTo(2022)], &[3]),
        (vec![Filter::YearFrom(2021), Filter::YearTo(2024), Filter::YearFrom(2020)], &[1, 2, 3]),
        (vec![Filter::YearFrom(2025), Filter::YearTo(2024)], &[]),
        (vec![Filter::YearFrom(i32::MIN), Filter::YearTo(i32::MAX)], &[1, 2, 3]),
        (vec![Filter::Journal("coast".into())], &[1, 2]),
        (vec![Filter::Journal("Coast".into())], &[]),
        (vec![Filter::Journal("coast".into()), Filter::Journal("stones".into())], &[]),
        (vec![Filter::ArticleType("research-article".into())], &[1, 2, 3]),
        (vec![Filter::OpenAccess(true)], &[1]),
        // What has no access is neither open nor closed.
        (vec![Filter::OpenAccess(false)], &[2]),
        (vec![Filter::OpenAccess(false), Filter::OpenAccess(true)], &[]),
        (vec![Filter::OnlineFirst(true)], &[1]),
        (vec![Filter::OnlineFirst(false)], &[2]),
        (vec![column("review")], &[1, 2]),
        (vec![column(" RE\u{ad}VIEW "), column("Coast")], &[1]),
        (vec![Filter::Author("ada  ellingham".into())], &[1]),
        (vec![Filter::Author("Ellingham".into())], &[]),
        (vec![Filter::Fund("Ocean fund 17".into())], &[1]),
        (vec![Filter::Language("ZH".into())], &[1]),
        (vec![Filter::Language("en-GB".into())], &[1, 2]),
    ] {
        let search = Search { filters: filters.clone(), ..searched(None) };
        assert_eq!(found(index, &search).await, ids, "{filters:?}");
        let with = Search { filters: filters.clone(), ..searched(Tree::Not(Box::new(word("xyzzy")))) };
        assert_eq!(found(index, &with).await, ids, "{filters:?}");
    }
}

pub async fn extreme_searches_end(index: &dyn Index) {
    fill(index).await;
    let many: Vec<Tree> = (0..2_000).map(|number| word(&format!("word{number}"))).collect();
    let long: String = (0..3_000).map(|number| format!("word{number} ")).collect();
    let mut deep = word("carbon");
    for _ in 0..60 {
        deep = Tree::Not(Box::new(Tree::All(vec![deep])));
    }
    let near = (0..64).map(|number| reaching(&format!("seagr{number}"), Expansion::Near(2))).collect();
    let fields = (0..10_000).map(|_| (Field::Title, u32::MAX)).collect();
    for (tree, ids) in [
        (Tree::All(many.clone()), &[][..]),
        (Tree::Any { least: 1, parts: many.clone() }, &[]),
        (Tree::Any { least: usize::MAX, parts: many }, &[]),
        (word(&long), &[]),
        (deep, &[1, 2]),
        (Tree::All(near), &[]),
        (reaching("", Expansion::Beginning), &[]),
        (reaching(&"a".repeat(10_000), Expansion::Near(200)), &[]),
        (Tree::Title(long.clone()), &[]),
        (Tree::Doi { text: long.clone(), whole: false }, &[]),
        (Tree::Exact(ExactField::Cn, long), &[]),
    ] {
        assert_eq!(found(index, &searched(tree)).await, ids);
    }
    let filters: Vec<Filter> = (0..5_000).map(|number| Filter::Author(format!("A{number}"))).collect();
    assert_eq!(found(index, &Search { filters, ..searched(None) }).await, [0; 0]);
    let heavy = Search { weights: fields, ..searched(word("carbon")) };
    let _ = found(index, &heavy).await;
    assert_eq!(WEIGHTS.len(), 8, "every field has a weight");
}
