//! Credentials: secrets that the host adds to a request, so that the plugin never has them.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use super::{allowed_origins::Origin, error::FetchError, granted_secrets::GrantedSecrets, headers};

/// Limits on the credentials of one request and on the parts of one digest, because each part may make the host read the whole
/// body.
const CREDENTIALS: usize = 8;
const PARTS: usize = 32;

const FORM: &str = "application/x-www-form-urlencoded";

/// The secrets of one site.
pub trait Secrets: Send + Sync {
    /// The secret with this name, without a line break at its end.
    fn get(&self, name: &str) -> Option<String>;

    /// The same, but `None` for an empty secret: anybody could compute its signature.
    fn usable(&self, name: &str) -> Option<String> {
        self.get(name).filter(|secret| !secret.is_empty())
    }
}

/// A secret with the place and form in which the host adds it. It is sent only to the origin that the plugin named: a redirect to
/// another origin is followed without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The name of the secret.
    pub secret: String,
    /// Where the secret is added.
    pub place: CredentialPlace,
    /// The form in which it is added.
    pub form: Form,
}

/// The place of a credential in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CredentialPlace {
    /// The header with this name; it replaces one set by the plugin.
    Header(String),
    /// A parameter added to the URL's query.
    Query(String),
    /// A field added to a body in `application/x-www-form-urlencoded`.
    FormField(String),
}

/// The encoding of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The secret itself.
    Plain {
        /// The text in front of it, such as `"Bearer "`.
        prefix: String,
    },
    /// The password of HTTP's basic authentication.
    Basic {
        /// The user's name.
        user: String,
    },
    /// A digest that proves that the sender knows the secret.
    Digest {
        /// The algorithm.
        algorithm: Algorithm,
        /// Its input, concatenated.
        parts: Vec<DigestPart>,
        /// The encoding of the digest.
        encoding: Encoding,
        /// The text in front of it.
        prefix: String,
    },
}

/// The algorithm of a digest. Some gateways require the weak ones, with the secret among the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// MD5 over the parts.
    Md5,
    /// SHA-1 over the parts.
    Sha1,
    /// SHA-256 over the parts.
    Sha256,
    /// HMAC with SHA-1; the secret is the key.
    HmacSha1,
    /// HMAC with SHA-256; the secret is the key.
    HmacSha256,
}

/// A part of the input of a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DigestPart {
    /// A text from the plugin.
    Text(String),
    /// The secret.
    Secret,
    /// The body as sent, including form fields of other credentials.
    Body,
}

/// The encoding of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Lower-case hexadecimal digits.
    Hex,
    /// Base64 with padding.
    Base64,
}

/// A credential with its secret. Without `Debug`, so that no log can show the secret.
pub(super) struct CredentialSecret<'a> {
    credential: &'a Credential,
    secret: String,
}

/// The request with its credentials. Without `Debug`, so that no log can show a secret.
pub(super) struct Outgoing {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    /// The parameters that credentials added to the query.
    pub(super) added: Vec<(String, String)>,
}

/// Looks up the secrets, and refuses invalid credentials, and those for another origin, before anything is sent.
pub(super) fn look_up<'a>(
    credentials: &'a [Credential],
    granted: &GrantedSecrets,
    origin: &Origin,
    secrets: &dyn Secrets,
) -> Result<Vec<CredentialSecret<'a>>, FetchError> {
    if credentials.len() > CREDENTIALS {
        return Err(FetchError::Invalid(format!("a request takes at most {CREDENTIALS} credentials")));
    }
    let look_up = |credential: &'a Credential| {
        let name = &credential.secret;
        granted.check(name, origin)?;
        check(credential)
            .map_err(|why| FetchError::Invalid(format!("the credential from the secret {name:?}: {why}")))?;
        let secret = secrets.usable(name).ok_or_else(|| FetchError::UnknownSecret(name.clone()))?;
        Ok(CredentialSecret { credential, secret })
    };
    credentials.iter().map(look_up).collect()
}

