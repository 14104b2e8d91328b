//! Search for passages of the site that may answer a question.

use masthead_plugin::content::{self, Passage};

const LIMIT: u32 = 5;

/// Stop words: words of questions that are not searched for.
const STOP_WORDS: [&str; 41] = [
    "a", "about", "an", "and", "any", "are", "can", "could", "did", "do", "does", "explain", "find", "for", "how", "i",
    "in", "is", "it", "me", "of", "on", "or", "please", "show", "tell", "that", "the", "there", "this", "to", "was",
    "were", "what", "when", "where", "which", "who", "why", "with", "you",
];
const CHINESE_STOP_WORDS: [&str; 9] = ["请问", "什么是", "是什么", "有哪些", "为什么", "如何", "怎么", "哪些", "关于"];

/// Searches for passages with all words of a question; if there are none, for passages with any of the words.
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

/// The words of a question in lower case, without punctuation and stop words. Search operators are written in capitals, so none is
/// left. A question of stop words only keeps all its words.
fn words(question: &str) -> Vec<String> {
    let plain = CHINESE_STOP_WORDS.iter().fold(question.to_lowercase(), |text, word| text.replace(word, " "));
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        words.map(|word| word.trim_matches('-').to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let mut words = split(&plain);
    words.retain(|word| !STOP_WORDS.contains(&word.as_str()));
    if words.is_empty() { split(&question.to_lowercase()) } else { words }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn questions_are_split_into_words() {
        assert_eq!(words("What is the tide of the Inner-Sea?"), ["tide", "inner-sea"]);
        assert_eq!(words("什么是潮汐？"), ["潮汐"]);
        assert_eq!(words("salt OR \"eel\" NOT -x"), ["salt", "eel", "not", "x"]);
        assert_eq!(words("What is it?"), ["what", "is", "it"]);
        assert!(words("?!").is_empty());
    }
}
