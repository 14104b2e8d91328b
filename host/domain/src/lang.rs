//! The interface languages of the specification, and texts in several languages.

use std::{collections::BTreeMap, fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod codes;
mod plurals;

pub use codes::{has_han_or_hangul, is_han, is_han_or_hangul, is_kana, language_tag};

/// An interface language, by the code that routes and the language cookie use.
///
/// Routes keep the specification's codes (`ara`, `jp`, ...); [`Lang::tag`] gives the BCP 47 tag for `lang` and `hreflang`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Chinese.
    Zh,
    /// English.
    En,
    /// Russian.
    Ru,
    /// Arabic, written from right to left.
    Ara,
    /// Spanish.
    Spa,
    /// French.
    Fra,
    /// German.
    De,
    /// Japanese.
    Jp,
    /// Korean.
    Kor,
}

impl Lang {
    /// All languages, in the order of the specification.
    pub const ALL: [Self; 9] =
        [Self::Zh, Self::En, Self::Ru, Self::Ara, Self::Spa, Self::Fra, Self::De, Self::Jp, Self::Kor];

    /// The specification's code, as used in addresses and cookies.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
            Self::Ru => "ru",
            Self::Ara => "ara",
            Self::Spa => "spa",
            Self::Fra => "fra",
            Self::De => "de",
            Self::Jp => "jp",
            Self::Kor => "kor",
        }
    }

    /// The BCP 47 tag.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
            Self::Ru => "ru",
            Self::Ara => "ar",
            Self::Spa => "es",
            Self::Fra => "fr",
            Self::De => "de",
            Self::Jp => "ja",
            Self::Kor => "ko",
        }
    }

    /// The language's name in the language itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zh => "中文",
            Self::En => "English",
            Self::Ru => "Русский",
            Self::Ara => "العربية",
            Self::Spa => "Español",
            Self::Fra => "Français",
            Self::De => "Deutsch",
            Self::Jp => "日本語",
            Self::Kor => "한국어",
        }
    }

    /// The writing direction, `ltr` or `rtl`, for the `dir` attribute.
    #[must_use]
    pub const fn dir(self) -> &'static str {
        match self {
            Self::Ara => "rtl",
            _ => "ltr",
        }
    }

    /// The language of a BCP 47 tag such as `zh-Hans` or `en-GB`.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| same_language(lang.tag(), tag))
    }
}

/// Whether two BCP 47 tags have the same primary subtag: `zh` and `zh-Hans` do, `zh` and `en` do not.
#[must_use]
pub fn same_language(left: &str, right: &str) -> bool {
    fn primary(tag: &str) -> &str {
        tag.split(['-', '_']).next().unwrap_or_default()
    }
    primary(left).eq_ignore_ascii_case(primary(right))
}

/// The text for readers of the language with this BCP 47 tag: in this language, else in English, else the first, which is in the article's
/// own language. Titles and abstracts of articles are chosen by this order everywhere.
#[must_use]
pub fn for_reader<'a, T>(texts: &'a [T], tag: &str, language_of: impl Fn(&T) -> &str) -> Option<&'a T> {
    let in_language = |wanted: &str| texts.iter().find(|text| same_language(language_of(text), wanted));
    in_language(tag).or_else(|| in_language(Lang::En.tag())).or_else(|| texts.first())
}

/// The scripts that are written from right to left, by ISO 15924 code.
const RIGHT_TO_LEFT_SCRIPTS: [&str; 8] = ["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand"];
/// The languages that are written from right to left where their tag names no script.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"];

/// The writing direction of texts with this BCP 47 tag, `ltr` or `rtl`, for the `dir` attribute.
#[must_use]
pub fn direction(tag: &str) -> &'static str {
    let one_of = |known: &[&str], part: &str| known.iter().any(|one| one.eq_ignore_ascii_case(part));
    let mut parts = tag.split(['-', '_']);
    let primary = parts.next().unwrap_or_default();
    let script = parts.find(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic()));
    let from_right =
        script.map_or_else(|| one_of(&RIGHT_TO_LEFT, primary), |script| one_of(&RIGHT_TO_LEFT_SCRIPTS, script));
    if from_right { "rtl" } else { "ltr" }
}

