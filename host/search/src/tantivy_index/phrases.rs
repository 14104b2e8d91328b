//! Converts the words of a search to queries of tantivy: forms of a word, phrases, names, and words that were mistyped or are unfinished.

use std::{collections::HashMap, rc::Rc};

use tantivy::{
    Score, Term,
    query::{
        Bm25StatisticsProvider as _, BooleanQuery, BoostQuery, DisjunctionMaxQuery, EmptyQuery, Occur, PhraseQuery,
        Query as Matcher, TermQuery,
    },
    schema::{Field as Column, IndexRecordOption},
};

use super::{
    beginnings::Beginnings,
    schema::{Columns, usual_weight},
    statistics::Statistics,
    term_expansion::{self, ExpandedTerm},
};
use crate::{
    analysis,
    query::{Expansion, Field, Phrase, Scope, Search, Term as Word},
};

/// Limit on the words of a search that stand for words of the index with scores of their own. Further ones match as they were typed, and
/// those with a wildcard at their end also by [`Beginnings`].
const MAX_NEAR: usize = 12;
/// The score of a word that differs in one letter, as a part of that of a frequent word that does not. It falls with every further letter.
const NEAR: Score = 0.4;
/// The same for a word that begins with the typed one.
const LONGER: Score = 0.6;
/// By how many places the words of a name may be moved. The names of two persons are farther from each other.
const IN_ONE_NAME: u32 = 10;
/// Limit on the phrases that words with several forms stand for.
const MAX_READINGS: usize = 16;

/// What BM25 multiplies the rarity of words by at most, for a text that has nothing else: `k1 + 1`, of which tantivy's `k1` is 1.2.
const MOST_BY_FREQUENCY: Score = 2.2;

/// A word of the index and its score, by which that of a usual match is multiplied.
type Form = (String, Score);

/// Queries of which the one with the best score counts.
pub type Alternatives = Vec<Box<dyn Matcher>>;

/// A field that has adjacent words.
pub struct InField {
    pub field: Field,
    /// What their score is multiplied by.
    weight: Score,
    pub alternatives: Alternatives,
}

/// A word of the index that a typed word reaches.
struct Near {
    reached: ExpandedTerm,
    /// The forms under which it is indexed in texts.
    forms: Vec<String>,
}

pub struct Phrases<'a> {
    columns: &'a Columns,
    statistics: &'a Statistics<'a>,
    search: &'a Search,
    /// What was looked up and analyzed for one field serves for the others.
    reached: HashMap<(String, Expansion), Rc<[Near]>>,
    beginnings: Beginnings<'a>,
    documents: Score,
}

impl<'a> Phrases<'a> {
    pub fn new(columns: &'a Columns, statistics: &'a Statistics<'a>, search: &'a Search) -> Self {
        let segments = statistics.searcher().segment_readers();
        let documents = segments.iter().map(|segment| segment.max_doc() as Score).sum();
        let beginnings = Beginnings::new(statistics.searcher(), columns);
        Self { columns, statistics, search, reached: HashMap::new(), beginnings, documents }
    }

    /// The query for adjacent words: in more than one field, the scores of the fields are added.
    pub fn matcher(&mut self, phrase: &Phrase) -> tantivy::Result<Box<dyn Matcher>> {
        let fields = self.fields(phrase)?;
        let mut all: Vec<Box<dyn Matcher>> = if phrase.is_one_word() {
            // A text has a word in the form of its language, so that the scores of the forms may be added as well. Terms alone, without a query
            // around those of each field, are searched much faster.
            fields.into_iter().flat_map(|found| found.alternatives).collect()
        } else {
            fields.into_iter().filter_map(|found| best(found.alternatives)).collect()
        };
        all.extend(self.with_beginning(phrase)?);
        Ok(match all.len() {
            0 => Box::new(EmptyQuery),
            1 => all.remove(0),
            _ => Box::new(BooleanQuery::union(all)),
        })
    }

    /// What matches a word with a wildcard at its end beyond the words that are scored. A phrase of several words has no such query, because
    /// tantivy's phrases consist of terms, and a beginning is not a term: there, nothing but the scored words matches.
    fn with_beginning(&mut self, phrase: &Phrase) -> tantivy::Result<Alternatives> {
        let mut fields: Vec<(Field, &str)> = Vec::new();
        for (field, _) in self.searched(phrase) {
            if let [word] = phrase.terms_in(field)
                && word.reach == Expansion::Beginning
                && !word.typed.is_empty()
            {
                fields.push((field, word.typed.as_str()));
            }
        }
        self.beginnings.matchers(&fields)
    }

