//! The printed table and its totals.

use crate::{
    results::Results,
    row::{Judged, Outcome, State},
};

/// Prints each line with its parts.
pub fn print_table(judged: &[Judged]) {
    for row in judged {
        let word = match row.state() {
            State::Works => "works",
            State::Later => "LATER",
            State::Failed => "FAILED",
        };
        println!("{word:<6} {}", row.name);
        for (what, outcome) in &row.parts {
            println!("         {:<6} {what}  ->  {}", outcome.word(), outcome.text());
        }
    }
}

/// Prints the number of lines that work, by section, and by what they are proved.
pub fn print_totals(judged: &[Judged], results: &Results) {
    let count = |section: Option<u8>, state: State| {
        judged.iter().filter(|row| section.is_none_or(|own| row.section == own) && row.state() == state).count()
    };
    let print = |name: &str, section: Option<u8>| {
        let [works, later, failed] = [State::Works, State::Later, State::Failed].map(|state| count(section, state));
        let failed_text = if failed == 0 { String::new() } else { format!("  FAILED {failed}") };
        println!("{name:<8} {:>5} {works:>6} {later:>6}{failed_text}", works + later + failed);
    };
    println!("\n{:<8} {:>5} {:>6} {:>6}", "section", "lines", "works", "later");
    let mut sections: Vec<u8> = judged.iter().map(|row| row.section).collect();
    sections.dedup();
    for section in sections {
        print(&section.to_string(), Some(section));
    }
    print("all", None);
    let parts: Vec<&Outcome> = judged
        .iter()
        .filter(|row| row.state() == State::Works)
        .flat_map(|row| &row.parts)
        .map(|part| &part.1)
        .collect();
    let of = |wanted: fn(&Outcome) -> bool| parts.iter().filter(|outcome| wanted(outcome)).count();
    println!(
        "\nthe lines that work have {} parts: {} proved by requests here, {} by tests that were run and passed, {} by tests that are \
         only named\n{}",
        parts.len(),
        of(|outcome| matches!(outcome, Outcome::Proved(_))),
        of(|outcome| matches!(outcome, Outcome::Passed(_))),
        of(|outcome| matches!(outcome, Outcome::Named(_))),
        results.describe()
    );
}
