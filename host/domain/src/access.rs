//! What a reader may do on a site (specification: site permissions), and whether a reader may read an article. [`Rights`] is the only
//! place that decides; its answer is a permit, without which the full text ([`FullText`]) does not open.

mod policy;

pub use self::policy::{Audience, Institution, Permissions, ReaderStatus, SiteAccess};
use crate::ids::ArticleId;

/// Input of a decision about a reader's permissions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessRequest {
    /// `Referer` of the first request of the visit, or "".
    pub referrer: String,
    /// Whether the reader is signed in.
    pub signed_in: bool,
    /// Name of the requested route (`article`, `issue`, ...).
    pub route: String,
    /// What the site's configuration permits this reader, as changed by the plugins earlier in the chain.
    pub permissions: Permissions,
}

/// What the decision about an article depends on, apart from the reader and the article: the site's state and configuration.
/// The default permits nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingRules {
    /// Whether the site answers: a site that is closed or in maintenance lets nobody read.
    pub active: bool,
    /// What the site's configuration permits every reader, also one of whom nothing is known.
    pub everyone: Permissions,
    /// Whether everyone may read the articles that are marked as open access, whatever `everyone` says.
    pub open_access_for_all: bool,
    /// Whether plugins decide about the permissions of each reader (hook `access.decide`).
    pub by_reader: bool,
    /// Whether the site's configuration lets some readers download and others not.
    pub limits_downloads: bool,
}

/// What the decision depends on of an article. An article that was removed has none: nobody may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArticleAccess {
    /// The article's number.
    pub article: ArticleId,
    /// Whether it is marked as open access.
    pub open_access: bool,
}

impl ReadingRules {
    /// Whether the article is open: everyone may read it, whoever they are.
    #[must_use]
    pub const fn is_open(&self, article: ArticleAccess) -> bool {
        let all = self.everyone.visit_power && !self.by_reader;
        self.active && (all || (self.open_access_for_all && article.open_access))
    }

    /// Whether everyone may download the article: its licence lets everyone pass it on, so that a site that limits downloads to some readers
    /// does not limit this one. Plugins that decide about each reader, and a site that lets nobody download, decide about it as about others.
    const fn downloads_are_open(&self, article: ArticleAccess) -> bool {
        self.limits_downloads && !self.by_reader && self.open_access_for_all && article.open_access
    }

    /// The rights of a reader with these permissions, which the plugins have decided about already.
    #[must_use]
    pub const fn of(self, permissions: Permissions) -> Rights {
        Rights { rules: self, permissions, refusal: Refusal::SignIn }
    }
}

/// What a reader lacks for something that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The reader is not signed in.
    SignIn,
    /// The reader is signed in, and this account may not.
    Account,
    /// The reader's session could not be looked up: whether this reader may is not known, and the same request may succeed later.
    Unknown,
}

/// The rights of one reader on one site. It answers for all articles of the site whether this reader may read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    rules: ReadingRules,
    permissions: Permissions,
    refusal: Refusal,
}

impl Rights {
    /// The same rights, of a reader who is signed in or not: it decides nothing but what a refusal says.
    #[must_use]
    pub const fn signed_in(self, signed_in: bool) -> Self {
        Self { refusal: if signed_in { Refusal::Account } else { Refusal::SignIn }, ..self }
    }

    /// The same rights, of a reader whose session could not be looked up.
    #[must_use]
    pub const fn of_unknown_session(self) -> Self {
        Self { refusal: Refusal::Unknown, ..self }
    }

    /// What this reader lacks where something is refused.
    #[must_use]
    pub const fn refusal(&self) -> Refusal {
        self.refusal
    }

    /// The reader's permissions.
    #[must_use]
    pub const fn permissions(&self) -> Permissions {
        self.permissions
    }

    /// Whether the site answers at all.
    #[must_use]
    pub const fn is_active(&self) -> bool {
        self.rules.active
    }