    /// The fields in which a phrase is searched, with the weight of each in percent.
    fn searched(&self, phrase: &Phrase) -> Vec<(Field, u32)> {
        match phrase.scope {
            Scope::Everything => self.search.weights.iter().copied().filter(|(_, percent)| *percent > 0).collect(),
            Scope::Only(field) => vec![(field, 100)],
        }
    }

    /// The fields that have adjacent words.
    pub fn fields(&mut self, phrase: &Phrase) -> tantivy::Result<Vec<InField>> {
        let mut all: Vec<InField> = Vec::new();
        for (field, percent) in self.searched(phrase) {
            let weight = usual_weight(field) * percent as Score / 100.0;
            let found = self.in_column(self.columns.of(field), field, phrase.terms_in(field))?;
            if !found.is_empty() {
                let alternatives = found.into_iter().map(|alternative| weighted(alternative, weight)).collect();
                all.push(InField { field, weight, alternatives });
            }
        }
        Ok(all)
    }

    /// The highest score that adjacent words can have in a field, however often it has them and however short it is.
    pub fn most(&self, phrase: &Phrase, found: &InField) -> tantivy::Result<Score> {
        let column = self.columns.of(found.field);
        let mut rarity = 0.0;
        for word in phrase.terms_in(found.field) {
            if word.reach != Expansion::Same {
                return Ok(Score::INFINITY);
            }
            let mut highest: Score = 0.0;
            for form in &word.forms {
                let documents = self.documents_with(column, form)?;
                highest = highest.max(if documents > 0 { self.rarity(documents) } else { 0.0 });
            }
            rarity += highest;
        }
        Ok(found.weight * rarity * MOST_BY_FREQUENCY)
    }

    /// The alternatives of adjacent words in one column; none if one of them is not in the column.
    fn in_column(&mut self, column: Column, field: Field, words: &[Word]) -> tantivy::Result<Alternatives> {
        match words {
            [] => Ok(Alternatives::new()),
            [word] => {
                let forms = self.forms(column, field, word)?;
                Ok(forms.into_iter().map(|form| weighted(single(column, &form.0), form.1)).collect())
            }
            words if words.iter().all(|word| word.reach == Expansion::Same) => self.phrase(column, field, words),
            words => self.phrase_of_reached(column, field, words),
        }
    }

    /// Words that match as they were typed: a phrase for each language in which their forms differ.
    fn phrase(&mut self, column: Column, field: Field, words: &[Word]) -> tantivy::Result<Alternatives> {
        let forms: Vec<(usize, &[String])> = words.iter().map(|word| (word.position, word.forms.as_slice())).collect();
        let mut phrases = Alternatives::new();
        for reading in analysis::readings(&forms) {
            let reading: Vec<_> = reading.into_iter().map(|(position, text)| (position, text.to_owned())).collect();
            phrases.extend(self.adjacent(column, field, &reading)?);
        }
        Ok(phrases)
    }

    fn phrase_of_reached(&mut self, column: Column, field: Field, words: &[Word]) -> tantivy::Result<Alternatives> {
        let mut readings: Vec<(Score, Vec<(usize, String)>)> = vec![(1.0, Vec::new())];
        for word in words {
            let forms = self.forms(column, field, word)?;
            let longer = |(score, reading): &(Score, Vec<(usize, String)>)| {
                let with = |(text, own): &Form| {
                    let mut reading = reading.clone();
                    reading.push((word.position, text.clone()));
                    (score.min(*own), reading)
                };
                forms.iter().map(with).collect::<Vec<_>>()
            };
            readings = readings.iter().flat_map(longer).take(MAX_READINGS).collect();
        }
        let mut phrases = Alternatives::new();
        for (score, reading) in readings {
            let matcher = self.adjacent(column, field, &reading)?;
            phrases.extend(matcher.map(|matcher| weighted(matcher, score)));
        }
        Ok(phrases)
    }

