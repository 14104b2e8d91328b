//! What is searched instead when nothing has everything that was typed: the nearest search that may find something.

use std::collections::BTreeSet;

use super::{plan, request::Query, step::Step, tree::Search};

/// How a search differs from what was typed. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relaxation {
    /// Words may have mistakes in typing.
    Spelling,
    /// The words of phrases may be anywhere, and those of a field in any field.
    Loose,
    /// One of the words is missing.
    OneLess,
    /// Up to half of the words are missing.
    Half,
    /// At least one of the words is there.
    One,
}

impl Relaxation {
    /// All of them, the nearest to what was typed first.
    pub const ALL: [Self; 5] = [Self::Spelling, Self::Loose, Self::OneLess, Self::Half, Self::One];

    const fn step(self) -> Step {
        match self {
            Self::Spelling => Step::Spelling,
            Self::Loose => Step::Loose,
            Self::OneLess => Step::OneLess,
            Self::Half => Step::Half,
            Self::One => Step::One,
        }
    }

    /// The name in calls and texts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Spelling => "spelling",
            Self::Loose => "loose",
            Self::OneLess => "oneLess",
            Self::Half => "half",
            Self::One => "one",
        }
    }

    /// Whether words may be missing.
    #[must_use]
    pub const fn leaves_out(self) -> bool {
        matches!(self, Self::OneLess | Self::Half | Self::One)
    }
}

impl Query {
    /// The searches to try when nothing is found by [`super::compile`], in order. Those that are the same as one before are left out; what is
    /// precise or excluded stays as it is in all of them. First the `unknown` words, given folded, may have mistakes ([`Self::doubting`]),
    /// then all. Where words are left out, only the unknown ones may: that the others have some too was tried before.
    pub fn relaxed<'a>(&'a self, unknown: &'a BTreeSet<String>) -> impl Iterator<Item = (Relaxation, Search)> + 'a {
        let mut before: Vec<Search> = plan::compile(self).into_iter().collect();
        let unknown_only = (!unknown.is_empty()).then_some((Relaxation::Spelling, Some(unknown)));
        let steps = Relaxation::ALL.into_iter().map(move |step| (step, step.leaves_out().then_some(unknown)));
        unknown_only.into_iter().chain(steps).filter_map(move |(relaxation, doubted)| {
            let search = plan::compile_at(self, relaxation.step(), doubted)?;
            if before.contains(&search) {
                return None;
            }
            before.push(search.clone());
            Some((relaxation, search))
        })
    }

    /// The nearest search of all: these words, given folded, may have mistakes in typing, and no others. `None` if it is what
    /// [`super::compile`] makes: a word of a phrase is searched as it is.
    #[must_use]
    pub fn doubting(&self, words: &BTreeSet<String>) -> Option<Search> {
        let search = plan::compile_at(self, Step::Spelling, Some(words));
        search.filter(|search| plan::compile(self).as_ref() != Some(search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Clause, Field, Join, Target};

    fn steps(query: &Query) -> Vec<Relaxation> {
        query.relaxed(&BTreeSet::new()).map(|(relaxation, _)| relaxation).collect()
    }

    #[test]
    fn only_steps_that_change_something_are_tried() {
        use Relaxation::{Half, Loose, One, OneLess, Spelling};
        for (text, expected) in [
            ("sediment", &[Spelling][..]),
            ("CO2", &[]),
            ("2024 CO2", &[Spelling, OneLess]),
            ("tidal sediment", &[Spelling, OneLess]),
            ("tidal sediment carbon", &[Spelling, OneLess, One]),
            ("tidal sediment carbon burial", &[Spelling, OneLess, Half, One]),
            ("title:co2", &[Loose]),
            ("10.5555/a", &[Spelling, Loose]),
            ("\"CO2 N2O\"", &[Loose, OneLess]),
            ("NOT sediment", &[]),
            ("海洋", &[]),
            ("海洋沉积物", &[Spelling, OneLess]),
        ] {
            assert_eq!(steps(&Query::typed(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_precise_condition_is_not_relaxed() {
        let clause = |precise| Clause {
            join: Join::And,
            target: Target::Part(Field::Title),
            text: "tidal sediment \"of the coast\"".into(),
            precise,
        };
        let query = |precise| Query { clauses: vec![clause(precise)], ..Query::default() };
        assert_eq!(steps(&query(true)), []);
        assert!(steps(&query(false)).contains(&Relaxation::OneLess));
    }
}
