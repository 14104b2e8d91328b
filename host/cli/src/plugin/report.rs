//! The report of `masthead plugin check` on one plugin.

use std::{fmt, time::Instant};

use masthead_domain::plugin_use::{Grants, OnFailure};
use masthead_runtime::{CONTRACT, Hook, Manifest, Plugin, Shape, TestHost};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::plugin::{
    case::{self, Case},
    host::{self, Host},
    json,
    project::Project,
    stats::{bytes, time},
};

/// The result of checking a plugin.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub id: String,
    pub version: String,
    pub contract: String,
    pub host_contract: &'static str,
    pub problems: Vec<String>,
    pub notes: Vec<String>,
    pub hooks: Vec<HookRow>,
    pub exports: Vec<String>,
    pub imports: Vec<String>,
    pub capabilities: Vec<CapabilityRow>,
    /// The entry that a site's file needs.
    pub entry: String,
    pub digest: String,
    pub size: usize,
    pub compiled_size: u64,
    pub compile_seconds: f64,
    /// Peak memory of an instance in bytes; `None` if no hook can be called without HTTP.
    pub memory: Option<u64>,
    pub memory_limit: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookRow {
    pub name: &'static str,
    pub budget_ms: u128,
    pub wait_ms: u128,
    /// What is used instead while it fails. For `access.decide`, the manifest and the site decide on it.
    pub on_failure: &'static str,
}

/// What is used while a plugin that denies access on failure fails.
const DENIED: &str = "no permission at all (onFailure = \"deny\")";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CapabilityRow {
    pub name: String,
    pub reason: String,
    pub optional: bool,
    /// Whether a site has to grant it.
    pub needs_grant: bool,
}

impl Report {
    /// # Errors
    /// A message with the number of problems, if there is any.
    pub fn verdict(&self) -> anyhow::Result<()> {
        let (id, number) = (&self.id, self.problems.len());
        anyhow::ensure!(number == 0, "{id} cannot be used by this host: {number} problem{}", plural(number));
        Ok(())
    }
}

pub fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// Checks the build output of a project, or a built plugin.
///
/// # Errors
/// A message, if the files cannot be read. Problems of the plugin itself are part of the report.
pub async fn report(project: &Project) -> anyhow::Result<Report> {
    let (manifest, wasm) = project.read()?;
    let mut report = Report { id: project.id.clone(), host_contract: CONTRACT, size: wasm.len(), ..Report::default() };
    if project.stale() {
        report.notes.push("the sources are newer than the build; run `masthead plugin build`".to_owned());
    }
    match masthead_componentize::inspect(&wasm) {
        Ok(interfaces) => (report.imports, report.exports) = (interfaces.imports, interfaces.exports),
        Err(error) => report.notes.push(format!("its imports and exports cannot be read: {error:#}")),
    }
    match Manifest::parse(&manifest) {
        Ok(manifest) => describe(&mut report, &manifest),
        Err(error) => {
            report.problems.push(error.to_string());
            return Ok(report);
        }
    }
    let compiled = project.compiled();
    // Cached code is deleted, because the compile time is measured.
    compiled.as_deref().inspect(|folder| host::clear(folder));
    let host = Host::open(compiled, |_| ())?;
    let started = Instant::now();
    match host.runtime.load_plugin(&manifest, &wasm) {
        Ok(plugin) => {
            report.compile_seconds = started.elapsed().as_secs_f64();
            report.compiled_size = host.compiled_bytes();
            report.digest = plugin.digest();
            let test_host = TestHost::open(&host.runtime, &manifest, &wasm)?;
            try_out(&mut report, &host, test_host, &plugin, project).await;
        }
        Err(error) => report.problems.push(error.to_string()),
    }
    Ok(report)
}

fn describe(report: &mut Report, manifest: &Manifest) {
    report.version = manifest.version.to_string();
    report.contract.clone_from(&manifest.contract);
    let specs = manifest.hooks.iter().filter_map(|name| Hook::by_name(name)).map(Hook::spec);
    report.hooks = specs
        .map(|spec| HookRow {
            name: spec.name,
            budget_ms: spec.budget.as_millis(),
            wait_ms: spec.wait.as_millis(),
            on_failure: match manifest.on_failure {
                Some(OnFailure::Deny) if spec.hook == Hook::Access => DENIED,
                _ => spec.on_failure,
            },
        })
        .collect();
    let nothing = Grants::default();
    for (name, need) in &manifest.capabilities {
        let imported = |import: &String| import.starts_with(&format!("masthead:plugin/{name}@"));
        // Frames are a matter of the browser, and secrets used as HTTP credentials need no import of `secrets`.
        if !["frames", "secrets"].contains(&name.as_str()) && !report.imports.iter().any(imported) {
            report
                .notes
                .push(format!("plugin.toml requests {name:?}, but the component does not use it; remove the request"));
        }
        report.capabilities.push(CapabilityRow {
            name: name.clone(),
            reason: need.reason().to_owned(),
            optional: need.optional(),
            needs_grant: !nothing.gives(name),
        });
    }
    report.memory_limit = u64::from(manifest.memory_mib.unwrap_or(16)) << 20;
    report.entry = entry(manifest, &report.capabilities);
}

