//! The referrer of a visit, stored in a signed cookie (special-sites: "the old referrer is the `Referer` of the first
//! request of a visit").

use std::{io::Write as _, path::Path};

use axum::http::{HeaderMap, header};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// Name of the cookie.
pub const COOKIE: &str = "mh_visit";
/// Greatest length of a stored referrer, in characters.
const MAX_LENGTH: usize = 512;

/// The installation's signing key: made once, readable by its owner only.
///
/// # Errors
/// A message that names the file.
pub fn key(data: &Path) -> anyhow::Result<[u8; 32]> {
    let path = data.join("cookie.key");
    if let Ok(bytes) = std::fs::read(&path)
        && let Ok(key) = <[u8; 32]>::try_from(bytes.as_slice())
    {
        return Ok(key);
    }
    let key: [u8; 32] = rand::random();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(&path)
        .and_then(|mut file| file.write_all(&key))
        .map_err(|error| anyhow::anyhow!("writing the signing key {}: {error}", path.display()))?;
    Ok(key)
}

/// The referrer of this visit and, on its first request, the `Set-Cookie` value that stores it. `base` is the prefix of
/// the site's addresses: sites that share a host have separate cookies.
#[must_use]
pub fn referrer(headers: &HeaderMap, key: &[u8; 32], site: i64, base: &str) -> (String, Option<String>) {
    if let Some(value) = cookie(headers, COOKIE)
        && let Some(known) = open(&value, key, site)
    {
        return (known, None);
    }
    let referrer = headers.get(header::REFERER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let referrer: String = referrer.chars().take(MAX_LENGTH).collect();
    let cookie = format!("{COOKIE}={}; Path={base}/; HttpOnly; SameSite=Lax", seal(&referrer, key, site));
    (referrer, Some(cookie))
}

/// The value of the named cookie of a request.
#[must_use]
pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()))
}

fn mac(referrer: &str, key: &[u8; 32], site: i64) -> Option<Hmac<Sha256>> {
    // The site is signed too: among sites that share a host, a cookie is valid for one site only.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(&site.to_le_bytes());
    mac.update(referrer.as_bytes());
    Some(mac)
}

fn seal(referrer: &str, key: &[u8; 32], site: i64) -> String {
    let tag = mac(referrer, key, site).map(|mac| mac.finalize().into_bytes()).unwrap_or_default();
    format!("{}.{}", URL_SAFE_NO_PAD.encode(referrer), URL_SAFE_NO_PAD.encode(tag))
}

fn open(value: &str, key: &[u8; 32], site: i64) -> Option<String> {
    let (referrer, tag) = value.split_once('.')?;
    let referrer = String::from_utf8(URL_SAFE_NO_PAD.decode(referrer).ok()?).ok()?;
    mac(&referrer, key, site)?.verify_slice(&URL_SAFE_NO_PAD.decode(tag).ok()?).ok()?;
    Some(referrer)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const KEY: [u8; 32] = [7; 32];

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn the_first_referrer_of_a_visit_is_kept() {
        let first = headers(&[(header::REFERER, "https://a.example.org/x")]);
        let (referrer, cookie) = referrer(&first, &KEY, 502, "");
        assert_eq!(referrer, "https://a.example.org/x");
        let pair = cookie.unwrap().split(';').next().unwrap().to_owned();
        let later = headers(&[(header::REFERER, "https://quiet.example/"), (header::COOKIE, &pair)]);
        assert_eq!(super::referrer(&later, &KEY, 502, ""), ("https://a.example.org/x".to_owned(), None));
    }

    #[test]
    fn a_cookie_that_is_forged_or_of_another_site_is_ignored() {
        let sealed = seal("https://a.example.org/", &KEY, 502);
        assert_eq!(open(&sealed, &KEY, 763), None);
        assert_eq!(open(&sealed, &[8; 32], 502), None);
        let forged =
            format!("{}.{}", URL_SAFE_NO_PAD.encode("https://b.example.org/"), sealed.split_once('.').unwrap().1);
        assert_eq!(open(&forged, &KEY, 502), None);
        assert_eq!(open("", &KEY, 502), None);
    }

    #[test]
    fn a_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(key(folder.path()).unwrap(), key(folder.path()).unwrap());
    }
}
