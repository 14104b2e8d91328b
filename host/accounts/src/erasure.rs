//! Erasure of an account by its member: everything that the site has of the person is deleted in one transaction.

use masthead_domain::member::{CodePurpose, MemberName};

use crate::{
    codes::Codes,
    messages::Change,
    service::{AccountService, Refusal},
    sessions::Current,
};

/// How a signed-in member shows to be the one who signed in: an account is not lost with a session.
#[derive(Clone, Copy)]
pub struct ErasureProof<'a> {
    /// The password, or "". A member who has none, and gives no code, has to have signed in a short time ago.
    pub password: &'a str,
    /// A code for the purpose `erase` that was sent to the member's number or address, or "".
    pub code: &'a str,
    /// The client's network.
    pub network: &'a str,
}

impl AccountService<'_> {
    /// Erases the account of a signed-in member with everything in it, and tells its address. All sessions end with it.
    ///
    /// # Errors
    /// [`Refusal`]; nothing is erased then.
    pub async fn erase(&self, current: &Current, proof: ErasureProof<'_>) -> Result<(), Refusal> {
        let mine = self.store.of_member(current.of.member);
        if proof.code.is_empty() {
            self.reauthenticated(&mine, current, proof.password, proof.network).await?;
        } else if !self.is_code_of(current, proof.code).await? {
            return Err(Refusal::CodeWrong);
        }
        let notices = self.notices(current.of.lang, &[&current.of.email], Change::Erased);
        Ok(mine.erase(&notices, "", self.now).await?)
    }

    /// Whether a code for the erasure was sent to the member's number or address. It is spent.
    async fn is_code_of(&self, current: &Current, code: &str) -> Result<bool, Refusal> {
        let codes = Codes::new(self.key, self.store, self.now);
        for target in [&current.of.mobile, &current.of.email] {
            let Ok(target) = MemberName::target(target) else { continue };
            if codes.spend(CodePurpose::Erase, &target, code).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use masthead_domain::{
        Lang,
        member::{ItemRef, ItemType, ListedItem, MemberId, Profile},
        site::Accounts,
    };
    use masthead_store::{Created, ItemFilter, NewMember, SiteStore, Window};

    use super::*;
    use crate::{
        codes::Code,
        installation_key::InstallationKey,
        password::{Cost, Passwords},
        sessions::{Beginning, Sessions, method},
        testing::{OTHER, SITE, START, store},
    };

    const PASSWORD: &str = "Tidal-Basin7";
    const HOUR: i64 = 3_600_000;

    struct Desk {
        store: SiteStore,
        key: InstallationKey,
        passwords: Passwords,
        rules: Accounts,
    }

    impl Desk {
        fn new(store: SiteStore) -> Self {
            let passwords = Passwords::new(Cost::LEAST, 2);
            Self { store, key: InstallationKey::new([7; 32]), passwords, rules: Accounts::default() }
        }

        fn at(&self, now: i64) -> AccountService<'_> {
            let Self { store, key, passwords, rules } = self;
            AccountService { store, key, passwords, rules, lang: Lang::En, now }
        }

        async fn member(&self, password: &str) -> MemberId {
            let digest = if password.is_empty() { String::new() } else { self.passwords.hash(password).await.unwrap() };
            let names = [MemberName::account("ada").unwrap(), MemberName::email("ada@example.org").unwrap()];
            let profile = Profile::default();
            let new =
                NewMember { handle: "h", names: &names, password: &digest, identity: None, lang: Lang::En, profile: &profile };
            let created = self.store.create_member(&new, &[], START).await.unwrap();
            let Created::Member(member) = created else { panic!("{created:?}") };
            member
        }

        async fn session(&self, member: MemberId) -> Current {
            let sessions = Sessions::new(self.store.clone(), self.rules.sessions, START);
            let beginning = Beginning { member, method: method::PASSWORD, agent: "", replaces: None };
            let token = sessions.begin(&beginning).await.unwrap().unwrap();
            sessions.find(&token.text).await.unwrap().unwrap()
        }

        async fn exists(&self, member: MemberId) -> bool {
            self.store.of_member(member).member().await.unwrap().is_some()
        }
    }

    fn proof<'a>(password: &'a str, code: &'a str) -> ErasureProof<'a> {
        ErasureProof { password, code, network: "192.0.2.1" }
    }

    #[tokio::test]
    async fn the_password_erases_the_account_with_its_sessions_and_lists_and_tells_its_address() {
        let (_folder, store) = store().await;
        let desk = Desk::new(store.site(SITE));
        let member = desk.member(PASSWORD).await;
        let current = desk.session(member).await;
        let mine = desk.store.of_member(member);
        let item = ListedItem { item: ItemRef::new(ItemType::Article, 1), title: "A".into(), address: "article/1".into() };
        mine.collect(&[item], 10, START).await.unwrap();
        for wrong in [proof("", ""), proof("Wrong-Basin7", ""), proof("", "123456")] {
            assert!(desk.at(START).erase(&current, wrong).await.is_err());
        }
        assert!(desk.exists(member).await);
        desk.at(START).erase(&current, proof(PASSWORD, "")).await.unwrap();
        assert!(!desk.exists(member).await);
        assert!(mine.favourites(ItemFilter::default(), Window::ALL).await.unwrap().entries.is_empty());
        assert!(mine.sessions(0, 0).await.unwrap().is_empty());
        let told = desk.store.messages(10).await.unwrap();
        assert_eq!(told.len(), 1, "{told:?}");
        let again = desk.at(START).erase(&current, proof(PASSWORD, "")).await;
        assert!(again.is_err(), "nobody is erased twice");
    }

    #[tokio::test]
    async fn a_code_erases_the_account_that_it_was_sent_to_once() {
        let (_folder, store) = store().await;
        let desk = Desk::new(store.site(SITE));
        let member = desk.member(PASSWORD).await;
        let current = desk.session(member).await;
        let (site, other) = (store.site(SITE), store.site(OTHER));
        let address = MemberName::email("ada@example.org").unwrap();
        let send = async |store: &SiteStore, purpose| {
            let codes = Codes::new(&desk.key, store, START);
            codes.send(purpose, &address, Lang::En, &Code::of(4_711)).await.unwrap();
        };
        send(&site, CodePurpose::Login).await;
        send(&other, CodePurpose::Erase).await;
        let erased = desk.at(START).erase(&current, proof("", "004711")).await;
        assert!(matches!(erased, Err(Refusal::CodeWrong)), "for another purpose, and of another site");
        send(&site, CodePurpose::Erase).await;
        desk.at(START).erase(&current, proof("", "004711")).await.unwrap();
        assert!(!desk.exists(member).await);
    }

    #[tokio::test]
    async fn a_member_without_a_password_has_to_have_signed_in_a_short_time_ago() {
        let (_folder, store) = store().await;
        let desk = Desk::new(store.site(SITE));
        let member = desk.member("").await;
        let current = desk.session(member).await;
        let late = desk.at(START + HOUR).erase(&current, proof("", "")).await;
        assert!(matches!(late, Err(Refusal::SignInAgain)) && desk.exists(member).await);
        desk.at(START + 60_000).erase(&current, proof("", "")).await.unwrap();
        assert!(!desk.exists(member).await);
    }
}