    /// Several words at their places; `None` if one of them is not in the column.
    fn adjacent(
        &mut self,
        column: Column,
        field: Field,
        words: &[(usize, String)],
    ) -> tantivy::Result<Option<Box<dyn Matcher>>> {
        let first = words.first().map_or(0, |(position, _)| *position);
        let mut terms: Vec<(usize, Term)> = Vec::with_capacity(words.len());
        for (position, text) in words {
            if self.documents_with(column, text)? == 0 {
                return Ok(None);
            }
            let term = Term::from_field_text(column, text);
            if !terms.iter().any(|known| *known == (position - first, term.clone())) {
                terms.push((position - first, term));
            }
        }
        if let [(_, term)] = terms.as_slice() {
            return Ok(Some(Box::new(TermQuery::new(term.clone(), IndexRecordOption::WithFreqs))));
        }
        let slop = if field == Field::Authors { IN_ONE_NAME } else { 0 };
        Ok(Some(Box::new(PhraseQuery::new_with_offset_and_slop(terms, slop))))
    }

    /// The words of the index that a word stands for. A word that it only reaches never scores more than one of its own forms.
    fn forms(&mut self, column: Column, field: Field, word: &Word) -> tantivy::Result<Vec<Form>> {
        let mut forms: Vec<Form> = Vec::new();
        let mut highest = 0;
        for form in &word.forms {
            let documents = self.documents_with(column, form)?;
            if documents > 0 && !forms.iter().any(|(known, _)| known == form) {
                highest = highest.max(documents);
                forms.push((form.clone(), 1.0));
            }
        }
        // A rare word has a high score, which a mistyped word that is near to it must not have.
        let usual = if highest == 0 { 1.0 } else { self.rarity(highest).min(1.0) };
        for near in self.reached(word)?.iter() {
            let score =
                if word.reach == Expansion::Beginning { LONGER } else { NEAR.powi(i32::from(near.reached.distance)) };
            // Names are indexed as they are written.
            let indexed =
                if field == Field::Authors { std::slice::from_ref(&near.reached.text) } else { near.forms.as_slice() };
            for form in indexed {
                let documents = self.documents_with(column, form)?;
                if documents > 0 && !forms.iter().any(|(known, _)| known == form) {
                    forms.push((form.clone(), usual * score.min(LONGER) / self.rarity(documents)));
                }
            }
        }
        Ok(forms)
    }

    fn reached(&mut self, word: &Word) -> tantivy::Result<Rc<[Near]>> {
        if word.reach == Expansion::Same {
            return Ok(Rc::default());
        }
        let key = (word.typed.clone(), word.reach);
        if let Some(known) = self.reached.get(&key) {
            return Ok(Rc::clone(known));
        }
        let found = if self.reached.len() < MAX_NEAR {
            term_expansion::words(self.statistics.searcher(), self.columns, &word.typed, word.reach)?
        } else {
            Vec::new()
        };
        let near = |reached: ExpandedTerm| Near { forms: indexed_forms(&reached.text), reached };
        let found: Rc<[Near]> = found.into_iter().map(near).collect();
        self.reached.insert(key, Rc::clone(&found));
        Ok(found)
    }

    fn documents_with(&self, column: Column, text: &str) -> tantivy::Result<u64> {
        self.statistics.doc_freq(&Term::from_field_text(column, text))
    }

    /// What the score of a word is multiplied by because few documents have it.
    fn rarity(&self, documents: u64) -> Score {
        let with = documents as Score;
        (1.0 + (self.documents - with + 0.5).max(0.0) / (with + 0.5)).ln().max(0.01)
    }
}

/// The forms under which a word of the index, given as it is written, is indexed in texts.
fn indexed_forms(text: &str) -> Vec<String> {
    let mut forms: Vec<String> = match analysis::words(text).as_slice() {
        [word] => word.forms.clone(),
        _ => vec![text.to_owned()],
    };
    forms.sort_unstable();
    forms.dedup();
    forms
}

fn single(column: Column, text: &str) -> Box<dyn Matcher> {
    Box::new(TermQuery::new(Term::from_field_text(column, text), IndexRecordOption::WithFreqs))
}

fn weighted(matcher: Box<dyn Matcher>, score: Score) -> Box<dyn Matcher> {
    if (score - 1.0).abs() < Score::EPSILON { matcher } else { Box::new(BoostQuery::new(matcher, score)) }
}

fn best(mut matchers: Alternatives) -> Option<Box<dyn Matcher>> {
    match matchers.len() {
        0 => None,
        1 => matchers.pop(),
        _ => Some(Box::new(DisjunctionMaxQuery::new(matchers))),
    }
}

/// The terms of words, any of which matches, in one column.
pub fn any_of(column: Column, texts: impl IntoIterator<Item = (String, Score)>) -> Box<dyn Matcher> {
    let each = texts.into_iter().map(|(text, score)| (Occur::Should, weighted(single(column, &text), score)));
    Box::new(BooleanQuery::new(each.collect()))
}
