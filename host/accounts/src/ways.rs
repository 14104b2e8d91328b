//! The ways by which a member can sign in. The last one cannot be removed: the account would be lost.

use masthead_store::{MemberStore, StoreError};

/// A way that a member wants to remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way<'a> {
    /// The identity at this provider.
    Identity(&'a str),
    /// The passkey with this number.
    Passkey(i64),
}

/// Whether the member can still sign in without this way: by a code, a password, another passkey or another identity.
///
/// # Errors
/// [`StoreError`].
pub async fn remain_without(member: &MemberStore, way: Way<'_>) -> Result<bool, StoreError> {
    let Some(account) = member.member().await? else { return Ok(false) };
    let by_code = !account.email.is_empty() || !account.mobile.is_empty();
    if by_code || (account.has_password && !account.account.is_empty()) {
        return Ok(true);
    }
    let passkeys = member.passkeys().await?;
    if passkeys.iter().any(|passkey| way != Way::Passkey(passkey.id)) {
        return Ok(true);
    }
    let identities = member.identities().await?;
    Ok(identities.iter().any(|bound| way != Way::Identity(&bound.identity.provider)))
}
