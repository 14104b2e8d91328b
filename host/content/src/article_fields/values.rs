//! Values of records: texts by language, lists of entries, paragraphs as lines.

use masthead_domain::content::{
    Node,
    text::{fold, plain},
};
use serde_json::{Map, Value, json};

/// Two records of an article: before and after a change.
pub type Sides<'a> = (&'a Value, &'a Value);

/// Whether a text has the form of a BCP 47 tag.
#[must_use]
pub fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let primary = parts.next().unwrap_or_default();
    (2..=3).contains(&primary.len())
        && primary.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The text of a key, or "".
pub fn text(record: &Value, key: &str) -> String {
    record[key].as_str().unwrap_or_default().to_owned()
}

pub fn strings(value: &Value) -> impl Iterator<Item = String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}

/// The tag of a text: that of the article where the source declares none.
pub fn tag<'a>(lang: &'a str, language: &'a str) -> &'a str {
    if lang.is_empty() { language } else { lang }
}

/// Values by language; of several in one language, the first.
pub fn by_language<'a>(values: impl Iterator<Item = (&'a str, Value)>, language: &'a str) -> Value {
    let mut all = Map::new();
    for (lang, value) in values {
        all.entry(tag(lang, language)).or_insert(value);
    }
    Value::Object(all)
}

/// The keys in which two objects differ, with the new values; null for a key that is gone.
pub fn changed<'a>(before: &'a Value, after: &'a Value) -> Vec<(&'a str, &'a Value)> {
    let gone = entries(before).filter(|(key, _)| after.get(key.as_str()).is_none());
    let gone = gone.map(|(key, _)| (key.as_str(), &Value::Null));
    let new = entries(after).filter(|(key, value)| before.get(key.as_str()) != Some(*value));
    gone.chain(new.map(|(key, value)| (key.as_str(), value))).collect()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A value with the fields of the template that it lacks, in the entries of a list too.
pub fn completed(value: &Value, template: &Value) -> Value {
    match (value, template) {
        (Value::Object(given), Value::Object(known)) => {
            let mut whole = known.clone();
            whole.extend(given.iter().map(|(key, value)| (key.clone(), value.clone())));
            Value::Object(whole)
        }
        (Value::Array(given), Value::Array(known)) if known.len() == 1 => {
            given.iter().map(|one| completed(one, &known[0])).collect()
        }
        (Value::Null, known) if known.is_array() => json!([]),
        (Value::Null, known) => known.clone(),
        _ => value.clone(),
    }
}

/// The entries that a list is to have, each with all of its fields; `None` if the list stays as it is.
pub fn wanted(before: &Value, after: &Value, entry: &Value) -> Option<Vec<Value>> {
    if before == after {
        return None;
    }
    match completed(after, &json!([entry])) {
        Value::Array(entries) => Some(entries),
        _ => Some(Vec::new()),
    }
}

/// The words of these nodes, a line for each paragraph. Pictures between paragraphs have no words.
pub fn lines(nodes: &[Node]) -> String {
    let mut all = Vec::new();
    push_lines(nodes, &mut all);
    all.join("\n")
}

fn push_lines(nodes: &[Node], all: &mut Vec<String>) {
    for run in nodes.chunk_by(|one, other| !one.is_block() && !other.is_block()) {
        match run {
            [Node::Graphic(_)] => {}
            [Node::Sec { nodes, .. } | Node::Group { nodes, .. }] => push_lines(nodes, all),
            run => all.extend(Some(plain(run)).filter(|line| !line.is_empty())),
        }
    }
}

/// The paragraphs of a text, one for each line.
pub fn paragraphs(text: &str) -> Vec<Node> {
    let paragraph =
        |line: &str| Node::P { id: String::new(), lang: String::new(), nodes: vec![Node::text(fold(line))] };
    text.lines().filter(|line| !line.trim().is_empty()).map(paragraph).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_lines_and_lines_paragraphs() {
        let bold = |words: &str| Node::Bold { nodes: vec![Node::text(words)] };
        let heading =
            Node::SecTitle { id: String::new(), level: 1, label: String::new(), title: vec![Node::text("Aims")] };
        let section = Node::Sec {
            id: String::new(),
            kind: String::new(),
            lang: String::new(),
            nodes: [vec![heading], paragraphs("To measure.")].concat(),
        };
        let group = Node::Group { id: String::new(), kind: "fn".to_owned(), nodes: paragraphs("One.\nTwo.") };
        let nodes = [
            vec![Node::text("Salt "), bold("water"), section, Node::Graphic(Box::default()), group],
            paragraphs("Last."),
        ]
        .concat();
        assert_eq!(lines(&nodes), "Salt water\nAims\nTo measure.\nOne.\nTwo.\nLast.");
        assert_eq!(lines(&paragraphs("a  b\n\n c ")), "a b\nc");
    }

    #[test]
    fn the_entries_of_a_changed_list_have_all_fields() {
        let entry = json!({ "lang": "", "words": [""] });
        let list = json!([{ "lang": "en" }]);
        assert_eq!(wanted(&list, &list, &entry), None);
        assert_eq!(wanted(&list, &Value::Null, &entry), Some(Vec::new()), "it is taken away");
        assert_eq!(wanted(&json!([]), &list, &entry), Some(vec![json!({ "lang": "en", "words": [""] })]));
        assert_eq!(wanted(&list, &json!("en"), &entry), Some(Vec::new()));
    }
}
