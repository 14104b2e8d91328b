//! Suggestions while a reader types: key words and names by the beginning of each of their words, titles by their beginning and by their words.
//!
//! Key words and names are terms of one column, `site, what, folded beginning, text as printed`, so that those of a site with one beginning are
//! neighbours in its dictionary. A title is found through its first characters, or through its words, and read from its entry.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
};

use masthead_domain::SiteId;
use tantivy::{
    DocAddress, Searcher, TantivyDocument, Term,
    collector::TopDocs,
    query::{BooleanQuery, ConstScoreQuery, Occur, Query as Matcher},
    schema::Value as _,
};

use super::{Inner, documents::SHOWN, phrases, query_conversion, term_expansion, words};
use crate::{
    analysis::{self, fold},
    entry::Entry,
    index::{Suggest, Suggestion, SuggestionKind},
    query::{Expansion, MAX_KNOWN_ENTRIES},
};

/// Limit on the terms of all segments' dictionaries that are looked at for one beginning; further ones in the order of the alphabet are left out,
/// which happens to a beginning of one or two letters. A thousand take half a millisecond, and a reader is typing.
const MAX_LOOKED_AT: usize = 3_000;
/// Number of terms of one segment that are looked at, however many segments there are.
const FEWEST_LOOKED_AT: usize = 200;
/// The fewest letters of a single unfinished word that is looked for within titles.
const SHORTEST: usize = 2;
/// Limit on the sites of a group whose dictionaries are looked at.
const MAX_SITES: usize = 64;
/// Limit on suggestions.
const MAX_SUGGESTIONS: usize = 50;
/// Limit on the characters of a key word or name that is suggested; longer ones are texts, and nobody types them.
const MAX_SHOWN: usize = 80;
/// Number of the words of a key word or name by whose beginnings it is found.
const MAX_BEGINNINGS: usize = 4;
/// Number of the characters of a title by which it is found from its beginning.
const TITLE_BEGINNING: usize = 40;
/// Limit on the entries whose titles are compared by their words; beyond it, more has to be typed.
const MAX_TITLES: u64 = 20_000;

const fn letter(kind: SuggestionKind) -> char {
    match kind {
        SuggestionKind::Keyword => 'k',
        SuggestionKind::Author => 'a',
        SuggestionKind::Title => 't',
    }
}

/// The terms by which an entry is suggested.
pub fn of(site: SiteId, entry: &Entry) -> Vec<String> {
    let keywords = entry.keywords.parts().flat_map(|(_, text)| text.lines());
    let named = keywords.map(|text| (SuggestionKind::Keyword, text));
    let named = named.chain(entry.people.iter().map(|name| (SuggestionKind::Author, name.as_str())));
    let mut terms: HashSet<String> = HashSet::new();
    for (kind, text) in named {
        let text = text.trim();
        if text.is_empty() || text.chars().nth(MAX_SHOWN).is_some() {
            continue;
        }
        for beginning in beginnings(&simple(text)) {
            terms.insert(format!("{}{beginning}{SHOWN}{text}", prefix(site, kind)));
        }
    }
    for title in entry.title.parts().flat_map(|(_, text)| text.lines()) {
        let beginning: String = simple(title).chars().take(TITLE_BEGINNING).collect();
        if !beginning.is_empty() {
            terms.insert(format!("{}{beginning}", prefix(site, SuggestionKind::Title)));
        }
    }
    terms.into_iter().collect()
}

fn prefix(site: SiteId, kind: SuggestionKind) -> String {
    format!("{site}{SHOWN}{}", letter(kind))
}

/// A text without case, accents, control characters and repeated white space.
fn simple(text: &str) -> String {
    let folded = fold(text).replace(char::is_control, " ");
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text from each of its first words on.
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    let words = text.match_indices([' ', '-']).map(|(at, gap)| at + gap.len());
    std::iter::once(0).chain(words).take(MAX_BEGINNINGS).filter_map(|at| text.get(at..)).filter(|rest| !rest.is_empty())
}

/// What may be suggested.
struct Candidate {
    suggestion: Suggestion,
    /// Whether what was typed is the beginning of the whole.
    whole: bool,
    /// Number of documents with it, with those that were deleted: of what too many entries have to count them, the order.
    documents: u64,
}

/// The terms of a text as it is printed.
#[derive(Default)]
struct Shown {
    /// Number of documents with them, with those that were deleted.
    documents: u64,
    /// One term of each site: all terms of a text are those of the same entries.
    terms: Vec<(SiteId, String)>,
}

impl Shown {
    fn add(&mut self, site: SiteId, term: &str, documents: u32) {
        self.documents += u64::from(documents);
        if self.terms.last().is_none_or(|(last, _)| *last != site) {
            self.terms.push((site, term.to_owned()));
        }
    }
}

