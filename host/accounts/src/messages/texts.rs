//! The texts of messages, from `locales/<lang>/mail.json`. `{{name}}` is a value.

use std::{collections::HashMap, sync::LazyLock};

use masthead_domain::Lang;

/// The catalogue of a language as it is in its file.
const fn file(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => include_str!("../../../../locales/zh/mail.json"),
        Lang::En => include_str!("../../../../locales/en/mail.json"),
        Lang::Ru => include_str!("../../../../locales/ru/mail.json"),
        Lang::Ara => include_str!("../../../../locales/ara/mail.json"),
        Lang::Spa => include_str!("../../../../locales/spa/mail.json"),
        Lang::Fra => include_str!("../../../../locales/fra/mail.json"),
        Lang::De => include_str!("../../../../locales/de/mail.json"),
        Lang::Jp => include_str!("../../../../locales/jp/mail.json"),
        Lang::Kor => include_str!("../../../../locales/kor/mail.json"),
    }
}

/// The catalogues. A file that is no JSON object of texts has none, which a test finds.
static CATALOGUES: LazyLock<HashMap<Lang, HashMap<String, String>>> = LazyLock::new(|| {
    let read = |lang| (lang, serde_json::from_str(file(lang)).unwrap_or_default());
    Lang::ALL.into_iter().map(read).collect()
});

/// The text in a language, else in English, else its key.
pub(super) fn text(lang: Lang, key: &str) -> &str {
    let found = [lang, Lang::En].into_iter().find_map(|lang| CATALOGUES.get(&lang)?.get(key));
    found.map_or(key, String::as_str)
}

/// The text with its values. A value stays as it is, also where it looks like a placeholder.
pub(super) fn format(lang: Lang, key: &str, values: &[(&str, &str)]) -> String {
    let mut shown = String::new();
    let mut rest = text(lang, key);
    while let Some((before, after)) = rest.split_once("{{") {
        shown.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        shown.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = behind;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split("{{").skip(1).filter_map(|rest| rest.split("}}").next()).collect()
    }

    #[test]
    fn all_languages_have_the_same_texts_with_the_same_values() {
        let english = &CATALOGUES[&Lang::En];
        assert!(english.len() > 30, "the English catalogue was not read");
        for lang in Lang::ALL {
            let own = &CATALOGUES[&lang];
            let keys = |catalogue: &HashMap<String, String>| catalogue.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(keys(own), keys(english), "locales/{lang}/mail.json");
            for (key, text) in own {
                assert_eq!(placeholders(text), placeholders(&english[key]), "{lang}: {key}");
                assert!(!text.trim().is_empty(), "{lang}: {key}");
                assert!(lang == Lang::En || *text != english[key], "{lang}: {key} is not translated");
            }
        }
    }

    #[test]
    fn values_are_not_read_as_placeholders() {
        let shown = format(Lang::En, "code_sms", &[("site", "{{code}}"), ("code", "123456"), ("minutes", "{{site}}")]);
        assert!(shown.starts_with("{{code}}: ") && shown.contains("123456") && shown.contains("{{site}}"), "{shown}");
        assert_eq!(format(Lang::En, "no such text", &[]), "no such text");
    }
}
