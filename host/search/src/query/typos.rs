//! How much a word may differ from a typed one.

/// The distance at which a word may be a typed word with mistakes, by its length: a short word is near too many others.
///
/// Numbers, formulas and words of scripts that are not written in letters are compared as they are.
pub fn tolerance(typed: &str) -> u8 {
    if !typed.chars().all(is_letter) {
        return 0;
    }
    match typed.chars().count() {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    }
}

/// As [`tolerance`], where nothing was found without: words of three letters may differ too.
pub fn widest_tolerance(typed: &str) -> u8 {
    if typed.chars().count() == 3 && typed.chars().all(is_letter) { 1 } else { tolerance(typed) }
}

/// Whether a character is a letter of an alphabet: no digit, and no character of a script with thousands of them.
fn is_letter(character: char) -> bool {
    let east_asian = matches!(character, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}');
    character.is_alphabetic() && !east_asian && character < '\u{20000}'
}

/// The Damerau-Levenshtein distance of two words (optimal string alignment): an insertion, a deletion, a substitution and a transposition
/// of neighbours count one each. `None` if it is greater than `most`.
pub fn distance(one: &[char], other: &[char], most: u8) -> Option<u8> {
    let limit = usize::from(most);
    if one.len().abs_diff(other.len()) > limit {
        return None;
    }
    let width = other.len() + 1;
    let mut before = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = vec![row + 1; width];
        for (column, with) in other.iter().enumerate() {
            let mut least =
                (last[column] + usize::from(letter != with)).min(last[column + 1] + 1).min(line[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *with {
                least = least.min(before[column - 1] + 1);
            }
            line[column + 1] = least;
        }
        if line.iter().all(|cost| *cost > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, line);
    }
    last.last().filter(|cost| **cost <= limit).and_then(|cost| u8::try_from(*cost).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(one: &str, other: &str, most: u8) -> Option<u8> {
        let letters = |word: &str| word.chars().collect::<Vec<_>>();
        distance(&letters(one), &letters(other), most)
    }

    #[test]
    fn every_mistake_of_one_letter_counts_one() {
        for typed in ["sedment", "sedimment", "sedimant", "sediemnt", "esdiment", "sedimen", "sedimentt", "edimen"] {
            assert_eq!(between(typed, "sediment", 2), Some(if typed == "edimen" { 2 } else { 1 }), "{typed}");
        }
        assert_eq!(between("sediment", "sediment", 0), Some(0));
        assert_eq!(between("осадок", "осадко", 1), Some(1));
        assert_eq!(between("ab", "ba", 0), None);
        assert_eq!(between("tide", "tidal", 1), None);
        assert_eq!(between("", "abc", 2), None);
        assert_eq!(between("", "ab", 2), Some(2));
    }

    #[test]
    fn tolerance_grows_with_the_length_and_is_for_letters_only() {
        for (typed, expected) in [
            ("of", 0),
            ("the", 0),
            ("carbon", 1),
            ("sediment", 1),
            ("sediments", 2),
            ("моря", 1),
            ("2024", 0),
            ("co2", 0),
            ("海洋沉积物", 0),
            ("データベース", 0),
            ("데이터베이스", 0),
            ("", 0),
        ] {
            assert_eq!(tolerance(typed), expected, "{typed}");
        }
        assert_eq!(["of", "the", "sea", "碳收支", "sediments"].map(widest_tolerance), [0, 1, 1, 0, 2]);
    }
}