    /// The permit to read the full text of an article, with its figures and tables; `None` if the reader may not.
    #[must_use]
    pub const fn read(&self, article: ArticleAccess) -> Option<ReadPermit> {
        let open_access = self.rules.open_access_for_all && article.open_access;
        if self.rules.active && (self.permissions.visit_power || open_access) {
            Some(ReadPermit { article: article.article, public: self.rules.is_open(article) })
        } else {
            None
        }
    }

    /// The permit to download the full text of an article and its files; `None` if the reader may not read it, or not download.
    #[must_use]
    pub const fn download(&self, article: ArticleAccess) -> Option<DownloadPermit> {
        match self.read(article) {
            Some(read) if self.permissions.download_power || self.rules.downloads_are_open(article) => {
                Some(DownloadPermit(ReadPermit { public: self.is_same_for_all(article), ..read }))
            }
            _ => None,
        }
    }

    /// Whether the reader may download what concerns an article and is open to read, such as its citation.
    #[must_use]
    pub const fn downloads(&self, article: ArticleAccess) -> bool {
        self.rules.active && (self.permissions.download_power || self.rules.downloads_are_open(article))
    }

    /// Whether the reader may read the full text of every article of the site.
    #[must_use]
    pub const fn reads_everything(&self) -> bool {
        self.rules.active && self.permissions.visit_power
    }

    /// Whether the reader may read more than everyone: pages for this reader must not be kept.
    #[must_use]
    pub const fn is_privileged(&self) -> bool {
        self.reads_everything() && (self.rules.by_reader || !self.rules.everyone.visit_power)
    }

    /// Whether the article is open, and answers about it do not depend on the reader in any other way.
    #[must_use]
    pub const fn is_same_for_all(&self, article: ArticleAccess) -> bool {
        let downloads = !self.rules.limits_downloads || self.rules.downloads_are_open(article);
        self.rules.is_open(article) && !self.rules.by_reader && downloads
    }
}

/// Proof that a reader may read the full text of one article. Only [`Rights::read`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPermit {
    article: ArticleId,
    public: bool,
}

impl ReadPermit {
    /// The article.
    #[must_use]
    pub const fn article(&self) -> ArticleId {
        self.article
    }

    /// Whether everyone has this permit, so that caches may share what it opens.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        self.public
    }
}

/// Proof that a reader may read one article and download its files. Only [`Rights::download`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadPermit(ReadPermit);

impl DownloadPermit {
    /// The permit to read, which is part of it. It is public only if everyone may download as well.
    #[must_use]
    pub const fn read(&self) -> &ReadPermit {
        &self.0
    }
}

/// Content of an article that not everyone may read. It opens with a permit for this article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullText<T> {
    article: ArticleId,
    content: T,
}

impl<T> FullText<T> {
    /// Seals content of an article.
    #[must_use]
    pub const fn new(article: ArticleId, content: T) -> Self {
        Self { article, content }
    }

    /// Whether the permit is for this article.
    #[must_use]
    pub const fn opens_with(&self, permit: &ReadPermit) -> bool {
        permit.article.0 == self.article.0
    }

    /// The content, for a reader with a permit; `None` if the permit is for another article.
    #[must_use]
    pub fn open(self, permit: &ReadPermit) -> Option<T> {
        self.opens_with(permit).then_some(self.content)
    }

    /// The content without a permit, for work of the host that shows it to no reader: indexing, export by an operator, selection of
    /// the parts that are open to everyone. The crate `web` does not use it.
    #[must_use]
    pub const fn unsealed(&self) -> &T {
        &self.content
    }

