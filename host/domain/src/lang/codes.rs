//! BCP 47 tags for the language codes of libraries and publishers.

/// ISO 639-2 codes (bibliographic and terminological) and frequent mistakes, with their ISO 639-1 codes.
const CODES: &[(&str, &str)] = &[
    ("chi", "zh"),
    ("zho", "zh"),
    ("cn", "zh"),
    ("deu", "de"),
    ("ger", "de"),
    ("eng", "en"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("ita", "it"),
    ("jpn", "ja"),
    ("jp", "ja"),
    ("kor", "ko"),
    ("kr", "ko"),
    ("por", "pt"),
    ("rus", "ru"),
    ("spa", "es"),
    ("alb", "sq"),
    ("ara", "ar"),
    ("arm", "hy"),
    ("baq", "eu"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bod", "bo"),
    ("tib", "bo"),
    ("bul", "bg"),
    ("bur", "my"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cze", "cs"),
    ("cym", "cy"),
    ("wel", "cy"),
    ("dan", "da"),
    ("dut", "nl"),
    ("nld", "nl"),
    ("ell", "el"),
    ("gre", "el"),
    ("est", "et"),
    ("fas", "fa"),
    ("per", "fa"),
    ("fin", "fi"),
    ("geo", "ka"),
    ("gle", "ga"),
    ("glg", "gl"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("scr", "hr"),
    ("hun", "hu"),
    ("ice", "is"),
    ("isl", "is"),
    ("ind", "id"),
    ("kat", "ka"),
    ("kaz", "kk"),
    ("khm", "km"),
    ("lao", "lo"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mac", "mk"),
    ("mkd", "mk"),
    ("may", "ms"),
    ("msa", "ms"),
    ("mon", "mn"),
    ("nob", "nb"),
    ("nno", "nn"),
    ("nor", "no"),
    ("pol", "pl"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("san", "sa"),
    ("scc", "sr"),
    ("srp", "sr"),
    ("slk", "sk"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tha", "th"),
    ("tur", "tr"),
    ("uig", "ug"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
];

/// The BCP 47 tag for a language as written in sources: `EN`, `pt_BR`, `zho`, `swe`; "" if the text is not a language tag.
///
/// ISO 639-2 codes become ISO 639-1 codes if there is one. The order and case of other subtags are kept.
#[must_use]
pub fn language_tag(text: &str) -> String {
    let text = text.trim().replace('_', "-");
    if text.is_empty() || text.len() > 35 || !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return String::new();
    }
    let (primary, rest) = text.split_once('-').unwrap_or((text.as_str(), ""));
    let lower = primary.to_ascii_lowercase();
    // "und" (undetermined) is equivalent to no tag.
    if lower == "und" && rest.is_empty() {
        return String::new();
    }
    let primary = CODES.iter().find(|(code, _)| *code == lower).map_or(lower.as_str(), |(_, short)| short);
    if rest.is_empty() { primary.to_owned() } else { format!("{primary}-{rest}") }
}

/// Whether a character is a Han character, as used in Chinese, Japanese and Korean.
#[must_use]
pub const fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Whether a character is a Japanese syllable: hiragana or katakana of full width.
#[must_use]
pub const fn is_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}')
}

/// Whether a character is Han or a Korean syllable: names in these have the family name first, without spaces.
#[must_use]
pub const fn is_han_or_hangul(c: char) -> bool {
    is_han(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether a text has Han characters or Korean syllables.
#[must_use]
pub fn has_han_or_hangul(text: &str) -> bool {
    text.chars().any(is_han_or_hangul)
}

#[cfg(test)]
mod tests {
    use super::language_tag;

    #[test]
    fn codes_of_libraries_become_bcp_47_tags() {
        for (code, expected) in
            [("swe", "sv"), ("chi", "zh"), ("ENG", "en"), ("zh_CN", "zh-CN"), ("grc", "grc"), ("", "")]
        {
            assert_eq!(language_tag(code), expected);
        }
    }
}
