//! Records of a site: headers and metadata of its articles.

use std::collections::HashMap;

use crate::discovery::oai::xml::{Fault, Header, Metadata, OaiFormat, Record};
use masthead_content::{
    notices::{self, LinkedNotice},
    readable_article,
};
use masthead_domain::{
    ArticleId,
    access::{ArticleAccess, Rights},
    article::ArticleMeta,
    publication::Journal,
    route::Route,
};
use masthead_store::{ArticleChange, SiteStore, StoreError, StoredArticle};

use crate::discovery::oai::{Trouble, arguments::set_spec};
use crate::{
    discovery::{Open, article, dublin_core, identifier, repository},
    sites::addresses::Addresses,
};

/// Bytes of metadata behind which an answer ends, though there are fewer records in it than could be: full texts are long.
const LONG: usize = 8 << 20;
/// Articles that are read in one query; a page of full texts ends long before its hundredth record.
const TOGETHER: usize = 25;

/// What records are made from.
pub struct Records {
    store: SiteStore,
    /// All journals of the site: deleted records are in the sets of journals that have no articles any more.
    journals: Vec<Journal>,
    repository: String,
    rights: Rights,
    addresses: Addresses,
}

impl Records {
    pub async fn new(open: &Open) -> Result<Self, StoreError> {
        let store = open.store();
        let journals = store.journals().await?;
        let lang = open.scope.entry.site.default_lang();
        let rights =
            crate::page::reader::rights(&open.app, &open.scope, &open.host, lang, (&open.headers, open.client)).await;
        let repository = repository(&open.app, &open.scope.entry);
        let addresses = open.addresses(lang);
        Ok(Self { store, journals, repository, rights, addresses })
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
    pub fn header_of(&self, changed: &ArticleChange) -> Header {
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
    pub async fn record_of(&self, identifier: &str, format: OaiFormat) -> Result<Record, Trouble> {
        let (changed, article) = self.found(identifier).await?;
        let metadata = match article {
            Some(article) => {
                let notices = notices::of_article(&self.store, article.id, |id| self.page(id)).await?;
                Some(match format {
                    OaiFormat::Dc => self.dublin_core(&article, &notices),
                    OaiFormat::Jats => {
                        let (related, permit) = (notices::related(&notices), self.rights.read(article.access()));
                        Metadata::Jats(article::jats(&self.store, &article, &related, permit.as_ref(), true).await?)
                    }
                })
            }
            None => None,
        };
        Ok(Record { header: self.header_of(&changed), metadata })
    }

    /// The article behind an identifier, or that it was there.
    async fn found(&self, identifier: &str) -> Result<(ArticleChange, Option<StoredArticle>), Trouble> {
        let unknown = || Trouble::fault(Fault::IdDoesNotExist, "there is no record with this identifier");
        let number = identifier.strip_prefix("oai:").and_then(|rest| rest.strip_prefix(self.repository.as_str()));
        let number = number.and_then(|rest| rest.strip_prefix(":article/")).ok_or_else(unknown)?;
        let id = ArticleId(number.parse().map_err(|_| unknown())?);
        // `+1` and `01` are no names of article 1.
        if id.to_string() != number {
            return Err(unknown());
        }
        if let Some(article) = self.store.article(id).await? {
            let change = ArticleChange {
                id,
                changed_ms: article.changed_ms,
                seq: article.change_seq,
                journal: article.journal.clone(),
                removed: false,
            };
            return Ok((change, Some(article)));
        }
        let removed = self.store.removed_article(id).await?.ok_or_else(unknown)?;
        Ok((removed, None))
    }

    /// The records of these changes: all of them, unless they get too long.
    pub async fn records(&self, changes: &[ArticleChange], format: OaiFormat) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::with_capacity(changes.len());
        let mut length = 0;
        for some in changes.chunks(TOGETHER) {
            let present: Vec<ArticleId> = some.iter().filter(|one| !one.removed).map(|one| one.id).collect();
            let mut metadata = self.metadata(&present, format).await?;
            for one in some {
                // An article that was removed since the list was read is a deleted record.
                let metadata = metadata.remove(&one.id);
                length += metadata.as_ref().map_or(0, |metadata| match metadata {
                    Metadata::Jats(text) => text.len(),
                    Metadata::Dc(terms) => terms.iter().map(|term| term.text.len() + 32).sum(),
                });
                let header = Header { deleted: metadata.is_none(), ..self.header_of(one) };
                records.push(Record { header, metadata });
                if length > LONG {
                    return Ok(records);
                }
            }
        }
        Ok(records)
    }

    fn page(&self, id: ArticleId) -> String {
        self.addresses.route(&Route::Article(id))
    }

    /// The metadata of present articles, by number, in a number of queries that does not grow with the list.
    async fn metadata(&self, ids: &[ArticleId], format: OaiFormat) -> Result<HashMap<ArticleId, Metadata>, StoreError> {
        let notices = notices::of_articles(&self.store, ids, |id| self.page(id)).await?;
        let of = |id: &ArticleId| notices.get(id).map_or(&[][..], Vec::as_slice);
        match format {
            OaiFormat::Dc => {
                let articles = self.store.articles(ids).await?;
                Ok(articles.into_iter().map(|(id, article)| (id, self.dublin_core(&article, of(&id)))).collect())
            }
            OaiFormat::Jats => {
                let jats = |id, (meta, body): (ArticleMeta, _)| {
                    let permit = self.rights.read(ArticleAccess { article: id, open_access: meta.open_access });
                    let related = notices::related(of(&id));
                    Metadata::Jats(article::jats_of(meta, body, &related, permit.as_ref(), true))
                };
                let mut all = HashMap::with_capacity(ids.len());
                for (id, full) in self.store.full_articles(ids).await? {
                    all.insert(id, jats(id, full));
                    // An article takes milliseconds, a page of them a second: other requests of this thread are served in between.
                    tokio::task::yield_now().await;
                }
                Ok(all)
            }
        }
    }

    fn dublin_core(&self, stored: &StoredArticle, notices: &[LinkedNotice]) -> Metadata {
        let journal = self.journals.iter().find(|journal| journal.key == stored.journal);
        let address = self.page(stored.id);
        let abstracts = readable_article::abstracts(&stored.rendered);
        Metadata::Dc(dublin_core::terms(&stored.meta, &abstracts, journal, &address, notices))
    }
}
