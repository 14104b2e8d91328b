//! The referrer of a visit, stored in a signed cookie (special-sites: "the old referrer is the `Referer` of the first request of
//! a visit").

use axum::http::{HeaderMap, header};
use cookie::Key;

use super::cookies::{CookiePlace, SignedCookie};

const VISIT: SignedCookie = SignedCookie { name: "mh_visit", lifetime: None };
/// Greatest length of a stored referrer, in characters.
const MAX_LENGTH: usize = 512;

/// The referrer of this visit and, on its first request, the `Set-Cookie` values that store it.
#[must_use]
pub fn referrer(headers: &HeaderMap, key: &Key, place: CookiePlace<'_>) -> (String, Vec<String>) {
    if let Some(known) = VISIT.read(headers, key, place) {
        return (known, Vec::new());
    }
    let referrer = headers.get(header::REFERER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let referrer: String = referrer.chars().take(MAX_LENGTH).collect();
    let cookies = VISIT.headers(Some(&VISIT.sign(&referrer, key, place.site)), place);
    (referrer, cookies)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::auth::cookies;

    const KEY: [u8; 32] = [7; 32];

    fn referrer(headers: &HeaderMap, key: &[u8; 32], site: i64) -> (String, Vec<String>) {
        super::referrer(headers, &cookies::key(key), CookiePlace { site, base: "", https: false })
    }

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn the_first_referrer_of_a_visit_is_kept() {
        let first = headers(&[(header::REFERER, "https://a.example.org/x")]);
        let (first_referrer, set) = referrer(&first, &KEY, 502);
        assert_eq!(first_referrer, "https://a.example.org/x");
        let [cookie] = &set[..] else { panic!("{set:?}") };
        assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/"), "{cookie}");
        let pair = cookie.split(';').next().unwrap();
        let later = headers(&[(header::REFERER, "https://quiet.example/"), (header::COOKIE, pair)]);
        assert_eq!(referrer(&later, &KEY, 502), ("https://a.example.org/x".to_owned(), Vec::new()));
        // On a shared host, files are outside the prefix of the site.
        let (_, shared) =
            super::referrer(&first, &cookies::key(&KEY), CookiePlace { site: 502, base: "/s", https: false });
        let ends = ["Path=/s/", "Path=/media/502/"];
        assert!(shared.len() == 2 && shared.iter().zip(ends).all(|(cookie, end)| cookie.ends_with(end)), "{shared:?}");
    }

    #[test]
    fn a_cookie_that_is_forged_or_of_another_site_is_ignored() {
        let signed = VISIT.sign(&"https://a.example.org/", &cookies::key(&KEY), 502);
        let open = |signed: &str, key: &[u8; 32], site| VISIT.verify::<String>(signed, &cookies::key(key), site);
        assert_eq!(open(&signed, &KEY, 502).as_deref(), Some("https://a.example.org/"));
        assert_eq!(open(&signed, &KEY, 763), None);
        assert_eq!(open(&signed, &[8; 32], 502), None);
        let other = VISIT.sign(&"https://b.example.org/", &cookies::key(&KEY), 502);
        let forged: String = signed.chars().take(44).chain(other.chars().skip(44)).collect();
        assert_eq!((forged.len(), open(&forged, &KEY, 502)), (other.len(), None));
        assert_eq!(open("", &KEY, 502), None);
    }
}
