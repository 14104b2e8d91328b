//! Matching of new articles with subscriptions. Texts are compared without case, width and spacing, as names of sections are.

use std::collections::BTreeSet;

use jiff::civil::Date;
use masthead_domain::{
    LocalText,
    article::{ArticleMeta, PublishState},
    lang::{is_han_or_hangul, is_kana},
    member::{ItemRef, ItemType, SubscriptionType},
    text::section_key,
};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// Most keywords of a subscription.
pub const MAX_KEYWORDS: usize = 20;
/// Longest keyword of a subscription, in characters.
const MAX_KEYWORD: usize = 100;

/// The properties of an article with which subscriptions are compared.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The article.
    pub item: ItemRef,
    /// Whether it is new on the site, and not a new version.
    added: bool,
    state: PublishState,
    /// The day on which it appeared, in days since 1970, if the source says it.
    day: Option<i64>,
    /// Its keywords in all languages.
    keywords: BTreeSet<String>,
    /// Its titles in all languages.
    titles: Vec<String>,
    /// The subject headings that it is filed under.
    subjects: BTreeSet<String>,
}

impl Candidate {
    /// An article that was stored; `added` where it was not there before.
    #[must_use]
    pub fn of(id: i64, meta: &ArticleMeta, added: bool) -> Self {
        let state = meta.state();
        // For an issue, the day on which the article came into it.
        let date = match state {
            PublishState::Formal if !meta.dates.print.is_empty() => meta.dates.print.as_str(),
            _ => meta.dates.published(),
        };
        Self {
            item: ItemRef::new(ItemType::Article, id),
            added,
            state,
            day: day_of(date),
            keywords: meta.keywords.iter().flat_map(|group| &group.plain).map(|word| section_key(word)).collect(),
            titles: meta.titles.iter().map(|title| words(&title.plain)).collect(),
            subjects: meta.subjects.iter().map(|subject| section_key(subject)).collect(),
        }
    }

    /// Whether it is news on a day: it appeared at most `days` before, so that the articles of an imported archive are none. An article
    /// without a date is news if it is new on the site.
    #[must_use]
    pub fn is_news(&self, today: i64, days: i64) -> bool {
        self.state != PublishState::Accepted && self.day.map_or(self.added, |day| days == 0 || day >= today - days)
    }

    /// Whether it is new on the site.
    #[must_use]
    pub const fn is_added(&self) -> bool {
        self.added
    }

    /// The type of subscriptions to all articles that it belongs to; `None` while it is only accepted.
    #[must_use]
    pub const fn issues_or_online_first(&self) -> Option<SubscriptionType> {
        match self.state {
            PublishState::Formal => Some(SubscriptionType::Current),
            PublishState::OnlineFirst => Some(SubscriptionType::OnlineFirst),
            PublishState::Accepted => None,
        }
    }

    /// Whether it is filed under a subject heading with this name.
    #[must_use]
    pub fn is_in(&self, name: &str) -> bool {
        self.subjects.contains(&section_key(name))
    }

    /// The subject headings that it is filed under, as they are compared.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.subjects.iter().map(String::as_str)
    }

    /// Whether the article is new to a subscription of this time (milliseconds since 1970). Another version of an article counts as new
    /// where the article appeared, or came into an issue, after that.
    fn is_new_since(&self, since: i64) -> bool {
        self.added || self.day.is_some_and(|day| day > since.div_euclid(DAY))
    }
}

/// The criteria of a subscription, prepared for comparison with many articles.
#[derive(Clone, Debug)]
pub struct PreparedCriteria {
    about: SubscriptionType,
    since: i64,
    /// Keywords, or the names of a column.
    keys: BTreeSet<String>,
    /// The keywords as they may stand in a title.
    words: Vec<String>,
}

impl PreparedCriteria {
    /// The criteria of a subscription; `names` are the names of its column.
    #[must_use]
    pub fn new(about: SubscriptionType, since: i64, keyword_list: &str, names: &[String]) -> Self {
        let keys: Vec<String> = match about {
            SubscriptionType::Keywords => keywords(keyword_list),
            SubscriptionType::Column => names.to_vec(),
            SubscriptionType::Current | SubscriptionType::OnlineFirst => Vec::new(),
        };
        let is_keywords = about == SubscriptionType::Keywords;
        Self {
            about,
            since,
            words: if is_keywords { keys.iter().map(|key| words(key)).collect() } else { Vec::new() },
            keys: keys.iter().map(|key| section_key(key)).filter(|key| !key.is_empty()).collect(),
        }
    }

