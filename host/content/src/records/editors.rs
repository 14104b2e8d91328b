//! Two editors of one record: a change that was made from an earlier version is refused, and one that names no version says whose change it
//! followed.

use masthead_store::AuditLine;

use super::{LastEditor, Loaded, RecordEdit, RecordError, Records};

/// How long ago the change of another editor may be to be named: a day, within which both may work on the record, in milliseconds.
const RECENT_MS: i64 = 24 * 60 * 60 * 1000;

impl Records {
    /// Refuses a change that was made from another version. One that names no version is made to what is there; whoever else has changed
    /// that lately is returned.
    pub(super) async fn check_version(
        &self,
        loaded: &Loaded,
        change: &RecordEdit,
    ) -> Result<Option<LastEditor>, RecordError> {
        match &change.version {
            Some(version) if *version != loaded.version => Err(self.conflict(&loaded.subject, &loaded.version).await?),
            Some(_) => Ok(None),
            None => {
                let latest = self.store().latest_audit(&loaded.subject).await?;
                let now_ms = change.at_ms.unwrap_or_else(|| jiff::Timestamp::now().as_millisecond());
                Ok(latest.filter(|line| is_of_another(line, &change.who, now_ms)).map(LastEditor::from))
            }
        }
    }

    /// The error for the second of two editors.
    pub(super) async fn conflict(&self, subject: &str, version: &str) -> Result<RecordError, RecordError> {
        let latest = self.store().latest_audit(subject).await?;
        let by = latest.map_or_else(|| "an import".to_owned(), |line| by(&line));
        let now = if version.is_empty() { String::new() } else { format!(" (its version is {version} now)") };
        Ok(RecordError::Conflict(format!(
            "{subject} was changed in the meantime, last by {by}; read it again{now} and repeat the change"
        )))
    }
}

/// Whether somebody else made this change, and lately.
fn is_of_another(line: &AuditLine, who: &str, now_ms: i64) -> bool {
    line.entry.who != who && now_ms.saturating_sub(line.at_ms) < RECENT_MS
}

/// Who made a change, and when.
fn by(line: &AuditLine) -> String {
    let at = jiff::Timestamp::from_millisecond(line.at_ms).map(|at| at.strftime("%Y-%m-%d %H:%M UTC").to_string());
    format!("{} at {}", line.entry.who, at.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use masthead_domain::SiteId;
    use masthead_store::AuditEntry;

    use super::*;

    #[test]
    fn a_conflict_says_who_and_when() {
        let entry = AuditEntry { who: "ada".to_owned(), ..AuditEntry::default() };
        let at = |at_ms| by(&AuditLine { id: 1, site: SiteId(1), at_ms, entry: entry.clone() });
        assert_eq!(at(0), "ada at 1970-01-01 00:00 UTC");
        assert_eq!(at(1_709_208_000_000), "ada at 2024-02-29 12:00 UTC");
    }

    #[test]
    fn another_editor_is_named_for_a_day() {
        let entry = AuditEntry { who: "ada".to_owned(), ..AuditEntry::default() };
        let line = AuditLine { id: 1, site: SiteId(1), at_ms: 1_709_208_000_000, entry };
        let after = |ms: i64, who: &str| is_of_another(&line, who, line.at_ms + ms);
        assert!(after(RECENT_MS - 1, "grace") && !after(RECENT_MS, "grace") && !after(0, "ada"));
        assert!(after(-RECENT_MS, "grace"), "the clocks of two hosts differ");
        let LastEditor { who, time } = line.into();
        assert_eq!((who.as_str(), time.as_str()), ("ada", "2024-02-29T12:00:00Z"));
    }
}
