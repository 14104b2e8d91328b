//! The ways by which a member can sign in, such as passkeys and identities. An attacker who has taken over an old session can neither add
//! nor remove one. The store does not remove the last one.

use crate::{
    credentials::FRESH,
    service::{AccountService, Refusal},
    sessions::Current,
};

/// Whether a session began so short a time ago that its member may change the ways.
#[must_use]
pub fn is_recent(session: &Current, now: i64) -> bool {
    (0..FRESH).contains(&(now - session.of.session.created))
}

impl AccountService<'_> {
    /// Checks that a signed-in member may add or remove a way: shortly after a sign-in, or with the password.
    ///
    /// # Errors
    /// [`Refusal::SignInAgain`] without a password, and the refusals of a password.
    pub async fn confirm(&self, current: &Current, password: &str) -> Result<(), Refusal> {
        if is_recent(current, self.now) {
            return Ok(());
        }
        if password.is_empty() {
            return Err(Refusal::SignInAgain);
        }
        let mine = self.store.of_member(current.of.member);
        self.reauthenticated(&mine, current, password).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::site::SessionTimes;

    use super::*;
    use crate::{
        sessions::{SessionStart, Sessions, method},
        testing::{START, names, site},
    };

    #[tokio::test]
    async fn ways_are_changed_shortly_after_a_sign_in_or_with_the_password() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let sessions = Sessions::new(site.store.clone(), SessionTimes::default(), START);
        let beginning = SessionStart { member: ada, method: method::PASSWORD, agent: "", replaces: None };
        let token = sessions.begin(&beginning).await.unwrap().unwrap();
        let current = sessions.find(&token.text).await.unwrap().unwrap();
        let confirm = async |now: i64, password: &str| site.at(now).confirm(&current, password).await;
        assert!(confirm(START, "").await.is_ok() && confirm(START + FRESH - 1, "").await.is_ok());
        for now in [START + FRESH, START - 1] {
            assert!(matches!(confirm(now, "").await, Err(Refusal::SignInAgain)), "{now}");
        }
        assert!(matches!(confirm(START + FRESH, "Neap8yRm").await, Err(Refusal::OldPasswordWrong)));
        assert!(confirm(START + FRESH, "Tide7xQk").await.is_ok());
    }
}
