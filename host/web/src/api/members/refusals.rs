//! The answers of refused calls about accounts.

use axum::http::StatusCode;
use masthead_accounts::{
    keys::{KeyError, SecretText},
    password::{PasswordError, PasswordFault},
    service::Refusal,
};
use masthead_domain::member::NotAName;

use crate::api::envelope::{ApiError, Caller};
use crate::{app::rate_limits::TooOften, failure::Failure};

/// Status and key of the message of a refusal; the others are failures of the host, or have a time.
const fn told(refusal: &Refusal) -> Option<(StatusCode, &'static str)> {
    Some(match refusal {
        Refusal::Wrong => (StatusCode::UNAUTHORIZED, "login_wrong"),
        Refusal::CaptchaNeeded => (StatusCode::PRECONDITION_REQUIRED, "captcha_needed"),
        Refusal::CodeWrong => (StatusCode::BAD_REQUEST, "code_wrong"),
        Refusal::UserUnknown => (StatusCode::NOT_FOUND, "user_unknown"),
        Refusal::Name(NotAName::Account) => (StatusCode::BAD_REQUEST, "name_format"),
        Refusal::Name(NotAName::Email) => (StatusCode::BAD_REQUEST, "email_format"),
        Refusal::Name(NotAName::Mobile) => (StatusCode::BAD_REQUEST, "phone_format"),
        Refusal::NameTaken => (StatusCode::CONFLICT, "name_taken"),
        Refusal::TargetTaken => (StatusCode::CONFLICT, "target_taken"),
        Refusal::Password(fault) => (StatusCode::BAD_REQUEST, of_password(*fault)),
        Refusal::SamePassword => (StatusCode::BAD_REQUEST, "password_same"),
        Refusal::OldPasswordNeeded => (StatusCode::BAD_REQUEST, "password_original_needed"),
        Refusal::OldPasswordWrong => (StatusCode::BAD_REQUEST, "password_original_wrong"),
        Refusal::AgreementNeeded => (StatusCode::BAD_REQUEST, "agreement_needed"),
        Refusal::RegistrationOff => (StatusCode::FORBIDDEN, "registration_off"),
        Refusal::Closed | Refusal::SignInAgain | Refusal::Wait(_) | Refusal::Digest(_) | Refusal::Store(_) => {
            return None;
        }
    })
}

const fn of_password(fault: PasswordFault) -> &'static str {
    match fault {
        PasswordFault::Length => "password_length",
        PasswordFault::Whitespace => "password_whitespace",
        PasswordFault::Characters => "password_characters",
        PasswordFault::ContainsName => "password_name",
        PasswordFault::Common => "password_common",
    }
}

/// The answer to a refused call, for `map_err`.
pub fn refused(caller: &Caller) -> impl Fn(Refusal) -> ApiError + '_ {
    |refusal| {
        // Neither names nor addresses of readers are part of it.
        tracing::info!(site = %caller.entry().site.id, reason = %refusal, "something about an account is refused");
        if let Some((status, key)) = told(&refusal) {
            return caller.fail(status, key);
        }
        match refusal {
            Refusal::Closed => caller.failed(Failure::AccountClosed),
            Refusal::Wait(left) => caller.too_often(after(left), "login_locked"),
            Refusal::Digest(PasswordError::Busy) => caller.failed(Failure::Unavailable),
            Refusal::Digest(error) => caller.internal_error(&error),
            Refusal::Store(error) => caller.store_failed()(error),
            _ => caller.failed(Failure::SignInNeeded),
        }
    }
}

/// The result for a signed-in member, or the answer of a refusal. Where the member has to sign in again the session ends: the sign-in page
/// has no form for a signed-in reader.
///
/// # Errors
/// As [`refused`]; the store's error.
pub async fn in_session<T>(caller: &Caller, done: Result<T, Refusal>) -> Result<T, ApiError> {
    if matches!(done, Err(Refusal::SignInAgain)) {
        let ended = caller.app.sessions(&caller.scope, &caller.host).end(&caller.headers).await;
        ended.map_err(caller.store_failed())?;
    }
    done.map_err(refused(caller))
}

