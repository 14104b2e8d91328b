//! Issues of journals.

use masthead_domain::article::{ArticleMeta, JournalRef};

/// An issue of a journal. Fields that the source does not give are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Period {
    /// The journal.
    pub journal: JournalRef,
    /// Year, where known.
    pub year: Option<i32>,
    /// Volume as printed, or "".
    pub volume: String,
    /// Issue as printed ("3", "3-4"), or "".
    pub issue: String,
    /// Part as printed, or "".
    pub part: String,
    /// Supplement as printed ("Suppl 1"), or "".
    pub supplement: String,
    /// Titles of the issue (special issues): `(BCP 47 tag or "", title)`.
    pub titles: Vec<(String, String)>,
    /// Descriptions: `(BCP 47 tag or "", text)`.
    pub descriptions: Vec<(String, String)>,
    /// Date of publication, ISO 8601 with the precision of the source, or "".
    pub date: String,
    /// File name or address of the cover picture, or "".
    pub cover: String,
    /// Identifiers: `(type, value)`.
    pub ids: Vec<(String, String)>,
    /// Warnings about what the source says of the issue.
    pub warnings: Vec<String>,
}

impl Period {
    /// The issue of an article; `None` if its metadata have neither volume nor issue nor year.
    #[must_use]
    pub fn of(meta: &ArticleMeta) -> Option<Self> {
        let known = meta.year.is_some() || !meta.volume.is_empty() || !meta.issue.is_empty();
        known.then(|| Self {
            journal: meta.journal.clone(),
            year: meta.year,
            volume: meta.volume.clone(),
            issue: meta.issue.clone(),
            part: meta.part.clone(),
            date: [&meta.dates.print, &meta.dates.online]
                .into_iter()
                .find(|date| !date.is_empty())
                .cloned()
                .unwrap_or_default(),
            ..Self::default()
        })
    }

    /// Whether both are the same issue, by journal (a common ISSN, else the title), year, volume, issue, part and supplement.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let (left, right) = (&self.journal, &other.journal);
        let journal = if left.issn.is_empty() || right.issn.is_empty() {
            left.title.eq_ignore_ascii_case(&right.title)
        } else {
            left.issn.iter().any(|issn| right.issn.contains(issn))
        };
        journal
            && self.year == other.year
            && [
                (&self.volume, &other.volume),
                (&self.issue, &other.issue),
                (&self.part, &other.part),
                (&self.supplement, &other.supplement),
            ]
            .iter()
            .all(|(one, two)| one == two)
    }

    /// Adds this issue to a list, or completes the same issue there. The date is the earliest of its articles.
    pub(super) fn add_to(self, list: &mut Vec<Self>) {
        let Some(known) = list.iter_mut().find(|known| known.same(&self)) else {
            list.push(self);
            return;
        };
        let rank = |date: &str| (date.is_empty(), date.to_owned());
        if rank(&self.date) < rank(&known.date) {
            known.date = self.date;
        }
        if known.titles.is_empty() {
            known.titles = self.titles;
        }
        if known.cover.is_empty() {
            known.cover = self.cover;
        }
        for warning in self.warnings {
            if !known.warnings.contains(&warning) {
                known.warnings.push(warning);
            }
        }
    }
}

/// An ISSN as `NNNN-NNNX`, or `None` if the text has another form. The check digit is not verified, because journals in use
/// have wrong ones.
pub(super) fn issn(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase();
    let valid = digits.len() == 8
        && digits.bytes().take(7).all(|byte| byte.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'X');
    valid.then(|| format!("{}-{}", &digits[..4], &digits[4..]))
}
