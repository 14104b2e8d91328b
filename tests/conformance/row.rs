//! A row of the table: a line of the specification, the parts of what it requires, and the proof of each part.

use crate::{
    context::Context,
    results::{self, Results},
};

/// The result of a check: a description of what was observed, or of the problem.
pub type CheckResult = Result<String, String>;

/// A check by requests to the running portal.
type Check = Box<dyn Fn(&Context) -> CheckResult>;

/// The proof of a part.
pub enum Proof {
    /// Requests to a portal that runs in this process.
    Here(Check),
    /// Another test: its file, and its whole name as it is written there.
    Elsewhere {
        /// Path of the file in the repository.
        file: String,
        /// The name; `${...}` and `%s` stand for any text.
        test: &'static str,
    },
    /// Not implemented, or not proved; the text says what is missing.
    Later(&'static str),
}

/// A part of what a line requires.
pub struct Part {
    what: String,
    proof: Proof,
}

/// A line of the specification.
pub struct Row {
    /// Section of the specification.
    pub section: u8,
    /// Number of the line in its section, from 1.
    pub number: usize,
    /// Digest of the line, as `specification::digest` computes it.
    pub digest: u32,
    /// What the line is about.
    title: &'static str,
    parts: Vec<Part>,
}

/// A row. All of its parts together must cover the line.
pub fn line(section: u8, number: usize, digest: u32, title: &'static str, parts: Vec<Part>) -> Row {
    Row { section, number, digest, title, parts }
}

/// A part that is proved by requests to the running portal.
pub fn here(what: impl Into<String>, check: impl Fn(&Context) -> CheckResult + 'static) -> Part {
    Part { what: what.into(), proof: Proof::Here(Box::new(check)) }
}

/// A part that a test in Rust proves.
pub fn rust(what: &str, file: &str, test: &'static str) -> Part {
    Part { what: what.to_owned(), proof: Proof::Elsewhere { file: file.to_owned(), test } }
}

/// A part that a test of the shell or of a module proves without a browser. It does not prove what a browser shows.
pub fn script(what: &str, file: &str, test: &'static str) -> Part {
    rust(what, file, test)
}

/// A part that a test in a browser proves; `file` is the name of a file of `tests/browser` without its ending.
pub fn browser(what: &str, file: &str, test: &'static str) -> Part {
    rust(what, &format!("tests/browser/{file}.test.mjs"), test)
}

/// A part that is not implemented or not proved.
pub fn later(what: &str, reason: &'static str) -> Part {
    Part { what: what.to_owned(), proof: Proof::Later(reason) }
}

/// The result of a part.
pub enum Outcome {
    /// Proved by requests in this run.
    Proved(String),
    /// The other test was run and passed.
    Passed(String),
    /// The other test exists; its result is not known.
    Named(String),
    /// Not implemented or not proved.
    Later(String),
    /// The check or the other test failed, or there is no such test.
    Failed(String),
}

impl Outcome {
    /// The result in one word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proved(_) => "proved",
            Self::Passed(_) => "passed",
            Self::Named(_) => "named",
            Self::Later(_) => "later",
            Self::Failed(_) => "FAILED",
        }
    }

    /// What was observed, or what is missing.
    pub fn text(&self) -> &str {
        match self {
            Self::Proved(text) | Self::Passed(text) | Self::Named(text) | Self::Later(text) | Self::Failed(text) => {
                text
            }
        }
    }
}

/// What holds for a whole line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Every part is proved.
    Works,
    /// A part is not implemented or not proved.
    Later,
    /// A part failed.
    Failed,
}

/// A row with the results of its parts.
pub struct Judged {
    /// Section of the specification.
    pub section: u8,
    /// Section, number and title.
    pub name: String,
    /// Each part with its result.
    pub parts: Vec<(String, Outcome)>,
}

impl Judged {
    /// What holds for the line.
    pub fn state(&self) -> State {
        let any = |wanted: fn(&Outcome) -> bool| self.parts.iter().any(|(_, outcome)| wanted(outcome));
        if self.parts.is_empty() || any(|outcome| matches!(outcome, Outcome::Failed(_))) {
            State::Failed
        } else if any(|outcome| matches!(outcome, Outcome::Later(_))) {
            State::Later
        } else {
            State::Works
        }
    }
}

impl Row {
    /// The section, the number and the title.
    pub fn name(&self) -> String {
        format!("{}.{} {}", self.section, self.number, self.title)
    }

    /// The other tests that the row names and that do not exist or are skipped.
    pub fn missing_tests(&self) -> Vec<String> {
        let missing = self.parts.iter().filter_map(|part| {
            let Proof::Elsewhere { file, test } = &part.proof else { return None };
            results::can_run(file, test).err().map(|wrong| format!("{} | {}: {wrong}", self.name(), part.what))
        });
        missing.collect()
    }

    /// Runs the checks, and looks up the results of the other tests.
    pub fn judge(self, context: &Context, results: &Results) -> Judged {
        let name = self.name();
        let judge = |part: Part| (part.what, outcome(&part.proof, context, results));
        Judged { section: self.section, name, parts: self.parts.into_iter().map(judge).collect() }
    }
}

fn outcome(proof: &Proof, context: &Context, results: &Results) -> Outcome {
    match proof {
        Proof::Here(check) => match run(check, context) {
            Ok(text) => Outcome::Proved(text),
            Err(wrong) => Outcome::Failed(wrong),
        },
        Proof::Elsewhere { file, test } => results.of(file, test),
        Proof::Later(reason) => Outcome::Later((*reason).to_owned()),
    }
}

/// A check that panics does not end the table.
fn run(check: &Check, context: &Context) -> CheckResult {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(context)))
        .unwrap_or_else(|_| Err("the check panicked; see its message above the table".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_works_if_each_of_its_parts_is_proved() {
        let judged = |outcomes: Vec<Outcome>| {
            let parts = outcomes.into_iter().map(|outcome| (String::new(), outcome)).collect();
            Judged { section: 1, name: String::new(), parts }.state()
        };
        let (proved, named) = (|| Outcome::Proved(String::new()), || Outcome::Named(String::new()));
        let (later, failed) = (|| Outcome::Later(String::new()), || Outcome::Failed(String::new()));
        assert!(judged(vec![proved(), named()]) == State::Works);
        assert!(judged(vec![proved(), later()]) == State::Later);
        assert!(judged(vec![later(), failed()]) == State::Failed);
        assert!(judged(Vec::new()) == State::Failed, "a row without parts proves nothing");
    }
}
