//! Folding of characters: what differs in writing and not in meaning becomes one character.
//!
//! Case, accents, full and half width, ligatures, presentation forms, traditional and simplified Chinese, and the vowel marks of Arabic and
//! Hebrew do not matter to a search. Marks that distinguish words (the vowel signs of Indic scripts, the voicing of kana, `й`) stay.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use hanconv::Dictionary;
use masthead_domain::lang::is_han;
use unicode_normalization::{
    UnicodeNormalization as _,
    char::{canonical_combining_class, decompose_canonical},
};

/// Calls `each` with the folded characters of a text, and with the bytes of the text that each comes from: a ligature gives several
/// characters of one place, a letter with its accents gives one.
pub fn folded(text: &str, mut each: impl FnMut(char, &Range<usize>)) {
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let mut range = start..start + first.len_utf8();
        while let Some((at, next)) = rest.next_if(|(_, next)| joins(*next)) {
            range.end = at + next.len_utf8();
        }
        if first.is_ascii() && range.end == start + 1 {
            each(first.to_ascii_lowercase(), &range);
            continue;
        }
        for whole in text[range.clone()].nfkc() {
            for lower in whole.to_lowercase() {
                plain(lower, &mut |character| each(character, &range));
            }
        }
    }
}

/// A text with every character folded.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    folded(text, |character, _| out.push(character));
    out
}

/// Whether a character is written as a part of the one before it.
fn joins(next: char) -> bool {
    next >= '\u{300}'
        && (canonical_combining_class(next) != 0
            // The vowels and finals of Korean syllables in single letters; the voicing marks of half-width kana.
            || matches!(next, '\u{1160}'..='\u{11ff}' | '\u{ff9e}' | '\u{ff9f}'))
}

/// Whether a mark does not distinguish words: accents, and the vowel points of Hebrew and Arabic.
fn is_accent(character: char) -> bool {
    character >= '\u{300}' && matches!(canonical_combining_class(character), 10..=36 | 200..=240)
}

fn plain(character: char, each: &mut impl FnMut(char)) {
    if is_han(character) {
        return each(simplified(character));
    }
    let several = match character {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ŋ' => "n",
        'ŧ' => "t",
        'ς' => "σ",
        'ё' => "е",
        _ => "",
    };
    if !several.is_empty() {
        several.chars().for_each(each);
    } else if matches!(character, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}') {
        decompose_canonical(character, |part| {
            if part == character {
                each(part);
            } else {
                plain(part, each);
            }
        });
    } else if let Some(letter) = arabic(character) {
        each(letter);
    } else if !is_accent(character) && character != '\u{640}' {
        each(character);
    }
}

/// The common form of an Arabic letter that is written in several ways, and the digit of an Arabic one.
fn arabic(character: char) -> Option<char> {
    Some(match character {
        'آ' | 'أ' | 'إ' | 'ٱ' => 'ا',
        'ى' | 'ئ' | 'ی' => 'ي',
        'ؤ' => 'و',
        'ة' => 'ه',
        'ک' => 'ك',
        '\u{660}'..='\u{669}' => digit(character, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit(character, '\u{6f0}'),
        _ => return None,
    })
}

fn digit(character: char, zero: char) -> char {
    char::from_digit(u32::from(character) - u32::from(zero), 10).unwrap_or(character)
}

/// The simplified form of a Chinese character. It depends on nothing but the character, so that a phrase has the same form as in its text.
fn simplified(character: char) -> char {
    /// Almost all Chinese characters of texts are in this range, and each one that is indexed is looked up.
    const COMMON: Range<u32> = 0x3400..0xa000;
    static FORMS: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let pairs = Dictionary::TSCharacters.iter();
        let pairs: HashMap<char, char> =
            pairs.filter_map(|(from, to)| Some((from.chars().next()?, to.chars().next()?))).collect();
        // The simplified form of a few characters is itself listed as a variant of another.
        pairs.iter().map(|(from, once)| (*from, pairs.get(once).copied().unwrap_or(*once))).collect()
    });
    static TABLE: LazyLock<Vec<char>> = LazyLock::new(|| {
        COMMON.filter_map(char::from_u32).map(|from| FORMS.get(&from).copied().unwrap_or(from)).collect()
    });
    let place = u32::from(character).checked_sub(COMMON.start).and_then(|place| usize::try_from(place).ok());
    match place.and_then(|place| TABLE.get(place)) {
        Some(simple) => *simple,
        None => FORMS.get(&character).copied().unwrap_or(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_is_folded_and_meaning_is_kept() {
        for (text, expected) in [
            ("Sea LEVEL", "sea level"),
            ("Müller Ångström Straße ŒUVRE Ærø Łódź ĳs", "muller angstrom strasse oeuvre aero lodz ijs"),
            ("e\u{301}te\u{301}", "ete"),
            ("ĞİŞ ı", "gis i"),
            ("ＣＯ２　ﬁt H₂O m²", "co2 fit h2o m2"),
            ("漢語與臺灣的資訊", "汉语与台湾的资讯"),
            ("圖書館 图书馆", "图书馆 图书馆"),
            ("ﾃﾞｰﾀ データ", "データ データ"),
            ("ガ か\u{3099}", "ガ が"),
            ("Ёжик Й и\u{306} а\u{301}", "ежик й й а"),
            ("Ὀδυσσεύς", "οδυσσευσ"),
            ("اَلْعَرَبِيَّةُ ١٢ ۳ مـــاء", "العربيه 12 3 ماء"),
            ("إنسان آثار ﻻ", "انسان اثار لا"),
            ("שָׁלוֹם", "שלום"),
            ("한국 \u{1112}\u{1161}\u{11ab}", "한국 한"),
            ("हिन्दी", "हिन्दी"),
        ] {
            assert_eq!(fold(text), expected, "{text}");
        }
    }

    #[test]
    fn characters_know_where_they_come_from() {
        let mut seen = Vec::new();
        folded("xﬁé漢", |character, range| seen.push((character, range.clone())));
        assert_eq!(seen, [('x', 0..1), ('f', 1..4), ('i', 1..4), ('e', 4..6), ('汉', 6..9)]);
    }

    #[test]
    fn folding_twice_changes_nothing() {
        for character in ('\u{0}'..='\u{2ffff}').filter(|character| character.is_alphanumeric()) {
            let once = fold(&character.to_string());
            assert_eq!(fold(&once), once, "{character:?}");
        }
    }
}
