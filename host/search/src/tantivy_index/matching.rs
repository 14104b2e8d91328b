//! Converts a [`Query`] to a query of the index.

use std::ops::Bound;

use masthead_domain::{Doi, SiteId, text::section_key};
use tantivy::{
    Term,
    query::{BooleanQuery, Occur, Query as Matcher, RangeQuery},
};

use super::{
    clauses,
    schema::Columns,
    term_matcher::{exactly, matcher, of_kinds, of_site, unweighted, weights},
};
use crate::query::{self, Filter, Query};

/// The query over a site's entries; `None` if nothing can match.
pub fn build(columns: &Columns, site: SiteId, query: &Query) -> Option<Box<dyn Matcher>> {
    let mut parts: Vec<(Occur, Box<dyn Matcher>)> = vec![(Occur::Must, of_site(columns, site))];
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
        match query::terms_of(query) {
            Some(_) if weights.is_empty() => return None,
            Some(terms) => parts.push((Occur::Must, matcher(&weights, &terms, false))),
            None if clauses.is_none() && !query.all => return None,
            None => {}
        }
    }
    parts.extend(clauses.map(|clauses| (Occur::Must, clauses)));
    Some(Box::new(BooleanQuery::new(parts)))
}

/// One condition for each kind of filter, whatever the number of filters; `None` if they contradict each other.
fn filters(columns: &Columns, filters: &[Filter]) -> Option<Vec<Box<dyn Matcher>>> {
    let (mut from, mut to) = (None, None);
    let (mut journal, mut article_type, mut open_access, mut column) = (None, None, None, None);
    let (mut online_first, mut author) = (None, None);
    for filter in filters {
        match filter {
            Filter::YearFrom(year) => from = from.max(Some(*year)),
            Filter::YearTo(year) => to = Some(to.map_or(*year, |to: i32| to.min(*year))),
            Filter::Journal(key) => only(&mut journal, key)?,
            Filter::ArticleType(name) => only(&mut article_type, name)?,
            Filter::OpenAccess(open) => only(&mut open_access, open)?,
            Filter::OnlineFirst(first) => only(&mut online_first, first)?,
            Filter::Column(name) => only(&mut column, name)?,
            Filter::Author(name) => only(&mut author, name)?,
            // This index has neither; nothing passes.
            Filter::Fund(_) | Filter::Language(_) => return None,
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
    all.extend(article_type.map(|name| exactly(Term::from_field_text(columns.kind, name))));
    all.extend(column.map(|name| exactly(Term::from_field_text(columns.section, &section_key(name)))));
    all.extend(author.map(|name| exactly(Term::from_field_text(columns.person, name))));
    all.extend(open_access.map(|open| exactly(Term::from_field_bool(columns.open_access, *open))));
    all.extend(online_first.map(|first| exactly(Term::from_field_bool(columns.online_first, *first))));
    Some(all)
}

fn only<'a, T: PartialEq + ?Sized>(known: &mut Option<&'a T>, said: &'a T) -> Option<()> {
    (*known.get_or_insert(said) == said).then_some(())
}
