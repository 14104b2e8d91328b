//! What an index executes. A typed query is parsed, its words are analyzed, synonyms and tolerances are added; the result is a tree of
//! terms that an index matches without any further knowledge of texts and languages.

use masthead_domain::text::letters;

use super::{Field, Filter, Order};
use crate::entry::{EntryKind, ExactField};

/// A search as an index executes it. A search for no kinds is one for all kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The kinds of entries to search; empty for all.
    pub kinds: Vec<EntryKind>,
    /// What the entries match; `None` for all entries that pass the filters.
    pub tree: Option<Tree>,
    /// The fields that [`Scope::Everything`] stands for, each once, with the weight of a match in percent of the usual weight of the field.
    /// None has the weight 0.
    pub weights: Vec<(Field, u32)>,
    /// Filters that every hit passes. Those that contradict each other let nothing pass.
    pub filters: Vec<Filter>,
    /// The order of the hits.
    pub order: Order,
}

/// A condition on entries. It has at most [`super::MAX_EXPANSIONS`] alternatives and is at most [`super::MAX_DEPTH`] brackets deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Adjacent words, often only one.
    Phrase(Phrase),
    /// All parts match, and their scores are added. If every part is a [`Tree::Not`], all other entries match.
    All(Vec<Tree>),
    /// At least `least` of the parts match, and the scores of those that match are added. `least` is at least 1.
    Any {
        /// Number of parts that have to match.
        least: usize,
        /// The parts.
        parts: Vec<Tree>,
    },
    /// At least one of the parts matches, and the best score counts: synonyms and spellings of one term.
    Best(Vec<Tree>),
    /// The part does not match. It has no effect on the score.
    Not(Box<Tree>),
    /// `base` matches; entries that match parts of `better` too have a higher score.
    Rather {
        /// What has to match.
        base: Box<Tree>,
        /// What may match.
        better: Vec<Tree>,
    },
    /// The part matches; its score counts this much.
    Weighted {
        /// Percent of the usual score.
        percent: u32,
        /// The part.
        part: Box<Tree>,
    },
    /// One of the entry's titles is this as a whole, as [`title_key`] writes it. Titles are lines.
    Title(String),
    /// The entry passes a filter. It has no effect on the score.
    Filter(Filter),
    /// The DOI is this, in lower case and without a resolver's address. An entry of which it is the whole DOI has a higher score than one
    /// whose DOI begins with it.
    Doi {
        /// The DOI, or its beginning.
        text: String,
        /// Whether it is the whole DOI.
        whole: bool,
    },
    /// A field that matches only as a whole has this value; case, spaces and hyphens are ignored.
    Exact(ExactField, String),
}

/// Words that are adjacent in one field. A phrase of one word is that word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// Where it is searched; in more than one field, the scores of the fields are added.
    pub scope: Scope,
    /// The words, in ascending order of position; never empty.
    pub terms: Vec<Term>,
    /// The words in the forms in which names of persons are indexed, for [`Field::Authors`]; empty if `terms` hold there too. They may
    /// stand in any order within one name.
    pub names: Vec<Term>,
}

/// The fields of a phrase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The fields of [`Search::weights`], with their weights.
    #[default]
    Everything,
    /// One field, with the weight 100 percent.
    Only(Field),
}

/// A word of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The forms in which it may be indexed (as typed, and the stem of each language), of which one has to match; never empty.
    pub forms: Vec<String>,
    /// The word as typed: folded (case, width, accents), not stemmed. [`Expansion::Near`] and [`Expansion::Beginning`] compare it with the unstemmed
    /// words of the index, because the stem of a mistyped word is not near the stem of the word.
    pub typed: String,
    /// Its place. Places of adjacent words differ by the length of the word before; those of a phrase begin anywhere.
    pub position: usize,
    /// Which other words match too.
    pub reach: Expansion,
}

/// Which words match a term beyond its own forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Expansion {
    /// No others.
    #[default]
    Same,
    /// Words at a Damerau-Levenshtein distance of at most this from the typed word: an insertion, deletion, substitution or a
    /// transposition of neighbours counts one. The first letter may differ as any other. Nearer words score higher; a match of a
    /// form of the term scores higher than any of them.
    Near(u8),
    /// Words that begin with the typed word. A phrase of this one word matches every entry with such a word, with the lowest score where it is
    /// none of the [`MAX_EXPANDED_TERMS`]; in a longer phrase, only these match.
    Beginning,
}

