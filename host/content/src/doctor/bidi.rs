//! Faults of text in two directions: control characters that are not balanced, and text from right to left that nothing separates from
//! the text around it.

use masthead_domain::{Lang, site::Site};
use serde_json::Value;
use unicode_bidi::{BidiClass, bidi_class};

use super::{Notes, html};

const CHECK: &str = "bidi";
/// Keys whose values are not shown as text.
const NOT_SHOWN: [&str; 2] = ["cssContent", "id"];

/// The texts of a site's configuration.
pub fn check(site: &Site, notes: &mut Notes<'_>) {
    // A configuration is always serializable; without a value there is nothing to check.
    let value = serde_json::to_value(site).unwrap_or_default();
    walk(&value, &mut Vec::new(), &mut |key, lang, text| note(notes, key, lang, text));
}

/// Calls a function with every text in a value: its dotted key, its language where the last name of the key is one, and the text.
pub fn walk(value: &Value, path: &mut Vec<String>, each: &mut dyn FnMut(String, Option<Lang>, &str)) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields.iter().filter(|(name, _)| !NOT_SHOWN.contains(&name.as_str())) {
                path.push(if path.is_empty() { name.clone() } else { format!(".{name}") });
                walk(inner, path, each);
                path.pop();
            }
        }
        Value::Array(entries) => {
            for (index, inner) in entries.iter().enumerate() {
                path.push(format!("[{index}]"));
                walk(inner, path, each);
                path.pop();
            }
        }
        Value::String(text) => {
            let lang = path.last().and_then(|name| name.trim_start_matches('.').parse().ok());
            each(path.concat(), lang, text);
        }
        _ => {}
    }
}

/// Reports the faults of a text, which may be HTML.
pub fn note(notes: &mut Notes<'_>, key: String, lang: Option<Lang>, text: &str) {
    note_directed(notes, key, lang.is_some_and(|lang| lang.dir() == "rtl"), text);
}

/// The same of a text that stands in an element with the direction from right to left, or from left to right.
pub fn note_directed(notes: &mut Notes<'_>, key: String, from_right: bool, text: &str) {
    // Most titles of articles: no letter of it is written from right to left, and none is a control character of direction.
    if text.is_ascii() {
        return;
    }
    if let Some(fault) = control_fault(text) {
        notes.error(CHECK, key, fault, "remove the control characters, or close each with its end");
        return;
    }
    // In a text of a language that is written from right to left, the page has that direction already.
    if from_right {
        return;
    }
    if text.contains("</") {
        if let Some(found) = html::text_without_direction(text) {
            let shown: String = found.chars().take(40).collect();
            let message = format!("{shown:?} is written from right to left in an element without a direction");
            notes.warning(CHECK, key, message, "put it into <bdi>, or add dir=\"rtl\" to its element");
        }
    } else if has_open_rtl(text) {
        let message = "text from right to left stands beside other text, and may be shown in another order";
        notes.warning(CHECK, key, message, "put U+2067 before the text from right to left and U+2069 behind it");
    }
}

/// What is wrong with the bidirectional control characters of a text.
fn control_fault(text: &str) -> Option<&'static str> {
    const OPEN: &str = "a bidirectional control character is not closed, and reorders the text behind it";
    const STRAY: &str = "a bidirectional control character closes what is not open";
    // Whether each open control character is an isolate.
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '\u{202a}' | '\u{202b}' => open.push(false),
            '\u{202d}' | '\u{202e}' => {
                return Some(
                    "a control character overrides the direction of letters, so that another text is shown than is stored",
                );
            }
            '\u{2066}'..='\u{2068}' => open.push(true),
            '\u{202c}' => match open.last() {
                Some(false) => {
                    open.pop();
                }
                _ => return Some(STRAY),
            },
            '\u{2069}' => match open.iter().rposition(|is_isolate| *is_isolate) {
                Some(at) => open.truncate(at),
                None => return Some(STRAY),
            },
            // Embeddings and isolates end with the paragraph.
            '\n' | '\u{2029}' if !open.is_empty() => return Some(OPEN),
            _ => {}
        }
    }
    (!open.is_empty()).then_some(OPEN)
}

/// Whether text from right to left stands beside other text outside of isolates and embeddings.
pub fn has_open_rtl(text: &str) -> bool {
    let (mut depth, mut rtl, mut other) = (0_usize, false, false);
    for c in text.chars() {
        match c {
            '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}' => depth += 1,
            '\u{202c}' | '\u{2069}' => depth = depth.saturating_sub(1),
            // Marks have a direction and no letter.
            '\u{200e}' | '\u{200f}' | '\u{61c}' => {}
            _ if depth > 0 => {}
            _ => match bidi_class(c) {
                BidiClass::R | BidiClass::AL => rtl = true,
                BidiClass::L | BidiClass::EN | BidiClass::ES | BidiClass::ET | BidiClass::CS | BidiClass::ON => {
                    other = true
                }
                _ => {}
            },
        }
    }
    rtl && other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_have_to_be_balanced() {
        for text in [
            "plain",
            "a \u{2067}مجلة\u{2069} b",
            "\u{202b}مجلة\u{202c}",
            "\u{2068}\u{202a}x\u{202c}\u{2069}",
            "\u{2067}\u{202b}x\u{2069}",
            "x\u{200f}",
        ] {
            assert_eq!(control_fault(text), None, "{text:?}");
        }
        for text in [
            "\u{2067}x",
            "x\u{2069}",
            "x\u{202c}",
            "\u{202b}x",
            "\u{2066}x\ny\u{2069}",
            "\u{202e}x\u{202c}",
            "\u{2067}x\u{202c}\u{2069}",
        ] {
            assert!(control_fault(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn text_in_two_directions_has_to_be_isolated() {
        for (text, open) in [
            ("The journal مجلة, 2026", true),
            ("مجلة!", true),
            ("The journal \u{2067}مجلة\u{2069}, 2026", false),
            ("مجلة العلوم", false),
            ("期刊 2026", false),
            ("", false),
        ] {
            assert_eq!(has_open_rtl(text), open, "{text:?}");
        }
    }
}
