//! Registration: a name, a number or address that the reader proves to own, a password and the user agreement.

use masthead_domain::member::{CodePurpose, MemberId, MemberName, NameKind, Profile};
use masthead_store::{Created, NewMember};

use crate::{
    password,
    service::{AccountService, Refusal},
};

/// The data of a registration.
#[derive(Clone, Copy)]
pub struct Registration<'a> {
    /// The account name.
    pub name: &'a str,
    /// A mobile number or an e-mail address.
    pub target: &'a str,
    /// The code that was sent to it.
    pub code: &'a str,
    /// The password.
    pub password: &'a str,
    /// Whether the reader accepts the user agreement.
    pub agreement: bool,
}

impl AccountService<'_> {
    /// Creates a member. Whether a name is taken is revealed only after the code was right.
    ///
    /// # Errors
    /// [`Refusal`]; the code can be used again then, unless another reader takes the same name at the same time, or the database fails
    /// between spending the code and creating the member: a code that could be used twice would be worse than one that is lost.
    pub async fn register(&self, new: Registration<'_>) -> Result<MemberId, Refusal> {
        if !self.rules.registration {
            return Err(Refusal::RegistrationOff);
        }
        if !new.agreement {
            return Err(Refusal::AgreementNeeded);
        }
        let (name, target) = (MemberName::account(new.name)?, MemberName::target(new.target)?);
        password::check(new.password, &[name.shown(), local_part(target.shown())]).map_err(Refusal::Password)?;
        let codes = self.codes();
        if !codes.check(CodePurpose::Register, &target, new.code).await? {
            return Err(Refusal::CodeWrong);
        }
        if self.store.member_by_name(&target).await?.is_some() {
            return Err(Refusal::TargetTaken);
        }
        if self.store.member_by_name(&name).await?.is_some() {
            return Err(Refusal::NameTaken);
        }
        let digest = self.passwords.hash(new.password).await?;
        if !codes.spend(CodePurpose::Register, &target, new.code).await? {
            return Err(Refusal::CodeWrong);
        }
        self.create(&[name, target], &digest).await
    }

    /// Creates a member with names that are known to be the reader's.
    async fn create(&self, names: &[MemberName], digest: &str) -> Result<MemberId, Refusal> {
        let handle = uuid::Uuid::new_v4().to_string();
        let profile = Profile::default();
        let new =
            NewMember { handle: &handle, names, password: digest, identity: None, lang: self.lang, profile: &profile };
        match self.store.create_member(&new, self.now).await? {
            Created::Member(member) => Ok(member),
            Created::NameTaken(NameKind::Account) => Err(Refusal::NameTaken),
            Created::NameTaken(_) | Created::IdentityTaken => Err(Refusal::TargetTaken),
        }
    }

    /// Whether an account has a number or address, for its owner, who has a code for the purpose; `None` if the code is wrong. The code is
    /// not used up.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn is_registered(&self, purpose: CodePurpose, target: &str, code: &str) -> Result<Option<bool>, Refusal> {
        let target = MemberName::target(target)?;
        if !self.codes().check(purpose, &target, code).await? {
            return Ok(None);
        }
        Ok(Some(self.store.member_by_name(&target).await?.is_some()))
    }
}

