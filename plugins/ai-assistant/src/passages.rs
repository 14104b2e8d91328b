//! Passages of the site that may answer a question.

use masthead_plugin::content::{self, Passage};

const LIMIT: u32 = 5;

/// Words of questions that say nothing about what is asked for.
const EMPTY: [&str; 41] = [
    "a", "about", "an", "and", "any", "are", "can", "could", "did", "do", "does", "explain", "find", "for", "how", "i",
    "in", "is", "it", "me", "of", "on", "or", "please", "show", "tell", "that", "the", "there", "this", "to", "was",
    "were", "what", "when", "where", "which", "who", "why", "with", "you",
];
const EMPTY_CHINESE: [&str; 9] = ["请问", "什么是", "是什么", "有哪些", "为什么", "如何", "怎么", "哪些", "关于"];

/// What the site's search finds for all words of a question, else for any of them.
pub fn find(question: &str) -> Result<Vec<Passage>, String> {
    let words = words(question);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let all = content::search(&words.join(" "), LIMIT)?;
    if !all.is_empty() || words.len() < 2 {
        return Ok(all);
    }
    content::search(&words.join(" OR "), LIMIT)
}

/// The words without punctuation and without what makes them a question. The search's operators are in capitals: none is left.
fn words(question: &str) -> Vec<String> {
    let plain = EMPTY_CHINESE.iter().fold(question.to_lowercase(), |text, empty| text.replace(empty, " "));
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        words.map(|word| word.trim_matches('-').to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let mut words = split(&plain);
    words.retain(|word| !EMPTY.contains(&word.as_str()));
    if words.is_empty() { split(&question.to_lowercase()) } else { words }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_question_becomes_words() {
        assert_eq!(words("What is the tide of the Inner-Sea?"), ["tide", "inner-sea"]);
        assert_eq!(words("什么是潮汐？"), ["潮汐"]);
        assert_eq!(words("salt OR \"eel\" NOT -x"), ["salt", "eel", "not", "x"]);
        assert_eq!(words("What is it?"), ["what", "is", "it"]);
        assert!(words("?!").is_empty());
    }
}
