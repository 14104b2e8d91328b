//! Journals and issues of a site.

use std::collections::HashSet;

use masthead_domain::{
    Lang, LocalText,
    article::{ArticleMeta, JournalRef},
    publication::{Issue, Journal},
};
use sqlx::{Any, Executor, Transaction};

use crate::{
    ChangeAction, ChangeKind, Saved, SiteStore, StoreError, StoredForm, begin_change, edits, encode, log, media_uses,
    subjects,
};

const WRITING: &str = "storing a journal";
const READING: &str = "reading journals";
/// The order of journals: by hand, then as they were added.
pub(crate) const JOURNAL_ORDER: &str = "hand_order, position, journal";

impl SiteStore {
    /// Adds or replaces a journal; an equal one is not written.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn save_journal(&self, journal: &Journal) -> Result<(), StoreError> {
        if self.journals().await?.contains(journal) {
            return Ok(());
        }
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM journals WHERE site_id = $1 AND journal = $2")
            .bind(self.site)
            .bind(&journal.key)
            .fetch_one(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        write_journal(&mut tx, self.site, journal, seq).await?;
        let used_by = media_uses::journal(&journal.key);
        media_uses::replace(&mut tx, self.site, used_by, &encode(journal)?, (self.clock)())
            .await
            .map_err(StoreError::query(WRITING))?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::write(there > 0), &journal.key)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// Adds or replaces an issue; an equal one is not written.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn save_issue(&self, issue: &Issue) -> Result<(), StoreError> {
        if self.issues(&issue.journal).await?.contains(issue) {
            return Ok(());
        }
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        write_issue(&mut tx, self.site, issue, (self.clock)()).await?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Replaced, &issue.journal)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// Adds the journal that `of` names, unless the site has one with its ISSN or title.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn ensure_journal(&self, of: &JournalRef) -> Result<Saved<()>, StoreError> {
        let before = self.journals().await?.len();
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let meta = ArticleMeta { journal: of.clone(), ..ArticleMeta::default() };
        let key = JournalDirectory::read(&mut tx, self.site).await?.of_article(&mut tx, &meta).await?;
        let after: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM journals WHERE site_id = $1")
            .bind(self.site)
            .fetch_one(&mut *tx)
            .await
            .map_err(StoreError::query(READING))?;
        if usize::try_from(after).unwrap_or(before) <= before {
            return Ok(Saved::Unchanged(()));
        }
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Added, &key)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saved::Created(()))
    }

    /// Adds an issue of the journal that `of` names (by ISSN, then by title; it is added if the site has none), or completes a
    /// stored issue: fields that are empty in the new one keep their values, and so do those that were edited by hand.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn merge_issue(&self, of: &JournalRef, issue: &Issue) -> Result<Saved<()>, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let meta = ArticleMeta { journal: of.clone(), ..ArticleMeta::default() };
        let key = JournalDirectory::read(&mut tx, self.site).await?.of_article(&mut tx, &meta).await?;
        let known = issue_data(&mut *tx, self.site, &key, issue.year, &issue.issue)
            .await
            .map_err(StoreError::query(READING))?;
        let known: Option<Issue> =
            known.map(|data| Issue::decode(&data).map_err(StoreError::damaged("an issue"))).transpose()?;
        let edited =
            edits::of(&mut *tx, self.site, &subjects::issue(&key, i64::from(issue.year), &issue.issue)).await?;
        let new = completed(Issue { journal: key.clone(), ..issue.clone() }, known.as_ref());
        let (new, _) = edits::applied(&new, &edited)?;
        if known.as_ref() == Some(&new) {
            return Ok(Saved::Unchanged(()));
        }
        write_issue(&mut tx, self.site, &new, (self.clock)()).await?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Replaced, &key)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(if known.is_some() { Saved::Updated(()) } else { Saved::Created(()) })
    }

    /// The key of the journal that `of` names, by ISSN, then by title; `None` if the site has none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn journal_key(&self, of: &JournalRef) -> Result<Option<String>, StoreError> {
        Ok(find(&self.journals().await?, of).map(|journal| journal.key.clone()))
    }

    /// All journals of the site, in their order: for importers and exports. Readers are shown
    /// [`SiteStore::shown_journals`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn journals(&self) -> Result<Vec<Journal>, StoreError> {
        sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(format!(
            "SELECT data FROM journals WHERE site_id = $1 ORDER BY {JOURNAL_ORDER}"
        )))
        .bind(self.site)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?
        .iter()
        .map(|data| Journal::decode(data).map_err(StoreError::damaged("a journal")))
        .collect()
    }

    /// All issues of a journal, newest first: for importers and exports. Readers are shown [`SiteStore::shown_issues`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn issues(&self, journal: &str) -> Result<Vec<Issue>, StoreError> {
        sqlx::query_scalar::<_, String>(
            "SELECT data FROM issues WHERE site_id = $1 AND journal = $2 ORDER BY year DESC, sort_key DESC, issue DESC",
        )
        .bind(self.site)
        .bind(journal)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?
        .iter()
        .map(|data| Issue::decode(data).map_err(StoreError::damaged("an issue")))
        .collect()
    }

    /// How many articles each issue of a journal has: `(year, issue, articles)`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn issue_sizes(&self, journal: &str) -> Result<Vec<(i64, String, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT year, issue, COUNT(*) FROM articles WHERE site_id = $1 AND journal = $2 GROUP BY year, issue",
        )
        .bind(self.site)
        .bind(journal)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }
}

