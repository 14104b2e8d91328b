//! `masthead-componentize IN.wasm OUT.wasm`: wraps a core WebAssembly module into the component that the host loads.
//!
//! What it is: the last step of building a plugin, where its imports shrink to the capabilities that it really calls.
//! What it is not: it compiles nothing and checks no manifest.
//! Who may depend on it: build scripts, as a program.

use std::{env, fs, path::Path, process::ExitCode};

use anyhow::{Context, Result, bail};
use wit_component::ComponentEncoder;

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
    let component = componentize(&module).with_context(|| format!("cannot make a component of {input}"))?;
    if let Some(folder) = Path::new(output).parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    // Written beside and renamed: a host that watches the folder never sees half a component.
    let beside = format!("{output}.tmp");
    fs::write(&beside, component).with_context(|| format!("cannot write {beside}"))?;
    fs::rename(&beside, output).with_context(|| format!("cannot move {beside} to {output}"))
}

fn componentize(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .module(module)
        .context("its interface description is missing or damaged: does the crate call masthead_plugin::register!?")?
        .validate(true)
        .encode()
        .context("is it built for wasm32-unknown-unknown with crate-type = [\"cdylib\"]?")
}
