//! Verification of ID tokens (OpenID Connect Core, section 3.1.3.7), and their claims.

use std::time::{Duration, SystemTime};

use openidconnect::{
    AccessToken, AccessTokenHash, AdditionalClaims, ClaimsVerificationError, ClientId, IssuerUrl, JsonWebKeySet, Nonce,
    NonceVerifier as _, StandardClaims, UserInfoJsonWebToken, UserInfoVerifier,
    core::{CoreGenderClaim, CoreIdToken, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::provider::Client;

/// Signatures that only the provider can make. With a shared secret (HS256), everybody who knows the client's secret could.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];
/// Seconds by which the clocks of the provider and the host may differ.
const LEEWAY: i64 = 60;
/// Seconds after which a token is too old for a sign-in that has just come back, whatever its expiry is.
const MAX_AGE: i64 = 600;
/// Greatest length of a subject (OpenID Connect Core, section 2) and of a name.
const MAX_TEXT: usize = 255;

/// The values that a token is compared with.
pub(super) struct Expected<'a> {
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    /// Milliseconds since 1970.
    pub(super) now: i64,
}

/// The claims of a token about the reader.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IdTokenClaims {
    pub(super) subject: String,
    pub(super) name: Option<String>,
}

/// The claims of a token that the library reads as a whole.
pub(super) fn standard(
    token: &CoreIdToken,
    client: &Client,
    access_token: &AccessToken,
    expected: &Expected<'_>,
) -> Result<IdTokenClaims, ClaimsVerificationError> {
    let seconds = expected.now / 1000;
    let moment = Duration::from_secs(u64::try_from(seconds - LEEWAY).unwrap_or_default());
    let verifier = client
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_time_fn(move || (SystemTime::UNIX_EPOCH + moment).into())
        .set_issue_time_verifier_fn(move |issued| check_age(issued.timestamp(), seconds));
    let claims = token.claims(&verifier, &Nonce::new(expected.nonce.to_owned()))?;
    if claims.authorized_party().is_some_and(|party| party.as_str() != expected.client_id) {
        return Err(ClaimsVerificationError::InvalidAudience("the token was issued to another client".to_owned()));
    }
    if let Some(hash) = claims.access_token_hash() {
        let signature = ClaimsVerificationError::SignatureVerification;
        let algorithm = token.signing_alg().map_err(signature)?;
        let key = token.signing_key(&verifier).map_err(signature)?;
        let actual = AccessTokenHash::from_token(access_token, algorithm, key)
            .map_err(|error| ClaimsVerificationError::Other(error.to_string()))?;
        if actual != *hash {
            return Err(ClaimsVerificationError::Other("the access token is not that of the ID token".to_owned()));
        }
    }
    let subject = checked_subject(claims.subject().as_str())?;
    let names = Names {
        name: claims.name().and_then(|name| name.get(None)).map(|name| name.as_str()),
        given: claims.given_name().and_then(|name| name.get(None)).map(|name| name.as_str()),
        family: claims.family_name().and_then(|name| name.get(None)).map(|name| name.as_str()),
        preferred: claims.preferred_username().map(|name| name.as_str()),
    };
    Ok(IdTokenClaims { subject, name: names.chosen() })
}

/// The claims that the library checks in ID tokens only.
#[derive(Debug, Serialize, Deserialize)]
struct OrcidClaims {
    exp: i64,
    iat: i64,
    nonce: Option<Nonce>,
}

impl AdditionalClaims for OrcidClaims {}

type OrcidToken =
    UserInfoJsonWebToken<OrcidClaims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

/// The claims of a token of ORCID's. Its `amr` is a text, which has to be a list, so that the library refuses to read it as an ID token. It is
/// read as signed claims: the library checks signature (RS256), issuer and audience, and the rest is checked here.
pub(super) fn of_orcid(
    token: &str,
    issuer: IssuerUrl,
    keys: JsonWebKeySet<CoreJsonWebKey>,
    expected: &Expected<'_>,
) -> Result<IdTokenClaims, ClaimsVerificationError> {
    let unread =
        |error: serde_json::Error| ClaimsVerificationError::Other(format!("the ID token cannot be read: {error}"));
    let token: OrcidToken = serde_json::from_value(Value::String(token.to_owned())).map_err(unread)?;
    let verifier = UserInfoVerifier::new(ClientId::new(expected.client_id.to_owned()), issuer, keys, None);
    let claims = token.claims(&verifier)?;
    let (more, seconds) = (claims.additional_claims(), expected.now / 1000);
    if seconds - LEEWAY >= more.exp {
        return Err(ClaimsVerificationError::Expired(format!("the ID token expired at {}", more.exp)));
    }
    check_age(more.iat, seconds).map_err(ClaimsVerificationError::Expired)?;
    let nonce = Nonce::new(expected.nonce.to_owned());
    nonce.verify(more.nonce.as_ref()).map_err(ClaimsVerificationError::InvalidNonce)?;
    let subject = claims.subject().as_str();
    if !is_orcid(subject) {
        return Err(ClaimsVerificationError::InvalidSubject("it is not an ORCID iD".to_owned()));
    }
    Ok(IdTokenClaims { subject: subject.to_owned(), name: name_in(claims.standard_claims()) })
}

