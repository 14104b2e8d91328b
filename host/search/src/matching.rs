//! Turns what is wanted into a query of the index.

use std::ops::Bound;

use masthead_domain::{Doi, SiteId};
use tantivy::{
    Score, Term,
    query::{
        AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, FuzzyTermQuery, Occur,
        PhraseQuery, Query as Matcher, RangeQuery, TermQuery,
    },
    schema::{Field as Column, IndexRecordOption},
};

use crate::{
    analyzer::Word,
    clauses,
    entry::Kind,
    query::{Field, Filter, MAX_BOOST, Query},
    schema::Columns,
    synonyms::{self, Wanted},
};

type Part = (Occur, Box<dyn Matcher>);

/// The query for what a site publishes; `None` where nothing can match.
pub fn build(columns: &Columns, site: SiteId, query: &Query) -> Option<Box<dyn Matcher>> {
    let mut parts: Vec<Part> = vec![(Occur::Must, of_site(columns, site))];
    if !query.kinds.is_empty() {
        parts.push((Occur::Must, of_kinds(columns, &query.kinds)));
    }
    parts.extend(filters(columns, &query.filters)?.into_iter().map(|filter| (Occur::Must, filter)));
    let clauses = clauses::build(columns, &query.clauses);
    let text = query.text.trim();
    if let Ok(doi) = Doi::parse(text) {
        parts.push((Occur::Must, exactly(Term::from_field_text(columns.doi, &doi.key()))));
    } else {
        let weights = weights(columns, &query.boosts);
        match synonyms::wanted(query) {
            Some(_) if weights.is_empty() => return None,
            Some(wanted) => parts.push((Occur::Must, matcher(&weights, &wanted, false))),
            None if clauses.is_none() && !query.all => return None,
            None => {}
        }
    }
    parts.extend(clauses.map(|clauses| (Occur::Must, clauses)));
    Some(Box::new(BooleanQuery::new(parts)))
}

/// Whether a document is this site's.
pub fn of_site(columns: &Columns, site: SiteId) -> Box<dyn Matcher> {
    exactly(Term::from_field_i64(columns.site, site.0))
}

/// Whether a document is of one of these kinds.
pub fn of_kinds(columns: &Columns, kinds: &[Kind]) -> Box<dyn Matcher> {
    let one = |kind: &Kind| exactly(Term::from_field_text(columns.resource, kind.as_str()));
    unweighted(Box::new(BooleanQuery::union(kinds.iter().map(one).collect())))
}

/// Whether a document has the term, without weight in the order.
pub fn exactly(term: Term) -> Box<dyn Matcher> {
    unweighted(Box::new(TermQuery::new(term, IndexRecordOption::Basic)))
}

fn unweighted(matcher: Box<dyn Matcher>) -> Box<dyn Matcher> {
    Box::new(ConstScoreQuery::new(matcher, 0.0))
}

pub fn weights(columns: &Columns, boosts: &[(Field, u32)]) -> Vec<(Column, Score)> {
    let usual = [
        (Field::Title, columns.title, 4.0),
        (Field::Keywords, columns.keywords, 3.0),
        (Field::Authors, columns.authors, 3.0),
        (Field::Authors, columns.company, 3.0),
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

/// Letters of a word in which one may differ; in shorter ones it would be another word.
const LONG: usize = 5;

fn may_differ(word: &Word) -> bool {
    !word.han && word.text.chars().count() >= LONG && word.text.chars().all(char::is_alphabetic)
}

/// One condition of each sort, however many filters there are; `None` where they contradict each other.
fn filters(columns: &Columns, filters: &[Filter]) -> Option<Vec<Box<dyn Matcher>>> {
    let (mut from, mut to) = (None, None);
    let (mut journal, mut kind, mut open_access, mut column) = (None, None, None, None);
    for filter in filters {
        match filter {
            Filter::YearFrom(year) => from = from.max(Some(*year)),
            Filter::YearTo(year) => to = Some(to.map_or(*year, |to: i32| to.min(*year))),
            Filter::Journal(key) => only(&mut journal, key)?,
            Filter::Kind(name) => only(&mut kind, name)?,
            Filter::OpenAccess(open) => only(&mut open_access, open)?,
            Filter::Column(name) => only(&mut column, name)?,
        }
    }
    let mut all = Vec::new();
    if from.is_some() || to.is_some() {
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            return None;
        }
        let bound = |year: Option<i32>| {
            year.map_or(Bound::Unbounded, |year| Bound::Included(Term::from_field_i64(columns.year, year.into())))
        };
        all.push(unweighted(Box::new(RangeQuery::new(bound(from), bound(to)))));
    }
    all.extend(journal.map(|key| exactly(Term::from_field_text(columns.journal, key))));
    all.extend(kind.map(|name| exactly(Term::from_field_text(columns.kind, name))));
    all.extend(column.map(|name| exactly(Term::from_field_text(columns.column, name))));
    all.extend(open_access.map(|open| exactly(Term::from_field_bool(columns.open_access, *open))));
    Some(all)
}

fn only<'a, T: PartialEq + ?Sized>(known: &mut Option<&'a T>, said: &'a T) -> Option<()> {
    (*known.get_or_insert(said) == said).then_some(())
}

pub fn matcher(weights: &[(Column, Score)], wanted: &Wanted, loose: bool) -> Box<dyn Matcher> {
    let each = |parts: &[Wanted]| parts.iter().map(|part| matcher(weights, part, loose)).collect::<Vec<_>>();
    match wanted {
        Wanted::Phrase(words) => phrase(weights, words, loose),
        Wanted::All { parts, typed } => {
            let mut all: Vec<Part> = Vec::with_capacity(parts.len() + 2);
            for part in parts {
                all.push(match part {
                    Wanted::Not(inner) => (Occur::MustNot, matcher(weights, inner, false)),
                    other => (Occur::Must, matcher(weights, other, loose)),
                });
            }
            // Without this, nothing would be left from which to exclude.
            if parts.iter().all(|part| matches!(part, Wanted::Not(_))) {
                all.push((Occur::Must, unweighted(Box::new(AllQuery))));
            }
            if typed.len() > 1 {
                all.push((Occur::Should, phrase(weights, typed, false)));
            }
            Box::new(BooleanQuery::new(all))
        }
        Wanted::Any(parts) => Box::new(BooleanQuery::union(each(parts))),
        Wanted::Same(parts) => Box::new(DisjunctionMaxQuery::new(each(parts))),
        Wanted::Not(inner) => Box::new(BooleanQuery::new(vec![
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
