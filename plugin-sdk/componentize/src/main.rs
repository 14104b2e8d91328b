//! `masthead-componentize IN.wasm OUT.wasm`, for build scripts; `masthead plugin build` does the same in its own process.

use std::{env, fs, path::Path, process::ExitCode};

use anyhow::{Context, Result, bail};

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("masthead-componentize: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<()> {
    let [input, output] = args else { bail!("usage: masthead-componentize IN.wasm OUT.wasm") };
    let module = fs::read(input).with_context(|| format!("cannot read {input}"))?;
    let component = masthead_componentize::componentize(&module)
        .with_context(|| format!("cannot convert {input} to a component"))?;
    masthead_componentize::write_whole(Path::new(output), &component).with_context(|| format!("cannot write {output}"))
}