impl Inner {
    /// What a reader may be about to type.
    pub fn suggest(&self, suggest: &Suggest) -> tantivy::Result<Vec<Suggestion>> {
        let typed = simple(&suggest.text);
        let limit = suggest.limit.min(MAX_SUGGESTIONS);
        let Some(place) = query_conversion::of_sites(&self.columns, &suggest.sites, &suggest.kinds) else {
            return Ok(Vec::new());
        };
        if typed.is_empty() || limit == 0 || typed.chars().nth(MAX_SHOWN).is_some() {
            return Ok(Vec::new());
        }
        let searcher = self.reader.searcher();
        let mut named = Vec::new();
        for kind in [SuggestionKind::Keyword, SuggestionKind::Author] {
            named.extend(self.named(&searcher, suggest, &*place, kind, &typed, limit)?);
        }
        named.sort_by(|a, b| {
            let key = |one: &Candidate| (!one.whole, Reverse(one.suggestion.entries), Reverse(one.documents));
            key(a).cmp(&key(b)).then_with(|| a.suggestion.text.cmp(&b.suggestion.text))
        });
        let titles = self.titles(&searcher, suggest, &*place, &typed, limit)?;
        // Both are of use: names and key words do not leave titles without a place.
        let room = limit - titles.len().min(limit / 2);
        named.truncate(room);
        let mut all: Vec<Suggestion> = named.into_iter().map(|candidate| candidate.suggestion).collect();
        all.extend(titles.into_iter().take(limit - all.len()));
        Ok(all)
    }

    /// Key words or names of which a word begins as was typed.
    fn named(
        &self,
        searcher: &Searcher,
        suggest: &Suggest,
        place: &dyn Matcher,
        kind: SuggestionKind,
        typed: &str,
        limit: usize,
    ) -> tantivy::Result<Vec<Candidate>> {
        let mut texts: HashMap<String, Shown> = HashMap::new();
        let (column, most) = (self.columns.beginning, looked_at(searcher));
        for site in suggest.sites.as_slice().iter().take(MAX_SITES) {
            let beginning = format!("{}{typed}", prefix(*site, kind));
            for segment in searcher.segment_readers() {
                term_expansion::each_beginning(segment, column, &beginning, most, |term, documents| {
                    if let Some((_, text)) = term.rsplit_once(SHOWN) {
                        texts.entry(text.to_owned()).or_default().add(*site, term, documents);
                    }
                    Ok(())
                })?;
            }
        }
        // Of thousands of texts, a few are wanted: a heap need not order the others.
        let mut texts: BinaryHeap<_> =
            texts.into_iter().map(|(text, shown)| (shown.documents, Reverse(text), shown.terms)).collect();
        let mut found = Vec::new();
        while found.len() < limit
            && let Some((documents, Reverse(text), terms)) = texts.pop()
        {
            // The dictionary has terms of entries that were deleted.
            let mut entries = 0;
            for (_, term) in terms {
                let term = Term::from_field_text(column, &term);
                entries += words::count_up_to(searcher, place, term, MAX_KNOWN_ENTRIES)?;
            }
            if entries > 0 {
                let whole = simple(&text).starts_with(typed);
                let suggestion = Suggestion { text, kind, entries: entries.min(MAX_KNOWN_ENTRIES) };
                found.push(Candidate { suggestion, whole, documents });
            }
        }
        Ok(found)
    }

    /// The terms with a beginning and the number of their documents; of each segment, the first `most` ones.
    fn terms(&self, searcher: &Searcher, beginning: &str, most: usize) -> tantivy::Result<HashMap<String, u64>> {
        term_expansion::beginning(searcher, self.columns.beginning, beginning, most)
    }

    /// Titles that begin as was typed, then titles with the typed words, of which the last may be unfinished.
    fn titles(
        &self,
        searcher: &Searcher,
        suggest: &Suggest,
        place: &dyn Matcher,
        typed: &str,
        limit: usize,
    ) -> tantivy::Result<Vec<Suggestion>> {
        let mut found: Vec<Suggestion> = Vec::new();
        let mut beginning = Vec::new();
        for site in suggest.sites.as_slice().iter().take(MAX_SITES) {
            let typed: String = typed.chars().take(TITLE_BEGINNING).collect();
            let terms = self.terms(searcher, &format!("{}{typed}", prefix(*site, SuggestionKind::Title)), limit)?;
            let mut terms: Vec<String> = terms.into_keys().collect();
            terms.sort_unstable();
            beginning.extend(terms.into_iter().take(limit));
        }
        let begins =
            beginning.iter().map(|term| query_conversion::exactly(Term::from_field_text(self.columns.beginning, term)));
        let begins: Vec<Box<dyn Matcher>> = begins.collect();
        if !begins.is_empty() {
            let matching = query_conversion::within(Box::new(BooleanQuery::union(begins)), place);
            self.add_titles(searcher, best(searcher, &matching, limit)?, typed, limit, &mut found)?;
        }
        if found.len() < limit
            && let Some(typed_words) = self.with_words(searcher, typed)?
        {
            let matching = query_conversion::within(typed_words.matcher, place);
            let entries = if typed_words.scored {
                best(searcher, &matching, limit)?
            } else {
                words::first(searcher, &matching, limit)?
            };
            self.add_titles(searcher, entries, typed, limit, &mut found)?;
        }
        Ok(found)
    }

