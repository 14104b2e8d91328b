//! Articles as records. A changed article is rendered again, a withdrawn one can only be put back.

use std::path::PathBuf;

use masthead_domain::{
    ArticleId, Doi,
    article::{Article, ArticleFile, Withdrawal},
    publication::Issue,
    resource::{Picture, Renditions, TableSheet},
};
use masthead_store::{Changed, EARLIER_DOIS, NewArticle, RecordChange, SiteStore, WithdrawnArticle, subjects};
use serde_json::{Value, json};

use super::{
    Done, FieldChange, Loaded, RecordEdit, RecordError, RecordType, Records, fields, line, rules,
    types::{json_of, read},
};
use crate::{
    article_fields::{self, OPEN_ACCESS, WITHDRAWN, is_withdrawal},
    import::rendered_again,
};

/// An article that is not withdrawn.
struct Present {
    id: ArticleId,
    article: Article,
    journal: String,
    files: Vec<ArticleFile>,
    version: String,
}

enum Found {
    Present(Box<Present>),
    Withdrawn(Box<WithdrawnArticle>),
}

impl Found {
    fn id(&self) -> ArticleId {
        match self {
            Self::Present(present) => present.id,
            Self::Withdrawn(withdrawn) => withdrawn.id,
        }
    }

    fn version(&self) -> &str {
        match self {
            Self::Present(present) => &present.version,
            Self::Withdrawn(withdrawn) => &withdrawn.version,
        }
    }

    /// The record; `earlier` are the DOIs that the article had before, or null.
    fn record(&self, earlier: Value) -> Result<Value, RecordError> {
        match self {
            Self::Present(present) => {
                Ok(record(present.id, (&present.article, &present.files), &present.journal, earlier))
            }
            Self::Withdrawn(withdrawn) => {
                let article = Article { meta: withdrawn.meta.clone(), ..Article::default() };
                let mut record = record(withdrawn.id, (&article, &[]), &withdrawn.journal, earlier);
                record[WITHDRAWN] = json_of(&withdrawn.withdrawal)?;
                Ok(record)
            }
        }
    }
}

/// An article after a change that is not stored yet.
struct Edited {
    article: Article,
    files: Vec<ArticleFile>,
    changes: Vec<FieldChange>,
}

/// The record of an article and its files with its number; `earlier` are the DOIs that it had before, or null.
fn record(id: ArticleId, (article, files): (&Article, &[ArticleFile]), journal: &str, earlier: Value) -> Value {
    let mut record = article_fields::record(article, files, journal);
    record["id"] = json!(id);
    if !earlier.is_null() {
        record[EARLIER_DOIS] = earlier;
    }
    record
}

/// The earlier DOIs of an article after a change of its record: the previous DOI is added, the current one is removed; null if none is
/// left.
fn earlier_dois(before: &Value, doi: Option<&Doi>) -> Value {
    let known = before[EARLIER_DOIS].as_array().into_iter().flatten().chain([&before["doi"]]);
    let known = known.filter_map(Value::as_str).filter_map(|text| Doi::parse(text).ok());
    let mut earlier: Vec<Doi> = Vec::new();
    for one in known {
        if Some(&one) != doi && !earlier.contains(&one) {
            earlier.push(one);
        }
    }
    if earlier.is_empty() { Value::Null } else { earlier.iter().map(Doi::as_str).collect() }
}

/// The number of an article in the name of its record.
pub(super) fn number(name: &str) -> Result<ArticleId, RecordError> {
    let number = name.parse().map(ArticleId);
    number.map_err(|_| RecordError::invalid(format!("{name:?} is not the number of an article")))
}

impl Records {
    pub(super) async fn load_article(&self, name: &str) -> Result<Option<Loaded>, RecordError> {
        let Some(found) = self.found(name).await? else { return Ok(None) };
        self.loaded(&found).await.map(Some)
    }

    async fn loaded(&self, found: &Found) -> Result<Loaded, RecordError> {
        let id = found.id();
        Ok(Loaded {
            name: id.to_string(),
            subject: subjects::article(id),
            value: found.record(self.earlier_dois(id).await?)?,
            version: found.version().to_owned(),
        })
    }

    /// The DOIs that an article had before; null if it had none.
    async fn earlier_dois(&self, id: ArticleId) -> Result<Value, RecordError> {
        let edits = self.store().edits(&subjects::article(id)).await?;
        Ok(edits.into_iter().find(|(path, _)| path == EARLIER_DOIS).map_or(Value::Null, |(_, dois)| dois))
    }

