//! The host services behind the capabilities of plugins: content from the store and the search index, key-value storage, secrets.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use arc_swap::ArcSwap;
use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    ArticleId, Doi, Lang, SiteId,
    access::ReadPermit,
    article::{ArticleMeta, Contributor},
};
use masthead_runtime::{
    ContentSource, HostServices, SecretSource, ServiceFuture, ValueStore, WriteOutcome,
    hook_types::{Article, LanguageText, Passage, Person},
};
use masthead_search::{Index, PageOfHits, Query, Sites, compile};
use masthead_store::{CardQuery, PluginQuota, Put, SiteStore, Store, StoredArticle};

use crate::readable_article::{self, Abstract, SiteRules};

/// Storage quota of a plugin on one site.
const QUOTA: PluginQuota = PluginQuota { bytes: 5 << 20, keys: 10_000 };
/// Largest number of passages from one article.
const PASSAGES: usize = 2;
/// Characters that end a sentence in Latin scripts and in Chinese.
const SENTENCE_ENDS: [char; 8] = ['.', '!', '?', '…', '。', '！', '？', '”'];

/// The host services for plugins; `rules` are the reading rules of all sites.
pub fn services(store: &Store, search: &Arc<dyn Index>, secrets: Arc<Secrets>, rules: Arc<SiteRules>) -> HostServices {
    HostServices {
        content: Arc::new(Content { store: store.clone(), search: Arc::clone(search), rules }),
        values: Arc::new(Values(store.clone())),
        secrets,
        ..HostServices::standalone()
    }
}

struct Content {
    store: Store,
    search: Arc<dyn Index>,
    rules: Arc<SiteRules>,
}

impl Content {
    /// The permit with which plugins read an article. A plugin serves all readers alike, and may pass an article on: it gets only text that
    /// every reader may read and that is marked as open access.
    fn permit(&self, site: SiteId, article: &StoredArticle) -> Option<ReadPermit> {
        let rules = self.rules.of(site);
        let permit = rules.of(rules.everyone).read(article.access()).filter(ReadPermit::is_public);
        permit.filter(|_| article.meta.open_access)
    }
}

/// Logs an internal error, and returns the message for the plugin, which does not contain the details.
fn failed(error: &dyn std::error::Error) -> String {
    tracing::error!(%error, "a host service for plugins failed");
    "internal error of the host; see its log".to_owned()
}

async fn article(store: &SiteStore, id: ArticleId) -> Result<Option<Article>, String> {
    let found = store.article(id).await.map_err(|error| failed(&error))?;
    Ok(found.map(|article| describe(&article)))
}

impl ContentSource for Content {
    fn article(&self, site: SiteId, id: i64) -> ServiceFuture<'_, Option<Article>> {
        Box::pin(async move { article(&self.store.site(site), ArticleId(id)).await })
    }

    fn by_doi(&self, site: SiteId, doi: String) -> ServiceFuture<'_, Option<Article>> {
        Box::pin(async move {
            let Ok(doi) = Doi::parse(&doi) else { return Ok(None) };
            let store = self.store.site(site);
            match store.article_id_by_doi(&doi).await.map_err(|error| failed(&error))? {
                Some(id) => article(&store, id).await,
                None => Ok(None),
            }
        })
    }

    fn latest(&self, site: SiteId, limit: usize) -> ServiceFuture<'_, Vec<Article>> {
        Box::pin(async move {
            let store = self.store.site(site);
            let limit = i64::try_from(limit).unwrap_or(50);
            let cards = store.cards(&CardQuery::Latest, None, limit).await.map_err(|error| failed(&error))?;
            let mut all = Vec::with_capacity(cards.len());
            for card in cards {
                all.extend(article(&store, card.article_id()).await?);
            }
            Ok(all)
        })
    }

    fn full_text(&self, site: SiteId, id: i64) -> ServiceFuture<'_, Option<String>> {
        Box::pin(async move {
            let found = self.store.site(site).article(ArticleId(id)).await.map_err(|error| failed(&error))?;
            let Some(found) = found else { return Ok(None) };
            let Some(permit) = self.permit(site, &found) else { return Ok(None) };
            Ok(Some(readable_article::rendered(&found, Some(&permit)).map_err(|error| failed(&error))?.text))
        })
    }

    fn search(&self, site: SiteId, lang: Lang, text: String, limit: usize) -> ServiceFuture<'_, Vec<Passage>> {
        Box::pin(async move {
            let query = Query::typed(&text);
            let Some(search) = compile(&query) else { return Ok(Vec::new()) };
            let hits = self.search.search(Sites::one(site), search, PageOfHits::at(0, limit)).await;
            let hits = hits.map_err(|error| failed(&error))?;
            let store = self.store.site(site);
            let mut found = Vec::new();
            for id in hits.articles() {
                let stored = store.article(id).await.map_err(|error| failed(&error))?;
                let Some(stored) = stored else { continue };
                let permit = self.permit(site, &stored);
                found.extend(passages(&stored, permit.as_ref(), &query, lang).map_err(|error| failed(&error))?);
                if found.len() >= limit {
                    found.truncate(limit);
                    break;
                }
            }
            Ok(found)
        })
    }
}

