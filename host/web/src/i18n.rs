//! Messages of the host, from `locales/<lang>/host.json`, and those of the shell, which documents contain. The browser loads the other files in
//! the same folders, and those of the shell for a reader who changes the language.
//!
//! The catalogues are flat i18next JSON v4: `{{name}}` is a value, and a message with a number has one key for each plural form
//! of its language (`results_count_one`, `results_count_few`, ...). The host has no formats (`{{n, number}}`) and no nesting.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use masthead_domain::{
    Lang,
    notice::NoticeMark,
    resource::{NewsType, Role},
};
use rust_embed::RustEmbed;
use serde::de::DeserializeOwned;

#[derive(RustEmbed)]
#[folder = "../../locales"]
struct Files;

/// The messages of the shell in one language, by key.
pub type ShellCatalogue = BTreeMap<String, String>;

/// The message catalogues of all languages.
#[derive(Debug)]
pub struct Messages {
    host: BTreeMap<Lang, HashMap<String, String>>,
    shell: BTreeMap<Lang, ShellCatalogue>,
}

impl Messages {
    /// Parses the embedded catalogues.
    ///
    /// # Errors
    /// A message that names the catalogue which is not a JSON object of strings.
    pub fn load() -> Result<Self, String> {
        Ok(Self { host: catalogues("host.json")?, shell: catalogues("shell.json")? })
    }

    /// The message in the given language, else in English, else the key itself.
    #[must_use]
    pub fn get<'a>(&'a self, lang: Lang, key: &'a str) -> &'a str {
        [lang, Lang::En].into_iter().find_map(|lang| self.host.get(&lang)?.get(key)).map_or(key, String::as_str)
    }

    /// The message with each placeholder `{{name}}` replaced by its value.
    #[must_use]
    pub fn format(&self, lang: Lang, key: &str, values: &[(&str, &str)]) -> String {
        values
            .iter()
            .fold(self.get(lang, key).to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value))
    }

    /// The messages of each embedded catalogue, by language and file name (`host.json`, `shell.json`, `members.json`). A message in plural forms is
    /// listed without suffix if the catalogue has all forms of its language.
    ///
    /// # Errors
    /// A message that names the catalogue which is not a JSON object.
    pub fn catalogue_keys() -> Result<BTreeMap<(Lang, &'static str), BTreeSet<String>>, String> {
        let mut all: BTreeMap<(Lang, &'static str), BTreeSet<String>> = BTreeMap::new();
        let names = ["host.json", "shell.json", "members.json"];
        for (lang, name) in Lang::ALL.into_iter().flat_map(|lang| names.map(|name| (lang, name))) {
            let path = format!("{}/{name}", lang.code());
            let texts: BTreeMap<String, serde_json::Value> = match Files::get(&path) {
                Some(file) => serde_json::from_slice(&file.data).map_err(|error| format!("locales/{path}: {error}"))?,
                None => BTreeMap::new(),
            };
            all.insert((lang, name), texts.into_keys().collect());
        }
        let english = all.clone();
        for ((lang, name), keys) in &mut all {
            for plural in english.get(&(Lang::En, *name)).into_iter().flat_map(plurals) {
                let forms: BTreeSet<String> =
                    lang.plural_forms().iter().map(|form| format!("{plural}_{form}")).collect();
                if forms.is_subset(keys) {
                    keys.retain(|key| !forms.contains(key));
                    keys.insert(plural);
                }
            }
        }
        Ok(all)
    }

    /// The message in the plural form of its language for `count`, with `{{count}}` replaced.
    #[must_use]
    pub fn count(&self, lang: Lang, key: &str, count: usize) -> String {
        let form = |lang: Lang| self.host.get(&lang)?.get(&format!("{key}_{}", lang.plural_form(count)));
        let text = [lang, Lang::En].into_iter().find_map(form).map_or(key, String::as_str);
        text.replace("{{count}}", &count.to_string())
    }
}

/// The catalogues with this file name, by language.
fn catalogues<T: DeserializeOwned>(name: &str) -> Result<BTreeMap<Lang, T>, String> {
    let mut all = BTreeMap::new();
    for lang in Lang::ALL {
        let path = format!("{}/{name}", lang.code());
        if let Some(file) = Files::get(&path) {
            let texts = serde_json::from_slice(&file.data).map_err(|error| format!("locales/{path}: {error}"))?;
            all.insert(lang, texts);
        }
    }
    Ok(all)
}

/// The messages in plural forms among the keys of an English catalogue.
fn plurals(english: &BTreeSet<String>) -> impl Iterator<Item = String> {
    english
        .iter()
        .filter_map(|key| key.strip_suffix("_one"))
        .filter(move |plural| english.contains(&format!("{plural}_other")))
        .map(str::to_owned)
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

    /// The catalogue of the shell in this language; `None` if there is none.
    #[must_use]
    pub fn shell(&self) -> Option<&'a ShellCatalogue> {
        self.messages.shell.get(&self.lang)
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

/// Key of the name of a news tab.
#[must_use]
pub const fn news_type(kind: NewsType) -> &'static str {
    match kind {
        NewsType::Information => "news_information",
        NewsType::Announcement => "news_announcement",
        NewsType::Dynamic => "news_dynamic",
        NewsType::Statement => "news_statement",
    }
}

