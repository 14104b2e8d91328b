//! Notices: articles about other articles (retractions, corrections, comments), and what the sources of both sides say of each other.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{
    article::ArticleMeta,
    ids::{ArticleId, Doi},
    link,
};

/// What a notice says of an article, in the order of its weight for readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// The article is retracted.
    Retraction,
    /// The article is withdrawn or removed.
    Withdrawal,
    /// An expression of concern.
    Concern,
    /// A part of the article is retracted.
    PartialRetraction,
    /// A correction: erratum, corrigendum.
    Correction,
    /// The article is corrected and published again.
    Republication,
    /// An addendum.
    Addendum,
    /// A newer version or edition.
    Update,
    /// A comment or commentary.
    Comment,
    /// A reply, of authors to a comment for example.
    Reply,
}

/// The side of a notice on which an article stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeSide {
    /// The article is the notice.
    Notice,
    /// The notice is about the article.
    Affected,
}

/// How lists mark an article that notices are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeMark {
    /// Not at all.
    #[default]
    None,
    /// It is corrected.
    Corrected,
    /// There is an expression of concern about it.
    Concern,
    /// It is retracted or withdrawn.
    Retracted,
}

/// A notice between two articles, from the view of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What the notice says.
    pub kind: NoticeKind,
    /// The side of the article from whose view this is.
    pub side: NoticeSide,
    /// The other article, if the site has it.
    pub article: Option<ArticleId>,
    /// The identifier by which the source names the other article ([`NoticeTarget::key`]), or "".
    pub target: String,
    /// The address of the other article according to the source, or "".
    pub address: String,
    /// What the source prints of the other article, or "".
    pub label: String,
    /// Whether the article's own source says so; otherwise only the source of the other article does.
    pub stated: bool,
}

