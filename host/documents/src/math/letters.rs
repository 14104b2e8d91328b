//! Replaces `mathvariant` by Unicode's mathematical alphabets, because MathML Core does not support the attribute.

/// The text in the letters of a variant; characters that the variant does not have are kept.
pub(super) fn styled(text: &str, variant: &str) -> String {
    text.chars().map(|c| letter(c, variant).unwrap_or(c)).collect()
}

fn letter(c: char, variant: &str) -> Option<char> {
    if let Some(special) = special(c, variant) {
        return Some(special);
    }
    let (upper, lower) = latin(variant)?;
    match c {
        'A'..='Z' => char::from_u32(upper + (u32::from(c) - 0x41)),
        'a'..='z' => char::from_u32(lower + (u32::from(c) - 0x61)),
        '0'..='9' => char::from_u32(digits(variant)? + (u32::from(c) - 0x30)),
        'Α'..='Ρ' | 'Σ'..='Ω' => char::from_u32(greek(variant)? + (u32::from(c) - 0x391)),
        'α'..='ω' => char::from_u32(greek(variant)? + 26 + (u32::from(c) - 0x3b1)),
        _ => None,
    }
}

const fn latin(variant: &str) -> Option<(u32, u32)> {
    let start = match variant.as_bytes() {
        b"bold" => 0x1d400,
        b"italic" => 0x1d434,
        b"bold-italic" => 0x1d468,
        b"script" => 0x1d49c,
        b"bold-script" => 0x1d4d0,
        b"fraktur" => 0x1d504,
        b"double-struck" => 0x1d538,
        b"bold-fraktur" => 0x1d56c,
        b"sans-serif" => 0x1d5a0,
        b"bold-sans-serif" => 0x1d5d4,
        b"sans-serif-italic" => 0x1d608,
        b"sans-serif-bold-italic" => 0x1d63c,
        b"monospace" => 0x1d670,
        _ => return None,
    };
    Some((start, start + 26))
}

const fn digits(variant: &str) -> Option<u32> {
    match variant.as_bytes() {
        b"bold" => Some(0x1d7ce),
        b"double-struck" => Some(0x1d7d8),
        b"sans-serif" => Some(0x1d7e2),
        b"bold-sans-serif" => Some(0x1d7ec),
        b"monospace" => Some(0x1d7f6),
        _ => None,
    }
}

const fn greek(variant: &str) -> Option<u32> {
    match variant.as_bytes() {
        b"bold" => Some(0x1d6a8),
        b"italic" => Some(0x1d6e2),
        b"bold-italic" => Some(0x1d71c),
        b"bold-sans-serif" => Some(0x1d756),
        b"sans-serif-bold-italic" => Some(0x1d790),
        _ => None,
    }
}

/// Letters that Unicode had before the mathematical alphabets, outside of their ranges.
const fn special(c: char, variant: &str) -> Option<char> {
    Some(match (variant.as_bytes(), c) {
        (b"italic", 'h') => 'ℎ',
        (b"script", 'B') => 'ℬ',
        (b"script", 'E') => 'ℰ',
        (b"script", 'F') => 'ℱ',
        (b"script", 'H') => 'ℋ',
        (b"script", 'I') => 'ℐ',
        (b"script", 'L') => 'ℒ',
        (b"script", 'M') => 'ℳ',
        (b"script", 'R') => 'ℛ',
        (b"script", 'e') => 'ℯ',
        (b"script", 'g') => 'ℊ',
        (b"script", 'o') => 'ℴ',
        (b"fraktur", 'C') => 'ℭ',
        (b"fraktur", 'H') => 'ℌ',
        (b"fraktur", 'I') => 'ℑ',
        (b"fraktur", 'R') => 'ℜ',
        (b"fraktur", 'Z') => 'ℨ',
        (b"double-struck", 'C') => 'ℂ',
        (b"double-struck", 'H') => 'ℍ',
        (b"double-struck", 'N') => 'ℕ',
        (b"double-struck", 'P') => 'ℙ',
        (b"double-struck", 'Q') => 'ℚ',
        (b"double-struck", 'R') => 'ℝ',
        (b"double-struck", 'Z') => 'ℤ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::styled;

    #[test]
    fn letters_within_and_outside_the_alphabets_are_found() {
        assert_eq!(styled("Rα1", "bold"), "𝐑𝛂𝟏");
        assert_eq!(styled("RL", "double-struck"), "ℝ𝕃");
        assert_eq!(styled("x+刊", "no-such"), "x+刊");
    }
}
