//! Checks of texts from plugins that several hooks share.

use masthead_domain::link;
use url::Url;

const PATH_BYTES: usize = 1024;
const URL_BYTES: usize = 2048;

/// Checks a path inside the site; the error completes the sentence "the path ...".
pub(crate) fn check_path(path: &str) -> Result<(), &'static str> {
    if path.len() > PATH_BYTES {
        return Err("is too long");
    }
    if has_control(path) {
        return Err("has control characters");
    }
    if path.starts_with(['/', '\\']) {
        return Err("begins with a slash");
    }
    if path.contains(['?', '#', '\\']) {
        return Err("has one of the characters ? # \\");
    }
    if path.split('/').next().is_some_and(|first| first.contains(':')) {
        return Err("has a scheme");
    }
    if path.split('/').any(|segment| segment == ".." || segment == ".") {
        return Err("climbs out with ..");
    }
    Ok(())
}

/// Whether a text has control characters.
pub(crate) fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// The start of a text, for messages.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// A path inside the site with or without a query, or an http(s) address without user information.
pub(crate) fn check_target(target: &str) -> Result<(), String> {
    let wrong = |reason: &str| format!("the address {:?} {reason}", short(target));
    if target.len() > URL_BYTES {
        return Err(wrong("is too long"));
    }
    if has_control(target) {
        return Err(wrong("has control characters"));
    }
    let scheme = target.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    if !scheme {
        let path = target.split(['?', '#']).next().unwrap_or_default();
        return check_path(path).map_err(wrong);
    }
    check_web(target)
}

/// An http(s) address without user information.
pub(crate) fn check_web(address: &str) -> Result<(), String> {
    let wrong = |reason: &str| format!("the address {:?} {reason}", short(address));
    if address.len() > URL_BYTES || has_control(address) {
        return Err(wrong("is too long or has control characters"));
    }
    let url = Url::parse(address).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    if !link::is_web(address) {
        return Err(wrong("is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("has user information"));
    }
    Ok(())
}

/// Checks that a text has at most `bytes` bytes and no control characters other than line breaks and tabs.
pub(crate) fn check_text(what: &str, text: &str, bytes: usize) -> Result<(), String> {
    if text.len() > bytes {
        return Err(format!("{what} has {} bytes, allowed are {bytes}", text.len()));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(format!("{what} {:?} has control characters", short(text)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside_the_site() {
        for good in ["", "hssArticle/17", "article/doi/10.1000/a:b..c", "期刊/1"] {
            assert_eq!(check_path(good), Ok(()), "{good}");
        }
        for bad in [
            "/x",
            "//evil",
            "\\evil",
            "javascript:alert(1)",
            "a/../b",
            "..",
            "a/./b",
            "a\nb",
            "a?b",
            "a#b",
            &"x".repeat(2000),
        ] {
            assert!(check_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn targets_are_inside_the_site_or_on_the_web() {
        for good in ["article/17", "search?q=a:b", "https://example.org/x", "http://example.org"] {
            assert_eq!(check_target(good), Ok(()), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "https://u:p@example.org",
            "a\u{7}b",
            "ftp://example.org",
        ] {
            assert!(check_target(bad).is_err(), "{bad}");
        }
    }
}
