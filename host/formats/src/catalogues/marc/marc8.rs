//! MARC-8: the character sets of MARC 21 before UTF-8, Latin, Greek, Cyrillic, Hebrew, Arabic and East Asian. Escape sequences
//! designate a set for the bytes below 0x80 (G0) or for those above (G1); diacritics stand before their letter.
//!
//! Source: "MARC 21 Specifications for Record Structure, Character Sets, and Exchange Media", MARC-8 encoding environment.

use std::sync::LazyLock;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The sets, named by the final byte of the escape sequence that designates them.
const ASCII: u8 = b'B';
const ANSEL: u8 = b'E';
const EAST_ASIAN: u8 = b'1';

const ESCAPE: u8 = 0x1b;
/// The tables' character for the 61 of East Asia that Unicode lacks.
const NOT_IN_UNICODE: char = '〓';
/// Superscript alef: the only combining mark of Unicode that MARC-8 writes behind its letter.
const SUPERSCRIPT_ALEF: char = '\u{670}';

/// Set and code as one number, and its character; sorted.
static CHARACTERS: LazyLock<Vec<(u32, char)>> = LazyLock::new(|| {
    let mut characters = Vec::with_capacity(16_500);
    for line in include_str!("marc8_sets.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let mut number = || u32::from_str_radix(parts.next().unwrap_or_default(), 16).unwrap_or_default();
        let first = number() << 24 | number();
        characters.extend((first..).zip(parts.next().unwrap_or_default().chars()));
    }
    characters.sort_unstable();
    characters
});

/// The character of a code of one byte or, in the East Asian set, three. High bits are ignored: the same codes serve G0 and G1.
fn character(set: u8, code: &[u8]) -> Option<char> {
    if let (ASCII, [byte]) = (set, code) {
        return Some(char::from(byte & 0x7f));
    }
    let code = code.iter().fold(0, |number, byte| number << 8 | u32::from(byte & 0x7f));
    let wanted = u32::from(set) << 24 | code;
    let at = CHARACTERS.binary_search_by_key(&wanted, |(known, _)| *known).ok()?;
    CHARACTERS.get(at).map(|(_, character)| *character)
}

