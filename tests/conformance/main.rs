//! Conformance to the specification, line by line: a table with a row for each line of its sections 1 to 9, printed with `--nocapture`.
//!
//! A line is a paragraph, an item of a list or a row of a table of the text. Its row is in the file of its section, under its number; it
//! divides the line into parts and names the proof of each. The line works if every part is proved. Otherwise it comes later, and the row
//! says which parts are missing.
//!
//! - What the host answers is proved by requests to a portal that runs in this process (`here`), or by a test in Rust (`rust`).
//! - What scripts show in a browser is proved in a browser (`browser`); what the host writes into a document is proved by reading the document.
//! - A test without a browser (`script`) proves the logic of the shell and the modules only.
//! - A text that no page and no call uses comes later.
//!
//! Whether a test that a row names passed is read from the results of the last `make test` (`results`). If the specification stands next
//! to the repository, each line must have exactly one row, which states the digest of the line it was written for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod call;
mod context;
mod fields;
mod results;
mod row;
mod section_1;
mod section_2;
mod section_3;
mod section_4;
mod section_5;
mod section_6;
mod section_7;
mod section_8;
mod section_9;
mod specification;
mod summary;

use context::Context;
use results::Results;
use row::{Judged, Outcome, Row};

fn rows() -> Vec<Row> {
    [
        section_1::rows(),
        section_2::rows(),
        section_3::rows(),
        section_4::rows(),
        section_5::rows(),
        section_6::rows(),
        section_7::rows(),
        section_8::rows(),
        section_9::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn specification() -> Result<String, String> {
    let path = masthead_test_support::repository("../shared/spec/portal.md");
    std::fs::read_to_string(&path)
        .map_err(|_| format!("the rows were not compared with the specification: there is none at {}", path.display()))
}

#[test]
fn every_line_works_or_is_marked_as_later() {
    let (context, results) = (Context::start(), Results::read());
    let judged: Vec<Judged> = rows().into_iter().map(|row| row.judge(&context, &results)).collect();
    summary::print_table(&judged);
    summary::print_totals(&judged, &results);
    if let Err(absent) = specification() {
        println!("{absent}");
    }
    let failed = judged.iter().flat_map(|row| {
        let failed = row.parts.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
        failed.map(move |(what, outcome)| format!("{} | {what}: {}", row.name, outcome.text()))
    });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{} checks failed:\n  {}", failed.len(), failed.join("\n  "));
}

/// Runs with the other tests, long before the table with their results.
#[test]
fn every_test_that_a_row_names_exists() {
    let missing: Vec<String> = rows().iter().flat_map(Row::missing_tests).collect();
    assert!(missing.is_empty(), "{} tests:\n  {}", missing.len(), missing.join("\n  "));
}

#[test]
fn every_line_of_the_specification_has_one_row() {
    let text = match specification() {
        Ok(text) => text,
        Err(absent) => return println!("{absent}"),
    };
    let wrong = specification::differences(&specification::lines(&text), &rows());
    assert!(wrong.is_empty(), "{} differences:\n  {}", wrong.len(), wrong.join("\n  "));
}
