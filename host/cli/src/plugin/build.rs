//! `masthead plugin build`.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Context as _;
use clap::Args;

use crate::plugin::scaffold::Language;
use crate::plugin::{project::Project, report};

pub(super) const TARGET: &str = "wasm32-unknown-unknown";
/// The npm package that the TypeScript build needs in addition to its own files.
const ENGINE: &str = "node_modules/@bytecodealliance/componentize-js/package.json";

/// Build the component of a plugin into dist/<id>/ and check it.
#[derive(Args)]
pub struct Build {
    /// Folder of the project.
    #[arg(default_value = ".")]
    dir: PathBuf,
}

impl Build {
    pub async fn run(self) -> anyhow::Result<()> {
        let project = Project::open(&self.dir)?;
        build(&project)?;
        let report = report::report(&project).await?;
        print!("{report}");
        report.verdict()
    }
}

/// Builds a project into its `dist/<id>/`.
pub fn build(project: &Project) -> anyhow::Result<()> {
    let component = match project.lang {
        None => anyhow::bail!("{} contains a built plugin, but no sources", project.dir.display()),
        Some(Language::Rust) => rust(&project.dir)?,
        Some(Language::Typescript) => typescript(&project.dir)?,
    };
    let built = project.built();
    let manifest = fs::read(project.dir.join("plugin.toml")).context("reading plugin.toml")?;
    for (name, bytes) in [("plugin.wasm", &component), ("plugin.toml", &manifest)] {
        masthead_componentize::write_whole(&built.join(name), bytes)
            .with_context(|| format!("writing {}", built.join(name).display()))?;
    }
    Ok(())
}

/// A `cargo` command in a project, without the compiler flags and wrapper in the environment, which are not meant for WebAssembly.
pub fn cargo(dir: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(dir);
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER"] {
        command.env_remove(name);
    }
    command
}

/// `--offline` if all crates of the project are in Cargo's cache: a request to the registry takes seconds and may not be possible.
pub fn offline(dir: &Path) -> anyhow::Result<Option<&'static str>> {
    if !dir.join("Cargo.lock").exists() {
        return Ok(None);
    }
    let mut command = cargo(dir);
    command.args(["metadata", "--offline", "--format-version", "1", "--filter-platform", TARGET]);
    let status =
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().map_err(|error| missing("cargo", &error))?;
    if status.success() {
        return Ok(Some("--offline"));
    }
    eprintln!("some crates of Cargo.lock are not in Cargo's cache; downloading them from the registry");
    Ok(None)
}

fn rust(dir: &Path) -> anyhow::Result<Vec<u8>> {
    let offline = offline(dir)?;
    has_target(dir)?;
    let mut command = cargo(dir);
    command
        .args(["build", "--release", "--target", TARGET, "--message-format", "json-render-diagnostics"])
        .args(offline);
    let output =
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().map_err(|error| missing("cargo", &error))?;
    anyhow::ensure!(
        output.status.success(),
        "`cargo build --release --target {TARGET}` in {} failed; see the compiler's messages above",
        dir.display()
    );
    let module = artifact(dir, &output.stdout).ok_or_else(|| {
        anyhow::anyhow!(
            "{} builds no WebAssembly module; its Cargo.toml needs `[lib]` with crate-type = [\"cdylib\"]",
            dir.display()
        )
    })?;
    let bytes = fs::read(&module).with_context(|| format!("reading {}", module.display()))?;
    masthead_componentize::componentize(&bytes)
        .with_context(|| format!("converting {} to a component", module.display()))
}

/// The path of the project's own WebAssembly module, from Cargo's JSON messages.
fn artifact(dir: &Path, messages: &[u8]) -> Option<PathBuf> {
    let own = dir.join("Cargo.toml");
    String::from_utf8_lossy(messages)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter(|message| message["manifest_path"].as_str().is_some_and(|path| Path::new(path) == own))
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .find(|path| path.extension().is_some_and(|ending| ending == "wasm"))
}

fn has_target(dir: &Path) -> anyhow::Result<()> {
    let mut command = Command::new("rustc");
    command.current_dir(dir).args(["--print", "target-libdir", "--target", TARGET]);
    let output = command.output().map_err(|error| missing("rustc", &error))?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    anyhow::ensure!(
        output.status.success() && Path::new(&folder).is_dir(),
        "the Rust target {TARGET} is not installed: run `rustup target add {TARGET}`"
    );
    Ok(())
}

fn typescript(dir: &Path) -> anyhow::Result<Vec<u8>> {
    let tool = tool(dir)?;
    let out = tempfile::tempdir().context("making a temporary folder")?;
    let file = out.path().join("plugin.wasm");
    let mut command = Command::new("node");
    command.arg(tool.join("build.mjs")).arg("build").arg(dir).arg("--wit").arg(wit(dir, &tool)).arg("--out").arg(&file);
    // The summary line of the build tool is discarded: the report of the check follows.
    let status =
        command.stdin(Stdio::null()).stdout(Stdio::null()).status().map_err(|error| missing("node", &error))?;
    anyhow::ensure!(status.success(), "building {} failed; see the messages above", dir.display());
    fs::read(&file).with_context(|| format!("reading {}", file.display()))
}

fn wit(dir: &Path, tool: &Path) -> PathBuf {
    let own = dir.join("sdk/wit");
    if own.is_dir() { own } else { tool.join("../wit") }
}

/// The first folder of the TypeScript SDK in which the compiler and the engine are installed: the folder in `MASTHEAD_SDK`, the
/// project's own copy, or (in a debug build of the host) the one in the repository.
fn tool(dir: &Path) -> anyhow::Result<PathBuf> {
    let own = dir.join("sdk/typescript");
    let configured = std::env::var_os("MASTHEAD_SDK").map(|sdk| PathBuf::from(sdk).join("typescript"));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin-sdk/typescript");
    let repository = cfg!(debug_assertions).then_some(repository);
    let candidates = [configured, Some(own.clone()), repository];
    let is_installed = |folder: &PathBuf| {
        // Node searches for packages in the folder of the file and in all its parents.
        folder.canonicalize().is_ok_and(|real| real.ancestors().any(|folder| folder.join(ENGINE).exists()))
    };
    candidates.into_iter().flatten().find(is_installed).and_then(|folder| folder.canonicalize().ok()).ok_or_else(|| {
        anyhow::anyhow!(
            "the TypeScript compiler and engine are not installed: run `npm install --prefix {}` once, or set MASTHEAD_SDK to \
             a plugin-sdk folder where they are installed",
            own.display()
        )
    })
}

/// The error for a program that cannot be started; a missing one is reported with the way to install it.
pub fn missing(program: &str, error: &io::Error) -> anyhow::Error {
    if error.kind() != io::ErrorKind::NotFound {
        return anyhow::anyhow!("{program} cannot be started: {error}");
    }
    match program {
        "node" => anyhow::anyhow!("node is missing: install Node.js 20.19 or newer"),
        _ => anyhow::anyhow!("{program} is missing: install Rust from https://rustup.rs"),
    }
}