    /// The same by value.
    #[must_use]
    pub fn unseal(self) -> T {
        self.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Permissions = Permissions { visit_power: false, download_power: false };
    const ALL: Permissions = Permissions { visit_power: true, download_power: true };
    const FREE: ArticleAccess = ArticleAccess { article: ArticleId(1), open_access: true };
    const OTHER: ArticleAccess = ArticleAccess { article: ArticleId(2), open_access: false };

    #[test]
    fn a_site_that_is_closed_lets_nobody_read() {
        let rules = ReadingRules { active: false, everyone: ALL, open_access_for_all: true, ..ReadingRules::default() };
        assert!(rules.of(ALL).read(FREE).is_none() && rules.of(ALL).download(FREE).is_none() && !rules.is_open(FREE));
        assert_eq!(ReadingRules::default().of(ALL).read(FREE), None);
    }

    #[test]
    fn the_permission_of_the_reader_decides_and_open_access_where_the_site_says_so() {
        let rules = ReadingRules { active: true, everyone: NONE, by_reader: true, ..ReadingRules::default() };
        for article in [FREE, OTHER] {
            assert!(rules.of(NONE).read(article).is_none() && !rules.is_open(article));
            assert!(rules.of(ALL).read(article).is_some_and(|permit| !permit.is_public()));
        }
        let hybrid = ReadingRules { open_access_for_all: true, ..rules };
        assert!(hybrid.of(NONE).read(FREE).is_some_and(|permit| permit.is_public()));
        assert!(hybrid.of(NONE).read(OTHER).is_none() && hybrid.of(NONE).download(FREE).is_none());
        let open = ReadingRules { active: true, everyone: ALL, ..ReadingRules::default() };
        assert!(open.of(ALL).read(OTHER).is_some_and(|permit| permit.is_public()));
        assert!(open.of(ALL).download(OTHER).is_some_and(|permit| permit.read().is_public()));
        assert!(!open.of(ALL).is_privileged() && rules.of(ALL).is_privileged());
        // Plugins that decide about each reader may deny: what they permit is not for all.
        let decided = ReadingRules { by_reader: true, ..open };
        assert!(decided.of(ALL).read(OTHER).is_some_and(|permit| !permit.is_public()));
    }

    #[test]
    fn downloads_for_some_readers_are_shared_with_nobody() {
        // Everyone may read, members may download: the files of no article are public.
        let everyone = Permissions { visit_power: true, download_power: false };
        let rules = ReadingRules { active: true, everyone, limits_downloads: true, ..ReadingRules::default() };
        let (stranger, member) = (rules.of(everyone), rules.of(ALL));
        assert!(stranger.read(OTHER).is_some_and(|permit| permit.is_public()));
        assert!(stranger.download(OTHER).is_none() && !stranger.downloads(OTHER));
        assert!(member.download(OTHER).is_some_and(|permit| !permit.read().is_public()) && member.downloads(OTHER));
        assert!(!member.is_same_for_all(OTHER) && !stranger.is_same_for_all(OTHER));
        // Open access articles are open where the site says so, in both ways.
        let hybrid = ReadingRules { open_access_for_all: true, ..rules };
        assert!(hybrid.of(everyone).download(FREE).is_some_and(|permit| permit.read().is_public()));
        assert!(hybrid.of(everyone).download(OTHER).is_none() && hybrid.of(NONE).is_same_for_all(FREE));
        // Not where plugins decide, or nobody may download.
        let decided = ReadingRules { by_reader: true, ..hybrid };
        assert!(decided.of(everyone).download(FREE).is_none() && !decided.of(ALL).is_same_for_all(FREE));
        let shut = ReadingRules { limits_downloads: false, ..hybrid };
        assert!(shut.of(everyone).download(FREE).is_none() && shut.of(everyone).is_same_for_all(FREE));
    }

    #[test]
    fn a_refusal_says_what_the_reader_lacks() {
        let rights = ReadingRules::default().of(NONE);
        assert_eq!(rights.refusal(), Refusal::SignIn);
        assert_eq!(rights.signed_in(true).refusal(), Refusal::Account);
        assert_eq!(rights.signed_in(true).signed_in(false).refusal(), Refusal::SignIn);
        assert_eq!(rights.of_unknown_session().refusal(), Refusal::Unknown);
    }

    #[test]
    fn a_permit_opens_its_own_article_only() {
        let rules = ReadingRules { active: true, ..ReadingRules::default() };
        let permit = rules.of(ALL).read(FREE);
        let open = |article| permit.and_then(|permit| FullText::new(article, "text").open(&permit));
        assert_eq!((open(ArticleId(1)), open(ArticleId(2))), (Some("text"), None));
    }
}