/// The name in claims.
pub(super) fn name_in(claims: &StandardClaims<CoreGenderClaim>) -> Option<String> {
    let names = Names {
        name: claims.name().and_then(|name| name.get(None)).map(|name| name.as_str()),
        given: claims.given_name().and_then(|name| name.get(None)).map(|name| name.as_str()),
        family: claims.family_name().and_then(|name| name.get(None)).map(|name| name.as_str()),
        preferred: claims.preferred_username().map(|name| name.as_str()),
    };
    names.chosen()
}

/// The names that a provider may give.
struct Names<'a> {
    name: Option<&'a str>,
    given: Option<&'a str>,
    family: Option<&'a str>,
    preferred: Option<&'a str>,
}

impl Names<'_> {
    fn chosen(&self) -> Option<String> {
        let parts = [self.given, self.family].into_iter().flatten().collect::<Vec<_>>().join(" ");
        [self.name.unwrap_or_default(), &parts, self.preferred.unwrap_or_default()].into_iter().find_map(shown)
    }
}

/// A name as it can be shown: in one line, without control characters, and not too long.
pub(super) fn shown(name: &str) -> Option<String> {
    let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_TEXT).collect();
    let name = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

fn checked_subject(subject: &str) -> Result<String, ClaimsVerificationError> {
    let fits = !subject.trim().is_empty() && subject.chars().count() <= MAX_TEXT && !subject.contains(char::is_control);
    let odd = || ClaimsVerificationError::InvalidSubject("it is empty, too long, or has control characters".to_owned());
    fits.then(|| subject.to_owned()).ok_or_else(odd)
}

fn check_age(issued: i64, now: i64) -> Result<(), String> {
    let age = now.saturating_sub(issued);
    if (-LEEWAY..=MAX_AGE).contains(&age) {
        return Ok(());
    }
    Err(format!("the ID token was issued at {issued}, and it is {now} now; compare the clocks"))
}

/// Whether a text is an ORCID iD: 16 digits in groups of four, of which the last is a check digit (ISO 7064, MOD 11-2).
fn is_orcid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let bytes: Vec<u8> = groups.concat().into_bytes();
    let Some((&check, digits)) = bytes.split_last() else { return false };
    if groups.iter().any(|group| group.len() != 4) || bytes.len() != 16 || !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let total = digits.iter().fold(0_u32, |total, digit| (total + u32::from(digit - b'0')) * 2);
    match (12 - total % 11) % 11 {
        10 => check == b'X',
        value => u32::from(check) == u32::from(b'0') + value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orcid_identifiers_have_a_check_digit() {
        for id in ["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X"] {
            assert!(is_orcid(id), "{id}");
        }
        for id in [
            "0000-0002-1825-0098",
            "0000-0002-1694-2331",
            "0000000218250097",
            "https://orcid.org/0000-0002-1825-0097",
            "",
        ] {
            assert!(!is_orcid(id), "{id}");
        }
    }

    #[test]
    fn a_name_is_one_line_without_control_characters() {
        assert_eq!(shown(" Ada\r\nBcc: x\u{7}  Lovelace "), Some("Ada Bcc: x Lovelace".to_owned()));
        assert_eq!(shown(" \n "), None);
        assert_eq!(shown(&"x".repeat(300)).map(|name| name.len()), Some(255));
        let names = Names { name: Some(" "), given: Some("Ada"), family: Some("Lovelace"), preferred: Some("ada") };
        assert_eq!(names.chosen(), Some("Ada Lovelace".to_owned()));
        let unnamed = Names { name: None, given: None, family: None, preferred: None };
        assert_eq!(unnamed.chosen(), None);
    }

    #[test]
    fn tokens_of_another_time_are_refused() {
        for age in [-60, 0, 600] {
            assert!(check_age(10_000 - age, 10_000).is_ok(), "{age}");
        }
        for age in [-61, 601, i64::MAX] {
            assert!(check_age(10_000_i64.saturating_sub(age), 10_000).is_err(), "{age}");
        }
    }
}
