//! How well an engine answers classes of queries.
//!
//! - nDCG@10: the gain of the first ten hits, less the later a hit comes, as a share of the greatest possible one.
//! - success@1 and success@3: the share of queries with one of the best documents in the first place, or in the first three.
//! - zero: the share of queries that find nothing.

use std::fmt::Write as _;

use crate::{engines::Engine, judged::Query};

/// Hits of an answer that count.
pub const DEPTH: usize = 10;
/// Gain of a document that has to be found first, and of one that is relevant besides.
const GAINS: (f64, f64) = (3.0, 1.0);

/// Sums over the queries of a class.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    queries: usize,
    gain: f64,
    zero: usize,
    first: usize,
    third: usize,
}

impl Score {
    /// Adds the answer to a query.
    pub fn add(&mut self, query: &Query, answer: &[String]) {
        let is_best = |key: &String| query.best.contains(key);
        self.queries += 1;
        self.gain += gain(query, answer);
        self.zero += usize::from(answer.is_empty());
        self.first += usize::from(answer.iter().take(1).any(is_best));
        self.third += usize::from(answer.iter().take(3).any(is_best));
    }

    /// Adds the sums of another class.
    pub const fn merge(&mut self, other: &Self) {
        self.queries += other.queries;
        self.gain += other.gain;
        self.zero += other.zero;
        self.first += other.first;
        self.third += other.third;
    }

    const fn share(&self, number: usize) -> f64 {
        number as f64 / self.queries as f64
    }

    /// Mean of nDCG@10.
    #[must_use]
    pub const fn ndcg(&self) -> f64 {
        self.gain / self.queries as f64
    }

    /// success@1.
    #[must_use]
    pub const fn first(&self) -> f64 {
        self.share(self.first)
    }

    /// success@3.
    #[must_use]
    pub const fn third(&self) -> f64 {
        self.share(self.third)
    }
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    gains.take(DEPTH).enumerate().map(|(place, gain)| (gain.exp2() - 1.0) / (place as f64 + 2.0).log2()).sum()
}

fn gain(query: &Query, answer: &[String]) -> f64 {
    let of = |key: &String| match (query.best.contains(key), query.also.contains(key)) {
        (true, _) => GAINS.0,
        (_, true) => GAINS.1,
        _ => 0.0,
    };
    let best = query.best.iter().map(|_| GAINS.0).chain(query.also.iter().map(|_| GAINS.1));
    discounted(answer.iter().map(of)) / discounted(best)
}

/// The scores of engines by class, in the order of the queries.
#[derive(Debug, Default)]
pub struct Table {
    engines: Vec<&'static str>,
    classes: Vec<(String, Vec<Score>)>,
    /// What the first engine did not put first, for reading.
    missed: Vec<String>,
}

impl Table {
    /// Asks every engine every query. The first engine is the one that is judged.
    #[must_use]
    pub fn of(engines: &[&dyn Engine], queries: &[Query]) -> Self {
        let mut table = Self { engines: engines.iter().map(|engine| engine.name()).collect(), ..Self::default() };
        for query in queries {
            let at = table.classes.iter().position(|(class, _)| *class == query.class).unwrap_or_else(|| {
                table.classes.push((query.class.clone(), vec![Score::default(); engines.len()]));
                table.classes.len() - 1
            });
            for (number, engine) in engines.iter().enumerate() {
                let answer = engine.find(query, DEPTH);
                table.classes[at].1[number].add(query, &answer);
                if number == 0 && !answer.first().is_some_and(|key| query.best.contains(key)) {
                    let found = answer.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
                    table.missed.push(format!("{}: {:?} -> [{found}], not {:?}", query.class, query.text, query.best));
                }
            }
        }
        table
    }

    /// The classes of the queries.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|(class, _)| class.as_str())
    }

    /// The score of the judged engine for a class.
    #[must_use]
    pub fn score(&self, class: &str) -> Score {
        let found = self.classes.iter().find(|(name, _)| name == class);
        found.unwrap_or_else(|| panic!("there are no queries of the class {class:?}")).1[0]
    }

    /// The scores of all classes together, by engine.
    #[must_use]
    pub fn all(&self) -> Vec<(&'static str, Score)> {
        let sum = |number: usize| {
            let mut sum = Score::default();
            self.classes.iter().for_each(|(_, scores)| sum.merge(&scores[number]));
            sum
        };
        self.engines.iter().enumerate().map(|(number, engine)| (*engine, sum(number))).collect()
    }

    /// The table as text: a line for each class and engine.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:36}{:>8}  {:26}{:>9}{:>11}{:>11}{:>7}\n",
            "class", "queries", "engine", "nDCG@10", "success@1", "success@3", "zero"
        );
        let all = ("all".to_owned(), self.all().into_iter().map(|(_, score)| score).collect());
        for (class, scores) in self.classes.iter().chain([&all]) {
            for (number, score) in scores.iter().enumerate() {
                let (class, queries) =
                    if number == 0 { (class.as_str(), score.queries.to_string()) } else { ("", String::new()) };
                let percent = |part: f64| format!("{:.1} %", part * 100.0);
                // Writing to a string does not fail.
                let _ = writeln!(
                    text,
                    "{class:36}{queries:>8}  {:26}{:>9.3}{:>11}{:>11}{:>7}",
                    self.engines[number],
                    score.ndcg(),
                    percent(score.first()),
                    percent(score.third()),
                    percent(score.share(score.zero))
                );
            }
        }
        text
    }

    /// The queries whose first hit is none of the best documents, a line each.
    #[must_use]
    pub fn missed(&self) -> String {
        self.missed.join("\n")
    }
}
