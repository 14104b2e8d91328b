//! Corrections, retractions and comments of which the site has one side only, or which name none.

use masthead_domain::notice::{Notice, NoticeKind, NoticeSide};
use masthead_store::{SiteStore, StoreError};

use super::Notes;

const CHECK: &str = "notices";
/// Greatest number of notices that are listed.
const MOST: usize = 1000;

/// Reports an article that is a notice by its type, and says of no article that it is about it: readers of that article see no notice.
pub fn without_article(notes: &mut Notes<'_>, key: String, kind: NoticeKind) {
    let message = format!("the article is a notice ({}), and names no article that it is about", kind.as_str());
    let (number, relation) = (key.strip_prefix("article/").unwrap_or(&key), kind.relation(NoticeSide::Notice));
    let fix = format!(
        "name the article by its DOI, with `masthead article set {number} related.+='{{\"kind\": \"{relation}\", \"href\": \"DOI\"}}' \
         --site {}`, or in the source with the relation {relation}, and import the notice again",
        notes.site
    );
    notes.warning(CHECK, key, message, &fix);
}

/// The notices of a site.
pub async fn check(content: &SiteStore, notes: &mut Notes<'_>) -> Result<(), StoreError> {
    // One more than are listed tells whether there are more.
    let mut unlinked = content.unlinked_notices(i64::try_from(MOST + 1).unwrap_or(i64::MAX)).await?;
    let more = unlinked.len() > MOST;
    unlinked.truncate(MOST);
    for (id, notice) in &unlinked {
        let Notice { kind, side, target, .. } = notice;
        // An address without an identifier may be that of an article on another server.
        if target.is_empty() {
            continue;
        }
        let other = target.strip_prefix("doi:").unwrap_or(target);
        let (kind, key) = (kind.as_str(), format!("article/{id} {}", kind.relation(*side)));
        let (message, fix) = match side {
            NoticeSide::Notice => (
                format!("the article is a notice ({kind}) about {other}, which is not on this site"),
                "import the article that the notice is about, or correct its identifier in the notice",
            ),
            NoticeSide::Affected => (
                format!("the article names a notice about it ({kind}), {other}, which is not on this site"),
                "import the notice, or correct its identifier in the article",
            ),
        };
        notes.warning(CHECK, key, message, fix);
    }
    if more {
        let message = format!("only the first {MOST} notices without their other article were read");
        notes.warning(CHECK, "articles", message, "correct these, and run the check again");
    }
    Ok(())
}
