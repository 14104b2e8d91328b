//! What kind of article the one with a number is, when it appears, and what it is about. Plans cost little, so that
//! articles can point to earlier ones.

use jiff::{ToSpan as _, civil::Date};
use masthead_domain::article::Dates;

use crate::demo_content::generate::{
    facts::Facts,
    stream::Stream,
    words::{Common, Field, Pair, Words},
};

/// The first of the three years over which issues are spread.
const FIRST_YEAR: i32 = 2024;
const YEARS: usize = 3;

/// Kinds of articles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Research,
    Review,
    Data,
    Commentary,
    Correction,
    Retraction,
}

impl Kind {
    /// JATS `@article-type`.
    pub fn jats(self) -> &'static str {
        match self {
            Self::Research => "research-article",
            Self::Review => "review-article",
            Self::Data => "data-paper",
            Self::Commentary => "article-commentary",
            Self::Correction => "correction",
            Self::Retraction => "retraction",
        }
    }

    /// JATS `@related-article-type` of the article that it is about.
    pub fn relation(self) -> &'static str {
        match self {
            Self::Correction => "corrected-article",
            Self::Retraction => "retracted-article",
            _ => "commentary-article",
        }
    }

    /// Whether it is about another article.
    fn is_about_another(self) -> bool {
        matches!(self, Self::Commentary | Self::Correction | Self::Retraction)
    }
}

/// How far publication has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// In this issue of all issues (from 0), at this place in it.
    Issue { issue: usize, order: usize },
    /// Online, not in an issue yet.
    Online,
    /// Accepted, not published yet.
    Accepted,
}

/// One article before it is written.
#[derive(Clone, Debug)]
pub struct Plan {
    pub index: u64,
    pub field: usize,
    pub kind: Kind,
    pub stage: Stage,
    /// Whether it is written in Chinese.
    pub zh: bool,
    pub facts: Facts,
    pub title: Pair,
    pub year: i32,
    pub dates: Dates,
    pub doi: String,
    /// Number of the article that it is about.
    pub about: Option<u64>,
}

/// Kind and stage, as far as they follow from the number alone.
fn slot(words: &Words, seed: u64, index: u64) -> (Kind, Stage) {
    let mut stream = Stream::new(seed, index, 1);
    let kind = match stream.below(100) {
        0..66 => Kind::Research,
        66..76 => Kind::Review,
        76..86 => Kind::Data,
        86..94 => Kind::Commentary,
        94..98 => Kind::Correction,
        _ => Kind::Retraction,
    };
    let early = stream.below(100);
    let stage = match early {
        0..4 if !kind.is_about_another() => Stage::Accepted,
        4..10 if !kind.is_about_another() => Stage::Online,
        _ => issue_of(words, seed, index),
    };
    (kind, stage)
}

/// Articles of a journal go round its issues, so that each has as many as the next.
fn issue_of(words: &Words, seed: u64, index: u64) -> Stage {
    let (field, row) = row(words, index);
    let issues = words.fields[field].issues.len() * YEARS;
    let step = (5..).find(|step| divisor(*step, issues) == 1).unwrap_or(1);
    let shift = Stream::new(seed, field as u64, 2).below(issues);
    Stage::Issue { issue: (row * step + shift) % issues, order: row / issues }
}

fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// The journal of an article and its place among those of the journal.
fn row(words: &Words, index: u64) -> (usize, usize) {
    let (journals, index) = (words.fields.len(), usize::try_from(index).unwrap_or(usize::MAX));
    (index % journals, index / journals)
}

/// The last research article of the journal before this one in an earlier issue.
fn earlier(words: &Words, seed: u64, index: u64, stage: Stage) -> Option<u64> {
    let Stage::Issue { issue: own, .. } = stage else { return None };
    let journals = words.fields.len() as u64;
    (1..=40)
        .map_while(|back| index.checked_sub(back * journals))
        .find(|one| matches!(slot(words, seed, *one), (Kind::Research, Stage::Issue { issue, .. }) if issue < own))
}

