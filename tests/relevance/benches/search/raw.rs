//! tantivy alone over the same files: what its own query parser makes of words that were found beforehand, with the fields and weights of
//! the index, the hits counted, and the number of each hit on the page read. It has no tolerance, no names in other orders, no title that
//! counts as a whole, and no time is taken for dividing the query into words.

use std::path::Path;

use masthead_search::{Phrase, Search, Tree};
use tantivy::{
    Index, ReloadPolicy, Searcher, TantivyDocument, Term,
    collector::{Count, TopDocs},
    query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery},
    schema::{Field, IndexRecordOption, Value as _},
};

use crate::articles::SITE;

/// Columns with the texts, and their weights.
const TEXTS: [(&str, f32); 6] =
    [("title", 10.0), ("keywords", 5.0), ("authors", 5.0), ("company", 2.0), ("summary", 3.0), ("text", 1.0)];

/// The files of an index, opened by tantivy.
pub struct Raw {
    searcher: Searcher,
    texts: Vec<(Field, f32)>,
    site: Term,
    kind: Term,
    doi: Field,
    id: Field,
}

/// A condition of a query, in words that are in the index.
enum Asked {
    /// Adjacent words, with their places.
    Words(Vec<(usize, String)>),
    Doi(String),
}

impl Raw {
    pub fn open(folder: &Path) -> Self {
        let index = Index::open_in_dir(folder).unwrap();
        let schema = index.schema();
        let field = |name: &str| schema.get_field(name).unwrap();
        Self {
            searcher: index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().unwrap().searcher(),
            texts: TEXTS.iter().map(|(name, weight)| (field(name), *weight)).collect(),
            site: Term::from_field_i64(field("site"), SITE.0),
            kind: Term::from_field_text(field("resource"), "article"),
            doi: field("doi"),
            id: field("id"),
        }
    }

    /// The query for a search, made before its time is taken.
    pub fn query(&self, search: &Search) -> Box<dyn Query> {
        let mut asked = Vec::new();
        if let Some(tree) = &search.tree {
            collect(tree, &mut asked);
        }
        let exactly = |term: &Term| Box::new(TermQuery::new(term.clone(), IndexRecordOption::Basic)) as Box<dyn Query>;
        let mut all: Vec<(Occur, Box<dyn Query>)> = [&self.site, &self.kind]
            .map(|term| {
                (Occur::Must, Box::new(tantivy::query::ConstScoreQuery::new(exactly(term), 0.0)) as Box<dyn Query>)
            })
            .into_iter()
            .collect();
        for one in asked {
            let condition = match one {
                Asked::Doi(doi) => exactly(&Term::from_field_text(self.doi, &doi)),
                Asked::Words(words) => self.anywhere(&words),
            };
            all.push((Occur::Must, condition));
        }
        Box::new(BooleanQuery::new(all))
    }

    fn anywhere(&self, words: &[(usize, String)]) -> Box<dyn Query> {
        let within = |(field, weight): &(Field, f32)| {
            let terms: Vec<(usize, Term)> =
                words.iter().map(|(place, word)| (*place, Term::from_field_text(*field, word))).collect();
            let found: Box<dyn Query> = if let [(_, term)] = terms.as_slice() {
                Box::new(TermQuery::new(term.clone(), IndexRecordOption::WithFreqs))
            } else {
                Box::new(PhraseQuery::new_with_offset(terms))
            };
            (Occur::Should, Box::new(BoostQuery::new(found, *weight)) as Box<dyn Query>)
        };
        Box::new(BooleanQuery::new(self.texts.iter().map(within).collect()))
    }

    /// The number of hits, and the numbers of the first ones.
    pub fn find(&self, query: &dyn Query, limit: usize) -> (usize, Vec<i64>) {
        let (hits, total) = self.searcher.search(query, &(TopDocs::with_limit(limit).order_by_score(), Count)).unwrap();
        let id = |document: TantivyDocument| document.get_first(self.id).and_then(|value| value.as_i64()).unwrap();
        (total, hits.into_iter().map(|(_, address)| id(self.searcher.doc(address).unwrap())).collect())
    }
}

/// The words that have to match, each in its first form: of several spellings the first, without what only raises a score.
fn collect(tree: &Tree, asked: &mut Vec<Asked>) {
    match tree {
        Tree::Phrase(Phrase { terms, .. }) => {
            let words = terms.iter().filter_map(|term| Some((term.position, term.forms.first()?.clone())));
            let words: Vec<(usize, String)> = words.collect();
            if !words.is_empty() {
                let first = words[0].0;
                asked.push(Asked::Words(words.into_iter().map(|(place, word)| (place - first, word)).collect()));
            }
        }
        Tree::All(parts) | Tree::Any { parts, .. } => parts.iter().for_each(|part| collect(part, asked)),
        Tree::Best(parts) => parts.first().into_iter().for_each(|part| collect(part, asked)),
        Tree::Rather { base, .. } => collect(base, asked),
        Tree::Weighted { part, .. } => collect(part, asked),
        Tree::Doi { text, .. } => asked.push(Asked::Doi(text.clone())),
        Tree::Not(_) | Tree::Title(_) | Tree::Filter(_) | Tree::Exact(..) => {}
    }
}
