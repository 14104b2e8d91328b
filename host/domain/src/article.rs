//! An article: its metadata ([`ArticleMeta`]) and its content ([`crate::content::ArticleBody`]).

use serde::{Deserialize, Serialize};

use crate::{
    content::{ArticleBody, Node},
    ids::Doi,
    lang::{Lang, LocalText, for_reader, has_han_or_hangul, same_language},
};

// Both consist of content nodes and are defined beside them, so that the two files import each other in one direction only.
pub use crate::content::{KeywordGroup, LangText};

/// A whole article as an importer makes it and an exporter reads it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Article {
    /// What is known about it.
    pub meta: ArticleMeta,
    /// What it says.
    pub body: ArticleBody,
}

/// A file that belongs to an article: a picture, supplementary material, a PDF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArticleFile {
    /// Name as in the source (`figures/f1.tif`).
    pub name: String,
    /// Address of the file as it came, under `/media/`.
    pub address: String,
    /// Whether pages offer it as a download of its own: it is neither the PDF of the article nor a part of its text, such as an EPUB, a
    /// PDF in another language, data.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub offered: bool,
}

/// Bibliographic data of an article (specification section 3, "Article").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArticleMeta {
    /// Identifies the article on its site over repeated imports: `doi:` + the DOI's key, else
    /// `pmcid:`/`pmid:`/`publisher-id:`/`ojs:` + value, else `sha256:` + digest of the source.
    pub source_key: String,
    /// The DOI, where the source has a valid one.
    pub doi: Option<Doi>,
    /// Other identifiers: `(pub-id-type, value)` such as `("pmid", "123")`.
    pub ids: Vec<(String, String)>,
    /// JATS `@article-type`: `research-article`, `correction`, `retraction`, ...
    pub article_type: String,
    /// BCP 47 tag of the article's own language; `en` where the source says nothing.
    pub language: String,
    /// The title (spec `resName_tic`) and its translations; the original first. Empty only for untitled sources.
    pub titles: Vec<LangText>,
    /// Subtitles, in the same form.
    pub subtitles: Vec<LangText>,
    /// Subject headings that the journal files it under (JATS `subj-group`), outermost first.
    pub subjects: Vec<String>,
    /// The names of those of these headings that the source has in several languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subject_names: Vec<LocalText>,
    /// The journal it appeared in.
    pub journal: JournalRef,
    /// Year of publication, where known.
    pub year: Option<i32>,
    /// Volume as printed.
    pub volume: String,
    /// Issue as printed ("3", "S1", "3-4").
    pub issue: String,
    /// Issue part as printed.
    pub part: String,
    /// First page as printed, or "".
    pub first_page: String,
    /// Last page as printed, or "".
    pub last_page: String,
    /// Electronic article number, or "".
    pub elocation_id: String,
    /// Authors and other contributors in source order.
    pub contributors: Vec<Contributor>,
    /// Affiliations that contributors point to.
    pub affiliations: Vec<Affiliation>,
    /// Correspondence and other author notes.
    pub author_notes: Vec<LangText>,
    /// Keyword groups.
    pub keywords: Vec<KeywordGroup>,
    /// Dates of the article's history.
    pub dates: Dates,
    /// Grants and funders.
    pub funding: Vec<Funding>,
    /// Copyright statement, or "".
    pub copyright: String,
    /// Licence text with its links.
    pub license: Vec<Node>,
    /// Address of the licence, or "".
    pub license_url: String,
    /// Related articles: corrections, retractions, commentaries.
    pub related: Vec<RelatedArticle>,
    /// Number of references.
    pub reference_count: u32,
    /// Proofing state of the specification: -1 latest accepted, 0 none, 1 to 10 proofing priority.
    pub first_status: i32,
    /// Whether it is open access (specification "Access": open access 0, other 1): only an explicit open licence says so
    /// ([`crate::license`]). Who may read it on a site is another question ([`crate::access`]).
    pub open_access: bool,
    /// Name of the PDF of the whole article, as in the source (JATS `self-uri`), or "". Where the file came with the article,
    /// it is among its files under this name.
    #[serde(default)]
    pub pdf: String,
}

impl ArticleMeta {
    /// The plain title for readers of the language with this BCP 47 tag ([`for_reader`]), or "".
    #[must_use]
    pub fn title(&self, tag: &str) -> &str {
        pick(&self.titles, tag).map_or("", |text| text.plain.as_str())
    }

