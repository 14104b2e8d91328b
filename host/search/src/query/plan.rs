//! What a query means to an index: its words are analyzed, synonyms and tolerances are added, and the conditions become one tree.

use std::collections::{BTreeSet, HashSet};

use masthead_domain::Doi;

use super::{
    MAX_BOOST, MAX_CLAUSES, MAX_TERM, MAX_WORDS,
    doi::typed_doi,
    expression::{Expression, Typed},
    mistakes, parse,
    request::{Clause, Field, Filter, Join, Query, Target},
    step::Step,
    synonyms::{Synonyms, side_by_side},
    terms::{self, TermOptions, TypoTolerance},
    tree::{Scope, Search, Tree, title_key},
};
use crate::analysis::{self, Word};

/// What an index has to search for; `None` if nothing can match.
#[must_use]
pub fn compile(query: &Query) -> Option<Search> {
    compile_at(query, Step::AsTyped, None)
}

/// What an index has to search for of a query without the words like those typed that [`compile`] adds to fuzzy conditions.
#[must_use]
pub fn compile_exactly(query: &Query) -> Option<Search> {
    compile_at(query, Step::AsTyped, Some(&BTreeSet::new()))
}

/// What an index has to search for if it finds nothing at the steps before. Of the words, only the `doubted` ones, given folded, may have
/// mistakes; all of them if none are given.
pub fn compile_at(query: &Query, step: Step, doubted: Option<&BTreeSet<String>>) -> Option<Search> {
    let weights = weights(&query.boosts);
    let mut planner = Planner::new(query, step, doubted);
    let text = match planner.text(&query.text) {
        Some(_) if weights.is_empty() => return None,
        text => text,
    };
    let tree = match (text, planner.clauses(&query.clauses)) {
        (Some(text), Some(clauses)) => Some(Tree::All(vec![text, clauses])),
        (text, clauses) => text.or(clauses),
    };
    if tree.is_none() && !query.all {
        return None;
    }
    Some(Search { kinds: query.kinds.clone(), tree, weights, filters: query.filters.clone(), order: query.order })
}

/// The fields with their weights, without those that are excluded.
fn weights(boosts: &[(Field, u32)]) -> Vec<(Field, u32)> {
    let said = |field| boosts.iter().rev().find(|(boosted, _)| *boosted == field).map(|(_, percent)| *percent);
    let percent = |field| {
        let own = said(field).or_else(|| if field == Field::Company { said(Field::Authors) } else { None });
        own.unwrap_or(100).min(MAX_BOOST)
    };
    Field::ALL.into_iter().map(|field| (field, percent(field))).filter(|(_, percent)| *percent > 0).collect()
}

struct Planner<'a> {
    synonyms: Synonyms<'a>,
    /// Stop words, as indexed.
    stop_words: HashSet<String>,
    step: Step,
    /// The words that may have mistakes; `None` for all.
    doubted: Option<&'a BTreeSet<String>>,
    /// Number of words that may still be added.
    words_left: usize,
    /// Number of phrases with a wrong character that may still be added.
    variants_left: usize,
}

/// Limit on the phrases with a wrong character in one query.
const MAX_VARIANTS: usize = 96;
/// Limit on the stop words of a site.
const MAX_STOP_WORDS: usize = 1_000;

/// A condition that has to match, and whether it consists of stop words.
struct Part {
    tree: Tree,
    stop: bool,
}

/// Conditions that are joined by AND.
#[derive(Default)]
struct Group {
    required: Vec<Part>,
    excluded: Vec<Tree>,
    /// What only raises the score.
    better: Vec<Tree>,
}

impl<'a> Planner<'a> {
    fn new(query: &'a Query, step: Step, doubted: Option<&'a BTreeSet<String>>) -> Self {
        let stop_words = query.stop_words.iter().take(MAX_STOP_WORDS);
        let stop_words = stop_words.filter_map(|text| match &analysis::words(text)[..] {
            [word] => Some(word.typed.clone()),
            _ => None,
        });
        Self {
            synonyms: Synonyms::new(query),
            stop_words: stop_words.collect(),
            step,
            doubted,
            words_left: MAX_WORDS,
            variants_left: MAX_VARIANTS,
        }
    }

