//! The results of the tests that rows name. `make test` sets `TEST_RESULTS` to a folder, in which each kind of tests writes its results:
//! `rust.txt` (the output of `cargo test`), `ui.json` (vitest) and `browser.tap` (`node --test`). Without them a row shows only that its
//! test exists and is not skipped.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use masthead_test_support::repository;
use serde_json::Value;

use crate::row::Outcome;

/// A result: where it comes from, the name of the test, and whether it passed. A skipped test has not passed.
type TestResult = (String, String, bool);

/// The results of one kind of tests.
#[derive(Default)]
struct Run {
    /// When they were written; `None` if there are none.
    written: Option<SystemTime>,
    results: Vec<TestResult>,
}

impl Run {
    fn read(folder: Option<&Path>, name: &str, parse: fn(&str) -> Vec<TestResult>) -> Self {
        let Some(path) = folder.map(|folder| folder.join(name)) else { return Self::default() };
        match (fs::read_to_string(&path), fs::metadata(&path).and_then(|data| data.modified())) {
            (Ok(text), Ok(written)) => Self { written: Some(written), results: parse(&text) },
            _ => Self::default(),
        }
    }
}

/// The results of all tests, as far as they are known.
pub struct Results {
    folder: Option<PathBuf>,
    rust: Run,
    scripts: Run,
    browser: Run,
}

impl Results {
    /// Reads the results in the folder `TEST_RESULTS`.
    pub fn read() -> Self {
        let folder = std::env::var_os("TEST_RESULTS").map(PathBuf::from);
        Self {
            rust: Run::read(folder.as_deref(), "rust.txt", parse_cargo),
            scripts: Run::read(folder.as_deref(), "ui.json", parse_vitest),
            browser: Run::read(folder.as_deref(), "browser.tap", parse_tap),
            folder,
        }
    }

    /// Which results are known, for the summary.
    pub fn describe(&self) -> String {
        let kinds = [("Rust", &self.rust), ("shell and modules", &self.scripts), ("browser", &self.browser)];
        let known = kinds.iter().filter(|(_, run)| run.written.is_some());
        let known: Vec<String> = known.map(|(kind, run)| format!("{kind} ({})", run.results.len())).collect();
        match &self.folder {
            Some(folder) if !known.is_empty() => {
                format!("results of other tests in {}: {}", folder.display(), known.join(", "))
            }
            _ => "no results of other tests are known: `make test` writes them and prints this table with them"
                .to_owned(),
        }
    }

    /// The result of a test. It counts only if the test has not been changed since.
    pub fn of(&self, file: &str, test: &str) -> Outcome {
        if let Err(wrong) = can_run(file, test) {
            return Outcome::Failed(wrong);
        }
        let name = format!("{file}: {test}");
        let (is_rust, is_browser) = (file.ends_with(".rs"), file.starts_with("tests/browser/"));
        let run = match (is_rust, is_browser) {
            (true, _) => &self.rust,
            (_, true) => &self.browser,
            _ => &self.scripts,
        };
        // The results of cargo and of the browser tests do not name the file.
        let is_result = |(source, title, _): &&TestResult| match (is_rust, is_browser) {
            (true, _) => is_of_cargo(title, file, test),
            (_, true) => fits(title, test),
            _ => source.ends_with(file) && fits(title, test),
        };
        let changed = fs::metadata(repository(file)).and_then(|data| data.modified()).ok();
        if changed.is_none() || changed > run.written {
            return Outcome::Named(name);
        }
        let mut found = run.results.iter().filter(is_result).peekable();
        if found.peek().is_none() {
            return Outcome::Named(name);
        }
        match found.find(|(_, _, passed)| !passed) {
            None => Outcome::Passed(name),
            Some((_, title, _)) => Outcome::Failed(format!("{file}: {title:?} did not pass in the last run")),
        }
    }
}

