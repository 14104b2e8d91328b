//! Stands in for the host when a plugin's own unit tests run natively.

use std::cell::RefCell;

use crate::Context;

thread_local! {
    static SETTINGS: RefCell<String> = RefCell::new("{}".to_owned());
}

/// Sets what `settings()` gives on this thread: JSON, as the site's administrator wrote it plus defaults.
pub fn set_settings(json: &str) {
    SETTINGS.with(|cell| json.clone_into(&mut cell.borrow_mut()));
}

/// The context of a page of a test site in this language.
#[must_use]
pub fn context(lang: &str) -> Context {
    Context { site_id: 1, sld: "test".to_owned(), lang: lang.to_owned(), route: "home".to_owned() }
}

pub(crate) fn current() -> String {
    SETTINGS.with(|cell| cell.borrow().clone())
}