    /// Whether it is published online and not yet in an issue (specification "Publish type": formal 0, online first 1).
    #[must_use]
    pub fn is_online_first(&self) -> bool {
        self.issue.is_empty() && !self.dates.online.is_empty()
    }

    /// Whether it is published, and how.
    #[must_use]
    pub fn state(&self) -> PublishState {
        if self.first_status == -1 {
            PublishState::Accepted
        } else if self.is_online_first() {
            PublishState::OnlineFirst
        } else {
            PublishState::Formal
        }
    }

    /// Contributors of type `author`, in order.
    pub fn authors(&self) -> impl Iterator<Item = &Contributor> {
        self.contributors.iter().filter(|person| person.role == "author")
    }

    /// Its pages as one text ([`page_range`]), or "".
    #[must_use]
    pub fn page_range(&self, dash: char) -> String {
        page_range(&self.first_page, &self.last_page, dash)
    }

    /// Its pages as one text ([`page_range`]), else its article number, else "".
    #[must_use]
    pub fn pages_or_number(&self, dash: char) -> String {
        let pages = self.page_range(dash);
        if pages.is_empty() { self.elocation_id.clone() } else { pages }
    }
}

/// First and last page as one text, with `dash` between them: `10-19`, `S1-10–S1-19`.
///
/// A single page is written once (`10`), because some sources repeat it as the last page and others do not. Without a first page the text
/// is "": a last page alone does not say where the article is. The pages stay as printed, with hyphens of their own.
#[must_use]
pub fn page_range(first: &str, last: &str, dash: char) -> String {
    let single = first.is_empty() || last.is_empty() || first == last;
    if single { first.to_owned() } else { format!("{first}{dash}{last}") }
}

/// The text for readers of the language with this BCP 47 tag ([`for_reader`]).
#[must_use]
pub fn pick<'a>(texts: &'a [LangText], tag: &str) -> Option<&'a LangText> {
    for_reader(texts, tag, |text| &text.lang)
}

/// The journal as the article's source names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JournalRef {
    /// Title, or "".
    pub title: String,
    /// Titles in other languages: `(BCP 47 tag, title)`.
    pub trans_titles: Vec<(String, String)>,
    /// Abbreviated title, or "".
    pub abbrev: String,
    /// ISSNs, print and electronic, as `NNNN-NNNN`.
    pub issn: Vec<String>,
    /// Publisher's name, or "".
    pub publisher: String,
}

/// Somebody who contributed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contributor {
    /// JATS `@contrib-type`: `author`, `editor`, ...
    pub role: String,
    /// Family name, or "" for a group.
    pub surname: String,
    /// Given names.
    pub given_names: String,
    /// Prefix and suffix ("Jr").
    pub suffix: String,
    /// Name of a group (JATS `collab`) or a name that is not divided; "" for a person.
    pub collab: String,
    /// The name in other languages or scripts: `(BCP 47 tag, whole name)`.
    pub alternatives: Vec<(String, String)>,
    /// ORCID iD as `0000-0000-0000-0000`, or "".
    pub orcid: String,
    /// E-mail address, or "".
    pub email: String,
    /// Ids of [`Affiliation`]s.
    pub affiliations: Vec<String>,
    /// Whether this is a corresponding author.
    pub corresponding: bool,
    /// Whether marked as having contributed equally.
    pub equal: bool,
    /// CRediT and other roles as text.
    pub credit: Vec<String>,
    /// Biography (spec "author bio").
    pub bio: Vec<Node>,
    /// Marks behind the name as printed, other than labels of affiliations: those of notes (`*`, `†`), and those of affiliations
    /// without a label.
    #[serde(default)]
    pub marks: Vec<String>,
    /// Address, telephone and links as printed, or "".
    #[serde(default)]
    pub address: String,
    /// Name of the group that this person is a member of (JATS `collab` with a `contrib-group`), or "". The role of members is
    /// [`MEMBER`], so that they are not taken for authors.
    #[serde(default)]
    pub group: String,
}

/// The role of members of a group.
pub const MEMBER: &str = "member";

impl Contributor {
    /// The name for readers of the language with a BCP 47 tag, of an article in the language `of_article`: in this language, else, unless the
    /// article is in it, in English, else as the source has it.
    #[must_use]
    pub fn name_for(&self, reader: &str, of_article: &str) -> String {
        let chosen = chosen_names(&self.alternatives, |(lang, _)| lang.as_str(), reader, of_article);
        chosen.map_or_else(|| self.display_name(), |(_, name)| name.clone())
    }