/// Whether a title of cargo is that of a test: `module::of::the::file::name`. Files at the root of a crate give no module.
fn is_of_cargo(title: &str, file: &str, test: &str) -> bool {
    let mut modules: Vec<&str> = title.split("::").collect();
    let path = Path::new(file);
    let name =
        |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str().map(str::to_owned)).unwrap_or_default();
    let stem = match name(path.file_stem()).as_str() {
        "mod" => name(path.parent().and_then(Path::file_name)),
        stem => stem.to_owned(),
    };
    modules.pop() == Some(test) && (modules.is_empty() || stem == "lib" || modules.contains(&stem.as_str()))
}

/// Whether a title is that of a test whose name may contain `${...}` and `%s`.
fn fits(title: &str, name: &str) -> bool {
    let mut pieces = vec![String::new()];
    let mut rest = name;
    loop {
        let next = [rest.find("${"), rest.find("%s")].into_iter().flatten().min();
        let Some(at) = next else { break };
        pieces.last_mut().unwrap().push_str(&rest[..at]);
        let end = if rest[at..].starts_with("%s") {
            at + 2
        } else {
            rest[at..].find('}').map_or(rest.len(), |to| at + to + 1)
        };
        pieces.push(String::new());
        rest = &rest[end..];
    }
    pieces.last_mut().unwrap().push_str(rest);
    let [first, others @ ..] = pieces.as_slice() else { return false };
    let Some(mut left) = title.strip_prefix(first.as_str()) else { return false };
    for (index, piece) in others.iter().enumerate() {
        let at = if index + 1 == others.len() {
            left.len().checked_sub(piece.len()).filter(|_| left.ends_with(piece.as_str()))
        } else {
            left.find(piece.as_str())
        };
        let Some(at) = at else { return false };
        left = &left[at + piece.len()..];
    }
    left.is_empty()
}

/// The lines `test module::name ... ok` of libtest.
fn parse_cargo(text: &str) -> Vec<TestResult> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("test ")?.rsplit_once(" ... "));
    lines.map(|(name, word)| (String::new(), name.to_owned(), word == "ok")).collect()
}

/// The report of vitest in JSON.
fn parse_vitest(text: &str) -> Vec<TestResult> {
    let report: Value = serde_json::from_str(text).unwrap_or_default();
    let mut results = Vec::new();
    for file in report["testResults"].as_array().into_iter().flatten() {
        for test in file["assertionResults"].as_array().into_iter().flatten() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            results.push((text(&file["name"]), text(&test["title"]), test["status"] == "passed"));
        }
    }
    results
}

/// The lines `ok 1 - name` and `not ok 1 - name` of the Test Anything Protocol.
fn parse_tap(text: &str) -> Vec<TestResult> {
    let result = |line: &str| {
        let line = line.trim_start();
        let (rest, ok) = match line.strip_prefix("not ok ") {
            Some(rest) => (rest, false),
            None => (line.strip_prefix("ok ")?, true),
        };
        let (_, name) = rest.split_once(" - ")?;
        let (name, directive) = name.rsplit_once(" # ").unwrap_or((name, ""));
        let skipped = directive.starts_with("SKIP") || directive.starts_with("TODO");
        Some((String::new(), name.replace("\\#", "#"), ok && !skipped))
    };
    text.lines().filter_map(result).collect()
}

/// Checks that the repository has this test and that it is not skipped.
pub fn can_run(file: &str, test: &str) -> Result<(), String> {
    let text = fs::read_to_string(repository(file)).map_err(|_| format!("the file {file} does not exist"))?;
    exists(&text, file, test).map_err(|wrong| format!("{file}: {wrong}"))
}

