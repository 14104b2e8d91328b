//! Converts a search to a query of tantivy.

use std::ops::Bound;

use masthead_domain::{SiteId, text::section_key};
use tantivy::{
    Searcher, Term,
    query::{
        BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, Occur, Query as Matcher,
        RangeQuery, TermQuery,
    },
    schema::{Field as Column, IndexRecordOption},
};

use super::{
    documents, optional_parts::OptionalParts, phrases::Phrases, positions, schema::Columns, statistics::Statistics,
};
use crate::{
    entry::EntryKind,
    index::Sites,
    query::{Field, Filter, Phrase, Search, Tree},
};

/// The score of an entry whose whole title is searched: more than that of any other match.
const WHOLE_TITLE: f32 = 1_000.0;
/// The score of an entry whose whole DOI is searched as a beginning; the others have none.
const WHOLE_DOI: f32 = 1.0;

/// Matches the documents with a term, without effect on the ranking.
pub fn exactly(term: Term) -> Box<dyn Matcher> {
    unweighted(Box::new(TermQuery::new(term, IndexRecordOption::Basic)))
}

/// Matches those of some documents that are in a place: of the sites and kinds that it matches.
pub fn within(matcher: Box<dyn Matcher>, place: &dyn Matcher) -> BooleanQuery {
    BooleanQuery::new(vec![(Occur::Must, matcher), (Occur::Must, place.box_clone())])
}

/// Matches the same documents, without effect on the ranking.
pub fn unweighted(matcher: Box<dyn Matcher>) -> Box<dyn Matcher> {
    Box::new(ConstScoreQuery::new(matcher, 0.0))
}

/// Matches the documents with a term that begins so, without effect on the ranking. The terms are a range of the dictionary: nothing but the
/// documents of each of them is read, once for each segment.
pub fn beginning(column: Column, text: &str) -> Box<dyn Matcher> {
    // The last character of Unicode is not used in texts, so that all longer terms are below.
    let behind = format!("{text}{}", char::MAX);
    let term = |text: &str| Term::from_field_text(column, text);
    unweighted(Box::new(RangeQuery::new(Bound::Included(term(text)), Bound::Excluded(term(&behind)))))
}

/// Matches the entries whose DOI begins so; the one of which it is the whole DOI scores more.
fn beginning_of_doi(column: Column, text: &str) -> Box<dyn Matcher> {
    let whole = ConstScoreQuery::new(exactly(Term::from_field_text(column, text)), WHOLE_DOI);
    Box::new(BooleanQuery::new(vec![(Occur::Must, beginning(column, text)), (Occur::Should, Box::new(whole))]))
}

/// The terms of the entries of sites and kinds, all kinds if there are none.
fn places(columns: &Columns, sites: &Sites, kinds: &[EntryKind]) -> Vec<Term> {
    let of_site = |site: &SiteId| -> Vec<Term> {
        if kinds.is_empty() {
            return vec![Term::from_field_i64(columns.site, site.0)];
        }
        let of_kind = |kind: &EntryKind| documents::kind_of_site(*site, *kind);
        kinds.iter().map(|kind| Term::from_field_text(columns.kind_of_site, &of_kind(kind))).collect()
    };
    sites.as_slice().iter().flat_map(of_site).collect()
}

/// Matches the entries of sites and kinds, all kinds if there are none; `None` without a site.
pub fn of_sites(columns: &Columns, sites: &Sites, kinds: &[EntryKind]) -> Option<Box<dyn Matcher>> {
    let mut all: Vec<Box<dyn Matcher>> = places(columns, sites, kinds).into_iter().map(exactly).collect();
    if all.len() > 1 { Some(Box::new(BooleanQuery::union(all))) } else { all.pop() }
}

/// Whether all entries of an index are of these sites and kinds, as on most installations with one site: the condition need not be checked.
fn are_all(columns: &Columns, searcher: &Searcher, sites: &Sites, kinds: &[EntryKind]) -> tantivy::Result<bool> {
    let mut documents = searcher.doc_freq(&positions::all_terms(columns))?;
    for term in places(columns, sites, kinds) {
        documents += searcher.doc_freq(&term)?;
    }
    Ok(documents == searcher.segment_readers().iter().map(|segment| u64::from(segment.max_doc())).sum::<u64>())
}

/// The query for a search.
pub struct Converted<'a> {
    /// What hits have to match.
    pub required: Box<dyn Matcher>,
    /// What only raises their scores; nothing if the hits are not ordered by score.
    pub optional: OptionalParts,
    /// What is known of its words.
    pub statistics: Statistics<'a>,
}

