//! Helpers that the tests of this crate share: a store in a folder of its own, and members.

#![allow(clippy::unwrap_used, clippy::panic)]

use masthead_domain::{
    Lang, SiteId,
    member::{CodePurpose, MemberId, MemberName, Profile},
    site::Accounts,
};
use masthead_store::{Created, NewMember, SiteStore, Store};

use crate::{
    codes::{Code, Codes},
    installation_key::InstallationKey,
    password::{Cost, Passwords},
    service::AccountService,
};

/// The site of the tests.
pub const SITE: SiteId = SiteId(945);
/// The network of its readers.
pub const NETWORK: &str = "192.0.2.1";
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
    match site.create_member(&new, START).await.unwrap() {
        Created::Member(member) => member,
        other => panic!("{other:?}"),
    }
}

/// The accounts of a site.
pub struct Site {
    /// The store of the site.
    pub store: SiteStore,
    /// The rules.
    pub rules: Accounts,
    key: InstallationKey,
    passwords: Passwords,
    _folder: tempfile::TempDir,
}

/// A site with an empty store.
pub async fn site() -> Site {
    let (folder, store) = store().await;
    Site {
        store: store.site(SITE),
        rules: Accounts::default(),
        key: InstallationKey::new([7; 32]),
        passwords: Passwords::new(Cost::LEAST, 4),
        _folder: folder,
    }
}

impl Site {
    /// The decisions about its accounts at a time.
    pub const fn at(&self, now: i64) -> AccountService<'_> {
        AccountService {
            store: &self.store,
            key: &self.key,
            passwords: &self.passwords,
            rules: &self.rules,
            network: NETWORK,
            lang: Lang::En,
            now,
        }
    }

    /// A member with these names and a password ("" for none).
    pub async fn member(&self, names: &[MemberName], password: &str) -> MemberId {
        let digest = if password.is_empty() { String::new() } else { self.passwords.hash(password).await.unwrap() };
        member_with(&self.store, names, &digest).await
    }

    /// Sends the code 042137.
    pub async fn code(&self, purpose: CodePurpose, target: &MemberName, now: i64) {
        Codes::new(&self.key, &self.store, NETWORK, now)
            .send(purpose, target, Lang::En, &Code::of(42_137))
            .await
            .unwrap();
    }
}

/// An account name, a mobile number and an e-mail address.
pub fn names() -> [MemberName; 3] {
    [
        MemberName::account("ada").unwrap(),
        MemberName::mobile("13812345678").unwrap(),
        MemberName::email("ada@example.org").unwrap(),
    ]
}