    /// The tree of the typed text.
    fn text(&mut self, text: &str) -> Option<Tree> {
        if let Some(doi) = typed_doi(text) {
            return self.doi(doi);
        }
        let expression = parse::parse(text)?;
        let tolerance = if self.step == Step::AsTyped { TypoTolerance::None } else { TypoTolerance::Short };
        let tree = self.expression(&expression, TermOptions { tolerance, ..TermOptions::default() })?;
        let title = Tree::Title(title_key(parse::read_of(text)));
        Some(if expression.is_plain() {
            Tree::Rather { base: Box::new(tree), better: vec![title] }
        } else {
            // A title may look like a query with operators: who types all of it means it.
            Tree::Any { least: 1, parts: vec![tree, title] }
        })
    }

    /// The tree of a DOI: the entry with it, those with a longer one, or those that mention it.
    fn doi(&mut self, doi: String) -> Option<Tree> {
        if self.step < Step::Loose {
            return Some(Tree::Doi { text: doi, whole: self.step == Step::AsTyped });
        }
        let words = self.take(analysis::words(&doi));
        (!words.is_empty()).then(|| terms::phrase(&words, TermOptions::default()))
    }

    fn clauses(&mut self, clauses: &[Clause]) -> Option<Tree> {
        // AND has precedence over OR, as in a typed query: the conditions between two ORs form a group.
        let mut groups = vec![Group::default()];
        for clause in clauses.iter().take(MAX_CLAUSES) {
            let excluded = clause.join == Join::Not;
            let Some(tree) = self.clause(clause, excluded) else { continue };
            let is_empty = |group: &Group| group.required.is_empty() && group.excluded.is_empty();
            if clause.join == Join::Or && groups.last().is_some_and(|group| !is_empty(group)) {
                groups.push(Group::default());
            }
            let group = groups.last_mut()?;
            if excluded {
                group.excluded.push(tree);
            } else {
                group.required.push(Part { tree, stop: false });
            }
        }
        // What a condition leaves out is decided in it; conditions are not left out.
        let parts = groups.into_iter().filter_map(|group| joined(group, |count| count)).collect();
        one_or(parts, |parts| Tree::Any { least: 1, parts })
    }

    fn clause(&mut self, clause: &Clause, excluded: bool) -> Option<Tree> {
        self.words_left = MAX_WORDS;
        let text = clause.text.trim();
        if !clause.target.has_words() {
            return value(clause.target, text, clause.precise);
        }
        let tolerance = match self.step {
            _ if clause.precise => TypoTolerance::None,
            Step::AsTyped => TypoTolerance::Long,
            _ => TypoTolerance::Short,
        };
        let scope = clause.target.field().map_or(Scope::Everything, Scope::Only);
        let manner = TermOptions { scope, precise: clause.precise, tolerance, excluded };
        self.expression(&parse::parse(text)?, manner)
    }

    // The recursion is as deep as the expression, which the parser limits.
    fn expression(&mut self, expression: &Expression, manner: TermOptions) -> Option<Tree> {
        match expression {
            Expression::Phrase(typed) if self.step < Step::Loose || manner.precise || manner.excluded => {
                let words = self.take(analysis::words(&typed.text));
                (!words.is_empty()).then(|| self.with_synonyms(&words, manner))
            }
            Expression::Words(_) | Expression::Phrase(_) | Expression::And(_) | Expression::Not(_) => {
                let mut group = Group::default();
                self.gather(expression, manner, &mut group);
                let step = if manner.precise || manner.excluded { Step::AsTyped } else { self.step };
                joined(group, |count| step.least(count))
            }
            Expression::Or(parts) => {
                let parts = parts.iter().filter_map(|part| self.expression(part, manner)).collect();
                one_or(parts, |parts| Tree::Any { least: 1, parts })
            }
            Expression::In(field, part) if field.target.has_words() => {
                let scope = match field.target.field() {
                    Some(field) if self.step < Step::Loose || manner.excluded => Scope::Only(field),
                    _ => Scope::Everything,
                };
                self.expression(part, TermOptions { scope, ..manner })
            }
            Expression::In(field, part) => self.values(field.target, part, manner),
        }
    }

