//! The checks of an installation behind `masthead doctor` and `masthead site check`: what the host accepts, and readers miss.
//!
//! What the host itself complains of is found by its own code (`masthead_web::examination`). Each family of checks has a file here.
//! [`of_files`] needs no database; [`of_content`] reads what is stored.

mod access;
mod articles;
mod bidi;
mod damaged;
mod html;
mod ids;
mod journals;
mod links;
mod lost_files;
mod menu;
mod modules;
mod notices;
mod pictures;
mod records;
mod stored;
mod texts;
mod unused;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use masthead_config::{Diagnostic, Level, Platform};
use masthead_domain::{Lang, site::Site};
use masthead_store::{
    Store, StoreError,
    backup::Value,
    site_rows::{SiteRow, SiteRows},
};

/// The installation that is checked.
pub struct Installation<'a> {
    /// The folder with the configuration of the sites.
    pub folder: &'a Path,
    /// The settings of the platform.
    pub platform: &'a Platform,
    /// The short names of the sites that the host serves.
    pub sites: BTreeSet<String>,
    /// The slots that the modules fill, by module id.
    pub modules: BTreeMap<String, String>,
    /// The keys of the message catalogues, by language and file name.
    pub catalogues: BTreeMap<(Lang, &'static str), BTreeSet<String>>,
}

/// A site that is checked.
pub struct Subject<'a> {
    /// Its configuration.
    pub site: &'a Site,
    /// Its interface languages, with those that plugins add.
    pub languages: Vec<Lang>,
    /// Paths of the pages of its menu, with the positions of their channels.
    pub menu: Vec<(usize, String)>,
    /// Its plugins in use, with the modules that each may put into slots.
    pub plugins: Vec<(String, Vec<String>)>,
    /// The paths from which redirects lead on, as they are stored.
    pub redirects: BTreeSet<String>,
}

/// Collects the diagnostics of one site.
struct Notes<'a> {
    site: &'a str,
    found: Vec<Diagnostic>,
}

impl<'a> Notes<'a> {
    const fn new(site: &'a str) -> Self {
        Self { site, found: Vec::new() }
    }

    fn add(
        &mut self,
        level: Level,
        check: &'static str,
        key: impl Into<String>,
        message: impl Into<String>,
        fix: &str,
    ) {
        self.found.push(Diagnostic::new(level, check, self.site, key).says(message, fix));
    }

    fn error(&mut self, check: &'static str, key: impl Into<String>, message: impl Into<String>, fix: &str) {
        self.add(Level::Error, check, key, message, fix);
    }

    fn warning(&mut self, check: &'static str, key: impl Into<String>, message: impl Into<String>, fix: &str) {
        self.add(Level::Warning, check, key, message, fix);
    }
}

/// Greatest number of findings that a check of rows or files lists.
const MOST: usize = 1000;

/// The findings of one check: the first ones are listed, and all are counted.
struct Counted {
    check: &'static str,
    total: usize,
}

impl Counted {
    const fn new(check: &'static str) -> Self {
        Self { check, total: 0 }
    }

    fn error(&mut self, notes: &mut Notes<'_>, key: impl Into<String>, message: impl Into<String>, fix: &str) {
        self.total += 1;
        if self.total <= MOST {
            notes.error(self.check, key, message, fix);
        }
    }

    /// Says how many there are if not all are listed; `what` is what they are, in the plural.
    fn end(self, notes: &mut Notes<'_>, what: &str) {
        if self.total > MOST {
            let message = format!("there are {} {what}; the first {MOST} are listed", self.total);
            notes.warning(self.check, self.check, message, "correct these, and run the check again");
        }
    }
}

/// What was read; `None` if a stored row cannot be read, which is a finding of [`damaged`] and not the end of a check.
fn readable<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Err(StoreError::Damaged { .. }) => Ok(None),
        other => other.map(Some),
    }
}

/// The text in a column of a row, or "".
fn text<'a>(row: &'a SiteRow, column: &str) -> &'a str {
    match row.get(column) {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}

/// The number in a column of a row, or 0.
fn number(row: &SiteRow, column: &str) -> i64 {
    match row.get(column) {
        Some(Value::Int(number)) => *number,
        _ => 0,
    }
}

/// The place of stored content in diagnostics, where a file would be.
const DATABASE: &str = "database";

/// What the files of an installation say that readers would miss. The diagnostics are not located yet.
#[must_use]
pub fn of_files(installation: &Installation<'_>, subjects: &[Subject<'_>]) -> Vec<Diagnostic> {
    let mut notes = Notes::new("");
    ids::of_platform(installation.platform, &mut notes);
    modules::of_platform(installation, &mut notes);
    texts::of_catalogues(installation, subjects, &mut notes);
    let mut found = notes.found;
    for subject in subjects {
        let mut notes = Notes::new(&subject.site.sld);
        ids::check(subject.site, &mut notes);
        access::check(subject.site, &mut notes);
        unused::check(subject.site, &mut notes);
        menu::check(subject, &mut notes);
        pictures::check(subject.site, installation.folder, &mut notes);
        modules::check(installation, subject, &mut notes);
        texts::check(subject, &mut notes);
        bidi::check(subject.site, &mut notes);
        links::check(installation, subject, &mut notes);
        found.extend(notes.found);
    }
    found
}

/// What the stored content of a site lacks.
///
/// # Errors
/// [`StoreError`], if the content cannot be read.
pub async fn of_content(
    installation: &Installation<'_>,
    subject: &Subject<'_>,
    store: &Store,
    data: &Path,
) -> Result<Vec<Diagnostic>, StoreError> {
    let content = store.site(subject.site.id);
    let rows = SiteRows::of(store.site(subject.site.id)).await?;
    let mut notes = Notes::new(&subject.site.sld);
    let links = links::Links::new(installation, subject);
    let mut stored = stored::Stored::new(&content, subject.site);
    // Links of the configuration lead to stored content, too; their keys are in files.
    for (key, address, level) in links::configured(subject.site) {
        links.follow(&mut stored, (key.as_str(), &address, level), &mut notes).await?;
    }
    menu::check_composites(subject.site, &content, &mut notes).await?;
    access::check_institutions(subject.site, &content, &mut notes).await?;
    let configured = notes.found.len();
    access::check_networks(&content, &mut notes).await?;
    damaged::check(&rows, &mut notes).await?;
    // Languages that plugins add are those of the interface.
    let mut lacking = texts::Lacking::new(&subject.site.languages);
    journals::check(&content, &links, (&mut stored, &mut lacking), &mut notes).await?;
    records::check(&content, &links, (&mut stored, &mut lacking), &mut notes).await?;
    articles::check(&content, &links, &mut stored, &mut notes).await?;
    notices::check(&content, &mut notes).await?;
    lost_files::check(&rows, &content, data, &mut notes).await?;
    lacking.report(&mut notes);
    for diagnostic in notes.found.iter_mut().skip(configured) {
        diagnostic.file = DATABASE.to_owned();
    }
    Ok(notes.found)
}

#[cfg(test)]
mod tests;