/// The stored form of an issue.
pub(crate) async fn issue_data<'c>(
    executor: impl Executor<'c, Database = Any>,
    site: i64,
    journal: &str,
    year: i32,
    issue: &str,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT data FROM issues WHERE site_id = $1 AND journal = $2 AND year = $3 AND issue = $4")
        .bind(site)
        .bind(journal)
        .bind(i64::from(year))
        .bind(issue)
        .fetch_optional(executor)
        .await
}

/// The issue with its empty fields filled from the stored issue.
fn completed(mut new: Issue, known: Option<&Issue>) -> Issue {
    let Some(known) = known else { return new };
    for (field, before) in
        [(&mut new.volume, &known.volume), (&mut new.date, &known.date), (&mut new.cover, &known.cover)]
    {
        if field.is_empty() {
            field.clone_from(before);
        }
    }
    for (list, before) in [(&mut new.sections, &known.sections), (&mut new.articles, &known.articles)] {
        if list.is_empty() {
            list.clone_from(before);
        }
    }
    new.shown |= known.shown;
    for (lang, title) in &known.title.0 {
        new.title.0.entry(*lang).or_insert_with(|| title.clone());
    }
    new
}

pub(crate) async fn write_journal(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    journal: &Journal,
    position: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO journals (site_id, journal, position, data, shown, hand_order) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (site_id, journal) DO UPDATE SET data = excluded.data, shown = excluded.shown, \
         hand_order = excluded.hand_order",
    )
    .bind(site)
    .bind(&journal.key)
    .bind(position)
    .bind(encode(journal)?)
    .bind(i64::from(journal.shown))
    .bind(journal.position)
    .execute(&mut **tx)
    .await
    .map_err(StoreError::query(WRITING))?;
    Ok(())
}

