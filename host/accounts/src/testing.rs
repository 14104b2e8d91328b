//! What the tests of this crate share: a store in a folder of its own, and members.

#![allow(clippy::unwrap_used, clippy::panic)]

use masthead_domain::{
    Lang, SiteId,
    member::{MemberId, MemberName, Profile},
};
use masthead_store::{Created, NewMember, SiteStore, Store};

/// The site of the tests.
pub const SITE: SiteId = SiteId(945);
/// Another site of the same installation.
pub const OTHER: SiteId = SiteId(942);
/// A time.
pub const START: i64 = 1_700_000_000_000;
/// An hour in milliseconds.
pub const HOUR: i64 = 3_600_000;

/// An empty store. The folder is deleted with its guard.
pub async fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
    (folder, store)
}

/// A member with an account name, and the digest of a password.
pub async fn member(site: &SiteStore, name: &str, password: &str) -> MemberId {
    let names = [MemberName::account(name).unwrap()];
    member_with(site, &names, password).await
}

/// A member with these names.
pub async fn member_with(site: &SiteStore, names: &[MemberName], password: &str) -> MemberId {
    let handle = format!("{:032x}", rand::random::<u128>());
    let new =
        NewMember { handle: &handle, names, password, identity: None, lang: Lang::En, profile: &Profile::default() };
    match site.create_member(&new, &[], START).await.unwrap() {
        Created::Member(member) => member,
        other => panic!("{other:?}"),
    }
}