/// Limit on the words of an index that one term with a [`Expansion`] stands for: the nearest ones, of equally near ones the most frequent.
/// [`Expansion::Beginning`] has no limit on what matches, only on what is scored by its own frequency.
pub const MAX_EXPANDED_TERMS: usize = 64;

/// Limit up to which the entries of a [`IndexedWord`] are counted. Of two words with more, it does not matter which is told first.
pub const MAX_KNOWN_ENTRIES: u64 = 200;

/// A word of the entries of a site, as it is written there: folded, not stemmed. Texts that suggest words are made of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedWord {
    /// The word.
    pub text: String,
    /// Number of entries of the searched sites with it, at most [`MAX_KNOWN_ENTRIES`]; never 0, because words that only other sites have are not
    /// revealed.
    pub entries: u64,
}

impl Tree {
    /// Number of nodes and terms, by which the cost of a tree is limited.
    #[must_use]
    pub fn size(&self) -> usize {
        let sum = |parts: &[Self]| parts.iter().map(Self::size).sum::<usize>();
        1 + match self {
            Self::Phrase(phrase) => phrase.terms.len() + phrase.names.len(),
            Self::All(parts) | Self::Any { parts, .. } | Self::Best(parts) => sum(parts),
            Self::Not(part) | Self::Weighted { part, .. } => part.size(),
            Self::Rather { base, better } => base.size() + sum(better),
            Self::Title(_) | Self::Filter(_) | Self::Doi { .. } | Self::Exact(..) => 0,
        }
    }

    /// Whether a phrase consists of phrases, often of one word, each of which has to match here in the same fields. A field that has the whole
    /// has each of them at least as often.
    #[must_use]
    pub fn requires_parts_of(&self, phrase: &Phrase) -> bool {
        let mut required = Vec::new();
        self.required_phrases(&mut required);
        required.retain(|part| part.scope == phrase.scope);
        let mut rest = phrase.terms.as_slice();
        while !rest.is_empty() {
            let Some(at) = required.iter().position(|part| part.begins(rest)) else { return false };
            rest = &rest[required.swap_remove(at).terms.len()..];
        }
        true
    }

    fn required_phrases<'a>(&'a self, found: &mut Vec<&'a Phrase>) {
        match self {
            Self::Phrase(phrase) => found.push(phrase),
            Self::All(parts) => parts.iter().for_each(|part| part.required_phrases(found)),
            Self::Rather { base, .. } => base.required_phrases(found),
            _ => {}
        }
    }
}

impl Phrase {
    /// Whether it is one word in its own forms.
    #[must_use]
    pub fn is_one_word(&self) -> bool {
        let one = |field| matches!(self.terms_in(field), [term] if term.reach == Expansion::Same);
        one(Field::Title) && one(Field::Authors)
    }

    /// Whether these words begin with those of the phrase. A single word may also stand for others, which does not lower the score of its own
    /// forms.
    fn begins(&self, words: &[Term]) -> bool {
        let place = |words: &[Term], at: usize| words[at].position - words[0].position;
        let same = |at: usize| {
            let (own, other) = (&self.terms[at], &words[at]);
            let alike = self.terms.len() == 1 || own.reach == other.reach;
            alike && own.forms == other.forms && own.typed == other.typed && place(&self.terms, at) == place(words, at)
        };
        self.terms.len() <= words.len() && (0..self.terms.len()).all(same)
    }

    /// The words as they are looked for in a field.
    #[must_use]
    pub fn terms_in(&self, field: Field) -> &[Term] {
        if field == Field::Authors && !self.names.is_empty() { &self.names } else { &self.terms }
    }
}

/// A title for [`Tree::Title`]: its letters and digits in lower case. It is empty for a title without any.
#[must_use]
pub fn title_key(title: &str) -> String {
    letters(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_same_in_any_case_punctuation_and_spacing() {
        assert_eq!(title_key("Sea-level  Rise: a “Review”"), title_key("sea level rise — a review"));
        assert_eq!(title_key("海洋 沉积物（碳）"), "海洋沉积物碳");
        assert_eq!(title_key(" !? "), "");
    }
}