/// The characters, composed; and whether some could not be read (codes without a character, unknown sets).
pub(super) fn decode(bytes: &[u8]) -> (String, bool) {
    let mut out = String::with_capacity(bytes.len());
    let mut marks: Vec<char> = Vec::new();
    let mut lost = false;
    let (mut g0, mut g1) = (ASCII, ANSEL);
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
        let mut length = 1;
        let read = match byte {
            &ESCAPE => {
                if let Some((sequence, in_g1, set)) = designation(after) {
                    *(if in_g1 { &mut g1 } else { &mut g0 }) = set;
                    length += sequence;
                }
                rest = rest.get(length..).unwrap_or_default();
                continue;
            }
            // Where sorting begins and ends, and the second halves of a ligature and of a double tilde: the first halves
            // stand for both.
            0x88 | 0x89 => None,
            0xec | 0xfb if g1 == ANSEL => None,
            0x8d => Some('\u{200d}'),
            0x8e => Some('\u{200c}'),
            0..=0x20 => Some(char::from(*byte)),
            0x7f..=0xa0 | 0xff => Some(char::REPLACEMENT_CHARACTER),
            _ => {
                let set = if *byte < 0x80 { g0 } else { g1 };
                if set == EAST_ASIAN {
                    // An escape sequence within a character cuts it off.
                    length += after.iter().take(2).take_while(|byte| **byte != ESCAPE).count();
                }
                Some(character(set, rest.get(..length).unwrap_or_default()).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        };
        rest = rest.get(length..).unwrap_or_default();
        match read {
            None => {}
            Some(mark) if is_combining_mark(mark) && mark != SUPERSCRIPT_ALEF => marks.push(mark),
            Some(read) => {
                lost |= matches!(read, char::REPLACEMENT_CHARACTER | NOT_IN_UNICODE);
                out.push(read);
                out.extend(marks.drain(..));
            }
        }
    }
    out.extend(marks);
    (out.nfc().collect(), lost)
}

/// What an escape sequence says, given the bytes behind the escape: their number, whether they designate G1, and the set.
fn designation(sequence: &[u8]) -> Option<(usize, bool, u8)> {
    // `$` in front announces several bytes a character; only the East Asian set has them.
    let (sequence, multibyte) = match sequence {
        [b'$', rest @ ..] => (rest, 1),
        rest => (rest, 0),
    };
    let (length, in_g1, set) = match sequence {
        [b's', ..] if multibyte == 0 => (1, false, ASCII),
        [set @ (b'g' | b'b' | b'p'), ..] if multibyte == 0 => (1, false, *set),
        [set @ EAST_ASIAN, ..] if multibyte == 1 => (1, false, *set),
        [half @ (b'(' | b',' | b')' | b'-'), b'!', set, ..] => (3, matches!(half, b')' | b'-'), *set),
        [half @ (b'(' | b',' | b')' | b'-'), set, ..] => (2, matches!(half, b')' | b'-'), *set),
        _ => return None,
    };
    Some((multibyte + length, in_g1, set))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diacritics_go_behind_their_letter() {
        for (bytes, wanted) in [
            (&b"Plain"[..], "Plain"),
            (b"Universit\xe2e", "Université"),
            (b"\xe8Uber \xa1\xf0c", "Über Łç"),
            (b"\x88The \x89Tides", "The Tides"),
            (b"\xebt\xecsar", "t\u{361}sar"),
            (b"\xe2", "\u{301}"),
        ] {
            assert_eq!(decode(bytes), (wanted.to_owned(), false), "{bytes:?}");
        }
    }

    #[test]
    fn escape_sequences_change_the_script() {
        for (bytes, wanted) in [
            // The Library of Congress writes the East Asian set so, with a space of one byte.
            (&b"a \x1b$1!HW!:R K7o\x1b(Bz"[..], "a 漢字 国z"),
            (b"\x1b$,1i$No\\e\x1b(B.", "の한."),
            (b"\x1b$)1\xa1\xc8\xd7a", "漢a"),
            (b"\x1b(NmOSKWA\x1b(B, 1999", "Москва, 1999"),
            (b"\x1b)N\xcd\xcf x", "мо x"),
            (b"\x1b(2ylem\x1b(B", "שלום"),
            (b"H\x1bb2\x1bsO, x\x1bp2\x1bs, \x1bga\x1bs", "H₂O, x², α"),
            (b"\x1b(!E!\x1b(Bx", "Łx"),
        ] {
            assert_eq!(decode(bytes), (wanted.to_owned(), false), "{bytes:?}");
        }
    }

    #[test]
    fn codes_without_a_character_are_reported() {
        for (bytes, wanted) in [
            (&b"a \x1b$1~~~!HW\x1b(Bz"[..], "a \u{fffd}漢z"),
            (b"\x1b$1!H\x1b(Bz", "\u{fffd}z"),
            (b"\x1b$1ov$\x1b(Bz", "〓z"),
            (b"\x1b(Zab\x1b(Bz", "\u{fffd}\u{fffd}z"),
            (b"\xff\x1b", "\u{fffd}"),
        ] {
            assert_eq!(decode(bytes), (wanted.to_owned(), true), "{bytes:?}");
        }
    }

    #[test]
    fn the_table_is_whole() {
        let of = |set: u8| CHARACTERS.iter().filter(|(number, _)| number >> 24 == u32::from(set)).count();
        assert_eq!((of(EAST_ASIAN), of(ANSEL), of(b'N'), of(b'2'), of(b'3')), (15_739, 63, 94, 78, 83));
        assert!(CHARACTERS.iter().all(|(_, read)| *read != char::REPLACEMENT_CHARACTER));
    }
}
