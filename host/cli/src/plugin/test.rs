//! `masthead plugin test`.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

use anyhow::Context as _;
use clap::Args;
use masthead_runtime::{HookAnswer, TestHost};
use serde_json::Value;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

use crate::plugin::scaffold::Language;
use crate::plugin::{
    build,
    case::{self, Case},
    host::Host,
    json,
    project::Project,
    site_file,
    stats::time,
};

/// Run the test cases of a plugin in the real runtime, then its unit tests.
#[derive(Args)]
pub struct Test {
    /// Folder of the project, or a folder with plugin.toml, plugin.wasm and tests/.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Run one test case with real host calls, and write the calls and the result into its file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Run the test cases only, not the unit tests.
    #[arg(long)]
    cases_only: bool,
}

impl Test {
    pub async fn run(self) -> anyhow::Result<()> {
        let project = Project::open(&self.dir)?;
        if project.stale() {
            build::build(&project)?;
        }
        let (manifest, wasm) = project.read()?;
        let host = Host::open(project.compiled(), |_| ())?;
        let test_host = TestHost::open(&host.runtime, &manifest, &wasm)?;
        if let Some(path) = &self.record {
            return record(&test_host, path).await;
        }
        let cases = case::all(&project.dir);
        if cases.is_empty() {
            println!("{} has no test cases (tests/*.toml)", project.dir.display());
        }
        let mut failed = 0;
        for (path, case) in &cases {
            let started = Instant::now();
            let wrong = match case {
                Ok(case) => case.run(&test_host).await.unwrap_or_else(|message| vec![message]),
                Err(message) => vec![message.clone()],
            };
            failed += usize::from(!wrong.is_empty());
            print_result(path, case.as_ref().map_or("", |case| &case.hook), &wrong, started);
        }
        println!("{} passed, {failed} failed", cases.len() - failed);
        let native = !self.cases_only && project.lang == Some(Language::Rust);
        let unit_tests = if native { unit_tests(&project.dir)? } else { true };
        anyhow::ensure!(failed == 0, "{failed} of {} test cases of {} failed", cases.len(), project.id);
        anyhow::ensure!(unit_tests, "the unit tests of {} failed; see above", project.id);
        Ok(())
    }
}

fn print_result(path: &Path, hook: &str, wrong: &[String], started: Instant) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let verdict = if wrong.is_empty() { "ok  " } else { "FAIL" };
    let took = time(started.elapsed().as_secs_f64());
    println!("{verdict} tests/{name} ({hook}, {took}) {}", case::title(path));
    for line in wrong.iter().flat_map(|message| message.lines()) {
        println!("       {line}");
    }
}

/// Runs `cargo test` in a project; host calls go to the fakes of the SDK. Returns whether it succeeded.
fn unit_tests(dir: &Path) -> anyhow::Result<bool> {
    println!("cargo test");
    let mut command = build::cargo(dir);
    command.args(["test", "--quiet"]).args(build::offline(dir)?).stdin(Stdio::null());
    Ok(command.status().map_err(|error| build::missing("cargo", &error))?.success())
}

/// Runs a test case with real host calls, and writes the calls and the result into its file.
async fn record(test_host: &TestHost, path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let case = Case::read(path).map_err(|message| anyhow::anyhow!("{shown}: {message}"))?;
    let fail = |message: String| anyhow::anyhow!("{shown}: {message}");
    let test_host = case.test_host(test_host).map_err(fail)?.record();
    let answered = test_host.call(case.hook().map_err(fail)?, &case.input).await.map_err(fail)?;
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {shown}"))?;
    let mut document: DocumentMut = text.parse().with_context(|| format!("reading {shown}"))?;
    let mut expect = Table::new();
    let (key, value) = match &answered {
        HookAnswer::Output(output) => ("output", output.clone()),
        HookAnswer::Refusal(refusal) => ("refusal", refusal.clone()),
        HookAnswer::Failure(reason) => ("failure", Value::String(reason.clone())),
    };
    // TOML has no null; a test case expects null as an empty table.
    let value = if value.is_null() { Value::Object(serde_json::Map::new()) } else { json::for_toml(&value) };
    expect.insert(key, Item::Value(site_file::value(&value)));
    document.insert("expect", Item::Table(expect));
    let mut calls = ArrayOfTables::new();
    let recorded = test_host.recording().map(masthead_runtime::Recording::calls).unwrap_or_default();
    for call in &recorded {
        let mut table = Table::new();
        table.insert("call", toml_edit::value(&call.call));
        let parts = [("args", Some(&call.args)), ("result", call.result.as_ref()), ("error", call.error.as_ref())];
        for (name, part) in parts.into_iter().filter_map(|(name, part)| Some((name, part?))) {
            if !part.is_null() {
                table.insert(name, Item::Value(site_file::value(&json::for_toml(part))));
            }
        }
        calls.push(table);
    }
    document.remove("calls");
    if !calls.is_empty() {
        document.insert("calls", Item::ArrayOfTables(calls));
    }
    masthead_componentize::write_whole(path, document.to_string().as_bytes())
        .with_context(|| format!("writing {shown}"))?;
    println!("{shown}: {} host calls and the {key} recorded", recorded.len());
    Ok(())
}
