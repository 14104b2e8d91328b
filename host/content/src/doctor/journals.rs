//! Journals and issues without articles, and covers that are not stored.

use std::collections::BTreeSet;

use masthead_store::{CardQuery, SiteStore, StoreError};

use super::{
    Notes,
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
    for journal in content.journals().await? {
        let place = format!("journal/{}", journal.key);
        let first = content.cards(&CardQuery::Journal(journal.key.clone()), None, 1).await?;
        if first.is_empty() {
            notes.warning(CHECK, place.as_str(), "the journal has no articles", "import its articles, or remove it");
        }
        if let Some(fault) = links.fault(stored, &journal.cover).await? {
            notes.error(CHECK, format!("{place} cover"), fault, COVER);
        }
        let sizes: BTreeSet<(i64, String)> =
            content.issue_sizes(&journal.key).await?.into_iter().map(|(year, issue, _)| (year, issue)).collect();
        for issue in content.issues(&journal.key).await? {
            let place = format!("issue/{}/{}/{}", journal.key, issue.year, issue.issue);
            if !sizes.contains(&(i64::from(issue.year), issue.issue.clone())) {
                let fix = "import its articles, or remove the issue";
                notes.warning(CHECK, place.as_str(), "the issue has no articles", fix);
            }
            if let Some(fault) = links.fault(stored, &issue.cover).await? {
                notes.error(CHECK, format!("{place} cover"), fault, COVER);
            }
        }
    }
    Ok(())
}
