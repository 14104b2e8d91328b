//! What a record, a change of it, and its outcome are.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use masthead_domain::{
    link, of_kind,
    publication::{Issue, Journal},
    resource::ResourceKind,
    text::nearest,
};
use masthead_store::{AuditLine, EARLIER_DOIS, StoreError, StoredForm};
use serde::Serialize;
use serde_json::Value;

use super::fields::{self, FieldChange};
use crate::{
    article_fields,
    import::{
        outage::advised,
        resources::{names_file, path_in_folder},
    },
};

/// What kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordType {
    /// A journal, named by its key.
    Journal,
    /// An issue, named `JOURNAL/YEAR/ISSUE`.
    Issue,
    /// An article, named by its number, DOI or source key.
    Article,
    /// A resource, named by its key.
    Resource(ResourceKind),
}

impl RecordType {
    /// The type with this name: `journal`, `issue`, `article`, or the name of a kind of resources.
    ///
    /// # Errors
    /// [`RecordError::Invalid`] with the nearest name.
    pub fn parse(name: &str) -> Result<Self, RecordError> {
        let others = [("journal", Self::Journal), ("issue", Self::Issue), ("article", Self::Article)];
        if let Some((_, found)) = others.iter().find(|(known, _)| *known == name) {
            return Ok(*found);
        }
        let kinds = ResourceKind::ALL.map(ResourceKind::as_str);
        ResourceKind::parse(name).map(Self::Resource).ok_or_else(|| {
            let known = others.iter().map(|(name, _)| *name).chain(kinds);
            let hint = match nearest(name, known) {
                Some(near) => format!("do you mean {near:?}?"),
                None => format!("resources are of the kinds {}", kinds.join(", ")),
            };
            RecordError::invalid(format!("there is no kind of records {name:?}; {hint}"))
        })
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Journal => "journal",
            Self::Issue => "issue",
            Self::Article => "article",
            Self::Resource(kind) => kind.as_str(),
        }
    }

    /// The keys that identify a record: they never change, except for the number of an issue ([`super::renaming`]).
    pub(super) const fn identity(self) -> &'static [&'static str] {
        match self {
            Self::Journal | Self::Resource(_) => &["key"],
            Self::Issue => &["journal", "year", "issue"],
            Self::Article => &["id", "sourceKey", EARLIER_DOIS],
        }
    }

    /// A record with every field of the type ([`fields`]).
    pub(super) fn template(self) -> Result<Value, RecordError> {
        match self {
            // Empty lists and `shown = false` are not written.
            Self::Journal => json_of(&Journal { shown: true, ..Journal::default() }),
            Self::Issue => json_of(&Issue {
                sections: vec![String::new()],
                articles: vec![String::new()],
                shown: true,
                ..Issue::default()
            }),
            Self::Article => Ok(article_fields::template()),
            Self::Resource(kind) => of_kind!(kind, T => json_of(&empty::<T>()?)),
        }
    }
}

/// A record as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Its type.
    #[serde(rename = "type")]
    pub record_type: &'static str,
    /// Its name.
    pub name: String,
    /// Its version: a change names the version that it was made from.
    pub version: String,
    /// The paths of the fields that were edited by hand, and that imports keep.
    pub kept: Vec<String>,
    /// Its fields.
    pub value: Value,
}

/// A change of a record.
#[derive(Clone, Debug, Default)]
pub struct RecordEdit {
    /// New values of fields by their paths, as [`fields_of`] reads them; null takes a field away.
    pub fields: Vec<(String, Value)>,
    /// Files for fields with the address of a file: they are stored in the site's media.
    pub files: Vec<(String, PathBuf)>,
    /// Fields that imports set again from now on.
    pub release: Vec<String>,
    /// Whether the record is new.
    pub create: bool,
    /// The version that the change was made from; without one, the change is made to whatever is there.
    pub version: Option<String>,
    /// Whether to check the change and store nothing.
    pub dry_run: bool,
    /// Who makes the change.
    pub who: String,
    /// When, in milliseconds since 1970; without it, now by the clock of the system.
    pub at_ms: Option<i64>,
}

/// What a change did, or would do in a dry run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// Type of the record.
    #[serde(rename = "type")]
    pub record_type: &'static str,
    /// Name of the record.
    pub name: String,
    /// `created`, `changed`, `unchanged`, `removed`, `withdrawn` or `reinstated`.
    pub action: &'static str,
    /// Whether nothing was stored.
    pub dry_run: bool,
    /// The version of the record now; null for a removed one, and in a dry run.
    pub version: Option<String>,
    /// The fields with their values before and after; of a removed record, those that had a value.
    pub changes: Vec<FieldChange>,
    /// Who else changed the record within the 24 hours before, if the change named no version; none of an unchanged record.
    pub last_editor: Option<LastEditor>,
}