    /// Whether it wants an article.
    #[must_use]
    pub fn wants(&self, article: &Candidate) -> bool {
        let matches = match self.about {
            SubscriptionType::Current | SubscriptionType::OnlineFirst => {
                article.issues_or_online_first() == Some(self.about)
            }
            SubscriptionType::Keywords => {
                !self.keys.is_disjoint(&article.keywords)
                    || self.words.iter().any(|word| article.titles.iter().any(|title| has(title, word)))
            }
            SubscriptionType::Column => !self.keys.is_disjoint(&article.subjects),
        };
        matches && article.is_new_since(self.since)
    }
}

/// The keywords of a subscription, which are separated by semicolons: each once, without empty ones.
#[must_use]
pub fn keywords(list: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let parts = list.split([';', '；']).map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let parts = parts.filter(|part| part.chars().count() <= MAX_KEYWORD);
    parts.filter(|part| !section_key(part).is_empty() && seen.insert(section_key(part))).take(MAX_KEYWORDS).collect()
}

/// The names of a column with this key, as articles are filed under them: those of the column of the editors, else the key itself, which is a
/// subject heading.
#[must_use]
pub fn column_names(key: &str, column: Option<&LocalText>) -> Vec<String> {
    column.map_or_else(|| vec![key.to_owned()], |title| title.0.values().cloned().collect())
}

/// A text without case, with one space between words.
fn words(text: &str) -> String {
    let spaced = text.split_whitespace().map(section_key).collect::<Vec<_>>();
    spaced.join(" ")
}

/// Whether a title has a word or phrase: between other letters only where its script writes no spaces.
fn has(title: &str, phrase: &str) -> bool {
    if phrase.is_empty() {
        return false;
    }
    let joined = |before: Option<char>, after: Option<char>| {
        let spaced = |c: char| c.is_alphanumeric() && !is_han_or_hangul(c) && !is_kana(c);
        before.is_some_and(spaced) && after.is_some_and(spaced)
    };
    title.match_indices(phrase).any(|(at, found)| {
        let (before, after) = (title.get(..at).unwrap_or_default(), title.get(at + found.len()..).unwrap_or_default());
        !joined(before.chars().next_back(), found.chars().next())
            && !joined(found.chars().next_back(), after.chars().next())
    })
}

