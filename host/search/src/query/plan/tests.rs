//! Tests of what a query means to an index.
#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;
use crate::{
    entry::ExactField,
    query::{Expansion, Synonym, Term},
};

/// A tree as a short text: `+` behind what is required, `~` behind what is better, `^` before a title.
fn said(tree: &Tree) -> String {
    let list = |parts: &[Tree], by: &str| parts.iter().map(said).collect::<Vec<_>>().join(by);
    match tree {
        Tree::Phrase(phrase) => {
            let word = |term: &Term| match term.reach {
                Expansion::Same => term.typed.clone(),
                Expansion::Near(distance) => format!("{}~{distance}", term.typed),
                Expansion::Beginning => format!("{}*", term.typed),
            };
            let words = phrase.terms.iter().map(word).collect::<Vec<_>>().join("_");
            match phrase.scope {
                Scope::Everything => words,
                Scope::Only(field) => format!("{field:?}:{words}"),
            }
        }
        Tree::All(parts) => format!("({})", list(parts, " & ")),
        Tree::Any { least: 1, parts } => format!("({})", list(parts, " | ")),
        Tree::Any { least, parts } => format!("({least} of {})", list(parts, ", ")),
        Tree::Best(parts) => format!("({})", list(parts, " = ")),
        Tree::Not(part) => format!("!{}", said(part)),
        Tree::Rather { base, better } => format!("{} + [{}]", said(base), list(better, ", ")),
        Tree::Weighted { percent, part } => format!("{percent}%{}", said(part)),
        Tree::Title(key) => format!("^{key}"),
        Tree::Filter(filter) => format!("{filter:?}"),
        Tree::Doi { text, whole } => format!("doi {text}{}", if *whole { "" } else { "*" }),
        Tree::Exact(field, value) => format!("{field:?}={value}"),
    }
}

fn at(query: &Query, step: Step) -> String {
    compile_at(query, step, None).and_then(|search| search.tree).map_or_else(String::new, |tree| said(&tree))
}

/// The tree of a text without the titles that may be meant.
fn meaning(text: &str, step: Step) -> String {
    let whole = at(&Query::typed(text), step);
    let title = format!("^{}", title_key(text));
    let inner = whole.strip_suffix(&format!(" + [{title}]"));
    let inner = inner.or_else(|| whole.strip_prefix('(')?.strip_suffix(&format!(" | {title})")));
    inner.unwrap_or(&whole).to_owned()
}

#[test]
fn words_are_all_required_and_rank_higher_side_by_side() {
    for (text, expected) in [
        ("tide", "tide"),
        ("sea level", "(sea & level) + [sea_level]"),
        ("sea-level", "sea_level + [sea_level]"),
        ("sea AND level", "(sea & level)"),
        ("\"sea level\" rise", "(sea_level & rise)"),
        ("sea NOT ice", "(sea & !ice)"),
        ("NOT ice", "(!ice)"),
        ("a (b OR c d)", "(a & (b | (c & d) + [c_d]))"),
        ("海洋沉积物", "(海洋 & 沉积物) + [海洋_沉积物]"),
        ("title:tide", "Title:tide"),
        ("author:(lin OR wei) tide", "((Authors:lin | Authors:wei) & tide)"),
        ("sedim*", "sedim*"),
        ("s* tide", "(s & tide) + [s_tide]"),
        ("year:2019-2024 tide", "((YearFrom(2019) & YearTo(2024)) & tide)"),
        ("issn:1234-567X", "Issn=1234-567X"),
        ("doi:10.5555/a", "doi 10.5555/a"),
        ("tide doi:10.5555/a", "(tide & doi 10.5555/a*)"),
        ("10.5555/A", "doi 10.5555/a"),
        ("https://doi.org/10.5555/a.", "doi 10.5555/a"),
        ("１０．５５５５／Ａ", "doi 10.5555/a"),
        ("AND", "and"),
    ] {
        assert_eq!(meaning(text, Step::AsTyped), expected, "{text}");
    }
}

