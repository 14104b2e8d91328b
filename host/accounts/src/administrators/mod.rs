//! Accounts of administrators: how they are invited, sign in, and stay signed in. They are no members: they belong to the installation, and
//! their sessions are shorter.

#[cfg(test)]
mod tests;

use masthead_domain::{
    SiteId,
    member::{AdministratorId, MemberName, MemberState, Role, RoleScope},
};
use masthead_store::{
    AdministratorSession, NewAccount, NewAdministratorSession, NewInvite, SessionRotation, Store, StoreError,
};

use crate::{
    attempts::{Attempt, AttemptDecision, Attempted},
    installation_key::{InstallationKey, token_digest},
    password::{PasswordError, Passwords, is_common},
    sessions::{Token, describe, is_token, new_token},
};

/// Milliseconds without a request after which a session ends.
pub const IDLE_MS: i64 = 3_600_000;
/// Milliseconds after which a session ends, however it is used.
pub const MAX_MS: i64 = 12 * 3_600_000;
/// Milliseconds between two writes of the time at which a session was used.
const USE_INTERVAL: i64 = 60_000;
/// Greatest number of days for which an invitation waits.
pub const MAX_INVITE_DAYS: u32 = 30;
/// Fewest and most characters of a password. It is longer than that of a member, and needs no characters of several kinds.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 12..=128;
/// Greatest number of characters of a name.
const MAX_NAME: usize = 100;
/// The number under which the attempts of administrators are counted: that of no site.
const INSTALLATION: SiteId = SiteId(0);
const DAY: i64 = 86_400_000;

/// Why an administrator cannot be invited, or does not become one.
#[derive(Debug, thiserror::Error)]
pub enum AdministratorError {
    /// The invitation is unknown, has ended or was accepted before.
    #[error("the invitation is unknown, has ended or was accepted before; ask for another one")]
    NoInvitation,
    /// The role is one for the installation, and was to hold on a site.
    #[error("the role platform-administrator holds on the installation; invite without a site")]
    NotOfSite,
    /// The number of days of the invitation is 0, or too large.
    #[error("an invitation waits for 1 to {MAX_INVITE_DAYS} days, not for {0}")]
    Days(u32),
    /// The name is not acceptable.
    #[error("a name has 1 to {MAX_NAME} characters, none of which is a control character")]
    Name,
    /// The password is not acceptable.
    #[error("the password of an administrator has {} to {} characters, is not a common one, and does not contain the e-mail address", PASSWORD_LENGTH.start(), PASSWORD_LENGTH.end())]
    Password,
    /// The present password is wrong.
    #[error("the present password is wrong")]
    Wrong,
    /// The address of the invitation has an account with another password.
    #[error("the address has an account already, with another password")]
    NotTheOwner,
    /// The next attempt to sign in can be made after this number of milliseconds.
    #[error("the next attempt to sign in can be made in {0} milliseconds")]
    Wait(i64),
    /// The password could not be compared or kept.
    #[error(transparent)]
    Passwords(#[from] PasswordError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An invitation to become an administrator, or to get another role.
#[derive(Clone, Copy, Debug)]
pub struct Invitation<'a> {
    /// The e-mail address.
    pub email: &'a MemberName,
    /// Where the role holds.
    pub scope: RoleScope,
    /// The role.
    pub role: Role,
    /// Days for which the invitation waits.
    pub days: u32,
}

/// Stores an invitation, and returns the token of its link: the only copy, which works once. It replaces the one before for the same person
/// and site.
///
/// # Errors
/// [`AdministratorError`].
pub async fn invite(
    store: &Store,
    invitation: &Invitation<'_>,
    who: &str,
    now: i64,
) -> Result<Token, AdministratorError> {
    let Invitation { email, scope, role, days } = *invitation;
    if role == Role::PlatformAdministrator && scope != RoleScope::Installation {
        return Err(AdministratorError::NotOfSite);
    }
    if !(1..=MAX_INVITE_DAYS).contains(&days) {
        return Err(AdministratorError::Days(days));
    }
    let text = new_token();
    let expires = now + i64::from(days) * DAY;
    let new = NewInvite { digest: &token_digest(&text), email, scope, role, expires };
    store.invite_administrator(&new, &[], who, now).await?;
    Ok(Token { text, expires })
}

/// The acceptance of an invitation.
#[derive(Clone, Copy)]
pub struct Accepting<'a> {
    /// The token of the link.
    pub token: &'a str,
    /// The name of the person.
    pub name: &'a str,
    /// The password: a new one, or that of the account which the address has.
    pub password: &'a str,
    /// The client's network; "" if it is not known.
    pub network: &'a str,
}

/// Accepts an invitation, once, without signing in. A present administrator proves it by the password, keeps name and password, and gets
/// the role: otherwise an attacker who accepts for the address of another person would share that person's later roles.
///
/// # Errors
/// [`AdministratorError`]; the invitation waits on, unless it was accepted.
pub async fn accept(
    store: &Store,
    (passwords, key): (&Passwords, &InstallationKey),
    who: Accepting<'_>,
    now: i64,
) -> Result<AdministratorId, AdministratorError> {
    let Accepting { token, name, password, network } = who;
    let digest = if is_token(token) { token_digest(token) } else { return Err(AdministratorError::NoInvitation) };
    let invite = store.invite(&digest, now).await?.ok_or(AdministratorError::NoInvitation)?;
    let known = match MemberName::email(&invite.email) {
        Ok(address) => store.administrator_credential(&address).await?,
        Err(_) => None,
    };
    if known.is_some_and(|known| known.state == MemberState::Active) {
        let who = SigningIn { email: &invite.email, password, network };
        verify(store, (passwords, key), who, now).await?.ok_or(AdministratorError::NotTheOwner)?;
        let accepted = store.accept_invite(&digest, None, now).await?;
        return accepted.ok_or(AdministratorError::NoInvitation);
    }
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(AdministratorError::Name);
    }
    if !is_password(password, &invite.email) {
        return Err(AdministratorError::Password);
    }
    let digest_of_password = passwords.hash(password).await?;
    let account = NewAccount { name, password: &digest_of_password };
    let accepted = store.accept_invite(&digest, Some(account), now).await?;
    accepted.ok_or(AdministratorError::NoInvitation)
}

