//! What is stored where a link leads: whether the page of an address has its content. It asks as the page does.

use std::collections::{BTreeMap, BTreeSet};

use masthead_domain::{
    ArticleId,
    resource::{Collection, Composite, Information, ResourceKind},
    route::{Route, TextPage},
    site::{Channel, Site},
};
use masthead_store::{SiteStore, StoreError};

/// Codes of the channels whose number, in `info/:id`, stands for the page of the channel and not for a text.
const INFORMATION_CODES: [&str; 2] = ["item", "newItem"];

/// Stored content, asked once for each article, issue and journal.
pub struct Stored<'a> {
    content: &'a SiteStore,
    site: &'a Site,
    /// The issues that readers see: journal, year, issue.
    issues: Option<BTreeSet<(String, i32, String)>>,
    /// The keys of the journals that readers see.
    journals: Option<BTreeSet<String>>,
    articles: BTreeMap<i64, bool>,
    /// Whether the files that were asked for together are in use, by digest.
    files: BTreeMap<String, bool>,
}

/// Whether something is there, and what it is.
type Found = (bool, String);

impl<'a> Stored<'a> {
    /// The content of a site, of which nothing was asked yet.
    pub const fn new(content: &'a SiteStore, site: &'a Site) -> Self {
        Self { content, site, issues: None, journals: None, articles: BTreeMap::new(), files: BTreeMap::new() }
    }

    /// Asks for many files at once: a query for each link of each article would take most of the time of all checks.
    pub async fn ask_for_files(&mut self, digests: &BTreeSet<String>) -> Result<(), StoreError> {
        let used = self.content.files_in_use(&digests.iter().map(String::as_str).collect::<Vec<_>>()).await?;
        // Those of one batch are kept, so that the memory does not grow with the articles.
        self.files = digests.iter().map(|digest| (digest.clone(), used.contains(digest))).collect();
        Ok(())
    }

    /// What is missing of a file, if the host sends it to nobody: it has to be recorded, and in use. Whether its bytes are there is found
    /// where all files in use are gone through.
    pub async fn file(&self, digest: &str) -> Result<Option<String>, StoreError> {
        let is_there = match self.files.get(digest) {
            Some(known) => *known,
            None => !self.content.files_in_use(&[digest]).await?.is_empty(),
        };
        Ok(said((is_there, format!("the file {digest}"))))
    }

    /// What is missing at the page of a route, if something is.
    pub async fn page(&mut self, route: &Route) -> Result<Option<String>, StoreError> {
        let found = match route {
            Route::Article(id) => (self.has_article(*id).await?, format!("the article {id}")),
            Route::ArticleByDoi(doi) => {
                (self.content.article_id_by_doi(doi).await?.is_some(), format!("an article with the DOI {doi}"))
            }
            Route::IssuesOf(year) => {
                (self.issues().await?.iter().any(|(_, known, _)| known == year), format!("an issue of {year}"))
            }
            Route::Issue { journal, which } => self.issue(journal, which.as_ref()).await?,
            Route::NewsDetails(id) => self.resource(ResourceKind::News, *id).await?,
            Route::Information(id) if self.has_channel(|one| one.id == *id && has_texts(one)) => return Ok(None),
            Route::Information(id) => self.resource(ResourceKind::Information, *id).await?,
            Route::Resource(kind, id) => self.resource(*kind, *id).await?,
            Route::Collection(name) => {
                let is_there = self.content.resource_named::<Collection>(name).await?.is_some();
                (is_there, format!("the collection {name:?}"))
            }
            Route::Text(page) => return self.text(page).await,
            _ => return Ok(None),
        };
        Ok(said(found))
    }

