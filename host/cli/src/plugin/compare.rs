//! Compares a plugin with the contract of another host.

use masthead_runtime::{Hook, Plugin};
use serde::Serialize;

use crate::plugin::{contract::HostContract, stats::bytes};

/// A plugin, or some of its hooks, that a site could not use.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnusablePlugin {
    pub plugin: String,
    /// The hooks, as listed in plugin.toml.
    pub hooks: Vec<String>,
    pub reason: String,
}

/// The reason why that host could not use the plugin (at most one entry), and notes about limits that are lower there.
pub fn against(host_contract: &HostContract, plugin: &Plugin) -> (Vec<UnusablePlugin>, Vec<String>) {
    let manifest = plugin.manifest();
    let mut reasons = Vec::new();
    if !host_contract.contracts.contains(&manifest.contract) {
        reasons.push(format!(
            "it was made for contract {}, but that host supports {}",
            manifest.contract,
            host_contract.contracts.join(", ")
        ));
    }
    // A host rejects a manifest that names an unknown hook or capability.
    let unknown = manifest.hooks.iter().filter(|name| !host_contract.hooks.iter().any(|hook| hook.name == **name));
    reasons.extend(unknown.map(|name| format!("that host has no hook {name}")));
    let unknown = manifest.capabilities.keys().filter(|name| !host_contract.capabilities.contains(name));
    reasons.extend(unknown.map(|name| format!("that host has no capability {name}")));
    if plugin.size() > host_contract.limits.component_bytes {
        let (size, limit) = (bytes(plugin.size() as u64), bytes(host_contract.limits.component_bytes as u64));
        reasons.push(format!("plugin.wasm has {size}, but that host accepts at most {limit}"));
    }
    let lost = (!reasons.is_empty()).then(|| UnusablePlugin {
        plugin: manifest.id.clone(),
        hooks: manifest.hooks.clone(),
        reason: reasons.join("; "),
    });
    (lost.into_iter().collect(), notes(host_contract, plugin))
}

fn notes(host_contract: &HostContract, plugin: &Plugin) -> Vec<String> {
    let manifest = plugin.manifest();
    let mut notes = Vec::new();
    let requested = manifest.memory_mib.map_or(0, |mib| (mib as usize) << 20);
    if requested > host_contract.limits.memory_ceiling_bytes {
        let most = bytes(host_contract.limits.memory_ceiling_bytes as u64);
        notes.push(format!(
            "{}: it requests {}, but that host allows at most {most}",
            manifest.id,
            bytes(requested as u64)
        ));
    }
    for spec in manifest.hooks.iter().filter_map(|name| Hook::by_name(name)).map(Hook::spec) {
        let other = host_contract.hooks.iter().find(|hook| hook.name == spec.name);
        if let Some(other) = other.filter(|other| u128::from(other.budget_ms) < spec.budget.as_millis()) {
            let (here, there) = (spec.budget.as_millis(), other.budget_ms);
            notes.push(format!(
                "{}: the compute budget of {} is {there} ms on that host, {here} ms on this one",
                manifest.id, spec.name
            ));
        }
    }
    notes
}
