//! What only raises the scores of hits, such as words that are adjacent. tantivy would score it for every hit, and to find adjacent words takes
//! longer than to find the words. Here it is scored for those hits alone that can be among the first with it.

use tantivy::{
    DocId, Score, Searcher, SeekDangerResult, SegmentReader, TERMINATED,
    query::{Bm25StatisticsProvider, EnableScoring, Scorer, Weight},
};

use super::phrases::Alternatives;

/// What matching documents have a higher score for.
pub enum Optional {
    /// Scored for every hit: what is rare, and what may raise a score by any amount.
    Always(Alternatives),
    /// Adjacent words, each of which has to match, in one field or several. They never raise a score by more than what the document has
    /// without them: they are no more frequent than each of them, and their rarity is the sum of theirs.
    Adjacent(Vec<AdjacentWords>),
}

/// Adjacent words in one field.
pub struct AdjacentWords {
    pub alternatives: Alternatives,
    /// The highest score that they can have.
    pub most: Score,
}

/// Allowance for rounding in a sum of scores.
const ROUNDING: Score = 1.000_1;

/// The optional parts of a query, ready to be scored.
#[derive(Default)]
pub struct OptionalWeights {
    always: Vec<Weights>,
    /// Those that can raise scores most are first, of all phrases.
    adjacent: Vec<(Weights, Score)>,
    /// Number of the phrases.
    phrases: usize,
}

type Weights = Vec<Box<dyn Weight>>;

impl OptionalWeights {
    pub fn new(
        optional: Vec<Optional>,
        searcher: &Searcher,
        statistics: &dyn Bm25StatisticsProvider,
    ) -> tantivy::Result<Self> {
        let scoring = EnableScoring::enabled_from_statistics_provider(statistics, searcher);
        let weights =
            |all: Alternatives| all.iter().map(|one| one.weight(scoring)).collect::<tantivy::Result<Weights>>();
        let mut made = Self::default();
        for part in optional {
            match part {
                Optional::Always(alternatives) => made.always.push(weights(alternatives)?),
                Optional::Adjacent(fields) => {
                    made.phrases += 1;
                    for AdjacentWords { alternatives, most } in fields {
                        made.adjacent.push((weights(alternatives)?, most));
                    }
                }
            }
        }
        made.adjacent.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ok(made)
    }

    /// The parts in one segment.
    pub fn of_segment<'a>(&'a self, segment: &'a SegmentReader) -> OptionalScorer<'a> {
        let mut behind = 0.0;
        let mut adjacent = Vec::with_capacity(self.adjacent.len());
        for (weights, most) in self.adjacent.iter().rev() {
            adjacent.push((field(weights), behind));
            behind += most;
        }
        adjacent.reverse();
        OptionalScorer {
            segment,
            most: behind,
            adjacent,
            always: self.always.iter().map(field).collect(),
            next: 0,
            phrases: self.phrases as Score,
        }
    }
}

fn field(weights: &Weights) -> Field<'_> {
    weights.iter().map(|weight| Alternative { weight: &**weight, scorer: None, next: 0 }).collect()
}

/// Of which the best counts.
type Field<'a> = Vec<Alternative<'a>>;

/// Scores the optional parts for documents of one segment, in ascending order.
pub struct OptionalScorer<'a> {
    segment: &'a SegmentReader,
    always: Vec<Field<'a>>,
    /// The first document that one of these may match.
    next: DocId,
    /// With the highest score that those behind it can have together.
    adjacent: Vec<(Field<'a>, Score)>,
    /// The highest score that all of these can have together.
    most: Score,
    phrases: Score,
}

impl OptionalScorer<'_> {
    /// The score of a document that has `score` without the optional parts; `None` if it is below `floor`, which is found out without scoring
    /// all parts where that is possible.
    pub fn raised(&mut self, document: DocId, score: Score, floor: Score) -> tantivy::Result<Option<Score>> {
        let mut raised = score;
        if document >= self.next {
            for field in &mut self.always {
                raised += best(field, self.segment, document)?;
            }
            self.next = self.always.iter().flatten().map(|alternative| alternative.next).min().unwrap_or(TERMINATED);
        }
        // What adjacent words may add yet.
        let mut doubled = score * self.phrases;
        if (raised + doubled.min(self.most)) * ROUNDING < floor {
            return Ok(None);
        }
        for (field, behind) in &mut self.adjacent {
            let found = best(field, self.segment, document)?;
            raised += found;
            doubled = (doubled - found).max(0.0);
            if (raised + doubled.min(*behind)) * ROUNDING < floor {
                return Ok(None);
            }
        }
        Ok(Some(raised))
    }
}

fn best(field: &mut Field<'_>, segment: &SegmentReader, document: DocId) -> tantivy::Result<Score> {
    let mut best: Score = 0.0;
    for alternative in field {
        best = best.max(alternative.score(segment, document)?);
    }
    Ok(best)
}

struct Alternative<'a> {
    weight: &'a dyn Weight,
    /// Begins at the first document that is asked for.
    scorer: Option<Box<dyn Scorer>>,
    /// The first document that may match.
    next: DocId,
}

impl Alternative<'_> {
    /// The score of a document, 0 if it does not match. The documents before it are not looked at: `seek_danger` need not find the next one that
    /// matches, but only tells whether this one does.
    fn score(&mut self, segment: &SegmentReader, document: DocId) -> tantivy::Result<Score> {
        if document < self.next {
            return Ok(0.0);
        }
        let (sought, scorer) = match &mut self.scorer {
            Some(scorer) => (scorer.seek_danger(document), scorer),
            none => {
                let (sought, scorer) = self.weight.scorer_danger(segment, document, 1.0)?;
                (sought, none.insert(scorer))
            }
        };
        match sought {
            SeekDangerResult::Found => {
                self.next = document + 1;
                Ok(scorer.score())
            }
            SeekDangerResult::SeekLowerBound(next) => {
                self.next = next;
                Ok(0.0)
            }
        }
    }
}