/// Writes an issue with the files that it uses; `now` is the end of the use of its former ones.
pub(crate) async fn write_issue(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    issue: &Issue,
    now: i64,
) -> Result<(), StoreError> {
    let data = encode(issue)?;
    sqlx::query(
        "INSERT INTO issues (site_id, journal, year, issue, sort_key, data, shown) VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (site_id, journal, year, issue) DO UPDATE SET sort_key = excluded.sort_key, data = excluded.data, \
         shown = excluded.shown",
    )
    .bind(site)
    .bind(&issue.journal)
    .bind(i64::from(issue.year))
    .bind(&issue.issue)
    .bind(issue_key(&issue.issue))
    .bind(&data)
    .bind(i64::from(issue.shown))
    .execute(&mut **tx)
    .await
    .map_err(StoreError::query(WRITING))?;
    let used_by = media_uses::issue(&issue.journal, i64::from(issue.year), &issue.issue);
    media_uses::replace(tx, site, used_by, &data, now).await.map_err(StoreError::query(WRITING))
}

/// The journals of a site within one transaction: read once, however many articles are assigned to them.
pub(crate) struct JournalDirectory {
    site: i64,
    /// In their order.
    journals: Vec<Journal>,
    /// The position of the next journal that is added.
    next_position: i64,
    /// Issues that were added, or found, in this transaction: journal, year, issue.
    issues: HashSet<(String, i32, String)>,
}

impl JournalDirectory {
    pub(crate) async fn read(tx: &mut Transaction<'_, Any>, site: i64) -> Result<Self, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
            "SELECT data, position FROM journals WHERE site_id = $1 ORDER BY {JOURNAL_ORDER}"
        )))
        .bind(site)
        .fetch_all(&mut **tx)
        .await
        .map_err(StoreError::query(READING))?;
        let next_position = rows.iter().map(|(_, position)| position.saturating_add(1)).max().unwrap_or(0);
        let read = |(data, _): &(String, i64)| Journal::decode(data).map_err(StoreError::damaged("a journal"));
        let journals = rows.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self { site, journals, next_position, issues: HashSet::new() })
    }

    /// The key of the journal that an article belongs to, found by ISSN, then by title; journal and issue are added if the site has
    /// none.
    pub(crate) async fn of_article(
        &mut self,
        tx: &mut Transaction<'_, Any>,
        meta: &ArticleMeta,
    ) -> Result<String, StoreError> {
        let known = &self.journals;
        let key = match find(known, &meta.journal) {
            Some(journal) => journal.key.clone(),
            None => {
                let journal = from_meta(meta, known);
                write_journal(tx, self.site, &journal, self.next_position).await?;
                self.next_position = self.next_position.saturating_add(1);
                let key = journal.key.clone();
                self.journals.push(journal);
                key
            }
        };
        if let Some(year) = meta.year
            && !meta.issue.is_empty()
            && self.issues.insert((key.clone(), year, meta.issue.clone()))
        {
            let issue = Issue {
                journal: key.clone(),
                year,
                volume: meta.volume.clone(),
                issue: meta.issue.clone(),
                ..Issue::default()
            };
            add_issue(tx, self.site, &issue).await?;
        }
        Ok(key)
    }
}

/// The journal that `of` names, by ISSN, then by title, then by the key that its title gives: sources keep the title that a journal had
/// before an editor changed it.
pub(crate) fn find<'a>(journals: &'a [Journal], of: &JournalRef) -> Option<&'a Journal> {
    let same_title = |journal: &&Journal| {
        journal.title.0.values().any(|title| {
            !title.is_empty()
                && (title.eq_ignore_ascii_case(&of.title)
                    || of.trans_titles.iter().any(|(_, trans)| trans.eq_ignore_ascii_case(title)))
        })
    };
    let same_issn = |journal: &&Journal| {
        of.issn.iter().any(|issn| !issn.is_empty() && (*issn == journal.issn || *issn == journal.eissn))
    };
    let stem = key_stem(&of.title);
    let same_key = |journal: &&Journal| {
        let has_issn = !(journal.issn.is_empty() && journal.eissn.is_empty());
        !of.title.is_empty() && journal.key == stem && (of.issn.is_empty() || !has_issn)
    };
    let by_title = || journals.iter().find(same_title);
    journals.iter().find(same_issn).or_else(by_title).or_else(|| journals.iter().find(same_key))
}

