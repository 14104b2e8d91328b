//! Names of the values by which hits are counted, as readers see them.

use std::borrow::Cow;

use masthead_domain::Lang;

use crate::i18n::Messages;

/// The JATS article types that have a name, with the key of its message.
const TYPES: [(&str, &str); 18] = [
    ("research-article", "type_research_article"),
    ("review-article", "type_review_article"),
    ("brief-report", "type_brief_report"),
    ("rapid-communication", "type_rapid_communication"),
    ("case-report", "type_case_report"),
    ("data-paper", "type_data_paper"),
    ("methods-article", "type_methods_article"),
    ("letter", "type_letter"),
    ("editorial", "type_editorial"),
    ("article-commentary", "type_article_commentary"),
    ("discussion", "type_discussion"),
    ("reply", "type_reply"),
    ("book-review", "type_book_review"),
    ("meeting-report", "type_meeting_report"),
    ("news", "type_news"),
    ("obituary", "type_obituary"),
    ("correction", "type_correction"),
    ("retraction", "type_retraction"),
];

/// The name of a JATS article type. One without a name is shown as the source has it, with spaces.
#[must_use]
pub fn article_type<'a>(messages: &'a Messages, lang: Lang, name: &str) -> Cow<'a, str> {
    match TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        Some((_, key)) => Cow::Borrowed(messages.get(lang, key)),
        None => Cow::Owned(name.replace('-', " ")),
    }
}

/// The name of a language by its BCP 47 tag, in the language itself; the tag of one that the interface does not have.
#[must_use]
pub fn language(tag: &str) -> &str {
    Lang::from_tag(tag).map_or(tag, |lang| lang.name())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_type_has_a_name_in_every_language() {
        let messages = Messages::load().unwrap();
        for (name, key) in TYPES {
            for lang in Lang::ALL {
                assert_ne!(article_type(&messages, lang, name), key, "{name} in {lang}");
            }
        }
        assert_eq!(article_type(&messages, Lang::En, "Research-Article"), "Research article");
        assert_eq!(article_type(&messages, Lang::Zh, "product-review"), "product review", "one without a name");
    }

    #[test]
    fn languages_have_their_own_names() {
        assert_eq!(["zh-Hans", "ja", "pt", ""].map(language), ["中文", "日本語", "pt", ""]);
    }
}
