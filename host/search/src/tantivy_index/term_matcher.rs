//! Index queries for single terms, phrases and trees of them, from which all other queries are composed.

use masthead_domain::SiteId;
use tantivy::{
    Score, Term,
    query::{
        AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, FuzzyTermQuery, Occur,
        PhraseQuery, Query as Matcher, TermQuery,
    },
    schema::{Field as Column, IndexRecordOption},
};

use super::schema::Columns;
use crate::{
    analysis::Word,
    entry::EntryKind,
    query::{Field, MAX_BOOST, TermTree},
};

/// Matches the documents of a site.
pub fn of_site(columns: &Columns, site: SiteId) -> Box<dyn Matcher> {
    exactly(Term::from_field_i64(columns.site, site.0))
}

/// Matches the documents of these kinds.
pub fn of_kinds(columns: &Columns, kinds: &[EntryKind]) -> Box<dyn Matcher> {
    let one = |kind: &EntryKind| exactly(Term::from_field_text(columns.resource, kind.as_str()));
    unweighted(Box::new(BooleanQuery::union(kinds.iter().map(one).collect())))
}

/// Matches the documents with a term, without effect on the ranking.
pub fn exactly(term: Term) -> Box<dyn Matcher> {
    unweighted(Box::new(TermQuery::new(term, IndexRecordOption::Basic)))
}

/// Matches the documents of a query, without effect on the ranking.
pub fn unweighted(matcher: Box<dyn Matcher>) -> Box<dyn Matcher> {
    Box::new(ConstScoreQuery::new(matcher, 0.0))
}

/// The searched columns with the weight of a match in each: the usual weight times `boosts` (percent).
pub fn weights(columns: &Columns, boosts: &[(Field, u32)]) -> Vec<(Column, Score)> {
    let usual = [
        (Field::Title, columns.title, 4.0),
        (Field::Keywords, columns.keywords, 3.0),
        (Field::Authors, columns.authors, 3.0),
        (Field::Company, columns.company, 3.0),
        (Field::Summary, columns.summary, 2.0),
        (Field::Body, columns.text, 1.0),
    ];
    let percent = |field| {
        let said = boosts.iter().rev().find(|(boosted, _)| *boosted == field);
        said.map_or(100, |(_, percent)| *percent).min(MAX_BOOST)
    };
    let weighted = usual.into_iter().map(|(field, column, usual)| (column, usual * percent(field) as Score / 100.0));
    weighted.filter(|(_, weight)| *weight > 0.0).collect()
}

/// Minimum length of a word in which one letter may differ; shorter words would match too many others.
const LONG: usize = 5;

fn may_differ(word: &Word) -> bool {
    !word.han && word.text.chars().count() >= LONG && word.text.chars().all(char::is_alphabetic)
}

/// The query for a tree of terms in weighted columns. With `loose`, one letter of a long word may differ.
pub fn matcher(weights: &[(Column, Score)], terms: &TermTree, loose: bool) -> Box<dyn Matcher> {
    let each = |parts: &[TermTree]| parts.iter().map(|part| matcher(weights, part, loose)).collect::<Vec<_>>();
    match terms {
        TermTree::Phrase(words) => phrase(weights, words, loose),
        TermTree::All { parts, typed } => {
            let mut all: Vec<(Occur, Box<dyn Matcher>)> = Vec::with_capacity(parts.len() + 2);
            for part in parts {
                all.push(match part {
                    TermTree::Not(inner) => (Occur::MustNot, matcher(weights, inner, false)),
                    other => (Occur::Must, matcher(weights, other, loose)),
                });
            }
            // A query of exclusions only matches nothing, so that all documents are added to it.
            if parts.iter().all(|part| matches!(part, TermTree::Not(_))) {
                all.push((Occur::Must, unweighted(Box::new(AllQuery))));
            }
            if typed.len() > 1 {
                all.push((Occur::Should, phrase(weights, typed, false)));
            }
            Box::new(BooleanQuery::new(all))
        }
        TermTree::Any(parts) => Box::new(BooleanQuery::union(each(parts))),
        TermTree::Same(parts) => Box::new(DisjunctionMaxQuery::new(each(parts))),
        TermTree::Not(inner) => Box::new(BooleanQuery::new(vec![
            (Occur::Must, unweighted(Box::new(AllQuery))),
            (Occur::MustNot, matcher(weights, inner, false)),
        ])),
    }
}

fn phrase(weights: &[(Column, Score)], words: &[Word], loose: bool) -> Box<dyn Matcher> {
    let fields = weights.iter().map(|(column, weight)| -> Box<dyn Matcher> {
        let term = |word: &Word| Term::from_field_text(*column, &word.text);
        let found: Box<dyn Matcher> = match words {
            [] => Box::new(EmptyQuery),
            [word] if loose && may_differ(word) => {
                let like: Box<dyn Matcher> = Box::new(FuzzyTermQuery::new(term(word), 1, true));
                let same = Box::new(TermQuery::new(term(word), IndexRecordOption::WithFreqs));
                Box::new(DisjunctionMaxQuery::new(vec![same, Box::new(BoostQuery::new(like, 0.2))]))
            }
            [word] => Box::new(TermQuery::new(term(word), IndexRecordOption::WithFreqs)),
            words => {
                let first = words.first().map_or(0, |word| word.position);
                let terms = words.iter().map(|word| (word.position - first, term(word))).collect();
                Box::new(PhraseQuery::new_with_offset(terms))
            }
        };
        Box::new(BoostQuery::new(found, *weight))
    });
    Box::new(BooleanQuery::union(fields.collect()))
}