/// Key of the name of a role on an editorial board.
#[must_use]
pub const fn role(role: Role) -> &'static str {
    match role {
        Role::EditorInChief => "editor_in_chief",
        Role::HonoraryEditorInChief => "role_honorary_editor_in_chief",
        Role::ExecutiveEditor => "role_executive_editor",
        Role::ExecutiveDeputyEditor => "role_executive_deputy_editor",
        Role::AssociateEditor => "role_associate_editor",
        Role::Member => "role_member",
    }
}

/// Key of the name of the proofing state of an article (`firstStatus`, section 4 of the specification): -1 latest accepted, 1 to 10 first to
/// tenth proofing priority, anything else a corrected proof; `None` for 0, which has no name. In Chinese the name includes the priority; in
/// other languages it is "corrected proof" for all of them.
#[must_use]
pub const fn first_status_key(status: i32) -> Option<&'static str> {
    Some(match status {
        -1 => "status_accepted",
        0 => return None,
        1 => "status_proof_1",
        2 => "status_proof_2",
        3 => "status_proof_3",
        4 => "status_proof_4",
        5 => "status_proof_5",
        6 => "status_proof_6",
        7 => "status_proof_7",
        8 => "status_proof_8",
        9 => "status_proof_9",
        10 => "status_proof_10",
        _ => "status_proof",
    })
}

/// Key of the word by which lists mark an article that notices are about; `None` for the others.
#[must_use]
pub const fn notice_mark_key(notice: NoticeMark) -> Option<&'static str> {
    match notice {
        NoticeMark::None => None,
        NoticeMark::Corrected => Some("mark_corrected"),
        NoticeMark::Concern => Some("mark_concern"),
        NoticeMark::Retracted => Some("mark_retracted"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn keys(messages: &Messages, lang: Lang) -> Vec<String> {
        let mut keys: Vec<_> = messages.host[&lang].keys().cloned().collect();
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
        let all_english = &messages.host[&Lang::En];
        // A form for one number may say it in a word.
        let exact = ["zero", "one", "two"].map(|form| (Lang::Ara, form));
        for lang in Lang::ALL {
            for key in keys(&messages, lang) {
                let form = lang.plural_forms().iter().find_map(|form| Some((key.strip_suffix(*form)?, *form)));
                let english = all_english.get(&key).or_else(|| all_english.get(&format!("{}other", form?.0)));
                let english = english.unwrap_or_else(|| panic!("{lang}: {key} is not in English"));
                let own = messages.get(lang, &key);
                let in_words = form.is_some_and(|(_, form)| exact.contains(&(lang, form))) && values(own).is_empty();
                assert!(!own.trim().is_empty() && (in_words || values(own) == values(english)), "{lang}: {key}: {own}");
            }
        }
    }

    #[test]
    fn missing_messages_fall_back_to_english() {
        let mut messages = Messages::load().unwrap();
        assert_ne!(messages.get(Lang::Kor, "home"), messages.get(Lang::En, "home"));
        messages.host.get_mut(&Lang::Kor).unwrap().remove("home");
        assert_eq!(messages.get(Lang::Kor, "home"), "Home");
        messages.host.remove(&Lang::Kor);
        assert_eq!(messages.get(Lang::Kor, "search"), "Search");
        assert_eq!(messages.get(Lang::En, "no such key"), "no such key");
    }

    #[test]
    fn numbers_select_the_plural_form() {
        let mut messages = Messages::load().unwrap();
        let count = |messages: &Messages, lang, count| messages.count(lang, "article_count", count);
        assert_eq!([1, 2].map(|n| count(&messages, Lang::En, n)), ["1 article", "2 articles"]);
        assert_eq!(
            [1, 3, 5, 21].map(|n| count(&messages, Lang::Ru, n)),
            ["1 статья", "3 статьи", "5 статей", "21 статья"]
        );
        assert_eq!(
            [0, 1, 2, 3, 11, 100].map(|n| count(&messages, Lang::Ara, n)),
            ["لا توجد مقالات", "مقالة واحدة", "مقالتان", "3 مقالات", "11 مقالة", "100 مقالة"]
        );
        assert_eq!(count(&messages, Lang::Zh, 1), "1 篇文章");
        messages.host.remove(&Lang::Ru);
        assert_eq!(
            [1, 21].map(|n| count(&messages, Lang::Ru, n)),
            ["1 article", "21 articles"],
            "English has its own forms"
        );
    }

    #[test]
    fn a_plural_without_one_of_its_forms_is_not_complete() {
        let all = Messages::catalogue_keys().unwrap();
        assert!(Lang::ALL.iter().all(|lang| all[&(*lang, "host.json")].contains("article_count")));
        let english = |keys: [&str; 2]| plurals(&keys.map(str::to_owned).into()).collect::<Vec<_>>();
        assert_eq!(english(["kind_other", "n_one"]), [""; 0], "neither is a plural");
        assert_eq!(english(["n_one", "n_other"]), ["n"]);
    }
}