    /// The article with this number, DOI or source key.
    async fn found(&self, name: &str) -> Result<Option<Found>, RecordError> {
        let store = self.store();
        if let Some(id) = article_id(store, name).await?
            && let Some(present) = self.present(id).await?
        {
            return Ok(Some(Found::Present(Box::new(present))));
        }
        let id = match (name.parse().ok().map(ArticleId), Doi::parse(name)) {
            (Some(id), _) => Some(id),
            (None, Ok(doi)) => store.withdrawn_id_by_doi(&doi).await?,
            (None, Err(_)) => store.withdrawn_id_by_key(name).await?,
        };
        let Some(id) = id else { return Ok(None) };
        Ok(store.withdrawn_article(id).await?.map(|withdrawn| Found::Withdrawn(Box::new(withdrawn))))
    }

    async fn present(&self, id: ArticleId) -> Result<Option<Present>, RecordError> {
        let store = self.store();
        // The version is read first: if the article changes meanwhile, a change that was made from this one is refused.
        let Some(version) = store.article_version(id).await? else { return Ok(None) };
        let (Some(stored), Some(body)) = (store.article(id).await?, store.body(id).await?) else { return Ok(None) };
        let article = Article { meta: stored.meta, body: body.unseal() };
        Ok(Some(Present { id, article, journal: stored.journal, files: stored.files, version }))
    }

    pub(super) async fn set_article(&self, name: &str, change: &RecordEdit) -> Result<Done, RecordError> {
        let of = RecordType::Article;
        if change.create {
            return Err(RecordError::invalid("articles are imported: see `masthead import`".to_owned()));
        }
        let Some(found) = self.found(name).await? else { return Err(self.missing(of, name).await?) };
        let (id, loaded) = (found.id(), self.loaded(&found).await?);
        let last_editor = self.check_version(&loaded, change).await?;
        let after = self.edited(of, &loaded.value, change).await?;
        let changes = fields::differences(&loaded.value, &after);
        let of_withdrawal = changes.iter().filter(|one| is_withdrawal(&one.key)).count();
        let others = changes.len() - of_withdrawal;
        let done = match found {
            Found::Withdrawn(_) if others > 0 || !change.release.is_empty() => {
                let fault =
                    "the article is withdrawn: put it back first (withdrawn=), or change only the keys of withdrawn";
                Err(RecordError::invalid(fault.to_owned()))
            }
            Found::Present(_) if of_withdrawal > 0 && others > 0 => {
                Err(RecordError::invalid("withdraw an article in a change of its own, without other keys".to_owned()))
            }
            Found::Withdrawn(_) => self.set_withdrawal(id, &loaded, &after, changes, change).await,
            Found::Present(_) if of_withdrawal > 0 => self.set_withdrawal(id, &loaded, &after, changes, change).await,
            Found::Present(present) => self.set_fields(*present, &loaded, &after, change).await,
        };
        Ok(done?.after(last_editor))
    }

    /// Withdraws an article, puts it back, or changes what its page says.
    async fn set_withdrawal(
        &self,
        id: ArticleId,
        loaded: &Loaded,
        after: &Value,
        changes: Vec<FieldChange>,
        change: &RecordEdit,
    ) -> Result<Done, RecordError> {
        let was_withdrawn = !loaded.value[WITHDRAWN].is_null();
        let withdrawal = after.get(WITHDRAWN).filter(|value| !value.is_null()).map(read::<Withdrawal>).transpose()?;
        let mut faults = rules::faults(RecordType::Article, &changes, after);
        if let Some(withdrawal) = &withdrawal {
            if withdrawal.date.is_empty() {
                faults.push("withdrawn.date: a withdrawn article needs the date of the withdrawal".to_owned());
            }
            if withdrawal.reason.is_empty() {
                faults
                    .push("withdrawn.reason: a withdrawn article needs a reason (withdrawn.reason.en=...)".to_owned());
            }
        }
        if !faults.is_empty() {
            return Err(RecordError::Invalid(faults));
        }
        let action = match (was_withdrawn, &withdrawal) {
            _ if changes.is_empty() => "unchanged",
            (false, _) => "withdrawn",
            (true, None) => "reinstated",
            (true, Some(_)) => "changed",
        };
        let done = self.done(loaded, action, changes, change);
        if change.dry_run || action == "unchanged" {
            return Ok(done);
        }
        let (entry, _) = line(action, &loaded.subject, &done.changes, change);
        let kept = [(WITHDRAWN.to_owned(), withdrawal.as_ref().map(json_of).transpose()?)];
        let by_hand = RecordChange { from: Some(&loaded.version), entry: &entry, fields: &kept };
        let store = self.store();
        let outcome = match (was_withdrawn, &withdrawal) {
            (false, Some(withdrawal)) => store.withdraw_article(id, withdrawal, by_hand).await?,
            (true, Some(withdrawal)) => store.edit_withdrawal(id, withdrawal, by_hand).await?,
            (_, None) => store.reinstate_article(id, by_hand).await?,
        };
        self.finished(outcome, loaded, done).await
    }

