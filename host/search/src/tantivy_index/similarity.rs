//! Articles that share rare words with another.

use std::{cmp::Reverse, collections::HashMap};

use tantivy::{
    Score, Searcher, Term,
    collector::TopDocs,
    query::{BooleanQuery, Occur},
};

use super::{Inner, documents, phrases, query_conversion, schema::usual_weight};
use crate::{
    analysis::Analyzer,
    entry::EntryKind,
    index::{Hit, Like},
    query::{Field, MAX_WINDOW},
};

/// Number of an article's words by which similar articles are searched.
const WORDS: usize = 24;
/// Bytes of each text of an article from which these words are chosen.
const BYTES: usize = 8_000;
/// The fewest characters of such a word, in letters and in any other script.
const SHORTEST: (usize, usize) = (3, 2);
/// The fewest entries with such a word: one is the article itself.
const FEWEST: u64 = 2;

impl Inner {
    /// The articles most like another.
    pub fn like(&self, like: &Like) -> tantivy::Result<Vec<Hit>> {
        let searcher = self.reader.searcher();
        let Some(place) = query_conversion::of_sites(&self.columns, &like.sites, &[EntryKind::Article]) else {
            return Ok(Vec::new());
        };
        let words = self.rare_words(&searcher, like)?;
        if words.is_empty() || like.limit == 0 {
            return Ok(Vec::new());
        }
        let mut alike: Vec<(Occur, _)> = Vec::new();
        for (field, text) in words {
            let word = [(text, usual_weight(field))];
            alike.push((Occur::Should, phrases::any_of(self.columns.of(field), word)));
        }
        let own = documents::key(like.site, EntryKind::Article, like.article.0, "");
        let matcher = BooleanQuery::new(vec![
            (Occur::Must, place),
            (Occur::MustNot, query_conversion::exactly(Term::from_field_text(self.columns.key, &own))),
            (Occur::Must, Box::new(BooleanQuery::new(alike))),
        ]);
        let top = TopDocs::with_limit(like.limit.min(MAX_WINDOW)).order_by_score();
        let found = searcher.search(&matcher, &top)?;
        self.read(&searcher, found.into_iter().map(|(_, address)| address))
    }

    /// The words of an article that are frequent in it and rare in others.
    fn rare_words(&self, searcher: &Searcher, like: &Like) -> tantivy::Result<Vec<(Field, String)>> {
        let texts = [
            (Field::Title, &like.likeness.title),
            (Field::Keywords, &like.likeness.keywords),
            (Field::Summary, &like.likeness.summary),
        ];
        let mut counts: HashMap<(Field, String), u32> = HashMap::new();
        for (field, text) in texts {
            for token in Analyzer::Prose.tokens(&text[..text.floor_char_boundary(BYTES)]) {
                let shortest = if token.text.is_ascii() { SHORTEST.0 } else { SHORTEST.1 };
                if token.text.chars().count() >= shortest {
                    *counts.entry((field, token.text)).or_default() += 1;
                }
            }
        }
        let all = searcher.num_docs() as Score;
        let mut words: Vec<(u32, Field, String)> = Vec::with_capacity(counts.len());
        for ((field, text), count) in counts {
            let documents = searcher.doc_freq(&Term::from_field_text(self.columns.of(field), &text))?;
            if documents >= FEWEST {
                let rarity = (1.0 + all / documents as Score).ln() * usual_weight(field).sqrt();
                words.push(((rarity * count as Score * 1_000.0) as u32, field, text));
            }
        }
        words.sort_unstable_by(|a, b| (Reverse(a.0), &a.2).cmp(&(Reverse(b.0), &b.2)));
        words.truncate(WORDS);
        Ok(words.into_iter().map(|(_, field, text)| (field, text)).collect())
    }
}
