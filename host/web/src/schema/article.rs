//! The metadata of an article.

use masthead_domain::article as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{
    content::{KeywordGroup, LangText, Node},
    conversion::schema,
    ids::Doi,
    lang::LocalText,
};

schema! {
    /// Bibliographic data of an article (specification section 3, "Article").
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct ArticleMeta of domain::ArticleMeta {
        /// Identifies the article on its site over repeated imports: `doi:` + the DOI's key, else
        /// `pmcid:`/`pmid:`/`publisher-id:` + value, else `sha256:` + digest of the source.
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
        /// Whether it is open access (specification "Access": open access 0, other 1).
        pub open_access: bool,
        /// Name of the PDF of the whole article, as in the source (JATS `self-uri`), or "". Where the file came with the article,
        /// it is among its files under this name.
        #[serde(default)]
        pub pdf: String,
    }
}

schema! {
    /// The journal as the article's source names it.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct JournalRef of domain::JournalRef {
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
}

schema! {
    /// Somebody who contributed.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Contributor of domain::Contributor {
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
        /// Ids of affiliations.
        pub affiliations: Vec<String>,
        /// Whether this is a corresponding author.
        pub corresponding: bool,
        /// Whether marked as having contributed equally.
        pub equal: bool,
        /// CRediT and other roles as text.
        pub credit: Vec<String>,
        /// Biography (spec "author bio").
        pub bio: Vec<Node>,
        /// Marks behind the name as printed, other than labels of affiliations: those of notes (`*`, `†`), and those of
        /// affiliations without a label.
        #[serde(default)]
        pub marks: Vec<String>,
        /// Address, telephone and links as printed, or "".
        #[serde(default)]
        pub address: String,
        /// Name of the group that this person is a member of (JATS `collab` with a `contrib-group`), or "". The role of members is
        /// `member`.
        #[serde(default)]
        pub group: String,
    }
}

schema! {
    /// An institution that contributors belong to.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Affiliation of domain::Affiliation {
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
}

schema! {
    /// The article's history; each date is ISO 8601 with the precision that the source has (`2024`, `2024-05`, `2024-05-17`), or "".
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Dates of domain::Dates {
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
}

schema! {
    /// One source of money.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Funding of domain::Funding {
        /// Funder's name, or "".
        pub source: String,
        /// Funder's identifier (an address), or "".
        pub source_id: String,
        /// Award numbers.
        pub awards: Vec<String>,
        /// Recipients, as text.
        pub recipients: Vec<String>,
    }
}

schema! {
    /// A link to another article.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct RelatedArticle of domain::RelatedArticle {
        /// JATS `@related-article-type` (`corrected-article`, `retracted-article`, ...) or `@document-type` of a related object;
        /// `product` for a work that the article reviews.
        pub kind: String,
        /// DOI or address.
        pub href: String,
        /// Text as printed, or "".
        pub text: String,
    }
}