/// The limit after which a reader may try again, from a number of milliseconds.
pub fn after(milliseconds: i64) -> TooOften {
    TooOften { retry_after: u64::try_from(milliseconds).unwrap_or_default().div_ceil(1000).max(1) }
}

/// Opens a password of a body. `session` is the digest of the token of the request's session.
///
/// # Errors
/// 400 for a password that was encrypted with an expired key, or not for this site.
pub fn opened(caller: &Caller, secret: SecretText, session: Option<&str>) -> Result<String, ApiError> {
    let opened = secret.open(&caller.password_keys(), session);
    opened.map_err(|error| match error {
        KeyError::Expired => caller.fail(StatusCode::BAD_REQUEST, "key_expired"),
        KeyError::Damaged => caller.failed(Failure::NotUnderstood),
    })
}

/// A password of a body that may be missing; "" then.
///
/// # Errors
/// As [`opened`].
pub fn opened_or_none(caller: &Caller, secret: Option<SecretText>, session: Option<&str>) -> Result<String, ApiError> {
    secret.map_or_else(|| Ok(String::new()), |secret| opened(caller, secret, session))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_accounts::password::{MAX_LENGTH, MIN_LENGTH};
    use masthead_domain::Lang;

    use super::*;
    use crate::i18n::Messages;

    #[test]
    fn every_refusal_has_a_message_in_every_language() {
        let messages = Messages::load().unwrap();
        let refusals = [
            Refusal::Wrong,
            Refusal::CaptchaNeeded,
            Refusal::CodeWrong,
            Refusal::UserUnknown,
            Refusal::Name(NotAName::Account),
            Refusal::Name(NotAName::Email),
            Refusal::Name(NotAName::Mobile),
            Refusal::NameTaken,
            Refusal::TargetTaken,
            Refusal::Password(PasswordFault::Length),
            Refusal::Password(PasswordFault::Whitespace),
            Refusal::Password(PasswordFault::Characters),
            Refusal::Password(PasswordFault::ContainsName),
            Refusal::Password(PasswordFault::Common),
            Refusal::SamePassword,
            Refusal::OldPasswordNeeded,
            Refusal::OldPasswordWrong,
            Refusal::AgreementNeeded,
            Refusal::RegistrationOff,
        ];
        for refusal in refusals {
            let (status, key) = told(&refusal).unwrap();
            assert!(status.is_client_error(), "{refusal:?}");
            for lang in Lang::ALL {
                assert_ne!(messages.get(lang, key), key, "{refusal:?} in {lang}");
            }
        }
        for lang in Lang::ALL {
            let text = messages.get(lang, "password_length");
            assert!(text.contains(&MIN_LENGTH.to_string()) && text.contains(&MAX_LENGTH.to_string()), "{lang}: {text}");
        }
    }

    #[test]
    fn the_messages_of_the_specification_are_exact() {
        let messages = Messages::load().unwrap();
        for (key, text) in [
            ("user_unknown", "User not found, please register first"),
            ("agreement_needed", "Please click to accept the user agreement first"),
            ("phone_format", "Phone number format incorrect, please try again."),
            ("email_format", "E-mail format is incorrect"),
            ("login_success", "Login successful"),
            ("register_success", "registered"),
            ("reset_success", "Password Reset Successfully"),
            ("submit_success", "Submitted successfully"),
        ] {
            assert_eq!(messages.get(Lang::En, key), text);
        }
        assert_eq!(messages.get(Lang::Zh, "logout_success"), "退出成功");
    }

    #[test]
    fn a_reader_waits_whole_seconds() {
        assert_eq!([after(1).retry_after, after(2_000).retry_after, after(2_001).retry_after], [1, 2, 3]);
        assert_eq!(after(-5).retry_after, 1);
    }
}
