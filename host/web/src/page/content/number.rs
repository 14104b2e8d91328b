//! Counts as readers of a language write them. The shell writes the same text with `Intl.NumberFormat`: `ui-shell/test/numbers.json` has
//! examples, with which both are tested.

use masthead_domain::Lang;

/// Digits between two separators.
const GROUP: usize = 3;
/// Digits of the shortest number that has separators in Spanish.
const LONG_IN_SPANISH: usize = 5;

/// A number with separators between its groups of digits.
pub fn grouped(lang: Lang, number: u64) -> String {
    let digits = number.to_string();
    if lang == Lang::Spa && digits.len() < LONG_IN_SPANISH {
        return digits;
    }
    let mut out = String::with_capacity(2 * digits.len());
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(GROUP) {
            out.push(separator(lang));
        }
        out.push(digit);
    }
    out
}

/// What stands between groups of digits. The spaces do not break.
const fn separator(lang: Lang) -> char {
    match lang {
        Lang::Zh | Lang::En | Lang::Ara | Lang::Jp | Lang::Kor => ',',
        Lang::Spa | Lang::De => '.',
        Lang::Ru => '\u{a0}',
        Lang::Fra => '\u{202f}',
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn numbers_are_those_of_the_shell() {
        let examples: BTreeMap<Lang, BTreeMap<u64, String>> =
            serde_json::from_str(include_str!("../../../../../ui-shell/test/numbers.json")).unwrap();
        assert_eq!(examples.len(), Lang::ALL.len());
        for (lang, numbers) in examples {
            for (number, text) in numbers {
                assert_eq!(grouped(lang, number), text, "{lang} {number}");
            }
        }
    }
}
