//! Changes of a member's credentials: password, mobile number, e-mail address. An attacker who has taken over a session, and does not know
//! the password, cannot change them.

use masthead_domain::member::{CodePurpose, MemberName, MemberState, NameKind};
use masthead_store::{Credential, Member, MemberStore, NameSet};

use crate::{
    attempts::{Attempt, AttemptDecision, Attempted},
    messages::AccountChange,
    password,
    registration::local_part,
    service::{AccountService, Refusal},
    sessions::{Current, Sessions, Token},
};

/// Milliseconds after a sign-in in which a member without a password may change the credentials of the account.
pub(crate) const FRESH: i64 = 15 * 60_000;

/// A new password of a signed-in member.
#[derive(Clone, Copy)]
pub struct PasswordChange<'a> {
    /// The present password; "" from a member who has none.
    pub old: &'a str,
    /// The new one.
    pub new: &'a str,
}

/// A new mobile number or e-mail address of a signed-in member.
#[derive(Clone, Copy)]
pub struct NameChange<'a> {
    /// The number or address.
    pub name: &'a MemberName,
    /// The code that was sent to it.
    pub code: &'a str,
    /// The password; "" from a member who has none.
    pub password: &'a str,
}

impl AccountService<'_> {
    /// Changes the password of a signed-in member, gives the session another token, and ends all other sessions.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn change_password(
        &self,
        sessions: &Sessions,
        current: &Current,
        change: PasswordChange<'_>,
    ) -> Result<Token, Refusal> {
        let mine = self.store.of_member(current.of.member);
        let of = &current.of;
        let names = [of.account.as_str(), of.mobile.as_str(), local_part(&of.email)];
        let had = self.reauthenticated(&mine, current, change.old).await?;
        if had && change.old == change.new {
            return Err(Refusal::SamePassword);
        }
        password::check(change.new, &names).map_err(Refusal::Password)?;
        let digest = self.passwords.hash(change.new).await?;
        let notices = self.notices(of.lang, &[&of.email], AccountChange::Password);
        let renewal = sessions.renew(current);
        mine.set_password(&digest, Some(renewal.rotation()), &notices, self.now).await?;
        Ok(renewal.token)
    }

    /// Sets a new password with a code that was sent to the member's number or address, and ends all sessions.
    ///
    /// # Errors
    /// [`Refusal`]; only the owner of a number or address learns that no account has it.
    pub async fn reset_password(&self, target: &str, code: &str, new: &str) -> Result<(), Refusal> {
        let target = MemberName::target(target)?;
        password::check(new, &[local_part(target.shown())]).map_err(Refusal::Password)?;
        let codes = self.codes();
        if !codes.check(CodePurpose::Reset, &target, code).await? {
            return Err(Refusal::CodeWrong);
        }
        let credential = self.store.credential_by_name(&target).await?.ok_or(Refusal::UserUnknown)?;
        if credential.state != MemberState::Active {
            return Err(Refusal::Closed);
        }
        password::check(new, &[&credential.account]).map_err(Refusal::Password)?;
        if self.passwords.verify(new, Some(&credential.password)).await?.right {
            return Err(Refusal::SamePassword);
        }
        let digest = self.passwords.hash(new).await?;
        let mine = self.store.of_member(credential.member);
        let Some(member) = mine.member().await? else { return Err(Refusal::UserUnknown) };
        if !codes.spend(CodePurpose::Reset, &target, code).await? {
            return Err(Refusal::CodeWrong);
        }
        let notices = self.notices(member.lang, &[&member.email], AccountChange::Password);
        Ok(mine.set_password(&digest, None, &notices, self.now).await?)
    }

    /// Gives a signed-in member another mobile number or e-mail address, notifies the earlier address, and ends all other sessions.
    ///
    /// # Errors
    /// [`Refusal`]; only the owner of a number or address learns that another account has it.
    pub async fn change_name(&self, current: &Current, change: NameChange<'_>) -> Result<(), Refusal> {
        let (purpose, told) = match change.name.kind() {
            NameKind::Mobile => (CodePurpose::Mobile, AccountChange::Mobile),
            NameKind::Email => (CodePurpose::Email, AccountChange::Email),
            NameKind::Account => return Err(masthead_domain::member::NotAName::Mobile.into()),
        };
        let mine = self.store.of_member(current.of.member);
        self.reauthenticated(&mine, current, change.password).await?;
        if !self.codes().spend(purpose, change.name, change.code).await? {
            return Err(Refusal::CodeWrong);
        }
        let new = if told == AccountChange::Email { change.name.shown() } else { "" };
        let notices = self.notices(current.of.lang, &[&current.of.email, new], told);
        match mine.set_name(change.name, Some(current.of.session.id), &notices, self.now).await? {
            NameSet::Set => Ok(()),
            NameSet::Taken => Err(Refusal::TargetTaken),
        }
    }

    /// Confirms that the member, and not only a session, makes a change: by the password, or, without one, by a sign-in a short time ago.
    /// Returns whether the member has a password. Other changes of the ways to sign in, and the erasure of an account, need it, too.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn reauthenticated(
        &self,
        mine: &MemberStore,
        current: &Current,
        password: &str,
    ) -> Result<bool, Refusal> {
        let credential = mine.credential().await?.ok_or(Refusal::SignInAgain)?;
        if credential.password.is_empty() {
            let age = self.now - current.of.session.created;
            return if (0..FRESH).contains(&age) { Ok(false) } else { Err(Refusal::SignInAgain) };
        }
        if password.is_empty() {
            return Err(Refusal::OldPasswordNeeded);
        }
        self.guess(credential, password).await?;
        Ok(true)
    }

    /// Compares the password of a signed-in member. Failures are counted, so that an attacker who has taken over a session cannot guess it.
    async fn guess(&self, credential: Credential, password: &str) -> Result<(), Refusal> {
        let typed = format!("member/{}", credential.member);
        let attempted = Attempted { name: None, typed: &typed, network: self.network };
        let attempt = Attempt::new(self.store, self.key, attempted, self.now);
        match attempt.begin(u32::MAX, false).await? {
            AttemptDecision::Open | AttemptDecision::Captcha => {}
            AttemptDecision::Wait(left) => return Err(Refusal::Wait(left)),
        }
        self.verified(Some(credential), password).await?.ok_or(Refusal::OldPasswordWrong)?;
        Ok(attempt.succeeded().await?)
    }

    /// Whether a member's password is so old that a change is advised (specification section 5).
    #[must_use]
    pub fn advises_change(&self, member: &Member) -> bool {
        let months = i64::from(self.rules.password_months);
        let age = self.now - member.password_changed;
        member.has_password && months > 0 && age >= months * 30 * 86_400_000
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{member::MemberId, site::SessionTimes};

    use super::*;
    use crate::{
        sessions::{SessionStart, method},
        sign_in::PasswordSignIn,
        testing::{HOUR, START, Site, names, site},
    };

    struct SignedIn {
        sessions: Sessions,
        current: Current,
    }

    async fn begin(site: &Site, member: MemberId, now: i64) -> SignedIn {
        let sessions = Sessions::new(site.store.clone(), SessionTimes::default(), now);
        let beginning = SessionStart { member, method: method::PASSWORD, agent: "", replaces: None };
        let token = sessions.begin(&beginning).await.unwrap().unwrap();
        let current = sessions.find(&token.text).await.unwrap().unwrap();
        SignedIn { sessions, current }
    }

    async fn signs_in(site: &Site, password: &str, now: i64) -> bool {
        let who = PasswordSignIn { name: "ada", password, captcha: true };
        AccountService { network: "198.51.100.9", ..site.at(now) }.sign_in(who).await.is_ok()
    }

    const fn change<'a>(old: &'a str, new: &'a str) -> PasswordChange<'a> {
        PasswordChange { old, new }
    }

    #[tokio::test]
    async fn a_changed_password_ends_all_other_sessions_and_is_told_by_mail() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let (here, elsewhere) = (begin(&site, ada, START).await, begin(&site, ada, START).await);
        let changed =
            site.at(START).change_password(&here.sessions, &here.current, change("Tide7xQk", "Neap8yRm")).await;
        let token = changed.unwrap();
        let digests = [here.current.digest.as_str(), elsewhere.current.digest.as_str()];
        for digest in digests {
            assert!(site.store.member_session(digest).await.unwrap().is_none());
        }
        assert!(here.sessions.find(&token.text).await.unwrap().is_some(), "with another token");
        assert!(!signs_in(&site, "Tide7xQk", START).await && signs_in(&site, "Neap8yRm", START).await);
    }

    #[tokio::test]
    async fn a_new_password_keeps_the_rules_and_needs_the_old_one() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let here = begin(&site, ada, START).await;
        for (old, new, expected) in [
            ("", "Neap8yRm", "OldPasswordNeeded"),
            ("wrong", "Neap8yRm", "OldPasswordWrong"),
            ("Tide7xQk", "Tide7xQk", "SamePassword"),
            ("Tide7xQk", "neap8yrm", "Password(Characters)"),
            ("Tide7xQk", "Neap8Ada", "Password(ContainsName)"),
            ("Tide7xQk", "A13812345678a", "Password(ContainsName)"),
        ] {
            let refused = site.at(START).change_password(&here.sessions, &here.current, change(old, new)).await;
            assert_eq!(format!("{refused:?}"), format!("Err({expected})"), "{new}");
        }
        assert!(signs_in(&site, "Tide7xQk", START).await);
    }

    #[tokio::test]
    async fn a_stolen_session_does_not_find_the_password_by_trying() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let here = begin(&site, ada, START).await;
        let mut made = 0;
        loop {
            let tried =
                site.at(START).change_password(&here.sessions, &here.current, change("wrong", "Neap8yRm")).await;
            match tried {
                Err(Refusal::OldPasswordWrong) => made += 1,
                Err(Refusal::Wait(_)) => break,
                other => unreachable!("{other:?}"),
            }
        }
        assert_eq!(made, 5);
        assert!(signs_in(&site, "Tide7xQk", START).await, "and the member is not locked out");
    }

    #[tokio::test]
    async fn a_member_without_a_password_sets_one_shortly_after_a_sign_in() {
        let site = site().await;
        let ada = site.member(&names(), "").await;
        let late = begin(&site, ada, START - HOUR).await;
        let refused = site.at(START).change_password(&late.sessions, &late.current, change("", "Neap8yRm")).await;
        assert!(matches!(refused, Err(Refusal::SignInAgain)), "{refused:?}");
        let fresh = begin(&site, ada, START - FRESH + 1).await;
        assert!(site.at(START).change_password(&fresh.sessions, &fresh.current, change("", "Neap8yRm")).await.is_ok());
        assert!(signs_in(&site, "Neap8yRm", START).await);
    }

    #[tokio::test]
    async fn a_reset_ends_every_session_and_tells_strangers_nothing() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let here = begin(&site, ada, START).await;
        let ([_, phone, _], stranger) = (names(), MemberName::mobile("13900000000").unwrap());
        for target in [&phone, &stranger] {
            site.code(CodePurpose::Reset, target, START).await;
            let wrong = site.at(START).reset_password(target.shown(), "000000", "Neap8yRm").await;
            assert!(matches!(wrong, Err(Refusal::CodeWrong)), "{wrong:?}");
        }
        let unknown = site.at(START).reset_password(stranger.shown(), "042137", "Neap8yRm").await;
        assert!(matches!(unknown, Err(Refusal::UserUnknown)), "{unknown:?}");
        for (new, expected) in
            [("Neap8Ada", "Password(ContainsName)"), ("Tide7xQk", "SamePassword"), ("x", "Password(Length)")]
        {
            let refused = site.at(START).reset_password(phone.shown(), "042137", new).await;
            assert_eq!(format!("{refused:?}"), format!("Err({expected})"));
        }
        site.at(START).reset_password(phone.shown(), "042137", "Neap8yRm").await.unwrap();
        assert!(site.store.member_session(&here.current.digest).await.unwrap().is_none());
        assert!(!signs_in(&site, "Tide7xQk", START).await && signs_in(&site, "Neap8yRm", START).await);
        let again = site.at(START).reset_password(phone.shown(), "042137", "Ebbs9zWn").await;
        assert!(matches!(again, Err(Refusal::CodeWrong)), "the code is used up: {again:?}");
    }

    #[tokio::test]
    async fn a_new_address_needs_its_code_and_the_password_and_is_told_to_both() {
        let site = site().await;
        let store = site.store.clone();
        let ada = site.member(&names(), "Tide7xQk").await;
        let (here, elsewhere) = (begin(&site, ada, START).await, begin(&site, ada, START).await);
        let new = MemberName::email("new@example.org").unwrap();
        let changing = |code, password| NameChange { name: &new, code, password };
        site.code(CodePurpose::Email, &new, START).await;
        for (code, password, expected) in [
            ("042137", "", "OldPasswordNeeded"),
            ("042137", "wrong", "OldPasswordWrong"),
            ("000000", "Tide7xQk", "CodeWrong"),
        ] {
            let refused = site.at(START).change_name(&here.current, changing(code, password)).await;
            assert_eq!(format!("{refused:?}"), format!("Err({expected})"));
        }
        site.at(START).change_name(&here.current, changing("042137", "Tide7xQk")).await.unwrap();
        assert!(store.member_session(&elsewhere.current.digest).await.unwrap().is_none());
        assert_eq!(store.member_session(&here.current.digest).await.unwrap().unwrap().email, "new@example.org");
        assert_eq!(store.member_by_name(&names()[2]).await.unwrap(), None, "the earlier address is nobody's");
    }

    #[tokio::test]
    async fn a_number_of_somebody_else_is_not_taken_over() {
        let site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let [_, phone, _] = names();
        let bea = site.member(&[MemberName::account("bea").unwrap()], "Tide7xQk").await;
        let here = begin(&site, bea, START).await;
        site.code(CodePurpose::Mobile, &phone, START).await;
        let change = NameChange { name: &phone, code: "042137", password: "Tide7xQk" };
        let refused = site.at(START).change_name(&here.current, change).await;
        assert!(matches!(refused, Err(Refusal::TargetTaken)), "{refused:?}");
        assert_eq!(site.store.member_by_name(&phone).await.unwrap(), Some(ada));
    }

    #[tokio::test]
    async fn a_change_is_advised_after_three_months() {
        let mut site = site().await;
        let ada = site.member(&names(), "Tide7xQk").await;
        let member = site.store.of_member(ada).member().await.unwrap().unwrap();
        let day = 24 * HOUR;
        let changed = member.password_changed;
        assert!(!site.at(changed + 90 * day - 1).advises_change(&member));
        assert!(site.at(changed + 90 * day).advises_change(&member));
        site.rules.password_months = 0;
        assert!(!site.at(changed + 900 * day).advises_change(&member));
    }
}