    /// The same of a page of text.
    async fn text(&mut self, page: &TextPage) -> Result<Option<String>, StoreError> {
        let found = match page {
            TextPage::Text(key) => {
                let is_there = self.content.resource_by_key::<Information>(key).await?.is_some();
                (is_there, format!("the information {key:?}"))
            }
            // The page of a channel is there before its composite page is.
            TextPage::Composite(name) if self.has_channel(|one| has_composite(one, name)) => return Ok(None),
            TextPage::Composite(name) => {
                let is_there = self.content.resource_named::<Composite>(name).await?.is_some();
                (is_there, format!("the composite page {name:?}"))
            }
            TextPage::NewsInfo(_, news) if *news > 0 => self.resource(ResourceKind::News, *news).await?,
            TextPage::Board(_, id) | TextPage::Expert(id) if *id > 0 => {
                self.resource(ResourceKind::Expert, *id).await?
            }
            TextPage::Journal(key) if !key.is_empty() => {
                (self.journals().await?.contains(key), format!("the journal {key:?}"))
            }
            _ => return Ok(None),
        };
        Ok(said(found))
    }

    /// Whether a channel that is in use is such a one.
    fn has_channel(&self, is_it: impl Fn(&Channel) -> bool) -> bool {
        self.site.channels.iter().any(|channel| channel.enable == "1" && is_it(channel))
    }

    /// By the version, because it is read without the article.
    async fn has_article(&mut self, id: ArticleId) -> Result<bool, StoreError> {
        let is_there = match self.articles.get(&id.0) {
            Some(known) => *known,
            None => self.content.article_version(id).await?.is_some(),
        };
        self.articles.insert(id.0, is_there);
        Ok(is_there)
    }

    /// A resource by its kind and number. Its value is not read, so that a damaged one is there.
    async fn resource(&self, kind: ResourceKind, id: i64) -> Result<Found, StoreError> {
        let entity = format!("{}/{id}", kind.as_str());
        Ok((self.content.resource_row(&entity).await?.is_some(), format!("the {} {id}", kind.as_str())))
    }

    /// An issue that readers see: of any journal, or of the one that the address names.
    async fn issue(&mut self, journal: &str, which: Option<&(i32, String)>) -> Result<Found, StoreError> {
        let is_meant = |(of, year, issue): &(String, i32, String)| {
            (journal.is_empty() || of == journal) && which.is_none_or(|which| which.0 == *year && which.1 == *issue)
        };
        let is_there = self.issues().await?.iter().any(is_meant);
        let what = which.map_or_else(|| "an issue".to_owned(), |(year, issue)| format!("the issue {issue} of {year}"));
        let of = if journal.is_empty() { String::new() } else { format!(" in the journal {journal:?}") };
        Ok((is_there, format!("{what}{of}")))
    }

    async fn issues(&mut self) -> Result<&BTreeSet<(String, i32, String)>, StoreError> {
        if self.issues.is_none() {
            let shown = self.content.archive().await?.into_iter();
            self.issues = Some(shown.map(|(issue, _)| (issue.journal, issue.year, issue.issue)).collect());
        }
        Ok(self.issues.get_or_insert_default())
    }

    async fn journals(&mut self) -> Result<&BTreeSet<String>, StoreError> {
        if self.journals.is_none() {
            let shown = self.content.shown_journals().await?.into_iter();
            self.journals = Some(shown.map(|journal| journal.key).collect());
        }
        Ok(self.journals.get_or_insert_default())
    }
}

/// Whether the address `info/:id` with the number of a channel is its page.
fn has_texts(channel: &Channel) -> bool {
    INFORMATION_CODES.contains(&channel.code.as_str())
}

/// Whether the name in the address of a composite page stands for the page of a channel: by its number, or by its code where there is none.
fn has_composite(channel: &Channel, name: &str) -> bool {
    if name.is_empty() { channel.code == "newComposite" } else { channel.id.to_string() == name }
}

/// The sentence about something that is not there.
fn said((is_there, what): Found) -> Option<String> {
    (!is_there).then(|| format!("the site does not have {what}"))
}
