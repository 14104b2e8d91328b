//! A fake host for the unit tests of a plugin, which run natively. Its state is thread-local, so that tests are independent.

use std::collections::BTreeMap;

use crate::{Article, Context, Person, Text, http};

pub(crate) mod host;

/// Sets the settings that `settings()` returns, as JSON; defaults are not added.
pub fn set_settings(json: &str) {
    host::with(|world| json.clone_into(&mut world.settings));
}

/// Sets the time that `clock::now()` returns, in milliseconds since 1970. The initial time is 2026-01-01T00:00:00Z.
pub fn set_now(milliseconds: u64) {
    host::with(|world| world.now = milliseconds);
}

/// Sets the published articles, newest first.
pub fn set_articles(articles: Vec<Article>) {
    host::with(|world| world.articles = articles);
}

/// Sets the full text of an article.
pub fn set_full_text(id: i64, text: &str) {
    host::with(|world| world.full_texts.insert(id, text.to_owned()));
}

/// Grants a secret of this name. It has no value: `secrets::sign` returns 64 hexadecimal digits that depend on the name and the data,
/// and credentials are not filled in in the request that [`on_http`] gets.
pub fn put_secret(name: &str) {
    host::with(|world| world.secrets.insert(name.to_owned()));
}

/// Sets the function that handles HTTP requests. Without it, every request fails as not granted.
pub fn on_http(server: impl FnMut(&http::Request) -> Result<http::Response, http::Failure> + 'static) {
    host::set_server(Box::new(server));
}

/// A response of a server.
#[must_use]
pub fn answer(status: u16, body: &str) -> http::Response {
    http::Response { status, headers: Vec::new(), body: body.as_bytes().to_vec() }
}

/// The logged lines, such as `warn: omitted`.
#[must_use]
pub fn logged() -> Vec<String> {
    host::with(|world| world.lines.clone())
}

/// The content of the key-value storage.
#[must_use]
pub fn kept() -> BTreeMap<String, Vec<u8>> {
    host::with(|world| world.kept.clone())
}

/// The context of the home page of a test site in this language.
#[must_use]
pub fn context(lang: &str) -> Context {
    Context {
        site_id: 1,
        sld: "test".to_owned(),
        lang: lang.to_owned(),
        route: "home".to_owned(),
        address: format!("https://journals.example.org/test/{lang}"),
    }
}

/// An open-access article with this number and all fields filled in, which a test can change.
#[must_use]
pub fn article(id: i64) -> Article {
    let text = |lang: &str, value: &str| Text { lang: lang.to_owned(), value: value.to_owned() };
    let person = |family: &str, given: &str| Person {
        name: format!("{given} {family}"),
        family: family.to_owned(),
        given: given.to_owned(),
        orcid: None,
        email: None,
    };
    Article {
        id,
        doi: format!("10.5555/test.{id}"),
        path: format!("article/{id}"),
        titles: vec![text("en", "Tides of the inner sea"), text("zh", "内海的潮汐")],
        authors: vec![person("Okafor", "Ada"), person("Lindqvist", "Per")],
        journal: "Journal of Tests".to_owned(),
        issn: vec!["1234-5679".to_owned()],
        publisher: "Example Press".to_owned(),
        year: 2025,
        volume: "12".to_owned(),
        issue: "3".to_owned(),
        first_page: "101".to_owned(),
        last_page: "118".to_owned(),
        published: "2025-06-30".to_owned(),
        kind: "research-article".to_owned(),
        language: "en".to_owned(),
        keywords: vec![text("en", "tides"), text("zh", "潮汐")],
        abstracts: vec![text("en", "How the inner sea moves.")],
        license_url: "https://creativecommons.org/licenses/by/4.0/".to_owned(),
        open_access: true,
        reference_count: 24,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock, content, http::Credential, kv, log, random, secrets};

    #[test]
    fn every_capability_has_a_fake() {
        set_now(5);
        assert_eq!(clock::now(), 5);
        assert_eq!(random::bytes(3), [1, 2, 3]);

        set_articles(vec![article(1), article(2)]);
        set_full_text(2, "Salt and eels.");
        assert_eq!(content::by_doi("10.5555/TEST.2").unwrap().unwrap().id, 2);
        assert_eq!(content::by_id(3), Ok(None));
        assert_eq!(content::search("eels", 5).unwrap()[0].path, "article/2");

        kv::set_json("seen/1", &vec![1, 2]).unwrap();
        assert_eq!(kv::get_json::<Vec<u8>>("seen/1"), Ok(Some(vec![1, 2])));
        assert_eq!(kv::keys("seen/", ""), Ok(vec!["seen/1".to_owned()]));
        assert_eq!(kv::delete("seen/1"), Ok(true));
        assert!(kv::set("", "x").is_err() && kept().is_empty());

        log::warn!("omitted {}", 1);
        assert_eq!(logged(), ["warn: omitted 1"]);
    }

    #[test]
    fn requests_need_a_handler_and_their_secrets() {
        let request = http::get("https://api.example.org/x").query("q", "a b").credential(Credential::bearer("key"));
        assert!(matches!(request.send(), Err(http::Failure::NotGranted(_))));
        assert!(secrets::sign("key", "x").is_err());
        put_secret("key");
        assert!(matches!(request.send(), Err(http::Failure::NotGranted(_))));
        on_http(|request| {
            assert_eq!(request.url, "https://api.example.org/x?q=a%20b");
            Ok(answer(201, "[1]"))
        });
        assert_eq!(request.send().unwrap().success().unwrap().json::<Vec<u8>>(), Ok(vec![1]));
        assert_eq!(secrets::sign("key", "x").unwrap().len(), 64);
        assert_ne!(secrets::sign("key", "x"), secrets::sign("key", "y"));
    }
}
