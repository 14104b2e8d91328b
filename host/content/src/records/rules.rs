//! What the fields of records may hold: dates of the calendar, ISSNs, addresses.

use masthead_domain::{link, text::has_form};
use serde_json::Value;

use super::{FieldChange, RecordType};
use crate::record_checks::{date_fault, is_backwards};

/// Whether a text is an ISSN with its check digit.
fn is_issn(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| if c == 'X' { Some(10) } else { c.to_digit(10) }).collect();
    let form = has_form(text, "0000-0000") || (has_form(text.trim_end_matches('X'), "0000-000") && text.len() == 9);
    form && digits.len() == 8
        && digits.iter().zip((1..=8).rev()).map(|(digit, weight)| digit * weight).sum::<u32>() % 11 == 0
}

/// The faults in the new values of fields.
pub(super) fn faults(of: RecordType, changes: &[FieldChange], after: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for FieldChange { key, after: value, .. } in changes {
        if has_nul(value) {
            faults.push(format!("{key}: a text must not have the character U+0000"));
        }
        let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { continue };
        faults.extend(date_fault(key, text));
        if ["issn", "eissn"].contains(&key.as_str()) && !is_issn(text) {
            faults.push(format!(
                "{key}: {text:?} is not an ISSN: it has the form 1234-5679, and the last digit checks the others"
            ));
        }
        let page_address = matches!(of, RecordType::Journal | RecordType::Issue) && key == "cover";
        if page_address && !link::is_own_or_web(text) {
            faults.push(format!("{key}: {text:?} is neither an http(s) address nor one of this host"));
        }
        if key == "licenseUrl" && !link::is_web(text) {
            faults.push(format!("{key}: {text:?} is not an http(s) address"));
        }
    }
    if changes.iter().any(|change| change.key == "start" || change.key == "end") {
        faults.extend(is_backwards(after));
    }
    faults
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(key, value)| key.contains('\0') || has_nul(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use masthead_domain::resource::ResourceKind;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_issn_has_a_check_digit() {
        assert!(is_issn("2049-3630") && is_issn("1050-124X"));
        for text in ["2049-3631", "20493630", "1050-124x", "X050-1240", "1050-12X4", "", "XXXX-XXXX"] {
            assert!(!is_issn(text), "{text:?}");
        }
    }

    #[test]
    fn faults_name_their_keys() {
        let change = |key: &str, value: Value| FieldChange { key: key.to_owned(), before: Value::Null, after: value };
        let changes = [
            change("dates.online", json!("2026-02-30")),
            change("issn", json!("1234-5678")),
            change("cover", json!("javascript:x")),
            change("title.en", json!("a\0b")),
            change("date", json!("")),
        ];
        let faults = faults(RecordType::Journal, &changes, &json!({}));
        assert_eq!(faults.len(), 4, "{faults:?}");
        let backwards = json!({ "start": "2026-05-02", "end": "2026-05-01" });
        let conference = RecordType::Resource(ResourceKind::Conference);
        let ends = [change("end", json!("2026-05-01"))];
        assert!(super::faults(conference, &ends, &backwards)[0].contains("before the start"));
    }
}