/// The passages of an article that match the query: from the full text with a permit, otherwise from the abstracts.
fn passages(
    article: &StoredArticle,
    permit: Option<&ReadPermit>,
    query: &Query,
    lang: Lang,
) -> Result<Vec<Passage>, serde_json::Error> {
    let rendered = readable_article::rendered(article, permit)?;
    let summary = |between: &str| {
        let texts: Vec<String> = readable_article::abstracts_of(&rendered).map(|one| one.text).collect();
        texts.join(between)
    };
    let text = if permit.is_some() { rendered.text.clone() } else { summary("\n") };
    let mut texts = masthead_search::passages(query, &text, PASSAGES);
    // Only full sentences are kept: headings and keyword lists rank high, but do not answer a question.
    texts.retain(|text| text.trim_end().ends_with(SENTENCE_ENDS));
    if texts.is_empty() {
        let opening = summary(" ");
        texts.extend(
            masthead_search::passages(query, &opening, 1).into_iter().filter(|text| text.ends_with(SENTENCE_ENDS)),
        );
        texts.extend(first_sentence(&opening).filter(|_| texts.is_empty()));
    }
    let passage = |text| Passage {
        article: article.id.0,
        path: path(article.id),
        title: article.meta.title(lang.tag()).to_owned(),
        text,
    };
    Ok(texts.into_iter().map(passage).collect())
}

/// The first sentence of a text; used for articles that match the query in the title only. `None` if the text is empty.
fn first_sentence(text: &str) -> Option<String> {
    let end =
        text.char_indices().find(|(_, c)| SENTENCE_ENDS.contains(c) && *c != '.').map(|(at, c)| at + c.len_utf8());
    let end = end.or_else(|| text.find(". ").map(|at| at + 1)).unwrap_or(text.len());
    Some(text[..end].trim().to_owned()).filter(|sentence| !sentence.is_empty())
}

fn path(id: ArticleId) -> String {
    masthead_domain::route::Route::Article(id).path()
}

/// An article as a value of the plugin contract, including personal data (ORCID iD, email): the runtime withholds the fields that a site
/// does not grant.
#[must_use]
pub fn describe(article: &StoredArticle) -> Article {
    // If the rendered article cannot be parsed, the abstracts are missing; the article's page reports that error.
    described(article, readable_article::abstracts(&article.rendered))
}

