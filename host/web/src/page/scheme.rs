//! The reader's choice of light or dark, which a cookie keeps, for documents that are made for one answer. Those of the page cache have a
//! placeholder instead (`cache::SCHEME`).

use axum::http::HeaderMap;

use crate::auth::cookies;

tokio::task_local! {
    static CHOSEN: Option<&'static str>;
}

/// What the reader has chosen: a value of `data-theme`; `None` for what the system says.
#[must_use]
pub fn of_headers(headers: &HeaderMap) -> Option<&'static str> {
    match cookies::value(headers, "theme").as_deref() {
        Some("dark") => Some("dark"),
        Some("light") => Some("light"),
        _ => None,
    }
}

/// Runs the work on a request of a reader who has chosen this.
pub async fn during<F: Future>(chosen: Option<&'static str>, work: F) -> F::Output {
    CHOSEN.scope(chosen, work).await
}

/// The choice of the reader for whom the current task works; `None` also outside requests.
#[must_use]
pub fn chosen() -> Option<&'static str> {
    CHOSEN.try_with(|chosen| *chosen).ok().flatten()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn the_cookie_decides_and_nothing_else_gets_into_the_document() {
        for (cookie, scheme) in [
            ("theme=dark", Some("dark")),
            ("a=b; theme=light; c=d", Some("light")),
            ("theme=\"><script>", None),
            ("theme=DARK", None),
            ("nottheme=dark", None),
            ("", None),
        ] {
            let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(cookie))]);
            assert_eq!((of_headers(&headers), chosen()), (scheme, None), "{cookie}");
        }
    }
}