    /// The values of a field that matches as a whole.
    fn values(&mut self, target: Target, expression: &Expression, manner: TermOptions) -> Option<Tree> {
        let each = |this: &mut Self, parts: &[Expression]| -> Vec<Tree> {
            parts.iter().filter_map(|part| this.values(target, part, manner)).collect()
        };
        match expression {
            Expression::Words(words) => {
                let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                value(target, &text, false)
            }
            Expression::Phrase(phrase) => value(target, phrase.text.trim(), true),
            Expression::And(parts) => one_or(each(self, parts), Tree::All),
            Expression::Or(parts) => one_or(each(self, parts), |parts| Tree::Any { least: 1, parts }),
            Expression::Not(part) => Some(Tree::All(vec![Tree::Not(Box::new(self.values(target, part, manner)?))])),
            Expression::In(..) => self.expression(expression, manner),
        }
    }

    /// Adds the operands of an AND.
    fn gather(&mut self, expression: &Expression, manner: TermOptions, group: &mut Group) {
        match expression {
            Expression::Words(words) => self.words(words, manner, group),
            // Nothing was found with the phrase as it is: its words may be anywhere.
            Expression::Phrase(typed) if self.step >= Step::Loose && !manner.precise && !manner.excluded => {
                self.words(std::slice::from_ref(typed), manner, group);
            }
            Expression::And(parts) => parts.iter().for_each(|part| self.gather(part, manner, group)),
            Expression::Not(part) => {
                let manner = TermOptions { excluded: true, tolerance: TypoTolerance::None, ..manner };
                group.excluded.extend(self.expression(part, manner));
            }
            other => {
                let tree = self.expression(other, manner);
                group.required.extend(tree.map(|tree| Part { tree, stop: false }));
            }
        }
    }

    /// Adds words in sequence.
    fn words(&mut self, typed: &[Typed], manner: TermOptions, group: &mut Group) {
        let mut units: Vec<Vec<Word>> = Vec::new();
        let mut all: Vec<Vec<Word>> = Vec::new();
        for word in typed {
            let words = self.take(analysis::words(&word.text));
            if words.is_empty() {
                continue;
            }
            all.push(words.clone());
            let near = self.near_phrases(&words, manner);
            if mistakes::beginning_of(&word.text).is_some() && !manner.precise {
                self.run(&std::mem::take(&mut units), usize::MAX, manner, &mut group.required);
                group.required.push(Part { tree: terms::beginning(&words, manner), stop: false });
            } else if near.is_empty() {
                units.extend(terms::units(words, manner.tolerance));
            } else {
                self.run(&std::mem::take(&mut units), usize::MAX, manner, &mut group.required);
                let mut whole = Group::default();
                self.run(&terms::units(words, manner.tolerance), usize::MAX, manner, &mut whole.required);
                let whole = joined(whole, |count| count).into_iter();
                group.required.push(Part { tree: Tree::Best(whole.chain(near).collect()), stop: false });
            }
        }
        if manner.precise {
            let words = side_by_side(all.iter().map(Vec::as_slice));
            if !words.is_empty() {
                group.required.push(Part { tree: terms::phrase(&words, manner), stop: false });
            }
            return;
        }
        self.run(&units, usize::MAX, manner, &mut group.required);
        let words = side_by_side(all.iter().map(Vec::as_slice));
        if words.len() > 1 && self.step == Step::AsTyped && !manner.excluded {
            group.better.push(terms::phrase(&words, manner));
        }
    }

    /// Phrases that are like a Chinese word as typed, where nothing was found without them.
    fn near_phrases(&mut self, words: &[Word], manner: TermOptions) -> Vec<Tree> {
        if !(Step::Spelling..=Step::Loose).contains(&self.step)
            || self.doubted.is_some()
            || manner.precise
            || manner.excluded
        {
            return Vec::new();
        }
        let near = terms::with_a_wrong_character(words, manner.scope);
        if near.len() > self.variants_left {
            return Vec::new();
        }
        self.variants_left -= near.len();
        near
    }

    fn take(&mut self, mut words: Vec<Word>) -> Vec<Word> {
        words.truncate(self.words_left);
        self.words_left -= words.len();
        words
    }