/// The part of an e-mail address before the `@`, which no password may contain; a number as it is.
pub(crate) fn local_part(target: &str) -> &str {
    target.split('@').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        sign_in::PasswordSignIn,
        testing::{START, names, site},
    };

    const ADA: Registration<'_> =
        Registration { name: "ada", target: "13812345678", code: "042137", password: "Tide7xQk", agreement: true };

    #[tokio::test]
    async fn a_reader_registers_and_signs_in() {
        let site = site().await;
        let [_, phone, _] = names();
        site.code(CodePurpose::Register, &phone, START).await;
        let member = site.at(START).register(ADA).await.unwrap();
        let stored = site.store.of_member(member).member().await.unwrap().unwrap();
        assert_eq!((stored.account.as_str(), stored.mobile.as_str(), stored.agreed), ("ada", "13812345678", START));
        assert_eq!(stored.handle.len(), 36);
        let who = PasswordSignIn { name: "ada", password: "Tide7xQk", captcha: false };
        assert_eq!(site.at(START).sign_in(who).await.unwrap(), member);
        let again = site.at(START).register(ADA).await;
        assert!(matches!(again, Err(Refusal::CodeWrong)), "the code is used up: {again:?}");
    }

    #[tokio::test]
    async fn what_is_missing_or_wrong_is_told_without_using_the_code_up() {
        let site = site().await;
        let [_, phone, _] = names();
        site.code(CodePurpose::Register, &phone, START).await;
        for (new, expected) in [
            (Registration { agreement: false, ..ADA }, "AgreementNeeded"),
            (Registration { name: "1ada", ..ADA }, "Name(Account)"),
            (Registration { name: "<b>ada</b>", ..ADA }, "Name(Account)"),
            (Registration { target: "138", ..ADA }, "Name(Mobile)"),
            (Registration { target: "a@b", ..ADA }, "Name(Email)"),
            (Registration { password: "tide", ..ADA }, "Password(Length)"),
            (Registration { password: "TideAda7x", ..ADA }, "Password(ContainsName)"),
            (Registration { code: "000000", ..ADA }, "CodeWrong"),
        ] {
            let refused = site.at(START).register(new).await;
            assert_eq!(format!("{refused:?}"), format!("Err({expected})"));
        }
        assert!(site.at(START).register(ADA).await.is_ok());
    }

    #[tokio::test]
    async fn that_a_name_is_taken_is_told_to_whoever_owns_the_number() {
        let site = site().await;
        site.member(&names(), "Tide7xQk").await;
        let own = MemberName::mobile("13900000000").unwrap();
        let mine = Registration { target: "13900000000", password: "Qk7Tidex", ..ADA };
        let blind = site.at(START).register(mine).await;
        assert!(matches!(blind, Err(Refusal::CodeWrong)), "without a code nothing is told: {blind:?}");
        site.code(CodePurpose::Register, &own, START).await;
        let refused = site.at(START).register(mine).await;
        assert!(matches!(refused, Err(Refusal::NameTaken)), "{refused:?}");
        assert!(site.at(START).register(Registration { name: "bea", ..mine }).await.is_ok(), "with the same code");
        let [_, phone, _] = names();
        let theirs = Registration { name: "carla", ..ADA };
        assert!(matches!(site.at(START).register(theirs).await, Err(Refusal::CodeWrong)));
        site.code(CodePurpose::Register, &phone, START).await;
        assert!(matches!(site.at(START).register(theirs).await, Err(Refusal::TargetTaken)));
    }

    #[tokio::test]
    async fn of_two_registrations_at_the_same_time_one_gets_the_name() {
        let site = site().await;
        let targets = ["13900000001", "13900000002", "13900000003"];
        for target in targets {
            site.code(CodePurpose::Register, &MemberName::mobile(target).unwrap(), START).await;
        }
        let service = site.at(START);
        let all =
            futures::future::join_all(targets.map(|target| service.register(Registration { target, ..ADA }))).await;
        assert_eq!(all.iter().filter(|one| one.is_ok()).count(), 1, "{all:?}");
        assert_eq!(site.store.member_count().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_site_can_be_closed_to_new_members() {
        let mut site = site().await;
        site.rules.registration = false;
        let [_, phone, _] = names();
        site.code(CodePurpose::Register, &phone, START).await;
        assert!(matches!(site.at(START).register(ADA).await, Err(Refusal::RegistrationOff)));
    }

    #[tokio::test]
    async fn only_the_owner_of_a_number_is_told_whether_it_is_registered() {
        let site = site().await;
        site.member(&names(), "").await;
        let other = MemberName::mobile("13900000000").unwrap();
        let [_, phone, _] = names();
        let ask = async |target: &str, code: &str| {
            site.at(START).is_registered(CodePurpose::Register, target, code).await.unwrap()
        };
        assert_eq!((ask("13812345678", "042137").await, ask("13900000000", "042137").await), (None, None));
        for target in [&phone, &other] {
            site.code(CodePurpose::Register, target, START).await;
        }
        assert_eq!((ask("13812345678", "000000").await, ask("13900000000", "000000").await), (None, None));
        assert_eq!(ask("13812345678", "042137").await, Some(true));
        assert_eq!(ask("13900000000", "042137").await, Some(false));
    }
}
