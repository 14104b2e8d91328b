//! The preferred language of a reader whose request names none.

use axum::http::{HeaderMap, header};
use masthead_domain::Lang;

use crate::auth::cookies;

/// The reader's preferred language among those offered: from the cookie `language`, else from `Accept-Language`. `None`
/// when neither names an offered language.
#[must_use]
pub fn preferred(headers: &HeaderMap, offered: &[Lang]) -> Option<Lang> {
    let cookie = cookies::value(headers, "language").and_then(|code| code.parse().ok());
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut weighed: Vec<(f32, Lang)> = accepted
        .split(',')
        .filter_map(|part| {
            let (tag, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            Some((weight.trim().parse().ok()?, Lang::from_tag(tag.trim())?))
        })
        .collect();
    weighed.sort_by(|left, right| right.0.total_cmp(&left.0));
    cookie.into_iter().chain(weighed.into_iter().map(|(_, lang)| lang)).find(|lang| offered.contains(lang))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn the_cookie_takes_precedence_over_accept_language() {
        let offered = [Lang::Zh, Lang::En];
        assert_eq!(preferred(&headers(header::ACCEPT_LANGUAGE, "fr, en-GB;q=0.8, zh;q=0.9"), &offered), Some(Lang::Zh));
        assert_eq!(preferred(&headers(header::COOKIE, "a=1; language=en"), &offered), Some(Lang::En));
        assert_eq!(preferred(&headers(header::COOKIE, "language=ru"), &offered), None);
    }
}
