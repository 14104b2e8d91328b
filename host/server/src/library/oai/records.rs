//! Records of a site: headers and metadata of its articles.

use masthead_documents::html::RenderedArticle;
use masthead_domain::{ArticleId, access::Permissions, publication::Journal, route::Route};
use masthead_store::{Changed, SiteStore, StoreError, StoredArticle};

use super::{Trouble, arguments::set_spec};
use crate::discovery::oai_xml::{Fault, Format, Header, Metadata, Record};
use crate::library::{Open, article, dublin_core, identifier, repository};

/// Bytes of metadata behind which an answer ends, though there are fewer records in it than could be: full texts are long.
const LONG: usize = 8 << 20;

/// What records are made from.
pub struct Records<'a> {
    open: &'a Open,
    store: SiteStore,
    journals: Vec<Journal>,
    repository: String,
    permissions: Permissions,
}

impl<'a> Records<'a> {
    pub async fn new(open: &'a Open) -> Result<Self, StoreError> {
        let store = open.store();
        let journals = store.journals().await?;
        let lang = open.scope.entry.site.default_lang();
        let permissions = crate::view::permissions(&open.app, &open.scope, &open.host, lang, &open.headers).await;
        let repository = repository(&open.app, &open.scope.entry);
        Ok(Self { open, store, journals, repository, permissions })
    }

    /// The key of the journal that a set stands for.
    pub fn journal_of(&self, set: &str) -> Result<String, Trouble> {
        if self.journals.is_empty() {
            return Err(Trouble::fault(Fault::NoSetHierarchy, "this repository has no sets yet"));
        }
        let found = self.journals.iter().find(|journal| set_spec(&journal.key) == set);
        found
            .map(|journal| journal.key.clone())
            .ok_or_else(|| Trouble::fault(Fault::NoRecordsMatch, "there is no such set"))
    }

    /// The header of a change.
    pub fn header_of(&self, changed: &Changed) -> Header {
        Header {
            identifier: identifier(&self.repository, changed.id),
            changed_ms: changed.changed_ms,
            sets: vec![set_spec(&changed.journal)],
            deleted: changed.removed,
        }
    }

    /// The header of the record with this identifier.
    pub async fn header(&self, identifier: &str) -> Result<Header, Trouble> {
        Ok(self.header_of(&self.found(identifier).await?.0))
    }

    /// The record with this identifier.
    pub async fn record_of(&self, identifier: &str, format: Format) -> Result<Record, Trouble> {
        let (changed, article) = self.found(identifier).await?;
        let metadata = match article {
            Some(article) => Some(self.metadata(&article, format).await?),
            None => None,
        };
        Ok(Record { header: self.header_of(&changed), metadata })
    }

    /// The article behind an identifier, or that it was there.
    async fn found(&self, identifier: &str) -> Result<(Changed, Option<StoredArticle>), Trouble> {
        let unknown = || Trouble::fault(Fault::IdDoesNotExist, "there is no record with this identifier");
        let number = identifier.strip_prefix("oai:").and_then(|rest| rest.strip_prefix(self.repository.as_str()));
        let number = number.and_then(|rest| rest.strip_prefix(":article/")).ok_or_else(unknown)?;
        let id = ArticleId(number.parse().map_err(|_| unknown())?);
        // `+1` and `01` are no names of article 1.
        if id.to_string() != number {
            return Err(unknown());
        }
        if let Some(article) = self.store.article(id).await? {
            let (changed_ms, journal) = (article.changed_ms, article.journal.clone());
            return Ok((Changed { id, changed_ms, journal, removed: false }, Some(article)));
        }
        let removed = self.store.removed_article(id).await?.ok_or_else(unknown)?;
        Ok((removed, None))
    }

    /// The records of these changes: all of them, unless they get too long.
    pub async fn records(&self, changed: &[Changed], format: Format) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::with_capacity(changed.len());
        let mut length = 0;
        for one in changed {
            // What went since the list was read is told as gone.
            let article = if one.removed { None } else { self.store.article(one.id).await? };
            let metadata = match &article {
                Some(article) => Some(self.metadata(article, format).await?),
                None => None,
            };
            length += match &metadata {
                Some(Metadata::Jats(text)) => text.len(),
                Some(Metadata::Dc(terms)) => terms.iter().map(|term| term.text.len() + 32).sum(),
                None => 0,
            };
            let header = Header { deleted: article.is_none(), ..self.header_of(one) };
            records.push(Record { header, metadata });
            if length > LONG {
                break;
            }
        }
        Ok(records)
    }

    async fn metadata(&self, stored: &StoredArticle, format: Format) -> Result<Metadata, StoreError> {
        match format {
            Format::Dc => {
                // What cannot be read was rendered by another version; the abstract is missing then, the record is not.
                let rendered: RenderedArticle = serde_json::from_str(&stored.rendered).unwrap_or_default();
                let journal = self.journals.iter().find(|journal| journal.key == stored.journal);
                let lang = self.open.scope.entry.site.default_lang();
                let address = self.open.addresses(lang).route(&Route::Article(stored.id));
                Ok(Metadata::Dc(dublin_core::terms(&stored.meta, &rendered, journal, &address)))
            }
            Format::Jats => {
                let full = self.permissions.visit_power;
                Ok(Metadata::Jats(article::jats(&self.store, stored, full, true).await?))
            }
        }
    }
}