impl NoticeKind {
    /// All kinds, in their order.
    pub const ALL: [Self; 10] = [
        Self::Retraction,
        Self::Withdrawal,
        Self::Concern,
        Self::PartialRetraction,
        Self::Correction,
        Self::Republication,
        Self::Addendum,
        Self::Update,
        Self::Comment,
        Self::Reply,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retraction => "retraction",
            Self::Withdrawal => "withdrawal",
            Self::Concern => "concern",
            Self::PartialRetraction => "partial-retraction",
            Self::Correction => "correction",
            Self::Republication => "republication",
            Self::Addendum => "addendum",
            Self::Update => "update",
            Self::Comment => "comment",
            Self::Reply => "reply",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The kind for which a format has this word: a JATS `@article-type`, a type of Crossref's updates.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match folded(word).as_str() {
            "retraction" | "retraction-notice" | "notice-of-retraction" => Self::Retraction,
            "withdrawal" | "removal" => Self::Withdrawal,
            "concern" | "expression-of-concern" | "editorial-expression-of-concern" => Self::Concern,
            "partial-retraction" => Self::PartialRetraction,
            "correction"
            | "author-correction"
            | "publisher-correction"
            | "erratum"
            | "errata"
            | "corrigendum"
            | "corrigenda"
            | "clarification" => Self::Correction,
            "republication" | "republished" | "corrected-and-republished" => Self::Republication,
            "addendum" | "addenda" => Self::Addendum,
            "update" | "new-version" | "new-edition" => Self::Update,
            "comment" | "commentary" | "article-commentary" => Self::Comment,
            "reply" | "response" | "author-reply" => Self::Reply,
            _ => return None,
        })
    }

    /// What a JATS `@related-article-type` says of an article with this `@article-type`, and on which side the article stands. `None` for
    /// relations that are no notices.
    #[must_use]
    pub fn of_relation(relation: &str, article_type: &str) -> Option<(Self, NoticeSide)> {
        let (relation, own) = (folded(relation), Self::of_word(article_type));
        if let Some(kind) = of_affected(&relation) {
            return Some((kind, NoticeSide::Notice));
        }
        let before = |endings: &[&str]| endings.iter().find_map(|end| Self::of_word(relation.strip_suffix(end)?));
        // `correction-forward` is JATS; `erratum-in` and `erratum-for` are PubMed's.
        if let Some(kind) = before(&["-forward", "-in"]) {
            return Some((kind, NoticeSide::Affected));
        }
        if let Some(kind) = before(&["-of", "-on", "-for", "-from", "-to"]) {
            return Some((kind, NoticeSide::Notice));
        }
        match relation.as_str() {
            // A notice whose source does not name the relation.
            "" => own.map(|own| (own, NoticeSide::Notice)),
            "letter" if own == Some(Self::Reply) => Some((Self::Reply, NoticeSide::Notice)),
            "letter" if folded(article_type) != "letter" => Some((Self::Comment, NoticeSide::Affected)),
            // The word names the related article (`commentary`), unless the article itself is one: some publishers use it on both sides.
            word => Self::of_word(word)
                .map(|kind| (kind, if own == Some(kind) { NoticeSide::Notice } else { NoticeSide::Affected })),
        }
    }

    /// The JATS `@related-article-type` by which an article on this side refers to the other one.
    #[must_use]
    pub const fn relation(self, side: NoticeSide) -> &'static str {
        match (self, side) {
            (Self::Retraction, NoticeSide::Notice) => "retracted-article",
            (Self::Retraction, NoticeSide::Affected) => "retraction-forward",
            (Self::Withdrawal, NoticeSide::Notice) => "withdrawn-article",
            (Self::Withdrawal, NoticeSide::Affected) => "withdrawal-forward",
            (Self::Concern, NoticeSide::Notice) => "object-of-concern",
            (Self::Concern, NoticeSide::Affected) => "expression-of-concern-forward",
            (Self::PartialRetraction, NoticeSide::Notice) => "partially-retracted-article",
            (Self::PartialRetraction, NoticeSide::Affected) => "partial-retraction-forward",
            (Self::Correction, NoticeSide::Notice) => "corrected-article",
            (Self::Correction, NoticeSide::Affected) => "correction-forward",
            (Self::Republication, NoticeSide::Notice) => "republished-article",
            (Self::Republication, NoticeSide::Affected) => "republication-forward",
            (Self::Addendum, NoticeSide::Notice) => "addended-article",
            (Self::Addendum, NoticeSide::Affected) => "addendum-forward",
            (Self::Update, NoticeSide::Notice) => "updated-article",
            (Self::Update, NoticeSide::Affected) => "update-forward",
            (Self::Comment, NoticeSide::Notice) => "commentary-article",
            (Self::Comment, NoticeSide::Affected) => "commentary",
            (Self::Reply, NoticeSide::Notice) => "replied-article",
            (Self::Reply, NoticeSide::Affected) => "reply-forward",
        }
    }

    /// The mark of articles that a notice of this kind is about.
    #[must_use]
    pub const fn mark(self) -> NoticeMark {
        match self {
            Self::Retraction | Self::Withdrawal => NoticeMark::Retracted,
            Self::Concern => NoticeMark::Concern,
            Self::PartialRetraction | Self::Correction | Self::Republication => NoticeMark::Corrected,
            Self::Addendum | Self::Update | Self::Comment | Self::Reply => NoticeMark::None,
        }
    }

    /// Whether readers of the article must see it before they read: all but comments and replies, which are further reading.
    #[must_use]
    pub const fn stands_above_the_title(self) -> bool {
        !matches!(self, Self::Comment | Self::Reply)
    }
}

impl NoticeSide {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Affected => "affected",
        }
    }

    /// The side with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Notice, Self::Affected].into_iter().find(|side| side.as_str() == name)
    }

    /// The side on which the other article stands.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Notice => Self::Affected,
            Self::Affected => Self::Notice,
        }
    }
}

impl NoticeMark {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Corrected => "corrected",
            Self::Concern => "concern",
            Self::Retracted => "retracted",
        }
    }
}

