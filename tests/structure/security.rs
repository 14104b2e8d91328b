//! The table of `docs/security.md`: every test that it names exists, where it says.

use std::fs;

use crate::sources::root;

/// The rows of the table: the text of the line, and the names in backticks.
fn rows(text: &str) -> Vec<(&str, Vec<&str>)> {
    let rows =
        text.lines().filter(|line| line.starts_with("| ") && line[2..].starts_with(|c: char| c.is_ascii_digit()));
    rows.map(|line| (line, line.split('`').skip(1).step_by(2).collect())).collect()
}

#[test]
fn every_test_that_proves_a_line_of_the_security_table_exists() {
    let document = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let rows = rows(&document);
    assert!(rows.len() > 60, "{}", rows.len());
    let (mut faults, mut tests) = (Vec::new(), 0);
    for (line, names) in rows {
        let mut source = None;
        for name in names.into_iter().filter(|name| !name.contains([' ', '<', '='])) {
            if name.contains('/') {
                let text = fs::read_to_string(root().join(name));
                source = text.inspect_err(|_| faults.push(format!("{name} does not exist: {line}"))).ok();
            } else if let Some(text) = source.as_deref().filter(|_| name.contains('_')) {
                tests += 1;
                if !text.contains(&format!("fn {name}(")) && !text.contains(&format!("\"{name}\"")) {
                    faults.push(format!("{name} is not there: {line}"));
                }
            }
        }
        let judged = ["| met |", "| partly |", "| not met |", "| not applicable |"];
        if judged.iter().filter(|word| line.contains(**word)).count() != 1 {
            faults.push(format!("it says neither whether the line is met nor that it is not: {line}"));
        }
    }
    assert!(faults.is_empty() && tests > 40, "{tests} tests: {faults:#?}");
}