impl Done {
    /// The same change, which followed that of another editor.
    pub(super) fn after(self, last_editor: Option<LastEditor>) -> Self {
        let last_editor = last_editor.filter(|_| self.action != "unchanged");
        Self { last_editor, ..self }
    }
}

/// Who changed a record last, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastEditor {
    /// The name in the audit trail.
    pub who: String,
    /// When, ISO 8601 in UTC.
    pub time: String,
}

impl From<AuditLine> for LastEditor {
    fn from(line: AuditLine) -> Self {
        let time = jiff::Timestamp::from_millisecond(line.at_ms).map(|time| time.to_string()).unwrap_or_default();
        Self { who: line.entry.who, time }
    }
}

/// Why a record cannot be read or changed. Nothing is changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The site does not have it.
    #[error("{0}")]
    Missing(String),
    /// The site has it already.
    #[error("{0}")]
    Exists(String),
    /// The change cannot be made: each fault with the key that it is about.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
    /// Somebody has changed the record since it was read.
    #[error("{0}")]
    Conflict(String),
    /// Articles are in it.
    #[error("{0}")]
    InUse(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read or stored.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl RecordError {
    pub(super) fn invalid(fault: String) -> Self {
        Self::Invalid(vec![fault])
    }

    /// The error of a command, with what to do if nothing more can be stored.
    #[must_use]
    pub fn advised(self) -> anyhow::Error {
        const NOTHING: &str = "nothing was changed";
        match self {
            Self::Store(error) => advised(error.into(), NOTHING),
            Self::Other(error) => advised(error, NOTHING),
            other => other.into(),
        }
    }
}

impl RecordEdit {
    /// Adds a field of a command line, `KEY=VALUE`. A field with the address of a file takes `@PATH`.
    ///
    /// # Errors
    /// [`RecordError::Invalid`], if the type has no such key or the key no such value.
    pub fn add_pair(&mut self, of: RecordType, pair: &str) -> Result<(), RecordError> {
        let example = || format!("{pair:?} is not a field: write KEY=VALUE, such as title.en=Tides");
        let (path, text) = pair.split_once('=').ok_or_else(|| RecordError::invalid(example()))?;
        let value = fields::typed(&of.template()?, path, text).map_err(RecordError::invalid)?;
        match text.strip_prefix('@').filter(|_| names_file(path)) {
            Some(file) => self.files.push((path.to_owned(), PathBuf::from(file))),
            None => self.fields.push((path.to_owned(), value)),
        }
        Ok(())
    }

    /// Adds the fields of a file in TOML or JSON. Files that it names are in its folder.
    ///
    /// # Errors
    /// [`RecordError`], if the file cannot be read, or its keys and values are not those of the type.
    pub fn add_file(&mut self, of: RecordType, file: &Path) -> Result<(), RecordError> {
        let shown = file.display();
        let text = std::fs::read_to_string(file).with_context(|| format!("reading {shown}"))?;
        let is_json = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let parsed: Result<Value, String> = if is_json {
            serde_json::from_str(&text).map_err(|error| error.to_string())
        } else {
            toml::from_str(&text).map(|table| of_toml(toml::Value::Table(table))).map_err(|error| error.to_string())
        };
        let record = parsed.map_err(|error| RecordError::invalid(format!("{shown}: {error}")))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        for (path, mut value) in fields_of(of, &record)? {
            take_files(&path, &mut value, folder, &mut self.files)?;
            self.fields.push((path, value));
        }
        Ok(())
    }
}

/// A value of a TOML file; a date is a text, whether it stands in quotes or not.
fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(yes) => Value::Bool(yes),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(values) => values.into_iter().map(of_toml).collect(),
        toml::Value::Table(fields) => {
            Value::Object(fields.into_iter().map(|(key, value)| (key, of_toml(value))).collect())
        }
    }
}

/// Takes the names of files out of a value: they are replaced with addresses when the files are stored.
fn take_files(
    path: &str,
    value: &mut Value,
    folder: &Path,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), RecordError> {
    match value {
        Value::Array(values) => {
            for (at, value) in values.iter_mut().enumerate() {
                take_files(&format!("{path}.{at}"), value, folder, files)?;
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                take_files(&format!("{path}.{key}"), value, folder, files)?;
            }
        }
        Value::String(name) if names_file(path) && !name.is_empty() && !link::is_own_or_web(name) => {
            files.push((path.to_owned(), path_in_folder(folder, name)?));
            name.clear();
        }
        _ => {}
    }
    Ok(())
}

