//! Messages of the host, from `locales/<lang>/host.json`. The browser uses the other files in the same folders.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use masthead_domain::Lang;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../locales"]
struct Files;

/// The message catalogues of all languages.
#[derive(Debug)]
pub struct Messages(BTreeMap<Lang, HashMap<String, String>>);

impl Messages {
    /// Parses the embedded catalogues.
    ///
    /// # Errors
    /// A message that names the catalogue which is not a JSON object of strings.
    pub fn load() -> Result<Self, String> {
        let mut all = BTreeMap::new();
        for lang in Lang::ALL {
            let path = format!("{}/host.json", lang.code());
            if let Some(file) = Files::get(&path) {
                let texts = serde_json::from_slice(&file.data).map_err(|error| format!("locales/{path}: {error}"))?;
                all.insert(lang, texts);
            }
        }
        Ok(Self(all))
    }

    /// The message in the given language, else in English, else the key itself.
    #[must_use]
    pub fn get<'a>(&'a self, lang: Lang, key: &'a str) -> &'a str {
        [lang, Lang::En].into_iter().find_map(|lang| self.0.get(&lang)?.get(key)).map_or(key, String::as_str)
    }

    /// The message with each placeholder `{{name}}` replaced by its value.
    #[must_use]
    pub fn format(&self, lang: Lang, key: &str, values: &[(&str, &str)]) -> String {
        values
            .iter()
            .fold(self.get(lang, key).to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value))
    }

    /// The keys of each embedded catalogue, by language and file name (`host.json`, `shell.json`).
    ///
    /// # Errors
    /// A message that names the catalogue which is not a JSON object.
    pub fn catalogue_keys() -> Result<BTreeMap<(Lang, &'static str), BTreeSet<String>>, String> {
        let mut all = BTreeMap::new();
        for (lang, name) in Lang::ALL.into_iter().flat_map(|lang| ["host.json", "shell.json"].map(|name| (lang, name)))
        {
            let path = format!("{}/{name}", lang.code());
            let texts: BTreeMap<String, serde_json::Value> = match Files::get(&path) {
                Some(file) => serde_json::from_slice(&file.data).map_err(|error| format!("locales/{path}: {error}"))?,
                None => BTreeMap::new(),
            };
            all.insert((lang, name), texts.into_keys().collect());
        }
        Ok(all)
    }

    /// The message in its plural form for `count`: key with the i18next suffix `_one` or `_other`, with `{{count}}` replaced.
    #[must_use]
    pub fn count(&self, lang: Lang, key: &str, count: usize) -> String {
        let form = format!("{key}_{}", if count == 1 { "one" } else { "other" });
        self.format(lang, &form, &[("count", &count.to_string())])
    }
}

/// The messages of one language.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    messages: &'a Messages,
    /// The language.
    pub lang: Lang,
}

impl<'a> Texts<'a> {
    /// The messages of `lang`.
    #[must_use]
    pub const fn new(messages: &'a Messages, lang: Lang) -> Self {
        Self { messages, lang }
    }

    /// The message with the given key.
    #[must_use]
    pub fn get(&self, key: &'a str) -> &'a str {
        self.messages.get(self.lang, key)
    }

    /// The message with its placeholders replaced.
    #[must_use]
    pub fn format(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.messages.format(self.lang, key, values)
    }

    /// The message in its plural form for `count`.
    #[must_use]
    pub fn count(&self, key: &str, count: usize) -> String {
        self.messages.count(self.lang, key, count)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn keys(messages: &Messages, lang: Lang) -> Vec<String> {
        let mut keys: Vec<_> = messages.0[&lang].keys().cloned().collect();
        keys.sort();
        keys
    }

    #[test]
    fn all_languages_have_the_same_keys() {
        let messages = Messages::load().unwrap();
        let all = Messages::catalogue_keys().unwrap();
        for ((lang, name), keys) in &all {
            assert!(keys.len() > 20, "locales/{lang}/{name} was not read");
            assert_eq!(keys, &all[&(Lang::En, *name)], "locales/{lang}/{name}");
        }
        assert_ne!(messages.get(Lang::Zh, "references"), messages.get(Lang::En, "references"));
    }

    #[test]
    fn removed_and_withdrawn_articles_are_told_apart() {
        let messages = Messages::load().unwrap();
        for lang in Lang::ALL {
            assert_ne!(messages.get(lang, "article_removed"), messages.get(lang, "article_withdrawn"), "{lang}");
        }
    }

    #[test]
    fn catalogues_have_only_english_keys_and_the_same_placeholders() {
        let messages = Messages::load().unwrap();
        let values = |text: &str| {
            let mut names: Vec<_> =
                text.split("{{").skip(1).filter_map(|rest| rest.split("}}").next().map(str::to_owned)).collect();
            names.sort();
            names
        };
        for lang in Lang::ALL {
            for key in keys(&messages, lang) {
                let english =
                    messages.0[&Lang::En].get(&key).unwrap_or_else(|| panic!("{lang}: {key} is not in English"));
                let own = messages.get(lang, &key);
                assert!(!own.trim().is_empty() && values(own) == values(english), "{lang}: {key}: {own}");
            }
        }
    }

    #[test]
    fn missing_messages_fall_back_to_english() {
        let mut messages = Messages::load().unwrap();
        assert_ne!(messages.get(Lang::Kor, "home"), messages.get(Lang::En, "home"));
        messages.0.get_mut(&Lang::Kor).unwrap().remove("home");
        assert_eq!(messages.get(Lang::Kor, "home"), "Home");
        messages.0.remove(&Lang::Kor);
        assert_eq!(messages.get(Lang::Kor, "search"), "Search");
        assert_eq!(messages.get(Lang::En, "no such key"), "no such key");
    }

    #[test]
    fn numbers_select_the_plural_form() {
        let messages = Messages::load().unwrap();
        assert!(messages.count(Lang::En, "results_count", 1).contains('1'));
        assert_ne!(
            messages.count(Lang::En, "results_count", 1).replace('1', "2"),
            messages.count(Lang::En, "results_count", 2)
        );
    }
}
