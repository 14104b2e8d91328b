//! The lines of keys in a TOML file.

use toml::de::{DeArray, DeTable, DeValue};

/// A step of a key: `channels[2].name` has the steps `channels`, 2 and `name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A name in a table.
    Name(&'a str),
    /// A position in a list, from 0.
    Index(usize),
}

/// The steps of a key. What is no position in brackets is part of a name.
pub fn steps(key: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in key.split('.').filter(|part| !part.is_empty()) {
        let (name, positions) = part.split_once('[').unwrap_or((part, ""));
        steps.push(Step::Name(name));
        let positions = positions.split(['[', ']']).filter_map(|digits| digits.parse().ok());
        steps.extend(positions.map(Step::Index));
    }
    steps
}

/// The line of a key, from 1; where the file does not have the key, that of the nearest key above it. `None` if it has none of them.
pub fn line_of(text: &str, key: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut table = Some(document.get_ref());
    let mut list: Option<&DeArray<'_>> = None;
    let mut found = None;
    for step in steps(key) {
        let value = match step {
            Step::Name(name) => {
                let Some((own, value)) = table.and_then(|table| table.get_key_value(name)) else { break };
                found = Some(own.span().start);
                value
            }
            Step::Index(index) => {
                let Some(value) = list.and_then(|list| list.get(index)) else { break };
                found = Some(value.span().start);
                value
            }
        };
        (table, list) = match value.get_ref() {
            DeValue::Table(table) => (Some(table), None),
            DeValue::Array(list) => (None, Some(list)),
            _ => (None, None),
        };
    }
    found.map(|offset| line_at(text, offset))
}

/// The line of a byte offset, from 1.
pub fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::{Step, line_of, steps};

    const FILE: &str = "# a comment\nid = 1\nname = { zh = \"甲\", en = \"A\" }\n\n[header]\nlogo = { zh = \"a.svg\",\n  en = \"b.svg\" }\n\n\
                        [[channels]]\nid = 1\n\n[[channels]]\nid = 2\nnames.fra = \"Deux\"\n\n[site.footer]\nicp = \"x\"\n";

    #[test]
    fn a_key_has_names_and_positions() {
        assert_eq!(
            steps("channels[12].names.ru"),
            [Step::Name("channels"), Step::Index(12), Step::Name("names"), Step::Name("ru")]
        );
        assert!(steps("").is_empty());
    }

    #[test]
    fn keys_are_found_at_their_lines() {
        for (key, line) in [
            ("id", Some(2)),
            ("name.en", Some(3)),
            ("header", Some(5)),
            ("header.logo.en", Some(7)),
            ("channels[0]", Some(9)),
            ("channels[1].id", Some(13)),
            ("channels[1].names.fra", Some(14)),
            ("site.footer.icp", Some(17)),
        ] {
            assert_eq!(line_of(FILE, key), line, "{key}");
        }
    }

    #[test]
    fn a_missing_key_is_at_the_line_of_the_key_above_it() {
        for (key, line) in [
            ("name.ru", Some(3)),
            ("header.logo.fra", Some(6)),
            ("channels[1].enName", Some(12)),
            ("channels[7]", Some(9)),
            ("footer.copyright", None),
            ("", None),
        ] {
            assert_eq!(line_of(FILE, key), line, "{key}");
        }
        assert_eq!(line_of("id = ", "id"), None, "a file that cannot be parsed has no keys");
    }
}
