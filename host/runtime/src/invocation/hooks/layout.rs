//! `layout.contribute`: UI modules in slots of the page.

use masthead_domain::layout::SlotContribution;
use serde_json::Value;

use super::binding::{HookEntry, bind};
use crate::{
    contract::{bindings::exports::masthead::plugin::layout as wit, manifest::Manifest},
    invocation::site_context::SiteContext,
};

const CONTRIBUTIONS: usize = 16;
const PROPS_BYTES: usize = 32 << 10;

bind!(Entry: layout.call_contribute() -> Vec<wit::Contribution>);

impl HookEntry for Entry {
    fn check(context: &SiteContext, (): &(), output: &Self::Output) -> Result<(), String> {
        if output.len() > CONTRIBUTIONS {
            return Err(format!("{} contributions, allowed are {CONTRIBUTIONS}", output.len()));
        }
        output.iter().try_for_each(|contribution| check_contribution(&context.manifest, contribution))
    }

    fn trial_input() -> Option<()> {
        Some(())
    }

    fn cache_weight(output: &Self::Output) -> usize {
        output.iter().map(|one| 96 + one.slot.len() + one.module.len() + one.props.len()).sum()
    }
}

fn check_contribution(manifest: &Manifest, contribution: &wit::Contribution) -> Result<(), String> {
    let wit::Contribution { slot, module, props } = contribution;
    let is_slot =
        !slot.is_empty() && slot.len() <= 64 && slot.bytes().all(|c| c.is_ascii_lowercase() || c == b'.' || c == b'-');
    if !is_slot {
        return Err(format!("{:?} is not the name of a slot", slot.chars().take(64).collect::<String>()));
    }
    if !manifest.ui.modules.contains(module) {
        let module: String = module.chars().take(64).collect();
        return Err(format!("the module {module:?} is not listed under ui.modules in plugin.toml"));
    }
    if props.len() > PROPS_BYTES {
        return Err(format!("the properties of {module} have {} bytes, allowed are {PROPS_BYTES}", props.len()));
    }
    match serde_json::from_str::<Value>(props) {
        Ok(Value::Object(_)) => Ok(()),
        Ok(_) => Err(format!("the properties of {module} are not a JSON object")),
        Err(error) => Err(format!("the properties of {module} are not JSON: {error}")),
    }
}

/// To be called after [`check_contribution`], which guarantees that the properties are JSON.
pub(crate) fn from_wit(contribution: wit::Contribution) -> SlotContribution {
    let wit::Contribution { slot, module, props } = contribution;
    SlotContribution { slot, module, props: serde_json::from_str(&props).unwrap_or_default() }
}
