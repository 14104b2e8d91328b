//! In how many documents a word is: what scores are made of. A query is built by these numbers, and tantivy asks for them again when it
//! executes it; each is looked up once in the dictionaries of all segments.

use std::{cell::RefCell, collections::HashMap};

use tantivy::{Searcher, Term, query::Bm25StatisticsProvider, schema::Field as Column};

/// The numbers that one search has asked for.
pub struct Statistics<'a> {
    searcher: &'a Searcher,
    documents: RefCell<HashMap<Term, u64>>,
    tokens: RefCell<HashMap<Column, u64>>,
}

impl<'a> Statistics<'a> {
    pub fn new(searcher: &'a Searcher) -> Self {
        Self { searcher, documents: RefCell::default(), tokens: RefCell::default() }
    }

    /// What the numbers are of.
    pub const fn searcher(&self) -> &'a Searcher {
        self.searcher
    }
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, column: Column) -> tantivy::Result<u64> {
        if let Some(known) = self.tokens.borrow().get(&column) {
            return Ok(*known);
        }
        let tokens = self.searcher.total_num_tokens(column)?;
        self.tokens.borrow_mut().insert(column, tokens);
        Ok(tokens)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.searcher.total_num_docs()
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        if let Some(known) = self.documents.borrow().get(term) {
            return Ok(*known);
        }
        let documents = self.searcher.doc_freq(term)?;
        self.documents.borrow_mut().insert(term.clone(), documents);
        Ok(documents)
    }
}
