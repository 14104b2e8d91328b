//! Signing in by password and by code. The answer, and the time that it takes, do not depend on whether an account has the name.

use masthead_domain::member::{CodePurpose, MemberId, MemberName, MemberState};
use masthead_store::Credential;

use crate::{
    attempts::{Attempt, AttemptDecision, Attempted},
    service::{AccountService, Refusal},
};

/// The data of a sign-in by a password.
#[derive(Clone, Copy)]
pub struct PasswordSignIn<'a> {
    /// The name as typed: an account name, a mobile number or an e-mail address.
    pub name: &'a str,
    /// The password.
    pub password: &'a str,
    /// Whether a captcha was solved.
    pub captcha: bool,
}

impl AccountService<'_> {
    /// The member with this name and password.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn sign_in(&self, who: PasswordSignIn<'_>) -> Result<MemberId, Refusal> {
        let name = MemberName::typed(who.name).ok();
        let attempted = Attempted { name: name.as_ref(), typed: who.name, network: self.network };
        let attempt = Attempt::new(self.store, self.key, attempted, self.now);
        match attempt.begin(self.rules.captcha_after, who.captcha).await? {
            AttemptDecision::Open => {}
            AttemptDecision::Captcha => return Err(Refusal::CaptchaNeeded),
            AttemptDecision::Wait(left) => return Err(Refusal::Wait(left)),
        }
        let credential = match &name {
            Some(name) => self.store.credential_by_name(name).await?,
            None => None,
        };
        let credential = self.verified(credential, who.password).await?.ok_or(Refusal::Wrong)?;
        attempt.succeeded().await?;
        // Only a reader with the right password learns that the account is closed.
        if credential.state == MemberState::Active { Ok(credential.member) } else { Err(Refusal::Closed) }
    }

    /// The member to whom a code was sent.
    ///
    /// # Errors
    /// [`Refusal`]; only the owner of a number or address learns that no account has it.
    pub async fn sign_in_by_code(&self, target: &str, code: &str) -> Result<MemberId, Refusal> {
        let target = MemberName::target(target)?;
        if !self.codes().spend(CodePurpose::Login, &target, code).await? {
            return Err(Refusal::CodeWrong);
        }
        self.store.member_by_name(&target).await?.ok_or(Refusal::UserUnknown)
    }

    /// The credential, if the password is right. A digest of another cost is made anew.
    pub(crate) async fn verified(
        &self,
        credential: Option<Credential>,
        password: &str,
    ) -> Result<Option<Credential>, Refusal> {
        let digest = credential.as_ref().map(|credential| credential.password.as_str());
        let verdict = self.passwords.verify(password, digest).await?;
        let Some(credential) = credential.filter(|_| verdict.right) else { return Ok(None) };
        if verdict.outdated {
            let renewed = self.passwords.hash(password).await?;
            self.store.of_member(credential.member).replace_password_digest(&credential.password, &renewed).await?;
        }
        Ok(Some(credential))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        password::{Cost, Passwords},
        testing::{HOUR, START, names, site},
    };

    const fn who<'a>(name: &'a str, password: &'a str) -> PasswordSignIn<'a> {
        PasswordSignIn { name, password, captcha: false }
    }

    #[tokio::test]
    async fn a_member_signs_in_by_any_of_the_names() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        for name in ["ada", "ADA", "13812345678", "+86 138 1234 5678", "ada@example.org", " Ada@Example.org"] {
            assert_eq!(site.at(START).sign_in(who(name, "Tide7xQk")).await.unwrap(), ada, "{name}");
        }
        for (name, password) in [("ada", "tide7xQk"), ("ada", ""), ("bea", "Tide7xQk"), ("", ""), ("<x>", "Tide7xQk")] {
            let refused = site.at(START).sign_in(who(name, password)).await;
            assert!(matches!(refused, Err(Refusal::Wrong)), "{name}: {refused:?}");
        }
    }

    #[tokio::test]
    async fn a_member_without_a_password_has_none_that_is_right() {
        let site = site().await;
        site.member(&names(), "").await;
        for password in ["", "Tide7xQk"] {
            assert!(matches!(site.at(START).sign_in(who("ada", password)).await, Err(Refusal::Wrong)));
        }
    }

    #[tokio::test]
    async fn only_somebody_with_the_password_is_told_that_the_account_is_closed() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        site.store.set_member_state(ada, MemberState::Closed, "ops", START).await.unwrap();
        assert!(matches!(site.at(START).sign_in(who("ada", "wrong")).await, Err(Refusal::Wrong)));
        assert!(matches!(site.at(START).sign_in(who("ada", "Tide7xQk")).await, Err(Refusal::Closed)));
    }

    #[tokio::test]
    async fn known_and_unknown_names_are_refused_in_the_same_way() {
        let site = site().await;
        site.member(&names(), "Tide7xQk").await;
        let told = async |name: &str| {
            let mut told = Vec::new();
            for attempt in 0..12 {
                let captcha = PasswordSignIn { captcha: attempt == 11, ..who(name, "wrong") };
                told.push(format!("{:?}", site.at(START + attempt * HOUR).sign_in(captcha).await));
            }
            told
        };
        let known = told("ada").await;
        assert_eq!(known, told("bea").await);
        assert!(known[10].contains("CaptchaNeeded") && known[11].contains("Wrong"), "{known:?}");
    }

    #[tokio::test]
    async fn a_digest_of_another_cost_is_made_anew_at_the_sign_in() {
        let site = site().await;
        let old = Passwords::new(Cost { memory: 16, passes: 1 }, 1).hash("Tide7xQk").await.unwrap();
        let ada = crate::testing::member_with(&site.store, &names(), &old).await;
        let digest = async || site.store.of_member(ada).credential().await.unwrap().unwrap().password;
        assert!(matches!(site.at(START).sign_in(who("ada", "wrong")).await, Err(Refusal::Wrong)));
        assert_eq!(digest().await, old);
        assert_eq!(site.at(START).sign_in(who("ada", "Tide7xQk")).await.unwrap(), ada);
        assert!(digest().await.contains("m=8,"), "{}", digest().await);
        assert_eq!(site.at(START).sign_in(who("ada", "Tide7xQk")).await.unwrap(), ada);
    }

    #[tokio::test]
    async fn a_code_signs_its_owner_in_and_tells_others_nothing() {
        let site = site().await;
        let ada = site.member(&names(), "").await;
        let [_, phone, _] = names();
        let stranger = MemberName::mobile("13900000000").unwrap();
        for target in [&phone, &stranger] {
            site.code(CodePurpose::Login, target, START).await;
            let wrong = site.at(START).sign_in_by_code(target.shown(), "000000").await;
            assert!(matches!(wrong, Err(Refusal::CodeWrong)), "{wrong:?}");
        }
        assert_eq!(site.at(START).sign_in_by_code("138 1234 5678", "042137").await.unwrap(), ada);
        let again = site.at(START).sign_in_by_code("13812345678", "042137").await;
        assert!(matches!(again, Err(Refusal::CodeWrong)), "a code is used once: {again:?}");
        let unknown = site.at(START).sign_in_by_code(stranger.shown(), "042137").await;
        assert!(matches!(unknown, Err(Refusal::UserUnknown)), "{unknown:?}");
        let odd = site.at(START).sign_in_by_code("ada", "042137").await;
        assert!(matches!(odd, Err(Refusal::Name(_))), "{odd:?}");
    }

    #[tokio::test]
    async fn a_password_that_was_changed_meanwhile_is_not_replaced() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let mine = site.store.of_member(ada);
        let old = mine.credential().await.unwrap().unwrap().password;
        mine.set_password("$new", None, &[], START).await.unwrap();
        assert!(!mine.replace_password_digest(&old, "$renewed").await.unwrap());
    }
}
