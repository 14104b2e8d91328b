//! Where the phrases of a query stand in a text.

use std::{collections::HashMap, ops::Range};

use crate::{
    analysis::{Analyzer, Token},
    query::{Expansion, Field, Phrase, Scope, Term, Tree, distance},
};

/// Words of a query whose spellings are looked for in texts; the others are found in their own forms only.
const MAX_REACHING: usize = 16;

/// The phrases of a tree, in the order in which it has them. What is excluded is left out.
pub fn phrases_of<'a>(tree: &'a Tree, into: &mut Vec<&'a Phrase>) {
    match tree {
        Tree::Phrase(phrase) => into.push(phrase),
        Tree::All(parts) | Tree::Any { parts, .. } | Tree::Best(parts) => {
            parts.iter().for_each(|part| phrases_of(part, into));
        }
        Tree::Rather { base: part, .. } | Tree::Weighted { part, .. } => phrases_of(part, into),
        Tree::Not(_) | Tree::Title(_) | Tree::Filter(_) | Tree::Doi { .. } | Tree::Exact(..) => {}
    }
}

/// The words of a text.
pub struct Words {
    tokens: Vec<Token>,
    by_text: HashMap<String, Vec<usize>>,
    /// The words as they are written.
    spelled: Vec<(Token, Vec<char>)>,
}

impl Words {
    /// The words of a text, for phrases of which some may have a [`Expansion`].
    pub fn of(text: &str, reaching: bool) -> Self {
        Self::divided(text, Analyzer::Prose, reaching)
    }

    /// The same for the name of one person.
    pub fn of_name(name: &str, reaching: bool) -> Self {
        Self::divided(name, Analyzer::Names, reaching)
    }

    fn divided(text: &str, analyzer: Analyzer, reaching: bool) -> Self {
        let tokens = analyzer.tokens(text);
        let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, token) in tokens.iter().enumerate() {
            by_text.entry(token.text.clone()).or_default().push(index);
        }
        let spelled = if reaching { Analyzer::Spelling.tokens(text) } else { Vec::new() };
        let spelled =
            spelled.into_iter().map(|token| (letters(&token.text), token)).map(|(letters, token)| (token, letters));
        Self { by_text, spelled: spelled.collect(), tokens }
    }

    /// The bytes at which a phrase stands, in ascending order. A phrase that is searched where texts for readers are not is nowhere.
    pub fn occurrences(&self, phrase: &Phrase) -> Vec<Range<usize>> {
        if matches!(phrase.scope, Scope::Only(Field::Authors | Field::Company | Field::Fund)) {
            return Vec::new();
        }
        let places: Vec<Vec<&Token>> = phrase.terms.iter().map(|term| self.places(term)).collect();
        let (Some(first), Some(starts)) = (phrase.terms.first(), places.first()) else { return Vec::new() };
        let whole = |start: &&Token| {
            let mut range = start.range.clone();
            for (term, places) in phrase.terms.iter().zip(&places).skip(1) {
                let position = start.position + term.position.saturating_sub(first.position);
                let at = places.binary_search_by_key(&position, |token| token.position).ok()?;
                range = range.start.min(places[at].range.start)..range.end.max(places[at].range.end);
            }
            Some(range)
        };
        starts.iter().filter_map(whole).collect()
    }

    /// The bytes of a name that a phrase matches: the words of a name may stand in any order. A phrase that is not searched in names is
    /// nowhere.
    pub fn occurrences_in_name(&self, phrase: &Phrase) -> Vec<Range<usize>> {
        if !matches!(phrase.scope, Scope::Everything | Scope::Only(Field::Authors)) {
            return Vec::new();
        }
        let words = if phrase.names.is_empty() { &phrase.terms } else { &phrase.names };
        let places: Vec<Vec<&Token>> = words.iter().map(|term| self.places(term)).collect();
        if places.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        places.into_iter().flatten().map(|token| token.range.clone()).collect()
    }

    /// The words that a term matches, in ascending order of position.
    fn places(&self, term: &Term) -> Vec<&Token> {
        let same = term.forms.iter().filter_map(|form| self.by_text.get(form)).flatten();
        let mut places: Vec<&Token> = same.map(|index| &self.tokens[*index]).collect();
        if term.reach != Expansion::Same {
            let typed = letters(&term.typed);
            let reached = |letters: &[char]| match term.reach {
                Expansion::Same => false,
                Expansion::Near(most) => distance(&typed, letters, most).is_some(),
                Expansion::Beginning => letters.starts_with(&typed),
            };
            places.extend(self.spelled.iter().filter(|(_, letters)| reached(letters)).map(|(token, _)| token));
        }
        places.sort_by_key(|token| (token.position, token.range.end));
        places.dedup_by_key(|token| token.position);
        places
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// Lets only the first phrases that have a [`Expansion`] keep it. Whether any has one.
pub fn limited(phrases: &mut [Phrase]) -> bool {
    let mut left = MAX_REACHING;
    for term in phrases.iter_mut().flat_map(|phrase| &mut phrase.terms).filter(|term| term.reach != Expansion::Same) {
        match left.checked_sub(1) {
            Some(less) => left = less,
            None => term.reach = Expansion::Same,
        }
    }
    left < MAX_REACHING
}
