//! `masthead plugin bench`.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use masthead_runtime::{Chain, HookAnswer, TestHost};
use serde::Serialize;

use crate::plugin::{
    build,
    case::{self, Case, Expect},
    host::{self, Host},
    project::Project,
    stats::{bytes, time},
};

/// Measure the time of hook calls with new and with used instances, on the inputs of the test cases.
#[derive(Args)]
pub struct Bench {
    /// Folder of the project, or a folder with plugin.toml, plugin.wasm and tests/.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Number of calls with a new and with a used instance, for each test case.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    calls: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Measured {
    plugin: String,
    version: String,
    size: usize,
    compiled_size: u64,
    compile_seconds: f64,
    memory_peak: u64,
    cases: Vec<Row>,
}

/// Times of one call in seconds: `fresh` with a new instance, `warm` with an instance that was called before.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    case: String,
    hook: String,
    fresh_p50: f64,
    fresh_p99: f64,
    warm_p50: f64,
    warm_p99: f64,
}

impl Bench {
    pub async fn run(self) -> anyhow::Result<()> {
        let project = Project::open(&self.dir)?;
        if project.stale() {
            build::build(&project)?;
        }
        let (manifest, wasm) = project.read()?;
        let compiled = project.compiled();
        compiled.as_deref().inspect(|folder| host::clear(folder));
        let host = Host::open(compiled, |config| {
            // No results are cached, and the limits of one request do not stop a long series of calls.
            config.result_cache_bytes = 0;
            config.http_calls_per_request = u32::MAX;
            config.random_bytes = u32::MAX;
            config.log_lines = 0;
        })?;
        let started = Instant::now();
        let plugin = host.runtime.load_plugin(&manifest, &wasm)?;
        let mut measured = Measured {
            plugin: plugin.id().to_owned(),
            version: plugin.manifest().version.to_string(),
            size: plugin.size(),
            compile_seconds: started.elapsed().as_secs_f64(),
            compiled_size: host.compiled_bytes(),
            memory_peak: 0,
            cases: Vec::new(),
        };
        let test_host = TestHost::open(&host.runtime, &manifest, &wasm)?;
        for (path, case) in case::all(&project.dir) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let case = case.map_err(|message| anyhow::anyhow!("{}: {message}", path.display()))?;
            if !case.serves() {
                continue;
            }
            let row = measure(&test_host, plugin.id(), name, &case, self.calls).await;
            let (row, chain) = row.map_err(|message| anyhow::anyhow!("{}: {message}", path.display()))?;
            measured.cases.push(row);
            // The runtime drops the metrics of plugins that no chain uses, so they are read before the chain is dropped.
            let peaks = host.runtime.hook_usage();
            measured.memory_peak = peaks.iter().map(|cost| cost.memory_peak).fold(measured.memory_peak, u64::max);
            drop(chain);
        }
        anyhow::ensure!(
            !measured.cases.is_empty(),
            "{} has no test cases (tests/*.toml) to measure",
            project.dir.display()
        );
        if self.json {
            println!("{}", serde_json::to_string_pretty(&measured)?);
        } else {
            print(&measured, self.calls);
        }
        Ok(())
    }
}

async fn measure(
    test_host: &TestHost,
    plugin: &str,
    name: String,
    case: &Case,
    calls: u32,
) -> Result<(Row, Chain), String> {
    let test_host = case.test_host(test_host)?;
    let hook = case.hook()?;
    let chain = test_host.chain().await?;
    let expected = &case.expect;
    let mut fresh = Vec::with_capacity(calls as usize);
    for _ in 0..calls {
        let test_host = test_host.clone().replay(case.calls.iter().cloned());
        let started = Instant::now();
        let answer = test_host.begin(&chain).call_json(hook, plugin, &case.input).await?;
        fresh.push(started.elapsed());
        accept(expected, &answer)?;
    }
    let recording: Vec<_> = (0..calls).flat_map(|_| case.calls.iter().cloned()).collect();
    let mut request = test_host.clone().replay(recording).begin(&chain);
    let mut warm = Vec::with_capacity(calls as usize);
    // The first call creates the instance.
    for call in 0..calls {
        let started = Instant::now();
        let answer = request.call_json(hook, plugin, &case.input).await?;
        if call > 0 || calls == 1 {
            warm.push(started.elapsed());
        }
        accept(expected, &answer)?;
    }
    let row = Row {
        case: name,
        hook: case.hook.clone(),
        fresh_p50: quantile(&mut fresh, 0.5),
        fresh_p99: quantile(&mut fresh, 0.99),
        warm_p50: quantile(&mut warm, 0.5),
        warm_p99: quantile(&mut warm, 0.99),
    };
    Ok((row, chain))
}

/// Rejects calls that failed or were refused unexpectedly: their times are meaningless.
fn accept(expected: &Expect, answer: &HookAnswer) -> Result<(), String> {
    match answer {
        HookAnswer::Refusal(refusal) if expected.refusal.is_none() => Err(format!("the plugin refused: {refusal}")),
        HookAnswer::Failure(reason) => Err(format!("the call failed: {reason}")),
        _ => Ok(()),
    }
}

fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a rank")]
    let rank = ((times.len() as f64 * share).ceil() as usize).saturating_sub(1);
    times.get(rank).map_or(0.0, Duration::as_secs_f64)
}

fn print(measured: &Measured, calls: u32) {
    let Measured { plugin, version, size, compiled_size, compile_seconds, memory_peak, cases } = measured;
    println!(
        "{plugin} {version}: {}, compiled {} in {}",
        bytes(*size as u64),
        bytes(*compiled_size),
        time(*compile_seconds)
    );
    println!("peak memory {}; {calls} calls with new and {calls} with used instances", bytes(*memory_peak));
    println!("{:<16} {:<28} {:>10} {:>10} {:>10} {:>10}", "case", "hook", "fresh p50", "p99", "warm p50", "p99");
    for row in cases {
        let [fresh, fresh_99, warm, warm_99] = [row.fresh_p50, row.fresh_p99, row.warm_p50, row.warm_p99].map(time);
        println!("{:<16} {:<28} {fresh:>10} {fresh_99:>10} {warm:>10} {warm_99:>10}", row.case, row.hook);
    }
    println!(
        "fresh - warm is the cost of creating an instance; a page creates one instance of each plugin that it calls"
    );
}