    /// Changes the fields of an article, and renders it again.
    async fn set_fields(
        &self,
        present: Present,
        loaded: &Loaded,
        after: &Value,
        change: &RecordEdit,
    ) -> Result<Done, RecordError> {
        let action = |edited: &Edited| {
            if edited.changes.is_empty() && change.release.is_empty() { "unchanged" } else { "changed" }
        };
        let mut edited = self.edited_article(&present, loaded, after, &change.files).await?;
        if !change.dry_run && !change.files.is_empty() {
            let after = self.with_files(after.clone(), change).await?;
            edited = self.edited_article(&present, loaded, &after, &[]).await?;
        }
        let action = action(&edited);
        let Edited { article, files, changes } = edited;
        let done = self.done(loaded, action, changes, change);
        if change.dry_run || action == "unchanged" {
            return Ok(done);
        }
        let new = self.rendered(present.id, article, &files).await?;
        let (entry, mut kept) = line(action, &loaded.subject, &done.changes, change);
        // It follows from the licence, which is kept.
        kept.retain(|(path, value)| path != OPEN_ACCESS || value.is_none());
        let by_hand = RecordChange { from: Some(&loaded.version), entry: &entry, fields: &kept };
        let outcome = self.store().edit_article(present.id, &new, by_hand).await?;
        self.finished(outcome, loaded, done).await
    }

    /// An article as a change of its record makes it, if nothing is wrong with the change. `local` are files that are not stored yet.
    async fn edited_article(
        &self,
        present: &Present,
        loaded: &Loaded,
        after: &Value,
        local: &[(String, PathBuf)],
    ) -> Result<Edited, RecordError> {
        let (id, mut article, mut files) = (present.id, present.article.clone(), present.files.clone());
        let (before, journals) = (&loaded.value, self.store().journals().await?);
        article_fields::put(&mut article, &mut files, (before, after), &journals).map_err(RecordError::Invalid)?;
        let journal = after["journal"].as_str().unwrap_or_default();
        let earlier = earlier_dois(before, article.meta.doi.as_ref());
        let changed = record(id, (&article, &files), journal, earlier);
        let changes = fields::differences(before, &changed);
        let mut faults = rules::faults(RecordType::Article, &changes, &changed);
        faults.extend(self.doi_fault(id, &article, &changes).await?);
        faults.extend(self.place_faults(&article, journal, &changes).await?);
        faults.extend(self.file_faults((before, &changed), local).await?);
        if faults.is_empty() { Ok(Edited { article, files, changes }) } else { Err(RecordError::Invalid(faults)) }
    }

    /// A changed article, rendered again with the renditions of its figures and tables.
    async fn rendered(
        &self,
        id: ArticleId,
        article: Article,
        files: &[ArticleFile],
    ) -> Result<NewArticle, RecordError> {
        let store = self.store();
        let pictures = store.resources_of_article::<Picture>(id.0).await?.into_iter().map(|one| one.value.pictures);
        let tables = store.resources_of_article::<TableSheet>(id.0).await?.into_iter().map(|one| one.value.pictures);
        let renditions: Vec<Renditions> = pictures.chain(tables).flatten().collect();
        Ok(rendered_again(&self.media_writer, article, files, &renditions).await?)
    }

    /// An article as it is in another issue, with the version that it was read in; `None` if the site does not have it.
    pub(super) async fn in_issue(
        &self,
        id: ArticleId,
        to: &Issue,
    ) -> Result<Option<(String, NewArticle)>, RecordError> {
        let Some(Present { mut article, files, version, .. }) = self.present(id).await? else { return Ok(None) };
        (article.meta.year, article.meta.issue) = (Some(to.year), to.issue.clone());
        Ok(Some((version, self.rendered(id, article, &files).await?)))
    }