fn described(article: &StoredArticle, abstracts: impl IntoIterator<Item = Abstract>) -> Article {
    let StoredArticle { id, meta, .. } = article;
    let plain =
        |text: &masthead_domain::article::LangText| LanguageText { lang: text.lang.clone(), value: text.plain.clone() };
    let keywords = meta.keywords.iter().flat_map(|group| {
        group.plain.iter().map(|word| LanguageText { lang: group.lang.clone(), value: word.clone() })
    });
    Article {
        id: id.0,
        doi: meta.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        path: path(*id),
        titles: meta.titles.iter().map(plain).collect(),
        authors: meta.authors().map(person).collect(),
        journal: meta.journal.title.clone(),
        issn: meta.journal.issn.clone(),
        publisher: meta.journal.publisher.clone(),
        year: meta.year.unwrap_or_default(),
        volume: meta.volume.clone(),
        issue: meta.issue.clone(),
        first_page: if meta.first_page.is_empty() { meta.elocation_id.clone() } else { meta.first_page.clone() },
        last_page: meta.last_page.clone(),
        published: meta.dates.published().to_owned(),
        kind: meta.article_type.clone(),
        language: meta.language.clone(),
        keywords: keywords.collect(),
        abstracts: abstracts.into_iter().map(|one| LanguageText { lang: one.lang, value: one.text }).collect(),
        license_url: meta.license_url.clone(),
        open_access: is_open(meta),
        reference_count: meta.reference_count,
    }
}

/// The same without personal data, for hooks of plugins without the `content` capability. Pass `rendered` if it was parsed already.
#[must_use]
pub fn public(article: &StoredArticle, rendered: Option<&RenderedArticle>) -> Article {
    let mut article = match rendered {
        Some(rendered) => described(article, readable_article::abstracts_of(rendered)),
        None => describe(article),
    };
    for person in &mut article.authors {
        (person.orcid, person.email) = (None, None);
    }
    article
}

const fn is_open(meta: &ArticleMeta) -> bool {
    meta.open_access
}

fn person(person: &Contributor) -> Person {
    let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Person {
        name: person.display_name(),
        family: person.surname.clone(),
        given: person.given_names.clone(),
        orcid: known(&person.orcid),
        email: known(&person.email),
    }
}

struct Values(Store);

impl ValueStore for Values {
    fn get<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move { self.0.site(site).plugin_value(plugin, &key).await.map_err(|error| failed(&error)) })
    }

    fn set<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        key: String,
        value: Vec<u8>,
    ) -> ServiceFuture<'a, WriteOutcome> {
        Box::pin(async move {
            let put = self.0.site(site).save_plugin_value(plugin, &key, &value, QUOTA).await;
            Ok(match put.map_err(|error| failed(&error))? {
                Put::Stored => WriteOutcome::Stored,
                Put::OverQuota { .. } => WriteOutcome::OverQuota,
            })
        })
    }

    fn delete<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, bool> {
        Box::pin(
            async move { self.0.site(site).delete_plugin_value(plugin, &key).await.map_err(|error| failed(&error)) },
        )
    }

    fn keys<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        prefix: String,
        after: String,
    ) -> ServiceFuture<'a, Vec<String>> {
        Box::pin(async move {
            let keys = self.0.site(site).plugin_keys(plugin, &prefix, &after, 100).await;
            keys.map_err(|error| failed(&error))
        })
    }
}

/// The table of the file with the secrets of the installation.
pub const PLATFORM: &str = "platform";
/// The number of the installation where secrets are listed by site: no site has the number 0.
pub const INSTALLATION: SiteId = SiteId(0);
/// The name of the secret of the installation that is the password at the mail server.
pub const MAIL_PASSWORD: &str = "mail-password";