impl Plan {
    /// The plan of an article.
    pub fn of(words: &Words, seed: u64, index: u64) -> Self {
        let (kind, stage) = slot(words, seed, index);
        let about = kind.is_about_another().then(|| earlier(words, seed, index, stage)).flatten();
        let kind = if kind.is_about_another() && about.is_none() { Kind::Research } else { kind };
        let (field, place) = row(words, index);
        let journal = &words.fields[field];
        let mut stream = Stream::new(seed, index, 3);
        let zh = stream.chance(50);
        let (facts, title) = match about.map(|other| Self::of(words, seed, other)) {
            Some(other) => (other.facts, title_about(words, kind, &other.title)),
            None => {
                let facts = Facts::draw(journal, place, &mut stream);
                let text = stream.pick(&journal.titles);
                let title = Pair { zh: facts.say(text, true), en: facts.say(text, false) };
                (facts, title)
            }
        };
        let (year, dates) = calendar(journal, stage, &mut stream);
        let doi = format!("10.5555/{}.{year}.s{seed}.{index:06}", journal.code);
        Self { index, field, kind, stage, zh, facts, title, year, dates, doi, about }
    }

    /// What a correction or a retraction says.
    pub fn notice<'a>(&self, common: &'a Common) -> &'a Pair {
        let list = if self.kind == Kind::Retraction { &common.retraction } else { &common.correction };
        Stream::new(self.index, 0, 8).pick(list)
    }
}

fn title_about(words: &Words, kind: Kind, title: &Pair) -> Pair {
    let form = match kind {
        Kind::Correction => &words.common.correction_title,
        Kind::Retraction => &words.common.retraction_title,
        _ => &words.common.commentary_title,
    };
    Pair { zh: form.zh.replace("{title}", &title.zh), en: form.en.replace("{title}", &title.en) }
}

/// Year of publication, and the dates before it, each later than the one before.
fn calendar(journal: &Field, stage: Stage, stream: &mut Stream) -> (i32, Dates) {
    let mut dates = Dates::default();
    let before = |date: Date, days: i64| date.saturating_sub(days.days());
    let accepted = match stage {
        Stage::Issue { issue, .. } => {
            let print = issue_date(journal, issue);
            let online = before(print, stream.between(8, 45));
            dates.print = print.to_string();
            dates.online = online.to_string();
            before(online, stream.between(9, 40))
        }
        Stage::Online => {
            let online = before(Date::constant(2026, 10, 30), stream.between(0, 120));
            dates.online = online.to_string();
            before(online, stream.between(9, 40))
        }
        Stage::Accepted => before(Date::constant(2026, 11, 10), stream.between(0, 60)),
    };
    let revised = before(accepted, stream.between(6, 50));
    dates.accepted = accepted.to_string();
    dates.revised = revised.to_string();
    dates.received = before(revised, stream.between(35, 190)).to_string();
    let year = match stage {
        Stage::Issue { issue, .. } => issue_date(journal, issue).year(),
        Stage::Online | Stage::Accepted => 2026,
    };
    (i32::from(year), dates)
}

/// The day of an issue, counted from the first of the first year.
pub fn issue_date(journal: &Field, issue: usize) -> Date {
    let each = journal.issues.len();
    let year = FIRST_YEAR + i32::try_from(issue / each).unwrap_or_default();
    // Checked when the word lists are read.
    format!("{year}-{}", journal.issues[issue % each]).parse().unwrap_or(Date::ZERO)
}

/// Year, volume and number of an issue as printed.
pub fn issue_name(journal: &Field, issue: usize) -> (i32, String, String) {
    let year = i32::from(issue_date(journal, issue).year());
    (year, (year - journal.volume_from).to_string(), (issue % journal.issues.len() + 1).to_string())
}