/// Reads the fields of an object of a file or a call.
///
/// # Errors
/// [`RecordError::Invalid`], if the type has no such keys or the keys no such values.
pub fn fields_of(of: RecordType, object: &Value) -> Result<Vec<(String, Value)>, RecordError> {
    fields::flattened(&of.template()?, object).map_err(RecordError::Invalid)
}

/// Journal, year and number of an issue.
pub(super) fn issue_name(name: &str) -> Result<(&str, i32, &str), RecordError> {
    let mut parts = name.splitn(3, '/');
    let (journal, year, number) = (parts.next(), parts.next(), parts.next());
    let year = year.and_then(|year| year.parse().ok()).filter(|year| (1000..=9999).contains(year));
    match (journal, year, number) {
        (Some(journal), Some(year), Some(number)) if !journal.is_empty() && !number.trim().is_empty() => {
            Ok((journal, year, number))
        }
        _ => Err(RecordError::invalid(format!(
            "{name:?} is not the name of an issue: write JOURNAL/YEAR/ISSUE, such as tides/2026/3"
        ))),
    }
}

pub(super) fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, RecordError> {
    serde_json::from_value(value.clone()).map_err(|error| RecordError::invalid(error.to_string()))
}

pub(super) fn json_of<T: StoredForm>(value: &T) -> Result<Value, RecordError> {
    let text = value.encode().map_err(anyhow::Error::from)?;
    Ok(serde_json::from_str(&text).map_err(anyhow::Error::from)?)
}

pub(super) fn empty<T: StoredForm>() -> Result<T, RecordError> {
    Ok(T::decode("{}").map_err(anyhow::Error::from)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn records_are_named_by_their_types() {
        assert_eq!(RecordType::parse("issue").unwrap(), RecordType::Issue);
        assert_eq!(RecordType::parse("news").unwrap(), RecordType::Resource(ResourceKind::News));
        assert!(RecordType::parse("jurnal").unwrap_err().to_string().contains("do you mean \"journal\"?"));
        assert!(RecordType::parse("sandwiches").unwrap_err().to_string().contains("are of the kinds"));
    }

    #[test]
    fn every_type_has_a_template_with_its_identity() {
        let kinds = ResourceKind::ALL.map(RecordType::Resource);
        for of in [RecordType::Journal, RecordType::Issue, RecordType::Article].into_iter().chain(kinds) {
            let template = of.template().unwrap();
            for key in of.identity() {
                assert!(template.get(key).is_some(), "{of:?} has no {key}");
            }
        }
        let mut change = RecordEdit::default();
        change.add_pair(RecordType::Issue, "articles.+=10.5555/a").unwrap();
        change.add_pair(RecordType::Issue, "cover=@covers/3.png").unwrap();
        change.add_pair(RecordType::Issue, "title.en=@home").unwrap();
        assert_eq!(change.files, [("cover".to_owned(), PathBuf::from("covers/3.png"))]);
        assert_eq!(change.fields.len(), 2, "only fields with addresses of files take files");
    }

    #[test]
    fn a_file_of_a_record_names_files_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let news = RecordType::Resource(ResourceKind::News);
        let read = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let mut change = RecordEdit::default();
            change.add_file(news, &path).map(|()| change)
        };
        let toml = "cover = \"a.png\"\ndate = 2026-05-17\ntitle.en = \"Tides\"\n[[attachments]]\nname = \"b\"\nfile = \"b.pdf\"\n";
        let change = read("a.toml", toml).unwrap();
        assert!(change.fields.contains(&("date".to_owned(), Value::from("2026-05-17"))), "{change:?}");
        let files = [("cover", "a.png"), ("attachments.0.file", "b.pdf")];
        assert_eq!(change.files.len(), files.len());
        for (path, name) in files {
            assert!(change.files.contains(&(path.to_owned(), folder.path().join(name))), "{path}: {change:?}");
        }
        assert!(read("a.json", "{\"cover\": \"https://a.example/b.png\"}").unwrap().files.is_empty());
        let fault = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        assert!(fault("b.toml", "cover = \"../a.png\"").contains("not a file in the folder"));
        assert!(fault("b.toml", "titel = 3").contains("do you mean \"title\"?"));
        assert!(fault("b.toml", "= 3").contains("b.toml") && fault("b.json", "[]").contains("an object"));
    }

    #[test]
    fn an_issue_is_named_by_journal_year_and_number() {
        assert_eq!(issue_name("tides/2026/3/4").unwrap(), ("tides", 2026, "3/4"));
        for name in ["", "tides", "tides/2026", "tides/2026/", "tides/26/3", "tides/x/3", "/2026/3"] {
            assert!(issue_name(name).is_err(), "{name:?}");
        }
    }
}