/// The entry that a site's file needs, with `<...>` for values that only the operator knows.
fn entry(manifest: &Manifest, capabilities: &[CapabilityRow]) -> String {
    let mut lines = vec!["[[plugins]]".to_owned(), format!("id = \"{}\"", manifest.id)];
    lines.push(format!("version = \"{}.{}\"", manifest.version.major, manifest.version.minor));
    let settings = json::sample(&manifest.settings);
    if settings.as_object().is_some_and(|settings| !settings.is_empty())
        && let Ok(settings) = toml::Value::try_from(&settings)
    {
        lines.push(format!("settings = {settings}"));
    }
    let needed: Vec<_> = capabilities.iter().filter(|row| row.needs_grant).map(|row| grant(&row.name)).collect();
    if !needed.is_empty() {
        lines.push(format!("grants = {{ {} }}", needed.join(", ")));
    }
    lines.join("\n")
}

/// A grant of a capability as TOML for a site's file.
pub fn grant(capability: &str) -> String {
    match capability {
        "content" | "kv" => format!("{capability} = true"),
        "http" => "http = [\"<server>\"]".to_owned(),
        "secrets" => "secrets = [\"<name>\"]".to_owned(),
        "frames" => "frames = [\"https://<server>\"]".to_owned(),
        other => format!("{other} = [\"<...>\"]"),
    }
}

/// Adds the plugin to a chain, as a site does before using it, with the settings of a test case or else with sample settings.
async fn try_out(report: &mut Report, host: &Host, test_host: TestHost, plugin: &Plugin, project: &Project) {
    let manifest = plugin.manifest();
    let known = case::all(&project.dir).into_iter().find_map(|(_, case)| case.ok().filter(Case::serves)?.settings);
    let sample = json::sample(&manifest.settings);
    let certain = known.is_some() || sample == Value::Object(Map::new());
    let test_host = test_host.settings(known.unwrap_or(sample));
    let chain = match test_host.chain().await {
        Ok(chain) => chain,
        Err(message) if certain => {
            report.problems.push(format!("a site cannot use it: {message}"));
            return;
        }
        Err(message) => {
            report
                .notes
                .push(format!("not tried with settings: sample settings were rejected ({message}); add a test case with valid settings"));
            return;
        }
    };
    // Only hooks that work without external services are called: a check must not send requests.
    let hooks = plugin.hooks().into_iter().filter_map(Hook::by_name);
    let local = hooks.filter(|hook| matches!(hook.spec().shape, Shape::Chain | Shape::Collect));
    if !manifest.capabilities.contains_key("http") {
        for hook in local {
            // The result is ignored: the call only serves to measure memory.
            drop(test_host.begin(&chain).call_json(hook, plugin.id(), &Value::Null).await);
        }
    }
    report.memory = host.runtime.hook_usage().iter().map(|cost| cost.memory_peak).max().filter(|bytes| *bytes > 0);
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.id, self.version)?;
        self.problems.iter().try_for_each(|problem| writeln!(f, "  problem: {problem}"))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))?;
        if !self.contract.is_empty() {
            writeln!(f, "  contract   {}; this host supports {}", self.contract, self.host_contract)?;
        }
        for hook in &self.hooks {
            writeln!(f, "  hook       {}: {} ms, on failure {}", hook.name, hook.budget_ms, hook.on_failure)?;
        }
        let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        writeln!(f, "  exports    {}", list(&self.exports))?;
        writeln!(f, "  imports    {}", list(&self.imports))?;
        for row in &self.capabilities {
            let grant = match (row.needs_grant, row.optional) {
                (true, true) => " (a site may grant it)",
                (true, false) => " (a site has to grant it)",
                _ => "",
            };
            writeln!(f, "  capability {}: {}{grant}", row.name, row.reason)?;
        }
        writeln!(f, "  size       {}", bytes(self.size as u64))?;
        if self.compile_seconds > 0.0 {
            let (size, took) = (bytes(self.compiled_size), time(self.compile_seconds));
            writeln!(f, "  compiled   {size} in {took}")?;
        }
        if let Some(memory) = self.memory {
            writeln!(f, "  memory     {} of {}", bytes(memory), bytes(self.memory_limit))?;
        }
        if !self.digest.is_empty() {
            writeln!(f, "  digest     {}", self.digest)?;
        }
        if !self.entry.is_empty() && self.problems.is_empty() {
            writeln!(f, "  Entry for the file of a site:")?;
            self.entry.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}
