//! tantivy alone over the same files: what its own query parser makes of words that were found beforehand, with the fields and weights of
//! the index, the hits counted, and the number of each hit on the page read. It has no tolerance, no title that counts as a whole and no
//! second attempt, and no time is taken for dividing the query into words.

use std::path::Path;

use masthead_search::{Phrase, Search, Tree};
use tantivy::{
    Index, ReloadPolicy, Searcher, TantivyDocument, Term,
    collector::{Count, TopDocs},
    query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery},
    schema::{Field, IndexRecordOption, Value as _},
};

/// Columns with texts, and their weights in the index.
const TEXTS: [(&str, f32); 7] = [
    ("title", 4.0),
    ("keywords", 3.0),
    ("company", 3.0),
    ("fund", 1.0),
    ("publication", 1.0),
    ("summary", 2.0),
    ("text", 1.0),
];
/// The column with names of authors, and its weight.
const NAMES: (&str, f32) = ("authors", 3.0);

/// Adjacent words, with their places.
type Words = Vec<(usize, String)>;

/// The files of an index, opened by tantivy.
pub struct Raw {
    searcher: Searcher,
    texts: Vec<(Field, f32)>,
    names: Field,
    doi: Field,
    id: Field,
}

/// A condition of a query.
enum Asked {
    /// Words of texts, and the same as words of names.
    Words(Words, Words),
    Doi(String),
}

impl Raw {
    pub fn open(folder: &Path) -> Self {
        let index = Index::open_in_dir(folder).unwrap();
        let schema = index.schema();
        let field = |name: &str| schema.get_field(name).unwrap();
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().unwrap();
        Self {
            searcher: reader.searcher(),
            texts: TEXTS.iter().map(|(name, weight)| (field(name), *weight)).collect(),
            names: field(NAMES.0),
            doi: field("doi"),
            id: field("id"),
        }
    }

    /// The query for a search, made before its time is taken. All documents are of one site and kind.
    pub fn query(&self, search: &Search) -> Box<dyn Query> {
        let mut asked = Vec::new();
        if let Some(tree) = &search.tree {
            collect(tree, &mut asked);
        }
        let condition = |one: Asked| -> (Occur, Box<dyn Query>) {
            let query = match one {
                Asked::Doi(doi) => term(self.doi, &doi, IndexRecordOption::Basic),
                Asked::Words(words, names) => self.anywhere(&words, &names),
            };
            (Occur::Must, query)
        };
        Box::new(BooleanQuery::new(asked.into_iter().map(condition).collect()))
    }

    fn anywhere(&self, words: &Words, names: &Words) -> Box<dyn Query> {
        let weighted = |query: Box<dyn Query>, weight: f32| -> (Occur, Box<dyn Query>) {
            (Occur::Should, Box::new(BoostQuery::new(query, weight)))
        };
        let mut all: Vec<(Occur, Box<dyn Query>)> =
            self.texts.iter().map(|(field, weight)| weighted(phrase(*field, words), *weight)).collect();
        let name = |(_, name): &(usize, String)| (Occur::Must, term(self.names, name, IndexRecordOption::WithFreqs));
        all.push(weighted(Box::new(BooleanQuery::new(names.iter().map(name).collect())), NAMES.1));
        Box::new(BooleanQuery::new(all))
    }

    /// The number of hits, and the numbers of the first ones.
    pub fn find(&self, query: &dyn Query, limit: usize) -> (usize, Vec<i64>) {
        let collectors = (TopDocs::with_limit(limit).order_by_score(), Count);
        let (hits, total) = self.searcher.search(query, &collectors).unwrap();
        let id = |document: TantivyDocument| document.get_first(self.id).and_then(|value| value.as_i64()).unwrap();
        (total, hits.into_iter().map(|(_, address)| id(self.searcher.doc(address).unwrap())).collect())
    }
}

fn term(field: Field, word: &str, option: IndexRecordOption) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), option))
}

fn phrase(field: Field, words: &Words) -> Box<dyn Query> {
    if let [(_, word)] = words.as_slice() {
        return term(field, word, IndexRecordOption::WithFreqs);
    }
    let terms = words.iter().map(|(place, word)| (*place, Term::from_field_text(field, word)));
    Box::new(PhraseQuery::new_with_offset(terms.collect()))
}

/// The words that have to match, each in its first form: of several spellings the first, without what only raises a score.
fn collect(tree: &Tree, asked: &mut Vec<Asked>) {
    match tree {
        Tree::Phrase(Phrase { terms, names, .. }) => {
            let words = |terms: &[masthead_search::Term]| -> Words {
                let first = terms.first().map_or(0, |term| term.position);
                terms.iter().filter_map(|term| Some((term.position - first, term.forms.first()?.clone()))).collect()
            };
            asked.push(Asked::Words(words(terms), words(if names.is_empty() { terms } else { names })));
        }
        Tree::All(parts) => parts.iter().for_each(|part| collect(part, asked)),
        Tree::Any { parts, .. } | Tree::Best(parts) => parts.first().into_iter().for_each(|part| collect(part, asked)),
        Tree::Rather { base, .. } => collect(base, asked),
        Tree::Weighted { part, .. } => collect(part, asked),
        Tree::Doi { text, .. } => asked.push(Asked::Doi(text.clone())),
        Tree::Not(_) | Tree::Title(_) | Tree::Filter(_) | Tree::Exact(..) => {}
    }
}
