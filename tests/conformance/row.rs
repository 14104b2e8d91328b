//! A row of the table: a line of the specification, its check, and the result.

use std::path::Path;

use crate::context::Context;
use masthead_test_support::repository;

/// The result of a check: a description of what was observed, or of the problem.
pub type CheckResult = Result<String, String>;

/// How a line is checked.
pub enum Check {
    /// By requests to a running portal.
    Here(Box<dyn Fn(&Context) -> CheckResult>),
    /// By another test that `make test` runs: its file, and its name or the beginning of its name.
    Elsewhere { file: &'static str, test: &'static str },
    /// Not implemented yet; the text says what it depends on.
    Later(&'static str),
}

/// A line of the specification.
pub struct Row {
    /// Section of the specification.
    pub section: u8,
    /// Group within the section, or "".
    pub group: &'static str,
    /// A part of the sentence, or the item of a list, literally as in the specification.
    pub line: &'static str,
    /// Its check.
    pub check: Check,
}

/// A row that is checked by requests.
pub fn here(
    section: u8,
    group: &'static str,
    line: &'static str,
    check: impl Fn(&Context) -> CheckResult + 'static,
) -> Row {
    Row { section, group, line, check: Check::Here(Box::new(check)) }
}

/// A row that another test covers.
pub fn elsewhere(section: u8, line: &'static str, file: &'static str, test: &'static str) -> Row {
    Row { section, group: "", line, check: Check::Elsewhere { file, test } }
}

/// A row that is not implemented yet.
pub fn later(section: u8, line: &'static str, what: &'static str) -> Row {
    Row { section, group: "", line, check: Check::Later(what) }
}

/// The result of a row.
pub enum Outcome {
    /// The check passed.
    Passed(String),
    /// The other test exists.
    Named(String),
    /// Not implemented yet.
    Later(String),
    /// The check failed.
    Failed(String),
}

impl Outcome {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed(_) => "passed",
            Self::Named(_) => "tested",
            Self::Later(_) => "LATER",
            Self::Failed(_) => "FAILED",
        }
    }

    pub fn says(&self) -> &str {
        match self {
            Self::Passed(said) | Self::Named(said) | Self::Later(said) | Self::Failed(said) => said,
        }
    }
}

impl Row {
    /// Runs the check.
    pub fn outcome(&self, context: &Context) -> Outcome {
        match &self.check {
            Check::Here(check) => {
                let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(context)));
                match caught {
                    Ok(Ok(said)) => Outcome::Passed(said),
                    Ok(Err(wrong)) => Outcome::Failed(wrong),
                    Err(_) => Outcome::Failed("the check panicked; see its message above the table".to_owned()),
                }
            }
            Check::Elsewhere { file, test } => named(&repository(file), file, test),
            Check::Later(what) => Outcome::Later((*what).to_owned()),
        }
    }
}

/// Checks whether a file has a test of this name: `fn name(` in Rust, `it('name` or `test('name` elsewhere.
fn named(path: &Path, file: &str, test: &str) -> Outcome {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Outcome::Failed(format!("the file {file} does not exist"));
    };
    let found = if file.ends_with(".rs") {
        text.split("#[test]").skip(1).any(|rest| {
            let head: String = rest.lines().take_while(|line| !line.trim_end().ends_with('{')).collect();
            let signature = rest.lines().find(|line| line.trim_end().ends_with('{')).unwrap_or_default();
            head.len() < 400 && signature.contains(&format!("fn {test}("))
        })
    } else {
        // `it('name`, "test(`name", or the end of a table of cases: `])('name`.
        ["'", "`"].iter().any(|quote| {
            let mut before = text.split(&format!("({quote}{test}")).collect::<Vec<_>>();
            before.pop();
            before.iter().any(|before| ["it", "test", ")"].iter().any(|word| before.ends_with(word)))
        })
    };
    if found {
        Outcome::Named(format!("{file}: {test}"))
    } else {
        Outcome::Failed(format!("{file} has no test {test:?}"))
    }
}
