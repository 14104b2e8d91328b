//! Records: journals, issues, articles and resources as editors list, read, change and remove them. The commands `masthead journal`,
//! `issue`, `article` and `resource` and the administrators' calls are this implementation.
//!
//! A change is checked as a whole before anything is written. It names the version of the record that it was made from, and is refused if
//! somebody else has changed the record since. What was changed is kept over later imports.

mod article_files;
mod articles;
mod editors;
mod fields;
mod lists;
mod removal;
mod renaming;
mod rules;
#[cfg(test)]
mod tests;
mod types;

use std::path::{Path, PathBuf};

use masthead_domain::{
    SiteId, of_kind,
    publication::{Issue, Journal},
    resource::{ResourceKind, ResourceSource},
    text::nearest,
};
use masthead_store::{AuditEntry, Changed, RecordChange, SiteStore, Store, subjects};
use serde_json::{Value, json};

pub(crate) use self::fields::setting_differences;
use self::types::{empty, issue_name, json_of, read};
pub use self::{
    fields::FieldChange,
    lists::{ListQuery, ListedRecord, Listing},
    types::{Done, LastEditor, Record, RecordEdit, RecordError, RecordType, fields_of},
};
use crate::{
    article_fields::is_given_back,
    import::{self, MediaWriter, resources::names_file},
    record_checks, sanitize,
};

/// The keys of a comment that editors may change: the others say who wrote it, and when.
const OF_COMMENTS: [&str; 3] = ["author", "state", "text"];

/// A record as it is stored.
struct Loaded {
    name: String,
    subject: String,
    value: Value,
    version: String,
}

/// The records of one site.
#[derive(Clone, Debug)]
pub struct Records {
    media_writer: MediaWriter,
}

impl Records {
    /// The records of a site; `data` is the data folder.
    #[must_use]
    pub fn new(store: &Store, site: SiteId, data: &Path) -> Self {
        Self { media_writer: MediaWriter { store: store.site(site), site, data: data.to_owned() } }
    }

    const fn store(&self) -> &SiteStore {
        &self.media_writer.store
    }

    /// One record.
    ///
    /// # Errors
    /// [`RecordError::Missing`], if the site does not have it.
    pub async fn show(&self, of: RecordType, name: &str) -> Result<Record, RecordError> {
        let Loaded { name, subject, value, version } = match self.load(of, name).await? {
            Some(loaded) => loaded,
            None => return Err(self.missing(of, name).await?),
        };
        let kept = self.store().edits(&subject).await?.into_iter().map(|(path, _)| path);
        let kept = kept.filter(|path| is_given_back(path)).collect();
        Ok(Record { record_type: of.as_str(), name, version, kept, value })
    }

    /// Changes a record, or adds one.
    ///
    /// # Errors
    /// [`RecordError`]; nothing is changed then.
    pub async fn set(&self, of: RecordType, name: &str, change: &RecordEdit) -> Result<Done, RecordError> {
        check_source(of, "imported")?;
        if of == RecordType::Article {
            return self.set_article(name, change).await;
        }
        let loaded = self.load(of, name).await?;
        let mut last_editor = None;
        let (before, version, name, subject) = match loaded {
            Some(_) if change.create => {
                return Err(RecordError::Exists(format!("the site has {} {name:?} already", article_of(of))));
            }
            Some(loaded) => {
                last_editor = self.check_version(&loaded, change).await?;
                (loaded.value, Some(loaded.version), loaded.name, loaded.subject)
            }
            None if change.create => {
                let (value, subject) = self.blank(of, name).await?;
                (value, None, name.to_owned(), subject)
            }
            None => return Err(self.missing(of, name).await?),
        };
        let mut after = self.edited(of, &before, change).await?;
        if of == RecordType::Issue {
            articles::name_articles(self.store(), &before, &mut after).await?;
        }
        let after = canonical(of, &after)?;
        let changes = fields::differences(&before, &after);
        let mut faults = rules::faults(of, &changes, &after);
        faults.extend(record_checks::missing(self.store(), &before, &after).await?);
        if !faults.is_empty() {
            return Err(RecordError::Invalid(faults));
        }
        let renamed = of == RecordType::Issue && renaming::is_renamed(&before, &after);
        if renamed {
            self.check_new_name(&after).await?;
        }
        let action = match &version {
            None => "created",
            Some(_) if changes.is_empty() && change.release.is_empty() => "unchanged",
            Some(_) => "changed",
        };
        let (record_type, dry_run) = (of.as_str(), change.dry_run);
        let done = Done { record_type, name, action, dry_run, version, changes, last_editor: None }.after(last_editor);
        if dry_run || action == "unchanged" {
            return Ok(done);
        }
        let after = canonical(of, &self.with_files(after, change).await?)?;
        if renamed {
            return self.rename_issue(&before, &after, done, &subject, change).await;
        }
        self.store_record(of, &before, &after, done, &subject, change).await
    }