/// Whether a text can be the password of the administrator with this e-mail address.
fn is_password(text: &str, email: &str) -> bool {
    let folded = |text: &str| text.to_lowercase();
    let own = email.split('@').next().unwrap_or_default();
    PASSWORD_LENGTH.contains(&text.chars().count())
        && !is_common(&folded(text))
        && (own.len() < 4 || !folded(text).contains(&folded(own)))
}

/// The data of a sign-in.
#[derive(Clone, Copy)]
pub struct SigningIn<'a> {
    /// The e-mail address, as it was typed.
    pub email: &'a str,
    /// The password.
    pub password: &'a str,
    /// The client's network; "" if it is not known.
    pub network: &'a str,
}

/// The administrator with this e-mail address and password; `None` if either is wrong, after the same work. After some failures from one
/// network, the next attempt from it has to wait; attempts from other networks do not.
///
/// # Errors
/// [`AdministratorError::Wait`], [`AdministratorError::Passwords`], [`AdministratorError::Store`].
pub async fn verify(
    store: &Store,
    (passwords, key): (&Passwords, &InstallationKey),
    who: SigningIn<'_>,
    now: i64,
) -> Result<Option<AdministratorId>, AdministratorError> {
    let name = MemberName::email(who.email).ok();
    let installation = store.site(INSTALLATION);
    let attempted = Attempted { name: name.as_ref(), typed: who.email, network: who.network };
    let attempt = Attempt::new(&installation, key, attempted, now);
    match attempt.begin(u32::MAX, false).await? {
        AttemptDecision::Open => {}
        AttemptDecision::Wait(left) => return Err(AdministratorError::Wait(left)),
        // No person makes so many attempts.
        AttemptDecision::Captcha => return Err(AdministratorError::Wait(DAY)),
    }
    let known = match &name {
        Some(name) => store.administrator_credential(name).await?,
        None => None,
    };
    let known = known.filter(|known| known.state == MemberState::Active);
    let verdict = passwords.verify(who.password, known.as_ref().map(|known| known.password.as_str())).await?;
    let Some(known) = known.filter(|_| verdict.right) else { return Ok(None) };
    attempt.succeeded().await?;
    Ok(Some(known.administrator))
}

/// Changes the password of the administrator who has a session and knows the present one. All other sessions end, and this one gets another
/// token. `None` if the session has ended.
///
/// # Errors
/// [`AdministratorError::Wrong`], [`AdministratorError::Password`], and those of [`verify`].
pub async fn change_password(
    store: &Store,
    (passwords, key): (&Passwords, &InstallationKey),
    (session, network): (&str, &str),
    (present, new): (&str, &str),
    now: i64,
) -> Result<Option<Token>, AdministratorError> {
    let Some(found) = find(store, session, now).await? else { return Ok(None) };
    let who = SigningIn { email: &found.email, password: present, network };
    if verify(store, (passwords, key), who, now).await? != Some(found.administrator) {
        return Err(AdministratorError::Wrong);
    }
    if !is_password(new, &found.email) {
        return Err(AdministratorError::Password);
    }
    let (digest, text) = (passwords.hash(new).await?, new_token());
    let kept = SessionRotation { from: &token_digest(session), to: &token_digest(&text) };
    let changed = store.set_administrator_password(found.administrator, &digest, Some(kept), &found.email, now).await?;
    Ok(changed.then(|| Token { text, expires: found.created + MAX_MS }))
}

/// Begins a session; `None` if the account is closed. `replaces` is the token of a session from before, which is void then.
///
/// # Errors
/// [`StoreError`].
pub async fn begin(
    store: &Store,
    administrator: AdministratorId,
    (agent, replaces): (&str, Option<&str>),
    now: i64,
) -> Result<Option<Token>, StoreError> {
    if let Some(token) = replaces {
        end(store, token).await?;
    }
    let text = new_token();
    let new = NewAdministratorSession { administrator, digest: &token_digest(&text), client: &describe(agent) };
    let begun = store.begin_administrator_session(&new, now).await?;
    Ok(begun.map(|_| Token { text, expires: now + MAX_MS }))
}

/// The session of a token, if it has not ended. Its use is noted.
///
/// # Errors
/// [`StoreError`].
pub async fn find(store: &Store, token: &str, now: i64) -> Result<Option<AdministratorSession>, StoreError> {
    if !is_token(token) {
        return Ok(None);
    }
    let digest = token_digest(token);
    let Some(session) = store.administrator_session(&digest).await? else { return Ok(None) };
    if now - session.created >= MAX_MS || now - session.used >= IDLE_MS {
        return Ok(None);
    }
    if now - session.used >= USE_INTERVAL
        && let Err(error) = store.use_administrator_session(&digest, now).await
    {
        tracing::error!(%error, "the use of an administrator's session is not stored; it may expire early");
    }
    Ok(Some(session))
}

/// Ends the session of a token.
///
/// # Errors
/// [`StoreError`]; the session may still be valid then.
pub async fn end(store: &Store, token: &str) -> Result<(), StoreError> {
    if is_token(token) {
        store.end_administrator_session(&token_digest(token)).await?;
    }
    Ok(())
}