/// The kind of notice of an article whose relation names the article that it is about.
fn of_affected(relation: &str) -> Option<NoticeKind> {
    Some(match relation {
        "retracted-article" => NoticeKind::Retraction,
        "withdrawn-article" | "removed-article" => NoticeKind::Withdrawal,
        "object-of-concern" => NoticeKind::Concern,
        "partially-retracted-article" => NoticeKind::PartialRetraction,
        "corrected-article" => NoticeKind::Correction,
        "republished-article" => NoticeKind::Republication,
        "addended-article" => NoticeKind::Addendum,
        "updated-article" => NoticeKind::Update,
        "commentary-article" => NoticeKind::Comment,
        "replied-article" => NoticeKind::Reply,
        _ => return None,
    })
}

/// `expression_of_concern` and `Expression of concern` as `expression-of-concern`.
fn folded(word: &str) -> String {
    word.trim().to_ascii_lowercase().replace(['_', ' '], "-")
}

/// What a source refers to by the DOI or the address of a related article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeTarget {
    /// A DOI.
    Doi(Doi),
    /// A number of PubMed.
    Pmid(String),
    /// A number of PubMed Central, without the letters.
    Pmcid(String),
    /// A page of another kind.
    Web(String),
}

impl NoticeTarget {
    /// Reads a DOI, an address, or an identifier with its scheme (`pmid:1`, `PMC1`, `info:doi/10.5555/a`). `None` for other texts.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let behind = |starts: &[&str]| starts.iter().find_map(|start| lower.strip_prefix(start)).map(str::to_owned);
        let doi = if lower.starts_with("info:doi/") { text.get("info:doi/".len()..).unwrap_or_default() } else { text };
        if let Ok(doi) = Doi::parse(doi) {
            return Some(Self::Doi(doi));
        }
        let path = behind(&["https://", "http://"]).unwrap_or_default();
        let path = path.strip_prefix("www.").unwrap_or(&path);
        let of_page = |starts: &[&str]| starts.iter().find_map(|start| path.strip_prefix(start)).and_then(number);
        let pmid = behind(&["pmid:", "info:pmid/"]).as_deref().and_then(number);
        if let Some(pmid) = pmid.or_else(|| of_page(&["pubmed.ncbi.nlm.nih.gov/", "ncbi.nlm.nih.gov/pubmed/"])) {
            return Some(Self::Pmid(pmid));
        }
        let pmcid = behind(&["pmcid:pmc", "pmcid:", "pmc"]).as_deref().and_then(number);
        let pmcid =
            pmcid.or_else(|| of_page(&["ncbi.nlm.nih.gov/pmc/articles/pmc", "pmc.ncbi.nlm.nih.gov/articles/pmc"]));
        if let Some(pmcid) = pmcid {
            return Some(Self::Pmcid(pmcid));
        }
        link::is_web(text).then(|| Self::Web(text.to_owned()))
    }

    /// The identifier in the form of [`identifiers`]; "" for a page, which identifies no article.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Doi(doi) => format!("doi:{}", doi.key()),
            Self::Pmid(number) => format!("pmid:{number}"),
            Self::Pmcid(number) => format!("pmcid:{number}"),
            Self::Web(_) => String::new(),
        }
    }

    /// The address for readers.
    #[must_use]
    pub fn address(&self) -> String {
        match self {
            Self::Doi(doi) => doi.url(),
            Self::Pmid(number) => format!("https://pubmed.ncbi.nlm.nih.gov/{number}/"),
            Self::Pmcid(number) => format!("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC{number}/"),
            Self::Web(address) => address.clone(),
        }
    }
}

/// The digits at the beginning of a text, unless letters follow them.
fn number(text: &str) -> Option<String> {
    let digits: String = text.trim().chars().take_while(char::is_ascii_digit).collect();
    let behind = text.trim().get(digits.len()..).unwrap_or_default();
    let ended = !behind.starts_with(|c: char| c.is_alphanumeric());
    (!digits.is_empty() && digits.len() <= 20 && ended).then_some(digits)
}

