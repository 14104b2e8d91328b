//! Records, and changes of them, as they are printed.

use masthead_content::records::{Done, LastEditor, Listing, Record};
use serde_json::Value;

/// Greatest number of characters of a value in a line for people.
const SHOWN: usize = 200;

pub(super) fn print_list(found: &Listing) {
    for one in &found.records {
        println!("{:<30} {:<24} {}", one.name, one.note, one.title);
    }
    if let Some(next) = &found.next {
        println!("more: --after {next}");
    }
}

pub(super) fn print_record(record: &Record) {
    println!("{} {}", record.record_type, record.name);
    let mut lines = Vec::new();
    flat("", &record.value, &mut lines);
    for (key, value) in lines {
        println!("  {key} = {}", shown(&value));
    }
    if !record.kept.is_empty() {
        println!("edited by hand, kept by imports: {}", record.kept.join(", "));
    }
    println!("version {}", record.version);
}

/// The fields of a record by their paths, without empty ones.
fn flat(path: &str, value: &Value, lines: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flat(&inner, value, lines);
            }
        }
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::Array(values) if values.is_empty() => {}
        _ => lines.push((path.to_owned(), value.clone())),
    }
}

/// A value in one line of limited length.
pub fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

pub(super) fn print_done(done: &Done, json: bool) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string(done)?);
        return Ok(());
    }
    let dry_run = if done.dry_run { " (dry run, nothing is stored)" } else { "" };
    println!("{} {}: {}{dry_run}", done.record_type, done.name, done.action);
    print_changes(done);
    if let Some(version) = &done.version {
        println!("version {version}");
    }
    tell_of_last_editor(done);
    Ok(())
}

/// The fields with their values before and after.
pub(super) fn print_changes(done: &Done) {
    for change in &done.changes {
        println!("  {}: {} -> {}", change.key, shown(&change.before), shown(&change.after));
    }
}

/// Says on the standard error who else has changed the record lately: scripts read the standard output.
pub(super) fn tell_of_last_editor(done: &Done) {
    if let Some(LastEditor { who, time }) = &done.last_editor {
        let (record_type, name) = (done.record_type, &done.name);
        eprintln!(
            "{record_type} {name}: {who} has changed it last, at {time}; --if-version refuses a change after another's"
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn empty_fields_are_not_shown() {
        let mut lines = Vec::new();
        flat("", &json!({ "title": { "en": "a" }, "cover": "", "items": [], "year": null, "position": 0 }), &mut lines);
        lines.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(lines, [("position".to_owned(), json!(0)), ("title.en".to_owned(), json!("a"))]);
    }

    #[test]
    fn a_long_value_is_cut() {
        assert_eq!(shown(&json!("ab")), "\"ab\"");
        assert_eq!(shown(&json!("潮".repeat(900))).chars().count(), SHOWN + 1);
    }
}
