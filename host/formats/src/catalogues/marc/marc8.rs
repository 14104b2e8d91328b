//! MARC-8: ASCII and ANSEL, whose diacritics stand before their letter.

use unicode_normalization::UnicodeNormalization;

/// Characters 0xA1 to 0xC8; '\0' where there is none.
const SPACING: [char; 40] = [
    'Ł', 'Ø', 'Đ', 'Þ', 'Æ', 'Œ', 'ʹ', '·', '♭', '®', '±', 'Ơ', 'Ư', 'ʼ', '\0', 'ʻ', 'ł', 'ø', 'đ', 'þ', 'æ', 'œ', 'ʺ',
    'ı', '£', 'ð', '\0', 'ơ', 'ư', '\0', '\0', '°', 'ℓ', '℗', '©', '♯', '¿', '¡', 'ß', '€',
];

/// Diacritics 0xE0 to 0xFE; '\0' where there is none.
const COMBINING: [char; 31] = [
    '\u{309}', '\u{300}', '\u{301}', '\u{302}', '\u{303}', '\u{304}', '\u{306}', '\u{307}', '\u{308}', '\u{30c}',
    '\u{30a}', '\u{fe20}', '\u{fe21}', '\u{315}', '\u{30b}', '\u{310}', '\u{327}', '\u{328}', '\u{323}', '\u{324}',
    '\u{325}', '\u{333}', '\u{332}', '\u{326}', '\u{31c}', '\u{32e}', '\u{fe22}', '\u{fe23}', '\0', '\0', '\u{313}',
];

/// The characters, composed; and whether some could not be read (other scripts of MARC-8, wrong bytes).
pub(super) fn decode(bytes: &[u8]) -> (String, bool) {
    let mut out = String::with_capacity(bytes.len());
    let mut marks: Vec<char> = Vec::new();
    let mut lost = false;
    // Another script, set by an escape sequence, of this many bytes a character.
    let mut foreign: usize = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        if byte == 0x1b {
            let (length, width) = escape(bytes.get(at + 1..).unwrap_or_default());
            at += 1 + length;
            foreign = width;
            continue;
        }
        if foreign > 0 && byte > 0x20 {
            out.push(char::REPLACEMENT_CHARACTER);
            lost = true;
            at += foreign;
            continue;
        }
        at += 1;
        let read = match byte {
            // Where sorting begins and ends; not to be shown.
            0x88 | 0x89 => continue,
            0xe0..=0xfe => {
                let mark = COMBINING.get(usize::from(byte - 0xe0)).copied().unwrap_or('\0');
                if mark == '\0' {
                    lost = true;
                } else {
                    marks.push(mark);
                }
                continue;
            }
            0xa1..=0xc8 => SPACING.get(usize::from(byte - 0xa1)).copied().unwrap_or('\0'),
            0x80.. => '\0',
            ascii => char::from(ascii),
        };
        if read == '\0' {
            lost = true;
            out.push(char::REPLACEMENT_CHARACTER);
        } else {
            out.push(read);
        }
        out.extend(marks.drain(..));
    }
    out.extend(marks);
    (out.nfc().collect(), lost)
}

/// Length of the sequence after its escape byte, and bytes of a character in the set that it names; 0 for the Latin sets.
fn escape(rest: &[u8]) -> (usize, usize) {
    match rest {
        [b's', ..] => (1, 0),
        [b'g' | b'b' | b'p', ..] => (1, 1),
        [b'$', b'1', ..] => (2, 3),
        [b'$', b',' | b')' | b'-' | b'(', b'1', ..] => (3, 3),
        [b'(' | b',', b'B' | b's', ..] => (2, 0),
        [b')' | b'-', b'!', b'E', ..] => (3, 0),
        [b'(' | b',' | b')' | b'-', b'E', ..] => (2, 0),
        [b'(' | b',' | b')' | b'-', _, ..] => (2, 1),
        _ => (0, 0),
    }
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
            (b"\xe2", "\u{301}"),
        ] {
            assert_eq!(decode(bytes), (wanted.to_owned(), false), "{bytes:?}");
        }
    }

    #[test]
    fn other_scripts_are_told_as_lost() {
        let (text, lost) = decode(b"a \x1b$1!0!!0! \x1b(Bz");
        assert!(lost && text.starts_with("a \u{fffd}") && text.ends_with('z'), "{text}");
        assert!(decode(b"\xff\x1b").1);
    }
}
