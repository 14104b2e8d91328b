//! Journals and issues: those that readers do not see because they have no articles, covers that are not stored, dead links and faults of
//! direction in their texts, languages without a title.

use std::collections::BTreeSet;

use masthead_domain::publication::{Issue, Journal};
use masthead_store::{SiteStore, StoreError};

use super::{Notes, links::Links, readable, records::check_texts, stored::Stored, texts::Lacking};

const CHECK: &str = "journals";
const COVER: &str = "import the issue or journal again with its cover";
const HIDDEN: &str = "import its articles, set shown=true, or remove it";

/// The journals of a site with their issues.
pub async fn check(
    content: &SiteStore,
    links: &Links<'_>,
    (stored, lacking): (&mut Stored<'_>, &mut Lacking<'_>),
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    // Where one cannot be read, the host shows none of them.
    let Some(shown) = readable(content.shown_journals().await)? else { return Ok(()) };
    let Some(journals) = readable(content.journals().await)? else { return Ok(()) };
    let shown: BTreeSet<String> = shown.into_iter().map(|journal| journal.key).collect();
    for journal in journals {
        let place = format!("journal/{}", journal.key);
        if !shown.contains(&journal.key) {
            notes.warning(CHECK, place.as_str(), "the journal has no articles, and readers do not see it", HIDDEN);
        }
        // The cover has a diagnostic of its own.
        let texts = Journal { cover: String::new(), ..journal.clone() };
        let texts = serde_json::to_value(&texts).unwrap_or_default();
        for field in ["title", "introduction"] {
            lacking.add("journal", field, &place, &texts);
        }
        check_texts(&texts, &place, links, stored, notes).await?;
        if let Some(fault) = links.fault(stored, &journal.cover).await? {
            notes.error(CHECK, format!("{place} cover"), fault, COVER);
        }
        check_issues(content, &journal.key, links, (&mut *stored, &mut *lacking), notes).await?;
    }
    Ok(())
}

/// The issues of a journal.
async fn check_issues(
    content: &SiteStore,
    journal: &str,
    links: &Links<'_>,
    (stored, lacking): (&mut Stored<'_>, &mut Lacking<'_>),
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let Some(shown) = readable(content.shown_issues(journal).await)? else { return Ok(()) };
    let Some(issues) = readable(content.issues(journal).await)? else { return Ok(()) };
    let shown: BTreeSet<(i32, String)> = shown.into_iter().map(|issue| (issue.year, issue.issue)).collect();
    for issue in issues {
        let place = format!("issue/{journal}/{}/{}", issue.year, issue.issue);
        if !shown.contains(&(issue.year, issue.issue.clone())) {
            notes.warning(CHECK, place.as_str(), "the issue has no articles, and readers do not see it", HIDDEN);
        }
        let texts = Issue { cover: String::new(), ..issue.clone() };
        let texts = serde_json::to_value(&texts).unwrap_or_default();
        lacking.add("issue", "title", &place, &texts);
        check_texts(&texts, &place, links, stored, notes).await?;
        if let Some(fault) = links.fault(stored, &issue.cover).await? {
            notes.error(CHECK, format!("{place} cover"), fault, COVER);
        }
    }
    Ok(())
}