#[test]
fn a_text_is_also_a_title() {
    assert_eq!(at(&Query::typed("Tide"), Step::AsTyped), "tide + [^tide]");
    assert_eq!(at(&Query::typed("To Be or NOT to Be"), Step::AsTyped).rsplit(" | ").next(), Some("^tobeornottobe)"));
}

#[test]
fn each_step_is_wider_than_the_one_before() {
    let steps = [Step::AsTyped, Step::Spelling, Step::Loose, Step::OneLess, Step::Half, Step::One];
    let expected = [
        "(Title:tide & sea_level & !ice)",
        "(Title:tide~1 & sea_level & !ice)",
        "(tide~1 & sea~1 & level~1 & !ice)",
        "((2 of tide~1, sea~1, level~1) & !ice)",
        "((2 of tide~1, sea~1, level~1) & !ice)",
        "((tide~1 | sea~1 | level~1) & !ice)",
    ];
    for (step, expected) in steps.into_iter().zip(expected) {
        assert_eq!(meaning("title:tide \"sea level\" NOT ice", step), expected, "{step:?}");
    }
    assert_eq!(meaning("sea-level CO2 of", Step::Spelling), "(sea~1 & level~1 & co2 & of)");
    assert_eq!(meaning("10.5555/A", Step::Spelling), "doi 10.5555/a*");
    assert_eq!(meaning("10.5555/A", Step::One), "10_5555_a", "a DOI is never taken apart");
    let near = meaning("蓝碳汇", Step::Spelling);
    assert!(near.contains(" = ") && near.contains("Title:蓝_汇"), "{near}");
}

#[test]
fn only_doubted_words_may_have_mistakes() {
    let doubted = BTreeSet::from(["sedimnet".to_owned()]);
    let tree = compile_at(&Query::typed("carbon Sedimnet"), Step::Spelling, Some(&doubted)).unwrap().tree.unwrap();
    assert_eq!(said(&tree), "(carbon & sedimnet~1) + [^carbonsedimnet]");
}

#[test]
fn stop_words_need_not_match() {
    let stop_words = vec!["The".to_owned(), "of".to_owned(), "two words".to_owned()];
    let with = |text: &str| {
        let query = Query { stop_words: stop_words.clone(), ..Query::typed(text) };
        at(&query, Step::AsTyped)
    };
    assert_eq!(with("the tide"), "tide + [the_tide, the] + [^thetide]");
    assert_eq!(with("the of"), "(the & of) + [the_of] + [^theof]", "unless there are no others");
    assert!(with("\"the tide\"").starts_with("(the_tide | "));
}

#[test]
fn the_parts_of_an_adjacent_phrase_are_required_or_not() {
    let required = |text: &str, stop: &str| {
        let stop_words = vec![stop.to_owned()];
        let query = Query { clauses: vec![one_clause(text)], stop_words, ..Query::default() };
        let Some(Tree::Rather { base, better }) = compile(&query).and_then(|search| search.tree) else {
            unreachable!("{text}")
        };
        let Some(Tree::Phrase(phrase)) = better.first() else { unreachable!("{text}") };
        base.requires_parts_of(phrase)
    };
    for text in ["sea level", "tide tide", "海洋沉积物", "sea-level rise", "title of a seagrass"] {
        assert!(required(text, ""), "{text}");
    }
    assert!(!required("the tide level", "the"), "a stop word need not match");
    assert!(!required("\"the sea\" the ice", "the"), "the phrase may match in another field");
}

#[test]
fn alternatives_are_as_good_as_their_term() {
    let synonym = |term: &str, alternatives: &[&str]| Synonym {
        term: term.into(),
        alternatives: alternatives.iter().map(|&text| text.to_owned()).collect(),
    };
    let synonyms = vec![synonym("sea level", &["mean stand"]), synonym("seagrass", &["zostera", "海洋"])];
    let with = |text: &str, step| {
        let query = Query { synonyms: synonyms.clone(), ..Query::typed(text) };
        at(&query, step).split(" + [^").next().unwrap_or_default().to_owned()
    };
    assert_eq!(with("Seagrasses", Step::AsTyped), "(seagrasses = zostera = 海洋)");
    assert_eq!(
        with("sea level rise", Step::AsTyped),
        "(((sea & level) + [sea_level] = mean_stand) & rise) + [sea_level_rise]"
    );
    assert_eq!(with("seagrass", Step::Spelling), "(seagrass~1 = zostera = 海洋)", "alternatives are not mistyped");
}

