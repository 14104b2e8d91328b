//! The conditions of an advanced search.

use masthead_domain::Doi;
use tantivy::{
    Score, Term,
    query::{AllQuery, BooleanQuery, FuzzyTermQuery, Occur, Query as Matcher},
    schema::Field as Column,
};

use super::{
    documents,
    schema::Columns,
    term_matcher::{exactly, matcher, weights},
};
use crate::query::{self, Clause, Field, Join, MAX_CLAUSES, MAX_TERM, Target};

/// The query for all conditions; `None` if none of them has words.
pub fn build(columns: &Columns, clauses: &[Clause]) -> Option<Box<dyn Matcher>> {
    // AND has precedence over OR, as in a typed query: the conditions between two ORs form a group.
    let mut groups: Vec<Vec<(Occur, Box<dyn Matcher>)>> = vec![Vec::new()];
    for clause in clauses.iter().take(MAX_CLAUSES) {
        let Some(matcher) = one(columns, clause) else { continue };
        let begins = clause.join == Join::Or && groups.last().is_some_and(|group| !group.is_empty());
        if begins {
            groups.push(Vec::new());
        }
        let occur = if clause.join == Join::Not { Occur::MustNot } else { Occur::Must };
        groups.last_mut()?.push((occur, matcher));
    }
    let mut all: Vec<Box<dyn Matcher>> = groups.into_iter().filter(|group| !group.is_empty()).map(joined).collect();
    if all.len() > 1 { Some(Box::new(BooleanQuery::union(all))) } else { all.pop() }
}

fn joined(mut group: Vec<(Occur, Box<dyn Matcher>)>) -> Box<dyn Matcher> {
    // A query of exclusions only matches nothing, so that all documents are added to it.
    if group.iter().all(|(occur, _)| *occur == Occur::MustNot) {
        group.push((Occur::Must, Box::new(AllQuery)));
    }
    Box::new(BooleanQuery::new(group))
}

fn one(columns: &Columns, clause: &Clause) -> Option<Box<dyn Matcher>> {
    let text = clause.text.trim();
    match clause.target {
        Target::Everything => words(&weights(columns, &[]), clause),
        Target::Part(field) => words(&part(columns, field), clause),
        Target::Company => words(&[(columns.company, 3.0)], clause),
        Target::Doi => doi(columns, text, clause.precise),
        Target::Year => None,
        Target::Exact(_) if text.is_empty() => None,
        Target::Exact(code) => Some(exactly(Term::from_field_text(columns.codes, &documents::exact_term(code, text)))),
    }
}

fn words(weights: &[(Column, Score)], clause: &Clause) -> Option<Box<dyn Matcher>> {
    let terms = query::terms_of_clause(&clause.text, clause.precise)?;
    Some(matcher(weights, &terms, !clause.precise))
}

fn part(columns: &Columns, field: Field) -> Vec<(Column, Score)> {
    let column = match field {
        Field::Title => columns.title,
        Field::Keywords => columns.keywords,
        Field::Authors => columns.authors,
        Field::Company | Field::Fund | Field::Publication => columns.company,
        Field::Summary => columns.summary,
        Field::Body => columns.text,
    };
    vec![(column, 1.0)]
}

fn doi(columns: &Columns, text: &str, precise: bool) -> Option<Box<dyn Matcher>> {
    if let Ok(doi) = Doi::parse(text)
        && precise
    {
        return Some(exactly(Term::from_field_text(columns.doi, &doi.key())));
    }
    // An incomplete DOI matches as a prefix; with `precise` it is compared as a whole and matches nothing.
    let beginning = Doi::parse(text).map_or_else(|_| text.to_ascii_lowercase(), |doi| doi.key());
    let beginning: String = beginning.chars().take(MAX_TERM).collect();
    if beginning.is_empty() {
        return None;
    }
    let term = Term::from_field_text(columns.doi, &beginning);
    if precise { Some(exactly(term)) } else { Some(Box::new(FuzzyTermQuery::new_prefix(term, 0, false))) }
}