/// Secrets by site number and name, from `secrets.toml` in the data folder:
///
/// ```toml
/// [448]
/// gateway-key = "..."
///
/// [platform]
/// mail-password = "..."
/// ```
///
/// Only the host's user may have access to the file; `masthead secrets` writes it. Secrets are not part of the site configuration, which many people can read.
/// The table `[platform]` has the secrets of the installation, which no plugin can use.
#[derive(Default)]
pub struct Secrets {
    known: ArcSwap<BTreeMap<(i64, String), String>>,
    /// Held from reading the file to using it: of two readers at a time, the one with the older file must not be the last.
    reading: Mutex<()>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// Reads the file again. If that fails, the former secrets stay in use; if there is no file, there are no secrets.
    ///
    /// # Errors
    /// A message that describes the problem of the file and contains no secret.
    pub fn read(&self, data: &Path) -> Result<(), String> {
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let path = data.join("secrets.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.known.store(Arc::default());
                return Ok(());
            }
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        let mode = std::fs::metadata(&path)
            .map(|meta| std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o077)
            .unwrap_or_default();
        if mode != 0 {
            return Err(format!("{} is accessible to other users; run chmod 600 on it", path.display()));
        }
        // The message of the parser is not used, because it quotes the line and thereby a secret.
        let sites: BTreeMap<String, BTreeMap<String, String>> = toml::from_str(&text).map_err(|_| {
            format!("{} is not valid: expected a table for each site number, with secrets as strings", path.display())
        })?;
        let mut secrets = BTreeMap::new();
        for (site, named) in sites {
            let id = match site.as_str() {
                PLATFORM => INSTALLATION.0,
                site => site.parse().map_err(|_| format!("{}: {site:?} is not a site number", path.display()))?,
            };
            secrets.extend(named.into_iter().map(|(name, secret)| ((id, name), secret)));
        }
        self.known.store(Arc::new(secrets));
        Ok(())
    }
}

impl Secrets {
    /// Whether a secret is set.
    #[must_use]
    pub fn has(&self, site: SiteId, name: &str) -> bool {
        self.known.load().contains_key(&(site.0, name.to_owned()))
    }

    /// A secret of the installation.
    #[must_use]
    pub fn of_installation(&self, name: &str) -> Option<String> {
        self.secret(INSTALLATION, name)
    }

    /// The names of all secrets, with their sites.
    #[must_use]
    pub fn names(&self) -> Vec<(SiteId, String)> {
        self.known.load().keys().map(|(site, name)| (SiteId(*site), name.clone())).collect()
    }
}

impl SecretSource for Secrets {
    fn secret(&self, site: SiteId, name: &str) -> Option<String> {
        self.known.load().get(&(site.0, name.to_owned())).cloned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn first_sentence_ends_at_its_punctuation() {
        assert_eq!(first_sentence("潮沟如何呼吸？我们测了。").as_deref(), Some("潮沟如何呼吸？"));
        assert_eq!(first_sentence("Tides rise 0.5 m. They fall.").as_deref(), Some("Tides rise 0.5 m."));
        assert_eq!(first_sentence("No end").as_deref(), Some("No end"));
        assert_eq!(first_sentence(" "), None);
    }

    #[test]
    fn secrets_are_per_site_and_the_file_must_be_private() {
        let folder = tempfile::tempdir().unwrap();
        let (path, secrets) = (folder.path().join("secrets.toml"), Secrets::default());
        assert_eq!(secrets.read(folder.path()), Ok(()));
        std::fs::write(&path, "[448]\nkey = \"k448\"\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        assert!(secrets.read(folder.path()).unwrap_err().contains("chmod 600"));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        secrets.read(folder.path()).unwrap();
        assert_eq!(secrets.secret(SiteId(448), "key").as_deref(), Some("k448"));
        assert_eq!((secrets.secret(SiteId(905), "key"), secrets.secret(SiteId(448), "other")), (None, None));
        std::fs::write(&path, "[448]\nkey = \"k448\"\n[platform]\nmail-password = \"p\"\n").unwrap();
        secrets.read(folder.path()).unwrap();
        assert_eq!(secrets.of_installation(MAIL_PASSWORD).as_deref(), Some("p"));
        assert_eq!(secrets.secret(SiteId(448), MAIL_PASSWORD), None, "sites do not see it");
        std::fs::write(&path, "[448]\nkey = k448 broken\n").unwrap();
        let message = secrets.read(folder.path()).unwrap_err();
        assert!(!message.contains("k448"), "{message}");
        assert!(secrets.secret(SiteId(448), "key").is_some(), "the former secrets stay in use");
    }
}
