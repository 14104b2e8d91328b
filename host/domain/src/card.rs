//! Cards: the data that lists show of an article.

use serde::{Deserialize, Serialize};

use crate::{
    access::ArticleAccess,
    article::Article,
    ids::{ArticleId, Doi},
    lang::same_language,
    notice::NoticeMark,
};

/// An article in a list: home, issue, search results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArticleCard {
    /// Its number; 0 until it is stored.
    pub id: i64,
    /// Its DOI.
    pub doi: Option<Doi>,
    /// JATS article type.
    pub article_type: String,
    /// BCP 47 tag of its own language.
    pub language: String,
    /// Titles: plain text and HTML, by BCP 47 tag, original first.
    pub titles: Vec<CardText>,
    /// Authors' names as in the source, at most [`ArticleCard::MAX_AUTHORS`].
    pub authors: Vec<String>,
    /// Number of authors.
    pub author_count: usize,
    /// Key of its journal on the site.
    pub journal: String,
    /// Year, or 0.
    pub year: i32,
    /// Volume as printed.
    pub volume: String,
    /// Issue as printed.
    pub issue: String,
    /// Pages or article number as printed.
    pub pages: String,
    /// ISO date of publication, or "".
    pub published: String,
    /// Subject heading, or "".
    pub subject: String,
    /// Abstracts in short, by BCP 47 tag.
    pub summaries: Vec<CardText>,
    /// Proofing state of the specification.
    pub first_status: i32,
    /// Whether it is open access.
    pub open_access: bool,
    /// How lists mark it; the store keeps it up to date with the notices about the article.
    #[serde(default)]
    pub notice: NoticeMark,
}

/// A text of a card in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardText {
    /// BCP 47 tag.
    pub lang: String,
    /// Plain text.
    pub plain: String,
    /// Sanitized inline HTML, or "" if the text has no formatting.
    pub html: String,
}

impl ArticleCard {
    /// Limit on the authors in a card.
    pub const MAX_AUTHORS: usize = 12;
    /// Limit on the length of an abstract in characters.
    pub const SUMMARY_CHARS: usize = 320;

    /// The card of an article. `title_html` and `summaries` come from the renderer: `(BCP 47 tag, text)`.
    #[must_use]
    pub fn of(article: &Article, title_html: &[(String, String)], summaries: &[(String, String)]) -> Self {
        let meta = &article.meta;
        let pages = match (meta.first_page.as_str(), meta.last_page.as_str()) {
            ("", _) => meta.elocation_id.clone(),
            (first, "") => first.to_owned(),
            (first, last) if first == last => first.to_owned(),
            (first, last) => format!("{first}–{last}"),
        };
        let html_of = |lang: &str| title_html.iter().find(|(tag, _)| tag == lang).map(|(_, html)| html.clone());
        Self {
            id: 0,
            doi: meta.doi.clone(),
            article_type: meta.article_type.clone(),
            language: meta.language.clone(),
            titles: meta
                .titles
                .iter()
                .map(|title| CardText {
                    lang: title.lang.clone(),
                    plain: title.plain.clone(),
                    html: html_of(&title.lang).unwrap_or_default(),
                })
                .collect(),
            authors: meta.authors().take(Self::MAX_AUTHORS).map(crate::article::Contributor::display_name).collect(),
            author_count: meta.authors().count(),
            journal: String::new(),
            year: meta.year.unwrap_or(0),
            volume: meta.volume.clone(),
            issue: meta.issue.clone(),
            pages,
            published: meta.dates.published().to_owned(),
            subject: meta.subjects.first().cloned().unwrap_or_default(),
            summaries: summaries
                .iter()
                .map(|(lang, text)| CardText { lang: lang.clone(), plain: shorten(text), html: String::new() })
                .collect(),
            first_status: meta.first_status,
            open_access: meta.open_access,
            notice: NoticeMark::None,
        }
    }

    /// The article's number; 0 until it is stored.
    #[must_use]
    pub const fn article_id(&self) -> ArticleId {
        ArticleId(self.id)
    }

    /// What the decision about reading depends on of the article.
    #[must_use]
    pub const fn access(&self) -> ArticleAccess {
        ArticleAccess { article: ArticleId(self.id), open_access: self.open_access }
    }

    /// The title in the language with this BCP 47 tag, else the original title.
    #[must_use]
    pub fn title(&self, tag: &str) -> Option<&CardText> {
        pick(&self.titles, tag)
    }

    /// The abstract in the language with this BCP 47 tag, else the first.
    #[must_use]
    pub fn summary(&self, tag: &str) -> Option<&CardText> {
        pick(&self.summaries, tag)
    }
}

fn pick<'a>(texts: &'a [CardText], tag: &str) -> Option<&'a CardText> {
    texts.iter().find(|text| same_language(&text.lang, tag)).or_else(|| texts.first())
}

fn shorten(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if folded.chars().count() <= ArticleCard::SUMMARY_CHARS {
        return folded;
    }
    let mut short: String = folded.chars().take(ArticleCard::SUMMARY_CHARS).collect();
    // In scripts with spaces, the text is cut at a space, so that no partial word precedes the ellipsis.
    if let Some(space) = short.rfind(' ').filter(|at| *at > short.len() * 4 / 5) {
        short.truncate(space);
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_summary_is_cut_between_words() {
        let short = shorten(&"word ".repeat(200));
        assert!(short.ends_with("word…") && short.chars().count() <= ArticleCard::SUMMARY_CHARS + 1);
        assert_eq!(shorten(" a \n b "), "a b");
        assert!(shorten(&"字".repeat(500)).chars().count() == ArticleCard::SUMMARY_CHARS + 1);
    }
}