/// The query for a search, with its optional parts if hits are `ranked` by their scores; `None` if nothing can match.
pub fn build<'a>(
    columns: &Columns,
    searcher: &'a Searcher,
    sites: &Sites,
    search: &Search,
    ranked: bool,
) -> tantivy::Result<Option<Converted<'a>>> {
    let Some(place) = of_sites(columns, sites, &search.kinds) else { return Ok(None) };
    let Some(filters) = filters(columns, &search.filters) else { return Ok(None) };
    let mut parts: Vec<(Occur, Box<dyn Matcher>)> = filters.into_iter().map(|filter| (Occur::Must, filter)).collect();
    let mut optional = OptionalParts::default();
    let statistics = Statistics::new(searcher);
    if let Some(tree) = &search.tree {
        let phrases = Phrases::new(columns, &statistics, search);
        let mut matching = Matching { columns, phrases, everything: &*place };
        matching.required(tree, &mut parts)?;
        if ranked {
            matching.optional(tree, &mut optional)?;
        }
    }
    if parts.is_empty() || !are_all(columns, searcher, sites, &search.kinds)? {
        parts.push((Occur::Must, place));
    }
    let required: Box<dyn Matcher> = match parts.pop() {
        Some((Occur::Must, only)) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            Box::new(BooleanQuery::new(parts))
        }
    };
    Ok(Some(Converted { required, optional, statistics }))
}

struct Matching<'a> {
    columns: &'a Columns,
    phrases: Phrases<'a>,
    /// Matches all entries of the search.
    everything: &'a dyn Matcher,
}

impl Matching<'_> {
    // The recursion is as deep as the tree, whose depth its maker limits.
    fn tree(&mut self, tree: &Tree) -> tantivy::Result<Box<dyn Matcher>> {
        Ok(match tree {
            Tree::Phrase(phrase) => self.phrases.matcher(phrase)?,
            Tree::All(parts) => self.all(parts)?,
            Tree::Any { least, parts } => {
                let should = self.each(parts)?.into_iter().map(|part| (Occur::Should, part)).collect();
                Box::new(BooleanQuery::with_minimum_required_clauses(should, (*least).max(1)))
            }
            Tree::Best(parts) => Box::new(DisjunctionMaxQuery::new(self.each(parts)?)),
            Tree::Not(_) => self.all(std::slice::from_ref(tree))?,
            Tree::Rather { base, better } => {
                let mut all = vec![(Occur::Must, self.tree(base)?)];
                all.extend(self.each(better)?.into_iter().map(|part| (Occur::Should, part)));
                Box::new(BooleanQuery::new(all))
            }
            Tree::Weighted { percent, part } => Box::new(BoostQuery::new(self.tree(part)?, *percent as f32 / 100.0)),
            Tree::Title(key) => {
                let title = Term::from_field_text(self.columns.whole_title, &documents::whole_title(key));
                Box::new(ConstScoreQuery::new(exactly(title), WHOLE_TITLE))
            }
            Tree::Filter(filter) => one_filter(self.columns, filter),
            Tree::Doi { text, .. } if text.is_empty() => Box::new(EmptyQuery),
            Tree::Doi { text, whole: true } => exactly(Term::from_field_text(self.columns.doi, text)),
            Tree::Doi { text, whole: false } => beginning_of_doi(self.columns.doi, text),
            Tree::Exact(field, value) => {
                exactly(Term::from_field_text(self.columns.codes, &documents::exact_term(*field, value)))
            }
        })
    }

    /// Adds what has to match, one part for each condition.
    fn required(&mut self, tree: &Tree, parts: &mut Vec<(Occur, Box<dyn Matcher>)>) -> tantivy::Result<()> {
        match tree {
            Tree::Rather { base, .. } => self.required(base, parts),
            Tree::All(conditions) if conditions.iter().any(|part| !matches!(part, Tree::Not(_))) => {
                conditions.iter().try_for_each(|condition| match condition {
                    Tree::Not(inner) => {
                        parts.push((Occur::MustNot, self.tree(inner)?));
                        Ok(())
                    }
                    other => self.required(other, parts),
                })
            }
            other => {
                parts.push((Occur::Must, self.tree(other)?));
                Ok(())
            }
        }
    }

    /// Adds what only raises the score, of the whole and of each condition that has to match.
    fn optional(&mut self, tree: &Tree, parts: &mut OptionalParts) -> tantivy::Result<()> {
        match tree {
            Tree::Rather { base, better } => {
                self.optional(base, parts)?;
                for part in better {
                    if let Tree::Phrase(phrase) = part {
                        self.optional_phrase(base, phrase, parts)?;
                    } else {
                        parts.always.push(vec![self.tree(part)?]);
                    }
                }
                Ok(())
            }
            Tree::All(conditions) => conditions.iter().try_for_each(|condition| self.optional(condition, parts)),
            _ => Ok(()),
        }
    }

    /// Adds a phrase that raises the score of what matches `base`.
    fn optional_phrase(&mut self, base: &Tree, phrase: &Phrase, parts: &mut OptionalParts) -> tantivy::Result<()> {
        let fields = self.phrases.fields(phrase)?;
        if phrase.is_one_word() {
            // As where it has to match, the scores of its forms are added.
            parts.always.extend(fields.into_iter().flat_map(|found| found.alternatives).map(|form| vec![form]));
            return Ok(());
        }
        let of_required = base.requires_parts_of(phrase);
        let before = parts.adjacent.len();
        for found in fields {
            // Within a name, words may be apart, and one may count for several phrases.
            if of_required && found.field != Field::Authors {
                let most = self.phrases.most(phrase, &found)?;
                parts.adjacent.push((found.alternatives, most));
            } else {
                parts.always.push(found.alternatives);
            }
        }
        parts.phrases += usize::from(parts.adjacent.len() > before);
        Ok(())
    }

    fn each(&mut self, parts: &[Tree]) -> tantivy::Result<Vec<Box<dyn Matcher>>> {
        parts.iter().map(|part| self.tree(part)).collect()
    }

    fn all(&mut self, parts: &[Tree]) -> tantivy::Result<Box<dyn Matcher>> {
        let mut all: Vec<(Occur, Box<dyn Matcher>)> = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            all.push(match part {
                Tree::Not(inner) => (Occur::MustNot, self.tree(inner)?),
                other => (Occur::Must, self.tree(other)?),
            });
        }
        // A query of exclusions only matches nothing, so that all entries are added to it.
        if parts.iter().all(|part| matches!(part, Tree::Not(_))) {
            all.push((Occur::Must, self.everything.box_clone()));
        }
        Ok(Box::new(BooleanQuery::new(all)))
    }
}