/// The key of a journal with this title, without the number that tells journals of the same title apart.
fn key_stem(title: &str) -> String {
    title
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
        .chars()
        .take(60)
        .collect()
}

/// Adds an issue unless the site has one with its number: a description (title, date, cover) that was imported is not
/// overwritten by the data of an article.
async fn add_issue(tx: &mut Transaction<'_, Any>, site: i64, issue: &Issue) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO issues (site_id, journal, year, issue, sort_key, data) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (site_id, journal, year, issue) DO NOTHING",
    )
    .bind(site)
    .bind(&issue.journal)
    .bind(i64::from(issue.year))
    .bind(&issue.issue)
    .bind(issue_key(&issue.issue))
    .bind(encode(issue)?)
    .execute(&mut **tx)
    .await
    .map_err(StoreError::query(WRITING))?;
    Ok(())
}

fn from_meta(meta: &ArticleMeta, known: &[Journal]) -> Journal {
    let name = if meta.journal.title.is_empty() { "Untitled journal" } else { meta.journal.title.as_str() };
    let mut title = LocalText::of(Lang::from_tag(&meta.language).unwrap_or(Lang::En), name);
    for (tag, text) in &meta.journal.trans_titles {
        if let Some(lang) = Lang::from_tag(tag) {
            title.0.entry(lang).or_insert_with(|| text.clone());
        }
    }
    let stem = key_stem(name);
    let mut key = stem.clone();
    let mut number = 2;
    while known.iter().any(|journal| journal.key == key) {
        key = format!("{stem}-{number}");
        number += 1;
    }
    let mut issn = meta.journal.issn.iter();
    Journal {
        key,
        title,
        issn: issn.next().cloned().unwrap_or_default(),
        eissn: issn.next().cloned().unwrap_or_default(),
        sponsor: LocalText::of(Lang::En, meta.journal.publisher.clone()),
        ..Journal::default()
    }
}

/// Sorts "2" before "10", and supplements behind the issues.
fn issue_key(issue: &str) -> String {
    let digits: String = issue.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() { format!("~{issue}") } else { format!("{digits:0>8}{}", &issue[digits.len()..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_sort_as_numbers_and_supplements_last() {
        assert!(issue_key("2") < issue_key("10"));
        assert!(issue_key("3-4") > issue_key("3"));
        assert!(issue_key("S1") > issue_key("12"));
    }

    #[test]
    fn a_new_journal_gets_a_free_key() {
        let mut meta = ArticleMeta::default();
        meta.journal.title = "Études & Notes".to_owned();
        let first = from_meta(&meta, &[]);
        assert_eq!(first.key, "études-notes");
        assert_eq!(from_meta(&meta, &[first]).key, "études-notes-2");
    }

    #[test]
    fn a_journal_whose_title_was_changed_is_found_by_its_former_title() {
        let title = |title: &str| JournalRef { title: title.to_owned(), ..JournalRef::default() };
        let mut journal = from_meta(&ArticleMeta { journal: title("Tide Letters"), ..ArticleMeta::default() }, &[]);
        journal.title = LocalText::of(Lang::En, "Letters on Tides");
        let known = [journal.clone()];
        let found = |of: &JournalRef| find(&known, of).map(|journal| journal.key.as_str());
        assert_eq!(found(&title("letters on tides")), Some("tide-letters"));
        assert_eq!(found(&title("Tide Letters")), Some("tide-letters"));
        assert_eq!(found(&title("Stone Letters")), None);
        let other = JournalRef { issn: vec!["2049-3630".to_owned()], ..title("Tide Letters") };
        assert_eq!(found(&other), Some("tide-letters"));
        let known = [Journal { issn: "1234-5679".to_owned(), ..journal }];
        assert_eq!(find(&known, &other).map(|journal| &journal.key), None, "another ISSN is another journal");
    }
}
