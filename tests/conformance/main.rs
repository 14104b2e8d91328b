//! Conformance to sections 3, 4, 7 and 8 of the specification: a table with the test that covers each line, and its result. The table is
//! printed with `--nocapture`. If the specification is available next to the repository, the test checks that no line is missing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod article;
mod call;
mod calls;
mod configuration;
mod context;
mod failures;
mod fields;
mod paths;
mod resources;
mod row;
mod specification;
mod states;
mod words;

use std::collections::BTreeMap;

use context::Context;
use row::{Outcome, Row};

fn rows() -> Vec<Row> {
    let mut rows = article::rows();
    rows.extend(configuration::rows());
    rows.extend(resources::rows());
    rows.extend(states::rows());
    rows.extend(calls::rows());
    rows.extend(paths::rows());
    rows.extend(failures::rows());
    rows.extend(words::rows());
    rows.sort_by_key(|row| row.section);
    rows
}

#[test]
fn every_line_of_the_specification_is_covered() {
    let context = Context::start();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut failed, mut later) = (Vec::new(), Vec::new());
    let results: Vec<(Row, Outcome)> = rows()
        .into_iter()
        .map(|row| {
            let outcome = row.outcome(&context);
            (row, outcome)
        })
        .collect();
    for (row, outcome) in &results {
        let name = if row.group.is_empty() { row.line.to_owned() } else { format!("{} | {}", row.group, row.line) };
        println!("{} {:<6} {name}  ->  {}", row.section, outcome.word(), outcome.says());
        *counts.entry(outcome.word()).or_default() += 1;
        match outcome {
            Outcome::Failed(wrong) => failed.push(format!("{} {name}: {wrong}", row.section)),
            Outcome::Later(what) => later.push(format!("{} {name}: {what}", row.section)),
            _ => {}
        }
    }
    println!("\n{} lines: {counts:?}", results.len());
    println!("\nnot implemented yet ({}):\n  {}", later.len(), later.join("\n  "));
    assert!(failed.is_empty(), "{} of {} lines failed:\n  {}", failed.len(), results.len(), failed.join("\n  "));
}

#[test]
fn no_line_of_the_specification_is_missing() {
    let path = masthead_test_support::repository("../shared/spec/portal.md");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("not checked: there is no specification at {}", path.display());
        return;
    };
    let rows = rows();
    let lines = specification::lines(&text);
    assert!(lines.len() > 150, "only {} lines: the specification was not parsed correctly", lines.len());
    let missing: Vec<String> = lines
        .iter()
        .filter(|line| !rows.iter().any(|row| line.matches(row)))
        .map(|line| format!("{} {}", line.section, line.text))
        .collect();
    let unknown: Vec<String> = rows
        .iter()
        .filter(|row| !lines.iter().any(|line| line.matches(row)))
        .map(|row| format!("{} {} {}", row.section, row.group, row.line))
        .collect();
    println!("{} rows for {} lines of the specification", rows.len(), lines.len());
    assert!(missing.is_empty(), "{} lines have no row:\n  {}", missing.len(), missing.join("\n  "));
    assert!(
        unknown.is_empty(),
        "{} rows match no line of the specification:\n  {}",
        unknown.len(),
        unknown.join("\n  ")
    );
}