    async fn load(&self, of: RecordType, name: &str) -> Result<Option<Loaded>, RecordError> {
        let store = self.store();
        let found = match of {
            RecordType::Journal => store.journal_record(name).await?.map(|(value, version)| {
                json_of(&value).map(|value| (name.to_owned(), subjects::journal(name), value, version))
            }),
            RecordType::Issue => {
                let (journal, year, number) = issue_name(name)?;
                store.issue_record(journal, year, number).await?.map(|(value, version)| {
                    let subject = subjects::issue(journal, i64::from(year), number);
                    json_of(&value).map(|value| (format!("{journal}/{year}/{number}"), subject, value, version))
                })
            }
            RecordType::Article => return self.load_article(name).await,
            RecordType::Resource(kind) => of_kind!(kind, T => {
                store.resource_record::<T>(name).await?.map(|(_, value, version)| {
                    json_of(&value).map(|value| (name.to_owned(), subjects::resource(kind, name), value, version))
                })
            }),
        };
        let loaded = found.transpose()?;
        Ok(loaded.map(|(name, subject, value, version)| Loaded { name, subject, value, version }))
    }

    /// A record that does not exist yet, with its subject.
    async fn blank(&self, of: RecordType, name: &str) -> Result<(Value, String), RecordError> {
        let plain = |text: &str| {
            let word = |c: char| !c.is_whitespace() && !c.is_control() && !"/?#%".contains(c);
            !text.is_empty() && text.chars().count() <= 100 && text.chars().all(word)
        };
        let fault = |what: &str| {
            RecordError::invalid(format!(
                "{name:?} cannot be {what}: it needs 1 to 100 characters, none of them white space or / ? # %"
            ))
        };
        match of {
            RecordType::Journal if plain(name) && name.to_lowercase() == name => {
                let journal = Journal { key: name.to_owned(), ..Journal::default() };
                Ok((json_of(&journal)?, subjects::journal(name)))
            }
            RecordType::Journal => Err(fault("the key of a journal (in lower case)")),
            RecordType::Issue => {
                let (journal, year, number) = issue_name(name)?;
                if self.store().journal_record(journal).await?.is_none() {
                    return Err(self.missing(RecordType::Journal, journal).await?);
                }
                let (journal, issue) = (journal.to_owned(), number.to_owned());
                let subject = subjects::issue(&journal, i64::from(year), number);
                Ok((json_of(&Issue { journal, year, issue, ..Issue::default() })?, subject))
            }
            RecordType::Resource(kind) if plain(name) && kind.source() == ResourceSource::File => {
                let mut value = of_kind!(kind, T => json_of(&empty::<T>()?))?;
                value["key"] = json!(name);
                Ok((value, subjects::resource(kind, name)))
            }
            RecordType::Resource(ResourceKind::Comment) => {
                Err(RecordError::invalid("comments are written by readers".to_owned()))
            }
            RecordType::Resource(_) => Err(fault("a key")),
            RecordType::Article => Err(RecordError::invalid("articles are imported: see `masthead import`".to_owned())),
        }
    }

