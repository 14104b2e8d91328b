//! Members of a site: their accounts, their things, the messages to them; and administrators.
//!
//! The data of one member is read and written through a [`MemberStore`] only, which adds the site and the member to every query: the things
//! of another site or another member cannot be reached by a number. The caller passes the time, in milliseconds since 1970.

mod accounts;
mod administrator_sessions;
mod administrators;
mod albums;
mod alert_times;
mod alerts;
mod attempts;
mod codes;
mod comments;
mod credentials;
mod erasure;
mod favourites;
mod files;
mod identities;
mod institutions;
mod invites;
mod outbox;
mod passkeys;
mod retention;
mod searches;
mod sessions;
mod sign_in_methods;
mod subscriptions;
mod tickets;
mod uses;

use masthead_domain::{
    SiteId,
    member::{ItemRef, ItemType, ListedItem, MemberId, folded},
};
use sqlx::{Any, AnyPool, Transaction};

use crate::{Clock, SiteStore, StoreError};

pub use accounts::{Created, Member, NameSet, NewMember};
pub use administrator_sessions::{AdministratorSession, NewAdministratorSession};
pub use administrators::{Administrator, AdministratorCredential, Grant, Revoked};
pub use albums::{Album, AlbumEntry, AlbumText, Saving};
pub use alert_times::WaitingAlerts;
pub use alerts::{AlertCursor, AlertMessage, AlertSource, AlertTo, DueAlerts, NewAlert, SourceKind};
pub use attempts::{Attempts, Failures};
pub use codes::{CodeCheck, CodeIssue, CodeUse, NewCode};
pub use credentials::{Credential, SessionRotation};
pub use favourites::{CollectedItem, ItemFilter};
pub use files::{FileInfo, MemberFile, NewFile};
pub use identities::{BoundIdentity, Identity, IdentityBinding};
pub use institutions::{Affiliation, Institution};
pub use invites::{Invite, NewAccount, NewInvite};
pub use outbox::{Message, MessageState, MessageStatus, NewMessage};
pub use passkeys::{Passkey, PasskeyOwner};
pub use retention::{Expired, Expiry};
pub use searches::{AlertSearch, SavedSearch, SearchText};
pub use sessions::{MemberSession, NewSession, SessionMember};
pub use sign_in_methods::Removal;
pub use subscriptions::{NewSubscription, SiteSubscription, Subscription};
pub use uses::{MemberUse, UsedItem};

/// The data of one member of a site. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MemberStore {
    pool: AnyPool,
    site: i64,
    member: i64,
    clock: Clock,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Number of entries before it.
    pub skip: i64,
    /// Greatest number of entries in it.
    pub size: i64,
}

impl Window {
    /// The whole list.
    pub const ALL: Self = Self { skip: 0, size: i64::MAX };
}

/// A part of a list, with the length of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// Number of entries in the whole list.
    pub total: i64,
}

impl SiteStore {
    /// The data of one member of this site.
    #[must_use]
    pub fn of_member(&self, member: MemberId) -> MemberStore {
        MemberStore { pool: self.pool.clone(), site: self.site, member: member.0, clock: self.clock }
    }
}

impl MemberStore {
    /// The site.
    #[must_use]
    pub const fn site(&self) -> SiteId {
        SiteId(self.site)
    }

    /// The member.
    #[must_use]
    pub const fn id(&self) -> MemberId {
        MemberId(self.member)
    }

    /// The store of the site.
    fn store(&self) -> SiteStore {
        SiteStore { pool: self.pool.clone(), site: self.site, clock: self.clock }
    }

    /// Begins a transaction that writes data of the member. Until it ends, no other transaction can erase the member or begin to write, so
    /// that limits on numbers hold.
    async fn begin(&self, doing: &'static str) -> Result<Transaction<'static, Any>, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(doing))?;
        // A write, so that SQLite takes its lock now.
        let done = sqlx::query("UPDATE members SET seen = seen WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(self.member)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(doing))?;
        if done.rows_affected() == 0 {
            return Err(StoreError::MemberGone(self.member));
        }
        Ok(tx)
    }

    /// Number of the member's rows in a table, for the limits on numbers.
    async fn count(&self, tx: &mut Transaction<'_, Any>, table: &'static str) -> Result<i64, sqlx::Error> {
        let sql = format!("SELECT COUNT(*) FROM {table} WHERE site_id = $1 AND member_id = $2");
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(self.member).fetch_one(&mut **tx).await
    }
}

/// Characters of a keyword that are looked for: SQLite refuses long patterns.
const KEYWORD: usize = 200;

/// The pattern of LIKE (with `\` as escape character) that finds a keyword in a column of folded words; `%` for an empty keyword.
fn pattern(keyword: &str) -> String {
    let mut pattern = String::from("%");
    for c in folded(keyword.trim()).chars().take(KEYWORD) {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    if pattern.len() > 1 {
        pattern.push('%');
    }
    pattern
}

/// An item of a list from its columns; `None` for a type that this version does not know.
fn listed_item(kind: &str, id: String, title: String, address: String) -> Option<ListedItem> {
    Some(ListedItem { item: ItemRef { kind: ItemType::parse(kind)?, id }, title, address })
}

/// Whether a statement changed a row.
fn changed(done: &sqlx::any::AnyQueryResult) -> bool {
    done.rows_affected() > 0
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn keywords_are_found_as_they_are_written() {
        assert_eq!(pattern("  "), "%");
        assert_eq!(pattern("Tide_50%\\"), "%tide\\_50\\%\\\\%");
    }
}