/// The day of an ISO date, in days since 1970; of a month or a year alone, the first one.
fn day_of(date: &str) -> Option<i64> {
    let full = match date.len() {
        4 => format!("{date}-01-01"),
        7 => format!("{date}-01"),
        _ => date.get(..10)?.to_owned(),
    };
    let day: Date = full.parse().ok()?;
    let since = day.since(Date::constant(1970, 1, 1)).ok()?;
    Some(i64::from(since.get_days()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::content::{KeywordGroup, LangText};

    use super::*;

    /// 2026-11-20.
    const TODAY: i64 = 20_777;

    fn meta(change: impl FnOnce(&mut ArticleMeta)) -> ArticleMeta {
        let mut meta = ArticleMeta { issue: "3".to_owned(), ..ArticleMeta::default() };
        meta.dates.print = "2026-11-10".to_owned();
        meta.titles = vec![LangText {
            lang: "en".to_owned(),
            plain: "Tidal  Flows in salt marshes".to_owned(),
            ..LangText::default()
        }];
        meta.keywords =
            vec![KeywordGroup { plain: vec!["Salinity".to_owned(), "盐沼".to_owned()], ..KeywordGroup::default() }];
        meta.subjects = vec!["Case Report".to_owned()];
        change(&mut meta);
        meta
    }

    fn wanted(about: SubscriptionType, keys: &str) -> PreparedCriteria {
        PreparedCriteria::new(about, 0, keys, &[keys.to_owned()])
    }

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(day_of("1970-01-02"), Some(1));
        assert_eq!(day_of("2026-11-20"), Some(TODAY));
        assert_eq!(day_of("2026-11"), Some(TODAY - 19));
        assert_eq!(day_of("2026"), day_of("2026-01-01"));
        for none in ["", "soon", "2026-13-40", "20261120"] {
            assert_eq!(day_of(none), None, "{none}");
        }
    }

    #[test]
    fn issues_and_online_first_are_told_apart() {
        let formal = Candidate::of(1, &meta(|_| {}), true);
        let online = Candidate::of(
            2,
            &meta(|meta| {
                meta.issue.clear();
                meta.dates.online = "2026-11-12".to_owned();
            }),
            true,
        );
        let accepted = Candidate::of(3, &meta(|meta| meta.first_status = -1), true);
        let wants = |about, article: &Candidate| wanted(about, "").wants(article);
        for (article, about) in [(&formal, SubscriptionType::Current), (&online, SubscriptionType::OnlineFirst)] {
            for other in [SubscriptionType::Current, SubscriptionType::OnlineFirst] {
                assert_eq!(wants(other, article), other == about, "{other:?}");
                assert!(!wants(other, &accepted), "what is only accepted is in neither");
            }
        }
        assert!(!accepted.is_news(TODAY, 0));
    }

    #[test]
    fn keywords_match_keywords_of_the_article_and_words_of_its_titles() {
        let article = Candidate::of(1, &meta(|_| {}), true);
        for (list, expected) in [
            ("salinity", true),
            ("ＳＡＬＩＮＩＴＹ", true),
            ("nothing; salinity", true),
            ("nothing；盐沼", true),
            ("tidal flows", true),
            ("salt marsh", false),
            ("Salt  Marshes", true),
            ("salin", false),
            ("low", false),
            ("", false),
            (";;", false),
        ] {
            assert_eq!(wanted(SubscriptionType::Keywords, list).wants(&article), expected, "{list:?}");
        }
        let chinese = |title: &str| {
            let titles = vec![LangText { lang: "zh".to_owned(), plain: title.to_owned(), ..LangText::default() }];
            Candidate::of(1, &meta(|meta| meta.titles = titles), true)
        };
        assert!(wanted(SubscriptionType::Keywords, "潮汐").wants(&chinese("盐沼的潮汐流")), "Chinese has no spaces");
    }

    #[test]
    fn keywords_are_separated_by_semicolons_and_counted() {
        assert_eq!(keywords(" salt ;Salt;; tidal  flow；盐沼 "), ["salt", "tidal flow", "盐沼"]);
        assert_eq!(keywords(&"x".repeat(101)), [""; 0]);
        let many: Vec<String> = (0..50).map(|number| format!("word{number}")).collect();
        assert_eq!(keywords(&many.join(";")).len(), MAX_KEYWORDS);
    }

    #[test]
    fn a_column_has_the_names_that_the_editors_gave_it() {
        let article = Candidate::of(1, &meta(|_| {}), true);
        let title = LocalText(
            [
                (masthead_domain::Lang::Zh, "病例报告".to_owned()),
                (masthead_domain::Lang::En, "CASE  REPORT".to_owned()),
            ]
            .into(),
        );
        let names = column_names("cases", Some(&title));
        assert!(PreparedCriteria::new(SubscriptionType::Column, 0, "", &names).wants(&article));
        assert!(!PreparedCriteria::new(SubscriptionType::Column, 0, "", &column_names("cases", None)).wants(&article));
        let heading = column_names("case report", None);
        assert!(
            PreparedCriteria::new(SubscriptionType::Column, 0, "", &heading).wants(&article),
            "a heading without a column"
        );
    }

    #[test]
    fn an_imported_archive_is_no_news_and_a_corrected_article_is_not_new() {
        let news = |change: fn(&mut ArticleMeta), added| Candidate::of(1, &meta(change), added).is_news(TODAY, 120);
        let old: fn(&mut ArticleMeta) = |meta| meta.dates.print = "2001-01-01".to_owned();
        let undated: fn(&mut ArticleMeta) = |meta| meta.dates.print.clear();
        assert!(news(|_| {}, true) && news(|_| {}, false));
        assert!(!news(old, true) && !news(old, false));
        assert!(news(undated, true) && !news(undated, false));
        assert!(Candidate::of(1, &meta(old), true).is_news(TODAY, 0), "without a limit everything is");
        let subscribed = |day: i64| PreparedCriteria::new(SubscriptionType::Current, day * DAY, "", &[]);
        let (added, corrected) = (Candidate::of(1, &meta(|_| {}), true), Candidate::of(1, &meta(|_| {}), false));
        assert!(subscribed(TODAY).wants(&added));
        assert!(!subscribed(TODAY).wants(&corrected), "it appeared before the subscription");
        assert!(subscribed(TODAY - 30).wants(&corrected), "it came into an issue after the subscription");
    }
}
