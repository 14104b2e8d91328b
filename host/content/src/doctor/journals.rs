//! Journals and issues that readers do not see because they have no articles, covers that are not stored, and introductions with dead links.

use std::collections::BTreeSet;

use masthead_store::{SiteStore, StoreError};

use super::{
    Notes, bidi, html,
    links::{Links, Stored},
};

const CHECK: &str = "journals";
const COVER: &str = "import the issue or journal again with its cover";

/// The journals of a site with their issues.
pub async fn check(
    content: &SiteStore,
    links: &Links<'_>,
    stored: &mut Stored<'_>,
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let shown: BTreeSet<String> = content.shown_journals().await?.into_iter().map(|journal| journal.key).collect();
    for journal in content.journals().await? {
        let place = format!("journal/{}", journal.key);
        if !shown.contains(&journal.key) {
            let message = "the journal has no articles, and readers do not see it";
            notes.warning(CHECK, place.as_str(), message, "import its articles, set shown=true, or remove it");
        }
        for (lang, text) in &journal.introduction.0 {
            let place = format!("{place} introduction.{lang}");
            for address in html::links(text) {
                links.note(stored, place.clone(), &address, notes).await?;
            }
            bidi::note(notes, place, Some(*lang), text);
        }
        if let Some(fault) = links.fault(stored, &journal.cover).await? {
            notes.error(CHECK, format!("{place} cover"), fault, COVER);
        }
        let shown_issues = content.shown_issues(&journal.key).await?;
        let shown: BTreeSet<(i32, String)> = shown_issues.into_iter().map(|issue| (issue.year, issue.issue)).collect();
        for issue in content.issues(&journal.key).await? {
            let place = format!("issue/{}/{}/{}", journal.key, issue.year, issue.issue);
            if !shown.contains(&(issue.year, issue.issue.clone())) {
                let message = "the issue has no articles, and readers do not see it";
                notes.warning(CHECK, place.as_str(), message, "import its articles, set shown=true, or remove it");
            }
            if let Some(fault) = links.fault(stored, &issue.cover).await? {
                notes.error(CHECK, format!("{place} cover"), fault, COVER);
            }
        }
    }
    Ok(())
}
