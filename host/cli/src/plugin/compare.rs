//! A plugin against the contract of another host.

use masthead_runtime::{Hook, Plugin};

use crate::plugin::{contract::Offer, sites::Lost, stats::bytes};

/// What that host would not take, and what it would do differently.
pub fn against(offer: &Offer, plugin: &Plugin) -> (Vec<Lost>, Vec<String>) {
    let manifest = plugin.manifest();
    let mut reasons = Vec::new();
    if !offer.contracts.contains(&manifest.contract) {
        reasons.push(format!(
            "it was made for contract {}, that host speaks {}",
            manifest.contract,
            offer.contracts.join(", ")
        ));
    }
    // A host refuses a manifest with a name that it does not know.
    let unknown = manifest.hooks.iter().filter(|name| !offer.hooks.iter().any(|hook| hook.name == **name));
    reasons.extend(unknown.map(|name| format!("that host has no hook {name}")));
    let unknown = manifest.capabilities.keys().filter(|name| !offer.capabilities.contains(name));
    reasons.extend(unknown.map(|name| format!("that host has no capability {name}")));
    if plugin.size() > offer.limits.component_bytes {
        let (size, limit) = (bytes(plugin.size() as u64), bytes(offer.limits.component_bytes as u64));
        reasons.push(format!("plugin.wasm has {size}, that host compiles at most {limit}"));
    }
    let lost = (!reasons.is_empty()).then(|| Lost {
        plugin: manifest.id.clone(),
        hooks: manifest.hooks.clone(),
        reason: reasons.join("; "),
    });
    (lost.into_iter().collect(), notes(offer, plugin))
}

fn notes(offer: &Offer, plugin: &Plugin) -> Vec<String> {
    let manifest = plugin.manifest();
    let mut notes = Vec::new();
    let wanted = manifest.memory_mib.map_or(0, |mib| (mib as usize) << 20);
    if wanted > offer.limits.memory_ceiling_bytes {
        let most = bytes(offer.limits.memory_ceiling_bytes as u64);
        notes.push(format!("{}: it wants {}, that host gives at most {most}", manifest.id, bytes(wanted as u64)));
    }
    for spec in manifest.hooks.iter().filter_map(|name| Hook::by_name(name)).map(Hook::spec) {
        let there = offer.hooks.iter().find(|hook| hook.name == spec.name);
        if let Some(there) = there.filter(|there| u128::from(there.budget_ms) < spec.budget.as_millis()) {
            let (here, less) = (spec.budget.as_millis(), there.budget_ms);
            notes.push(format!("{}: {} may compute {less} ms there, {here} ms here", manifest.id, spec.name));
        }
    }
    notes
}