fn check(credential: &Credential) -> Result<(), String> {
    match (&credential.form, &credential.place) {
        (Form::Basic { .. }, CredentialPlace::Query(_) | CredentialPlace::FormField(_)) => {
            return Err("basic authentication goes in a header".to_owned());
        }
        (Form::Basic { user }, CredentialPlace::Header(_)) if user.contains(':') => {
            return Err("a user's name has no colon in basic authentication".to_owned());
        }
        (Form::Digest { algorithm, parts, .. }, place) => {
            let keyed = matches!(algorithm, Algorithm::HmacSha1 | Algorithm::HmacSha256);
            if !keyed && !parts.contains(&DigestPart::Secret) {
                return Err("a digest without the secret among its parts proves nothing".to_owned());
            }
            if parts.len() > PARTS {
                return Err(format!("a digest takes at most {PARTS} parts"));
            }
            if matches!(place, CredentialPlace::FormField(_)) && parts.contains(&DigestPart::Body) {
                return Err("a digest over the body cannot stand in that body".to_owned());
            }
        }
        (Form::Plain { .. } | Form::Basic { .. }, _) => {}
    }
    match &credential.place {
        CredentialPlace::Header(name) => headers::credential_name(name).map(drop).map_err(|error| error.to_string()),
        CredentialPlace::Query(name) | CredentialPlace::FormField(name) if name.is_empty() => {
            Err("it has no name".to_owned())
        }
        CredentialPlace::Query(_) | CredentialPlace::FormField(_) => Ok(()),
    }
}

/// Adds the credentials. Fields of the body come first, because another credential may sign the body.
pub(super) fn apply(keyed: &[CredentialSecret<'_>], outgoing: &mut Outgoing) -> Result<(), FetchError> {
    for keyed in keyed {
        if let CredentialPlace::FormField(name) = &keyed.credential.place {
            let value = keyed.value(&[]);
            add_field(outgoing, name, &value)?;
        }
    }
    for keyed in keyed {
        let value = keyed.value(&outgoing.body);
        match &keyed.credential.place {
            CredentialPlace::Header(name) => {
                let name = headers::credential_name(name)?;
                let mut value = HeaderValue::from_str(&value).map_err(|_| {
                    let secret = &keyed.credential.secret;
                    FetchError::Invalid(format!(
                        "the secret {secret:?}, or its prefix, has characters that are not allowed in a header"
                    ))
                })?;
                value.set_sensitive(true);
                outgoing.headers.insert(name, value);
            }
            CredentialPlace::Query(name) => {
                outgoing.url.query_pairs_mut().append_pair(name, &value);
                outgoing.added.push((name.clone(), value));
            }
            CredentialPlace::FormField(_) => {}
        }
    }
    Ok(())
}

/// Removes query parameters that credentials added from a URL, because servers often repeat the query in a redirect, which may lead
/// to another origin.
pub(super) fn take_out(url: &mut Url, added: &[(String, String)]) {
    let is_added = |pair: &(String, String)| added.iter().any(|(_, value)| *value == pair.1);
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    if !pairs.iter().any(is_added) {
        return;
    }
    url.set_query(None);
    let kept: Vec<_> = pairs.into_iter().filter(|pair| !is_added(pair)).collect();
    if !kept.is_empty() {
        url.query_pairs_mut().extend_pairs(kept);
    }
}

/// Whether one of them is a field of the body.
pub(super) fn any_in_body(credentials: &[Credential]) -> bool {
    credentials.iter().any(|credential| matches!(credential.place, CredentialPlace::FormField(_)))
}

fn add_field(outgoing: &mut Outgoing, name: &str, value: &str) -> Result<(), FetchError> {
    let is_form = |value: &HeaderValue| {
        value
            .to_str()
            .is_ok_and(|value| value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(FORM)))
    };
    match outgoing.headers.get(CONTENT_TYPE) {
        Some(kind) if !is_form(kind) => {
            return Err(FetchError::Invalid(format!("the field {name:?} can only be added to a body in {FORM}")));
        }
        Some(_) => {}
        None => drop(outgoing.headers.insert(CONTENT_TYPE, HeaderValue::from_static(FORM))),
    }
    if !outgoing.body.is_empty() && !outgoing.body.ends_with(b"&") {
        outgoing.body.push(b'&');
    }
    let pair = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
    outgoing.body.extend_from_slice(pair.as_bytes());
    Ok(())
}

