//! Plans: type, stage, dates and subject of the article with a given number. A plan is cheap to compute, so that articles can refer
//! to earlier ones.

use jiff::{ToSpan as _, civil::Date};
use masthead_domain::article::Dates;

use crate::demo_content::generate::{
    facts::Facts,
    stream::Stream,
    words::{BilingualText, Common, Field, Words},
};

/// The first of the three years over which issues are spread.
const FIRST_YEAR: i32 = 2024;
const YEARS: usize = 3;

/// Types of articles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArticleType {
    Research,
    Review,
    Data,
    Commentary,
    Correction,
    Retraction,
}

impl ArticleType {
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

    /// JATS `@related-article-type` for the link to the article that it is about.
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

/// Stage of publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// In an issue: `issue` counts all issues of the journal from 0, `order` is the position in the issue.
    Issue { issue: usize, order: usize },
    /// Published online, not in an issue yet.
    Online,
    /// Accepted, not published yet.
    Accepted,
}

/// The plan of one article.
#[derive(Clone, Debug)]
pub struct Plan {
    pub index: u64,
    pub field: usize,
    pub article_type: ArticleType,
    pub stage: Stage,
    /// Whether it is written in Chinese.
    pub zh: bool,
    pub facts: Facts,
    pub title: BilingualText,
    pub year: i32,
    pub dates: Dates,
    pub doi: String,
    /// Number of the article that it is about, if any.
    pub about: Option<u64>,
}

/// Type and stage drawn for a number. The type changes to research if there is no earlier article to be about.
fn slot(words: &Words, seed: u64, index: u64) -> (ArticleType, Stage) {
    let mut stream = Stream::new(seed, index, 1);
    let kind = match stream.below(100) {
        0..66 => ArticleType::Research,
        66..76 => ArticleType::Review,
        76..86 => ArticleType::Data,
        86..94 => ArticleType::Commentary,
        94..98 => ArticleType::Correction,
        _ => ArticleType::Retraction,
    };
    let early = stream.below(100);
    let stage = match early {
        0..4 if !kind.is_about_another() => Stage::Accepted,
        4..10 if !kind.is_about_another() => Stage::Online,
        _ => issue_of(words, seed, index),
    };
    (kind, stage)
}

/// Distributes the articles of a journal evenly over its issues.
fn issue_of(words: &Words, seed: u64, index: u64) -> Stage {
    let (field, row) = row(words, index);
    let issues = words.fields[field].issues.len() * YEARS;
    let step = (5..).find(|step| gcd(*step, issues) == 1).unwrap_or(1);
    let shift = Stream::new(seed, field as u64, 2).below(issues);
    Stage::Issue { issue: (row * step + shift) % issues, order: row / issues }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The index of an article's journal, and the position of the article within the journal.
fn row(words: &Words, index: u64) -> (usize, usize) {
    let (journals, index) = (words.fields.len(), usize::try_from(index).unwrap_or(usize::MAX));
    (index % journals, index / journals)
}

/// The number of the latest research article of the same journal that is in an earlier issue, among the 40 articles before.
fn earlier(words: &Words, seed: u64, index: u64, stage: Stage) -> Option<u64> {
    let Stage::Issue { issue: own, .. } = stage else { return None };
    let journals = words.fields.len() as u64;
    (1..=40).map_while(|back| index.checked_sub(back * journals)).find(
        |one| matches!(slot(words, seed, *one), (ArticleType::Research, Stage::Issue { issue, .. }) if issue < own),
    )
}

impl Plan {
    /// The plan of an article.
    pub fn of(words: &Words, seed: u64, index: u64) -> Self {
        let (article_type, stage) = slot(words, seed, index);
        let about = article_type.is_about_another().then(|| earlier(words, seed, index, stage)).flatten();
        let article_type =
            if article_type.is_about_another() && about.is_none() { ArticleType::Research } else { article_type };
        let (field, place) = row(words, index);
        let journal = &words.fields[field];
        let mut stream = Stream::new(seed, index, 3);
        let zh = stream.chance(50);
        let (facts, title) = match about.map(|other| Self::of(words, seed, other)) {
            Some(other) => (other.facts, title_about(words, article_type, &other.title)),
            None => {
                let facts = Facts::draw(journal, place, &mut stream);
                let text = stream.pick(&journal.titles);
                let title = BilingualText { zh: facts.say(text, true), en: facts.say(text, false) };
                (facts, title)
            }
        };
        let (year, dates) = calendar(journal, stage, &mut stream);
        let doi = format!("10.5555/{}.{year}.s{seed}.{index:06}", journal.code);
        Self { index, field, article_type, stage, zh, facts, title, year, dates, doi, about }
    }

    /// The text of a correction or a retraction.
    pub fn notice<'a>(&self, common: &'a Common) -> &'a BilingualText {
        let list = if self.article_type == ArticleType::Retraction { &common.retraction } else { &common.correction };
        Stream::new(self.index, 0, 8).pick(list)
    }
}

fn title_about(words: &Words, article_type: ArticleType, title: &BilingualText) -> BilingualText {
    let form = match article_type {
        ArticleType::Correction => &words.common.correction_title,
        ArticleType::Retraction => &words.common.retraction_title,
        _ => &words.common.commentary_title,
    };
    BilingualText { zh: form.zh.replace("{title}", &title.zh), en: form.en.replace("{title}", &title.en) }
}

/// The year of publication and the dates of the article in consistent order: received, revised, accepted, online, print.
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

/// The date of an issue; `issue` counts from the first issue of [`FIRST_YEAR`].
pub fn issue_date(journal: &Field, issue: usize) -> Date {
    let each = journal.issues.len();
    let year = FIRST_YEAR + i32::try_from(issue / each).unwrap_or_default();
    // The dates are checked when the word lists are read, so the fallback is never used.
    format!("{year}-{}", journal.issues[issue % each]).parse().unwrap_or(Date::ZERO)
}

/// Year, volume and number of an issue as printed.
pub fn issue_name(journal: &Field, issue: usize) -> (i32, String, String) {
    let year = i32::from(issue_date(journal, issue).year());
    (year, (year - journal.volume_from).to_string(), (issue % journal.issues.len() + 1).to_string())
}
