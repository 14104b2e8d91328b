//! What matches a word with a wildcard at its end: every entry with a word that begins so, however many such words there are and whatever
//! other sites have. It has no effect on scores: of the words that begin so, the most frequent ones are scored as words
//! (`term_expansion`).

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use tantivy::{
    Searcher, Term,
    query::{Query as Matcher, TermSetQuery},
    schema::Field as Column,
};

use super::{query_conversion, schema::Columns, term_expansion};
use crate::{analysis, query::Field};

pub struct Beginnings<'a> {
    searcher: &'a Searcher,
    columns: &'a Columns,
    /// For each beginning, what [`Self::other_stems`] found; it serves for all fields.
    other_stems: HashMap<String, Rc<BTreeSet<String>>>,
}

impl<'a> Beginnings<'a> {
    pub fn new(searcher: &'a Searcher, columns: &'a Columns) -> Self {
        Self { searcher, columns, other_stems: HashMap::new() }
    }

    /// The queries for fields, each with a beginning. At least one of them matches each entry that has a word with the beginning in its field.
    pub fn matchers(&mut self, fields: &[(Field, &str)]) -> tantivy::Result<Vec<Box<dyn Matcher>>> {
        let Some((_, typed)) = fields.first() else { return Ok(Vec::new()) };
        // The words of all fields, as they are written, are in one column.
        if Field::ALL.iter().all(|field| fields.contains(&(*field, *typed))) {
            return Ok(vec![query_conversion::beginning(self.columns.spelling, typed)]);
        }
        let mut all = Vec::new();
        for (field, typed) in fields {
            self.add(*field, typed, &mut all)?;
        }
        Ok(all)
    }

    fn add(&mut self, field: Field, typed: &str, all: &mut Vec<Box<dyn Matcher>>) -> tantivy::Result<()> {
        let column = self.columns.of(field);
        if field == Field::Authors {
            all.extend(any_of(column, &self.written_names(typed)?));
            return Ok(());
        }
        // Texts have stems, of which many do not begin as their words do: that of "relational" is "relat", so that no terms with the beginning
        // "relati" match it. Their own words are no part of the column. Both are therefore matched: the terms that begin so, and the other
        // stems of the words that begin so. No word is missed. What is found besides has the stem of a word that begins so ("relate"), or a
        // stem that begins so although the word does not ("dying" is "die"), as everywhere where endings do not matter.
        all.push(query_conversion::beginning(column, typed));
        let others = self.other_stems(typed)?;
        all.extend(any_of(column, &others));
        Ok(())
    }

    /// The words of names that begin so. The column of names also has keys, which are several words or initials as one word: "W. Anders" has no
    /// word that begins with "wand". The terms are therefore those that are in texts of the same segment as words, among which all words of
    /// its names are.
    fn written_names(&self, typed: &str) -> tantivy::Result<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        for segment in self.searcher.segment_readers() {
            let written = segment.inverted_index(self.columns.spelling)?;
            term_expansion::each_beginning(segment, self.columns.authors, typed, usize::MAX, |term, _| {
                if written.terms().term_ord(term)?.is_some() {
                    names.insert(term.to_owned());
                }
                Ok(())
            })?;
        }
        Ok(names)
    }

    /// The stems of all words that begin so, in every language, without those that begin so themselves. They are few, but all of these words
    /// are looked at to find them: in a large index, a beginning of two letters may have some hundred thousand.
    fn other_stems(&mut self, typed: &str) -> tantivy::Result<Rc<BTreeSet<String>>> {
        if let Some(known) = self.other_stems.get(typed) {
            return Ok(Rc::clone(known));
        }
        let mut found: BTreeSet<String> = BTreeSet::new();
        for segment in self.searcher.segment_readers() {
            term_expansion::each_beginning(segment, self.columns.spelling, typed, usize::MAX, |word, _| {
                for stem in analysis::stems_of(word) {
                    if !stem.starts_with(typed) && !found.contains(&*stem) {
                        found.insert(stem.into_owned());
                    }
                }
                Ok(())
            })?;
        }
        let found = Rc::new(found);
        self.other_stems.insert(typed.to_owned(), Rc::clone(&found));
        Ok(found)
    }
}

/// Matches the documents with one of these terms, without effect on the ranking; `None` if there are none.
fn any_of(column: Column, texts: &BTreeSet<String>) -> Option<Box<dyn Matcher>> {
    let terms = texts.iter().map(|text| Term::from_field_text(column, text));
    (!texts.is_empty()).then(|| query_conversion::unweighted(Box::new(TermSetQuery::new(terms))))
}