/// Checks that a file has a test of this name and does not skip it: `fn name(` with `#[test]` in Rust, `it('name'` or `test('name'`
/// elsewhere.
fn exists(text: &str, file: &str, test: &str) -> Result<(), String> {
    let missing = Err(format!("there is no test {test:?}"));
    if file.ends_with(".rs") {
        let Some(at) = text.find(&format!("fn {test}(")) else { return missing };
        let before = text[..at].trim_end().trim_end_matches("async").trim_end();
        let attributes: Vec<&str> =
            before.lines().rev().map(str::trim).take_while(|line| line.starts_with("#[")).collect();
        if attributes.iter().any(|line| line.starts_with("#[ignore")) {
            return Err(format!("the test {test:?} is ignored"));
        }
        let is_test = |line: &&str| line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        return if attributes.iter().any(is_test) { Ok(()) } else { missing };
    }
    if [".skip(", ".skip.", ".skipIf(", ".todo("].iter().any(|word| text.contains(word)) {
        return Err("the file skips tests".to_owned());
    }
    let called = |quote: char| {
        let name = format!("({quote}{test}{quote}");
        // The last word is the end of a table of cases: `])('name'`.
        text.match_indices(&name).any(|(at, _)| ["it", "test", ")"].iter().any(|word| text[..at].ends_with(word)))
    };
    if ['\'', '`', '"'].into_iter().any(called) { Ok(()) } else { missing }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(results: &[TestResult]) -> Vec<(&str, bool)> {
        results.iter().map(|(_, name, passed)| (name.as_str(), *passed)).collect()
    }

    #[test]
    fn the_results_of_each_kind_of_tests_are_read() {
        let cargo = "running 3 tests\ntest a::b ... ok\ntest a::c ... FAILED\ntest d ... ignored\ntest result: FAILED. 1 passed\n";
        assert_eq!(passed(&parse_cargo(cargo)), [("a::b", true), ("a::c", false), ("d", false)]);
        let tap =
            "TAP version 13\n# Subtest: x\nok 1 - x, 390 px\n  ---\nnot ok 2 - y\nok 3 - z # SKIP\n    ok 1 - a \\#1\n";
        assert_eq!(passed(&parse_tap(tap)), [("x, 390 px", true), ("y", false), ("z", false), ("a #1", true)]);
        let vitest = r#"{"testResults":[{"name":"/m/ui-shell/test/a.test.tsx","assertionResults":[
            {"title":"t","status":"passed"},{"title":"u","status":"pending"}]}]}"#;
        assert_eq!(passed(&parse_vitest(vitest)), [("t", true), ("u", false)]);
        assert!(parse_vitest("{").is_empty());
    }

    #[test]
    fn a_name_with_a_variable_is_that_of_every_case() {
        assert!(
            fits("a, 390 px", "a, ${width} px")
                && fits("zh in dark", "${lang} in ${scheme}")
                && fits("shows x", "shows %s")
        );
        assert!(!fits("b, 390 px", "a, ${width} px") && !fits("a, 390 pt", "a, ${width} px") && !fits("ab", "a"));
    }

    #[test]
    fn a_result_of_cargo_is_found_by_module_and_name() {
        assert!(is_of_cargo("gateways::identity::signs_in", "host/web/tests/it/gateways/identity.rs", "signs_in"));
        assert!(is_of_cargo("cache::tests::keeps", "host/web/src/cache/mod.rs", "keeps"));
        assert!(is_of_cargo("sqlite", "host/store/tests/both.rs", "sqlite"));
        assert!(!is_of_cargo("pages::signs_in", "host/web/tests/it/gateways/identity.rs", "signs_in"));
        assert!(!is_of_cargo("identity::signs_in_twice", "host/web/tests/it/gateways/identity.rs", "signs_in"));
    }

    #[test]
    fn a_test_that_is_missing_or_skipped_is_reported() {
        let rust = "#[test]\nfn a() {}\n#[test]\n#[ignore]\nfn b() {}\nfn c() {}\n";
        assert!(exists(rust, "x.rs", "a").is_ok());
        assert!(exists(rust, "x.rs", "b").unwrap_err().contains("ignored"));
        assert!(exists(rust, "x.rs", "c").is_err() && exists(rust, "x.rs", "d").is_err());
        let script = "it('a', () => 1); it.each([1])('b %s', () => 1); describe('c', () => 1);";
        assert!(exists(script, "x.test.ts", "a").is_ok() && exists(script, "x.test.ts", "b %s").is_ok());
        assert!(exists(script, "x.test.ts", "c").is_err() && exists(script, "x.test.ts", "b").is_err());
        assert!(exists("it.skip('a', () => 1)", "x.test.ts", "a").is_err());
    }
}
