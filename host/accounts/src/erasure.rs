//! Erasure of an account by its member: everything that the site has of the person is deleted in one transaction.

use masthead_domain::member::{CodePurpose, MemberName};

use crate::{
    messages::AccountChange,
    service::{AccountService, Refusal},
    sessions::Current,
};

/// The proof that the member, and not only a session, erases the account: it is not lost with a session.
#[derive(Clone, Copy)]
pub struct ErasureProof<'a> {
    /// The password, or "". A member who has none, and gives no code, has to have signed in a short time ago.
    pub password: &'a str,
    /// A code for the purpose `erase` that was sent to the member's number or address, or "".
    pub code: &'a str,
}

impl AccountService<'_> {
    /// Erases the account of a signed-in member with everything in it, and notifies its address. All sessions end with it.
    ///
    /// # Errors
    /// [`Refusal`]; nothing is erased then.
    pub async fn erase(&self, current: &Current, proof: ErasureProof<'_>) -> Result<(), Refusal> {
        let mine = self.store.of_member(current.of.member);
        if proof.code.is_empty() {
            self.reauthenticated(&mine, current, proof.password).await?;
        } else if !self.is_code_of(current, proof.code).await? {
            return Err(Refusal::CodeWrong);
        }
        let notices = self.notices(current.of.lang, &[&current.of.email], AccountChange::Erased);
        Ok(mine.erase(&notices, "", self.now).await?)
    }

    /// Whether a code for the erasure was sent to the member's number or address. It is spent.
    async fn is_code_of(&self, current: &Current, code: &str) -> Result<bool, Refusal> {
        let codes = self.codes();
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
    #![allow(clippy::unwrap_used)]
    use masthead_domain::member::{ItemRef, ItemType, ListedItem, MemberId};
    use masthead_store::{ItemFilter, SiteStore, Window};

    use super::*;
    use crate::{
        sessions::{SessionStart, Sessions, method},
        testing::{HOUR, START, Site, names, site},
    };

    const PASSWORD: &str = "Tidal-Basin7";
    const CODE: &str = "042137";

    async fn session(site: &Site, member: MemberId) -> Current {
        let sessions = Sessions::new(site.store.clone(), site.rules.sessions, START);
        let beginning = SessionStart { member, method: method::PASSWORD, agent: "", replaces: None };
        let token = sessions.begin(&beginning).await.unwrap().unwrap();
        sessions.find(&token.text).await.unwrap().unwrap()
    }

    async fn exists(store: &SiteStore, member: MemberId) -> bool {
        store.of_member(member).member().await.unwrap().is_some()
    }

    fn proof<'a>(password: &'a str, code: &'a str) -> ErasureProof<'a> {
        ErasureProof { password, code }
    }

    #[tokio::test]
    async fn the_password_erases_the_account_with_its_sessions_and_lists_and_tells_its_address() {
        let site = site().await;
        let member = site.member(&names(), PASSWORD).await;
        let current = session(&site, member).await;
        let mine = site.store.of_member(member);
        let item =
            ListedItem { item: ItemRef::new(ItemType::Article, 1), title: "A".into(), address: "/article/1".into() };
        mine.collect(&[item], 10, START).await.unwrap();
        for wrong in [proof("", ""), proof("Wrong-Basin7", ""), proof("", "123456")] {
            assert!(site.at(START).erase(&current, wrong).await.is_err());
        }
        assert!(exists(&site.store, member).await);
        site.at(START).erase(&current, proof(PASSWORD, "")).await.unwrap();
        assert!(!exists(&site.store, member).await);
        assert!(mine.favourites(ItemFilter::default(), Window::ALL).await.unwrap().entries.is_empty());
        assert!(mine.sessions(0, 0).await.unwrap().is_empty());
        let told = site.store.messages(10).await.unwrap();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(site.at(START).erase(&current, proof(PASSWORD, "")).await.is_err(), "nobody is erased twice");
    }

    #[tokio::test]
    async fn a_code_erases_the_account_that_it_was_sent_to() {
        let site = site().await;
        let member = site.member(&names(), PASSWORD).await;
        let current = session(&site, member).await;
        let [_, mobile, address] = names();
        let other = MemberName::email("eve@example.org").unwrap();
        site.code(CodePurpose::Login, &address, START).await;
        site.code(CodePurpose::Erase, &other, START).await;
        let erased = site.at(START).erase(&current, proof("", CODE)).await;
        assert!(matches!(erased, Err(Refusal::CodeWrong)), "for another purpose, and to another address");
        assert!(exists(&site.store, member).await);
        site.code(CodePurpose::Erase, &mobile, START).await;
        site.at(START).erase(&current, proof("", CODE)).await.unwrap();
        assert!(!exists(&site.store, member).await);
    }

    #[tokio::test]
    async fn codes_on_their_way_are_erased_however_the_recipient_is_written() {
        let site = site().await;
        let [account, mobile, _] = names();
        let (address, other) =
            (MemberName::email("Ada@bücher.example").unwrap(), MemberName::email("eve@example.org").unwrap());
        let member = site.member(&[account, mobile.clone(), address.clone()], "").await;
        for target in [&mobile, &address, &other] {
            site.code(CodePurpose::Login, target, START).await;
        }
        site.store.of_member(member).erase(&[], "", START).await.unwrap();
        let left = site.store.messages(10).await.unwrap();
        assert_eq!(left.len(), 1, "that of somebody else: {left:?}");
    }

    #[tokio::test]
    async fn a_member_without_a_password_has_to_have_signed_in_a_short_time_ago() {
        let site = site().await;
        let member = site.member(&names(), "").await;
        let current = session(&site, member).await;
        let late = site.at(START + HOUR).erase(&current, proof("", "")).await;
        assert!(matches!(late, Err(Refusal::SignInAgain)) && exists(&site.store, member).await);
        site.at(START + 60_000).erase(&current, proof("", "")).await.unwrap();
        assert!(!exists(&site.store, member).await);
    }
}
