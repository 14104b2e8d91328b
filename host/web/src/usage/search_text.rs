//! The search texts that may be suggested to other readers.

use masthead_domain::lang::{is_han, is_kana};

/// Greatest length of a text, in characters.
const MAX_LENGTH: usize = 40;
/// Greatest length of a text in a script that is written without spaces, in characters.
const MAX_IDEOGRAPHS: usize = 12;
/// Greatest number of words.
const MAX_WORDS: usize = 5;
/// Greatest number of digits: a year or a pair of short numbers, but no telephone, identity or account number.
const MAX_DIGITS: usize = 6;
/// Characters that terms contain besides letters, digits and spaces. Those of e-mail addresses, URLs and sentences are not
/// among them.
const INSIDE_TERMS: [char; 9] = ['-', '‐', '–', '\'', '’', '·', '・', '.', '+'];

/// The text in the form in which it is counted (lower case, single spaces), if it looks like a search term. `None` for a text that looks
/// like one person's: a sentence, an e-mail address, a URL, a telephone or identity number. Such a text is not stored at all.
#[must_use]
pub fn term(typed: &str) -> Option<String> {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let text = words.join(" ").to_lowercase();
    let count = |is: fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    let fits = words.len() <= MAX_WORDS
        && text.chars().nth(MAX_LENGTH).is_none()
        && count(is_ideograph) <= MAX_IDEOGRAPHS
        && count(char::is_numeric) <= MAX_DIGITS
        && text.chars().any(char::is_alphanumeric)
        && text.chars().all(|c| c == ' ' || c.is_alphanumeric() || is_mark(c) || INSIDE_TERMS.contains(&c))
        && !text.split(' ').any(is_host_name);
    fits.then_some(text)
}

/// Whether a word looks like the name of a host: letters follow a dot (`example.org`, but not `2.5` or `e. coli`).
fn is_host_name(word: &str) -> bool {
    word.split('.').skip(1).any(|label| label.chars().filter(|c| c.is_alphabetic()).count() >= 2)
}

/// Whether the character is of a script that is written without spaces: Chinese characters, kana.
const fn is_ideograph(c: char) -> bool {
    is_han(c) || is_kana(c)
}

/// Whether the character is a combining mark of Latin, Cyrillic or Arabic script.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_terms_are_folded() {
        for (typed, folded) in [
            (" Blue \t CARBON ", "blue carbon"),
            ("COVID-19", "covid-19"),
            ("Escherichia coli 2.5", "escherichia coli 2.5"),
            ("碳收支", "碳收支"),
            ("Crohn’s disease", "crohn’s disease"),
            ("الكربون الأزرق", "الكربون الأزرق"),
            ("기후 변화", "기후 변화"),
            ("mangrove 2019-24", "mangrove 2019-24"),
        ] {
            assert_eq!(term(typed).as_deref(), Some(folded));
        }
        assert!(term(&"海".repeat(MAX_IDEOGRAPHS)).is_some() && term(&"x".repeat(MAX_LENGTH)).is_some());
    }

    #[test]
    fn what_looks_like_one_persons_text_is_not_counted() {
        let long = ["x".repeat(MAX_LENGTH + 1), "海".repeat(MAX_IDEOGRAPHS + 1)];
        let odd = [
            "",
            "  ",
            "--",
            "a\u{0}b",
            "why was my manuscript rejected last week",
            "is this plagiarism?",
            "我的论文为什么在上个星期被退稿了",
            "reviewer: John Smith",
            "ada.lovelace@example.org",
            "ada at example.org",
            "https://example.org/a",
            "www.example.org",
            "10.5555/ocl.2026",
            "13812345678",
            "+86 138-1234-5678",
            "110101 19900307 1234",
            "e12345678",
            "１３８１２３４５６７８",
        ];
        for typed in odd.into_iter().chain(long.iter().map(String::as_str)) {
            assert_eq!(term(typed), None, "{typed:?}");
        }
    }
}