    /// Adds units; the longest terms of at most `limit` units have their alternatives, from left to right.
    fn run(&mut self, units: &[Vec<Word>], limit: usize, manner: TermOptions, parts: &mut Vec<Part>) {
        let mut from = 0;
        while from < units.len() {
            let most = if manner.precise { 1 } else { self.synonyms.longest().min(limit).min(units.len() - from) };
            let found = (2..=most).rev().find_map(|count| {
                let alternatives = self.synonyms.alternatives(units[from..from + count].iter().flatten());
                (!alternatives.is_empty()).then_some((count, alternatives))
            });
            if let Some((count, alternatives)) = found {
                // Shorter terms within it keep their own alternatives.
                let term = &units[from..from + count];
                let mut original = Group::default();
                self.run(term, count - 1, manner, &mut original.required);
                original.better.push(terms::phrase(&side_by_side(term.iter().map(Vec::as_slice)), manner));
                let original = joined(original, |count| count);
                let tree = Tree::Best(original.into_iter().chain(phrases(&alternatives, manner)).collect());
                parts.push(Part { tree, stop: false });
                from += count;
            } else {
                let unit = &units[from];
                let stop = unit.iter().all(|word| self.stop_words.contains(&word.typed));
                parts.push(Part { tree: self.with_synonyms(unit, manner), stop });
                from += 1;
            }
        }
    }

    /// A phrase, or one of its variants.
    fn with_synonyms(&mut self, words: &[Word], manner: TermOptions) -> Tree {
        let sure = self.doubted.is_some_and(|doubted| !words.iter().any(|word| doubted.contains(&word.typed)));
        let tolerance = if sure { TypoTolerance::None } else { manner.tolerance };
        let typed = terms::phrase(words, TermOptions { tolerance, ..manner });
        let variants = if manner.precise { Vec::new() } else { self.synonyms.variants(words) };
        if variants.is_empty() {
            return typed;
        }
        Tree::Best(std::iter::once(typed).chain(phrases(&variants, manner)).collect())
    }
}

/// Alternatives are searched as they are.
fn phrases(alternatives: &[Vec<Word>], manner: TermOptions) -> impl Iterator<Item = Tree> {
    let manner = TermOptions { tolerance: TypoTolerance::None, ..manner };
    alternatives.iter().map(move |words| terms::phrase(words, manner))
}

/// The tree of a group; `least` tells how many of a number of conditions have to match. `None` for an empty group.
fn joined(group: Group, least: impl Fn(usize) -> usize) -> Option<Tree> {
    let Group { mut required, excluded, mut better } = group;
    if required.iter().any(|part| !part.stop) {
        let (stop, others): (Vec<Part>, Vec<Part>) = required.into_iter().partition(|part| part.stop);
        better.extend(stop.into_iter().map(|part| part.tree));
        required = others;
    }
    let count = required.len();
    let least = least(count).clamp(1, count.max(1));
    let mut parts: Vec<Tree> = required.into_iter().map(|part| part.tree).collect();
    if least < count {
        parts = vec![Tree::Any { least, parts }];
    }
    let has_required = !parts.is_empty();
    parts.extend(excluded.into_iter().map(|tree| Tree::Not(Box::new(tree))));
    if !has_required {
        return (!parts.is_empty()).then_some(Tree::All(parts));
    }
    let base = one_or(parts, Tree::All)?;
    if better.is_empty() {
        return Some(base);
    }
    Some(Tree::Rather { base: Box::new(base), better })
}

fn one_or(mut parts: Vec<Tree>, many: impl Fn(Vec<Tree>) -> Tree) -> Option<Tree> {
    if parts.len() > 1 { Some(many(parts)) } else { parts.pop() }
}

/// The condition on a value; `None` for an empty one.
fn value(target: Target, text: &str, precise: bool) -> Option<Tree> {
    let short: String = text.chars().take(MAX_TERM).collect();
    if short.is_empty() {
        return None;
    }
    match target {
        // An incomplete DOI matches as a beginning; a precise one is compared as a whole.
        Target::Doi => {
            let text = Doi::parse(text).map_or_else(|_| short.to_ascii_lowercase(), |doi| doi.key());
            Some(Tree::Doi { text, whole: precise })
        }
        Target::Exact(field) => Some(Tree::Exact(field, short)),
        Target::Year => years(&short),
        Target::Everything | Target::Part(_) => None,
    }
}

/// One year, or a first and a last one with a dash between them, of which one may be missing.
fn years(text: &str) -> Option<Tree> {
    let year = |text: &str| text.trim().parse::<i32>().ok().filter(|year| (0..=9999).contains(year));
    let (from, to) = match text.split_once(['-', '–', '—', '~', '～']) {
        Some((from, to)) => (year(from), year(to)),
        None => (year(text), year(text)),
    };
    let filters = from.map(Filter::YearFrom).into_iter().chain(to.map(Filter::YearTo));
    one_or(filters.map(Tree::Filter).collect(), Tree::All)
}

#[cfg(test)]
mod tests;
