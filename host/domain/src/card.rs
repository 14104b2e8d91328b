//! Cards: the data that lists show of an article.

use serde::{Deserialize, Serialize};

use crate::{
    access::ArticleAccess,
    article::{Article, ArticleMeta, Contributor, chosen_names},
    content::Node,
    ids::{ArticleId, Doi},
    lang::{for_reader, same_language},
    notice::NoticeMark,
};

mod summary;

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
    /// The names of the same authors in other languages, as far as the source has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub author_names: Vec<CardNames>,
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

/// The authors of a card in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardNames {
    /// BCP 47 tag.
    pub lang: String,
    /// A name for each of [`ArticleCard::authors`], chosen by [`Contributor::name_for`].
    pub names: Vec<String>,
}

impl ArticleCard {
    /// Limit on the authors in a card.
    pub const MAX_AUTHORS: usize = 12;
    /// Limit on the length of an abstract in characters.
    pub const SUMMARY_CHARS: usize = 320;

    /// The card of an article. `title_html` comes from the renderer: `(BCP 47 tag, HTML)`.
    #[must_use]
    pub fn of(article: &Article, title_html: &[(String, String)], summaries: &[CardText]) -> Self {
        let meta = &article.meta;
        let authors: Vec<String> = meta.authors().take(Self::MAX_AUTHORS).map(Contributor::display_name).collect();
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
            author_names: author_names(meta, &authors),
            authors,
            author_count: meta.authors().count(),
            journal: String::new(),
            year: meta.year.unwrap_or(0),
            volume: meta.volume.clone(),
            issue: meta.issue.clone(),
            pages: meta.pages_or_number('–'),
            published: meta.dates.published().to_owned(),
            subject: meta.subjects.first().cloned().unwrap_or_default(),
            summaries: summaries.to_vec(),
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

    /// The first authors' names for readers of the language with this BCP 47 tag, chosen as [`Contributor::name_for`] does.
    #[must_use]
    pub fn authors_for(&self, tag: &str) -> &[String] {
        let chosen = chosen_names(&self.author_names, |names| names.lang.as_str(), tag, &self.language);
        chosen.map_or(&self.authors, |names| &names.names)
    }

    /// The title for readers of the language with this BCP 47 tag ([`for_reader`]).
    #[must_use]
    pub fn title(&self, tag: &str) -> Option<&CardText> {
        for_reader(&self.titles, tag, |title| &title.lang)
    }

    /// The abstract for readers of the language with this BCP 47 tag ([`for_reader`]).
    #[must_use]
    pub fn summary(&self, tag: &str) -> Option<&CardText> {
        for_reader(&self.summaries, tag, |summary| &summary.lang)
    }
}

impl CardText {
    /// The beginning of an abstract.
    #[must_use]
    pub fn summary(lang: &str, nodes: &[Node]) -> Self {
        let (plain, html) = summary::beginning(nodes, ArticleCard::SUMMARY_CHARS);
        Self { lang: lang.to_owned(), plain, html }
    }
}

/// The names of the first authors in each language in which one of them has another name than `shown`.
fn author_names(meta: &ArticleMeta, shown: &[String]) -> Vec<CardNames> {
    let authors: Vec<&Contributor> = meta.authors().take(shown.len()).collect();
    let mut all: Vec<CardNames> = Vec::new();
    for (lang, _) in authors.iter().flat_map(|author| &author.alternatives) {
        if lang.is_empty() || all.iter().any(|known| same_language(&known.lang, lang)) {
            continue;
        }
        let names = authors.iter().map(|author| author.name_for(lang, &meta.language)).collect();
        all.push(CardNames { lang: lang.clone(), names });
    }
    all.retain(|one| one.names != shown);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_of_other_languages_get_the_english_title() {
        let text = |lang: &str| CardText { lang: lang.into(), plain: lang.into(), html: String::new() };
        let texts = vec![text("zh"), text("en"), text("ja")];
        let card = ArticleCard { titles: texts.clone(), summaries: texts, ..ArticleCard::default() };
        let title = |tag: &str| card.title(tag).map_or("", |title| title.lang.as_str());
        assert_eq!([title("zh-Hans"), title("ja"), title("ar"), title("ko")], ["zh", "ja", "en", "en"]);
        assert_eq!(card.summary("fr").map(|summary| summary.lang.as_str()), Some("en"));
        let chinese = ArticleCard { titles: vec![text("zh"), text("ja")], ..ArticleCard::default() };
        assert_eq!(chinese.title("de").map(|title| title.lang.as_str()), Some("zh"), "the article's own");
    }

    #[test]
    fn authors_are_named_in_the_readers_language_where_the_source_has_such_names() {
        let author = |surname: &str, others: &[(&str, &str)]| Contributor {
            role: "author".to_owned(),
            surname: surname.to_owned(),
            alternatives: others.iter().map(|(lang, name)| ((*lang).to_owned(), (*name).to_owned())).collect(),
            ..Contributor::default()
        };
        let lin = [("zh", "林"), ("en", "Lin Wei"), ("", "L.")];
        let contributors = vec![author("林", &lin), author("王", &[("ja", "オウ")])];
        let meta = ArticleMeta { language: "zh".to_owned(), contributors, ..ArticleMeta::default() };
        let people = meta.contributors.clone();
        let card = ArticleCard::of(&Article { meta, ..Article::default() }, &[], &[]);
        assert_eq!(card.author_names.len(), 2, "those in Chinese are the article's own: {:?}", card.author_names);
        let expected: [(&str, &[&str; 2]); 4] = [
            ("zh-Hans", &["林", "王"]),
            ("en", &["Lin Wei", "王"]),
            ("ja", &["Lin Wei", "オウ"]),
            ("fr", &["Lin Wei", "王"]),
        ];
        for (reader, names) in expected {
            assert_eq!(card.authors_for(reader), names, "{reader}");
            assert_eq!(people.iter().map(|one| one.name_for(reader, "zh")).collect::<Vec<_>>(), names, "{reader}");
        }
        let english = ArticleCard { language: "en".to_owned(), ..card };
        assert_eq!(english.authors_for("en-GB"), ["Lin Wei", "王"]);
        assert_eq!(ArticleCard { author_names: Vec::new(), ..english }.authors_for("en"), ["林", "王"]);
    }
}
