//! Light stemming of Arabic: articles, conjunctions and the endings of number, gender and possession are removed.
//!
//! The rules are those of the stemmer "light10" of Larkey, Ballesteros and Connell (2007), on letters that are folded before: the feminine
//! ending is written `ه`, and `ى` is written `ي`.

/// Articles, with the conjunctions and prepositions before them; the longest first.
const PREFIXES: [&str; 7] = ["وال", "بال", "كال", "فال", "ال", "لل", "و"];

/// Endings; the longest first.
const SUFFIXES: [&str; 8] = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];

/// The stem of a folded word.
pub fn stem(word: &str) -> &str {
    let letters = |text: &str| text.chars().count();
    // At least two letters remain; three behind a single conjunction, which begins many words.
    let prefix = PREFIXES.into_iter().find_map(|prefix| {
        let rest = word.strip_prefix(prefix)?;
        (letters(rest) >= if prefix == "و" { 3 } else { 2 }).then_some(rest)
    });
    let mut stem = prefix.unwrap_or(word);
    for suffix in SUFFIXES {
        if let Some(rest) = stem.strip_suffix(suffix).filter(|rest| letters(rest) >= 2) {
            stem = rest;
        }
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn articles_and_endings_are_removed() {
        for (word, expected) in [
            ("البحر", "بحر"),
            ("والبحار", "بحار"),
            ("بالماء", "ماء"),
            ("للمحيط", "محيط"),
            ("المحيطات", "محيط"),
            ("باحثون", "باحث"),
            ("باحثين", "باحث"),
            ("مدرسه", "مدرس"),
            ("ولد", "ولد"),
            ("من", "من"),
            ("", ""),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }
}
