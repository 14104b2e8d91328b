//! Finds a word or phrase in a query.

/// Whether a character belongs to a script without spaces between words, in which words match anywhere.
fn is_cjk(letter: char) -> bool {
    matches!(letter,
        '\u{2e80}'..='\u{2fdf}' | '\u{3040}'..='\u{30ff}' | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character forms one word with an adjacent character of the same kind.
fn joins(letter: char) -> bool {
    letter.is_alphanumeric() && !is_cjk(letter)
}

/// The text in lower case, converted character by character as in [`find`].
pub fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn boundary(one: Option<char>, other: Option<char>) -> bool {
    !(one.is_some_and(joins) && other.is_some_and(joins))
}

/// If `text` starts with `word`, ignoring case, the length of the match in bytes of `text`.
fn matched(text: &str, word: &str) -> Option<usize> {
    let mut wanted = word.chars().flat_map(char::to_lowercase).peekable();
    for (at, letter) in text.char_indices() {
        if wanted.peek().is_none() {
            return Some(at);
        }
        for lower in letter.to_lowercase() {
            if wanted.next() != Some(lower) {
                return None;
            }
        }
    }
    wanted.peek().is_none().then_some(text.len())
}

/// The first occurrence of `word` as a whole word in `text`, ignoring case; returned as written in `text`.
pub fn find<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let word = word.trim();
    let (first, last) = (word.chars().next()?, word.chars().next_back());
    let mut before = None;
    for (start, letter) in text.char_indices() {
        if boundary(before, Some(first))
            && let Some(length) = matched(&text[start..], word)
            && boundary(last, text[start + length..].chars().next())
        {
            return Some(&text[start..start + length]);
        }
        before = Some(letter);
    }
    None
}