/// Error: a text is not one of the specification's language codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a language code; known are zh, en, ru, ara, spa, fra, de, jp, kor")]
pub struct UnknownLang(pub String);

impl FromStr for Lang {
    type Err = UnknownLang;
    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|lang| lang.code() == code)
            .ok_or_else(|| UnknownLang(code.chars().take(20).collect()))
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A short plain text in one or more languages, `{"zh": "...", "en": "..."}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct LocalText(#[schemars(with = "BTreeMap<String, String>")] pub BTreeMap<Lang, String>);

impl LocalText {
    /// A text in one language.
    #[must_use]
    pub fn of(lang: Lang, text: impl Into<String>) -> Self {
        Self(BTreeMap::from([(lang, text.into())]))
    }

    /// The text in this language, without fallback; `None` if it is missing or blank.
    #[must_use]
    pub fn exact(&self, lang: Lang) -> Option<&str> {
        self.0.get(&lang).map(String::as_str).filter(|text| !text.trim().is_empty())
    }

    /// The text in this language, else, for Chinese and English, the one of the field that the specification has for it, without further
    /// fallback; `None` if it is missing or blank.
    pub(crate) fn exact_or<'a>(&'a self, lang: Lang, chinese: &'a str, english: &'a str) -> Option<&'a str> {
        let single = match lang {
            Lang::Zh => chinese,
            Lang::En => english,
            _ => "",
        };
        self.exact(lang).or(Some(single)).filter(|text| !text.trim().is_empty())
    }

    /// The text in this language, else in English, else in Chinese, else in any, else "".
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        self.chosen(lang).map_or("", |(_, text)| text)
    }

    /// The text that [`LocalText::get`] gives to readers of this language, with its own language; `None` if all are blank.
    #[must_use]
    pub fn chosen(&self, lang: Lang) -> Option<(Lang, &str)> {
        let mut languages = [lang, Lang::En, Lang::Zh].into_iter().chain(self.0.keys().copied());
        languages.find_map(|lang| Some((lang, self.exact(lang)?)))
    }

    /// Whether there is no text in any language.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|text| text.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tags_and_names_are_distinct_and_round_trip() {
        for lang in Lang::ALL {
            assert_eq!(lang.code().parse::<Lang>(), Ok(lang));
            assert_eq!(Lang::from_tag(lang.tag()), Some(lang));
        }
        assert_eq!(Lang::from_tag("zh-Hant-TW"), Some(Lang::Zh));
        assert_eq!(Lang::from_tag("pt"), None);
        assert!("ZH".parse::<Lang>().is_err());
    }

    #[test]
    fn a_text_falls_back_to_english_then_chinese_then_anything() {
        let text = LocalText(BTreeMap::from([(Lang::Zh, "刊".into()), (Lang::En, " ".into())]));
        assert_eq!(text.get(Lang::Fra), "刊");
        assert_eq!(text.exact(Lang::En), None);
        assert_eq!(LocalText::of(Lang::Ru, "да").get(Lang::En), "да");
        assert_eq!(LocalText::default().get(Lang::En), "");
        assert_eq!(text.chosen(Lang::Fra), Some((Lang::Zh, "刊")));
        assert_eq!(LocalText::default().chosen(Lang::En), None);
    }

    #[test]
    fn a_text_of_an_article_falls_back_to_english_then_to_the_first() {
        let texts = ["zh-Hans", "en-GB", "fr"];
        let of = |texts: &[&'static str], tag: &str| for_reader(texts, tag, |lang| lang).copied();
        assert_eq!(of(&texts, "zh"), Some("zh-Hans"));
        assert_eq!([of(&texts, "ar"), of(&texts, "ja")], [Some("en-GB"); 2]);
        assert_eq!(of(&["zh", "fr"], "ar"), Some("zh"));
        assert_eq!(of(&[], "en"), None);
    }

    #[test]
    fn the_direction_follows_the_script() {
        for lang in Lang::ALL {
            assert_eq!(direction(lang.tag()), lang.dir());
        }
        assert_eq!(["fa", "ar-EG", "az-Arab"].map(direction), ["rtl"; 3]);
        assert_eq!(["", "ar-Latn", "zh-Hant-TW", "arz"].map(direction), ["ltr"; 4]);
    }
}