#[test]
fn conditions_are_joined_in_order() {
    let clause = |join, target, text: &str, precise| Clause { join, target, text: text.into(), precise };
    let title = Target::Part(Field::Title);
    let query = Query {
        clauses: vec![
            clause(Join::And, title, "tidal carbon", false),
            clause(Join::Not, Target::Part(Field::Company), "sea level", true),
            clause(Join::Or, Target::Exact(ExactField::Issn), "1234-5678", false),
            clause(Join::And, Target::Year, "2020-", false),
            clause(Join::And, Target::Doi, "", true),
        ],
        ..Query::default()
    };
    assert_eq!(
        at(&query, Step::AsTyped),
        "(((Title:tidal~1 & Title:carbon~1) + [Title:tidal_carbon] & !Company:sea_level) | \
         (Issn=1234-5678 & YearFrom(2020)))"
    );
}

#[test]
fn weights_are_of_fields() {
    let weights = |boosts: &[(Field, u32)]| {
        let query = Query { boosts: boosts.to_vec(), ..Query::typed("tide") };
        compile(&query).map(|search| search.weights)
    };
    assert_eq!(weights(&[]).unwrap().len(), Field::ALL.len());
    let boosted = weights(&[(Field::Authors, 300), (Field::Title, 0), (Field::Body, u32::MAX)]).unwrap();
    assert!(boosted.contains(&(Field::Company, 300)) && boosted.contains(&(Field::Body, MAX_BOOST)), "{boosted:?}");
    assert!(!boosted.iter().any(|(field, _)| *field == Field::Title));
    assert_eq!(weights(&Field::ALL.map(|field| (field, 0))), None, "nothing is searched");
}

#[test]
fn without_words_nothing_or_everything_is_searched() {
    assert_eq!(compile(&Query::typed(" !? ")), None);
    let all = compile(&Query { all: true, ..Query::typed("") }).unwrap();
    assert_eq!(all.tree, None);
}

/// What a text may cost an index at most, in nodes and terms of its tree.
const MAX_SIZE: usize = 4_000;

fn cost(text: &str) -> usize {
    let query = Query { clauses: vec![one_clause(text)], ..Query::typed(text) };
    let steps = [Step::AsTyped, Step::Spelling, Step::Loose, Step::OneLess, Step::Half, Step::One];
    let trees = steps.into_iter().filter_map(|step| compile_at(&query, step, None)?.tree);
    trees.map(|tree| tree.size()).max().unwrap_or(0)
}

fn one_clause(text: &str) -> Clause {
    Clause { join: Join::And, target: Target::Everything, text: text.into(), precise: false }
}

#[test]
fn hostile_texts_have_trees_of_bounded_size() {
    for odd in [
        "(",
        ")",
        "\"",
        "NOT ",
        "(NOT a OR ",
        "a OR ",
        "\"a b\" ",
        "海洋沉积物 ",
        "海",
        "-",
        "é ",
        "a* ",
        "*",
        "title:(",
        "título:",
        "データベース",
        "데이터베이스 ",
        "𠀀",
        "\u{301}",
        "\u{202e}",
        "\u{0}",
        "👩‍🔬 ",
        "year:1-2 ",
        "10.1/",
        "张伟 ",
    ] {
        let size = cost(&odd.repeat(100_000 / odd.len()));
        assert!(size <= MAX_SIZE, "{odd:?}: {size}");
    }
}

proptest! {
    #[test]
    fn any_text_has_a_tree_of_bounded_size(text in any::<String>()) {
        prop_assert!(cost(&text) <= MAX_SIZE);
    }

    #[test]
    fn a_precise_condition_is_the_same_at_every_step(text in "[a-z海洋 \"()ANDORT]{0,40}") {
        let query = Query { clauses: vec![Clause { precise: true, ..one_clause(&text) }], ..Query::default() };
        prop_assert_eq!(compile_at(&query, Step::AsTyped, None), compile_at(&query, Step::One, None));
    }
}