/// The identifiers by which other articles may name an article.
#[must_use]
pub fn identifiers(meta: &ArticleMeta) -> Vec<String> {
    let mut all: Vec<String> = meta.doi.iter().map(|doi| NoticeTarget::Doi(doi.clone()).key()).collect();
    for (kind, value) in &meta.ids {
        let value = value.trim();
        let key = match kind.as_str() {
            "pmid" => number(value).map(|number| NoticeTarget::Pmid(number).key()),
            "pmcid" | "pmc" | "pmc-uid" | "pmcaid" => {
                let bare = value.strip_prefix("PMC").or_else(|| value.strip_prefix("pmc")).unwrap_or(value);
                number(bare).map(|number| NoticeTarget::Pmcid(number).key())
            }
            _ => None,
        };
        all.extend(key);
    }
    all.sort();
    all.dedup();
    all
}

/// The notices that the source of an article names, each with its place among the related articles. A notice about itself is left out, and
/// so is one that names the other article by nothing but words.
#[must_use]
pub fn stated(meta: &ArticleMeta) -> Vec<(usize, Notice)> {
    let own = identifiers(meta);
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for (place, related) in meta.related.iter().enumerate() {
        let Some((kind, side)) = NoticeKind::of_relation(&related.kind, &meta.article_type) else { continue };
        let Some(target) = NoticeTarget::parse(&related.href) else { continue };
        let (target, address) = (target.key(), target.address());
        // A page has no key: its address tells it from others.
        let name = if target.is_empty() { &address } else { &target };
        if own.contains(&target) || !seen.insert((kind, side, name.clone())) {
            continue;
        }
        // Control characters are not text, and PostgreSQL refuses one of them.
        let label = related.text.replace(char::is_control, " ").trim().to_owned();
        found.push((place, Notice { kind, side, article: None, target, address, label, stated: true }));
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::article::RelatedArticle;

    #[test]
    fn relations_name_the_kind_and_the_side() {
        use NoticeKind as K;
        use NoticeSide::{Affected, Notice};
        for (relation, article_type, expected) in [
            ("corrected-article", "correction", (K::Correction, Notice)),
            ("corrected-article", "research-article", (K::Correction, Notice)),
            ("correction-forward", "research-article", (K::Correction, Affected)),
            ("retracted-article", "retraction", (K::Retraction, Notice)),
            ("retraction-forward", "research-article", (K::Retraction, Affected)),
            ("object-of-concern", "expression-of-concern", (K::Concern, Notice)),
            ("expression_of_concern", "research-article", (K::Concern, Affected)),
            ("partial-retraction", "partial-retraction", (K::PartialRetraction, Notice)),
            ("partial-retraction", "research-article", (K::PartialRetraction, Affected)),
            ("addendum", "research-article", (K::Addendum, Affected)),
            ("addendum", "addendum", (K::Addendum, Notice)),
            ("commentary", "research-article", (K::Comment, Affected)),
            ("commentary-article", "article-commentary", (K::Comment, Notice)),
            ("letter", "research-article", (K::Comment, Affected)),
            ("letter", "reply", (K::Reply, Notice)),
            ("reply", "letter", (K::Reply, Affected)),
            ("Erratum in", "research-article", (K::Correction, Affected)),
            ("erratum-for", "correction", (K::Correction, Notice)),
            ("republished-from", "corrected-and-republished", (K::Republication, Notice)),
            ("", "erratum", (K::Correction, Notice)),
        ] {
            assert_eq!(NoticeKind::of_relation(relation, article_type), Some(expected), "{relation} {article_type}");
        }
        for (relation, article_type) in [
            ("companion", "correction"),
            ("in-this-issue", ""),
            ("", "research-article"),
            ("letter", "letter"),
            ("product", "book-review"),
        ] {
            assert_eq!(NoticeKind::of_relation(relation, article_type), None, "{relation} {article_type}");
        }
    }

    #[test]
    fn a_relation_that_is_written_is_read_back() {
        for kind in NoticeKind::ALL {
            assert_eq!(NoticeKind::parse(kind.as_str()), Some(kind));
            for side in [NoticeSide::Notice, NoticeSide::Affected] {
                assert_eq!(NoticeSide::parse(side.as_str()), Some(side));
                let relation = kind.relation(side);
                assert_eq!(NoticeKind::of_relation(relation, "research-article"), Some((kind, side)), "{relation}");
            }
        }
    }

    #[test]
    fn targets_have_one_key_however_they_are_written() {
        let written: [(&str, &[&str]); 4] = [
            (
                "doi:10.5555/a.1",
                &["10.5555/A.1", "doi:10.5555/a.1", "https://doi.org/10.5555/a.1", "info:doi/10.5555/A.1"],
            ),
            (
                "pmid:123",
                &["pmid:123", "https://pubmed.ncbi.nlm.nih.gov/123/", "https://www.ncbi.nlm.nih.gov/pubmed/123?x=1"],
            ),
            (
                "pmcid:45",
                &[
                    "PMC45",
                    "pmcid:PMC45",
                    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC45/",
                    "https://pmc.ncbi.nlm.nih.gov/articles/PMC45",
                ],
            ),
            ("", &["https://a.example/1"]),
        ];
        for (key, texts) in written {
            for text in texts {
                let target = NoticeTarget::parse(text).unwrap();
                assert_eq!(target.key(), key, "{text}");
                assert!(link::is_web(&target.address()), "{text}");
                assert_eq!(NoticeTarget::parse(&target.address()).unwrap().key(), key, "{text}");
            }
        }
        for text in ["", "123", "see page 4", "javascript:alert(1)", "pmid:x", "PMCx"] {
            assert_eq!(NoticeTarget::parse(text), None, "{text}");
        }
    }

    #[test]
    fn identifiers_are_those_that_targets_have() {
        let ids = [("pmid", "7"), ("pmc", "PMC8.1"), ("publisher-id", "9"), ("pmcid", "x")];
        let meta = ArticleMeta {
            doi: Some(Doi::parse("10.5555/B").unwrap()),
            ids: ids.map(|(kind, value)| (kind.to_owned(), value.to_owned())).into(),
            ..ArticleMeta::default()
        };
        assert_eq!(identifiers(&meta), ["doi:10.5555/b", "pmcid:8", "pmid:7"]);
    }

    #[test]
    fn a_notice_about_itself_and_a_repeated_one_are_left_out() {
        let related = |kind: &str, href: &str, text: &str| RelatedArticle {
            kind: kind.into(),
            href: href.into(),
            text: text.into(),
        };
        let meta = ArticleMeta {
            doi: Some(Doi::parse("10.5555/own").unwrap()),
            ids: vec![("pmid".into(), "1".into())],
            article_type: "correction".into(),
            related: vec![
                related("companion", "10.5555/other", ""),
                related("corrected-article", "https://doi.org/10.5555/OWN", ""),
                related("corrected-article", "pmid:1", ""),
                related("corrected-article", "10.5555/one", "Tides\u{0}and ebbs"),
                related("corrected-article", "doi:10.5555/ONE", "again"),
                related("corrected-article", "", "Words alone"),
                related("corrected-article", "https://a.example/two", ""),
                related("retracted-article", "10.5555/one", ""),
            ],
            ..ArticleMeta::default()
        };
        let found: Vec<_> = stated(&meta)
            .into_iter()
            .map(|(place, one)| (place, one.kind, one.target, one.address, one.label))
            .collect();
        let doi = "https://doi.org/10.5555/one".to_owned();
        assert_eq!(
            found,
            [
                (3, NoticeKind::Correction, "doi:10.5555/one".to_owned(), doi.clone(), "Tides and ebbs".to_owned()),
                (6, NoticeKind::Correction, String::new(), "https://a.example/two".to_owned(), String::new()),
                (7, NoticeKind::Retraction, "doi:10.5555/one".to_owned(), doi, String::new()),
            ]
        );
    }
}