    /// The name in the order of its script: `王小明`, `Ada Lovelace`.
    #[must_use]
    pub fn display_name(&self) -> String {
        if !self.collab.is_empty() {
            return self.collab.clone();
        }
        if has_han_or_hangul(&self.surname) {
            return format!("{}{}", self.surname, self.given_names);
        }
        [&self.given_names, &self.surname, &self.suffix]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Of names in other languages than the source's own, those for readers of the language with a BCP 47 tag: in this language, else, unless the
/// article is in the reader's language, in English; `None` for those of the source.
pub(crate) fn chosen_names<'a, T>(
    others: &'a [T],
    language_of: impl Fn(&T) -> &str,
    reader: &str,
    of_article: &str,
) -> Option<&'a T> {
    let in_language = |wanted: &str| others.iter().find(|one| same_language(language_of(one), wanted));
    let in_english = || in_language(Lang::En.tag()).filter(|_| !same_language(of_article, reader));
    in_language(reader).or_else(in_english)
}

/// An institution that contributors belong to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Affiliation {
    /// Id within the article.
    pub id: String,
    /// Label as printed ("1", "a"), or "".
    pub label: String,
    /// BCP 47 tag, or "".
    pub lang: String,
    /// The whole address as text.
    pub text: String,
    /// Country, or "".
    pub country: String,
    /// ROR or other identifier's address, or "".
    pub institution_id: String,
    /// E-mail addresses, telephone and fax numbers as printed, or "".
    #[serde(default)]
    pub contact: String,
}

/// The article's history; each date is ISO 8601 with the precision that the source has (`2024`, `2024-05`, `2024-05-17`), or "".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dates {
    /// Received.
    pub received: String,
    /// Last revision received.
    pub revised: String,
    /// Accepted.
    pub accepted: String,
    /// Print publication (spec `ppubDate`).
    pub print: String,
    /// Online publication (spec published-online).
    pub online: String,
}

impl Dates {
    /// The date by which articles are sorted and cited: online, else print, else accepted, else "".
    #[must_use]
    pub fn published(&self) -> &str {
        [&self.online, &self.print, &self.accepted].into_iter().find(|date| !date.is_empty()).map_or("", |date| date)
    }
}

/// One source of money.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Funding {
    /// Funder's name, or "".
    pub source: String,
    /// Funder's identifier (an address), or "".
    pub source_id: String,
    /// Award numbers.
    pub awards: Vec<String>,
    /// Recipients, as text.
    pub recipients: Vec<String>,
}

/// A link to another article.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedArticle {
    /// JATS `@related-article-type` (`corrected-article`, `retracted-article`, ...) or `@document-type` of a related object;
    /// `product` for a work that the article reviews.
    pub kind: String,
    /// DOI or address.
    pub href: String,
    /// Text as printed, or "".
    pub text: String,
}

/// Why an article was withdrawn: what its page says instead of the article.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Withdrawal {
    /// Date of the withdrawal, ISO 8601.
    pub date: String,
    /// The reason.
    pub reason: LocalText,
}

/// Whether an article is published, and how (specification "Publish type" and "Just accepted").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishState {
    /// In an issue, or of a journal without issues.
    #[default]
    Formal,
    /// Published online, not yet in an issue.
    OnlineFirst,
    /// Accepted, not yet published.
    Accepted,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_a_range_a_page_a_number_or_nothing() {
        for (first, last, number, range, shown) in [
            ("10", "19", "", "10–19", "10–19"),
            ("10", "19", "e1", "10–19", "10–19"),
            ("10", "10", "", "10", "10"),
            ("10", "", "e1", "10", "10"),
            ("S1-10", "S1-19", "", "S1-10–S1-19", "S1-10–S1-19"),
            ("", "19", "e1", "", "e1"),
            ("", "19", "", "", ""),
            ("", "", "e1", "", "e1"),
            ("", "", "", "", ""),
        ] {
            let meta = ArticleMeta {
                first_page: first.into(),
                last_page: last.into(),
                elocation_id: number.into(),
                ..ArticleMeta::default()
            };
            assert_eq!([meta.page_range('–'), meta.pages_or_number('–')], [range, shown], "{meta:?}");
        }
        assert_eq!(page_range("10", "19", '-'), "10-19");
    }
}
