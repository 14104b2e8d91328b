//! What only raises the scores of hits, such as words that are adjacent. tantivy would score it for every hit, and to find adjacent words takes
//! longer than to find the words. Here it is scored for those hits alone that can be among the first with it.

use tantivy::{
    DocId, Score, Searcher, SeekDangerResult, SegmentReader, TERMINATED,
    query::{Bm25StatisticsProvider, EnableScoring, Scorer, Weight},
};

use super::phrases::Alternatives;

/// What only raises scores, of each the queries of which the best score counts.
#[derive(Default)]
pub struct OptionalParts {
    /// Scored for every hit: it may raise a score by any amount.
    pub always: Vec<Alternatives>,
    /// Phrases in one field each, with the highest score that each can have there.
    pub adjacent: Vec<(Alternatives, Score)>,
    /// Number of the phrases that are adjacent in some field. A phrase consists of parts that have to match, and never raises a score by more
    /// than what the document has without it: in each field, it is no more frequent than any of its parts, and its rarity is the sum of theirs.
    pub phrases: usize,
}

/// Allowance for rounding in a sum of scores.
const ROUNDING: Score = 1.000_1;

/// The optional parts of a query, ready to be scored.
pub struct OptionalWeights {
    always: Vec<Weights>,
    /// Those that can have the highest scores first.
    adjacent: Vec<(Weights, Score)>,
    phrases: usize,
}

type Weights = Vec<Box<dyn Weight>>;

impl OptionalWeights {
    pub fn new(
        parts: OptionalParts,
        searcher: &Searcher,
        statistics: &dyn Bm25StatisticsProvider,
    ) -> tantivy::Result<Self> {
        let scoring = EnableScoring::enabled_from_statistics_provider(statistics, searcher);
        let weights =
            |all: Alternatives| all.iter().map(|one| one.weight(scoring)).collect::<tantivy::Result<Weights>>();
        let with_most = |(all, most): (Alternatives, Score)| Ok((weights(all)?, most));
        let mut adjacent = parts.adjacent.into_iter().map(with_most).collect::<tantivy::Result<Vec<_>>>()?;
        adjacent.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let always = parts.always.into_iter().map(weights).collect::<tantivy::Result<Vec<_>>>()?;
        Ok(Self { always, adjacent, phrases: parts.phrases })
    }

    /// The parts in one segment.
    pub fn of_segment<'a>(&'a self, segment: &'a SegmentReader) -> OptionalScorer<'a> {
        let mut most = 0.0;
        let mut adjacent = Vec::with_capacity(self.adjacent.len());
        for (weights, own) in self.adjacent.iter().rev() {
            adjacent.push((scorers(weights), most));
            most += own;
        }
        adjacent.reverse();
        OptionalScorer {
            segment,
            most,
            adjacent,
            always: self.always.iter().map(scorers).collect(),
            next: 0,
            phrases: self.phrases as Score,
        }
    }
}

fn scorers(weights: &Weights) -> Best<'_> {
    weights.iter().map(|weight| Alternative { weight: &**weight, scorer: None, next: 0 }).collect()
}

/// Queries of which the best score counts.
type Best<'a> = Vec<Alternative<'a>>;

/// Scores the optional parts for documents of one segment, in ascending order.
pub struct OptionalScorer<'a> {
    segment: &'a SegmentReader,
    always: Vec<Best<'a>>,
    /// The first document that one of `always` may match.
    next: DocId,
    /// With the highest score that those behind it can have together.
    adjacent: Vec<(Best<'a>, Score)>,
    /// The highest score that all of `adjacent` can have together.
    most: Score,
    phrases: Score,
}

impl OptionalScorer<'_> {
    /// The score of a document that has `score` without the optional parts; `None` if it is below `floor`, which is found out without scoring
    /// all parts where that is possible.
    pub fn raised(&mut self, document: DocId, score: Score, floor: Score) -> tantivy::Result<Option<Score>> {
        let mut raised = score;
        if document >= self.next {
            for part in &mut self.always {
                raised += best(part, self.segment, document)?;
            }
            self.next = self.always.iter().flatten().map(|alternative| alternative.next).min().unwrap_or(TERMINATED);
        }
        // What adjacent words can still add: each phrase adds no more than `score`.
        let mut left = score * self.phrases;
        if (raised + left.min(self.most)) * ROUNDING < floor {
            return Ok(None);
        }
        for (part, behind) in &mut self.adjacent {
            let found = best(part, self.segment, document)?;
            raised += found;
            left = (left - found).max(0.0);
            if (raised + left.min(*behind)) * ROUNDING < floor {
                return Ok(None);
            }
        }
        Ok(Some(raised))
    }
}

fn best(part: &mut Best<'_>, segment: &SegmentReader, document: DocId) -> tantivy::Result<Score> {
    let mut best: Score = 0.0;
    for alternative in part {
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
