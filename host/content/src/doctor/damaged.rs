//! Stored rows that cannot be read: damaged ones, and those of a version that writes another form. Pages and calls that need them fail.

use std::fmt::Display;

use masthead_domain::{
    of_kind,
    publication::{Issue, Journal},
    resource::ResourceKind,
};
use masthead_store::{
    StoreError, StoredForm as _,
    site_rows::{SiteRow, SiteRows},
};

use super::{Counted, Notes, number, text};

const CHECK: &str = "rows";
const FIX: &str = "restore the database from a backup, or remove the record and import it again";

/// The journals, issues and resources of a site. Its articles are read, and reported, where the links in them are checked.
pub async fn check(rows: &SiteRows, notes: &mut Notes<'_>) -> Result<(), StoreError> {
    let mut damaged = Counted::new(CHECK);
    for table in ["journals", "issues", "resources"] {
        let mut last: Option<SiteRow> = None;
        loop {
            let page = rows.rows(table, last.as_ref()).await?;
            for (key, error) in page.iter().filter_map(|row| fault(table, row)) {
                damaged.error(notes, key, said(&error), FIX);
            }
            let Some(end) = page.into_iter().next_back() else { break };
            last = Some(end);
        }
    }
    damaged.end(notes, "rows that cannot be read");
    Ok(())
}

/// Reports a row of another table that cannot be read.
pub fn note(notes: &mut Notes<'_>, key: String, error: &impl Display) {
    notes.error(CHECK, key, said(error), FIX);
}

fn said(error: &impl Display) -> String {
    format!("the stored row cannot be read, so that pages that show it fail: {error}")
}

/// How diagnostics name a row that cannot be read, by kind and number, and why it cannot.
fn fault(table: &str, row: &SiteRow) -> Option<(String, serde_json::Error)> {
    let data = text(row, "data");
    match table {
        "journals" => Some((format!("journal/{}", text(row, "journal")), Journal::decode(data).err()?)),
        "issues" => {
            let (journal, issue) = (text(row, "journal"), text(row, "issue"));
            let key = format!("issue/{journal}/{}/{issue}", number(row, "year"));
            Some((key, Issue::decode(data).err()?))
        }
        _ => {
            // A kind that only a newer version knows is left out everywhere.
            let kind = ResourceKind::parse(text(row, "kind"))?;
            let error = of_kind!(kind, T => T::decode(data).err())?;
            Some((format!("{}/{}", kind.as_str(), number(row, "id")), error))
        }
    }
}