impl CredentialSecret<'_> {
    pub(super) fn is_in_body(&self) -> bool {
        matches!(self.credential.place, CredentialPlace::FormField(_))
    }

    fn value(&self, body: &[u8]) -> String {
        match &self.credential.form {
            Form::Plain { prefix } => format!("{prefix}{}", self.secret),
            Form::Basic { user } => format!("Basic {}", STANDARD.encode(format!("{user}:{}", self.secret))),
            Form::Digest { algorithm, parts, encoding, prefix } => {
                let pieces = parts.iter().map(|part| match part {
                    DigestPart::Text(text) => text.as_bytes(),
                    DigestPart::Secret => self.secret.as_bytes(),
                    DigestPart::Body => body,
                });
                let digest = match algorithm {
                    Algorithm::Md5 => hash::<Md5>(pieces),
                    Algorithm::Sha1 => hash::<Sha1>(pieces),
                    Algorithm::Sha256 => hash::<Sha256>(pieces),
                    Algorithm::HmacSha1 => sign::<Hmac<Sha1>>(&self.secret, pieces),
                    Algorithm::HmacSha256 => sign::<Hmac<Sha256>>(&self.secret, pieces),
                };
                let digest = match encoding {
                    Encoding::Hex => masthead_domain::text::hex(&digest),
                    Encoding::Base64 => STANDARD.encode(digest),
                };
                format!("{prefix}{digest}")
            }
        }
    }
}

fn hash<'a, D: Digest>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut hasher = D::new();
    pieces.for_each(|piece| hasher.update(piece));
    hasher.finalize().to_vec()
}

