//! Runs the `masthead` program in tests.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::files::{repository, temporary};

/// The program that Cargo builds for the tests and benchmarks of `masthead-cli`. Only these may start it: for the tests of other
/// crates Cargo builds no program, and one that was built before may be outdated.
#[must_use]
pub fn binary() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // target/<profile>/deps/<program>
    let program = test.ancestors().nth(2).unwrap().join("masthead");
    assert!(program.exists(), "{} is missing: tests that start it belong into masthead-cli", program.display());
    program
}

/// Runs `masthead` with a configuration folder and a data folder, and returns its output.
pub fn masthead(sites: &Path, data: &Path, arguments: &[&str]) -> Output {
    command(sites, data, arguments).output().unwrap()
}

/// Runs `masthead`, which must succeed, and returns its standard output.
pub fn run(sites: &Path, data: &Path, arguments: &[&str]) -> String {
    let output = masthead(sites, data, arguments);
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// A command that starts `masthead` with a configuration folder and a data folder.
pub fn command(sites: &Path, data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env("MASTHEAD_SITES", sites).env("MASTHEAD_DATA", data).env_remove("MASTHEAD_DATABASE");
    // Tests beside busy programs would wait for backups most of the time.
    command.env("MASTHEAD_BACKUP_NICE", "0");
    command
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs `masthead plugin ...` in a folder, without network access; the build output of plugins is shared by all tests.
pub fn plugin(folder: &Path, arguments: &[&str]) -> CommandOutput {
    let mut command = Command::new(binary());
    command.arg("plugin").args(arguments).current_dir(folder);
    for variable in ["MASTHEAD_SITES", "MASTHEAD_DATA", "MASTHEAD_DATABASE", "MASTHEAD_SDK"] {
        command.env_remove(variable);
    }
    command.env("CARGO_NET_OFFLINE", "true");
    command.env("CARGO_TARGET_DIR", temporary().join("plugins"));
    // Optimising over crates is half of a build; that it works is shown by `make test-plugins`, which builds the same template with it.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    CommandOutput::of(&command.output().unwrap())
}

/// The output of a command, and whether its exit code was 0.
#[derive(Debug)]
pub struct CommandOutput {
    pub good: bool,
    pub out: String,
    pub err: String,
}

impl CommandOutput {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { good: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Asserts that the command succeeded and that its output contains these texts.
    pub fn says(self, words: &[&str]) -> Self {
        assert!(self.good, "{self:#?}");
        self.has(words)
    }

    /// Asserts that the command failed and that its output contains these texts.
    pub fn fails(self, words: &[&str]) -> Self {
        assert!(!self.good, "{self:#?}");
        self.has(words)
    }

    fn has(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.out.contains(word) || self.err.contains(word), "{word:?} is not in {self:#?}");
        }
        self
    }

    /// Parses its standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// Replaces the text of a file with the result of a function.
pub fn edit(path: &Path, change: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, change(text)).unwrap();
}

/// Creates a configuration folder with one site, `one`, whose file ends with `rest`.
pub fn sites(folder: &Path, rest: &str) -> PathBuf {
    let sites = folder.join("sites");
    std::fs::create_dir_all(&sites).unwrap();
    std::fs::copy(repository("sites/platform.toml"), sites.join("platform.toml")).unwrap();
    let head = "id = 7001 # its number\nname = { zh = \"一\", en = \"One\" }\n";
    std::fs::write(sites.join("one.toml"), format!("{head}{rest}")).unwrap();
    sites
}