/// One condition for each kind of filter, whatever the number of filters; `None` if they contradict each other. An entry has several columns,
/// authors, funders and languages, so that several filters of these do not contradict each other.
fn filters(columns: &Columns, filters: &[Filter]) -> Option<Vec<Box<dyn Matcher>>> {
    let (mut from, mut to) = (None, None);
    let (mut journal, mut article_type, mut open_access, mut online_first) = (None, None, None, None);
    let mut several: Vec<&Filter> = Vec::new();
    for filter in filters {
        match filter {
            Filter::YearFrom(year) => from = from.max(Some(*year)),
            Filter::YearTo(year) => to = Some(to.map_or(*year, |to: i32| to.min(*year))),
            Filter::Journal(_) => only(&mut journal, filter)?,
            Filter::ArticleType(_) => only(&mut article_type, filter)?,
            Filter::OpenAccess(_) => only(&mut open_access, filter)?,
            Filter::OnlineFirst(_) => only(&mut online_first, filter)?,
            Filter::Column(_) | Filter::Author(_) | Filter::Fund(_) | Filter::Language(_) => {
                if several.len() < MAX_VALUES && !several.contains(&filter) {
                    several.push(filter);
                }
            }
        }
    }
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return None;
    }
    let mut all: Vec<Box<dyn Matcher>> = Vec::new();
    all.extend((from.is_some() || to.is_some()).then(|| years(columns, from, to)));
    let single = [journal, article_type, open_access, online_first].into_iter().flatten();
    all.extend(single.chain(several).map(|filter| one_filter(columns, filter)));
    Some(all)
}

/// Limit on the columns, authors, funders and languages by which a search is filtered; others are ignored.
const MAX_VALUES: usize = 64;

fn one_filter(columns: &Columns, filter: &Filter) -> Box<dyn Matcher> {
    let text = |column, value: &str| exactly(Term::from_field_text(column, value));
    match filter {
        Filter::YearFrom(year) => years(columns, Some(*year), None),
        Filter::YearTo(year) => years(columns, None, Some(*year)),
        Filter::Journal(key) => text(columns.journal, key),
        Filter::ArticleType(name) => text(columns.article_type, name),
        Filter::OpenAccess(open) => exactly(Term::from_field_bool(columns.open_access, *open)),
        Filter::OnlineFirst(first) => exactly(Term::from_field_bool(columns.online_first, *first)),
        Filter::Column(name) => text(columns.heading, &section_key(name)),
        Filter::Author(name) => text(columns.person, &section_key(name)),
        Filter::Fund(name) => text(columns.funder, &section_key(name)),
        Filter::Language(tag) => text(columns.language, &documents::language(tag)),
    }
}

fn years(columns: &Columns, from: Option<i32>, to: Option<i32>) -> Box<dyn Matcher> {
    let bound = |year: Option<i32>| {
        year.map_or(Bound::Unbounded, |year| Bound::Included(Term::from_field_i64(columns.year, year.into())))
    };
    unweighted(Box::new(RangeQuery::new(bound(from), bound(to))))
}

fn only<'a>(known: &mut Option<&'a Filter>, said: &'a Filter) -> Option<()> {
    (*known.get_or_insert(said) == said).then_some(())
}
