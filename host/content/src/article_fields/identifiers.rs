//! The identifiers of an article besides its DOI, by their types.

use serde_json::{Map, Value, json};

use super::values::changed;

/// The field of the identifiers.
pub const IDS: &str = "ids";

/// Types that are not changed here, with the reason.
const KEPT: [(&str, &str); 2] = [
    ("doi", "the DOI is a field of its own, doi"),
    ("ojs", "the number in OJS is given by the import, which finds the article by it"),
];
/// Greatest number of characters of an identifier.
const LONGEST: usize = 200;

/// Whether a text can be the name of a type in a path.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The identifiers by type; of several of one type, the first.
pub fn record(ids: &[(String, String)]) -> Value {
    let mut all = Map::new();
    for (kind, value) in ids.iter().filter(|(kind, _)| is_name(kind)) {
        all.entry(kind.as_str()).or_insert_with(|| json!(value));
    }
    Value::Object(all)
}

/// Puts the identifiers in which two records differ into those of an article. Of a type that is taken away, all are.
pub fn put(ids: &mut Vec<(String, String)>, before: &Value, after: &Value, faults: &mut Vec<String>) {
    for (kind, value) in changed(before, after) {
        let new = value.as_str().map(str::trim);
        if let Some(fault) = fault(kind, new) {
            faults.push(format!("{IDS}.{kind}: {fault}"));
            continue;
        }
        let at = ids.iter().position(|(known, _)| known == kind);
        match (at, new) {
            (Some(at), Some(new)) => new.clone_into(&mut ids[at].1),
            (None, Some(new)) => ids.push((kind.to_owned(), new.to_owned())),
            (_, None) => ids.retain(|(known, _)| known != kind),
        }
    }
}

/// Why an article cannot have this identifier; `None` stands for none of the type.
fn fault(kind: &str, value: Option<&str>) -> Option<String> {
    if let Some((_, why)) = KEPT.iter().find(|(known, _)| known.eq_ignore_ascii_case(kind)) {
        return Some((*why).to_owned());
    }
    let value = value?;
    let is_number = |text: &str| (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |text: &str| {
        let word = |c: char| !c.is_whitespace() && !c.is_control();
        !text.is_empty() && text.chars().count() <= LONGEST && text.chars().all(word)
    };
    let (good, form) = match kind {
        "pmid" => (is_number(value), "digits, such as 12345678".to_owned()),
        "pmcid" => (value.strip_prefix("PMC").is_some_and(is_number), "PMC and digits, such as PMC1234567".to_owned()),
        _ => (is_word(value), format!("1 to {LONGEST} characters without white space")),
    };
    let begin: String = value.chars().take(60).collect();
    (!good).then(|| format!("{begin:?} is not an identifier of this type: it has {form}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Vec<(String, String)> {
        let pairs = [("publisher-id", "a1"), ("publisher-id", "a2"), ("ojs", "tides/7"), ("odd.type", "x")];
        pairs.map(|(kind, value)| (kind.to_owned(), value.to_owned())).to_vec()
    }

    /// The identifiers with a value of a type, and the faults.
    fn edited(kind: &str, value: Option<&str>) -> (Vec<(String, String)>, Vec<String>) {
        let (mut all, mut faults) = (ids(), Vec::new());
        let before = record(&all);
        let mut after = before.clone();
        if let Some(fields) = after.as_object_mut() {
            match value {
                Some(value) => _ = fields.insert(kind.to_owned(), json!(value)),
                None => _ = fields.remove(kind),
            }
        }
        put(&mut all, &before, &after, &mut faults);
        (all, faults)
    }

    #[test]
    fn identifiers_are_changed_by_type() {
        assert_eq!(record(&ids()), json!({ "publisher-id": "a1", "ojs": "tides/7" }), "a path cannot have a dot");
        let (all, faults) = edited("pmid", Some(" 12 "));
        assert_eq!((all.last(), faults.len()), (Some(&("pmid".to_owned(), "12".to_owned())), 0));
        let (all, _) = edited("publisher-id", Some("b"));
        assert_eq!((all[0].1.as_str(), all[1].1.as_str(), all.len()), ("b", "a2", 4));
        let (all, _) = edited("publisher-id", None);
        assert_eq!(all.len(), 2, "a second one does not take its place: {all:?}");
    }

    #[test]
    fn what_is_no_identifier_is_refused_and_changes_nothing() {
        for (kind, value, part) in [
            ("pmid", Some("PMC12"), "ids.pmid: \"PMC12\" is not an identifier of this type: it has digits"),
            ("pmid", Some(""), "ids.pmid: \"\""),
            ("pmcid", Some("12"), "PMC and digits"),
            ("pii", Some("S 12"), "without white space"),
            ("DOI", Some("10.5555/a"), "ids.DOI: the DOI is a field of its own"),
            ("ojs", Some("tides/8"), "ids.ojs: the number in OJS"),
            ("ojs", None, "ids.ojs: the number in OJS"),
        ] {
            let (all, faults) = edited(kind, value);
            assert!(faults.len() == 1 && faults[0].contains(part), "{part}: {faults:?}");
            assert_eq!(all, ids(), "{kind}");
        }
        for name in ["", "a.b", "a b", &"a".repeat(41)] {
            assert!(!is_name(name), "{name:?}");
        }
    }
}