    fn add_titles(
        &self,
        searcher: &Searcher,
        entries: Vec<DocAddress>,
        typed: &str,
        limit: usize,
        found: &mut Vec<Suggestion>,
    ) -> tantivy::Result<()> {
        for address in entries {
            let document: TantivyDocument = searcher.doc(address)?;
            let titles = document.get_first(self.columns.titles).and_then(|value| value.as_str()).unwrap_or_default();
            // Of a title in several languages, the one that was typed.
            let line = titles.lines().find(|title| simple(title).contains(typed)).or_else(|| titles.lines().next());
            let Some(text) = line.map(str::to_owned).filter(|text| !text.is_empty()) else { continue };
            if found.len() < limit && !found.iter().any(|known| known.text == text) {
                found.push(Suggestion { text, kind: SuggestionKind::Title, entries: 1 });
            }
        }
        Ok(())
    }

    /// Matches titles with the typed words; `None` if they would be too many to be compared.
    fn with_words(&self, searcher: &Searcher, typed: &str) -> tantivy::Result<Option<TitleWords>> {
        let words = analysis::words(typed);
        let Some((last, before)) = words.split_last() else { return Ok(None) };
        if before.is_empty() && last.typed.is_ascii() && last.typed.len() < SHORTEST {
            return Ok(None);
        }
        let column = self.columns.title;
        let mut parts: Vec<(Occur, Box<dyn Matcher>)> = Vec::new();
        let mut fewest = u64::MAX;
        for word in before {
            fewest = fewest.min(self.documents_with(searcher, &word.forms)?);
            parts.push((Occur::Must, phrases::any_of(column, word.forms.iter().map(|form| (form.clone(), 1.0)))));
        }
        let mut forms = last.forms.clone();
        let most = looked_at(searcher);
        for longer in term_expansion::words_among(searcher, &self.columns, &last.typed, Expansion::Beginning, most)? {
            forms.extend(analysis::words(&longer.text).into_iter().flat_map(|word| word.forms));
        }
        forms.sort_unstable();
        forms.dedup();
        let scored = !before.is_empty();
        if scored && fewest.min(self.documents_with(searcher, &forms)?) > MAX_TITLES {
            return Ok(None);
        }
        let unfinished = phrases::any_of(column, forms.into_iter().map(|form| (form, 1.0)));
        parts.push((Occur::Must, Box::new(ConstScoreQuery::new(unfinished, 1.0))));
        Ok(Some(TitleWords { matcher: Box::new(BooleanQuery::new(parts)), scored }))
    }

    fn documents_with(&self, searcher: &Searcher, forms: &[String]) -> tantivy::Result<u64> {
        let each = forms.iter().map(|form| searcher.doc_freq(&Term::from_field_text(self.columns.title, form)));
        each.sum()
    }
}

/// Matches titles with typed words.
struct TitleWords {
    matcher: Box<dyn Matcher>,
    /// Whether the titles have scores. The score of an unfinished word is the same in all titles, so that any of them will do.
    scored: bool,
}

/// The entries with the best scores.
fn best(searcher: &Searcher, matcher: &dyn Matcher, limit: usize) -> tantivy::Result<Vec<DocAddress>> {
    let hits = searcher.search(matcher, &TopDocs::with_limit(limit).order_by_score())?;
    Ok(hits.into_iter().map(|(_, address)| address).collect())
}

fn looked_at(searcher: &Searcher) -> usize {
    term_expansion::looked_at(searcher, MAX_LOOKED_AT, FEWEST_LOOKED_AT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_from_each_of_its_first_words() {
        assert_eq!(beginnings("blue carbon").collect::<Vec<_>>(), ["blue carbon", "carbon"]);
        assert_eq!(beginnings("a b c d e f").count(), MAX_BEGINNINGS);
        assert_eq!(simple("  Sea\u{0}-Level\u{1f} ÉTUDE "), "sea -level etude");
    }

    #[test]
    fn texts_that_nobody_types_are_not_suggested() {
        let entry = Entry { keywords: "x".repeat(200).into(), people: vec![String::new()], ..Entry::default() };
        assert!(of(SiteId(1), &entry).is_empty());
    }
}
