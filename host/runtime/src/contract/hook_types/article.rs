//! Articles as passed to plugins, and the additions of plugins to their pages.

/// A plain text in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageText {
    /// BCP 47 tag.
    pub lang: String,
    /// The text.
    pub value: String,
}

/// An author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The whole name in the order of its script.
    pub name: String,
    /// Family name, or "" for a group.
    pub family: String,
    /// Given names, or "".
    pub given: String,
    /// ORCID iD.
    pub orcid: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
}

/// An article's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// Number within the site.
    pub id: i64,
    /// DOI, or "".
    pub doi: String,
    /// Path of its page, such as `article/17`; before any `links` hook.
    pub path: String,
    /// Titles, the original first.
    pub titles: Vec<LanguageText>,
    /// Authors in order.
    pub authors: Vec<Person>,
    /// Journal's title.
    pub journal: String,
    /// ISSNs of the journal.
    pub issn: Vec<String>,
    /// Publisher's name, or "".
    pub publisher: String,
    /// Year of publication, or 0.
    pub year: i32,
    /// Volume as printed, or "".
    pub volume: String,
    /// Issue as printed, or "".
    pub issue: String,
    /// First page or article number, or "".
    pub first_page: String,
    /// Last page, or "".
    pub last_page: String,
    /// ISO date of publication, or "".
    pub published: String,
    /// JATS article type, such as `research-article`.
    pub kind: String,
    /// BCP 47 tag of its own language.
    pub language: String,
    /// Keywords of all languages.
    pub keywords: Vec<LanguageText>,
    /// Abstracts as plain text.
    pub abstracts: Vec<LanguageText>,
    /// Address of the licence, or "".
    pub license_url: String,
    /// Whether it is open access.
    pub open_access: bool,
    /// Number of references.
    pub reference_count: u32,
}

/// A passage of an article that the site's search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The article's number.
    pub article: i64,
    /// Path of the article's page.
    pub path: String,
    /// Title in the language of the page, else the original.
    pub title: String,
    /// Sentences around the words that were searched.
    pub text: String,
}

/// The colour of a badge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadgeTone {
    /// Like the text around it.
    Neutral,
    /// Positive: open data, peer reviewed.
    Good,
    /// A caution: a preprint.
    Caution,
    /// Negative: retracted.
    Bad,
}

/// A badge of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// A word or two, in the page's language.
    pub label: String,
    /// Its meaning in a sentence, or "".
    pub hint: String,
    /// Colour.
    pub tone: BadgeTone,
    /// Target: a path inside the site or an https address, or "".
    pub href: String,
}

/// A section behind the article's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticleSection {
    /// Anchor: lower-case letters, digits and hyphens.
    pub id: String,
    /// Heading in the page's language.
    pub heading: String,
    /// HTML, not yet sanitized.
    pub html: String,
}

/// A file to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Name in the page's language.
    pub label: String,
    /// Path inside the site, such as `plugins/citation-export/ris?id=17`, or an https address.
    pub href: String,
    /// Media type, such as `application/x-research-info-systems`.
    pub media_type: String,
}

/// The additions of one plugin to an article page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticleAdditions {
    /// Badges beside the title.
    pub badges: Vec<Badge>,
    /// Sections.
    pub sections: Vec<ArticleSection>,
    /// Files.
    pub downloads: Vec<Download>,
}