    /// The record with the changes, which its type may still refuse. Files have placeholders.
    async fn edited(&self, of: RecordType, before: &Value, change: &RecordEdit) -> Result<Value, RecordError> {
        let template = of.template()?;
        let mut after = before.clone();
        let mut faults = Vec::new();
        for (path, value) in &change.fields {
            faults.extend(fields::set(&mut after, path, value.clone()).err());
        }
        for (path, file) in &change.files {
            match placeholder(path, file.clone()).await {
                Ok(address) => faults.extend(fields::set(&mut after, path, Value::String(address)).err()),
                Err(fault) => faults.push(fault),
            }
        }
        faults.extend(change.release.iter().filter_map(|path| fields::known(&template, path).err()));
        for key in of.identity() {
            // An issue that is there can get another number, with everything that is in it.
            let is_number = of == RecordType::Issue && !change.create && renaming::NUMBER.contains(key);
            if before[*key] != after[*key] && !is_number {
                faults.push(format!("{key}: what identifies a record cannot be changed"));
            }
        }
        if of == RecordType::Resource(ResourceKind::Comment) {
            let paths = change.fields.iter().map(|(path, _)| path.split('.').next().unwrap_or_default());
            let others = paths.filter(|key| !OF_COMMENTS.contains(key) && before[*key] != after[*key]);
            faults.extend(
                others.map(|key| format!("{key}: of a comment only {} can be changed", OF_COMMENTS.join(", "))),
            );
        }
        if faults.is_empty() { Ok(after) } else { Err(RecordError::Invalid(faults)) }
    }

    /// Stores the files of a change, and puts their addresses into the record.
    async fn with_files(&self, mut record: Value, change: &RecordEdit) -> Result<Value, RecordError> {
        for (path, file) in &change.files {
            let address = self.media_writer.keep(file).await?;
            fields::set(&mut record, path, Value::String(address)).map_err(RecordError::invalid)?;
        }
        Ok(record)
    }

    async fn store_record(
        &self,
        of: RecordType,
        before: &Value,
        after: &Value,
        done: Done,
        subject: &str,
        change: &RecordEdit,
    ) -> Result<Done, RecordError> {
        let changes = fields::differences(before, after);
        let (entry, kept) = line(done.action, subject, &changes, change);
        let by_hand = RecordChange { from: done.version.as_deref(), entry: &entry, fields: &kept };
        let store = self.store();
        let outcome = match of {
            RecordType::Journal => store.edit_journal(&read(after)?, by_hand).await?,
            RecordType::Issue => store.edit_issue(&read(after)?, by_hand).await?,
            RecordType::Resource(kind) => of_kind!(kind, T => store.edit_resource(&read::<T>(after)?, by_hand).await?),
            // Articles have a way of their own.
            RecordType::Article => Changed::Stale,
        };
        self.made(outcome, subject, of).await?;
        let version = self.load(of, &done.name).await?.map(|loaded| loaded.version);
        Ok(Done { version, changes, ..done })
    }

    async fn made(&self, outcome: Changed, subject: &str, of: RecordType) -> Result<(), RecordError> {
        match outcome {
            Changed::Made => Ok(()),
            Changed::Stale => Err(self.conflict(subject, "").await?),
            Changed::InUse(articles) => Err(in_use(of, subject, articles)),
        }
    }

    /// The error for a record that the site does not have, with the nearest name.
    async fn missing(&self, of: RecordType, name: &str) -> Result<RecordError, RecordError> {
        let query = ListQuery { limit: 200, ..ListQuery::default() };
        let known: Vec<String> = match of {
            RecordType::Article => Vec::new(),
            _ => self.list(of, &query).await?.records.into_iter().map(|one| one.name).collect(),
        };
        Ok(unknown(of, name, &known))
    }
}

