//! `masthead plugin contract`.

use clap::Args;
use masthead_runtime::{CONTRACT, Caching, HOOKS, RuntimeConfig, Shape, capability_names};
use serde::{Deserialize, Serialize};

use crate::plugin::stats::{bytes, columns};

/// Print the contract that this host offers to plugins.
#[derive(Args)]
pub struct Contract {
    /// Print JSON, for `masthead plugin check --against`.
    #[arg(long)]
    json: bool,
}

/// The contract that a host offers to plugins.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HostContract {
    /// Version of the host.
    pub host: String,
    /// Contract versions that it supports.
    pub contracts: Vec<String>,
    pub hooks: Vec<HookContract>,
    pub capabilities: Vec<String>,
    pub limits: ContractLimits,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookContract {
    pub name: String,
    pub interface: String,
    pub shape: String,
    pub budget_ms: u64,
    pub wait_ms: u64,
    /// Whether results are cached; the name in JSON is part of the format that `--against` reads.
    pub remembered: String,
    pub on_failure: String,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContractLimits {
    pub component_bytes: usize,
    pub memory_bytes: usize,
    pub memory_ceiling_bytes: usize,
    pub memory_per_request_bytes: usize,
    pub plugins_per_site: usize,
    pub http_calls_per_request: u32,
}

impl HostContract {
    /// The contract of this host.
    pub fn own() -> Self {
        let config = RuntimeConfig::new("");
        let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let hooks = HOOKS.iter().map(|spec| HookContract {
            name: spec.name.to_owned(),
            interface: spec.interface.to_owned(),
            shape: shape(spec.shape).to_owned(),
            budget_ms: millis(spec.budget),
            wait_ms: millis(spec.wait),
            remembered: caching(spec.caching).to_owned(),
            on_failure: spec.on_failure.to_owned(),
        });
        Self {
            host: env!("CARGO_PKG_VERSION").to_owned(),
            contracts: vec![CONTRACT.to_owned()],
            hooks: hooks.collect(),
            capabilities: capability_names().into_iter().map(str::to_owned).collect(),
            limits: ContractLimits {
                component_bytes: config.max_component_bytes,
                memory_bytes: config.memory_per_instance,
                memory_ceiling_bytes: config.memory_ceiling,
                memory_per_request_bytes: config.memory_per_request,
                plugins_per_site: config.max_plugins_per_site,
                http_calls_per_request: config.http_calls_per_request,
            },
        }
    }
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Chain => "chain",
        Shape::Collect => "collect",
        Shape::First => "first",
        Shape::Notify => "notify",
    }
}

fn caching(caching: Caching) -> &'static str {
    match caching {
        Caching::Never => "no",
        Caching::IfDeterministic => "if pure",
        Caching::ByInput => "by input",
    }
}

impl Contract {
    pub fn run(self) -> anyhow::Result<()> {
        let host_contract = HostContract::own();
        if self.json {
            println!("{}", serde_json::to_string_pretty(&host_contract)?);
            return Ok(());
        }
        println!("host {}, contract {}", host_contract.host, host_contract.contracts.join(", "));
        let head = ["hook", "interface", "shape", "cached", "on failure", "budget", "wait"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(host_contract.hooks.into_iter().map(|hook| {
            let (budget, wait) = (format!("{} ms", hook.budget_ms), format!("{} ms", hook.wait_ms));
            vec![hook.name, hook.interface, hook.shape, hook.remembered, hook.on_failure, budget, wait]
        }));
        println!("{}", columns(&rows, 5));
        println!("capabilities: {}", host_contract.capabilities.join(", "));
        let limits = host_contract.limits;
        println!(
            "limits: component {}, memory {} (at most {}; {} per request), {} plugins per site, {} HTTP calls per request",
            bytes(limits.component_bytes as u64),
            bytes(limits.memory_bytes as u64),
            bytes(limits.memory_ceiling_bytes as u64),
            bytes(limits.memory_per_request_bytes as u64),
            limits.plugins_per_site,
            limits.http_calls_per_request
        );
        Ok(())
    }
}
