//! The owner of an identity on a site: a member, a new member, or none yet.
//!
//! An identity is bound by the member alone, signed in or with a password or code of the account. It is never bound because a provider
//! names an e-mail address that an account has: the operator of a provider would control every account.

use masthead_domain::{
    Lang,
    member::{CodePurpose, MemberId, MemberName, MemberState, Profile},
    site::NewMembers,
};
use masthead_store::{
    Created, Identity, IdentityBinding, MemberStore, NewMember, NewMessage, Removal, SiteStore, StoreError,
};
use uuid::Uuid;

use super::ExternalIdentity;
use crate::service::{AccountService, Refusal};

/// The owner of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityOwner {
    /// This member.
    Member(MemberId),
    /// A member whose account is closed.
    Closed,
    /// The identity has no owner: it can be bound to an account.
    Unknown,
}

impl ExternalIdentity {
    fn stored(&self) -> Identity {
        let Self { provider, subject, name } = self.clone();
        Identity { provider, subject, name }
    }
}

/// Finds the owner of the identity. Where `new` allows it, a reader who is not known to the site becomes a member.
///
/// # Errors
/// [`StoreError`].
pub async fn arrive(
    store: &SiteStore,
    who: &ExternalIdentity,
    new: NewMembers,
    lang: Lang,
    now: i64,
) -> Result<IdentityOwner, StoreError> {
    if let Some(member) = store.member_by_identity(&who.provider, &who.subject).await? {
        return known(store, member).await;
    }
    if new == NewMembers::Bind {
        return Ok(IdentityOwner::Unknown);
    }
    let identity = who.stored();
    let new = NewMember {
        handle: &Uuid::new_v4().to_string(),
        names: &[],
        password: "",
        identity: Some(&identity),
        lang,
        profile: &Profile { name: who.name.clone(), ..Profile::default() },
    };
    match store.create_member(&new, now).await? {
        Created::Member(member) => Ok(IdentityOwner::Member(member)),
        // Another request of the same reader was faster.
        Created::IdentityTaken | Created::NameTaken(_) => {
            match store.member_by_identity(&who.provider, &who.subject).await? {
                Some(member) => known(store, member).await,
                None => Ok(IdentityOwner::Unknown),
            }
        }
    }
}

async fn known(store: &SiteStore, member: MemberId) -> Result<IdentityOwner, StoreError> {
    let found = store.of_member(member).member().await?;
    Ok(match found.map(|member| member.state) {
        Some(MemberState::Active) => IdentityOwner::Member(member),
        Some(MemberState::Closed) => IdentityOwner::Closed,
        None => IdentityOwner::Unknown,
    })
}

/// Binds an identity to a member.
///
/// # Errors
/// [`StoreError`].
pub async fn bind(
    member: &MemberStore,
    who: &ExternalIdentity,
    messages: &[NewMessage],
    now: i64,
) -> Result<IdentityBinding, StoreError> {
    member.bind_identity(&who.stored(), messages, now).await
}

/// Removes the identity of a member at a provider, unless it is the only way in.
///
/// # Errors
/// [`StoreError`].
pub async fn unbind(
    member: &MemberStore,
    provider: &str,
    messages: &[NewMessage],
    now: i64,
) -> Result<Removal, StoreError> {
    member.unbind_identity(provider, messages, now).await
}

impl AccountService<'_> {
    /// The member to whom a code was sent to bind an identity.
    ///
    /// # Errors
    /// [`Refusal`]; only the owner of a number or address learns that no account has it.
    pub async fn member_to_bind(&self, target: &str, code: &str) -> Result<MemberId, Refusal> {
        let target = MemberName::target(target)?;
        if !self.codes().spend(CodePurpose::Bind, &target, code).await? {
            return Err(Refusal::CodeWrong);
        }
        self.store.member_by_name(&target).await?.ok_or(Refusal::UserUnknown)
    }
}