fn sign<'a, M: Mac + KeyInit>(secret: &str, pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    // HMAC accepts keys of any length, so that this cannot fail; the server would reject an empty value.
    let Ok(mut mac) = <M as KeyInit>::new_from_slice(secret.as_bytes()) else { return Vec::new() };
    pieces.for_each(|piece| mac.update(piece));
    mac.finalize().into_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use masthead_domain::plugin_use::SecretGrant;

    use super::*;
    use crate::invocation::fetch::tests::allowed;

    struct One;

    impl Secrets for One {
        fn get(&self, name: &str) -> Option<String> {
            match name {
                "key" => Some("s3cr3t-value".to_owned()),
                "jefe" => Some("Jefe".to_owned()),
                "odd" => Some("two\nlines".to_owned()),
                "empty" => Some(String::new()),
                _ => None,
            }
        }
    }

    fn granted() -> GrantedSecrets {
        let allowed = allowed(&["api.example.org"], &[]);
        GrantedSecrets::bind(&["key", "jefe", "odd", "empty", "missing"].map(SecretGrant::from), &allowed).unwrap()
    }

    fn outgoing(body: &[u8]) -> Outgoing {
        let url = Url::parse("https://api.example.org/v1?q=a%20b").unwrap();
        Outgoing { url, headers: HeaderMap::new(), body: body.to_vec(), added: Vec::new() }
    }

    fn run(credentials: &[Credential], mut outgoing: Outgoing) -> Result<Outgoing, FetchError> {
        let keyed = look_up(credentials, &granted(), &Origin::of(&outgoing.url).unwrap(), &One)?;
        apply(&keyed, &mut outgoing)?;
        Ok(outgoing)
    }

    fn error(credentials: &[Credential], outgoing: Outgoing) -> FetchError {
        let Err(error) = run(credentials, outgoing) else { panic!("it should be refused") };
        assert!(!format!("{error} {error:?}").contains("s3cr3t-value"), "{error}");
        error
    }

    fn plain(secret: &str, place: CredentialPlace) -> Credential {
        Credential { secret: secret.to_owned(), place, form: Form::Plain { prefix: String::new() } }
    }

    fn digest(
        secret: &str,
        place: CredentialPlace,
        algorithm: Algorithm,
        parts: Vec<DigestPart>,
        encoding: Encoding,
    ) -> Credential {
        let form = Form::Digest { algorithm, parts, encoding, prefix: String::new() };
        Credential { secret: secret.to_owned(), place, form }
    }

    fn header() -> CredentialPlace {
        CredentialPlace::Header("x-sign".to_owned())
    }

    fn text(text: &str) -> DigestPart {
        DigestPart::Text(text.to_owned())
    }

    #[test]
    fn digests_match_published_test_vectors() {
        // RFC 2202 and 4231, second case; the others from md5sum, sha1sum and sha256sum.
        let message = || vec![text("what do ya want "), text("for nothing?")];
        let with_secret = || vec![text("20150630"), text("apple"), DigestPart::Secret];
        for (algorithm, parts, expected) in [
            (Algorithm::HmacSha1, message(), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (Algorithm::HmacSha256, message(), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (Algorithm::Md5, with_secret(), "bc78665db6d6d2fdaaafc983a161eb21"),
            (Algorithm::Sha1, with_secret(), "23db6a57714a2a596061fbe2b66252c5ac192114"),
            (Algorithm::Sha256, with_secret(), "1f9dac041fbf08b6e835a0e8217c44a0b2f78ce99bf8e6fc4f4264e061543e58"),
        ] {
            let sent = run(&[digest("jefe", header(), algorithm, parts, Encoding::Hex)], outgoing(b"")).unwrap();
            assert_eq!(sent.headers["x-sign"], expected, "{algorithm:?}");
        }
    }

    #[test]
    fn a_signature_covers_the_body_with_the_fields_of_other_credentials() {
        let parts = vec![DigestPart::Body];
        let sign = digest("jefe", header(), Algorithm::HmacSha256, parts, Encoding::Base64);
        let sent =
            run(&[sign.clone(), plain("key", CredentialPlace::FormField("k y".to_owned()))], outgoing(b"a=1")).unwrap();
        assert_eq!(sent.body, b"a=1&k+y=s3cr3t-value");
        assert_eq!(sent.headers["content-type"], FORM);
        let same = run(&[sign], outgoing(&sent.body)).unwrap();
        assert_eq!(sent.headers["x-sign"], same.headers["x-sign"]);
    }

    #[test]
    fn values_are_escaped_for_their_place() {
        let place = CredentialPlace::Query("k&y".to_owned());
        let form = Form::Plain { prefix: "a&b=".to_owned() };
        let sent = run(&[Credential { secret: "key".to_owned(), place, form }], outgoing(b"")).unwrap();
        assert_eq!(sent.url.query(), Some("q=a%20b&k%26y=a%26b%3Ds3cr3t-value"));
        assert!(sent.body.is_empty());
    }

    #[test]
    fn headers_with_a_secret_do_not_show_it() {
        let form = Form::Basic { user: "u".to_owned() };
        let place = CredentialPlace::Header("Authorization".to_owned());
        let sent = run(&[Credential { secret: "jefe".to_owned(), place, form }], outgoing(b"")).unwrap();
        assert_eq!(sent.headers["authorization"], "Basic dTpKZWZl");
        assert_eq!(format!("{:?}", sent.headers), r#"{"authorization": Sensitive}"#);
    }

    #[test]
    fn invalid_credentials_are_refused_before_sending() {
        let form_field = || CredentialPlace::FormField("k".to_owned());
        let basic = |user: &str| Form::Basic { user: user.to_owned() };
        let mut json = outgoing(b"{}");
        json.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (credential, outgoing, why) in [
            (plain("other", header()), outgoing(b""), "grants"),
            (plain("missing", header()), outgoing(b""), "no secret named"),
            (plain("empty", header()), outgoing(b""), "no secret named"),
            (plain("odd", header()), outgoing(b""), "\"odd\""),
            (plain("key", CredentialPlace::Header("host".to_owned())), outgoing(b""), "host alone"),
            (plain("key", CredentialPlace::Header("a b".to_owned())), outgoing(b""), "not a valid header name"),
            (plain("key", CredentialPlace::Query(String::new())), outgoing(b""), "no name"),
            (plain("key", form_field()), json, "can only be added"),
            (Credential { form: basic("u"), ..plain("key", form_field()) }, outgoing(b""), "in a header"),
            (Credential { form: basic("a:b"), ..plain("key", header()) }, outgoing(b""), "colon"),
            (digest("key", header(), Algorithm::Md5, vec![text("a")], Encoding::Hex), outgoing(b""), "proves nothing"),
            (
                digest("key", form_field(), Algorithm::HmacSha1, vec![DigestPart::Body], Encoding::Hex),
                outgoing(b""),
                "cannot stand in that body",
            ),
            (
                digest("key", header(), Algorithm::HmacSha1, vec![DigestPart::Body; 33], Encoding::Hex),
                outgoing(b""),
                "at most 32 parts",
            ),
        ] {
            let error = error(&[credential], outgoing).to_string();
            assert!(error.contains(why), "{why}: {error}");
        }
        assert!(error(&vec![plain("key", header()); 9], outgoing(b"")).to_string().contains("at most 8"));
    }

    #[test]
    fn credentials_are_removed_from_a_repeated_query() {
        let added = vec![("key".to_owned(), "a b".to_owned())];
        for (url, expected) in [
            ("https://h/?q=%7e&key=a%20b", "https://h/?q=%7E"),
            ("https://h/?key=a+b", "https://h/"),
            ("https://h/?other=a+b&x=1", "https://h/?x=1"),
            ("https://h/?q=%7e&key=other", "https://h/?q=%7e&key=other"),
            ("https://h/", "https://h/"),
        ] {
            let mut url = Url::parse(url).unwrap();
            take_out(&mut url, &added);
            assert_eq!(url.as_str(), expected);
        }
    }
}