/// The error for a record that is none of the known ones.
fn unknown(of: RecordType, name: &str, known: &[String]) -> RecordError {
    let hint = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("; do you mean {near:?}?"),
        None => String::new(),
    };
    RecordError::Missing(format!("the site has no {} {name:?}{hint}", of.as_str()))
}

/// Refuses to change what is stored with its article; `how` says what is done with the article alone.
fn check_source(of: RecordType, how: &str) -> Result<(), RecordError> {
    match of {
        RecordType::Resource(kind) if kind.source() == ResourceSource::Article => {
            let fault = format!("a {} belongs to its article and is {how} with it", kind.as_str());
            Err(RecordError::invalid(fault))
        }
        _ => Ok(()),
    }
}

fn in_use(of: RecordType, subject: &str, articles: i64) -> RecordError {
    let what = of.as_str();
    RecordError::InUse(format!("{subject} has {articles} articles: move or remove them before the {what}"))
}

fn article_of(of: RecordType) -> String {
    let name = of.as_str();
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) { format!("an {name}") } else { format!("a {name}") }
}

/// The line of the audit trail for changed fields, and the fields that imports keep from now on.
fn line(
    action: &str,
    subject: &str,
    changes: &[FieldChange],
    change: &RecordEdit,
) -> (AuditEntry, Vec<(String, Option<Value>)>) {
    let side = |value: fn(&FieldChange) -> &Value| -> Value {
        changes
            .iter()
            .map(|change| (change.key.clone(), value(change).clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let entry = AuditEntry {
        who: change.who.clone(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        before: if action == "created" { Value::Null } else { side(|change| &change.before) },
        after: side(|change| &change.after),
    };
    let kept = changes.iter().map(|change| (change.key.clone(), Some(change.after.clone())));
    (entry, kept.chain(change.release.iter().map(|path| (path.clone(), None))).collect())
}

/// The address that stands for a file until it is stored.
fn placeholder_of(file: &Path) -> String {
    format!("/{}", file.file_name().and_then(|name| name.to_str()).unwrap_or("file"))
}

/// The address that a file will have, as far as it is known before the file is stored; a fault if the file cannot be stored.
async fn placeholder(path: &str, file: PathBuf) -> Result<String, String> {
    let (shown, address) = (file.display().to_string(), placeholder_of(&file));
    if !names_file(path) {
        return Err(format!("{path} is not the address of a file"));
    }
    if path.contains('+') {
        return Err(format!("{path}: name the entry of the list by its place, from 0"));
    }
    let refusal = tokio::task::spawn_blocking(move || {
        anyhow::ensure!(file.is_file(), "there is no such file");
        import::refusal(&file)
    });
    match refusal.await.map_err(anyhow::Error::from).and_then(|refusal| refusal) {
        Ok(None) => Ok(address),
        Ok(Some(reason)) => Err(format!("{path}: the picture {shown} is refused: {reason}")),
        Err(error) => Err(format!("{path}: {shown}: {error:#}")),
    }
}

/// The record as its type reads and writes it: with clean HTML, and without addresses that no page may have.
fn canonical(of: RecordType, value: &Value) -> Result<Value, RecordError> {
    match of {
        RecordType::Journal => {
            let journal: Journal = read(value)?;
            if journal.title.is_empty() {
                return Err(RecordError::invalid("title: a journal needs a name (title.en=Tides)".to_owned()));
            }
            json_of(&journal)
        }
        RecordType::Issue => json_of(&read::<Issue>(value)?),
        RecordType::Resource(kind) => of_kind!(kind, T => {
            let value: T = read(value)?;
            json_of(&sanitize::cleaned(value).map_err(|error| RecordError::invalid(error.to_string()))?)
        }),
        RecordType::Article => Ok(value.clone()),
    }
}
