//! A line of the specification, its proof, and what became of it.

use std::path::Path;

use crate::context::Context;
use masthead_test_support::repository;

/// What a proof saw, or what is wrong.
pub type Said = Result<String, String>;

/// How a line is proved.
pub enum Proof {
    /// A running portal is asked.
    Here(Box<dyn Fn(&Context) -> Said>),
    /// A test that `make test` runs elsewhere: its file, and its name or the beginning of it.
    Elsewhere { file: &'static str, test: &'static str },
    /// Not there yet: with what it comes.
    Later(&'static str),
}

/// A line of the specification.
pub struct Row {
    /// Its section.
    pub section: u8,
    /// What it is part of, or "".
    pub group: &'static str,
    /// How it begins, or the item of a list: literally as in the specification.
    pub line: &'static str,
    /// Its proof.
    pub proof: Proof,
}

/// A row that is proved by asking.
pub fn here(section: u8, group: &'static str, line: &'static str, proof: impl Fn(&Context) -> Said + 'static) -> Row {
    Row { section, group, line, proof: Proof::Here(Box::new(proof)) }
}

/// A row that another test proves.
pub fn elsewhere(section: u8, line: &'static str, file: &'static str, test: &'static str) -> Row {
    Row { section, group: "", line, proof: Proof::Elsewhere { file, test } }
}

/// A row that waits.
pub fn later(section: u8, line: &'static str, what: &'static str) -> Row {
    Row { section, group: "", line, proof: Proof::Later(what) }
}

/// What became of a row.
pub enum Outcome {
    /// Seen here.
    Proved(String),
    /// There is such a test.
    Named(String),
    /// Not there yet.
    Later(String),
    /// Not so.
    Failed(String),
}

impl Outcome {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proved(_) => "proved",
            Self::Named(_) => "tested",
            Self::Later(_) => "LATER",
            Self::Failed(_) => "FAILED",
        }
    }

    pub fn says(&self) -> &str {
        match self {
            Self::Proved(said) | Self::Named(said) | Self::Later(said) | Self::Failed(said) => said,
        }
    }
}

impl Row {
    /// Proves it.
    pub fn outcome(&self, context: &Context) -> Outcome {
        match &self.proof {
            Proof::Here(proof) => {
                let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| proof(context)));
                match caught {
                    Ok(Ok(said)) => Outcome::Proved(said),
                    Ok(Err(wrong)) => Outcome::Failed(wrong),
                    Err(_) => Outcome::Failed("the proof panicked; its words stand above the table".to_owned()),
                }
            }
            Proof::Elsewhere { file, test } => named(&repository(file), file, test),
            Proof::Later(what) => Outcome::Later((*what).to_owned()),
        }
    }
}

/// Whether a file has a test of this name: `fn name(` in Rust, `it('name` or `test('name` elsewhere.
fn named(path: &Path, file: &str, test: &str) -> Outcome {
    let Ok(text) = std::fs::read_to_string(path) else { return Outcome::Failed(format!("there is no file {file}")) };
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