    /// The fault of a new DOI that another article has, or had before.
    async fn doi_fault(
        &self,
        id: ArticleId,
        article: &Article,
        changes: &[FieldChange],
    ) -> Result<Option<String>, RecordError> {
        let Some(doi) = article.meta.doi.as_ref().filter(|_| changes.iter().any(|change| change.key == "doi")) else {
            return Ok(None);
        };
        let store = self.store();
        let holder = match store.article_id_by_doi(doi).await? {
            Some(present) => Some(present),
            None => store.withdrawn_id_by_doi(doi).await?,
        };
        let other = holder.filter(|holder| *holder != id);
        Ok(other.map(|other| format!("doi: {doi} is the DOI of the article {other}, or was it before")))
    }

    /// The faults of a place that the site does not have: an article is moved to journals and issues that are there.
    async fn place_faults(
        &self,
        article: &Article,
        journal: &str,
        changes: &[FieldChange],
    ) -> Result<Vec<String>, RecordError> {
        let (store, meta) = (self.store(), &article.meta);
        let moved = |keys: &[&str]| changes.iter().any(|change| keys.contains(&change.key.as_str()));
        let mut faults = Vec::new();
        if moved(&["journal"]) && store.journal_key(&meta.journal).await?.as_deref() != Some(journal) {
            faults.push(format!(
                "journal: {journal:?} has the ISSN or the title of another journal, so that articles cannot be told apart"
            ));
        }
        if moved(&["journal", "year", "issue"]) && !meta.issue.is_empty() {
            match meta.year {
                None => faults.push("year: an article in an issue needs its year".to_owned()),
                Some(year) if store.issue_record(journal, year, &meta.issue).await?.is_none() => {
                    let name = format!("{journal}/{year}/{}", meta.issue);
                    faults.push(format!("issue: there is no issue {name}; `masthead issue set {name} --new` adds it"));
                }
                Some(_) => {}
            }
        }
        Ok(faults)
    }

    fn done(&self, loaded: &Loaded, action: &'static str, changes: Vec<FieldChange>, change: &RecordEdit) -> Done {
        Done {
            record_type: RecordType::Article.as_str(),
            name: loaded.name.clone(),
            action,
            dry_run: change.dry_run,
            version: Some(loaded.version.clone()),
            changes,
            last_editor: None,
        }
    }

    async fn finished(&self, outcome: Changed, loaded: &Loaded, done: Done) -> Result<Done, RecordError> {
        self.made(outcome, &loaded.subject, RecordType::Article).await?;
        let version = self.load_article(&loaded.name).await?.map(|loaded| loaded.version);
        Ok(Done { version, ..done })
    }
}

/// The number of the article that is named by its number, DOI or source key.
async fn article_id(store: &SiteStore, name: &str) -> Result<Option<ArticleId>, RecordError> {
    if let Ok(id) = name.parse() {
        return Ok(Some(ArticleId(id)));
    }
    Ok(store.article_ids_by_names(&[name]).await?.into_values().next())
}

/// Replaces the names of articles in the order of an issue (numbers, DOIs) with their source keys.
///
/// # Errors
/// [`RecordError::Invalid`], if the issue does not have an article that is newly named.
pub(super) async fn name_articles(store: &SiteStore, before: &Value, after: &mut Value) -> Result<(), RecordError> {
    if before["articles"] == after["articles"] {
        return Ok(());
    }
    let known: Vec<Value> = before["articles"].as_array().cloned().unwrap_or_default();
    let given: Vec<Value> = after["articles"].as_array().cloned().unwrap_or_default();
    let (mut names, mut faults) = (Vec::with_capacity(given.len()), Vec::new());
    for name in given {
        if known.contains(&name) {
            names.push(name);
            continue;
        }
        let text = name.as_str().unwrap_or_default();
        let found = match article_id(store, text).await? {
            Some(id) => store.cards_by_id(&[id]).await?.into_iter().next(),
            None => None,
        };
        // The issue may get another number in the same change.
        let issue = |year: i32, number: &str| before["year"] == year && before["issue"] == number;
        match found.filter(|card| before["journal"] == card.journal.as_str() && issue(card.year, &card.issue)) {
            Some(card) => {
                let metas = store.metas(&[card.article_id()]).await?;
                names.extend(metas.into_values().map(|(meta, _)| Value::String(meta.source_key)));
            }
            None => faults.push(format!("articles: the issue has no article {text:?}")),
        }
    }
    if !faults.is_empty() {
        return Err(RecordError::Invalid(faults));
    }
    after["articles"] = Value::Array(names);
    Ok(())
}
